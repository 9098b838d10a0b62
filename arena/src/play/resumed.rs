//! The games of a match that was interrupted: which of them are whole, and whether they are of this match.
//!
//! A full disk, a power cut or a killed process may leave a part of the last game. Nobody has its result yet, so the part
//! is cut off and the game played again.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use cli::{counted, tell};
use movegen::{GameResult, TimeControl};
use pgn::{PgnGame, PgnReader};
use platform::AppendedFile;

use super::error::PlayError;
use super::tournament::{EVENT, OPTION_TAGS, Tournament};

/// The games of a match that are in its file.
#[derive(Debug)]
pub(super) struct Resumed {
    /// The result of each.
    pub results: Vec<Option<GameResult>>,
    /// What their bytes are, and what comes after them.
    contents: Contents,
}

impl Resumed {
    /// Takes away what comes after the last whole game, and says so.
    pub fn mend(&self, path: &Path) -> io::Result<()> {
        let Contents { whole, torn, lacks_end } = self.contents;
        if torn == 0 {
            return Ok(());
        }
        let mut file = AppendedFile::open(path)?;
        file.cut(whole)?;
        if lacks_end {
            return file.append(END);
        }
        let (path, number) = (path.display(), self.results.len() + 1);
        tell(format_args!("{path}: game {number} is torn: {} cut off", counted(torn as usize, "byte")));
        Ok(())
    }
}

impl Tournament<'_> {
    /// The games in a file, which have to be the first ones of this match, played by engines of these names.
    pub(super) fn resume(&self, path: &Path, names: &[String]) -> Result<Resumed, PlayError> {
        let contents = Contents::of_file(path).map_err(PlayError::Read)?;
        if !is_plain(path).map_err(PlayError::Read)? {
            // It could be read, but what is added to it could not.
            let fault = "the file is compressed, or not in UTF-8".to_owned();
            return Err(PlayError::Foreign { path: path.to_owned(), number: 1, fault });
        }
        let games = File::open(path).map(|file| BufReader::new(file.take(contents.whole)));
        let games = games.and_then(pgn::text_of).map_err(PlayError::Read)?;
        let mut results = Vec::new();
        for (number, game) in PgnReader::new(games).strict(true).enumerate() {
            let foreign = |fault: String| PlayError::Foreign { path: path.to_owned(), number: number + 1, fault };
            let game = game.map_err(|error| foreign(error.to_string()))?;
            self.check(&game, number, names).map_err(foreign)?;
            results.push(game.result);
        }
        // What holds something, but no game, is somebody else's.
        if results.is_empty() && contents.whole > 0 && !is_blank(path).map_err(PlayError::Read)? {
            let fault = "it holds no game".to_owned();
            return Err(PlayError::Foreign { path: path.to_owned(), number: 1, fault });
        }
        Ok(Resumed { results, contents })
    }

    /// Whether a game was played as the game of this number would be; the error says what differs.
    fn check(&self, game: &PgnGame, number: usize, names: &[String]) -> Result<(), String> {
        if number >= self.schedule.len() {
            return Err("this match has fewer games".to_owned());
        }
        let fixture = self.schedule.fixture(number);
        for (tag, index) in ["White", "Black"].into_iter().zip(fixture.players) {
            let (found, expected) = (game.tags.get(tag).unwrap_or("?"), &names[index]);
            if found != expected {
                return Err(format!("{tag} is {found:?}, and would be {expected:?}"));
            }
        }
        if game.tags.get("Round") != Some(&(number + 1).to_string()) || game.result.is_none() {
            return Err("it is not finished, or not in its place".to_owned());
        }
        let opening = self.openings.get(fixture.opening);
        // A game may be over before the end of its opening.
        let follows = game.tree.main_moves().zip(&opening.moves).all(|(mv, expected)| mv == *expected);
        if game.tree.start().packed() != opening.start.packed() || !follows {
            return Err("it has another opening".to_owned());
        }
        let time = &self.conditions.time;
        let time = self.limit_of_moves().or_else(|| (*time != TimeControl::UNLIMITED).then(|| time.to_string()));
        let options = fixture.players.map(|index| self.entrants[index].options_text());
        let expected = ["TimeControl"].into_iter().chain(OPTION_TAGS).zip([time].into_iter().chain(options));
        for (tag, expected) in expected {
            let found = game.tags.get(tag);
            if found != expected.as_deref() {
                let shown = |text: Option<&str>| text.map_or("missing".to_owned(), |text| format!("{text:?}"));
                return Err(format!("{tag} is {}, and would be {}", shown(found), shown(expected.as_deref())));
            }
        }
        Ok(())
    }
}

/// What stands between two games.
const END: &[u8] = b"\n\n";

/// What is in the file of a match, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Contents {
    /// The whole games.
    whole: u64,
    /// What comes after them: the beginning of another game.
    torn: u64,
    /// Only the end of the line after the last game is torn, and its moves are among `whole`.
    lacks_end: bool,
}

impl Contents {
    /// Looks through a file. One that is not written as this program writes them is whole: what is in it is not ours to cut.
    fn of_file(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let contents = Self::of_match(BufReader::new(file))?;
        Ok(contents.unwrap_or(Self { whole: length, torn: 0, lacks_end: false }))
    }

    /// A game is whole if its moves end with a result and an empty line follows. `None` if there is more behind the last
    /// whole game than the beginning of one more.
    fn of_match(mut input: impl BufRead) -> io::Result<Option<Self>> {
        let (mut whole, mut has_moves) = (0, false);
        // Everything after the last whole game, and where its last line with text begins.
        let (mut rest, mut last) = (Vec::new(), 0);
        loop {
            let start = rest.len();
            if input.read_until(b'\n', &mut rest)? == 0 {
                break;
            }
            if !rest[start..].trim_ascii().is_empty() {
                last = start;
                continue;
            }
            if has_moves && !ends_with_result(&rest[last..]) {
                return Ok(None);
            }
            // Empty lines between two games belong to the one before.
            if has_moves || start == 0 {
                whole += rest.len() as u64;
                (has_moves, last) = (false, 0);
                rest.clear();
            } else {
                has_moves = true;
            }
        }
        if !begins_game(&rest) {
            return Ok(None);
        }
        let moves = rest.trim_ascii_end();
        if has_moves && ends_with_result(moves) && is_game(moves) {
            let kept = moves.len();
            return Ok(Some(Self {
                whole: whole + kept as u64,
                torn: (rest.len() - kept).max(1) as u64,
                lacks_end: true,
            }));
        }
        Ok(Some(Self { whole, torn: rest.len() as u64, lacks_end: false }))
    }
}

/// Whether a file begins as text to which text can be added.
fn is_plain(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?.take(64).read_to_end(&mut beginning)?;
    // Zeros at the end are what a power cut leaves, and a letter may be cut in two.
    let last = beginning.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = String::from_utf8_lossy(&beginning[..last]);
    let is_odd =
        |letter: char| letter.is_control() && !letter.is_ascii_whitespace() || letter == char::REPLACEMENT_CHARACTER;
    Ok(!text.trim_end_matches(char::REPLACEMENT_CHARACTER).contains(is_odd))
}

/// Whether a file holds nothing but white space and the zeros of a power cut.
fn is_blank(path: &Path) -> io::Result<bool> {
    for byte in BufReader::new(File::open(path)?).bytes() {
        let byte = byte?;
        if byte != 0 && !byte.is_ascii_whitespace() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn ends_with_result(line: &[u8]) -> bool {
    let last = line.trim_ascii().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].contains(&last)
}

/// Whether this is nothing, or the beginning of one game as this program writes it. A power cut may leave zeros.
fn begins_game(text: &[u8]) -> bool {
    let event = format!("[Event \"{EVENT}\"]");
    let is_written = |byte: &u8| *byte != 0;
    let text = &text[..text.iter().rposition(is_written).map_or(0, |last| last + 1)];
    event.as_bytes().starts_with(text) || text.starts_with(event.as_bytes())
}

/// Whether this is one game without a fault.
fn is_game(text: &[u8]) -> bool {
    let mut games = PgnReader::new(text);
    matches!((games.next(), games.next()), (Some(Ok(game)), None) if game.remarks.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str =
        "[Event \"Vancura play\"]\n[Result \"1/2-1/2\"]\n\n1. e4 { 1-0 is no end } e5 { Drawn. }\n1/2-1/2\n\n";

    fn contents(text: &str) -> Option<(u64, u64, bool)> {
        let contents = Contents::of_match(text.as_bytes()).unwrap()?;
        Some((contents.whole, contents.torn, contents.lacks_end))
    }

    #[test]
    fn what_follows_the_last_whole_game_is_known_wherever_it_is_cut() {
        let (text, length) = (GAME.repeat(3), GAME.len());
        for cut in 0..=text.len() {
            let (games, rest) = (cut / length, cut % length);
            let whole = (games * length) as u64;
            let expected = match length - rest {
                // The result is there, and one end of a line or none.
                missing @ 1..=2 => (whole + length as u64 - 2, (2 - missing).max(1) as u64, true),
                _ => (whole, rest as u64, false),
            };
            assert_eq!(contents(&text[..cut]), Some(expected), "{:?}", &text[..cut]);
        }
        let zeros = [GAME, "[Event \"Vanc\0\0\0"].concat();
        assert_eq!(contents(&zeros), Some((length as u64, zeros.len() as u64 - length as u64, false)));
        let lines = text.replace('\n', "\r\n");
        assert_eq!(contents(&lines), Some((lines.len() as u64, 0, false)));
    }

    #[test]
    fn what_is_not_ours_is_not_cut() {
        for text in [
            "[Event \"?\"]\n\n1. e4 e5",
            "% a remark\n",
            "\u{1f}\u{8b}\u{8}",
            "[Event \"Vancura play\"]\n\n1. e4\n\n[Event \"Vancura play\"]\n\n1. e4 1-0\n\n",
        ] {
            assert_eq!(contents(&[GAME, text].concat()), None, "{text}");
        }
        assert_eq!(contents(""), Some((0, 0, false)));
    }
}
