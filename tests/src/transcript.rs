//! Recorded conversations between a client and an engine, to be replayed.
//!
//! ```text
//! == A name
//! # A comment.
//! > go depth 1
//! < info depth 1 * score cp * pv *
//! < bestmove *
//! ! *lowerbound*
//! ```
//!
//! `==` begins a conversation with a new engine. `>` is a line sent to it, with `\t`, `\r`, `\0`, `\\`, `\xE9` for any
//! byte and `{1000:text}` for repeated text. `<` is a line that must come, where `*` stands for any text. In between,
//! lines may come that a client merely takes note of: those that begin with `info depth`, `id` or `option`; all others
//! must be there, and at the end nothing else may come. `...` allows for any lines before the next one. `!` is a pattern
//! that none of the lines since the last `>` may match.
//! `~ wait 50` gives the engine this many milliseconds to be wrong in, and `~ close` ends its input.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// An engine to talk to.
pub trait Talk {
    /// Sends bytes as they are. Errors are ignored: if the engine is gone, the next line is missing.
    fn send(&mut self, bytes: &[u8]);
    /// The next line, or `None` at the end of the output.
    fn next_line(&mut self) -> Option<String>;
    /// Ends the engine's input.
    fn close(&mut self);
}

/// One conversation.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// What it shows.
    pub name: String,
    /// The file and the line where it begins, as a message shows them.
    pub place: String,
    steps: Vec<(usize, Step)>,
}

#[derive(Clone, Debug)]
enum Step {
    Send(Vec<u8>),
    Expect(String),
    /// Anything may come before what is expected next.
    Skip,
    Deny(String),
    Wait(Duration),
    Close,
}

/// All conversations of the files in `tests/transcripts`.
///
/// # Panics
///
/// If a file cannot be read, or holds a line that means nothing.
#[must_use]
pub fn conversations() -> Vec<Conversation> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
    paths.sort_unstable();
    let files = paths.iter().map(|path| {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        parse(&path.file_name().unwrap_or_default().to_string_lossy(), &text)
    });
    files.flatten().collect()
}

fn parse(file: &str, text: &str) -> Vec<Conversation> {
    let mut conversations: Vec<Conversation> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{file}:{number}");
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let step = match mark {
            "" | "#" => continue,
            "==" => {
                conversations.push(Conversation { name: rest.to_owned(), place, steps: Vec::new() });
                continue;
            }
            ">" => Step::Send(unescape(rest, &place)),
            "..." => Step::Skip,
            "<" => Step::Expect(rest.to_owned()),
            "!" => Step::Deny(rest.to_owned()),
            "~" => match rest.split_once(' ').unwrap_or((rest, "")) {
                ("close", "") => Step::Close,
                ("wait", millis) => Step::Wait(Duration::from_millis(millis.parse().expect(&place))),
                _ => panic!("{place}: {line:?} means nothing"),
            },
            _ => panic!("{place}: {line:?} means nothing"),
        };
        conversations.last_mut().unwrap_or_else(|| panic!("{place}: no conversation")).steps.push((number, step));
    }
    conversations
}

/// The bytes that a line stands for.
fn unescape(text: &str, place: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'\\', [letter, after @ ..]) => {
                rest = after;
                match letter {
                    b't' => bytes.push(b'\t'),
                    b'r' => bytes.push(b'\r'),
                    b'0' => bytes.push(0),
                    b'\\' => bytes.push(b'\\'),
                    b'x' => {
                        let digits = std::str::from_utf8(&after[..2]).expect(place);
                        bytes.push(u8::from_str_radix(digits, 16).expect(place));
                        rest = &after[2..];
                    }
                    _ => panic!("{place}: unknown escape"),
                }
            }
            (b'{', _) => {
                let end = after.iter().position(|&byte| byte == b'}').expect(place);
                let inner = std::str::from_utf8(&after[..end]).expect(place);
                let (count, repeated) = inner.split_once(':').expect(place);
                bytes.extend(repeated.repeat(count.parse().expect(place)).into_bytes());
                rest = &after[end + 1..];
            }
            _ => bytes.push(*first),
        }
    }
    bytes.push(b'\n');
    bytes
}

/// Whether a line is one that a client merely takes note of.
fn is_note(line: &str) -> bool {
    ["info depth ", "id ", "option "].iter().any(|start| line.starts_with(start))
}

/// Whether a text looks like a pattern in which `*` stands for anything.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    (0..=text.len()).filter(|&index| text.is_char_boundary(index)).any(|index| matches(rest, &text[index..]))
}

impl Conversation {
    /// Plays the client's part.
    ///
    /// # Panics
    ///
    /// If the engine says anything but what is written down.
    pub fn replay(&self, engine: &mut impl Talk) {
        let mut heard: Vec<String> = Vec::new();
        let mut since = 0;
        let mut is_open = true;
        let mut skips = false;
        let fail = |number: usize, heard: &[String], reason: &str| -> ! {
            let file = self.place.split(':').next().unwrap_or_default();
            panic!("{file}:{number}: {}: {reason}; heard:\n{}", self.name, heard.join("\n"))
        };
        let quit = [(0, Step::Send(b"isready\n".to_vec())), (0, Step::Expect("readyok".to_owned()))];
        let ends = self.steps.iter().any(|(_, step)| match step {
            Step::Close => true,
            Step::Send(line) => line.trim_ascii() == b"quit",
            _ => false,
        });
        for (number, step) in self.steps.iter().chain(quit.iter().filter(|_| !ends)) {
            match step {
                Step::Send(line) => {
                    since = heard.len();
                    engine.send(line);
                }
                Step::Skip => skips = true,
                Step::Expect(pattern) => loop {
                    let Some(line) = engine.next_line() else { fail(*number, &heard, &format!("no {pattern:?}")) };
                    heard.push(line);
                    let line = &heard[heard.len() - 1];
                    if matches(pattern, line) {
                        skips = false;
                        break;
                    }
                    if !skips && !is_note(line) {
                        fail(*number, &heard, &format!("not {pattern:?}"));
                    }
                },
                Step::Deny(pattern) => {
                    if heard[since..].iter().any(|line| matches(pattern, line)) {
                        fail(*number, &heard, &format!("denied {pattern:?}"));
                    }
                }
                Step::Wait(time) => thread::sleep(*time),
                Step::Close => {
                    is_open = false;
                    engine.close();
                }
            }
        }
        if is_open && !ends {
            engine.send(b"quit\n");
        }
        while let Some(line) = engine.next_line() {
            if !is_note(&line) {
                heard.push(line);
                fail(0, &heard, "more than expected");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers each line with the next of its own.
    struct Parrot(Vec<&'static str>, usize);

    impl Talk for Parrot {
        fn send(&mut self, _: &[u8]) {
            self.1 += 1;
        }
        fn next_line(&mut self) -> Option<String> {
            if self.0.is_empty() { None } else { Some(self.0.remove(0).to_owned()) }
        }
        fn close(&mut self) {}
    }

    fn replay(text: &str, answers: &[&'static str]) {
        let conversations = parse("test", text);
        assert_eq!(conversations.len(), 1);
        conversations[0].replay(&mut Parrot(answers.to_vec(), 0));
    }

    #[test]
    fn what_is_written_is_wanted() {
        let text = "== one\n# well\n\n> go\n< info depth 2 *\n< bestmove *\n! *lowerbound*\n";
        replay(text, &["info depth 1", "info depth 2 x", "info depth 3", "bestmove e2e4", "readyok"]);
    }

    #[test]
    #[should_panic(expected = "test:3: one: not \"bestmove *\"")]
    fn what_is_not_written_must_not_come() {
        replay("== one\n> go\n< bestmove *\n", &["info string odd", "bestmove e2e4", "readyok"]);
    }

    #[test]
    #[should_panic(expected = "no \"bestmove *\"")]
    fn what_is_written_must_come() {
        replay("== one\n> go\n< bestmove *\n", &["info depth 1"]);
    }

    #[test]
    #[should_panic(expected = "denied")]
    fn what_is_denied_must_not_have_come() {
        replay("== one\n> go\n< bestmove *\n! *wdl*\n", &["info depth 1 wdl", "bestmove e2e4", "readyok"]);
    }

    #[test]
    #[should_panic(expected = "more than expected")]
    fn nothing_comes_afterwards() {
        replay("== one\n> go\n< bestmove *\n", &["bestmove e2e4", "readyok", "bestmove e2e4"]);
    }

    #[test]
    fn lines_hold_any_bytes() {
        assert_eq!(unescape("a\\t\\xE9{3:xy }\\\\\\0\\r", ""), b"a\t\xE9xy xy xy \\\0\r\n");
    }

    #[test]
    fn patterns_stand_for_any_text() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "ac", true),
            ("a*c", "acd", false),
            ("*b*", "aébc", true),
            ("ab", "abc", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
