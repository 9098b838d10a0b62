//! Packed games: any bytes as the contents of a block, which its checksum would otherwise keep from being read.

use train::games::packed::{Found, check as check_game, find, pack, seal};

/// What games the bytes give are legal ones, no more than the block claims, and once packed again the same.
///
/// # Panics
///
/// If they are not.
pub fn check(data: &[u8]) {
    let Some((count, coded)) = data.split_first_chunk() else { return };
    let count = u16::from_le_bytes(*count);
    let sealed = seal(count.into(), "", coded);
    let Found::Block(block, len) = find(&sealed) else {
        // The bytes hold the mark of another block.
        return;
    };
    assert_eq!(len, sealed.len());
    let games: Vec<_> = block.games().flatten().collect();
    assert!(games.len() <= usize::from(count));
    games.iter().for_each(|game| check_game(game).expect("what was decoded can be packed"));
    let Found::Block(again, _) = find(&pack(&games, "")) else { panic!("what was packed is no block") };
    let again: Result<Vec<_>, _> = again.games().collect();
    assert_eq!(again.as_ref(), Ok(&games));
}
