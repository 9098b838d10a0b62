//! Searches a position and prints the lines as they are found.
//!
//! `cargo run --release -p vancura-search --example analyse -- "FEN" NODES`

use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use movegen::{Board, Move, Position};
use search::{Limits, Report, Reporter, Request, Searcher, Settings};

/// Passes on what it is told.
struct Listener(Sender<String>);

impl Reporter for Listener {
    fn line(&mut self, report: &Report<'_>) {
        let moves: Vec<String> = report.pv.iter().map(|mv| mv.to_string()).collect();
        let score = match report.score.moves_to_mate() {
            Some(moves) => format!("mate in {moves}"),
            None => format!("{:+.2}", f64::from(report.score.0) / 100.0),
        };
        let _ = self.0.send(format!("{:>2} {score} {}", report.depth, moves.join(" ")));
    }

    fn finished(&mut self, best: Option<Move>, _ponder: Option<Move>) {
        let best = best.map_or("none".to_owned(), |mv| mv.to_string());
        let _ = self.0.send(format!("best move {best}"));
    }
}

/// The lines of a search of `board`, the last one with the best move.
pub fn analyse(board: Board, nodes: u64) -> Vec<String> {
    let (sender, lines) = channel();
    let mut searcher = Searcher::new(1, 16);
    let request = Request {
        position: Position::from(board),
        limits: Limits { nodes: Some(nodes), ..Limits::default() },
        settings: Settings::default(),
        received: Instant::now(),
    };
    searcher.start(request, Box::new(Listener(sender)));
    lines.iter().collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let board = arguments.next().map_or(Ok(Board::start()), |fen| Board::from_fen(&fen));
    let nodes = arguments.next().and_then(|nodes| nodes.parse().ok()).unwrap_or(1_000_000);
    match board {
        Ok(board) => analyse(board, nodes).iter().for_each(|line| println!("{line}")),
        Err(error) => eprintln!("{error}"),
    }
}
