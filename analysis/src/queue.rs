//! Reading games and cutting them into segments, only as fast as they are done.

use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use indicatif::ProgressBar;
use pgn::{PgnError, PgnGame, PgnReader};

use crate::assemble::Reading;
use crate::coordinator::{Coordinator, MOST_OPEN, WorkItem};
use crate::main_line::MainLine;
use crate::model::BrokenGame;

/// Games one after the other, each with the line it begins in.
pub(super) type Games = Box<dyn Iterator<Item = (u64, Result<PgnGame, PgnError>)> + Send>;

/// The games of a file, and how many of its bytes have been read.
pub(super) fn games(input: impl BufRead + Send + 'static) -> (Games, Arc<AtomicU64>) {
    let read = Arc::new(AtomicU64::new(0));
    let mut reader = PgnReader::new(Counted { input, read: Arc::clone(&read) });
    let games = std::iter::from_fn(move || {
        let game = reader.next()?;
        Some((reader.game_line(), game))
    });
    (Box::new(games), read)
}

/// Counts the bytes that go by.
struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.read.fetch_add(length as u64, Relaxed);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.read.fetch_add(length as u64, Relaxed);
        self.input.consume(length);
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
        let Some((line, game)) = self.games.next() else {
            self.forecast.progress.set_length(self.positions);
            return None;
        };
        self.number += 1;
        match game {
            Ok(game) => {
                let reading = Arc::new(Reading { number: self.number, line, main_line: MainLine::of(&game), game });
                self.positions += reading.main_line.boards.len() as u64;
                self.current = Some((Arc::clone(&reading), Box::new(reading.main_line.segments())));
                self.coordinator.open(reading);
            }
            Err(error) => {
                self.coordinator.open_broken(BrokenGame {
                    number: self.number,
                    line: error.start,
                    fault: error.to_string(),
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
                let item = WorkItem { reading: Arc::clone(reading), range };
                if self.coordinator.wants(&item) {
                    return Some(item);
                }
                let first = *self.first_unwanted.get_or_insert(item.reading.number);
                // Games end in any order, so others after this one may be known; but no run has more in work at once.
                if item.reading.number - first >= MOST_OPEN {
                    return None;
                }
                continue;
            }
            self.take_game()?;
        }
    }
}
