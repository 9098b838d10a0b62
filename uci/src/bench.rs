//! `bench`: fixed positions searched to a fixed depth, and what Stockfish's `bench` can be asked for beside it.
//!
//! The sum of the nodes is the engine's signature: it changes when its play does, and only then. The speed tells
//! OpenBench how to scale the time of its games.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use eval::Network;
use movegen::{Board, FenStyle, Position};
use search::{Limits, Request, Searcher, Settings};

use crate::error::{CommandError, Token};
use crate::file::read_positions;
use crate::print::Printer;
use crate::words::{Words, integer};

/// In plies; what `bench` searches to unless told otherwise.
pub const BENCH_DEPTH: i32 = 13;

/// The nodes that `bench` visits with the network of the repository: they change when the search's play does, and only then. So
/// this is the version of the search, for what depends on it; a test compares it with the bench.
pub const BENCH_SIGNATURE: u64 = 1_132_383;

/// The size of the table in MiB, whatever the option says.
const HASH_MIB: usize = 16;

/// The most threads, MiB of the table and milliseconds a position that can be asked for.
const MAX_THREADS: i64 = 1024;
const MAX_MIB: i64 = 1 << 20;
const MAX_MILLIS: i64 = 24 * 3600 * 1000;

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

/// What `bench` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench<'a> {
    /// The size of the table in MiB, whatever the option says.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
    /// What is done with each position.
    pub work: BenchWork,
    /// Where the positions come from.
    pub positions: BenchPositions<'a>,
}

/// What `bench` does with each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchWork {
    /// A search to this depth.
    Depth(i32),
    /// A search of so many nodes.
    Nodes(u64),
    /// A search of so many milliseconds.
    MoveTime(u64),
    /// A count of the move sequences of so many plies.
    Perft(u8),
    /// The network's evaluation, which counts as one node.
    Eval,
}

/// Where the positions of `bench` come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchPositions<'a> {
    /// [`BENCH_POSITIONS`].
    Fixed,
    /// The position that is set.
    Current,
    /// A file of FEN or EPD.
    File(&'a str),
}

impl Default for Bench<'_> {
    fn default() -> Self {
        let (work, positions) = (BenchWork::Depth(BENCH_DEPTH), BenchPositions::Fixed);
        Self { hash_mib: HASH_MIB, threads: 1, work, positions }
    }
}

impl<'a> Bench<'a> {
    /// Reads a depth alone, or the words of Stockfish: table size, threads, limit, positions, kind of limit. A sixth, for
    /// its kinds of evaluation, has no meaning here. The second part is the first word that means nothing.
    ///
    /// # Errors
    ///
    /// If a word is no number where one must be, or no kind of limit.
    pub(crate) fn parse(mut words: Words<'a>) -> Result<(Self, Option<CommandError>), CommandError> {
        let mut all = words.by_ref().take(6);
        let mut number = |most: i64| read_number("bench", all.next(), most);
        let (first, threads, limit) = (number(i32::MAX.into())?, number(MAX_THREADS)?, number(i64::MAX)?);
        let Some(first) = first else { return Ok((Self::default(), None)) };
        let Some(threads) = threads else {
            return Ok((Self { work: BenchWork::Depth(first.max(1) as i32), ..Self::default() }, None));
        };
        let limit = limit.unwrap_or(BENCH_DEPTH.into()).max(1);
        let positions = match all.next() {
            None | Some("default") => BenchPositions::Fixed,
            Some("current") => BenchPositions::Current,
            Some(path) => BenchPositions::File(path),
        };
        let work = match all.next() {
            None | Some("depth") => BenchWork::Depth(limit.min(i32::MAX.into()) as i32),
            Some("nodes") => BenchWork::Nodes(limit.cast_unsigned()),
            Some("movetime") => BenchWork::MoveTime(limit.min(MAX_MILLIS).cast_unsigned()),
            Some("perft") => BenchWork::Perft(limit.min(u8::MAX.into()) as u8),
            Some("eval") => BenchWork::Eval,
            Some(word) => {
                let choices = &["depth", "nodes", "movetime", "perft", "eval"];
                return Err(CommandError::NoChoice { name: "bench", choices, found: Token::new(word) });
            }
        };
        // Of evaluations there is one.
        all.next();
        let stray = words.next().map(|word| CommandError::UnknownWord { command: "bench", word: Token::new(word) });
        let hash_mib = first.clamp(1, MAX_MIB) as usize;
        Ok((Self { hash_mib, threads: threads.max(1) as usize, work, positions }, stray))
    }

    /// Collects the positions, of which `current` is one.
    pub(crate) fn prepare(&self, current: Option<&Board>) -> Result<PreparedBench, CommandError> {
        let boards = match self.positions {
            // They are valid, as a test makes sure.
            BenchPositions::Fixed => BENCH_POSITIONS.iter().filter_map(|fen| Board::from_fen(fen).ok()).collect(),
            BenchPositions::Current => vec![*current.ok_or(CommandError::NoPosition)?],
            BenchPositions::File(path) => read_positions(path)?,
        };
        let Self { hash_mib, threads, work, .. } = *self;
        Ok(PreparedBench { hash_mib, threads, work, boards })
    }
}

/// A number of at most `most`, if there is a word; below zero it is 0.
fn read_number(name: &'static str, word: Option<&str>, most: i64) -> Result<Option<i64>, CommandError> {
    let read = |word| integer(word).ok_or_else(|| CommandError::NoNumber { name, found: Token::new(word) });
    Ok(word.map(read).transpose()?.map(|number| number.clamp(0, most)))
}

/// A bench with its positions.
pub(crate) struct PreparedBench {
    hash_mib: usize,
    threads: usize,
    work: BenchWork,
    boards: Vec<Board>,
}

impl PreparedBench {
    /// Searches each position as if the engine had just been started, and prints nodes and speed. The network is the one in
    /// use, so that its signature is known without a build that embeds it.
    pub(crate) fn run<W: Write>(&self, network: &Arc<Network>, printer: &Printer<W>, stop: &AtomicBool) {
        let mut searcher = Searcher::new(self.threads, self.hash_mib);
        searcher.set_network(Arc::clone(network));
        let mut total = 0;
        let start = Instant::now();
        for (number, board) in (1..).zip(&self.boards) {
            let nodes = self.nodes(board, &mut searcher, network, stop);
            // With the output broken there is no reader of the result.
            if printer.is_broken() || stop.load(Relaxed) {
                return;
            }
            let fen = board.fen(if board.is_chess960() { FenStyle::Shredder } else { FenStyle::Standard });
            printer.line(format_args!("{number:>2}/{} {nodes:>9} {fen}", self.boards.len()));
            total += nodes;
        }
        let rate = u128::from(total) * 1_000_000 / start.elapsed().as_micros().max(1);
        // The first of these lines is Stockfish's, for programs that wait for it.
        printer.line(format_args!("Nodes/second    : {rate}\n{total} nodes {rate} nps"));
    }

    /// How many nodes a position takes.
    fn nodes(&self, board: &Board, searcher: &mut Searcher, network: &Network, stop: &AtomicBool) -> u64 {
        let none = Limits::default;
        let (limits, settings) = match self.work {
            BenchWork::Depth(depth) => (Limits { depth: Some(depth), ..none() }, Settings::default()),
            BenchWork::Nodes(nodes) => (Limits { nodes: Some(nodes), ..none() }, Settings::default()),
            BenchWork::MoveTime(millis) => {
                let move_time = Some(Duration::from_millis(millis));
                let settings = Settings { move_overhead: Duration::ZERO, ..Settings::default() };
                (Limits { move_time, ..none() }, settings)
            }
            BenchWork::Perft(depth) => {
                let counts = movegen::divide_until(board, depth, stop).unwrap_or_default();
                return counts.iter().map(|(_, count)| count).sum();
            }
            BenchWork::Eval => {
                std::hint::black_box(network.evaluate(board));
                return 1;
            }
        };
        searcher.new_game();
        searcher.search(request(*board, limits, settings), (), stop);
        searcher.nodes()
    }
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
    const MAX_SECONDS: i64 = 24 * 3600;

    /// Reads threads, table size and seconds; what is missing is all cores, 128 MiB a thread and 20 seconds.
    ///
    /// # Errors
    ///
    /// If a word is no number.
    pub(crate) fn parse(mut words: Words<'_>) -> Result<Self, CommandError> {
        let mut number = |most| read_number("speedtest", words.next(), most);
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        let threads = number(MAX_THREADS)?.unwrap_or(cores).max(1);
        let hash_mib = number(MAX_MIB)?.unwrap_or(128 * threads).max(1);
        let seconds = number(Self::MAX_SECONDS)?.unwrap_or(20).max(1);
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
    fn a_bench_is_read_as_ours_or_as_stockfishs() {
        let read = |line| Bench::parse(Words::new(line)).map_err(|fault| fault.to_string());
        let bench = |hash_mib, threads, work, positions| Bench { hash_mib, threads, work, positions };
        let depth = |depth| Bench { work: BenchWork::Depth(depth), ..Bench::default() };
        let fixed = BenchPositions::Fixed;
        for (line, expected) in [
            ("", Bench::default()),
            ("5", depth(5)),
            ("-5", depth(1)),
            ("99999999999999999999", depth(i32::MAX)),
            ("16 1", depth(BENCH_DEPTH)),
            ("16 1 5", depth(5)),
            ("16 1 5 default depth", depth(5)),
            ("16 1 5 default depth mixed", depth(5)),
            ("64 2 1000 default nodes NNUE", bench(64, 2, BenchWork::Nodes(1000), fixed)),
            ("1 1 10 current movetime", bench(1, 1, BenchWork::MoveTime(10), BenchPositions::Current)),
            ("0 0 3 a.epd perft", bench(1, 1, BenchWork::Perft(3), BenchPositions::File("a.epd"))),
            ("16 1 1 default eval", bench(16, 1, BenchWork::Eval, fixed)),
        ] {
            assert_eq!(read(line), Ok((expected, None)), "{line}");
        }
        let (_, stray) = read("16 1 5 default depth mixed more").unwrap();
        assert_eq!(stray.unwrap().to_string(), "`bench`: unknown word \"more\" ignored");
        for (line, message) in [
            ("deep", "`bench` needs a number, not \"deep\""),
            ("16 1 deep", "`bench` needs a number, not \"deep\""),
            ("16 1 5 default hours", "`bench` needs `depth`, `nodes`, `movetime`, `perft` or `eval`, not \"hours\""),
        ] {
            assert_eq!(read(line), Err(message.to_owned()), "{line}");
        }
    }

    #[test]
    fn all_positions_are_valid_and_different() {
        for (index, fen) in BENCH_POSITIONS.iter().enumerate() {
            let (_, warnings) = Board::from_fen_with_warnings(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(warnings.is_empty(), "{fen}: {warnings:?}");
            assert!(!BENCH_POSITIONS[..index].contains(fen), "{fen} is there twice");
        }
    }
}
