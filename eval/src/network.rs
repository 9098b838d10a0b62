//! The quantised network: its file, and the forward pass that defines what it says.
//!
//! # File
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
//!
//! # Meaning
//!
//! For each side a hidden neuron sums its bias and its weights of the side's features, scaled by [`QA`]. With
//! `v = clamp(neuron, 0, QA)`, `w`, `b` and `s` the output weights, bias and shift of the board's bucket, a shift that
//! rounds down and division that truncates towards zero,
//!
//! ```text
//! sum   = Σ v * v * w          over both sides' neurons, the side to move first
//! score = ((sum >> s) / QA + b) * SCALE / (QA * QB)
//! ```
//!
//! in centipawns for the side to move. An output weight thus counts in units of `1 / (QB << s)`; the bias, whose unit
//! is a fortieth of a centipawn, needs no finer one. Weights and shifts beyond the bounds of [`arch`](crate::arch) are
//! refused on loading, hence: a neuron fits `i16` at any order of summation, `v * w` fits `i16`, a sum of up to 260
//! terms `v * v * w` fits `i32`, and only the final sum needs more.

use movegen::{Board, Color, Square};

use crate::arch::{
    FEATURES, HIDDEN, INPUTS, KING_BUCKET_COUNT, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SHIFT, MAX_OUTPUT_WEIGHT,
    OUTPUT_BUCKETS, QA, QB, SCALE, king_bucket_bytes, output_bucket,
};
use crate::feature::View;

const MAGIC: [u8; 8] = *b"VANCURA\0";
const VERSION: u32 = 2;
/// The version without shifts.
const UNSHIFTED_VERSION: u32 = 1;
const SQUARED_CLIPPED_RELU: u32 = 1;
const KING_BUCKETS_OFFSET: usize = 48;
const LENGTH_OFFSET: usize = 80;
const CHECKSUM_OFFSET: usize = 88;

/// Bytes before the payload.
pub const HEADER_LEN: usize = 128;

/// Bytes of the payload.
pub const PAYLOAD_LEN: usize = 2 * (FEATURES * HIDDEN + HIDDEN + OUTPUT_BUCKETS * (2 * HIDDEN + 2));

/// Bytes of the payload of [`UNSHIFTED_VERSION`].
const UNSHIFTED_PAYLOAD_LEN: usize = PAYLOAD_LEN - 2 * OUTPUT_BUCKETS;

/// One weight for each hidden neuron of a perspective, aligned for vectors of any width.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

/// The weights of one output bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// For the neurons of the side to move, then those of the other side; scaled by [`QB`] `<< shift`.
    pub weights: [Row; 2],
    /// Scaled by [`QA`] x [`QB`], whatever the shift.
    pub bias: i16,
    /// How much finer than [`QB`] the weights are, from 0 to [`MAX_OUTPUT_SHIFT`].
    pub shift: u32,
}

/// A network ready to evaluate boards.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    features: Box<[Row]>,
    bias: Row,
    outputs: Box<[Output]>,
}

/// Why bytes are not a network this program can use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file ends early.
    #[error("truncated network: {found} bytes instead of {expected}")]
    Truncated {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// The file goes on after its end.
    #[error("network followed by {0} foreign bytes")]
    Overlong(usize),
    /// The file is something else.
    #[error("not a Vancura network: it starts with {}", .0.escape_ascii())]
    Foreign([u8; 8]),
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
        /// Its place in the payload.
        index: usize,
        /// Its value.
        value: i16,
        /// The largest magnitude allowed there.
        limit: i16,
    },
    /// An output bucket's shift is out of its range.
    #[error("output bucket {bucket} has shift {shift}, not one from 0 to {MAX_OUTPUT_SHIFT}")]
    Shift {
        /// The bucket.
        bucket: usize,
        /// Its shift.
        shift: i16,
    },
}

impl Network {
    /// The network in a file's bytes.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] says what makes the bytes unusable: truncated, foreign, of another architecture, corrupt.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let payload = check_header(bytes)?;
        let mut weights: Vec<i16> = payload.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        // The shifts that version 1 lacks.
        weights.resize(PAYLOAD_LEN / 2, 0);
        Self::from_weights(&weights)
    }

    /// The network of all its weights and its shifts, in the order of the file.
    ///
    /// # Errors
    ///
    /// If there are too few or too many numbers, a weight is too large, or a shift is out of its range.
    pub fn from_weights(weights: &[i16]) -> Result<Self, NetworkError> {
        if 2 * weights.len() < PAYLOAD_LEN {
            return Err(NetworkError::Truncated { found: 2 * weights.len(), expected: PAYLOAD_LEN });
        }
        if 2 * weights.len() > PAYLOAD_LEN {
            return Err(NetworkError::Overlong(2 * weights.len() - PAYLOAD_LEN));
        }
        let (weights, shifts) = weights.split_at(weights.len() - OUTPUT_BUCKETS);
        check_range(weights)?;
        let shifts = check_shifts(shifts)?;

        let (hidden, output_biases) = weights.split_at(weights.len() - OUTPUT_BUCKETS);
        let mut rows = hidden.as_chunks().0.iter().map(|&row| Row(row));
        let features = rows.by_ref().take(FEATURES).collect();
        let mut next_row = || rows.next().unwrap_or(Row([0; HIDDEN]));
        let bias = next_row();
        let output = |(&bias, shift)| Output { weights: [next_row(), next_row()], bias, shift };
        let outputs = output_biases.iter().zip(shifts).map(output).collect();
        Ok(Self { features, bias, outputs })
    }

    /// The network as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let payload = self.payload();
        let mut bytes = Vec::with_capacity(HEADER_LEN + PAYLOAD_LEN);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        for (_, value) in architecture() {
            bytes.extend(value.to_le_bytes());
        }
        bytes.resize(KING_BUCKETS_OFFSET, 0);
        bytes.extend(king_bucket_bytes());
        bytes.extend((payload.len() as u64).to_le_bytes());
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.resize(HEADER_LEN, 0);
        bytes.extend(payload);
        bytes
    }

    /// The checksum of the weights and shifts as version 2 writes them, which names the network.
    #[must_use]
    pub fn hash(&self) -> u64 {
        checksum(&self.payload())
    }

    /// The weights of one feature.
    #[inline]
    #[must_use]
    pub fn feature(&self, feature: usize) -> &Row {
        &self.features[feature]
    }

    /// What the hidden neurons hold without any feature.
    #[inline]
    #[must_use]
    pub const fn bias(&self) -> &Row {
        &self.bias
    }

    /// The output weights for a board with this many men.
    #[inline]
    #[must_use]
    pub fn output(&self, men: usize) -> &Output {
        &self.outputs[output_bucket(men)]
    }

    /// The output weights of all buckets.
    #[inline]
    #[must_use]
    pub const fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The hidden neurons of one side before activation, computed from nothing.
    #[must_use]
    pub fn accumulate(&self, board: &Board, color: Color) -> Row {
        let view = View::of(board, color);
        let mut neurons = self.bias.clone();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                let weights = self.feature(view.feature(piece, square));
                for (neuron, weight) in neurons.0.iter_mut().zip(weights.0) {
                    *neuron += weight;
                }
            }
        }
        neurons
    }

    /// What the network says of a board, in centipawns for the side to move: the plain definition that every faster
    /// path must equal.
    ///
    /// Nothing bounds it to sensible scores; a caller that reserves a range for mates clamps it.
    #[must_use]
    pub fn evaluate(&self, board: &Board) -> i32 {
        let neurons = [board.turn(), !board.turn()].map(|color| self.accumulate(board, color));
        self.judge(neurons, board.occupied().count())
    }

    /// What the network would say if the man on `square`, not a king, were not there.
    #[must_use]
    pub fn evaluate_without(&self, board: &Board, square: Square) -> i32 {
        let mut men = board.occupied().count();
        let mut neurons = [board.turn(), !board.turn()].map(|color| self.accumulate(board, color));
        if let Some(piece) = board.piece_on(square) {
            men -= 1;
            for (color, neurons) in [board.turn(), !board.turn()].into_iter().zip(&mut neurons) {
                let weights = self.feature(View::of(board, color).feature(piece, square));
                neurons.0.iter_mut().zip(weights.0).for_each(|(neuron, weight)| *neuron -= weight);
            }
        }
        self.judge(neurons, men)
    }

    /// What the neurons of the side to move and of the other amount to.
    fn judge(&self, neurons: [Row; 2], men: usize) -> i32 {
        let output = self.output(men);
        let mut sum = 0i64;
        for (neurons, weights) in neurons.into_iter().zip(&output.weights) {
            for (neuron, weight) in neurons.0.into_iter().zip(weights.0) {
                let value = i64::from(neuron).clamp(0, i64::from(QA));
                sum += value * value * i64::from(weight);
            }
        }
        scale_output(sum, output.shift, output.bias)
    }

    /// All weights and shifts as little-endian bytes.
    fn payload(&self) -> Vec<u8> {
        let hidden = self.features.iter().chain([&self.bias]).chain(self.outputs.iter().flat_map(|o| &o.weights));
        let weights = hidden.flat_map(|row| row.0).chain(self.outputs.iter().map(|output| output.bias));
        let shifts = self.outputs.iter().map(|output| output.shift as i16);
        weights.chain(shifts).flat_map(i16::to_le_bytes).collect()
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({:016x})", self.hash())
    }
}

/// Centipawns from the sum of `v * v * w` over both sides' neurons, and the shift and bias of the output.
///
/// No sum of a network's overflows, as asserted in [`arch`](crate::arch): a shift only makes it smaller.
#[inline]
#[must_use]
pub const fn scale_output(sum: i64, shift: u32, bias: i16) -> i32 {
    (((sum >> shift) / QA as i64 + bias as i64) * SCALE as i64 / (QA * QB) as i64) as i32
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): finds accidents, not malice.
#[must_use]
pub const fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01B3);
        index += 1;
    }
    hash
}

/// The numbers a header must hold from offset 12 on, four bytes each.
const fn architecture() -> [(&'static str, u32); 8] {
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
fn check_header(bytes: &[u8]) -> Result<&[u8], NetworkError> {
    if bytes.len() < HEADER_LEN {
        return match bytes.first_chunk() {
            Some(start) if *start != MAGIC => Err(NetworkError::Foreign(*start)),
            _ => Err(NetworkError::Truncated { found: bytes.len(), expected: HEADER_LEN + PAYLOAD_LEN }),
        };
    }
    let (header, payload) = bytes.split_at(HEADER_LEN);
    if !header.starts_with(&MAGIC) {
        return Err(NetworkError::Foreign(field(header, 0).to_le_bytes()));
    }
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
fn check_shifts(shifts: &[i16]) -> Result<Vec<u32>, NetworkError> {
    let check = |(bucket, &shift): (usize, &i16)| {
        let checked = u32::try_from(shift).ok().filter(|&shift| shift <= MAX_OUTPUT_SHIFT);
        checked.ok_or(NetworkError::Shift { bucket, shift })
    };
    shifts.iter().enumerate().map(check).collect()
}

/// Refuses weights, from those of the features to the output biases, that are too large for the arithmetic.
fn check_range(weights: &[i16]) -> Result<(), NetworkError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights that differ from each other and use all of their ranges.
    fn weights(seed: u64) -> Vec<i16> {
        let mut state = seed;
        let mut next = |limit: i16| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (((state >> 33) % (2 * limit as u64 + 1)) as i32 - i32::from(limit)) as i16
        };
        let hidden = HIDDEN * (FEATURES + 1);
        (0..PAYLOAD_LEN / 2)
            .map(|index| match index {
                _ if index < hidden => next(MAX_HIDDEN_WEIGHT),
                _ if index < PAYLOAD_LEN / 2 - 2 * OUTPUT_BUCKETS => next(MAX_OUTPUT_WEIGHT),
                _ if index < PAYLOAD_LEN / 2 - OUTPUT_BUCKETS => next(i16::MAX),
                _ => (index % (MAX_OUTPUT_SHIFT as usize + 1)) as i16,
            })
            .collect()
    }

    fn network() -> Network {
        Network::from_weights(&weights(1)).unwrap()
    }

    fn boards() -> Vec<Board> {
        let mut board = Board::start();
        let mut boards = vec![board];
        for ply in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(moves[(ply * 7 + 3) % moves.len()], &mut ());
            boards.push(board);
        }
        boards
    }

    #[test]
    fn bytes_round_trip() {
        let network = network();
        let bytes = network.to_bytes();
        assert_eq!(bytes.len(), HEADER_LEN + PAYLOAD_LEN);
        assert_eq!(Network::from_bytes(&bytes), Ok(network));
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = network().to_bytes();
        for length in (0..HEADER_LEN + 4).chain([bytes.len() / 2, bytes.len() - 1]) {
            let expected = NetworkError::Truncated { found: length, expected: bytes.len() };
            assert_eq!(Network::from_bytes(&bytes[..length]), Err(expected));
        }
        let longer = [&bytes[..], &[0; 3]].concat();
        assert_eq!(Network::from_bytes(&longer), Err(NetworkError::Overlong(3)));
    }

    #[test]
    fn foreign_files_are_refused() {
        assert!(matches!(Network::from_bytes(&[0x7F; 1_000_000]), Err(NetworkError::Foreign(_))));
        assert!(matches!(Network::from_bytes(b"\x7FELF\x02\x01\x01\0\0"), Err(NetworkError::Foreign(_))));
        let mut bytes = network().to_bytes();
        bytes[8] = 9;
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Version(9)));
        bytes[8] = VERSION as u8;
        bytes[KING_BUCKETS_OFFSET + 31] = 5;
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::KingBuckets));
    }

    #[test]
    fn version_1_is_read_without_shifts() {
        let mut weights = weights(3);
        weights[UNSHIFTED_PAYLOAD_LEN / 2..].fill(0);
        let network = Network::from_weights(&weights).unwrap();
        let mut bytes = network.to_bytes();
        bytes.truncate(HEADER_LEN + UNSHIFTED_PAYLOAD_LEN);
        bytes[8..12].copy_from_slice(&UNSHIFTED_VERSION.to_le_bytes());
        bytes[LENGTH_OFFSET..][..8].copy_from_slice(&(UNSHIFTED_PAYLOAD_LEN as u64).to_le_bytes());
        let sum = checksum(&bytes[HEADER_LEN..]);
        bytes[CHECKSUM_OFFSET..][..8].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Network::from_bytes(&bytes), Ok(network));
        bytes.pop();
        assert!(matches!(Network::from_bytes(&bytes), Err(NetworkError::Truncated { .. })));
    }

    #[test]
    fn other_architectures_are_named() {
        for (index, (what, value)) in architecture().into_iter().enumerate() {
            let mut bytes = network().to_bytes();
            let offset = 12 + 4 * index;
            bytes[offset..offset + 4].copy_from_slice(&(value + 16).to_le_bytes());
            let (found, expected) = (u64::from(value) + 16, u64::from(value));
            assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Architecture { what, found, expected }));
        }
    }

    #[test]
    fn any_flipped_bit_of_the_payload_is_found() {
        let bytes = network().to_bytes();
        for place in [HEADER_LEN, HEADER_LEN + 12_345, bytes.len() - 1] {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(matches!(Network::from_bytes(&damaged), Err(NetworkError::Corrupt { .. })));
            }
        }
    }

    #[test]
    fn weights_out_of_range_are_refused() {
        let hidden = HIDDEN * (FEATURES + 1);
        for (index, limit) in [(0, MAX_HIDDEN_WEIGHT), (hidden - 1, MAX_HIDDEN_WEIGHT), (hidden, MAX_OUTPUT_WEIGHT)] {
            for value in [limit + 1, -limit - 1, i16::MIN] {
                let mut weights = weights(2);
                weights[index] = value;
                let expected = NetworkError::WeightRange { index, value, limit };
                assert_eq!(Network::from_weights(&weights), Err(expected));
            }
        }
        assert!(matches!(Network::from_weights(&[0; 10]), Err(NetworkError::Truncated { found: 20, .. })));
    }

    #[test]
    fn shifts_out_of_range_are_refused() {
        for shift in [-1, MAX_OUTPUT_SHIFT as i16 + 1, i16::MIN, i16::MAX] {
            let mut weights = weights(2);
            weights[PAYLOAD_LEN / 2 - 1] = shift;
            let expected = NetworkError::Shift { bucket: OUTPUT_BUCKETS - 1, shift };
            assert_eq!(Network::from_weights(&weights), Err(expected));
        }
    }

    /// The formula of the module's head written a second time, in floating point, without any shared step.
    #[test]
    fn evaluation_agrees_with_floating_point() {
        let network = network();
        for board in boards() {
            let men = board.occupied().count();
            let output = network.output(men);
            let mut sum = 0.0;
            for (side, color) in [board.turn(), !board.turn()].into_iter().enumerate() {
                for neuron in 0..HIDDEN {
                    let mut value = f64::from(network.bias().0[neuron]) / 255.0;
                    for square in board.occupied() {
                        let piece = board.piece_on(square).unwrap();
                        let feature = View::of(&board, color).feature(piece, square);
                        value += f64::from(network.feature(feature).0[neuron]) / 255.0;
                    }
                    let weight = f64::from(output.weights[side].0[neuron]) / (64.0 * 2f64.powi(output.shift as i32));
                    sum += value.clamp(0.0, 1.0).powi(2) * weight;
                }
            }
            let expected = 400.0 * (sum + f64::from(output.bias) / (255.0 * 64.0));
            let found = f64::from(network.evaluate(&board));
            assert!((found - expected).abs() < 1.1, "{found} for {expected}");
        }
    }

    #[test]
    fn colours_are_treated_alike() {
        let network = network();
        for board in boards() {
            assert_eq!(network.evaluate(&board), network.evaluate(&board.flipped()));
        }
    }

    #[test]
    fn extreme_weights_do_not_overflow() {
        for sign in [1, -1] {
            let hidden = HIDDEN * (FEATURES + 1);
            let mut weights: Vec<i16> = (0..PAYLOAD_LEN / 2)
                .map(|index| if index < hidden { MAX_HIDDEN_WEIGHT } else { sign * MAX_OUTPUT_WEIGHT })
                .collect();
            weights[UNSHIFTED_PAYLOAD_LEN / 2..].fill(0);
            let network = Network::from_weights(&weights).unwrap();
            let expected = scale_output(
                i64::from(sign) * 2 * HIDDEN as i64 * 255 * 255 * i64::from(MAX_OUTPUT_WEIGHT),
                0,
                sign * MAX_OUTPUT_WEIGHT,
            );
            assert_eq!(network.evaluate(&Board::start()), expected);
        }
    }

    #[test]
    fn scaling_truncates_towards_zero() {
        assert_eq!(scale_output(0, 0, 0), 0);
        assert_eq!(scale_output(255 * 255 * 64, 0, 0), SCALE);
        assert_eq!(scale_output(-255 * 255 * 64, 0, 0), -SCALE);
        assert_eq!(scale_output(0, 0, (QA * QB) as i16), SCALE);
        assert_eq!(scale_output(254, 0, -1), 0);
        assert_eq!(scale_output(0, 0, 40), scale_output(0, 0, -40).abs());
    }

    #[test]
    fn a_shift_makes_a_weight_finer() {
        for shift in 0..=MAX_OUTPUT_SHIFT {
            assert_eq!(scale_output((255 * 255 * 64) << shift, shift, 0), SCALE);
            assert_eq!(scale_output((-255 * 255 * 64) << shift, shift, 0), -SCALE);
            // The bias is no weight.
            assert_eq!(scale_output(0, shift, (QA * QB) as i16), SCALE);
        }
    }

    #[test]
    fn checksum_is_fnv_1a() {
        // Test vectors of the hash's authors.
        assert_eq!(checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(checksum(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_F739_67E8);
    }
}
