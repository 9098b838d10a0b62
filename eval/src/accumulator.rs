//! Hidden neurons before activation, kept up with the board move by move.
//!
//! A move changes two to four pieces, a small part of what a neuron sums. Each ply therefore notes what its move lifts
//! and places, and nothing is computed until an evaluation asks: then each side's neurons are carried forward from
//! the nearest ply that has them. Where a move of the own king changed how that side sees the board, they are taken
//! instead from a cache that remembers, for each view, the last board seen so and its neurons, and brought up to date
//! by the pieces in which the boards differ.
//!
//! Sources: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi" (2018); the
//! Chess Programming Wiki, "NNUE", on lazy updates and on L. Finny's refresh tables.

use arrayvec::ArrayVec;
use movegen::{Bitboard, Board, ByColor, Color, Observer, Piece, PieceType, Square};

use crate::feature::View;
use crate::network::{Network, Row};
use crate::simd::{Simd, vectors, vectors_mut};

/// Plies that need no further memory; the stack grows beyond.
const PLIES: usize = 256;

/// Vectors worked on at a time when many features change: few enough to stay in registers.
const TILE: usize = 8;

/// The most pieces on a board.
const MAX_PIECES: usize = 32;

/// Pieces that a move lifts or places; room for one more than any does.
type Pieces = ArrayVec<(Piece, Square), 3>;

/// What is known about a ply besides its neurons.
#[derive(Clone, Debug)]
struct Ply {
    lifted: Pieces,
    placed: Pieces,
    views: ByColor<View>,
    /// Whose neurons are computed.
    computed: ByColor<bool>,
}

/// The ply that a move opens, told which pieces the move lifts and places.
pub(crate) struct Recorder<'a>(&'a mut Ply);

impl Observer for Recorder<'_> {
    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        // More pieces than one move concerns are no move: a full list has the neurons computed without it.
        let _ = self.0.lifted.try_push((piece, square));
    }

    #[inline]
    fn place(&mut self, piece: Piece, square: Square) {
        let _ = self.0.placed.try_push((piece, square));
        if piece.piece_type() == PieceType::King {
            self.0.views[piece.color()] = View::new(piece.color(), square);
        }
    }
}

/// The neurons of both sides for each ply of the line at hand.
#[derive(Clone)]
pub(crate) struct Accumulators {
    plies: Vec<Ply>,
    neurons: Vec<ByColor<Row>>,
    /// The newest ply.
    top: usize,
    cache: Cache,
}

impl Accumulators {
    /// For a network and boards that start from `board`.
    pub(crate) fn new(network: &Network, board: &Board) -> Self {
        let ply =
            Ply { lifted: Pieces::new(), placed: Pieces::new(), views: views_of(board), computed: ByColor([false; 2]) };
        let neurons = ByColor([network.bias().clone(), network.bias().clone()]);
        Self { plies: vec![ply; PLIES], neurons: vec![neurons; PLIES], top: 0, cache: Cache::new(network) }
    }

    /// Starts anew from a board.
    pub(crate) fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.plies[0].views = views_of(board);
        self.plies[0].computed = ByColor([false; 2]);
    }

    /// Opens a ply; the recorder is to hear the one move played on it.
    #[inline]
    pub(crate) fn push(&mut self) -> Recorder<'_> {
        let views = self.plies[self.top].views;
        self.top += 1;
        if self.top == self.plies.len() {
            self.grow();
        }
        let ply = &mut self.plies[self.top];
        ply.lifted.clear();
        ply.placed.clear();
        ply.views = views;
        ply.computed = ByColor([false; 2]);
        Recorder(ply)
    }

    /// Closes the newest ply; the first one stays.
    #[inline]
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.top > 0, "more plies closed than opened");
        self.top = self.top.saturating_sub(1);
    }

    /// The neurons of both sides for the newest ply, whose board this is.
    #[inline(always)]
    pub(crate) fn neurons<S: Simd>(&mut self, simd: S, network: &Network, board: &Board) -> &ByColor<Row> {
        debug_assert_eq!(self.plies[self.top].views, views_of(board), "another board than that of the newest ply");
        for color in Color::ALL {
            if !self.plies[self.top].computed[color] {
                self.compute(simd, network, board, color);
            }
        }
        &self.neurons[self.top]
    }

    #[inline(always)]
    fn compute<S: Simd>(&mut self, simd: S, network: &Network, board: &Board, color: Color) {
        let view = self.plies[self.top].views[color];
        if let Some(base) = self.nearest_computed(color) {
            for index in base + 1..=self.top {
                self.carry_forward(simd, network, view, color, index);
            }
        } else {
            let neurons = &mut self.neurons[self.top][color];
            self.cache.refresh(simd, network, board, view, neurons);
            self.plies[self.top].computed[color] = true;
        }
    }

    /// The last ply with a side's neurons, if moves lead from there to the newest without a change of its view.
    #[inline(always)]
    fn nearest_computed(&self, color: Color) -> Option<usize> {
        let view = self.plies[self.top].views[color];
        let mut index = self.top;
        loop {
            let ply = &self.plies[index];
            if ply.views[color] != view {
                return None;
            }
            if ply.computed[color] {
                return Some(index);
            }
            if index == 0 || !matches!((ply.lifted.len(), ply.placed.len()), (1 | 2, 1) | (2, 2)) {
                return None;
            }
            index -= 1;
        }
    }

    /// Computes a side's neurons of a ply from those of the ply before.
    #[inline(always)]
    fn carry_forward<S: Simd>(&mut self, simd: S, network: &Network, view: View, color: Color, index: usize) {
        let (before, after) = self.neurons.split_at_mut(index);
        let (from, to) = (&before[index - 1][color], &mut after[0][color]);
        let ply = &mut self.plies[index];
        let row = |&(piece, square): &(Piece, Square)| network.feature(view.feature(piece, square));
        match (&ply.placed[..], &ply.lifted[..]) {
            ([placed], [lifted]) => update(simd, from, to, [row(placed)], [row(lifted)]),
            ([placed], [captured, moved]) => update(simd, from, to, [row(placed)], [row(captured), row(moved)]),
            ([king, rook], [old_king, old_rook]) => {
                update(simd, from, to, [row(king), row(rook)], [row(old_king), row(old_rook)]);
            }
            _ => debug_assert!(false, "not a move: {ply:?}"),
        }
        ply.computed[color] = true;
    }

    #[cold]
    fn grow(&mut self) {
        let (ply, neurons) = (self.plies[0].clone(), self.neurons[0].clone());
        self.plies.resize(2 * self.top, ply);
        self.neurons.resize(2 * self.top, neurons);
    }
}

fn views_of(board: &Board) -> ByColor<View> {
    ByColor(Color::ALL.map(|color| View::of(board, color)))
}

/// Neurons with some features more and some less, in one pass.
#[inline(always)]
fn update<S: Simd, const PLACED: usize, const LIFTED: usize>(
    simd: S,
    from: &Row,
    to: &mut Row,
    placed: [&Row; PLACED],
    lifted: [&Row; LIFTED],
) {
    let from = vectors::<S>(from);
    let placed = placed.map(vectors::<S>);
    let lifted = lifted.map(vectors::<S>);
    for (i, to) in vectors_mut::<S>(to).iter_mut().enumerate() {
        let mut sum = from[i];
        for row in placed {
            sum = simd.add(sum, row[i]);
        }
        for row in lifted {
            sum = simd.sub(sum, row[i]);
        }
        *to = sum;
    }
}

/// For each view of each side the last board seen so, and its neurons.
#[derive(Clone)]
struct Cache {
    seen: ByColor<Box<[Seen]>>,
}

#[derive(Clone)]
struct Seen {
    /// The squares of each [`Piece`].
    pieces: [Bitboard; Piece::ALL.len()],
    neurons: Row,
}

/// Weights of the features in which two boards differ.
type Rows<'a> = ArrayVec<&'a Row, MAX_PIECES>;

impl Cache {
    /// Nothing seen but empty boards, whose neurons hold the bias.
    fn new(network: &Network) -> Self {
        let empty = Seen { pieces: [Bitboard::EMPTY; Piece::ALL.len()], neurons: network.bias().clone() };
        let seen = vec![empty; View::COUNT].into_boxed_slice();
        Self { seen: ByColor([seen.clone(), seen]) }
    }

    /// Computes the neurons of a board from the last one seen in the same way, and remembers it instead.
    #[inline(always)]
    fn refresh<S: Simd>(&mut self, simd: S, network: &Network, board: &Board, view: View, neurons: &mut Row) {
        let seen = &mut self.seen[view.color()][view.index()];
        let (mut placed, mut lifted) = (Rows::new(), Rows::new());
        for (piece, before) in Piece::ALL.into_iter().zip(&mut seen.pieces) {
            let now = board.colored_pieces(piece.color(), piece.piece_type());
            let row = |square| network.feature(view.feature(piece, square));
            placed.extend((now - *before).into_iter().map(row));
            lifted.extend((*before - now).into_iter().map(row));
            *before = now;
        }
        let vectors = const { crate::arch::HIDDEN / S::LANES };
        if vectors.is_multiple_of(TILE) {
            update_tiles::<S, TILE>(simd, seen, neurons, &placed, &lifted);
        } else {
            update_tiles::<S, 1>(simd, seen, neurons, &placed, &lifted);
        }
    }
}

/// As [`update`] in place, for any number of features, with a copy of the result.
#[inline(always)]
fn update_tiles<S: Simd, const N: usize>(
    simd: S,
    seen: &mut Seen,
    copy: &mut Row,
    placed: &Rows<'_>,
    lifted: &Rows<'_>,
) {
    let tiles = vectors_mut::<S>(&mut seen.neurons).as_chunks_mut::<N>().0;
    let copies = vectors_mut::<S>(copy).as_chunks_mut::<N>().0;
    for (index, (tile, copy)) in tiles.iter_mut().zip(copies).enumerate() {
        let mut sums = *tile;
        for row in placed {
            let row = &vectors::<S>(row).as_chunks::<N>().0[index];
            for i in 0..N {
                sums[i] = simd.add(sums[i], row[i]);
            }
        }
        for row in lifted {
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
    use crate::evaluator::tests::{network, random};
    use crate::simd::{Path, Work};

    struct Neurons<'a>(&'a mut Accumulators, &'a Network, &'a Board);

    impl Work for Neurons<'_> {
        type Output = ByColor<Row>;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> ByColor<Row> {
            self.0.neurons(simd, self.1, self.2).clone()
        }
    }

    #[test]
    fn only_a_changed_view_ends_the_line_and_only_for_its_side() {
        let network = network(1, 4);
        let start = Board::from_fen("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1").unwrap();
        let mut accumulators = Accumulators::new(&network, &start);
        Path::SCALAR.run(Neurons(&mut accumulators, &network, &start));
        // White's king crosses to the other wing, Black's stays on its own; then White's comes back.
        let (mut board, mut same_views) = (start, [true; 2]);
        for (text, white_follows) in [
            ("e2e4", true),
            ("d7d5", true),
            ("e4d5", true),
            ("e8g8", true),
            ("e1d1", false),
            ("a7a6", false),
            ("d1e1", false),
        ] {
            board.play(board.parse_uci(text).unwrap(), &mut accumulators.push());
            let follows = Color::ALL.map(|color| accumulators.nearest_computed(color));
            assert_eq!(follows[0], white_follows.then_some(0), "{text}");
            for color in Color::ALL {
                same_views[color as usize] &= View::of(&board, color) == View::of(&start, color);
            }
            assert_eq!(follows, same_views.map(|same| same.then_some(0)), "{text}");
        }
        let neurons = Path::best().run(Neurons(&mut accumulators, &network, &board));
        assert_eq!(neurons, ByColor(Color::ALL.map(|color| network.accumulate(&board, color))));
        assert!(accumulators.plies[1..7].iter().all(|ply| !ply.computed[Color::White]));
        assert_eq!(Color::ALL.map(|color| accumulators.nearest_computed(color)), [Some(7); 2]);
    }

    #[test]
    fn neurons_equal_those_computed_from_nothing() {
        let network = network(2, 0);
        for path in Path::available() {
            let mut random = random(21);
            let mut board = Board::start();
            let mut accumulators = Accumulators::new(&network, &board);
            for ply in 0..300 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.play(moves[random.random_range(0..moves.len())], &mut accumulators.push());
                if ply % 3 == 0 || ply < 20 {
                    let neurons = path.run(Neurons(&mut accumulators, &network, &board));
                    assert_eq!(neurons, ByColor(Color::ALL.map(|color| network.accumulate(&board, color))), "{path}");
                }
            }
            assert!(accumulators.top > 50, "a game of {} plies", accumulators.top);
        }
    }

    #[test]
    fn a_reset_forgets_the_line() {
        let network = network(3, 4);
        let mut accumulators = Accumulators::new(&network, &Board::start());
        let other = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        for board in [Board::start(), other, Board::start()] {
            accumulators.reset(&board);
            for mv in board.legal_moves().into_iter().take(3) {
                let mut child = board;
                child.play(mv, &mut accumulators.push());
                let neurons = Path::best().run(Neurons(&mut accumulators, &network, &child));
                assert_eq!(neurons[Color::White], network.accumulate(&child, Color::White));
                accumulators.pop();
            }
            // Left open on purpose.
            let mut child = board;
            child.play(board.legal_moves()[0], &mut accumulators.push());
        }
    }
}
