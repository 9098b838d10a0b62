//! What a thread of the pool does with a search: the main thread reports, the others send it their results.

use std::iter;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use movegen::Move;

use crate::root::root_search::{RootSearch, ThreadResult};
use crate::state::control::Control;
use crate::state::job::Job;
use crate::state::thread_data::ThreadData;
use crate::thread::vote::vote;
use crate::types::limits::Limits;
use crate::types::report::Reporter;

/// What a thread does with its result.
pub(crate) enum Role {
    /// The main thread: collects all results and reports.
    Main { reporter: Box<dyn Reporter>, results: Receiver<Option<ThreadResult>> },
    /// Sends its result to the main thread.
    Helper { results: Sender<Option<ThreadResult>> },
}

/// The answer to a search.
pub(crate) struct Answer {
    /// Only a `stop` makes it wanted.
    pub(crate) is_infinite: bool,
    reporter: Box<dyn Reporter>,
    best: Option<Move>,
    reply: Option<Move>,
}

impl Answer {
    /// Reports it.
    pub(crate) fn give(mut self, control: &Control) {
        control.finish();
        self.reporter.finished(self.best, self.reply);
    }
}

/// How long the main thread waits for the results of the others: on a busy machine some may not run for a while, and
/// their votes are not worth the time.
const PATIENCE: Duration = Duration::from_millis(2);

/// Does a job and reports the result, or sends it to the thread that does. Returns an answer that is to be held back.
pub(crate) fn search(job: &Job<'_>, role: Role, data: &mut ThreadData) -> Option<Answer> {
    let mut root_search = RootSearch::new(job, data);
    match role {
        Role::Helper { results } => {
            // The main thread may have stopped waiting.
            let _ = results.send(root_search.deepen());
            None
        }
        Role::Main { mut reporter, results } => {
            root_search.report_to(&mut *reporter);
            let own = root_search.deepen();
            job.control.sleep_until_wanted(job.limits.infinite);
            let is_wanted = job.control.is_wanted(job.limits.infinite);
            job.control.end();
            let deadline = Instant::now() + PATIENCE;
            let others = iter::from_fn(|| results.recv_deadline(deadline).ok()).flatten();
            let all: Vec<_> = own.into_iter().chain(others).collect();
            // If lines or depth were asked for, the lines reported count, else the vote of all threads.
            let Limits { depth, mate, .. } = *job.limits;
            let is_main_only = job.settings.multi_pv > 1 || depth.is_some() || mate.is_some();
            let mut chosen = if is_main_only { all.first() } else { vote(&all) }.cloned();
            // The last line reported is the one to be played, reply included.
            if let Some(chosen) = &mut chosen
                && let Some(main) = all.first()
                && main.best.line != chosen.best.line
            {
                root_search.extend_line(&mut chosen.best);
                // The depth never falls from line to line, whichever thread found the last one.
                chosen.depth = chosen.depth.max(main.depth);
                root_search.report_result(chosen);
            }
            if let Some(chosen) = &chosen {
                root_search.worker.keep_for_next_search(&chosen.best);
            }
            let faults = job.tablebase.iter().flat_map(|tablebase| tablebase.take_faults());
            faults.for_each(|fault| reporter.tablebase_fault(&fault));
            let best = chosen.as_ref().map(|result| &result.best.line[..]);
            let mut line = best.unwrap_or_default().iter().copied();
            let (best, reply) = (line.next(), line.next());
            let answer = Answer { is_infinite: job.limits.infinite, reporter, best, reply: expected(job, best, reply) };
            if !is_wanted {
                return Some(answer);
            }
            answer.give(&job.control);
            None
        }
    }
}

/// Answers a search for which there is no memory with a legal move, if there is one.
pub(crate) fn give_up(job: &Job<'_>, role: Role) {
    let Role::Main { reporter, .. } = role else { return };
    let board = job.position.board();
    let wanted = job.limits.search_moves.iter().copied().find(|&mv| board.is_legal(mv));
    let best = wanted.or_else(|| board.legal_moves().first().copied());
    Answer { is_infinite: false, reporter, best, reply: None }.give(&job.control);
}

/// The reply to ponder on: none if the game would be over.
fn expected(job: &Job<'_>, best: Option<Move>, reply: Option<Move>) -> Option<Move> {
    let board = job.position.board().after(best?);
    let reply = reply.filter(|&mv| board.is_legal(mv))?;
    board.after(reply).has_legal_move().then_some(reply)
}
