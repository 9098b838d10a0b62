//! `vancura eval`: what the network says of a position before any search, piece by piece.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, Color as TextColor, Style};
use clap::Args;
use cli::read_position;
use eval::Network;
use eval::wdl::{Model, material};
use movegen::{Board, Color, FenError, FenStyle, File, Piece, PieceType, Rank, Square};

/// What the numbers mean.
const MEANING: &str = "\
Under each piece stands its worth: what the network says less what it would say without that piece, in
pawns for White. A score of 1.00 means that the side wins half of its games from there. Nothing is
searched: a piece that can be taken is worth no less for it.

Colours are for terminals; the variable NO_COLOR does without.

Example:
  vancura eval \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3\"";

/// Draws a board with the worth of each piece and tells what the network says of the whole.
#[derive(Args, Debug)]
#[command(after_long_help = MEANING)]
pub struct EvalArguments {
    /// The position; the start of a game if there is none
    fen: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// The answer cannot be written.
    #[error("the answer cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Draws the board.
///
/// # Errors
///
/// If the position cannot be read, or the answer not be written.
pub fn run(arguments: &EvalArguments) -> Result<(), EvalError> {
    let board = read_position(&arguments.fen)?;
    let sheet = Sheet::new(&board, &Network::embedded());
    let is_colored = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let drawing = if is_colored { sheet.painted() } else { sheet.plain() };
    let mut output = anstream::stdout().lock();
    write!(output, "{drawing}\n{sheet}\n")?;
    output.flush()?;
    Ok(())
}

/// All there is to tell about a position.
struct Sheet {
    board: Board,
    network: u64,
    /// In pawns for White, by square; none for kings and empty squares.
    worths: [Option<f64>; 64],
    /// In pawns for White.
    score: f64,
    /// Of a thousand games: won, drawn and lost by White.
    chances: [u16; 3],
}

/// Columns of a square.
const WIDTH: usize = 7;
const RULE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";
const FILES: &str = "      a       b       c       d       e       f       g       h\n";
const PAINTED_FILES: &str = "     a      b      c      d      e      f      g      h\n";

impl Sheet {
    fn new(board: &Board, network: &Network) -> Self {
        let for_white = |score: i32| if board.turn() == Color::White { score } else { -score };
        let material = material(board);
        let pawns = |score: i32| f64::from(Model::FITTED.normalise(for_white(score), material)) / 100.0;
        let whole = network.evaluate(board);
        let worth = |square| {
            let piece = board.piece_on(square).filter(|piece| piece.piece_type() != PieceType::King);
            piece.map(|_| pawns(whole - network.evaluate_without(board, square)))
        };
        Self {
            board: *board,
            network: network.hash(),
            worths: Square::ALL.map(worth),
            score: pawns(whole),
            chances: Model::FITTED.wdl(for_white(whole), material).per_mille(),
        }
    }

    fn worth(&self, square: Square) -> String {
        self.worths[square as usize].map(|worth| format!("{worth:+.2}")).unwrap_or_default()
    }

    fn letter(&self, square: Square) -> char {
        self.board.piece_on(square).map_or(' ', Piece::letter)
    }

    /// With lines between the squares.
    fn plain(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let row = |cell: &dyn Fn(Square) -> String| -> String {
                File::ALL.map(|file| format!("|{:^WIDTH$}", cell(Square::new(file, rank)))).concat()
            };
            let pieces = row(&|square| self.letter(square).to_string());
            let worths = row(&|square| self.worth(square));
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, "{RULE}  {pieces}|\n{} {worths}|\n", rank.digit());
        }
        text + RULE + FILES
    }

    /// With coloured squares and pieces.
    fn painted(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            for (margin, is_worth) in [(' ', false), (rank.digit(), true)] {
                let _ = write!(text, "{margin} ");
                for file in File::ALL {
                    let square = Square::new(file, rank);
                    let cell = if is_worth { self.worth(square) } else { self.letter(square).to_string() };
                    let style = self.style(square, is_worth);
                    let _ = write!(text, "{style}{cell:^WIDTH$}{style:#}");
                }
                text.push('\n');
            }
        }
        text + PAINTED_FILES
    }

    fn style(&self, square: Square, is_worth: bool) -> Style {
        let color = |index| Some(TextColor::Ansi256(Ansi256Color(index)));
        let is_light = (square.file() as usize + square.rank() as usize) % 2 == 1;
        let is_white = self.board.piece_on(square).is_some_and(|piece| piece.color() == Color::White);
        let style = Style::new().bg_color(color(if is_light { 180 } else { 137 }));
        let style = style.fg_color(color(if is_white { 231 } else { 16 }));
        if is_worth { style } else { style.bold() }
    }
}

/// What is said of the whole.
impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, network, score, chances: [win, draw, loss], .. } = self;
        writeln!(f, "FEN:        {}", board.fen(FenStyle::Standard))?;
        writeln!(f, "Network:    vancura-{network:016x}")?;
        writeln!(f, "Evaluation: {score:+.2} pawns for White, before any search")?;
        write!(f, "Chances:    White wins {win}, draws {draw} and loses {loss} of 1000 games")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(fen: &str) -> Sheet {
        Sheet::new(&Board::from_fen(fen).unwrap(), &Network::embedded())
    }

    #[test]
    fn every_man_but_the_kings_has_its_worth() {
        let sheet = sheet("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1");
        let worths: Vec<_> = Square::ALL.into_iter().filter(|&square| !sheet.worth(square).is_empty()).collect();
        assert_eq!(worths, [Square::H1, Square::E2]);
        assert_eq!(sheet.chances.iter().sum::<u16>(), 1000);
    }

    #[test]
    fn scores_are_for_white_whoever_is_to_move() {
        let [white, black] = ["4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1", "qqq1k3/8/8/8/8/8/8/4K3 b - - 0 1"].map(sheet);
        assert_eq!(white.score, -black.score);
        assert_eq!(white.worth(Square::A1).replace('+', "-"), black.worth(Square::A8));
        assert_eq!(white.chances[0], black.chances[2]);
    }

    #[test]
    fn both_drawings_show_the_same_men() {
        let sheet = sheet("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
        let pieces = |text: &str| text.chars().filter(|letter| "KQRBNPkqrbnp".contains(*letter)).collect::<String>();
        let (plain, painted) = (sheet.plain(), sheet.painted());
        // The names of the files are letters, too.
        let shown = "rbqkbnrppppppp".to_owned() + "npBPQPPPPPPPRNBKNR" + "b";
        assert_eq!(pieces(&plain), shown);
        let uncolored = anstream::adapter::strip_str(&painted).to_string();
        assert_eq!(pieces(&uncolored), shown);
        assert!(painted.contains("\u{1b}[") && !plain.contains('\u{1b}'));
        assert!(plain.lines().all(|line| line.len() == RULE.len() - 1 || line == FILES.trim_end()));
        let lines: Vec<_> = uncolored.lines().collect();
        assert!(lines.iter().take(16).all(|line| line.len() == 2 + 8 * WIDTH), "{uncolored}");
    }
}
