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
    // The transcripts name files as one who has just fetched the project would.
    env::set_current_dir(ROOT).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for transcript in transcripts(&readme) {
        let needs_tables = transcript.kind == "console syzygy";
        if needs_tables && tables.is_none() {
            continue;
        }
        let pattern = folder.path().join(format!("README-line-{}.md", transcript.line));
        fs::write(&pattern, &transcript.pattern).unwrap();
        // Each is a run of its own, so that the first that fails is the last thing said.
        let cases = trycmd::TestCases::new();
        cases.register_bin("vancura", Path::new(env!("CARGO_BIN_EXE_vancura"))).case(&pattern);
        if let Some(tables) = tables.as_ref().filter(|_| needs_tables) {
            cases.env("SYZYGY_PATH", tables.display().to_string());
        }
    }
}

/// The endgame tables of the public test sets.
fn tables() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("VANCURA_TEST_DATA").filter(|value| !value.is_empty())?);
    let folder = Path::new(ROOT).join(folder).join("syzygy");
    assert!(folder.is_dir(), "{} is no folder", folder.display());
    Some(folder.canonicalize().expect("a folder has a path"))
}

/// A block of the README that shows a command and what it prints.
struct Transcript<'a> {
    kind: &'a str,
    /// The number of the block's first line.
    line: usize,
    /// The block as trycmd understands it.
    pattern: String,
}

fn transcripts(readme: &str) -> Vec<Transcript<'_>> {
    let mut transcripts = Vec::new();
    let mut lines = readme.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<_> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        if matches!(kind, "console" | "console figures" | "console syzygy") {
            transcripts.push(Transcript { kind, line: index + 1, pattern: pattern(&block, kind == "console figures") });
        }
    }
    transcripts
}

fn pattern(block: &[&str], has_figures: bool) -> String {
    let mut pattern = "```console\n".to_owned();
    for line in block {
        pattern += &if has_figures && !line.starts_with("$ ") { without_figures(line) } else { (*line).to_owned() };
        pattern.push('\n');
    }
    // What is written ends with a line end, which a block has to show, unless anything may follow.
    pattern + if block.last() == Some(&"...") { "```\n" } else { "\n```\n" }
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
