//! What a file says of the end of a game, against what is on the board: the tag Termination, and signs of mate.

use movegen::Board;
use pgn::{PgnGame, RemarkKind};

use crate::model::{Finding, FindingKind};
use crate::read::main_line::MainLine;

/// A way to end, by the words that programs have for it, and whether a game ended so.
struct Claimed {
    words: &'static [&'static str],
    name: &'static str,
    holds: fn(&MainLine) -> bool,
}

const CLAIMED: [Claimed; 6] = [
    Claimed {
        words: &["checkmate", "by mate", " mates", " mated"],
        name: "checkmate",
        holds: |line| is_mate(last(line)),
    },
    Claimed {
        words: &["stalemate"],
        name: "stalemate",
        holds: |line| !last(line).in_check() && !last(line).has_legal_move(),
    },
    Claimed { words: &["repetition"], name: "threefold repetition", holds: is_threefold },
    Claimed {
        words: &["fifty", "50 move", "50-move", "50move"],
        name: "the fifty-move rule",
        holds: |line| last(line).halfmove_clock() >= 99,
    },
    Claimed {
        words: &["seventy-five", "75 move", "75-move", "75move"],
        name: "the seventy-five-move rule",
        holds: |line| last(line).halfmove_clock() >= 150,
    },
    Claimed {
        words: &["insufficient material"],
        name: "insufficient material",
        holds: |line| last(line).has_insufficient_material(),
    },
];

fn last(line: &MainLine) -> &Board {
    // A game has at least one position, the start.
    &line.boards[line.boards.len() - 1]
}

fn is_mate(board: &Board) -> bool {
    board.in_check() && !board.has_legal_move()
}

/// Whether the last position is there for the third time, or the next move can bring that about, as a claim may say.
fn is_threefold(line: &MainLine) -> bool {
    let position = line.position(line.boards.len() - 1);
    let after = |mv| {
        let mut position = position.clone();
        position.play(mv);
        position.earlier_occurrences()
    };
    position.earlier_occurrences() >= 2 || last(line).legal_moves().into_iter().any(|mv| after(mv) >= 2)
}

/// The contradictions in a game, one for each.
pub(super) fn contradictions(game: &PgnGame, line: &MainLine) -> Vec<Finding> {
    let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let signs = game.remarks.iter().filter_map(|remark| {
        let RemarkKind::NoMate { text } = &remark.kind else { return None };
        let index = line.nodes.iter().position(|&node| node == remark.node)?;
        let text = format!("{text} has the sign of a mate, but is none.");
        Some(Finding { position: place(index + 1), kind: FindingKind::NoMate, text })
    });
    let mut findings: Vec<_> = signs.collect();
    let termination = game.tags.get("Termination").unwrap_or_default().to_lowercase();
    // A game that was not read to its end ends otherwise, and so does one by time against too few pieces.
    if game.has_losses() || termination.contains("time") {
        return findings;
    }
    let untrue = CLAIMED.iter().filter(|claimed| claimed.words.iter().any(|words| termination.contains(words)));
    for Claimed { name, .. } in untrue.filter(|claimed| !(claimed.holds)(line)) {
        let text = format!("The tag Termination says {name}, but that is not on the board.");
        findings.push(Finding { position: place(line.boards.len() - 1), kind: FindingKind::WrongTermination, text });
    }
    findings
}

#[cfg(test)]
mod tests {
    use pgn::PgnReader;

    use super::*;

    fn found(text: &str) -> Vec<String> {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        contradictions(&game, &MainLine::of(&game)).into_iter().map(|finding| finding.text).collect()
    }

    #[test]
    fn ends_that_are_not_so_are_contradicted() {
        let mate = "1. f3 e5 2. g4 Qh4# 0-1";
        let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2";
        let stalemate = "[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 1/2-1/2";
        let plain = "1. e4 e5 1-0";
        for (termination, good, bad) in [
            ("Anna won by checkmate", mate, plain),
            ("Game drawn by stalemate", stalemate, plain),
            ("Game drawn by repetition", shuffle, plain),
            ("Game drawn by 50-move rule", "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 99 80\"]\n\n1. Ra2 1/2-1/2", plain),
            ("Black mates", mate, plain),
            ("Draw by the 75-move rule", "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 149 100\"]\n\n1. Ra2 1/2-1/2", plain),
            (
                "Game drawn by insufficient material",
                "[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 1/2-1/2",
                plain,
            ),
        ] {
            let tag = format!("[Termination \"{termination}\"]\n");
            assert!(
                found(&format!("{tag}{}{good}", if good.starts_with('[') { "" } else { "\n" })).is_empty(),
                "{good}"
            );
            let said = found(&format!("{tag}\n{bad}"));
            assert!(said.len() == 1 && said[0].starts_with("The tag Termination says "), "{said:?}");
        }
        for termination in ["normal", "Anna won by resignation", "Game drawn by timeout vs insufficient material"] {
            assert!(found(&format!("[Termination \"{termination}\"]\n\n{plain}")).is_empty(), "{termination}");
        }
        assert_eq!(found("1. e4 e5 2. Qh5# Nc6 *"), ["Qh5# has the sign of a mate, but is none."]);
    }
}
