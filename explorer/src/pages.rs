//! A file in pages, each with a checksum, so that damage is seen before anything is believed.
//!
//! To those who read and write, the contents of the pages are one string of bytes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use crc32fast::Hasher;

/// What a page takes in the file.
pub const PAGE: usize = 4096;
/// What of it is contents; the checksum is behind.
pub const CONTENTS: usize = PAGE - 4;

/// The checksum of a page. Its number is part of it, so that pages cannot change places.
fn checksum(number: u64, contents: &[u8]) -> [u8; 4] {
    let mut hasher = Hasher::new();
    hasher.update(contents);
    hasher.update(&number.to_le_bytes());
    hasher.finalize().to_le_bytes()
}

/// Writes pages.
pub struct PageWriter<W> {
    output: W,
    page: Vec<u8>,
    pages: u64,
}

impl<W: Write> PageWriter<W> {
    pub const fn new(output: W) -> Self {
        Self { output, page: Vec::new(), pages: 0 }
    }

    /// How many bytes have been written, without checksums.
    pub const fn position(&self) -> u64 {
        self.pages * CONTENTS as u64 + self.page.len() as u64
    }

    pub fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.page.len() + bytes.len() >= CONTENTS {
            let (now, rest) = bytes.split_at(CONTENTS - self.page.len());
            self.page.extend_from_slice(now);
            self.output.write_all(&self.page)?;
            self.output.write_all(&checksum(self.pages, &self.page))?;
            self.pages += 1;
            self.page.clear();
            bytes = rest;
        }
        self.page.extend_from_slice(bytes);
        Ok(())
    }

    /// Fills the page up, so that what follows begins with one.
    pub fn end_page(&mut self) -> io::Result<()> {
        if self.page.is_empty() { Ok(()) } else { self.put(&vec![0; CONTENTS - self.page.len()]) }
    }

    pub fn into_inner(self) -> W {
        self.output
    }
}

/// Reads pages in any order.
pub struct PageReader {
    file: Mutex<File>,
    pages: u64,
}

impl PageReader {
    /// Of a file that has so many bytes; `None` if these are no whole pages.
    pub fn new(file: File, length: u64) -> Option<Self> {
        let pages = length / PAGE as u64;
        length.is_multiple_of(PAGE as u64).then(|| Self { file: Mutex::new(file), pages })
    }

    /// How many pages there are.
    pub const fn pages(&self) -> u64 {
        self.pages
    }

    /// Some bytes; of the kind [`io::ErrorKind::InvalidData`] if they are damaged, or are not all there.
    pub fn read(&self, position: u64, length: u64) -> io::Result<Vec<u8>> {
        let damaged = || io::Error::from(io::ErrorKind::InvalidData);
        let end = position.checked_add(length).filter(|&end| end <= self.pages * CONTENTS as u64);
        let end = end.ok_or_else(damaged)?;
        let mut bytes = Vec::new();
        let mut at = position;
        while at < end {
            let (number, from) = (at / CONTENTS as u64, (at % CONTENTS as u64) as usize);
            let to = CONTENTS.min(from + (end - at).min(CONTENTS as u64) as usize);
            bytes.extend_from_slice(&self.page(number)?.ok_or_else(damaged)?[from..to]);
            at += (to - from) as u64;
        }
        Ok(bytes)
    }

    /// The contents of a page; `None` if they are damaged.
    fn page(&self, number: u64) -> io::Result<Option<[u8; CONTENTS]>> {
        let mut page = [0; PAGE];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(number * PAGE as u64))?;
        file.read_exact(&mut page)?;
        drop(file);
        let contents = page.first_chunk().copied().unwrap_or([0; CONTENTS]);
        Ok((page[CONTENTS..] == checksum(number, &contents)).then_some(contents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(bytes: &[u8]) -> PageReader {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        PageReader::new(file, bytes.len() as u64).unwrap()
    }

    #[test]
    fn all_that_is_written_can_be_read_anywhere() {
        let bytes: Vec<_> = (0..30_000_u32).map(|number| ((number * number) >> 7) as u8).collect();
        let mut writer = PageWriter::new(Vec::new());
        bytes.chunks(997).for_each(|part| writer.put(part).unwrap());
        assert_eq!(writer.position(), 30_000);
        writer.end_page().unwrap();
        let file = writer.into_inner();
        assert_eq!(file.len(), 8 * PAGE);
        let reader = pages(&file);
        for (position, length) in [(0, 30_000), (0, 0), (4091, 1), (4091, 2), (4092, 5000), (29_999, 1)] {
            let expected = &bytes[position..position + length];
            assert_eq!(reader.read(position as u64, length as u64).unwrap(), expected, "{position} {length}");
        }
        for (position, length) in [(32_736, 1), (0, 32_737), (u64::MAX, 2)] {
            assert_eq!(reader.read(position, length).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
    }

    #[test]
    fn damage_is_seen() {
        let mut writer = PageWriter::new(Vec::new());
        writer.put(&[7; 3 * CONTENTS]).unwrap();
        let file = writer.into_inner();
        let fails =
            |bytes: &[u8]| (0..3).map(|page| pages(bytes).read(page * CONTENTS as u64, 1).is_err()).collect::<Vec<_>>();
        let swapped = [&file[..PAGE], &file[2 * PAGE..], &file[PAGE..2 * PAGE]].concat();
        assert_eq!(fails(&swapped), [false, true, true]);
        for place in [PAGE, PAGE + 100, 2 * PAGE - 1] {
            let mut changed = file.clone();
            changed[place] ^= 4;
            assert_eq!(fails(&changed), [false, true, false], "{place}");
        }
        assert!(PageReader::new(tempfile::tempfile().unwrap(), 4097).is_none());
    }
}
