//! Queries: what is asked for, checked.

use std::collections::BTreeSet;
use std::time::Duration;

use movegen::{Board, CastlingStyle, Move, MoveList, Position};
use pgn::Epd;
use search::Limits;
use serde_json::Value;

use crate::fields::{Fault, Fields};
use crate::task::Task;

/// All fields of a query, for the documents to be compared with.
#[cfg(test)]
pub(crate) const FIELDS: [&str; 16] = [
    "id",
    "action",
    "target",
    "position",
    "moves",
    "turns",
    "chess960",
    "nodes",
    "depth",
    "time",
    "multipv",
    "contempt",
    "priority",
    "report_every",
    "allow_moves",
    "avoid_moves",
];

/// Nodes for each position if there is no other limit.
const DEFAULT_NODES: u64 = 200_000;
/// The most moves of a game: more than the seventy-five-move rule lets any have.
const MAX_MOVES: usize = 20_000;
/// In bytes; all FENs are shorter.
const MAX_POSITION: usize = 1_000;
/// In bytes.
const MAX_ID: usize = 1_000;
/// In plies.
const MAX_DEPTH: i64 = 245;
/// In seconds: a day.
const MAX_TIME: f64 = 86_400.0;

/// What a line asks for.
pub(crate) enum Command {
    /// To analyse positions.
    Query(Box<Query>),
    /// To end queries: one of this id, or all.
    Cancel { id: Value, target: Option<Value> },
    /// Who is there.
    Version { id: Value },
}

/// Positions of a game, to be analysed.
pub(crate) struct Query {
    /// What the client calls it: a string or a whole number.
    pub id: Value,
    start: Position,
    moves: Vec<Move>,
    /// How castling is written.
    pub style: CastlingStyle,
    /// After how many moves to analyse, each once and in order.
    pub turns: Vec<usize>,
    limits: Limits,
    /// How many lines to find.
    pub multi_pv: usize,
    /// In centipawns.
    pub contempt: i32,
    /// Greater ones first.
    pub priority: i64,
    /// How often to tell what was found so far.
    pub report_every: Option<Duration>,
    choice: Choice,
}

/// Which root moves to search.
enum Choice {
    All,
    Only(Vec<String>),
    Without(Vec<String>),
}

impl Command {
    /// Reads a line; with the id, if there is one that can be read, so that a fault can be told of it.
    pub fn parse(line: &str) -> (Option<Value>, Result<Self, Fault>) {
        let mut fields = match Fields::parse(line) {
            Ok(fields) => fields,
            Err(fault) => return (None, Err(fault)),
        };
        match id(&mut fields, "id") {
            Ok(Some(id)) => (Some(id.clone()), Self::of(id, fields)),
            Ok(None) => (None, Err(Fault::new("id", "is missing"))),
            Err(fault) => (None, Err(fault)),
        }
    }

    fn of(id_of_it: Value, mut fields: Fields) -> Result<Self, Fault> {
        let command = match fields.text("action", MAX_ID)?.as_deref() {
            None | Some("analyse") => return Query::of(id_of_it, fields).map(|query| Self::Query(Box::new(query))),
            Some("cancel") => Self::Cancel { id: id_of_it, target: id(&mut fields, "target")? },
            Some("version") => Self::Version { id: id_of_it },
            Some(_) => return Err(Fault::new("action", "must be analyse, cancel or version")),
        };
        fields.end()?;
        Ok(command)
    }
}

fn id(fields: &mut Fields, field: &str) -> Result<Option<Value>, Fault> {
    match fields.take(field) {
        None => Ok(None),
        Some(Value::String(text)) if text.len() > MAX_ID => {
            Err(Fault::new(field, format_args!("longer than {MAX_ID} bytes")))
        }
        Some(value) if value.is_string() || value.is_i64() || value.is_u64() => Ok(Some(value)),
        Some(_) => Err(Fault::new(field, "must be a string or a whole number")),
    }
}

impl Query {
    fn of(id: Value, mut fields: Fields) -> Result<Self, Fault> {
        let text = fields.text("position", MAX_POSITION)?.ok_or_else(|| Fault::new("position", "is missing"))?;
        let start = read_position(&text)?;
        let words = fields.words("moves")?;
        let (moves, boards) = played(&start, &words)?;
        let turns = turns(&mut fields, moves.len())?;
        let is_chess960 = fields.flag("chess960")? || start.board().is_chess960();
        let style = if is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let query = Self {
            id,
            limits: limits(&mut fields)?,
            multi_pv: fields.number("multipv", 1..=256)?.unwrap_or(1) as usize,
            contempt: fields.number("contempt", -100..=100)?.unwrap_or(0) as i32,
            priority: fields.number("priority", i64::MIN..=i64::MAX)?.unwrap_or(0),
            report_every: fields.real("report_every", 0.01..=MAX_TIME)?.map(Duration::from_secs_f64),
            choice: choice(&mut fields)?,
            start,
            moves,
            style,
            turns,
        };
        for &turn in &query.turns {
            query.choice.root_moves(&boards[turn])?;
        }
        fields.end()?;
        Ok(query)
    }

    /// The position after this many moves, with the game before it, and how to search it.
    pub fn at(&self, turn: usize) -> Task {
        let mut position = self.start.clone();
        self.moves[..turn].iter().for_each(|&mv| position.play(mv));
        // It was looked at when the query came.
        let search_moves = self.choice.root_moves(position.board()).unwrap_or_default();
        let limits = Limits { search_moves, ..self.limits.clone() };
        Task { position, limits, multi_pv: self.multi_pv, contempt: self.contempt, style: self.style }
    }

    /// What it takes to keep it, in bytes, about.
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.moves.len() * size_of::<Move>() + self.turns.len() * size_of::<usize>()
    }
}

/// A FEN, a line of EPD, or `startpos`.
///
/// # Errors
///
/// If it is none of these, or no legal position.
pub fn read_position(text: &str) -> Result<Position, Fault> {
    if text.trim() == "startpos" {
        return Ok(Position::start());
    }
    match Epd::parse(text) {
        Some(Ok(epd)) => Ok(Position::from(epd.board)),
        Some(Err(error)) => Err(Fault::new("position", error)),
        None => Err(Fault::new("position", "is empty")),
    }
}

/// The moves of these words, and the boards before and after each.
fn played(start: &Position, words: &[String]) -> Result<(Vec<Move>, Vec<Board>), Fault> {
    if words.len() > MAX_MOVES {
        return Err(Fault::new("moves", format_args!("more than {MAX_MOVES} moves")));
    }
    let mut boards = vec![*start.board()];
    let mut moves = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let board = boards[index];
        let mv = board.parse_uci(word);
        let mv = mv.map_err(|error| Fault::new("moves", format_args!("move {}: {error}", index + 1)))?;
        moves.push(mv);
        boards.push(board.after(mv));
    }
    Ok((moves, boards))
}

fn turns(fields: &mut Fields, last: usize) -> Result<Vec<usize>, Fault> {
    let wrong = || Fault::new("turns", format_args!("must be a list of whole numbers from 0 to {last}, or all"));
    match fields.take("turns") {
        None => Ok(vec![last]),
        Some(Value::String(word)) if word == "all" => Ok((0..=last).collect()),
        Some(Value::Array(values)) if !values.is_empty() => {
            let turn =
                |value: Value| value.as_u64().and_then(|turn| usize::try_from(turn).ok()).filter(|&turn| turn <= last);
            let turns = values.into_iter().map(turn).collect::<Option<BTreeSet<_>>>();
            turns.map(|turns| turns.into_iter().collect()).ok_or_else(wrong)
        }
        Some(_) => Err(wrong()),
    }
}

fn limits(fields: &mut Fields) -> Result<Limits, Fault> {
    let nodes = fields.number("nodes", 1..=i64::MAX)?.map(i64::cast_unsigned);
    let depth = fields.number("depth", 1..=MAX_DEPTH)?.map(|depth| depth as i32);
    let move_time = fields.real("time", 0.001..=MAX_TIME)?.map(Duration::from_secs_f64);
    let is_limited = depth.is_some() || move_time.is_some();
    let nodes = nodes.or((!is_limited).then_some(DEFAULT_NODES));
    Ok(Limits { nodes, depth, move_time, ..Limits::default() })
}

fn choice(fields: &mut Fields) -> Result<Choice, Fault> {
    let (allowed, avoided) = (fields.words("allow_moves")?, fields.words("avoid_moves")?);
    match (allowed.is_empty(), avoided.is_empty()) {
        (true, true) => Ok(Choice::All),
        (false, true) => Ok(Choice::Only(allowed)),
        (true, false) => Ok(Choice::Without(avoided)),
        (false, false) => Err(Fault::new("avoid_moves", "cannot be together with allow_moves")),
    }
}

impl Choice {
    /// The moves to search; empty for all.
    fn root_moves(&self, board: &Board) -> Result<MoveList, Fault> {
        let read = |field, words: &[String]| {
            let read = |word: &String| board.parse_uci(word).map_err(|error| Fault::new(field, error));
            words.iter().map(read).collect::<Result<Vec<_>, _>>()
        };
        let legal = board.legal_moves();
        let mut moves = MoveList::new();
        match self {
            Self::All => {}
            Self::Only(words) => {
                let allowed = read("allow_moves", words)?;
                legal.iter().filter(|mv| allowed.contains(mv)).for_each(|&mv| moves.push(mv));
            }
            Self::Without(words) => {
                let avoided = read("avoid_moves", words)?;
                legal.iter().filter(|mv| !avoided.contains(mv)).for_each(|&mv| moves.push(mv));
                if moves.is_empty() {
                    return Err(Fault::new("avoid_moves", "leaves no move"));
                }
            }
        }
        Ok(moves)
    }
}
