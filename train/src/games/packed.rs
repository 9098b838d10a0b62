//! The packed form of games: blocks a quarter as long as those of [`blocks`](crate::games::blocks), for keeping and carrying.

mod block;
mod coder;
mod convert;
mod moves;
mod score;
mod softmax;
mod start;

use movegen::Board;

pub use self::block::{Found, MAGIC, MAX_SETTINGS_LEN, POSITIONS, PackedBlock, VERSION, check, find, pack, positions};
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
    use crate::games::blocks::Blocks;
    use crate::records::synthetic::random_games;

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
