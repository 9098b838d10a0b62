//! The key of a position in the transposition table.
//!
//! Positions that look the same but differ much in their distance to the fifty-move rule have different keys. This
//! eases the graph history interaction problem.
//!
//! Source: Reckless.

use movegen::{Board, Key, Move, PieceType};

use crate::types::params;

/// The key of a board in the transposition table.
#[inline]
pub(crate) fn tt_key(board: &Board) -> Key {
    board.key() ^ clock_key(board.halfmove_clock())
}

/// The key in the table after `mv`, except for castling and en passant; good enough to prefetch by.
#[inline]
pub(crate) fn tt_key_after(board: &Board, mv: Move) -> Key {
    let resets = board.is_noisy(mv) || board.pieces(PieceType::Pawn).contains(mv.from());
    let clock = if resets { 0 } else { board.halfmove_clock() + 1 };
    board.key_after(mv) ^ clock_key(clock)
}

/// The key in the table after a null move.
#[inline]
pub(crate) fn tt_key_after_null(board: &Board) -> Key {
    board.key_after_null() ^ clock_key(board.halfmove_clock() + 1)
}

/// One number for every bucket of half-moves, after the first ones, where the distance hardly matters.
#[inline]
fn clock_key(clock: u16) -> Key {
    let bucket = i32::from(clock).saturating_sub(params::tt_clock_free()).max(0) as u32;
    Key::from(bucket.div_ceil(params::tt_clock_bucket() as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_far_from_the_fifty_move_rule_share_their_key_and_those_near_do_not() {
        let key = |clock: u16| tt_key(&Board::from_fen(&format!("8/8/4k3/8/8/3RK3/8/8 w - - {clock} 90")).unwrap());
        let (free, bucket) = (params::tt_clock_free() as u16, params::tt_clock_bucket() as u16);
        assert!((0..=free).all(|clock| key(clock) == key(0)));
        for clock in free + 1..100 {
            assert_eq!(key(clock) == key(clock - 1), (clock - free) % bucket != 1, "{clock}");
        }
        assert_ne!(key(60), key(90));
    }

    #[test]
    fn the_key_to_prefetch_is_the_key_to_probe() {
        for fen in ["8/8/4k3/8/8/3RK3/7p/8 w - - 40 90", "8/8/4k3/4p3/3P4/3RK3/7p/8 w - - 40 90"] {
            let board = Board::from_fen(fen).unwrap();
            for mv in board.legal_moves() {
                let mut child = board;
                child.play(mv, &mut ());
                assert_eq!(tt_key_after(&board, mv), tt_key(&child), "{mv} in {fen}");
            }
            let mut child = board;
            child.play_null();
            assert_eq!(tt_key_after_null(&board), tt_key(&child), "{fen}");
        }
    }
}
