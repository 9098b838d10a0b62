//! How likely each legal move is to be played, by what engines order moves by: exchanges, threats, checks, histories.

use movegen::attacks::pawn_attacks;
use movegen::{Bitboard, Board, Checks, Color, Move, Piece, PieceType, Square};

use super::coder::Coder;
use super::softmax::Softmax;
use crate::games::game::encode_move;

const FEATURES: usize = 10;
/// How many values each feature has; a move has one of them.
const SIZES: [usize; FEATURES] = [
    // The exchange on the target: what arrives, what it takes, what may take it, whether it is defended; in check or not.
    6 * 7 * 7 * 2 * 2,
    // What the piece leaves and meets: its attackers before, whether it is defended, those behind, whether it takes.
    6 * 7 * 2 * 7 * 2,
    // From and to; in check or not.
    64 * 64 * 2,
    // A recapture or not, what the last move took, piece, what it takes, whether something may take it.
    2 * 7 * 6 * 7 * 2,
    // Whether it gives check, whether something may take it, whether it is defended; in check or not; piece, what it takes.
    2 * 2 * 2 * 2 * 6 * 7,
    // How often the piece went there in this game, whether it moved last, whether it goes back; piece, few pieces left.
    4 * 2 * 2 * 6 * 2,
    // Distance to the other king behind and before, by the number of pieces.
    6 * 8 * 8 * 4,
    // The best piece that is attacked then, whether something may take the attacker, whether it is defended, what attacked it.
    6 * 7 * 2 * 2 * 7,
    // What the last moved piece attacks: the origin, the target; a recapture or not; piece and its attackers.
    2 * 2 * 2 * 6 * 7,
    // The game's result and score, piece, what it takes.
    9 * 6 * 7,
];

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

/// A move as it is remembered.
#[derive(Clone, Copy, Debug)]
struct Played {
    from: Square,
    to: Square,
    /// What moved, and what it took or [`NONE`].
    kind: PieceType,
    captured: usize,
}

/// What the model knows of the game so far.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// The last move and the one before, which was the side's own.
    last: [Option<Played>; 2],
    /// How often each piece of each side went to each square.
    counts: [[u8; 384]; 2],
}

impl Default for History {
    fn default() -> Self {
        Self { last: [None; 2], counts: [[0; 384]; 2] }
    }
}

/// Codes moves.
#[derive(Clone, Debug)]
pub(super) struct MoveModel {
    softmax: Softmax<FEATURES>,
    candidates: Vec<[u32; FEATURES]>,
}

impl MoveModel {
    pub(super) fn new() -> Self {
        Self { softmax: Softmax::new(OFFSETS[FEATURES], RATE), candidates: Vec::new() }
    }

    /// Codes a move of `board`; `None` if it has none. The mood is that of [`Past`](super::score::Past::mood).
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
        let (turn, to) = (board.turn(), mv.to());
        let kind = board.piece_on(mv.from()).map_or(PieceType::Pawn, Piece::piece_type);
        let captured = board.captured_by(mv).map_or(NONE, |kind| kind as usize);
        let count = &mut self.counts[turn as usize][kind as usize * 64 + to.relative_to(turn) as usize];
        *count = count.saturating_add(1);
        self.last = [Some(Played { from: mv.from(), to, kind, captured }), self.last[0]];
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
        let (mut any, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut least = [Bitboard::EMPTY; 3];
        for kind in PieceType::ALL {
            let mut by_kind = Bitboard::EMPTY;
            for square in board.colored_pieces(color, kind) {
                let attacks = attacks_from(board, color, kind, square);
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
        let mover = history.last[0].map_or(Bitboard::EMPTY, |last| attacks_from(board, !turn, last.kind, last.to));
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
        let Self { board, history, turn, in_check, phase, mover, .. } = *self;
        let (from, to) = (mv.from(), mv.to());
        let kind = board.piece_on(from).map_or(PieceType::Pawn, Piece::piece_type);
        let piece = kind as usize;
        let becomes = mv.promotes_to().unwrap_or(kind);
        let captured = board.captured_by(mv).map_or(NONE, |kind| kind as usize);
        let (own_from, own_to) = (from.relative_to(turn) as usize, to.relative_to(turn) as usize);
        let (attacker_before, attacker) = (self.other.least(from), self.other.least(to));
        let attacked = usize::from(attacker != NONE);
        // All but a pawn that pushes attack their target themselves.
        let defenders = if kind == PieceType::Pawn && captured == NONE { self.own.any } else { self.own.twice };
        let defended = usize::from(defenders.contains(to));
        let defended_before = usize::from(self.own.any.contains(from));
        let check = usize::from(self.checks.gives(board, mv));
        let distance = |square: Square| usize::from(board.king(!turn).distance(square));
        let [last, previous] = history.last;
        let recaptures = usize::from(last.is_some_and(|last| last.to == to));
        let last_captured = last.map_or(NONE, |last| last.captured);
        let count = usize::from(history.counts[turn as usize][piece * 64 + own_to]).min(3);
        let again = usize::from(previous.is_some_and(|own| own.to == from));
        let back = usize::from(previous.is_some_and(|own| own.from == to));
        let threats = attacks_from(board, turn, becomes, to) & board.colors(!turn);
        let threatened = best(board, threats & (!self.other.any | dearer(board, becomes)));
        let (hit_from, hit_to) = (usize::from(mover.contains(from)), usize::from(mover.contains(to)));
        let values = [
            (((becomes as usize * 7 + captured) * 7 + attacker) * 2 + defended) * 2 + in_check,
            (((piece * 7 + attacker_before) * 2 + defended_before) * 7 + attacker) * 2 + usize::from(captured != NONE),
            (own_from * 64 + own_to) * 2 + in_check,
            (((recaptures * 7 + last_captured) * 6 + piece) * 7 + captured) * 2 + attacked,
            ((((check * 2 + attacked) * 2 + defended) * 2 + in_check) * 6 + piece) * 7 + captured,
            (((count * 2 + again) * 2 + back) * 6 + piece) * 2 + usize::from(phase < 3),
            ((piece * 8 + distance(to)) * 8 + distance(from)) * 4 + phase / 2,
            (((piece * 7 + threatened) * 2 + attacked) * 2 + defended) * 7 + attacker_before,
            (((hit_from * 2 + hit_to) * 2 + recaptures) * 6 + piece) * 7 + attacker_before,
            (self.mood * 6 + piece) * 7 + captured,
        ];
        std::array::from_fn(|feature| (OFFSETS[feature] + values[feature]) as u32)
    }
}

/// The best type among pieces, or [`NONE`].
fn best(board: &Board, pieces: Bitboard) -> usize {
    if pieces.is_empty() {
        return NONE;
    }
    (0..6).rev().find(|&kind| pieces.intersects(board.pieces(PieceType::ALL[kind]))).unwrap_or(NONE)
}

/// All pieces of more value than a type.
fn dearer(board: &Board, than: PieceType) -> Bitboard {
    let least = if than == PieceType::Knight { PieceType::Rook as usize } else { than as usize + 1 };
    PieceType::ALL[least..].iter().fold(Bitboard::EMPTY, |set, &kind| set | board.pieces(kind))
}

/// The squares that a piece on a square attacks.
fn attacks_from(board: &Board, color: Color, kind: PieceType, square: Square) -> Bitboard {
    match kind {
        PieceType::Pawn => pawn_attacks(color, square),
        kind => Board::piece_attacks(kind, square, board.occupied()),
    }
}
