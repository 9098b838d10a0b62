//! Insufficient material of one side, given the opponent's pieces.

use crate::{Bitboard, Board, Color, PieceType};

/// Whether `winner` cannot mate in any position after a legal move, by material alone.
///
/// Three cases:
/// - a bare king;
/// - one knight against queens only: whichever of the king's escape squares the queens block, one of them takes the
///   knight (a test goes through all placements);
/// - bishops on squares of one colour, against no piece that can block an escape square without defending: no knight,
///   no pawn, no bishop on squares of the other colour. The adjacent squares of the other colour can then only be
///   blocked by rooks or queens, and one of them is next to the checking diagonal: it captures the bishop or
///   interposes. A bishop cannot pin it, since it is on a square of the other colour.
pub(super) fn is_insufficient(board: &Board, winner: Color) -> bool {
    let ours = board.colors(winner);
    if !ours.more_than_one() {
        return true;
    }
    let of = |kind| board.pieces(kind);
    let (pawns, knights, bishops) = (of(PieceType::Pawn), of(PieceType::Knight), of(PieceType::Bishop));
    if ours.intersects(pawns | of(PieceType::Rook) | of(PieceType::Queen)) {
        return false;
    }
    if ours.intersects(knights) {
        let lone_knight = ours == ours & (knights | of(PieceType::King)) && ours.count() == 2;
        let theirs = board.colors(!winner);
        return lone_knight && theirs == theirs & (of(PieceType::Queen) | of(PieceType::King));
    }
    let one_color = !bishops.intersects(Bitboard::LIGHT_SQUARES) || !bishops.intersects(Bitboard::DARK_SQUARES);
    one_color && knights.is_empty() && pawns.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use crate::attacks::{between, bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks};

    fn insufficient(fen: &str, winner: Color) -> bool {
        is_insufficient(&Board::from_fen(fen).unwrap(), winner)
    }

    #[test]
    fn material_counts_with_the_help_of_the_opponents_pieces() {
        for (fen, white, black) in [
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true, true),
            ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true, true),
            ("8/8/4kq2/8/8/3KN3/8/8 w - - 0 1", true, false),
            ("8/8/4kr2/8/8/3KN3/8/8 w - - 0 1", false, false),
            ("8/8/4kr2/8/8/3KB3/8/8 w - - 0 1", true, false),
            ("8/5p2/4k3/8/8/3KB3/8/8 w - - 0 1", false, false),
            ("8/8/4kb2/8/8/3KB3/8/8 w - - 0 1", true, true),
            ("8/5b2/4k3/8/8/3KB3/8/8 w - - 0 1", false, false),
            ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false, true),
            ("8/8/4k3/8/8/3KR3/8/8 b - - 0 1", false, true),
            ("8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", false, true),
        ] {
            assert_eq!((insufficient(fen, Color::White), insufficient(fen, Color::Black)), (white, black), "{fen}");
        }
    }

    /// In every mate by king and knight a queen that blocks an escape square takes the knight: go through all
    /// placements of kings and knight and all sets of neighbouring squares with queens on them.
    #[test]
    fn queens_beside_the_king_take_the_knight() {
        for mated in Square::ALL {
            for knight in knight_attacks(mated) {
                for king in Square::ALL.into_iter().filter(|&king| king.distance(mated) > 1 && king != knight) {
                    let must = king_attacks(mated) - king_attacks(king) - knight_attacks(knight);
                    let may = king_attacks(mated) - must;
                    let mut more = Bitboard::EMPTY;
                    loop {
                        let queens = must | more;
                        let occupied = queens | mated.bitboard() | knight.bitboard() | king.bitboard();
                        let is_taken = queens.into_iter().any(|queen| queen_attacks(queen, occupied).contains(knight));
                        assert!(is_taken, "{mated} {knight} {king} {queens:?}");
                        more = Bitboard(more.0.wrapping_sub(may.0) & may.0);
                        if more.is_empty() {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// In every mate by king and bishop there is an escape square that only a rook or queen can block, from where
    /// it captures the bishop or interposes.
    #[test]
    fn rooks_beside_the_king_parry_the_bishop() {
        for mated in Square::ALL {
            for bishop in bishop_attacks(mated, Bitboard::EMPTY) {
                for king in Square::ALL.into_iter().filter(|&king| king.distance(mated) > 1 && king != bishop) {
                    let line = between(mated, bishop);
                    if line.contains(king) {
                        continue;
                    }
                    let parry = line | bishop.bitboard();
                    let straight = rook_attacks(mated, king_attacks(mated)) & king_attacks(mated);
                    let rooks = straight - king_attacks(king);
                    let occupied = rooks | mated.bitboard() | bishop.bitboard() | king.bitboard();
                    let parries = |rook| rook_attacks(rook, occupied).intersects(parry);
                    assert!(rooks.into_iter().any(parries), "{mated} {bishop} {king}");
                }
            }
        }
    }
}
