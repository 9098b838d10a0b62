//! Iterative deepening: searching one ply deeper again and again, until time or another limit runs out.
//!
//! Sources: the Chess Programming Wiki, "Iterative Deepening" and "Aspiration Windows"; the width of the window, its
//! shift from thread to thread and the depth saved when a score fails high follow Stockfish, time by node fraction and by
//! the stability of best move and score Stash and Stockfish.

use std::time::Duration;

use movegen::Move;

use crate::mate::Verdict;
use crate::node::{Root, Visit};
use crate::root::{Outcome, RootMove, sort};
use crate::shared::{total, total_hits};
use crate::strength::Handicap;
use crate::worker::Worker;
use crate::{Bound, MAX_PLY, Report, Score, params};

/// Scores that failed high or low, and the move at hand, are reported only when a search takes this long.
const DETAILS_AFTER: Duration = Duration::from_secs(3);
/// An only move needs no more depth than this while a clock runs.
const FORCED_DEPTH: i32 = 8;

/// How much of the usual time a best move needs that has just changed, or stood for one iteration, two, ... or more.
const TIME_BY_STABILITY: [f64; 6] = [1.8, 1.25, 1.0, 0.9, 0.82, 0.77];

/// What the leading thread watches to see how settled its choice is.
#[derive(Clone, Copy, Debug, Default)]
struct Steadiness {
    /// Iterations since the best move last changed.
    same_move: u32,
    last_score: i32,
}

/// A number that stands for percents.
fn percent(number: i32) -> f64 {
    f64::from(number) / 100.0
}

impl Worker<'_> {
    /// Searches ever deeper until a limit is reached.
    pub(crate) fn deepen(&mut self) -> Option<Outcome> {
        let deepest = self.job.limits.depth.unwrap_or(MAX_PLY as i32 - 1).clamp(1, MAX_PLY as i32 - 1);
        let shown = self.job.settings.multi_pv.clamp(1, self.root_moves.len().max(1));
        let watched = self.handicap.as_ref().map_or(shown, Handicap::line_count);
        let line_count = shown.max(watched).min(self.root_moves.len().max(1));
        let mut steadiness = Steadiness::default();
        let mut completed = 0;
        let mut hunt = self.begin_hunt();
        for depth in 1..=deepest {
            self.root_depth = depth;
            let last_best = self.root_moves.first()?.mv;
            for line_index in 0..line_count {
                self.line_index = line_index;
                self.seldepth = 0;
                self.aspirate(depth);
                sort(&mut self.root_moves[..=line_index]);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            completed = depth;
            if let Some(handicap) = &mut self.handicap {
                handicap.watch(depth, &self.root_moves[..line_count]);
            }
            let verdict = hunt.as_mut().map_or(Verdict::Open, |hunt| self.hunt(hunt));
            self.report_lines(depth, shown);
            if verdict == Verdict::Never
                && let Some(reporter) = &mut self.reporter
            {
                reporter.no_mate();
            }
            if verdict != Verdict::Open {
                break;
            }
            if self.leads() && self.is_done(depth, last_best == self.root_moves[0].mv, &mut steadiness) {
                break;
            }
        }
        self.publish_nodes();
        if self.stopped || completed == 0 {
            self.report_lines(completed.max(1), shown);
        }
        let chosen = self.handicap.as_mut().and_then(|handicap| handicap.choose(&self.job.position, &self.root_moves));
        let is_best = |root_move: &&RootMove| chosen.is_none_or(|chosen| root_move.mv == chosen);
        let outcome = Outcome { depth: completed, best: self.root_moves.iter().find(is_best)?.clone() };
        // The last line shown is that of the move to come, unless the client wants to see the best ones.
        if shown == 1 && outcome.best.mv != self.root_moves[0].mv {
            self.report_outcome(&outcome);
        }
        Some(outcome)
    }

    /// Searches the root with a window around the score expected, wider until the score lies inside.
    fn aspirate(&mut self, depth: i32) {
        let board = *self.job.position.board();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let average = self.root_moves[self.line_index].average;
        let mut delta =
            params::aspiration_delta() + average.map_or(0, |average| average * average / params::aspiration_average());
        // Threads that all ask the same would find the same.
        delta += (self.job.id % 8) as i32;
        if let Some(average) = average.filter(|_| depth >= 4) {
            alpha = Score((average - delta).max(alpha.0));
            beta = Score((average + delta).min(beta.0));
        }
        let mut failed_high = 0;
        loop {
            let depth = (depth - failed_high).max(1);
            self.root_width = (beta.0 - alpha.0).max(1);
            let visit = Visit { board: &board, ply: 0, alpha, beta, depth, cut_node: false };
            let score = self.node::<Root>(visit);
            let line_index = self.line_index;
            sort(&mut self.root_moves[line_index..]);
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = Score((alpha.0 + beta.0) / 2);
                alpha = Score((score.0 - delta).max(-Score::INFINITE.0));
                failed_high = 0;
            } else if score >= beta {
                alpha = Score((beta.0 - delta).max(alpha.0));
                beta = Score((score.0 + delta).min(Score::INFINITE.0));
                failed_high = (failed_high + 1).min(3);
            } else {
                return;
            }
            delta += delta / 2;
            if self.takes_long() && self.job.settings.multi_pv == 1 {
                let best = &self.root_moves[0];
                let score = best.last_score.map(|score| (score, best.bound));
                self.report(self.root_depth, 0, &best.clone(), score);
            }
        }
    }

    /// Whether the leading thread should begin no further iteration.
    fn is_done(&mut self, depth: i32, same_move: bool, steadiness: &mut Steadiness) -> bool {
        let best = &self.root_moves[0];
        if let Some(wanted) = self.job.limits.mate
            && let Some(moves) = best.score.moves_to_mate()
            && best.bound == Bound::Exact
            && if wanted < 0 { (wanted..=0).contains(&moves) } else { (1..=wanted).contains(&moves) }
        {
            return true;
        }
        self.publish_nodes();
        if self.job.limits.soft_nodes.is_some_and(|limit| total(&self.job.counts) >= limit) {
            return true;
        }
        let fall = steadiness.last_score - best.score.0;
        steadiness.same_move = if same_move { steadiness.same_move + 1 } else { 0 };
        steadiness.last_score = best.score.0;
        if !self.job.clock.saves_time() {
            return false;
        }
        let forced = self.root_moves.len() == 1 && depth >= FORCED_DEPTH;
        let scale = self.time_scale(steadiness.same_move, fall);
        self.has_thought_enough = forced || self.job.clock.is_spent(scale, total(&self.job.counts));
        self.has_thought_enough && !self.job.control.is_pondering()
    }

    /// How much more than the usual time the choice needs: above 1 if it changes, below if all effort goes into
    /// one move that keeps its score.
    fn time_scale(&self, same_move: u32, fall: i32) -> f64 {
        let effort = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let by_effort = (percent(params::time_effort_base()) - percent(params::time_effort()) * effort)
            .max(percent(params::time_effort_least()));
        let by_best_move_stability = TIME_BY_STABILITY[(same_move as usize).min(TIME_BY_STABILITY.len() - 1)];
        let by_score_stability = (1.0 + f64::from(fall) / f64::from(params::time_fall()))
            .clamp(percent(params::time_rise_least()), percent(params::time_fall_most()));
        by_effort * by_best_move_stability * by_score_stability
    }

    /// Whether the search has gone on for so long that details are of interest, and someone listens.
    fn takes_long(&self) -> bool {
        self.reporter.is_some() && self.job.clock.elapsed() >= DETAILS_AFTER
    }

    /// Reports which root move is about to be searched, once that takes long.
    pub(crate) fn report_current(&mut self, mv: Move, number: usize) {
        if self.takes_long()
            && let Some(reporter) = &mut self.reporter
        {
            reporter.current(self.root_depth, mv, self.line_index + number);
        }
    }

    fn report_lines(&mut self, depth: i32, line_count: usize) {
        if self.reporter.is_none() {
            return;
        }
        self.extend_lines(line_count);
        for index in 0..line_count {
            self.report_settled(depth, index, &self.root_moves[index].clone());
        }
    }

    /// Reports another thread's choice as the best line.
    pub(crate) fn report_outcome(&mut self, outcome: &Outcome) {
        self.report_settled(outcome.depth.max(1), 0, &outcome.best);
    }

    /// Reports a line that stands.
    fn report_settled(&mut self, depth: i32, index: usize, root_move: &RootMove) {
        self.report(depth, index, root_move, root_move.settled());
    }

    fn report(&mut self, depth: i32, index: usize, root_move: &RootMove, score: Option<(Score, Bound)>) {
        self.publish_nodes();
        let Some(reporter) = &mut self.reporter else { return };
        // A move that no iteration has scored yet is worth what the board looks like.
        let (score, bound) = score.unwrap_or((self.root_eval, Bound::Lower));
        let (score, bound) = root_move.shown(score, bound);
        reporter.line(&Report {
            depth,
            seldepth: root_move.seldepth,
            multi_pv: index + 1,
            score,
            bound,
            nodes: total(&self.job.counts),
            elapsed: self.job.clock.elapsed(),
            hashfull: self.table.hashfull(),
            tablebase_hits: total_hits(&self.job.counts),
            from_tables: root_move.rank.is_some(),
            pv: &root_move.line,
        });
    }
}
