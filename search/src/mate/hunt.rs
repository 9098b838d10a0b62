//! Taking turns: a search that was asked for a mate lets the one that misses none look for it as well.

use movegen::Move;

use super::{Answer, MOST_MOVES, MateSearch};
use crate::worker::Worker;
use crate::{Bound, Score};

/// What the hunt for a mate has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The mate is now the best root move.
    Found,
    /// There is none.
    Never,
    /// Not known yet.
    Open,
}

/// A hunt for a mate in so many moves, in the pauses of the usual search.
pub(crate) struct Hunt {
    search: MateSearch,
    /// As UCI counts them: negative to be mated.
    wanted: i32,
    /// How many moves it looks for at present.
    moves: i32,
    /// Nodes spent on it.
    spent: u64,
}

impl Hunt {
    /// As many nodes for each of the usual search: the more moves, the less is to be hoped for.
    const fn share(&self) -> u64 {
        if self.moves <= 5 { 8 } else { 1 }
    }
}

impl Worker<'_> {
    /// The hunt for the mate that was asked for, if any.
    pub(crate) fn begin_hunt(&self) -> Option<Hunt> {
        let wanted = self.job.limits.mate.filter(|&wanted| wanted != 0 && self.leads())?;
        // Beyond the most moves nothing could be denied for certain.
        let is_plain =
            self.job.settings.multi_pv <= 1 && self.handicap.is_none() && wanted.unsigned_abs() as usize <= MOST_MOVES;
        let search = || MateSearch::new(&self.job.position, wanted.unsigned_abs() as usize);
        is_plain.then(|| Hunt { search: search(), wanted, moves: 1, spent: 0 })
    }

    /// Goes on with the hunt for its share of the nodes.
    pub(crate) fn hunt(&mut self, hunt: &mut Hunt) -> Verdict {
        let board = *self.job.position.board();
        let root_moves: Vec<Move> = self.root_moves.iter().map(|root_move| root_move.mv).collect();
        while hunt.moves <= hunt.wanted.abs() {
            let began = self.nodes;
            let allowed = (hunt.share() * (self.nodes - hunt.spent)).saturating_sub(hunt.spent);
            let visit = &mut || {
                self.nodes += 1;
                self.must_stop() || self.nodes - began >= allowed
            };
            let answer = hunt.search.solve(&board, &root_moves, hunt.moves * hunt.wanted.signum(), visit);
            hunt.spent += self.nodes - began;
            match answer {
                Answer::Unknown => return Verdict::Open,
                Answer::Never => hunt.moves += 1,
                Answer::Line(line) => {
                    self.lead_with_mate(&line, hunt.wanted > 0);
                    return Verdict::Found;
                }
            }
        }
        Verdict::Never
    }

    /// Puts the mate in front of all other root moves.
    fn lead_with_mate(&mut self, line: &[Move], mates: bool) {
        let found = self.root_moves.iter().position(|root_move| line.first() == Some(&root_move.mv));
        let Some(index) = found else { return };
        self.root_moves[..=index].rotate_right(1);
        let score = if mates { Score::mate_in(line.len()) } else { Score::mated_in(line.len()) };
        let best = &mut self.root_moves[0];
        (best.score, best.last_score, best.last_exact, best.bound) = (score, Some(score), Some(score), Bound::Exact);
        best.seldepth = line.len() as i32;
        best.line = line.to_vec();
    }
}
