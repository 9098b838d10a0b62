//! Sessions that keep analysis: what is asked for and told, and what is done with it.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use eval::Network;
use search::{Bound, Found, FoundLine, Score};
use uci::{AnalysisMemory, MemoryError, Session, Subject, Tell};

/// What a session says.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A memory that lasts as long as the test, by position and number of lines.
#[derive(Clone, Default)]
struct Notes(Arc<Inner>);

#[derive(Default)]
struct Inner {
    found: Mutex<HashMap<([u8; 24], usize), Found>>,
    asked: Mutex<usize>,
    /// The paths that were opened.
    opened: Mutex<Vec<String>>,
    has_failed: AtomicBool,
}

impl Inner {
    fn key(subject: &Subject) -> ([u8; 24], usize) {
        (subject.position.board().packed(), subject.settings.multi_pv)
    }
}

impl AnalysisMemory for Notes {
    fn recall(&self, subject: &Subject) -> Option<Found> {
        *self.0.asked.lock().expect("nobody panics") += 1;
        self.0.found.lock().expect("nobody panics").get(&Inner::key(subject)).cloned()
    }

    fn keep(&self, subject: &Subject, found: Found) {
        self.0.found.lock().expect("nobody panics").insert(Inner::key(subject), found);
    }

    fn has_failed(&self) -> bool {
        self.0.has_failed.load(Relaxed)
    }
}

impl Notes {
    /// What a session with this memory answers to these lines, one after the other.
    fn answer(&self, lines: &[&str]) -> String {
        let output = Output::default();
        let notes = self.clone();
        let open = move |path: &Path, _: &Network, tell: Tell| -> Result<Arc<dyn AnalysisMemory>, MemoryError> {
            let mut opened = notes.0.opened.lock().expect("nobody panics");
            opened.push(path.display().to_string());
            let is_in_use = path.starts_with("taken") && opened.len() < 3;
            if path.starts_with("bad") || is_in_use {
                return Err(MemoryError { reason: "it is a test".to_owned(), is_in_use });
            }
            tell("opened");
            Ok(Arc::new(notes.clone()))
        };
        let mut session = Session::new(output.clone()).with_memory(Box::new(open));
        if session.run_script(lines).is_continue() {
            session.run(&b"quit\n"[..]);
        }
        String::from_utf8(output.0.lock().expect("nobody panics").clone()).expect("text")
    }

    fn asked(&self) -> usize {
        *self.0.asked.lock().expect("nobody panics")
    }

    fn only(&self) -> Found {
        let found = self.0.found.lock().expect("nobody panics");
        assert_eq!(found.len(), 1);
        found.values().next().cloned().expect("one")
    }
}

const STORE: &str = "setoption name AnalysisStore value a store";

/// The depths of the lines with a score.
fn depths(text: &str) -> Vec<u32> {
    let lines = text.lines().filter(|line| line.contains(" score "));
    lines.map(|line| line.split(' ').nth(2).and_then(|depth| depth.parse().ok()).expect("a depth")).collect()
}

#[test]
fn only_a_session_with_a_memory_offers_it() {
    let offer = "option name AnalysisStore type string default <empty>\n";
    assert!(Notes::default().answer(&["uci"]).contains(offer));
    let output = Output::default();
    let _ = Session::new(output.clone()).run_script(["uci", STORE]);
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    assert!(!text.contains(offer), "{text}");
    assert!(text.ends_with("info string error: unknown option \"AnalysisStore\"\n"), "{text}");
}

#[test]
fn one_that_another_has_is_tried_again_before_each_game() {
    let notes = Notes::default();
    let taken = "setoption name AnalysisStore value taken";
    let text = notes.answer(&[
        taken,
        "isready",
        "isready",
        "go depth 1",
        "ucinewgame",
        "ucinewgame",
        "ucinewgame",
        "go depth 1",
    ]);
    assert_eq!(text.matches("it is a test").count(), 1, "{text}");
    assert_eq!(notes.0.opened.lock().unwrap().len(), 3);
    assert!(text.contains("info string opened\ninfo string \"taken\" is free now, and used from here on\n"), "{text}");
    assert_eq!(notes.only().depth, 1);
    // What is no store does not become one.
    let notes = Notes::default();
    let text = notes.answer(&["setoption name AnalysisStore value bad", "isready", "ucinewgame", "ucinewgame"]);
    assert_eq!((text.matches("it is a test").count(), notes.0.opened.lock().unwrap().len()), (1, 1), "{text}");
}

#[test]
fn a_memory_is_opened_when_the_network_is_known_and_once() {
    let notes = Notes::default();
    let text = notes.answer(&[STORE, "uci", STORE, "go wtime 9 btime 9"]);
    assert!(!text.contains("opened"), "{text}");
    let text = notes.answer(&[STORE, "isready", STORE, "isready", "go depth 1", "go nodes 1"]);
    assert_eq!(text.matches("info string opened\n").count(), 1, "{text}");
    assert_eq!(*notes.0.opened.lock().unwrap(), ["a store"]);
    // Closed and opened again.
    let text = notes.answer(&[STORE, "isready", "setoption name AnalysisStore value <empty>", STORE, "isready"]);
    assert_eq!(text.matches("info string opened\n").count(), 2, "{text}");
}

#[test]
fn one_that_cannot_be_opened_is_said_once_for_each_time_it_is_named() {
    let bad = "setoption name AnalysisStore value bad";
    let said = "info string error: cannot use the analysis store \"bad\": it is a test; going on without it\n";
    let text = Notes::default().answer(&[bad, "isready", "isready", "go depth 2", bad, "go depth 3"]);
    assert_eq!((text.matches(said).count(), text.matches("bestmove ").count()), (2, 2), "{text}");
}

#[test]
fn the_result_of_a_search_is_kept_and_told_to_the_next() {
    let notes = Notes::default();
    let text = notes.answer(&[STORE, "go depth 8"]);
    let first = notes.only();
    assert!(first.depth == 8 && first.is_exact() && text.contains(&format!("nodes {} ", first.nodes)), "{text}");
    // As much is asked for: no search.
    for go in ["go depth 8", "go depth 3", "go nodes 1", "go depth 99 nodes 5"] {
        let text = notes.answer(&[STORE, go]);
        assert_eq!(depths(&text), [8], "{go}: {text}");
        let said = format!("from the analysis store: depth 8 by {} nodes; no search is needed\n", first.nodes);
        assert!(text.contains(&said), "{go}: {text}");
        let best = first.lines[0].moves[0];
        assert!(text.contains(&format!("\nbestmove {best}")), "{go}: {text}");
    }
    assert_eq!(notes.only(), first, "nothing new was found");
    // More is asked for: the search goes on from there.
    let text = notes.answer(&[STORE, "go depth 10"]);
    let told = depths(&text);
    assert!(told[0] == 8 && told.is_sorted() && told.last() == Some(&10), "{told:?}");
    assert!(text.contains(&format!("from the analysis store: depth 8 by {} nodes\n", first.nodes)), "{text}");
    let second = notes.only();
    assert!(second.depth == 10 && second.nodes >= first.nodes, "{second:?}");
}

#[test]
fn a_search_that_stays_behind_answers_what_is_known() {
    let notes = Notes::default();
    notes.answer(&[STORE, "go depth 6"]);
    let key = notes.0.found.lock().unwrap().keys().next().copied().unwrap();
    // As if from a very long search, with a move that no short one would choose.
    let board = movegen::Board::start();
    let moves = ["a2a4", "h7h5"].map(|text| text.to_owned());
    let first = board.parse_uci(&moves[0]).unwrap();
    let reply = board.after(first).parse_uci(&moves[1]).unwrap();
    let line = FoundLine { score: Score(-77), bound: Bound::Exact, moves: vec![first, reply] };
    let known = Found { depth: 99, seldepth: 99, nodes: 1 << 40, lines: vec![line] };
    notes.0.found.lock().unwrap().insert(key, known.clone());
    for go in ["go movetime 20", "go depth 100 movetime 20", "go infinite"] {
        let text = notes.answer(&[STORE, go]);
        assert_eq!(depths(&text), [99], "{go}: {text}");
        assert!(text.ends_with("\nbestmove a2a4 ponder h7h5\n"), "{go}: {text}");
    }
    assert_eq!(notes.only(), known, "and stays known");
    // What cannot be played is not believed.
    let wrong = FoundLine { moves: vec![reply], ..known.lines[0].clone() };
    notes.0.found.lock().unwrap().insert(key, Found { lines: vec![wrong], ..known });
    let text = notes.answer(&[STORE, "go depth 5"]);
    assert_eq!(depths(&text).last(), Some(&5), "{text}");
    assert!(!text.contains("from the analysis store"), "{text}");
}

#[test]
fn several_lines_are_kept_and_told_together() {
    let notes = Notes::default();
    notes.answer(&[STORE, "setoption name MultiPV value 3", "go depth 5"]);
    assert_eq!(notes.only().lines.len(), 3);
    let text = notes.answer(&[STORE, "setoption name MultiPV value 3", "go depth 5"]);
    assert_eq!(depths(&text), [5, 5, 5], "{text}");
    for number in 1..=3 {
        assert!(text.contains(&format!(" multipv {number} ")), "{text}");
    }
}

#[test]
fn clocks_pondering_mates_chosen_moves_and_weak_players_have_no_memory() {
    let notes = Notes::default();
    for go in [
        "go wtime 20 btime 20",
        "go btime 20 depth 4",
        "go ponder depth 3",
        "go mate 1 depth 3",
        "go depth 3 searchmoves e2e4",
    ] {
        assert!(notes.answer(&[STORE, "isready", go]).contains("bestmove "), "{go}");
    }
    for option in ["UCI_LimitStrength value true", "Skill Level value 5"] {
        notes.answer(&[STORE, &format!("setoption name {option}"), "go depth 3"]);
    }
    notes.answer(&[STORE, "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3"]);
    assert_eq!(notes.asked(), 0);
    assert!(notes.0.found.lock().unwrap().is_empty());
    notes.answer(&[STORE, "go movetime 500"]);
    assert_eq!((notes.asked(), notes.only().lines.len()), (1, 1));
}

#[test]
fn one_that_has_failed_is_not_used_until_it_is_named_again() {
    let notes = Notes::default();
    notes.0.has_failed.store(true, Relaxed);
    let text = notes.answer(&[STORE, "go depth 3", "go depth 3"]);
    assert_eq!((notes.asked(), text.matches("opened\n").count()), (0, 1), "{text}");
    let text = notes.answer(&[STORE, "go depth 3", STORE, "go depth 3"]);
    assert_eq!(text.matches("opened\n").count(), 2, "{text}");
}

#[test]
fn what_changes_in_the_middle_of_a_search_holds_for_the_next() {
    let notes = Notes::default();
    let text = notes.answer(&[
        STORE,
        "go infinite",
        "setoption name AnalysisStore value <empty>",
        "setoption name MultiPV value 2",
        "ucinewgame",
        "isready",
        "stop",
        "go depth 3",
    ]);
    assert_eq!((notes.asked(), text.matches("bestmove ").count()), (1, 2), "{text}");
    assert!(notes.0.found.lock().unwrap().keys().all(|(_, lines)| *lines == 1));
}
