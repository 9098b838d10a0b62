//! Random games played in parallel on cozy-chess and shakmaty: on every position the three must agree, and our own
//! functions must be consistent with each other.
//!
//! A failure names its seed, which alone replays the game. Many more games than the normal run has:
//!
//! `VANCURA_TEST_SEED=1 cargo test --release -p vancura-tests --test crates differential:: -- --ignored`

mod examine;

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use examine::{Sampling, examine};
use movegen::{Board, CastlingSide, Move, MoveKind, PieceType};
use rayon::prelude::*;
use tests::data::announce;
use tests::game::Game;
use tests::play::{Random, Taste, Variant, scatter};

/// Plies after which a game from a start position is stopped, and one from scattered pieces.
const MAX_PLIES: usize = 240;
const MAX_PLIES_SCATTERED: usize = 12;

/// Games of the normal run, enough for a million positions.
const GAMES: u64 = 7_000;

/// Games from scattered pieces for each game from a start.
const SCATTERED: u64 = 20;

/// What the games have covered.
#[derive(Clone, Default, Debug)]
struct Tally {
    positions: u64,
    checks: u64,
    double_checks: u64,
    mates: u64,
    stalemates: u64,
    en_passant: u64,
    /// To knight, bishop, rook and queen.
    promotions: [u64; 4],
    /// On the king's and the queen's side.
    castlings: [u64; 2],
    /// Castlings in which the king stays where it is, the rook does, and both change places.
    odd_castlings: [u64; 3],
    /// Castlings that give check.
    castling_checks: u64,
    /// Captures of a rook that had the right to castle.
    rights_captured: u64,
}

impl Tally {
    fn see_position(&mut self, board: &Board, moves: &[Move]) {
        self.positions += 1;
        self.checks += u64::from(board.in_check());
        self.double_checks += u64::from(board.checkers().more_than_one());
        if moves.is_empty() {
            let end = if board.in_check() { &mut self.mates } else { &mut self.stalemates };
            *end += 1;
        }
    }

    fn see_move(&mut self, board: &Board, mv: Move) {
        if board.castling().rooks_of(!board.turn()).contains(mv.to()) {
            self.rights_captured += 1;
        }
        match mv.kind() {
            MoveKind::Normal => {}
            MoveKind::EnPassant => self.en_passant += 1,
            MoveKind::Promotion => {
                let kind = PieceType::PROMOTIONS.iter().position(|&piece_type| mv.promotes_to() == Some(piece_type));
                self.promotions[kind.expect("a promotion is to one of four")] += 1;
            }
            MoveKind::Castling => {
                self.castlings[CastlingSide::of(mv.from(), mv.to()) as usize] += 1;
                let (king_to, rook_to) = Board::castled_squares(mv.from(), mv.to());
                self.odd_castlings[0] += u64::from(king_to == mv.from());
                self.odd_castlings[1] += u64::from(rook_to == mv.to());
                self.odd_castlings[2] += u64::from(king_to == mv.to() && rook_to == mv.from());
                self.castling_checks += u64::from(board.gives_check(mv));
            }
        }
    }

    fn merged(mut self, other: Self) -> Self {
        self.positions += other.positions;
        self.checks += other.checks;
        self.double_checks += other.double_checks;
        self.mates += other.mates;
        self.stalemates += other.stalemates;
        self.en_passant += other.en_passant;
        self.castling_checks += other.castling_checks;
        self.rights_captured += other.rights_captured;
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        add(&mut self.promotions, &other.promotions);
        add(&mut self.castlings, &other.castlings);
        add(&mut self.odd_castlings, &other.odd_castlings);
        self
    }

    /// Every case must have come up often enough for its rule to count as tested.
    fn assert_thorough(&self) {
        let rare = [
            self.double_checks,
            self.mates,
            self.stalemates,
            self.en_passant,
            self.castling_checks,
            self.rights_captured,
        ];
        let all = rare.iter().chain(&self.promotions).chain(&self.castlings).chain(&self.odd_castlings);
        for &count in all {
            assert!(count >= 20, "something came up only {count} times: {self:#?}");
        }
    }
}

fn play_game(mut game: Game, taste: Taste, plies: usize, random: &mut Random) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..plies {
        let moves = examine(&game, Sampling::of(random));
        tally.see_position(&game.ours, &moves);
        let board = game.ours;
        let Some(mv) = game.play_random(taste, random) else { break };
        tally.see_move(&board, mv);
    }
    tally
}

/// A game from the start of a variant; the seed chooses both, and the player's taste.
fn game_from_start(seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let start = Variant::ALL[(seed % 3) as usize].start(&mut random);
    let game = Game::from_fen(seed, &start).unwrap_or_else(|| panic!("seed {seed}: {start} refused"));
    play_game(game, Taste::ALL[(seed / 3 % 5) as usize], MAX_PLIES, &mut random)
}

/// A short game from a position no game reaches; nothing if it is illegal.
fn game_from_scattered_pieces(seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let fen = scatter(&mut random);
    let Some(game) = Game::from_fen(seed, &fen) else { return Tally::default() };
    play_game(game, Taste::ALL[(seed % 5) as usize], MAX_PLIES_SCATTERED, &mut random)
}

/// Plays this many games from starts, and games from scattered pieces; the former alone must come to this many positions.
fn play_games(first_seed: u64, games: u64, positions: u64) {
    let play = |games: u64, game: fn(u64) -> Tally| {
        let seeds = first_seed..first_seed + games;
        seeds.into_par_iter().map(game).reduce(Tally::default, Tally::merged)
    };
    let from_starts = play(games, game_from_start);
    announce(&format!("games from starts, seeds from {first_seed}: {from_starts:?}"));
    assert!(from_starts.positions >= positions, "only {} positions", from_starts.positions);
    let from_scattered_pieces = play(SCATTERED * games, game_from_scattered_pieces);
    announce(&format!("games from scattered pieces, seeds from {first_seed}: {from_scattered_pieces:?}"));
    from_starts.merged(from_scattered_pieces).assert_thorough();
}

#[test]
fn a_million_positions() {
    play_games(0, GAMES, 1_000_000);
}

#[test]
#[ignore = "50 million positions and more"]
fn many_million_positions() {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = env::var("VANCURA_TEST_SEED").map_or_else(|_| now(), |seed| seed.parse().expect("a number"));
    play_games(seed << 32, 50 * GAMES, 50_000_000);
}
