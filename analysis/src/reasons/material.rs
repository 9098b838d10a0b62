//! Material, counted where it is settled: after all captures that are worth making.
//!
//! Source: the Chess Programming Wiki, "Quiescence Search" and "Point Value".

use movegen::{Board, Color, Move, MoveList, MovesOf, PieceType};

/// The most positions that one count looks at; where that is not enough, nothing is said.
const MAX_NODES: u32 = 20_000;
/// The most captures in a row.
const MAX_PLIES: u32 = 24;
/// Further away than any balance.
const INFINITY: i32 = 1_000;
/// What being mated is worth.
const MATED: i32 = -500;
/// A settled balance of more than this is a mate: no pieces are worth as much.
pub(crate) const MATES: i32 = 400;

/// The value of a piece in pawns; 0 for the king.
pub(crate) const fn value(piece_type: PieceType) -> i32 {
    match piece_type {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 0,
    }
}

/// What a side has more than the other, in pawns.
pub(crate) fn balance(board: &Board, side: Color) -> i32 {
    let of = |color| -> i32 {
        let count = |piece_type| board.colored_pieces(color, piece_type).count() as i32;
        PieceType::ALL.into_iter().map(|piece_type| value(piece_type) * count(piece_type)).sum()
    };
    of(side) - of(!side)
}

/// What a position is worth in material once all captures worth making are made, and those captures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settled {
    /// For the side that was asked for, in pawns.
    pub balance: i32,
    /// The captures and the answers to checks on the way.
    pub line: Vec<Move>,
}

/// Counts the material of a side where it is settled; `None` where that takes too long to find out.
pub(crate) fn settled(board: &Board, side: Color) -> Option<Settled> {
    let mut count = Count { nodes: 0 };
    let mut line = Vec::new();
    let score = count.quiescence(board, -INFINITY, INFINITY, 0, &mut line)?;
    line.truncate(last_gain(board, &line));
    Some(Settled { balance: if board.turn() == side { score } else { -score }, line })
}

/// How many moves of a line there are up to its last capture or promotion.
fn last_gain(board: &Board, line: &[Move]) -> usize {
    let mut board = *board;
    let mut length = 0;
    for (index, &mv) in line.iter().enumerate() {
        if gain(&board, mv) > 0 {
            length = index + 1;
        }
        board.play(mv, &mut ());
    }
    length
}

/// Whether the side to move reaches this balance by captures alone. The positions looked at are added to `nodes`.
pub(crate) fn reaches(board: &Board, balance: i32, nodes: &mut u32) -> Option<bool> {
    let mut count = Count { nodes: 0 };
    let score = count.quiescence(board, balance - 1, balance, 0, &mut Vec::new());
    *nodes = nodes.saturating_add(count.nodes);
    Some(score? >= balance)
}

struct Count {
    nodes: u32,
}

impl Count {
    /// For the side to move. The line is that of the best score within the bounds.
    fn quiescence(&mut self, board: &Board, mut alpha: i32, beta: i32, ply: u32, line: &mut Vec<Move>) -> Option<i32> {
        line.clear();
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        let in_check = board.in_check();
        let mut best = if in_check { MATED + ply as i32 } else { balance(board, board.turn()) };
        if ply >= MAX_PLIES {
            return Some(balance(board, board.turn()));
        }
        if best >= beta {
            return Some(best);
        }
        alpha = alpha.max(best);
        let mut moves = MoveList::new();
        board.generate(if in_check { MovesOf::All } else { MovesOf::Noisy }, &mut moves);
        let mut moves: Vec<_> = moves.into_iter().collect();
        // The most valuable victim by the least valuable piece first; the order among equals is that of the generator.
        moves.sort_by_key(|&mv| (-gain(board, mv), mover(board, mv)));
        let mut below = Vec::new();
        for mv in moves {
            let score = -self.quiescence(&board.after(mv), -beta, -alpha, ply + 1, &mut below)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    line.clear();
                    line.push(mv);
                    line.append(&mut below);
                }
                if score >= beta {
                    break;
                }
            }
        }
        Some(best)
    }
}

/// What a move takes and promotes to, in pawns.
pub(crate) fn gain(board: &Board, mv: Move) -> i32 {
    board.captured_by(mv).map_or(0, value) + mv.promotes_to().map_or(0, |piece_type| value(piece_type) - 1)
}

fn mover(board: &Board, mv: Move) -> i32 {
    board.piece_on(mv.from()).map_or(0, |piece| value(piece.piece_type()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(fen: &str) -> (i32, Vec<String>) {
        let board = Board::from_fen(fen).unwrap();
        let settled = settled(&board, board.turn()).unwrap();
        (settled.balance, settled.line.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn material_is_counted_after_the_captures() {
        assert_eq!(count("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), (1, vec!["e4d5".to_owned()]));
        assert_eq!(count("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1").0, -1, "a pawn for a pawn, or none");
        assert_eq!(count("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1"), (3, vec![]), "the pawn is defended");
        assert_eq!(count("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), (9, vec!["a7a8q".to_owned()]));
        // In check, every answer counts.
        assert_eq!(count("4k3/8/8/8/8/8/4q3/R3K3 w - - 0 1").0, 5, "the king takes the queen");
        assert!(count("7k/8/8/8/8/8/5q2/R3r2K w - - 0 1").0 <= -9, "nothing helps against the check");
    }
}
