//! `vancura explain`: how good a move is in a position, and why.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use clap::Args;
use cli::{read_position, stop_on_ctrl_c, tell};
use movegen::{Board, Move};
use pgn::{NodeId, PgnGame, Tree, number_moves};
use serde::Serialize;

use crate::error::AnalyseError;
use crate::model::{Analysis, Game, Label, Move as Judged, SCHEMA};
use crate::review::Review;
use crate::search::search_arguments::SearchArguments;
use crate::write::output::Sink;

/// A bad move and a good one.
const EXAMPLES: &str = "\
Nothing is said that playing the line by the rules does not show: a mate, a draw, or material that is
counted when no capture changes it any more. Often there is nothing to say.

Examples:
  vancura explain startpos f3 --nodes 20k
  vancura explain \"r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1\" Kd2 --nodes 20k --json";

/// Judges a move: what it loses, what kind of move it is, and why it is bad, where that can be proved.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ExplainArguments {
    /// The position: a FEN in quotes, or `startpos`
    #[arg(value_name = "FEN")]
    fen: String,
    /// The move, as Nf3 or g1f3
    #[arg(value_name = "MOVE")]
    mv: String,
    /// Write everything that was found, for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: SearchArguments,
}

/// How many lines to look for before a move: the second one tells whether a good move was the only one.
pub const LINES: usize = 2;

/// What `--json` writes: a move and the position before it, as in the games of `analyse --json`.
#[derive(Serialize)]
struct Explanation<'a> {
    schema: u32,
    fen: &'a str,
    before: Option<&'a Analysis>,
    after: Option<&'a Analysis>,
    #[serde(rename = "move")]
    mv: &'a Judged,
}

/// Judges the move and says why.
///
/// # Errors
///
/// If the position or the move cannot be read, the move is not legal, or the run is interrupted.
pub fn run(arguments: &ExplainArguments) -> Result<(), AnalyseError> {
    let input = |fen| AnalyseError::Input { input: arguments.fen.clone(), fen };
    let board = read_position(std::slice::from_ref(&arguments.fen)).map_err(input)?;
    let mv = read_move(&board, &arguments.mv)?;
    let game = judged(&board, mv, arguments)?;
    let mut output = Sink::text();
    write(&mut output, &board, &game, arguments.json).and_then(|()| output.commit(false)).map_err(AnalyseError::Write)
}

fn read_move(board: &Board, text: &str) -> Result<Move, AnalyseError> {
    board.parse_san(text).or_else(|error| board.parse_uci(text).map_err(|_| error)).map_err(AnalyseError::Move)
}

/// The game of this one move.
fn judged(board: &Board, mv: Move, arguments: &ExplainArguments) -> Result<Game, AnalyseError> {
    let mut tree = Tree::new(*board);
    tree.add(NodeId::ROOT, Some(mv));
    let (mut method, complaints) = arguments.search.method();
    complaints.iter().for_each(tell);
    method.multi_pv = method.multi_pv.max(LINES);
    let review = Review::with(PgnGame::new(tree), method);
    let stop: &AtomicBool = &stop_on_ctrl_c();
    let reviewed = review.search(review.last_move(), stop, |complaint| tell(complaint));
    if !reviewed.is_complete() {
        return Err(AnalyseError::Interrupted(None));
    }
    Ok(review.game([reviewed]))
}

fn write(output: &mut dyn Write, board: &Board, game: &Game, json: bool) -> io::Result<()> {
    if !json {
        return writeln!(output, "{}", in_words(board, game));
    }
    let [before, after] = [0, 1].map(|index| game.positions.get(index).and_then(|position| position.analysis.as_ref()));
    let Some(mv) = game.moves.first() else { return Ok(()) };
    let fen = game.positions.first().map_or("", |position| &position.fen);
    serde_json::to_writer(&mut *output, &Explanation { schema: SCHEMA, fen, before, after, mv })?;
    writeln!(output)
}

/// The last move of a game, which is made in this position, judged and explained in a few lines of English.
#[must_use]
pub fn in_words(board: &Board, game: &Game) -> String {
    let Some((mv, index)) = game.moves.last().zip(game.moves.len().checked_sub(1)) else { return String::new() };
    let at = |index: usize| game.positions.get(index).and_then(|position| position.analysis.as_ref());
    let (before, after) = (at(index), at(index + 1));
    let numbered = number_moves(board, [&mv.san]);
    let label = mv.label.map_or("not judged", label_in_words);
    let loss = mv.loss.map_or_else(String::new, |loss| match loss {
        0.0 => "; it loses nothing".to_owned(),
        loss => format!("; it loses {loss:.2} points"),
    });
    let scores = before.zip(after).map(|(before, after)| format!(", {} to {}", before.score, after.score));
    let mut lines = vec![format!("{numbered}: {label}{loss}{}", scores.unwrap_or_default())];
    lines.extend(mv.reasons.iter().map(|reason| reason.text.clone()));
    if let Some(line) = before.and_then(|analysis| analysis.lines.first()).filter(|_| !mv.best) {
        lines.push(format!("Best is {} ({})", number_moves(board, &line.san), line.score));
    }
    lines.join("\n")
}

/// A label as the predicate of a sentence.
const fn label_in_words(label: Label) -> &'static str {
    match label {
        Label::Forced => "forced",
        Label::Book => "a book move",
        Label::Brilliant => "brilliant",
        Label::Great => "great",
        Label::OnlyMove => "the only move",
        Label::Best => "best",
        Label::Excellent => "excellent",
        Label::Good => "good",
        Label::Inaccuracy => "an inaccuracy",
        Label::Miss => "a miss",
        Label::Mistake => "a mistake",
        Label::Blunder => "a blunder",
    }
}
