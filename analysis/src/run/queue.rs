//! Games cut into segments, and read only as fast as those are done.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use indicatif::ProgressBar;

use crate::model::BrokenGame;
use crate::read::games::{FoundGame, Games, Reading};
use crate::read::main_line::MainLine;
use crate::run::coordinator::{Coordinator, MOST_OPEN, WorkItem};

/// Estimates how many positions there will be.
pub(crate) struct Forecast<'a> {
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
pub(crate) struct SegmentQueue<'a> {
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
