//! The network file.
//!
//! A header of [`HEADER_LEN`] bytes, then the payload; all integers little-endian.
//!
//! | offset | size | meaning |
//! |---|---|---|
//! | 0 | 8 | magic `VANCURA\0` |
//! | 8 | 4 | format version, 2 |
//! | 12 | 4 | activation, 1: squared clipped ReLU |
//! | 16 | 4 | inputs of a king bucket |
//! | 20 | 4 | king buckets |
//! | 24 | 4 | hidden neurons of a perspective |
//! | 28 | 4 | output buckets |
//! | 32 | 12 | scale, QA, QB of shift 0 |
//! | 44 | 4 | zero |
//! | 48 | 32 | king bucket of each square, ranks 1 to 8, files a to d |
//! | 80 | 8 | length of the payload in bytes |
//! | 88 | 8 | [`checksum`] of the payload |
//! | 96 | 32 | zero |
//!
//! The payload is a sequence of `i16`: feature weights by feature, then neuron; feature biases; output weights by
//! bucket, then side (to move, other), then neuron; output biases by bucket; output shifts by bucket. Version 1 ended
//! before the shifts; it is read as if they were all 0.

use crate::arch::{
    FEATURES, HIDDEN, INPUTS, KING_BUCKET_COUNT, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SHIFT, MAX_OUTPUT_WEIGHT,
    OUTPUT_BUCKETS, QA, QB, SCALE, king_bucket_bytes,
};

const MAGIC: [u8; 8] = *b"VANCURA\0";
pub(super) const VERSION: u32 = 2;
/// The version without shifts.
pub(super) const UNSHIFTED_VERSION: u32 = 1;
const SQUARED_CLIPPED_RELU: u32 = 1;
pub(super) const KING_BUCKETS_OFFSET: usize = 48;
pub(super) const LENGTH_OFFSET: usize = 80;
pub(super) const CHECKSUM_OFFSET: usize = 88;

/// Bytes before the payload.
pub const HEADER_LEN: usize = 128;

/// Bytes of the payload.
pub const PAYLOAD_LEN: usize = 2 * (FEATURES * HIDDEN + HIDDEN + OUTPUT_BUCKETS * (2 * HIDDEN + 2));

/// Bytes of the payload of [`UNSHIFTED_VERSION`].
pub(super) const UNSHIFTED_PAYLOAD_LEN: usize = PAYLOAD_LEN - 2 * OUTPUT_BUCKETS;

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
    /// The file is of another format version.
    #[error("network of format version {0}, this program reads versions 1 to {VERSION}")]
    Version(u32),
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
    /// A weight is too large for the arithmetic.
    #[error("weight {index} is {value}, beyond ±{limit}")]
    WeightRange {
        /// Its index in the payload.
        index: usize,
        /// Its value.
        value: i16,
        /// The largest magnitude allowed there.
        limit: i16,
    },
    /// An output bucket's shift is out of its range.
    #[error("output bucket {bucket} has shift {shift}, which is not from 0 to {MAX_OUTPUT_SHIFT}")]
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
    for (_, value) in architecture() {
        bytes.extend(value.to_le_bytes());
    }
    bytes.resize(KING_BUCKETS_OFFSET, 0);
    bytes.extend(king_bucket_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(checksum(payload).to_le_bytes());
    bytes.resize(HEADER_LEN, 0);
    bytes.extend(payload);
    bytes
}

/// The numbers a header must hold from offset 12 on, four bytes each.
pub(super) const fn architecture() -> [(&'static str, u32); 8] {
    [
        ("activation", SQUARED_CLIPPED_RELU),
        ("number of inputs", INPUTS as u32),
        ("number of king buckets", KING_BUCKET_COUNT as u32),
        ("number of hidden neurons", HIDDEN as u32),
        ("number of output buckets", OUTPUT_BUCKETS as u32),
        ("scale", SCALE as u32),
        ("hidden quantum", QA as u32),
        ("output quantum", QB as u32),
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
    let expected_len = match field(header, 8) as u32 {
        VERSION => PAYLOAD_LEN,
        UNSHIFTED_VERSION => UNSHIFTED_PAYLOAD_LEN,
        version => return Err(NetworkError::Version(version)),
    };
    for (index, (what, expected)) in architecture().into_iter().enumerate() {
        let found = field(header, 12 + 4 * index) as u32;
        if found != expected {
            return Err(NetworkError::Architecture { what, found: found.into(), expected: expected.into() });
        }
    }
    if header[KING_BUCKETS_OFFSET..LENGTH_OFFSET] != king_bucket_bytes() {
        return Err(NetworkError::KingBuckets);
    }
    let length = field(header, LENGTH_OFFSET);
    if length != expected_len as u64 {
        let (what, expected) = ("length of payload", expected_len as u64);
        return Err(NetworkError::Architecture { what, found: length, expected });
    }
    if payload.len() < expected_len {
        return Err(NetworkError::Truncated { found: bytes.len(), expected: HEADER_LEN + expected_len });
    }
    if payload.len() > expected_len {
        return Err(NetworkError::Overlong(payload.len() - expected_len));
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

/// The shifts of all output buckets, if each is in its range.
pub(super) fn check_shifts(shifts: &[i16]) -> Result<Vec<u32>, NetworkError> {
    let check = |(bucket, &shift): (usize, &i16)| {
        let checked = u32::try_from(shift).ok().filter(|&shift| shift <= MAX_OUTPUT_SHIFT);
        checked.ok_or(NetworkError::Shift { bucket, shift })
    };
    shifts.iter().enumerate().map(check).collect()
}

/// Refuses weights, from those of the features to the output biases, that are too large for the arithmetic.
pub(super) fn check_range(weights: &[i16]) -> Result<(), NetworkError> {
    let outputs = HIDDEN * (FEATURES + 1)..weights.len() - OUTPUT_BUCKETS;
    for (index, &value) in weights.iter().enumerate() {
        let limit = match index {
            _ if index < outputs.start => MAX_HIDDEN_WEIGHT,
            _ if index < outputs.end => MAX_OUTPUT_WEIGHT,
            _ => i16::MAX,
        };
        if value.unsigned_abs() > limit.unsigned_abs() {
            return Err(NetworkError::WeightRange { index, value, limit });
        }
    }
    Ok(())
}
