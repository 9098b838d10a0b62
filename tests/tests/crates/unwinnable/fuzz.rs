//! The fuzz test: the fast test against the full one, and both against a search without static proofs.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use movegen::unwinnable::{Budget, Proof, Verdict, winnable};
use movegen::{Board, Color, FenStyle, Move, PieceType};
use rayon::prelude::*;
use tests::data::{announce, test_data};
use tests::play::Random;

use super::boards::{Pool, SEEDS, fuzz_board};
use super::{LISTS, check_helpmate};

#[derive(Default, Debug)]
struct Tally {
    queries: AtomicU64,
    with_castling: AtomicU64,
    with_en_passant: AtomicU64,
    unwinnable: AtomicU64,
    unwinnable_with_castling: AtomicU64,
    unwinnable_with_en_passant: AtomicU64,
    confirmed: AtomicU64,
}

/// A random game from a board that is said to be unwinnable for `winner`, with a preference for captures, checks and
/// promotions: it must stay unwinnable. This finds moves that a proof has overlooked and that a search reaches too
/// late.
fn walk_on(board: &Board, winner: Color, random: &mut Random) {
    let mut last = *board;
    for _ in 0..random.below(24) {
        let moves = last.legal_moves();
        if moves.is_empty() {
            break;
        }
        let is_sharp = |mv: Move| mv.promotes_to().is_some() || last.captured_by(mv).is_some() || last.gives_check(mv);
        let sharp: Vec<_> = moves.iter().copied().filter(|&mv| is_sharp(mv)).collect();
        let is_calm = sharp.is_empty() || random.below(2) == 0;
        let mv = random.pick(if is_calm { &moves } else { &sharp });
        last.play(mv, &mut ());
    }
    if let Verdict::Winnable(line) = winnable(&last, winner, Budget::nodes(500)) {
        let fens = [board, &last].map(|board| board.fen(FenStyle::Shredder));
        panic!("{} {winner:?} is said not to win, but does from {} by {line:?}", fens[0], fens[1]);
    }
}

/// One board, both sides: fast and full agree, and neither a search without any static proof nor a game played on
/// refutes them. True if a side cannot win for another reason than that it has too few pieces or the game is over.
fn fuzz_one(board: &Board, plain: Budget, tally: &Tally, random: &mut Random) -> bool {
    let mut is_telling = false;
    for winner in Color::ALL {
        let [may_castle, may_pass] = [!board.castling().is_empty(), board.en_passant().is_some()].map(u64::from);
        tally.queries.fetch_add(1, Relaxed);
        tally.with_castling.fetch_add(may_castle, Relaxed);
        tally.with_en_passant.fetch_add(may_pass, Relaxed);
        let context = || format!("{} {winner:?}", board.fen(FenStyle::Shredder));
        let [fast, full] = [Budget::FAST, Budget::nodes(3_000)].map(|budget| winnable(board, winner, budget));
        if let Verdict::Winnable(line) = &full {
            check_helpmate(board, winner, line);
            assert!(!fast.is_unwinnable(), "{}: {fast:?}, but {line:?}", context());
        }
        if !fast.is_unwinnable() && !full.is_unwinnable() {
            continue;
        }
        let is_proof = |verdict: &Verdict| matches!(verdict, Verdict::Unwinnable(Proof::Blocked(_) | Proof::Exhausted));
        is_telling |= is_proof(&fast) || is_proof(&full);
        tally.unwinnable.fetch_add(1, Relaxed);
        tally.unwinnable_with_castling.fetch_add(may_castle, Relaxed);
        tally.unwinnable_with_en_passant.fetch_add(may_pass, Relaxed);
        match winnable(board, winner, plain.without_static_proofs()) {
            Verdict::Winnable(line) => panic!("{}: {fast:?} and {full:?}, but {line:?}", context()),
            Verdict::Unwinnable(_) => _ = tally.confirmed.fetch_add(1, Relaxed),
            Verdict::Undetermined => (0..4).for_each(|_| walk_on(board, winner, random)),
        }
    }
    is_telling
}

#[test]
fn fuzz() {
    let seconds: Option<u64> = std::env::var("VANCURA_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let seeds = SEEDS.iter().map(|fen| Board::from_fen(fen).expect("a legal board")).collect();
    let mut pool = Pool { seeds, found: Vec::new() };
    if let (Some(_), Some(folder)) = (seconds, test_data("fuzz from the lists")) {
        let queries = LISTS.iter().flat_map(|list| list.queries(&folder));
        let unwinnable = queries.filter(|query| query.winnable == Some(false)).map(|query| query.board());
        pool.seeds.extend(unwinnable.filter(|board| board.pieces(PieceType::Pawn).more_than_one()));
    }
    let tally = Tally::default();
    let (end, boards) = match seconds {
        Some(seconds) => (Some(Instant::now() + Duration::from_secs(seconds)), u64::MAX),
        None => (None, 3_000),
    };
    let first = end.map_or(1, |_| std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs()) << 32);
    announce(&format!("fuzz of the prover from seed {first}"));
    let threads = rayon::current_num_threads() as u64;
    (0..threads).into_par_iter().for_each(|thread| {
        let mut number = thread;
        let mut pool = pool.clone();
        while number < boards && end.is_none_or(|end| Instant::now() < end) {
            let mut random = Random::new(first.wrapping_add(number));
            let board = fuzz_board(&pool, &mut random);
            // Most mates are soon found, and some only late.
            let plain = if random.below(16) == 0 { Budget::nodes(30_000) } else { Budget::nodes(2_000) };
            if fuzz_one(&board, plain, &tally, &mut random) && board.occupied().count() > 6 {
                pool.keep(board, &mut random);
            }
            number += threads;
        }
    });
    announce(&format!("{tally:?}"));
    assert!(tally.unwinnable.into_inner() > 100);
    assert!(tally.with_castling.into_inner() > 500 && tally.with_en_passant.into_inner() > 500);
}
