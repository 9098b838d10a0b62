//! Files of games and positions as text, however they are stored.
//!
//! Collections come compressed (Lichess in Zstandard, others in gzip, bzip2, xz or ZIP), and what PowerShell's `>` writes
//! is UTF-16. All of it is recognised by its first bytes, whatever the file is called, and decoded while it is read: memory
//! does not grow with the file. What is neither is passed on as it is.

mod encoding;
mod unpacked;

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::GzDecoder;
use fs_err::File;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use self::encoding::Mixed;
use self::unpacked::Unpacked;
use crate::zip::Zip;

/// What is read from.
type Input = Box<dyn BufRead + Send>;

/// How many forms may lie in each other: a compressed archive of compressed files.
const LAYERS: usize = 3;
/// Bytes that are decoded at a time.
const BUFFER: usize = 1 << 16;

/// Opens a file, or the standard input for `-`, as text.
///
/// # Errors
///
/// If it cannot be opened or its beginning not be read. Errors while reading on are those of the file, or of the kind
/// [`io::ErrorKind::InvalidData`] if it is damaged.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if path.as_os_str() == "-" {
        text_of(BufReader::new(io::stdin()))
    } else {
        check_kind(path)?;
        text_of(BufReader::new(File::open(path)?))
    }
}

/// The text of an input, which may be compressed, an archive, or in UTF-16.
pub struct InputText {
    text: Mixed<Input>,
    is_packed: bool,
}

impl InputText {
    /// The text of this input.
    ///
    /// # Errors
    ///
    /// If its beginning cannot be read.
    pub fn new(input: impl BufRead + Send + 'static) -> io::Result<Self> {
        let input = Unpacked::new(Box::new(input), LAYERS)?;
        Ok(Self { text: Mixed::new(input.bytes, input.units), is_packed: input.is_packed })
    }

    /// Whether all that has been read so far stands in the input as it is, byte by byte.
    #[must_use]
    pub const fn is_as_stored(&self) -> bool {
        !self.is_packed && self.text.is_as_stored()
    }
}

impl Read for InputText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl BufRead for InputText {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.text.consume(length);
    }
}

/// Refuses a database of another program, or an archive that is not read, by the ending of its name.
///
/// # Errors
///
/// Says how to get its games as PGN.
pub fn check_kind(path: &Path) -> io::Result<()> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let (program, way) = match &ending[..] {
        "7z" | "rar" => return Err(unpack_first(&format!("{}: 7-Zip and RAR", path.display()))),
        "cbh" | "cbv" | "cbz" | "cbf" | "cbg" | "cba" | "cbp" | "cbt" | "2cbh" | "cbone" => {
            ("ChessBase", "make a new database of the type PGN and copy the games into it")
        }
        "si5" | "sn5" | "sg5" | "si4" | "sn4" | "sg4" | "si3" => {
            ("Scid", "choose Tools, Export All Filter Games, Export Filter to PGN File")
        }
        _ => return Ok(()),
    };
    let text = format!("{}: a database of {program} is not read; in {program}, {way}", path.display());
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

fn unpack_first(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("{what} archives are not read; unpack it first"))
}

/// What a file is that begins with these bytes and is packed in a way that is not read.
fn unread_form(start: &[u8]) -> Option<&'static str> {
    match start {
        [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C, ..] => Some("7-Zip"),
        [b'R', b'a', b'r', b'!', 0x1A, 7, ..] => Some("RAR"),
        [0x1F, 0x9D, ..] => Some("compress"),
        [0x5D, 0, 0, _, _, 0xFF, 0xFF, 0xFF, 0xFF, ..] => Some("LZMA"),
        _ if start.get(257..262) == Some(b"ustar") => Some("tar"),
        _ => None,
    }
}

/// The text of what may be compressed, an archive, or in UTF-16.
///
/// # Errors
///
/// If its beginning cannot be read.
pub fn text_of(input: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    Ok(Box::new(InputText::new(input)?))
}

/// A form that is not text yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Gzip,
    Bzip2,
    Zstandard,
    Xz,
    Zip,
}

impl Form {
    /// The form that begins with these bytes.
    fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, 0x41 | 0x72, ..] => Some(Self::Bzip2),
            // A frame, or one to be skipped before it.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstandard),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'P', b'K', 3, 4, ..] => Some(Self::Zip),
            _ => None,
        }
    }

    /// What the input has in this form; files of an archive may have so many more.
    fn decoded(self, input: Input, layers: usize) -> Input {
        match self {
            Self::Gzip => buffered("gzip", Gzip { member: Some(GzDecoder::new(input)) }),
            Self::Bzip2 => buffered("bzip2", MultiBzDecoder::new(input)),
            Self::Zstandard => buffered("Zstandard", Zstandard::new(input)),
            Self::Xz => buffered("xz", XzReader::new(input, true)),
            Self::Zip => buffered("ZIP", Zip::new(input, Box::new(move |file| Ok(Unpacked::new(file, layers)?.bytes)))),
        }
    }
}

fn buffered(form: &'static str, decoder: impl Read + Send + 'static) -> Input {
    Box::new(BufReader::with_capacity(BUFFER, Compressed { form, decoder }))
}

/// A decoder whose errors say what is damaged.
struct Compressed<R> {
    form: &'static str,
    decoder: R,
}

impl<R: Read> Read for Compressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        self.decoder.read(buffer).map_err(|error| match error.kind() {
            InvalidData | InvalidInput | Other | UnexpectedEof => {
                io::Error::new(InvalidData, format!("damaged {} data: {error}", self.form))
            }
            _ => error,
        })
    }
}

/// Frames of Zstandard, one after the other.
struct Zstandard<R> {
    input: R,
    decoder: Box<FrameDecoder>,
    is_within: bool,
}

impl<R: BufRead> Zstandard<R> {
    fn new(input: R) -> Self {
        Self { input, decoder: Box::new(FrameDecoder::new()), is_within: false }
    }

    /// Begins the next frame, beyond those to be skipped; false at the end.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut self.input.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    fn end(&mut self) -> io::Result<()> {
        self.is_within = false;
        let wanted = self.decoder.get_checksum_from_data();
        if wanted.is_some() && wanted != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_within {
                self.is_within = self.begin()?;
                if !self.is_within {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let some = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.input, some).map_err(io::Error::other)?;
            }
            let length = self.decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            self.end()?;
        }
    }
}

/// Members of gzip, one after the other, with the zeros that tapes and disks leave behind them.
struct Gzip<R: BufRead> {
    /// `None` when all has been read.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let length = member.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some(mut input) = self.member.take().map(GzDecoder::into_inner) else { break };
            if !pass_over_zeros(&mut input)? {
                self.member = Some(GzDecoder::new(input));
            }
        }
        Ok(0)
    }
}

/// Whether there is nothing more after some zeros.
fn pass_over_zeros(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let is_data = zeros < bytes.len();
        input.consume(zeros);
        if is_data {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    /// Long enough for several blocks, with letters of one to four bytes.
    fn text() -> String {
        let games = (0..20_000).map(|number| format!("[Round \"{number}\"]\n\n1. e4 {{ Ř 中 𝄞 }} *\n\n"));
        games.collect()
    }

    fn read(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        text_of(Cursor::new(bytes))?.read_to_end(&mut text)?;
        Ok(text)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstandard(text: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// `1. e4 *` and the end of its line, as the program xz packs it.
    const XZ: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a3010007312e206534202a0a0033aad4ce56a7fd5000012008bb19d9bb1fb6f37d010000000004595a";

    #[test]
    fn xz_is_read() {
        let bytes: Vec<u8> =
            (0..XZ.len() / 2).map(|at| u8::from_str_radix(&XZ[2 * at..2 * at + 2], 16).unwrap()).collect();
        assert_eq!(read(bytes.clone()).unwrap(), b"1. e4 *\n");
        assert_eq!(read(bytes.repeat(2)).unwrap(), b"1. e4 *\n1. e4 *\n");
        let error = read(bytes[..bytes.len() - 20].to_vec()).unwrap_err();
        assert!(error.to_string().starts_with("damaged xz data: "), "{error}");
    }

    fn utf16(text: &str, is_big: bool, has_mark: bool) -> Vec<u8> {
        let mark = has_mark.then_some('\u{FEFF}');
        let text: String = mark.into_iter().chain(text.chars()).collect();
        text.encode_utf16().flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    fn utf32(text: &str, is_big: bool, has_mark: bool) -> Vec<u8> {
        let letters = has_mark.then_some('\u{FEFF}').into_iter().chain(text.chars()).map(u32::from);
        letters.flat_map(|letter| if is_big { letter.to_be_bytes() } else { letter.to_le_bytes() }).collect()
    }

    #[test]
    fn every_form_gives_the_same_text() {
        let text = text();
        let bytes = text.as_bytes();
        for (name, form) in [
            ("plain", bytes.to_vec()),
            ("gzip", gzip(bytes)),
            ("bzip2", bzip2(bytes)),
            ("Zstandard", zstandard(bytes)),
            ("UTF-16, little", utf16(&text, false, true)),
            ("UTF-16, big", utf16(&text, true, true)),
            ("UTF-16, little, no mark", utf16(&text, false, false)),
            ("UTF-16, big, no mark", utf16(&text, true, false)),
            ("UTF-32, little", utf32(&text, false, true)),
            ("UTF-32, big, no mark", utf32(&text, true, false)),
            ("UTF-16 in gzip", gzip(&utf16(&text, false, true))),
            ("UTF-16 in Zstandard", zstandard(&utf16(&text, true, true))),
        ] {
            let mut text = InputText::new(Cursor::new(form)).unwrap();
            let mut read = Vec::new();
            text.read_to_end(&mut read).unwrap();
            assert!(read == bytes, "{name}");
            assert_eq!(text.is_as_stored(), name == "plain", "{name}");
        }
    }

    #[test]
    fn zeros_behind_gzip_are_padding() {
        let padded = [gzip(b"1. e4 *\n"), vec![0; 100_000], gzip(b"1. d4 *\n"), vec![0; 7]].concat();
        assert_eq!(read(padded).unwrap(), b"1. e4 *\n1. d4 *\n");
        let followed = [gzip(b"1. e4 *\n"), vec![0; 9], b"no gzip".to_vec()].concat();
        assert!(read(followed).is_err());
    }

    #[test]
    fn parts_that_were_compressed_one_by_one_are_read_as_one() {
        let (one, two) = (&b"1. e4 *\n"[..], &b"\n1. d4 *\n"[..]);
        let both = [one, two].concat();
        assert_eq!(read([gzip(one), gzip(two)].concat()).unwrap(), both);
        assert_eq!(read([bzip2(one), bzip2(two)].concat()).unwrap(), both);
        let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"any"].concat();
        let frames = [skipped.clone(), zstandard(one), skipped.clone(), zstandard(two), skipped].concat();
        assert_eq!(read(frames).unwrap(), both);
    }

    #[test]
    fn what_is_damaged_is_said_after_what_can_be_read() {
        let text = text();
        for (form, whole) in [
            ("gzip", gzip(text.as_bytes())),
            ("bzip2", bzip2(text.as_bytes())),
            ("Zstandard", zstandard(text.as_bytes())),
        ] {
            let mut short = whole.clone();
            short.truncate(whole.len() / 2);
            let mut changed = whole;
            let middle = changed.len() / 2;
            changed[middle] ^= 0x55;
            for bytes in [short, changed] {
                let error = read(bytes).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{form}: {error}");
                assert!(error.to_string().starts_with(&format!("damaged {form} data: ")), "{error}");
            }
        }
    }

    #[test]
    fn databases_of_other_programs_are_refused_with_a_way_out() {
        for (name, words) in [
            ("a.cbh", "ChessBase"),
            ("B.CBV", "type PGN"),
            ("c.si5", "Scid"),
            ("d.si4", "to PGN"),
            ("e.7z", "unpack"),
            ("f.RAR", "unpack"),
        ] {
            let error = open(Path::new(name)).err().unwrap().to_string();
            assert!(error.starts_with(name) && error.contains(words), "{error}");
        }
        assert!(check_kind(Path::new("cbh.pgn")).is_ok() && check_kind(Path::new("cbh")).is_ok());
    }

    #[test]
    fn archives_that_are_not_read_are_named_whatever_their_names() {
        let tar = [&[b'a'; 257][..], b"ustar", &[0; 250]].concat();
        for (bytes, name) in [
            (b"7z\xBC\xAF\x27\x1C\0\x04".to_vec(), "7-Zip"),
            (b"Rar!\x1A\x07\0".to_vec(), "RAR"),
            (gzip(&tar), "tar"),
            (tar, "tar"),
            (b"\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF".to_vec(), "LZMA"),
            (b"\x1F\x9D\x90".to_vec(), "compress"),
        ] {
            let error = read(bytes).unwrap_err().to_string();
            assert_eq!(error, format!("{name} archives are not read; unpack it first"));
        }
    }

    #[test]
    fn short_and_strange_beginnings_are_text() {
        for bytes in
            [&b""[..], b"B", b"BZh9 is a name", b"\x1F\x8B", b"a\0", b"\x28\xB5", b"1. e4 *", b"\xEF\xBB\xBF1. e4"]
        {
            assert_eq!(read(bytes.to_vec()).unwrap(), bytes, "{bytes:?}");
        }
        assert_eq!(read(b"\xFF\xFE".to_vec()).unwrap(), b"");
    }

    proptest::proptest! {
        #[test]
        fn nothing_makes_it_panic(start in 0..5usize, rest in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
            let starts = [&[0x1F, 0x8B, 8][..], b"BZh91AY&SY", &[0x28, 0xB5, 0x2F, 0xFD], &[0xFF, 0xFE], &[]];
            let _ = read([starts[start], &rest].concat());
        }
    }
}
