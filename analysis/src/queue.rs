//! Reading games and cutting them into segments, only as fast as they are done.

use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use fs_err::File;
use indicatif::ProgressBar;
use pgn::{PgnError, PgnFault, PgnGame, PgnReader, text_of};

use crate::assemble::Reading;
use crate::coordinator::{Coordinator, MOST_OPEN, WorkItem};
use crate::main_line::MainLine;
use crate::model::BrokenGame;

/// A game as it comes from a file.
pub(super) struct FoundGame {
    /// The file, where there are several.
    pub file: Option<Arc<str>>,
    /// The line it begins in.
    pub line: u64,
    pub game: Result<PgnGame, PgnError>,
}

/// Games one after the other.
pub(super) type Games = Box<dyn Iterator<Item = FoundGame> + Send>;

/// The games of files, `-` for the standard input, and how many bytes of them have been read. Each file is opened when those
/// before it are done; one that cannot be read counts as a game that cannot.
pub(super) fn games(files: Vec<PathBuf>) -> (Games, Arc<AtomicU64>) {
    let bytes = Arc::new(AtomicU64::new(0));
    let (are_several, counter) = (files.len() > 1, Arc::clone(&bytes));
    let games = files.into_iter().flat_map(move |path| {
        let file = are_several.then(|| Arc::from(path.display().to_string()));
        games_of_file(&path, file, &counter)
    });
    (Box::new(games), bytes)
}

fn games_of_file(path: &Path, file: Option<Arc<str>>, bytes: &Arc<AtomicU64>) -> Games {
    match open(path, Arc::clone(bytes)) {
        Ok(mut reader) => Box::new(std::iter::from_fn(move || {
            let game = reader.next()?;
            Some(FoundGame { file: file.clone(), line: reader.game_line(), game })
        })),
        Err(error) => {
            let error = PgnError { line: 1, start: 1, fault: PgnFault::Io(error) };
            Box::new(std::iter::once(FoundGame { file, line: 1, game: Err(error) }))
        }
    }
}

fn open(path: &Path, read: Arc<AtomicU64>) -> io::Result<PgnReader<Box<dyn io::BufRead + Send>>> {
    let input: Box<dyn Read + Send> =
        if path.as_os_str() == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    Ok(PgnReader::new(text_of(BufReader::new(Counted { input, read }))?))
}

/// Counts the bytes that go by.
struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.read.fetch_add(length as u64, Relaxed);
        Ok(length)
    }
}

/// Estimates how many positions there will be.
pub(super) struct Forecast<'a> {
    pub progress: &'a ProgressBar,
    pub bytes_read: Arc<AtomicU64>,
    /// `None` if unknown.
    pub bytes: Option<u64>,
}

impl Forecast<'_> {
    fn see(&self, positions: u64) {
        let read = self.bytes_read.load(Relaxed).max(1);
        if let Some(bytes) = self.bytes {
            let total = u128::from(positions) * u128::from(bytes.max(read)) / u128::from(read);
            self.progress.set_length(u64::try_from(total).unwrap_or(u64::MAX));
        }
    }
}

/// The segments of all games, in order. Takes a game only when the coordinator has room for it.
pub(super) struct SegmentQueue<'a> {
    games: Games,
    coordinator: &'a Coordinator<'a>,
    forecast: Forecast<'a>,
    /// The last game taken, and what is left of it.
    current: Option<(Arc<Reading>, Segments)>,
    number: u32,
    positions: u64,
    /// The number of the first game with a segment that was left out because the run is to stop.
    first_unwanted: Option<u32>,
}

type Segments = Box<dyn Iterator<Item = Range<usize>> + Send>;

impl<'a> SegmentQueue<'a> {
    pub const fn new(games: Games, coordinator: &'a Coordinator<'a>, forecast: Forecast<'a>) -> Self {
        Self { games, coordinator, forecast, current: None, number: 0, positions: 0, first_unwanted: None }
    }

    /// Takes the next game; `None` if there is none.
    fn take_game(&mut self) -> Option<()> {
        self.coordinator.wait_for_room();
        let Some(FoundGame { file, line, game }) = self.games.next() else {
            self.forecast.progress.set_length(self.positions);
            return None;
        };
        self.number += 1;
        match game {
            Ok(game) => {
                let main_line = MainLine::of(&game);
                let reading = Arc::new(Reading { number: self.number, file, line, main_line, game });
                self.positions += reading.main_line.boards.len() as u64;
                self.current = Some((Arc::clone(&reading), Box::new(reading.main_line.segments())));
                self.coordinator.open(reading);
            }
            Err(error) => {
                self.coordinator.open_broken(BrokenGame {
                    number: self.number,
                    line: error.start,
                    fault: file.map_or_else(|| error.to_string(), |file| format!("{file}: {error}")),
                });
            }
        }
        self.forecast.see(self.positions);
        Some(())
    }
}

impl Iterator for SegmentQueue<'_> {
    type Item = WorkItem;

    fn next(&mut self) -> Option<WorkItem> {
        loop {
            if let Some((reading, segments)) = &mut self.current
                && let Some(range) = segments.next()
            {
                if let Some(item) = self.coordinator.work_item(reading, range) {
                    return Some(item);
                }
                let first = *self.first_unwanted.get_or_insert(reading.number);
                // Games end in any order, so others after this one may be known; but no run has more in work at once.
                if reading.number - first >= MOST_OPEN {
                    return None;
                }
                continue;
            }
            self.take_game()?;
        }
    }
}
