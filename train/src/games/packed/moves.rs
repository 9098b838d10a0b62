//! How likely each legal move is to be played, by what engines order moves by: exchanges, threats, checks, histories.

use movegen::attacks::pawn_attacks;
use movegen::{Bitboard, Board, Checks, Color, Move, Piece, PieceType, Square};

use super::coder::Coder;
use super::softmax::Softmax;
use crate::games::game::encode_move;

/// How many values each feature has; a move has one of them.
const SIZES: [usize; FEATURES] = [
    6 * 7 * 7 * 2 * 2,
    6 * 7 * 2 * 7 * 2,
    6 * 64 * 8,
    64 * 64 * 2,
    2 * 7 * 6 * 7 * 2,
    2 * 2 * 2 * 2 * 6 * 7,
    4 * 2 * 2 * 6 * 2,
    6 * 8 * 8 * 4,
    6 * 8 * 8 * 4,
    6 * 7 * 2 * 2 * 7,
    6 * 8 * 2 * 8,
    2 * 2 * 2 * 6 * 7,
    6 * 32 * 8,
    3 * 9 * 6 * 7,
];
const FEATURES: usize = 14;

/// Where the values of each feature begin in the table of all.
const OFFSETS: [usize; FEATURES + 1] = {
    let mut offsets = [0; FEATURES + 1];
    let mut feature = 0;
    while feature < FEATURES {
        offsets[feature + 1] = offsets[feature] + SIZES[feature];
        feature += 1;
    }
    offsets
};

/// How fast the weights learn, in units of 2^-10: the best of 150, 300 and 500.
const RATE: i32 = 300;
/// No piece type, where one is counted.
const NONE: usize = 6;

/// A move as it is remembered: which piece went where, as its side sees it, and what it took.
#[derive(Clone, Copy, Debug)]
struct Played {
    from: Square,
    to: Square,
    piece: usize,
    captured: usize,
}

impl Played {
    fn slot(&self, turn: Color) -> usize {
        self.piece * 64 + self.to.relative_to(turn) as usize
    }
}

/// What the model knows of the game so far.
#[derive(Clone, Debug)]
pub(super) struct History {
    last: [Option<Played>; 2],
    /// How often each piece of each side went to each square.
    counts: [[u8; 384]; 2],
}

impl Default for History {
    fn default() -> Self {
        Self { last: [None; 2], counts: [[0; 384]; 2] }
    }
}

#[derive(Clone, Debug)]
pub(super) struct MoveModel {
    softmax: Softmax<FEATURES>,
    candidates: Vec<[u32; FEATURES]>,
}

impl MoveModel {
    pub(super) fn new() -> Self {
        Self { softmax: Softmax::new(OFFSETS[FEATURES], RATE), candidates: Vec::new() }
    }

    /// Codes a move of `board`; `None` if it has none. `lead` is the class of the score for the side to move.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        mv: Option<Move>,
        board: &Board,
        history: &mut History,
        mood: usize,
    ) -> Option<Move> {
        let mut moves = board.legal_moves();
        // In an order that depends neither on how moves are generated nor on how they are kept in memory.
        moves.sort_unstable_by_key(|&mv| encode_move(mv));
        let view = View::new(board, history, mood);
        self.candidates.clear();
        self.candidates.extend(moves.iter().map(|&mv| view.features(mv)));
        let choice = mv.and_then(|mv| moves.iter().position(|&legal| legal == mv)).unwrap_or(0);
        let choice = self.softmax.code(coder, choice, &self.candidates);
        let mv = moves.get(choice).copied()?;
        history.add(board, mv);
        Some(mv)
    }
}

impl History {
    fn add(&mut self, board: &Board, mv: Move) {
        let played = Played {
            from: mv.from(),
            to: mv.to(),
            piece: board.piece_on(mv.from()).map_or(0, |piece| piece.piece_type() as usize),
            captured: board.captured_by(mv).map_or(NONE, |piece| piece as usize),
        };
        let count = &mut self.counts[board.turn() as usize][played.slot(board.turn())];
        *count = count.saturating_add(1);
        self.last.rotate_right(1);
        self.last[0] = Some(played);
    }
}

/// The squares that one side attacks.
struct Attacks {
    /// For each square the least type of the attackers, in three bits.
    least: [Bitboard; 3],
    any: Bitboard,
    /// By two pieces or more.
    twice: Bitboard,
}

impl Attacks {
    fn new(board: &Board, color: Color) -> Self {
        let occupied = board.occupied();
        let (mut any, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut least = [Bitboard::EMPTY; 3];
        for kind in PieceType::ALL {
            let mut by_kind = Bitboard::EMPTY;
            for square in board.colored_pieces(color, kind) {
                let attacks = match kind {
                    PieceType::Pawn => pawn_attacks(color, square),
                    kind => Board::piece_attacks(kind, square, occupied),
                };
                twice |= (any | by_kind) & attacks;
                by_kind |= attacks;
            }
            let new = by_kind - any;
            for (bit, set) in least.iter_mut().enumerate() {
                if kind as usize >> bit & 1 == 1 {
                    *set |= new;
                }
            }
            any |= by_kind;
        }
        for bit in [1, 2] {
            least[bit] |= !any;
        }
        Self { least, any, twice }
    }

    /// The least type that attacks a square, or [`NONE`].
    fn least(&self, square: Square) -> usize {
        (0..3).map(|bit| usize::from(self.least[bit].contains(square)) << bit).sum()
    }
}

/// A position as the features see it.
struct View<'a> {
    board: &'a Board,
    history: &'a History,
    turn: Color,
    own: Attacks,
    other: Attacks,
    checks: Checks,
    in_check: usize,
    phase: usize,
    mood: usize,
    /// What the last moved piece attacks.
    mover: Bitboard,
}

impl<'a> View<'a> {
    fn new(board: &'a Board, history: &'a History, mood: usize) -> Self {
        let turn = board.turn();
        let mover = history.last[0].map_or(Bitboard::EMPTY, |last| attacks_from(board, !turn, last.piece, last.to));
        Self {
            board,
            history,
            turn,
            own: Attacks::new(board, turn),
            other: Attacks::new(board, !turn),
            checks: board.checks(),
            in_check: board.in_check().into(),
            phase: ((board.occupied().count() - 1) / 4).min(7),
            mood,
            mover,
        }
    }

    fn features(&self, mv: Move) -> [u32; FEATURES] {
        let Self { board, history, turn, .. } = *self;
        let (from, to) = (mv.from(), mv.to());
        let kind = board.piece_on(from).map_or(PieceType::Pawn, Piece::piece_type);
        let piece = kind as usize;
        let becomes = mv.promotes_to().map_or(piece, |kind| kind as usize);
        let captured = board.captured_by(mv).map_or(NONE, |piece| piece as usize);
        let takes = usize::from(captured != NONE);
        let (own_from, own_to) = (from.relative_to(turn) as usize, to.relative_to(turn) as usize);
        let slot = piece * 64 + own_to;
        let attacked_to = self.other.least(to);
        let attacked_from = self.other.least(from);
        let defended_to = if kind == PieceType::Pawn && takes == 0 { self.own.any } else { self.own.twice };
        let defended_to = usize::from(defended_to.contains(to));
        let defended_from = usize::from(self.own.any.contains(from));
        let check = usize::from(self.checks.gives(board, mv));
        let in_check = self.in_check;
        let phase = self.phase;
        let king_distance = |color, square: Square| usize::from(board.king(color).distance(square));
        let last = history.last[0];
        let previous = history.last[1];
        let recaptures = usize::from(last.is_some_and(|last| last.to == to));
        let last_captured = last.map_or(NONE, |last| last.captured);
        let count = usize::from(history.counts[turn as usize][slot]).min(3);
        let again = usize::from(previous.is_some_and(|own| own.to == from));
        let back = usize::from(previous.is_some_and(|own| own.from == to));
        let after = attacks_from(board, turn, becomes, to);
        let enemies = board.colors(!turn);
        let most = |set: Bitboard| {
            (0..6).rev().find(|&kind| set.intersects(board.pieces(PieceType::ALL[kind]))).unwrap_or(NONE)
        };
        let threatened = most(after & enemies & (!self.other.any | dearer(board, becomes)));
        let mobility = after - board.colors(turn);
        let mover = self.mover;
        let hit_from = usize::from(mover.contains(from));
        let hit_to = usize::from(mover.contains(to));
        let rank = own_to / 8;
        let is_passed = usize::from(kind == PieceType::Pawn && self.is_passed(to));
        let values = [
            (((becomes * 7 + captured) * 7 + attacked_to) * 2 + defended_to) * 2 + in_check,
            (((piece * 7 + attacked_from) * 2 + defended_from) * 7 + attacked_to) * 2 + takes,
            slot * 8 + phase,
            (own_from * 64 + own_to) * 2 + in_check,
            (((recaptures * 7 + last_captured) * 6 + piece) * 7 + captured) * 2 + usize::from(attacked_to != NONE),
            ((((check * 2 + usize::from(attacked_to != NONE)) * 2 + defended_to) * 2 + in_check) * 6 + piece) * 7
                + captured,
            (((count * 2 + again) * 2 + back) * 6 + piece) * 2 + usize::from(phase < 3),
            ((piece * 8 + king_distance(!turn, to)) * 8 + king_distance(!turn, from)) * 4 + phase / 2,
            ((piece * 8 + king_distance(turn, to)) * 8 + king_distance(turn, from)) * 4 + phase / 2,
            (((piece * 7 + threatened) * 2 + usize::from(attacked_to != NONE)) * 2 + defended_to) * 7 + attacked_from,
            ((piece * 8 + rank) * 2 + is_passed) * 8 + phase,
            (((hit_from * 2 + hit_to) * 2 + recaptures) * 6 + piece) * 7 + attacked_from,
            (piece * 32 + mobility.count().min(31)) * 8 + phase,
            (self.mood * 6 + piece) * 7 + captured,
        ];
        std::array::from_fn(|feature| (OFFSETS[feature] + values[feature]) as u32)
    }

    /// Whether no pawn of the other side stands before a pawn of the side to move on `square` or beside that way.
    fn is_passed(&self, square: Square) -> bool {
        let file = Bitboard::file(square.file());
        let files = file | file.east() | file.west();
        let ahead = match self.turn {
            Color::White => Bitboard(!0 << (8 * (square.rank() as u32)) << 8),
            Color::Black => Bitboard((1 << (8 * (square.rank() as u32))) - 1),
        };
        (files & ahead & self.board.colored_pieces(!self.turn, PieceType::Pawn)).is_empty()
    }
}

/// All pieces of more value than a type.
fn dearer(board: &Board, than: usize) -> Bitboard {
    let than = if than == PieceType::Knight as usize { PieceType::Bishop as usize } else { than };
    PieceType::ALL[than..].iter().skip(1).fold(Bitboard::EMPTY, |set, &kind| set | board.pieces(kind))
}

fn attacks_from(board: &Board, color: Color, piece: usize, square: Square) -> Bitboard {
    match PieceType::ALL[piece] {
        PieceType::Pawn => pawn_attacks(color, square),
        kind => Board::piece_attacks(kind, square, board.occupied()),
    }
}
