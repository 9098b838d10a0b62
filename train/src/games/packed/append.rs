//! Adding games with their settings to a file of games.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use fs_err::File;
use platform::AppendedFile;

use super::{POSITIONS, check, pack, positions};
use crate::games::blocks::{MARK_LEN, begins_block};
use crate::games::game::Game;

/// Nothing is appended to a file of another kind, such as a PGN file named in the wrong place.
pub(crate) fn check_holds_games(path: &Path) -> io::Result<()> {
    let mut start = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(MARK_LEN).read_to_end(&mut start)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if begins_block(&start) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, format!("{} is not a file of games", path.display())))
}

/// The settings of games at a fixed number of nodes a move, played for another end than training: their nodes and where
/// they come from.
#[must_use]
pub fn settings_of_play(nodes: u64, source: &str) -> String {
    format!("nodes={nodes} source={source}")
}

/// Adds games to the end of a file as one packed block, which is there whole or not at all. Several processes may add to
/// a file at once. Games that cannot be packed are left out; none are no block.
///
/// # Errors
///
/// If the file cannot be written, or holds something else than games.
pub fn append_packed(path: &Path, games: &[Game], settings: &str) -> io::Result<()> {
    let games: Vec<Game> = games.iter().filter(|game| check(game).is_ok()).cloned().collect();
    if games.is_empty() {
        return Ok(());
    }
    check_holds_games(path)?;
    AppendedFile::open(path)?.append(&pack(&games, settings))
}

/// Gathers games by their settings, and adds each time a block is full.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    /// Settings, with their games and the positions of these.
    parts: Vec<(String, Vec<Game>, usize)>,
}

impl Appender {
    /// One for the file at a path, which is made when there is something to add.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), parts: Vec::new() }
    }

    /// Takes games with these settings.
    ///
    /// # Errors
    ///
    /// As of [`append_packed`].
    pub fn add(&mut self, settings: String, games: Vec<Game>) -> io::Result<()> {
        let len: usize = games.iter().map(positions).sum();
        let place = self.parts.iter().position(|part| part.0 == settings);
        let place = place.unwrap_or_else(|| {
            self.parts.push((settings, Vec::new(), 0));
            self.parts.len() - 1
        });
        let (settings, gathered, total) = &mut self.parts[place];
        if *total > 0 && *total + len > POSITIONS {
            append_packed(&self.path, gathered, settings)?;
            gathered.clear();
            *total = 0;
        }
        gathered.extend(games);
        *total += len;
        Ok(())
    }

    /// Adds what is left.
    ///
    /// # Errors
    ///
    /// As of [`append_packed`].
    pub fn finish(self) -> io::Result<()> {
        self.parts.iter().try_for_each(|(settings, games, _)| append_packed(&self.path, games, settings))
    }
}
