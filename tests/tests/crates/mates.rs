//! `go mate N` on the public lists of mates: each mate in 5 or fewer within two million nodes, with its whole line.
//!
//! The normal run takes each twentieth. All of them, about a minute on one core:
//!
//! `VANCURA_TEST_DATA=../shared/data cargo test --release -p vancura-tests --test crates mates:: -- --ignored --nocapture`

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use movegen::{Board, Move, Position};
use search::{Bound, Limits, Report, Reporter, Request, Searcher, Settings};
use tests::data::{announce, read, test_data};

const LISTS: [&str; 3] = ["matetrack-open.epd.zst", "classic280.epd", "mates2000.epd"];
const MAX_MOVES: i32 = 5;
const NODES: u64 = 2_000_000;

/// What takes more nodes: 41 and 3.4 million, give or take what the usual search does in between.
const EXCEPTIONS: [&str; 2] = [
    "2br1b2/1nq1pPR1/1n2p3/4p2p/3Pp3/4P2B/3BP1RP/r4kNK b - -",
    "r1b2bn1/pNp1pr2/3p2p1/1B1Pk1Bp/4P3/2N5/PPP2PPP/R2QK2R b KQ -",
];

/// The positions in which the side to move mates, or is mated if negative, in at most [`MAX_MOVES`].
fn short_mates(text: &str) -> BTreeMap<String, i32> {
    let mate = |line: &str| {
        let (fen, rest) = line.split_once(" bm #")?;
        let moves: i32 = rest.split(';').next()?.trim().parse().ok()?;
        (moves.abs() <= MAX_MOVES).then(|| (fen.to_owned(), moves))
    };
    text.lines().filter_map(mate).collect()
}

/// Keeps the last line that is more than a bound.
struct Listener {
    last: Option<(i32, Vec<Move>)>,
    result: Sender<Option<(i32, Vec<Move>)>>,
}

impl Reporter for Listener {
    fn line(&mut self, report: &Report<'_>) {
        let mate = report.score.moves_to_mate().filter(|_| report.bound == Bound::Exact);
        self.last = mate.map(|moves| (moves, report.pv.to_vec()));
    }

    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {
        self.result.send(self.last.take()).expect("somebody waits");
    }
}

/// The mate that `go mate` finds, and its line.
fn seek(searcher: &mut Searcher, board: &Board, moves: i32) -> Option<(i32, Vec<Move>)> {
    let (result, results) = channel();
    let limits = Limits { mate: Some(moves), nodes: Some(NODES), ..Limits::default() };
    let (position, settings) = (Position::from(*board), Settings::default());
    searcher.new_game();
    let request = Request { position, limits, settings, received: Instant::now() };
    searcher.start(request, Box::new(Listener { last: None, result }));
    results.recv().expect("each search ends")
}

/// Whether the moves lead to mate, which has to be as short as the score says.
fn is_whole(board: &Board, moves: i32, line: &[Move]) -> bool {
    let mut board = *board;
    let is_legal = line.iter().all(|&mv| {
        let is_legal = board.is_legal(mv);
        if is_legal {
            board.play(mv, &mut ());
        }
        is_legal
    });
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    is_legal && line.len() as i32 == plies && board.in_check() && !board.has_legal_move()
}

fn check(step: usize) {
    let Some(data) = test_data("mates") else { return };
    let mates: BTreeMap<_, _> = LISTS.iter().flat_map(|name| short_mates(&read(&data.join("mate"), name))).collect();
    assert!(mates.len() > 200, "{}", mates.len());
    let mut searcher = Searcher::new(1, 16);
    let (mut asked, mut nodes, mut faults) = (0, 0, Vec::new());
    for (fen, &moves) in mates.iter().step_by(step) {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let found = seek(&mut searcher, &board, moves);
        (asked, nodes) = (asked + 1, nodes + searcher.nodes());
        let found = found.filter(|(found, _)| found.signum() == moves.signum() && found.abs() <= moves.abs());
        let is_found = found.as_ref().is_some_and(|(found, line)| is_whole(&board, *found, line));
        // An exception that is none any more has to leave the list.
        if is_found == EXCEPTIONS.contains(&&fen[..]) {
            faults.push(format!("{fen} #{moves}: {found:?}"));
        }
    }
    announce(&format!("{asked} mates, {} nodes each", nodes / asked));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn short_mates_are_found() {
    check(20);
}

#[test]
#[ignore = "a minute"]
fn all_short_mates_are_found() {
    check(1);
}
