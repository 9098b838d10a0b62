//! `go mate`: the usual search takes turns with the mate search, which misses no mate.

use movegen::Move;

use crate::mate::solver::{Answer, MAX_MATE_MOVES, MateSearch};
use crate::state::worker::Worker;
use crate::types::params;
use crate::types::request::Settings;
use crate::types::score::{Bound, Score};

/// What is known about the mate that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MateStatus {
    /// The mate is now the best root move.
    Found,
    /// There is none.
    Never,
    /// Not known yet.
    Open,
}

/// The search for a mate in some number of moves, between the iterations of the usual search.
pub(crate) struct MateHunt {
    search: MateSearch,
    /// In moves, as UCI counts them: negative to be mated.
    wanted: i32,
    /// The number of moves that is being tried.
    moves: i32,
    /// Nodes spent on it.
    spent: u64,
}

impl MateHunt {
    /// Nodes for each node of the usual search: fewer for long mates, where success is unlikely.
    fn share(&self) -> u64 {
        if self.moves <= params::mate_share_moves() { params::mate_share() as u64 } else { 1 }
    }
}

impl Worker<'_> {
    /// The search for the mate that was asked for, if any, by the main thread.
    pub(crate) fn begin_hunt(&self) -> Option<MateHunt> {
        let wanted = self.job.limits.mate.filter(|&wanted| wanted != 0 && self.is_main())?;
        let Settings { multi_pv, strength, .. } = &self.job.settings;
        // Longer mates are beyond what can be proven.
        let is_plain = *multi_pv <= 1 && strength.is_none() && wanted.unsigned_abs() as usize <= MAX_MATE_MOVES;
        let search = || MateSearch::try_new(&self.job.position, wanted.unsigned_abs() as usize);
        // Without memory for its table, only the usual search looks for the mate.
        is_plain.then(search).flatten().map(|search| MateHunt { search, wanted, moves: 1, spent: 0 })
    }

    /// Continues for its share of the nodes.
    pub(crate) fn hunt(&mut self, hunt: &mut MateHunt) -> MateStatus {
        let board = *self.job.position.board();
        let root_moves: Vec<Move> = self.root.moves.iter().map(|root_move| root_move.mv).collect();
        while hunt.moves <= hunt.wanted.abs() {
            let began = self.watch.nodes;
            let allowed = (hunt.share() * (self.watch.nodes - hunt.spent)).saturating_sub(hunt.spent);
            let visit = &mut || {
                self.watch.nodes += 1;
                self.must_stop() || self.watch.nodes - began >= allowed
            };
            let answer = hunt.search.solve(&board, &root_moves, hunt.moves * hunt.wanted.signum(), visit);
            hunt.spent += self.watch.nodes - began;
            match answer {
                Answer::Unknown => return MateStatus::Open,
                Answer::Never => hunt.moves += 1,
                Answer::Line(line) => {
                    self.lead_with_mate(&line, hunt.wanted > 0);
                    return MateStatus::Found;
                }
            }
        }
        MateStatus::Never
    }

    /// Makes the mate the best root move.
    fn lead_with_mate(&mut self, line: &[Move], mates: bool) {
        let found = self.root.moves.iter().position(|root_move| line.first() == Some(&root_move.mv));
        let Some(index) = found else { return };
        self.root.moves[..=index].rotate_right(1);
        let score = if mates { Score::mate_in(line.len()) } else { Score::mated_in(line.len()) };
        let best = &mut self.root.moves[0];
        (best.score, best.last_score, best.last_exact, best.bound) = (score, Some(score), Some(score), Bound::Exact);
        best.seldepth = line.len() as i32;
        best.line = line.to_vec();
    }
}
