//! What analysis finds, beyond the end of a session.
//!
//! The session knows no files of that kind. Whoever makes it may give it a way to open them
//! ([`Session::with_memory`](crate::Session::with_memory)), and only then there is an option that names one.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eval::Network;
use movegen::Position;
use search::{Found, Limits, MAX_PLY, Settings, Tablebase};

use crate::error::{CommandError, Token};
use crate::file::locate;
use crate::option::Options;
use crate::print::Printer;

/// What is known about positions, for this session and later ones. It may be asked and told by several threads.
pub trait AnalysisMemory: Send + Sync {
    /// What is known, in as many exact lines as the settings ask for; `None` if nothing is.
    fn recall(&self, subject: &Subject) -> Option<Found>;

    /// What a search of another version or with another network found, if that is known: something to begin with, and no
    /// answer. In as many exact lines as the settings ask for.
    fn recall_other(&self, _: &Subject) -> Option<OtherFound> {
        None
    }

    /// Keeps a result, unless a better one is known. Returns at once: a search is running.
    fn keep(&self, subject: &Subject, found: Found);

    /// Whether it could not be read or written, and so is of no use any more.
    fn has_failed(&self) -> bool;
}

/// What a search of another version or with another network found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherFound {
    /// What it found.
    pub found: Found,
    /// Whose it is, in words for the user.
    pub by: String,
}

/// What a result is about, and what it depends on.
#[derive(Clone)]
pub struct Subject {
    /// The position, with as much of the game before it as can be repeated.
    pub position: Position,
    /// How it is searched.
    pub settings: Settings,
    /// The endgame tables that are asked.
    pub tablebase: Option<Arc<Tablebase>>,
}

/// How a memory tells the user what happens to it, at any time and from any thread.
pub type Tell = Box<dyn Fn(&str) + Send + Sync>;

/// How a memory is opened: from a path, for the results of a network.
pub type OpenMemory = Box<dyn Fn(&Path, &Network, Tell) -> Result<Arc<dyn AnalysisMemory>, MemoryError> + Send>;

/// Why a memory cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryError {
    /// In words for the user.
    pub reason: String,
    /// Whether another has it now, so that it may be had later.
    pub is_in_use: bool,
}

/// A session's memory, as the options want it.
pub(crate) struct MemorySlot {
    open: OpenMemory,
    current: Option<Current>,
}

/// What was opened last.
struct Current {
    /// As the client wrote it.
    path: String,
    /// The network whose results it has.
    network: Arc<Network>,
    /// An error if it could not be opened.
    memory: Result<Arc<dyn AnalysisMemory>, MemoryError>,
    tried: Instant,
}

/// How long one that another has is left alone.
const PAUSE: Duration = Duration::from_secs(5);

impl MemorySlot {
    pub(crate) const fn new(open: OpenMemory) -> Self {
        Self { open, current: None }
    }

    /// Has the next [`follow`](Self::follow) try again what has failed.
    pub(crate) fn retry(&mut self) {
        if self.working().is_none() {
            self.current = None;
        }
    }

    /// Tries again what may have passed, where a moment is left for it: one that another had may be free now, and a disk that
    /// was full need not be so any more.
    pub(crate) fn retry_failed<W: Write + Send + 'static>(&mut self, options: &Options, printer: &Printer<W>) {
        let has_failed = |current: &Current| current.memory.as_ref().is_ok_and(|memory| memory.has_failed());
        if self.current.as_ref().is_some_and(has_failed) {
            self.current = None;
        }
        self.retry_in_use(options, printer, Duration::ZERO);
    }

    /// Tries again to open one that another had so long ago. Only success is told.
    fn retry_in_use<W: Write + Send + 'static>(&mut self, options: &Options, printer: &Printer<W>, pause: Duration) {
        let is_due = |current: &Current| {
            current.memory.as_ref().is_err_and(|error| error.is_in_use) && current.tried.elapsed() >= pause
        };
        if let Some(current) = self.current.take_if(|current| is_due(current)) {
            let opened = self.opened(&current.path, &options.network, printer);
            if opened.is_ok() {
                printer.message(format_args!("{} is free now, and used from here on", Token::new(&current.path)));
            }
            self.current = Some(Current { memory: opened, tried: Instant::now(), ..current });
        }
    }

    fn opened<W: Write + Send + 'static>(
        &self,
        path: &str,
        network: &Network,
        printer: &Printer<W>,
    ) -> Result<Arc<dyn AnalysisMemory>, MemoryError> {
        let teller = printer.clone();
        (self.open)(&locate(path), network, Box::new(move |text| teller.message(text)))
    }

    /// Opens the memory that the options name for their network, and closes any other. No search may be running. That one
    /// cannot be used is said once. One that another has is tried again now and then, but not if there is a hurry.
    pub(crate) fn follow<W: Write + Send + 'static>(
        &mut self,
        options: &Options,
        printer: &Printer<W>,
        is_hurried: bool,
    ) -> Option<Arc<dyn AnalysisMemory>> {
        let network = &options.network;
        let is_same = |current: &Current| {
            let is_same_network = Arc::ptr_eq(&current.network, network) || current.network == *network;
            options.store_path.as_ref() == Some(&current.path) && is_same_network
        };
        if self.current.as_ref().is_some_and(is_same) {
            if !is_hurried {
                self.retry_in_use(options, printer, PAUSE);
            }
            return self.working();
        }
        // It may be the same file, which only one can have open.
        self.current = None;
        let path = options.store_path.as_ref()?;
        let memory = self.opened(path, network, printer);
        if let Err(MemoryError { reason, .. }) = &memory {
            printer.fault(&CommandError::Memory { path: Token::new(path), reason: reason.clone() });
        }
        let (path, network) = (path.clone(), Arc::clone(network));
        self.current = Some(Current { path, network, memory, tried: Instant::now() });
        self.working()
    }

    /// The memory that is open, if it works.
    fn working(&self) -> Option<Arc<dyn AnalysisMemory>> {
        self.current.as_ref()?.memory.clone().ok().filter(|memory| !memory.has_failed())
    }
}

/// Whether a search is analysis, and its result that of the whole position: no clock runs, the strength is not limited,
/// and neither some moves nor a mate alone are asked about. A fixed time is no clock: programs that annotate games ask
/// for it.
pub(crate) fn is_analysis(limits: &Limits, settings: &Settings) -> bool {
    limits.remaining.0.iter().all(Option::is_none)
        && !limits.ponder
        && limits.mate.is_none()
        && limits.search_moves.is_empty()
        && settings.strength.is_none()
}

/// Whether a known result is at least what such a search would find. One that only a `stop` ends goes on from it.
pub(crate) fn suffices(found: &Found, limits: &Limits) -> bool {
    let deepest = MAX_PLY as i32 - 1;
    let is_deep = |depth: i32| i64::from(found.depth) >= i64::from(depth.min(deepest));
    !limits.infinite && (limits.depth.is_some_and(is_deep) || limits.nodes.is_some_and(|nodes| found.nodes >= nodes))
}

#[cfg(test)]
mod tests {
    use movegen::{Board, ByColor};
    use search::Strength;

    use super::*;

    #[test]
    fn only_searches_without_clocks_and_at_full_strength_are_analysis() {
        let (limits, settings) = (Limits::default(), Settings::default());
        let second = Some(Duration::from_secs(1));
        for analysis in [
            Limits { infinite: true, ..limits.clone() },
            Limits { depth: Some(9), ..limits.clone() },
            Limits { nodes: Some(9), ..limits.clone() },
            Limits { move_time: second, ..limits.clone() },
        ] {
            assert!(is_analysis(&analysis, &settings), "{analysis:?}");
            let strength = Some(Strength::of_elo(1500, 1));
            assert!(!is_analysis(&analysis, &Settings { strength, ..settings.clone() }), "{analysis:?}");
            for other in [
                Limits { remaining: ByColor([second, None]), ..analysis.clone() },
                Limits { remaining: ByColor([None, second]), ..analysis.clone() },
                Limits { ponder: true, ..analysis.clone() },
                Limits { mate: Some(3), ..analysis.clone() },
                Limits { search_moves: Board::start().legal_moves(), ..analysis },
            ] {
                assert!(!is_analysis(&other, &settings), "{other:?}");
            }
        }
    }

    #[test]
    fn a_result_suffices_for_what_asks_for_no_more() {
        let found = Found { depth: 12, nodes: 5000, ..Found::default() };
        let none = Limits::default;
        for (limits, expected) in [
            (Limits { depth: Some(12), ..none() }, true),
            (Limits { depth: Some(13), ..none() }, false),
            (Limits { nodes: Some(5000), ..none() }, true),
            (Limits { nodes: Some(5001), ..none() }, false),
            (Limits { depth: Some(13), nodes: Some(5000), ..none() }, true),
            (Limits { move_time: Some(Duration::ZERO), ..none() }, false),
            (Limits { depth: Some(12), infinite: true, ..none() }, false),
        ] {
            assert_eq!(suffices(&found, &limits), expected, "{limits:?}");
        }
        let deepest = Found { depth: MAX_PLY as u32 - 1, ..found };
        assert!(suffices(&deepest, &Limits { depth: Some(i32::MAX), ..none() }));
    }
}
