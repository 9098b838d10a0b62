//! The position after some moves: what can be played, and whether the game is over by the laws.

use std::time::Duration;

use movegen::unwinnable::is_dead;
use movegen::{
    Board, Bonus, Budget, ByColor, Claim, Color, DrawReason, Event, FenStyle, Game, Move, Outcome, Rules, TimeControl,
};
use pgn::{number_moves, result_text};
use serde::{Deserialize, Serialize};

use super::error::RulesError;
use super::line::{Line, play, squares, uci};
use super::spoken::{describe, name, speak};

/// Which position, and what is done in it besides.
#[derive(Deserialize)]
pub(super) struct Request {
    #[serde(flatten)]
    line: Line,
    /// This side resigns.
    resign: Option<Side>,
    /// The side to move claims a draw, if it can.
    #[serde(default)]
    claim: bool,
    /// The flag of the side to move has fallen.
    #[serde(default)]
    timeout: bool,
    /// The players agree on a draw.
    #[serde(default)]
    agreed: bool,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// A position as the page needs it.
#[derive(Serialize)]
pub(super) struct Position {
    fen: String,
    turn: &'static str,
    check: bool,
    chess960: bool,
    moves: Vec<Playable>,
    /// How the game has ended, if it has.
    end: Option<End>,
    /// The rule by which the side to move may claim a draw.
    claim: Option<&'static str>,
    /// The pieces in words.
    pieces: String,
    /// The squares of the last move.
    last: Option<(String, String)>,
}

/// A legal move.
#[derive(Serialize)]
struct Playable {
    uci: String,
    san: String,
    /// With its number.
    text: String,
    /// In words.
    spoken: String,
    from: String,
    /// Where the piece may be put for it: castling has two such squares.
    to: Vec<String>,
    promotion: Option<char>,
}

/// How a game has ended.
#[derive(Serialize)]
pub(super) struct End {
    result: String,
    reason: String,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        Self { result: result_text(Some(outcome.result())), reason: outcome.to_string() }
    }
}

/// What there is to know of a position.
pub(super) fn look(request: &Request) -> Result<Position, RulesError> {
    let (start, moves) = request.line.board_and_moves()?;
    let mut board = start;
    moves.iter().for_each(|&mv| play(&mut board, mv));
    let mut game = game_of(start, &moves, request.timeout);
    let is_game = game.as_ref().is_some_and(|game| *game.board() == board);
    let claim = game.as_ref().filter(|_| is_game).and_then(claimable);
    if let Some(game) = game.as_mut().filter(|_| is_game) {
        if let Some(side) = request.resign {
            // That the game is over already shows in its outcome.
            let _ = game.apply(Event::Resign(side.into()));
        }
        if request.timeout {
            let _ = game.apply(Event::TimeOut);
        }
        if request.agreed {
            let _ = game.apply(Event::OfferDraw(board.turn()));
            let _ = game.apply(Event::AcceptDraw(!board.turn()));
        }
        if let Some((claim, _)) = claim.filter(|_| request.claim) {
            let _ = game.apply(Event::Claim { claim, intended: None, elapsed: Duration::ZERO });
        }
    }
    let outcome = game.as_ref().and_then(Game::outcome);
    let is_over = |outcome: &Option<Outcome>| outcome.is_none() && is_dead(&board, Budget::MEDIUM);
    let outcome = if is_over(&outcome) { Some(Outcome::Draw(DrawReason::DeadPosition)) } else { outcome };
    Ok(Position {
        fen: board.fen(FenStyle::Standard),
        turn: name(board.turn()),
        check: board.in_check(),
        chess960: board.is_chess960(),
        moves: board.legal_moves().into_iter().map(|mv| playable(&board, mv)).collect(),
        end: outcome.map(End::from),
        claim: claim.map(|(_, name)| name),
        pieces: describe(&board),
        last: moves.last().copied().flatten().map(squares),
    })
}

/// The game with these moves as far as the laws let it go on; `None` if a turn is passed, which is no game.
///
/// Dead positions are looked for thoroughly only at the end: for all positions of a long game that takes too long. The page
/// has the clocks; those of the game only let a flag fall.
fn game_of(start: Board, moves: &[Option<Move>], has_clock: bool) -> Option<Game> {
    let clock = TimeControl::whole_game(Duration::from_secs(1), Bonus::None).ok().filter(|_| has_clock);
    let time = ByColor([clock.clone().unwrap_or_default(), clock.unwrap_or_default()]);
    let rules = Rules { time, dead_positions: Budget::FAST, faults: Budget::MEDIUM, ..Rules::default() };
    let mut game = Game::new(start, rules);
    for &mv in moves {
        if game.play(mv?, Duration::ZERO).is_err() {
            break;
        }
    }
    Some(game)
}

fn claimable(game: &Game) -> Option<(Claim, &'static str)> {
    let claim = Claim::ALL.into_iter().find(|&claim| game.is_claimable(claim, None))?;
    Some((
        claim,
        match claim {
            Claim::Threefold => "threefold repetition",
            Claim::FiftyMoves => "the fifty-move rule",
        },
    ))
}

fn playable(board: &Board, mv: Move) -> Playable {
    let san = board.san(mv);
    let (from, to) = squares(mv);
    let mut targets = vec![to];
    if mv.is_castling() {
        // Where the king may also make a move of its own to that square, only its rook stands for castling.
        let castles = board.parse_uci(&format!("{from}{}", targets[0])) == Ok(mv);
        targets.retain(|_| castles);
        targets.push(mv.to().to_string());
        targets.dedup();
    }
    Playable {
        uci: uci(board, mv),
        text: number_moves(board, [&san]),
        spoken: speak(board, mv),
        from,
        to: targets,
        promotion: mv.promotes_to().map(movegen::PieceType::letter),
        san,
    }
}
