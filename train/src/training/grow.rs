//! A larger network that begins where a smaller one ended.
//!
//! New pairs of neurons get random inputs and no weight behind them yet, and each king bucket begins as a copy of the only one there
//! was: the larger network says what the smaller one said, and training goes on from there. Source: T. Chen,
//! I. Goodfellow and J. Shlens, "Net2Net: Accelerating Learning via Knowledge Transfer" (2015).

use eval::NetworkError;
use eval::arch::{
    FEATURES, HIDDEN, INPUTS, KING_BUCKET_COUNT, MAX_SECOND_SHIFT, OUTPUT_BUCKETS, PAIRS, QA, QB, SECOND, THIRD,
};
use eval::network::{HEADER_LEN, checksum};

use crate::training::model::{Layout, Parameters};

/// The format version with two layers behind the hidden neurons.
const VERSION: u64 = 3;
/// Where the header holds what, and how many bytes of it: see `eval/src/network/format.rs`.
const VERSION_FIELD: (usize, usize) = (8, 4);
const INPUTS_FIELD: (usize, usize) = (16, 4);
const KING_BUCKETS_FIELD: (usize, usize) = (20, 4);
const HIDDEN_FIELD: (usize, usize) = (24, 4);
const OUTPUT_BUCKETS_FIELD: (usize, usize) = (28, 4);
const SECOND_FIELD: (usize, usize) = (96, 4);
const THIRD_FIELD: (usize, usize) = (100, 4);
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
/// If the bytes are no network of format version 3, or its architecture does not fit: it may have fewer hidden neurons,
/// and one king bucket where this program has several.
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
    equal("number of output buckets", field(OUTPUT_BUCKETS_FIELD), OUTPUT_BUCKETS)?;
    equal("number of neurons of the second layer", field(SECOND_FIELD), SECOND)?;
    equal("number of neurons of the third layer", field(THIRD_FIELD), THIRD)?;
    let king_buckets = field(KING_BUCKETS_FIELD);
    if king_buckets != 1 {
        equal("number of king buckets", king_buckets, KING_BUCKET_COUNT)?;
    }
    let hidden = field(HIDDEN_FIELD);
    if hidden > HIDDEN as u64 || !hidden.is_multiple_of(2) || hidden == 0 {
        equal("number of hidden neurons", hidden, HIDDEN)?;
    }
    let small = Small { hidden: hidden as usize, rows: king_buckets as usize * INPUTS };
    let payload = &bytes[HEADER_LEN..];
    if payload.len() != small.payload() {
        let expected = HEADER_LEN + small.payload();
        return Err(NetworkError::Truncated { found: bytes.len(), expected }.into());
    }
    if checksum(payload) != field(CHECKSUM_FIELD) {
        let (found, expected) = (checksum(payload), field(CHECKSUM_FIELD));
        return Err(NetworkError::Corrupt { found, expected }.into());
    }
    Ok(small.placed(payload, seed))
}

/// The sizes of the network that grows.
#[derive(Clone, Copy, Debug)]
struct Small {
    hidden: usize,
    rows: usize,
}

impl Small {
    /// Bytes of its payload.
    const fn payload(self) -> usize {
        let Self { hidden, rows } = self;
        let exact = Layout::SHIPPED.count() - Layout::SHIPPED.second_biases(0);
        2 * (rows + 1) * hidden + OUTPUT_BUCKETS * (SECOND * hidden + 2) + 4 * exact
    }

    /// Puts the weights in their places among random ones; new pairs of neurons have no weights behind them yet.
    fn placed(self, payload: &[u8], seed: u64) -> Parameters {
        let Self { hidden, rows } = self;
        let layout = Layout::SHIPPED;
        let mut parameters = Parameters::random(layout, seed);
        let numbers = parameters.numbers_mut();
        let (features, rest) = payload.split_at(2 * (rows + 1) * hidden);
        let (second, rest) = rest.split_at(OUTPUT_BUCKETS * SECOND * hidden);
        let (shifts, exact) = rest.split_at(2 * OUTPUT_BUCKETS);
        // Each half of a row stands at the start of the larger half.
        let (half, pairs) = (hidden / 2, PAIRS);
        let place = |neuron: usize| neuron / half * pairs + neuron % half;

        let features: Vec<f32> = i16s(features).map(|weight| f32::from(weight) / QA as f32).collect();
        for feature in 0..=FEATURES {
            let row = if feature == FEATURES { rows } else { feature % rows };
            for (neuron, &weight) in features[row * hidden..][..hidden].iter().enumerate() {
                numbers[layout.feature(feature) + place(neuron)] = weight;
            }
        }
        numbers[layout.second(0, 0)..layout.second_biases(0)].fill(0.0);
        for ((bucket, shift), weights) in i16s(shifts).enumerate().zip(second.chunks(SECOND * hidden)) {
            let unit = (QB << u32::from(shift as u16).min(MAX_SECOND_SHIFT)) as f32;
            for (index, &weight) in weights.iter().enumerate() {
                numbers[layout.second(bucket, index / hidden) + place(index % hidden)] = f32::from(weight as i8) / unit;
            }
        }
        for (number, &weight) in numbers[layout.second_biases(0)..].iter_mut().zip(exact.as_chunks().0) {
            *number = f32::from_le_bytes(weight);
        }
        parameters
    }
}

fn i16s(bytes: &[u8]) -> impl Iterator<Item = i16> {
    bytes.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair))
}

#[cfg(test)]
mod tests {
    use eval::Network;

    use super::*;
    use crate::records::synthetic::random_games;

    /// The file of a network with the first `pairs` pairs of neurons of another.
    fn narrowed(network: &Network, pairs: usize) -> Vec<u8> {
        let bytes = network.to_bytes();
        let (features, rest) = bytes[HEADER_LEN..].split_at(2 * (FEATURES + 1) * HIDDEN);
        let (second, rest) = rest.split_at(OUTPUT_BUCKETS * SECOND * HIDDEN);
        let mut payload: Vec<u8> = features.chunks(2 * PAIRS).flat_map(|half| &half[..2 * pairs]).copied().collect();
        payload.extend(second.chunks(PAIRS).flat_map(|side| &side[..pairs]));
        payload.extend(rest);
        let mut file = bytes[..HEADER_LEN].to_vec();
        file[24..28].copy_from_slice(&(2 * pairs as u32).to_le_bytes());
        file[80..88].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        file[88..96].copy_from_slice(&checksum(&payload).to_le_bytes());
        file.extend(payload);
        file
    }

    #[test]
    fn a_grown_network_says_what_the_small_one_said() {
        const KEPT: usize = PAIRS / 2;
        let network = Network::embedded();
        // What the small one says is what this architecture says with the other pairs cut off.
        let mut cut = Parameters::dequantise(&network);
        let layout = cut.layout();
        for side in cut.numbers_mut()[layout.second(0, 0)..layout.second_biases(0)].chunks_mut(PAIRS) {
            side[KEPT..].fill(0.0);
        }
        let grown = grow(&narrowed(&network, KEPT), 7).unwrap();
        for step in random_games(3, 10).iter().flat_map(|game| game.replay()) {
            let board = step.unwrap().board;
            let (expected, found) = (cut.evaluate(&board), grown.evaluate(&board));
            assert!((expected - found).abs() < 1e-4, "{expected} {found} {board:?}");
        }
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
        large[24..28].copy_from_slice(&(HIDDEN as u32 + 2).to_le_bytes());
        assert!(error(&large).contains("number of hidden neurons"));
        let mut damaged = network;
        damaged[500] ^= 1;
        assert!(error(&damaged).contains("corrupt"));
    }
}
