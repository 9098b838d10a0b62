//! How far scores drift when a search goes on: an evaluation that a deep search takes back is one that it cannot be
//! trusted with. Asked about the start position and quiet positions of main-line openings.

use std::sync::Arc;

use eval::Network;
use eval::wdl::{Model, material};
use movegen::{Board, Color, Position};
use rayon::prelude::*;
use search::{Limits, SingleThreadedSearcher};
use serde::Serialize;

/// By how many times the nodes grow.
pub const FACTOR: u64 = 4;
/// The transposition table of each search, in MiB.
const HASH_MIB: usize = 64;

/// The openings: a name and the moves.
pub const OPENINGS: [(&str, &str); 21] = [
    ("start position", ""),
    ("Ruy Lopez, Closed", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3"),
    ("Ruy Lopez, Berlin", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 Nd6 Bxc6 dxc6 dxe5 Nf5 Qxd8+ Kxd8 Nc3"),
    ("Italian Game", "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O"),
    ("Scotch Game", "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Bc5 Be3 Qf6 c3 Nge7"),
    ("Petrov", "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4 d4 d5 Bd3 Nc6 O-O Be7"),
    ("Sicilian, Najdorf", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7"),
    ("Sicilian, Dragon", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 Be3 Bg7 f3 O-O Qd2 Nc6"),
    ("Sicilian, Sveshnikov", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5 Ndb5 d6 Bg5 a6 Na3 b5 Nd5 Be7 Bxf6 Bxf6 c3"),
    ("French, Winawer", "e4 e6 d4 d5 Nc3 Bb4 e5 c5 a3 Bxc3+ bxc3 Ne7 Nf3"),
    ("French, Tarrasch", "e4 e6 d4 d5 Nd2 Nf6 e5 Nfd7 Bd3 c5 c3 Nc6 Ne2"),
    ("Caro-Kann, Classical", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5 Ng3 Bg6 h4 h6 Nf3 Nd7 h5 Bh7"),
    ("Caro-Kann, Advance", "e4 c6 d4 d5 e5 Bf5 Nf3 e6 Be2 c5 Be3"),
    ("Queen's Gambit Declined", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6"),
    ("Slav", "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4 Bf5 e3 e6 Bxc4 Bb4 O-O O-O"),
    ("Catalan", "d4 Nf6 c4 e6 g3 d5 Bg2 Be7 Nf3 O-O O-O dxc4 Qc2 a6"),
    ("Nimzo-Indian", "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5 O-O Nc6 a3"),
    ("King's Indian, Classical", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7"),
    ("Gruenfeld, Exchange", "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3 Bg7 Nf3 c5 Rb1 O-O Be2"),
    ("English, Four Knights", "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5 Bg2 Nb6 O-O Be7"),
    ("London", "d4 d5 Nf3 Nf6 Bf4 c5 e3 Nc6 c3 e6 Nbd2 Bd6"),
];

/// The scores of one opening, as users see them, for White in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Drift {
    /// Its name.
    pub opening: &'static str,
    /// After the fewer nodes.
    pub before: i32,
    /// After [`FACTOR`] times as many.
    pub after: i32,
}

impl Drift {
    /// The difference, in centipawns.
    #[must_use]
    pub const fn difference(&self) -> i32 {
        self.after - self.before
    }
}

/// Searches each opening with so many nodes and with [`FACTOR`] times as many, by itself and with a fresh table.
#[must_use]
pub fn measure(network: &Arc<Network>, nodes: u64) -> Vec<Drift> {
    let searcher = || SingleThreadedSearcher::new(Arc::clone(network), HASH_MIB);
    let drift = |searcher: &mut SingleThreadedSearcher, &(opening, moves): &(&'static str, &str)| {
        let position = reached(moves)?;
        let mut score = |nodes| score_for_white(searcher, &position, nodes);
        Some(Drift { opening, before: score(nodes)?, after: score(nodes.saturating_mul(FACTOR))? })
    };
    OPENINGS.par_iter().map_init(searcher, drift).flatten().collect()
}

fn score_for_white(searcher: &mut SingleThreadedSearcher, position: &Position, nodes: u64) -> Option<i32> {
    let board = position.board();
    searcher.forget();
    let found = searcher.search(position, &Limits { nodes: Some(nodes), ..Limits::default() })?;
    let shown = Model::FITTED.normalise(found.score.0, material(board));
    Some(if board.turn() == Color::White { shown } else { -shown })
}

/// The position after moves from the start position; `None` if one is illegal.
fn reached(moves: &str) -> Option<Position> {
    let mut position = Position::from(Board::start());
    for mv in moves.split_whitespace() {
        position.play(position.board().parse_san(mv).ok()?);
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn openings_are_different_legal_and_not_in_check() {
        let boards: Vec<Board> = OPENINGS.iter().map(|(name, moves)| *reached(moves).expect(name).board()).collect();
        assert!(boards.iter().all(|board| !board.in_check() && board.occupied().count() >= 24));
        assert_eq!(boards.iter().map(Board::key).collect::<HashSet<_>>().len(), OPENINGS.len());
        for (index, (name, moves)) in OPENINGS.iter().enumerate() {
            assert_eq!(moves.is_empty(), index == 0, "{name}");
        }
    }

    #[test]
    fn scores_are_those_of_the_two_searches_for_white() {
        let network = Network::embedded();
        let drifts = measure(&network, 500);
        assert_eq!(drifts.len(), OPENINGS.len());
        let white = |moves: &str, nodes| {
            let mut searcher = SingleThreadedSearcher::new(Arc::clone(&network), HASH_MIB);
            let position = reached(moves).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let score = searcher.search(&position, &limits).unwrap().score.0;
            Model::FITTED.normalise(score, material(position.board()))
        };
        // White is to move in the first, Black in the second.
        for (index, sign) in [(0, 1), (1, -1)] {
            let (opening, moves) = OPENINGS[index];
            let expected = Drift { opening, before: sign * white(moves, 500), after: sign * white(moves, 2_000) };
            assert_eq!(drifts[index], expected);
            assert_eq!(drifts[index].difference(), expected.after - expected.before);
        }
    }
}
