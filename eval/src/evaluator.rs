//! Incremental evaluation during a search.

use std::collections::TryReserveError;
use std::fmt;
use std::sync::Arc;

use movegen::{Board, Observer};

use crate::accumulator::AccumulatorStack;
use crate::network::Network;
use crate::simd::{Path, Simd, Work};

/// Evaluates the positions of a search with incrementally updated accumulators; one for each search thread.
///
/// The result always equals [`Network::evaluate`], on every [`Path`].
#[derive(Clone)]
pub struct Evaluator {
    network: Arc<Network>,
    path: Path,
    stack: AccumulatorStack,
}

impl Evaluator {
    /// An evaluator at the start position, with the fastest instructions of this CPU.
    ///
    /// # Panics
    ///
    /// If there is no memory for its accumulators.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        Self::with_path(network, Path::best())
    }

    /// As [`new`](Self::new), for callers that can go on without it.
    ///
    /// # Errors
    ///
    /// If there is no memory for its accumulators, less than a megabyte.
    pub fn try_new(network: Arc<Network>) -> Result<Self, TryReserveError> {
        let stack = AccumulatorStack::try_new(&network, &Board::start())?;
        Ok(Self { network, path: Path::best(), stack })
    }

    /// An evaluator at the start position, with the instructions of one path.
    ///
    /// # Panics
    ///
    /// If there is no memory for its accumulators.
    #[must_use]
    pub fn with_path(network: Arc<Network>, path: Path) -> Self {
        let stack = AccumulatorStack::try_new(&network, &Board::start()).expect("memory for the accumulators");
        Self { network, path, stack }
    }

    /// Evaluates with another network from the next [`reset`](Self::reset) on, in the memory there is.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.stack.set_network(&network);
        self.network = network;
    }

    /// The network.
    #[must_use]
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts again from a board.
    pub fn reset(&mut self, board: &Board) {
        self.stack.reset(board);
    }

    /// Opens a new ply; pass the observer to [`Board::play`] for the move that leads to it.
    ///
    /// A null move changes no pieces, so it needs no ply here.
    #[inline]
    pub fn push(&mut self) -> impl Observer {
        self.stack.push()
    }

    /// Closes the newest ply: undoes the last [`push`](Self::push).
    #[inline]
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// Brings the accumulators of the newest ply up to date, whose board this is. [`evaluate`](Self::evaluate) does so where
    /// it has not been done; earlier there may be time for it.
    #[inline]
    pub fn update(&mut self, board: &Board) {
        let Self { network, path, stack } = self;
        path.run(Update { network, stack, board });
    }

    /// The evaluation of the newest ply, whose board this is, in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        let Self { network, path, stack } = self;
        path.run(Evaluation { network, stack, board })
    }
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Evaluator({:?}, {})", self.network, self.path)
    }
}

/// One update, for any path.
struct Update<'a> {
    network: &'a Network,
    stack: &'a mut AccumulatorStack,
    board: &'a Board,
}

impl Work for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, stack, board } = self;
        stack.accumulators(simd, network, board);
    }
}

/// One evaluation, for any path.
struct Evaluation<'a> {
    network: &'a Network,
    stack: &'a mut AccumulatorStack,
    board: &'a Board,
}

impl Work for Evaluation<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Self { network, stack, board } = self;
        let head = network.head(board.occupied().count());
        let accumulators = stack.accumulators(simd, network, board);
        head.evaluate(simd, [&accumulators[board.turn()], &accumulators[!board.turn()]])
    }
}

#[cfg(test)]
mod tests {
    use movegen::{File, Move, MoveKind, Setup, Square};
    use rand::RngExt;

    use super::*;
    use crate::testing::{Random, extreme_payload, network, random};

    /// The start of standard chess for 0, then alternately of Chess960 and double Chess960.
    fn start(number: u64, random: &mut Random) -> Board {
        let mut draw = || random.random_range(0..960);
        let setup = match (number, number % 2) {
            (0, _) => Setup::start(),
            (_, 1) => {
                let number = draw();
                Setup::chess960(number, number).unwrap()
            }
            _ => Setup::chess960(draw(), draw()).unwrap(),
        };
        Board::from_setup(&setup).unwrap().0
    }

    /// A legal move; king moves, castling, promotion and en passant more often than at random.
    fn choose(board: &Board, random: &mut Random) -> Option<Move> {
        let moves = board.legal_moves();
        let special = |mv: &Move| {
            mv.kind() != MoveKind::Normal || random.random_ratio(1, 4) && board.king(board.turn()) == mv.from()
        };
        let special: Vec<Move> = moves.iter().copied().filter(special).collect();
        match &special[..] {
            [] if moves.is_empty() => None,
            special if !special.is_empty() && random.random_ratio(1, 2) => {
                Some(special[random.random_range(0..special.len())])
            }
            _ => Some(moves[random.random_range(0..moves.len())]),
        }
    }

    /// What a walk has covered.
    #[derive(Default, Debug)]
    struct Seen {
        evaluations: usize,
        kinds: [usize; 4],
        promoting_captures: usize,
        mirrored: usize,
        nulls: usize,
        unevaluated_runs: usize,
    }

    impl Seen {
        fn note(&mut self, board: &Board, mv: Move) {
            self.kinds[mv.kind() as usize] += 1;
            self.promoting_captures += usize::from(mv.kind() == MoveKind::Promotion && board.captured_by(mv).is_some());
            let king = board.king(board.turn());
            let wing = |square: Square| square.file() >= File::E;
            self.mirrored +=
                usize::from(mv.from() == king && mv.kind() == MoveKind::Normal && wing(king) != wing(mv.to()));
        }

        fn add(&mut self, other: &Self) {
            self.evaluations += other.evaluations;
            self.kinds.iter_mut().zip(other.kinds).for_each(|(sum, kind)| *sum += kind);
            self.promoting_captures += other.promoting_captures;
            self.mirrored += other.mirrored;
            self.nulls += other.nulls;
            self.unevaluated_runs += other.unevaluated_runs;
        }
    }

    /// Evaluators on all paths, on the same line.
    struct All {
        network: Arc<Network>,
        evaluators: Vec<Evaluator>,
    }

    impl All {
        fn new(network: &Arc<Network>) -> Self {
            let evaluators = Path::available().map(|path| Evaluator::with_path(Arc::clone(network), path));
            Self { network: Arc::clone(network), evaluators: evaluators.collect() }
        }

        fn reset(&mut self, board: &Board) {
            self.evaluators.iter_mut().for_each(|evaluator| evaluator.reset(board));
        }

        fn play(&mut self, board: &Board, mv: Move) -> Board {
            let mut child = *board;
            for evaluator in &mut self.evaluators {
                child = *board;
                child.play(mv, &mut evaluator.push());
            }
            child
        }

        fn pop(&mut self) {
            self.evaluators.iter_mut().for_each(Evaluator::pop);
        }

        fn check(&mut self, board: &Board) {
            let expected = self.network.evaluate(board);
            for evaluator in &mut self.evaluators {
                assert_eq!(evaluator.evaluate(board), expected, "{board:?} on {}", evaluator.path);
            }
        }

        /// A walk as a search makes it: some moves from each board, some boards evaluated, some null moves.
        fn walk(&mut self, board: &Board, depth: usize, random: &mut Random, seen: &mut Seen) {
            if random.random_ratio(2, 3) {
                self.check(board);
                seen.evaluations += 1;
            } else {
                self.evaluators.iter_mut().for_each(|evaluator| evaluator.update(board));
            }
            if depth == 0 {
                return;
            }
            if !board.in_check() && random.random_ratio(1, 5) {
                let mut child = *board;
                child.play_null();
                seen.nulls += 1;
                self.walk(&child, depth - 1, random, seen);
            }
            for _ in 0..random.random_range(1..=2) {
                let Some(mv) = choose(board, random) else { return };
                seen.note(board, mv);
                let child = self.play(board, mv);
                self.walk(&child, depth - 1, random, seen);
                self.pop();
            }
            if random.random_ratio(1, 3) {
                self.check(board);
            }
        }

        /// A whole game, a walk from some of its positions, long stretches without evaluation.
        fn game(&mut self, start: Board, random: &mut Random, seen: &mut Seen) {
            let (mut board, mut idle) = (start, 0);
            self.reset(&board);
            for _ in 0..random.random_range(20..250) {
                let Some(mv) = choose(&board, random) else { break };
                seen.note(&board, mv);
                board = self.play(&board, mv);
                idle += 1;
                if random.random_ratio(1, 25) {
                    seen.unevaluated_runs += usize::from(idle > 10);
                    idle = 0;
                    self.walk(&board, 5, random, seen);
                }
                if random.random_ratio(1, 60) {
                    self.reset(&board);
                }
            }
            self.check(&board);
        }
    }

    #[test]
    fn all_paths_agree_on_random_walks() {
        let mut total = Seen::default();
        for divisor in [0, 1, 4, 30] {
            let network = network(divisor as u64, divisor);
            let mut all = All::new(&network);
            let mut random = random(100 + divisor as u64);
            for number in 0..12 {
                let mut seen = Seen::default();
                let start = start(number, &mut random);
                all.game(start, &mut random, &mut seen);
                total.add(&seen);
            }
        }
        assert!(total.evaluations > 2000, "{total:?}");
        let rare = [total.promoting_captures, total.mirrored, total.nulls, total.unevaluated_runs];
        assert!(total.kinds.into_iter().chain(rare).all(|count| count >= 10), "{total:?}");
    }

    #[test]
    fn extreme_weights_agree() {
        for (hidden_sign, head_sign) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0)] {
            let payload = extreme_payload(hidden_sign, head_sign);
            let mut all = All::new(&Arc::new(Network::from_payload(&payload).unwrap()));
            let mut random = random(7);
            for number in 0..3 {
                let start = start(number, &mut random);
                all.game(start, &mut random, &mut Seen::default());
            }
        }
    }

    /// Between two full boards without a piece in common, and a bare one: the most that a refresh can change.
    #[test]
    fn a_refresh_can_change_every_piece() {
        let mut all = All::new(&network(5, 0));
        let fens = ["RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"];
        let [swapped, bare] = fens.map(|fen| Board::from_fen(fen).unwrap());
        let start = Board::start();
        for board in [start, swapped, start, bare, swapped, bare, start] {
            all.reset(&board);
            all.check(&board);
        }
    }

    #[test]
    fn lines_can_have_any_length() {
        const PLIES: usize = 1500;
        let mut all = All::new(&network(3, 4));
        let mut random = random(3);
        let mut boards = vec![Board::from_fen("4k1n1/8/8/8/8/8/8/1N2K3 w - - 0 1").unwrap()];
        all.reset(&boards[0]);
        for ply in 0..PLIES {
            let lasting: Vec<Move> =
                boards[ply].legal_moves().into_iter().filter(|&mv| !boards[ply].is_noisy(mv)).collect();
            let child = all.play(&boards[ply], lasting[random.random_range(0..lasting.len())]);
            boards.push(child);
        }
        for board in boards.iter().skip(1).rev() {
            if random.random_ratio(1, 3) {
                all.check(board);
            }
            all.pop();
        }
        all.check(&boards[0]);
    }

    #[test]
    fn plies_without_a_move_or_with_several_are_refreshed() {
        let mut all = All::new(&network(9, 4));
        let mut board = Board::start();
        all.check(&board);
        all.evaluators.iter_mut().for_each(|evaluator| drop(evaluator.push()));
        all.check(&board);
        for text in ["e2e4", "d7d5", "e4d5", "d8d5", "e1e2"] {
            board.play(board.parse_uci(text).unwrap(), &mut ());
        }
        for evaluator in &mut all.evaluators {
            let mut replay = Board::start();
            let mut observer = evaluator.push();
            for text in ["e2e4", "d7d5", "e4d5", "d8d5", "e1e2"] {
                replay.play(replay.parse_uci(text).unwrap(), &mut observer);
            }
        }
        all.check(&board);
        all.pop();
        all.pop();
        all.check(&Board::start());
    }

    #[test]
    fn another_network_takes_over_at_the_next_reset() {
        let (old, new) = (network(5, 4), network(6, 4));
        let mut evaluator = Evaluator::new(Arc::clone(&old));
        let mut board = Board::start();
        assert_eq!(evaluator.evaluate(&board), old.evaluate(&board));
        evaluator.set_network(Arc::clone(&new));
        evaluator.reset(&board);
        assert_ne!(old.evaluate(&board), new.evaluate(&board), "the test needs networks that differ");
        assert_eq!(evaluator.evaluate(&board), new.evaluate(&board));
        // A king's move into another perspective is refreshed from boards that only the old network has seen.
        for text in ["e2e4", "e7e5", "e1e2", "e8e7", "e2d3"] {
            let mv = board.parse_uci(text).unwrap();
            board.play(mv, &mut evaluator.push());
            assert_eq!(evaluator.evaluate(&board), new.evaluate(&board), "{text}");
        }
    }

    #[test]
    fn clones_are_independent() {
        let network = network(4, 4);
        let mut first = Evaluator::new(Arc::clone(&network));
        let mut second = first.clone();
        let (mut one, mut other) = (Board::start(), Board::start());
        one.play(one.legal_moves()[0], &mut first.push());
        other.play(other.legal_moves()[19], &mut second.push());
        assert_eq!(first.evaluate(&one), network.evaluate(&one));
        assert_eq!(second.evaluate(&other), network.evaluate(&other));
    }
}
