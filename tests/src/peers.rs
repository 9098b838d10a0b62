//! Moves of independent libraries in a form that can be compared with ours.

use movegen::{Board, Move, PieceType};
use shakmaty::Position;

/// A move as squares and promotion: from, to and the letter of the promotion, castling as king takes rook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Plain(u8, u8, Option<char>);

/// Our move without its kind.
#[must_use]
pub fn plain(mv: Move) -> Plain {
    Plain(mv.from() as u8, mv.to() as u8, mv.promotes_to().map(PieceType::letter))
}

/// The same for a move of cozy-chess, which writes castling as we do.
#[must_use]
pub fn plain_cozy(mv: cozy_chess::Move) -> Plain {
    Plain(mv.from as u8, mv.to as u8, mv.promotion.map(char::from))
}

/// The same for a move of shakmaty, which writes castling as we do.
///
/// # Panics
///
/// For a drop, which chess does not have.
#[must_use]
pub fn plain_shakmaty(mv: shakmaty::Move) -> Plain {
    let from = mv.from().expect("chess has no drops");
    Plain(from as u8, mv.to() as u8, mv.promotion().map(shakmaty::Role::char))
}

/// Our legal moves, in order.
#[must_use]
pub fn sorted(board: &Board) -> Vec<(Plain, Move)> {
    let mut moves: Vec<_> = board.legal_moves().into_iter().map(|mv| (plain(mv), mv)).collect();
    moves.sort_unstable_by_key(|&(plain, _)| plain);
    moves
}

/// The legal moves of cozy-chess, in order.
#[must_use]
pub fn sorted_cozy(board: &cozy_chess::Board) -> Vec<(Plain, cozy_chess::Move)> {
    let mut sorted = Vec::with_capacity(64);
    board.generate_moves(|moves| {
        sorted.extend(moves.into_iter().map(|mv| (plain_cozy(mv), mv)));
        false
    });
    sorted.sort_unstable_by_key(|&(plain, _)| plain);
    sorted
}

/// The legal moves of shakmaty, in order.
#[must_use]
pub fn sorted_shakmaty(position: &shakmaty::Chess) -> Vec<(Plain, shakmaty::Move)> {
    let mut moves: Vec<_> = position.legal_moves().into_iter().map(|mv| (plain_shakmaty(mv), mv)).collect();
    moves.sort_unstable_by_key(|&(plain, _)| plain);
    moves
}
