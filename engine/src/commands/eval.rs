//! `vancura eval`: what the network says of a position before any search, piece by piece, or of many, a line each.

mod lines;

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Color as TextColor, Style};
use clap::Args;
use cli::read_position;
use eval::Network;
use movegen::{Budget, Color, FenError, FenStyle, File, Rank, Square};
use uci::PieceValues;

/// What the numbers mean.
const MEANING: &str = "\
Under each piece stands its worth: what the network says less what it would say without that piece, in
pawns for White. A score of 1.00 means that the side wins half of its games from there. Nothing is
searched: a piece that can be taken is worth no less for it.

Colours are for terminals; the variable NO_COLOR does without.

For files each position has a line: the FEN, the score in pawns for White, and how many of 1000 games
White wins, draws and loses; then `dead` if neither side can mate any more.

Examples:
  vancura eval positions.epd
  vancura eval \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3\"";

/// Draws a board with the worth of each piece and tells what the network says of the whole, or evaluates all positions of
/// files.
#[derive(Args, Debug)]
#[command(after_long_help = MEANING)]
pub struct EvalArguments {
    /// The position, the start of a game if there is none; or files of positions in FEN or EPD, compressed or not, folders of
    /// such files, or `-` for the standard input
    #[arg(value_name = "FEN|FILE")]
    position: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A file cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// There is no position in a file.
    #[error("{}: no position in the file", .0.display())]
    Empty(PathBuf),
    /// The answer cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

/// Draws the board, or answers the lines of files.
///
/// # Errors
///
/// If the position or a file cannot be read, or the answer not be written.
pub fn run(arguments: &EvalArguments) -> Result<(), EvalError> {
    if lines::are_files(&arguments.position) {
        let paths: Vec<_> = arguments.position.iter().map(PathBuf::from).collect();
        return lines::evaluate_files(&paths, io::stdout().lock());
    }
    let board = read_position(&arguments.position)?;
    let sheet = Sheet(PieceValues::new(&board, &Network::embedded(), Budget::MEDIUM));
    let is_colored = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let drawing = if is_colored { sheet.painted() } else { sheet.0.table() };
    let mut output = anstream::stdout().lock();
    write!(output, "{drawing}\n{sheet}\n")?;
    output.flush()?;
    Ok(())
}

/// The values, drawn for people.
struct Sheet(PieceValues);

/// Columns of a square.
const WIDTH: usize = 7;
const PAINTED_FILES: &str = "     a      b      c      d      e      f      g      h\n";

impl Sheet {
    /// With coloured squares and pieces.
    fn painted(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            for (margin, is_value) in [(' ', false), (rank.digit(), true)] {
                let _ = write!(text, "{margin} ");
                for file in File::ALL {
                    let square = Square::new(file, rank);
                    let cell = if is_value { self.0.value(square) } else { self.0.letter(square).to_string() };
                    let style = self.style(square, is_value);
                    let _ = write!(text, "{style}{cell:^WIDTH$}{style:#}");
                }
                text.push('\n');
            }
        }
        text + PAINTED_FILES
    }

    fn style(&self, square: Square, is_value: bool) -> Style {
        let color = |index| Some(TextColor::Ansi256(Ansi256Color(index)));
        let is_light = (square.file() as usize + square.rank() as usize) % 2 == 1;
        let is_white = self.0.board.piece_on(square).is_some_and(|piece| piece.color() == Color::White);
        let style = Style::new().bg_color(color(if is_light { 180 } else { 137 }));
        let style = style.fg_color(color(if is_white { 231 } else { 16 }));
        if is_value { style } else { style.bold() }
    }
}

/// The facts about the whole position.
impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PieceValues { board, network, score, chances: [win, draw, loss], .. } = &self.0;
        writeln!(f, "FEN:        {}", board.fen(FenStyle::Standard))?;
        writeln!(f, "Network:    vancura-{network:016x}")?;
        writeln!(f, "Evaluation: {score:+.2} pawns for White, {}", self.0.remark())?;
        write!(f, "Chances:    White wins {win}, draws {draw} and loses {loss} of 1000 games")
    }
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    fn sheet(fen: &str) -> Sheet {
        Sheet(PieceValues::new(&Board::from_fen(fen).unwrap(), &Network::embedded(), Budget::MEDIUM))
    }

    #[test]
    fn every_piece_but_the_kings_has_a_value() {
        let sheet = sheet("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1");
        let valued: Vec<_> = Square::ALL.into_iter().filter(|&square| !sheet.0.value(square).is_empty()).collect();
        assert_eq!(valued, [Square::H1, Square::E2]);
        assert_eq!(sheet.0.chances.iter().sum::<u16>(), 1000);
    }

    #[test]
    fn scores_are_for_white_whoever_is_to_move() {
        let [white, black] = ["4k3/ppp5/8/8/8/8/8/QQQ1K3 w - - 0 1", "qqq1k3/8/8/8/8/8/PPP5/4K3 b - - 0 1"].map(sheet);
        assert_eq!(white.0.score, -black.0.score);
        let turned = |value: &str| value.replace('+', "~").replace('-', "+").replace('~', "-");
        assert_eq!(turned(&white.0.value(Square::A1)), black.0.value(Square::A8));
        assert_eq!(white.0.chances[0], black.0.chances[2]);
    }

    #[test]
    fn a_dead_position_is_a_draw_whatever_the_network_says() {
        for fen in ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "8/8/k7/p1p1p1p1/P1P1P1P1/3B4/8/K7 w - - 0 1"] {
            let text = sheet(fen).to_string();
            assert!(text.contains("Evaluation: +0.00 pawns for White, the position is dead\n"), "{text}");
            assert!(text.ends_with("White wins 0, draws 1000 and loses 0 of 1000 games"), "{text}");
        }
    }

    #[test]
    fn both_drawings_show_the_same_pieces() {
        let sheet = sheet("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
        let pieces = |text: &str| text.chars().filter(|letter| "KQRBNPkqrbnp".contains(*letter)).collect::<String>();
        let (plain, painted) = (sheet.0.table(), sheet.painted());
        // The names of the files are letters, too.
        let shown = "rbqkbnrppppppp".to_owned() + "npBPQPPPPPPPRNBKNR" + "b";
        assert_eq!(pieces(&plain), shown);
        let uncolored = anstream::adapter::strip_str(&painted).to_string();
        assert_eq!(pieces(&uncolored), shown);
        assert!(painted.contains("\u{1b}[") && !plain.contains('\u{1b}'));
        let width = plain.lines().next().unwrap().len();
        assert!(plain.lines().all(|line| line.len() == width || line.ends_with("g       h")));
        let lines: Vec<_> = uncolored.lines().collect();
        assert!(lines.iter().take(16).all(|line| line.len() == 2 + 8 * WIDTH), "{uncolored}");
    }
}
