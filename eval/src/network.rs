//! The quantised network, and the forward pass that defines its evaluation. [`mod@format`] describes its file.
//!
//! # Definition
//!
//! For each side a hidden neuron sums its bias and its weights of the side's features, in units of 1 / [`QA`]. A pair of
//! them makes a product, rounded to the nearest:
//!
//! ```text
//! p[i] = (clamp(neuron[i], 0, QA) * clamp(neuron[PAIRS + i], 0, QA) + 256) >> PRODUCT_SHIFT
//! ```
//!
//! The inputs of the second layer are the products of the side to move, then those of the other side. With the weights
//! `w2`, `w3`, `w`, the biases `b2`, `b3`, `b` and the shift of the board's bucket, and from `x` on in `f32`, each
//! operation rounded for itself,
//!
//! ```text
//! x[j]  = (Σ p[i] * w2[j][i]) * (512 / (QA * QA * (QB << shift))) + b2[j]     the sum is an exact integer
//! a     = clamp(x[0], 0, 1), clamp(x[1], 0, 1) .. clamp(x[0] * x[0], 0, 1), clamp(x[1] * x[1], 0, 1) ..
//! y[k]  = b3[k] + a[0] * w3[k][0] + a[1] * w3[k][1] ..                        from left to right
//! z[k]  = clamp(y[k], 0, 1) * clamp(y[k], 0, 1)
//! out   = b + Σ z[k] * w[k]
//! score = out * SCALE                                                        truncated
//! ```
//!
//! in centipawns for the side to move. The last sum is made in 16 lanes: lane `l` sums the terms `k` = `l`, `l` + 16 and
//! so on; then the upper half of the lanes is added to the lower, until one is left.
//!
//! Weights and shifts beyond the bounds of [`arch`](crate::arch) are refused on loading, hence: a neuron fits `i16` at any
//! order of summation, two terms of the second layer fit `i16` together, and no number behind it is large or none.

pub mod format;
pub mod payload;

use format::{EMPTY_CHECKSUM, add_to_checksum, check_header};
pub use format::{HEADER_LEN, NetworkError, checksum};
use movegen::{Board, Color, Square};
pub use payload::PAYLOAD_LEN;

use crate::arch::{FEATURES, HIDDEN, OUTPUT_BUCKETS, PAIRS, PRODUCT_SHIFT, QA, SECOND, output_bucket};
use crate::feature::Perspective;
use crate::head::Head;
use crate::simd::Scalar;

/// One number for each hidden neuron of a perspective: the weights of a feature, or an accumulator. Aligned for any
/// vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

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
#[derive(Clone, PartialEq)]
pub struct Network {
    features: Box<[Row]>,
    bias: Row,
    heads: Box<[Head]>,
}

// All its numbers are equal to themselves: those that are none are refused.
impl Eq for Network {}

impl Network {
    /// What a network takes in memory, in bytes.
    pub const SIZE: usize = size_of::<Self>() + FEATURES * size_of::<Row>() + OUTPUT_BUCKETS * size_of::<Head>();

    /// The network in a file's bytes.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] says what makes the bytes unusable: truncated, foreign, of another architecture, corrupt.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::from_payload(check_header(bytes)?)
    }

    /// A network whose features take turns with these weights and whose buckets are equal.
    #[cfg(test)]
    pub(crate) fn repeating(rows: &[Row], head: &Head) -> Self {
        let features = rows.iter().cycle().take(FEATURES).cloned().collect();
        Self { features, bias: rows[0].clone(), heads: vec![head.clone(); OUTPUT_BUCKETS].into_boxed_slice() }
    }

    /// The network of a [`payload`].
    ///
    /// # Errors
    ///
    /// If there are too few or too many bytes, a number is too large, or a shift is out of its range.
    pub fn from_payload(payload: &[u8]) -> Result<Self, NetworkError> {
        payload::read(payload)
    }

    /// The [`payload`], byte by byte.
    pub fn payload(&self) -> impl Iterator<Item = u8> {
        payload::write(self)
    }

    /// The network as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        format::file_of(&self.payload().collect::<Vec<_>>())
    }

    /// The checksum of the payload, which names the network.
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

    /// The layers behind the hidden neurons for a board with this many pieces.
    #[inline]
    pub(crate) fn head(&self, pieces: usize) -> &Head {
        &self.heads[output_bucket(pieces)]
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

    /// The layers behind the accumulators of the side to move and of the other side.
    fn propagate(&self, neurons: [Row; 2], pieces: usize) -> i32 {
        let head = self.head(pieces);
        let mut sums = [0; SECOND];
        for (side, neurons) in neurons.iter().enumerate() {
            for pair in 0..PAIRS {
                let [first, second] = [pair, PAIRS + pair].map(|neuron| i32::from(neurons.0[neuron]).clamp(0, QA));
                let product = (first * second + (1 << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT;
                for (neuron, sum) in sums.iter_mut().enumerate() {
                    *sum += product * i32::from(head.weight(side * PAIRS + pair, neuron));
                }
            }
        }
        head.score(Scalar, sums)
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({:016x})", self.hash())
    }
}

#[cfg(test)]
mod tests {
    use super::format::{KING_BUCKETS_OFFSET, VERSION, architecture};
    use super::*;
    use crate::arch::{MAX_HIDDEN_WEIGHT, MAX_SECOND_SHIFT, MAX_SECOND_WEIGHT, THIRD};
    use crate::testing::{EXACT_COUNT, HIDDEN_COUNT, SECOND_COUNT, extreme_payload, payload};

    /// Of weights that differ from each other and use all of their ranges.
    fn network() -> Network {
        Network::from_payload(&payload(1, 1)).unwrap()
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
    fn older_versions_are_refused() {
        for version in [1, 2] {
            let mut bytes = network().to_bytes();
            bytes[8] = version;
            // As long as a file of that version, or longer.
            for length in [1_208_996, bytes.len()] {
                let found = Network::from_bytes(&bytes[..length]);
                assert_eq!(found, Err(NetworkError::Older(version.into())));
            }
        }
        let message = NetworkError::Older(2).to_string();
        assert!(message.contains("older architecture") && message.contains("version 2"), "{message}");
    }

    #[test]
    fn other_architectures_are_named() {
        for (what, offset, value) in architecture() {
            let mut bytes = network().to_bytes();
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
    fn payloads_of_other_lengths_are_refused() {
        let payload = payload(2, 1);
        let (found, expected) = (PAYLOAD_LEN - 1, PAYLOAD_LEN);
        assert_eq!(Network::from_payload(&payload[1..]), Err(NetworkError::Truncated { found, expected }));
        assert_eq!(Network::from_payload(&[&payload[..], &[0]].concat()), Err(NetworkError::Overlong(1)));
    }

    #[test]
    fn quantised_weights_out_of_range_are_refused() {
        let refused = |offset: usize, bytes: &[u8], section: &str, index: usize, value: i16, limit: i16| {
            let mut payload = payload(2, 1);
            payload[offset..][..bytes.len()].copy_from_slice(bytes);
            let error = Network::from_payload(&payload).unwrap_err();
            let NetworkError::WeightRange { section: found, .. } = error else { panic!("{error}") };
            assert!(found.contains(section), "{found}");
            assert_eq!(error, NetworkError::WeightRange { section: found, index, value, limit });
        };
        for index in [0, HIDDEN_COUNT - 1] {
            for value in [MAX_HIDDEN_WEIGHT + 1, -MAX_HIDDEN_WEIGHT - 1, i16::MIN] {
                refused(2 * index, &value.to_le_bytes(), "feature", index, value, MAX_HIDDEN_WEIGHT);
            }
        }
        for index in [0, SECOND_COUNT - 1] {
            let limit = MAX_SECOND_WEIGHT.into();
            refused(2 * HIDDEN_COUNT + index, &[0x80], "second layer", index, i8::MIN.into(), limit);
        }
    }

    #[test]
    fn exact_weights_out_of_range_are_refused() {
        for index in [0, EXACT_COUNT / 2, EXACT_COUNT - 1] {
            for value in [2.1, -2.1, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
                let mut payload = payload(2, 1);
                payload[PAYLOAD_LEN - 4 * (EXACT_COUNT - index)..][..4].copy_from_slice(&value.to_le_bytes());
                let expected = NetworkError::ExactRange { index, bits: value.to_bits() };
                assert_eq!(Network::from_payload(&payload), Err(expected));
            }
        }
        let message = NetworkError::ExactRange { index: 7, bits: 2.5f32.to_bits() }.to_string();
        assert_eq!(message, "number 7 behind the shifts is 2.5, beyond ±2");
    }

    #[test]
    fn shifts_out_of_range_are_refused() {
        for shift in [-1, MAX_SECOND_SHIFT as i16 + 1, i16::MIN, i16::MAX] {
            let mut payload = payload(2, 1);
            payload[PAYLOAD_LEN - 4 * EXACT_COUNT - 2..][..2].copy_from_slice(&shift.to_le_bytes());
            let expected = NetworkError::Shift { bucket: OUTPUT_BUCKETS - 1, shift };
            assert_eq!(Network::from_payload(&payload), Err(expected));
        }
    }

    #[test]
    fn zeros_are_a_network_to_which_all_is_even() {
        let network = Network::from_payload(&vec![0; PAYLOAD_LEN]).unwrap();
        assert!(boards().iter().all(|board| network.evaluate(board) == 0));
    }

    /// A payload's numbers as they lie there, and the formula of the module's head written a second time, in floating
    /// point, without any shared step.
    struct Formula {
        hidden: Vec<f64>,
        second: Vec<f64>,
        shifts: Vec<i32>,
        exact: Vec<f64>,
    }

    impl Formula {
        fn of(payload: &[u8]) -> Self {
            let (hidden, rest) = payload.split_at(2 * HIDDEN_COUNT);
            let (second, rest) = rest.split_at(SECOND_COUNT);
            let (shifts, exact) = rest.split_at(2 * OUTPUT_BUCKETS);
            let short = |bytes: &[u8; 2]| i16::from_le_bytes(*bytes);
            Self {
                hidden: hidden.as_chunks().0.iter().map(|bytes| f64::from(short(bytes)) / 255.0).collect(),
                second: second.iter().map(|&byte| f64::from(byte as i8) / 64.0).collect(),
                shifts: shifts.as_chunks().0.iter().map(|bytes| short(bytes).into()).collect(),
                exact: exact.as_chunks().0.iter().map(|&bytes| f64::from(f32::from_le_bytes(bytes))).collect(),
            }
        }

        /// The inputs of the second layer.
        fn products(&self, board: &Board) -> Vec<f64> {
            let side = |color: Color| {
                let neuron = |neuron: usize| {
                    let weight = |square| {
                        let piece = board.piece_on(square).unwrap();
                        let feature = Perspective::of(board, color).feature(piece, square);
                        self.hidden[feature * HIDDEN + neuron]
                    };
                    let sum: f64 = board.occupied().into_iter().map(weight).sum();
                    (self.hidden[FEATURES * HIDDEN + neuron] + sum).clamp(0.0, 1.0)
                };
                let unit = 512.0 / (255.0 * 255.0);
                (0..512)
                    .map(|pair| (neuron(pair) * neuron(512 + pair) / unit + 0.5 + 1e-9).floor() * unit)
                    .collect::<Vec<f64>>()
            };
            [side(board.turn()), side(!board.turn())].concat()
        }

        fn evaluate(&self, board: &Board) -> f64 {
            let bucket = output_bucket(board.occupied().count());
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let sections = [SECOND, 2 * SECOND * THIRD, THIRD, THIRD, 1];
            let section = |index: usize| {
                let start = OUTPUT_BUCKETS * sections[..index].iter().sum::<usize>();
                &self.exact[start + bucket * sections[index]..][..sections[index]]
            };
            let products = self.products(board);
            let weights = &self.second[bucket * SECOND * HIDDEN..];
            let unit = 2f64.powi(self.shifts[bucket]);
            let second: Vec<f64> = (0..SECOND)
                .map(|neuron| dot(&products, &weights[neuron * HIDDEN..][..HIDDEN]) / unit + section(0)[neuron])
                .collect();
            let plain = second.iter().map(|value| value.clamp(0.0, 1.0));
            let inputs: Vec<f64> = plain.chain(second.iter().map(|value| value.powi(2).min(1.0))).collect();
            let third: Vec<f64> = (0..THIRD)
                .map(|neuron| dot(&inputs, &section(1)[neuron * 2 * SECOND..][..2 * SECOND]) + section(2)[neuron])
                .map(|value| value.clamp(0.0, 1.0).powi(2))
                .collect();
            400.0 * (dot(&third, section(3)) + section(4)[0])
        }
    }

    #[test]
    fn evaluation_agrees_with_floating_point() {
        // Weights of all sizes, and smaller ones, with which fewer neurons are clipped.
        for divisor in [1, 4, 16] {
            let payload = payload(1, divisor);
            let (formula, network) = (Formula::of(&payload), Network::from_payload(&payload).unwrap());
            for board in boards() {
                let (expected, found) = (formula.evaluate(&board), f64::from(network.evaluate(&board)));
                assert!((found - expected).abs() < 1.1, "{found} for {expected} with weights divided by {divisor}");
            }
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
        // All neurons are at their bound, or none.
        for (head_sign, expected) in [(1.0, 33.0 * 2.0), (-1.0, -2.0)] {
            let network = Network::from_payload(&extreme_payload(1.0, head_sign)).unwrap();
            assert_eq!(network.evaluate(&Board::start()), (expected * 400.0) as i32);
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
