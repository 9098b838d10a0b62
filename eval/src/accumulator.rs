//! The accumulator: the feature transformer's output before activation, updated move by move.
//!
//! A move changes two to four features of each perspective, few beside the 32 that an accumulator sums. Each ply
//! therefore notes its dirty pieces, and nothing is computed until an evaluation asks (lazy updates): then each side's
//! accumulator is updated forward from the nearest ply that has one. Where a move of a side's own king has changed its
//! perspective, the accumulator is refreshed from a finny table: for each perspective it keeps the last board seen with
//! its accumulator, and only the pieces in which the boards differ are added and removed.
//!
//! Sources: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi" (2018); the
//! Chess Programming Wiki, "NNUE", on lazy updates and on L. Finny's refresh tables.

use std::collections::TryReserveError;

use arrayvec::ArrayVec;
use movegen::{Bitboard, Board, ByColor, Color, Observer, Piece, PieceType, Square};

use crate::feature::Perspective;
use crate::network::{Network, Row};
use crate::simd::{Simd, vectors, vectors_mut};

/// Plies that need no further memory; the stack grows beyond.
const PLIES: usize = 256;

/// Vectors worked on at a time when many features change: few enough to stay in registers.
const TILE: usize = 8;

/// The most pieces on a board.
const MAX_PIECES: usize = 32;

/// Pieces that a move adds or removes; room for one more than any move needs.
type Pieces = ArrayVec<(Piece, Square), 3>;

/// What is known about a ply besides its accumulators.
#[derive(Clone, Debug)]
struct StackEntry {
    /// The dirty pieces of the move that led here.
    added: Pieces,
    removed: Pieces,
    perspectives: ByColor<Perspective>,
    /// Whose accumulator is computed.
    computed: ByColor<bool>,
}

/// Records the dirty pieces of the move that leads to a new ply.
pub(crate) struct Recorder<'a>(&'a mut StackEntry);

impl Observer for Recorder<'_> {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        // No move has so many dirty pieces: a full list makes the accumulator be refreshed.
        let _ = self.0.removed.try_push((piece, square));
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        let _ = self.0.added.try_push((piece, square));
        if piece.piece_type() == PieceType::King {
            self.0.perspectives[piece.color()] = Perspective::new(piece.color(), square);
        }
    }
}

/// The accumulators of both sides for each ply of the current line.
#[derive(Clone)]
pub(crate) struct AccumulatorStack {
    entries: Vec<StackEntry>,
    accumulators: Vec<ByColor<Row>>,
    /// The newest ply.
    top: usize,
    finny_table: FinnyTable,
}

impl AccumulatorStack {
    /// For a network, starting from `board`.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub(crate) fn try_new(network: &Network, board: &Board) -> Result<Self, TryReserveError> {
        let entry = StackEntry {
            added: Pieces::new(),
            removed: Pieces::new(),
            perspectives: perspectives_of(board),
            computed: ByColor([false; 2]),
        };
        let accumulators = ByColor([network.bias().clone(), network.bias().clone()]);
        Ok(Self {
            entries: try_filled(PLIES, entry)?,
            accumulators: try_filled(PLIES, accumulators)?,
            top: 0,
            finny_table: FinnyTable::try_new(network)?,
        })
    }

    /// Prepares for another network; what is known of any board is of the old one until it is [`reset`](Self::reset).
    pub(crate) fn set_network(&mut self, network: &Network) {
        self.finny_table.clear(network);
    }

    /// Starts again from a board.
    pub(crate) fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.entries[0].perspectives = perspectives_of(board);
        self.entries[0].computed = ByColor([false; 2]);
    }

    /// Opens a ply; the recorder must observe the one move played to reach it.
    #[inline]
    pub(crate) fn push(&mut self) -> Recorder<'_> {
        let perspectives = self.entries[self.top].perspectives;
        self.top += 1;
        if self.top == self.entries.len() {
            self.grow();
        }
        let entry = &mut self.entries[self.top];
        entry.removed.clear();
        entry.added.clear();
        entry.perspectives = perspectives;
        entry.computed = ByColor([false; 2]);
        Recorder(entry)
    }

    /// Closes the newest ply; the first one stays.
    #[inline]
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.top > 0, "more plies closed than opened");
        self.top = self.top.saturating_sub(1);
    }

    /// The accumulators of both sides for the newest ply, whose board this is.
    #[inline(always)]
    pub(crate) fn accumulators<S: Simd>(&mut self, simd: S, network: &Network, board: &Board) -> &ByColor<Row> {
        debug_assert_eq!(
            self.entries[self.top].perspectives,
            perspectives_of(board),
            "another board than that of the newest ply"
        );
        for color in Color::ALL {
            if !self.entries[self.top].computed[color] {
                self.compute(simd, network, board, color);
            }
        }
        &self.accumulators[self.top]
    }

    #[inline(always)]
    fn compute<S: Simd>(&mut self, simd: S, network: &Network, board: &Board, color: Color) {
        let perspective = self.entries[self.top].perspectives[color];
        if let Some(base) = self.nearest_computed(color) {
            for index in base + 1..=self.top {
                self.update_ply(simd, network, perspective, color, index);
            }
        } else {
            let accumulator = &mut self.accumulators[self.top][color];
            self.finny_table.refresh(simd, network, board, perspective, accumulator);
            self.entries[self.top].computed[color] = true;
        }
    }

    /// The last ply with a side's accumulator, if moves lead from there to the newest without a change of perspective.
    #[inline(always)]
    fn nearest_computed(&self, color: Color) -> Option<usize> {
        let perspective = self.entries[self.top].perspectives[color];
        let mut index = self.top;
        loop {
            let entry = &self.entries[index];
            if entry.perspectives[color] != perspective {
                return None;
            }
            if entry.computed[color] {
                return Some(index);
            }
            if index == 0 || !matches!((entry.removed.len(), entry.added.len()), (1 | 2, 1) | (2, 2)) {
                return None;
            }
            index -= 1;
        }
    }

    /// Computes a side's accumulator of a ply from that of the ply before and the dirty pieces.
    #[inline(always)]
    fn update_ply<S: Simd>(
        &mut self,
        simd: S,
        network: &Network,
        perspective: Perspective,
        color: Color,
        index: usize,
    ) {
        let (before, after) = self.accumulators.split_at_mut(index);
        let (from, to) = (&before[index - 1][color], &mut after[0][color]);
        let entry = &mut self.entries[index];
        let row = |&(piece, square): &(Piece, Square)| network.feature(perspective.feature(piece, square));
        match (&entry.added[..], &entry.removed[..]) {
            ([added], [removed]) => update(simd, from, to, [row(added)], [row(removed)]),
            ([added], [captured, moved]) => update(simd, from, to, [row(added)], [row(captured), row(moved)]),
            ([king, rook], [old_king, old_rook]) => {
                update(simd, from, to, [row(king), row(rook)], [row(old_king), row(old_rook)]);
            }
            _ => debug_assert!(false, "not a move: {entry:?}"),
        }
        entry.computed[color] = true;
    }

    #[cold]
    fn grow(&mut self) {
        let (entry, accumulators) = (self.entries[0].clone(), self.accumulators[0].clone());
        self.entries.resize(2 * self.top, entry);
        self.accumulators.resize(2 * self.top, accumulators);
    }
}

/// So many copies of a value, or an error without memory for them.
fn try_filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>, TryReserveError> {
    let mut values = Vec::new();
    values.try_reserve_exact(len)?;
    values.resize(len, value);
    Ok(values)
}

fn perspectives_of(board: &Board) -> ByColor<Perspective> {
    ByColor(Color::ALL.map(|color| Perspective::of(board, color)))
}

/// An accumulator with some features added and some removed, in one pass.
#[inline(always)]
fn update<S: Simd, const ADDED: usize, const REMOVED: usize>(
    simd: S,
    from: &Row,
    to: &mut Row,
    added: [&Row; ADDED],
    removed: [&Row; REMOVED],
) {
    let from = vectors::<S>(from);
    let added = added.map(vectors::<S>);
    let removed = removed.map(vectors::<S>);
    for (i, to) in vectors_mut::<S>(to).iter_mut().enumerate() {
        let mut sum = from[i];
        for row in added {
            sum = simd.add(sum, row[i]);
        }
        for row in removed {
            sum = simd.sub(sum, row[i]);
        }
        *to = sum;
    }
}

/// For each perspective of each side the last board seen from it, with its accumulator.
#[derive(Clone)]
struct FinnyTable {
    entries: ByColor<Box<[FinnyEntry]>>,
}

#[derive(Clone)]
struct FinnyEntry {
    /// The squares of each [`Piece`].
    pieces: [Bitboard; Piece::ALL.len()],
    accumulator: Row,
}

impl FinnyEntry {
    fn empty(network: &Network) -> Self {
        Self { pieces: [Bitboard::EMPTY; Piece::ALL.len()], accumulator: network.bias().clone() }
    }
}

/// Weights of the features in which two boards differ.
type Rows<'a> = ArrayVec<&'a Row, MAX_PIECES>;

impl FinnyTable {
    /// Empty boards everywhere, whose accumulators hold the biases.
    fn try_new(network: &Network) -> Result<Self, TryReserveError> {
        let entries = || try_filled(Perspective::COUNT, FinnyEntry::empty(network)).map(Vec::into_boxed_slice);
        Ok(Self { entries: ByColor([entries()?, entries()?]) })
    }

    /// As new, for another network.
    fn clear(&mut self, network: &Network) {
        for color in Color::ALL {
            self.entries[color].fill(FinnyEntry::empty(network));
        }
    }

    /// Computes the accumulator of a board from the last one seen in this perspective, and stores it in its place.
    #[inline(always)]
    fn refresh<S: Simd>(
        &mut self,
        simd: S,
        network: &Network,
        board: &Board,
        perspective: Perspective,
        accumulator: &mut Row,
    ) {
        let entry = &mut self.entries[perspective.color()][perspective.index()];
        let (mut added, mut removed) = (Rows::new(), Rows::new());
        for (piece, before) in Piece::ALL.into_iter().zip(&mut entry.pieces) {
            let now = board.colored_pieces(piece.color(), piece.piece_type());
            let row = |square| network.feature(perspective.feature(piece, square));
            added.extend((now - *before).into_iter().map(row));
            removed.extend((*before - now).into_iter().map(row));
            *before = now;
        }
        let vectors = const { crate::arch::HIDDEN / S::LANES };
        if vectors.is_multiple_of(TILE) {
            update_tiles::<S, TILE>(simd, entry, accumulator, &added, &removed);
        } else {
            update_tiles::<S, 1>(simd, entry, accumulator, &added, &removed);
        }
    }
}

/// As [`update`] in place, for any number of features, with a copy of the result.
#[inline(always)]
fn update_tiles<S: Simd, const N: usize>(
    simd: S,
    entry: &mut FinnyEntry,
    copy: &mut Row,
    added: &Rows<'_>,
    removed: &Rows<'_>,
) {
    let tiles = vectors_mut::<S>(&mut entry.accumulator).as_chunks_mut::<N>().0;
    let copies = vectors_mut::<S>(copy).as_chunks_mut::<N>().0;
    for (index, (tile, copy)) in tiles.iter_mut().zip(copies).enumerate() {
        let mut sums = *tile;
        for row in added {
            let row = &vectors::<S>(row).as_chunks::<N>().0[index];
            for i in 0..N {
                sums[i] = simd.add(sums[i], row[i]);
            }
        }
        for row in removed {
            let row = &vectors::<S>(row).as_chunks::<N>().0[index];
            for i in 0..N {
                sums[i] = simd.sub(sums[i], row[i]);
            }
        }
        *tile = sums;
        *copy = sums;
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::simd::{Path, Work};
    use crate::testing::{network, random};

    struct Accumulate<'a>(&'a mut AccumulatorStack, &'a Network, &'a Board);

    impl Work for Accumulate<'_> {
        type Output = ByColor<Row>;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> ByColor<Row> {
            self.0.accumulators(simd, self.1, self.2).clone()
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for Miri")]
    fn only_a_changed_perspective_needs_a_refresh_and_only_for_its_side() {
        let network = network(1, 4);
        let start = Board::from_fen("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1").unwrap();
        let mut stack = AccumulatorStack::try_new(&network, &start).unwrap();
        Path::SCALAR.run(Accumulate(&mut stack, &network, &start));
        // White's king crosses to the other wing and comes back; Black's castles but stays on its wing.
        let (mut board, mut same_perspectives) = (start, [true; 2]);
        for (text, white_follows) in [
            ("e2e4", true),
            ("d7d5", true),
            ("e4d5", true),
            ("e8g8", true),
            ("e1d1", false),
            ("a7a6", false),
            ("d1e1", false),
        ] {
            board.play(board.parse_uci(text).unwrap(), &mut stack.push());
            let follows = Color::ALL.map(|color| stack.nearest_computed(color));
            assert_eq!(follows[0], white_follows.then_some(0), "{text}");
            for color in Color::ALL {
                same_perspectives[color as usize] &= Perspective::of(&board, color) == Perspective::of(&start, color);
            }
            assert_eq!(follows, same_perspectives.map(|same| same.then_some(0)), "{text}");
        }
        let computed = Path::best().run(Accumulate(&mut stack, &network, &board));
        assert_eq!(computed, ByColor(Color::ALL.map(|color| network.accumulate(&board, color))));
        assert!(stack.entries[1..7].iter().all(|entry| !entry.computed[Color::White]));
        assert_eq!(Color::ALL.map(|color| stack.nearest_computed(color)), [Some(7); 2]);
    }

    /// A double step and en passant, a king into another perspective, castling, and a promotion with a capture.
    #[test]
    fn each_kind_of_move_agrees_with_a_computation_from_scratch() {
        let network = network(4, 4);
        let mut board = Board::from_fen("r3k3/1P1p4/8/4P3/8/8/8/4K2R b Kq - 0 1").unwrap();
        let stack = AccumulatorStack::try_new(&network, &board).unwrap();
        let mut stacks: Vec<_> = Path::available().map(|path| (path, stack.clone())).collect();
        for (path, stack) in &mut stacks {
            path.run(Accumulate(stack, &network, &board));
        }
        for text in ["d7d5", "e5d6", "e8d7", "e1g1", "a8c8", "b7c8q"] {
            let (before, mv) = (board, board.parse_uci(text).unwrap());
            for (_, stack) in &mut stacks {
                board = before;
                board.play(mv, &mut stack.push());
            }
            // Two plies are to be updated at once.
            if text == "d7d5" {
                continue;
            }
            let expected = ByColor(Color::ALL.map(|color| network.accumulate(&board, color)));
            for (path, stack) in &mut stacks {
                assert_eq!(path.run(Accumulate(stack, &network, &board)), expected, "{text} on {path}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for Miri")]
    fn updates_agree_with_a_computation_from_scratch() {
        let network = network(2, 0);
        for path in Path::available() {
            let mut random = random(21);
            let mut board = Board::start();
            let mut stack = AccumulatorStack::try_new(&network, &board).unwrap();
            for ply in 0..300 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.play(moves[random.random_range(0..moves.len())], &mut stack.push());
                if ply % 3 == 0 || ply < 20 {
                    let computed = path.run(Accumulate(&mut stack, &network, &board));
                    assert_eq!(computed, ByColor(Color::ALL.map(|color| network.accumulate(&board, color))), "{path}");
                }
            }
            assert!(stack.top > 50, "a game of {} plies", stack.top);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for Miri")]
    fn a_reset_starts_a_new_line() {
        let network = network(3, 4);
        let mut stack = AccumulatorStack::try_new(&network, &Board::start()).unwrap();
        let other = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        for board in [Board::start(), other, Board::start()] {
            stack.reset(&board);
            for mv in board.legal_moves().into_iter().take(3) {
                let mut child = board;
                child.play(mv, &mut stack.push());
                let computed = Path::best().run(Accumulate(&mut stack, &network, &child));
                assert_eq!(computed[Color::White], network.accumulate(&child, Color::White));
                stack.pop();
            }
            // Left open on purpose.
            let mut child = board;
            child.play(board.legal_moves()[0], &mut stack.push());
        }
    }
}
