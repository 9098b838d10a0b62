//! Reading PGN line by line, a game at a time.

use std::io::{self, BufRead, Read};

use movegen::{Board, FenError, GameResult, MoveError};

use crate::comment;
use crate::limit::PgnLimit;
use crate::result::read_result;
use crate::tags::{Tags, is_tag, take_tag};
use crate::tree::{NodeId, PgnGame, Tree, play};
use crate::word::{Word, first_word};

/// The most bytes of a line that is too long to be read, and passed over; what has a longer one is no text.
const MOST_PASSED_OVER: usize = 256 << 20;

/// Why a game could not be read, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {fault} (in the game that begins in line {start})")]
pub struct PgnError {
    /// The line of the fault, from 1.
    pub line: u64,
    /// The line in which the game begins.
    pub start: u64,
    /// What is wrong.
    pub fault: PgnFault,
}

/// What can be wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnFault {
    /// A word that is no move, or none that can be played.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A turn is passed by a side in check.
    #[error("a null move in check")]
    PassInCheck,
    /// The start is no legal position.
    #[error("FEN: {0}")]
    Fen(#[from] FenError),
    /// Not chess, or a kind of chess with other rules.
    #[error("unknown variant {0:?}")]
    Variant(String),
    /// A comment that goes on to the end of the file, or up to the next game.
    #[error("the comment that begins here is not closed")]
    OpenComment,
    /// A variation that is not closed when the game ends.
    #[error("a variation is not closed")]
    OpenVariation,
    /// A variation with nothing before it to differ from.
    #[error("a variation before any move")]
    LonelyVariation,
    /// Too long, too many moves, or variations nested too deep.
    #[error("{0}")]
    Limit(PgnLimit),
    /// The file cannot be read any further.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// Reads the games of a file, one after the other; a broken one is an error, after which the next is read, and so is one
/// over a [`PgnLimit`].
///
/// Time and memory grow with the length of what is read at most in proportion, and memory only with that of a game.
/// Games are told apart by their tags and by the results that end them. White space in comments becomes single
/// spaces. Text that is not UTF-8 is taken for Latin-1, line by line.
pub struct PgnReader<R> {
    input: R,
    line: String,
    /// How much of the line has been read.
    at: usize,
    /// The next letter begins the line, or another game on it.
    is_start: bool,
    /// The line as bytes, kept for its room.
    bytes: Vec<u8>,
    line_number: u64,
    game_line: u64,
    is_over: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of this input.
    #[must_use]
    pub const fn new(input: R) -> Self {
        let line = String::new();
        let bytes = Vec::new();
        Self { input, line, at: 0, is_start: true, bytes, line_number: 0, game_line: 0, is_over: false }
    }

    /// The number of the line that is being read, from 1.
    #[must_use]
    pub const fn line_number(&self) -> u64 {
        self.line_number
    }

    /// The number of the line in which the last game begins that was read, whether it is broken or not; 0 before the first.
    #[must_use]
    pub const fn game_line(&self) -> u64 {
        self.game_line
    }

    /// Gets the next line; `false` at the end. One that is too long is passed over.
    fn read_line(&mut self) -> Result<bool, PgnFault> {
        const MOST: usize = PgnLimit::Line.most();
        self.bytes.clear();
        self.line.clear();
        (self.at, self.is_start) = (0, true);
        let read = self.input.by_ref().take(MOST as u64 + 1).read_until(b'\n', &mut self.bytes);
        self.is_over = read.as_ref().map_or(true, |&length| length == 0);
        read?;
        if self.is_over {
            return Ok(false);
        }
        let is_first = self.line_number == 0;
        self.line_number += 1;
        if self.bytes.len() > MOST && !self.bytes.ends_with(b"\n") {
            let passed = pass_over_line(&mut self.input);
            self.is_over = passed.is_err();
            passed?;
            return Err(PgnFault::Limit(PgnLimit::Line));
        }
        let bytes = &self.bytes[..];
        let text = if is_first { bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes) } else { bytes };
        match std::str::from_utf8(text) {
            Ok(text) => self.line.push_str(text),
            Err(_) => self.line.extend(text.iter().copied().map(char::from)),
        }
        Ok(true)
    }

    /// Reads on until the game is complete or there is nothing more.
    fn read_game(&mut self) -> Builder {
        let mut game = Builder::default();
        loop {
            if self.at >= self.line.len() {
                match self.read_line() {
                    Ok(true) => {}
                    Ok(false) => return game,
                    Err(fault) => {
                        // Nothing may have been read yet.
                        game.lose_line(self.line_number.max(1), fault);
                        if self.is_over {
                            return game;
                        }
                        continue;
                    }
                }
            }
            if self.is_start {
                let rest = &self.line[self.at..];
                if game.is_ended_by(rest) {
                    return game;
                }
                self.at += game.read_line_start(rest, self.line_number);
                self.is_start = false;
            }
            let (length, is_complete) = game.read_words(&self.line[self.at..], self.line_number);
            self.at += length;
            if is_complete {
                // What follows on the same line begins another game, as if on a line of its own.
                self.is_start = true;
                return game;
            }
        }
    }
}

/// White space, or the zeros that a crash of the system may leave in a file.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\0'
}

/// Reads the rest of a line away.
fn pass_over_line(input: &mut impl BufRead) -> io::Result<()> {
    let mut passed = 0;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
        passed += length;
        if passed > MOST_PASSED_OVER {
            let text = format!("a line of more than {MOST_PASSED_OVER} bytes is no text");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            let game = self.read_game();
            let line = game.start;
            if let Some(game) = game.finish(self.line_number) {
                self.game_line = line;
                return Some(game);
            }
        }
        None
    }
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
struct Builder {
    /// The line it begins in; 0 before there is anything.
    start: u64,
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
    fn lose_line(&mut self, line: u64, fault: PgnFault) {
        self.begin(line);
        self.fail(line, fault);
        // It may have held moves.
        self.has_movetext = true;
    }

    /// Whether this line belongs to the next game.
    fn is_ended_by(&self, line: &str) -> bool {
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
    fn read_line_start(&mut self, line: &str, number: u64) -> usize {
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
    fn read_words(&mut self, text: &str, line: u64) -> (usize, bool) {
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
            comment::add(tree.node_mut(here.at), &text);
        }
    }

    /// The game, or what is wrong with it; `None` if there was nothing.
    fn finish(mut self, line: u64) -> Option<Result<PgnGame, PgnError>> {
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
        let tree = self.tree?;
        let result = self.tags.get("Result").and_then(read_result).flatten().or(self.result);
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
