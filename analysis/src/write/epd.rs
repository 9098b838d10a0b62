//! Positions as EPD, with what was found of each.
//!
//! Source: S. Edwards, "EPD Specification" (1995), for the opcodes. `ce` is in centipawns for the side to move; a mate is
//! 32767 less the plies to it, negative for the side that is mated.

use std::fmt::Write as _;
use std::io::{self, Write};

use movegen::{Board, FenStyle};
use pgn::{EngineScore, Operation};

use crate::model::{Analysis, Game};
use crate::read::games::Reading;
use crate::write::output::{Output, Sink};

/// The score of a mate on the board.
const MATE: i32 = 32_767;

/// What is said of a position anew, so that what the file says under these is left out.
const OWN: [&str; 4] = ["ce", "acd", "acn", "pv"];

/// EPD, a position a line.
pub(crate) struct EpdOutput {
    pub file: Sink,
}

impl Output for EpdOutput {
    fn game(&mut self, game: &Game, reading: &Reading) -> io::Result<()> {
        let (Some(position), Some(board)) = (game.positions.last(), reading.main_line.boards.last()) else {
            return Ok(());
        };
        let Some(analysis) = &position.analysis else { return Ok(()) };
        let label = reading.label.clone().unwrap_or_default();
        self.file.write_all(line(board, analysis, label.id.as_deref(), &label.operations).as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.file.commit(keeps_old)
    }
}

/// The line of a position. Its counters follow as operations, where they are not those that a position without any has.
fn line(board: &Board, analysis: &Analysis, id: Option<&str>, given: &[Operation]) -> String {
    let fen = board.fen(FenStyle::Standard);
    let mut text = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let score = analysis.score.relative_to(board.turn());
    let mate = match score {
        EngineScore::Mate(moves @ 1..) => Some(moves),
        _ => None,
    };
    let is_kept = |operation: &&Operation| {
        let is = |opcode: &str| operation.opcode.eq_ignore_ascii_case(opcode);
        !(OWN.into_iter().any(is) || is("hmvc") || is("fmvn") || is("moves") || is("dm") && mate.is_some())
    };
    let mut has_id = false;
    for operation in given.iter().filter(is_kept) {
        has_id |= operation.opcode.eq_ignore_ascii_case("id");
        say(&mut text, &operation.opcode, operation.operands.iter().map(String::as_str));
    }
    if let Some(id) = id.filter(|_| !has_id) {
        say(&mut text, "id", [id]);
    }
    if board.halfmove_clock() > 0 {
        say(&mut text, "hmvc", [&board.halfmove_clock().to_string()[..]]);
    }
    if board.fullmove_number() != 1 {
        say(&mut text, "fmvn", [&board.fullmove_number().to_string()[..]]);
    }
    say(&mut text, "acd", [&analysis.depth.to_string()[..]]);
    say(&mut text, "acn", [&analysis.nodes.to_string()[..]]);
    say(&mut text, "ce", [&centipawns(score).to_string()[..]]);
    if let Some(moves) = mate {
        say(&mut text, "dm", [&moves.to_string()[..]]);
    }
    if let Some(line) = analysis.lines.first() {
        say(&mut text, "pv", line.san.iter().map(String::as_str));
    }
    text.push('\n');
    text
}

fn centipawns(score: EngineScore) -> i32 {
    match score {
        EngineScore::Centipawns(value) => value,
        EngineScore::Mate(moves @ 1..) => MATE - (2 * moves - 1),
        EngineScore::Mate(moves) => -(MATE + 2 * moves),
    }
}

/// Adds an operation. Words are quoted that would not be read again as they are: only an id and a comment may have blanks.
fn say<'a>(text: &mut String, opcode: &str, operands: impl IntoIterator<Item = &'a str>) {
    let is_quoted = opcode.eq_ignore_ascii_case("id") || opcode.len() == 2 && opcode.starts_with(['c', 'C', 'v', 'V']);
    let is_quoted = is_quoted && !opcode.eq_ignore_ascii_case("ce");
    text.push(' ');
    text.push_str(opcode);
    for operand in operands {
        // There is no sign for a quote within quotes.
        let operand = operand.replace(['"', '\n', '\r'], "'");
        let has_blanks = operand.is_empty() || operand.contains(|letter: char| letter.is_whitespace() || letter == ';');
        let quote = if is_quoted || has_blanks { "\"" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, " {quote}{operand}{quote}");
    }
    text.push(';');
}

#[cfg(test)]
mod tests {
    use pgn::Epd;

    use super::*;
    use crate::model::{Line, Source, Wdl};

    fn analysis(score: EngineScore) -> Analysis {
        let san = ["Ke2", "Kd7"].map(str::to_owned).to_vec();
        let line = Line { score, white: 0.5, san, uci: Vec::new() };
        let wdl = Wdl { win: 0, draw: 1000, loss: 0 };
        Analysis { by: Source::Search, score, white: 0.5, wdl, depth: 7, seldepth: 9, nodes: 345, lines: vec![line] }
    }

    #[test]
    fn what_the_file_says_is_kept_and_what_was_found_is_added() {
        let text = "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2 Kd2; id \"a; b\"; c0 \"x\"; ce 99; dm 4; hmvc 3;";
        let epd = Epd::parse(text).unwrap().unwrap();
        let line = line(&epd.board, &analysis(EngineScore::Centipawns(-12)), epd.id(), &epd.operations);
        assert_eq!(
            line,
            "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2 Kd2; id \"a; b\"; c0 \"x\"; dm 4; hmvc 3; acd 7; acn 345; ce -12; pv Ke2 \
             Kd7;\n"
        );
        let again = Epd::parse(&line).unwrap().unwrap();
        assert_eq!((again.board, again.id()), (epd.board, Some("a; b")));
    }

    #[test]
    fn scores_are_those_of_the_side_to_move() {
        let of = |turn: &str, score| {
            let board = Board::from_fen(&format!("4k3/8/8/8/8/8/8/4K3 {turn} - - 0 1")).unwrap();
            line(&board, &analysis(score), Some("q\"q"), &[])
        };
        assert!(of("b", EngineScore::Centipawns(31)).contains(" id \"q'q\"; acd 7; acn 345; ce -31; pv "));
        assert!(of("w", EngineScore::Mate(3)).contains(" ce 32762; dm 3; "));
        assert!(of("b", EngineScore::Mate(2)).contains(" ce -32763; pv "));
        assert!(of("b", EngineScore::Mate(-1)).contains(" ce 32766; dm 1; "));
        assert!(of("w", EngineScore::Mate(0)).contains(" ce -32767; pv "));
    }
}
