//! What is left of a line of moves behind a word that cannot be read or played. It is kept as text.

use crate::comment;
use crate::fault::LineFault;
use crate::tree::NodeId;
use crate::word::{Word, is_two_zeros};

/// The most bytes that are kept; more than any line that people write.
const MAX_KEPT: usize = 1 << 16;

/// What a cut goes on to the end of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    MainLine,
    /// A variation that has been begun.
    Variation,
    /// A variation that has not, since there are too many.
    Unopened,
}

/// A line of moves that has ended before its end in the file.
pub(super) struct Cut {
    /// The line of the file.
    pub line: u64,
    /// The move after which it ended; for a variation without one, the move that it stands after.
    pub node: NodeId,
    pub fault: LineFault,
    /// Its remark in the list.
    pub remark: usize,
    pub scope: Scope,
    /// How many variations within it are open.
    depth: usize,
    /// What follows in the file.
    rest: String,
    words: usize,
    /// The words are king's moves to the centre.
    is_in_centre: bool,
    /// The words are `0-0`.
    is_zeros: bool,
}

impl Cut {
    pub fn new(line: u64, node: NodeId, fault: LineFault, remark: usize, scope: Scope) -> Self {
        let rest = String::new();
        let (is_in_centre, is_zeros) = (true, true);
        Self { line, node, fault, remark, scope, depth: 0, rest, words: 0, is_in_centre, is_zeros }
    }

    /// Takes a word of the file; `false` if it closes the line.
    pub fn take(&mut self, word: &Word<'_>, text: &str) -> bool {
        match word {
            Word::Close if self.depth == 0 => return self.scope == Scope::MainLine,
            Word::Close => self.depth -= 1,
            Word::Open => self.depth += 1,
            Word::Number { .. } | Word::Noise => {}
            Word::Move(_, text) => {
                self.words += 1;
                self.is_in_centre &= is_in_centre(text);
                self.is_zeros &= is_two_zeros(text);
            }
            _ => {
                (self.is_in_centre, self.is_zeros) = (false, false);
            }
        }
        self.keep(text);
        true
    }

    /// Takes a comment of the file.
    pub fn take_comment(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.keep(&format!("({text})"));
        }
    }

    /// Whether it is too much to be kept.
    pub const fn is_limit(&self) -> bool {
        matches!(self.fault, LineFault::Limit(_))
    }

    fn keep(&mut self, text: &str) {
        if !self.is_limit() && self.rest.len() + text.len() <= MAX_KEPT {
            // What follows is no comment and no command of its own any more.
            let plain = text.replace(['{', '['], "(").replace(['}', ']'], ")");
            comment::append(&mut self.rest, &plain);
        }
    }

    /// Whether it is nothing but the kings on their way to the centre, as players at electronic boards show the result.
    pub const fn is_result_sign(&self) -> bool {
        self.is_in_centre && (self.words == 1 || self.words == 2)
    }

    /// Whether it is nothing but `0-0`, which is a result where nobody can castle.
    pub const fn is_both_lost(&self) -> bool {
        self.is_zeros && self.words == 1
    }

    /// What is said of a [result sign](Self::is_result_sign).
    pub fn sign_text(&self) -> String {
        format!("The kings show the result: {}", self.rest)
    }

    /// What is said of it in the game.
    pub fn text(&self) -> String {
        let Self { line, fault, rest, .. } = self;
        let rest = if rest.is_empty() { String::new() } else { format!(": {rest}") };
        format!("Not read from line {line} on ({fault}){rest}").replace('}', ")")
    }
}

/// Whether this is a king's move to one of the four squares in the centre.
fn is_in_centre(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#']);
    let is_centre = ["d4", "d5", "e4", "e5"].into_iter().any(|square| text.ends_with(square));
    let is_king = text.starts_with(['K', '♔', '♚']) || text.starts_with("Кр");
    is_king && is_centre
}
