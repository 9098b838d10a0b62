//! The network file.
//!
//! A header of [`HEADER_LEN`] bytes, then the payload; all integers little-endian.
//!
//! | offset | size | meaning |
//! |---|---|---|
//! | 0 | 8 | magic `VANCURA\0` |
//! | 8 | 4 | format version, 3 |
//! | 12 | 4 | activation of the hidden neurons, 2: clipped and multiplied in pairs |
//! | 16 | 4 | inputs of a king bucket |
//! | 20 | 4 | king buckets |
//! | 24 | 4 | hidden neurons of a perspective |
//! | 28 | 4 | output buckets |
//! | 32 | 12 | scale, QA, QB of shift 0 |
//! | 44 | 4 | zero |
//! | 48 | 32 | king bucket of each square, ranks 1 to 8, files a to d |
//! | 80 | 8 | length of the payload in bytes |
//! | 88 | 8 | [`checksum`] of the payload |
//! | 96 | 8 | neurons of the second and of the third layer, 4 bytes each |
//! | 104 | 24 | zero |
//!
//! [`payload`](super::payload) describes the rest. Versions 1 and 2 were for networks without a second layer.

use super::payload::PAYLOAD_LEN;
use crate::arch::{
    HIDDEN, INPUTS, KING_BUCKET_COUNT, MAX_EXACT_WEIGHT, MAX_SECOND_SHIFT, OUTPUT_BUCKETS, QA, QB, SCALE, SECOND,
    THIRD, king_bucket_bytes,
};

const MAGIC: [u8; 8] = *b"VANCURA\0";
pub(super) const VERSION: u32 = 3;
const PAIRWISE: u32 = 2;
pub(super) const KING_BUCKETS_OFFSET: usize = 48;
pub(super) const LENGTH_OFFSET: usize = 80;
pub(super) const CHECKSUM_OFFSET: usize = 88;

/// Bytes before the payload.
pub const HEADER_LEN: usize = 128;

/// Why bytes are not a network that this program can use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file is too short.
    #[error("truncated network: {found} bytes instead of {expected}")]
    Truncated {
        /// The length of the file, in bytes.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// The file is too long.
    #[error("network file is {0} bytes too long")]
    Overlong(usize),
    /// There is no memory for the network.
    #[error("there is not enough memory for a network")]
    NoMemory,
    /// The file is not a network.
    #[error("not a Vancura network: it starts with {}", .0.escape_ascii())]
    Foreign(Vec<u8>),
    /// The file is of a later format version, or of one that never was.
    #[error("network of format version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// The file is of a format version for networks of an older architecture.
    #[error(
        "network of an older architecture: it is of format version {0}, this program reads version {VERSION} alone"
    )]
    Older(u32),
    /// The network is of another architecture.
    #[error("network of another architecture: its {what} is {found}, this program's {expected}")]
    Architecture {
        /// The property that differs.
        what: &'static str,
        /// Its value in the file.
        found: u64,
        /// Its value in this program.
        expected: u64,
    },
    /// The network was trained with another table of king buckets.
    #[error("network of another architecture: its table of king buckets differs")]
    KingBuckets,
    /// The payload is damaged.
    #[error("corrupt network: its payload has checksum {found:016x}, its header says {expected:016x}")]
    Corrupt {
        /// The checksum of the payload.
        found: u64,
        /// The checksum in the header.
        expected: u64,
    },
    /// A quantised weight is too large for the arithmetic.
    #[error("number {index} of the {section} is {value}, beyond ±{limit}")]
    WeightRange {
        /// The section of the payload.
        section: &'static str,
        /// Its index in the section.
        index: usize,
        /// Its value.
        value: i16,
        /// The largest magnitude allowed there.
        limit: i16,
    },
    /// A number that is not quantised is too large, infinite or not a number.
    #[error("number {index} behind the shifts is {}, beyond ±{MAX_EXACT_WEIGHT}", f32::from_bits(*.bits))]
    ExactRange {
        /// Its index among the numbers that are not quantised.
        index: usize,
        /// Its bits.
        bits: u32,
    },
    /// An output bucket's shift is out of its range.
    #[error("output bucket {bucket} has shift {shift}, which is not from 0 to {MAX_SECOND_SHIFT}")]
    Shift {
        /// The bucket.
        bucket: usize,
        /// Its shift.
        shift: i16,
    },
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo). It detects accidental damage, not tampering.
#[must_use]
pub const fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = EMPTY_CHECKSUM;
    let mut index = 0;
    while index < bytes.len() {
        hash = add_to_checksum(hash, bytes[index]);
        index += 1;
    }
    hash
}

/// The [`checksum`] of no bytes.
pub(super) const EMPTY_CHECKSUM: u64 = 0xCBF2_9CE4_8422_2325;

/// The [`checksum`] of some bytes and one more.
pub(super) const fn add_to_checksum(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3)
}

/// The bytes of a file that holds a payload.
pub(super) fn file_of(payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_LEN + PAYLOAD_LEN);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.resize(KING_BUCKETS_OFFSET, 0);
    bytes.extend(king_bucket_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(checksum(payload).to_le_bytes());
    bytes.resize(HEADER_LEN, 0);
    for (_, offset, value) in architecture() {
        bytes[offset..][..4].copy_from_slice(&value.to_le_bytes());
    }
    bytes.extend(payload);
    bytes
}

/// The numbers that a header must hold, four bytes each: names, offsets and values.
pub(super) const fn architecture() -> [(&'static str, usize, u32); 10] {
    [
        ("activation", 12, PAIRWISE),
        ("number of inputs", 16, INPUTS as u32),
        ("number of king buckets", 20, KING_BUCKET_COUNT as u32),
        ("number of hidden neurons", 24, HIDDEN as u32),
        ("number of output buckets", 28, OUTPUT_BUCKETS as u32),
        ("scale", 32, SCALE as u32),
        ("hidden quantum", 36, QA as u32),
        ("second layer's quantum", 40, QB as u32),
        ("number of neurons of the second layer", 96, SECOND as u32),
        ("number of neurons of the third layer", 100, THIRD as u32),
    ]
}

/// The payload of a file whose header and checksum fit.
pub(super) fn check_header(bytes: &[u8]) -> Result<&[u8], NetworkError> {
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(start) {
        return Err(NetworkError::Foreign(start.to_vec()));
    }
    let Some((header, payload)) = bytes.split_at_checked(HEADER_LEN) else {
        return Err(NetworkError::Truncated { found: bytes.len(), expected: HEADER_LEN + PAYLOAD_LEN });
    };
    match field(header, 8) as u32 {
        VERSION => {}
        version @ (1 | 2) => return Err(NetworkError::Older(version)),
        version => return Err(NetworkError::Version(version)),
    }
    for (what, offset, expected) in architecture() {
        let found = field(header, offset) as u32;
        if found != expected {
            return Err(NetworkError::Architecture { what, found: found.into(), expected: expected.into() });
        }
    }
    if header[KING_BUCKETS_OFFSET..LENGTH_OFFSET] != king_bucket_bytes() {
        return Err(NetworkError::KingBuckets);
    }
    let length = field(header, LENGTH_OFFSET);
    if length != PAYLOAD_LEN as u64 {
        let (what, expected) = ("length of payload", PAYLOAD_LEN as u64);
        return Err(NetworkError::Architecture { what, found: length, expected });
    }
    if payload.len() < PAYLOAD_LEN {
        return Err(NetworkError::Truncated { found: bytes.len(), expected: HEADER_LEN + PAYLOAD_LEN });
    }
    if payload.len() > PAYLOAD_LEN {
        return Err(NetworkError::Overlong(payload.len() - PAYLOAD_LEN));
    }
    let (found, expected) = (checksum(payload), field(header, CHECKSUM_OFFSET));
    if found != expected {
        return Err(NetworkError::Corrupt { found, expected });
    }
    Ok(payload)
}

/// Eight bytes of a header as a number; a caller that wants four takes the lower half.
fn field(header: &[u8], offset: usize) -> u64 {
    header[offset..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
