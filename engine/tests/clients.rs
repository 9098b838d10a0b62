//! The real binary in the hands of clients that were written by others.
//!
//! These need programs that cargo does not bring, so they run only when asked for: `cargo test --release -p vancura
//! --test clients -- --ignored --nocapture`.

use std::env;
use std::path::Path;
use std::process::Command;

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
