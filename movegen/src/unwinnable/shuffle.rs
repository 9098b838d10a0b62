//! A cheap refutation of the fast proof: two pieces that can go back and forth for ever.
//!
//! Where each side can move a piece to an empty square and both can go back, the four moves repeat the position. Then
//! everything that [`Budget::FAST`](super::Budget::FAST) tries must fail, as long as the winner's material suffices:
//!
//! - forced moves, if there are any, are these moves, so what follows holds for all positions of this line;
//! - not all lines end (`shallow`);
//! - the loser has a move that is not a pawn's (`has_few_moves`);
//! - the proof that the position is `blocked` is only tried where pawns block each other, which these moves do not
//!   change, and where no queen, rook or knight of the winner can move.
//!
//! Pawns may not take part, since they do not go back. In check nothing is refuted: it keeps the argument short.

use super::{blocked, material};
use crate::{Board, Color, Move, PieceType};

/// Whether it is certain, since two pieces can go back and forth, that a fast proof against `winner` fails. Most
/// positions of games are refuted by this in a fraction of the time in which the proof fails.
pub(super) fn refutes_fast_proof(board: &Board, winner: Color) -> bool {
    if board.in_check() || material::is_insufficient(board, winner) {
        return false;
    }
    let needs_mover = blocked::has_blocked_pawns(board);
    let may_shuffle = |board: &Board, mv: Move| {
        let is_mover = |kind| board.pieces(kind).contains(mv.from());
        !needs_mover || board.turn() != winner || blocked::MOVERS.into_iter().any(is_mover)
    };
    let quiet = |board: &Board| piece_moves(board).find(|&mv| may_shuffle(board, mv) && !board.after(mv).in_check());
    let Some(there) = quiet(board) else { return false };
    let first = board.after(there);
    piece_moves(&first).filter(|&reply| may_shuffle(&first, reply)).any(|reply| {
        let second = first.after(reply);
        let back = Move::normal(there.to(), there.from());
        if second.in_check() || !second.is_legal(back) {
            return false;
        }
        let third = second.after(back);
        !third.in_check() && third.is_legal(Move::normal(reply.to(), reply.from()))
    })
}

/// The legal moves of pieces to empty squares, castling left out, those of the king last.
fn piece_moves(board: &Board) -> impl Iterator<Item = Move> {
    let kinds = [PieceType::Knight, PieceType::Rook, PieceType::Queen, PieceType::Bishop, PieceType::King];
    kinds.into_iter().flat_map(move |kind| {
        board.colored_pieces(board.turn(), kind).into_iter().flat_map(move |from| {
            let targets = Board::piece_attacks(kind, from, board.occupied()) - board.occupied();
            targets.into_iter().map(move |to| Move::normal(from, to)).filter(|&mv| board.is_legal(mv))
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::unwinnable::effort::Effort;
    use crate::unwinnable::{Budget, Verdict, take_steps};

    const STARTS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/2B2b2 w - - 0 1",
        "8/8/4k3/1p1p1p1p/1P1P1PpP/6P1/3K4/8 w - - 0 1",
        "8/8/4k3/8/1n6/8/3KP3/8 b - - 0 1",
        "4k3/8/8/8/2bb4/8/2NB4/3QK3 w - - 0 1",
        "8/5ppp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
        "B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1",
        "8/8/4k3/r7/8/8/3RK3/8 b - - 0 1",
    ];

    proptest! {
        #[test]
        fn a_refuted_proof_fails(start in 0..STARTS.len(), choices in vec(any::<u16>(), 0..120)) {
            let mut board = Board::from_fen(STARTS[start]).unwrap();
            for choice in choices {
                for winner in Color::ALL.into_iter().filter(|&winner| refutes_fast_proof(&board, winner)) {
                    let verdict = take_steps(&board, winner, Budget::FAST, &mut Effort::new(&mut || false));
                    prop_assert_eq!(verdict, Verdict::Undetermined, "{:?} {:?}", board, winner);
                }
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.play(moves[usize::from(choice) % moves.len()], &mut ());
            }
        }
    }

    #[test]
    fn open_positions_are_refuted_and_shut_ones_are_not() {
        let refuted = |fen, winner| refutes_fast_proof(&Board::from_fen(fen).unwrap(), winner);
        for winner in Color::ALL {
            assert!(refuted("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4", winner));
            // Pawns block each other, and the bishops alone may not open the position.
            assert!(!refuted(STARTS[1], winner));
            // Too little material.
            assert!(!refuted("8/8/4k3/8/1n6/8/3K4/8 b - - 0 1", winner));
        }
        // Only the rook's side can win.
        assert!(refuted("8/8/4k3/8/8/8/3RK3/8 w - - 0 1", Color::White));
        assert!(!refuted("8/8/4k3/8/8/8/3RK3/8 w - - 0 1", Color::Black));
    }
}
