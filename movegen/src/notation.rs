//! Moves as text: the coordinates of UCI and Standard Algebraic Notation.
//!
//! Both readers look the move up among the legal moves, so what they return is legal.
//!
//! Sources: S. Meyer-Kahlen and R. Huber, "UCI protocol" (2006); S. Edwards, "PGN Standard" (1994), 8.2.3.

mod san;

use std::fmt::{self, Write as _};

use crate::{Board, CastlingSide, Move, PieceType, Square};

pub use self::san::San;

/// How to write castling in coordinate notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingStyle {
    /// From the king's square to its target square, as in standard chess: `e1g1`.
    Standard,
    /// From the king's square to the rook's, as `UCI_Chess960` asks for: `e1h1`.
    Chess960,
}

/// Why a text could not be read as a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not in move notation.
    #[error("{text:?} is not a move")]
    Malformed {
        /// The text, truncated if long.
        text: String,
    },
    /// The text is in move notation, but there is no such legal move.
    #[error("{text:?} is not a legal move here")]
    Illegal {
        /// The text, truncated if long.
        text: String,
    },
    /// The text matches more than one legal move.
    #[error("{text:?} may mean {first} or {second}")]
    Ambiguous {
        /// The text, truncated if long.
        text: String,
        /// A move it matches.
        first: Move,
        /// Another move it matches.
        second: Move,
    },
}

impl MoveError {
    fn malformed(text: &str) -> Self {
        Self::Malformed { text: truncated(text) }
    }

    fn illegal(text: &str) -> Self {
        Self::Illegal { text: truncated(text) }
    }
}

/// The start of a text of any length; a move has at most a dozen letters.
fn truncated(text: &str) -> String {
    text.chars().take(32).collect()
}

impl Move {
    /// The move in UCI notation: `e2e4`, `e7e8q`, with castling in this style.
    ///
    /// The standard style is ambiguous in Chess960, where the king may also be able to make a normal move to its
    /// castling square.
    pub fn uci(self, style: CastlingStyle) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            if self.is_castling() && style == CastlingStyle::Standard {
                write!(f, "{}{}", self.from(), Board::castled_squares(self.from(), self.to()).0)
            } else {
                write!(f, "{self}")
            }
        })
    }
}

impl Board {
    /// The legal move of a text in UCI notation.
    ///
    /// Castling is read in both styles. Where the king may also make a normal move to its castling square, as in
    /// Chess960, the normal move is meant. The promotion letter may be upper case.
    ///
    /// # Errors
    ///
    /// If the text does not name two squares and at most a promotion, or the move is not legal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let (from, to, promotion) = read_coordinates(text).ok_or_else(|| MoveError::malformed(text))?;
        self.find_move(from, to, promotion).ok_or_else(|| MoveError::illegal(text))
    }

    /// A legal move in Standard Algebraic Notation, disambiguated only where needed: `Nbd2`, `exd8=Q+`, `O-O#`.
    #[must_use]
    pub fn san(&self, mv: Move) -> String {
        let mut san = self.san_without_check(mv);
        if self.gives_check(mv) {
            let child = self.after(mv);
            san.push(if child.has_legal_move() { '+' } else { '#' });
        }
        san
    }

    fn san_without_check(&self, mv: Move) -> String {
        if mv.is_castling() {
            return match CastlingSide::of(mv.from(), mv.to()) {
                CastlingSide::King => "O-O".to_owned(),
                CastlingSide::Queen => "O-O-O".to_owned(),
            };
        }
        let captures = self.captured_by(mv).is_some();
        let mut san = String::with_capacity(8);
        match self.piece_on(mv.from()).map(|piece| piece.piece_type()) {
            None | Some(PieceType::Pawn) => {
                if captures {
                    san.push(mv.from().file().letter());
                }
            }
            Some(piece_type) => {
                san.push(piece_type.letter().to_ascii_uppercase());
                self.push_disambiguation(mv, piece_type, &mut san);
            }
        }
        if captures {
            san.push('x');
        }
        // Writing to a string cannot fail.
        let _ = write!(san, "{}", mv.to());
        if let Some(piece_type) = mv.promotes_to() {
            san.push('=');
            san.push(piece_type.letter().to_ascii_uppercase());
        }
        san
    }

    /// The disambiguation: the file if that is enough, else the rank, else both.
    fn push_disambiguation(&self, mv: Move, piece_type: PieceType, san: &mut String) {
        let is_rival = |other: &Move| {
            other.to() == mv.to()
                && other.from() != mv.from()
                && self.colored_pieces(self.turn(), piece_type).contains(other.from())
        };
        let (from, moves) = (mv.from(), self.legal_moves());
        let (mut any, mut on_file, mut on_rank) = (false, false, false);
        for rival in moves.iter().filter(|other| is_rival(other)) {
            any = true;
            on_file |= rival.from().file() == from.file();
            on_rank |= rival.from().rank() == from.rank();
        }
        if any && (!on_file || on_rank) {
            san.push(from.file().letter());
        }
        if on_file {
            san.push(from.rank().digit());
        }
    }
}

/// Reads `e2e4`, `e7e8q`: two squares and the promotion.
fn read_coordinates(text: &str) -> Option<(Square, Square, Option<PieceType>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut rest = text.get(4..)?;
    let promotion = rest.chars().next().and_then(read_promotion);
    rest = if promotion.is_some() { &rest[1..] } else { rest };
    rest.is_empty().then_some((from, to, promotion))
}

fn read_promotion(letter: char) -> Option<PieceType> {
    PieceType::from_letter(letter).filter(|piece_type| PieceType::PROMOTIONS.contains(piece_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    fn uci(board: &Board, text: &str) -> Move {
        board.parse_uci(text).unwrap_or_else(|error| panic!("{board:?}: {error}"))
    }

    fn is_illegal<T: fmt::Debug>(result: Result<T, MoveError>) -> bool {
        matches!(result, Err(MoveError::Illegal { .. }))
    }

    fn is_malformed<T: fmt::Debug>(result: Result<T, MoveError>) -> bool {
        matches!(result, Err(MoveError::Malformed { .. }))
    }

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn uci_castling_is_read_in_both_styles() {
        let board = board(CASTLING);
        for (standard, chess960) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let mv = uci(&board, standard);
            assert!(mv.is_castling());
            assert_eq!(uci(&board, chess960), mv);
            assert_eq!(mv.uci(CastlingStyle::Standard).to_string(), standard);
            assert_eq!(mv.uci(CastlingStyle::Chess960).to_string(), chess960);
        }
        assert!(is_illegal(board.parse_uci("e1b1")));
    }

    #[test]
    fn uci_prefers_king_moves_to_castling() {
        let f1 = board("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
        assert_eq!(uci(&f1, "f1g1").kind(), crate::MoveKind::Normal);
        assert!(uci(&f1, "f1h1").is_castling());
        // Here the king's castled square holds the rook, and there it is the king's own.
        let beside = board("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
        assert!(uci(&beside, "f1g1").is_castling());
        let home = board("4k3/8/8/8/8/8/8/6KR w H - 0 1");
        assert!(uci(&home, "g1h1").is_castling());
        assert!(uci(&home, "g1g1").is_castling());
        // The rook on c1 castles on the king's side: king takes rook goes before king to c1.
        let inner = board("4k3/8/8/8/8/8/8/RKR5 w CA - 0 1");
        assert_eq!(uci(&inner, "b1c1").to(), Square::C1);
        assert_eq!(uci(&inner, "b1g1"), uci(&inner, "b1c1"));
    }

    #[test]
    fn uci_promotions() {
        let board = board("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(uci(&board, "a7a8q").promotes_to(), Some(PieceType::Queen));
        assert_eq!(uci(&board, "a7b8N").promotes_to(), Some(PieceType::Knight));
        for text in ["a7a8", "e1e2q"] {
            assert!(is_illegal(board.parse_uci(text)), "{text}");
        }
        for text in ["a7a8k", "a7a8p", "a7a8qq", "a7a8=q"] {
            assert!(is_malformed(board.parse_uci(text)), "{text}");
        }
    }

    #[test]
    fn uci_refuses_everything_else() {
        let board = Board::start();
        for text in ["", "e", "e2", "e2e", "e2e9", "i2i4", "E2E4", "0000", "e2e4 ", " e2e4", "é2e4", "e2é4", "Nf3"] {
            assert!(is_malformed(board.parse_uci(text)), "{text}");
        }
        for text in ["e2e5", "e7e5", "e4e5", "e1g1", "e1e1", "a1a1"] {
            assert!(is_illegal(board.parse_uci(text)), "{text}");
        }
        let pinned = self::board("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1");
        assert!(is_illegal(pinned.parse_uci("e2c3")));
    }

    #[test]
    fn errors_truncate_long_texts() {
        let long = "x".repeat(1 << 20);
        let marks = format!("e9{}", "+".repeat(1 << 20));
        let illegal = format!("e5{}", "!".repeat(1 << 20));
        for result in [
            Board::start().parse_uci(&long),
            Board::start().parse_san(&long),
            Board::start().parse_san(&marks),
            Board::start().parse_san(&illegal),
        ] {
            assert!(result.unwrap_err().to_string().len() < 100);
        }
    }

    #[test]
    fn san_disambiguates_only_where_needed() {
        for (fen, coordinates, san) in [
            ("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "b1c3", "Nc3"),
            ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
            ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3"),
            ("4k3/8/8/8/8/8/3n4/1N2KN2 w - - 0 1", "b1d2", "Nbxd2"),
            ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1"),
            ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
            // The other knight is pinned, so there is nothing to tell apart.
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
            (CASTLING, "e1g1", "O-O"),
            (CASTLING, "e1c1", "O-O-O"),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
            ("4k3/8/4r3/4N3/8/8/8/K3R3 w - - 0 1", "e5c4", "Nc4"),
            ("4k3/8/8/4N3/8/8/8/K3R3 w - - 0 1", "e5c4", "Nc4+"),
        ] {
            let board = board(fen);
            let mv = uci(&board, coordinates);
            assert_eq!(board.san(mv), san, "{fen}");
            assert_eq!(board.parse_san(san), Ok(mv), "{fen}");
        }
    }

    #[test]
    fn san_is_read_leniently() {
        for (fen, coordinates, texts) in [
            (CASTLING, "e1g1", &["O-O", "0-0", "o-o", "OO", "O-O+", "0-0!?", "e1g1", "e1h1", "e1-g1"][..]),
            (CASTLING, "e1c1", &["O-O-O", "0-0-0", "OOO", "0-0-0#"]),
            (CASTLING, "a1a8", &["Rxa8+", "Ra8", "Rxa8", "Rxa8#??", "Ra1xa8+", "R1xa8", "Ra1-a8", "R:a8", " Rxa8+ "]),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                "e5d6",
                &["exd6", "ed6", "exd6e.p.", "exd6 e.p.", "exd6ep", "e5xd6 e.p.+", "exd6+ e.p.", "e5d6", "Pexd6"],
            ),
            (
                "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
                "a7b8q",
                &[
                    "axb8=Q+",
                    "axb8Q",
                    "axb8=q",
                    "ab8q",
                    "a7xb8=Q",
                    "a7b8q",
                    "axb8Q#!",
                    "axb8(Q)",
                    "axb8/Q",
                    "axb8=(Q)+",
                ],
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "e2e4",
                &["e4", "e2-e4", "Pe4", "e4+", "e4!!"],
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "g1f3",
                &["Nf3", "Ngf3", "N1f3", "g1f3", "Nxf3"],
            ),
            ("4k3/8/8/8/2b5/1P6/8/4KB2 w - - 0 1", "b3c4", &["bxc4", "bc4"]),
            ("4k3/8/8/8/2b5/1P6/8/4KB2 w - - 0 1", "f1c4", &["Bxc4", "Bc4"]),
        ] {
            let board = board(fen);
            let mv = uci(&board, coordinates);
            for text in texts {
                assert_eq!(board.parse_san(text), Ok(mv), "{text} in {fen}");
            }
        }
    }

    #[test]
    fn san_refuses_ambiguous_and_illegal_moves() {
        let two_knights = board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1");
        let (first, second) = (uci(&two_knights, "b1d2"), uci(&two_knights, "f3d2"));
        match two_knights.parse_san("Nd2") {
            Err(MoveError::Ambiguous { text, first: a, second: b }) => {
                assert_eq!(text, "Nd2");
                assert!((a, b) == (first, second) || (a, b) == (second, first));
            }
            other => panic!("{other:?}"),
        }
        let promotion = board("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert!(matches!(promotion.parse_san("a8"), Err(MoveError::Ambiguous { .. })));
        // A pawn capture needs its file, and castling is not a normal king move.
        for (fen, text) in [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5"),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "xd5"),
            (CASTLING, "Kg1"),
            (CASTLING, "Kh1"),
            (CASTLING, "Kxh1"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O-O"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4Q"),
            ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qd4"),
        ] {
            assert!(is_illegal(board(fen).parse_san(text)), "{text} in {fen}");
        }
    }

    #[test]
    fn san_refuses_what_is_not_a_move() {
        let board = Board::start();
        for text in [
            "", " ", "+", "e.p.", "ep", "e", "4", "x", "=Q", "O", "O-", "O-O-O-O", "nf3", "N", "Nf9", "Ni3", "NNf3",
            "e4e.p.x", "1.e4", "--", "Z0", "♘f3", "é4", "Nfé", "*", "1-0", "e44", "ee2e4",
        ] {
            assert!(is_malformed(board.parse_san(text)), "{text}: {:?}", board.parse_san(text));
        }
    }
}
