//! The seed: a network written by hand, which plays the first games that a network learns from.
//!
//! It counts material and squares, blended from middle game to endgame by the number of pieces (the Chess Programming
//! Wiki, "Tapered Eval"). The square tables are drawn from a few plain ideas: pawns forward, pieces to the centre, the
//! king to the edge until the endgame.
//!
//! Squared clipped neurons can add up: a pair with the biases 1/2 that sums `x` and `-x` has the activations
//! `(1/2 + x)²` and `(1/2 - x)²`, whose difference is `2x`. Each kind of piece on each pair of files has one such pair
//! of neurons for the middle game and one for the endgame.

use eval::arch::{FEATURES, HIDDEN, INPUTS, OUTPUT_BUCKETS, QA, QB, SCALE};
use eval::network::PAYLOAD_LEN;
use eval::{Network, NetworkError};
use movegen::{PieceType, Square};

/// A value in the middle game and one in the endgame, in centipawns.
type Tapered = (i32, i32);

/// Worth by kind, before the square counts.
const MATERIAL: [Tapered; 6] = [(95, 115), (330, 305), (345, 325), (485, 540), (1010, 990), (0, 0)];

/// Centipawns of a weight of 1 of a neuron that counts this kind of piece: as fine as leaves room for the pieces that
/// meet on two files.
const UNIT: [i32; 6] = [6, 6, 6, 9, 10, 2];

const TEMPO: i32 = 12;

/// Neurons: kinds of pieces x pairs of files x two stages of the game x two signs.
const USED: usize = 6 * 4 * 2 * 2;

const _: () = assert!(USED <= HIDDEN);

/// The network that knows what pieces and squares are worth, and nothing else.
///
/// # Errors
///
/// Never with sizes that [`eval::arch`] allows; the error is the one a network of wrong size or weight gives.
pub fn seed_network() -> Result<Network, NetworkError> {
    let mut weights = vec![0; PAYLOAD_LEN / 2];
    let (features, rest) = weights.split_at_mut(FEATURES * HIDDEN);
    let (biases, rest) = rest.split_at_mut(HIDDEN);
    // Behind the biases, the shifts stay 0: these weights are written in units of 1 / QB.
    let (outputs, rest) = rest.split_at_mut(OUTPUT_BUCKETS * 2 * HIDDEN);

    for (feature, row) in features.chunks_exact_mut(HIDDEN).enumerate() {
        write_feature(feature % INPUTS, row);
    }
    biases[..USED].fill(HALF);
    for (bucket, sides) in outputs.chunks_exact_mut(2 * HIDDEN).enumerate() {
        write_output(bucket, sides);
    }
    rest[..OUTPUT_BUCKETS].fill((TEMPO * QA * QB / SCALE) as i16);
    Network::from_weights(&weights)
}

/// Half of a neuron's range.
const HALF: i16 = (QA / 2) as i16;

/// The weights of one input: own pieces count for a neuron pair, the other side's against it.
fn write_feature(input: usize, row: &mut [i16]) {
    let (kind, square) = (input / 64 % 6, Square::from_index((input % 64) as u8));
    let (sign, seen) = if input / 64 < 6 { (1, square) } else { (-1, square.flip_rank()) };
    let worth = square_worth(PieceType::ALL[kind], seen.file() as i32, seen.rank() as i32);
    let files = square.file() as usize / 2;
    for (stage, worth) in [MATERIAL[kind].0 + worth.0, MATERIAL[kind].1 + worth.1].into_iter().enumerate() {
        let weight = (sign * worth) as f64 / f64::from(UNIT[kind]);
        let neuron = pair(kind, files, stage);
        row[neuron] = weight.round() as i16;
        row[neuron + 1] = -row[neuron];
    }
}

/// The output weights of one bucket, for the side to move and then the other.
fn write_output(bucket: usize, sides: &mut [i16]) {
    let middle_game = (bucket as f64 + 0.5) / OUTPUT_BUCKETS as f64;
    // A pair's difference for a sum of 1 is 4 x HALF before the network's own scaling; both sides see it.
    let centipawns = 2.0 * 4.0 * f64::from(HALF) / f64::from(QA) * f64::from(SCALE) / f64::from(QA * QB);
    let (own, other) = sides.split_at_mut(HIDDEN);
    for (kind, unit) in UNIT.into_iter().enumerate() {
        for (stage, share) in [middle_game, 1.0 - middle_game].into_iter().enumerate() {
            let weight = (f64::from(unit) * share / centipawns).round() as i16;
            for files in 0..4 {
                let neuron = pair(kind, files, stage);
                (own[neuron], own[neuron + 1]) = (weight, -weight);
                (other[neuron], other[neuron + 1]) = (-weight, weight);
            }
        }
    }
}

/// The first neuron of the pair that counts a kind of piece on two neighbouring files.
const fn pair(kind: usize, files: usize, stage: usize) -> usize {
    ((kind * 4 + files) * 2 + stage) * 2
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
