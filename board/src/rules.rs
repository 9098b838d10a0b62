//! The rules of chess as the page asks for them: one request in a line of JSON, one answer.
//!
//! A request has an `id`, which its answer repeats, and says in `do` what it asks for: `Request`. The answer has what was
//! asked for in `ok`, or in `error` why there is none. Nothing is kept from one request to the next.
//!
//! ```
//! let answer = board::rules::answer(r#"{"id": 7, "do": "read", "moves": ["e2e4"], "text": "Nf6"}"#);
//! assert_eq!(answer, r#"{"id":7,"ok":{"uci":"g8f6"}}"#);
//! ```

mod error;
mod file;
mod line;
mod position;
mod record;
mod setup;
mod spoken;

use serde::{Deserialize, Serialize};

pub use self::error::RulesError;
use self::line::Line;
use self::record::PgnRecord;

/// What a request that cannot be read may still say.
#[derive(Deserialize)]
struct Name {
    #[serde(default)]
    id: u64,
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: u64,
    #[serde(flatten)]
    request: Request,
}

/// What the page may ask for.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
enum Request {
    /// The position after some moves, and what can be done in it.
    Position(position::Request),
    /// The move that a text means, in SAN or in coordinates.
    Read {
        #[serde(flatten)]
        line: Line,
        text: String,
    },
    /// Lines of an engine as people write them.
    Lines {
        #[serde(flatten)]
        line: Line,
        lines: Vec<Vec<String>>,
    },
    /// Whether a FEN is a legal position.
    Setup { fen: String },
    /// A start position of Chess960, by its number from 0 to 959.
    Chess960 { number: u16 },
    /// The text of a file, which may be compressed: its name and its bytes in base64.
    Unpack {
        #[serde(default)]
        name: String,
        data: String,
    },
    /// What a PGN text holds, and one of its games in full.
    ReadPgn {
        text: String,
        #[serde(default)]
        game: usize,
    },
    /// Text that was pasted, as PGN: games, positions, addresses of positions.
    Paste { text: String },
    /// A game as PGN.
    WritePgn(PgnRecord),
}

#[derive(Serialize)]
struct Answer<T> {
    id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Answers a request.
#[must_use]
pub fn answer(request: &str) -> String {
    let envelope = match serde_json::from_str::<Envelope>(request) {
        Ok(envelope) => envelope,
        Err(error) => {
            let id = serde_json::from_str::<Name>(request).map_or(0, |name| name.id);
            return refusal(id, &error.into());
        }
    };
    let Envelope { id, request } = envelope;
    let result = match request {
        Request::Position(request) => position::look(&request).and_then(|ok| accepted(id, ok)),
        Request::Read { line, text } => line.read(&text).and_then(|ok| accepted(id, ok)),
        Request::Lines { line, lines } => line.show(&lines).and_then(|ok| accepted(id, ok)),
        Request::Setup { fen } => setup::check(&fen).and_then(|ok| accepted(id, ok)),
        Request::Chess960 { number } => setup::chess960(number).and_then(|ok| accepted(id, ok)),
        Request::Unpack { name, data } => file::unpack(&name, &data).and_then(|ok| accepted(id, ok)),
        Request::ReadPgn { text, game } => record::read(&text, game).and_then(|ok| accepted(id, ok)),
        Request::Paste { text } => accepted(id, crate::paste::read_pasted(&text)),
        Request::WritePgn(record) => record.write().and_then(|ok| accepted(id, ok)),
    };
    result.unwrap_or_else(|error| refusal(id, &error))
}

fn accepted<T: Serialize>(id: u64, ok: T) -> Result<String, RulesError> {
    Ok(serde_json::to_string(&Answer { id, ok: Some(ok), error: None })?)
}

fn refusal(id: u64, error: &RulesError) -> String {
    let answer = Answer::<()> { id, ok: None, error: Some(error.to_string()) };
    // Two plain values can always be written.
    serde_json::to_string(&answer).unwrap_or_default()
}

#[cfg(test)]
mod tests;
