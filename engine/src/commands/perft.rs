//! `vancura perft`: counts of move sequences, which show whether moves are generated rightly, and how fast.

mod counter;
mod suite;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use cli::{Printable, cores, read_position};
use movegen::{CastlingStyle, Move};
use rayon::ThreadPoolBuilder;

pub use self::counter::PerftError;
use self::counter::{Counter, Speed};

/// What a suite looks like.
const SUITES: &str = "\
A suite is a file with lines such as

  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400

or with `id`, `epd` and `perft DEPTH COUNT` on lines of their own. The exit status is 1 if a count
is wrong or a line cannot be read.

Examples:
  vancura perft 6
  vancura perft 5 --divide \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  vancura perft 4 --suite perftsuite.epd";

/// Counts the move sequences of a length, to test the rules and measure their speed.
#[derive(Args, Debug)]
#[command(after_long_help = SUITES)]
pub struct PerftArguments {
    /// Half-moves of each sequence; with --suite the most of any
    #[arg(required_unless_present = "suite")]
    depth: Option<u8>,
    /// The position to start from; the start of a game if there is none
    #[arg(conflicts_with = "suite")]
    fen: Vec<String>,
    /// Count for each first move
    #[arg(short, long, conflicts_with = "suite")]
    divide: bool,
    /// Compare with the counts of this file; may be given several times
    #[arg(short, long, value_name = "FILE")]
    suite: Vec<PathBuf>,
    /// Write castling as Chess960 needs it, even where the position does not show that
    #[arg(long)]
    chess960: bool,
    /// Threads to count with [default: one for each core]
    #[arg(short, long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Counts. The exit status says whether the counts of a suite are right.
///
/// # Errors
///
/// If the position or the suite cannot be read, or the counts not be written.
pub fn run(arguments: &PerftArguments) -> Result<ExitCode, PerftError> {
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let counter = Counter(ThreadPoolBuilder::new().num_threads(threads).build()?);
    let mut output = Printable::new(io::stdout().lock());
    if !arguments.suite.is_empty() {
        return suite::run(&arguments.suite, arguments.depth.unwrap_or(u8::MAX), &counter, &mut output);
    }
    let board = read_position(&arguments.fen)?;
    let depth = arguments.depth.unwrap_or_default();
    let start = Instant::now();
    let total = if arguments.divide {
        let counts = counter.divide(&board, depth);
        let is_chess960 = arguments.chess960 || board.is_chess960();
        let style = if is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        writeln!(output, "{}", list(&counts, style))?;
        counts.iter().map(|(_, count)| count).sum()
    } else {
        counter.count(&board, depth)
    };
    writeln!(output, "Nodes searched: {total}\n{}", Speed { nodes: total, elapsed: start.elapsed() })?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A line for each first move, as the UCI command has it.
fn list(counts: &[(Move, u64)], style: CastlingStyle) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    counts.iter().for_each(|(mv, count)| writeln!(text, "{}: {count}", mv.uci(style)).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn counter(threads: usize) -> Counter {
        Counter(ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
    }

    #[test]
    fn any_number_of_threads_counts_the_same() {
        let board = Board::from_fen(KIWIPETE).unwrap();
        for threads in [1, 2, 5] {
            let counter = counter(threads);
            let counts: Vec<_> = (0..=5).map(|depth| counter.count(&board, depth)).collect();
            assert_eq!(counts, [1, 48, 2039, 97_862, 4_085_603, 193_690_690]);
            assert_eq!(counter.divide(&board, 4).iter().map(|(_, count)| count).sum::<u64>(), 4_085_603);
        }
        assert!(counter(1).divide(&board, 0).is_empty());
        let mated = Board::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!((counter(1).count(&mated, 7), counter(1).divide(&mated, 7).len()), (0, 0));
    }

    #[test]
    fn castling_is_listed_in_the_style_asked_for() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let counts = counter(1).divide(&board, 1);
        assert!(list(&counts, CastlingStyle::Standard).contains("e1g1: 1\n"));
        assert!(list(&counts, CastlingStyle::Chess960).contains("e1h1: 1\n"));
    }
}
