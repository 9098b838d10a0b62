//! How commands end before their time: when nobody reads on, when nothing can be written, and at Ctrl-C.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader, Read};
#[cfg(unix)]
use std::process::Child;
use std::process::{Command, Stdio};

use crate::common::{self, file, outcome_of};

const MATE_IN_3: &str = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
const SOLVED_AT_ONCE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"one\";\n";
#[cfg(unix)]
const ENDLESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"two\";\n";

#[test]
fn a_reader_that_leaves_is_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "suite.epd", SOLVED_AT_ONCE);
    let many = file(&folder, "many.fens", &format!("{MATE_IN_3}\n").repeat(5_000));
    for arguments in [
        &["perft", "4", "--divide"][..],
        &["suite", &path, "-n", "1000"],
        &["mate", MATE_IN_3, "3"],
        &["eval"],
        &["doctor", "--hash", "1"],
        &["winnable", &many],
        &["play", "--nodes", "10"],
        &["analyse", MATE_IN_3, "--nodes", "10"],
        &["completions", "bash"],
        &["man"],
        &["speedtest", "1", "1", "1"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vancura"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let (status, _, stderr) = outcome_of(child.wait_with_output().expect("the program ends"));
        assert!(!stderr.contains("panicked") && !stderr.contains("error"), "{arguments:?}: {stderr}");
        assert_eq!(status, Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "suite.epd", SOLVED_AT_ONCE);
    let positions = file(&folder, "one.fens", MATE_IN_3);
    for arguments in [
        &["perft", "3"][..],
        &["suite", &path, "-n", "1000"],
        &["mate", MATE_IN_3, "3"],
        &["eval"],
        &["doctor", "--hash", "1"],
        &["winnable", &positions, "--fast"],
        &["analyse", MATE_IN_3, "--nodes", "10"],
        &["completions", "bash"],
        &["man"],
        &["speedtest", "1", "1", "1"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device is there");
        let mut command = Command::new(env!("CARGO_BIN_EXE_vancura"));
        let output = command.args(arguments).stdin(Stdio::null()).stdout(full).output().expect("the program starts");
        let (status, _, stderr) = outcome_of(output);
        assert_eq!(status, Some(2), "{arguments:?}: {stderr}");
        assert!(
            stderr.starts_with("error: ") && stderr.ends_with("No space left on device (os error 28)\n"),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

/// A suite of which the first position is done at once and the second never; the first line of its table has come.
#[cfg(unix)]
fn endless_suite(folder: &tempfile::TempDir, more: &[&str]) -> (Child, impl BufRead) {
    let path = file(folder, "two.epd", &format!("{SOLVED_AT_ONCE}{ENDLESS}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_vancura"));
    command.args(["suite", &path, "-n", "1000000000000", "-j", "1"]).args(more);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    output.read_line(&mut String::new()).expect("UTF-8");
    (child, output)
}

#[cfg(unix)]
fn press_ctrl_c(child: &Child) {
    assert!(common::signal("INT", child.id()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_suite_with_totals_of_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let (child, mut output) = endless_suite(&folder, &[]);
    let mut rows = String::new();
    while !rows.contains("\none ") {
        assert!(output.read_line(&mut rows).expect("UTF-8") > 0, "{rows}");
    }
    press_ctrl_c(&child);
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("UTF-8");
    let (status, _, stderr) = outcome_of(child.wait_with_output().expect("it ends"));
    assert_eq!((status, &stderr[..]), (Some(2), "error: interrupted\n"), "{rest}");
    assert!(!rest.contains("\ntwo ") && rest.contains("| two.epd, first 1 of 2 | Vancura "), "{rest}");
    assert!(rest.contains(" 1 of 1 (100.0 %) "), "{rest}");
}

#[cfg(unix)]
#[test]
fn a_second_ctrl_c_does_not_wait_for_engines() {
    let folder = tempfile::tempdir().unwrap();
    // It hears neither of the end of its input nor of Ctrl-C, and gets half a second to end; there are eight of it.
    let script = "trap \"\" INT; echo id name Slow; echo uciok; \
                  while read -r line; do case $line in isready) echo readyok;; esac; done; sleep 10";
    let engine = format!("sh -c '{script}'");
    let engines = ["--engine", &engine].repeat(8);
    let (mut child, output) = endless_suite(&folder, &engines);
    let status = loop {
        press_ctrl_c(&child);
        std::thread::sleep(std::time::Duration::from_millis(20));
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
    };
    assert_eq!(status.code(), Some(130));
    drop(output);
}
