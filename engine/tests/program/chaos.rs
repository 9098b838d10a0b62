//! Short forms of the long checks in tests/regime that need the program.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

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

/// Everything at once, as the regime does it for longer.
#[cfg(target_os = "linux")]
#[test]
fn a_storm_loses_nothing() {
    let seconds = std::env::var("VANCURA_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let end = Instant::now() + Duration::from_secs(seconds);
    let tally = regime::storm::storm(Path::new(PROGRAM), 1, end).unwrap_or_else(|error| panic!("{error}"));
    assert!(tally.matches > 0 && tally.analyses > 0 && tally.blows > 0, "{tally}");
    eprintln!("{tally}");
}

#[test]
fn how_late_moves_come_is_measured_at_any_position() {
    let hard = regime::lateness::HARD;
    let end = Instant::now() + Duration::from_secs(600);
    let measured = regime::lateness::Timer::start(Path::new(PROGRAM)).and_then(|mut timer| timer.measure(hard, end));
    let [after_time, after_stop] = measured.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!([after_time.count(), after_stop.count()], [hard.len(); 2]);
    eprintln!("after movetime 10: {after_time}; after stop: {after_stop}");
}
