//! What a line of play wins: how long it holds, and whether it is forced.

use movegen::{Board, Color, Move, PieceType, Square};

use super::material::{balance, gain, reaches, settled};

/// The longest line that is looked at, and that is shown, in half-moves.
const MAX_LINE: usize = 16;
const MAX_SHOWN: usize = 10;
/// How many positions at the end of a line must agree.
const LASTING: usize = 4;
/// The most positions of a proof that a gain is forced, those of captures included.
const MAX_NODES: u32 = 300_000;
/// How deep that looks, in half-moves; captures come on top.
const MAX_PLIES: usize = 9;

/// A line in which a side wins material, as far as it is needed to see it.
pub(crate) struct Tactic {
    /// Where it begins; the winner is to move.
    pub start: Board,
    pub winner: Color,
    /// The moves of the line, then the captures that settle it.
    pub moves: Vec<Move>,
    /// The board after each move; one more than there are moves.
    pub boards: Vec<Board>,
    /// What the winner has won at its end, in pawns, beside what there was at first.
    pub gain: i32,
    /// What is won against every other reply too, in pawns; 0 if that is not proved.
    pub sure: i32,
}

/// The boards of a line.
pub(crate) fn boards(start: &Board, moves: &[Move]) -> Vec<Board> {
    let mut boards = vec![*start];
    let mut board = *start;
    for &mv in moves {
        board.play(mv, &mut ());
        boards.push(board);
    }
    boards
}

/// The settled material of a side after each half-move of a line, with the captures that settle it.
struct Course {
    boards: Vec<Board>,
    settled: Vec<(i32, Vec<Move>)>,
}

impl Course {
    fn of(start: &Board, moves: &[Move], side: Color) -> Option<Self> {
        let boards = boards(start, &moves[..moves.len().min(MAX_LINE)]);
        let settled = boards.iter().map(|board| settled(board, side).map(|settled| (settled.balance, settled.line)));
        Some(Self { settled: settled.collect::<Option<_>>()?, boards })
    }

    /// The positions from one on that tell what is won: those in which the winner is to move, and the last one. Where the other
    /// side is to move, what is threatened is not won yet.
    fn telling(&self, from: usize) -> impl Iterator<Item = i32> {
        let last = self.settled.len() - 1;
        let told =
            self.settled.iter().enumerate().skip(from).filter(move |&(ply, _)| ply == last || ply.is_multiple_of(2));
        told.map(|(_, &(balance, _))| balance)
    }

    /// The least of the last positions: what lasts.
    fn lasting(&self) -> i32 {
        self.telling(self.settled.len().saturating_sub(LASTING).max(1)).min().unwrap_or(0)
    }
}

/// The material that a side has for good at the end of a line, in pawns.
pub(crate) fn lasting(start: &Board, moves: &[Move], side: Color) -> Option<i32> {
    let course = Course::of(start, moves, start.turn())?;
    let lasting = course.lasting();
    Some(if start.turn() == side { lasting } else { -lasting })
}

impl Tactic {
    /// What the side to move wins in a line, beside `before`: the shortest part of the line in which it is won for good, and
    /// longer ones that show it too. Nothing if that is less than a pawn, or cannot be seen in a few moves.
    pub fn all_of(start: &Board, moves: &[Move], before: i32) -> Vec<Self> {
        let winner = start.turn();
        let Some(course) = Course::of(start, moves, winner) else { return Vec::new() };
        let lasting = course.lasting();
        if moves.is_empty() || lasting <= before {
            return Vec::new();
        }
        // What is there early on, and at the end at least. More may be won later, beyond what can be shown.
        let held = |end: usize| {
            let balance = course.settled[end].0;
            (balance > before && balance <= lasting && course.telling(end).all(|later| later >= balance))
                .then_some(balance)
        };
        let ends = 1..course.settled.len().min(MAX_SHOWN + 1);
        let all = ends.filter_map(|end| Some((held(end)?, Self::to(&course, moves, end, before)?)));
        let mut tactics: Vec<_> = all.collect();
        let most = tactics.iter().map(|&(balance, _)| balance).max();
        tactics.retain(|&(balance, _)| Some(balance) == most);
        let mut tactics: Vec<_> = tactics.into_iter().map(|(_, tactic)| tactic).collect();
        if let Some(gain) = tactics.first().map(|tactic| tactic.gain) {
            // All of it, or half, or a pawn.
            let aims = [gain, gain.div_euclid(2), 1].into_iter().filter(|&aim| aim > 0);
            let sure = aims.into_iter().find(|aim| is_forced(start, moves, before + aim)).unwrap_or(0);
            tactics.iter_mut().for_each(|tactic| tactic.sure = sure);
        }
        tactics
    }

    /// The line up to a half-move, with the captures that settle it. It must end in what it says.
    fn to(course: &Course, moves: &[Move], end: usize, before: i32) -> Option<Self> {
        let start = course.boards[0];
        let (winner, (settled_at, captures)) = (start.turn(), &course.settled[end]);
        let mut moves = moves[..end].to_vec();
        moves.extend(captures);
        if moves.len() > MAX_SHOWN {
            return None;
        }
        let boards = boards(&start, &moves);
        let last = boards.last()?;
        let is_so = balance(last, winner) == *settled_at && settled(last, winner)?.balance == *settled_at;
        is_so.then(|| Self { start, winner, gain: settled_at - before, moves, boards, sure: 0 })
    }

    /// Whether all other replies lose as much.
    pub const fn is_forced(&self) -> bool {
        self.sure >= self.gain
    }

    /// The half-move on which all hangs: the winner's capture or promotion that brings most, less what the answer takes.
    pub fn decisive(&self) -> usize {
        let brings = |ply: usize| {
            let taken = |ply: usize| self.moves.get(ply).map_or(0, |&mv| gain(&self.boards[ply], mv));
            taken(ply) - taken(ply + 1)
        };
        // Of several the first.
        (0..self.moves.len()).step_by(2).rev().max_by_key(|&ply| brings(ply)).unwrap_or(0)
    }

    pub fn loser(&self) -> Color {
        !self.winner
    }

    pub fn first(&self) -> Move {
        self.moves[0]
    }

    /// The board after the first move.
    pub fn shown(&self) -> &Board {
        &self.boards[1]
    }

    /// Whether a piece of the loser stands on a square when the first move has been made.
    pub fn stays(&self, square: Square, piece_type: PieceType) -> bool {
        self.shown().colored_pieces(self.loser(), piece_type).contains(square)
    }

    /// The square and the piece that the decisive capture takes; `None` if it is no capture.
    pub fn victim(&self) -> Option<(Square, PieceType)> {
        let ply = self.decisive();
        let (board, mv) = (&self.boards[ply], self.moves[ply]);
        let piece_type = board.captured_by(mv)?;
        let square = board.piece_on(mv.to()).map_or_else(|| Square::new(mv.to().file(), mv.from().rank()), |_| mv.to());
        Some((square, piece_type))
    }
}

/// Whether after the first move of a line every reply leaves its side at least this balance. The line is a hint of how.
pub(crate) fn is_forced(start: &Board, line: &[Move], aim: i32) -> bool {
    let Some((&first, rest)) = line.split_first() else { return false };
    let plies = line.len().clamp(3, MAX_PLIES) as u32;
    let mut prover = Prover { nodes: 0, aim };
    prover.all_replies_lose(&start.after(first), rest, plies - 1).unwrap_or(false)
}

/// A search of all replies, and of captures, checks and the moves of a line beside them, for a balance of material.
struct Prover {
    nodes: u32,
    aim: i32,
}

impl Prover {
    /// The side to move replies; `hint` is what the line expects from here on.
    fn all_replies_lose(&mut self, board: &Board, hint: &[Move], plies: u32) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        let replies = board.legal_moves();
        if replies.is_empty() {
            return Some(board.in_check());
        }
        // The reply of the line is the most stubborn, so it comes first; the answer to it may answer others, too.
        let expected = hint.first().copied();
        let answer = hint.get(1..).unwrap_or_default();
        let first = expected.filter(|expected| replies.contains(expected));
        let others = replies.into_iter().filter(|&reply| Some(reply) != first);
        for reply in first.into_iter().chain(others) {
            let hint = if Some(reply) == expected { answer } else { &answer[..answer.len().min(1)] };
            if !self.wins(&board.after(reply), hint, plies.saturating_sub(1))? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn wins(&mut self, board: &Board, hint: &[Move], plies: u32) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        if reaches(board, self.aim, &mut self.nodes)? {
            return Some(true);
        }
        if plies == 0 {
            return Some(false);
        }
        let moves = board.legal_moves();
        let expected = hint.first().copied().filter(|expected| moves.contains(expected));
        let forcing = moves.into_iter().filter(|&mv| {
            let is_capture = board.captured_by(mv).is_some() || mv.promotes_to().is_some();
            Some(mv) != expected && (is_capture || plies > 3 || board.after(mv).in_check())
        });
        for mv in expected.into_iter().chain(forcing) {
            let rest = if Some(mv) == expected { &hint[1..] } else { &[] };
            if self.all_replies_lose(&board.after(mv), rest, plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(board: &Board, sans: &str) -> Vec<Move> {
        let mut board = *board;
        sans.split(' ')
            .map(|san| {
                let mv = board.parse_san(san).unwrap();
                board.play(mv, &mut ());
                mv
            })
            .collect()
    }

    #[test]
    fn a_gain_must_last() {
        let board = Board::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let tactics = Tactic::all_of(&board, &line(&board, "exd5 Kd7"), 0);
        assert_eq!((tactics[0].gain, tactics[0].moves.len(), tactics[0].is_forced()), (1, 1, true));
        let recaptured = Board::from_fen("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        assert!(Tactic::all_of(&recaptured, &line(&recaptured, "exd5 cxd5"), -1).is_empty());
        // Another reply would have kept the rook.
        let careless = Board::from_fen("4k3/8/8/r7/8/8/3R4/4K3 w - - 0 1").unwrap();
        let tactics = Tactic::all_of(&careless, &line(&careless, "Re2+ Kd7 Rd2+ Rd5 Rxd5+ Kc6"), 0);
        assert!(tactics.iter().all(|tactic| !tactic.is_forced()));
    }
}
