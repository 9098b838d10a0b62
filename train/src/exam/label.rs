//! Labelling: each position of an exam is searched by itself.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Sender, bounded};
use eval::Network;
use movegen::{Board, Position};
use search::{Limits, SingleThreadedSearcher};

use crate::exam::draw::{Drawer, HASH_MIB, Nodes, set_of};
use crate::exam::work::{Found, Labels, Work};
use crate::exam::{Labelled, MAX_SCORE, Set};

/// Labels that may wait to be written.
const QUEUE: usize = 64;

/// How an exam is made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The network that games are played with, and positions searched.
    pub network: Arc<Network>,
    /// The nodes that positions are drawn with.
    pub drawn: Nodes,
    /// Nodes of the search that labels a position.
    pub nodes: u64,
    /// Positions of each set.
    pub positions: usize,
    /// Decides all positions.
    pub seed: u64,
    /// Threads, at least 1.
    pub threads: usize,
}

impl Plan {
    /// What makes an exam another one, as a line.
    #[must_use]
    pub fn terms(&self) -> String {
        let Self { network, drawn, nodes, seed, .. } = self;
        let Nodes { play, deep } = drawn;
        format!(
            "Vancura exam work 1: network={:016x} nodes={nodes} play={play} deep={deep} seed={seed}",
            network.hash()
        )
    }

    /// Draws and labels positions until the plan is done or `stop` is set, and returns all there are. `progress` hears of
    /// each label.
    ///
    /// # Errors
    ///
    /// If the work file at `path` cannot be read or written or is not of this exam.
    pub fn run(&self, path: &Path, stop: &AtomicBool, progress: &mut dyn FnMut(&Labels)) -> io::Result<Labels> {
        let mut work = Work::open(path, &self.terms())?;
        let before = work.labels().clone();
        let full = Set::ALL.map(|_| AtomicBool::new(false));
        let update = |labels: &Labels| {
            let enough = labels.have_enough(self.positions);
            full.iter().zip(enough).for_each(|(full, enough)| full.store(enough, Relaxed));
        };
        update(&before);
        let next = AtomicU64::new(0);
        thread::scope(|scope| {
            let (sender, found) = bounded(QUEUE);
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                let labeller = || Labeller {
                    drawer: Drawer::new(&self.network, self.drawn, self.seed),
                    searcher: SingleThreadedSearcher::new(Arc::clone(&self.network), HASH_MIB),
                    nodes: self.nodes,
                };
                let (before, full, next) = (&before, &full, &next);
                scope.spawn(move || labeller().work(before, full, next, stop, &sender));
            }
            drop(sender);
            for found in found {
                let unit = found.0;
                work.add(found)?;
                if work.labels().has_all(unit) {
                    update(work.labels());
                }
                progress(work.labels());
            }
            Ok(())
        })
        .map(|()| work.labels().clone())
    }
}

/// A thread's own.
struct Labeller {
    drawer: Drawer,
    searcher: SingleThreadedSearcher,
    nodes: u64,
}

impl Labeller {
    /// Labels unit after unit, without those labelled `before`, until the sets are `full`, or somebody stops it.
    fn work(
        &mut self,
        before: &Labels,
        full: &[AtomicBool; Set::ALL.len()],
        next: &AtomicU64,
        stop: &AtomicBool,
        sender: &Sender<Found>,
    ) {
        while !stop.load(Relaxed) && !full.iter().all(|full| full.load(Relaxed)) {
            let unit = next.fetch_add(1, Relaxed);
            if before.has_all(unit) || full[set_of(unit) as usize].load(Relaxed) {
                continue;
            }
            let Some(boards) = self.drawer.draw(unit, stop) else { return };
            let done = before.places(unit).unwrap_or_default();
            let count = boards.len();
            if count == 0 && sender.send((unit, 0, None)).is_err() {
                return;
            }
            for (place, board) in boards.into_iter().enumerate().filter(|(place, _)| !done.contains(place)) {
                let Some(labelled) = self.label(board) else { return };
                // Nobody listens once writing has failed.
                if sender.send((unit, count, Some((place, labelled)))).is_err() || stop.load(Relaxed) {
                    return;
                }
            }
        }
    }

    /// Searches a position with a fresh table. `None` if it has no legal move; such are not drawn.
    fn label(&mut self, board: Board) -> Option<Labelled> {
        self.searcher.forget();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let found = self.searcher.search(&Position::from(board), &limits)?;
        let most = i32::from(MAX_SCORE);
        Some(Labelled { board, best: found.best, score: found.score.0.clamp(-most, most) as i16 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::draw::{GLANCE_NODES, MAX_GLANCE};
    use crate::exam::work::Sets;
    use crate::training::seed::seed_network;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn plan(threads: usize) -> Plan {
        Plan {
            network: Arc::new(seed_network().unwrap()),
            drawn: Nodes { play: 20, deep: 300 },
            nodes: 400,
            positions: 8,
            seed: 3,
            threads,
        }
    }

    fn search(plan: &Plan, board: &Board, nodes: u64) -> search::SearchResult {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut searcher = SingleThreadedSearcher::new(Arc::clone(&plan.network), HASH_MIB);
        searcher.search(&Position::from(*board), &limits).unwrap()
    }

    #[test]
    fn sets_are_full_different_and_labelled_by_a_search() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(1);
        let labels = plan.run(&folder.path().join("work"), &NEVER, &mut |_| {}).unwrap();
        let sets = labels.choose(plan.positions);
        assert!(sets.iter().all(|set| set.len() == plan.positions), "{:?}", labels.len());
        let all: Vec<_> = sets.iter().flatten().collect();
        let different: std::collections::HashSet<_> = all.iter().map(|labelled| labelled.board.key()).collect();
        assert_eq!(different.len(), all.len());
        assert!(all.iter().any(|labelled| labelled.is_quiet()) && all.iter().any(|labelled| !labelled.is_quiet()));
        for labelled in all {
            let board = &labelled.board;
            assert!(!board.in_check() && board.halfmove_clock() == 0, "{board:?}");
            assert!(search(&plan, board, GLANCE_NODES).score.0.abs() <= MAX_GLANCE, "{board:?}");
            let found = search(&plan, board, plan.nodes);
            assert_eq!((labelled.best, i32::from(labelled.score)), (found.best, found.score.0.clamp(-10_000, 10_000)));
        }
    }

    #[test]
    fn neither_threads_nor_an_interruption_change_the_exam() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let choose = |plan: &Plan, name: &str| -> Sets {
            plan.run(&path(name), &NEVER, &mut |_| {}).unwrap().choose(plan.positions)
        };
        let whole = choose(&plan(1), "one");
        assert_eq!(choose(&plan(3), "three"), whole);
        let bytes = fs_err::read(path("one")).unwrap();
        for part in [1, 3, 6] {
            fs_err::write(path("cut"), &bytes[..bytes.len() * part / 7]).unwrap();
            assert_eq!(choose(&plan(2), "cut"), whole);
        }
        // Stopped after each label.
        let mut runs = 0;
        while Labels::read(&path("stopped"), &plan(1).terms()).map_or(true, |labels| labels.choose(8) != whole) {
            let stop = AtomicBool::new(false);
            plan(1).run(&path("stopped"), &stop, &mut |_| stop.store(true, Relaxed)).unwrap();
            runs += 1;
            assert!(runs <= 1000);
        }
        assert!(runs > 5, "{runs}");
        let other = Plan { seed: 4, ..plan(1) };
        assert!(other.run(&path("one"), &NEVER, &mut |_| {}).is_err());
        assert_ne!(choose(&other, "other"), whole);
    }
}
