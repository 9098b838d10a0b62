//! A game of self-play and its bytes in viriformat, the compact format the field exchanges games in.
//!
//! The format is a 32-byte start position, four bytes for each move and its score, and four zero bytes; its
//! specification is the README of the crate `viriformat`. That crate is the independent reader these bytes are tested
//! against, but not used here: it trusts its input, where a damaged byte must be an error, and it knows other boards
//! and moves than ours.

use eval::network::checksum;
pub use movegen::GameResult;
use movegen::{
    Bitboard, Board, CastlingFlag, CastlingRook, Color, Move, MoveKind, Piece, PieceType, Rank, Setup, SetupError,
    Square,
};
use search::Score;

/// Bytes of a game besides its moves.
const FRAME_LEN: usize = START_LEN + MOVE_LEN;
pub(crate) const START_LEN: usize = 32;
const MOVE_LEN: usize = 4;
/// Stands in the start's spare byte of a position without a result; the format leaves that byte to its users.
const NO_RESULT: u8 = 255;
/// The code of a rook that may castle, one above the king's.
const CASTLING_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;

/// A move and what the search thought of the position it was played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Centipawns from White's point of view.
    pub score: i16,
}

impl ScoredMove {
    /// A move of `turn` with a score for that side.
    #[must_use]
    pub fn by(turn: Color, mv: Move, score: Score) -> Self {
        let white_score = if turn == Color::White { score } else { -score };
        Self { mv, score: white_score.0.clamp(i32::from(-i16::MAX), i32::from(i16::MAX)) as i16 }
    }
}

/// A game from its first searched position to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position before the first of [`moves`](Self::moves); its move number counts the opening
    /// from where that began, which is the first move in a book too.
    pub start: Board,
    /// How the game ended; `None` for a position from a search tree, which was not played on.
    pub result: Option<GameResult>,
    /// The moves played; for a position from a search tree, the best one, or none if it was not searched.
    pub moves: Vec<ScoredMove>,
}

/// A position of a game, with the move played in it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Half-moves since the game's start, its first searched position.
    pub ply: usize,
    /// The board before the move.
    pub board: Board,
    /// The move.
    pub mv: Move,
    /// Centipawns for White.
    pub score: i16,
}

/// Why bytes are not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// The bytes end within the game.
    #[error("the game is cut off")]
    Truncated,
    /// More pieces than the format has room for.
    #[error("{0} pieces on the board")]
    TooManyPieces(u32),
    /// More moves than there is room for.
    #[error("{0} moves")]
    TooManyMoves(usize),
    /// A code that names no piece.
    #[error("{1} is no piece for {0}")]
    NoPiece(Square, u8),
    /// A start position that breaks the rules.
    #[error("the start is no legal position: {0}")]
    Start(#[from] SetupError),
    /// A code that names no result.
    #[error("{0} is no result")]
    NoResult(u8),
    /// A move that breaks the rules.
    #[error("half-move {index}, {mv}, is illegal")]
    IllegalMove {
        /// Its place in the game, from 0.
        index: usize,
        /// The move.
        mv: Move,
    },
    /// Bits that no move has.
    #[error("half-move {index}, {bits:#06x}, is no move")]
    NoMove {
        /// Its place in the game, from 0.
        index: usize,
        /// The bits.
        bits: u16,
    },
}

impl Game {
    /// Bytes [`encode`](Self::encode) adds.
    #[must_use]
    pub const fn encoded_len(&self) -> usize {
        FRAME_LEN + MOVE_LEN * self.moves.len()
    }

    /// Adds the game's bytes to `bytes`.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend(encode_start(&self.start, self.result));
        for scored in &self.moves {
            bytes.extend(encode_move(scored.mv).to_le_bytes());
            bytes.extend(scored.score.to_le_bytes());
        }
        bytes.extend([0; MOVE_LEN]);
    }

    /// Takes one game from the front of `bytes`.
    ///
    /// Whether its moves are legal shows when it is [replayed](Self::replay).
    ///
    /// # Errors
    ///
    /// If the bytes are no game; `bytes` is left as it was.
    pub fn decode(bytes: &mut &[u8]) -> Result<Self, GameError> {
        let (start, mut rest) = bytes.split_first_chunk().ok_or(GameError::Truncated)?;
        let (start, result) = decode_start(start)?;
        let mut moves = Vec::new();
        loop {
            let (&[low, high, score @ ..], after) = rest.split_first_chunk::<MOVE_LEN>().ok_or(GameError::Truncated)?;
            let (bits, score) = (u16::from_le_bytes([low, high]), i16::from_le_bytes(score));
            rest = after;
            if bits == 0 && score == 0 {
                break;
            }
            let mv = decode_move(bits).ok_or(GameError::NoMove { index: moves.len(), bits })?;
            moves.push(ScoredMove { mv, score });
        }
        *bytes = rest;
        Ok(Self { start, result, moves })
    }

    /// A number that equal games share, whatever their scores: the same game has other scores in its packed form.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut bytes = encode_start(&self.start, self.result).to_vec();
        bytes.extend(self.moves.iter().flat_map(|scored| encode_move(scored.mv).to_le_bytes()));
        checksum(&bytes)
    }

    /// The positions of the game in order; ends after the first illegal move, which is an error.
    pub fn replay(&self) -> impl Iterator<Item = Result<Step, GameError>> {
        let mut next = Some(self.start);
        self.moves.iter().enumerate().map_while(move |(index, &ScoredMove { mv, score })| {
            let board = next.take()?;
            if !board.is_legal(mv) {
                return Some(Err(GameError::IllegalMove { index, mv }));
            }
            let mut child = board;
            child.play(mv, &mut ());
            next = Some(child);
            Some(Ok(Step { ply: index, board, mv, score }))
        })
    }
}

pub(crate) fn encode_start(board: &Board, result: Option<GameResult>) -> [u8; START_LEN] {
    let mut bytes = [0; START_LEN];
    let occupied = board.occupied();
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let Some(piece) = board.piece_on(square) else { continue };
        let kind = if board.castling().rooks().contains(square) { CASTLING_ROOK } else { piece.piece_type() as u8 };
        bytes[8 + index / 2] |= (kind | (piece.color() as u8) << 3) << (4 * (index % 2));
    }
    bytes[24] = (board.turn() as u8) << 7 | board.en_passant().map_or(NO_SQUARE, |square| square as u8);
    bytes[25] = board.halfmove_clock().min(255) as u8;
    bytes[26..28].copy_from_slice(&(board.fullmove_number().min(u32::from(u16::MAX)) as u16).to_le_bytes());
    bytes[30] = result.unwrap_or(GameResult::Draw) as u8;
    bytes[31] = if result.is_none() { NO_RESULT } else { 0 };
    bytes
}

pub(crate) fn decode_start(bytes: &[u8; START_LEN]) -> Result<(Board, Option<GameResult>), GameError> {
    let occupied = Bitboard(bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)));
    if occupied.count() > 32 {
        return Err(GameError::TooManyPieces(occupied.count() as u32));
    }
    let mut setup = Setup {
        turn: if bytes[24] >> 7 == 0 { Color::White } else { Color::Black },
        en_passant: Some(bytes[24] & 127).filter(|&square| square < NO_SQUARE).map(Square::from_index),
        halfmove_clock: bytes[25].into(),
        fullmove_number: u16::from_le_bytes([bytes[26], bytes[27]]).into(),
        ..Setup::EMPTY
    };
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code >> 3 == 0 { Color::White } else { Color::Black };
        let piece_type = match code & 7 {
            CASTLING_ROOK if square.rank() == Rank::One.relative_to(color) => {
                setup.castling.push(CastlingFlag { color, rook: CastlingRook::On(square.file()) });
                PieceType::Rook
            }
            kind => *PieceType::ALL.get(usize::from(kind)).ok_or(GameError::NoPiece(square, code))?,
        };
        setup.pieces[square as usize] = Some(Piece::new(color, piece_type));
    }
    let result = *GameResult::ALL.get(usize::from(bytes[30])).ok_or(GameError::NoResult(bytes[30]))?;
    let (board, _) = Board::from_setup(&setup)?;
    Ok((board, (bytes[31] != NO_RESULT).then_some(result)))
}

/// A move's bits: as ours but for the order of kinds.
pub(crate) fn encode_move(mv: Move) -> u16 {
    let kind = match mv.kind() {
        MoveKind::Normal => 0,
        MoveKind::EnPassant => 1,
        MoveKind::Castling => 2,
        MoveKind::Promotion => 3,
    };
    let promotion = mv.promotes_to().map_or(0, |piece_type| piece_type as u16 - PieceType::Knight as u16);
    mv.from() as u16 | (mv.to() as u16) << 6 | promotion << 12 | kind << 14
}

fn decode_move(bits: u16) -> Option<Move> {
    let (from, to) = (Square::from_index(bits as u8), Square::from_index((bits >> 6) as u8));
    match bits >> 14 {
        _ if from == to => None,
        0 => Some(Move::normal(from, to)),
        1 => Some(Move::en_passant(from, to)),
        2 => Some(Move::castling(from, to)),
        _ => Some(Move::promotion(from, to, PieceType::PROMOTIONS[usize::from(bits >> 12 & 3)])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::synthetic::random_games;

    fn encoded(game: &Game) -> Vec<u8> {
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        assert_eq!(bytes.len(), game.encoded_len());
        bytes
    }

    fn start(fen: &str) -> Game {
        Game { start: Board::from_fen(fen).unwrap(), result: Some(GameResult::Draw), moves: Vec::new() }
    }

    /// Games with castling, en passant and promotions, in standard chess and in Chess960.
    fn games() -> Vec<Game> {
        let mut games = random_games(1, 60);
        for (fen, moves) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20", [Move::castling(Square::E1, Square::A1)]),
            ("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b GBgb - 0 9", [Move::castling(Square::E8, Square::G8)]),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 30", [Move::en_passant(Square::E5, Square::D6)]),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 30", [Move::promotion(Square::A7, Square::A8, PieceType::Bishop)]),
        ] {
            let moves = moves.map(|mv| ScoredMove { mv, score: -31 }).to_vec();
            games.push(Game { moves, result: Some(GameResult::BlackWins), ..start(fen) });
        }
        games
    }

    #[test]
    fn games_round_trip() {
        for game in games() {
            let bytes = encoded(&game);
            assert!(game.replay().all(|step| step.is_ok()));
            let mut rest = &bytes[..];
            assert_eq!(Game::decode(&mut rest), Ok(game));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn a_position_without_a_result_stays_one() {
        for game in games() {
            let lone = Game { result: None, moves: game.moves[..1].to_vec(), ..game };
            let bytes = encoded(&lone);
            assert_eq!(Game::decode(&mut &bytes[..]), Ok(lone));
            // Another reader sees a drawn game.
            let theirs = viriformat::dataformat::Game::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
            assert!(matches!(theirs.outcome(), viriformat::dataformat::WDL::Draw));
        }
    }

    #[test]
    fn bytes_are_as_specified() {
        // The example of the specification; its figure shows the two halves of a byte of pieces in the wrong order.
        let bytes = [
            0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, 0x88, 0x88, 0x88, 0x88, 0x9E, 0xCA,
            0xAD, 0xE9, 0x40, 0, 1, 0, 0, 0, 2, 0, 0x0C, 0x07, 0x0A, 0, 0x34, 0x09, 0x14, 0, 0xC3, 0x09, 0xE2, 0xFF,
            0x3C, 0x0D, 0xFF, 0x7F, 0x27, 0x09, 0xFF, 0x7F, 0, 0, 0, 0,
        ];
        let game = Game::decode(&mut &bytes[..]).unwrap();
        assert_eq!((game.start, game.result), (Board::start(), Some(GameResult::WhiteWins)));
        let moves: Vec<String> = game.moves.iter().map(|scored| format!("{} {}", scored.mv, scored.score)).collect();
        assert_eq!(moves, ["e2e4 10", "e7e5 20", "d1h5 -30", "e8e7 32767", "h5e5 32767"]);
        assert!(game.replay().all(|step| step.is_ok()));
        assert_eq!(encoded(&game), bytes);
    }

    #[test]
    fn the_independent_reader_sees_the_same_positions() {
        for game in games() {
            let bytes = encoded(&game);
            let theirs = viriformat::dataformat::Game::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
            let mut seen = Vec::new();
            let unrestricted = viriformat::dataformat::Filter::UNRESTRICTED;
            let keep = |board: bulletformat::ChessBoard| {
                seen.push(board);
                Ok(())
            };
            theirs.splat_to_bulletformat(keep, &unrestricted).unwrap();
            assert_eq!(seen.len(), game.moves.len());
            for (step, theirs) in game.replay().zip(seen) {
                let step = step.unwrap();
                let record = crate::records::record::Record::new(&step.board, step.score, game.result);
                assert_eq!(record.0[..8], theirs.occ.to_le_bytes(), "{:?}", step.board);
                assert_eq!(record.0[8..24], theirs.pcs);
                assert_eq!((record.score(), record.0[26]), (theirs.score, theirs.result));
            }
            let mut rewritten = Vec::new();
            theirs.serialise_into(&mut rewritten).unwrap();
            assert_eq!(rewritten, bytes);
        }
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = encoded(&games()[0]);
        for length in 0..bytes.len() {
            let mut rest = &bytes[..length];
            assert_eq!(Game::decode(&mut rest), Err(GameError::Truncated));
            assert_eq!(rest.len(), length, "a failed read must take nothing");
        }
    }

    #[test]
    fn damaged_starts_are_errors() {
        let bytes = encoded(&start("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        let damaged = |place: usize, value: u8| {
            let mut bytes = bytes.clone();
            bytes[place] = value;
            Game::decode(&mut &bytes[..]).unwrap_err()
        };
        assert!(matches!(damaged(8, 0x77), GameError::NoPiece(Square::E1, 7)));
        assert!(matches!(damaged(8, 0x55), GameError::Start(_)));
        assert!(matches!(damaged(30, 3), GameError::NoResult(3)));
        let mut crowded = bytes.clone();
        crowded[..8].fill(0xFF);
        assert_eq!(Game::decode(&mut &crowded[..]), Err(GameError::TooManyPieces(64)));
    }

    #[test]
    fn any_flipped_bit_is_an_error_or_another_game() {
        let game = &games()[0];
        let bytes = encoded(game);
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok(other) = Game::decode(&mut &damaged[..]) {
                let replayed = other.replay().take_while(|step| step.is_ok()).count();
                assert!(replayed <= other.moves.len());
            }
        }
    }

    #[test]
    fn replay_stops_at_an_illegal_move() {
        let mut game = random_games(2, 1).remove(0);
        game.moves[3].mv = Move::normal(Square::A1, Square::H8);
        let steps: Vec<_> = game.replay().collect();
        assert_eq!(steps.len(), 4);
        assert_eq!(steps[3].as_ref().err(), Some(&GameError::IllegalMove { index: 3, mv: game.moves[3].mv }));
    }

    #[test]
    fn stray_bits_are_no_moves() {
        assert_eq!(decode_move(0b1_000001_000001), None);
        for bits in 0..=u16::MAX {
            if let Some(mv) = decode_move(bits) {
                let canonical = if bits >> 14 == 3 { bits } else { bits & !0x3000 };
                assert_eq!(encode_move(mv), canonical);
            }
        }
    }
}
