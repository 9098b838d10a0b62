//! What programs write into comments for other programs: `[%clk 0:05:00]`, `[%emt 0:00:03]`, `[%eval 0.31,12]`.

use std::fmt::{self, Write};
use std::time::Duration;

use formats::Evaluation;

use crate::tree::Node;

/// Moves the commands known here from the comment of a node to their fields, when all of it has been read: they are
/// found in the text as it will be written, so that it reads back the same.
pub(super) fn take_commands(node: &mut Node) {
    if !node.comment.contains("[%") {
        return;
    }
    let text = std::mem::take(&mut node.comment);
    let mut rest = String::new();
    let mut ahead = &text[..];
    while let Some(start) = ahead.find("[%") {
        let (before, command) = ahead.split_at(start);
        rest.push_str(before);
        let Some(end) = command.find(']') else {
            ahead = command;
            break;
        };
        let (inside, after) = (&command[2..end], &command[end + 1..]);
        // What stood around a command must not become one.
        rest.push_str(if take_command(node, inside) { " " } else { &command[..=end] });
        ahead = after;
    }
    rest.push_str(ahead);
    append(&mut node.comment, &rest);
}

/// Adds text to a comment, with single spaces, also for control characters, and without what would end it in a file.
pub(super) fn append(comment: &mut String, text: &str) {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.extend(word.chars().map(|letter| if letter == '}' { ')' } else { letter }));
    }
}

fn take_command(node: &mut Node, inside: &str) -> bool {
    let (name, value) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    match name {
        "clk" => take(&mut node.clock, read_time(value)),
        "emt" => take(&mut node.elapsed, read_time(value)),
        "eval" => take(&mut node.evaluation, Evaluation::from_text(value)),
        _ => false,
    }
}

/// Fills an empty field; a second value stays in the text.
fn take<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let fits = field.is_none() && value.is_some();
    if fits {
        *field = value;
    }
    fits
}

/// `1:02:03`, `0:00:03.25`, to the millisecond; hours and minutes may be missing.
fn read_time(text: &str) -> Option<Duration> {
    let (whole, decimals) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    if decimals.is_empty() || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let millis = decimals.bytes().chain(std::iter::repeat(b'0')).take(3);
    let millis = millis.fold(0, |sum, digit| 10 * sum + u64::from(digit - b'0'));
    let mut seconds = 0_u64;
    let parts: Vec<_> = whole.splitn(4, ':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        let part: u32 = part.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(part.into())?;
    }
    Some(Duration::from_millis(seconds.checked_mul(1000)?.checked_add(millis)?))
}

/// A time with the decimals it needs, to the millisecond: `0:00:03.25`.
struct Time(Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => write!(f, ".{}", format!("{millis:03}").trim_end_matches('0')),
        }
    }
}

/// The whole comment of a node as a file has it, empty if there is none.
pub(super) fn written(node: &Node) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if let Some(evaluation) = node.evaluation {
        let _ = write!(text, "[%eval {evaluation}] ");
    }
    if let Some(clock) = node.clock {
        let _ = write!(text, "[%clk {}] ", Time(clock));
    }
    if let Some(elapsed) = node.elapsed {
        let _ = write!(text, "[%emt {}] ", Time(elapsed));
    }
    let mut comment = String::new();
    append(&mut comment, &node.comment);
    text.push_str(&comment);
    text.truncate(text.trim_end().len());
    text
}
