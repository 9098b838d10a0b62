//! A game that is being read: what its lines and words make of it.

mod finish;
mod level;

use std::cell::LazyCell;
use std::collections::BTreeSet;

use movegen::Board;

use crate::comment;
use crate::cut::{Cut, Scope};
use crate::fault::{LineFault, PgnError, PgnFault};
use crate::invisible::blank_length;
use crate::letters::{ENGLISH, Letters};
use crate::limit::PgnLimit;
use crate::remark::{Remark, RemarkKind};
use crate::result::End;
use crate::tags::{Tags, tag_name, take_bare_tag, take_tag};
use crate::tree::{NodeId, Tree};
use crate::variant::foreign_variant;
use crate::word::{Word, are_moves, first_word, is_move_in_junk};

/// The most remarks on a game; what a file made of nothing but faults would have to say besides is dropped.
const MAX_REMARKS: usize = 1 << 12;

/// Where the reader stands in one of the variations it is in.
#[derive(Clone)]
pub(super) struct Level {
    at: NodeId,
    board: Board,
    /// The board before the move of `at`.
    before: Board,
    /// No move of this variation has been read.
    is_fresh: bool,
    /// The line the variation begins in.
    line: u64,
    /// By how much the numbers of the file differ from those of the board; unknown before the first.
    offset: Option<i64>,
    /// A word after the last move that may have been one, and its line.
    unread: Option<Box<(u64, String)>>,
}

/// A result behind the moves.
pub(super) struct Ending {
    pub end: End,
    pub text: String,
    pub line: u64,
}

/// A comment that is open.
pub(super) struct OpenComment {
    pub line: u64,
    text: String,
    is_too_long: bool,
}

/// A game that is being read.
pub(super) struct Builder {
    /// The line it begins in; 0 before there is anything.
    pub start: u64,
    tags: Tags,
    tree: Option<Tree>,
    here: Option<Level>,
    /// The levels around `here`.
    around: Vec<Level>,
    variations: usize,
    /// The last word, if it was a result.
    end: Option<Ending>,
    /// A result that moves came after.
    early_end: Option<Ending>,
    comment: Option<OpenComment>,
    /// What will be said before the next move; before the first one, of the game.
    prelude: String,
    /// Signs of the next move that stand before it.
    nags: Vec<u8>,
    /// An empty line came after tags or moves.
    is_parted: bool,
    bytes: usize,
    cut: Option<Cut>,
    remarks: Vec<Remark>,
    /// The limits that have been remarked on.
    limits: Vec<RemarkKind>,
    /// Why nothing of the game can be read.
    broken: Option<PgnError>,
    /// How many variations are open in a game that cannot be read.
    depth: usize,
    /// Nodes with commands that go on in another comment.
    unfinished: BTreeSet<NodeId>,
    /// The move that was written `0-0` last.
    zeros: Option<NodeId>,
    letters: &'static Letters,
    /// Whether a tag may name another language.
    heeds_language: bool,
    /// Letters of pieces that the language lacks.
    pub foreign: String,
    has_odd_numbers: bool,
    has_told: HasTold,
}

/// Which of the remarks that are made once of a game have been made.
#[derive(Default)]
struct HasTold {
    /// That a word is kept as a comment.
    word: bool,
    /// That moves were found within a word.
    reading: bool,
}

impl Builder {
    /// A game whose pieces have these letters, or those of the language that its tags name.
    pub fn new(letters: Option<&'static Letters>) -> Self {
        Self {
            start: 0,
            tags: Tags::default(),
            tree: None,
            here: None,
            around: Vec::new(),
            variations: 0,
            end: None,
            early_end: None,
            comment: None,
            prelude: String::new(),
            nags: Vec::new(),
            is_parted: false,
            bytes: 0,
            cut: None,
            remarks: Vec::new(),
            limits: Vec::new(),
            broken: None,
            depth: 0,
            unfinished: BTreeSet::new(),
            zeros: None,
            letters: letters.unwrap_or(&ENGLISH),
            heeds_language: letters.is_none(),
            foreign: String::new(),
            has_odd_numbers: false,
            has_told: HasTold::default(),
        }
    }

    /// The language in which it is read.
    pub const fn letters(&self) -> &'static Letters {
        self.letters
    }

    /// The tags of a game of which nothing else can be read.
    pub fn take_lost_tags(&mut self) -> Tags {
        if self.broken.is_some() { std::mem::take(&mut self.tags) } else { Tags::default() }
    }

    const fn begin(&mut self, line: u64) {
        if self.start == 0 {
            self.start = line;
        }
    }

    /// Whether there are moves, or what should be.
    const fn has_movetext(&self) -> bool {
        self.tree.is_some() || self.broken.is_some()
    }

    /// Notes why nothing of the game can be read. From there on nothing of it is kept.
    fn fail(&mut self, line: u64, fault: PgnFault) {
        if self.broken.is_none() {
            self.broken = Some(PgnError { line, start: self.start, fault });
            (self.tree, self.here, self.around, self.cut) = (None, None, Vec::new(), None);
            self.prelude = String::new();
        }
    }

    /// Notes something; what is over a limit only once.
    fn remark(&mut self, line: u64, node: NodeId, kind: RemarkKind) {
        let is_limit =
            matches!(kind, RemarkKind::Variation(LineFault::Limit(_)) | RemarkKind::LeftOut(LineFault::Limit(_)));
        if is_limit {
            if self.limits.contains(&kind) {
                return;
            }
            self.limits.push(kind.clone());
        }
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push(Remark { line, node, kind });
        }
    }

    /// Reads a line, or the rest of one that another game begins with. Returns where the game ends in it, if it does.
    pub fn read_line(&mut self, text: &str, line: u64) -> Option<usize> {
        self.bytes += text.len();
        if self.bytes > PgnLimit::Game.most() {
            self.lose(line, LineFault::Limit(PgnLimit::Game));
        }
        if self.comment.is_some() {
            if is_next_game(text) {
                if self.start != 0 {
                    return Some(0);
                }
                self.leave_comment_open();
            }
        } else if text.starts_with('%') {
            return None;
        } else if blank_length(text) == text.len() {
            self.is_parted = self.start != 0;
            // What follows a result after an empty line is of the next game.
            return self.end.is_some().then_some(text.len());
        }
        self.read_words(text, line)
    }

    /// Ends the main line, whatever was open, since something that belongs to it cannot be read.
    pub fn lose(&mut self, line: u64, fault: LineFault) {
        self.begin(line);
        self.comment = None;
        self.open_tree(line);
        if self.cut.as_ref().is_some_and(|cut| cut.scope == Scope::MainLine) {
            return;
        }
        self.close_cut();
        if !self.around.is_empty() {
            self.here = self.around.drain(..).next();
        }
        self.cut_line(line, fault);
    }

    /// Reads words up to the end of the text or of the game.
    fn read_words(&mut self, text: &str, line: u64) -> Option<usize> {
        let mut at = 0;
        let last_bracket = LazyCell::new(|| memchr::memrchr(b']', text.as_bytes()));
        loop {
            if self.comment.is_some() {
                let rest = &text[at..];
                let end = memchr::memchr(b'}', rest.as_bytes());
                let Some(end) = end else {
                    self.add_to_comment(rest);
                    return None;
                };
                self.finish_comment(&rest[..end]);
                at += end + 1;
                continue;
            }
            at += blank_length(&text[at..]);
            if at >= text.len() {
                return None;
            }
            let rest = &text[at..];
            if rest.starts_with('[') {
                let is_closed = last_bracket.is_some_and(|last| last > at);
                match self.read_bracket(rest, is_closed, line) {
                    Some(length) => at += length,
                    None => return Some(at),
                }
                continue;
            }
            let (word, length) = first_word(rest, self.letters);
            if self.ends_before(&word, line) {
                return Some(at);
            }
            self.is_parted = false;
            at += length;
            match word {
                Word::Comment => self.comment = Some(OpenComment { line, text: String::new(), is_too_long: false }),
                Word::LineComment => {
                    self.comment = Some(OpenComment { line, text: String::new(), is_too_long: false });
                    self.finish_comment(&text[at..]);
                    return None;
                }
                _ => self.take(&word, &rest[..length], line),
            }
        }
    }

    /// Whether this word belongs to the next game.
    fn ends_before(&self, word: &Word<'_>, line: u64) -> bool {
        if self.end.is_some() {
            return (word.is_of_moves() || *word == Word::Open) && !self.goes_on(word, line);
        }
        let is_first = matches!(word, Word::Number { number: 1, dots: 0 | 1 });
        let is_within = self.around.is_empty() && self.depth == 0;
        is_first && self.is_parted && is_within && (self.has_two_moves() || self.cut.is_some() || self.broken.is_some())
    }

    fn has_two_moves(&self) -> bool {
        self.tree.as_ref().is_some_and(|tree| tree.len() > 2)
    }

    /// Reads what begins with a bracket: a tag, a command without a comment around it, or something else. Returns its
    /// length, or `None` if it begins the next game. `is_closed` tells whether a bracket that closes follows anywhere.
    fn read_bracket(&mut self, text: &str, is_closed: bool, line: u64) -> Option<usize> {
        if let Some(name) = tag_name(text) {
            let is_event = name == "Event";
            let is_known = self.tags.get(name).is_some();
            // The tag that every game begins with may be damaged in the game before.
            let comes_again =
                is_known && (is_event || self.is_parted) || is_event && self.is_parted && !self.tags.is_empty();
            if self.has_movetext() || self.end.is_some() || comes_again {
                return None;
            }
            let (name, value, rest) = take_tag(text)?;
            self.begin(line);
            self.is_parted = false;
            self.set_tag(name, value, line);
            return Some(text.len() - rest.len());
        }
        if is_closed
            && !self.has_movetext()
            && !text.starts_with("[%")
            && let Some((name, value, rest)) = take_bare_tag(text)
            && self.tags.get(name).is_none()
            && (self.start != 0 || name == "Event")
        {
            self.begin(line);
            self.set_tag(name, value, line);
            return Some(text.len() - rest.len());
        }
        let end = if is_closed { memchr::memchr(b']', text.as_bytes()) } else { None };
        let length = end.map_or(1, |end| end + 1);
        let inside = &text[..length];
        if text.starts_with("[%") && self.cut.is_none() {
            self.place_comment(inside);
        } else {
            self.take(&Word::Unknown(inside), inside, line);
        }
        Some(length)
    }

    fn set_tag(&mut self, name: &str, value: String, line: u64) {
        if self.tags.len() < PgnLimit::Tags.most() || self.tags.get(name).is_some() {
            self.tags.set(name, value);
            return;
        }
        self.remark(line, NodeId::ROOT, RemarkKind::LeftOut(LineFault::Limit(PgnLimit::Tags)));
    }

    fn add_to_comment(&mut self, text: &str) {
        let Some(comment) = &mut self.comment else { return };
        if comment.is_too_long {
            return;
        }
        if comment.text.len() + text.len() <= PgnLimit::Comment.most() {
            comment.text.push_str(text);
            return;
        }
        comment.is_too_long = true;
        let (line, node) = (comment.line, self.place());
        self.begin(line);
        self.remark(line, node, RemarkKind::LeftOut(LineFault::Limit(PgnLimit::Comment)));
    }

    /// Ends the open comment with this text.
    fn finish_comment(&mut self, text: &str) {
        let Some(comment) = &self.comment else { return };
        if comment.text.is_empty() && text.len() <= PgnLimit::Comment.most() {
            self.comment = None;
            return self.place_comment(text);
        }
        self.add_to_comment(text);
        if let Some(OpenComment { text, .. }) = self.comment.take() {
            self.place_comment(&text);
        }
    }

    /// Ends a comment that the file leaves open.
    fn leave_comment_open(&mut self) {
        if let Some(OpenComment { line, text, .. }) = self.comment.take() {
            let node = self.place();
            self.remark(line, node, RemarkKind::OpenComment);
            // Nothing but moves: the brace is a slip.
            if are_moves(&text, self.letters) {
                self.read_words(&text, line);
            } else {
                self.place_comment(&text);
            }
        }
    }

    /// The move that a comment here would be about.
    fn place(&self) -> NodeId {
        self.here.as_ref().map_or(NodeId::ROOT, |here| here.at)
    }

    /// Puts a comment where it belongs: before the first move of a variation, else after the last move.
    fn place_comment(&mut self, text: &str) {
        if self.broken.is_some() {
            return;
        }
        if let Some(cut) = &mut self.cut
            && self.end.is_none()
        {
            return cut.take_comment(text);
        }
        let (Some(tree), Some(here)) = (&mut self.tree, &self.here) else { return self.say_before(text) };
        if here.is_fresh && !self.around.is_empty() {
            return self.say_before(text);
        }
        let at = here.at;
        say(tree, &mut self.unfinished, at, text);
    }

    /// Keeps a text for the next move, or before the first one for the game.
    fn say_before(&mut self, text: &str) {
        if self.prelude.len() + text.len() <= PgnLimit::Comment.most() {
            comment::append(&mut self.prelude, text);
        }
    }

    /// Sets the game up, when its tags are complete.
    fn open_tree(&mut self, line: u64) {
        if self.has_movetext() {
            return;
        }
        if let Some(variant) = foreign_variant(&self.tags) {
            return self.fail(line, PgnFault::Variant(variant));
        }
        let fen = self.tags.get("FEN").filter(|fen| !["", "?", "-", "startpos"].contains(&fen.trim()));
        let board = match fen.map_or_else(|| Ok(Board::start()), Board::from_fen) {
            Ok(board) => board,
            Err(fault) => return self.fail(line, fault.into()),
        };
        if self.heeds_language
            && let Some(letters) = self.tags.get("Language").and_then(Letters::named)
        {
            self.letters = letters;
        }
        let mut tree = Tree::new(board);
        say(&mut tree, &mut self.unfinished, NodeId::ROOT, &std::mem::take(&mut self.prelude));
        self.tree = Some(tree);
        let (at, is_fresh, offset) = (NodeId::ROOT, true, None);
        self.here = Some(Level { at, board, before: board, is_fresh, line, offset, unread: None });
    }

    fn take(&mut self, word: &Word<'_>, text: &str, line: u64) {
        if let Word::End(end, text) = word
            && self.around.is_empty()
            && self.depth == 0
        {
            if self.end.is_none() && self.start != 0 {
                self.open_tree(line);
                self.end = Some(Ending { end: *end, text: (*text).to_owned(), line });
            }
            return;
        }
        // What is neither a tag nor a move begins no game, and does not end the tags.
        let is_move = || self.start != 0 && matches!(word, Word::Unknown(text) if is_move_in_junk(text, self.letters));
        if !(self.has_movetext() || word.is_of_moves() || *word == Word::Open || is_move()) {
            if let Word::Unknown(text) = word {
                self.say_before(text);
            }
            return;
        }
        self.begin(line);
        self.open_tree(line);
        if self.end.is_some() && self.goes_on(word, line) {
            self.go_on();
        }
        if self.broken.is_some() {
            match word {
                Word::Open => self.depth += 1,
                Word::Close => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        } else if self.end.is_some() {
            self.take_after_end(word);
        } else if let Some(cut) = &mut self.cut {
            let is_within = cut.take(word, text);
            self.note_letter(word);
            if !is_within {
                self.close_cut();
            }
        } else {
            self.take_here(word, text, line);
        }
    }

    /// What stands behind the result belongs to the last move.
    fn take_after_end(&mut self, word: &Word<'_>) {
        let (Some(tree), Some(here)) = (&mut self.tree, &self.here) else { return };
        match word {
            Word::Nag(nag) if here.at != NodeId::ROOT => tree.node_mut(here.at).nags.push(*nag),
            Word::Unknown(text) => say(tree, &mut self.unfinished, here.at, text),
            _ => {}
        }
    }
}

/// Adds to the comment of a move. `unfinished` are those with commands that go on in another comment.
fn say(tree: &mut Tree, unfinished: &mut BTreeSet<NodeId>, id: NodeId, text: &str) {
    let node = tree.node_mut(id);
    if node.comment.len() + text.len() > PgnLimit::Game.most() {
        return;
    }
    if unfinished.contains(&id) {
        comment::append(&mut node.comment, text);
    } else if !comment::add(node, text) {
        unfinished.insert(id);
    }
}

/// Whether a line begins a game even within a comment: with the tag that every game begins with.
fn is_next_game(line: &str) -> bool {
    line.trim_start_matches('\u{FEFF}').starts_with("[Event \"")
}
