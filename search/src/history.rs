//! What has worked before: scores of moves learnt from the cutoffs they caused.
//!
//! Source: J. Schaeffer, "The History Heuristic" (1983); the Chess Programming Wiki, "History Heuristic" (gravity)
//! and "Countermove Heuristic"; capture, continuation, pawn and low-ply history follow Stockfish, the threat index
//! Stockfish and Reckless.

use arrayvec::ArrayVec;
use bytemuck::{Zeroable, fill_zeroes, write_zeroes};
use movegen::{Bitboard, Board, Color, Move, Piece, PieceType, Square};

use crate::params;

/// A learnt number that pulls itself back towards zero and never leaves `-LIMIT..=LIMIT`.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
#[repr(transparent)]
pub(crate) struct Stat<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Stat<LIMIT> {
    #[inline]
    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves towards the sign of `bonus`, the less the nearer it is to the limit.
    #[inline]
    pub(crate) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

/// A piece and the square it went to: the context by which later moves are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival(u16);

impl Arrival {
    pub(crate) const COUNT: usize = 12 * 64;

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(piece as u16 * 64 + to as u16)
    }

    /// What `mv` is about to become.
    #[inline]
    pub(crate) fn of(board: &Board, mv: Move) -> Option<Self> {
        board.piece_on(mv.from()).map(|piece| Self::new(piece, mv.to()))
    }
}

type Butterfly = [[Stat<8192>; 64]; 64];
type FromTo = [Stat<8192>; 64 * 64];
type PieceTo = [Stat<16384>; Arrival::COUNT];

/// The plies back whose moves give a quiet move its context.
pub(crate) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The arrivals [`CONTINUATION_PLIES`] ago, where there were any.
pub(crate) type Context = [Option<Arrival>; CONTINUATION_PLIES.len()];

/// The histories of one search thread.
pub(crate) struct Histories {
    /// Butterfly history: by colour, and by whether the squares left and reached are attacked: from, to.
    quiet: Box<[[Butterfly; 4]; 2]>,
    /// Capture history: by piece and square reached, kind of piece taken.
    noisy: Box<[[Stat<16384>; 6]; Arrival::COUNT]>,
    /// Pawn history: by the pawns on the board, piece and square reached.
    pawn: Box<[PieceTo]>,
    /// Continuation history: by an earlier piece and square, piece and square reached.
    continuation: Box<[PieceTo]>,
    /// Low-ply history: by ply, near the root of the present search, from and to.
    low_ply: Box<[FromTo; LOW_PLIES]>,
}

/// How near to the root moves have a history of their own.
const LOW_PLIES: usize = 5;

const PAWN_ENTRIES: usize = 512;

/// What is known about the quiet moves of one board.
pub(crate) struct OfQuiet<'a> {
    threats: Bitboard,
    butterfly: &'a [Butterfly; 4],
    pawn: &'a PieceTo,
    continuation: ArrayVec<&'a PieceTo, { CONTINUATION_PLIES.len() }>,
}

impl OfQuiet<'_> {
    /// What is known about one of them.
    #[inline]
    pub(crate) fn score(&self, board: &Board, mv: Move) -> i32 {
        let Some(arrival) = Arrival::of(board, mv) else { return 0 };
        let arrival = arrival.index();
        let continuation: i32 = self.continuation.iter().map(|stats| stats[arrival].get() / 2).sum();
        let butterfly = self.butterfly[exposure(self.threats, mv)][mv.from() as usize][mv.to() as usize].get();
        butterfly + self.pawn[arrival].get() / 2 + continuation
    }
}

impl Histories {
    pub(crate) fn new() -> Self {
        Self {
            quiet: Box::new([[[[Stat::default(); 64]; 64]; 4]; 2]),
            noisy: Box::new([[Stat::default(); 6]; Arrival::COUNT]),
            pawn: vec![[Stat::default(); Arrival::COUNT]; PAWN_ENTRIES].into_boxed_slice(),
            continuation: vec![[Stat::default(); Arrival::COUNT]; Arrival::COUNT].into_boxed_slice(),
            low_ply: Box::new([[Stat::default(); 64 * 64]; LOW_PLIES]),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let Self { quiet, noisy, pawn, continuation, low_ply } = self;
        write_zeroes(&mut **quiet);
        write_zeroes(&mut **noisy);
        fill_zeroes(pawn);
        fill_zeroes(continuation);
        write_zeroes(&mut **low_ply);
    }

    /// Forgets what was learnt about moves near the root of the last search.
    pub(crate) fn begin_search(&mut self) {
        self.low_ply.fill([Stat::default(); 64 * 64]);
    }

    /// What is known about a quiet move so near to the root; less the farther away.
    #[inline]
    pub(crate) fn low_ply(&self, ply: usize, mv: Move) -> i32 {
        let stat = self.low_ply.get(ply).map_or(0, |stats| stats[from_to(mv)].get());
        params::low_ply_weight() * stat / (1 + ply as i32)
    }

    pub(crate) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if let Some(stats) = self.low_ply.get_mut(ply) {
            stats[from_to(mv)].update(bonus);
        }
    }

    /// What is known about a quiet move.
    #[inline]
    pub(crate) fn quiet(&self, board: &Board, threats: Bitboard, context: &Context, mv: Move) -> i32 {
        self.of_quiet(board, threats, context).score(board, mv)
    }

    /// What is known about the quiet moves of a board, looked up once for all of them.
    #[inline]
    pub(crate) fn of_quiet(&self, board: &Board, threats: Bitboard, context: &Context) -> OfQuiet<'_> {
        OfQuiet {
            threats,
            butterfly: &self.quiet[board.turn() as usize],
            pawn: &self.pawn[pawn_index(board)],
            continuation: context.iter().flatten().map(|earlier| &self.continuation[earlier.index()]).collect(),
        }
    }

    /// What is known about a capture or promotion.
    #[inline]
    pub(crate) fn noisy(&self, board: &Board, mv: Move) -> i32 {
        let Some(arrival) = Arrival::of(board, mv) else { return 0 };
        self.noisy[arrival.index()][victim(board, mv)].get()
    }

    pub(crate) fn update_quiet(&mut self, board: &Board, threats: Bitboard, context: &Context, mv: Move, bonus: i32) {
        let Some(arrival) = Arrival::of(board, mv) else { return };
        self.quiet[board.turn() as usize][exposure(threats, mv)][mv.from() as usize][mv.to() as usize].update(bonus);
        self.pawn[pawn_index(board)][arrival.index()].update(bonus);
        self.update_continuation(context, arrival, bonus);
    }

    /// As [`update_quiet`](Self::update_quiet), for a move that has left the board behind it: all but the pawns.
    pub(crate) fn update_played(
        &mut self,
        color: Color,
        threats: Bitboard,
        context: &Context,
        (mv, arrival): (Move, Arrival),
        bonus: i32,
    ) {
        self.quiet[color as usize][exposure(threats, mv)][mv.from() as usize][mv.to() as usize].update(bonus);
        self.update_continuation(context, arrival, bonus);
    }

    /// Rewards or punishes a quiet move only for what it was an answer to.
    pub(crate) fn update_continuation(&mut self, context: &Context, arrival: Arrival, bonus: i32) {
        for earlier in context.iter().flatten() {
            self.continuation[earlier.index()][arrival.index()].update(bonus);
        }
    }

    pub(crate) fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        let Some(arrival) = Arrival::of(board, mv) else { return };
        self.noisy[arrival.index()][victim(board, mv)].update(bonus);
    }
}

#[inline]
fn from_to(mv: Move) -> usize {
    mv.from() as usize * 64 + mv.to() as usize
}

/// Which of the squares left and reached the opponent attacks, as two bits.
#[inline]
fn exposure(threats: Bitboard, mv: Move) -> usize {
    usize::from(threats.contains(mv.from())) * 2 + usize::from(threats.contains(mv.to()))
}

#[inline]
fn pawn_index(board: &Board) -> usize {
    board.keys().pawn() as usize % PAWN_ENTRIES
}

/// The kind of piece taken; a promotion without capture shares the cell of the king, which is never taken.
#[inline]
fn victim(board: &Board, mv: Move) -> usize {
    board.captured_by(mv).unwrap_or(PieceType::King) as usize
}

/// What a move that cut off gains.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}

/// What moves tried before it lose.
#[inline]
pub(crate) fn malus(depth: i32) -> i32 {
    (params::history_malus() * depth).min(params::history_malus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_stays_within_its_limit_and_moves_with_the_bonus() {
        let mut stat = Stat::<1000>::default();
        for bonus in [5000, 300, 999, 1000, 1] {
            let before = stat.get();
            stat.update(bonus);
            assert!((before..=1000).contains(&stat.get()), "{bonus}");
        }
        for _ in 0..50 {
            stat.update(-700);
            assert!((-1000..=1000).contains(&stat.get()));
        }
        assert!(stat.get() < -900);
    }

    #[test]
    fn what_is_learnt_near_the_root_stays_there_and_goes_with_the_search() {
        let mut histories = Histories::new();
        let mv = Board::start().legal_moves()[0];
        for ply in [1, LOW_PLIES] {
            histories.update_low_ply(ply, mv, 500);
        }
        assert!(histories.low_ply(1, mv) > 0);
        assert_eq!((histories.low_ply(0, mv), histories.low_ply(LOW_PLIES, mv)), (0, 0));
        histories.begin_search();
        assert_eq!(histories.low_ply(1, mv), 0);
    }

    #[test]
    fn a_rewarded_move_ranks_above_a_punished_one() {
        let mut histories = Histories::new();
        let board = Board::start();
        let moves = board.legal_moves();
        let context = Context::default();
        histories.update_quiet(&board, Bitboard::EMPTY, &context, moves[0], 500);
        histories.update_quiet(&board, Bitboard::EMPTY, &context, moves[1], -500);
        let score = |mv| histories.quiet(&board, Bitboard::EMPTY, &context, mv);
        assert!(score(moves[0]) > score(moves[2]) && score(moves[2]) > score(moves[1]));
    }
}
