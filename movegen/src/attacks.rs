//! Attack tables, computed at compile time.
//!
//! Slider attacks are looked up by the relevant occupancy in one dense table: by PEXT where the build targets a CPU that has
//! it, else by magics. The rays that fill the table come from the Chess Programming Wiki, "Hyperbola Quintessence".

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
mod magics;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod pext;

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use self::magics::Entry;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use self::pext::Entry;
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

/// Entries of the bishops in the shared table; those of the rooks follow.
const BISHOP_ENTRIES: u32 = 0x1480;
const ROOK_ENTRIES: u32 = 0x1_9000;
const TABLE_SIZE: usize = (BISHOP_ENTRIES + ROOK_ENTRIES) as usize;

struct Sliders {
    attacks: [Bitboard; TABLE_SIZE],
}

static BISHOPS: [Entry; 64] = entries(Slider::Bishop, 0);
static ROOKS: [Entry; 64] = entries(Slider::Rook, BISHOP_ENTRIES);
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
    let mut table = [Entry::new(slider, 0, 0, 0); 64];
    let mut offset = first_offset;
    let mut square = 0;
    while square < 64 {
        let mask = relevant_mask(slider, square as u8);
        table[square] = Entry::new(slider, square, mask, offset);
        offset += 1 << mask.count_ones();
        square += 1;
    }
    table
}

const fn slider_table() -> [Bitboard; TABLE_SIZE] {
    let table = [Bitboard::EMPTY; TABLE_SIZE];
    let table = fill(table, Slider::Bishop, &entries(Slider::Bishop, 0));
    fill(table, Slider::Rook, &entries(Slider::Rook, BISHOP_ENTRIES))
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
