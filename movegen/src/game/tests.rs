//! The rules, one by one.

mod agreement;
mod clocks;
mod dead_position;
mod faults;
mod history;
mod mate;
mod move_rules;
mod repetition;
mod rules_left_out;

use proptest::prelude::*;

use super::*;
use crate::Budget;

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn game(fen: &str) -> Game {
    Game::new(board(fen), Rules::default())
}

fn timed(fen: &str, time: &str) -> Game {
    Game::new(board(fen), Rules::timed(time.parse().unwrap()))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn mv(game: &Game, text: &str) -> Move {
    game.board().parse_uci(text).unwrap_or_else(|error| panic!("{:?}: {error}", game.board()))
}

/// Plays moves that take no time; all but the last must leave the game going on.
fn play(game: &mut Game, moves: &str) -> Option<Outcome> {
    moves.split_whitespace().fold(None, |end, text| {
        assert_eq!(end, None, "before {text}");
        let mv = mv(game, text);
        game.play(mv, Duration::ZERO).unwrap()
    })
}

/// Applies an event that must be possible.
fn apply(game: &mut Game, event: Event) -> Option<Outcome> {
    game.apply(event).unwrap_or_else(|error| panic!("{event:?}: {error}"))
}

fn draw(reason: DrawReason) -> Option<Outcome> {
    Some(Outcome::Draw(reason))
}

fn spared(player: Color, fault: Fault) -> Option<Outcome> {
    draw(DrawReason::Spared(player, fault))
}

fn lost(player: Color, fault: Fault) -> Option<Outcome> {
    Some(Outcome::Win(!player, Victory::Fault(fault)))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8";
const ROOK: &str = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 120";
