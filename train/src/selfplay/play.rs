//! One game of self-play.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use eval::Network;
use movegen::{Board, Color, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{SingleThreadedSearcher, is_balanced};

use super::Openings;
use super::harvest::{Harvest, HarvestSettings};
use super::limits::Limits;
use super::node_time::{NodeClocks, NodeTime};
use crate::games::game::{Game, GameResult, ScoredMove};

/// An opening is checked with this many times the nodes of a move.
const OPENING_EFFORT: u64 = 3;

impl Adjudication {
    /// For games that measure strength: what comes after says little about the search.
    pub const OF_MATCHES: Self =
        Self { win_score: 600, win_plies: 6, draw_score: 15, draw_plies: 12, draw_from: 68, longest: 400 };

    /// The same, but a won game is played until mate.
    #[must_use]
    pub const fn without_wins(self) -> Self {
        Self { win_score: i32::MAX, win_plies: u32::MAX, ..self }
    }
}

/// When a game is over before the rules say so. Scores are in centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Adjudication {
    /// A win once both sides' scores have been this clear ...
    pub win_score: i32,
    /// ... for this many half-moves in a row.
    pub win_plies: u32,
    /// A draw once both sides' scores have been this close to zero ...
    pub draw_score: i32,
    /// ... for this many half-moves in a row ...
    pub draw_plies: u32,
    /// ... and the game is this many half-moves old.
    pub draw_from: u32,
    /// A draw after this many half-moves in any case.
    pub longest: u32,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Nodes for a move.
    pub limits: Limits,
    /// When to break off.
    pub adjudication: Adjudication,
    /// Share of the games, from 0 to 1, in which no win is adjudicated: how a win is brought home is learned from these
    /// alone.
    pub play_out_share: f64,
    /// Which positions are searched by themselves as well.
    pub harvest: HarvestSettings,
    /// An opening more lopsided than this, in centipawns, is not played.
    pub opening_score: i32,
    /// Each side's transposition table in MiB.
    pub hash_mib: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::from_soft(1000),
            adjudication: Adjudication {
                win_score: 2000,
                win_plies: 4,
                draw_score: 8,
                draw_plies: 12,
                draw_from: 80,
                longest: 400,
            },
            play_out_share: 0.12,
            harvest: HarvestSettings { share: 0.0, played: 0.0, limits: Limits::from_soft(1000), unsearched: 0.0 },
            opening_score: 400,
            hash_mib: 2,
        }
    }
}

/// Both sides of a game.
pub struct Player {
    settings: Settings,
    /// One for both sides, or one for each.
    searchers: Vec<SingleThreadedSearcher>,
    /// The time control of each game, if it is that which limits the moves.
    time: Option<NodeTime>,
    /// What the current game has yielded besides.
    harvest: Vec<Game>,
}

impl Player {
    /// Two sides with one network that know nothing yet. What they learn about moves they share; what they find in a
    /// position each keeps to itself.
    #[must_use]
    pub fn new(network: &Arc<Network>, settings: Settings) -> Self {
        Self {
            settings,
            searchers: vec![SingleThreadedSearcher::for_both_sides(Arc::clone(network), settings.hash_mib)],
            time: None,
            harvest: Vec::new(),
        }
    }

    /// As [`new`](Self::new), for sides that search in different ways: they share nothing.
    #[must_use]
    pub fn of_rivals(network: &Arc<Network>, settings: Settings) -> Self {
        let side = || SingleThreadedSearcher::new(Arc::clone(network), settings.hash_mib);
        Self { settings, searchers: vec![side(), side()], time: None, harvest: Vec::new() }
    }

    /// Limits the moves by a clock. The limits of the settings then hold for the choice of the opening alone.
    #[must_use]
    pub fn with_clocks(mut self, time: NodeTime) -> Self {
        let nodes = time.nodes_per_millisecond;
        self.searchers.iter_mut().for_each(|searcher| searcher.set_nodes_per_millisecond(nodes));
        self.time = Some(time);
        self
    }

    /// Plays a game from an opening drawn at random; `None` if `stop` is set before it has ended.
    pub fn play(&mut self, openings: &Openings, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool) -> Option<Game> {
        let position = self.draw_opening(openings, rng, stop)?;
        let adjudication = if rng.random::<f64>() < self.settings.play_out_share {
            self.settings.adjudication.without_wins()
        } else {
            self.settings.adjudication
        };
        let mut harvest = Harvest::new(self.settings.harvest, self.settings.adjudication.win_score, rng);
        let game = self.play_on(position, &adjudication, stop, &mut |_| {}, &mut |searcher, position| {
            harvest.after_search(searcher, position);
        });
        self.harvest = harvest.finish();
        game
    }

    /// What the last game has yielded besides: a game without a result for each harvested position, of one move or, if
    /// it was not searched, of none.
    pub fn take_harvest(&mut self) -> Vec<Game> {
        std::mem::take(&mut self.harvest)
    }

    /// An opening that leaves both sides a game; `None` if `stop` is set before one is found.
    pub fn draw_opening(
        &mut self,
        openings: &Openings,
        rng: &mut Xoshiro256PlusPlus,
        stop: &AtomicBool,
    ) -> Option<Position> {
        while !stop.load(Relaxed) {
            if let Some(position) = openings.draw(rng) {
                self.forget();
                if self.is_balanced(&position) {
                    return Some(position);
                }
            }
        }
        None
    }

    /// Lets both sides forget all that they have learnt.
    pub fn forget(&mut self) {
        self.searchers.iter_mut().for_each(SingleThreadedSearcher::forget);
    }

    /// Whether an opening leaves both sides a game.
    fn is_balanced(&mut self, position: &Position) -> bool {
        let Limits { soft, hard } = self.settings.limits;
        let limits = search::Limits {
            soft_nodes: Some(soft.saturating_mul(OPENING_EFFORT)),
            nodes: Some(hard.saturating_mul(OPENING_EFFORT)),
            ..search::Limits::default()
        };
        let most_score = self.settings.opening_score;
        is_balanced(position, self.side(position.board().turn()), &limits, most_score)
    }

    fn side(&mut self, color: Color) -> &mut SingleThreadedSearcher {
        let index = color as usize % self.searchers.len();
        &mut self.searchers[index]
    }

    /// Plays a game from a position, which may be adjudicated; `before_move` hears whose move is about to be searched.
    /// `None` if `stop` is set before it has ended.
    pub fn play_from(
        &mut self,
        position: Position,
        stop: &AtomicBool,
        before_move: &mut dyn FnMut(Color),
    ) -> Option<Game> {
        let adjudication = self.settings.adjudication;
        self.play_on(position, &adjudication, stop, before_move, &mut |_, _| {})
    }

    /// Plays a game from a position, which may be adjudicated; `after_search` sees the searcher of each move when it has
    /// searched the position. `None` if `stop` is set before it has ended.
    pub fn play_watched(
        &mut self,
        position: Position,
        stop: &AtomicBool,
        after_search: &mut dyn FnMut(&mut SingleThreadedSearcher, &Position),
    ) -> Option<Game> {
        let adjudication = self.settings.adjudication;
        self.play_on(position, &adjudication, stop, &mut |_| {}, after_search)
    }

    fn play_on(
        &mut self,
        mut position: Position,
        adjudication: &Adjudication,
        stop: &AtomicBool,
        before_move: &mut dyn FnMut(Color),
        after_search: &mut dyn FnMut(&mut SingleThreadedSearcher, &Position),
    ) -> Option<Game> {
        let limits = self.settings.limits.of_a_move();
        let time = self.time.clone();
        let mut clocks = time.as_ref().and_then(NodeClocks::start);
        let start = *position.board();
        let mut moves = Vec::with_capacity(128);
        let mut judge = Judge::default();
        let result = loop {
            if stop.load(Relaxed) {
                return None;
            }
            let board = *position.board();
            if let Some(result) = ended(&position) {
                break result;
            }
            before_move(board.turn());
            let limits = clocks.as_ref().map_or_else(|| limits.clone(), |clocks| clocks.limits(board.turn()));
            let Some(found) = self.side(board.turn()).search(&position, &limits) else {
                break lost_or_stalemate(&board);
            };
            if clocks.as_mut().is_some_and(|clocks| !clocks.press(board.turn(), found.nodes)) {
                break lost_by(board.turn());
            }
            moves.push(ScoredMove::by(board.turn(), found.best, found.score));
            after_search(self.side(board.turn()), &position);
            position.play(found.best);
            if let Some(result) = judge.rule(adjudication, moves[moves.len() - 1].score.into(), board.ply() + 1) {
                break result;
            }
        };
        Some(Game { start, result: Some(result), moves })
    }
}

/// How the rules end a game, if they do.
fn ended(position: &Position) -> Option<GameResult> {
    let board = position.board();
    if !board.has_legal_move() {
        return Some(lost_or_stalemate(board));
    }
    let drawn =
        board.halfmove_clock() >= 100 || board.has_insufficient_material() || position.earlier_occurrences() >= 2;
    drawn.then_some(GameResult::Draw)
}

fn lost_or_stalemate(board: &Board) -> GameResult {
    if board.in_check() { lost_by(board.turn()) } else { GameResult::Draw }
}

fn lost_by(color: Color) -> GameResult {
    match color {
        Color::White => GameResult::BlackWins,
        Color::Black => GameResult::WhiteWins,
    }
}

/// Counts the half-moves on which both sides agreed.
#[derive(Clone, Copy, Debug, Default)]
struct Judge {
    white_wins: u32,
    black_wins: u32,
    draws: u32,
}

impl Judge {
    fn rule(&mut self, adjudication: &Adjudication, white_score: i32, ply: u32) -> Option<GameResult> {
        let count = |plies: u32, goes_on: bool| if goes_on { plies + 1 } else { 0 };
        self.white_wins = count(self.white_wins, white_score >= adjudication.win_score);
        self.black_wins = count(self.black_wins, white_score <= -adjudication.win_score);
        self.draws = count(self.draws, white_score.abs() <= adjudication.draw_score);
        if self.white_wins >= adjudication.win_plies {
            Some(GameResult::WhiteWins)
        } else if self.black_wins >= adjudication.win_plies {
            Some(GameResult::BlackWins)
        } else if self.draws >= adjudication.draw_plies && ply >= adjudication.draw_from || ply >= adjudication.longest
        {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::training::seed::seed_network;

    static NEVER: AtomicBool = AtomicBool::new(false);

    /// What does not change when a better network is trained.
    fn seed() -> Arc<Network> {
        Arc::new(seed_network().unwrap())
    }

    fn quick() -> Settings {
        Settings { limits: Limits { soft: 60, hard: 600 }, hash_mib: 1, ..Settings::default() }
    }

    #[test]
    fn a_clock_limits_moves_by_their_nodes() {
        let play = |control: &str, nodes_per_millisecond| {
            let time = NodeTime { control: control.parse().unwrap(), nodes_per_millisecond };
            let mut player = Player::of_rivals(&seed(), quick()).with_clocks(time);
            player.play_from(Position::start(), &NEVER, &mut |_| {}).unwrap()
        };
        let game = play("1+0.01", 20);
        assert_eq!(game, play("1+0.01", 20));
        assert!(game.moves.len() > 20, "{} moves: a flag fell early", game.moves.len());
        // The clock is looked at every thousand nodes or so, which is a second here.
        assert_eq!(play("0.1", 1).result, Some(GameResult::BlackWins));
    }

    #[test]
    fn games_replay_and_repeat_from_their_seed() {
        let play = || {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
            let mut player = Player::new(&seed(), quick());
            let openings = Openings::new(0.5);
            (0..6).map(|_| player.play(&openings, &mut rng, &NEVER).unwrap()).collect::<Vec<_>>()
        };
        let games = play();
        assert_eq!(games, play());
        for game in &games {
            assert!(!game.moves.is_empty());
            assert!(game.replay().all(|step| step.is_ok()));
        }
    }

    #[test]
    fn a_won_endgame_is_won_for_the_right_side() {
        for (fen, result) in [
            ("8/8/8/8/3k4/8/8/KQR5 w - - 0 1", GameResult::WhiteWins),
            ("8/8/8/8/3K4/8/8/kqr5 w - - 0 1", GameResult::BlackWins),
            ("8/8/8/8/3K4/8/8/k1n5 w - - 0 1", GameResult::Draw),
        ] {
            let position = Position::from(Board::from_fen(fen).unwrap());
            assert_eq!(
                Player::new(&seed(), quick()).play_from(position, &NEVER, &mut |_| {}).unwrap().result,
                Some(result),
                "{fen}"
            );
        }
    }

    #[test]
    fn a_game_played_out_is_won_by_mate() {
        let settings = Settings { play_out_share: 1.0, opening_score: i32::MAX, ..quick() };
        let book = tempfile::NamedTempFile::new().unwrap();
        fs_err::write(book.path(), "4k3/8/8/8/8/8/3Q1R2/4K3 w - -\n").unwrap();
        let openings = Openings::new(0.0).with_book(book.path(), 1.0).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut player = Player::new(&seed(), settings);
        for _ in 0..4 {
            let game = player.play(&openings, &mut rng, &NEVER).unwrap();
            let mut position = Position::from(game.start);
            for step in &game.moves {
                position.play(step.mv);
            }
            if game.result != Some(GameResult::Draw) {
                assert!(!position.board().has_legal_move() && position.board().in_check());
            }
        }
    }

    #[test]
    fn verdicts_need_agreement_in_a_row() {
        let adjudication = quick().adjudication;
        let mut judge = Judge::default();
        for _ in 1..adjudication.win_plies {
            assert_eq!(judge.rule(&adjudication, 5000, 100), None);
        }
        assert_eq!(judge.rule(&adjudication, 100, 100), None);
        for _ in 1..adjudication.win_plies {
            assert_eq!(judge.rule(&adjudication, -5000, 100), None);
        }
        assert_eq!(judge.rule(&adjudication, -5000, 100), Some(GameResult::BlackWins));
        let mut judge = Judge::default();
        assert!((1..adjudication.draw_from).all(|ply| judge.rule(&adjudication, 0, ply).is_none()));
        assert_eq!(judge.rule(&adjudication, 0, adjudication.draw_from), Some(GameResult::Draw));
        assert_eq!(Judge::default().rule(&adjudication, 900, adjudication.longest), Some(GameResult::Draw));
    }
}
