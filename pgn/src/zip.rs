//! The files in a ZIP archive as one text, in their order, read as a stream: opening books come in this form.
//!
//! Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 4.3.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::{Crc, Decompress, FlushDecompress, Status};

const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// What follows the last file.
const DIRECTORY: [[u8; 4]; 2] = [*b"PK\x01\x02", *b"PK\x05\x06"];

/// How the names of files end that have games or positions, and perhaps beyond that if they are packed once more.
const TEXTS: [&str; 8] = [".pgn", ".epd", ".fen", ".txt", ".csv", ".tsv", ".jsonl", ".ndjson"];
const PACKED: [&str; 5] = [".gz", ".bz2", ".zst", ".xz", ".zip"];

/// Bytes that are passed over at a time.
const BUFFER: usize = 1 << 13;

/// Flags of a file: encrypted; its sizes and checksum follow it.
const ENCRYPTED: u16 = 1;
const DESCRIBED: u16 = 8;
/// Methods of compression.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// The extra field with sizes of 64 bits.
const LONG_SIZES: u16 = 1;

/// What a file is read from.
type Input = Box<dyn BufRead + Send>;
/// How the bytes of a file become those of its text.
type Unpack = Box<dyn Fn(Input) -> io::Result<Input> + Send>;

/// Reads the files of an archive that begins here. Folders, what macOS adds of its own, and files without games or
/// positions are left out.
pub(super) struct Zip<R> {
    archive: Arc<Mutex<Archive<R>>>,
    /// Takes apart what a file has in other forms.
    unpack: Unpack,
    /// What is left of the file being read, unpacked.
    text: Option<Input>,
    ends_line: bool,
    is_over: bool,
}

impl<R: BufRead + Send + 'static> Zip<R> {
    pub fn new(input: R, unpack: Unpack) -> Self {
        let archive = Arc::new(Mutex::new(Archive { input, file: None }));
        Self { archive, unpack, text: None, ends_line: true, is_over: false }
    }

    /// Goes on to the next file with games or positions; there may be none.
    fn begin(&mut self) -> io::Result<()> {
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            archive.finish()?;
            archive.file = archive.begin()?;
            match &archive.file {
                None => self.is_over = true,
                Some(file) if !file.is_wanted => continue,
                Some(_) => {
                    drop(archive);
                    let file = BufReader::new(Contents(Arc::clone(&self.archive)));
                    self.text = Some((self.unpack)(Box::new(file))?);
                }
            }
            return Ok(());
        }
    }
}

impl<R: BufRead + Send + 'static> Read for Zip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while !self.is_over {
            let Some(text) = &mut self.text else {
                self.begin()?;
                continue;
            };
            let length = text.read(buffer)?;
            if let Some(last) = buffer[..length].last() {
                self.ends_line = *last == b'\n';
                return Ok(length);
            }
            self.text = None;
            if !std::mem::replace(&mut self.ends_line, true) {
                // The next file begins on a line of its own.
                buffer[0] = b'\n';
                return Ok(1);
            }
        }
        Ok(0)
    }
}

/// The contents of the file that an archive is at.
struct Contents<R>(Arc<Mutex<Archive<R>>>);

impl<R: BufRead> Read for Contents<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(buffer)
    }
}

/// An archive as it is stored.
struct Archive<R> {
    input: R,
    file: Option<File>,
}

/// The file being read.
struct File {
    body: Body,
    crc: Crc,
    /// The checksum; if none it follows the file, with sizes of so many bytes.
    expected: Result<u32, u64>,
    is_wanted: bool,
}

enum Body {
    /// With so many bytes left.
    Stored(u64),
    Deflated(Box<Decompress>),
    Finished,
}

impl<R: BufRead> Archive<R> {
    /// Reads the header of the next file; none at the end.
    fn begin(&mut self) -> io::Result<Option<File>> {
        match self.bytes()? {
            LOCAL_HEADER => {}
            signature if DIRECTORY.contains(&signature) => return Ok(None),
            _ => return Err(damaged("no header where one should be")),
        }
        let [_version, flags, method, _time, _date] = self.numbers()?;
        let (crc, size) = (u32::from_le_bytes(self.bytes()?), u32::from_le_bytes(self.bytes()?));
        self.bytes::<4>()?;
        let [name_length, extra_length] = self.numbers()?;
        let (name, extra) = (self.some(name_length)?, self.some(extra_length)?);
        if flags & ENCRYPTED != 0 {
            return Err(damaged("it is encrypted"));
        }
        let has_long_sizes = extra.starts_with(&LONG_SIZES.to_le_bytes());
        let is_described = flags & DESCRIBED != 0;
        let body = match method {
            DEFLATED => Body::Deflated(Box::new(Decompress::new(false))),
            STORED if !is_described && !has_long_sizes => Body::Stored(size.into()),
            STORED => return Err(damaged("a file without compression does not say how long it is")),
            _ => return Err(damaged(&format!("compression method {method} is not known"))),
        };
        let name = String::from_utf8_lossy(&name).to_lowercase();
        let plain = PACKED.into_iter().find_map(|ending| name.strip_suffix(ending));
        let is_text =
            name.ends_with(".zip") || TEXTS.into_iter().any(|ending| plain.unwrap_or(&name).ends_with(ending));
        let is_wanted = is_text && !name.starts_with("__macosx/");
        let expected = if is_described { Err(if has_long_sizes { 16 } else { 8 }) } else { Ok(crc) };
        Ok(Some(File { body, crc: Crc::new(), expected, is_wanted }))
    }

    /// Reads of the contents of the file; nothing at its end.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.read(&mut self.input, buffer))
    }

    /// Passes over what is left of the file, and checks it.
    fn finish(&mut self) -> io::Result<()> {
        let mut rest = vec![0; if self.file.is_some() { BUFFER } else { 0 }];
        while self.read(&mut rest)? > 0 {}
        self.file.take().map_or(Ok(()), |file| self.end(&file))
    }

    /// Checks what has been read of a file, beyond which the next one begins.
    fn end(&mut self, file: &File) -> io::Result<()> {
        let expected = match file.expected {
            Ok(crc) => crc,
            Err(sizes) => {
                let first = self.bytes()?;
                let crc = if first == DESCRIPTOR { self.bytes()? } else { first };
                io::copy(&mut self.input.by_ref().take(sizes), &mut io::sink())?;
                u32::from_le_bytes(crc)
            }
        };
        if file.crc.sum() == expected { Ok(()) } else { Err(damaged("the checksum is wrong")) }
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn numbers<const N: usize>(&mut self) -> io::Result<[u16; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = u16::from_le_bytes(self.bytes()?);
        }
        Ok(numbers)
    }

    fn some(&mut self, length: u16) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length.into()];
        self.input.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl File {
    /// As [`Read::read`], of what the file contains.
    fn read(&mut self, input: &mut impl BufRead, buffer: &mut [u8]) -> io::Result<usize> {
        let length = match &mut self.body {
            Body::Finished => 0,
            Body::Stored(left) => {
                let length = input.by_ref().take(*left).read(buffer)?;
                if length == 0 && *left > 0 {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                *left -= length as u64;
                length
            }
            Body::Deflated(decompress) => {
                let (length, is_at_end) = inflate(decompress, input, buffer)?;
                if is_at_end {
                    self.body = Body::Finished;
                }
                length
            }
        };
        self.crc.update(&buffer[..length]);
        Ok(length)
    }
}

/// Inflates something, and says whether that was all; nothing only then.
fn inflate(decompress: &mut Decompress, input: &mut impl BufRead, buffer: &mut [u8]) -> io::Result<(usize, bool)> {
    loop {
        let available = input.fill_buf()?;
        let is_cut_off = available.is_empty();
        let (taken, given) = (decompress.total_in(), decompress.total_out());
        let status = decompress.decompress(available, buffer, FlushDecompress::None).map_err(io::Error::other)?;
        let taken = (decompress.total_in() - taken) as usize;
        input.consume(taken);
        let length = (decompress.total_out() - given) as usize;
        let is_at_end = status == Status::StreamEnd;
        if length > 0 || is_at_end {
            return Ok((length, is_at_end));
        }
        if is_cut_off {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if taken == 0 {
            return Err(damaged("it cannot be decompressed"));
        }
    }
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// An archive of files by name, contents, method and whether their sizes follow them.
    fn archive(files: &[(&str, &[u8], u16, bool)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &(name, text, method, is_described) in files {
            let body = if method == DEFLATED {
                let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(text).unwrap();
                encoder.finish().unwrap()
            } else {
                text.to_vec()
            };
            let mut crc = Crc::new();
            crc.update(text);
            let sums = [crc.sum(), body.len() as u32, text.len() as u32];
            let flags = if is_described { DESCRIBED } else { 0 };
            bytes.extend(LOCAL_HEADER);
            [20, flags, method, 0, 0].iter().for_each(|number: &u16| bytes.extend(number.to_le_bytes()));
            sums.iter().for_each(|sum| bytes.extend(if is_described { [0; 4] } else { sum.to_le_bytes() }));
            [name.len() as u16, 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            bytes.extend(name.as_bytes());
            bytes.extend(body);
            if is_described {
                bytes.extend(DESCRIPTOR);
                sums.iter().for_each(|sum| bytes.extend(sum.to_le_bytes()));
            }
        }
        bytes.extend(DIRECTORY[0]);
        bytes.extend([0; 60]);
        bytes
    }

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        // In small parts, as a pipe may give them.
        Zip::new(BufReader::with_capacity(7, io::Cursor::new(bytes.to_vec())), Box::new(Ok))
            .read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn files_follow_one_another() {
        let long = "a line of a book\n".repeat(5_000);
        let bytes = archive(&[
            ("books/", b"", STORED, false),
            ("books/a.epd", long.as_bytes(), DEFLATED, false),
            ("books/b.epd", b"no end of line", STORED, false),
            ("__MACOSX/b.epd", b"not wanted", DEFLATED, false),
            ("books/c.epd", long.as_bytes(), DEFLATED, true),
        ]);
        assert_eq!(read(&bytes).unwrap(), format!("{long}no end of line\n{long}"));
    }

    fn unpacked(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        crate::input::text_of(io::Cursor::new(bytes.to_vec()))?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn files_may_be_packed_once_more() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"1. d4 *\n").unwrap();
        let gzip = encoder.finish().unwrap();
        let zstandard = zstd::encode_all(&b"1. c4 *"[..], 3).unwrap();
        let inner = archive(&[("d.pgn", b"1. f4 *\n", DEFLATED, true), ("e.pgn.gz", &gzip, STORED, false)]);
        let files: [(&str, &[u8], u16, bool); 6] = [
            ("a.pgn", b"1. e4 *\n", STORED, false),
            ("B.PGN.GZ", &gzip, DEFLATED, true),
            ("c.pgn.zst", &zstandard, STORED, false),
            ("d.png.gz", &gzip, STORED, false),
            ("inner.zip", &inner, DEFLATED, false),
            ("f.pgn", b"1. g3 *\n", DEFLATED, true),
        ];
        let wanted = "1. e4 *\n1. d4 *\n1. c4 *\n1. f4 *\n1. d4 *\n1. g3 *\n";
        assert_eq!(unpacked(&archive(&files)).unwrap(), wanted);
        let cut = &gzip[..gzip.len() - 1];
        let error = unpacked(&archive(&[("a.pgn.gz", cut, STORED, false)])).unwrap_err().to_string();
        assert!(error.starts_with("damaged ZIP data: damaged gzip data: "), "{error}");
        let deep = (0..4).fold(b"1. e4 *".to_vec(), |inner, _| archive(&[("a.zip", &inner, STORED, false)]));
        assert!(unpacked(&deep).unwrap_err().to_string().contains("unpack it first"));
    }

    #[test]
    fn damage_is_an_error_wherever_it_is() {
        let text = "1. e4 e5 *\n".repeat(50);
        let text = text.as_bytes();
        let good = archive(&[("a.pgn", text, DEFLATED, true), ("b.pgn", text, STORED, false)]);
        assert!(read(&good).is_ok());
        for length in 0..good.len() - 64 {
            assert!(read(&good[..length]).is_err(), "cut off after {length} bytes");
        }
        let change = |place: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[place] = value;
            read(&bytes).unwrap_err().to_string()
        };
        assert_eq!(change(6, 9), "it is encrypted");
        assert_eq!(change(8, 14), "compression method 14 is not known");
        assert_eq!(change(good.len() - 70, b'?'), "the checksum is wrong");
    }
}
