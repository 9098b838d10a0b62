//! The transposition table: what earlier visits learnt about a position, shared by all threads, lock-free.
//!
//! A cluster of 32 bytes holds three records of one 64-bit word each, and a word with their 16-bit keys. A key is
//! mixed with its record, so a read torn between two writes does not match and counts as a miss.
//! Sources: the Chess Programming Wiki, "Transposition Table" and "Shared Hash Table" (R. Hyatt, T. Mann);
//! replacement by depth and generation, stored evaluations, prefetching and parallel clearing follow Stockfish.

use std::num::NonZero;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use bytemuck::allocation::try_zeroed_slice_box;
use movegen::{Key, Move};
use sysinfo::System;

use crate::{Bound, Score};

/// What to store about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The best move, if one is known.
    pub mv: Option<Move>,
    /// The score, mates counted from the root.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// The evaluation without corrections, if not in check.
    pub raw_eval: Option<Score>,
    /// Remaining depth, 0 in quiescence.
    pub depth: i32,
    /// Whether the position has been part of a principal variation.
    pub pv: bool,
}

const CLUSTER_LEN: usize = 3;
const KEY_BITS: u32 = 16;
/// Searches after which an age comes round again.
const GENERATIONS: u8 = 32;
/// Plies of depth that one search of age outweighs when choosing what to replace.
const AGE_WEIGHT: i32 = 4;
/// A bound this much shallower does not replace a record of the same position and age; of the principal variation, two
/// plies more.
const DEPTH_SLACK: i32 = 4;
const NO_EVAL: i16 = i16::MIN;

/// The keys, then the records.
type Cluster = [AtomicU64; 1 + CLUSTER_LEN];

const WORDS_PER_MIB: usize = (1 << 20) / size_of::<AtomicU64>();
/// In bytes, and more than enough in words.
const CACHE_LINE: usize = 64;

/// Less than this is cleared before another thread has started to help.
const LEAST_SHARE_MIB: usize = 16;

/// Never offer less than this, so that the size, and with it the search, does not depend on a passing shortage.
const LEAST_MOST_MIB: usize = 64;

/// The largest table that leaves the system an eighth of the memory it can spare; no bound if it does not say.
fn most_mib() -> usize {
    const UNKNOWN: u64 = u64::MAX / 2;
    let spare = System::new().map_or(UNKNOWN, |mut system| {
        system.refresh_memory();
        // What the group has free does not count files in memory, which would give way.
        let granted = system.cgroup_limits().map_or(UNKNOWN, |limits| limits.total_memory.saturating_sub(limits.rss));
        system.available_memory().min(granted)
    });
    let mib = (spare - spare / 8) >> 20;
    usize::try_from(mib).unwrap_or(usize::MAX).clamp(LEAST_MOST_MIB, isize::MAX as usize >> 20)
}

/// Asks the system for huge pages, as Reckless does: 2 MiB each, they spare most accesses a walk through the page
/// tables; it may decline.
#[cfg(target_os = "linux")]
fn advise_huge_pages(room: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};

    let page = rustix::param::page_size();
    let bytes = room.as_ptr_range();
    let (start, end) = (bytes.start.addr().next_multiple_of(page), bytes.end.addr() / page * page);
    if start < end {
        let start = bytes.start.with_addr(start);
        // SAFETY: the pages lie within memory that is ours, and this advice changes nothing that can be read there.
        #[allow(unsafe_code)]
        let _ = unsafe { madvise(start.cast_mut().cast(), end - start.addr(), Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
const fn advise_huge_pages(_: &[AtomicU64]) {}

/// The table. Reading and writing take `&self` from any thread.
pub struct TranspositionTable {
    /// Room for the clusters, and for moving them so that none lies across two cache lines.
    room: Box<[AtomicU64]>,
    first: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of `mib` MiB (at least 1), or of the largest size below it that can be allocated.
    #[must_use]
    pub fn new(mib: usize) -> Self {
        let mut mib = mib.clamp(1, most_mib());
        loop {
            // Memory comes zeroed from the system and costs nothing until it is used, which is why its alignment is
            // not part of its type: the system allocator clears over-aligned memory by hand.
            let room: Result<Box<[AtomicU64]>, ()> = try_zeroed_slice_box(mib * WORDS_PER_MIB + CACHE_LINE);
            match room {
                Ok(room) => {
                    advise_huge_pages(&room);
                    let first = room.as_ptr().align_offset(CACHE_LINE).min(CACHE_LINE);
                    return Self { room, first, generation: AtomicU8::new(0) };
                }
                // Without a single MiB, a table of nothing but one cluster still lets the engine play.
                Err(()) if mib == 1 => {
                    let room = (0..2 * CACHE_LINE).map(|_| AtomicU64::default()).collect();
                    return Self { room, first: 0, generation: AtomicU8::new(0) };
                }
                Err(()) => mib = (mib * 3 / 4).max(1),
            }
        }
    }

    /// The size in MiB.
    #[must_use]
    pub fn mib(&self) -> usize {
        self.room.len() / WORDS_PER_MIB
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = self.room.len().div_ceil(threads).max(LEAST_SHARE_MIB * WORDS_PER_MIB);
        let (own, others) = self.room.split_at(share.min(self.room.len()));
        thread::scope(|scope| {
            for words in others.chunks(share) {
                // A system that grants no more threads gets it done on this one.
                if thread::Builder::new().spawn_scoped(scope, || zero(words)).is_err() {
                    zero(words);
                }
            }
            zero(own);
        });
        self.generation.store(0, Relaxed);
    }

    /// Begins a new search: what is in the table becomes one search older.
    pub fn age(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    /// What is known about a position, with mates counted from `ply`; a win that the fifty-move rule, after so many
    /// half-moves since a capture or pawn move, would come before is no longer one.
    #[must_use]
    pub fn probe(&self, key: Key, ply: usize, halfmove_clock: u16) -> Option<Record> {
        let [keys, words @ ..] = self.cluster(key);
        let keys = keys.load(Relaxed);
        (0..CLUSTER_LEN).find_map(|slot| {
            let word = Word(words[slot].load(Relaxed));
            (key_in(keys, slot) == word.mix(key) && word.bound().is_some()).then(|| word.unpack(ply, halfmove_clock))?
        })
    }

    /// Stores what was learnt about a position, unless something worth more stands in its place.
    pub fn store(&self, key: Key, ply: usize, record: &Record) {
        let [key_word, words @ ..] = self.cluster(key);
        let keys = key_word.load(Relaxed);
        let olds = std::array::from_fn::<_, CLUSTER_LEN, _>(|slot| Word(words[slot].load(Relaxed)));
        let same = (0..CLUSTER_LEN).find(|&slot| key_in(keys, slot) == olds[slot].mix(key));
        let slot = same
            .or_else(|| (0..CLUSTER_LEN).min_by_key(|&slot| self.replacement_priority(olds[slot])))
            .unwrap_or_default();

        let old = olds[slot];
        let mut record = *record;
        if same.is_some() && old.bound().is_some() {
            record.mv = record.mv.or(old.mv());
            let keeps = record.bound != Bound::Exact
                && old.generation() == self.generation()
                && record.depth + DEPTH_SLACK + 2 * i32::from(record.pv) <= old.depth();
            if keeps {
                return;
            }
        }
        let word = Word::pack(&record, ply, self.generation());
        let shift = slot as u32 * KEY_BITS;
        let keys = keys & !(0xFFFF << shift) | u64::from(word.mix(key)) << shift;
        words[slot].store(word.0, Relaxed);
        key_word.store(keys, Relaxed);
    }

    /// Brings a position's cluster into the cache ahead of its use.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch has no effect on memory, whatever the address; this one is valid besides.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(cluster.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The share of a sample written by the present search, in thousandths.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        const SAMPLE: usize = 1000;
        let generation = self.generation();
        let sample = &self.clusters()[..SAMPLE.min(self.clusters().len())];
        let used = sample
            .iter()
            .flat_map(|[_, words @ ..]| words)
            .map(|word| Word(word.load(Relaxed)))
            .filter(|word| word.bound().is_some() && word.generation() == generation)
            .count();
        used * 1000 / (sample.len() * CLUSTER_LEN)
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    #[inline]
    fn cluster(&self, key: Key) -> &Cluster {
        // The high half of a product spreads keys evenly over any number of clusters.
        let clusters = self.clusters();
        let index = (u128::from(key) * clusters.len() as u128) >> 64;
        &clusters[index as usize]
    }

    #[inline]
    fn clusters(&self) -> &[Cluster] {
        // As many wherever the room lies, so that a key's cluster is the same on every run.
        self.room[self.first..][..self.room.len() - CACHE_LINE].as_chunks().0
    }

    /// How much a record deserves to stay.
    fn replacement_priority(&self, word: Word) -> i32 {
        if word.bound().is_none() {
            return i32::MIN;
        }
        let age = (GENERATIONS + self.generation() - word.generation()) % GENERATIONS;
        word.depth() - AGE_WEIGHT * i32::from(age)
    }
}

fn zero(words: &[AtomicU64]) {
    words.iter().for_each(|word| word.store(0, Relaxed));
}

#[inline]
fn key_in(keys: u64, slot: usize) -> u16 {
    (keys >> (slot as u32 * KEY_BITS)) as u16
}

/// A record in 64 bits: move 16, score 16, evaluation 16, depth 8, then bound 2, pv 1, generation 5.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    fn pack(record: &Record, ply: usize, generation: u8) -> Self {
        let bound = match record.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let flags = bound | u8::from(record.pv) << 2 | generation << 3;
        let score = score_from_node(record.score, ply);
        let eval = record.raw_eval.map_or(NO_EVAL, |eval| eval.0 as i16);
        Self(
            record.mv.map_or(0, |mv| u64::from(mv.bits()))
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(record.depth.clamp(0, 255) as u8) << 48
                | u64::from(flags) << 56,
        )
    }

    fn unpack(self, ply: usize, halfmove_clock: u16) -> Option<Record> {
        let raw_eval = (self.0 >> 32) as i16;
        Some(Record {
            mv: self.mv(),
            score: score_at_node((self.0 >> 16) as i16, ply, halfmove_clock),
            bound: self.bound()?,
            raw_eval: (raw_eval != NO_EVAL).then_some(Score(i32::from(raw_eval))),
            depth: self.depth(),
            pv: self.0 >> 58 & 1 == 1,
        })
    }

    /// The key's lowest 16 bits, which do not choose the cluster, mixed with the record.
    #[inline]
    const fn mix(self, key: Key) -> u16 {
        let folded = self.0 ^ self.0 >> 32;
        key as u16 ^ folded as u16 ^ (folded >> 16) as u16
    }

    #[inline]
    const fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    const fn depth(self) -> i32 {
        (self.0 >> 48) as u8 as i32
    }

    #[inline]
    const fn bound(self) -> Option<Bound> {
        match self.0 >> 56 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        }
    }

    #[inline]
    const fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }
}

/// Counts a mate from this node instead of the root, since the node may be reached at another ply.
fn score_from_node(score: Score, ply: usize) -> i16 {
    let distance = ply as i32;
    let score = if score.is_win() {
        score.0 + distance
    } else if score.is_loss() {
        score.0 - distance
    } else {
        score.0
    };
    score as i16
}

/// The reverse, but for a mate, or a position that an endgame table knows, farther away than the fifty-move rule:
/// another path to the position may have had more half-moves left. As in Stockfish.
fn score_at_node(stored: i16, ply: usize, halfmove_clock: u16) -> Score {
    let (score, distance) = (Score(i32::from(stored)), ply as i32);
    let plies_to_win = score.plies_to_table().unwrap_or(Score::MATE.0.abs_diff(score.0.abs()));
    let comes_late = plies_to_win > 100 - u32::from(halfmove_clock.min(100));
    match (score.is_win(), score.is_loss()) {
        (true, _) if comes_late => Score::WIN_BOUND - 1,
        (_, true) if comes_late => -Score::WIN_BOUND + 1,
        (true, _) => score - distance,
        (_, true) => score + distance,
        _ => score,
    }
}

#[cfg(test)]
mod tests {
    use movegen::Square;

    use super::*;

    fn record(depth: i32) -> Record {
        Record {
            mv: Some(Move::normal(Square::E2, Square::E4)),
            score: Score(-37),
            bound: Bound::Lower,
            raw_eval: Some(Score(12)),
            depth,
            pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 3, 0), None);
        table.store(0x1234_5678_9ABC_DEF0, 3, &record(7));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 3, 0), Some(record(7)));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF1, 3, 0), None);
    }

    #[test]
    fn every_field_survives_packing() {
        let table = TranspositionTable::new(1);
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for raw_eval in [None, Some(Score(-4000))] {
                for (mv, pv, depth) in [(None, false, 0), (record(1).mv, true, 200)] {
                    let stored = Record { mv, score: Score(1500), bound, raw_eval, depth, pv };
                    let key = 0xABCD_0000_0000_0000 + depth as u64 * 7919;
                    let table = &TranspositionTable::new(1);
                    table.store(key, 0, &stored);
                    assert_eq!(table.probe(key, 0, 0), Some(stored));
                }
            }
        }
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn mates_are_counted_from_the_node_that_asks() {
        let table = TranspositionTable::new(1);
        for (score, seen) in [(Score::mate_in(9), Score::mate_in(7)), (Score::mated_in(8), Score::mated_in(6))] {
            table.store(99, 5, &Record { score, bound: Bound::Exact, ..record(7) });
            assert_eq!(table.probe(99, 3, 0).map(|hit| hit.score), Some(seen));
        }
    }

    #[test]
    fn wins_that_the_fifty_move_rule_comes_before_are_not_believed() {
        let table = TranspositionTable::new(1);
        let almost_won = Score::WIN_BOUND - 1;
        for (score, otherwise) in [
            (Score::mate_in(9), almost_won),
            (Score::mated_in(9), -almost_won),
            (Score::table_win_in(9), almost_won),
            (-Score::table_win_in(9), -almost_won),
        ] {
            table.store(99, 0, &Record { score, bound: Bound::Exact, ..record(7) });
            let seen = |clock| table.probe(99, 0, clock).map(|hit| hit.score);
            assert_eq!((seen(91), seen(92), seen(100)), (Some(score), Some(otherwise), Some(otherwise)));
        }
    }

    #[test]
    fn an_old_move_stays_when_a_new_record_has_none() {
        let table = TranspositionTable::new(1);
        table.store(5, 0, &record(4));
        table.store(5, 0, &Record { mv: None, depth: 6, ..record(6) });
        assert_eq!(table.probe(5, 0, 0), Some(record(6)));
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_and_oldest() {
        let table = TranspositionTable::new(1);
        let depths = [8, 2, 8];
        for (key, depth) in depths.into_iter().enumerate() {
            table.store(key as Key, 0, &record(depth));
        }
        table.store(3, 0, &record(5));
        let found = |table: &TranspositionTable| [0, 1, 2, 3, 4].map(|key| table.probe(key, 0, 0).is_some());
        assert_eq!(found(&table), [true, false, true, true, false]);
        table.age();
        table.store(2, 0, &record(8));
        table.store(3, 0, &record(5));
        table.store(4, 0, &record(1));
        assert_eq!(found(&table), [false, false, true, true, true]);
    }

    #[test]
    fn size_is_what_was_asked_for() {
        assert_eq!(TranspositionTable::new(3).mib(), 3);
        assert_eq!(TranspositionTable::new(0).mib(), 1);
    }
}
