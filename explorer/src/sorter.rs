//! More notes than memory holds, in order.
//!
//! Notes are gathered in memory; when there are many, they are sorted and put aside as a run, and at the end all runs are
//! merged. The runs lie one behind the other in one file without a name, since systems limit how many files are open.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// How many notes are kept in memory before they are put aside: 16 bytes each.
const MAX_NOTES: usize = 1 << 24;
/// What a note takes aside, in bytes.
const NOTE_LEN: usize = 14;
/// How many notes of a run are read at a time.
const READ: usize = 1 << 13;

/// That a move was played in a position. Notes are sorted by their fields in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Note {
    /// The key of the position.
    pub key: u64,
    /// The move, in whatever code its user has for it.
    pub mv: u16,
    /// What is noted of it, such as the number of the game.
    pub value: u32,
}

impl Note {
    /// As a number that is sorted as the note is.
    fn packed(self) -> u128 {
        u128::from(self.key) << 48 | u128::from(self.mv) << 32 | u128::from(self.value)
    }

    const fn unpacked(packed: u128) -> Self {
        Self { key: (packed >> 48) as u64, mv: (packed >> 32) as u16, value: packed as u32 }
    }
}

/// Takes notes in any order and gives them back in theirs.
#[derive(Debug)]
pub struct Sorter {
    here: Vec<u128>,
    /// How many notes are put aside together.
    most: usize,
    aside: Option<Aside>,
}

/// The file of the runs, and how many notes each has.
#[derive(Debug)]
struct Aside {
    file: BufWriter<File>,
    runs: Vec<u64>,
}

impl Default for Sorter {
    fn default() -> Self {
        Self::new(MAX_NOTES)
    }
}

impl Sorter {
    /// One that keeps so many notes in memory.
    fn new(most: usize) -> Self {
        Self { here: Vec::new(), most, aside: None }
    }

    /// Adds a note.
    ///
    /// # Errors
    ///
    /// If there is neither memory nor space on disk for it.
    pub fn add(&mut self, note: Note) -> io::Result<()> {
        if self.here.len() >= self.most {
            self.put_aside()?;
        }
        if self.here.len() == self.here.capacity() {
            self.here.try_reserve(1).map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        }
        self.here.push(note.packed());
        Ok(())
    }

    /// How many notes there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        let aside: u64 = self.aside.iter().flat_map(|aside| &aside.runs).sum();
        aside + self.here.len() as u64
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn put_aside(&mut self) -> io::Result<()> {
        self.here.sort_unstable();
        let aside = match &mut self.aside {
            Some(aside) => aside,
            aside => aside.insert(Aside { file: BufWriter::new(tempfile::tempfile()?), runs: Vec::new() }),
        };
        self.here.iter().try_for_each(|note| aside.file.write_all(&note.to_be_bytes()[16 - NOTE_LEN..]))?;
        aside.runs.push(self.here.len() as u64);
        self.here.clear();
        Ok(())
    }

    /// All notes in order. Those that are equal all come.
    ///
    /// # Errors
    ///
    /// If what was put aside cannot be read.
    pub fn sorted(mut self) -> io::Result<impl Iterator<Item = io::Result<Note>>> {
        self.here.sort_unstable();
        let (file, lengths) = match self.aside {
            Some(aside) => (Some(aside.file.into_inner().map_err(io::IntoInnerError::into_error)?), aside.runs),
            None => (None, Vec::new()),
        };
        let mut begin = 0;
        let mut runs: Vec<_> = lengths.iter().map(|&left| Run::of_file(&mut begin, left)).collect();
        runs.push(Run { notes: self.here, at: 0, next: 0, left: 0 });
        let mut merge = Merge { file, runs, heads: BinaryHeap::new() };
        for run in 0..merge.runs.len() {
            merge.advance(run)?;
        }
        Ok(merge)
    }
}

/// A run that is being read: some of its notes, and where the others lie.
struct Run {
    notes: Vec<u128>,
    at: usize,
    /// Where in the file the next ones begin, in bytes.
    next: u64,
    /// How many notes there are from there.
    left: u64,
}

impl Run {
    fn of_file(begin: &mut u64, left: u64) -> Self {
        let next = *begin;
        *begin += left * NOTE_LEN as u64;
        Self { notes: Vec::new(), at: 0, next, left }
    }

    fn take(&mut self, file: Option<&mut File>) -> io::Result<Option<u128>> {
        if let (true, 1.., Some(file)) = (self.at >= self.notes.len(), self.left, file) {
            let count = self.left.min(READ as u64) as usize;
            let mut bytes = vec![0; count * NOTE_LEN];
            file.seek(SeekFrom::Start(self.next))?;
            file.read_exact(&mut bytes)?;
            let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u128::from(byte));
            self.notes.clear();
            self.notes.extend(bytes.chunks_exact(NOTE_LEN).map(number));
            (self.at, self.next, self.left) = (0, self.next + bytes.len() as u64, self.left - count as u64);
        }
        let note = self.notes.get(self.at).copied();
        self.at += 1;
        Ok(note)
    }
}

/// The runs, merged.
struct Merge {
    file: Option<File>,
    runs: Vec<Run>,
    /// The next note of each run that has one, with the run.
    heads: BinaryHeap<Reverse<(u128, usize)>>,
}

impl Merge {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        if let Some(note) = self.runs[run].take(self.file.as_mut())? {
            self.heads.push(Reverse((note, run)));
        }
        Ok(())
    }
}

impl Iterator for Merge {
    type Item = io::Result<Note>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((note, run)) = self.heads.pop()?;
        Some(self.advance(run).map(|()| Note::unpacked(note)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_in_order_wherever_they_lay() {
        let extremes = [0, 1, 7, u64::MAX - 1, u64::MAX];
        let notes: Vec<_> = (0..30_000_u64)
            .map(|number| {
                let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let key = if number % 5 == 0 { extremes[mixed as usize % 5] } else { mixed % 1000 };
                Note { key, mv: (mixed >> 40) as u16 % 4, value: (mixed >> 20) as u32 }
            })
            .collect();
        let mut expected = notes.clone();
        expected.sort_unstable();
        // In memory alone, in runs longer than what is read at a time, and in very many runs.
        for most in [1 << 20, 10_000, 7] {
            let mut sorter = Sorter::new(most);
            notes.iter().for_each(|&note| sorter.add(note).unwrap());
            assert_eq!((sorter.len(), sorter.is_empty()), (notes.len() as u64, false));
            let sorted: Vec<_> = sorter.sorted().unwrap().map(Result::unwrap).collect();
            assert!(sorted == expected, "{most}");
        }
        assert_eq!(Sorter::default().sorted().unwrap().count(), 0);
    }
}
