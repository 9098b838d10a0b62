//! Between a game by the laws and a game in PGN.

use std::time::Duration;

use movegen::{Board, Claim, Color, Event, Fault, Game, GameError, GameResult, Outcome, Rules, TimeControl};

use crate::comment;
use crate::game::PgnGame;
use crate::result::result_text;
use crate::tags::Tags;
use crate::tree::{NodeId, Tree};

impl PgnGame {
    /// A game with its moves, clocks, offers and claims, and the reason of its result. Only what a game knows is in
    /// the tags: the result, how it ended, the start and the time control.
    #[must_use]
    pub fn of_game(game: &Game) -> Self {
        let mut tree = Tree::new(*game.start());
        let mut at = NodeId::ROOT;
        let mut turn = game.start().turn();
        for record in game.records() {
            if let Some(mv) = record.played() {
                // A full tree loses the rest, which only a program that plays for weeks could reach.
                let Some(id) = tree.add(at, Some(mv)) else { break };
                at = id;
                let node = tree.node_mut(at);
                node.clock = record.clock(turn).map(|clock| clock.remaining());
                node.elapsed = match record.event() {
                    Event::Move { elapsed, .. } | Event::Claim { elapsed, .. } if elapsed.as_millis() > 0 => {
                        Some(elapsed)
                    }
                    _ => None,
                };
            }
            if let Some(text) = described(record.event(), turn, game.outcome()) {
                comment::append(&mut tree.node_mut(at).comment, &text);
            }
            turn = record.board().turn();
        }
        if let Some(outcome) = game.outcome() {
            let last = &mut tree.node_mut(at).comment;
            comment::append(last, &format!("{outcome}."));
        }
        let result = game.outcome().map(Outcome::result);
        Self { tags: tags_of(game, result), result, ..Self::new(tree) }
    }

    /// Plays the main line by the rules until the game is over or the line ends. Moves that take no time by the
    /// comments take none; what PGN does not say, a resignation or a claim, does not happen.
    ///
    /// Returns the game, and how many moves of the main line come after its end.
    #[must_use]
    pub fn refereed(&self, rules: Rules) -> (Game, usize) {
        let mut game = Game::new(*self.tree.start(), rules);
        let moves: Vec<_> = self.tree.main_moves().collect();
        for (index, &mv) in moves.iter().enumerate() {
            match game.play(mv, Duration::ZERO) {
                Err(GameError::Over(_)) => return (game, moves.len() - index),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        (game, 0)
    }
}

/// What happened besides moves, in words; the event that ended the game is told as its outcome.
fn described(event: Event, turn: Color, outcome: Option<Outcome>) -> Option<String> {
    let name = |color| if color == Color::White { "White" } else { "Black" };
    Some(match event {
        Event::OfferDraw(player) => format!("{} offers a draw.", name(player)),
        Event::DeclineDraw(player) => format!("{} declines.", name(player)),
        Event::IllegalMove { .. } if outcome.and_then(Outcome::fault) != Some(Fault::IllegalMove) => {
            format!("{} makes an illegal move and is warned.", name(turn))
        }
        Event::Claim { claim, .. } => {
            let rule = match claim {
                Claim::Threefold => "threefold repetition",
                Claim::FiftyMoves => "the fifty-move rule",
            };
            format!("{} claims a draw by {rule}.", name(turn))
        }
        _ => return None,
    })
}

fn tags_of(game: &Game, result: Option<GameResult>) -> Tags {
    let mut tags = Tags::default();
    tags.set("Result", result_text(result));
    let start = game.start();
    if start.is_chess960() {
        tags.set("Variant", "Chess960");
    }
    if *start != Board::start() {
        tags.set("SetUp", "1");
        tags.set("FEN", start.fen(movegen::FenStyle::Standard).to_string());
    }
    let [white, black] = &game.rules().time.0;
    if white == black {
        if *white != TimeControl::UNLIMITED {
            tags.set("TimeControl", white.to_string());
        }
    } else {
        tags.set("WhiteTimeControl", white.to_string());
        tags.set("BlackTimeControl", black.to_string());
    }
    tags.set("Termination", termination(game.outcome()));
    tags
}

/// The word of the standard for the way a game ended.
const fn termination(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "unterminated",
        Some(outcome) => match outcome.fault() {
            Some(Fault::Time) => "time forfeit",
            Some(Fault::IllegalMove) => "rules infraction",
            Some(Fault::Forfeit) => "abandoned",
            Some(Fault::Resignation) | None => "normal",
        },
    }
}
