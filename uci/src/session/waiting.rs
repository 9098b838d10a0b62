//! Lines that wait for the end of a search.

use std::collections::VecDeque;

use platform::has_room;

use crate::command::{Command, Parsed};

/// Lines in the order in which they came.
#[derive(Default)]
pub(super) struct Waiting {
    lines: VecDeque<String>,
    /// What they take, in bytes.
    size: usize,
    /// Whether the newest search among them goes on until a `stop`, or a `ponderhit`.
    needs_stop: bool,
}

/// In bytes: some hundred thousand searches, more than anybody sends at once. For any beyond, the client has to wait.
const MAX: usize = 16 << 20;

/// Each time that the lines take so much more, in bytes, memory is asked for.
const STEP: usize = 64 << 10;

/// What a line takes beside its text, in bytes.
const OVERHEAD: usize = 64;

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn first(&self) -> Option<&str> {
        self.lines.front().map(String::as_str)
    }

    /// Adds a line. `false` if there is no room for it.
    pub(super) fn push(&mut self, line: &str, parsed: &Parsed<'_>) -> bool {
        let size = line.len() + OVERHEAD;
        let sum = self.size + size;
        // The list may be copied to become longer.
        let is_affordable = || sum / STEP == self.size / STEP || has_room(2 * sum);
        if sum > MAX || !is_affordable() {
            return false;
        }
        self.lines.push_back(line.to_owned());
        self.size = sum;
        match &parsed.command {
            Some(Command::Go(go)) if go.perft.is_none() => self.needs_stop = go.limits.infinite || go.limits.ponder,
            Some(Command::Stop) => self.needs_stop = false,
            _ => {}
        }
        true
    }

    pub(super) fn pop(&mut self) -> Option<String> {
        let line = self.lines.pop_front()?;
        self.size -= line.len() + OVERHEAD;
        if self.lines.is_empty() {
            // A rush may have made the list long.
            *self = Self::default();
        }
        Some(line)
    }

    /// Whether a `stop` that comes now is meant for a search among them, too.
    pub(super) const fn needs_stop(&self) -> bool {
        self.needs_stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(waiting: &mut Waiting, line: &str) -> bool {
        waiting.push(line, &Command::parse(line))
    }

    #[test]
    fn lines_keep_their_order_and_their_sum_is_limited() {
        let mut waiting = Waiting::default();
        assert!(push(&mut waiting, "go depth 1") && push(&mut waiting, "isready"));
        let long = "x".repeat(MAX / 2);
        assert!(push(&mut waiting, &long) && !push(&mut waiting, &long));
        assert_eq!(waiting.first(), Some("go depth 1"));
        assert_eq!(waiting.pop().as_deref(), Some("go depth 1"));
        assert_eq!(waiting.pop().as_deref(), Some("isready"));
        assert_eq!((waiting.pop(), waiting.pop()), (Some(long), None));
        assert_eq!((waiting.is_empty(), waiting.size), (true, 0));
    }

    #[test]
    fn a_stop_is_kept_for_a_search_without_an_end() {
        for (lines, expected) in [
            (&["go depth 3"][..], false),
            (&["go infinite"], true),
            (&["go ponder wtime 100"], true),
            (&["go infinite", "position startpos"], true),
            (&["go infinite", "stop"], false),
            (&["go infinite", "go perft 3"], true),
            (&["go infinite", "stop", "go depth 3"], false),
        ] {
            let mut waiting = Waiting::default();
            assert!(lines.iter().all(|line| push(&mut waiting, line)));
            assert_eq!(waiting.needs_stop(), expected, "{lines:?}");
        }
    }
}
