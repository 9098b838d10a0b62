//! Searching and waiting for the end, for callers that have nothing else to do meanwhile.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crossbeam_channel::{Sender, bounded};
use movegen::Move;

use crate::thread::pool::Searcher;
use crate::types::report::{Report, Reporter};
use crate::types::request::Request;
use crate::types::tablebase::TablebaseFault;

/// How often the caller's flag is polled.
const STOP_INTERVAL: Duration = Duration::from_millis(5);

impl Searcher {
    /// Searches until a limit is reached or `stop` is set, and returns the reporter with everything it received. `None` if
    /// the searching thread died before the end.
    pub fn search<R: Reporter + 'static>(&mut self, request: Request, reporter: R, stop: &AtomicBool) -> Option<R> {
        let (sender, finished) = bounded(1);
        self.start_until(request, Box::new(Returning { reporter: Some(reporter), sender }), Some(stop));
        let reporter = loop {
            match finished.recv_timeout(STOP_INTERVAL) {
                Ok(reporter) => break Some(reporter),
                Err(error) if error.is_disconnected() => break None,
                Err(_) if stop.load(Relaxed) => self.stop(),
                Err(_) => {}
            }
        };
        self.wait();
        reporter
    }
}

/// Ignores all reports.
impl Reporter for () {
    fn line(&mut self, _: &Report<'_>) {}

    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {}
}

/// A reporter that goes back to its owner when the search is over.
struct Returning<R> {
    /// `None` after the end.
    reporter: Option<R>,
    sender: Sender<R>,
}

impl<R: Reporter> Reporter for Returning<R> {
    fn line(&mut self, report: &Report<'_>) {
        if let Some(reporter) = &mut self.reporter {
            reporter.line(report);
        }
    }

    fn current(&mut self, depth: i32, mv: Move, number: usize) {
        if let Some(reporter) = &mut self.reporter {
            reporter.current(depth, mv, number);
        }
    }

    fn no_mate(&mut self) {
        if let Some(reporter) = &mut self.reporter {
            reporter.no_mate();
        }
    }

    fn tablebase_fault(&mut self, fault: &TablebaseFault) {
        if let Some(reporter) = &mut self.reporter {
            reporter.tablebase_fault(fault);
        }
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        if let Some(mut reporter) = self.reporter.take() {
            reporter.finished(best, ponder);
            // The receiver waits for it below.
            let _ = self.sender.send(reporter);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use movegen::Position;

    use super::*;
    use crate::{Limits, Settings};

    fn request(limits: Limits) -> Request {
        Request { position: Position::start(), limits, settings: Settings::default(), received: Instant::now() }
    }

    /// Counts lines and remembers the best move.
    #[derive(Default)]
    struct Listener {
        lines: usize,
        best: Option<Move>,
    }

    impl Reporter for Listener {
        fn line(&mut self, _: &Report<'_>) {
            self.lines += 1;
        }

        fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
            self.best = best;
        }
    }

    #[test]
    fn the_reporter_comes_back_with_what_it_heard() {
        let mut searcher = Searcher::new(1, 1);
        let never = AtomicBool::new(false);
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let heard = searcher.search(request(limits), Listener::default(), &never).unwrap();
        assert!(heard.lines >= 3 && heard.best.is_some());
        assert!(!searcher.is_searching());
    }

    #[test]
    fn the_flag_ends_an_endless_search() {
        for mut searcher in [Searcher::new(1, 1), Searcher::on_this_thread(1)] {
            let limits = Limits { infinite: true, ..Limits::default() };
            let heard = searcher.search(request(limits), Listener::default(), &AtomicBool::new(true)).unwrap();
            assert!(heard.best.is_some());
        }
    }

    #[test]
    fn a_search_on_this_thread_finds_what_one_on_another_does() {
        let find = |mut searcher: Searcher| {
            let limits = Limits { nodes: Some(5000), ..Limits::default() };
            let heard = searcher.search(request(limits), Listener::default(), &AtomicBool::new(false)).unwrap();
            (heard.lines, heard.best, searcher.nodes())
        };
        let found = find(Searcher::on_this_thread(1));
        assert_eq!(found, find(Searcher::new(1, 1)));
        assert_eq!(found.2, 5000);
    }
}
