//! The games of files, one after the other, each with its place, and what of them is lost.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use cli::{counted, progress_style, tell};
use indicatif::ProgressBar;
use pgn::{PgnGame, PgnReader, check_kind, text_of};

/// After so many games their number is shown anew.
const SHOW_EVERY: usize = 64;

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
    take: impl FnMut(&PgnGame, GamePlace) -> Result<(), E>,
) -> Result<Losses, E> {
    read(files, &ProgressBar::hidden(), take)
}

/// The same, and shows on a terminal how many bytes and games were read, and how long it will take.
///
/// # Errors
///
/// As [`read_games`].
pub fn read_games_on_terminal<E: From<(PathBuf, io::Error)>>(
    files: &[PathBuf],
    take: impl FnMut(&PgnGame, GamePlace) -> Result<(), E>,
) -> Result<Losses, E> {
    let progress = cli::progress_bar(bytes_of(files), "");
    progress.set_style(progress_style(if progress.length().is_some() {
        "{bar:40} {bytes}/{total_bytes}, {msg}{left}"
    } else {
        "{spinner} {bytes}, {msg}"
    }));
    let losses = read(files, &progress, take);
    progress.finish_and_clear();
    losses
}

/// How many bytes files have; `None` where that is not known before they are read.
fn bytes_of(files: &[PathBuf]) -> Option<u64> {
    let length = |path: &PathBuf| path.metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len());
    files.iter().map(length).sum()
}

/// The text of a file, `-` for the standard input, whose bytes are counted as they are read.
fn open(path: &Path, progress: &ProgressBar) -> io::Result<Box<dyn BufRead + Send>> {
    if path.as_os_str() == "-" {
        return text_of(BufReader::new(progress.wrap_read(io::stdin())));
    }
    check_kind(path)?;
    text_of(BufReader::new(progress.wrap_read(File::open(path)?)))
}

fn read<E: From<(PathBuf, io::Error)>>(
    files: &[PathBuf],
    progress: &ProgressBar,
    mut take: impl FnMut(&PgnGame, GamePlace) -> Result<(), E>,
) -> Result<Losses, E> {
    let mut losses = Losses::default();
    // What is told stands above the bar.
    let tell = |text: std::fmt::Arguments<'_>| progress.suspend(|| tell(text));
    for (file, path) in files.iter().enumerate() {
        let name = if files.len() > 1 { format!("{}: ", path.display()) } else { String::new() };
        let mut reader = PgnReader::new(open(path, progress).map_err(|error| (path.clone(), error))?);
        while let Some(game) = reader.next() {
            let (bytes, line) = (reader.game_bytes(), reader.game_line());
            if !progress.is_hidden() && losses.games.is_multiple_of(SHOW_EVERY) {
                progress.set_message(counted(losses.games, "game"));
            }
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

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn bytes_are_counted_as_they_lie_in_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let games = "[White \"Anna\"]\n\n1. e4 e5 *\n\n".repeat(3000);
        let (plain, packed) = (folder.path().join("games.pgn"), folder.path().join("games.pgn.gz"));
        std::fs::write(&plain, &games).unwrap();
        let mut encoder = GzEncoder::new(File::create(&packed).unwrap(), Compression::fast());
        encoder.write_all(games.as_bytes()).unwrap();
        encoder.finish().unwrap();
        let files = [plain.clone(), packed];
        let bytes = bytes_of(&files).unwrap();
        assert!(bytes > games.len() as u64 && bytes < 2 * games.len() as u64);
        let progress = ProgressBar::hidden();
        let mut places = Vec::new();
        let losses = read::<(PathBuf, io::Error)>(&files, &progress, |_, _| {
            places.push(progress.position());
            Ok(())
        });
        assert_eq!((losses.unwrap().games, progress.position()), (6000, bytes));
        assert!(places.is_sorted() && places[0] < bytes / 4, "it is counted while games are read");
        assert_eq!([bytes_of(&[plain.clone(), "-".into()]), bytes_of(&[folder.path().join("none")])], [None, None]);
        assert_eq!(read_games_on_terminal::<(PathBuf, io::Error)>(&[plain], |_, _| Ok(())).unwrap().games, 3000);
    }
}
