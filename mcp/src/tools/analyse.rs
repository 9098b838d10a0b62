//! `analyse`: what a position is worth, and how to go on.

use std::fmt::Write;
use std::time::Duration;

use pgn::{EngineScore, number_moves};
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use search::Limits;
use serde::Serialize;
use serve::{Analysis, Fault, Task};

use crate::call::{Piece, Pieces, Reply};
use crate::is_raised;
use crate::parameters::{Kind, MOVES, POSITION, Parameter, Values};
use crate::pool::Pool;
use crate::reply::object;
use crate::tools::played::Played;
use crate::tools::score::{LineResult, MAX_LINE, ScoreResult};

/// Nodes if there is no other limit.
const DEFAULT_NODES: u64 = 200_000;
/// In seconds, whatever else is asked for.
const MAX_TIME: f64 = 60.0;

pub(crate) const PARAMETERS: &[Parameter] = &[
    POSITION,
    MOVES,
    Parameter {
        name: "nodes",
        kind: Kind::Number(1..=50_000_000),
        is_required: false,
        description: "the most positions to visit; 200000 if there is no other limit. Equal numbers give equal answers",
    },
    Parameter {
        name: "depth",
        kind: Kind::Number(1..=245),
        is_required: false,
        description: "the most half-moves to look ahead",
    },
    Parameter {
        name: "time",
        kind: Kind::Real(0.001..=MAX_TIME),
        is_required: false,
        description: "the most seconds to search; never more than 60",
    },
    Parameter {
        name: "multipv",
        kind: Kind::Number(1..=20),
        is_required: false,
        description: "how many best moves to find, each with its line; 1 if it is missing",
    },
];

/// What was found.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AnalyseResult {
    /// The position.
    pub fen: String,
    /// The side to move: `white` or `black`.
    pub turn: &'static str,
    /// The best move in UCI's notation; null if there is none.
    pub best: Option<String>,
    /// The half-moves of the last iteration.
    pub depth: i32,
    /// The deepest half-move reached.
    pub seldepth: i32,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds.
    pub time_ms: u64,
    /// Hits of endgame tables.
    pub tbhits: u64,
    /// Of a thousand games from here, how many White wins.
    pub wdl_win: u16,
    /// How many are drawn.
    pub wdl_draw: u16,
    /// How many Black wins.
    pub wdl_loss: u16,
    /// Whether neither side can mate any more by any legal moves.
    pub dead: bool,
    /// The best lines, the best one first. At the end of a game there is one without moves.
    pub lines: Vec<LineResult>,
}

pub(crate) fn begin(values: &Values, _: &Pool) -> Result<Pieces, Fault> {
    let played = Played::read(values)?;
    let time = values.real("time");
    let depth = values.number("depth").and_then(|depth| i32::try_from(depth).ok());
    let is_limited = time.is_some() || depth.is_some();
    let nodes = values.number("nodes").map(i64::unsigned_abs).or((!is_limited).then_some(DEFAULT_NODES));
    let limits = Limits {
        nodes,
        depth,
        move_time: Some(Duration::from_secs_f64(time.unwrap_or(MAX_TIME))),
        ..Limits::default()
    };
    let multi_pv = values.count("multipv", 1) as usize;
    let size = played.moves.len() * 8;
    let piece: Piece = Box::new(move |worker, call| {
        let (position, style) = (played.position.clone(), played.style());
        let task = Task { position, limits, multi_pv, contempt: 0, style };
        let listener = call.clone();
        let hear = move |found: &Analysis| listener.progress(found.nodes as f64, nodes.map(|nodes| nodes as f64));
        let found = worker.search(task, &call.stop, hear);
        // Then nobody waits.
        (!is_raised(&call.stop)).then(|| Ok(reply(&played, found)))
    });
    Ok(Pieces::one(piece, size))
}

fn reply(played: &Played, found: Analysis) -> Reply {
    let lines = found.lines.into_iter().map(|line| {
        let cut = |mut moves: Vec<String>| {
            moves.truncate(MAX_LINE);
            moves
        };
        let score = ScoreResult { cp: line.cp, mate: line.mate, points: line.points };
        LineResult { score, moves: cut(line.moves), san: cut(line.san) }
    });
    let result = AnalyseResult {
        fen: played.fen(),
        turn: played.turn(),
        best: found.best,
        depth: found.depth,
        seldepth: found.seldepth,
        nodes: found.nodes,
        time_ms: found.time_ms,
        tbhits: found.tbhits,
        wdl_win: found.wdl_win,
        wdl_draw: found.wdl_draw,
        wdl_loss: found.wdl_loss,
        dead: found.dead,
        lines: lines.collect(),
    };
    Reply { text: in_words(played, &result), data: object(&result) }
}

fn in_words(played: &Played, result: &AnalyseResult) -> String {
    let mut text = if result.best.is_some() {
        let [win, draw, loss] = [result.wdl_win, result.wdl_draw, result.wdl_loss].map(|games| f64::from(games) / 10.0);
        format!("White wins {win} %, draws {draw} %, loses {loss} %; depth {}, {} nodes.", result.depth, result.nodes)
    } else if played.board().in_check() {
        "Checkmate.".to_owned()
    } else {
        "Stalemate.".to_owned()
    };
    for line in result.lines.iter().filter(|line| !line.san.is_empty()) {
        let ScoreResult { cp, mate, .. } = line.score;
        let score = mate.map_or_else(|| EngineScore::Centipawns(cp.unwrap_or_default()), EngineScore::Mate);
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{score}  {}", number_moves(played.board(), &line.san));
    }
    text
}
