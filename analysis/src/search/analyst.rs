//! Searching the positions of a game.
//!
//! The unit of work is a segment of consecutive positions ([`SEGMENT`](crate::read::main_line::SEGMENT)), searched from the
//! last to the first with a table that is empty at its beginning and kept within it, so that what comes later in the
//! game is known to what comes before. That brings the expected points nearer to those of much
//! longer searches. Shorter segments gain less; longer ones gain little more and keep fewer threads busy with a single game.
//! They have fixed places, so that the results do not depend on which thread searches which.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use eval::{Evaluator, Network};
use movegen::{Board, Move, Position};
use search::{Found, FoundLine, Limits, Report, Reporter, Request, Searcher, Settings, Tablebase, TablebaseFault};

use crate::read::main_line::MainLine;
use crate::search::segment::Segment;
use crate::search::statics::evaluate;

/// How each position is searched.
#[derive(Clone)]
pub(crate) struct SearchMethod {
    pub limits: Limits,
    pub multi_pv: usize,
    /// Of one search.
    pub hash_mib: usize,
    /// Of one search.
    pub threads: usize,
    pub tablebase: Option<Arc<Tablebase>>,
    /// The network alone is asked; nothing is searched.
    pub is_static: bool,
}

/// A searcher, and what it is to do with each position.
pub(crate) struct Analyst<'a> {
    method: &'a SearchMethod,
    /// Built when first needed.
    searcher: Option<Searcher>,
    /// Built when first needed, if nothing is searched.
    evaluator: Option<Evaluator>,
    complaints: Vec<String>,
}

impl<'a> Analyst<'a> {
    pub const fn new(method: &'a SearchMethod) -> Self {
        Self { method, searcher: None, evaluator: None, complaints: Vec::new() }
    }

    /// Searches some positions of a game, or as many as there is time for before the stop, but not those that are known:
    /// for each position what is, or nothing at all.
    pub fn search(
        &mut self,
        main_line: &MainLine,
        range: Range<usize>,
        mut known: Vec<Option<Found>>,
        stop: &AtomicBool,
    ) -> Segment {
        let Self { method, searcher, evaluator, complaints } = self;
        if method.is_static {
            let evaluator = evaluator.get_or_insert_with(|| Evaluator::new(Network::embedded()));
            return evaluate(evaluator, main_line, range);
        }
        let searcher = fresh(searcher, method, complaints);
        known.resize(range.len(), None);
        let mut is_complete = true;
        for (index, slot) in range.zip(&mut known).rev().filter(|(_, slot)| slot.is_none()) {
            let position = main_line.position(index);
            if !position.board().has_legal_move() {
                continue;
            }
            if !stop.load(Relaxed) {
                let (answer, faults) = search(searcher, method, position, main_line.is_alive(index), stop);
                *slot = answer;
                complaints.extend(faults.iter().map(ToString::to_string));
            }
            // A stop in the meantime may have cut the search short.
            if stop.load(Relaxed) {
                is_complete = false;
                break;
            }
        }
        Segment { found: known, is_complete }
    }

    /// Searches a position by itself, with a legal move and nothing before it; `None` if the search was stopped.
    pub fn search_alone(&mut self, board: &Board, stop: &AtomicBool) -> Option<Found> {
        let Self { method, searcher, complaints, .. } = self;
        let searcher = fresh(searcher, method, complaints);
        let (found, faults) = search(searcher, method, Position::from(*board), false, stop);
        complaints.extend(faults.iter().map(ToString::to_string));
        found.filter(|_| !stop.load(Relaxed))
    }

    /// What the user should be told, each once.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}

/// The searcher as it is at the start of a game, built if it is missing.
fn fresh<'a>(
    searcher: &'a mut Option<Searcher>,
    method: &SearchMethod,
    complaints: &mut Vec<String>,
) -> &'a mut Searcher {
    let searcher = searcher.get_or_insert_with(|| {
        let mut searcher = match method.threads {
            1 => Searcher::on_this_thread(method.hash_mib),
            threads => Searcher::new(threads, method.hash_mib),
        };
        searcher.set_tablebase(method.tablebase.clone());
        if searcher.hash_mib() < method.hash_mib {
            let (had, wanted) = (searcher.hash_mib(), method.hash_mib);
            complaints.push(format!("not enough memory for a hash table of {wanted} MiB; using {had} MiB"));
        }
        searcher
    });
    searcher.new_game();
    searcher
}

/// One search of a position with a legal move, and what was wrong with endgame tables.
fn search(
    searcher: &mut Searcher,
    method: &SearchMethod,
    position: Position,
    is_alive: bool,
    stop: &AtomicBool,
) -> (Option<Found>, Vec<TablebaseFault>) {
    let settings =
        Settings { multi_pv: method.multi_pv, move_overhead: Duration::ZERO, is_alive, ..Settings::default() };
    let board = *position.board();
    let request = Request { position, limits: method.limits.clone(), settings, received: Instant::now() };
    let Listener { mut found, faults } = searcher.search(request, Listener::default(), stop).unwrap_or_default();
    if let (Some(found), Some(tablebase)) = (&mut found, &method.tablebase) {
        found.lines.iter_mut().for_each(|line| end_in_tables(line, tablebase, board));
    }
    (found, faults)
}

/// Ends a line won or lost by endgame tables where they begin to know it. Beyond that, the searcher carries it on as far
/// as it has time to, which differs from run to run.
fn end_in_tables(line: &mut FoundLine, tablebase: &Tablebase, mut board: Board) {
    if line.score.plies_to_table().is_none() {
        return;
    }
    let known = line.moves.iter().position(|&mv| {
        board.play(mv, &mut ());
        tablebase.covers(&board)
    });
    if let Some(index) = known {
        line.moves.truncate(index + 1);
    }
}

/// Keeps the newest of what it hears.
#[derive(Default)]
struct Listener {
    found: Option<Found>,
    faults: Vec<TablebaseFault>,
}

impl Reporter for Listener {
    fn line(&mut self, report: &Report<'_>) {
        if !report.pv.is_empty() {
            self.found.get_or_insert_default().hear(report);
        }
    }

    fn tablebase_fault(&mut self, fault: &TablebaseFault) {
        self.faults.push(fault.clone());
    }

    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {}
}

#[cfg(test)]
mod tests {
    use pgn::PgnReader;

    use super::*;

    fn main_line(text: &str) -> MainLine {
        MainLine::of(&PgnReader::new(text.as_bytes()).next().unwrap().unwrap())
    }

    fn method(multi_pv: usize) -> SearchMethod {
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        SearchMethod { limits, multi_pv, hash_mib: 1, threads: 1, tablebase: None, is_static: false }
    }

    #[test]
    fn a_segment_is_the_same_whatever_was_searched_before() {
        let main_line = main_line("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *");
        let (method, stop) = (method(2), AtomicBool::new(false));
        let mut analyst = Analyst::new(&method);
        let first = analyst.search(&main_line, 0..8, Vec::new(), &stop);
        assert!(first.is_complete && first.fits(&main_line, &(0..8)));
        analyst.search(&main_line, 8..11, Vec::new(), &stop);
        assert_eq!(analyst.search(&main_line, 0..8, Vec::new(), &stop).found, first.found);
        assert!(first.found.iter().flatten().all(|found| found.lines.len() == 2 && found.nodes == 500));
    }

    #[test]
    fn a_stop_leaves_a_segment_incomplete() {
        let (main_line, method) = (main_line("1. e4 e5 *"), method(1));
        let segment = Analyst::new(&method).search(&main_line, 0..3, Vec::new(), &AtomicBool::new(true));
        assert!(!segment.is_complete && segment.found.iter().all(Option::is_none));
    }

    #[test]
    fn a_stop_takes_nothing_from_a_segment_with_nothing_to_search() {
        let main_line = main_line("1. f3 e5 2. g4 Qh4# 0-1");
        let method = method(1);
        let mut analyst = Analyst::new(&method);
        let known = analyst.search(&main_line, 0..5, Vec::new(), &AtomicBool::new(false)).found;
        let stop = AtomicBool::new(true);
        assert!(analyst.search(&main_line, 4..5, Vec::new(), &stop).is_complete, "a mate alone");
        let again = analyst.search(&main_line, 0..5, known.clone(), &stop);
        assert!(again.is_complete && again.found == known, "a mate after known positions");
        let partial = analyst.search(&main_line, 0..5, known[..3].to_vec(), &stop);
        assert!(!partial.is_complete, "a position not yet searched");
    }

    #[test]
    fn there_are_as_many_lines_as_moves_and_none_without() {
        let main_line = main_line("[FEN \"7k/8/8/8/8/8/2Q5/K7 b - - 0 1\"]\n\n1... Kg8 2. Qh7+ Kf8 3. Qh8+ Ke7 *");
        let (method, stop) = (method(3), AtomicBool::new(false));
        let segment = Analyst::new(&method).search(&main_line, 0..1, Vec::new(), &stop);
        let moves = main_line.boards[0].legal_moves().len();
        assert_eq!(segment.found[0].as_ref().map(|found| found.lines.len()), Some(moves.min(3)));
        let mated = self::main_line("1. f3 e5 2. g4 Qh4# 0-1");
        let segment = Analyst::new(&method).search(&mated, 4..5, Vec::new(), &stop);
        assert!(segment.found == [None] && segment.is_complete && segment.fits(&mated, &(4..5)));
    }

    #[test]
    fn what_cannot_be_played_does_not_fit() {
        let main_line = main_line("1. e4 e5 *");
        let (method, stop) = (method(1), AtomicBool::new(false));
        let good = Analyst::new(&method).search(&main_line, 0..3, Vec::new(), &stop);
        let changed = |change: &dyn Fn(&mut Vec<Option<Found>>)| {
            let mut found = good.found.clone();
            change(&mut found);
            Segment { found, is_complete: true }.fits(&main_line, &(0..3))
        };
        assert!(changed(&|_| ()));
        assert!(!changed(&|found| found[1] = None));
        assert!(!changed(&|found| drop(found.pop())));
        assert!(!changed(&|found| found.swap(0, 1)), "a move of the other side");
        assert!(!changed(&|found| found[0].as_mut().unwrap().lines.clear()));
        assert!(!changed(&|found| found[0].as_mut().unwrap().lines[0].moves.clear()));
        assert!(!changed(&|found| found[0].as_mut().unwrap().lines[0].moves = vec![Move::from_bits(0xFFFF).unwrap()]));
    }
}
