//! The transcripts in the README, so that they cannot rot.
//!
//! Blocks of `console` hold to the letter. In blocks of `console figures` every number may be another one: they depend
//! on the machine, or on the network. Blocks of `console syzygy` need the public test sets.

// They were taken on such a machine, and say so.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[test]
fn transcripts_are_true() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let tables = tables();
    if tables.is_none() {
        eprintln!("SKIPPED transcripts with endgame tables: VANCURA_TEST_DATA is not set");
    }
    let folder = tempfile::tempdir().unwrap();
    let patterns = folder.path().join("README.md");
    fs::write(&patterns, patterns_of(&readme, tables.is_some())).unwrap();
    // The transcripts name files as one who has just fetched the project would.
    env::set_current_dir(ROOT).unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("vancura", Path::new(env!("CARGO_BIN_EXE_vancura"))).case(&patterns);
    if let Some(tables) = tables {
        cases.env("SYZYGY_PATH", tables.display().to_string());
    }
}

/// The endgame tables of the public test sets.
fn tables() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("VANCURA_TEST_DATA").filter(|value| !value.is_empty())?);
    let folder = Path::new(ROOT).join(folder).join("syzygy");
    assert!(folder.is_dir(), "{} is no folder", folder.display());
    Some(folder.canonicalize().expect("a folder has a path"))
}

/// The text with its blocks as trycmd understands them.
fn patterns_of(readme: &str, has_tables: bool) -> String {
    let mut patterns = String::new();
    let (mut block, mut last) = (None, "");
    for line in readme.lines() {
        match (block, line.strip_prefix("```")) {
            (None, Some(kind)) => {
                block = Some(kind);
                let is_tested = matches!(kind, "console" | "console figures") || kind == "console syzygy" && has_tables;
                patterns += if is_tested { "```console" } else { "```text" };
            }
            (Some(_), Some(_)) => {
                block = None;
                // What is written ends with a line end, which a block has to show, unless anything may follow.
                patterns += if last == "..." { "" } else { "\n" };
                patterns += line;
            }
            (Some("console figures"), None) if !line.starts_with("$ ") => patterns += &without_figures(line),
            (_, None) => patterns += line,
        }
        patterns.push('\n');
        last = line;
    }
    patterns
}

/// The line with a wildcard for each number, its sign and the spaces before it.
fn without_figures(line: &str) -> String {
    let mut pattern = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '.' || letter == '_';
        let end = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len()).max(letter.len_utf8());
        let (word, after) = rest.split_at(end);
        if is_figure(word) && line != "..." {
            pattern.truncate(pattern.trim_end_matches([' ', '+', '-']).len());
            if !pattern.ends_with("[..]") {
                pattern += "[..]";
            }
        } else {
            pattern += word;
        }
        rest = after;
    }
    pattern
}

/// A number, or a checksum.
fn is_figure(word: &str) -> bool {
    let is_number = word.starts_with(|letter: char| letter.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    is_number || word.len() == 16 && word.chars().all(|letter| letter.is_ascii_hexdigit())
}

#[test]
fn figures_become_wildcards_and_moves_do_not() {
    for (line, pattern) in [
        ("4 of 5 (80.0 %) Rd8# +0.35 |  -0.12 |", "[..] of[..] ([..] %) Rd8#[..] |[..] |"),
        ("Network: vancura-9bb7331164838cd7.", "Network: vancura-9bb7331164838cd7."),
        ("Network: vancura-9bb7331164838cd7", "Network: vancura[..]"),
        ("x86_64 a1b1: 81 -82 +1.5", "x86_64 a1b1:[..]"),
        ("...", "..."),
    ] {
        assert_eq!(without_figures(line), pattern);
    }
}
