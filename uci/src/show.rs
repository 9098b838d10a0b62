//! The longer answers, as text.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use eval::Network;
use movegen::unwinnable::winnable;
use movegen::{Board, Budget, CastlingStyle, Color, Verdict};
use search::{TUNABLES, Tunable};

use crate::NAME;
use crate::command::Command;
use crate::option::OPTIONS;
use crate::piece_values::PieceValues;

/// The first line of all.
pub(crate) const GREETING: &str =
    concat!("Vancura ", env!("VANCURA_VERSION"), ", a UCI chess engine; `help` lists the commands");

pub(crate) const LICENSE: &str = "\
Vancura is free software: you may redistribute and modify it under the terms of the
GNU General Public License, version 3 or any later version. It comes without any
warranty. The full text is in the file LICENSE beside the source code and at
https://www.gnu.org/licenses/gpl-3.0.html";

/// The answer to `uci`, with the options that a session has which can keep analysis or not.
pub(crate) fn introduction(has_memory: bool) -> String {
    let mut text = format!("id name {NAME}\nid author {}\n", env!("CARGO_PKG_AUTHORS"));
    // Writing to a string cannot fail, here and below.
    let offered = OPTIONS.iter().filter(|option| option.is_offered(has_memory));
    offered.for_each(|option| writeln!(text, "{option}").unwrap_or_default());
    #[cfg(feature = "tune")]
    for Tunable { name, default, min, max, .. } in TUNABLES {
        let _ = writeln!(text, "option name {name} type spin default {default} min {min} max {max}");
    }
    text + "uciok"
}

/// The tuned numbers in OpenBench's form: name, type, value, least, greatest, last step, learning rate.
pub(crate) fn tunables() -> String {
    let line = |tunable: &Tunable| {
        let Tunable { name, default, min, max, step, .. } = tunable;
        format!("{name}, int, {default}, {min}, {max}, {step}, 0.002")
    };
    TUNABLES.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(crate) fn help() -> String {
    format!(
        "Vancura reads UCI commands, one on each line, or as arguments: vancura \"go depth 10\"\n\n{}\n\n\
         In a shell, `vancura help` lists the tools, too, such as `vancura analyse games.pgn`.",
        Command::help()
    )
}

/// Version, compiler and target, and with which instructions of this processor positions are evaluated.
pub(crate) fn compiler() -> String {
    let mut features = Vec::new();
    macro_rules! note {
        ($($name:literal)*) => { $(if cfg!(target_feature = $name) { features.push($name); })* };
    }
    note!("neon" "dotprod" "sse4.1" "popcnt" "avx2" "bmi2" "avx512f" "avx512bw" "avx512vnni");
    format!(
        "{NAME} compiled by {} for {}\nFeatures: {}{}\nEvaluation: {}, the fastest on this processor",
        env!("VANCURA_RUSTC"),
        env!("VANCURA_TARGET"),
        if features.is_empty() { "baseline".to_owned() } else { features.join(" ") },
        if cfg!(debug_assertions) { ", debug assertions" } else { "" },
        eval::Path::best()
    )
}

/// The diagram with what a look at it does not tell; the budget is for each question whether a side can mate.
pub(crate) fn board(board: &Board, castling: CastlingStyle, budget: Budget) -> String {
    let mut text = format!("{board}\nCheckers:");
    for square in board.checkers() {
        let _ = write!(text, " {square}");
    }
    let moves = board.legal_moves();
    let _ = write!(text, "\nLegal moves ({}):", moves.len());
    for mv in moves {
        let _ = write!(text, " {}", mv.uci(castling));
    }
    text.push_str("\nMate is possible: ");
    // With the usual budget the verdicts of `Board::is_dead`, with their reasons.
    let verdicts = Color::ALL.map(|color| winnable(board, color, budget));
    for (name, verdict) in ["White", ", Black"].into_iter().zip(&verdicts) {
        let _ = match verdict {
            Verdict::Winnable(_) => write!(text, "{name} yes"),
            Verdict::Unwinnable(proof) => write!(text, "{name} no ({proof})"),
            Verdict::Undetermined => write!(text, "{name} unknown"),
        };
    }
    if verdicts.iter().all(Verdict::is_unwinnable) {
        text.push_str("; the position is dead");
    }
    text
}

/// The answer to `eval` without a position, for scripts that wait for it.
pub(crate) const NO_EVALUATION: &str = "Final evaluation: none (no valid position)";

/// The answer to `perft` without a position, for scripts that wait for it.
pub(crate) const NO_PERFT: &str = "\nNodes searched: 0\n";

/// What the network says of a board and of each piece on it, for White as people read it. The end is Stockfish's, with an
/// empty line after a number: scripts and the Python package `stockfish` wait for it.
pub(crate) fn evaluation(board: &Board, network: &Network, budget: Budget) -> String {
    let values = PieceValues::new(board, network, budget);
    let [win, draw, loss] = values.chances;
    let last = if board.in_check() {
        "Final evaluation: none (in check)".to_owned()
    } else {
        format!("Final evaluation       {:+.2} (white side)\n", values.score)
    };
    format!(
        "Each piece's worth: the evaluation less that without it, in pawns for White.\n\n{}\nNetwork: \
         vancura-{:016x}\nEvaluation: {:+.2} pawns for White ({}), who wins {win}, draws {draw}, loses {loss} of 1000 games\n\n{last}",
        values.table(),
        values.network,
        values.score,
        values.remark()
    )
}

/// How many move sequences follow each move, as other engines print it, which testing tools compare. None if stopped.
pub(crate) fn divide(board: &Board, depth: u8, castling: CastlingStyle, stop: &AtomicBool) -> Option<String> {
    let mut text = String::new();
    if depth == 0 {
        return Some("\nNodes searched: 1\n".to_owned());
    }
    let counts = movegen::divide_until(board, depth, stop)?;
    for (mv, count) in &counts {
        let _ = writeln!(text, "{}: {count}", mv.uci(castling));
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    Some(text + &format!("\nNodes searched: {total}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_ends_as_stockfish_writes_it() {
        let last = |fen: &str| {
            let text = evaluation(&Board::from_fen(fen).unwrap(), &Network::embedded(), Budget::MEDIUM);
            text[text.find("Final").unwrap()..].to_owned()
        };
        assert_eq!(last("4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1"), "Final evaluation: none (in check)");
        for fen in ["4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "4k3/3q4/8/8/8/8/8/4K3 w - - 0 1"] {
            let text = last(fen);
            let words: Vec<_> = text.split_ascii_whitespace().collect();
            // As the Python package reads it: the third word is a number.
            assert!(text.starts_with("Final evaluation       ") && words[3..] == ["(white", "side)"], "{text}");
            assert!(text.ends_with("(white side)\n"), "printed with another line end: {text:?}");
            assert_eq!(words[2].parse::<f64>().unwrap() > 0.0, fen.contains('Q'), "{text}");
        }
    }

    #[test]
    fn the_board_is_shown_with_who_can_still_mate() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "White yes, Black yes"),
            ("7k/8/8/8/8/2K5/8/R7 w - - 0 1", "White yes, Black no (material)"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "White no (stalemate), Black no (stalemate); the position is dead"),
        ] {
            let shown = Board::from_fen(fen).map(|position| board(&position, CastlingStyle::Standard, Budget::MEDIUM));
            let last = shown.as_ref().ok().and_then(|text| text.lines().last());
            assert_eq!(last, Some(&format!("Mate is possible: {expected}")[..]), "{fen}");
        }
    }
}
