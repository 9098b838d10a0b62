//! Upcoming repetitions: one lookup tells whether two positions are one reversible move apart.
//!
//! Source: M. N. J. van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Engine" (2002); the table is
//! a cuckoo hash (R. Pagh, F. F. Rodler, 2001), so that a lookup costs two reads.

use crate::key::TABLE;
use crate::{Key, PieceType, Square};

/// The from and to squares, in index order, of the one reversible move that leads from one position to another, given
/// the difference (exclusive or) of their keys. None if no single move of a knight, bishop, rook, queen or king does.
///
/// Pieces between the squares are not looked at.
#[inline]
#[must_use]
pub fn single_move(difference: Key) -> Option<(Square, Square)> {
    let entry = slots(difference).map(|slot| &CYCLES[slot]).into_iter().find(|entry| entry.key == difference)?;
    // An empty slot has a key that no move has.
    (difference != 0).then_some((entry.a, entry.b))
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    a: Square,
    b: Square,
}

/// A power of two, more than twice the 3,668 moves.
const SLOTS: usize = 8192;

static CYCLES: [Entry; SLOTS] = table();

/// The two slots where a key may be.
#[inline]
const fn slots(key: Key) -> [usize; 2] {
    [key as usize % SLOTS, (key >> 16) as usize % SLOTS]
}

#[allow(long_running_const_eval)]
const fn table() -> [Entry; SLOTS] {
    let mut table = [Entry { key: 0, a: Square::A1, b: Square::A1 }; SLOTS];
    let mut piece = 0;
    while piece < 12 {
        let mut a = 0;
        while a < 64 {
            let mut b = a + 1;
            while b < 64 {
                if moves(PieceType::ALL[piece / 2], a, b) {
                    let keys = &TABLE.pieces[piece];
                    let key = keys[a as usize] ^ keys[b as usize] ^ TABLE.black_to_move;
                    insert(&mut table, Entry { key, a: Square::ALL[a as usize], b: Square::ALL[b as usize] });
                }
                b += 1;
            }
            a += 1;
        }
        piece += 1;
    }
    table
}

/// Puts an entry in one of its slots; the entry that was there moves to its other slot, and so on.
const fn insert(table: &mut [Entry; SLOTS], mut entry: Entry) {
    let mut slot = slots(entry.key)[0];
    loop {
        let displaced = table[slot];
        table[slot] = entry;
        if displaced.key == 0 {
            return;
        }
        let [first, second] = slots(displaced.key);
        slot = if slot == first { second } else { first };
        entry = displaced;
    }
}

/// Whether a piece of this type moves from one square to the other on an empty board, and could move back.
const fn moves(piece_type: PieceType, a: i32, b: i32) -> bool {
    let files = (a % 8 - b % 8).abs();
    let ranks = (a / 8 - b / 8).abs();
    let straight = files == 0 || ranks == 0;
    let diagonal = files == ranks;
    match piece_type {
        PieceType::Pawn => false,
        PieceType::Knight => files * ranks == 2,
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        PieceType::Queen => straight || diagonal,
        PieceType::King => files <= 1 && ranks <= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[test]
    fn all_reversible_moves_are_in_the_table() {
        // Counted by van Kervinck.
        assert_eq!(CYCLES.iter().filter(|entry| entry.key != 0).count(), 3668);
        for entry in CYCLES.iter().filter(|entry| entry.key != 0) {
            assert_eq!(single_move(entry.key), Some((entry.a, entry.b)));
        }
        assert_eq!(single_move(0), None);
    }

    #[test]
    fn reversible_moves_are_recognised_and_no_others() {
        let board = Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1").unwrap();
        for mv in board.legal_moves() {
            let child = board.after(mv);
            let reversible = !board.is_noisy(mv) && board.piece_on(mv.from()).unwrap().piece_type() != PieceType::Pawn;
            let found = single_move(board.key() ^ child.key());
            let squares = (mv.from().min(mv.to()), mv.from().max(mv.to()));
            assert_eq!(found, reversible.then_some(squares), "{mv}");
        }
    }
}
