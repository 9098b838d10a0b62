//! `mate`: is there a mate in so many moves?

use std::time::Duration;

use movegen::Color;
use pgn::numbered_line;
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use search::{FoundMate, Limits, MateAnswer};
use serde::Serialize;
use serve::Fault;

use crate::call::{Piece, Pieces, Reply};
use crate::is_raised;
use crate::parameters::{Kind, MOVES, POSITION, Parameter, Values};
use crate::pool::Pool;
use crate::reply::object;
use crate::tools::played::Played;

const DEFAULT_NODES: u64 = 5_000_000;
/// Whatever is asked for.
const MAX_TIME: Duration = Duration::from_secs(60);

pub(crate) const PARAMETERS: &[Parameter] = &[
    POSITION,
    MOVES,
    Parameter {
        name: "mate_in",
        kind: Kind::Number(-(FoundMate::MAX_MOVES as i64)..=FoundMate::MAX_MOVES as i64),
        is_required: true,
        description: "in how many moves at most the side to move mates; negative to ask whether it is mated itself; not 0",
    },
    Parameter {
        name: "nodes",
        kind: Kind::Number(1..=50_000_000),
        is_required: false,
        description: "the most positions to visit; 5000000 if it is missing",
    },
];

/// Whether there is the mate.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MateResult {
    /// The position.
    pub fen: String,
    /// The side to move: `white` or `black`.
    pub turn: &'static str,
    /// As asked for.
    pub mate_in: i64,
    /// `yes`, `no` if that is proved, or `unknown` if the search was not long enough.
    pub answer: &'static str,
    /// The mate that was found, which may be a longer one than asked for: in how many moves, negative if White is mated.
    pub mate: Option<i32>,
    /// The line to it in UCI's notation, which may end before the mate.
    pub moves: Vec<String>,
    /// The same in Standard Algebraic Notation.
    pub san: Vec<String>,
    /// Positions visited.
    pub nodes: u64,
}

pub(crate) fn begin(values: &Values, _: &Pool) -> Result<Pieces, Fault> {
    let played = Played::read(values)?;
    played.require_move()?;
    let wanted = values.number("mate_in").and_then(|number| i32::try_from(number).ok()).unwrap_or_default();
    if wanted == 0 {
        return Err(Fault::new("mate_in", "must not be 0"));
    }
    let nodes = values.count("nodes", DEFAULT_NODES);
    let limits = Limits { nodes: Some(nodes), move_time: Some(MAX_TIME), ..Limits::default() };
    let piece: Piece = Box::new(move |worker, call| {
        let answer = worker.searcher().find_mate(played.board(), wanted, &limits, &call.stop);
        (!is_raised(&call.stop)).then(|| Ok(reply(&played, wanted, answer)))
    });
    Ok(Pieces::one(piece, 0))
}

fn reply(played: &Played, wanted: i32, answer: MateAnswer) -> Reply {
    let word = match (answer.is_found(wanted), answer.is_denied) {
        (true, _) => "yes",
        (false, true) => "no",
        (false, false) => "unknown",
    };
    let mut board = *played.board();
    let line = answer.mate.as_ref().map_or(&[][..], |mate| &mate.line);
    let write = |&mv: &movegen::Move| {
        let texts = (mv.uci(played.style()).to_string(), board.san(mv));
        board.play(mv, &mut ());
        texts
    };
    let (moves, san) = line.iter().map(write).unzip();
    let text = match (&answer.mate, word) {
        (Some(mate), "yes") => format!("Yes, {}: {}", FoundMate::name(mate.moves), numbered_line(played.board(), line)),
        (Some(mate), "no") => format!(
            "No {}, but {}: {}",
            FoundMate::name(wanted),
            FoundMate::name(mate.moves),
            numbered_line(played.board(), line)
        ),
        (_, "no") => format!("No {}: that is proved.", FoundMate::name(wanted)),
        _ => format!("No {} was found; that is no proof.", FoundMate::name(wanted)),
    };
    let for_white = |mate: &FoundMate| if played.board().turn() == Color::White { mate.moves } else { -mate.moves };
    let result = MateResult {
        fen: played.fen(),
        turn: played.turn(),
        mate_in: wanted.into(),
        answer: word,
        mate: answer.mate.as_ref().map(for_white),
        moves,
        san,
        nodes: answer.nodes,
    };
    Reply { text, data: object(&result) }
}
