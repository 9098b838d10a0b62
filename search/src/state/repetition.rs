//! Repetitions: draws by repetition, and upcoming ones that the side to move can bring about.
//!
//! A position counts as a draw once it has occurred within the tree, or twice including the game before the root. An
//! upcoming repetition is found by a cuckoo table of all reversible moves: see [`cycle`].
//!
//! Source: M. Van Kervinck, "The design and implementation of the Rookie 2.0 chess playing program" (2002), as in
//! Stockfish.

use movegen::{Board, Key, Position, attacks, cycle};

/// The keys of the game and of the line being searched.
pub(crate) struct KeyHistory {
    keys: Vec<Key>,
    /// The index of the root in `keys`.
    root_index: usize,
    /// The index of the first key since the last null move.
    since_null: usize,
}

impl KeyHistory {
    pub(crate) fn new(position: &Position) -> Self {
        let keys = position.reachable_history().to_vec();
        Self { root_index: keys.len(), since_null: 0, keys }
    }

    /// Adds the key of a board that is being left by a move.
    #[inline]
    pub(crate) fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// As [`push`](Self::push), for a null move: no earlier position can be repeated. Returns what
    /// [`pop_null`](Self::pop_null) needs.
    pub(crate) fn push_null(&mut self, key: Key) -> usize {
        self.keys.push(key);
        std::mem::replace(&mut self.since_null, self.keys.len())
    }

    pub(crate) fn pop_null(&mut self, since_null: usize) {
        self.since_null = since_null;
        self.keys.pop();
    }

    /// The half-moves back to the earliest position that can be repeated.
    fn reach(&self, board: &Board) -> usize {
        let end = self.keys.len();
        usize::from(board.halfmove_clock()).min(end - self.since_null.min(end))
    }

    /// Whether the position has occurred once since the root, or twice with the game before it.
    pub(crate) fn is_repetition(&self, board: &Board) -> bool {
        let end = self.keys.len();
        let mut seen_before_root = false;
        for distance in (4..=self.reach(board)).step_by(2) {
            let index = end - distance;
            if self.keys[index] == board.key() {
                if index > self.root_index || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// Whether the side to move can repeat an earlier position: one within the tree, or one that has occurred twice in
    /// the game.
    pub(crate) fn has_upcoming_repetition(&self, board: &Board, ply: usize) -> bool {
        let end = self.keys.len();
        for distance in (3..=self.reach(board)).step_by(2) {
            let index = end - distance;
            let Some((a, b)) = cycle::single_move(board.key() ^ self.keys[index]) else { continue };
            if !(attacks::between(a, b) & board.occupied()).is_empty() {
                continue;
            }
            if distance < ply {
                return true;
            }
            // Before the root it counts only if it is our piece that returns, and the position has occurred before.
            let ours = [a, b].into_iter().any(|square| board.colors(board.turn()).contains(square));
            if ours && self.keys[..index].contains(&self.keys[index]) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a repetition is upcoming after some moves from the start of a game, at a ply of the search.
    fn is_upcoming(moves: &str, ply: usize) -> bool {
        let mut position = Position::start();
        for mv in moves.split_whitespace() {
            let mv = position.board().parse_uci(mv).unwrap();
            position.play(mv);
        }
        KeyHistory::new(&position).has_upcoming_repetition(position.board(), ply)
    }

    #[test]
    fn an_upcoming_repetition_is_seen_before_it_is_played() {
        // Ng8 would repeat the position after 1. Nf3, which is before the root: once is not enough.
        assert!(!is_upcoming("g1f3 g8f6 f3g1", 1));
        // The same within the tree.
        assert!(is_upcoming("g1f3 g8f6 f3g1", 4));
        // Before the root, but twice already.
        assert!(is_upcoming("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", 1));
        // A pawn move in between.
        assert!(!is_upcoming("g1f3 g8f6 f3g1 a7a6", 5));
        // White cannot undo what Black has played.
        assert!(!is_upcoming("g1f3 g8f6", 3));
        // The bishop's way back is blocked by a knight that moved in between, and it is another position besides.
        assert!(!is_upcoming("e2e4 e7e5 f1b5 g8f6 b1c3 f6g8 c3e2", 7));
    }

    #[test]
    fn a_repetition_counts_once_in_the_tree_and_twice_in_the_game() {
        let mut position = Position::start();
        let mut keys = KeyHistory::new(&position);
        let mut seen = Vec::new();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"] {
            let mv = position.board().parse_uci(text).unwrap();
            keys.push(position.board().key());
            position.play(mv);
            seen.push(keys.is_repetition(position.board()));
        }
        // The first return is to the root itself, the others are to positions after it.
        assert_eq!(seen, [false, false, false, false, true, true]);
    }
}
