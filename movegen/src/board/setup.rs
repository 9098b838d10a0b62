//! From any arrangement of pieces to a legal board.
//!
//! What has no meaning in chess is refused with a reason. What is merely inconsistent (a castling right without its
//! rook, an en passant square without its pawn, huge counters) is dropped or clamped with a warning. What no game
//! reaches but can be played, such as a triple check or a third knight beside eight pawns, is accepted as it is.

mod arrangement;
mod error;

pub use arrangement::{CastlingFlag, CastlingRook, Setup};
use error::{MAX_PAWNS, MAX_PIECES};
pub use error::{SetupError, SetupWarning};

use super::state::Board;
use crate::{Bitboard, CastlingSide, Color, PieceType, Rank, Square};

impl Board {
    /// The start position of standard chess.
    #[must_use]
    pub fn start() -> Self {
        Self::from_legal_setup(&Setup::start())
    }

    /// The position of this setup, with a warning for everything that was dropped or clamped.
    ///
    /// An en passant square where no capture is possible is dropped without a warning, since many programs write it
    /// after each double push.
    ///
    /// # Errors
    ///
    /// If the arrangement is not a legal position: see [`SetupError`].
    pub fn from_setup(setup: &Setup) -> Result<(Self, Vec<SetupWarning>), SetupError> {
        let mut board = Self::with_pieces_of(setup);
        Color::ALL.into_iter().try_for_each(|color| board.check_pieces(color))?;
        board.check_kings()?;
        let warnings = board.set_rights(setup);
        Ok((board, warnings))
    }

    /// As [`from_setup`](Self::from_setup), for setups known to be legal.
    pub(super) fn from_legal_setup(setup: &Setup) -> Self {
        let mut board = Self::with_pieces_of(setup);
        board.set_rights(setup);
        board
    }

    /// The pieces and the side to move only.
    fn with_pieces_of(setup: &Setup) -> Self {
        let mut board = Self::empty();
        for (square, piece) in Square::ALL.into_iter().zip(setup.pieces) {
            if let Some(piece) = piece {
                board.put(piece, square);
            }
        }
        board.turn = setup.turn;
        if board.turn == Color::Black {
            board.keys.toggle_turn();
        }
        board
    }

    fn check_pieces(&self, color: Color) -> Result<(), SetupError> {
        match self.colored_pieces(color, PieceType::King).count() {
            0 => return Err(SetupError::NoKing { color }),
            1 => {}
            count => return Err(SetupError::SeveralKings { color, count }),
        }
        let pieces = self.colors(color).count();
        if pieces > MAX_PIECES {
            return Err(SetupError::TooManyPieces { color, count: pieces });
        }
        let pawns = self.colored_pieces(color, PieceType::Pawn);
        if pawns.count() > MAX_PAWNS {
            return Err(SetupError::TooManyPawns { color, count: pawns.count() });
        }
        let back_ranks = Bitboard::rank(Rank::One) | Bitboard::rank(Rank::Eight);
        if let Some(square) = (pawns & back_ranks).lsb() {
            return Err(SetupError::PawnOnBackRank { square });
        }
        Ok(())
    }

    fn check_kings(&self) -> Result<(), SetupError> {
        let (white, black) = (self.king(Color::White), self.king(Color::Black));
        if white.distance(black) == 1 {
            return Err(SetupError::AdjacentKings { white, black });
        }
        let king = self.king(!self.turn);
        match (self.attackers_to(king, self.occupied()) & self.colors(self.turn)).lsb() {
            Some(checker) => Err(SetupError::OpponentInCheck { king, checker }),
            None => Ok(()),
        }
    }

    /// Sets the rights that fit the pieces on the board, and the counters.
    fn set_rights(&mut self, setup: &Setup) -> Vec<SetupWarning> {
        let mut warnings = Vec::new();
        self.refresh_checks();
        warnings.extend(setup.castling.iter().filter_map(|&flag| self.set_castling(flag).err()));
        if let Some(square) = setup.en_passant {
            if self.is_en_passant_square(square) {
                self.set_en_passant(square);
            } else {
                warnings.push(SetupWarning::EnPassantDropped { square });
            }
        }
        self.halfmove_clock = u16::try_from(setup.halfmove_clock).unwrap_or(u16::MAX).min(Self::MAX_HALFMOVE_CLOCK);
        if setup.halfmove_clock > u32::from(Self::MAX_HALFMOVE_CLOCK) {
            warnings.push(SetupWarning::HalfmoveClockClamped);
        }
        self.fullmove_number = setup.fullmove_number.clamp(1, Self::MAX_FULLMOVE_NUMBER);
        if setup.fullmove_number > Self::MAX_FULLMOVE_NUMBER {
            warnings.push(SetupWarning::FullmoveNumberClamped);
        }
        warnings
    }

    fn set_castling(&mut self, flag: CastlingFlag) -> Result<(), SetupWarning> {
        let king = self.king(flag.color);
        let rook = match flag.rook {
            CastlingRook::Outermost(side) => self.outermost_rook(flag.color, side),
            CastlingRook::On(file) => self.home_rooks(flag.color).into_iter().find(|rook| rook.file() == file),
        };
        let rook = rook.ok_or(SetupWarning::CastlingDropped { flag })?;
        if self.castling.rook(flag.color, CastlingSide::of(king, rook), king).is_some() {
            return Err(SetupWarning::CastlingRepeated { flag });
        }
        self.castling.0 |= rook.bitboard();
        self.keys.toggle_castling(rook);
        Ok(())
    }

    /// Whether a pawn of the side not to move can have just moved two squares past `target`.
    fn is_en_passant_square(&self, target: Square) -> bool {
        let them = !self.turn;
        let passed = target.bitboard();
        target.rank() == Rank::Three.relative_to(them)
            && self.colored_pieces(them, PieceType::Pawn).intersects(passed.forward(them))
            && !self.occupied().intersects(passed | passed.forward(self.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FenError, FenStyle};

    fn refusal(fen: &str) -> SetupError {
        match Board::from_fen(fen) {
            Err(FenError::Setup(error)) => error,
            other => panic!("{fen}: {other:?}"),
        }
    }

    /// The FEN read back and the warnings on the way.
    fn read_back(fen: &str) -> (String, Vec<SetupWarning>) {
        let (board, warnings) = Board::from_fen_with_warnings(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(*board.keys(), board.fresh_keys(), "{fen}");
        (board.fen(FenStyle::Standard), warnings)
    }

    fn dropped(letters: &str) -> Vec<SetupWarning> {
        letters
            .chars()
            .map(|letter| SetupWarning::CastlingDropped { flag: CastlingFlag::from_letter(letter).unwrap() })
            .collect()
    }

    #[test]
    fn start_position_is_legal() {
        let (board, warnings) = Board::from_setup(&Setup::start()).unwrap();
        assert_eq!(board, Board::start());
        assert_eq!(warnings, []);
        assert_eq!(Setup::chess960(518, 518), Some(Setup::start()));
    }

    #[test]
    fn chess960_has_960_different_legal_starts() {
        let mut seen = std::collections::HashSet::new();
        for number in 0..960 {
            let setup = Setup::chess960(number, 959 - number).unwrap();
            let (board, warnings) = Board::from_setup(&setup).unwrap();
            assert_eq!(warnings, [], "{number}");
            assert_eq!(board.castling().rooks().count(), 4, "{number}");
            for color in Color::ALL {
                let bishops = board.colored_pieces(color, PieceType::Bishop);
                assert!(bishops.intersects(Bitboard::LIGHT_SQUARES) && bishops.intersects(Bitboard::DARK_SQUARES));
                for side in CastlingSide::ALL {
                    assert!(board.castling().rook(color, side, board.king(color)).is_some(), "{number}");
                }
            }
            seen.insert(board.key());
        }
        assert_eq!(seen.len(), 960);
        assert_eq!(Setup::chess960(960, 0), None);
        assert_eq!(Setup::chess960(0, u16::MAX), None);
        let first = Board::from_setup(&Setup::chess960(0, 959).unwrap()).unwrap().0;
        assert_eq!(first.fen(FenStyle::Shredder), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
    }

    #[test]
    fn refuses_illegal_positions() {
        use Color::{Black, White};
        use Square::{D1, D5, D8, E1, E5, E8};
        for (fen, error) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", SetupError::NoKing { color: White }),
            ("4K3/8/8/8/8/8/8/8 w - - 0 1", SetupError::NoKing { color: Black }),
            ("4k3/8/8/8/8/8/8/K3K2R w - - 0 1", SetupError::SeveralKings { color: White, count: 2 }),
            ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", SetupError::TooManyPieces { color: White, count: 17 }),
            ("4k3/pppppppp/7p/8/8/8/8/4K3 w - - 0 1", SetupError::TooManyPawns { color: Black, count: 9 }),
            ("4k3/8/8/8/8/8/8/K2P4 w - - 0 1", SetupError::PawnOnBackRank { square: D1 }),
            ("3Pk3/8/8/8/8/8/8/K7 w - - 0 1", SetupError::PawnOnBackRank { square: D8 }),
            ("8/8/8/3kK3/8/8/8/8 w - - 0 1", SetupError::AdjacentKings { white: E5, black: D5 }),
            ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", SetupError::OpponentInCheck { king: E8, checker: E1 }),
            ("4r1k1/8/8/8/8/8/8/4K3 b - - 0 1", SetupError::OpponentInCheck { king: E1, checker: E8 }),
        ] {
            assert_eq!(refusal(fen), error, "{fen}");
        }
    }

    #[test]
    fn errors_and_warnings_say_what_and_where() {
        assert_eq!(refusal("4k3/8/8/8/8/8/8/K3K2R w - - 0 1").to_string(), "White has 2 kings");
        assert_eq!(refusal("3Pk3/8/8/8/8/8/8/K7 w - - 0 1").to_string(), "a pawn is on d8");
        let (_, warnings) = read_back("4k3/8/8/8/8/8/8/4K3 w q - 0 1");
        assert_eq!(warnings[0].to_string(), "castling right q dropped: the king or the rook is not in place");
    }

    #[test]
    fn accepts_unreachable_but_playable_positions() {
        for fen in [
            "4k3/8/5N2/1B6/8/8/8/K3R3 b - - 0 1",
            "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
            "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1",
            "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
            "4k3/8/8/8/8/NN6/NNNNNNNN/4K3 b - - 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/B1B4K w - - 0 1",
            "4k3/8/8/8/8/8/QQQQQQQQ/QQK5 b - - 0 1",
            "b1b1b2k/pppppppp/8/8/8/8/8/7K w - - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
        ] {
            let (board, warnings) = Board::from_fen_with_warnings(fen).unwrap();
            assert_eq!(warnings, [], "{fen}");
            assert_eq!(Board::from_fen(&board.fen(FenStyle::Shredder)), Ok(board), "{fen}");
        }
    }

    #[test]
    fn drops_castling_rights_without_king_or_rook() {
        for (fen, rights, warnings) in [
            ("rnbqkbn1/8/8/8/8/8/8/RNBQKBN1 w KQkq - 0 1", "Qq", dropped("Kk")),
            ("rnbq1bnr/4k3/8/8/8/8/4K3/RNBQ1BNR w KQkq - 0 1", "-", dropped("KQkq")),
            // A rook of the wrong colour, one beside a rook, one on the other side of the king.
            ("4k3/8/8/8/8/8/8/r3K2r w KQ - 0 1", "-", dropped("KQ")),
            ("4k3/8/8/8/8/8/8/R3K2R w GB - 0 1", "-", dropped("GB")),
            ("4k3/8/8/8/8/8/8/K2R3R w Q - 0 1", "-", dropped("Q")),
            ("4k3/8/8/8/8/8/8/4K3 w E - 0 1", "-", dropped("E")),
        ] {
            let (written, given) = read_back(fen);
            assert_eq!(written.split(' ').nth(2), Some(rights), "{fen}");
            assert_eq!(given, warnings, "{fen}");
        }
    }

    #[test]
    fn keeps_one_castling_right_a_side() {
        for (castling, rights, repeated) in [
            ("KKQkq", "KQkq", "K"),
            ("KHQkq", "KQkq", "H"),
            ("GHQ", "GQ", "H"),
            ("HGQ", "KQ", "G"),
            ("qkQK", "KQkq", ""),
        ] {
            let (written, warnings) = read_back(&format!("r3k2r/8/8/8/8/8/8/R3K1RR w {castling} - 0 1"));
            assert_eq!(written.split(' ').nth(2), Some(rights), "{castling}");
            let expected = repeated
                .chars()
                .map(|letter| SetupWarning::CastlingRepeated { flag: CastlingFlag::from_letter(letter).unwrap() });
            assert_eq!(warnings, expected.collect::<Vec<_>>(), "{castling}");
        }
    }

    #[test]
    fn keeps_en_passant_only_where_it_can_be_captured() {
        for (fen, kept) in [
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", true),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 7 3", true),
            // The check that the capture answers came with the double step.
            ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", true),
            // No capturer; pinned along the file; both pawns leave the king's rank; a check that stays.
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", false),
            ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false),
            ("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", false),
            ("4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1", false),
        ] {
            let (written, warnings) = read_back(fen);
            assert_eq!(warnings, [], "{fen}");
            assert_eq!(written.split(' ').nth(3) != Some("-"), kept, "{fen}");
        }
    }

    #[test]
    fn drops_impossible_en_passant_with_a_warning() {
        for fen in [
            // The wrong side's rank, the pawn's own square, no pawn at all.
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e6 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq e3 0 1",
            // The capture would fit, but the square passed or the pawn's first square is taken.
            "r1bqkbnr/ppp1pppp/3n4/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "r1bqkbnr/pppnpppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            // The pawn's own side is to move; a piece that is no pawn; corners of the board.
            "rnbqkbnr/pppp1ppp/8/8/4Pp2/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1",
            "4k3/8/8/8/3pN3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/8/8/8/4K3 b - a1 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - h8 0 1",
        ] {
            let (written, warnings) = read_back(fen);
            let square = fen.split(' ').nth(3).and_then(|text| text.parse().ok()).unwrap();
            assert_eq!(written.split(' ').nth(3), Some("-"), "{fen}");
            assert!(warnings.contains(&SetupWarning::EnPassantDropped { square }), "{fen}: {warnings:?}");
        }
    }

    #[test]
    fn clamps_counters() {
        let clocks = |halfmove_clock, fullmove_number| {
            let (board, warnings) =
                Board::from_setup(&Setup { halfmove_clock, fullmove_number, ..Setup::start() }).unwrap();
            (board.halfmove_clock(), board.fullmove_number(), warnings)
        };
        assert_eq!(clocks(150, 0), (150, 1, vec![]));
        assert_eq!(clocks(10_000, 100_000), (10_000, 100_000, vec![]));
        assert_eq!(clocks(10_001, 1), (10_000, 1, vec![SetupWarning::HalfmoveClockClamped]));
        assert_eq!(clocks(0, u32::MAX), (0, 100_000, vec![SetupWarning::FullmoveNumberClamped]));
        assert_eq!(clocks(65_536, 1).0, 10_000);
    }

    #[test]
    fn counters_stay_readable_at_their_limits() {
        let mut board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 10000 100000").unwrap();
        for text in ["e8d8", "h1h2", "d8e8"] {
            board.play(board.parse_uci(text).unwrap(), &mut ());
            assert_eq!(Board::from_fen_with_warnings(&board.fen(FenStyle::Standard)), Ok((board, vec![])));
        }
    }
}
