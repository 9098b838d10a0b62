//! A run that was interrupted goes on, and its journal harms nothing.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use analysis::{AnalyseError, JournalError};

use super::*;

impl Bench {
    /// Runs until the journal has this many lines, or to the end if that comes before.
    fn run_for(&self, lines: usize, journal: &Path, arguments: &[&str]) -> Result<(), AnalyseError> {
        let (stop, is_over) = (AtomicBool::new(lines == 0), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| stop_after(journal, lines, &stop, &is_over));
            let result = self.run_until(arguments, &stop);
            is_over.store(true, Relaxed);
            result
        })
    }
}

fn stop_after(journal: &Path, lines: usize, stop: &AtomicBool, is_over: &AtomicBool) {
    let count = || fs::read(journal).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count());
    let start = Instant::now();
    while count() < lines && !is_over.load(Relaxed) && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_micros(200));
    }
    stop.store(true, Relaxed);
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_end() {
    let bench = Bench::new(ten_games());
    let limits = ["--nodes", "8000", "--multipv", "2"];
    bench.analyse(&limits);
    let [pgn, json, html] = ["out.pgn", "out.json", "out.html"].map(|name| bench.read(name));
    let journal = bench.path("cut.pgn.partial");
    let outputs = ["-o", "@cut.pgn", "--json", "@cut.json", "--html", "@cut.html"];
    let arguments = [&["@in.pgn", "--resume"][..], &outputs, &limits].concat();
    let (mut interruptions, mut complete) = (0, 0);
    // At first before anything is done, then always a little later.
    for lines in 0.. {
        match bench.run_for(lines, &journal, &arguments) {
            Ok(()) => break,
            Err(AnalyseError::Interrupted(Some(path))) => {
                assert_eq!(path, journal);
                interruptions += 1;
                // What is done can be read, and what was done once is never missing again.
                let done = bench.document("cut.json").games;
                let count = done.iter().filter(|game| game.complete).count();
                assert!(count >= complete, "{count} after {complete}");
                complete = count;
                assert_eq!(bench.games("cut.pgn").len(), done.len());
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(interruptions > 0);
    assert_eq!(bench.read("cut.pgn"), pgn);
    assert_eq!(bench.read("cut.json"), json);
    assert!(bench.read("cut.html") == html);
    assert!(!journal.exists());
}

#[test]
fn a_run_goes_on_only_as_it_began() {
    let bench = Bench::new(ten_games());
    let run = |more: &[&str], is_stopped: bool| {
        bench.run_until(&[&["@in.pgn", "-o", "@out.pgn"], more].concat(), &AtomicBool::new(is_stopped))
    };
    assert!(matches!(run(&TOY, true), Err(AnalyseError::Interrupted(Some(_)))));
    fs::write(bench.path("out.pgn"), "precious").expect("a file");
    let error = run(&TOY, true).expect_err("the journal is there");
    assert!(matches!(error, AnalyseError::Journal(JournalError::Exists { .. })), "{error}");
    let error = run(&["--nodes", "61", "--resume"], true).expect_err("other settings").to_string();
    assert!(error.contains("limits nodes was 60 and is 61"), "{error}");
    assert_eq!(bench.read("out.pgn"), "precious", "nothing is overwritten by a run that is refused");
    run(&[&TOY[..], &["--resume"]].concat(), false).expect("the same settings");
    assert_eq!(bench.games("out.pgn").len(), 10);
    run(&[&TOY[..], &["--resume"]].concat(), false).expect("without anything to go on with, a new beginning");
    assert!(matches!(bench.run(&["@in.pgn", "--resume"]), Err(AnalyseError::NoJournal)));
}

#[test]
fn a_journal_that_was_tampered_with_does_no_harm() {
    let bench = Bench::new(ten_games());
    let limits = ["--nodes", "3000", "--threads", "1"];
    let whole = bench.analyse(&limits);
    let journal = bench.path("cut.json.partial");
    let arguments = [&["@in.pgn", "--json", "@cut.json", "--resume"][..], &limits].concat();
    // There are far more lines to come, but nobody knows when a thread has its turn.
    assert!((0..20).any(|_| bench.run_for(4, &journal, &arguments).is_err()));
    let text = fs::read_to_string(&journal).expect("a journal");
    let (header, entries) = text.split_once('\n').expect("a header");
    assert!(entries.lines().count() >= 3);
    for tampered in [
        // Other moves, of which some are none and others cannot be played.
        entries.replace(",[", ",[7"),
        // Not as many positions as the key is for, and searches where there is nothing to search.
        entries.replace("\"found\":[", "\"found\":[null,"),
        entries.replace("[[", "[null,["),
        "\u{0}\n[]\n{}\n".to_owned(),
        entries.chars().rev().collect(),
    ] {
        fs::write(&journal, format!("{header}\n{tampered}")).expect("a journal");
        bench.run(&arguments).unwrap_or_else(|error| panic!("{error}: {tampered}"));
        let games = bench.document("cut.json").games;
        assert!(games == whole.games, "{tampered}");
    }
}
