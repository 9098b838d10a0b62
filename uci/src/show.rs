//! The longer answers, as text.

use std::fmt::Write;

use eval::Network;
use movegen::{Board, CastlingStyle, Color, File};

use crate::Command;
use crate::option::OPTIONS;

/// To somebody who has started the engine by hand.
pub(crate) const GREETING: &str = concat!(
    "Vancura ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for UCI clients; `help` lists what it understands"
);

pub(crate) const LICENSE: &str = "\
Vancura is free software: you may redistribute and modify it under the terms of the
GNU General Public License, version 3 or any later version. It comes without any
warranty. The full text is in the file LICENSE beside the source code and at
https://www.gnu.org/licenses/gpl-3.0.html";

/// The answer to `uci`.
pub(crate) fn introduction() -> String {
    let mut text =
        concat!("id name Vancura ", env!("CARGO_PKG_VERSION"), "\nid author ", env!("CARGO_PKG_AUTHORS"), "\n")
            .to_owned();
    // Writing to a string cannot fail, here and below.
    OPTIONS.iter().for_each(|option| writeln!(text, "{option}").unwrap_or_default());
    text + "uciok"
}

pub(crate) fn help() -> String {
    format!(
        "Vancura reads UCI commands, one on each line, or as arguments: vancura \"go depth 10\"\n\n{}",
        Command::help()
    )
}

/// Version, compiler and target.
pub(crate) fn compiler() -> String {
    let mut features = Vec::new();
    macro_rules! note {
        ($($name:literal)*) => { $(if cfg!(target_feature = $name) { features.push($name); })* };
    }
    note!("neon" "dotprod" "sse4.1" "popcnt" "avx2" "bmi2" "avx512f" "avx512bw" "avx512vnni");
    format!(
        "Vancura {} compiled by {} for {}\nFeatures: {}{}",
        env!("CARGO_PKG_VERSION"),
        env!("VANCURA_RUSTC"),
        env!("VANCURA_TARGET"),
        if features.is_empty() { "baseline".to_owned() } else { features.join(" ") },
        if cfg!(debug_assertions) { ", debug assertions" } else { "" }
    )
}

/// The diagram with what a look at it does not tell.
pub(crate) fn board(board: &Board, castling: CastlingStyle) -> String {
    let mut text = format!("{board}\nCheckers:");
    for square in board.checkers() {
        let _ = write!(text, " {square}");
    }
    let moves = board.legal_moves();
    let _ = write!(text, "\nLegal moves ({}):", moves.len());
    for mv in moves {
        let _ = write!(text, " {}", mv.uci(castling));
    }
    text
}

/// What the network says of a board, from the side of White as people read it.
pub(crate) fn evaluation(board: &Board, network: &Network) -> String {
    let score = network.evaluate(board);
    let white = if board.turn() == Color::White { score } else { -score };
    format!("Evaluation: {white:+} centipawns for White")
}

/// How many move sequences follow each move, as other engines print it, which testing tools compare.
pub(crate) fn divide(board: &Board, depth: u8, castling: CastlingStyle) -> String {
    let counts = movegen::divide(board, depth);
    let mut text = String::new();
    for (mv, count) in &counts {
        let _ = writeln!(text, "{}: {count}", mv.uci(castling));
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    text + &format!("\nNodes searched: {total}\n")
}

/// Whether the kings and rooks that may castle stand where normal chess has them.
pub(crate) fn castles_normally(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let rooks = board.castling().rooks_of(color);
        rooks.is_empty()
            || board.king(color).file() == File::E
                && rooks.into_iter().all(|rook| matches!(rook.file(), File::A | File::H))
    })
}
