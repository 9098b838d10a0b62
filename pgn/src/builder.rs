//! A game that is being read: what its lines and words make of it.

use movegen::{Board, GameResult};

use crate::comment;
use crate::fault::{PgnError, PgnFault};
use crate::limit::PgnLimit;
use crate::result::read_result_tag;
use crate::tags::{Tags, is_tag, take_tag};
use crate::tree::{NodeId, PgnGame, Tree, play};
use crate::word::{Word, first_word};

/// White space, or the zeros that a crash of the system may leave in a file.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\0'
}

/// Where the reader stands in one of the variations it is in.
#[derive(Clone, Copy)]
struct Level {
    at: NodeId,
    board: Board,
    /// The board before the move of `at`.
    before: Board,
    /// No move of this variation has been read.
    is_fresh: bool,
    /// The line the variation begins in.
    line: u64,
}

/// A game that is being read.
#[derive(Default)]
pub(super) struct Builder {
    /// The line it begins in; 0 before there is anything.
    pub start: u64,
    tags: Tags,
    /// There was something besides tags.
    has_movetext: bool,
    tree: Option<Tree>,
    here: Option<Level>,
    /// The levels around `here`.
    around: Vec<Level>,
    /// The length of `around`, counted on even after a fault, when `around` is no longer kept.
    depth: usize,
    variations: usize,
    result: Option<GameResult>,
    /// The comment that is open, and its line.
    comment: Option<(u64, String)>,
    /// What will be said before the next move.
    prelude: String,
    /// An empty line came after moves.
    is_parted: bool,
    bytes: usize,
    broken: Option<PgnError>,
}

impl Builder {
    const fn begin(&mut self, line: u64) {
        if self.start == 0 {
            self.start = line;
        }
    }

    /// Notes the first fault. From there on nothing of the game is kept.
    fn fail(&mut self, line: u64, fault: PgnFault) {
        if self.broken.is_none() {
            self.broken = Some(PgnError { line, start: self.start, fault });
            (self.tree, self.here, self.around) = (None, None, Vec::new());
            self.prelude = String::new();
            if let Some((_, text)) = &mut self.comment {
                *text = String::new();
            }
        }
    }

    /// Notes that a line cannot be read.
    pub fn lose_line(&mut self, line: u64, fault: PgnFault) {
        self.begin(line);
        self.fail(line, fault);
        // It may have held moves.
        self.has_movetext = true;
    }

    /// Whether this line belongs to the next game.
    pub fn is_ended_by(&self, line: &str) -> bool {
        if self.comment.is_some() {
            // Only the tag that every game begins with is believed against an open comment.
            line.starts_with("[Event \"")
        } else if self.has_movetext {
            is_tag(line)
        } else {
            line.starts_with("[Event ") && self.tags.get("Event").is_some()
        }
    }

    /// Reads what only stands at the start of a line, and returns its length.
    pub fn read_line_start(&mut self, line: &str, number: u64) -> usize {
        self.bytes += line.len();
        if self.bytes > PgnLimit::Game.most() {
            self.begin(number);
            self.fail(number, PgnFault::Limit(PgnLimit::Game));
        }
        if self.comment.is_some() {
            return 0;
        }
        if line.starts_with('%') {
            return line.len();
        }
        // From the start alone: a line may begin many games, and its end would be looked at for each.
        if line.trim_start_matches(is_blank).is_empty() {
            self.is_parted = self.tree.is_some();
            return line.len();
        }
        let mut rest = line;
        if !self.has_movetext {
            while let Some((name, value, after)) = take_tag(rest) {
                self.begin(number);
                self.set_tag(name, value, number);
                rest = after;
            }
            if self.start != 0 && rest.trim_start().starts_with('[') {
                // Among tags, what is not written as one says nothing of the game.
                return line.len();
            }
        }
        line.len() - rest.len()
    }

    fn set_tag(&mut self, name: &str, value: String, line: u64) {
        if self.tags.len() >= PgnLimit::Tags.most() && self.tags.get(name).is_none() {
            self.fail(line, PgnFault::Limit(PgnLimit::Tags));
        } else if self.broken.is_none() {
            self.tags.set(name, value);
        }
    }

    /// Reads words up to the end of the text or of the game. Returns the length read, and whether the game is over.
    pub fn read_words(&mut self, text: &str, line: u64) -> (usize, bool) {
        let mut at = 0;
        loop {
            let rest = &text[at..];
            if self.comment.is_some() {
                let end = rest.find('}');
                self.add_to_comment(&rest[..end.unwrap_or(rest.len())]);
                let Some(end) = end else { return (text.len(), false) };
                at += end + 1;
                self.close_comment();
                continue;
            }
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            at += blank;
            let rest = &rest[blank..];
            if rest.is_empty() {
                return (text.len(), false);
            }
            let (word, length) = first_word(rest);
            if self.is_parted && self.depth == 0 && word == Word::Number(1) && self.has_two_moves() {
                return (at, true);
            }
            self.is_parted = false;
            self.begin(line);
            at += length;
            match word {
                Word::Comment => self.comment = Some((line, String::new())),
                Word::LineComment => {
                    self.comment = Some((line, String::new()));
                    self.add_to_comment(&text[at..].replace('}', ")"));
                    self.close_comment();
                    return (text.len(), false);
                }
                Word::Result(result) if self.depth == 0 => {
                    self.result = result;
                    self.open_tree(line);
                    return (at, true);
                }
                Word::Open => self.depth += 1,
                Word::Close if self.depth == 0 => continue,
                Word::Close => self.depth -= 1,
                _ => {}
            }
            self.open_tree(line);
            if self.broken.is_none()
                && let Err(fault) = self.take(&word, line)
            {
                self.fail(line, fault);
            }
        }
    }

    fn add_to_comment(&mut self, text: &str) {
        let Some((line, comment)) = &mut self.comment else { return };
        if self.broken.is_some() {
            return;
        }
        if comment.len() + text.len() > PgnLimit::Comment.most() {
            let line = *line;
            self.begin(line);
            self.fail(line, PgnFault::Limit(PgnLimit::Comment));
        } else {
            comment.push_str(text);
        }
    }

    fn has_two_moves(&self) -> bool {
        self.tree.as_ref().is_some_and(|tree| tree.len() > 2)
    }

    /// Sets the game up, when its tags are complete.
    fn open_tree(&mut self, line: u64) {
        self.has_movetext = true;
        if self.tree.is_some() || self.broken.is_some() {
            return;
        }
        match start(&self.tags) {
            Ok(board) => {
                self.here = Some(Level { at: NodeId::ROOT, board, before: board, is_fresh: true, line });
                self.tree = Some(Tree::new(board));
            }
            Err(fault) => self.fail(line, fault),
        }
    }

    fn take(&mut self, word: &Word<'_>, line: u64) -> Result<(), PgnFault> {
        let (Some(tree), Some(here)) = (&mut self.tree, &mut self.here) else { return Ok(()) };
        match *word {
            Word::Move(_) | Word::Pass => {
                let mut board = here.board;
                let mv = match *word {
                    Word::Move(text) => Some(board.parse_san(text)?),
                    _ if board.in_check() => return Err(PgnFault::PassInCheck),
                    _ => None,
                };
                play(&mut board, mv);
                let at = tree.add(here.at, mv).ok_or(PgnFault::Limit(PgnLimit::Moves))?;
                tree.node_mut(at).prelude = std::mem::take(&mut self.prelude);
                *here = Level { at, board, before: here.board, is_fresh: false, ..*here };
            }
            Word::Nag(nag) if !here.is_fresh => tree.node_mut(here.at).nags.push(nag),
            Word::Open if here.is_fresh => return Err(PgnFault::LonelyVariation),
            Word::Open if self.around.len() >= PgnLimit::Nesting.most() => {
                return Err(PgnFault::Limit(PgnLimit::Nesting));
            }
            Word::Open if self.variations >= PgnLimit::Variations.most() => {
                return Err(PgnFault::Limit(PgnLimit::Variations));
            }
            Word::Open => {
                self.variations += 1;
                self.around.push(*here);
                let at = tree.parent(here.at).unwrap_or(NodeId::ROOT);
                *here = Level { at, board: here.before, before: here.before, is_fresh: true, line };
            }
            Word::Close => {
                let inner = *here;
                if let Some(outer) = self.around.pop() {
                    *here = outer;
                }
                if inner.is_fresh {
                    // A variation of nothing but words: they are kept with the move it stands after.
                    let prelude = std::mem::take(&mut self.prelude);
                    comment::append(&mut tree.node_mut(here.at).comment, &prelude);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Puts a comment where it belongs: before the first move of a variation, else after the last move.
    fn close_comment(&mut self) {
        let Some((line, text)) = self.comment.take() else { return };
        self.open_tree(line);
        let (Some(tree), Some(here)) = (&mut self.tree, &self.here) else { return };
        if here.is_fresh && !self.around.is_empty() {
            comment::append(&mut self.prelude, &text);
        } else {
            comment::append(&mut tree.node_mut(here.at).comment, &text);
        }
    }

    /// The game, or what is wrong with it; `None` if there was nothing.
    pub fn finish(mut self, line: u64) -> Option<Result<PgnGame, PgnError>> {
        if self.start == 0 {
            return None;
        }
        self.open_tree(line);
        if let Some((line, _)) = self.comment.take() {
            self.fail(line, PgnFault::OpenComment);
        } else if let Some(open) = self.around.get(1).or(self.here.as_ref().filter(|_| !self.around.is_empty())) {
            self.fail(open.line, PgnFault::OpenVariation);
        }
        if let Some(error) = self.broken {
            return Some(Err(error));
        }
        let mut tree = self.tree?;
        tree.nodes_mut().for_each(comment::take_commands);
        let result = self.tags.get("Result").and_then(read_result_tag).flatten().or(self.result);
        Some(Ok(PgnGame { tags: self.tags, tree, result }))
    }
}

/// The position these tags begin with.
fn start(tags: &Tags) -> Result<Board, PgnFault> {
    const KNOWN: [&str; 11] = [
        "",
        "?",
        "-",
        "standard",
        "chess",
        "normal",
        "fromposition",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "freestyle",
    ];
    let variant = tags.get("Variant").unwrap_or_default();
    let plain = variant.to_lowercase().replace([' ', '-', '_'], "");
    if !KNOWN.contains(&&plain[..]) && variant != "-" {
        return Err(PgnFault::Variant(variant.chars().take(32).collect()));
    }
    tags.get("FEN")
        .filter(|fen| !fen.trim().is_empty())
        .map_or_else(|| Ok(Board::start()), |fen| Ok(Board::from_fen(fen)?))
}
