//! Carrying a won or lost line on from where the tables know it, to the mate at its end.

use std::time::{Duration, Instant};

use movegen::{Key, Move, Position};

use super::Tablebase;
use super::rank::{By, is_drawn};
use crate::root::RootMove;
use crate::stack::{LONGEST_LINE, Line};
use crate::worker::Worker;

/// The most time for the lines of one report.
const PATIENCE: Duration = Duration::from_millis(50);
/// And when the search has been told to end.
const HASTE: Duration = Duration::from_millis(2);

/// Lines found before, by the key of the position where the tables take over: most iterations ask for the same.
pub(crate) type KnownLines = Vec<(Key, Line)>;

/// How long lines may be carried on.
#[derive(Clone, Copy)]
struct Budget {
    deadline: Instant,
    /// The search has been told to end already. Else, being told so ends it all.
    is_last: bool,
}

impl Worker<'_> {
    /// Carries on the lines about to be reported, as far as time allows: what is missing comes with a later report.
    pub(crate) fn extend_lines(&mut self, line_count: usize) {
        if self.job.tablebase.is_none() {
            return;
        }
        let budget = self.line_budget();
        for index in 0..line_count.min(self.root_moves.len()) {
            if is_decided_by_tables(&self.root_moves[index]) {
                let line = std::mem::take(&mut self.root_moves[index].line);
                self.root_moves[index].line = self.extended(line, budget);
            }
        }
    }

    /// As [`extend_lines`](Self::extend_lines), for a line of another thread.
    pub(crate) fn extend_line(&mut self, root_move: &mut RootMove) {
        if self.job.tablebase.is_some() && is_decided_by_tables(root_move) {
            let line = std::mem::take(&mut root_move.line);
            root_move.line = self.extended(line, self.line_budget());
        }
    }

    fn line_budget(&self) -> Budget {
        let is_last = self.stopped || self.job.control.is_stopped();
        let saves_time = self.job.clock.saves_time();
        let usual = if saves_time { PATIENCE.min(self.job.settings.move_overhead / 2) } else { PATIENCE };
        let patience = match self.job.clock.left() {
            _ if is_last => HASTE,
            // On the opponent's time nothing is late.
            Some(left) if !self.job.control.is_pondering() => usual.min(left),
            _ => usual,
        };
        Budget { deadline: Instant::now() + patience, is_last }
    }

    /// The moves up to the first position that the tables know, and from there on what they recommend.
    fn extended(&mut self, line: Vec<Move>, budget: Budget) -> Vec<Move> {
        let job = self.job;
        let Some(tables) = &job.tablebase else { return line };
        let settings = &job.settings.tablebase;
        let most_men = tables.largest().min(settings.probe_limit);
        let mut position = (*job.position).clone();
        let mut extended = Vec::new();
        let mut is_known = false;
        for &mv in &line {
            position.play(mv);
            extended.push(mv);
            is_known = position.board().occupied().count() <= most_men && tables.covers(position.board());
            if is_known {
                break;
            }
        }
        if !is_known {
            return line;
        }
        let key = position.board().key();
        let index = self.known_lines.iter().position(|(entry, _)| *entry == key).unwrap_or_else(|| {
            self.known_lines.push((key, Line::new()));
            self.known_lines.len() - 1
        });
        let rest = &mut self.known_lines[index].1;
        let may_go_on = || Instant::now() < budget.deadline && (budget.is_last || !job.control.is_stopped());
        tables.carry_on(rest, position, settings.fifty_moves, may_go_on);
        if rest.is_empty() {
            return line;
        }
        let room = LONGEST_LINE.saturating_sub(extended.len());
        extended.extend(rest.iter().copied().take(room));
        extended
    }
}

/// A win or loss that the search has not turned into a mate.
fn is_decided_by_tables(root_move: &RootMove) -> bool {
    let score = root_move.last_score.unwrap_or_default();
    let (score, _) = root_move.shown(score, root_move.bound);
    score.is_decisive() && score.moves_to_mate().is_none()
}

impl Tablebase {
    /// Carries a line on in which one side wins as soon, and the other holds out as long, as the distances say. It ends
    /// in mate or where a table is missing, at a draw or at the longest line there can be, or before that when
    /// `may_go_on` says so: then the next call goes on with it.
    fn carry_on(&self, line: &mut Line, mut position: Position, fifty_moves: bool, may_go_on: impl Fn() -> bool) {
        // Another way to the same position may bring a draw nearer.
        let playable = line.iter().take_while(|&&mv| {
            let goes_on = !is_drawn(&position);
            position.play(mv);
            goes_on
        });
        let playable = playable.count();
        if playable < line.len() {
            line.truncate(playable);
            return;
        }
        while !line.is_full() && !is_drawn(&position) && may_go_on() {
            let moves = position.board().legal_moves();
            let Some(ranks) = self.rank_by_dtz(&position, moves.iter().copied(), fifty_moves, By::Distance) else {
                return;
            };
            // Among equals a mate, then the move that leaves the fewest answers.
            let best = moves.iter().zip(ranks).max_by_key(|&(&mv, rank)| {
                let mut after = *position.board();
                after.play(mv, &mut ());
                let answers = after.count_legal_moves();
                (rank.value, answers == 0 && after.in_check(), usize::MAX - answers)
            });
            let Some((&mv, _)) = best else { return };
            position.play(mv);
            line.push(mv);
        }
    }
}
