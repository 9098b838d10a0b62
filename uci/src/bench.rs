//! `bench`: fixed positions searched to a fixed depth.
//!
//! The sum of the nodes is the engine's signature: it changes when its play does, and only then. The speed tells
//! OpenBench how to scale the time of its games.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use eval::Network;
use movegen::{Board, Position};
use search::{Limits, Request, Searcher, Settings};

use crate::error::{CommandError, Token};
use crate::print::Printer;
use crate::words::{Words, integer};

/// In plies; what `bench` searches to unless told otherwise.
pub const BENCH_DEPTH: i32 = 13;

/// The size of the table in MiB, whatever the option says.
const HASH_MIB: usize = 16;

/// What `bench` searches: all phases of the game, with the corners of the rules.
pub const BENCH_POSITIONS: [&str; 48] = [
    // Openings: the start, quiet and sharp main lines.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/2pnbppp/p2p1n2/1p2p3/3PP3/1BP2N1P/PP3PP1/RNBQR1K1 w - - 1 11",
    "r1b2rk1/5ppp/p1pb4/1p1n4/3P4/1BP3Pq/PP3P1P/RNBQR1K1 w - - 1 15",
    "rnb1kb1r/1p3ppp/p2ppn2/6B1/3NPP2/q1N5/P1PQ2PP/1R2KB1R w Kkq - 2 10",
    "r1bq1rk1/pppnn1bp/3p4/3Pp1p1/2P1Pp2/2N2P2/PP2BBPP/R2QNRK1 w - - 0 13",
    "rnb1k1r1/ppq1np1Q/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR w KQq - 0 10",
    "r2q1rk1/pp2ppbp/6p1/n1p5/2BPP1b1/2P1BP2/P3N1PP/R2Q1RK1 w - - 1 12",
    "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBP3/PPQ1NPPP/R4RK1 w - - 8 11",
    "r1bq1rk1/ppnn1pbp/3p2p1/1BpP4/P3PP2/2N2N2/1P4PP/R1BQ1RK1 w - - 5 12",
    "r1bqk2r/ppp1nppp/8/b2Pn1N1/2Bp4/2P5/P4PPP/RNBQ1RK1 w kq - 1 10",
    "rnb2rk1/p3q1pp/1ppbpn2/3pNp2/2PP4/1P4P1/PB2PPBP/RN1Q1RK1 w - - 0 10",
    "r2qkb1r/pb1n1p2/2p1pP2/1p4B1/2pP4/2N5/PP3PPP/R2QKB1R w KQkq - 1 12",
    // Middlegames: open and closed, queens on and off, attacks and majorities.
    "r2q1rk1/pb1nbppp/1p2pn2/8/3P4/P1N2N2/BP3PPP/R1BQR1K1 w - - 2 14",
    "2kr1b1r/pp1bqp2/2n1pn1p/3p2p1/3P3P/2PBPNB1/PP1N1PP1/R2QK2R w KQ - 0 13",
    "r2q1rk1/pb3ppp/5n2/2pp4/8/1P2PN2/PB2BPPP/2RQ1RK1 b - - 1 15",
    "2r2rk1/1b1qbppp/p2p1n2/1p2p3/4P3/1BN1BP2/PPPQ2PP/2KR3R b - - 3 15",
    "r1bq1rk1/1p1n1pbp/p2p2p1/P1pPp3/2P1P2P/2N1BP2/1P2B1P1/R2QK1NR b KQ - 0 12",
    "r1bq1rk1/pp1nbppp/4p3/2ppP3/3P3P/2PB1N2/PP1N1PP1/R1BQK2R w KQ - 1 11",
    "3r2k1/pR3ppp/8/3p4/8/4P3/r4PPP/1R4K1 w - - 0 26",
    "r1b2rk1/pp2bppp/2n1pn2/8/2B5/P1N1PN2/1P2KPPP/R1B4R w - - 1 12",
    "1r1q1rk1/5pbp/p2p2p1/2pNp3/P1P1P3/1P1Q2P1/5P1P/1R2R1K1 w - - 0 23",
    "r3k2r/pbpnqp2/1p1ppn1p/6p1/2PP4/P1P1P1B1/2QN1PPP/R3KB1R w KQkq - 2 12",
    "4r1k1/1p3p1p/p2p2p1/2qP4/4Pn2/1QN2P2/PP4rP/3R1R1K w - - 0 27",
    // Tactics: mates, checks and promotions near at hand.
    "6k1/5ppp/8/6N1/8/1Q6/6PP/q4R1K w - - 0 1",
    "r1b2rk1/ppp2ppp/8/3qN3/3b4/3B4/PP3PPP/R2Q1RK1 w - - 0 15",
    "6k1/5ppp/8/8/1q6/7P/1p3PP1/3Q2K1 w - - 0 40",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2P1k3/8/1K6/8/5b2/r7/8 w - - 0 60",
    // Endgames: rooks, pawns, minor pieces and queens, won, drawn and lost.
    "3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 60",
    "8/8/P5k1/8/8/5r2/1K6/R7 b - - 0 55",
    "8/3k4/7R/2KP4/8/8/1r6/8 b - - 0 55",
    "8/5p1k/6p1/7p/3r3P/5PP1/R5K1/8 w - - 0 45",
    "8/pp3k2/5p2/5P2/PPK5/8/8/8 w - - 0 40",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "8/5k2/3bpp1p/p2p3P/P2P1PP1/2B5/5K2/8 w - - 0 45",
    "8/4kp2/1p1bp1p1/pP1pP2p/P2P1K1P/3N2P1/5P2/8 b - - 0 40",
    "8/5pk1/4p1p1/1q2P2p/5Q1P/6P1/5PK1/8 w - - 0 45",
    "8/8/8/3k4/8/3KBN2/8/8 w - - 10 80",
    "8/8/8/3k4/1r6/4K3/8/6Q1 w - - 0 70",
    "8/8/2k5/1p1p1p1p/pPpPpPpP/P1P1P1P1/3B1K2/8 w - - 70 90",
    "7k/5Q2/6K1/8/8/8/8/7q b - - 0 70",
    // No legal move: mate and stalemate.
    "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 30",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 70",
    // Chess960.
    "nnqrbbkr/pppppppp/8/8/8/8/PPPPPPPP/NNQRBBKR w HDhd - 0 1",
    "nbbrqkrn/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/NBBRQKRN b GDgd - 0 2",
    "rknbnrbq/pp1ppp1p/6p1/2p5/2P5/6P1/PP1PPP1P/RKNBNRBQ w FAfa - 0 3",
    // Double Chess960.
    "rqknnbbr/pppppppp/8/8/8/8/PPPPPPPP/NNRKBRQB w FCha - 0 1",
    "bnqbnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1",
];

/// Searches each position as if the engine had just been started, one thread, and prints nodes and speed. The network
/// is the one in use, so that its signature is known without a build that embeds it.
pub(crate) fn run<W: Write>(depth: i32, network: &Arc<Network>, printer: &Printer<W>, stop: &AtomicBool) {
    let mut searcher = Searcher::new(1, HASH_MIB);
    searcher.set_network(Arc::clone(network));
    let mut total = 0;
    let start = Instant::now();
    for (number, fen) in (1..).zip(BENCH_POSITIONS) {
        // They are valid, as a test makes sure.
        let Ok(board) = Board::from_fen(fen) else { continue };
        searcher.new_game();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        searcher.search(request(board, limits, Settings::default()), (), stop);
        // With the output broken there is no reader of the result.
        if printer.is_broken() || stop.load(Relaxed) {
            return;
        }
        let nodes = searcher.nodes();
        printer.line(format_args!("{number:>2}/{} {nodes:>9} {fen}", BENCH_POSITIONS.len()));
        total += nodes;
    }
    let rate = u128::from(total) * 1_000_000 / start.elapsed().as_micros().max(1);
    printer.line(format_args!("{total} nodes {rate} nps"));
}

/// A search with many threads to measure how fast it can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpeedTest {
    /// Threads that search.
    pub threads: usize,
    /// The size of the table in MiB.
    pub hash_mib: usize,
    /// How long, in seconds.
    pub seconds: u64,
}

impl SpeedTest {
    const MOST_THREADS: i64 = 1024;
    const MOST_MIB: i64 = 1 << 20;
    const MOST_SECONDS: i64 = 24 * 3600;

    /// Reads threads, table size and seconds; what is missing is all cores, 128 MiB a thread and 20 seconds.
    ///
    /// # Errors
    ///
    /// If a word is no number.
    pub(crate) fn parse(mut words: Words<'_>) -> Result<Self, CommandError> {
        let mut number = || {
            let read =
                |word| integer(word).ok_or(CommandError::NoNumber { name: "speedtest", found: Token::new(word) });
            words.next().map(read).transpose()
        };
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        let threads = number()?.unwrap_or(cores).clamp(1, Self::MOST_THREADS);
        let hash_mib = number()?.unwrap_or(128 * threads).clamp(1, Self::MOST_MIB);
        let seconds = number()?.unwrap_or(20).clamp(1, Self::MOST_SECONDS);
        Ok(Self { threads: threads as usize, hash_mib: hash_mib as usize, seconds: seconds.cast_unsigned() })
    }

    /// Searches middle games one after the other, as in one long game, and prints nodes and speed.
    pub(crate) fn run<W: Write>(self, printer: &Printer<W>, stop: &AtomicBool) {
        let mut searcher = Searcher::new(self.threads, self.hash_mib);
        let boards: Vec<_> = BENCH_POSITIONS[..24].iter().filter_map(|fen| Board::from_fen(fen).ok()).collect();
        let share = Duration::from_secs(self.seconds) / boards.len().max(1) as u32;
        let (mut total, start) = (0, Instant::now());
        for board in boards {
            let limits = Limits { move_time: Some(share), ..Limits::default() };
            let settings = Settings { move_overhead: Duration::ZERO, ..Settings::default() };
            searcher.search(request(board, limits, settings), (), stop);
            total += searcher.nodes();
        }
        if stop.load(Relaxed) {
            return;
        }
        let elapsed = start.elapsed();
        printer.line(format_args!(
            "{} {}, {} MiB, {:.1} s\n{total} nodes {} nps",
            self.threads,
            if self.threads == 1 { "thread" } else { "threads" },
            searcher.hash_mib(),
            elapsed.as_secs_f64(),
            u128::from(total) * 1_000_000 / elapsed.as_micros().max(1)
        ));
    }
}

fn request(board: Board, limits: Limits, settings: Settings) -> Request {
    Request { position: Position::from(board), limits, settings, received: Instant::now() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_valid_and_different() {
        for (index, fen) in BENCH_POSITIONS.iter().enumerate() {
            let (_, warnings) = Board::from_fen_with_warnings(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(warnings.is_empty(), "{fen}: {warnings:?}");
            assert!(!BENCH_POSITIONS[..index].contains(fen), "{fen} is there twice");
        }
    }
}
