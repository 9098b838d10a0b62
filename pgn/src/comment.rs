//! What programs write into comments for other programs: `[%clk 0:05:00]`, `[%emt 0:00:03]`, `[%eval 0.31,12]`. Other
//! commands are part of the text.

use std::fmt::Write;

use formats::Evaluation;

use crate::invisible::is_blank;
use crate::time::{Time, read_time, unusual};
use crate::tree::Node;

/// Adds what a comment says to a node: commands known here to its fields, all else to its text. `false` if it has a
/// command that is not complete, and could be with the next comment: then all of it is added as text, for
/// [`take_commands`].
pub(super) fn add(node: &mut Node, text: &str) -> bool {
    // From here on the text has not been added; from there on it has not been looked at.
    let (mut from, mut ahead) = (0, 0);
    while let Some(start) = find_command(&text[ahead..]) {
        let start = ahead + start;
        let Some(length) = memchr::memchr(b']', &text.as_bytes()[start..]) else {
            append(&mut node.comment, &text[from..]);
            return false;
        };
        ahead = start + length + 1;
        if take_command(node, &text[start + 2..ahead - 1]) {
            append(&mut node.comment, &text[from..start]);
            from = ahead;
        }
    }
    append(&mut node.comment, &text[from..]);
    true
}

fn find_command(text: &str) -> Option<usize> {
    memchr::memchr_iter(b'[', text.as_bytes()).find(|&at| text.as_bytes().get(at + 1) == Some(&b'%'))
}

/// Moves the commands known here from the comment of a node to their fields, when all of it has been read: they are
/// found in the text as it will be written, so that it reads back the same.
pub(super) fn take_commands(node: &mut Node) {
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
    let is_space = |letter: char| letter.is_ascii_whitespace() || letter.is_control();
    let words = text.split(is_space);
    for word in words.filter(|word| !word.is_empty()) {
        if !comment.is_empty() {
            comment.push(' ');
        }
        let mut parts = word.split('}');
        comment.push_str(parts.next().unwrap_or_default());
        for part in parts {
            comment.push(')');
            comment.push_str(part);
        }
    }
}

fn take_command(node: &mut Node, inside: &str) -> bool {
    let (name, value) =
        inside.split_once(|letter: char| letter.is_whitespace() || letter.is_control()).unwrap_or((inside, ""));
    // As it will be written.
    let value = value.replace(char::is_control, " ");
    let value = value.trim_matches(is_blank);
    match name {
        "clk" if node.clock.is_none() => {
            node.clock = read_time(value);
            node.clock_text = node.clock.and_then(|time| unusual(value, time));
            node.clock.is_some()
        }
        "emt" if node.elapsed.is_none() => {
            node.elapsed = read_time(value);
            node.elapsed_text = node.elapsed.and_then(|time| unusual(value, time));
            node.elapsed.is_some()
        }
        "eval" if node.evaluation.is_none() => {
            node.evaluation = Evaluation::from_text(value);
            node.evaluation.is_some()
        }
        _ => false,
    }
}

/// The whole comment of a node as a file has it, empty if there is none.
pub(super) fn written(node: &Node) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if let Some(evaluation) = node.evaluation {
        let _ = write!(text, "[%eval {evaluation}] ");
    }
    for (name, time, as_read) in [("clk", node.clock, &node.clock_text), ("emt", node.elapsed, &node.elapsed_text)] {
        let _ = match (time, as_read) {
            (None, _) => Ok(()),
            (Some(_), Some(as_read)) => write!(text, "[%{name} {as_read}] "),
            (Some(time), None) => write!(text, "[%{name} {}] ", Time(time)),
        };
    }
    let mut comment = String::new();
    append(&mut comment, &node.comment);
    text.push_str(&comment);
    // Blanks of other kinds are part of the text.
    text.truncate(text.trim_end_matches(' ').len());
    text
}
