//! Attack tables, computed at compile time.
//!
//! Slider attacks are looked up by the relevant occupancy: by PEXT where the build targets a CPU that has it, else by
//! "fancy" magic bitboards. Both use one dense table. Source: the Chess Programming Wiki, "Magic
//! Bitboards" and "BMI2"; the rays that fill the tables come from "Hyperbola Quintessence".

#![cfg_attr(target_feature = "bmi2", allow(unsafe_code))] // PEXT: 1 to 2 % of perft over magics on Zen 5

use crate::{Bitboard, Color, File, Rank, Square};

/// The squares a knight attacks.
#[inline]
#[must_use]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square as usize]
}

/// The squares a king attacks.
#[inline]
#[must_use]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square as usize]
}

/// The squares a pawn of `color` attacks.
#[inline]
#[must_use]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square as usize]
}

/// The squares attacked by any of these pawns of `color`.
#[inline]
#[must_use]
pub fn pawns_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.west() | ahead.east()
}

/// The squares a bishop attacks, given the occupied squares.
#[inline]
#[must_use]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDERS.attacks[BISHOPS[square as usize].index(occupied)]
}

/// The squares a rook attacks, given the occupied squares.
#[inline]
#[must_use]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDERS.attacks[ROOKS[square as usize].index(occupied)]
}

/// The squares a queen attacks, given the occupied squares.
#[inline]
#[must_use]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// The squares a bishop attacks on an empty board.
#[inline]
#[must_use]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square as usize]
}

/// The squares a rook attacks on an empty board.
#[inline]
#[must_use]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square as usize]
}

/// The squares strictly between two squares on one rank, file or diagonal, else none.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a as usize][b as usize]
}

/// The whole rank, file or diagonal through two different squares, else none.
#[inline]
#[must_use]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a as usize][b as usize]
}

static KNIGHT: [Bitboard; 64] = leaper([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaper([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];
static BISHOP_RAYS: [Bitboard; 64] = rays(Slider::Bishop);
static ROOK_RAYS: [Bitboard; 64] = rays(Slider::Rook);
static BETWEEN: [[Bitboard; 64]; 64] = between_table();
static LINE: [[Bitboard; 64]; 64] = line_table();

const fn leaper<const N: usize>(steps: [(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < N {
            let file = square as i8 % 8 + steps[step].0;
            let rank = square as i8 / 8 + steps[step].1;
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            step += 1;
        }
        square += 1;
    }
    table
}

#[derive(Clone, Copy)]
enum Slider {
    Bishop,
    Rook,
}

/// The two full lines a slider moves on, without its own square.
const fn lines_of(slider: Slider, square: u8) -> [u64; 2] {
    let (file, rank) = (square % 8, square / 8);
    let mut lines = [0; 2];
    let mut other = 0;
    while other < 64 {
        let (other_file, other_rank) = (other % 8, other / 8);
        let on_line = match slider {
            Slider::Rook => [other_rank == rank, other_file == file],
            Slider::Bishop => [other_rank + file == rank + other_file, other_rank + other_file == rank + file],
        };
        if other != square {
            lines[0] |= (on_line[0] as u64) << other;
            lines[1] |= (on_line[1] as u64) << other;
        }
        other += 1;
    }
    lines
}

const fn rays(slider: Slider) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let lines = lines_of(slider, square);
        table[square as usize] = Bitboard(lines[0] | lines[1]);
        square += 1;
    }
    table
}

/// Attacks along one line: the occupied squares minus twice the slider, from both ends.
const fn line_attacks(square: u8, occupied: u64, line: u64) -> u64 {
    let slider = 1_u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let lines = all_lines(a);
        let mut b = 0;
        while b < 64 {
            let ends = 1 << a | 1 << b;
            let mut index = 0;
            while index < 4 {
                if lines[index] >> b & 1 == 1 {
                    let inner = line_attacks(a, ends, lines[index]) & line_attacks(b, ends, lines[index] | 1 << a);
                    table[a as usize][b as usize] = Bitboard(inner & !ends);
                }
                index += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

const fn line_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let lines = all_lines(a);
        let mut b = 0;
        while b < 64 {
            let mut index = 0;
            while index < 4 {
                if lines[index] >> b & 1 == 1 {
                    table[a as usize][b as usize] = Bitboard(lines[index] | 1 << a);
                }
                index += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

const fn all_lines(square: u8) -> [u64; 4] {
    let [rank, file] = lines_of(Slider::Rook, square);
    let [diagonal, anti_diagonal] = lines_of(Slider::Bishop, square);
    [rank, file, diagonal, anti_diagonal]
}

/// How the occupancy around one square becomes an index into the shared table.
#[derive(Clone, Copy)]
struct Entry {
    /// The squares whose occupancy matters: the rays without their last square.
    mask: u64,
    #[cfg(not(target_feature = "bmi2"))]
    magic: u64,
    #[cfg(not(target_feature = "bmi2"))]
    shift: u8,
    offset: u32,
}

impl Entry {
    #[cfg(target_feature = "bmi2")]
    #[inline]
    fn index(&self, occupied: Bitboard) -> usize {
        // SAFETY: compiled only where the whole build targets CPUs with BMI2.
        let packed = unsafe { core::arch::x86_64::_pext_u64(occupied.0, self.mask) };
        self.offset as usize + packed as usize
    }

    #[cfg(not(target_feature = "bmi2"))]
    #[inline]
    fn index(&self, occupied: Bitboard) -> usize {
        self.offset as usize + ((occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }

    /// The index of the `nth` subset of the mask in counting order, which is PEXT's order too.
    #[allow(unused_variables)]
    const fn index_of_subset(&self, nth: usize, subset: u64) -> usize {
        #[cfg(target_feature = "bmi2")]
        return self.offset as usize + nth;
        #[cfg(not(target_feature = "bmi2"))]
        return self.offset as usize + (subset.wrapping_mul(self.magic) >> self.shift) as usize;
    }
}

const TABLE_SIZE: usize = 0x1480 + 0x1_9000;

struct Sliders {
    attacks: [Bitboard; TABLE_SIZE],
}

static BISHOPS: [Entry; 64] = entries(Slider::Bishop, 0);
static ROOKS: [Entry; 64] = entries(Slider::Rook, 0x1480);
#[allow(long_running_const_eval)] // 107,648 entries take seconds at most
static SLIDERS: Sliders = Sliders { attacks: slider_table() };

const fn relevant_mask(slider: Slider, square: u8) -> u64 {
    const RANK_EDGES: u64 = Bitboard::rank(Rank::One).0 | Bitboard::rank(Rank::Eight).0;
    const FILE_EDGES: u64 = Bitboard::file(File::A).0 | Bitboard::file(File::H).0;
    let lines = lines_of(slider, square);
    match slider {
        Slider::Rook => lines[0] & !FILE_EDGES | lines[1] & !RANK_EDGES,
        Slider::Bishop => (lines[0] | lines[1]) & !(FILE_EDGES | RANK_EDGES),
    }
}

const fn entries(slider: Slider, first_offset: u32) -> [Entry; 64] {
    let mut table = [Entry {
        mask: 0,
        #[cfg(not(target_feature = "bmi2"))]
        magic: 0,
        #[cfg(not(target_feature = "bmi2"))]
        shift: 0,
        offset: 0,
    }; 64];
    let mut offset = first_offset;
    let mut square = 0;
    while square < 64 {
        let entry = &mut table[square];
        entry.mask = relevant_mask(slider, square as u8);
        entry.offset = offset;
        let bits = entry.mask.count_ones();
        #[cfg(not(target_feature = "bmi2"))]
        {
            entry.magic = match slider {
                Slider::Bishop => BISHOP_MAGICS[square],
                Slider::Rook => ROOK_MAGICS[square],
            };
            entry.shift = 64 - bits as u8;
        }
        offset += 1 << bits;
        square += 1;
    }
    table
}

const fn slider_table() -> [Bitboard; TABLE_SIZE] {
    let table = [Bitboard::EMPTY; TABLE_SIZE];
    let table = fill(table, Slider::Bishop, &entries(Slider::Bishop, 0));
    fill(table, Slider::Rook, &entries(Slider::Rook, 0x1480))
}

const fn fill(mut table: [Bitboard; TABLE_SIZE], slider: Slider, entries: &[Entry; 64]) -> [Bitboard; TABLE_SIZE] {
    let mut square = 0;
    while square < 64 {
        let entry = &entries[square as usize];
        let lines = lines_of(slider, square);
        let mut subset = 0_u64;
        let mut nth = 0;
        loop {
            let attacks = line_attacks(square, subset, lines[0]) | line_attacks(square, subset, lines[1]);
            table[entry.index_of_subset(nth, subset)] = Bitboard(attacks);
            nth += 1;
            subset = subset.wrapping_sub(entry.mask) & entry.mask;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

/// Found by trying sparse random numbers until the attacks of all subsets fit without a collision.
#[cfg(not(target_feature = "bmi2"))]
#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x2002_4828_0086_8A00, 0x0020_1208_A210_8104, 0x5011_4102_0208_4120, 0x0108_2048_4000_2400,
    0x0021_1040_0110_1040, 0x0002_0231_2400_0040, 0x1186_8210_1006_0001, 0x0065_0840_5008_0801,
    0x0100_1020_4821_0040, 0x0020_0210_9401_0240, 0x2804_7001_0201_2800, 0x0000_1820_8128_8000,
    0x01A2_0404_2000_2800, 0x000A_0092_1040_0800, 0x0058_1100_8804_4020, 0x0490_1041_0410_2210,
    0x0204_4820_2004_2128, 0x1002_1060_0831_0100, 0x14D4_0028_0030_2201, 0x0026_0824_0122_0000,
    0x050C_0380_80A0_0002, 0x0005_0004_80A0_0110, 0x0140_8108_4208_6060, 0x0808_2010_4402_0880,
    0x0010_0820_4009_1140, 0x2002_0858_0210_5400, 0x4000_4800_4044_8105, 0x0102_0800_0400_4008,
    0x8404_0820_1400_2000, 0xC004_1808_0100_8220, 0x1008_2200_4842_0280, 0x8104_0040_0182_5400,
    0x0168_2004_1810_0440, 0x0004_0402_0021_0202, 0x0108_4030_0008_1040, 0x4040_4401_0010_0901,
    0x0010_1202_0000_2008, 0x1000_9681_0022_0119, 0x2041_8401_0804_0100, 0x4808_0905_0428_2C80,
    0x0000_9420_6048_0800, 0x0204_0128_0881_4208, 0x0800_4200_5000_0100, 0x8104_10A0_1808_0101,
    0x0100_0430_0888_0400, 0x1024_4900_4201_4300, 0x0020_0802_0498_1042, 0x2002_480A_0288_2022,
    0x00A0_80B0_10D0_0402, 0x4880_4A00_8420_1180, 0x0804_4900_881C_1002, 0x0000_01B0_2088_4004,
    0x0114_0221_0424_0001, 0x8088_4002_4401_0140, 0x2011_9010_2100_4211, 0x8054_1006_0441_0401,
    0x0012_2480_4820_1000, 0x0002_0030_8804_1014, 0x0208_0022_1494_0400, 0x0042_0000_0042_0880,
    0x0084_2209_50E2_0200, 0x0206_0070_2001_2110, 0x0001_222C_0918_0100, 0x2202_C210_0C01_0040,
];

/// Found in the same way as [`BISHOP_MAGICS`].
#[cfg(not(target_feature = "bmi2"))]
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x0080_0780_4000_6090, 0x1080_1480_2000_4000, 0x8100_1008_2000_4100, 0x2080_0800_0480_1000,
    0x0080_0800_8004_0002, 0x1080_0180_0400_0200, 0x2A00_2800_9402_0001, 0x0100_1100_02E2_4282,
    0x0065_8001_88A0_4003, 0x0040_4040_1000_2000, 0x0690_8020_0010_0080, 0x0010_8010_0008_0380,
    0x0080_8004_0080_0802, 0x0006_0010_1812_0004, 0x0002_0004_0102_0088, 0x0002_0000_9102_0044,
    0x1090_2080_0090_400A, 0x1440_0480_2000_4880, 0x7420_0500_2100_4410, 0x0040_8080_0800_1004,
    0x1000_0500_1100_0800, 0x0000_8080_0400_0201, 0x8010_0400_0801_1002, 0x80C0_0200_1840_8114,
    0x8540_2080_8010_4000, 0x0000_2000_C000_5008, 0x2010_0121_2004_0800, 0x8000_0800_8010_0084,
    0x1200_0802_8004_0080, 0x6000_0400_8002_0080, 0x0000_0804_0010_0201, 0x8E86_0702_0018_4084,
    0xD080_2040_0480_0880, 0x6480_2010_0140_0042, 0x3080_80D0_0280_6000, 0x0000_1001_0100_0820,
    0x0108_0400_8080_0800, 0x0420_8002_0080_0401, 0x2000_0801_0400_0250, 0x0800_8020_4080_0100,
    0x8040_2080_4008_8000, 0x0010_0040_2004_4008, 0x0000_2000_1000_8080, 0x0000_0800_1000_8080,
    0x8000_0400_0800_8080, 0x5100_0200_0400_8080, 0x0000_1201_1014_00A8, 0x0144_0F20_8242_0004,
    0x0040_8000_3041_0100, 0x0040_8100_2610_4200, 0x0A14_4100_1020_0900, 0x0051_4200_2010_0A00,
    0x1154_B100_1800_4D00, 0x001C_0400_0200_8080, 0x2040_1001_0248_0400, 0x0082_040A_412C_8200,
    0x0004_1024_8004_4501, 0x0040_0100_1020_8041, 0xC209_0060_00B0_2845, 0x0110_0034_1890_6101,
    0xA002_0010_0804_2002, 0x6201_0082_2804_000D, 0x0040_4811_1002_0084, 0x1101_0985_0040_2402,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the board square by square, the slow and plain way.
    fn walk(square: Square, occupied: Bitboard, steps: [(i8, i8); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (file_step, rank_step) in steps {
            let (mut file, mut rank) = (square as i8 % 8 + file_step, square as i8 / 8 + rank_step);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let reached = Square::from_index((rank * 8 + file) as u8);
                attacks |= reached.bitboard();
                if occupied.contains(reached) {
                    break;
                }
                file += file_step;
                rank += rank_step;
            }
        }
        attacks
    }

    #[test]
    fn sliders_match_a_walk_over_every_relevant_occupancy() {
        for square in Square::ALL {
            for (slider, steps) in [
                (Slider::Bishop, [(1, 1), (1, -1), (-1, 1), (-1, -1)]),
                (Slider::Rook, [(1, 0), (-1, 0), (0, 1), (0, -1)]),
            ] {
                let mask = relevant_mask(slider, square as u8);
                let mut subset = 0_u64;
                loop {
                    // Irrelevant pieces, here all of them, must not matter.
                    for occupied in [Bitboard(subset), Bitboard(subset | !mask & !lines_of(slider, square as u8)[0])] {
                        let attacks = match slider {
                            Slider::Bishop => bishop_attacks(square, occupied),
                            Slider::Rook => rook_attacks(square, occupied),
                        };
                        assert_eq!(attacks, walk(square, occupied, steps), "{square} {occupied:?}");
                    }
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn between_and_line_agree_with_slider_attacks() {
        for a in Square::ALL {
            for b in Square::ALL {
                let ends = a.bitboard() | b.bitboard();
                let expected = if rook_rays(a).contains(b) {
                    (rook_attacks(a, ends) & rook_attacks(b, ends), rook_rays(a) & rook_rays(b) | ends)
                } else if bishop_rays(a).contains(b) {
                    (bishop_attacks(a, ends) & bishop_attacks(b, ends), bishop_rays(a) & bishop_rays(b) | ends)
                } else {
                    (Bitboard::EMPTY, Bitboard::EMPTY)
                };
                assert_eq!((between(a, b), line(a, b)), expected, "{a} {b}");
            }
        }
    }

    #[test]
    fn leapers_at_corner_and_centre() {
        assert_eq!(knight_attacks(Square::A1), Square::B3.bitboard() | Square::C2.bitboard());
        assert_eq!(knight_attacks(Square::E4).count(), 8);
        assert_eq!(king_attacks(Square::H8).count(), 3);
        assert_eq!(pawn_attacks(Color::White, Square::A2), Square::B3.bitboard());
        assert_eq!(pawn_attacks(Color::Black, Square::E5), Square::D4.bitboard() | Square::F4.bitboard());
        assert_eq!(pawns_attacks(Color::Black, Square::H7.bitboard()), Square::G6.bitboard());
    }
}
