//! `explain_move`: how good a move is, and why, as `vancura explain` says it.

use analysis::explain::{LINES, in_words};
use analysis::model::Game;
use analysis::review::{Review, ReviewMethod, hash_for_nodes};
use movegen::Move;
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use serve::{Fault, Worker};

use crate::call::{Call, Piece, Pieces, Reply};
use crate::parameters::{Kind, MOVES, POSITION, Parameter, Values};
use crate::pool::Pool;
use crate::reply::object;
use crate::tools::played::{Played, read_move};
use crate::tools::score::{LineResult, ReasonResult, ScoreResult, name_of};

const DEFAULT_NODES: u64 = 200_000;

pub(crate) const PARAMETERS: &[Parameter] = &[
    POSITION,
    MOVES,
    Parameter {
        name: "move",
        kind: Kind::Text(20),
        is_required: true,
        description: "the move to explain, as Nf3 or g1f3",
    },
    Parameter {
        name: "nodes",
        kind: Kind::Number(1..=5_000_000),
        is_required: false,
        description: "the most positions to visit before and after the move, each; 200000 if it is missing",
    },
];

/// What is said of a move.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ExplainResult {
    /// The position before the move.
    pub fen: String,
    #[serde(flatten)]
    pub judged: JudgedMove,
    /// The position before the move, with best play.
    pub before: Option<ScoreResult>,
    /// What was better; null if the move is the best one.
    pub better: Option<LineResult>,
}

/// A move, and how good it is. What is unknown is null.
#[derive(Serialize, JsonSchema)]
pub(crate) struct JudgedMove {
    /// The move in Standard Algebraic Notation.
    pub san: String,
    /// The same in UCI's.
    #[serde(rename = "move")]
    pub mv: String,
    /// What kind of move it is: `forced`, `book`, `brilliant`, `great`, `only_move`, `best`, `excellent`, `good`, `inaccuracy`,
    /// `miss`, `mistake` or `blunder`.
    pub label: Option<&'static str>,
    /// `inaccuracy`, `mistake` or `blunder`, by the points it loses alone.
    pub judgement: Option<String>,
    /// The points that it throws away, 0 to 1.
    pub loss: Option<f64>,
    /// How good it is, 0 to 100.
    pub accuracy: Option<f64>,
    /// Whether it is the best move that was found.
    pub best: bool,
    /// What the position after it is worth.
    pub after: Option<ScoreResult>,
    /// The best line after it.
    pub line: Option<LineResult>,
    /// Why it is bad, as far as playing a line proves it; the weightiest first.
    pub reasons: Vec<ReasonResult>,
}

impl JudgedMove {
    /// The last move of a game.
    pub fn last_of(game: &Game) -> Option<Self> {
        let mv = game.moves.last()?;
        let after = game.positions.last().and_then(|position| position.analysis.as_ref());
        Some(Self {
            san: mv.san.clone(),
            mv: mv.uci.clone(),
            label: mv.label.map(analysis::model::Label::name),
            judgement: mv.judgement.map(|judgement| name_of(&judgement)),
            loss: mv.loss,
            accuracy: mv.accuracy,
            best: mv.best,
            after: after.map(ScoreResult::of),
            line: after.and_then(|analysis| analysis.lines.first()).map(LineResult::of),
            reasons: mv.reasons.iter().map(ReasonResult::of).collect(),
        })
    }
}

pub(crate) fn begin(values: &Values, _: &Pool) -> Result<Pieces, Fault> {
    let played = Played::read(values)?;
    let mv = read_move(played.board(), values.text("move")).map_err(|error| Fault::new("move", error))?;
    let nodes = values.count("nodes", DEFAULT_NODES);
    let size = played.moves.len() * 8;
    let piece: Piece = Box::new(move |worker, call| {
        let game = judge(&played, mv, nodes, worker, call)?;
        let judged = JudgedMove::last_of(&game)?;
        let before = game.positions.iter().rev().nth(1).and_then(|position| position.analysis.as_ref());
        let result = ExplainResult {
            fen: played.fen(),
            better: before.filter(|_| !judged.best).and_then(|analysis| analysis.lines.first()).map(LineResult::of),
            before: before.map(ScoreResult::of),
            judged,
        };
        Some(Ok(Reply { text: in_words(played.board(), &game), data: object(&result) }))
    });
    Ok(Pieces::one(piece, size))
}

/// Searches before and after a move. `None` if nobody waits any more.
pub(crate) fn judge(played: &Played, mv: Move, nodes: u64, worker: &mut Worker, call: &Call) -> Option<Game> {
    let method = method(nodes, LINES, worker.hash_mib(), worker.tablebase().cloned());
    // The search has a table of its own.
    worker.rest();
    let review = Review::new(played.game(Some(mv)), method);
    let reviewed = review.search(review.last_move(), &call.stop, |complaint| cli::tell(complaint));
    reviewed.is_complete().then(|| review.game([reviewed]))
}

/// With as much memory as `vancura analyse` takes, within what a worker has.
pub(crate) fn method(
    nodes: u64,
    multi_pv: usize,
    most_mib: usize,
    tablebase: Option<std::sync::Arc<search::Tablebase>>,
) -> ReviewMethod {
    let hash_mib = usize::try_from(hash_for_nodes(nodes)).unwrap_or(most_mib).min(most_mib);
    ReviewMethod { nodes, multi_pv, hash_mib, tablebase }
}
