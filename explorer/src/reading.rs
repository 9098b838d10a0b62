//! The games of files, one after the other, each with its place, and what of them is lost.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use cli::{counted, tell};
use pgn::{PgnGame, PgnReader, open, text_of};

/// Where a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GamePlace {
    /// Which of the files, from 0.
    pub file: usize,
    /// The line of the file in which it begins, from 1.
    pub line: u64,
    /// Where in the file, as text, it begins, in bytes.
    pub start: u64,
    /// How long it is, in bytes.
    pub length: u64,
}

/// How many games there were, and of how many something is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    /// Games that could be read.
    pub games: usize,
    /// Games that could not be read.
    pub broken: usize,
    /// Games of which not all could be read.
    pub cut: usize,
}

impl Losses {
    /// What is lost, as a sentence; `None` if nothing is.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        let broken = (self.broken > 0).then(|| format!("{} could not be read", counted(self.broken, "game")));
        let cut = (self.cut > 0).then(|| format!("{} could not be read in full", counted(self.cut, "game")));
        let parts: Vec<_> = broken.into_iter().chain(cut).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Reads all games of these files, compressed or not, `-` for the standard input. What the reader has to say of them is told
/// the user, each with its file where there are several. Games that cannot be read are passed over.
///
/// # Errors
///
/// If a file cannot be opened, with the file, or what `take` says.
pub fn read_games<E: From<(PathBuf, io::Error)>>(
    files: &[PathBuf],
    mut take: impl FnMut(&PgnGame, GamePlace) -> Result<(), E>,
) -> Result<Losses, E> {
    let mut losses = Losses::default();
    for (file, path) in files.iter().enumerate() {
        let name = if files.len() > 1 { format!("{}: ", path.display()) } else { String::new() };
        let mut reader = PgnReader::new(open(path).map_err(|error| (path.clone(), error))?);
        while let Some(game) = reader.next() {
            let (bytes, line) = (reader.game_bytes(), reader.game_line());
            match game {
                Ok(game) => {
                    let remarks = game.remarks.iter();
                    remarks.for_each(|remark| {
                        tell(format_args!("{name}{remark} (in the game that begins in line {line})"))
                    });
                    losses.games += 1;
                    losses.cut += usize::from(game.has_losses());
                    take(&game, GamePlace { file, line, start: bytes.start, length: bytes.end - bytes.start })?;
                }
                Err(error) => {
                    tell(format_args!("{name}{error}"));
                    losses.broken += 1;
                }
            }
        }
    }
    Ok(losses)
}

/// A game as text, read again at its place. What is no file, such as a pipe, is not waited for.
pub fn read_again(path: &Path, place: GamePlace) -> io::Result<String> {
    let mut text = text_of(BufReader::new(platform::open_regular_file(path)?))?;
    io::copy(&mut text.by_ref().take(place.start), &mut io::sink())?;
    let mut bytes = Vec::new();
    text.take(place.length).read_to_end(&mut bytes)?;
    let (text, _) = pgn::decode_text(&bytes[..], usize::MAX);
    Ok(text.trim_matches(['\n', '\r', ' ', '\u{FEFF}']).to_owned())
}
