//! A search as each thread receives it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use movegen::Position;

use crate::state::clock::Clock;
use crate::state::control::{Control, NodeCount};
use crate::table::transposition::TranspositionTable;
use crate::tablebase::probe::Tablebase;
use crate::types::limits::Limits;
use crate::types::request::Settings;

/// One search, as one thread sees it.
pub(crate) struct Job<'a> {
    /// The thread's number; thread 0 is the main thread, which keeps the clock and reports.
    pub(crate) id: usize,
    pub(crate) position: Arc<Position>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) tablebase: Option<Arc<Tablebase>>,
    pub(crate) control: Arc<Control>,
    pub(crate) counts: Arc<[NodeCount]>,
    /// Asks for the end of a search that its owner waits for on the same thread.
    pub(crate) stop: Option<&'a AtomicBool>,
}

impl Job<'_> {
    /// Obeys what the owner has asked for meanwhile, if the search runs on its thread.
    pub(crate) fn look_for_orders(&self) {
        self.control.look_into_inbox();
        if self.stop.is_some_and(|stop| stop.load(Relaxed)) {
            self.control.stop();
        }
    }
}
