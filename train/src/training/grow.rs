//! A larger network that begins where a smaller one ended.
//!
//! New neurons get random inputs and no output weight yet, and each king bucket begins as a copy of the only one there
//! was: the larger network says what the smaller one said, and training goes on from there. Source: T. Chen,
//! I. Goodfellow and J. Shlens, "Net2Net: Accelerating Learning via Knowledge Transfer" (2015).

use eval::NetworkError;
use eval::arch::{FEATURES, HIDDEN, INPUTS, KING_BUCKET_COUNT, MAX_OUTPUT_SHIFT, OUTPUT_BUCKETS, QA, QB};
use eval::network::{HEADER_LEN, checksum};

use crate::training::model::{Layout, Parameters};

/// The format version whose payload ends with a shift for each output bucket.
const VERSION: u64 = 2;
/// Where the header holds what, and how many bytes of it: see `eval/src/network/format.rs`.
const VERSION_FIELD: (usize, usize) = (8, 4);
const INPUTS_FIELD: (usize, usize) = (16, 4);
const KING_BUCKETS_FIELD: (usize, usize) = (20, 4);
const HIDDEN_FIELD: (usize, usize) = (24, 4);
const OUTPUT_BUCKETS_FIELD: (usize, usize) = (28, 4);
const CHECKSUM_FIELD: (usize, usize) = (88, 8);

/// Why a network cannot grow into one of this program's architecture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GrowError {
    /// The file is no network, or one that is damaged.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A part of it is larger than, or does not match, the same part of this program's architecture.
    #[error("the {what} of the network is {found}, which does not fit into {expected}")]
    TooLarge {
        /// The part.
        what: &'static str,
        /// Its size in the file.
        found: u64,
        /// Its size in this program.
        expected: u64,
    },
}

/// Reads a network of this or a smaller architecture as weights of this program's architecture that say the same of
/// every board. `seed` decides the inputs of new neurons.
///
/// # Errors
///
/// If the bytes are no network of format version 2, or its architecture does not fit: it may have fewer hidden neurons,
/// one king bucket where this program has several, and one output bucket less.
pub fn grow(bytes: &[u8], seed: u64) -> Result<Parameters, GrowError> {
    let field = |(offset, length): (usize, usize)| {
        bytes[offset..offset + length].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
    };
    if !bytes.starts_with(b"VANCURA\0") {
        return Err(NetworkError::Foreign(bytes.iter().take(8).copied().collect()).into());
    }
    if bytes.len() < HEADER_LEN {
        return Err(NetworkError::Truncated { found: bytes.len(), expected: HEADER_LEN }.into());
    }
    if field(VERSION_FIELD) != VERSION {
        return Err(NetworkError::Version(field(VERSION_FIELD) as u32).into());
    }
    let equal = |what, found: u64, expected: usize| {
        let expected = expected as u64;
        if found == expected { Ok(()) } else { Err(GrowError::TooLarge { what, found, expected }) }
    };
    equal("number of inputs", field(INPUTS_FIELD), INPUTS)?;
    let buckets = field(OUTPUT_BUCKETS_FIELD);
    if buckets + 1 != OUTPUT_BUCKETS as u64 {
        equal("number of output buckets", buckets, OUTPUT_BUCKETS)?;
    }
    let king_buckets = field(KING_BUCKETS_FIELD);
    if king_buckets != 1 {
        equal("number of king buckets", king_buckets, KING_BUCKET_COUNT)?;
    }
    let hidden = field(HIDDEN_FIELD);
    if hidden > HIDDEN as u64 {
        equal("number of hidden neurons", hidden, HIDDEN)?;
    }
    let small = Small { hidden: hidden as usize, rows: king_buckets as usize * INPUTS, buckets: buckets as usize };
    let payload = &bytes[HEADER_LEN..];
    let count = small.count();
    if payload.len() != 2 * count {
        return Err(NetworkError::Truncated { found: bytes.len(), expected: HEADER_LEN + 2 * count }.into());
    }
    if checksum(payload) != field(CHECKSUM_FIELD) {
        let (found, expected) = (checksum(payload), field(CHECKSUM_FIELD));
        return Err(NetworkError::Corrupt { found, expected }.into());
    }
    let weights: Vec<f32> = payload.as_chunks().0.iter().map(|&pair| f32::from(i16::from_le_bytes(pair))).collect();
    Ok(small.placed(&weights, seed))
}

/// The sizes of the network that grows.
#[derive(Clone, Copy, Debug)]
struct Small {
    hidden: usize,
    rows: usize,
    /// Output buckets: as many as this program's or, as before the solved endings had the first to themselves, one fewer.
    buckets: usize,
}

impl Small {
    const fn count(self) -> usize {
        self.rows * self.hidden + self.hidden + self.buckets * (2 * self.hidden + 2)
    }

    /// Puts the weights in their places among random ones.
    fn placed(self, weights: &[f32], seed: u64) -> Parameters {
        let Self { hidden, rows, buckets } = self;
        let layout = Layout::SHIPPED;
        let mut parameters = Parameters::random(layout, seed);
        let numbers = parameters.numbers_mut();
        let mut copy = |to: usize, from: usize, unit: f32| {
            for (number, weight) in numbers[to..to + hidden].iter_mut().zip(&weights[from..from + hidden]) {
                *number = weight / unit;
            }
        };
        for feature in 0..FEATURES {
            copy(layout.feature(feature), feature % rows * hidden, QA as f32);
        }
        copy(layout.bias(), rows * hidden, QA as f32);
        let outputs = (rows + 1) * hidden;
        let biases = outputs + buckets * 2 * hidden;
        // The first bucket of all was that of the endings, too.
        let source = |bucket: usize| bucket.saturating_sub(OUTPUT_BUCKETS - buckets);
        for bucket in 0..OUTPUT_BUCKETS {
            let shift = (weights[biases + buckets + source(bucket)] as u32).min(MAX_OUTPUT_SHIFT);
            for side in 0..2 {
                let from = outputs + (2 * source(bucket) + side) * hidden;
                copy(layout.output(bucket, side), from, (QB << shift) as f32);
            }
        }
        for bucket in 0..OUTPUT_BUCKETS {
            numbers[layout.output_bias(bucket)] = weights[biases + source(bucket)] / (QA * QB) as f32;
            for side in 0..2 {
                let start = layout.output(bucket, side);
                numbers[start + hidden..start + layout.hidden()].fill(0.0);
            }
        }
        parameters
    }
}

#[cfg(test)]
mod tests {
    use eval::Network;

    use super::*;
    use crate::records::synthetic::random_games;

    /// The file of a network with the first `hidden` neurons of another.
    fn narrowed(network: &Network, hidden: usize) -> Vec<u8> {
        let bytes = network.to_bytes();
        let (rows, outputs) = (FEATURES + 1, 2 * OUTPUT_BUCKETS);
        let weights: Vec<[u8; 2]> = bytes[HEADER_LEN..].as_chunks().0.to_vec();
        let (neurons, rest) = weights.split_at((rows + outputs) * HIDDEN);
        let kept = neurons.chunks(HIDDEN).flat_map(|row| &row[..hidden]).chain(rest);
        let payload: Vec<u8> = kept.flatten().copied().collect();
        let mut file = bytes[..HEADER_LEN].to_vec();
        file[24..28].copy_from_slice(&(hidden as u32).to_le_bytes());
        file[80..88].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        file[88..96].copy_from_slice(&checksum(&payload).to_le_bytes());
        file.extend(payload);
        file
    }

    #[test]
    fn a_grown_network_says_what_the_small_one_said() {
        let network = Network::embedded();
        let small = narrowed(&network, HIDDEN / 2);
        // What the small one says is what this architecture says with the other neurons cut off.
        let mut cut = Parameters::dequantise(&network);
        for bucket in 0..OUTPUT_BUCKETS {
            for side in 0..2 {
                let start = cut.layout().output(bucket, side);
                cut.numbers_mut()[start + HIDDEN / 2..start + HIDDEN].fill(0.0);
            }
        }
        let grown = grow(&small, 7).unwrap();
        for step in random_games(3, 10).iter().flat_map(|game| game.replay()) {
            let board = step.unwrap().board;
            let (expected, found) = (cut.evaluate(&board), grown.evaluate(&board));
            assert!((expected - found).abs() < 1e-4, "{expected} {found} {board:?}");
        }
    }

    /// The file of a network without its first output bucket.
    fn without_first_bucket(network: &Network) -> Vec<u8> {
        let bytes = network.to_bytes();
        let outputs = HEADER_LEN + 2 * (FEATURES + 1) * HIDDEN;
        let biases = outputs + 2 * OUTPUT_BUCKETS * 2 * HIDDEN;
        let shifts = biases + 2 * OUTPUT_BUCKETS;
        let bucket = 2 * 2 * HIDDEN;
        let parts = [&bytes[HEADER_LEN..outputs], &bytes[outputs + bucket..biases], &bytes[biases + 2..shifts]];
        let payload = [&parts.concat(), &bytes[shifts + 2..]].concat();
        let mut file = bytes[..HEADER_LEN].to_vec();
        file[28..32].copy_from_slice(&(OUTPUT_BUCKETS as u32 - 1).to_le_bytes());
        file[80..88].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        file[88..96].copy_from_slice(&checksum(&payload).to_le_bytes());
        file.extend(payload);
        file
    }

    #[test]
    fn a_bucket_of_solved_endings_begins_as_the_first_of_the_others() {
        let network = Network::embedded();
        let grown = grow(&without_first_bucket(&network), 1).unwrap();
        let (layout, expected) = (Layout::SHIPPED, Parameters::dequantise(&network));
        assert_eq!(
            grown.numbers()[layout.outputs(1).start..layout.output_bias(0)],
            expected.numbers()[layout.outputs(1).start..layout.output_bias(0)]
        );
        assert_eq!(grown.numbers()[layout.outputs(0)], expected.numbers()[layout.outputs(1)]);
        for bucket in 0..OUTPUT_BUCKETS {
            let source = layout.output_bias(bucket.max(1));
            assert_eq!(grown.numbers()[layout.output_bias(bucket)], expected.numbers()[source]);
        }
        let start = layout.feature(0)..layout.outputs(0).start;
        assert_eq!(grown.numbers()[start.clone()], expected.numbers()[start]);
    }

    #[test]
    fn a_network_of_this_size_is_read_as_it_is() {
        let network = Network::embedded();
        assert_eq!(grow(&network.to_bytes(), 1).unwrap(), Parameters::dequantise(&network));
    }

    #[test]
    fn what_cannot_grow_is_told() {
        let network = Network::embedded().to_bytes();
        let error = |bytes: &[u8]| grow(bytes, 1).unwrap_err().to_string();
        assert!(error(b"nonsense that is long enough").contains("not a Vancura network"));
        assert!(error(&network[..100]).contains("truncated"));
        assert!(error(&network[..1000]).contains("truncated"));
        let mut large = network.clone();
        large[24..28].copy_from_slice(&(HIDDEN as u32 + 1).to_le_bytes());
        assert!(error(&large).contains("number of hidden neurons"));
        let mut damaged = network;
        damaged[500] ^= 1;
        assert!(error(&damaged).contains("corrupt"));
    }
}
