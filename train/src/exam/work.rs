//! The work file of an exam that is being made: each label is a line, added as soon as it is found. Whatever ends the
//! process, the next one goes on where this one was; a line that was written half is cut off.
//!
//! The first line says what is made: another seed, network or number of nodes is another exam. A label's line is the
//! number of its unit, its place in it, how many positions the unit has, and the position as EPD. A unit without any has
//! a line that ends there.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use fs_err::{File, OpenOptions};

use crate::exam::draw::set_of;
use crate::exam::{Labelled, Set};

/// The most bytes that are read: those of a million labels.
const MAX_BYTES: u64 = 128 << 20;

/// A unit of positions: how many it has, and those labelled, by their place.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unit {
    count: usize,
    labelled: BTreeMap<usize, Labelled>,
}

/// A label: its unit, how many positions that has, and its place there; none of a unit without any.
pub type Found = (u64, usize, Option<(usize, Labelled)>);

/// What a work file holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    units: BTreeMap<u64, Unit>,
}

/// The positions of an exam, set by set.
pub type Sets = [Vec<Labelled>; Set::ALL.len()];

impl Labels {
    /// Reads a work file that another process may be adding to.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is the work file of another exam or none at all.
    pub fn read(path: &Path, terms: &str) -> io::Result<Self> {
        read_from(&mut File::open(path)?, path, &format!("{terms}\n")).map(|(labels, _)| labels)
    }

    fn add(&mut self, (unit, count, labelled): Found) {
        self.units.entry(unit).or_insert(Unit { count, labelled: BTreeMap::new() }).labelled.extend(labelled);
    }

    /// The places of a unit that have labels, if it was begun.
    #[must_use]
    pub fn places(&self, unit: u64) -> Option<Vec<usize>> {
        Some(self.units.get(&unit)?.labelled.keys().copied().collect())
    }

    /// Whether all of a unit is labelled.
    #[must_use]
    pub fn has_all(&self, unit: u64) -> bool {
        self.units.get(&unit).is_some_and(|unit| unit.labelled.len() >= unit.count)
    }

    /// At most so many positions of each set, in the order of the units, none twice. What is chosen does not depend on
    /// the order in which the labels came, if there are enough.
    #[must_use]
    pub fn choose(&self, most: usize) -> Sets {
        let mut seen = HashSet::new();
        Set::ALL.map(|set| {
            let units = self.units.iter().filter(|&(&unit, _)| set_of(unit) == set);
            let all = units.flat_map(|(_, unit)| unit.labelled.values());
            all.filter(|labelled| seen.insert(labelled.board.key())).take(most).cloned().collect()
        })
    }

    /// Which sets have so many different positions in their first units, before one that is not whole: then no later label
    /// changes what is [chosen](Self::choose).
    #[must_use]
    pub fn have_enough(&self, most: usize) -> [bool; Set::ALL.len()] {
        let mut seen = HashSet::new();
        Set::ALL.map(|set| {
            let units = (0..).filter(|&unit| set_of(unit) == set).take_while(|&unit| self.has_all(unit));
            let labelled = units.flat_map(|unit| self.units[&unit].labelled.values());
            labelled.filter(|labelled| seen.insert(labelled.board.key())).take(most).count() == most
        })
    }

    /// How many labels there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.units.values().map(|unit| unit.labelled.len()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A work file that is open for adding to it, by one process at a time.
#[derive(Debug)]
pub struct Work {
    file: File,
    /// Its length.
    written: u64,
    labels: Labels,
}

impl Work {
    /// Opens or creates a work file for an exam made as `terms` say, a line of text.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, another process has it open, or it is the work file of another exam or none at
    /// all; it then stays as it was.
    pub fn open(path: &Path, terms: &str) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if file.file().try_lock().is_err() {
            let text = format!("{} is being written by another process", path.display());
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
        }
        let head = format!("{terms}\n");
        let (labels, whole) = read_from(&mut file, path, &head)?;
        file.file().set_len(whole)?;
        let mut work = Self { file, written: whole, labels };
        if whole == 0 {
            work.append(&head)?;
        }
        Ok(work)
    }

    /// What there is.
    #[must_use]
    pub const fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Adds a label.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn add(&mut self, found: Found) -> io::Result<()> {
        let (unit, count, labelled) = &found;
        let line = match labelled {
            Some((place, labelled)) => format!("{unit} {place} {count} {labelled}\n"),
            None => format!("{unit} 0 0\n"),
        };
        self.append(&line)?;
        self.labels.add(found);
        Ok(())
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.written))?;
        self.file.write_all(line.as_bytes()).inspect_err(|_| {
            // What keeps bytes from being added does not keep them from being taken away.
            let _ = self.file.file().set_len(self.written);
        })?;
        self.written += line.len() as u64;
        Ok(())
    }
}

/// The labels of a work file, and how many bytes are whole lines.
fn read_from(file: &mut File, path: &Path, head: &str) -> io::Result<(Labels, u64)> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    let invalid = |fault| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {fault}", path.display()));
    read(&bytes, head).map_err(invalid)
}

/// The labels in the bytes of a work file, and how many bytes are whole lines.
fn read(bytes: &[u8], head: &str) -> Result<(Labels, u64), String> {
    let mut labels = Labels::default();
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    if whole == 0 && head.as_bytes().starts_with(bytes) {
        return Ok((labels, 0));
    }
    let text = str::from_utf8(&bytes[..whole]).ok().filter(|text| !text.is_empty()).ok_or("no work file of an exam")?;
    if !text.starts_with(head) {
        let found = text.lines().next().unwrap_or_default();
        return Err(format!("the work file of another exam: it begins with {found:?}, not with {:?}", head.trim_end()));
    }
    for (index, line) in text.lines().enumerate().skip(1) {
        labels.add(read_line(line).map_err(|fault| format!("line {}: {fault}", index + 1))?);
    }
    Ok((labels, whole as u64))
}

fn read_line(line: &str) -> Result<Found, String> {
    let mut words = line.splitn(4, ' ');
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).ok_or("no number");
    let (unit, place, count) = (number()?, number()? as usize, number()? as usize);
    match words.next() {
        Some(epd) if place < count => Ok((unit, count, Some((place, Labelled::parse(epd)?)))),
        None if count == 0 => Ok((unit, count, None)),
        _ => Err("no label".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    const TERMS: &str = "work of a test";

    /// The start position after random moves that a number decides, so that no two are equal.
    fn labelled(number: usize) -> Labelled {
        let mut board = Board::start();
        for digit in [number % 20, number / 20 % 20, number / 400] {
            let moves: Vec<_> = board.legal_moves().into_iter().collect();
            board.play(moves[digit], &mut ());
        }
        let board = crate::exam::set::without_counters(&board).unwrap();
        let best = board.legal_moves().into_iter().next().unwrap();
        Labelled { board, best, score: number as i16 - 9 }
    }

    /// Writes units of two positions, but the fourth has none.
    fn write(path: &Path, units: std::ops::Range<u64>) {
        let mut work = Work::open(path, TERMS).unwrap();
        for unit in units {
            if unit == 3 {
                work.add((unit, 0, None)).unwrap();
                continue;
            }
            for place in 0..2 {
                work.add((unit, 2, Some((place, labelled(2 * unit as usize + place))))).unwrap();
            }
        }
    }

    #[test]
    fn what_is_added_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work");
        write(&path, 0..10);
        let work = Work::open(&path, TERMS).unwrap();
        assert_eq!(
            (work.labels().len(), work.labels().places(9), work.labels().places(10)),
            (18, Some(vec![0, 1]), None)
        );
        assert!((0..10).all(|unit| work.labels().has_all(unit)) && !work.labels().has_all(10));
        assert_eq!(&Labels::read(&path, TERMS).unwrap(), work.labels());
        let busy = Work::open(&path, TERMS).unwrap_err();
        assert!(busy.to_string().ends_with("is being written by another process"), "{busy}");
    }

    #[test]
    fn a_cut_at_any_byte_costs_the_torn_line_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work");
        write(&path, 0..6);
        let whole = fs_err::read(&path).unwrap();
        let head = TERMS.len() + 1;
        for length in 0..=whole.len() {
            fs_err::write(&path, &whole[..length]).unwrap();
            let mut work = Work::open(&path, TERMS).unwrap();
            let kept = whole[..length].iter().rposition(|&byte| byte == b'\n').map_or(head, |last| last + 1);
            assert_eq!(fs_err::read(&path).unwrap(), whole[..kept], "{length}");
            work.add((9, 2, Some((1, labelled(40))))).unwrap();
            drop(work);
            let again = Labels::read(&path, TERMS).unwrap();
            assert_eq!(again.len(), whole[head..kept].split(|&byte| byte == b'/').count() / 7 + 1, "{length}");
        }
    }

    #[test]
    fn other_files_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work");
        for (text, complaint) in [
            ("work of another test\n", "the work file of another exam: it begins with \"work of another test\""),
            ("a text without an end", "no work file of an exam"),
            ("work of a test\n0 0 1 nonsense\n", "line 2: "),
            ("work of a test\n0 2 1 8/8/4k3/8/4K3/4P3/8/8 w - - bm Kd4; ce 1;\n", "line 2: no label"),
            ("work of a test\n0 0 1 8/8/4k3/8/4K3/4P3/8/8 w - - bm Kd4;\n", "line 2: no score (ce)"),
            ("work of a test\n0 0 1 8/8/4k3/8/4K3/4P3/8/8 w - - ce 5;\n", "line 2: no best move (bm)"),
            ("work of a test\n0 0 1 8/8/4k3/8/4K3/4P3/8/8 w - - bm Kh8; ce 5;\n", "line 2: "),
            ("work of a test\n0 0 1 8/8/4k3/8/4K3/4P3/8/8 w - - bm Kd4; ce 10001;\n", "line 2: no score from"),
            ("work of a test\n0 0 1\n", "line 2: no label"),
            ("work of a test\nx 0 1\n", "line 2: no number"),
        ] {
            fs_err::write(&path, text).unwrap();
            let error = Work::open(&path, TERMS).unwrap_err().to_string();
            assert!(error.contains(complaint) && error.contains("work: "), "{text}: {error}");
            assert_eq!(fs_err::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn none_is_chosen_twice_and_units_count_in_their_order() {
        let mut labels = Labels::default();
        // Units 0, 2 and 4 are of self-play, 1 of trees.
        for (unit, numbers) in [(4, [7, 8]), (0, [1, 2]), (1, [2, 3]), (2, [1, 5])] {
            numbers
                .iter()
                .enumerate()
                .for_each(|(place, &number)| labels.add((unit, 2, Some((place, labelled(number))))));
        }
        let numbers = |sets: &Sets| {
            Set::ALL.map(|set| sets[set as usize].iter().map(|labelled| labelled.score + 9).collect::<Vec<_>>())
        };
        assert_eq!(numbers(&labels.choose(9)), [vec![1, 2, 5, 7, 8], vec![3], vec![]]);
        assert_eq!(numbers(&labels.choose(3)), [vec![1, 2, 5], vec![3], vec![]]);
        assert_eq!(labels.have_enough(1), [true, true, false]);
        assert_eq!(labels.have_enough(5), [true, false, false]);
        labels.add((7, 2, Some((0, labelled(11)))));
        labels.add((3, 1, None));
        assert_eq!(labels.have_enough(2), [true, false, false], "a gap");
    }
}
