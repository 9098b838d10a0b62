//! Reading PGN line by line, a game at a time.

use std::io::{self, BufRead, Read};

use crate::builder::Builder;
use crate::fault::{PgnError, PgnFault};
use crate::limit::PgnLimit;
use crate::tree::PgnGame;

/// The most bytes of a line that is too long to be read, and passed over; what has a longer one is no text.
const MOST_PASSED_OVER: usize = 256 << 20;

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
