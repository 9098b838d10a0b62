//! The packed form of games: files a quarter as long as those of viriformat, for keeping and carrying.
//!
//! Each choice that makes up a game (its result, the pieces of its start, each move, each score) is coded by how likely it
//! was: a `softmax` learns that from the games before it in its `block`, and a `coder` turns it into bits. Whoever
//! reads a block repeats what its writer learned, so everything that decides a bit is integer arithmetic, and what the
//! features of `moves`, `score` and `start` mean belongs to the version of the format.
//!
//! Moves, results and starts are kept as they are. A score is kept to a step of winning chances, and only where
//! training may use it.

mod append;
mod block;
mod coder;
mod convert;
mod moves;
mod score;
mod softmax;
mod start;

use movegen::Board;

pub(crate) use self::append::check_holds_games;
pub use self::append::{Appender, append_packed, settings_of_play};
pub use self::block::{
    Found, MAGIC, MAX_SETTINGS_LEN, POSITIONS, PackedBlock, VERSION, check, find, pack, positions, seal,
};
use self::coder::Coder;
pub use self::convert::{Converted, Packing, pack_files, unpack_files};
use self::moves::{History, MoveModel};
use self::score::{Past, ScoreModel};
use self::softmax::Softmax;
use self::start::{NumberModel, StartModel};
use crate::games::game::{Game, GameError, ScoredMove, decode_start, encode_start};

/// What is learned from the games of a block while it is read.
struct GameModel {
    results: Softmax<1>,
    lengths: NumberModel,
    /// Of games, and of positions from search trees.
    starts: [StartModel; 2],
    moves: MoveModel,
    scores: ScoreModel,
}

impl GameModel {
    fn new() -> Self {
        Self {
            results: Softmax::new(4, 300),
            lengths: NumberModel::new(2),
            starts: [StartModel::new(), StartModel::new()],
            moves: MoveModel::new(),
            scores: ScoreModel::new(),
        }
    }

    /// Codes a game.
    fn code(&mut self, coder: &mut impl Coder, game: &Game) -> Result<Game, GameError> {
        let mut start = encode_start(&game.start, game.result);
        let result = game.result.map_or(3, |result| result as usize);
        let result = self.results.code_row(coder, result, 4, [0]);
        let is_lone = usize::from(result == 3);
        let length = self.lengths.code(coder, game.moves.len() as u16, is_lone);
        start = self.starts[is_lone].code(coder, &start);
        start[30] = if result == 3 { 1 } else { result as u8 };
        start[31] = if result == 3 { 255 } else { 0 };
        let (start, result) = decode_start(&start)?;
        let mut board = start;
        let mut moves = Vec::new();
        let (mut history, mut past) = (History::default(), Past::default());
        for index in 0..usize::from(length) {
            let given = game.moves.get(index);
            past.age();
            let mood = past.mood(board.turn(), result);
            let mv = self
                .moves
                .code(coder, given.map(|given| given.mv), &board, &mut history, mood)
                .filter(|_| !coder.is_exhausted())
                .ok_or(GameError::Truncated)?;
            let score = if needs_score(&board, mv) {
                self.scores.code(coder, given.map_or(0, |given| given.score), &board, result, &mut past)
            } else {
                past.score()
            };
            moves.push(ScoredMove { mv, score });
            board.play(mv, &mut ());
        }
        Ok(Game { start, result, moves })
    }
}

/// Whether training may learn from the score of a position in which this move was best: where the move is a capture or
/// a promotion, or answers check, no filter keeps it.
fn needs_score(board: &Board, mv: movegen::Move) -> bool {
    !board.in_check() && !board.is_noisy(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blocks::{BlockError, Blocks};
    use crate::records::synthetic::random_games;
    use movegen::GameResult;

    /// The games of a packed block.
    fn unpacked(block: &[u8]) -> Vec<Game> {
        let Found::Block(block, len) = find(block) else { panic!("no block") };
        assert!(len > 0);
        block.games().map(|game| game.unwrap()).collect()
    }

    /// A game as it is once it was packed: the scores as their levels, and those that are left out as the last before.
    fn rounded(game: &Game) -> Game {
        let mut last = 0;
        let moves = game
            .replay()
            .map(|step| {
                let step = step.unwrap();
                if needs_score(&step.board, step.mv) {
                    last = score::score_of(score::level_of(step.score));
                }
                ScoredMove { mv: step.mv, score: last }
            })
            .collect();
        Game { moves, ..*game }
    }

    #[test]
    fn games_round_trip() {
        let mut games = random_games(51, 100);
        let lone = random_games(53, 40).into_iter().enumerate();
        games.extend(lone.map(|(index, game)| Game { result: None, moves: game.moves[..index % 3].to_vec(), ..game }));
        let block = pack(&games, "settings");
        let unpacked = unpacked(&block);
        assert!(unpacked.iter().eq(games.iter().map(rounded).collect::<Vec<_>>().iter()));
        // Rounding again changes nothing.
        assert_eq!(pack(&unpacked, "settings"), block);
    }

    /// A game from a FEN and moves in UCI notation, with made-up scores.
    fn game(fen: &str, result: Option<GameResult>, moves: &str) -> Game {
        let start = Board::from_fen(fen).unwrap();
        let mut board = start;
        let mut scored = Vec::new();
        for (index, text) in moves.split_whitespace().enumerate() {
            let mv = board.parse_uci(text).unwrap();
            scored.push(ScoredMove { mv, score: 37 * index as i16 - 60 });
            board.play(mv, &mut ());
        }
        Game { start, result, moves: scored }
    }

    /// Castling in standard chess and in Chess960 (the rook as the target), en passant, promotions, a position searched by
    /// itself and one that was not.
    fn special_games() -> [Game; 6] {
        let lone = "8/P6k/8/8/8/8/8/K7 b - - 99 250";
        [
            game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20", Some(GameResult::WhiteWins), "e1g1 e8c8 a1a7"),
            game("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b GBgb - 0 9", Some(GameResult::Draw), "e8g8 e1b1 h7h6"),
            game("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 30", Some(GameResult::Draw), "e5d6 e8d7"),
            game("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 30", Some(GameResult::BlackWins), "a7b8n e8e7"),
            game(lone, None, "h7g7"),
            game(lone, None, ""),
        ]
    }

    #[test]
    fn special_moves_and_starts_round_trip() {
        let games = special_games();
        assert_eq!(unpacked(&pack(&games, "")), games.each_ref().map(rounded));
    }

    #[test]
    fn the_format_stays_as_it_is() {
        // Blocks that were packed must be read for ever: if this changes, so must the version.
        let block = pack(&special_games(), "settings");
        assert_eq!((VERSION, block.len(), eval::network::checksum(&block)), (2, 136, 8_089_547_755_471_285_351));
    }

    #[test]
    fn levels_keep_what_filters_ask() {
        for score in i16::MIN..=i16::MAX {
            let rounded = score::score_of(score::level_of(score));
            assert_eq!(score::level_of(rounded), score::level_of(score));
            for bound in [0, 1000, 10_000] {
                assert_eq!(rounded > bound, score > bound && score::level_of(score) != score::level_of(0), "{score}");
                assert_eq!(rounded < -bound, score < -bound && score::level_of(score) != score::level_of(0), "{score}");
            }
            let chance = |score: i16| 1.0 / (1.0 + (-f64::from(score) / f64::from(eval::arch::SCALE)).exp());
            assert!((chance(score) - chance(rounded)).abs() <= 0.5 / 64.0 + 0.001, "{score} as {rounded}");
        }
    }

    #[test]
    fn damage_costs_no_other_block() {
        let games = random_games(54, 30);
        let blocks: Vec<Vec<u8>> = games.chunks(10).map(|games| pack(games, "")).collect();
        let expected: Vec<Game> = games.iter().map(rounded).collect();
        let (start, end) = (blocks[0].len(), blocks[0].len() + blocks[1].len());
        let read = |bytes: &[u8]| {
            let (mut games, mut damages) = (Vec::new(), Vec::new());
            for block in Blocks::new(bytes).unwrap() {
                match block {
                    Ok(block) => games.extend(block.games().map(|game| game.unwrap())),
                    Err(BlockError::Damaged { number, start, end }) => {
                        damages.push((number, start as usize, end as usize))
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            (games, damages)
        };
        let whole = blocks.concat();
        assert_eq!(read(&whole), (expected.clone(), vec![]));
        let without_second = [&expected[..10], &expected[20..]].concat();
        for place in (start..start + 40).chain((start..end).step_by(101)) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            assert_eq!(read(&bytes), (without_second.clone(), vec![(2, start, end)]), "byte {place}");
            // The second block torn there, and another one behind it.
            let torn = [&whole[..place], &blocks[2]].concat();
            let damage = if place == start { vec![] } else { vec![(2, start, place)] };
            assert_eq!(read(&torn), (without_second.clone(), damage), "torn at {place}");
            let cut = read(&whole[..place]);
            assert_eq!(cut.0, expected[..10], "cut at {place}");
        }
        let foreign = [&blocks[0][..], b"foreign VancPack bytes", &blocks[1], &blocks[2]].concat();
        assert_eq!(read(&foreign), (expected, vec![(2, start, start + 22)]));
    }

    #[test]
    fn blocks_of_another_version_end_the_file() {
        let mut block = pack(&random_games(55, 3), "");
        block[8] = 3;
        // Damaged, as long as the checksum does not say that it is meant.
        assert!(matches!(Blocks::new(&block[..]).unwrap().next(), Some(Err(BlockError::Damaged { .. }))));
        let block = block::resealed(block);
        let bytes = [&pack(&random_games(56, 3), "")[..], &block, &block].concat();
        let read: Vec<_> = Blocks::new(&bytes[..]).unwrap().collect();
        assert_eq!(read.len(), 2);
        let error = read[1].as_ref().unwrap_err().to_string();
        assert!(
            error.contains("block 2 at byte") && error.contains("version 3, this program reads version 2"),
            "{error}"
        );
    }

    #[test]
    fn contents_that_are_no_games_are_errors() {
        let games = random_games(57, 3);
        let block = pack(&games, "");
        let coded = &block[32..];
        for (count, coded) in [(4, coded), (2, coded), (3, &coded[..coded.len() - 4]), (1, &[]), (u32::MAX, &[7; 100])]
        {
            let Found::Block(block, _) = find(&seal(count, "", coded)) else { panic!("no block") };
            let read: Vec<_> = block.games().collect();
            assert!(read.iter().filter(|game| game.is_err()).count() == 1 && read.last().unwrap().is_err(), "{count}");
        }
    }

    #[test]
    fn blocks_are_read_among_others() {
        let games = random_games(52, 20);
        let rounded: Vec<Game> = games.iter().map(rounded).collect();
        let mut bytes = pack(&games[..10], "a");
        crate::games::blocks::write_games(&mut bytes, &games).unwrap();
        bytes.extend(pack(&games[10..], "b"));
        let blocks: Vec<_> = Blocks::new(&bytes[..]).unwrap().map(|block| block.unwrap()).collect();
        assert_eq!(blocks.iter().map(|block| block.settings()).collect::<Vec<_>>(), ["a", "", "b"]);
        let read: Vec<Game> =
            blocks.iter().flat_map(|block| block.games().map(|game| game.unwrap()).collect::<Vec<_>>()).collect();
        assert_eq!(read, [&rounded[..10], &games, &rounded[10..]].concat());
    }
}
