//! Random play: seeded numbers, start positions of every variant, and players that prefer certain moves.

use cozy_chess::Board as CozyBoard;
use movegen::{Board, Move, MoveKind, PieceType};

/// SplitMix64, enough to choose moves. Source: G. L. Steele et al. (2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }

    /// A number from 0 up to `end`, without it. The bias of the remainder does not matter here.
    pub const fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of a slice that is not empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A variant, by its start position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Standard chess.
    Standard,
    /// One shuffled back rank for both sides.
    Chess960,
    /// A shuffled back rank for each side.
    DoubleChess960,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Chess960, Self::DoubleChess960];

    /// A start of this variant in Shredder-FEN, as cozy-chess sets it up.
    #[must_use]
    pub fn start(self, random: &mut Random) -> String {
        let mut number = || random.below(960) as u32;
        let board = match self {
            Self::Standard => CozyBoard::startpos(),
            Self::Chess960 => CozyBoard::chess960_startpos(number()),
            Self::DoubleChess960 => CozyBoard::double_chess960_startpos(number(), number()),
        };
        format!("{board:#}")
    }
}

/// The FEN of pieces thrown onto the board: in most cases a position that no game reaches, often no legal one.
///
/// There are castling rights for rooks on the kings' ranks, an en passant square where a pawn stands for it, and
/// more pieces than the rules allow now and then.
#[must_use]
pub fn scatter(random: &mut Random) -> String {
    let mut pieces = [b' '; 64];
    let wants_castling = random.below(2) == 0;
    for (king, rook, back_rank) in [(b'K', b'R', 0), (b'k', b'r', 7)] {
        if wants_castling {
            let start = random.below(6);
            let end = start + 2 + random.below(6 - start);
            let between = start + 1 + random.below(end - start - 1);
            for (file, piece) in [(start, rook), (between, king), (end, rook)] {
                pieces[8 * back_rank + file] = piece;
            }
        } else {
            // Two kings on a square are one king too few, which must be refused.
            pieces[random.below(64)] = king;
        }
    }
    let (white, black) = (random.below(16), random.below(16));
    for (officers, pawn, count) in [(b"NBRQ", b'P', white), (b"nbrq", b'p', black)] {
        for _ in 0..count {
            let piece = if random.below(2) == 0 { pawn } else { random.pick(officers) };
            let square = if piece == pawn && random.below(64) != 0 { 8 + random.below(48) } else { random.below(64) };
            if pieces[square] == b' ' {
                pieces[square] = piece;
            }
        }
    }
    let white_moves = random.below(2) == 0;
    let castling = castling_letters(&pieces, random);
    let en_passant = en_passant_square(&pieces, white_moves, random).map_or_else(|| "-".to_owned(), name);
    let turn = if white_moves { 'w' } else { 'b' };
    format!("{} {turn} {castling} {en_passant} {} {}", board_field(&pieces), random.below(101), 1 + random.below(300))
}

fn board_field(pieces: &[u8; 64]) -> String {
    let rank =
        |rank: usize| -> String { pieces[8 * rank..8 * rank + 8].iter().map(|&piece| char::from(piece)).collect() };
    let ranks: Vec<_> = (0..8).rev().map(rank).collect();
    // The longest gaps first, so that each becomes one digit.
    (1..=8).rev().fold(ranks.join("/"), |field, gap| field.replace(&" ".repeat(gap), &gap.to_string()))
}

/// For each side of a king on its back rank the letter of one rook there, if any, three times of four.
fn castling_letters(pieces: &[u8; 64], random: &mut Random) -> String {
    let mut letters = String::new();
    for (king, rook, first, letter) in [(b'K', b'R', 0, b'A'), (b'k', b'r', 56, b'a')] {
        let rank = &pieces[first..first + 8];
        let Some(king) = rank.iter().position(|&piece| piece == king) else { continue };
        for files in [king..8, 0..king] {
            let rooks: Vec<_> = files.filter(|&file| rank[file] == rook).collect();
            if !rooks.is_empty() && random.below(4) != 0 {
                letters.push(char::from(letter + random.pick(&rooks) as u8));
            }
        }
    }
    if letters.is_empty() { "-".to_owned() } else { letters }
}

/// A square that a pawn may just have passed, if there is any, else now and then one that none has.
fn en_passant_square(pieces: &[u8; 64], white_moves: bool, random: &mut Random) -> Option<usize> {
    let (pawn, rank, ahead, behind) = if white_moves { (b'p', 5, -8_isize, 8) } else { (b'P', 2, 8, -8) };
    let at = |square: usize, step: isize| pieces[square.wrapping_add_signed(step)];
    let squares: Vec<_> = (8 * rank..8 * rank + 8)
        .filter(|&square| at(square, ahead) == pawn && at(square, 0) == b' ' && at(square, behind) == b' ')
        .collect();
    match random.below(16) {
        0 => Some(8 * rank + random.below(8)),
        _ if squares.is_empty() => None,
        _ => Some(random.pick(&squares)),
    }
}

fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + square as u8 % 8), 1 + square / 8)
}

/// The moves a random player prefers, so that games reach situations that uniformly random ones rarely do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taste {
    /// No preference.
    Even,
    /// Captures, which lead to endgames.
    Captures,
    /// Pawn moves, en passant and promotions first.
    Pawns,
    /// Checks.
    Checks,
    /// Castling, and until then moves of pieces other than king and rooks.
    Castling,
}

impl Taste {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Even, Self::Captures, Self::Pawns, Self::Checks, Self::Castling];

    /// One of the legal moves, most often a preferred one. `moves` must not be empty.
    pub fn choose(self, board: &Board, moves: &[Move], random: &mut Random) -> Move {
        let best = moves.iter().map(|&mv| self.preference(board, mv)).max().unwrap_or(0);
        if best == 0 || random.below(4) == 0 {
            return random.pick(moves);
        }
        let preferred: Vec<_> = moves.iter().copied().filter(|&mv| self.preference(board, mv) == best).collect();
        random.pick(&preferred)
    }

    fn preference(self, board: &Board, mv: Move) -> u8 {
        let is = |piece_type| board.pieces(piece_type).contains(mv.from());
        match self {
            Self::Even => 0,
            Self::Captures => board.captured_by(mv).is_some().into(),
            Self::Pawns => match mv.kind() {
                MoveKind::Promotion | MoveKind::EnPassant => 2,
                _ => is(PieceType::Pawn).into(),
            },
            Self::Checks => board.gives_check(mv).into(),
            Self::Castling => match mv.kind() {
                MoveKind::Castling => 2,
                _ => (!is(PieceType::King) && !is(PieceType::Rook)).into(),
            },
        }
    }
}
