//! The bootstrap evaluation: material and squares, blended from middle game to endgame.
//!
//! It exists to play the first games from which a network learns, and leaves when that network is better. The
//! square tables are drawn from a few plain ideas: pawns forward, men to the centre, the king to the edge until
//! the endgame. Source of the blending: the Chess Programming Wiki, "Tapered Eval".

use movegen::{Bitboard, Board, Color, PieceType};

/// A value in the middle game and one in the endgame, in centipawns.
type Tapered = (i32, i32);

/// Worth by kind, before the square counts.
const MATERIAL: [Tapered; 6] = [(95, 115), (330, 305), (345, 325), (485, 540), (1010, 990), (0, 0)];

/// How much each kind of man delays the endgame.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

const BISHOP_PAIR: Tapered = (25, 45);
const TEMPO: i32 = 12;

static TABLE: [[Tapered; 64]; 6] = table();

/// The worth of the board for the side to move, in centipawns.
#[must_use]
pub fn evaluate(board: &Board) -> i32 {
    let (mut middle, mut end, mut phase) = (0, 0, 0);
    for color in Color::ALL {
        let sign = if color == board.turn() { 1 } else { -1 };
        for piece_type in PieceType::ALL {
            for square in board.pieces(color, piece_type) {
                let (m, e) = TABLE[piece_type as usize][square.relative_to(color) as usize];
                middle += sign * m;
                end += sign * e;
                phase += PHASE[piece_type as usize];
            }
        }
        let bishops = board.pieces(color, PieceType::Bishop);
        if bishops.intersects(Bitboard::LIGHT_SQUARES) && bishops.intersects(Bitboard::DARK_SQUARES) {
            middle += sign * BISHOP_PAIR.0;
            end += sign * BISHOP_PAIR.1;
        }
    }
    let phase = phase.min(FULL_PHASE);
    (middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE + TEMPO
}

const fn table() -> [[Tapered; 64]; 6] {
    let mut table = [[(0, 0); 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            let (m, e) = square_worth(PieceType::ALL[kind], square % 8, square / 8);
            table[kind][square as usize] = (MATERIAL[kind].0 + m, MATERIAL[kind].1 + e);
            square += 1;
        }
        kind += 1;
    }
    table
}

/// What a man gains by its square; `rank` 0 is its own back rank.
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
    use super::*;

    fn worth(fen: &str) -> i32 {
        evaluate(&Board::from_fen(fen).unwrap())
    }

    #[test]
    fn equal_positions_give_the_tempo_alone() {
        assert_eq!(evaluate(&Board::start()), TEMPO);
    }

    #[test]
    fn a_board_and_its_mirror_are_worth_the_same() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(evaluate(&board), evaluate(&board.flipped()), "{fen}");
        }
    }

    #[test]
    fn more_men_are_worth_more() {
        let men = ["8", "P7", "N7", "B7", "R7", "Q7"];
        let worths = men.map(|row| worth(&format!("6k1/8/8/8/{row}/8/8/6K1 w - - 0 1")));
        assert!(worths.is_sorted_by(|a, b| a < b), "{worths:?}");
    }
}
