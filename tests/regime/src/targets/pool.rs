//! Games of self-play: a file of blocks, the contents of a block, and one game.

use train::games::blocks::{Block, Blocks, write_block};
use train::games::game::Game;

/// Any file of blocks is read to its end, and what a game is read from it is written back as the same game.
///
/// # Panics
///
/// If it is not.
pub fn check(data: &[u8]) {
    blocks(data).iter().for_each(check_block);
    // A block has a checksum that a fuzzer does not find, so it is also given the data as the contents of one.
    let mut file = Vec::new();
    write_block(&mut file, data).expect("memory can be written to");
    blocks(&file).iter().for_each(check_block);
}

fn blocks(mut file: &[u8]) -> Vec<Block> {
    Blocks::new(&mut file).expect("memory suffices").flatten().collect()
}

fn check_block(block: &Block) {
    for game in block.games().flatten() {
        let legal = game.replay().take_while(Result::is_ok).count();
        assert!(legal <= game.moves.len());
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        assert_eq!(bytes.len(), game.encoded_len());
        let mut rest = &bytes[..];
        assert_eq!(Game::decode(&mut rest).as_ref(), Ok(&game));
        assert!(rest.is_empty());
    }
}
