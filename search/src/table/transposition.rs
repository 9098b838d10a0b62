//! The transposition table (TT), shared by all threads without locks.
//!
//! A cluster of 32 bytes holds three entries of one 64-bit word each, and a word with their 16-bit keys. A key is
//! mixed with its entry, so a read torn between two writes does not match and counts as a miss.
//!
//! Source: the Chess Programming Wiki, "Transposition Table" and "Shared Hash Table" (R. Hyatt, T. Mann); replacement
//! by depth and generation, stored evaluations, prefetching and parallel clearing follow Stockfish.

use std::num::NonZero;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use bytemuck::allocation::try_zeroed_slice_box;
use movegen::Key;
use platform::{advise_huge_pages, has_room, prefetch};

use crate::table::entry::{PackedEntry, TTEntry};
use crate::table::memory::{CACHE_LINE, WORDS_PER_MIB, most_mib};
use crate::types::params;
use crate::types::score::{Bound, Score};

const CLUSTER_LEN: usize = 3;
const KEY_BITS: u32 = 16;
/// Generations are counted modulo this.
const GENERATIONS: u8 = 32;

/// The keys, then the entries.
type Cluster = [AtomicU64; 1 + CLUSTER_LEN];

/// Below this, clearing is done before a helper thread has started.
const MIN_SHARE_MIB: usize = 16;

/// For a thread that only clears memory, in bytes.
const HELPER_STACK: usize = 256 << 10;

/// The table. Reading and writing take `&self` from any thread.
pub struct TranspositionTable {
    /// Room for the clusters, with some to spare so that none crosses a cache line.
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
                // Even without a single MiB, a table of one cluster lets the engine play.
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

    /// Clears all entries, with the help of other threads if the table is large.
    pub fn clear(&self) {
        self.generation.store(0, Relaxed);
        // To ask how many processors there are takes longer than to clear a small table.
        if self.room.len() <= MIN_SHARE_MIB * WORDS_PER_MIB {
            return zero(&self.room);
        }
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = self.room.len().div_ceil(threads).max(MIN_SHARE_MIB * WORDS_PER_MIB);
        let (own, others) = self.room.split_at(share.min(self.room.len()));
        thread::scope(|scope| {
            for words in others.chunks(share) {
                // If the system grants no more threads, this one does the work.
                let helper = || thread::Builder::new().stack_size(HELPER_STACK).spawn_scoped(scope, || zero(words));
                if !has_room(HELPER_STACK) || helper().is_err() {
                    zero(words);
                }
            }
            zero(own);
        });
    }

    /// Begins a new generation, once for each search: all entries become one search older.
    pub fn age(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    /// The entry of a position, with mates counted from `ply`. A win or loss that the fifty-move rule would come before,
    /// counted from `halfmove_clock`, is returned as not quite decisive.
    #[must_use]
    pub fn probe(&self, key: Key, ply: usize, halfmove_clock: u16) -> Option<TTEntry> {
        let [keys, words @ ..] = self.cluster(key);
        let keys = keys.load(Relaxed);
        (0..CLUSTER_LEN).find_map(|slot| {
            let word = PackedEntry(words[slot].load(Relaxed));
            (key_in(keys, slot) == word.mix(key) && word.bound().is_some()).then(|| word.unpack(ply, halfmove_clock))?
        })
    }

    /// The static evaluation of a position, stored by itself or with its entry.
    #[must_use]
    pub fn probe_eval(&self, key: Key) -> Option<Score> {
        let [keys, words @ ..] = self.cluster(key);
        let keys = keys.load(Relaxed);
        (0..CLUSTER_LEN).find_map(|slot| {
            let word = PackedEntry(words[slot].load(Relaxed));
            (word.0 != 0 && key_in(keys, slot) == word.mix(key)).then(|| word.raw_eval())?
        })
    }

    /// Stores the static evaluation of a position that has no entry. Any entry replaces it first.
    pub fn store_eval(&self, key: Key, raw_eval: Score) {
        let [key_word, words @ ..] = self.cluster(key);
        let olds = std::array::from_fn::<_, CLUSTER_LEN, _>(|slot| PackedEntry(words[slot].load(Relaxed)));
        self.write(
            key,
            key_word.load(Relaxed),
            self.least_valuable(&olds),
            PackedEntry::of_eval(raw_eval, self.generation()),
        );
    }

    /// Stores an entry, unless a more valuable one of the same position is there.
    pub fn store(&self, key: Key, ply: usize, entry: &TTEntry) {
        let [key_word, words @ ..] = self.cluster(key);
        let keys = key_word.load(Relaxed);
        let olds = std::array::from_fn::<_, CLUSTER_LEN, _>(|slot| PackedEntry(words[slot].load(Relaxed)));
        let same = (0..CLUSTER_LEN).find(|&slot| key_in(keys, slot) == olds[slot].mix(key));
        let slot = same.unwrap_or_else(|| self.least_valuable(&olds));

        let old = olds[slot];
        let mut entry = *entry;
        if same.is_some() && old.bound().is_some() {
            entry.mv = entry.mv.or(old.mv());
            let keeps = entry.bound != Bound::Exact
                && old.generation() == self.generation()
                && entry.depth + params::tt_depth_slack() + params::tt_pv_slack() * i32::from(entry.pv) <= old.depth();
            if keeps {
                return;
            }
        }
        self.write(key, keys, slot, PackedEntry::pack(&entry, ply, self.generation()));
    }

    /// Writes an entry into a slot of its cluster, whose keys are `keys`.
    #[inline]
    fn write(&self, key: Key, keys: u64, slot: usize, word: PackedEntry) {
        let [key_word, words @ ..] = self.cluster(key);
        let shift = slot as u32 * KEY_BITS;
        words[slot].store(word.0, Relaxed);
        key_word.store(keys & !(0xFFFF << shift) | u64::from(word.mix(key)) << shift, Relaxed);
    }

    /// Prefetches the cluster of a position.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.cluster(key));
    }

    /// The share of a sample of entries that the current search has written, in thousandths.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        const SAMPLE: usize = 1000;
        let generation = self.generation();
        let sample = &self.clusters()[..SAMPLE.min(self.clusters().len())];
        let used = sample
            .iter()
            .flat_map(|[_, words @ ..]| words)
            .map(|word| PackedEntry(word.load(Relaxed)))
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
        // The same number wherever the allocation lies, so that a key has the same cluster in every run.
        self.room[self.first..][..self.room.len() - CACHE_LINE].as_chunks().0
    }

    /// The slot of a cluster to write to.
    #[inline]
    fn least_valuable(&self, olds: &[PackedEntry; CLUSTER_LEN]) -> usize {
        (0..CLUSTER_LEN).min_by_key(|&slot| self.replacement_priority(olds[slot])).unwrap_or_default()
    }

    /// The entry of a cluster with the lowest priority is replaced.
    fn replacement_priority(&self, packed: PackedEntry) -> i32 {
        if packed.bound().is_none() {
            return i32::MIN;
        }
        let age = (GENERATIONS + self.generation() - packed.generation()) % GENERATIONS;
        packed.depth() - params::tt_age_weight() * i32::from(age)
    }
}

fn zero(words: &[AtomicU64]) {
    words.iter().for_each(|word| word.store(0, Relaxed));
}

#[inline]
fn key_in(keys: u64, slot: usize) -> u16 {
    (keys >> (slot as u32 * KEY_BITS)) as u16
}

#[cfg(test)]
mod tests {
    use movegen::{Move, Square};

    use super::*;
    use crate::types::score::Score;

    fn entry(depth: i32) -> TTEntry {
        TTEntry {
            mv: Some(Move::normal(Square::E2, Square::E4)),
            score: Score(-37),
            bound: Bound::Lower,
            raw_eval: Some(Score(12)),
            depth,
            pv: true,
        }
    }

    #[test]
    fn stored_entries_are_found_and_no_others() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 3, 0), None);
        table.store(0x1234_5678_9ABC_DEF0, 3, &entry(7));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 3, 0), Some(entry(7)));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF1, 3, 0), None);
    }

    #[test]
    fn every_field_survives_packing() {
        let table = TranspositionTable::new(1);
        let mut key = 0xABCD_0000_0000_0000;
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for raw_eval in [None, Some(Score(-4000))] {
                for (mv, pv, depth) in [(None, false, 0), (entry(1).mv, true, 200)] {
                    let stored = TTEntry { mv, score: Score(1500), bound, raw_eval, depth, pv };
                    key += 7919;
                    table.store(key, 0, &stored);
                    assert_eq!(table.probe(key, 0, 0), Some(stored));
                }
            }
        }
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn an_evaluation_alone_is_no_entry_and_gives_way_to_any() {
        let table = TranspositionTable::new(1);
        let key = 0x1234_5678_9ABC_DEF0;
        for eval in [Score(0), Score(-312), Score(4321)] {
            table.clear();
            assert_eq!(table.probe_eval(key), None);
            table.store_eval(key, eval);
            assert_eq!((table.probe_eval(key), table.probe(key, 0, 0)), (Some(eval), None));
            assert_eq!(table.probe_eval(key ^ 1), None);
        }
        // Three more positions of the cluster: the first to go is the evaluation.
        table.store(key ^ 1, 0, &entry(1));
        table.store(key ^ 2, 0, &entry(2));
        table.store(key ^ 3, 0, &entry(3));
        assert_eq!(table.probe_eval(key), None);
        for (other, depth) in [(key ^ 1, 1), (key ^ 2, 2), (key ^ 3, 3)] {
            assert_eq!((table.probe(other, 0, 0), table.probe_eval(other)), (Some(entry(depth)), Some(Score(12))));
        }
        table.store(key ^ 3, 0, &TTEntry { raw_eval: None, ..entry(9) });
        assert_eq!(table.probe_eval(key ^ 3), None);
    }

    #[test]
    fn mates_are_counted_from_the_node_that_asks() {
        let table = TranspositionTable::new(1);
        for (score, seen) in [(Score::mate_in(9), Score::mate_in(7)), (Score::mated_in(8), Score::mated_in(6))] {
            table.store(99, 5, &TTEntry { score, bound: Bound::Exact, ..entry(7) });
            assert_eq!(table.probe(99, 3, 0).map(|hit| hit.score), Some(seen));
        }
    }

    #[test]
    fn wins_beyond_the_fifty_move_rule_are_not_returned_as_wins() {
        let table = TranspositionTable::new(1);
        let almost_won = Score::WIN_BOUND - 1;
        for (score, otherwise) in [
            (Score::mate_in(9), almost_won),
            (Score::mated_in(9), -almost_won),
            (Score::table_win_in(9), almost_won),
            (-Score::table_win_in(9), -almost_won),
        ] {
            table.store(99, 0, &TTEntry { score, bound: Bound::Exact, ..entry(7) });
            let seen = |clock| table.probe(99, 0, clock).map(|hit| hit.score);
            assert_eq!((seen(91), seen(92), seen(100)), (Some(score), Some(otherwise), Some(otherwise)));
        }
    }

    #[test]
    fn an_old_move_stays_when_a_new_entry_has_none() {
        let table = TranspositionTable::new(1);
        table.store(5, 0, &entry(4));
        table.store(5, 0, &TTEntry { mv: None, depth: 6, ..entry(6) });
        assert_eq!(table.probe(5, 0, 0), Some(entry(6)));
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_and_oldest() {
        let table = TranspositionTable::new(1);
        let depths = [8, 2, 8];
        for (key, depth) in depths.into_iter().enumerate() {
            table.store(key as Key, 0, &entry(depth));
        }
        table.store(3, 0, &entry(5));
        let found = |table: &TranspositionTable| [0, 1, 2, 3, 4].map(|key| table.probe(key, 0, 0).is_some());
        assert_eq!(found(&table), [true, false, true, true, false]);
        table.age();
        table.store(2, 0, &entry(8));
        table.store(3, 0, &entry(5));
        table.store(4, 0, &entry(1));
        assert_eq!(found(&table), [false, false, true, true, true]);
    }

    #[test]
    fn size_is_what_was_asked_for() {
        assert_eq!(TranspositionTable::new(3).mib(), 3);
        assert_eq!(TranspositionTable::new(0).mib(), 1);
    }
}
