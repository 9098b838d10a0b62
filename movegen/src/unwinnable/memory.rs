//! Memory for proofs, which may be refused: then nothing is proven.
//!
//! Rust ends the process where a list finds no memory to grow, so each is asked first. That a small allocation fails cannot be
//! handled at all: whoever grows large leaves something for these.

use std::hint::black_box;

/// In bytes: what is left over for others, among them those who ask at the same moment. A proof is worth little beside them.
const RESERVE: usize = 16 << 20;
/// In bytes: less is a small allocation itself.
const MIN_LARGE: usize = 64 << 10;

/// Whether so many bytes can be had, and several threads that ask for as many leave enough for others.
pub(super) fn has_room(bytes: usize) -> bool {
    if bytes < MIN_LARGE {
        return true;
    }
    let mut room = Vec::<u8>::new();
    let is_granted = room.try_reserve_exact(bytes.saturating_mul(4).saturating_add(RESERVE)).is_ok();
    // Otherwise the compiler takes it to be granted, and asks for none.
    black_box(&room);
    is_granted
}

/// Makes room in a list for so many elements more; `false` if there is no memory for them.
pub(super) fn make_room<T>(list: &mut Vec<T>, more: usize) -> bool {
    list.capacity() - list.len() >= more
        || has_room(2 * list.capacity().max(more) * size_of::<T>()) && list.try_reserve(more).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_refused() {
        assert!(has_room(0) && has_room(1 << 20));
        assert!(!has_room(isize::MAX as usize) && !has_room(usize::MAX));
        let mut list = vec![0_u8; 10];
        assert!(make_room(&mut list, 1000) && list.capacity() >= 1010);
        assert!(!make_room(&mut list, isize::MAX as usize / 2) && list == [0; 10]);
    }
}
