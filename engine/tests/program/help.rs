//! The examples in the help of each command and in its manual page: all of them are run as they are written.
//!
//! An example is a line that begins with two spaces and `vancura`, after the options. It is run by the shell in a folder
//! with the files that examples name. A home folder there has `syzygy` in it where the public test sets are at hand.

// The examples are lines of a Unix shell.
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::output;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");
/// The files of the examples, and which of the project's take their place.
const FILES: &[(&str, &str)] = &[
    // Without a mistake, whose practice would be searched far deeper than all else.
    ("games.pgn", "engine/tests/help/games.pgn"),
    ("round7.pgn", "engine/tests/help/games.pgn"),
    ("positions.epd", "docs/example.epd"),
    ("wac.epd", "docs/example.epd"),
    ("positions.fens", "docs/example.fens"),
    ("queries.jsonl", "docs/queries.jsonl"),
    ("requests.jsonl", "docs/requests.jsonl"),
    ("perftsuite.epd", "engine/tests/help/perftsuite.epd"),
    ("analysed.json", "engine/tests/help/analysed.json"),
    ("book.bin", "engine/tests/help/book.bin"),
    ("other.bin", "engine/tests/help/book.bin"),
];
/// It goes on until somebody opens its page; what it is told is only read.
const ENDLESS: &str = "vancura board";
/// The minute that this takes by default is no time for a test.
const LONG: &str = "vancura speedtest";

/// The names of all commands, with `man` which the list hides.
fn commands() -> Vec<String> {
    let help = output(&["--help"], b"");
    let list = help.split_once("\nCommands:\n").expect("the help lists the commands").1;
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    lines
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// The examples in a text of help.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().filter(|line| line.starts_with("  vancura "));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// A folder with all that examples name, also as a home.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder can be filled");
    for (name, source) in FILES {
        fs::copy(Path::new(ROOT).join(source), folder.path().join(name)).expect("a scratch folder can be filled");
    }
    for name in ["vancura", "other-engine"] {
        symlink(PROGRAM, folder.path().join(name)).expect("a scratch folder can be filled");
    }
    for name in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc"] {
        fs::create_dir_all(folder.path().join(name)).expect("a scratch folder can be filled");
    }
    if let Some(tables) = tables() {
        symlink(tables, folder.path().join("syzygy")).expect("a scratch folder can be filled");
    }
    folder
}

/// The endgame tables of the public test sets.
fn tables() -> Option<PathBuf> {
    let data = PathBuf::from(env::var_os("VANCURA_TEST_DATA").filter(|value| !value.is_empty())?);
    let folder = Path::new(ROOT).join(data).join("syzygy");
    Some(folder.canonicalize().expect("the test sets have endgame tables"))
}

#[test]
fn examples_in_help_run_as_they_are_written() {
    let folder = folder();
    let path = format!("{}:{}", folder.path().display(), env::var("PATH").unwrap_or_default());
    let mut names = commands();
    names.retain(|name| name != "help");
    assert!(names.len() >= 15, "{names:?}");
    let mut failed = Vec::new();
    for arguments in [vec!["--help"]].into_iter().chain(names.iter().map(|name| vec![&name[..], "--help"])) {
        let examples = examples(&output(&arguments, b""));
        assert!(!examples.is_empty(), "{arguments:?}: no example");
        for example in examples {
            if example.contains("syzygy") && tables().is_none() {
                eprintln!("SKIPPED {example}: VANCURA_TEST_DATA is not set");
                continue;
            }
            let is_only_read = example.starts_with(ENDLESS) || example == LONG;
            let line = format!("{example}{}", if is_only_read { " --help" } else { "" });
            let mut shell = Command::new("sh");
            shell.args(["-c", &line]).current_dir(&folder).env("PATH", &path).env("HOME", folder.path());
            let run = shell.output().expect("a shell");
            // 1 is an answer of no.
            if !matches!(run.status.code(), Some(0 | 1)) {
                failed.push(format!("{example}: {}{}", run.status, String::from_utf8_lossy(&run.stderr)));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn docs_tools_md_names_every_command() {
    let text = fs::read_to_string(Path::new(ROOT).join("docs/tools.md")).expect("the document");
    for name in commands().iter().filter(|name| *name != "help") {
        assert!(text.contains(&format!("`{name}`")), "docs/tools.md does not say what {name} is for");
    }
}

#[test]
fn manual_pages_have_the_examples_of_the_help() {
    let folder = tempfile::tempdir().unwrap();
    output(&["man", folder.path().to_str().expect("a plain path")], b"");
    for name in commands().iter().filter(|name| *name != "help") {
        let page = fs::read_to_string(folder.path().join(format!("vancura-{name}.1"))).expect("a page");
        let text = page.replace("\\-", "-").replace("\\*(Aq", "'").replace("\\(aq", "'").replace("\\\\", "\\");
        for example in examples(&output(&[name, "--help"], b"")) {
            assert!(text.lines().any(|line| line.trim() == example), "{name}: {example}\n{text}");
        }
    }
}
