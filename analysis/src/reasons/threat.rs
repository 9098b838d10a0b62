//! Threats: what a side would win at once if the other passed.
//!
//! Source: the Chess Programming Wiki, "Null Move Observation" and "Mate Threat".

use movegen::{Board, Move};

use super::attack::can_take;
use super::material::{MATES, balance, settled};
use super::proof::{boards, is_forced};

/// What a side threatens.
pub(crate) struct Threat {
    /// The board after the pass, where the side is to move.
    pub start: Board,
    /// How it carries the threat out: a mate, or captures and the answers to them, which may end in mate, too.
    pub moves: Vec<Move>,
    /// The board at the end of that.
    pub end: Board,
    /// The balance of material that it has then, in pawns, whatever the other replies; `None` for mate.
    pub balance: Option<i32>,
}

impl Threat {
    /// What the side to move would win after a move of it if the other passed: mate at once, or captures that win against
    /// every reply, or mate. Quieter moves are not asked for. A side in check cannot pass, and one that can take back is in the
    /// middle of an exchange.
    pub fn of(before: &Board, mv: Move) -> Option<Self> {
        let board = before.after(mv);
        if before.captured_by(mv).is_some() && can_take(&board, mv.to()) {
            return None;
        }
        let start = passed(&board)?;
        if let Some(mv) = mate(&start) {
            return Some(Self { start, moves: vec![mv], end: start.after(mv), balance: None });
        }
        let settled = settled(&start, start.turn())?;
        let aim = settled.balance.min(MATES);
        let is_won = aim > balance(&start, start.turn()) && is_forced(&start, &settled.line, aim);
        let end = *boards(&start, &settled.line).last()?;
        let balance = (aim < MATES).then_some(aim);
        is_won.then_some(Self { start, moves: settled.line, end, balance })
    }

    /// In pawns; 0 for mate.
    pub fn gain(&self) -> i32 {
        self.balance.map_or(0, |won| won - balance(&self.start, self.start.turn()))
    }

    /// Whether the side to move has as much in a position, by mate or as far as captures tell.
    pub fn is_had(&self, board: &Board) -> bool {
        let aim = self.balance.unwrap_or(MATES);
        // Where that takes too long to find out, it may be.
        let is_reached = || settled(board, board.turn()).is_none_or(|settled| settled.balance >= aim);
        mate(board).is_some() || is_reached()
    }

    /// Whether the move that makes this threat after one move makes it after another, too, without losing more there.
    pub fn comes_by(&self, mv: Move, after: &Board, other: &Board) -> bool {
        if other.piece_on(mv.from()) != after.piece_on(mv.from()) || !other.legal_moves().contains(&mv) {
            return false;
        }
        let (here, there) = (after.after(mv), other.after(mv));
        let [here, left] = [&here, &there].map(|board| settled(board, after.turn()).map(|settled| settled.balance));
        self.is_there(&there) && left >= here
    }

    /// Whether the side that has just moved threatens as much in another position. With check it asks for more than a pass.
    pub fn is_there(&self, board: &Board) -> bool {
        passed(board).is_none_or(|passed| self.is_had(&passed))
    }
}

fn passed(board: &Board) -> Option<Board> {
    if board.in_check() {
        return None;
    }
    let mut passed = *board;
    passed.play_null();
    Some(passed)
}

/// A move that mates.
fn mate(board: &Board) -> Option<Move> {
    board.legal_moves().into_iter().find(|&mv| {
        let after = board.after(mv);
        after.in_check() && !after.has_legal_move()
    })
}
