//! Search for mates: is there a mate in a given number of moves? It prunes nothing, so "no" is a proof.
//!
//! Each node has two possible answers: one move must mate, or one reply must escape. So no evaluation is needed, and a
//! table holds the answers. Moves that leave the opponent the fewest replies come first. The usual search prunes quiet
//! moves that mate much later; this one does not, and is faster for mates in up to about five. `mate::hunt` lets both
//! take turns.
//!
//! Source: the Chess Programming Wiki, "Checkmate" and "Enhanced Transposition Cutoff".

use movegen::{Board, Key, Move, Position};
use platform::has_room;

use crate::types::params;

/// The longest mate that can be asked for, in moves: each is two plies of a line.
pub(crate) const MAX_MATE_MOVES: usize = 120;

/// Entries of the table: 16 MiB.
const TABLE_LEN: usize = 1 << 20;

/// What is known about a board.
#[derive(Clone, Copy, Default)]
struct MateEntry {
    key: Key,
    /// There is a mate in this many moves; 0 if that is not known.
    mate: u8,
    /// There is no mate in this many moves.
    none: u8,
    /// The move that mates or escapes.
    mv: Option<Move>,
}

impl MateEntry {
    /// Whether there is a mate in `moves`, if that is known.
    const fn answer(self, moves: usize) -> Option<bool> {
        if self.mate > 0 && self.mate as usize <= moves {
            Some(true)
        } else if self.none as usize >= moves {
            Some(false)
        } else {
            None
        }
    }
}

/// The result of a search for a mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The mate, with the replies that delay it longest.
    Line(Vec<Move>),
    /// There is no mate.
    Never,
    /// The search was stopped.
    Unknown,
}

/// Searches for mates by one side, from one position of a game.
pub(crate) struct MateSearch {
    table: Vec<MateEntry>,
    /// Positions that have occurred twice: the side to be mated can claim a draw.
    drawn: Vec<Key>,
    /// Whether the fifty-move rule can end the game within the mate, so that answers depend on the counter.
    clock_matters: bool,
    /// The last two replies that escaped, by the moves left to mate.
    escapes: [[Option<Move>; 2]; MAX_MATE_MOVES + 1],
    broken_off: bool,
}

impl MateSearch {
    /// For mates in `most_moves` at most; `None` without memory for its table.
    pub(crate) fn try_new(position: &Position, most_moves: usize) -> Option<Self> {
        let mut keys = position.reachable_history().to_vec();
        keys.sort_unstable();
        let mut table = Vec::new();
        if !has_room(TABLE_LEN * size_of::<MateEntry>()) {
            return None;
        }
        table.try_reserve_exact(TABLE_LEN).ok()?;
        table.resize(TABLE_LEN, MateEntry::default());
        Some(Self {
            table,
            drawn: keys.chunk_by(Key::eq).filter(|same| same.len() > 1).map(|same| same[0]).collect(),
            clock_matters: usize::from(position.board().halfmove_clock()) + 2 * most_moves >= 100,
            escapes: [[None; 2]; MAX_MATE_MOVES + 1],
            broken_off: false,
        })
    }

    /// Whether the side to move mates in `moves`, beginning with one of these, or is mated if `moves` is negative.
    /// `visit` is called for each board whose moves are tried, and stops the search by returning true.
    pub(crate) fn solve(
        &mut self,
        board: &Board,
        root_moves: &[Move],
        moves: i32,
        visit: &mut impl FnMut() -> bool,
    ) -> Answer {
        self.broken_off = false;
        let count = (moves.unsigned_abs() as usize).min(MAX_MATE_MOVES);
        let line = if moves > 0 {
            self.mating_line(board, root_moves, count, visit)
        } else {
            self.mated_line(board, root_moves, count, visit)
        };
        match line {
            _ if self.broken_off => Answer::Unknown,
            Some(line) => Answer::Line(line),
            None => Answer::Never,
        }
    }

    /// The shortest mate in at most `moves` that begins with one of `choices`.
    fn mating_line(
        &mut self,
        board: &Board,
        choices: &[Move],
        moves: usize,
        visit: &mut impl FnMut() -> bool,
    ) -> Option<Vec<Move>> {
        let tries = tries(board, choices, None);
        for count in 1..=moves {
            for Try { mv, child, .. } in &tries {
                if self.is_mated(child, count - 1, visit) {
                    let rest = self.mated_line(child, &child.legal_moves(), count - 1, visit)?;
                    return Some([vec![*mv], rest].concat());
                }
            }
        }
        None
    }

    /// How the side to move is mated in at most `moves` whichever of `choices` it plays; the line that lasts longest.
    fn mated_line(
        &mut self,
        board: &Board,
        choices: &[Move],
        moves: usize,
        visit: &mut impl FnMut() -> bool,
    ) -> Option<Vec<Move>> {
        let mut longest: Option<(usize, Move, Board)> = None;
        for &mv in choices {
            let child = board.after(mv);
            let count = (1..=moves).find(|&count| self.mates(&child, count, visit))?;
            if longest.is_none_or(|(most, ..)| count > most) {
                longest = Some((count, mv, child));
            }
        }
        let Some((count, mv, child)) = longest else { return board.in_check().then(Vec::new) };
        let rest = self.mating_line(&child, &child.legal_moves(), count, visit)?;
        Some([vec![mv], rest].concat())
    }

    /// Whether the side to move mates in `moves`, at least one.
    fn mates(&mut self, board: &Board, moves: usize, visit: &mut impl FnMut() -> bool) -> bool {
        let entry = self.probe(board);
        if let Some(answer) = entry.answer(moves) {
            return answer;
        }
        if self.must_end(visit) || self.is_drawn(board) {
            return false;
        }
        if moves == 1 {
            let mating = board.legal_moves().into_iter().find(|&mv| is_checkmate_by(board, mv));
            return self.store(entry, moves, mating.is_some(), mating);
        }
        let mut tries = tries(board, &board.legal_moves(), entry.mv);
        let known = |tried: &Try| self.probe(&tried.child).answer(moves - 1);
        if let Some(mating) = tries.iter().find(|tried| known(tried) == Some(true)) {
            return self.store(entry, moves, true, Some(mating.mv));
        }
        tries.retain(|tried| known(tried).is_none());
        let mating = tries.iter().find(|tried| self.is_mated(&tried.child, moves - 1, visit)).map(|tried| tried.mv);
        self.store(entry, moves, mating.is_some(), mating)
    }

    /// Whether the side to move is mated, or will be in `moves` whatever it plays.
    fn is_mated(&mut self, board: &Board, moves: usize, visit: &mut impl FnMut() -> bool) -> bool {
        if moves == 0 {
            return board.in_check() && !board.has_legal_move();
        }
        let entry = self.probe(board);
        if let Some(answer) = entry.answer(moves) {
            return answer;
        }
        if self.must_end(visit) {
            return false;
        }
        let mut replies = board.legal_moves();
        if replies.is_empty() {
            return board.in_check();
        }
        if self.is_drawn(board) {
            return false;
        }
        let is_escape = |mv: &Move| self.probe(&board.after(*mv)).answer(moves) == Some(false);
        let known = replies.iter().copied().find(is_escape);
        let escape = known.or_else(|| {
            let [last, before_last] = self.escapes[moves];
            replies.sort_by_key(|&mv| {
                let is_first = [entry.mv, last, before_last].contains(&Some(mv));
                (!is_first, board.captured_by(mv).is_none(), !board.gives_check(mv))
            });
            replies.into_iter().find(|&mv| !self.mates(&board.after(mv), moves, visit))
        });
        if let Some(mv) = escape
            && self.escapes[moves][0] != Some(mv)
        {
            self.escapes[moves] = [Some(mv), self.escapes[moves][0]];
        }
        self.store(entry, moves, escape.is_none(), escape)
    }

    /// Counts a board. Once this returns true, answers are invalid and are not stored.
    fn must_end(&mut self, visit: &mut impl FnMut() -> bool) -> bool {
        self.broken_off = self.broken_off || visit();
        self.broken_off
    }

    /// Whether the game is drawn by rule or by the opponent's claim, unless it is checkmate.
    fn is_drawn(&self, board: &Board) -> bool {
        board.halfmove_clock() >= 100 || self.drawn.contains(&board.key())
    }

    fn probe(&self, board: &Board) -> MateEntry {
        let clock = if self.clock_matters { Key::from(board.halfmove_clock()) } else { 0 };
        let key = board.key() ^ clock.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = self.table[Self::slot(key)];
        if entry.key == key { entry } else { MateEntry { key, ..MateEntry::default() } }
    }

    /// Stores an answer beside what was known, and returns it.
    fn store(&mut self, known: MateEntry, moves: usize, answer: bool, mv: Option<Move>) -> bool {
        if self.broken_off {
            return false;
        }
        let (mate, none) = if answer { (moves as u8, known.none) } else { (known.mate, moves as u8) };
        self.table[Self::slot(known.key)] = MateEntry { mate, none, mv: mv.or(known.mv), ..known };
        answer
    }

    const fn slot(key: Key) -> usize {
        key as usize % TABLE_LEN
    }
}

/// A move of the side that mates, and the board after it.
struct Try {
    order: i32,
    mv: Move,
    child: Board,
}

/// The moves to try, in order: the stored move first, then those that leave the fewest replies.
fn tries(board: &Board, choices: &[Move], best: Option<Move>) -> Vec<Try> {
    let attempt = |&mv: &Move| {
        let child = board.after(mv);
        let replies = child.count_legal_moves() as i32;
        let order = if best == Some(mv) {
            -1000
        } else {
            replies - if child.in_check() { params::mate_check_bonus() } else { 0 }
        };
        Try { order, mv, child }
    };
    let mut tries: Vec<_> = choices.iter().map(attempt).collect();
    tries.sort_by_key(|tried| tried.order);
    tries
}

fn is_checkmate_by(board: &Board, mv: Move) -> bool {
    board.gives_check(mv) && !board.after(mv).has_legal_move()
}

#[cfg(test)]
mod tests;
