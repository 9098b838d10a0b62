//! The real binary in the hands of clients that were written by others.
//!
//! These need programs that cargo does not bring. Games run only when asked for: `cargo test --release -p vancura
//! --test program clients:: -- --ignored --nocapture`.

use std::env;
use std::path::Path;
use std::process::Command;

/// Runs a script that gets the engine and ends with these words, if Python has the packages that it imports. `.ci/run` puts
/// them into `target/clients`.
fn runs(script: &str, packages: &[&str], last_words: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let own = root.join("target/clients/bin/python3");
    let python = if own.exists() { own.into_os_string() } else { "python3".into() };
    let import = format!("import {}", packages.join(", "));
    if !Command::new(&python).args(["-c", &import]).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: needs Python with {}", packages.join(", "));
        return;
    }
    let script = root.join("tests/clients").join(script);
    let output = Command::new(&python).arg(script).arg(env!("CARGO_BIN_EXE_vancura")).output().expect("Python starts");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.trim_end().ends_with(last_words), "{said}{errors}");
}

/// Every public method of the Python package `stockfish`, which reads in lock-step: what is not said, it waits for.
#[test]
fn every_method_of_the_python_package_stockfish() {
    runs("stockfish_package.py", &["stockfish"], " methods answer");
}

/// The Parquet tables of analysed games, in the hands of those who read such tables.
#[test]
#[cfg(feature = "parquet")]
fn duckdb_and_pandas_read_the_tables() {
    runs("tables.py", &["duckdb", "pandas", "pyarrow"], " questions answered, all cells equal");
}

/// 200 games at 1+0.01, both colours, standard chess and Chess960, refereed by python-chess.
#[test]
#[ignore = "needs python-chess (`pip install chess`), a UCI engine with UCI_Elo as opponent (`stockfish` or \
            $VANCURA_OPPONENT), and some ten minutes of a quiet machine"]
fn whole_games_against_another_engine() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/clients/python_chess_games.py");
    let opponent = env::var("VANCURA_OPPONENT").unwrap_or_else(|_| "stockfish".to_owned());
    let status = Command::new("python3")
        .arg(script)
        .args([env!("CARGO_BIN_EXE_vancura"), &opponent, "--games", "200", "--tc", "1+0.01"])
        .status()
        .expect("python3 starts");
    assert!(status.success(), "the engine made a fault, or no game was played: {status}");
}
