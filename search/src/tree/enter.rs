//! Entering a node: the end of the search, draws and the last ply decide it at once.
//!
//! With an upcoming repetition (`state/repetition`) the score is at least a draw, so alpha rises to that.
//!
//! Source: the Chess Programming Wiki, "Repetitions"; upcoming repetitions: Stockfish.

use movegen::Board;

use crate::state::worker::Worker;
use crate::tree::node::{NodeType, SearchArgs};
use crate::types::score::{MAX_PLY, Score};

impl Worker<'_> {
    /// The score of a node that is decided by a stop or a draw. Raises alpha to `repetition_score` where that is upcoming.
    #[inline]
    pub(crate) fn enter<N: NodeType>(
        &mut self,
        args: &mut SearchArgs<'_>,
        repetition_score: impl Fn(&Self, usize) -> Score,
    ) -> Option<Score> {
        if self.must_stop() {
            return Some(Score::DRAW);
        }
        let ply = args.ply;
        if N::PV {
            self.data.pv.clear(ply);
            self.root.seldepth = self.root.seldepth.max(ply as i32);
        }
        if N::ROOT {
            return None;
        }
        if self.is_draw(args.board, ply) {
            return Some(self.noisy_draw_score(ply));
        }
        if args.alpha < self.draw_score(ply) && self.keys.has_upcoming_repetition(args.board, ply) {
            args.alpha = repetition_score(self, ply);
            if args.alpha >= args.beta {
                return Some(args.alpha);
            }
        }
        None
    }

    /// The score of a node that is too far from the root to be searched.
    #[inline]
    pub(crate) fn last_ply(&mut self, board: &Board, ply: usize) -> Option<Score> {
        let score = |worker: &mut Self| if board.in_check() { worker.draw_score(ply) } else { worker.raw_eval(board) };
        (ply >= MAX_PLY).then(|| score(self))
    }
}
