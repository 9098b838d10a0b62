//! Static exchange evaluation (SEE): what a sequence of captures on one square gains.
//!
//! Each side captures with its least valuable piece, or stops where that is better.
//!
//! Source: the Chess Programming Wiki, "Static Exchange Evaluation" and "SEE - The Swap Algorithm".

use movegen::attacks::{between, bishop_attacks, rook_attacks};
use movegen::{Bitboard, Board, Color, Move, MoveKind, PieceType};

use crate::types::params;

/// The value of a piece in an exchange, in centipawns; 0 for the king, which is never captured.
#[inline]
pub(crate) fn piece_value(piece_type: PieceType) -> i32 {
    match piece_type {
        PieceType::Pawn => params::see_pawn(),
        PieceType::Knight => params::see_knight(),
        PieceType::Bishop => params::see_bishop(),
        PieceType::Rook => params::see_rook(),
        PieceType::Queen => params::see_queen(),
        PieceType::King => 0,
    }
}

/// Whether the exchange that `mv` starts gains at least `threshold` centipawns for the side to move.
pub(crate) fn see_ge(board: &Board, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let gained = board.captured_by(mv).map_or(0, piece_value);
    let promoted = mv.promotes_to().map_or(0, |piece_type| piece_value(piece_type) - piece_value(PieceType::Pawn));
    // The gain beyond the threshold if there is no recapture.
    let mut balance = gained + promoted - threshold;
    if balance < 0 {
        return false;
    }
    let moved = mv.promotes_to().or_else(|| board.piece_on(from).map(|piece| piece.piece_type()));
    // And if the piece that moved is then captured for nothing.
    balance -= moved.map_or(0, piece_value);
    if balance >= 0 {
        return true;
    }

    let mut occupied = (board.occupied() - from.bitboard()) | to.bitboard();
    if mv.kind() == MoveKind::EnPassant {
        occupied -= Bitboard::file(to.file()) & Bitboard::rank(from.rank());
    }
    let mut attackers = board.attackers_to(to, occupied) & occupied;
    let diagonal = board.pieces(PieceType::Bishop) | board.pieces(PieceType::Queen);
    let straight = board.pieces(PieceType::Rook) | board.pieces(PieceType::Queen);
    let mut side = !board.turn();
    loop {
        let own = attackers & board.colors(side);
        if own.is_empty() {
            break;
        }
        let unpinned = own - pinned(board, side, occupied);
        let Some((piece_type, square)) = least_of(board, unpinned) else { break };
        if piece_type == PieceType::King {
            // The king may capture only if nothing can recapture.
            if (attackers & board.colors(!side)).any() {
                break;
            }
            side = !side;
            break;
        }
        occupied -= square.bitboard();
        if matches!(piece_type, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
            attackers |= bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(piece_type, PieceType::Rook | PieceType::Queen) {
            attackers |= rook_attacks(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        // From the view of the side that recaptures next: negated, and one less so that a tie counts for it.
        balance = -balance - 1 - piece_value(piece_type);
        if balance >= 0 {
            break;
        }
    }
    // The side left to move has no good capture: the other one comes out ahead.
    side != board.turn()
}

/// As [`see_ge`], for a quiet move and a threshold of at most zero, where `threats` are the squares that the opponent
/// attacks. Most quiet moves leave and reach squares that nothing attacks: they lose nothing.
#[inline]
pub(crate) fn quiet_see_ge(board: &Board, threats: Bitboard, mv: Move, threshold: i32) -> bool {
    debug_assert!(threshold <= 0);
    // A slider that attacks the target only once the piece has left attacks the square that it leaves.
    !threats.contains(mv.from()) && !threats.contains(mv.to()) || see_ge(board, mv, threshold)
}

/// The pieces of `side` that are pinned by a slider still on the board.
fn pinned(board: &Board, side: Color, occupied: Bitboard) -> Bitboard {
    let king = board.king(side);
    let enemies = board.colors(!side) & occupied;
    let queens = board.pieces(PieceType::Queen);
    let straight = movegen::attacks::rook_rays(king) & (board.pieces(PieceType::Rook) | queens);
    let diagonal = movegen::attacks::bishop_rays(king) & (board.pieces(PieceType::Bishop) | queens);
    let mut pinned = Bitboard::EMPTY;
    for pinner in (straight | diagonal) & enemies {
        let shield = between(king, pinner) & occupied;
        if !shield.more_than_one() {
            pinned |= shield & board.colors(side);
        }
    }
    pinned
}

/// The least valuable piece of a set and its square.
fn least_of(board: &Board, pieces: Bitboard) -> Option<(PieceType, movegen::Square)> {
    PieceType::ALL.into_iter().find_map(|piece_type| Some((piece_type, (pieces & board.pieces(piece_type)).lsb()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact gain of an exchange: the highest threshold that it reaches.
    fn exchange(fen: &str, mv: &str) -> i32 {
        let board = Board::from_fen(fen).unwrap();
        let mv = board.legal_moves().into_iter().find(|legal| legal.to_string() == mv).unwrap();
        (-3000..=3000).rev().find(|&threshold| see_ge(&board, mv, threshold)).unwrap()
    }

    #[test]
    fn exchanges_by_hand() {
        let [pawn, knight, bishop, rook, queen, _] = PieceType::ALL.map(piece_value);
        for (fen, mv, expected) in [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", pawn),
            ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", pawn - knight),
            // The rook behind the rook joins in.
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn),
            ("3qk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "d2d5", rook),
            // A king may not take what is defended.
            ("8/8/3k4/3p4/4P3/8/6B1/4K3 w - - 0 1", "e4d5", pawn),
            ("8/8/3k4/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", queen - pawn),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", rook + queen - pawn),
            // En passant takes the pawn beside the target.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            // A quiet move onto an attacked square loses the piece.
            ("4k3/8/3p4/8/8/8/8/2B1K3 w - - 0 1", "c1f4", 0),
            ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -knight),
            // The defender is pinned by a rook on its king's file.
            ("4k3/4n3/8/3p4/8/8/8/3RRK2 w - - 0 1", "d1d5", pawn),
            ("4k3/8/8/3b4/8/5N2/8/4K1R1 w - - 0 1", "g1g8", -rook),
        ] {
            assert_eq!(exchange(fen, mv), expected, "{fen} {mv}");
        }
        assert!(bishop > knight);
    }

    #[test]
    fn a_quiet_move_between_squares_that_nothing_attacks_loses_nothing() {
        let (mut shortcuts, mut exchanges) = (0, 0);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            // The rook leaves the file of another one, along it and off it.
            "3rk3/8/8/3R4/8/8/8/3RK3 w - - 0 1",
            "q3k3/1b6/8/8/4N3/8/6P1/4K2R b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let mut board = Board::from_fen(fen).unwrap();
            for step in 0..60 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let threats = board.threats().by_all;
                for &mv in moves.iter().filter(|&&mv| !board.is_noisy(mv)) {
                    for threshold in [-900, -400, -100, -1, 0] {
                        let expected = see_ge(&board, mv, threshold);
                        assert_eq!(quiet_see_ge(&board, threats, mv, threshold), expected, "{board} {mv} {threshold}");
                    }
                    let is_attacked = threats.contains(mv.from()) || threats.contains(mv.to());
                    *if is_attacked { &mut exchanges } else { &mut shortcuts } += 1;
                }
                board.play(moves[step * 7 % moves.len()], &mut ());
            }
        }
        assert!(shortcuts > 500 && exchanges > 500, "{shortcuts} {exchanges}");
    }
}
