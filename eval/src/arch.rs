//! The network architecture, shared by inference and training.
//!
//! (768 inputs x king buckets -> `HIDDEN`) x 2 perspectives, multiplied in pairs -> `SECOND`, plain and squared ->
//! `THIRD` -> 1, with output buckets by piece count. Changing [`HIDDEN`], [`SECOND`], [`THIRD`], [`KING_BUCKETS`] or
//! [`OUTPUT_BUCKETS`] changes inference, trainer and file format together; networks of another architecture are then
//! refused.

use movegen::Square;

/// Inputs of one king bucket: 2 sides x 6 piece types x 64 squares.
pub const INPUTS: usize = 768;

/// Hidden neurons of one perspective, the width of an accumulator. Half of them are multiplied by the other half.
pub const HIDDEN: usize = 1024;

/// Products of pairs of hidden neurons of one perspective: neuron `i` times neuron `PAIRS + i`.
pub const PAIRS: usize = HIDDEN / 2;

/// Products side by side whose weights of the second layer lie together: as many bytes as an `i32` has. A group of zeros is
/// passed over.
pub const GROUP: usize = 4;

/// Neurons of the second layer, whose inputs are the [`PAIRS`] of both perspectives, the side to move first.
pub const SECOND: usize = 16;

/// Neurons of the third layer, whose inputs are those of the second, plain and then squared.
pub const THIRD: usize = 32;

/// Output buckets: sets of weights behind the hidden neurons, chosen by the number of pieces on the board.
pub const OUTPUT_BUCKETS: usize = 9;

/// Centipawns of an output of 1, where the expected score is `1 / (1 + exp(-output))`.
pub const SCALE: i32 = 400;

/// The quantised value of 1 in the feature transformer.
pub const QA: i32 = 255;

/// The quantised value of a weight of 1 of the second layer in a bucket with shift 0; in others it is `QB << shift`.
///
/// Each output bucket has its own shift, since the weights of some are many times smaller than those of others.
pub const QB: i32 = 64;

/// A product of two hidden neurons is shifted by this, and rounded to the nearest: so products fit seven bits.
pub const PRODUCT_SHIFT: u32 = 9;

/// The largest shift of an output bucket: with it a weight of at most 0.03 is quantised to 1/4096, finer than any
/// trained bucket needs.
pub const MAX_SECOND_SHIFT: u32 = 6;

/// The largest magnitude of any trained weight.
///
/// It keeps the integers small: a hidden neuron sums a bias and at most 32 weights of at most [`MAX_HIDDEN_WEIGHT`]
/// and stays below 2^15, and two products times their weights of the second layer stay there too, whatever the shift.
pub const MAX_WEIGHT: f32 = 1.98;

/// The largest magnitude of a quantised feature weight or bias: [`MAX_WEIGHT`] x [`QA`], rounded.
pub const MAX_HIDDEN_WEIGHT: i16 = 505;

/// The largest magnitude of a quantised weight of the second layer in any bucket: [`MAX_WEIGHT`] x [`QB`], rounded.
pub const MAX_SECOND_WEIGHT: i8 = 127;

/// The largest magnitude of a number that is not quantised: the second layer's biases and all behind them.
pub const MAX_EXACT_WEIGHT: f32 = 2.0;

/// The king bucket by rank, from the king's own perspective, and file, mirrored to the files a to d.
#[rustfmt::skip]
pub const KING_BUCKETS: [[u8; 4]; 8] = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
];

/// The number of king buckets.
pub const KING_BUCKET_COUNT: usize = {
    let (mut highest, mut rank) = (0, 0);
    while rank < 8 {
        let mut file = 0;
        while file < 4 {
            if KING_BUCKETS[rank][file] > highest {
                highest = KING_BUCKETS[rank][file];
            }
            file += 1;
        }
        rank += 1;
    }
    highest as usize + 1
};

/// Rows of feature weights: the inputs of all king buckets.
pub const FEATURES: usize = INPUTS * KING_BUCKET_COUNT;

const _: () = {
    assert!(PAIRS.is_multiple_of(64), "products must fill whole vectors, of 64 with AVX-512");
    assert!(SECOND == 16, "a second layer's weights for four inputs must fill a cache line");
    assert!(THIRD.is_multiple_of(16));
    assert!(33 * (MAX_HIDDEN_WEIGHT as i32) <= i16::MAX as i32);
    let product = (QA * QA + (1 << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT;
    assert!(product <= i8::MAX as i32, "a product must do as a signed and as an unsigned byte");
    assert!(2 * product * MAX_SECOND_WEIGHT as i32 <= i16::MAX as i32);
    // Every sum is an exact `f32`.
    assert!(2 * PAIRS as i32 * product * MAX_SECOND_WEIGHT as i32 <= 1 << f32::MANTISSA_DIGITS);
    assert!(MAX_SECOND_SHIFT < 16);
};

/// The bucket of a king on a square of the files a to d, from its own perspective.
#[inline]
#[must_use]
pub const fn king_bucket(king: Square) -> usize {
    KING_BUCKETS[king.rank() as usize][king.file() as usize & 3] as usize
}

/// The most pieces, kings included, of the endings that are solved exactly for training: they have the first output
/// bucket to themselves.
pub const SOLVED_PIECES: usize = 4;

/// The output bucket of a board with `pieces` pieces, kings included: the solved endings, then bands that end with 5, 9
/// ... 29 pieces, and the rest.
#[inline]
#[must_use]
pub const fn output_bucket(pieces: usize) -> usize {
    if pieces <= SOLVED_PIECES {
        return 0;
    }
    let band = (pieces - 2) / 4;
    1 + if band < OUTPUT_BUCKETS - 1 { band } else { OUTPUT_BUCKETS - 2 }
}

/// [`KING_BUCKETS`] in the order of a file header: rank by rank.
#[must_use]
pub(crate) const fn king_bucket_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut index = 0;
    while index < 32 {
        bytes[index] = KING_BUCKETS[index / 4][index % 4];
        index += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_buckets_are_bands_of_piece_counts() {
        let buckets: Vec<usize> = (2..=32).map(output_bucket).collect();
        assert_eq!((buckets[0], buckets[30]), (0, OUTPUT_BUCKETS - 1));
        // Nothing but solved endings in the first.
        assert_eq!((output_bucket(SOLVED_PIECES), output_bucket(SOLVED_PIECES + 1)), (0, 1));
        assert!(buckets.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1), "{buckets:?}");
    }

    #[test]
    fn each_king_bucket_is_used() {
        for bucket in 0..KING_BUCKET_COUNT {
            assert!(king_bucket_bytes().contains(&(bucket as u8)), "bucket {bucket} has no square");
        }
        for rank in movegen::Rank::ALL {
            for file in movegen::File::ALL.into_iter().take(4) {
                assert!(king_bucket(Square::new(file, rank)) < KING_BUCKET_COUNT);
            }
        }
    }

    #[test]
    fn clipping_bounds_match() {
        assert_eq!((MAX_WEIGHT * QA as f32).round() as i16, MAX_HIDDEN_WEIGHT);
        assert_eq!((MAX_WEIGHT * QB as f32).round() as i8, MAX_SECOND_WEIGHT);
    }
}
