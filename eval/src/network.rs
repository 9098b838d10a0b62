//! The quantised network, and the forward pass that defines its evaluation. [`mod@format`] describes its file.
//!
//! # Definition
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

pub mod format;

use format::{EMPTY_CHECKSUM, add_to_checksum, check_header, check_range, check_shifts};
pub use format::{HEADER_LEN, NetworkError, PAYLOAD_LEN, checksum};
use movegen::{Board, Color, Square};

use crate::arch::{FEATURES, HIDDEN, OUTPUT_BUCKETS, QA, QB, SCALE, output_bucket};
use crate::feature::Perspective;

/// One number for each hidden neuron of a perspective: the weights of a feature, or an accumulator. Aligned for any
/// vectors.
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
    /// How much finer than [`QB`] the weights are, from 0 to [`MAX_OUTPUT_SHIFT`](crate::arch::MAX_OUTPUT_SHIFT).
    pub shift: u32,
}

/// A network.
///
/// ```
/// use eval::Network;
/// use movegen::Board;
///
/// let network = Network::embedded();
/// let board = Board::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
/// assert!(network.evaluate(&board) > 500, "White is a queen up");
/// assert_eq!(Network::from_bytes(&network.to_bytes()).as_ref(), Ok(&*network));
/// # Ok::<(), movegen::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    features: Box<[Row]>,
    bias: Row,
    outputs: Box<[Output]>,
}

impl Network {
    /// What a network takes in memory, in bytes.
    pub const SIZE: usize = size_of::<Self>() + FEATURES * size_of::<Row>() + OUTPUT_BUCKETS * size_of::<Output>();

    /// The network in a file's bytes.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] says what makes the bytes unusable: truncated, foreign, of another architecture, corrupt.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let payload = check_header(bytes)?;
        let mut weights = Vec::new();
        weights.try_reserve_exact(PAYLOAD_LEN / 2).map_err(|_| NetworkError::NoMemory)?;
        weights.extend(payload.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)));
        // The shifts that version 1 lacks.
        weights.resize(PAYLOAD_LEN / 2, 0);
        Self::from_weights(&weights)
    }

    /// A network of these weights and shifts, in the order of the file.
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
        let mut features = Vec::new();
        features.try_reserve_exact(FEATURES).map_err(|_| NetworkError::NoMemory)?;
        features.extend(rows.by_ref().take(FEATURES));
        let features = features.into_boxed_slice();
        let mut next_row = || rows.next().unwrap_or(Row([0; HIDDEN]));
        let bias = next_row();
        let output = |(&bias, shift)| Output { weights: [next_row(), next_row()], bias, shift };
        let outputs = output_biases.iter().zip(shifts).map(output).collect();
        Ok(Self { features, bias, outputs })
    }

    /// The network as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        format::file_of(&self.payload().collect::<Vec<_>>())
    }

    /// The checksum of the weights and shifts as version 2 writes them, which names the network.
    #[must_use]
    pub fn hash(&self) -> u64 {
        // Without a copy of them, for which there may be no memory.
        self.payload().fold(EMPTY_CHECKSUM, add_to_checksum)
    }

    /// The weights of one feature.
    #[inline]
    #[must_use]
    pub fn feature(&self, feature: usize) -> &Row {
        &self.features[feature]
    }

    /// The feature biases: the accumulator of an empty board.
    #[inline]
    #[must_use]
    pub const fn bias(&self) -> &Row {
        &self.bias
    }

    /// The output weights for a board with this many pieces.
    #[inline]
    #[must_use]
    pub fn output(&self, pieces: usize) -> &Output {
        &self.outputs[output_bucket(pieces)]
    }

    /// The output weights of all buckets.
    #[inline]
    #[must_use]
    pub const fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The accumulator of one side, computed from scratch.
    #[must_use]
    pub fn accumulate(&self, board: &Board, color: Color) -> Row {
        let perspective = Perspective::of(board, color);
        let mut neurons = self.bias.clone();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                let weights = self.feature(perspective.feature(piece, square));
                for (neuron, weight) in neurons.0.iter_mut().zip(weights.0) {
                    *neuron += weight;
                }
            }
        }
        neurons
    }

    /// The evaluation of a board, in centipawns for the side to move: the simple definition that every faster path must
    /// agree with.
    ///
    /// The score is not bounded; a caller that reserves a range for mate scores clamps it.
    #[must_use]
    pub fn evaluate(&self, board: &Board) -> i32 {
        let neurons = [board.turn(), !board.turn()].map(|color| self.accumulate(board, color));
        self.propagate(neurons, board.occupied().count())
    }

    /// The evaluation without the piece on `square`, which must not be a king.
    #[must_use]
    pub fn evaluate_without(&self, board: &Board, square: Square) -> i32 {
        let mut pieces = board.occupied().count();
        let mut neurons = [board.turn(), !board.turn()].map(|color| self.accumulate(board, color));
        if let Some(piece) = board.piece_on(square) {
            pieces -= 1;
            for (color, neurons) in [board.turn(), !board.turn()].into_iter().zip(&mut neurons) {
                let weights = self.feature(Perspective::of(board, color).feature(piece, square));
                neurons.0.iter_mut().zip(weights.0).for_each(|(neuron, weight)| *neuron -= weight);
            }
        }
        self.propagate(neurons, pieces)
    }

    /// The output layer for the accumulators of the side to move and of the other side.
    fn propagate(&self, neurons: [Row; 2], pieces: usize) -> i32 {
        let output = self.output(pieces);
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
    fn payload(&self) -> impl Iterator<Item = u8> {
        let hidden = self.features.iter().chain([&self.bias]).chain(self.outputs.iter().flat_map(|o| &o.weights));
        let weights = hidden.flat_map(|row| row.0).chain(self.outputs.iter().map(|output| output.bias));
        let shifts = self.outputs.iter().map(|output| output.shift as i16);
        weights.chain(shifts).flat_map(i16::to_le_bytes)
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

#[cfg(test)]
mod tests {
    use super::format::{
        CHECKSUM_OFFSET, KING_BUCKETS_OFFSET, LENGTH_OFFSET, UNSHIFTED_PAYLOAD_LEN, UNSHIFTED_VERSION, VERSION,
        architecture,
    };
    use super::*;
    use crate::arch::{MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SHIFT, MAX_OUTPUT_WEIGHT};

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
        for short in [&b"\x7FELF\x02\x01\x01\0\0"[..], b"hello", b"VANCURA!", b"v"] {
            let start = short[..short.len().min(8)].to_vec();
            assert_eq!(Network::from_bytes(short), Err(NetworkError::Foreign(start)));
        }
        let error = Network::from_bytes(b"hello").unwrap_err();
        assert_eq!(error.to_string(), "not a Vancura network: it starts with hello");
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
            let pieces = board.occupied().count();
            let output = network.output(pieces);
            let mut sum = 0.0;
            for (side, color) in [board.turn(), !board.turn()].into_iter().enumerate() {
                for neuron in 0..HIDDEN {
                    let mut value = f64::from(network.bias().0[neuron]) / 255.0;
                    for square in board.occupied() {
                        let piece = board.piece_on(square).unwrap();
                        let feature = Perspective::of(&board, color).feature(piece, square);
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
    fn evaluation_is_symmetric() {
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
