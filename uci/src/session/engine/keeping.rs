//! What a session does so that analysis is kept.

use std::io::Write;

use search::Request;

use crate::analysis::Analysis;
use crate::memory::{MemorySlot, OpenMemory, Subject, is_analysis};
use crate::print::Announcer;
use crate::session::engine::Engine;

impl<W: Write + Send + 'static> Engine<W> {
    /// Adds the option to keep analysis in a file, which is opened in this way.
    pub(crate) fn set_memory(&mut self, open: OpenMemory) {
        self.memory = Some(MemorySlot::new(open));
    }

    /// Starts a search, unless it is analysis of which enough is known.
    pub(super) fn search(&mut self, request: Request, announcer: Announcer<W>) {
        let Request { position, limits, settings, .. } = &request;
        let slot = self.memory.as_mut().filter(|_| is_analysis(limits, settings));
        let is_hurried = limits.move_time.is_some();
        let memory = slot.and_then(|slot| slot.follow(&self.options, &self.printer, is_hurried));
        let pool = self.ready();
        let Some(memory) = memory else { return pool.searcher.start(request, Box::new(announcer)) };
        let (position, settings, tablebase) = (position.clone(), settings.clone(), pool.tablebase.clone());
        let mut analysis = Analysis::new(announcer, memory, Subject { position, settings, tablebase });
        if !analysis.begin(limits) {
            pool.searcher.start(request, Box::new(analysis));
        }
    }

    /// Opens the memory that the options name, or closes it, unless a search still runs.
    pub(super) fn settle_memory(&mut self) {
        if !self.is_busy()
            && let Some(memory) = &mut self.memory
        {
            memory.follow(&self.options, &self.printer, false);
        }
    }

    /// Tries again to open a memory that could not be used, before a new game.
    pub(super) fn retry_memory(&mut self) {
        if !self.is_busy()
            && let Some(memory) = &mut self.memory
        {
            memory.retry_failed(&self.options, &self.printer);
        }
    }
}
