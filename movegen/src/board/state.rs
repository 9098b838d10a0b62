//! The board itself: its fields, and the questions that need no move.

use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks, rook_rays,
};
use crate::{
    Bitboard, ByColor, ByPieceType, CastlingRights, CastlingSide, Color, File, Key, Keys, Move, MoveKind, Piece,
    PieceType, Rank, Square,
};

/// A legal position of chess or Chess960: the pieces, the side to move, castling rights, en passant, and the counters.
///
/// ```
/// use movegen::{Board, Color, FenStyle, PieceType};
///
/// let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
/// assert_eq!(board.pieces(PieceType::Rook).count(), 4);
/// let castled = board.after(board.parse_uci("e1g1").expect("castling is legal"));
/// assert_eq!(castled.turn(), Color::Black);
/// assert_eq!(castled.fen(FenStyle::Standard), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
/// # Ok::<(), movegen::FenError>(())
/// ```
// Aligned to a cache line: otherwise copies straddle lines by chance, which costs perft up to a seventh.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Board {
    pub(super) by_type: ByPieceType<Bitboard>,
    pub(super) by_color: ByColor<Bitboard>,
    pub(super) mailbox: [Option<Piece>; 64],
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) castling: CastlingRights,
    pub(super) fullmove_number: u32,
    pub(super) halfmove_clock: u16,
    pub(super) turn: Color,
    pub(super) en_passant: Option<Square>,
}

const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

impl Board {
    /// The largest halfmove clock, far beyond the 150 at which a game ends.
    pub const MAX_HALFMOVE_CLOCK: u16 = 10_000;

    /// The largest move number, far beyond the 8,848 or so moves of the longest possible game.
    pub const MAX_FULLMOVE_NUMBER: u32 = 100_000;

    /// An empty board, to be filled by [`put`](Self::put) and completed by
    /// [`refresh_checks`](Self::refresh_checks).
    pub(super) const fn empty() -> Self {
        Self {
            by_type: ByPieceType([Bitboard::EMPTY; 6]),
            by_color: ByColor([Bitboard::EMPTY; 2]),
            mailbox: [None; 64],
            keys: Keys::EMPTY,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: CastlingRights::NONE,
            fullmove_number: 1,
            halfmove_clock: 0,
            turn: Color::White,
            en_passant: None,
        }
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// All occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[Color::White] | self.by_color[Color::Black]
    }

    /// All pieces of one side.
    #[inline]
    #[must_use]
    pub fn colors(&self, color: Color) -> Bitboard {
        self.by_color[color]
    }

    /// The pieces of one type, of both sides.
    #[inline]
    #[must_use]
    pub fn pieces(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type]
    }

    /// The pieces of one colour and type.
    #[inline]
    #[must_use]
    pub fn colored_pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.by_color[color] & self.by_type[piece_type]
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square as usize]
    }

    /// The square of a side's king.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.colored_pieces(color, PieceType::King).0.trailing_zeros() as u8)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    #[must_use]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pinned pieces of the side to move.
    #[inline]
    #[must_use]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The castling rights.
    #[inline]
    #[must_use]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The en passant square, if a capture there is legal.
    #[inline]
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the next move, from 1, as in FEN.
    #[inline]
    #[must_use]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Plies played since the start of the game, by the move number.
    #[inline]
    #[must_use]
    pub const fn ply(&self) -> u32 {
        2 * (self.fullmove_number - 1) + self.turn as u32
    }

    /// The Zobrist keys, updated incrementally.
    #[inline]
    #[must_use]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The Zobrist key of the whole position.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> Key {
        self.keys.full
    }

    /// The Zobrist keys computed from scratch, to verify the incremental ones.
    #[must_use]
    pub fn fresh_keys(&self) -> Keys {
        let mut keys = Keys::EMPTY;
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                keys.toggle(piece, square);
            }
        }
        self.castling.rooks().into_iter().for_each(|rook| keys.toggle_castling(rook));
        if let Some(square) = self.en_passant {
            keys.toggle_en_passant(square.file());
        }
        if self.turn == Color::Black {
            keys.toggle_turn();
        }
        keys
    }

    /// The pieces of both sides that attack a square, given the occupied squares.
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.by_type[PieceType::Bishop] | self.by_type[PieceType::Queen];
        let straight = self.by_type[PieceType::Rook] | self.by_type[PieceType::Queen];
        pawn_attacks(Color::Black, square) & self.colored_pieces(Color::White, PieceType::Pawn)
            | pawn_attacks(Color::White, square) & self.colored_pieces(Color::Black, PieceType::Pawn)
            | knight_attacks(square) & self.by_type[PieceType::Knight]
            | king_attacks(square) & self.by_type[PieceType::King]
            | bishop_attacks(square, occupied) & diagonal
            | rook_attacks(square, occupied) & straight
    }

    /// Whether a piece of `color` attacks a square, given the occupied squares.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, square: Square, color: Color, occupied: Bitboard) -> bool {
        let pieces = self.by_color[color] & occupied;
        let diagonal = (self.by_type[PieceType::Bishop] | self.by_type[PieceType::Queen]) & pieces;
        let straight = (self.by_type[PieceType::Rook] | self.by_type[PieceType::Queen]) & pieces;
        (pawn_attacks(!color, square) & self.by_type[PieceType::Pawn]
            | knight_attacks(square) & self.by_type[PieceType::Knight]
            | king_attacks(square) & self.by_type[PieceType::King])
            .intersects(pieces)
            || bishop_rays(square).intersects(diagonal) && bishop_attacks(square, occupied).intersects(diagonal)
            || rook_rays(square).intersects(straight) && rook_attacks(square, occupied).intersects(straight)
    }

    /// The squares a piece attacks, given the occupied squares; none for a pawn, whose attacks depend on its colour.
    #[inline]
    #[must_use]
    pub fn piece_attacks(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
        match piece_type {
            PieceType::Pawn => Bitboard::EMPTY,
            PieceType::Knight => knight_attacks(square),
            PieceType::Bishop => bishop_attacks(square, occupied),
            PieceType::Rook => rook_attacks(square, occupied),
            PieceType::Queen => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
            PieceType::King => king_attacks(square),
        }
    }

    /// Whether a move is a capture or a promotion. Castling, encoded as king takes own rook, is neither.
    #[inline]
    #[must_use]
    pub fn is_noisy(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Normal => self.piece_on(mv.to()).is_some(),
            MoveKind::Promotion | MoveKind::EnPassant => true,
            MoveKind::Castling => false,
        }
    }

    /// The type of the captured piece, if the move is a capture.
    #[inline]
    #[must_use]
    pub fn captured_by(&self, mv: Move) -> Option<PieceType> {
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion => self.piece_on(mv.to()).map(Piece::piece_type),
            MoveKind::EnPassant => Some(PieceType::Pawn),
            MoveKind::Castling => None,
        }
    }

    /// Whether a king or rook with castling rights is on a square where normal chess does not have it.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let rooks = self.castling().rooks_of(color);
            let is_away = |rook: Square| !matches!(rook.file(), File::A | File::H);
            !rooks.is_empty() && (self.king(color).file() != File::E || rooks.into_iter().any(is_away))
        })
    }

    /// Whether neither side has mating material: bare kings, one minor piece, or only bishops on squares of one colour.
    #[must_use]
    pub fn has_insufficient_material(&self) -> bool {
        let heavy = self.by_type[PieceType::Pawn] | self.by_type[PieceType::Rook] | self.by_type[PieceType::Queen];
        if heavy.any() {
            return false;
        }
        let (knights, bishops) = (self.by_type[PieceType::Knight], self.by_type[PieceType::Bishop]);
        let one_color = !bishops.intersects(Bitboard::LIGHT_SQUARES) || !bishops.intersects(Bitboard::DARK_SQUARES);
        !(knights | bishops).more_than_one() || knights.is_empty() && one_color
    }

    /// The rooks on the back rank, if the king is there too; else none.
    pub(super) fn home_rooks(&self, color: Color) -> Bitboard {
        let back_rank = Rank::One.relative_to(color);
        if self.king(color).rank() == back_rank {
            self.colored_pieces(color, PieceType::Rook) & Bitboard::rank(back_rank)
        } else {
            Bitboard::EMPTY
        }
    }

    /// The rook that `K` or `Q` stands for: the one furthest from the king on this side of it.
    pub(super) fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let mut rooks = self.home_rooks(color).into_iter().filter(|&rook| CastlingSide::of(king, rook) == side);
        match side {
            CastlingSide::King => rooks.last(),
            CastlingSide::Queen => rooks.next(),
        }
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.by_type[piece.piece_type()] |= square.bitboard();
        self.by_color[piece.color()] |= square.bitboard();
        self.mailbox[square as usize] = Some(piece);
        self.keys.toggle(piece, square);
    }

    /// Recomputes checkers and pinned pieces of the side to move.
    pub(super) fn refresh_checks(&mut self) {
        let king = self.king(self.turn);
        let enemies = self.by_color[!self.turn];
        self.checkers = (pawn_attacks(self.turn, king) & self.by_type[PieceType::Pawn]
            | knight_attacks(king) & self.by_type[PieceType::Knight])
            & enemies;
        self.pinned = Bitboard::EMPTY;
        let diagonal = self.by_type[PieceType::Bishop] | self.by_type[PieceType::Queen];
        let straight = self.by_type[PieceType::Rook] | self.by_type[PieceType::Queen];
        let snipers = (bishop_rays(king) & diagonal | rook_rays(king) & straight) & enemies;
        let occupied = self.occupied();
        for sniper in snipers {
            let shield = between(king, sniper) & occupied;
            if shield.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !shield.more_than_one() {
                self.pinned |= shield & self.by_color[self.turn];
            }
        }
    }

    /// Sets the en passant square, if the side to move can legally capture there.
    pub(super) fn set_en_passant(&mut self, target: Square) {
        let capturers = pawn_attacks(!self.turn, target) & self.colored_pieces(self.turn, PieceType::Pawn);
        if capturers.into_iter().any(|from| self.en_passant_is_safe(from, target)) {
            self.en_passant = Some(target);
            self.keys.toggle_en_passant(target.file());
        }
    }

    /// Whether the en passant capture from `from` to `target` leaves the king safe.
    ///
    /// Three squares change at once, so this looks at the occupancy after the capture.
    pub(super) fn en_passant_is_safe(&self, from: Square, target: Square) -> bool {
        let captured = Square::new(target.file(), from.rank());
        let occupied = (self.occupied() - from.bitboard() - captured.bitboard()) | target.bitboard();
        !self.is_attacked(self.king(self.turn), !self.turn, occupied)
    }

    /// The squares of king and rook after castling with the rook on `rook`.
    #[inline]
    #[must_use]
    pub fn castled_squares(king: Square, rook: Square) -> (Square, Square) {
        let side = CastlingSide::of(king, rook);
        (Square::new(side.king_file(), king.rank()), Square::new(side.rook_file(), king.rank()))
    }

    /// Whether castling with this rook, which has the right, is legal now: nothing is in the way, and the king is not
    /// in check and neither crosses nor reaches an attacked square.
    pub(super) fn can_castle(&self, king: Square, rook: Square) -> bool {
        !self.in_check() && self.can_castle_out_of_check(king, rook, None)
    }

    /// The same for a king that is not in check. `king_targets` are the squares that it can move to, if they are known:
    /// they spare a test of attacks.
    #[inline]
    pub(super) fn can_castle_out_of_check(&self, king: Square, rook: Square, king_targets: Option<Bitboard>) -> bool {
        let (king_to, rook_to) = Self::castled_squares(king, rook);
        let others = self.occupied() - king.bitboard() - rook.bitboard();
        let mut king_path = between(king, king_to) | king_to.bitboard();
        let rook_path = between(rook, rook_to) | rook_to.bitboard();
        if (king_path | rook_path).intersects(others) {
            return false;
        }
        // In Chess960 the rook may shield the king's path from beyond, or stand on it; in the corner it does not.
        if let Some(targets) = king_targets.filter(|_| CORNERS.contains(rook)) {
            let beside = king_path & king_attacks(king);
            if (beside - targets).any() {
                return false;
            }
            king_path -= beside;
        }
        king_path.into_iter().all(|square| !self.is_attacked(square, !self.turn, others))
    }
}
