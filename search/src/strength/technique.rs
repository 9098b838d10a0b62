//! Mating a bare king with a queen or rook, as it is taught: shrink its room, then bring up your own king.
//!
//! Even weak players can do it, and the evaluation need not know it. The search finds the mate when it is near; until then
//! this makes progress.

use movegen::attacks::king_attacks;
use movegen::{Bitboard, Board, Move, PieceType, Position, Square};

/// Whether the side to move has to mate a bare king with a queen or rook.
pub(crate) fn is_asked_for(board: &Board) -> bool {
    let (us, them) = (board.turn(), !board.turn());
    let heavy = board.pieces(PieceType::Queen) | board.pieces(PieceType::Rook);
    board.colors(them).count() == 1 && heavy.intersects(board.colors(us))
}

/// The move that leaves the bare king the least freedom; none if each of them loses a piece, stalemates or repeats
/// an earlier position.
pub(crate) fn choose(position: &Position, moves: impl IntoIterator<Item = Move>) -> Option<Move> {
    let measured = moves.into_iter().filter_map(|mv| {
        let mut after = position.clone();
        after.play(mv);
        let replies = after.board().legal_moves();
        let gives_away = replies.iter().any(|&reply| after.board().captured_by(reply).is_some());
        let is_sound = !gives_away && !replies.is_empty() && after.earlier_occurrences() == 0;
        is_sound.then(|| (freedom(after.board()), mv))
    });
    measured.min_by_key(|(freedom, _)| *freedom).map(|(_, mv)| mv)
}

/// How free the king of the side to move is: the squares it can reach if nothing else moves, and its distance from the
/// other king.
fn freedom(board: &Board) -> (usize, u32) {
    let (hunted, hunter) = (board.king(board.turn()), board.king(!board.turn()));
    let forbidden = board.threats().by_all;
    let mut room = Bitboard::EMPTY;
    let mut edge = king_attacks(hunted) - forbidden;
    while edge.any() {
        room |= edge;
        let around = edge.into_iter().map(king_attacks).fold(Bitboard::EMPTY, |all, squares| all | squares);
        edge = around - forbidden - room;
    }
    (room.count(), distance(hunter, hunted))
}

/// The king's steps from one square to the other; of two equal distances the straight one counts as shorter than the diagonal.
fn distance(from: Square, to: Square) -> u32 {
    let files = (from.file() as u32).abs_diff(to.file() as u32);
    let ranks = (from.rank() as u32).abs_diff(to.rank() as u32);
    16 * files.max(ranks) + files + ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    #[test]
    fn only_a_bare_king_against_heavy_pieces_is_a_matter_of_technique() {
        for (fen, expected) in [
            ("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1", true),
            ("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1", false),
            ("8/8/8/3k4/8/8/P3Q3/4K3 w - - 0 1", true),
            ("8/8/8/3k4/8/8/3BB3/4K3 w - - 0 1", false),
            ("8/8/8/3k4/8/8/4P3/4K3 w - - 0 1", false),
            ("8/p7/8/3k4/8/8/4R3/4K3 w - - 0 1", false),
        ] {
            assert_eq!(is_asked_for(&board(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn a_rook_cuts_a_king_off() {
        let room = |fen| freedom(&board(fen)).0;
        assert_eq!(room("k7/1R6/2K5/8/8/8/8/8 b - - 0 1"), 0);
        assert_eq!(room("k7/7R/6K1/8/8/8/8/8 b - - 0 1"), 7);
        assert!(room("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1") < 64 - 8);
    }

    #[test]
    fn no_move_stalemates_or_gives_the_rook_away() {
        // Unprotected beside the king, and with a king that has nowhere to go.
        for (fen, moves) in [
            ("8/8/3k4/8/8/8/4R3/K7 w - - 0 1", &["e2e5", "e2e6", "e2d2"][..]),
            ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", &["b1b7", "c6c7"]),
        ] {
            let position = Position::from(board(fen));
            let moves: Vec<_> = moves.iter().map(|text| position.board().parse_uci(text).unwrap()).collect();
            assert_eq!(choose(&position, moves.iter().copied()).as_ref(), moves.last(), "{fen}");
        }
    }

    #[test]
    fn earlier_positions_are_not_repeated() {
        let mut position = Position::from(board("7k/8/8/8/8/8/R7/K7 w - - 0 1"));
        for text in ["a2b2", "h8g8", "b2a2", "g8h8"] {
            position.play(position.board().parse_uci(text).unwrap());
        }
        let back = position.board().parse_uci("a2b2").unwrap();
        assert_eq!(choose(&position, [back]), None);
    }
}
