//! The network architecture, shared by inference and training.
//!
//! (768 inputs x king buckets -> `HIDDEN`) x 2 perspectives -> 1, with output buckets by piece count. The activation is
//! the squared clipped ReLU. Changing [`HIDDEN`], [`KING_BUCKETS`] or [`OUTPUT_BUCKETS`] changes inference, trainer and
//! file format together; networks of another architecture are then refused.

use movegen::Square;

/// Inputs of one king bucket: 2 sides x 6 piece types x 64 squares.
pub const INPUTS: usize = 768;

/// Hidden neurons of one perspective: a multiple of 32, the widest vector, and better of 128, the block size of the
/// trainer.
pub const HIDDEN: usize = 768;

/// Output buckets: sets of output weights, chosen by the number of pieces on the board.
pub const OUTPUT_BUCKETS: usize = 9;

/// Centipawns of an output of 1, where the expected score is `1 / (1 + exp(-output))`.
pub const SCALE: i32 = 400;

/// The quantised value of 1 in the feature transformer.
pub const QA: i32 = 255;

/// The quantised value of an output weight of 1 in a bucket with shift 0; in others it is `QB << shift`.
///
/// Each output bucket has its own shift, since the weights of some are many times smaller than those of others.
pub const QB: i32 = 64;

/// The largest shift of an output bucket: with it a weight of at most 0.03 is quantised to 1/4096, finer than any
/// trained bucket needs.
pub const MAX_OUTPUT_SHIFT: u32 = 6;

/// The largest magnitude of any trained weight.
///
/// It keeps the integers small: a hidden neuron sums a bias and at most 32 weights of at most [`MAX_HIDDEN_WEIGHT`]
/// and stays below 2^15, and a clipped neuron times an output weight is at most 255 x [`MAX_OUTPUT_WEIGHT`] < 2^15,
/// whatever the shift.
pub const MAX_WEIGHT: f32 = 1.98;

/// The largest magnitude of a quantised feature weight or bias: [`MAX_WEIGHT`] x [`QA`], rounded.
pub const MAX_HIDDEN_WEIGHT: i16 = 505;

/// The largest magnitude of a quantised output weight in any bucket: [`MAX_WEIGHT`] x [`QB`], rounded.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

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
    assert!(HIDDEN.is_multiple_of(32), "hidden neurons must fill whole vectors, of 32 with AVX-512");
    assert!(33 * (MAX_HIDDEN_WEIGHT as i32) <= i16::MAX as i32);
    assert!(QA * (MAX_OUTPUT_WEIGHT as i32) <= i16::MAX as i32);
    // The sum of all terms, brought to the output bias's unit, and the score made of both.
    let sum = 2 * HIDDEN as i64 * (QA * QA) as i64 * MAX_OUTPUT_WEIGHT as i64;
    let score = (sum / QA as i64 + i16::MAX as i64) * SCALE as i64 / (QA * QB) as i64;
    assert!(score <= i32::MAX as i64);
    assert!(MAX_OUTPUT_SHIFT < i64::BITS);
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
        assert_eq!((MAX_WEIGHT * QB as f32).round() as i16, MAX_OUTPUT_WEIGHT);
        assert!((MAX_WEIGHT * (QA * QB) as f32).round() <= f32::from(i16::MAX));
    }
}
