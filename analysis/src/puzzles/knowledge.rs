//! What there is to be played in a position: by what the analysis of its game has kept, or by a search.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use movegen::{Board, CastlingStyle, Move};
use pgn::EngineScore;
use search::Limits;

use super::solution::Choice;
use crate::judge::assemble::by_search;
use crate::model::{Analysis, Game};
use crate::search::analyst::{Analyst, SearchMethod};

/// MiB of the table of each search.
const HASH: usize = 64;

/// The best moves of the positions of a game, by their keys.
pub(super) struct Kept(HashMap<u64, Vec<(Move, EngineScore)>>);

impl Kept {
    /// All that an analysis has kept of a game: the lines of each position, and the moves to practise at each mistake.
    pub fn of(game: &Game) -> Self {
        let mut kept = HashMap::new();
        for (index, position) in game.positions.iter().enumerate() {
            let Ok(board) = Board::from_fen(&position.fen) else { continue };
            let read =
                |uci: &str, score: EngineScore| Some((board.parse_uci(uci).ok()?, score.relative_to(board.turn())));
            let lines = position.analysis.iter().flat_map(|analysis| &analysis.lines);
            let lines: Vec<_> = lines.filter_map(|line| read(line.uci.first()?, line.score)).collect();
            let practice = game.moves.get(index).and_then(|mv| mv.practice.as_ref());
            let wide: Vec<_> =
                practice.iter().flat_map(|practice| &practice.moves).filter_map(|mv| read(&mv.uci, mv.score)).collect();
            // The wider search is also the longer one.
            kept.insert(board.key(), if wide.len() > lines.len() { wide } else { lines });
        }
        Self(kept)
    }

    pub fn choice(&self, board: &Board) -> Option<Choice> {
        Choice::of(board, self.0.get(&board.key())?)
    }
}

/// Searches with so many nodes a position.
pub(super) fn method(nodes: u64) -> SearchMethod {
    SearchMethod {
        limits: Limits { nodes: Some(nodes), ..Limits::default() },
        multi_pv: 2,
        hash_mib: HASH,
        threads: 1,
        tablebase: None,
        is_static: false,
    }
}

/// What a search finds; `None` if it was stopped.
pub(super) fn searched(method: &SearchMethod, board: &Board, stop: &AtomicBool) -> Option<Choice> {
    let mates = board.legal_moves().iter().filter(|&&mv| is_mated(&board.after(mv))).count();
    let method = SearchMethod { multi_pv: mates.max(1) + 1, ..method.clone() };
    let found = Analyst::new(&method).search_alone(board, stop)?;
    let Analysis { lines, .. } = by_search(&found, board, CastlingStyle::Chess960);
    let read = |uci: &str, score: EngineScore| Some((board.parse_uci(uci).ok()?, score.relative_to(board.turn())));
    let moves: Vec<_> = lines.iter().filter_map(|line| read(line.uci.first()?, line.score)).collect();
    Choice::of(board, &moves)
}

fn is_mated(board: &Board) -> bool {
    board.in_check() && !board.has_legal_move()
}
