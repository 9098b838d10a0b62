//! The checks on one position of a game.

use movegen::attacks::pawn_attacks;
use movegen::{
    Bitboard, Board, FenStyle, Move, MoveKind, MoveList, MovesOf, Observer, Piece, PieceType, Square, perft,
};
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Position};
use tests::game::Game;
use tests::peers::{Plain, plain, sorted, sorted_cozy, sorted_shakmaty};
use tests::play::Random;

/// Which of the expensive checks a position gets.
#[derive(Clone, Copy)]
pub struct Sampling {
    /// FENs against both libraries and back; one in 4.
    fen: bool,
    /// All positions after one more move; one in 4.
    children: bool,
    /// The flipped position; one in 32.
    flipped: bool,
    /// All 65,535 values of a move; one in 128.
    every_value: bool,
}

impl Sampling {
    /// A random choice.
    pub fn of(random: &mut Random) -> Self {
        Self {
            fen: random.below(4) == 0,
            children: random.below(4) == 0,
            flipped: random.below(32) == 0,
            every_value: random.below(128) == 0,
        }
    }
}

/// Examines the position a game has reached and returns its legal moves, in an order that does not depend on ours.
pub fn examine(game: &Game, sampling: Sampling) -> Vec<Move> {
    let moves = sorted(&game.ours);
    assert_same_moves(game, &moves);
    let moves: Vec<Move> = moves.into_iter().map(|(_, mv)| mv).collect();
    assert_same_checks(game);
    assert_sound_keys(&game.ours, || game.to_string());
    assert_sorts(game, &moves);
    assert_judges(game, &moves);
    assert_threats(game);
    assert_null_move(game);
    if sampling.fen {
        assert_same_fen(game);
    }
    if sampling.children {
        assert_children(game, &moves);
    }
    if sampling.flipped {
        assert_mirror(game);
    }
    if sampling.every_value {
        assert_every_value(game, &moves);
    }
    moves
}

fn assert_same_moves(game: &Game, moves: &[(Plain, Move)]) {
    let ours = || moves.iter().map(|&(plain, _)| plain);
    if let Some(cozy) = game.cozy.as_ref().map(sorted_cozy) {
        assert!(ours().eq(cozy.iter().map(|&(plain, _)| plain)), "{game}: {moves:?}, cozy-chess {cozy:?}");
    }
    let shakmaty = sorted_shakmaty(&game.shakmaty);
    assert!(ours().eq(shakmaty.iter().map(|&(plain, _)| plain)), "{game}: {moves:?}, shakmaty {shakmaty:?}");
    for (&(_, ours), &(_, theirs)) in moves.iter().zip(&shakmaty) {
        let same_kind = (ours.kind() == MoveKind::EnPassant) == theirs.is_en_passant()
            && ours.is_castling() == theirs.is_castle()
            && (ours.kind() == MoveKind::Promotion) == theirs.is_promotion();
        let captured = game.ours.captured_by(ours).map(|piece_type| piece_type.letter());
        assert!(same_kind && captured == theirs.capture().map(shakmaty::Role::char), "{game}: {ours:?}");
    }
    assert!(moves.iter().all(|&(_, mv)| Move::from_bits(mv.bits()) == Some(mv)), "{game}");
}

/// Check, checkers and, of the pieces that stand between a king and a slider, those of the side to move.
fn assert_same_checks(game: &Game) {
    let ours = &game.ours;
    assert_eq!(ours.in_check(), game.shakmaty.is_check(), "{game}");
    assert_eq!(ours.checkers().into_iter().count(), game.shakmaty.checkers().count(), "{game}");
    let Some(cozy) = &game.cozy else { return };
    assert_eq!(ours.checkers(), bitboard(cozy.checkers()), "{game}");
    assert_eq!(ours.pinned(), bitboard(cozy.pinned() & cozy.colors(cozy.side_to_move())), "{game}");
}

fn bitboard(cozy: cozy_chess::BitBoard) -> Bitboard {
    cozy.into_iter().fold(Bitboard::EMPTY, |sum, square| sum | Square::from_index(square as u8).bitboard())
}

fn assert_sound_keys(board: &Board, place: impl Fn() -> String) {
    assert_eq!(*board.keys(), board.fresh_keys(), "{}", place());
    assert_eq!(board.key(), board.keys().full, "{}", place());
}

/// Noisy and quiet moves together are all moves, and counting finds as many as listing.
fn assert_sorts(game: &Game, moves: &[Move]) {
    let board = &game.ours;
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    board.generate(MovesOf::Noisy, &mut noisy);
    board.generate(MovesOf::Quiet, &mut quiet);
    for (which, listed) in [(MovesOf::Noisy, &noisy), (MovesOf::Quiet, &quiet)] {
        let mut given_threats = MoveList::new();
        board.generate_given_threats(which, &board.threats(), &mut given_threats);
        assert_eq!(&given_threats, listed, "{game}: {which:?} moves by threats");
    }
    for &mv in &noisy {
        let captures_or_promotes = board.captured_by(mv).is_some() || mv.promotes_to().is_some();
        assert!(captures_or_promotes && board.is_noisy(mv), "{game}: {mv:?} among the noisy moves");
    }
    for &mv in &quiet {
        assert!(!board.is_noisy(mv), "{game}: {mv:?} among the quiet moves");
    }
    let mut both: Vec<Move> = noisy.into_iter().chain(quiet).collect();
    both.sort_unstable_by_key(|&mv| plain(mv));
    assert_eq!(both, moves, "{game}");
    assert_eq!(board.count_legal_moves(), moves.len(), "{game}");
    assert_eq!(board.has_legal_move(), !moves.is_empty(), "{game}");
}

/// Each class of threats is what the pieces in it attack, one by one, our king being no obstacle.
fn assert_threats(game: &Game) {
    const KINDS: [PieceType; 6] = PieceType::ALL;
    let board = &game.ours;
    let (us, threats) = (board.turn(), board.threats());
    let obstacles = board.occupied() - board.king(us).bitboard();
    let attacked = |kinds: &[PieceType]| {
        let mut squares = Bitboard::EMPTY;
        for &kind in kinds {
            for square in board.colored_pieces(!us, kind) {
                squares |= match kind {
                    PieceType::Pawn => pawn_attacks(!us, square),
                    _ => Board::piece_attacks(kind, square, obstacles),
                };
            }
        }
        squares
    };
    assert_eq!(threats.by_lesser(PieceType::Bishop), attacked(&KINDS[..1]), "{game}");
    assert_eq!(threats.by_lesser(PieceType::Rook), attacked(&KINDS[..3]), "{game}");
    assert_eq!(threats.by_lesser(PieceType::Queen), attacked(&KINDS[..4]), "{game}");
    assert_eq!(threats.by_all, attacked(&KINDS), "{game}");
}

/// `is_legal` is membership, for the moves of positions before too, and `gives_check` is what playing shows, as are
/// the squares from which checks are given.
fn assert_judges(game: &Game, moves: &[Move]) {
    let board = &game.ours;
    let checks = board.checks();
    for &mv in moves {
        assert!(board.is_legal(mv), "{game}: {mv:?} is legal");
        let child = board.after(mv);
        assert_eq!(board.gives_check(mv), child.in_check(), "{game}: {mv:?}");
        assert_eq!(checks.gives(board, mv), child.in_check(), "{game}: {mv:?}");
    }
    let legal = legal_bits(moves);
    for &mv in &game.stale {
        assert_eq!(board.is_legal(mv), legal.has(mv), "{game}: {mv:?}, legal earlier");
    }
}

fn assert_every_value(game: &Game, moves: &[Move]) {
    let legal = legal_bits(moves);
    assert_eq!(Move::from_bits(0), None);
    for mv in (1..=u16::MAX).filter_map(Move::from_bits) {
        assert_eq!(game.ours.is_legal(mv), legal.has(mv), "{game}: {mv:?}, bits {:#06x}", mv.bits());
        // Not asked of illegal moves, but even so it must not panic.
        let _ = game.ours.gives_check(mv);
    }
}

/// A set of moves.
struct MoveSet(Box<[u64; 1024]>);

impl MoveSet {
    fn has(&self, mv: Move) -> bool {
        let bits = usize::from(mv.bits());
        self.0[bits / 64] >> (bits % 64) & 1 != 0
    }
}

fn legal_bits(moves: &[Move]) -> MoveSet {
    let mut set = Box::new([0; 1024]);
    for mv in moves {
        let bits = usize::from(mv.bits());
        set[bits / 64] |= 1 << (bits % 64);
    }
    MoveSet(set)
}

fn assert_null_move(game: &Game) {
    let board = &game.ours;
    if board.in_check() {
        return;
    }
    let mut passed = *board;
    passed.play_null();
    assert_sound_keys(&passed, || format!("{game}, after a null move"));
    assert_ne!(passed.key(), board.key(), "{game}");
    assert_eq!(passed.en_passant(), None, "{game}");
    if let Some(cozy) = &game.cozy {
        let cozy = sorted_cozy(&cozy.null_move().expect("not in check"));
        let moves = sorted(&passed);
        let same = moves.iter().map(|&(plain, _)| plain).eq(cozy.iter().map(|&(plain, _)| plain));
        assert!(same, "{game}, after a null move");
    }
    if passed.in_check() {
        return;
    }
    passed.play_null();
    let returned = passed.key() == board.key();
    assert_eq!(returned, board.en_passant().is_none(), "{game}, after two null moves");
}

/// FENs against the libraries and back.
///
/// Conventions differ in two fields. En passant: shakmaty is asked for the square where a capture is legal, which is
/// ours; cozy-chess names it after every double step. Halfmove clock: cozy-chess stops at 100.
fn assert_same_fen(game: &Game) {
    let board = &game.ours;
    for style in [FenStyle::Standard, FenStyle::Shredder] {
        let fen = board.fen(style);
        let (read, warnings) = Board::from_fen_with_warnings(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert!(read == *board && warnings.is_empty(), "{game} reads back as {read:?}, {warnings:?}");
    }
    let standard = Fen::from_position(&game.shakmaty, EnPassantMode::Legal).to_string();
    assert_eq!(board.fen(FenStyle::Standard), standard, "{game}");

    let Some(cozy) = &game.cozy else { return };
    let (ours, cozy) = (board.fen(FenStyle::Shredder), format!("{cozy:#}"));
    let fields = |fen: &str| fen.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (ours, cozy) = (fields(&ours), fields(&cozy));
    for field in [0, 1, 2, 5] {
        assert_eq!(ours[field], cozy[field], "{game}");
    }
    assert!(ours[3] == "-" || ours[3] == cozy[3], "{game}: cozy-chess has {cozy:?}");
    assert_eq!(board.halfmove_clock().min(100).to_string(), cozy[4], "{game}");
}

/// Keys after every move, and that an observer hears exactly what changes.
fn assert_children(game: &Game, moves: &[Move]) {
    for &mv in moves {
        let mut child = game.ours;
        let mut pieces = Pieces(Square::ALL.map(|square| game.ours.piece_on(square)));
        child.play(mv, &mut pieces);
        let place = || format!("{game}, after {mv:?}");
        assert_sound_keys(&child, place);
        assert_eq!(pieces.0, Square::ALL.map(|square| child.piece_on(square)), "{}", place());
        assert_sound_sets(&child, place);
    }
}

/// Pieces as an observer knows them.
struct Pieces([Option<Piece>; 64]);

impl Observer for Pieces {
    fn removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square as usize].take(), Some(piece), "removed from {square}");
    }

    fn added(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square as usize].replace(piece), None, "added on {square}");
    }
}

/// The sets of squares and the mailbox say the same.
fn assert_sound_sets(board: &Board, place: impl Fn() -> String) {
    for square in Square::ALL {
        let piece = board.piece_on(square);
        let is_in_sets = |piece: Piece| board.colored_pieces(piece.color(), piece.piece_type()).contains(square);
        assert_eq!(board.occupied().contains(square), piece.is_some(), "{}: {square}", place());
        assert!(piece.is_none_or(is_in_sets), "{}: {square}", place());
    }
}

/// Colours exchanged and the board upside down, everything must be the same upside down.
fn assert_mirror(game: &Game) {
    let (board, flipped) = (&game.ours, game.ours.flipped());
    assert_sound_keys(&flipped, || format!("{game}, flipped"));
    assert!(flipped.flipped() == *board, "{game}, flipped twice");
    assert_eq!(perft(board, 2), perft(&flipped, 2), "{game}, flipped");
    let mut mirrored: Vec<_> = board.legal_moves().iter().map(|mv| mirror(*mv)).collect();
    mirrored.sort_unstable();
    let mut moves: Vec<_> = flipped.legal_moves().iter().map(|mv| mv.bits()).collect();
    moves.sort_unstable();
    assert_eq!(mirrored, moves, "{game}, flipped");
    let read = Board::from_fen(&flipped.fen(FenStyle::Shredder));
    assert_eq!(read.as_ref(), Ok(&flipped), "{game}, flipped");
}

fn mirror(mv: Move) -> u16 {
    // The rank is the upper half of a square's six bits.
    mv.bits() ^ 0b111_000_111_000
}
