//! The search and its parts.
//!
//! - `table`: probes that hit and miss, and stores, in a table larger than the caches, with and without prefetching;
//! - `movepick`: all moves of a board, and the first alone;
//! - `see`: whether exchanges gain or lose nothing, over all moves of a board;
//! - `search`: positions searched to a fixed depth by one thread, with an empty table.
//!
//! `cargo bench -p vancura-bench --bench search`

use std::hint::black_box;

use bench::POSITIONS;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use eval::Network;
use movegen::{Board, Move, Position};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::bench::{MoveHistories, TTEntry, TranspositionTable, see_ge};
use search::{Bound, Limits, Score, SingleThreadedSearcher};

/// The size of the table, and the keys of one measurement.
const TABLE_MIB: usize = 64;
const KEYS: usize = 4096;
/// The depth of the whole searches.
const DEPTH: i32 = 9;

fn boards() -> Vec<Board> {
    POSITIONS.iter().map(|fen| Board::from_fen(fen).expect("a legal position")).collect()
}

fn bench_table(criterion: &mut Criterion) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut keys = || std::iter::repeat_with(|| random.next_u64()).take(KEYS).collect::<Vec<_>>();
    let (known, unknown) = (keys(), keys());
    let table = TranspositionTable::new(TABLE_MIB);
    let entry = TTEntry { mv: None, score: Score(12), bound: Bound::Lower, raw_eval: None, depth: 7, pv: false };
    // A table in use: nearly every cluster holds entries.
    for _ in 0..TABLE_MIB << 16 {
        table.store(random.next_u64(), 0, &entry);
    }
    known.iter().for_each(|&key| table.store(key, 0, &TTEntry { depth: 30, ..entry }));
    let hits = |keys: &[u64]| keys.iter().filter(|&&key| table.probe(key, 0, 0).is_some()).count();
    assert!(hits(&known) > KEYS * 9 / 10 && hits(&unknown) < KEYS / 10);

    let mut group = criterion.benchmark_group("search/table");
    group.throughput(Throughput::Elements(KEYS as u64));
    group.bench_function("probe/hit", |bencher| bencher.iter(|| hits(black_box(&known))));
    group.bench_function("probe/miss", |bencher| bencher.iter(|| hits(black_box(&unknown))));
    group.bench_function("probe/prefetched", |bencher| {
        bencher.iter(|| {
            let ahead = known.iter().skip(8).chain(std::iter::repeat_n(&known[0], 8));
            known
                .iter()
                .zip(ahead)
                .filter(|&(&key, &next)| {
                    table.prefetch(next);
                    table.probe(key, 0, 0).is_some()
                })
                .count()
        });
    });
    group.bench_function("store", |bencher| {
        bencher.iter(|| black_box(&unknown).iter().for_each(|&key| table.store(key, 0, &entry)));
    });
    group.finish();
}

fn bench_movepick(criterion: &mut Criterion) {
    let (boards, histories) = (boards(), MoveHistories::default());
    let pick = |most| -> usize { boards.iter().map(|board| histories.pick(black_box(board), None, most)).sum() };
    let mut group = criterion.benchmark_group("search/movepick");
    group.throughput(Throughput::Elements(pick(usize::MAX) as u64));
    group.bench_function("all", |bencher| bencher.iter(|| pick(usize::MAX)));
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("first", |bencher| bencher.iter(|| pick(1)));
    group.finish();
}

fn bench_see(criterion: &mut Criterion) {
    let exchanges: Vec<(Board, Vec<Move>)> =
        boards().into_iter().map(|board| (board, board.legal_moves().into_iter().collect())).collect();
    let count: usize = exchanges.iter().map(|(_, moves)| moves.len()).sum();
    let mut group = criterion.benchmark_group("search/see");
    group.throughput(Throughput::Elements(count as u64));
    for threshold in [-100, 0, 100] {
        group.bench_function(threshold.to_string(), |bencher| {
            bencher.iter(|| -> usize {
                let good = |(board, moves): &(Board, Vec<Move>)| {
                    moves.iter().filter(|&&mv| see_ge(board, mv, black_box(threshold))).count()
                };
                exchanges.iter().map(good).sum()
            });
        });
    }
    group.finish();
}

fn bench_search(criterion: &mut Criterion) {
    let positions: Vec<Position> = boards().into_iter().map(Position::from).collect();
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let search = |searcher: &mut SingleThreadedSearcher| -> u64 {
        let results = positions.iter().map(|position| {
            searcher.forget();
            searcher.search(position, &limits).expect("a legal move").nodes
        });
        results.sum()
    };
    let searcher = || SingleThreadedSearcher::new(Network::embedded(), 16);
    let mut group = criterion.benchmark_group("search/search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(search(&mut searcher())));
    group.bench_function(format!("depth {DEPTH}"), |bencher| {
        bencher.iter_batched_ref(searcher, search, BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, bench_table, bench_movepick, bench_see, bench_search);
criterion_main!(benches);
