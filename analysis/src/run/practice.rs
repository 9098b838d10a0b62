//! What else there was to play where somebody erred: longer searches of these positions alone.
//!
//! Whoever practises them may play any move, so nearly all must be known: the best ones in full, and of the others that they
//! are worse. A wide search looks for five lines, and for more as long as even the last of them is as good as the best. Lines
//! that share a search see less than one that has it for itself, so a narrow search looks for the best move alone. Where the two
//! differ, the best move of the wide search gets a search of its own, too.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cli::in_order;
use movegen::Move;
use search::{Found, STACK_SIZE};

use crate::judge::assemble::{by_search, castling_style};
use crate::judge::{INACCURACY, practice_of};
use crate::model::{Game, Judgement, Practice};
use crate::read::games::Reading;
use crate::search::analyst::{Analyst, SearchMethod};

/// How many lines are looked for at first.
const LINES: usize = 5;
/// How much longer each of these searches takes than one of the main line: by default a million nodes, so that what it says of
/// a move seldom changes with a longer look.
const MORE_EFFORT: u32 = 5;

/// How positions to practise are searched.
pub(crate) struct PracticeSearch {
    method: SearchMethod,
    /// How many searches run side by side.
    searches: usize,
}

impl PracticeSearch {
    /// With the limits of the main search, wider and longer.
    pub fn new(main: &SearchMethod, searches: usize) -> Self {
        let mut method = main.clone();
        method.multi_pv = method.multi_pv.max(LINES);
        let limits = &mut method.limits;
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(u64::from(MORE_EFFORT)));
        limits.move_time = limits.move_time.map(|time| time.saturating_mul(MORE_EFFORT));
        Self { method, searches }
    }

    /// Adds to the mistakes and blunders of a game what else could have been played there, unless the run is to stop.
    pub fn add(&self, game: &mut Game, reading: &Reading, stop: &AtomicBool) -> std::io::Result<()> {
        let is_bad = |judgement| matches!(judgement, Some(Judgement::Mistake | Judgement::Blunder));
        let places: Vec<_> = (0..game.moves.len()).filter(|&index| is_bad(game.moves[index].judgement)).collect();
        if places.is_empty() {
            return Ok(());
        }
        let workers = vec![(); self.searches.min(places.len())];
        let work = |(): &mut (), index: usize| (index, self.practice(reading, index, stop));
        let take = |(index, practice): (usize, Option<Practice>)| {
            game.moves[index].practice = practice;
            ControlFlow::Continue(())
        };
        in_order(places.into_iter(), workers, Some(STACK_SIZE), work, take)
    }

    /// What could be played in a position of a game; `None` if a stop came in between.
    fn practice(&self, reading: &Reading, index: usize, stop: &AtomicBool) -> Option<Practice> {
        let board = &reading.main_line.boards[index];
        let legal = board.count_legal_moves();
        let search = |lines, moves: &[Move]| self.searched(reading, index, lines, moves, stop);
        let narrow = search(1, &[])?;
        let mut lines = self.method.multi_pv;
        loop {
            lines = lines.min(legal.max(1));
            let wide = search(lines, &[])?;
            let alone = match first_move(&wide) {
                Some(best) if first_move(&narrow) != Some(best) => vec![narrow.clone(), search(1, &[best])?],
                _ => Vec::new(),
            };
            let written = |found: &Found| by_search(found, board, castling_style(&reading.game));
            let alone: Vec<_> = alone.iter().flat_map(|found| written(found).lines).collect();
            let practice = practice_of(&written(&wide), &alone, board.turn().into(), legal);
            if practice.others_lose.is_none_or(|loss| loss > INACCURACY) || lines >= legal {
                return Some(practice);
            }
            lines *= 2;
        }
    }

    /// One search of a position of a game, with so many lines, of some moves alone if any are named; `None` if it was stopped.
    fn searched(
        &self,
        reading: &Reading,
        index: usize,
        lines: usize,
        moves: &[Move],
        stop: &AtomicBool,
    ) -> Option<Found> {
        let mut method = SearchMethod { multi_pv: lines, ..self.method.clone() };
        method.limits.search_moves = moves.iter().copied().collect();
        let segment = Analyst::new(&method).search(&reading.main_line, index..index + 1, Vec::new(), stop);
        let is_whole = segment.is_complete && !stop.load(Relaxed);
        segment.found.into_iter().next().flatten().filter(|_| is_whole)
    }
}

fn first_move(found: &Found) -> Option<Move> {
    found.lines.first()?.moves.first().copied()
}
