//! A block of packed games as bytes.
//!
//! | offset | size | meaning |
//! |---|---|---|
//! | 0 | 8 | `VancPack` |
//! | 8 | 4 | version of the format |
//! | 12 | 4 | bytes behind these 32 |
//! | 16 | 8 | checksum of all bytes but these eight |
//! | 24 | 4 | games |
//! | 28 | 4 | bytes of the settings |
//! | 32 | | the settings of the games: a text |
//! | | | the games, as the model of this version codes them |
//!
//! The first 24 bytes are the same in every version. Each block says all that is needed to read it, so that files may
//! be joined end to end, and damage costs no other block.

use eval::network::checksum;
use movegen::{Board, GameResult};

use super::GameModel;
use super::coder::{Decoder, Encoder};
use crate::games::game::{Game, GameError};

/// What a block begins with.
pub const MAGIC: [u8; 8] = *b"VancPack";
/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 2;
/// Bytes of a block before the settings.
const HEADER_LEN: usize = 32;
/// The most bytes of a block: far more than the games of one take.
pub const MAX_LEN: usize = 16 << 20;
/// The most bytes of the settings.
pub const MAX_SETTINGS_LEN: usize = 4096;
/// The positions that a block is filled with: more are packed little better, and would be lost together.
pub const POSITIONS: usize = 1 << 19;
/// The most positions that are read from a block: guards against one that claims to hold billions.
const MAX_POSITIONS: usize = 4 * POSITIONS;
/// The most moves of a game that can be packed.
pub const MAX_MOVES: usize = u16::MAX as usize;

/// A block of packed games, checked against its checksum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedBlock {
    bytes: Vec<u8>,
}

/// What the next bytes hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A whole block and its length.
    Block(PackedBlock, usize),
    /// A whole block of another version.
    Version(u32),
    /// No whole block.
    Nothing,
}

/// Whether a game can be packed: its result is one of the board, its moves are legal and not too many.
///
/// # Errors
///
/// Why not.
pub fn check(game: &Game) -> Result<(), GameError> {
    if game.result == Some(GameResult::BothLose) {
        return Err(GameError::NoResult(GameResult::BothLose as u8));
    }
    if game.moves.len() > MAX_MOVES {
        return Err(GameError::TooManyMoves(game.moves.len()));
    }
    game.replay().find_map(Result::err).map_or(Ok(()), Err)
}

/// How many positions a game counts as: an unsearched one takes its bytes too.
#[must_use]
pub fn positions(game: &Game) -> usize {
    game.moves.len().max(1)
}

/// Packs games that were [checked](check) into one block.
#[must_use]
pub fn pack(games: &[Game], settings: &str) -> Vec<u8> {
    let mut encoder = Encoder::default();
    let mut model = GameModel::new();
    for game in games {
        let coded = model.code(&mut encoder, game);
        debug_assert!(coded.is_ok_and(|coded| coded.moves.len() == game.moves.len()));
    }
    seal(games.len() as u32, settings, &encoder.finish())
}

/// The block of so many games that are coded already.
#[must_use]
pub fn seal(games: u32, settings: &str, coded: &[u8]) -> Vec<u8> {
    let len = (settings.len() + coded.len()) as u32;
    let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &len.to_le_bytes(), &[0; 8]].concat();
    bytes.extend(games.to_le_bytes());
    bytes.extend((settings.len() as u32).to_le_bytes());
    bytes.extend(settings.as_bytes());
    bytes.extend(coded);
    resealed(bytes)
}

/// A block with the checksum of its bytes.
pub(super) fn resealed(mut block: Vec<u8>) -> Vec<u8> {
    let sum = checksum_of(&block);
    block[16..24].copy_from_slice(&sum.to_le_bytes());
    block
}

/// Looks for a block at the front of bytes.
#[must_use]
pub fn find(bytes: &[u8]) -> Found {
    let Some(header) = bytes.get(..HEADER_LEN).filter(|header| header.starts_with(&MAGIC)) else {
        return Found::Nothing;
    };
    let len = HEADER_LEN + number(header, 12) as usize;
    let Some(bytes) = bytes.get(..len).filter(|_| len <= MAX_LEN) else { return Found::Nothing };
    // A torn block has another one inside. It is looked for first, so that no file takes time by the square of its size.
    let is_torn = bytes[1..].windows(MAGIC.len()).any(|window| window == MAGIC);
    if is_torn || header[16..24] != checksum_of(bytes).to_le_bytes() {
        return Found::Nothing;
    }
    match number(header, 8) {
        VERSION => Found::Block(PackedBlock { bytes: bytes.to_vec() }, len),
        version => Found::Version(version),
    }
}

/// The four bytes of a number; 0 beyond the end.
fn number(bytes: &[u8], place: usize) -> u32 {
    bytes.get(place..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn checksum_of(block: &[u8]) -> u64 {
    checksum(&block[24..]) ^ checksum(&block[..16]).rotate_left(32)
}

impl PackedBlock {
    /// The settings of the games, as their packer put them.
    #[must_use]
    pub fn settings(&self) -> &str {
        let end = HEADER_LEN.saturating_add(number(&self.bytes, 28) as usize).min(self.bytes.len());
        str::from_utf8(&self.bytes[HEADER_LEN..end]).unwrap_or_default()
    }

    /// The games in order, the scores as those that stand for their levels; ends after the first error.
    pub fn games(&self) -> impl Iterator<Item = Result<Game, GameError>> + use<'_> {
        let count = number(&self.bytes, 24);
        let coded = HEADER_LEN.saturating_add(number(&self.bytes, 28) as usize).min(self.bytes.len());
        let mut decoder = Decoder::new(&self.bytes[coded..]);
        let mut model = GameModel::new();
        let mut left = MAX_POSITIONS;
        let mut next = 0;
        let blank = Game { start: Board::start(), result: None, moves: Vec::new() };
        std::iter::from_fn(move || {
            if next == count {
                return None;
            }
            next += 1;
            let mut game = model.code(&mut decoder, &blank).and_then(|game| {
                left = left.checked_sub(positions(&game)).ok_or(GameError::TooManyMoves(MAX_POSITIONS))?;
                Ok(game)
            });
            if next == count && !decoder.is_at_end() {
                game = Err(GameError::Truncated);
            }
            if game.is_err() {
                next = count;
            }
            Some(game)
        })
    }
}
