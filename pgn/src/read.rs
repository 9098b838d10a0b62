//! Reading PGN line by line, a game at a time.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use crate::builder::Builder;
use crate::fault::{LineFault, PgnError, PgnFault};
use crate::game::PgnGame;
use crate::letters::{ENGLISH, Letters};
use crate::limit::PgnLimit;
use crate::tags::Tags;
use formats::decode_as_it_is;

/// The most bytes of a line that is too long to be read, and passed over; what has a longer one is no text.
const MAX_PASSED_OVER: usize = 256 << 20;
/// The most bytes of a game that is read again in another language.
const MAX_READ_AGAIN: usize = 1 << 20;

/// Reads the games of a file, one after the other.
///
/// A word that cannot be read or played ends its line of moves and not the game: what follows in that line is kept as a
/// comment, and a [`Remark`](crate::Remark) says where and why. So is what else of a file is not as it should be. An error is a
/// game of which nothing can be read, after which the next one is.
///
/// Time and memory grow with the length of what is read at most in proportion, and memory only with that of a game.
/// Games are told apart by their tags and by the results that end them; what has neither tag nor move is none. White space
/// in comments becomes single spaces. Text that is not UTF-8 is taken for Windows-1252, line by line.
pub struct PgnReader<R> {
    input: R,
    line: String,
    /// How much of the line has been read.
    at: usize,
    /// The line as bytes, kept for its room.
    bytes: Vec<u8>,
    line_number: u64,
    /// Where the line begins in the input, and where the next one does.
    line_bytes: Range<u64>,
    game_line: u64,
    game_bytes: Range<u64>,
    lost_tags: Tags,
    is_over: bool,
    is_strict: bool,
    /// The game as it is read, from the line below on.
    text: String,
    text_line: u64,
    /// The language of the last game that was not in English.
    letters: &'static Letters,
    /// What ended the file after the game before.
    failure: Option<PgnError>,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of this input.
    #[must_use]
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: String::new(),
            at: 0,
            bytes: Vec::new(),
            line_number: 0,
            line_bytes: 0..0,
            game_line: 0,
            game_bytes: 0..0,
            lost_tags: Tags::default(),
            is_over: false,
            is_strict: false,
            text: String::new(),
            text_line: 0,
            letters: &ENGLISH,
            failure: None,
        }
    }

    /// The same reader, but a game of which something is lost is an error.
    #[must_use]
    pub fn strict(mut self, is_strict: bool) -> Self {
        self.is_strict = is_strict;
        self
    }

    /// The same reader, of an input whose first line has this number in its file, from 1.
    #[must_use]
    pub const fn from_line(mut self, line: u64) -> Self {
        self.line_number = line.saturating_sub(1);
        self
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

    /// Where the last game that was read lies in the input, in bytes, whether it is broken or not. What stands before its
    /// first tag or move, such as empty lines, is part of it: the games of an input follow each other without a gap.
    #[must_use]
    pub const fn game_bytes(&self) -> &Range<u64> {
        &self.game_bytes
    }

    /// The tags of the last game, if nothing else of it could be read.
    #[must_use]
    pub const fn lost_tags(&self) -> &Tags {
        &self.lost_tags
    }

    /// How far the input has been read for games, in bytes.
    fn place(&self) -> u64 {
        let read = &self.line[..self.at];
        // A line in Windows-1252 has a byte for each letter.
        let is_as_stored = self.line.len() == self.bytes.len();
        let length = if is_as_stored { read.len() } else { read.chars().count() };
        self.line_bytes.start + length as u64
    }

    /// Gets the next line; `false` at the end. One that is too long is passed over.
    fn read_line(&mut self) -> Result<bool, PgnFault> {
        const MOST: usize = PgnLimit::Line.most();
        self.bytes.clear();
        self.line.clear();
        self.at = 0;
        self.line_bytes.start = self.line_bytes.end;
        let read = self.input.by_ref().take(MOST as u64 + 1).read_until(b'\n', &mut self.bytes);
        self.is_over = read.as_ref().map_or(true, |&length| length == 0);
        read?;
        if self.is_over {
            return Ok(false);
        }
        self.line_number += 1;
        self.line_bytes.end += self.bytes.len() as u64;
        if self.bytes.len() > MOST && !self.bytes.ends_with(b"\n") {
            let passed = pass_over_line(&mut self.input);
            self.is_over = passed.is_err();
            self.line_bytes.end += passed?;
            (self.line_bytes.start, self.bytes) = (self.line_bytes.end, Vec::new());
            return Err(LineFault::Limit(PgnLimit::Line).into());
        }
        self.line.push_str(&decode_as_it_is(&self.bytes));
        Ok(true)
    }

    /// Reads on until the game is complete or there is nothing more.
    fn read_game(&mut self) -> Builder {
        let mut game = Builder::new(None);
        self.text.clear();
        self.text_line = 0;
        let mut is_whole = true;
        loop {
            if self.at >= self.line.len() {
                match self.read_line() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(PgnFault::Line(fault)) => {
                        game.lose(self.line_number, fault);
                        is_whole = false;
                        continue;
                    }
                    Err(fault) => {
                        // Nothing may have been read yet.
                        let line = self.line_number.max(1);
                        let start = if game.start == 0 { line } else { game.start };
                        self.failure = Some(PgnError { line, start, fault });
                        break;
                    }
                }
            }
            if self.text_line == 0 {
                self.text_line = self.line_number;
            }
            let rest = &self.line[self.at..];
            let end = game.read_line(rest, self.line_number);
            let length = end.unwrap_or(rest.len());
            is_whole &= self.text.len() + length <= MAX_READ_AGAIN;
            if is_whole {
                self.text.push_str(&rest[..length]);
            }
            self.at += length;
            if end.is_some() {
                break;
            }
        }
        let is_foreign = !game.foreign.is_empty() || !game.letters().are_english();
        if is_whole && is_foreign && !game.has_read_all_moves() { self.read_again(game) } else { game }
    }

    /// Reads the game in another language, if all moves can be read in one.
    fn read_again(&mut self, game: Builder) -> Builder {
        // First the last one, which is English at first: what this program writes is English in any language.
        for letters in [self.letters, &ENGLISH].into_iter().chain(Letters::with(&game.foreign)) {
            let mut other = Builder::new(Some(letters));
            for (line, text) in (self.text_line..).zip(self.text.split_inclusive('\n')) {
                if other.read_line(text, line).is_some() {
                    break;
                }
            }
            if other.has_read_all_moves() {
                self.letters = letters;
                return other;
            }
        }
        game
    }
}

/// Reads the rest of a line away. Returns how long it was.
fn pass_over_line(input: &mut impl BufRead) -> io::Result<u64> {
    let mut passed = 0;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        passed += length;
        if end.is_some() || length == 0 {
            return Ok(passed as u64);
        }
        if passed > MAX_PASSED_OVER {
            let text = format!("a line of more than {MAX_PASSED_OVER} bytes is no text");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(error) = self.failure.take() {
                self.game_line = error.start;
                self.game_bytes = self.line_bytes.end..self.line_bytes.end;
                return Some(Err(error));
            }
            if self.is_over {
                return None;
            }
            let begin = self.place();
            let mut game = self.read_game();
            self.lost_tags = game.take_lost_tags();
            let start = if game.start == 0 { self.text_line } else { game.start };
            if let Some(game) = game.finish(self.line_number) {
                self.game_line = start;
                self.game_bytes = begin..self.place();
                return Some(if self.is_strict { whole(game, start) } else { game });
            }
        }
    }
}

/// A game of which nothing is lost, or the first loss.
fn whole(game: Result<PgnGame, PgnError>, start: u64) -> Result<PgnGame, PgnError> {
    let game = game?;
    match game.remarks.iter().find(|remark| remark.is_loss()).and_then(|loss| loss.clone().into_error(start)) {
        Some(error) => Err(error),
        None => Ok(game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of an input with their bytes, as text that can be compared.
    fn games(bytes: &[u8], first_line: u64) -> Vec<(String, Range<u64>)> {
        let mut reader = PgnReader::new(bytes).from_line(first_line);
        let mut games = Vec::new();
        while let Some(game) = reader.next() {
            let tags = reader.lost_tags().get("White").unwrap_or_default().to_owned();
            let text = game.map_or_else(|error| format!("{tags} {error}"), |game| format!("{game}{:?}", game.remarks));
            games.push((text, reader.game_bytes().clone()));
        }
        games
    }

    #[test]
    fn each_game_can_be_read_again_from_its_bytes() {
        let long = format!("[Event \"long\"]\n\n1. e4 {{ {} }} e5 *\n", "x".repeat(PgnLimit::Line.most() + 9));
        let parts: [&[u8]; 10] = [
            b"\n\n[Event \"a\"]\n[White \"M\xFCller\"]\n\n1. e4 {\xE9} 1-0 1. d4 {\xE9\xE9} d5 0-1 1. c4 *\n",
            "[Event \"ř\"]\r\n\r\n1. e4 e5 1-0\r\n".as_bytes(),
            b"[White \"no chess\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n",
            b"[White \"bad\"]\n[FEN \"8/8/8 w\"]\n\n1. e4 *\n",
            b"[Event \"open\"]\n\n1. e4 { not closed\n",
            b"[Event \"b\"]\n[Result \"*\"]\n",
            long.as_bytes(),
            b"some words\n% an escape\n1. e4 e5 2. Ke3 Nf6\n\n1. d4\n",
            b"[Event \"glued\"]\n1. e4 1/2-1/2 [Event \"c\"]\n1. d4 *\n",
            b"1. e4 e5",
        ];
        let bytes = parts.concat();
        let all = games(&bytes, 1);
        assert!(all.len() >= 11, "{all:?}");
        let mut end = 0;
        for (text, range) in &all {
            assert_eq!(range.start, end, "{text}");
            end = range.end;
            let slice = &bytes[range.start as usize..range.end as usize];
            let line = bytes[..range.start as usize].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            let alone = games(slice, line);
            assert_eq!(alone.iter().map(|(text, _)| text).collect::<Vec<_>>(), [text]);
        }
        assert_eq!(end, bytes.len() as u64);
        assert!(all.iter().any(|(text, _)| text.starts_with("no chess line")), "{all:?}");
    }
}
