//! A puzzle with one solution: each move of the side that solves it is the only good one.
//!
//! The criteria are those of Lichess's generator of puzzles (github.com/ornicar/lichess-puzzler, `generator.py` of 2026): how much
//! the opponent has thrown away, what the solution must keep, by how much each move must be better than the next, where it
//! ends, and what is too short. Chances are counted as there, by Lichess's curve. One goal is added: to hold a position that
//! was lost before the opponent's last move.

use std::collections::HashSet;

use movegen::{Board, Move};
use pgn::EngineScore;

use crate::judge::lichess::win_percent;
use crate::reasons::material::balance;

/// By how much the chances of a move exceed those of the next, and by how much the opponent's move has raised them; of chances
/// from -1 to 1.
const LEAD: f64 = 0.7;
const LEAP: f64 = 0.6;
/// Beside a mate in one the best other move has no more.
const BESIDE_MATE: f64 = 0.6;
/// A side with a greater score than this was winning before, in centipawns.
const WON_BEFORE: i32 = 300;
/// What a win must be worth all the time; at the start more is needed, unless the side is behind in material.
const WINS: i32 = 200;
const WINS_CLEARLY: i32 = 400;
/// What a side that holds must keep.
const HOLDS: i32 = -60;
/// The longest mate, in moves.
const MAX_MATE: i32 = 15;
/// The most half-moves of a solution that is no mate.
const MAX_LENGTH: usize = 15;

/// What there is to be played in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub best: Move,
    /// For the side to move.
    pub score: EngineScore,
    /// Of the next best move; beside a mate in one, of the best that is none. `None` if every other move mates at once, or there
    /// is no other.
    pub second: Option<EngineScore>,
}

impl Choice {
    /// Of the best moves with their scores for the side to move, the best first. `None` if they are too few to tell.
    pub fn of(board: &Board, moves: &[(Move, EngineScore)]) -> Option<Self> {
        let &(best, score) = moves.first()?;
        let mates = |other: &(Move, EngineScore)| other.1 == EngineScore::Mate(1);
        let is_mate = score == EngineScore::Mate(1);
        let second = moves[1..].iter().find(|&other| !is_mate || !mates(other)).map(|&(_, score)| score);
        (second.is_some() || moves.len() >= board.count_legal_moves()).then_some(Self { best, score, second })
    }

    /// Whether the best move is the only good one.
    fn is_single(&self) -> bool {
        let Some(second) = self.second else { return true };
        let (best, second) = (chance(self.score), chance(second));
        (self.score == EngineScore::Mate(1) && second <= BESIDE_MATE) || best > second + LEAD
    }
}

/// What the side to move is to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    Mate,
    Win,
    Hold,
}

impl Goal {
    /// What can be reached in a position, by the scores for its side to move before the opponent's last move and after it. `None`
    /// if it makes no puzzle.
    pub fn of(board: &Board, before: EngineScore, after: EngineScore) -> Option<Self> {
        let material = balance(board, board.turn());
        let leaps = chance(after) > chance(before) + LEAP;
        let goal = match after {
            EngineScore::Mate(1..=MAX_MATE) => Self::Mate,
            _ if centipawns(before) > WON_BEFORE => return None,
            _ if leaps && (centipawns(after) >= WINS_CLEARLY || (centipawns(after) >= WINS && material < 0)) => {
                Self::Win
            }
            _ if leaps && (HOLDS..WINS).contains(&centipawns(after)) => Self::Hold,
            _ => return None,
        };
        (material <= 0 && board.count_legal_moves() > 1).then_some(goal)
    }

    /// Whether a score is still enough.
    fn is_kept(self, score: EngineScore) -> bool {
        match self {
            Self::Mate => matches!(score, EngineScore::Mate(1..=MAX_MATE)),
            Self::Win => centipawns(score) >= WINS,
            Self::Hold => centipawns(score) >= HOLDS,
        }
    }
}

/// The solution of a position, a move of its side first and last, as far as `choice` knows what there is to be played. `None` if
/// there is none, or only a single move that does not mate.
pub(super) fn solution(
    start: &Board,
    goal: Goal,
    mut choice: impl FnMut(&Board) -> Option<Choice>,
) -> Option<Vec<Move>> {
    let mut board = *start;
    let mut moves = Vec::new();
    // Whether each move was the only legal one.
    let mut forced = Vec::new();
    let mut seen = HashSet::from([board.key()]);
    while board.has_legal_move() && (goal == Goal::Mate || moves.len() < MAX_LENGTH) {
        let is_forced = board.count_legal_moves() == 1;
        let mv = if is_forced {
            board.legal_moves()[0]
        } else {
            let Some(found) = choice(&board) else { break };
            if moves.len().is_multiple_of(2) {
                if !goal.is_kept(found.score) {
                    return None;
                }
                if !found.is_single() {
                    break;
                }
            }
            found.best
        };
        board.play(mv, &mut ());
        moves.push(mv);
        forced.push(is_forced);
        if !seen.insert(board.key()) {
            return None;
        }
    }
    let is_mate = board.in_check() && !board.has_legal_move() && moves.len() % 2 == 1;
    if is_mate {
        return Some(moves);
    }
    if goal == Goal::Mate {
        return None;
    }
    // A move without a choice is nothing to be found, at the end.
    while !moves.is_empty() && (moves.len().is_multiple_of(2) || forced[moves.len() - 1]) {
        moves.pop();
    }
    (moves.len() > 1).then_some(moves)
}

/// Chances from -1 to 1.
fn chance(score: EngineScore) -> f64 {
    match score {
        EngineScore::Mate(moves) => f64::from(moves.signum()),
        EngineScore::Centipawns(_) => win_percent(score) / 50.0 - 1.0,
    }
}

/// A mate is worth more than any score.
fn centipawns(score: EngineScore) -> i32 {
    match score {
        EngineScore::Mate(moves) => 30_000 * moves.signum(),
        EngineScore::Centipawns(value) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use EngineScore::{Centipawns, Mate};

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    /// Choices that are known by heart: the best move in each position on the way, its score and that of the next.
    fn solve(fen: &str, goal: Goal, line: &[(&str, EngineScore, Option<EngineScore>)]) -> Option<Vec<String>> {
        let start = board(fen);
        let mut at = start;
        let known: Vec<_> = line
            .iter()
            .map(|&(uci, score, second)| {
                let best = at.parse_uci(uci).unwrap();
                let key = at.key();
                at.play(best, &mut ());
                (key, Choice { best, score, second })
            })
            .collect();
        let choice =
            |board: &Board| known.iter().find(|(key, _)| *key == board.key()).map(|(_, choice)| choice.clone());
        let moves = solution(&start, goal, choice)?;
        Some(moves.iter().map(|mv| mv.uci(movegen::CastlingStyle::Standard).to_string()).collect())
    }

    /// White mates by 1. Re8+ Rxe8 2. Rxe8#; there are other moves for both.
    const MATE: &str = "3r2k1/5ppp/p7/8/8/8/4RPPP/4R1K1 w - - 0 1";

    #[test]
    fn a_mate_is_played_to_its_end() {
        let first = ("e2e8", Mate(2), Some(Centipawns(20)));
        let reply = ("d8e8", Mate(-1), None);
        let last = ("e1e8", Mate(1), Some(Centipawns(0)));
        assert_eq!(solve(MATE, Goal::Mate, &[first, reply, last]).unwrap(), ["e2e8", "d8e8", "e1e8"]);
        // Black's reply needs no search: it is the only legal move.
        let known = |board: &Board| {
            let line = [("e2e8", first), ("e1e8", last)];
            let (uci, (_, score, second)) = line.into_iter().find(|(uci, _)| board.parse_uci(uci).is_ok())?;
            Some(Choice { best: board.parse_uci(uci).unwrap(), score, second })
        };
        assert_eq!(solution(&board(MATE), Goal::Mate, known).unwrap().len(), 3);
        assert_eq!(solve(MATE, Goal::Mate, &[first]), None, "what is not known to the end is no mate");
        let other = ("e2e8", Mate(2), Some(Mate(3)));
        assert_eq!(solve(MATE, Goal::Mate, &[other, reply, last]), None, "another move mates, too");
        let winning = ("e1e8", Mate(1), Some(Centipawns(900)));
        assert_eq!(solve(MATE, Goal::Mate, &[first, reply, winning]), None, "another move wins, too");
    }

    #[test]
    fn a_win_ends_where_it_is_no_longer_the_only_one() {
        // 1. Nf7+ Kg8 2. Nxd8 wins a queen; 2... Rxd8 leaves many good moves.
        let fen = "3q3k/r5pp/8/6N1/8/8/5PPP/R5K1 w - - 0 1";
        let first = ("g5f7", Centipawns(450), Some(Centipawns(-300)));
        let reply = ("a7f7", Centipawns(-450), None);
        let second = ("a1a8", Centipawns(500), Some(Centipawns(-400)));
        let third = ("f7f8", Centipawns(-500), Some(Centipawns(-600)));
        let many = ("a8d8", Centipawns(520), Some(Centipawns(480)));
        assert_eq!(solve(fen, Goal::Win, &[first, reply, second, third, many]).unwrap(), ["g5f7", "a7f7", "a1a8"]);
        assert_eq!(solve(fen, Goal::Win, &[first, reply]), None, "a single move");
        let less = ("a1a8", Centipawns(150), Some(Centipawns(-600)));
        assert_eq!(solve(fen, Goal::Win, &[first, reply, less]), None, "it was no win");
        assert_eq!(solve(fen, Goal::Hold, &[first, reply, less]).unwrap().len(), 3);
    }

    #[test]
    fn a_puzzle_begins_where_much_was_thrown_away() {
        let level = board("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        let behind = board("rr2k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        let ahead = board("r3k3/8/8/8/8/8/8/RR2K3 w - - 0 1");
        let goal = |board: &Board, before, after| Goal::of(board, Centipawns(before), after);
        assert_eq!(goal(&level, 0, Centipawns(450)), Some(Goal::Win));
        assert_eq!(goal(&level, 0, Centipawns(380)), None, "not clear enough");
        assert_eq!(goal(&behind, 0, Centipawns(380)), Some(Goal::Win));
        assert_eq!(goal(&ahead, 0, Centipawns(800)), None, "ahead already");
        assert_eq!(goal(&level, 310, Centipawns(2000)), None, "winning already");
        assert_eq!(goal(&level, 200, Centipawns(450)), None, "too small a leap");
        assert_eq!(goal(&level, 500, Mate(3)), Some(Goal::Mate));
        assert_eq!(goal(&level, 0, Mate(16)), Some(Goal::Win));
        assert_eq!(goal(&level, -500, Centipawns(0)), Some(Goal::Hold));
        assert_eq!(goal(&level, -500, Centipawns(-100)), None);
        let forced = board("k7/8/8/8/8/8/1r6/K7 w - - 0 1");
        assert_eq!(goal(&forced, -500, Centipawns(0)), None, "there is no choice");
    }

    #[test]
    fn beside_a_mate_in_one_other_mates_do_not_count() {
        let board = board("6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1");
        let moves = |list: &[(&str, EngineScore)]| -> Vec<_> {
            list.iter().map(|&(uci, score)| (board.parse_uci(uci).unwrap(), score)).collect()
        };
        let both = [("a1a8", Mate(1)), ("b1b8", Mate(1))];
        assert_eq!(Choice::of(&board, &moves(&both)), None, "the next is not known");
        let next = moves(&[both[0], both[1], ("a1a7", Centipawns(300))]);
        assert_eq!(Choice::of(&board, &next).unwrap().second, Some(Centipawns(300)));
        assert!(Choice::of(&board, &next).unwrap().is_single());
        let won = moves(&[both[0], ("a1a7", Centipawns(600))]);
        assert!(!Choice::of(&board, &won).unwrap().is_single());
        assert_eq!(Choice::of(&board, &[]), None);
        assert_eq!(Choice::of(&board, &moves(&[("a1a7", Centipawns(600))])), None);
    }
}
