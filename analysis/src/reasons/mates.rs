//! Mates that were allowed or missed.

use movegen::attacks::king_attacks;
use movegen::{Board, Color, Move, PieceType, Rank, Square};

use super::motif::type_on;
use super::proof::boards;

/// A mate at the end of a line.
pub(crate) struct Mated {
    /// In how many moves.
    pub moves: u32,
    /// The king, and the piece that gives mate.
    pub king: Square,
    pub by: Square,
    /// By a rook or queen on the king's first rank, which pieces of his own keep him on.
    pub on_back_rank: bool,
}

/// The mate by the side to move at the end of a line, if it is there.
pub(crate) fn mate(start: &Board, line: &[Move]) -> Option<Mated> {
    let boards = boards(start, line);
    let (last, mv) = (boards.last()?, line.last()?);
    if line.len().is_multiple_of(2) || !last.in_check() || last.has_legal_move() {
        return None;
    }
    let king = last.king(last.turn());
    let by = if mv.is_castling() { last.king(start.turn()) } else { mv.to() };
    Some(Mated {
        moves: u32::try_from(line.len().div_ceil(2)).ok()?,
        king,
        by,
        on_back_rank: is_on_back_rank(last, king, by),
    })
}

fn is_on_back_rank(board: &Board, king: Square, by: Square) -> bool {
    let side: Color = board.turn();
    let home = Rank::One.relative_to(side);
    let is_heavy = matches!(type_on(board, by), Some(PieceType::Rook | PieceType::Queen));
    let ahead: Vec<_> = king_attacks(king).into_iter().filter(|square| square.rank() != home).collect();
    let own = ahead.iter().filter(|&&square| board.colors(side).contains(square)).count();
    is_heavy && king.rank() == home && by.rank() == home && 2 * own > ahead.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fen: &str, sans: &str) -> Option<(u32, bool)> {
        let start = Board::from_fen(fen).unwrap();
        let mut board = start;
        let mut line = Vec::new();
        for san in sans.split(' ') {
            let mv = board.parse_san(san).unwrap();
            board.play(mv, &mut ());
            line.push(mv);
        }
        mate(&start, &line).map(|mate| (mate.moves, mate.on_back_rank))
    }

    #[test]
    fn a_mate_is_on_the_board_at_the_end() {
        let back = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        assert_eq!(found(back, "Rd8#"), Some((1, true)));
        assert_eq!(found(back, "Rd7"), None);
        assert_eq!(found(back, "Rd7 Kf8"), None, "the mated side is the other one");
        assert_eq!(found("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Kf7 Kh7 Qg7#"), Some((2, false)));
        // The king is alone on its rank, but no piece of its own keeps it there.
        assert_eq!(found("k7/7R/1K6/8/8/8/8/8 w - - 0 1", "Rh8#"), Some((1, false)));
    }
}
