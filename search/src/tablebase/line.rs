//! Extending a won or lost line from where the tables know it to the mate at its end.

use movegen::Position;

use crate::tablebase::probe::Tablebase;
use crate::tablebase::rank::{By, is_drawn};
use crate::types::line::Line;

impl Tablebase {
    /// Extends a line by the best moves of both sides, by distance. It ends in mate, where a table is missing, at a draw
    /// or at the maximum length; or when `may_go_on` returns false, and then the next call continues.
    pub(crate) fn extend_line(
        &self,
        line: &mut Line,
        mut position: Position,
        fifty_moves: bool,
        may_go_on: impl Fn() -> bool,
    ) {
        // On another path to the same position a draw may come sooner.
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
            let Some(ranks) = self.rank_by_dtz(&position, moves.iter().copied(), fifty_moves, By::Distance, &may_go_on)
            else {
                return;
            };
            // Among equals a mate, then the move that leaves the fewest replies.
            let best = moves.iter().zip(ranks).max_by_key(|&(&mv, rank)| {
                let mut after = *position.board();
                after.play(mv, &mut ());
                let replies = after.count_legal_moves();
                (rank.value, replies == 0 && after.in_check(), usize::MAX - replies)
            });
            let Some((&mv, _)) = best else { return };
            position.play(mv);
            line.push(mv);
        }
    }
}
