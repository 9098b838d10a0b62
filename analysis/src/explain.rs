//! `vancura explain`: how good a move is in a position, and why.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use clap::Args;
use cli::{read_position, stop_on_ctrl_c, tell};
use movegen::{Board, Move};
use pgn::{NodeId, PgnGame, Tree, number_moves};
use serde::Serialize;

use crate::error::AnalyseError;
use crate::judge::assemble::assemble;
use crate::model::{Analysis, Game, Label, Move as Judged, SCHEMA};
use crate::read::games::Reading;
use crate::read::main_line::MainLine;
use crate::search::analyst::Analyst;
use crate::search::search_arguments::SearchArguments;
use crate::write::annotate::written;
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
    let game = PgnGame::new(tree);
    let main_line = MainLine::of(&game);
    let (mut method, complaints) = arguments.search.method();
    complaints.iter().for_each(tell);
    // The second line tells whether a good move was the only one.
    method.multi_pv = method.multi_pv.max(2);
    let mut analyst = Analyst::new(&method);
    let stop: &AtomicBool = &stop_on_ctrl_c();
    let count = main_line.boards.len();
    let segment = analyst.search(&main_line, 0..count, Vec::new(), stop);
    analyst.take_complaints().iter().for_each(tell);
    if !segment.is_complete {
        return Err(AnalyseError::Interrupted(None));
    }
    let reading = Reading { number: 1, file: None, line: 0, game, main_line, label: None };
    Ok(assemble(&reading, &segment.found))
}

fn write(output: &mut dyn Write, board: &Board, game: &Game, json: bool) -> io::Result<()> {
    let [before, after] = [0, 1].map(|index| game.positions.get(index).and_then(|position| position.analysis.as_ref()));
    let Some(mv) = game.moves.first() else { return Ok(()) };
    if json {
        let fen = game.positions.first().map_or("", |position| &position.fen);
        serde_json::to_writer(&mut *output, &Explanation { schema: SCHEMA, fen, before, after, mv })?;
        return writeln!(output);
    }
    let numbered = number_moves(board, [&mv.san]);
    let label = mv.label.map_or("not judged", in_words);
    let loss = mv.loss.map_or_else(String::new, |loss| match loss {
        0.0 => "; it loses nothing".to_owned(),
        loss => format!("; it loses {loss:.2} points"),
    });
    let scores =
        before.zip(after).map(|(before, after)| format!(", {} to {}", written(before.score), written(after.score)));
    writeln!(output, "{numbered}: {label}{loss}{}", scores.unwrap_or_default())?;
    for reason in &mv.reasons {
        writeln!(output, "{}", reason.text)?;
    }
    match before.and_then(|analysis| analysis.lines.first()) {
        Some(line) if !mv.best => {
            writeln!(output, "Best is {} ({})", number_moves(board, &line.san), written(line.score))
        }
        _ => Ok(()),
    }
}

/// A label as the predicate of a sentence.
const fn in_words(label: Label) -> &'static str {
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
