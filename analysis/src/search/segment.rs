//! What a search found in consecutive positions of a game.

use std::ops::Range;

use search::Found;

use crate::read::main_line::MainLine;

/// The results of a segment.
pub(crate) struct Segment {
    /// One for each position, from the first; `None` for those without a legal move and those not reached.
    pub found: Vec<Option<Found>>,
    /// No search was cut short or left out.
    pub is_complete: bool,
}

impl Segment {
    /// Whether all its lines can be played in these positions.
    pub fn fits(&self, main_line: &MainLine, range: &Range<usize>) -> bool {
        self.found.len() == range.len()
            && self.found.iter().zip(&main_line.boards[range.clone()]).all(|(found, board)| match found {
                Some(found) => found.fits(board),
                None => !board.has_legal_move(),
            })
    }
}
