//! One training position in 32 bytes, and the file that holds many of them.
//!
//! A record is seen from the side to move, which plays up the board as White does, and is byte for byte bulletformat's
//! `ChessBoard`, so that without its header (which is one record long) a file suits the field's GPU trainers too.
//!
//! | offset | size | meaning |
//! |---|---|---|
//! | 0 | 8 | occupied squares |
//! | 8 | 16 | four bits for each piece in order of squares, low half first: kind from pawn 0, +8 for the other side |
//! | 24 | 2 | score in centipawns |
//! | 26 | 1 | result: 0 lost, 1 drawn, 2 won |
//! | 27 | 1 | own king's square |
//! | 28 | 1 | other king's square, as the other side sees it |
//! | 29 | 1 | 1 without a result, 2 without a score either |
//! | 30 | 2 | zero |

use std::io::{self, BufWriter, IntoInnerError, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fs_err::File;
use movegen::{Bitboard, Board, Color, Piece, PieceType, Square};
use platform::OutputFile;

use crate::games::game::GameResult;

/// Bytes of a record.
pub const RECORD_LEN: usize = 32;

/// The bytes of a record, as files and buffers hold it.
pub type RawRecord = [u8; RECORD_LEN];

const MAGIC: [u8; 8] = *b"VANCDATA";
const VERSION: u32 = 1;

/// The pieces by their codes; codes that are never written stand for kings.
const PIECES: [Piece; 16] = {
    let mut pieces = [Piece::WhiteKing; 16];
    let mut code = 0;
    while code < 16 {
        let kind = if code % 8 < 6 { PieceType::ALL[code % 8] } else { PieceType::King };
        pieces[code] = Piece::new(if code < 8 { Color::White } else { Color::Black }, kind);
        code += 1;
    }
    pieces
};

/// The byte that tells what a record lacks. bulletformat leaves it unused: other readers see a draw, and a score of 0.
pub(crate) const LACK_BYTE: usize = 29;
/// In that byte: no result.
const NO_RESULT: u8 = 1;
/// In that byte: no result and no score.
const NO_SCORE: u8 = 2;

/// A training position, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record(pub RawRecord);

impl Record {
    /// The record of a board with a score in centipawns for White and the game's result, if it has one.
    #[must_use]
    pub fn new(board: &Board, white_score: i16, result: Option<GameResult>) -> Self {
        let (us, them) = (board.turn(), !board.turn());
        let turned = |set: Bitboard| if us == Color::White { set.0 } else { set.0.swap_bytes() };
        let occupied = Bitboard(turned(board.occupied()));
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        for (index, square) in occupied.into_iter().enumerate() {
            let Some(piece) = board.piece_on(square.relative_to(us)) else { continue };
            let code = piece.piece_type() as u8 | if piece.color() == us { 0 } else { 8 };
            bytes[8 + index / 2] |= code << (4 * (index % 2));
        }
        let white_result = result.unwrap_or(GameResult::Draw);
        let lack = if result.is_none() { NO_RESULT } else { 0 };
        let (score, result) = match us {
            Color::White => (white_score, white_result as u8),
            Color::Black => (white_score.saturating_neg(), 2 - white_result as u8),
        };
        bytes[24..26].copy_from_slice(&score.to_le_bytes());
        bytes[26] = result;
        bytes[27] = board.king(us).relative_to(us) as u8;
        bytes[28] = board.king(them).relative_to(them) as u8;
        bytes[LACK_BYTE] = lack;
        Self(bytes)
    }

    /// The record of a board that has neither a score nor a result yet.
    #[must_use]
    pub fn unscored(board: &Board) -> Self {
        let mut record = Self::new(board, 0, None);
        record.0[LACK_BYTE] = NO_SCORE;
        record
    }

    /// Whether it has a score.
    #[inline]
    #[must_use]
    pub const fn has_score(&self) -> bool {
        self.0[LACK_BYTE] != NO_SCORE
    }

    /// The score in centipawns for the side to move; 0 without one.
    #[inline]
    #[must_use]
    pub const fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[24], self.0[25]])
    }

    /// The same with another score, in centipawns for the side to move.
    #[inline]
    #[must_use]
    pub fn with_score(mut self, score: i16) -> Self {
        self.0[24..26].copy_from_slice(&score.to_le_bytes());
        if !self.has_score() {
            self.0[LACK_BYTE] = NO_RESULT;
        }
        self
    }

    /// The game's result for the side to move: 0, 0.5 or 1; `None` for a position from a search tree.
    #[inline]
    #[must_use]
    pub fn result(&self) -> Option<f32> {
        (self.0[LACK_BYTE] == 0).then(|| f32::from(self.0[26].min(2)) / 2.0)
    }

    /// The squares of the side's own king and the other, on the board seen from the side to move.
    #[inline]
    #[must_use]
    pub const fn kings(&self) -> [Square; 2] {
        [Square::from_index(self.0[27]), Square::from_index(self.0[28]).flip_rank()]
    }

    /// The pieces with their squares, the side to move as White; at most 32 whatever the bytes are.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + use<> {
        let bytes = self.0;
        let occupied = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        Bitboard(occupied)
            .into_iter()
            .take(32)
            .enumerate()
            .map(move |(index, square)| (PIECES[usize::from(bytes[8 + index / 2] >> (4 * (index % 2)) & 15)], square))
    }
}

/// Why a file of records cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("{0}: not a file of training records")]
    Foreign(PathBuf),
    /// The file is of another format version.
    #[error("{0}: record format version {1}, this program reads version {VERSION}")]
    Version(PathBuf, u32),
    /// The file is shorter or longer than its header says, as when its writer was killed.
    #[error("{path}: {found} bytes instead of {expected}: incomplete")]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length its header implies.
        expected: u64,
    },
    /// The file holds no record.
    #[error("{0}: no records")]
    Empty(PathBuf),
}

/// Writes a file of records aside; only [`finish`](Self::finish) puts it in its place.
#[derive(Debug)]
pub struct RecordWriter {
    file: BufWriter<OutputFile>,
    count: u64,
    fingerprint: u64,
}

impl RecordWriter {
    /// Begins the file. What is there stays until it is finished.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 20, OutputFile::create(path)?);
        file.write_all(&[0; RECORD_LEN])?;
        Ok(Self { file, count: 0, fingerprint: 0 })
    }

    /// Adds records.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&mut self, records: &[RawRecord]) -> io::Result<()> {
        self.count += records.len() as u64;
        for word in records.as_flattened().as_chunks().0 {
            // Multiply and rotate: cheap, and any change of a record or of their order changes the outcome.
            self.fingerprint =
                (self.fingerprint ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        self.file.write_all(records.as_flattened())
    }

    /// Writes the header and puts the file in its place; returns the number of records.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> io::Result<u64> {
        let mut header = Vec::with_capacity(RECORD_LEN);
        header.extend(MAGIC);
        header.extend(u64::from(VERSION).to_le_bytes());
        header.extend(self.count.to_le_bytes());
        header.extend(self.fingerprint.to_le_bytes());
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header)?;
        self.file.into_inner().map_err(IntoInnerError::into_error)?.commit()?;
        Ok(self.count)
    }
}

/// Reads a file of records round and round.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
    count: u64,
    fingerprint: u64,
    /// The record to be read next.
    next: u64,
}

impl RecordFile {
    /// Opens a finished file that holds at least one record.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is something else, or is incomplete.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let mut file = File::open(path)?;
        let found = file.metadata()?.len();
        let mut header = [[0; 8]; 4];
        if found < RECORD_LEN as u64 {
            return Err(RecordError::Foreign(path.into()));
        }
        file.read_exact(header.as_flattened_mut())?;
        let [magic, version, count, fingerprint] = header;
        match magic {
            MAGIC => {}
            [0, 0, 0, 0, 0, 0, 0, 0] => return Err(RecordError::Length { path: path.into(), found, expected: 0 }),
            _ => return Err(RecordError::Foreign(path.into())),
        }
        let version = u64::from_le_bytes(version) as u32;
        if version != VERSION {
            return Err(RecordError::Version(path.into(), version));
        }
        let count = u64::from_le_bytes(count);
        let expected = count.saturating_add(1).saturating_mul(RECORD_LEN as u64);
        if found != expected {
            return Err(RecordError::Length { path: path.into(), found, expected });
        }
        if count == 0 {
            return Err(RecordError::Empty(path.into()));
        }
        Ok(Self { file, count, fingerprint: u64::from_le_bytes(fingerprint), next: 0 })
    }

    /// How many records the file holds, at least one.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// A number that tells this file's records from any other's.
    #[must_use]
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Goes to a record, counted from 0 and round the end.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn seek(&mut self, record: u64) -> io::Result<()> {
        self.next = record % self.count;
        self.file.seek(SeekFrom::Start((self.next + 1) * RECORD_LEN as u64))?;
        Ok(())
    }

    /// Fills `records` with the next ones, beginning anew at the end of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(&mut self, mut records: &mut [RawRecord]) -> io::Result<()> {
        while !records.is_empty() {
            let available = usize::try_from(self.count - self.next).unwrap_or(usize::MAX);
            let (now, later) = records.split_at_mut(available.min(records.len()));
            self.file.read_exact(now.as_flattened_mut())?;
            self.next += now.len() as u64;
            records = later;
            if self.next == self.count {
                self.seek(0)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::synthetic::random_games;

    fn records() -> Vec<RawRecord> {
        let mut records = Vec::new();
        for game in random_games(11, 10) {
            for step in game.replay() {
                let step = step.unwrap();
                records.push(Record::new(&step.board, step.score, game.result).0);
            }
        }
        records
    }

    fn write(path: &Path, records: &[RawRecord]) {
        let mut writer = RecordWriter::create(path).unwrap();
        writer.write(records).unwrap();
        assert_eq!(writer.finish().unwrap(), records.len() as u64);
    }

    #[test]
    fn records_equal_bulletformat() {
        for game in random_games(12, 10) {
            for step in game.replay() {
                let step = step.unwrap();
                let board = step.board;
                let sets = [board.colors(Color::White), board.colors(Color::Black)];
                let sets: Vec<u64> =
                    sets.into_iter().chain(PieceType::ALL.map(|kind| board.pieces(kind))).map(|set| set.0).collect();
                let result = f32::from(game.result.unwrap() as u8) / 2.0;
                let theirs = bulletformat::ChessBoard::from_raw(
                    sets.try_into().unwrap(),
                    board.turn() as usize,
                    step.score,
                    result,
                )
                .unwrap();
                let ours = Record::new(&board, step.score, game.result);
                assert_eq!(ours.0[..8], theirs.occ.to_le_bytes());
                assert_eq!(ours.0[8..24], theirs.pcs);
                assert_eq!(ours.score(), theirs.score);
                assert_eq!(ours.0[26..], [theirs.result, theirs.ksq, theirs.opp_ksq, 0, 0, 0]);
            }
        }
    }

    #[test]
    fn a_record_without_a_result_is_a_draw_to_others() {
        for game in random_games(14, 3) {
            for step in game.replay() {
                let step = step.unwrap();
                let lone = Record::new(&step.board, step.score, None);
                let drawn = Record::new(&step.board, step.score, Some(GameResult::Draw));
                assert_eq!((lone.result(), drawn.result()), (None, Some(0.5)));
                assert_eq!(lone.0[..29], drawn.0[..29]);
            }
        }
    }

    #[test]
    fn a_record_without_a_score_gets_one_and_still_has_no_result() {
        for game in random_games(14, 3) {
            for step in game.replay() {
                let step = step.unwrap();
                let unscored = Record::unscored(&step.board);
                let scored = Record::new(&step.board, 0, None);
                assert_eq!((unscored.has_score(), scored.has_score()), (false, true));
                assert_eq!((unscored.score(), unscored.result()), (0, None));
                assert_eq!(unscored.with_score(31), scored.with_score(31));
                assert_eq!(unscored.0[..LACK_BYTE], scored.0[..LACK_BYTE]);
            }
        }
    }

    #[test]
    fn records_hold_the_board_as_the_side_to_move_sees_it() {
        for game in random_games(13, 10) {
            for step in game.replay() {
                let step = step.unwrap();
                let board = if step.board.turn() == Color::White { step.board } else { step.board.flipped() };
                let record = Record::new(&step.board, step.score, game.result);
                let pieces: Vec<_> = record.pieces().collect();
                let expected: Vec<_> =
                    board.occupied().into_iter().map(|square| (board.piece_on(square).unwrap(), square)).collect();
                assert_eq!(pieces, expected);
                assert_eq!(record.kings(), Color::ALL.map(|color| board.king(color)));
            }
        }
    }

    #[test]
    fn any_bytes_decode_without_panic() {
        for byte in 0..=255 {
            let record = Record([byte; RECORD_LEN]);
            assert!(record.pieces().count() <= 32);
            assert!(record.result().is_none_or(|result| (0.0..=1.0).contains(&result)));
            let _ = (record.kings(), record.score());
        }
    }

    #[test]
    fn reading_goes_round_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let records = &records()[..100];
        write(&path, records);
        let mut file = RecordFile::open(&path).unwrap();
        assert_eq!(file.count(), 100);
        let mut read = vec![[0; RECORD_LEN]; 250];
        file.seek(130).unwrap();
        file.read(&mut read).unwrap();
        for (index, record) in read.iter().enumerate() {
            assert_eq!(record, &records[(130 + index) % 100]);
        }
    }

    #[test]
    fn bad_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        write(&path, &records());
        let whole = fs_err::read(&path).unwrap();

        fs_err::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(matches!(RecordFile::open(&path), Err(RecordError::Length { .. })));
        fs_err::write(&path, &whole[..20]).unwrap();
        assert!(matches!(RecordFile::open(&path), Err(RecordError::Foreign(_))));
        fs_err::write(&path, &whole[RECORD_LEN..]).unwrap();
        assert!(matches!(RecordFile::open(&path), Err(RecordError::Foreign(_))));
        let mut other = whole.clone();
        other[8] = 7;
        fs_err::write(&path, &other).unwrap();
        assert!(matches!(RecordFile::open(&path), Err(RecordError::Version(_, 7))));
        other = whole.clone();
        other[16..24].fill(0xFF);
        fs_err::write(&path, &other).unwrap();
        assert!(matches!(RecordFile::open(&path), Err(RecordError::Length { .. })));
        write(&path, &[]);
        assert!(matches!(RecordFile::open(&path), Err(RecordError::Empty(_))));
        assert!(matches!(RecordFile::open(&folder.path().join("none")), Err(RecordError::Io(_))));

        // As the writer of an older version left it when it was killed.
        fs_err::write(&path, vec![0; 3 * RECORD_LEN]).unwrap();
        assert!(matches!(RecordFile::open(&path), Err(RecordError::Length { .. })));
    }

    #[test]
    fn a_file_stays_until_its_successor_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        write(&path, &records());
        let whole = fs_err::read(&path).unwrap();
        let mut unfinished = RecordWriter::create(&path).unwrap();
        unfinished.write(&vec![[1; RECORD_LEN]; 100_000]).unwrap();
        drop(unfinished);
        assert_eq!(fs_err::read(&path).unwrap(), whole);
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn fingerprints_tell_files_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut records = records();
        let fingerprint = |records: &[RawRecord]| {
            write(&path, records);
            RecordFile::open(&path).unwrap().fingerprint()
        };
        let original = fingerprint(&records);
        assert_eq!(fingerprint(&records), original);
        records.swap(1, 2);
        assert_ne!(fingerprint(&records), original);
        records.swap(1, 2);
        records[5][24] ^= 1;
        assert_ne!(fingerprint(&records), original);
    }
}
