//! How random games end, beside the same games on shakmaty: mate, stalemate, material, repetition, move rules.
//!
//! Shakmaty knows the ends of a position but keeps no history; repetition is counted by its notion of the same
//! position. What it does not know is that a position can be dead with enough pieces: only there may we end a game that
//! it would go on with, and then neither side may find a mate.

use std::time::Duration;

use movegen::unwinnable::winnable;
use movegen::{Board, Budget, Claim, Color, DrawReason, Game, Move, Outcome, Rules, Verdict, Victory};
use rayon::prelude::*;
use shakmaty::{Chess, Position};
use tests::data::announce;
use tests::game::Game as Step;
use tests::play::{Random, Taste, Variant};

/// Few pieces, so that random moves come back and counts go on; some stand so that little can move.
const SPARSE: [&str; 8] = [
    "3k4/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "6nk/6pp/8/8/8/8/PP6/KN6 w - - 0 1",
    "kb6/p7/P7/8/8/p7/P7/KB6 w - - 0 1",
    "4k3/p1p5/8/1P6/6p1/8/5P1P/4K3 w - - 0 1",
    "8/2b1k3/7p/p1p1p1pP/PpP1P3/1P2K1P1/3B4/8 b - - 0 50",
    "7k/8/5N2/8/8/2n5/8/K7 w - - 60 90",
    "8/5k2/8/2Q5/8/8/6q1/K7 b - - 20 60",
];

const MAX_PLIES: usize = 600;

/// How often each end came up.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    games: u64,
    plies: u64,
    checkmates: u64,
    stalemates: u64,
    material: u64,
    dead: u64,
    fivefold: u64,
    seventy_five: u64,
    unfinished: u64,
    threefold_claims: u64,
    fifty_claims: u64,
}

impl Tally {
    fn merged(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            plies: self.plies + other.plies,
            checkmates: self.checkmates + other.checkmates,
            stalemates: self.stalemates + other.stalemates,
            material: self.material + other.material,
            dead: self.dead + other.dead,
            fivefold: self.fivefold + other.fivefold,
            seventy_five: self.seventy_five + other.seventy_five,
            unfinished: self.unfinished + other.unfinished,
            threefold_claims: self.threefold_claims + other.threefold_claims,
            fifty_claims: self.fifty_claims + other.fifty_claims,
        }
    }

    fn count(&mut self, outcome: Option<Outcome>) {
        *match outcome {
            Some(Outcome::Win(_, Victory::Checkmate)) => &mut self.checkmates,
            Some(Outcome::Draw(DrawReason::Stalemate)) => &mut self.stalemates,
            Some(Outcome::Draw(DrawReason::InsufficientMaterial)) => &mut self.material,
            Some(Outcome::Draw(DrawReason::DeadPosition)) => &mut self.dead,
            Some(Outcome::Draw(DrawReason::Fivefold)) => &mut self.fivefold,
            Some(Outcome::Draw(DrawReason::SeventyFiveMoves)) => &mut self.seventy_five,
            None => &mut self.unfinished,
            other => panic!("no game ends by itself with {other:?}"),
        } += 1;
    }

    /// Every end must have come up often enough for its rule to count as tested.
    fn assert_thorough(&self) {
        let ends = [self.checkmates, self.stalemates, self.material, self.dead, self.fivefold, self.seventy_five];
        for count in ends.into_iter().chain([self.threefold_claims, self.fifty_claims]) {
            assert!(count * 500 > self.games, "something came up only {count} times: {self:?}");
        }
    }
}

/// The end of a position by shakmaty and a count of the earlier positions.
fn peer_outcome(position: &Chess, occurrences: usize) -> Option<Outcome> {
    let winner = if position.turn() == shakmaty::Color::White { Color::Black } else { Color::White };
    Some(if position.is_checkmate() {
        Outcome::Win(winner, Victory::Checkmate)
    } else if position.is_stalemate() {
        Outcome::Draw(DrawReason::Stalemate)
    } else if position.is_insufficient_material() {
        Outcome::Draw(DrawReason::InsufficientMaterial)
    } else if occurrences >= 5 {
        Outcome::Draw(DrawReason::Fivefold)
    } else if position.halfmoves() >= 150 {
        Outcome::Draw(DrawReason::SeventyFiveMoves)
    } else {
        return None;
    })
}

/// The mover's last move taken back, if that is legal: players who do so repeat positions.
fn way_back(game: &Game) -> Option<Move> {
    let last = game.records().iter().rev().filter_map(movegen::Record::played).nth(1)?;
    let back = Move::normal(last.to(), last.from());
    game.board().is_legal(back).then_some(back)
}

/// Plays a game; the seed chooses the start and the player's taste.
fn play(seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let start = if seed.is_multiple_of(2) {
        Variant::ALL[(seed / 2 % 3) as usize].start(&mut random)
    } else {
        SPARSE[(seed / 2 % 8) as usize].to_owned()
    };
    let taste = Taste::ALL[(seed / 16 % 5) as usize];
    let mut peer = Step::from_fen(seed, &start).unwrap_or_else(|| panic!("seed {seed}: {start} refused"));
    let rules = Rules { dead_positions: Budget::FAST, ..Rules::default() };
    let board = Board::from_fen(&start).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let mut game = Game::new(board, rules);
    let mut earlier: Vec<Chess> = Vec::new();
    let mut tally = Tally { games: 1, ..Tally::default() };
    for _ in 0..MAX_PLIES {
        let reversible = peer.shakmaty.halfmoves() as usize;
        let alike = earlier.iter().rev().take(reversible).filter(|&other| *other == peer.shakmaty).count();
        let expected = peer_outcome(&peer.shakmaty, alike + 1);
        let outcome = game.outcome();
        if outcome == Some(Outcome::Draw(DrawReason::DeadPosition)) {
            assert!(!matches!(expected, Some(Outcome::Win(..))), "{peer}");
            for color in Color::ALL {
                let verdict = winnable(game.board(), color, Budget::FULL);
                assert!(!matches!(verdict, Verdict::Winnable(_)), "{peer}: {verdict:?}");
            }
        } else {
            assert_eq!(outcome, expected, "{peer}");
        }
        if outcome.is_some() {
            break;
        }
        assert_eq!(game.occurrences(), alike + 1, "{peer}");
        let (threefold, fifty) = (alike >= 2, reversible >= 100);
        assert_eq!(game.is_claimable(Claim::Threefold, None), threefold, "{peer}");
        assert_eq!(game.is_claimable(Claim::FiftyMoves, None), fifty, "{peer}");
        tally.threefold_claims += u64::from(threefold);
        tally.fifty_claims += u64::from(fifty);
        earlier.push(peer.shakmaty.clone());
        let back = way_back(&game).filter(|_| seed % 4 == 1 && random.below(4) != 0);
        if let Some(mv) = back {
            peer.play(mv);
        }
        let mv = back.or_else(|| peer.play_random(taste, &mut random));
        let Some(mv) = mv else { panic!("{peer}: no move, but no end") };
        // A claim with a move is right exactly where the position after it would be.
        let claims = [Claim::Threefold, Claim::FiftyMoves].map(|claim| game.is_claimable(claim, Some(mv)));
        let next = peer.shakmaty.halfmoves() as usize;
        let again = earlier.iter().rev().take(next).filter(|&other| *other == peer.shakmaty).count();
        assert_eq!(claims, [again >= 2, next >= 100 && !peer.shakmaty.is_checkmate()], "{peer}");
        game.play(mv, Duration::ZERO).unwrap_or_else(|error| panic!("{peer}: {error}"));
        tally.plies += 1;
    }
    tally.count(game.outcome());
    tally
}

fn play_games(games: u64) {
    let tally = (0..games).into_par_iter().map(play).reduce(Tally::default, Tally::merged);
    announce(&format!("{tally:?}"));
    tally.assert_thorough();
}

#[test]
fn some_random_games_end_alike() {
    play_games(2_000);
}

/// `cargo test --release -p vancura-tests --test crates game_differential:: -- --ignored --nocapture`
#[test]
#[ignore = "some minutes on all cores"]
fn a_hundred_thousand_random_games_end_alike() {
    play_games(100_000);
}
