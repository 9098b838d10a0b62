//! Ranking moves by endgame tables, with respect to the fifty-move rule and repetitions.
//!
//! Source: Stockfish's ranking of root moves. All certain wins are equal, so that the search may choose the most
//! natural one, until a repetition shows that it makes no progress.

use std::cmp::Reverse;

use movegen::{Move, Position};

use crate::tablebase::probe::Tablebase;
use crate::types::score::Score;
use crate::types::tablebase::{RankedMove, Wdl};

/// The rank of a certain win, above every distance.
const CERTAIN: i32 = 1 << 18;
/// Half-moves without capture or pawn move after which the game is drawn.
const FIFTY_MOVES: i32 = 100;

/// The rank of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Rank {
    /// Better moves have a higher one.
    pub(crate) value: i32,
    /// For the side that makes it.
    pub(crate) score: Score,
}

/// How to order moves of the same result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// By the result alone: all certain wins are equal, and so are all certain losses.
    Result,
    /// By the distance too: the shortest win and the longest loss.
    Distance,
}

impl Tablebase {
    /// The ranks of some moves by results and distances; `None` if a table is missing for one of them, or if `may_go_on`,
    /// which is asked before each, says no.
    pub(crate) fn rank_by_dtz(
        &self,
        position: &Position,
        moves: impl IntoIterator<Item = Move>,
        fifty_moves: bool,
        by: By,
        mut may_go_on: impl FnMut() -> bool,
    ) -> Option<Vec<Rank>> {
        let clock = i32::from(position.board().halfmove_clock());
        let repeated = has_repeated(position);
        let rank = |mv| {
            let dtz = may_go_on().then(|| self.dtz_of_move(position, mv))??;
            let value = match dtz {
                0 => 0,
                // Distances may be 1 too small.
                1.. if dtz + clock < FIFTY_MOVES && !repeated => CERTAIN - if by == By::Distance { dtz } else { 0 },
                1.. => CERTAIN / 2 - (dtz + clock),
                _ if clock - 2 * dtz < FIFTY_MOVES => -CERTAIN - if by == By::Distance { dtz } else { 0 },
                _ => clock - dtz - CERTAIN / 2,
            };
            let certain = if fifty_moves { CERTAIN / 2 - FIFTY_MOVES } else { 1 };
            let score = match value {
                value if value >= certain => Score::table_win_in(0),
                value if value <= -certain => -Score::table_win_in(0),
                value => cursed(value.signum()),
            };
            Some(Rank { value, score })
        };
        moves.into_iter().map(rank).collect()
    }

    /// The ranks of some moves by results alone; `None` if a table is missing for one of them, or if `may_go_on`, which is
    /// asked before each, says no.
    pub(crate) fn rank_by_wdl(
        &self,
        position: &Position,
        moves: impl IntoIterator<Item = Move>,
        fifty_moves: bool,
        mut may_go_on: impl FnMut() -> bool,
    ) -> Option<Vec<Rank>> {
        let rank = |mv| {
            if !may_go_on() {
                return None;
            }
            let after = after(position, mv);
            let wdl = if is_drawn(&after) { Wdl::Draw } else { -self.wdl(after.board())? };
            let score = score(wdl, fifty_moves, 0);
            Some(Rank { value: score.0, score })
        };
        moves.into_iter().map(rank).collect()
    }

    /// All legal moves, the best first: wins by the shortest distance, losses by the longest. `None` if a table is
    /// missing for one of them.
    #[must_use]
    pub fn ranked_moves(&self, position: &Position) -> Option<Vec<RankedMove>> {
        let moves = position.board().legal_moves();
        let ranks = self.rank_by_dtz(position, moves.iter().copied(), true, By::Distance, || true);
        let ranks = ranks.or_else(|| self.rank_by_wdl(position, moves.iter().copied(), true, || true))?;
        let mut ranked: Vec<_> = ranks.into_iter().zip(moves).collect();
        ranked.sort_by_key(|(rank, _)| Reverse(*rank));
        ranked.into_iter().map(|(_, mv)| self.judge(position, mv)).collect()
    }

    fn judge(&self, position: &Position, mv: Move) -> Option<RankedMove> {
        let after = after(position, mv);
        let dtz = self.dtz_of_move(position, mv);
        let wdl = if is_drawn(&after) { Wdl::Draw } else { -self.wdl(after.board())? };
        let counter = if after.board().halfmove_clock() == 0 { 0 } else { position.board().halfmove_clock() };
        let is_late = dtz.is_some_and(|dtz| dtz.abs() + i32::from(counter) > FIFTY_MOVES);
        let wdl = match wdl {
            Wdl::Win if is_late => Wdl::CursedWin,
            Wdl::Loss if is_late => Wdl::BlessedLoss,
            wdl => wdl,
        };
        Some(RankedMove { mv, wdl, dtz })
    }

    /// The distance of the best line that begins with a move, for the side that makes it.
    fn dtz_of_move(&self, position: &Position, mv: Move) -> Option<i32> {
        let after = after(position, mv);
        let board = after.board();
        if board.halfmove_clock() == 0 {
            return Some(match -self.wdl(board)? {
                Wdl::Win => 1,
                Wdl::CursedWin => FIFTY_MOVES + 1,
                Wdl::Draw => 0,
                Wdl::BlessedLoss => -FIFTY_MOVES - 1,
                Wdl::Loss => -1,
            });
        }
        if is_drawn(&after) {
            return Some(0);
        }
        let dtz = -self.dtz(board)?;
        // Checkmate: the line ends with the move itself.
        if dtz == 1 && board.in_check() && !board.has_legal_move() {
            return Some(1);
        }
        Some(dtz + dtz.signum())
    }
}

/// The score of a result at `ply`. A cursed win scores a little more than a draw.
pub(crate) fn score(wdl: Wdl, fifty_moves: bool, ply: usize) -> Score {
    match wdl {
        Wdl::Win => Score::table_win_in(ply),
        Wdl::CursedWin if !fifty_moves => Score::table_win_in(ply),
        Wdl::CursedWin => cursed(1),
        Wdl::Draw => Score::DRAW,
        Wdl::BlessedLoss if fifty_moves => cursed(-1),
        Wdl::BlessedLoss | Wdl::Loss => -Score::table_win_in(ply),
    }
}

/// The score of a cursed win or blessed loss: a draw with an advantage.
const fn cursed(sign: i32) -> Score {
    Score(sign)
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.play(mv);
    after
}

/// Whether the rules call it a draw at once: the third occurrence, or fifty moves without a mate at their end.
pub(crate) fn is_drawn(position: &Position) -> bool {
    let board = position.board();
    let fifty_moves = i32::from(board.halfmove_clock()) >= FIFTY_MOVES;
    fifty_moves && (!board.in_check() || board.has_legal_move()) || position.earlier_occurrences() >= 2
}

/// Whether a position has been on the board twice since the last capture or pawn move.
fn has_repeated(position: &Position) -> bool {
    let reversible = usize::from(position.board().halfmove_clock());
    let before = position.history().iter().rev().take(reversible).copied();
    let mut keys: Vec<_> = before.chain([position.board().key()]).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    fn play(position: &mut Position, moves: &[&str]) {
        for text in moves {
            let mv = position.board().parse_uci(text).unwrap();
            position.play(mv);
        }
    }

    #[test]
    fn repetitions_count_since_the_last_pawn_move() {
        let mut position = Position::start();
        assert!(!has_repeated(&position));
        play(&mut position, &["g1f3", "g8f6", "f3g1"]);
        assert!(!has_repeated(&position));
        play(&mut position, &["f6g8", "b1c3"]);
        assert!(has_repeated(&position), "the start was on the board twice, if not now");
        assert!(!is_drawn(&position));
        play(&mut position, &["e7e5"]);
        assert!(!has_repeated(&position));
    }

    #[test]
    fn the_third_occurrence_and_the_fiftieth_move_draw_but_for_mate() {
        let mut position = Position::start();
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        play(&mut position, &there_and_back);
        assert!(!is_drawn(&position));
        play(&mut position, &there_and_back);
        assert!(is_drawn(&position));
        for (fen, drawn) in [
            ("8/8/8/8/3k4/8/4Q3/K7 w - - 99 90", false),
            ("8/8/8/8/3k4/8/4Q3/K7 w - - 100 90", true),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", false),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 90", true),
        ] {
            assert_eq!(is_drawn(&Position::from(Board::from_fen(fen).unwrap())), drawn, "{fen}");
        }
    }

    #[test]
    fn cursed_wins_are_nearly_draws_under_the_rule_and_wins_without_it() {
        let scores = |fifty_moves| {
            [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win].map(|wdl| score(wdl, fifty_moves, 3))
        };
        let win = Score::table_win_in(3);
        assert_eq!(scores(true), [-win, Score(-1), Score::DRAW, Score(1), win]);
        assert_eq!(scores(false), [-win, -win, Score::DRAW, win, win]);
    }
}
