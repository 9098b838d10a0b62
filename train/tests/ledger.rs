//! The ledger of heuristics, by games of a few nodes a move.

#![cfg(feature = "tune")]
#![allow(clippy::unwrap_used)] // every function here may panic, as tests do

use std::path::Path;
use std::process::{Command, Output};

use train::tuning::ledger::HEURISTICS;

const BOOK: &str = "r1bq1rk1/ppp2ppp/5n2/2bp4/2NPP3/2P5/PP3PPP/RNBQK2R w KQ d6 0 9\n";

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    command.arg("ledger").args(line.split_whitespace()).current_dir(folder).output().unwrap()
}

fn succeed(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    fs_err::read_to_string(folder.join("ledger.md")).unwrap()
}

fn fail(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn each_heuristic_can_be_switched_off_and_the_same_pair_ends_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs_err::write(folder.join("book.epd"), BOOK).unwrap();
    let options = "--nodes 40 --hash 1 --book book.epd --commit 0123abc";
    let page = succeed(folder, &format!("ledger.md {options} --screening 2 --largest 0"));
    let lines: Vec<_> = page.lines().filter(|line| line.contains("](../search/src/")).collect();
    assert_eq!(lines.len(), HEURISTICS.len());
    assert!(lines.iter().all(|line| line.ends_with("| 2 |")), "{page}");
    let kept = fs_err::read_to_string(folder.join("ledger.json")).unwrap();
    fs_err::remove_file(folder.join("ledger.json")).unwrap();
    succeed(folder, &format!("ledger.md {options} --screening 2 --largest 0 --processes 3"));
    assert_eq!(fs_err::read_to_string(folder.join("ledger.json")).unwrap(), kept);
}

#[test]
fn a_ledger_is_gone_on_with_and_written_anew_from_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs_err::write(folder.join("book.epd"), BOOK).unwrap();
    let options = "--nodes 40 --hash 1 --book book.epd --commit 0123abc";
    succeed(folder, &format!("ledger.md {options} --games 2 razoring"));
    let page = succeed(folder, &format!("ledger.md {options} --screening 0 --largest 1 --games 6"));
    assert!(page.lines().any(|line| line.starts_with("| Razoring |") && line.ends_with("| 6 |")), "{page}");
    fs_err::remove_file(folder.join("ledger.md")).unwrap();
    assert_eq!(succeed(folder, "ledger.md"), page);

    let complaint =
        fail(folder, &format!("ledger.md {options} --nodes 41 --games 8 razoring").replace("--nodes 40", ""));
    assert!(complaint.contains("other conditions") && complaint.contains("\"nodes\":40"), "{complaint}");
    assert_eq!(fail(folder, &format!("ledger.md {options} nonsense")), "error: no heuristic is called nonsense\n");
    assert!(fail(folder, "other.md").contains("no other.json yet"));
}
