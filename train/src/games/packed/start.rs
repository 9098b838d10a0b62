//! Where games start: the 32 bytes in which viriformat holds a position and a result, piece by piece.

use super::coder::Coder;
use super::softmax::Softmax;
use crate::games::game::START_LEN;

/// Codes of pieces, in four bits; 7 for an empty square.
const CODES: usize = 16;
const EMPTY: usize = 7;
const RATE: i32 = 300;

const SQUARE_FEATURES: usize = 5;
const SQUARE_SIZES: [usize; SQUARE_FEATURES] =
    [64 * CODES, CODES.pow(3), 4 * CODES.pow(2), 8 * CODES.pow(2), 64 * CODES.pow(2)];

/// A whole number of up to 16 bits: the number of its bits, and each of them.
#[derive(Clone, Debug)]
pub(super) struct NumberModel(Softmax<1>);

impl NumberModel {
    const LENGTHS: usize = 17;
    /// Of one context: the lengths, and for each length and place two candidates for each half of the numbers.
    const SIZE: usize = Self::LENGTHS + Self::LENGTHS * 16 * 4;

    pub(super) fn new(contexts: usize) -> Self {
        Self(Softmax::new(contexts * Self::SIZE, RATE))
    }

    pub(super) fn code(&mut self, coder: &mut impl Coder, value: u16, context: usize) -> u16 {
        let base = context * Self::SIZE;
        let length = self.0.code_row(coder, (16 - value.leading_zeros()) as usize, Self::LENGTHS, [base]);
        let mut read = u16::from(length > 0);
        for place in (0..length.saturating_sub(1)).rev() {
            let base = base + Self::LENGTHS + ((length * 16 + place) * 2 + usize::from(read & 1)) * 2;
            let bit = self.0.code_row(coder, usize::from(value >> place & 1), 2, [base]);
            read = read << 1 | bit as u16;
        }
        read
    }
}

/// The position of one kind of start, predicted from that of the one before.
#[derive(Clone, Debug)]
pub(super) struct StartModel {
    squares: Softmax<SQUARE_FEATURES>,
    numbers: NumberModel,
    before: [usize; 64],
}

impl StartModel {
    pub(super) fn new() -> Self {
        Self {
            squares: Softmax::new(SQUARE_SIZES.iter().sum(), RATE),
            numbers: NumberModel::new(4),
            before: [EMPTY; 64],
        }
    }

    /// Codes all but the result.
    pub(super) fn code(&mut self, coder: &mut impl Coder, start: &[u8; START_LEN]) -> [u8; START_LEN] {
        let (mut codes, mut coded) = (codes(start), [0; START_LEN]);
        let mut surprises = 0;
        for square in 0..64 {
            let code = self.code_square(coder, square, &codes, surprises);
            surprises = (surprises + usize::from(code != self.before[square])).min(3);
            codes[square] = code;
        }
        self.before = codes;
        let pieces = codes.iter().enumerate().filter(|(_, code)| **code != EMPTY).take(32);
        for (count, (square, &code)) in pieces.enumerate() {
            coded[square / 8] |= 1 << (square % 8);
            coded[8 + count / 2] |= (code as u8) << (4 * (count % 2));
        }
        let numbers = &mut self.numbers;
        let mut number = |value, context| numbers.code(coder, value, context);
        let turn = number((start[24] >> 7).into(), 0);
        let en_passant = number((start[24] & 127).into(), 1);
        coded[24] = (turn as u8) << 7 | en_passant as u8 & 127;
        coded[25] = number(start[25].into(), 2) as u8;
        let move_number = number(u16::from_le_bytes([start[26], start[27]]), 3);
        coded[26..28].copy_from_slice(&move_number.to_le_bytes());
        coded
    }

    fn code_square(&mut self, coder: &mut impl Coder, square: usize, codes: &[usize; 64], surprises: usize) -> usize {
        let rank = square / 8;
        let west = if square.is_multiple_of(8) { EMPTY } else { codes[square - 1] };
        let south = if rank == 0 { EMPTY } else { codes[square - 8] };
        let mirrored = if rank < 4 { EMPTY } else { codes[square ^ 56] };
        let contexts = [
            square,
            west * CODES + south,
            surprises * CODES + self.before[square],
            rank * CODES + mirrored,
            square * CODES + west,
        ];
        let mut offset = 0;
        let first = std::array::from_fn(|feature| {
            let index = offset + contexts[feature] * CODES;
            offset += SQUARE_SIZES[feature];
            index
        });
        self.squares.code_row(coder, codes[square], CODES, first)
    }
}

/// The code of the piece on each square.
fn codes(start: &[u8; START_LEN]) -> [usize; 64] {
    let mut codes = [EMPTY; 64];
    let mut count = 0;
    for (square, code) in codes.iter_mut().enumerate() {
        if start[square / 8] >> (square % 8) & 1 == 1 && count < 32 {
            *code = usize::from(start[8 + count / 2] >> (4 * (count % 2)) & 15);
            count += 1;
        }
    }
    codes
}
