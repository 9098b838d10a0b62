//! What the README shows of `vancura analyse` is what happens.

use std::fs;
use std::path::Path;

const README: &str = include_str!("../../README.md");

/// What stands between a heading and the next of its kind.
fn section(heading: &str) -> &'static str {
    let start = README.find(heading).expect("the heading is there");
    let rest = &README[start + heading.len()..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// The first block of code in a language.
fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_section_on_games_is_true() {
    let section = section("\n## Analyse games\n");
    let folder = tempfile::tempdir().expect("a folder");
    let transcript = folder.path().join("section.md");
    // The folder that the commands find themselves in.
    let work = folder.path().join("section.in");
    fs::create_dir(&work).expect("a folder");
    fs::write(work.join("game.pgn"), block(section, "pgn")).expect("a file");
    fs::write(&transcript, section).expect("a file");
    assert!(section.matches("$ vancura analyse").count() >= 2);
    let cases = trycmd::TestCases::new();
    cases.register_bin("vancura", Path::new(env!("CARGO_BIN_EXE_vancura"))).case(&transcript).run();
}
