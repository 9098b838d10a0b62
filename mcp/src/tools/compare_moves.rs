//! `compare_moves`: which of some moves is better, and why.

use std::sync::{Arc, Mutex, PoisonError};

use movegen::{Color, Move};
use pgn::number_moves;
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use serve::Fault;

use crate::call::{Piece, Pieces, Reply};
use crate::parameters::{Kind, MOVES, POSITION, Parameter, Values};
use crate::pool::Pool;
use crate::reply::object;
use crate::tools::explain_move::{JudgedMove, judge};
use crate::tools::played::{Played, read_move};

const DEFAULT_NODES: u64 = 200_000;
/// How many moves can be compared.
const COUNT: std::ops::RangeInclusive<usize> = 2..=8;
/// Points below which two moves are as good as each other.
const EQUAL: f64 = 0.02;

pub(crate) const PARAMETERS: &[Parameter] = &[
    POSITION,
    MOVES,
    Parameter {
        name: "candidates",
        kind: Kind::Words(*COUNT.end()),
        is_required: true,
        description: "the moves to compare, two to eight, as Nf3 or g1f3",
    },
    Parameter {
        name: "nodes",
        kind: Kind::Number(1..=2_000_000),
        is_required: false,
        description: "the most positions to visit before and after each move; 200000 if it is missing",
    },
];

/// How the moves compare.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CompareResult {
    /// The position before the moves.
    pub fen: String,
    /// The side to move: `white` or `black`.
    pub turn: &'static str,
    /// The best of them in Standard Algebraic Notation.
    pub best: String,
    /// Whether the two best ones are as good as each other: less than 0.02 points apart.
    pub is_close: bool,
    /// All of them, the best one first.
    pub moves: Vec<ComparedMove>,
}

/// A move beside the others.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ComparedMove {
    /// From 1.
    pub rank: usize,
    /// How many points fewer the mover may expect than after the best of these moves, 0 to 1.
    pub difference: f64,
    #[serde(flatten)]
    pub judged: JudgedMove,
}

/// What the pieces of a call have found, each in its place.
struct Comparison {
    played: Played,
    found: Mutex<Vec<Option<JudgedMove>>>,
}

pub(crate) fn begin(values: &Values, _: &Pool) -> Result<Pieces, Fault> {
    let played = Played::read(values)?;
    played.require_move()?;
    let mut candidates = Vec::new();
    for word in values.words("candidates") {
        let mv = read_move(played.board(), word).map_err(|error| Fault::new("candidates", error))?;
        if candidates.contains(&mv) {
            return Err(Fault::new("candidates", format_args!("{} is there twice", played.board().san(mv))));
        }
        candidates.push(mv);
    }
    if !COUNT.contains(&candidates.len()) {
        return Err(Fault::new("candidates", "must be two to eight moves"));
    }
    let nodes = values.count("nodes", DEFAULT_NODES);
    let size = played.moves.len() * 8;
    let found = Mutex::new(candidates.iter().map(|_| None).collect());
    let comparison = Arc::new(Comparison { played, found });
    let pieces = candidates.into_iter().enumerate().map(|(index, mv)| comparison.piece(index, mv, nodes));
    Ok(Pieces { all: pieces.collect(), size })
}

impl Comparison {
    fn piece(self: &Arc<Self>, index: usize, mv: Move, nodes: u64) -> Piece {
        let this = Arc::clone(self);
        Box::new(move |worker, call| {
            let game = judge(&this.played, mv, nodes, worker, call)?;
            let judged = JudgedMove::last_of(&game)?;
            let mut found = this.found.lock().unwrap_or_else(PoisonError::into_inner);
            found[index] = Some(judged);
            let done = found.iter().flatten().count();
            call.progress(done as f64, Some(found.len() as f64));
            (done == found.len()).then(|| Ok(this.reply(found.drain(..).flatten().collect())))
        })
    }

    fn reply(&self, mut found: Vec<JudgedMove>) -> Reply {
        let mover = self.played.board().turn();
        let worth = |judged: &JudgedMove| {
            let white = judged.after.map_or(0.5, |score| score.points);
            if mover == Color::White { white } else { 1.0 - white }
        };
        // Mates are worth the same points, however long they take.
        let order = |judged: &JudgedMove| judged.after.and_then(|score| score.mate).map_or(i32::MAX, i32::abs);
        found.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| mate_order(worth(a), order(a), order(b))));
        let best = found.first().map_or(0.5, worth);
        let rounded = |points: f64| (points * 10_000.0).round() / 10_000.0;
        let compare = |(index, judged)| {
            let difference = rounded(best - worth(&judged));
            ComparedMove { rank: index + 1, difference, judged }
        };
        let moves: Vec<_> = found.into_iter().enumerate().map(compare).collect();
        let result = CompareResult {
            fen: self.played.fen(),
            turn: self.played.turn(),
            best: moves.first().map(|first| first.judged.san.clone()).unwrap_or_default(),
            is_close: moves.get(1).is_some_and(|second| second.difference < EQUAL),
            moves,
        };
        Reply { text: self.in_words(&result), data: object(&result) }
    }

    fn in_words(&self, result: &CompareResult) -> String {
        let numbered = |san: &String| number_moves(self.played.board(), [san]);
        let mut lines = vec![match result.moves.get(1).filter(|_| result.is_close) {
            Some(second) => format!("{} and {} are about as good as each other.", result.best, second.judged.san),
            None => format!("{} is the best of these.", numbered(&result.best)),
        }];
        for ComparedMove { difference, judged, .. } in &result.moves {
            let behind = if *difference > 0.0 { format!(", {difference:.2} points less") } else { String::new() };
            lines.push(format!("{}{behind}: {}", numbered(&judged.san), judged.label.unwrap_or("not judged")));
            lines.extend(judged.reasons.iter().map(|reason| format!("  {}", reason.text)));
        }
        lines.join("\n")
    }
}

/// A short mate before a long one if it is won, and the other way round if it is lost.
fn mate_order(worth: f64, a: i32, b: i32) -> std::cmp::Ordering {
    if worth >= 0.5 { a.cmp(&b) } else { b.cmp(&a) }
}
