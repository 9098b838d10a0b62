//! Forsyth-Edwards Notation, with the castling letters of X-FEN and Shredder-FEN.
//!
//! Six fields: pieces, side to move, castling rights, en passant square, halfmove clock, move number. The last five may
//! be left out from the end. Reading is strict about letters and lenient about white space and about what people paste
//! with a FEN: quotes, a semicolon, the word `fen`, the moves after it. What is written reads back as the same board.
//!
//! Sources: S. Edwards, "PGN Standard" (1994), 16.1; R. Scharnagl, "X-FEN"; Chess Programming Wiki, "Shredder-FEN".

use std::fmt;

use super::pasted::take_apart;
use super::setup::{CastlingFlag, CastlingRook, Setup, SetupError, SetupWarning};
use super::state::Board;
use crate::{CastlingSide, Color, File, MoveError, Piece, Rank, Square};

/// The longest FEN that is read, in bytes; normal ones have at most about 100. Moves after it do not count.
const MAX_LENGTH: usize = 512;
/// The most moves after a FEN; no game by the laws has so many.
const MAX_MOVES: usize = 20_000;

/// How to write castling rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenStyle {
    /// `KQkq`, or as in X-FEN the rook's file where another rook is further out.
    Standard,
    /// Always the rook's file: `HAha`.
    Shredder,
}

/// Why a text could not be read as a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is empty or white space.
    #[error("the FEN is empty")]
    Empty,
    /// The text is too long to be a FEN.
    #[error("the FEN has {length} bytes, more than {MAX_LENGTH}")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// The board does not have eight ranks.
    #[error("board {token:?} has {count} ranks, not 8")]
    RankCount {
        /// The first field.
        token: String,
        /// How many ranks it has.
        count: usize,
    },
    /// A rank does not have eight squares.
    #[error("rank {token:?} has {count} squares, not 8")]
    RankLength {
        /// The rank, between its slashes.
        token: String,
        /// How many squares it has.
        count: usize,
    },
    /// A rank holds something other than pieces and the digits from 1 to 8.
    #[error("{letter:?} in rank {token:?} is neither a piece nor a number of empty squares")]
    Piece {
        /// The rank, between its slashes.
        token: String,
        /// The letter that cannot be read.
        letter: char,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("side to move {token:?} is neither w nor b")]
    Turn {
        /// The second field.
        token: String,
    },
    /// The castling rights contain a letter that does not name a rook.
    #[error("{letter:?} in castling rights {token:?} does not name a rook")]
    Castling {
        /// The third field.
        token: String,
        /// The letter that cannot be read.
        letter: char,
    },
    /// The en passant square is neither `-` nor a square.
    #[error("en passant square {token:?} is not a square")]
    EnPassant {
        /// The fourth field.
        token: String,
    },
    /// The halfmove clock is not a non-negative number.
    #[error("halfmove clock {token:?} is not a non-negative number")]
    HalfmoveClock {
        /// The fifth field.
        token: String,
    },
    /// The move number is not a non-negative number.
    #[error("fullmove number {token:?} is not a non-negative number")]
    FullmoveNumber {
        /// The sixth field.
        token: String,
    },
    /// A move after the FEN cannot be played.
    #[error("move {number} after the FEN: {error}")]
    Move {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// The fields can be read, but the position is not legal.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Board {
    /// The position of a FEN, X-FEN or Shredder-FEN.
    ///
    /// It may stand in quotes, end in a semicolon, have underscores for its blanks, and come with what was before and after it
    /// where it was copied: `fen`, `position fen`, `moves e2e4 e7e5`. Moves are played.
    ///
    /// # Errors
    ///
    /// If the text cannot be read or the position is not legal: see [`FenError`].
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        Self::from_fen_with_warnings(text).map(|(board, _)| board)
    }

    /// As [`from_fen`](Self::from_fen), with warnings about what was ignored or changed.
    ///
    /// # Errors
    ///
    /// As [`from_fen`](Self::from_fen).
    pub fn from_fen_with_warnings(text: &str) -> Result<(Self, Vec<SetupWarning>), FenError> {
        let length = text.find(" moves ").unwrap_or(text.len());
        if length > MAX_LENGTH {
            return Err(FenError::TooLong { length });
        }
        let pasted = take_apart(text);
        let (mut board, mut warnings) = match pasted.fields[..] {
            ["startpos"] => (Self::start(), Vec::new()),
            _ => {
                let mut fields = pasted.fields.into_iter();
                let setup = read_setup(&mut fields)?;
                let (board, mut warnings) = Self::from_setup(&setup)?;
                let rest = fields.chain(pasted.operations).collect::<Vec<_>>();
                if !rest.is_empty() {
                    warnings.push(SetupWarning::TrailingText { text: rest.join(" ") });
                }
                (board, warnings)
            }
        };
        for (number, text) in (1..=MAX_MOVES).zip(&pasted.moves) {
            let mv = board.parse_uci(text).or_else(|error| board.parse_san(text).map_err(|_| error));
            board.play(mv.map_err(|error| FenError::Move { number, error })?, &mut ());
        }
        let rest = pasted.moves.iter().skip(MAX_MOVES).count();
        if rest > 0 {
            warnings.push(SetupWarning::TrailingText { text: format!("{rest} moves") });
        }
        Ok((board, warnings))
    }

    /// The FEN of the position; [`from_fen`](Self::from_fen) reads back an equal board from either style.
    #[must_use]
    pub fn fen(&self, style: FenStyle) -> String {
        let mut fen = String::with_capacity(80);
        for rank in Rank::ALL.into_iter().rev() {
            self.write_rank(rank, &mut fen);
            fen.push(if rank == Rank::One { ' ' } else { '/' });
        }
        fen.push(self.turn.letter());
        fen.push(' ');
        self.write_castling(style, &mut fen);
        let en_passant = self.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        fen + &format!(" {en_passant} {} {}", self.halfmove_clock, self.fullmove_number)
    }

    fn write_rank(&self, rank: Rank, fen: &mut String) {
        let mut gap = 0;
        for file in File::ALL {
            match self.piece_on(Square::new(file, rank)) {
                None => gap += 1,
                Some(piece) => {
                    push_gap(gap, fen);
                    gap = 0;
                    fen.push(piece.letter());
                }
            }
        }
        push_gap(gap, fen);
    }

    fn write_castling(&self, style: FenStyle, fen: &mut String) {
        if self.castling.is_empty() {
            fen.push('-');
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(square) = self.castling.rook(color, side, self.king(color)) else { continue };
                let plain = style == FenStyle::Standard && self.outermost_rook(color, side) == Some(square);
                let rook = if plain { CastlingRook::Outermost(side) } else { CastlingRook::On(square.file()) };
                fen.push(CastlingFlag { color, rook }.letter());
            }
        }
    }
}

fn push_gap(gap: u8, fen: &mut String) {
    if gap > 0 {
        fen.push(char::from(b'0' + gap));
    }
}

/// The diagram, the FEN and the key, as the `d` command shows them.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = " +---+---+---+---+---+---+---+---+";
        writeln!(f, "{RULE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                write!(f, " | {}", self.piece_on(Square::new(file, rank)).map_or(' ', Piece::letter))?;
            }
            writeln!(f, " | {}\n{RULE}", rank.digit())?;
        }
        writeln!(f, "   a   b   c   d   e   f   g   h\n")?;
        writeln!(f, "Fen: {}", self.fen(FenStyle::Standard))?;
        write!(f, "Key: {:016X}", self.key())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.fen(FenStyle::Shredder))
    }
}

fn read_setup<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Setup, FenError> {
    Ok(Setup {
        pieces: read_pieces(fields.next().ok_or(FenError::Empty)?)?,
        turn: fields.next().map_or(Ok(Color::White), read_turn)?,
        castling: fields.next().map_or(Ok(Vec::new()), read_castling)?,
        en_passant: fields.next().map_or(Ok(None), read_en_passant)?,
        halfmove_clock: fields.next().filter(|token| !is_dash(token)).map_or(Ok(0), |token| {
            read_counter(token).ok_or_else(|| FenError::HalfmoveClock { token: token.to_owned() })
        })?,
        fullmove_number: fields.next().filter(|token| !is_dash(token)).map_or(Ok(1), |token| {
            read_counter(token).ok_or_else(|| FenError::FullmoveNumber { token: token.to_owned() })
        })?,
    })
}

fn read_pieces(token: &str) -> Result<[Option<Piece>; 64], FenError> {
    let count = token.split('/').count();
    if count != Rank::ALL.len() {
        return Err(FenError::RankCount { token: token.to_owned(), count });
    }
    let mut pieces = [None; 64];
    for (text, rank) in token.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut count = 0;
        for letter in text.chars() {
            if let '1'..='8' = letter {
                count += letter as usize - '0' as usize;
                continue;
            }
            let piece = Piece::from_letter(letter);
            let piece = piece.ok_or_else(|| FenError::Piece { token: text.to_owned(), letter })?;
            if let Some(&file) = File::ALL.get(count) {
                pieces[Square::new(file, rank) as usize] = Some(piece);
            }
            count += 1;
        }
        if count != File::ALL.len() {
            return Err(FenError::RankLength { token: text.to_owned(), count });
        }
    }
    Ok(pieces)
}

fn read_turn(token: &str) -> Result<Color, FenError> {
    match token {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Turn { token: token.to_owned() }),
    }
}

/// Whether a field says that there is nothing, with the dashes of word processors too.
fn is_dash(token: &str) -> bool {
    matches!(token, "-" | "–" | "—" | "−")
}

fn read_castling(token: &str) -> Result<Vec<CastlingFlag>, FenError> {
    if is_dash(token) {
        return Ok(Vec::new());
    }
    let read = |letter| {
        CastlingFlag::from_letter(letter).ok_or_else(|| FenError::Castling { token: token.to_owned(), letter })
    };
    token.chars().map(read).collect()
}

fn read_en_passant(token: &str) -> Result<Option<Square>, FenError> {
    if is_dash(token) {
        return Ok(None);
    }
    token.parse().map(Some).map_err(|_| FenError::EnPassant { token: token.to_owned() })
}

/// A non-negative number; one too large for the type becomes its maximum.
fn read_counter(token: &str) -> Option<u32> {
    token.chars().try_fold(0_u32, |sum, letter| Some(sum.saturating_mul(10).saturating_add(letter.to_digit(10)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn start_position_is_written_as_usual() {
        assert_eq!(Board::start().fen(FenStyle::Standard), START);
        assert_eq!(Board::start().fen(FenStyle::Shredder), START.replace("KQkq", "HAha"));
        assert_eq!(Board::from_fen(START), Ok(Board::start()));
    }

    #[test]
    fn missing_fields_and_extra_white_space_are_accepted() {
        let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let no_rights = START.replace("KQkq", "-");
        for (fen, meaning) in [
            (format!("{pieces} w KQkq - 0"), START),
            (format!("{pieces} w KQkq -"), START),
            (format!("{pieces} w KQkq"), START),
            (format!("{pieces} w"), &no_rights),
            (pieces.to_owned(), &no_rights),
            (format!("  {pieces}  w\tKQkq  -  0\t1\r\n"), START),
            (START.replace("- 0", "– 0"), START),
            (START.replace("0 1", "- -"), START),
            (format!("fen={START}"), START),
            (format!("FEN:{}", START.replace(' ', "_")), START),
            (format!("https://lichess.org/analysis/{}", START.replace(' ', "_")), START),
            (format!("https://lichess.org/analysis/standard/{}", START.replace(' ', "_")), START),
            (format!("\u{200b}{START}\u{feff}"), START),
            (START.replace("8/8/8/8", "11111111/44/8/161"), START),
            (START.replace("0 1", "000 0001"), START),
            (START.replace("0 1", "0 0"), START),
        ] {
            let (board, warnings) = Board::from_fen_with_warnings(&fen).unwrap();
            assert_eq!(board.fen(FenStyle::Standard), meaning, "{fen}");
            assert_eq!(warnings, [], "{fen}");
        }
    }

    #[test]
    fn trailing_text_gives_a_warning() {
        let (board, warnings) = Board::from_fen_with_warnings(&format!("{START}  best e2e4")).unwrap();
        assert_eq!(board, Board::start());
        assert_eq!(warnings, [SetupWarning::TrailingText { text: "best e2e4".to_owned() }]);
    }

    #[test]
    fn what_is_pasted_with_a_fen_is_no_part_of_it() {
        for text in [
            format!("{START};"),
            format!("{START} ;"),
            format!("\"{START}\""),
            format!("“{START}”"),
            format!("'{START}';"),
            START.replace(' ', "_"),
            format!("fen {START}"),
            format!("FEN: {START}"),
            format!("position fen {START}"),
            format!("[FEN \"{START}\"]"),
            format!("\u{feff}{START}"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -;".to_owned(),
            "position startpos".to_owned(),
            "startpos".to_owned(),
        ] {
            assert_eq!(Board::from_fen_with_warnings(&text), Ok((Board::start(), vec![])), "{text}");
        }
        for text in [
            format!("{START} moves e2e4 e7e5"),
            format!("position fen {START} moves e2e4 e7e5"),
            "position startpos moves e2e4 e7e5".to_owned(),
            format!("\"{START} moves e2e4, e7e5;\""),
            format!("{START}; moves 1. e4 e5"),
            format!("[FEN \"{START} moves e2e4 e7e5\"]"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves e4 e5".to_owned(),
        ] {
            let (board, warnings) = Board::from_fen_with_warnings(&text).unwrap();
            let expected = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
            assert_eq!((&board.fen(FenStyle::Standard)[..], warnings.len()), (expected, 0), "{text}");
        }
        let start = START.trim_end_matches(" 0 1");
        for (text, trailing) in
            [(format!("{start} BM e4; ID \"x\";"), "BM e4 ID x"), (format!("\"{START}; bm e4;\""), "bm e4")]
        {
            let trailing = SetupWarning::TrailingText { text: trailing.to_owned() };
            assert_eq!(Board::from_fen_with_warnings(&text), Ok((Board::start(), vec![trailing])), "{text}");
        }
        let error = Board::from_fen(&format!("{START} moves e2e4 e2e4")).unwrap_err();
        assert_eq!(error.to_string(), "move 2 after the FEN: \"e2e4\" is not a legal move here");
    }

    #[test]
    fn errors_name_the_bad_rank() {
        let board = |pieces: &str| Board::from_fen(&format!("{pieces} w - - 0 1"));
        for (pieces, count) in [("8", 1), ("8/8/8/8/8/8/4K2k", 7), ("k7/8/8/8/8/8/8/K7/", 9), ("8/8/8/8/8/8/8/8/8", 9)]
        {
            assert_eq!(board(pieces), Err(FenError::RankCount { token: pieces.to_owned(), count }));
        }
        for (rank, count) in [("ppppppp", 7), ("ppppppppp", 9), ("", 0), ("88", 16), ("7pp", 9)] {
            let error = board(&format!("k7/{rank}/8/8/8/8/8/K7"));
            assert_eq!(error, Err(FenError::RankLength { token: rank.to_owned(), count }));
        }
        for (rank, letter) in
            [("9", '9'), ("80", '0'), ("pppXpppp", 'X'), ("RNBQKBNŘ", 'Ř'), ("\u{212a}7", '\u{212a}'), ("q~7", '~')]
        {
            let error = board(&format!("k7/{rank}/8/8/8/8/8/K7"));
            assert_eq!(error, Err(FenError::Piece { token: rank.to_owned(), letter }));
        }
    }

    #[test]
    fn errors_name_the_bad_field() {
        let fen = |fields: &str| Board::from_fen(&format!("r3k2r/8/8/8/8/8/8/R3K2R {fields}"));
        for token in ["x", "W", "white", "-", "ww"] {
            assert_eq!(fen(&format!("{token} - - 0 1")), Err(FenError::Turn { token: token.to_owned() }));
        }
        for (token, letter) in [("KQxq", 'x'), ("K-", '-'), ("--", '-'), ("Ii", 'I'), ("0", '0'), ("K–", '–')] {
            let error = FenError::Castling { token: token.to_owned(), letter };
            assert_eq!(fen(&format!("w {token} - 0 1")), Err(error));
        }
        for token in ["z9", "e", "e33", "E3", "--", "0", "é3"] {
            assert_eq!(fen(&format!("w - {token} 0 1")), Err(FenError::EnPassant { token: token.to_owned() }));
        }
        for token in ["-5", "abc", "+1", "1.0", "٣", "0x1", "bm"] {
            assert_eq!(fen(&format!("w - - {token} 1")), Err(FenError::HalfmoveClock { token: token.to_owned() }));
            assert_eq!(fen(&format!("w - - 0 {token}")), Err(FenError::FullmoveNumber { token: token.to_owned() }));
        }
    }

    #[test]
    fn refuses_empty_and_overlong_text() {
        assert_eq!(Board::from_fen(""), Err(FenError::Empty));
        assert_eq!(Board::from_fen(" \t "), Err(FenError::Empty));
        let long = format!("{START} {}", "x".repeat(MAX_LENGTH));
        assert_eq!(Board::from_fen(&long), Err(FenError::TooLong { length: long.len() }));
        assert!(Board::from_fen(&long[..MAX_LENGTH]).is_ok());
    }

    #[test]
    fn messages_name_field_and_token_on_one_line() {
        let error = Board::from_fen("8/8/8/8/8/8/8/8 w - z9").unwrap_err();
        assert_eq!(error.to_string(), "en passant square \"z9\" is not a square");
        let error = Board::from_fen("8/8/8/8/8/8/8/\u{7}\u{1b} w - -").unwrap_err();
        assert!(!error.to_string().contains(char::is_control), "{error}");
        let error = Board::from_fen("8/8/8/8/8/8/8/8 w - -").unwrap_err();
        assert_eq!(error.to_string(), "White has no king");
    }

    #[test]
    fn numbers_of_any_length_are_clamped() {
        for (counters, clock, number) in [
            ("99999 80", 10_000, 80),
            ("99999999999999999999 80", 10_000, 80),
            ("0 4294967296", 0, 100_000),
            ("0 99999999999999999999", 0, 100_000),
        ] {
            let (board, warnings) =
                Board::from_fen_with_warnings(&format!("4k3/8/8/8/8/8/8/4K2R w - - {counters}")).unwrap();
            assert_eq!((board.halfmove_clock(), board.fullmove_number()), (clock, number), "{counters}");
            assert_eq!(warnings.len(), 1, "{counters}");
        }
    }

    #[test]
    fn castling_flags_round_trip() {
        for (fen, standard, shredder) in [
            ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", "KQkq", "EAea"),
            ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1", "KQkq", "EAea"),
            ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "B", "B"),
            ("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "Q", "A"),
            ("1r2k1rr/8/8/8/8/8/8/RR2K1RR b GBgb - 0 1", "GBgq", "GBgb"),
            ("rk5r/8/8/8/8/8/8/RK4NR w Ha - 0 1", "Kq", "Ha"),
        ] {
            let board = Board::from_fen(fen).unwrap();
            for (style, letters) in [(FenStyle::Standard, standard), (FenStyle::Shredder, shredder)] {
                let written = board.fen(style);
                assert_eq!(written.split(' ').nth(2), Some(letters), "{fen}");
                assert_eq!(Board::from_fen_with_warnings(&written), Ok((board, vec![])), "{fen}");
            }
        }
    }
}
