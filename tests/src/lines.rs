//! Which lines a session may be given in a test, and what they ask for.

use std::path::Path;
use std::time::Duration;

use movegen::Color;
use search::Limits;
use uci::{Command, Value};

/// What a line adds to the count of answers to `go`; none if it would only cost time, or touch files.
#[must_use]
pub fn searches(line: &[u8]) -> Option<u64> {
    let text = pgn::decode(line);
    match Command::parse(&text).command {
        Some(Command::Bench(_) | Command::SpeedTest(_) | Command::ExportNet(_)) => None,
        Some(Command::Perft(depth)) if depth > 2 => None,
        Some(Command::GenFens(wanted)) if wanted.count > 1 || wanted.book.is_some() => None,
        Some(Command::SetOption(setting)) => match (setting.name(), setting.value()) {
            ("Hash" | "Threads", Value::Number(number)) if number > 3 => None,
            ("Debug Log File", Value::Path(Some(_))) => None,
            // A device may have no end.
            ("BookFile" | "EvalFile", Value::Path(Some(path))) if Path::new(path).exists() => None,
            _ => Some(0),
        },
        Some(Command::Go(go)) => match go.perft {
            Some(depth) if depth > 2 => None,
            Some(_) => Some(0),
            None if takes_long(&go.limits) => None,
            None => Some(1),
        },
        _ => Some(0),
    }
}

/// Whether a search within these limits may keep those after it waiting; one without limits ends with the input.
fn takes_long(limits: &Limits) -> bool {
    let is_long = |time: Option<Duration>| time.is_some_and(|time| time > Duration::from_secs(1));
    limits.nodes.is_some_and(|nodes| nodes > 20_000)
        || limits.depth.is_some_and(|depth| depth > 6)
        || limits.mate.is_some_and(|moves| moves.abs() > 2)
        || is_long(limits.move_time)
        || Color::ALL
            .into_iter()
            .any(|color| is_long(limits.remaining[color]) || is_long(Some(limits.increment[color])))
}

/// Whether nothing is read beyond a line.
#[must_use]
pub fn is_quit(line: &[u8]) -> bool {
    matches!(Command::parse(&pgn::decode(line)).command, Some(Command::Quit))
}
