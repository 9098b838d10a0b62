//! `review_game`: a whole game, with the results that `vancura analyse` has for it.

use std::sync::{Arc, Mutex, PoisonError};

use analysis::model::{Game, Judgement, Move, Tally};
use analysis::review::{Review, Reviewed};
use analysis::rows::GameRow;
use movegen::Board;
use pgn::{PgnGame, PgnReader, number_moves};
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use serve::Fault;

use crate::call::{Piece, Pieces, Reply};
use crate::parameters::{Kind, Parameter, Values};
use crate::pool::Pool;
use crate::reply::object;
use crate::tools::explain_move::method;
use crate::tools::score::{LineResult, ReasonResult, ScoreResult, name_of};

/// Nodes for each position.
const DEFAULT_NODES: u64 = 50_000;
/// Half-moves of a game.
const MAX_PLIES: usize = 600;
/// Nodes for all positions together.
const MAX_NODES: u64 = 100_000_000;
/// Mistakes that are told of, the worst ones first if there are more.
const MAX_MISTAKES: usize = 60;
/// Characters of a tag, a remark or a finding.
const MAX_TEXT: usize = 200;
/// Remarks and findings that are told of.
const MAX_REMARKS: usize = 20;

pub(crate) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "pgn",
        kind: Kind::Text(500_000),
        is_required: true,
        description: "the game as PGN, or its moves alone, as 1. e4 e5 2. Nf3; up to 600 half-moves",
    },
    Parameter {
        name: "game",
        kind: Kind::Number(1..=10_000),
        is_required: false,
        description: "which of the games in the text, from 1; the first one if it is missing",
    },
    Parameter {
        name: "nodes",
        kind: Kind::Number(1..=1_000_000),
        is_required: false,
        description: "the most positions to visit for each position of the game; 50000 if it is missing",
    },
];

/// A game that was reviewed, with the names that tables have. What is unknown is null.
#[derive(Serialize, JsonSchema)]
#[expect(non_snake_case, reason = "the names of PGN, which tables have too")]
pub(crate) struct ReviewResult {
    /// What tells the game from all others.
    pub game_id: String,
    /// The tag.
    pub White: Option<String>,
    /// The tag.
    pub Black: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`, `0-0` if both lost, or `*`.
    pub Result: String,
    /// The code of the opening in the Encyclopaedia of Chess Openings.
    pub ECO: Option<String>,
    /// The name of the opening.
    pub Opening: Option<String>,
    /// How many moves there are, those of both sides counted.
    pub plies: u32,
    /// The most positions visited for each position.
    pub nodes: u64,
    /// How well White played, 0 to 100.
    pub white_accuracy: Option<f64>,
    /// How well Black played, 0 to 100.
    pub black_accuracy: Option<f64>,
    /// How well White played, 0 to 100, as Lichess counts it from centipawns.
    pub white_lichess_accuracy: Option<f64>,
    /// How well Black played, by the same.
    pub black_lichess_accuracy: Option<f64>,
    /// More of White.
    pub white: SideResult,
    /// More of Black.
    pub black: SideResult,
    /// All moves.
    pub moves: Vec<MoveResult>,
    /// Inaccuracies, mistakes and blunders in the order of the game; of more than 60 the worst.
    pub mistakes: Vec<MistakeResult>,
    /// What the laws of chess have to say: claims, dead positions, wrong results.
    pub findings: Vec<String>,
    /// What could not be read.
    pub remarks: Vec<String>,
}

/// How a side played. The average is null without a move that had an alternative.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SideResult {
    /// The mean loss in hundredths of a pawn.
    pub centipawn_loss: Option<f64>,
    /// How many moves were inaccuracies.
    pub inaccuracies: u32,
    /// How many were mistakes.
    pub mistakes: u32,
    /// How many were blunders.
    pub blunders: u32,
    /// How many moves have each label.
    pub labels: Map<String, Value>,
}

/// A move of the game, and the position after it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MoveResult {
    /// How many moves were made before it, those of both sides counted.
    pub ply: usize,
    /// In Standard Algebraic Notation.
    pub san: String,
    /// What the position after it is worth.
    pub after: Option<ScoreResult>,
    /// The points it throws away, 0 to 1.
    pub loss: Option<f64>,
    /// How good it is, 0 to 100.
    pub accuracy: Option<f64>,
    /// What kind of move it is, as `explain_move` has it.
    pub label: Option<&'static str>,
}

/// A move that threw points away.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MistakeResult {
    /// How many moves were made before it, those of both sides counted.
    pub ply: usize,
    /// With its number, as `12... Qxb2`.
    pub numbered: String,
    /// `inaccuracy`, `mistake` or `blunder`.
    pub judgement: String,
    /// The points it throws away, 0 to 1.
    pub loss: Option<f64>,
    /// The mover could mate in this many moves, and with this one no longer can.
    pub missed_mate: Option<u32>,
    /// The best line instead.
    pub better: Option<LineResult>,
    /// Why it is bad, as far as playing a line proves it; the weightiest first.
    pub reasons: Vec<ReasonResult>,
}

/// The game and what the pieces of the call have found of it.
struct Running {
    review: Review,
    nodes: u64,
    remarks: Vec<String>,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    pieces: Vec<Reviewed>,
    positions: usize,
}

pub(crate) fn begin(values: &Values, pool: &Pool) -> Result<Pieces, Fault> {
    let text = values.text("pgn");
    let game = read_game(text, values.count("game", 1))?;
    let remarks = game.remarks.iter().filter(|remark| remark.is_loss()).map(|remark| cut(remark.to_string()));
    let remarks = remarks.take(MAX_REMARKS).collect();
    let plies = game.tree.main_line().count();
    let nodes = values.count("nodes", DEFAULT_NODES);
    if plies > MAX_PLIES {
        return Err(Fault::new(
            "pgn",
            format_args!("the game has {plies} half-moves, and more than {MAX_PLIES} are too many"),
        ));
    }
    if nodes * (plies as u64 + 1) > MAX_NODES {
        let most = MAX_NODES / (plies as u64 + 1);
        return Err(Fault::new("nodes", format_args!("this game can have {most} at most")));
    }
    let method = method(nodes, 1, pool.hash_mib, pool.tablebase.clone());
    let review = Review::new(game, method);
    let running = Arc::new(Running { review, nodes, remarks, found: Mutex::default() });
    let pieces = running.review.pieces().map(|range| -> Piece {
        let this = Arc::clone(&running);
        Box::new(move |worker, call| {
            worker.rest();
            let length = range.len();
            let reviewed = this.review.search(range, &call.stop, |complaint| cli::tell(complaint));
            if !reviewed.is_complete() {
                return None;
            }
            let mut found = this.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.pieces.push(reviewed);
            found.positions += length;
            let all = this.review.positions();
            call.progress(found.positions as f64, Some(all as f64));
            (found.positions == all).then(|| Ok(this.reply(std::mem::take(&mut found.pieces))))
        })
    });
    Ok(Pieces { all: pieces.collect(), size: text.len() })
}

/// Text of the client, no longer than people write it.
fn cut(text: String) -> String {
    text.char_indices().nth(MAX_TEXT).map_or_else(|| text.clone(), |(end, _)| format!("{}...", &text[..end]))
}

/// A game of a text.
fn read_game(text: &str, number: u64) -> Result<PgnGame, Fault> {
    let mut count = 0;
    for game in PgnReader::new(text.as_bytes()) {
        count += 1;
        if count == number {
            return game.map_err(|error| Fault::new("pgn", error));
        }
    }
    Err(match count {
        0 => Fault::new("pgn", "there is no game in it"),
        1 => Fault::new("game", "there is 1 game only"),
        _ => Fault::new("game", format_args!("there are {count} games only")),
    })
}

impl Running {
    fn reply(&self, pieces: Vec<Reviewed>) -> Reply {
        let game = self.review.game(pieces);
        let row = GameRow::of(&game, None);
        let result = ReviewResult {
            game_id: row.game_id,
            White: row.White.map(cut),
            Black: row.Black.map(cut),
            Result: row.Result,
            ECO: row.ECO.map(cut),
            Opening: row.Opening.map(cut),
            plies: row.plies,
            nodes: self.nodes,
            white_accuracy: row.white_accuracy,
            black_accuracy: row.black_accuracy,
            white_lichess_accuracy: row.white_lichess_accuracy,
            black_lichess_accuracy: row.black_lichess_accuracy,
            white: side(&game.white.game),
            black: side(&game.black.game),
            moves: game.moves.iter().enumerate().map(|(index, mv)| move_result(&game, index, mv)).collect(),
            mistakes: mistakes(&game),
            findings: game.findings.iter().take(MAX_REMARKS).map(|finding| cut(finding.text.clone())).collect(),
            remarks: self.remarks.clone(),
        };
        Reply { text: in_words(&result), data: object(&result) }
    }
}

fn side(tally: &Tally) -> SideResult {
    let labels = match object(&tally.labels) {
        Value::Object(labels) => labels,
        _ => Map::new(),
    };
    let Tally { centipawn_loss, inaccuracies, mistakes, blunders, .. } = *tally;
    SideResult { centipawn_loss, inaccuracies, mistakes, blunders, labels }
}

fn move_result(game: &Game, index: usize, mv: &Move) -> MoveResult {
    let after = game.positions.get(index + 1).and_then(|position| position.analysis.as_ref());
    MoveResult {
        ply: index,
        san: mv.san.clone(),
        after: after.map(ScoreResult::of),
        loss: mv.loss,
        accuracy: mv.accuracy,
        label: mv.label.map(analysis::model::Label::name),
    }
}

fn mistakes(game: &Game) -> Vec<MistakeResult> {
    let judged = game.moves.iter().enumerate().filter_map(|(index, mv)| Some((index, mv, mv.judgement?)));
    let mut judged: Vec<(usize, &Move, Judgement)> = judged.collect();
    if judged.len() > MAX_MISTAKES {
        judged.sort_by(|(_, a, _), (_, b, _)| b.loss.unwrap_or_default().total_cmp(&a.loss.unwrap_or_default()));
        judged.truncate(MAX_MISTAKES);
        judged.sort_by_key(|(index, ..)| *index);
    }
    judged.into_iter().map(|(index, mv, judgement)| mistake(game, index, mv, judgement)).collect()
}

fn mistake(game: &Game, index: usize, mv: &Move, judgement: Judgement) -> MistakeResult {
    let before = game.positions.get(index);
    let board = before.and_then(|position| Board::from_fen(&position.fen).ok());
    let best = before.and_then(|position| position.analysis.as_ref()?.lines.first());
    MistakeResult {
        ply: index,
        numbered: board.map_or_else(|| mv.san.clone(), |board| number_moves(&board, [&mv.san])),
        judgement: name_of(&judgement),
        loss: mv.loss,
        missed_mate: mv.missed_mate,
        better: best.filter(|_| !mv.best).map(LineResult::of),
        reasons: mv.reasons.iter().map(ReasonResult::of).collect(),
    }
}

fn in_words(result: &ReviewResult) -> String {
    let mut lines = vec![format!("{}, {}.", cli::counted(result.plies.div_ceil(2) as usize, "move"), result.Result)];
    lines.extend(result.Opening.iter().map(|opening| format!("Opening: {opening}.")));
    for (name, side, accuracy, tally) in [
        (&result.White, "White", result.white_accuracy, &result.white),
        (&result.Black, "Black", result.black_accuracy, &result.black),
    ] {
        let name = name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
        let accuracy = accuracy.map_or_else(String::new, |accuracy| format!("accuracy {accuracy:.1}, "));
        let count = |count: u32, noun| cli::counted(count as usize, noun);
        let (blunders, mistakes) = (count(tally.blunders, "blunder"), count(tally.mistakes, "mistake"));
        lines.push(format!("{side}{name}: {accuracy}{blunders}, {mistakes}."));
    }
    for mistake in result.mistakes.iter().filter(|mistake| mistake.judgement != "inaccuracy").take(10) {
        let better = mistake.better.as_ref().and_then(|line| line.san.first());
        let better = better.map_or_else(String::new, |san| format!("; better is {san}"));
        let why = mistake.reasons.first().map_or_else(|| ".".to_owned(), |reason| format!(". {}", reason.text));
        lines.push(format!("{}: {}{better}{why}", mistake.numbered, mistake.judgement));
    }
    lines.extend(result.findings.iter().cloned());
    lines.join("\n")
}
