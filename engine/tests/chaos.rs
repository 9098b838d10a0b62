//! Short forms of the long checks in tests/regime that need the program.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use regime::chaos::{Tally, episode};
use regime::soak::{Extent, soak};

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

#[test]
fn a_chaotic_client_is_answered_once_for_each_search() {
    let mut tally = Tally::default();
    for seed in 1..=60 {
        tally += episode(Path::new(PROGRAM), seed).unwrap_or_else(|fault| panic!("{fault}"));
    }
    assert!(tally.answered > 100 && tally.refused > 20, "{tally:?} shows little");
}

#[test]
fn nothing_grows_from_game_to_game() {
    let extent = Extent { games: 20, until: None };
    soak(&mut Command::new(PROGRAM), extent, Instant::now()).unwrap_or_else(|fault| panic!("{fault}"));
}
