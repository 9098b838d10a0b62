//! Network inference: evaluations per second on each path of this CPU, with the embedded network, since its zeros cost less.
//!
//! - `walk`: as in a search, with moves played and undone and most positions evaluated;
//! - `refresh`: each board far from the last, so that both accumulators are refreshed from the finny table;
//! - `forward`: only the layers behind the accumulators, which are computed.
//!
//! `cargo bench -p vancura-bench --bench eval`

use std::hint::black_box;

use bench::POSITIONS;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use eval::{Evaluator, Network, Path};
use movegen::{Board, Move, Observer, Piece, Square};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// How deep the walk goes from each of [`POSITIONS`], and how many moves it tries at each node: so little that the walk
/// itself stays in the cache.
const DEPTH: usize = 4;
const WIDTH: usize = 4;

type Random = Xoshiro256PlusPlus;

/// One step of a walk.
enum Step {
    Make(DirtyPieces),
    /// Evaluate the next of the walk's boards.
    Evaluate,
    Unmake,
}

/// A prepared walk, so that nearly all time goes into evaluation.
#[derive(Default)]
struct Walk {
    steps: Vec<Step>,
    boards: Vec<Board>,
}

/// The dirty pieces of a move.
#[derive(Default)]
struct DirtyPieces {
    removed: [Option<(Piece, Square)>; 2],
    added: [Option<(Piece, Square)>; 2],
}

impl DirtyPieces {
    fn tell<O: Observer>(&self, observer: &mut O) {
        self.removed.iter().flatten().for_each(|&(piece, square)| observer.removed(piece, square));
        self.added.iter().flatten().for_each(|&(piece, square)| observer.added(piece, square));
    }
}

impl Observer for DirtyPieces {
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed[usize::from(self.removed[0].is_some())] = Some((piece, square));
    }

    fn added(&mut self, piece: Piece, square: Square) {
        self.added[usize::from(self.added[0].is_some())] = Some((piece, square));
    }
}

impl Walk {
    /// The walk below a board: captures first, as in a search; boards in check are not evaluated.
    fn add(&mut self, board: &Board, depth: usize, random: &mut Random) {
        if !board.in_check() {
            self.steps.push(Step::Evaluate);
            self.boards.push(*board);
        }
        if depth == 0 {
            return;
        }
        let mut moves: Vec<Move> = board.legal_moves().into_iter().collect();
        moves.shuffle(random);
        moves.sort_by_key(|&mv| !board.is_noisy(mv));
        let noisy = moves.iter().filter(|&&mv| board.is_noisy(mv)).count();
        for &mv in moves.iter().skip(noisy.saturating_sub(WIDTH / 2)).take(WIDTH) {
            let (mut child, mut changes) = (*board, DirtyPieces::default());
            child.play(mv, &mut changes);
            self.steps.push(Step::Make(changes));
            self.add(&child, depth - 1, random);
            self.steps.push(Step::Unmake);
        }
    }

    fn run(&self, evaluator: &mut Evaluator) -> i32 {
        let (mut sum, mut boards) = (0i32, self.boards.iter());
        for step in &self.steps {
            match step {
                Step::Make(changes) => changes.tell(&mut evaluator.push()),
                Step::Evaluate => sum = boards.next().map_or(sum, |board| sum.wrapping_add(evaluator.evaluate(board))),
                Step::Unmake => evaluator.pop(),
            }
        }
        sum
    }
}

fn boards() -> Vec<Board> {
    POSITIONS.iter().map(|fen| Board::from_fen(fen).expect("a legal position")).collect()
}

fn bench_walk(criterion: &mut Criterion) {
    let mut random = Random::seed_from_u64(2);
    let walks: Vec<(Board, Walk)> = boards()
        .into_iter()
        .map(|board| {
            let mut walk = Walk::default();
            walk.add(&board, DEPTH, &mut random);
            (board, walk)
        })
        .collect();
    let evaluations: usize = walks.iter().map(|(_, walk)| walk.boards.len()).sum();
    let mut group = criterion.benchmark_group("eval/walk");
    group.throughput(Throughput::Elements(evaluations as u64));
    for path in Path::available() {
        let mut evaluator = Evaluator::with_path(Network::embedded(), path);
        group.bench_function(BenchmarkId::from_parameter(path), |bencher| {
            bencher.iter(|| {
                for (board, walk) in &walks {
                    evaluator.reset(board);
                    black_box(walk.run(&mut evaluator));
                }
            });
        });
    }
    group.finish();
}

fn bench_refresh(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("eval/refresh");
    group.throughput(Throughput::Elements(boards.len() as u64));
    for path in Path::available() {
        let mut evaluator = Evaluator::with_path(Network::embedded(), path);
        group.bench_function(BenchmarkId::from_parameter(path), |bencher| {
            bencher.iter(|| {
                for board in &boards {
                    evaluator.reset(board);
                    black_box(evaluator.evaluate(board));
                }
            });
        });
    }
    group.finish();
}

fn bench_forward(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("eval/forward");
    group.throughput(Throughput::Elements(boards.len() as u64));
    for path in Path::available() {
        // One for each board, so that their zeros lie in different places and no accumulator has to be computed.
        let mut evaluators = vec![Evaluator::with_path(Network::embedded(), path); boards.len()];
        evaluators.iter_mut().zip(&boards).for_each(|(evaluator, board)| evaluator.reset(board));
        group.bench_function(BenchmarkId::from_parameter(path), |bencher| {
            bencher.iter(|| {
                for (evaluator, board) in evaluators.iter_mut().zip(&boards) {
                    black_box(evaluator.evaluate(board));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bench_walk, bench_refresh, bench_forward);
criterion_main!(benches);
