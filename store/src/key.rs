//! What a record is found by.

use movegen::Board;

/// What a result depends on beside the position, as its owner sums it up: limits, settings, the history. It is a hash;
/// where two are equal by chance, the result found is that of another search of the same position.
pub type Context = [u8; 16];

/// In bytes: a packed position.
pub(crate) const POSITION: usize = 24;
/// In bytes: a key.
pub(crate) const KEY: usize = POSITION + size_of::<Context>();

/// The key of a record: a position and a context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key([u8; KEY]);

impl Key {
    /// The key of a position in a context.
    #[must_use]
    pub fn new(board: &Board, context: Context) -> Self {
        Self::of_parts(board.packed(), context)
    }

    pub(crate) fn of_parts(position: [u8; POSITION], context: Context) -> Self {
        let mut bytes = [0; KEY];
        bytes[..POSITION].copy_from_slice(&position);
        bytes[POSITION..].copy_from_slice(&context);
        Self(bytes)
    }

    pub(crate) const fn of_bytes(bytes: [u8; KEY]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn bytes(&self) -> &[u8; KEY] {
        &self.0
    }

    pub(crate) fn position(&self) -> [u8; POSITION] {
        std::array::from_fn(|index| self.0[index])
    }

    /// The position, with counters as at the start of a game; `None` if there is none, as the file was tampered with.
    #[must_use]
    pub fn board(&self) -> Option<Board> {
        Board::from_packed(&self.position())
    }

    /// The context.
    #[must_use]
    pub fn context(&self) -> Context {
        std::array::from_fn(|index| self.0[POSITION + index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_all_but_the_counters_apart() {
        let key = |fen: &str| Key::new(&Board::from_fen(fen).unwrap(), [7; 16]);
        let fens = [
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQk - 0 1",
            "r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq - 0 1",
        ];
        for (index, one) in fens.iter().enumerate() {
            assert!(fens[index + 1..].iter().all(|other| key(one) != key(other)), "{one}");
        }
        assert_eq!(key(fens[2]), key("r3k2r/8/8/8/3pP3/8/8/R3K2R w KQkq - 33 80"));
        let parts = Key::of_parts(key(fens[0]).position(), key(fens[0]).context());
        assert_eq!(parts, key(fens[0]));
        assert_ne!(parts, Key::of_parts(parts.position(), [8; 16]));
    }
}
