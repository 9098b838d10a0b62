//! The seed: a network written by hand, which plays the first games that a network learns from.
//!
//! It counts material and squares, blended from middle game to endgame by the number of pieces (the Chess Programming
//! Wiki, "Tapered Eval"). The square tables are drawn from a few plain ideas: pawns forward, pieces to the centre, the
//! king to the edge until the endgame.
//!
//! Hidden neurons can count: one with the bias 1/2 holds `1/2 + x` for small sums `x`, and multiplied by one that is always
//! 1 it stays so. Each kind of piece on each pair of files has a neuron for the middle game and one for the endgame. A
//! neuron of the second layer adds them up to `v` from 0 to 1, and the squares of the third layer's neurons `v` and
//! `1 - v` differ by `2v - 1`.

use eval::arch::{FEATURES, INPUTS, OUTPUT_BUCKETS, PAIRS, QA, SCALE, THIRD};
use eval::{Network, NetworkError};
use movegen::{PieceType, Square};

use crate::training::model::{Layout, Parameters};

/// A value in the middle game and one in the endgame, in centipawns.
type Tapered = (i32, i32);

/// Worth by kind, before the square counts.
const MATERIAL: [Tapered; 6] = [(95, 115), (330, 305), (345, 325), (485, 540), (1010, 990), (0, 0)];

/// Centipawns of a weight of 1 of a neuron that counts this kind of piece: as fine as leaves room for the pieces that
/// meet on two files.
const UNIT: [i32; 6] = [6, 6, 6, 9, 10, 2];

const TEMPO: i32 = 12;

/// The largest evaluation of either side, in centipawns.
const LIMIT: f32 = 6400.0;

/// Hidden neurons that count: kinds of pieces x pairs of files x two stages of the game.
const USED: usize = 6 * 4 * 2;

const _: () = assert!(USED <= PAIRS);

/// The network that knows what pieces and squares are worth, and nothing else.
///
/// # Errors
///
/// Never with sizes that [`eval::arch`] allows; the error is the one a network of wrong size or weight gives.
pub fn seed_network() -> Result<Network, NetworkError> {
    let layout = Layout::SHIPPED;
    let mut parameters = Parameters::zero(layout);
    let numbers = parameters.numbers_mut();
    for feature in 0..FEATURES {
        write_feature(feature % INPUTS, &mut numbers[layout.feature(feature)..][..USED]);
    }
    numbers[layout.bias()..][..USED].fill(0.5);
    numbers[layout.bias() + PAIRS..][..USED].fill(1.0);
    for bucket in 0..OUTPUT_BUCKETS {
        write_second(bucket, &mut numbers[layout.second(bucket, 0)..][..2 * PAIRS]);
        numbers[layout.second_biases(bucket)] = 0.5;
        write_third(bucket, layout, numbers);
    }
    parameters.quantise()
}

/// The weights of one input: own pieces count for a neuron, the other side's against it.
fn write_feature(input: usize, row: &mut [f32]) {
    let (kind, square) = (input / 64 % 6, Square::from_index((input % 64) as u8));
    let (sign, seen) = if input / 64 < 6 { (1, square) } else { (-1, square.flip_rank()) };
    let worth = square_worth(PieceType::ALL[kind], seen.file() as i32, seen.rank() as i32);
    let files = square.file() as usize / 2;
    for (stage, worth) in [MATERIAL[kind].0 + worth.0, MATERIAL[kind].1 + worth.1].into_iter().enumerate() {
        row[neuron(kind, files, stage)] = (sign * worth) as f32 / (UNIT[kind] * QA) as f32;
    }
}

/// The weights of a bucket's second layer: half of the evaluation by what the side to move sees, half by the other.
fn write_second(bucket: usize, weights: &mut [f32]) {
    let middle_game = (bucket as f32 + 0.5) / OUTPUT_BUCKETS as f32;
    for (kind, unit) in UNIT.into_iter().enumerate() {
        for (stage, share) in [middle_game, 1.0 - middle_game].into_iter().enumerate() {
            let weight = (unit * QA) as f32 * share / 2.0 / (2.0 * LIMIT);
            for neuron in (0..4).map(|files| neuron(kind, files, stage)) {
                (weights[neuron], weights[PAIRS + neuron]) = (weight, -weight);
            }
        }
    }
}

/// The third layer and the output of a bucket: half of the neurons for the side to move, half against it.
fn write_third(bucket: usize, layout: Layout, numbers: &mut [f32]) {
    let inputs = (layout.third(1) - layout.third(0)) / THIRD;
    let weight = LIMIT / SCALE as f32 / (THIRD / 2) as f32;
    for neuron in 0..THIRD {
        let (sign, bias) = if neuron < THIRD / 2 { (1.0, 0.0) } else { (-1.0, 1.0) };
        numbers[layout.third(bucket) + neuron * inputs] = sign;
        numbers[layout.third_biases(bucket) + neuron] = bias;
        numbers[layout.outputs(bucket) + neuron] = sign * weight;
    }
    numbers[layout.output_bias(bucket)] = TEMPO as f32 / SCALE as f32;
}

/// The hidden neuron that counts a kind of piece on two neighbouring files.
const fn neuron(kind: usize, files: usize, stage: usize) -> usize {
    (kind * 4 + files) * 2 + stage
}

/// What a piece gains by its square; `rank` 0 is its own back rank.
const fn square_worth(piece_type: PieceType, file: i32, rank: i32) -> Tapered {
    let from_edge = if file < 4 { file } else { 7 - file };
    // 0 in the corners to 6 on the four central squares.
    let central = from_edge + if rank < 4 { rank } else { 7 - rank };
    match piece_type {
        PieceType::Pawn => {
            let centre = if from_edge == 3 && rank >= 3 { 18 } else { 3 * from_edge };
            (centre + rank * rank * rank / 5 - 10, 3 * rank * rank - 15)
        }
        PieceType::Knight => (9 * central - 38, 6 * central - 28),
        PieceType::Bishop => (5 * central - 18 - if rank == 0 { 10 } else { 0 }, 4 * central - 14),
        PieceType::Rook => (4 * from_edge - 8 + if rank == 6 { 20 } else { 0 }, if rank >= 5 { 12 } else { 0 }),
        PieceType::Queen => (central - 4 - 3 * rank, 7 * central - 24),
        PieceType::King => {
            let sheltered = if rank == 0 && (file <= 2 || file == 6) { 30 } else { 0 };
            (sheltered - 6 * central - 14 * rank, 10 * central - 34)
        }
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Board, File};

    use super::*;

    fn worth(fen: &str) -> i32 {
        seed_network().unwrap().evaluate(&Board::from_fen(fen).unwrap())
    }

    #[test]
    fn equal_positions_give_the_tempo_alone() {
        assert!((seed_network().unwrap().evaluate(&Board::start()) - TEMPO).abs() <= 1);
    }

    #[test]
    fn a_board_and_its_mirror_are_worth_the_same() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            let network = seed_network().unwrap();
            assert_eq!(network.evaluate(&board), network.evaluate(&board.flipped()), "{fen}");
        }
    }

    #[test]
    fn pieces_are_worth_what_the_table_says() {
        for (row, kind) in [("P7", 0), ("N7", 1), ("B7", 2), ("R7", 3), ("Q7", 4)] {
            let found = worth(&format!("6k1/8/8/8/{row}/8/8/6K1 w - - 0 1")) - TEMPO;
            let (_, end) = square_worth(PieceType::ALL[kind], File::A as i32, 3);
            let expected = MATERIAL[kind].1 + end;
            assert!((found - expected).abs() <= expected / 8, "{row}: {found} for {expected}");
        }
    }
}
