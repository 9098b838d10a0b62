//! `tablebase`: what is certain of a position, by endgame tables or by the rules.

use analysis::model::End;
use movegen::Move;
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use search::{TableAnswer, Wdl};
use serde::Serialize;
use serve::Fault;

use crate::call::{Piece, Pieces, Reply};
use crate::parameters::{MOVES, POSITION, Parameter, Values};
use crate::pool::Pool;
use crate::reply::object;
use crate::tools::played::{Played, in_capital};
use crate::tools::rules::{by_the_laws, end_of};

pub(crate) const PARAMETERS: &[Parameter] = &[POSITION, MOVES];

/// What is certain.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TablebaseResult {
    /// The position.
    pub fen: String,
    /// The side to move: `white` or `black`.
    pub turn: &'static str,
    /// `tables`, or `rules` where the game is over.
    pub by: &'static str,
    /// For the side to move: `win`, `cursed win` that the fifty-move rule spoils, `draw`, `blessed loss` that the fifty-move rule
    /// saves, or `loss`; as if the last move had been a capture or a pawn's.
    pub result: String,
    /// Half-moves to the next capture, pawn's move or mate if both sides play for it, negative in a loss; it may be 1 too small.
    /// Null without tables of distances.
    pub dtz: Option<i32>,
    /// All legal moves, the best one first.
    pub moves: Vec<TableMove>,
}

/// A move, and how the game ends after it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TableMove {
    /// In UCI's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// In Standard Algebraic Notation.
    pub san: String,
    /// For the side that makes it.
    pub result: String,
    /// Half-moves, this one included.
    pub dtz: Option<i32>,
}

pub(crate) fn begin(values: &Values, _: &Pool) -> Result<Pieces, Fault> {
    let played = Played::read(values)?;
    let size = played.moves.len() * 8;
    let piece: Piece = Box::new(move |worker, _| {
        if let Some((_, end)) = end_of(&by_the_laws(&played)) {
            return Some(Ok(over(&played, end)));
        }
        let Some(tables) = worker.tablebase() else {
            let error = "this server has no endgame tables; whoever starts it can name them with --syzygy";
            return Some(Err(Fault::of_line(error)));
        };
        let answer = tables.consult(&played.position).map_err(|error| Fault::new(POSITION.name, error));
        tables.take_faults().iter().for_each(cli::tell);
        Some(answer.map(|answer| reply(&played, &answer)))
    });
    Ok(Pieces::one(piece, size))
}

/// The reply where the game is over.
fn over(played: &Played, end: End) -> Reply {
    let (result, text) = match end {
        End::Checkmate => (Wdl::Loss, "Checkmate: the side to move has lost."),
        _ => (Wdl::Draw, "The game is over: a draw by the rules."),
    };
    let result = TablebaseResult {
        fen: played.fen(),
        turn: played.turn(),
        by: "rules",
        result: result.to_string(),
        dtz: None,
        moves: Vec::new(),
    };
    Reply { text: text.to_owned(), data: object(&result) }
}

fn reply(played: &Played, answer: &TableAnswer) -> Reply {
    let (board, style) = (played.board(), played.style());
    let uci = |mv: Move| mv.uci(style).to_string();
    let moves = answer.moves.iter().map(|ranked| TableMove {
        mv: uci(ranked.mv),
        san: board.san(ranked.mv),
        result: ranked.wdl.to_string(),
        dtz: ranked.dtz,
    });
    let result = TablebaseResult {
        fen: played.fen(),
        turn: played.turn(),
        by: "tables",
        result: answer.wdl.to_string(),
        dtz: answer.dtz,
        moves: moves.collect(),
    };
    let best = result.moves.first().map_or_else(String::new, |best| format!("; best is {}", best.san));
    let text = format!("A {} for {}, the side to move{best}.", result.result, in_capital(board.turn()));
    Reply { text, data: object(&result) }
}
