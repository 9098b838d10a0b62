//! Reading Standard Algebraic Notation: a text is taken apart, and the move looked up from its target square.

use super::{MoveError, read_promotion};
use crate::{Bitboard, Board, CastlingSide, File, Move, PieceType, Rank, Square};

/// A text in Standard Algebraic Notation taken apart, for any position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San(Form);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Castling(CastlingSide),
    /// Both squares but no piece, as in UCI notation.
    Squares {
        from: Square,
        to: Square,
        promotion: Option<PieceType>,
    },
    Piece {
        piece_type: PieceType,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<PieceType>,
    },
}

/// The moves that a text matches: the first two found, and how many there are.
#[derive(Default)]
struct Matches {
    first: Option<Move>,
    second: Option<Move>,
}

impl Matches {
    fn add(&mut self, mv: Move) {
        if self.first.is_none() {
            self.first = Some(mv);
        } else {
            self.second.get_or_insert(mv);
        }
    }
}

impl San {
    /// Takes a text apart, as leniently as [`Board::parse_san`]; `None` if it is not in move notation.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = without_marks(text);
        match text {
            "O-O" | "0-0" | "o-o" | "OO" => return Some(Self(Form::Castling(CastlingSide::King))),
            "O-O-O" | "0-0-0" | "o-o-o" | "OOO" => return Some(Self(Form::Castling(CastlingSide::Queen))),
            _ => {}
        }
        let (text, promotion) = split_promotion(text);
        let [origin @ .., file, rank] = text.as_bytes() else { return None };
        let to = Square::new(File::from_letter((*file).into())?, Rank::from_digit((*rank).into())?);
        let mut origin = if let [origin @ .., b'x' | b':' | b'-'] = origin { origin } else { origin };
        let letter = take(&mut origin, |letter| PieceType::from_letter(letter).filter(|_| letter.is_ascii_uppercase()));
        let file = take(&mut origin, File::from_letter);
        let rank = take(&mut origin, Rank::from_digit);
        if !origin.is_empty() {
            return None;
        }
        Some(Self(match (letter, file, rank) {
            (None, Some(file), Some(rank)) => Form::Squares { from: Square::new(file, rank), to, promotion },
            _ => Form::Piece { piece_type: letter.unwrap_or(PieceType::Pawn), file, rank, to, promotion },
        }))
    }
}

impl Board {
    /// The legal move of a text in Standard Algebraic Notation.
    ///
    /// Lenient where the meaning is clear: check, capture, en passant and annotation marks may be missing, wrong or
    /// redundant, castling may be written with zeros or without its dashes, a promotion as `a8Q`, `a8(Q)` or `a8/Q`, and
    /// the from square in full, even without the piece letter; so may castling, `Ke1-g1`. A pawn capture needs its file.
    ///
    /// # Errors
    ///
    /// If the text is not in move notation, or matches no legal move or more than one.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let san = San::read(text).ok_or_else(|| MoveError::malformed(text))?;
        self.find_san(san, text)
    }

    /// As [`parse_san`](Self::parse_san) for a text that has been taken apart; errors show `text`.
    ///
    /// # Errors
    ///
    /// If it matches no legal move or more than one.
    pub fn find_san(&self, san: San, text: &str) -> Result<Move, MoveError> {
        let mut matches = Matches::default();
        match san.0 {
            Form::Castling(side) => self.match_castling(side, &mut matches),
            Form::Squares { from, to, promotion } => {
                matches.first = self.find_move(from, to, promotion);
            }
            Form::Piece { piece_type: PieceType::Pawn, file, rank, to, promotion } => {
                let file = file.unwrap_or_else(|| to.file());
                let rank = rank.map_or(!Bitboard::EMPTY, Bitboard::rank);
                self.match_pawns(Bitboard::file(file) & rank, to, promotion, &mut matches);
            }
            Form::Piece { piece_type, file, rank, to, promotion: None } => {
                let origin =
                    file.map_or(!Bitboard::EMPTY, Bitboard::file) & rank.map_or(!Bitboard::EMPTY, Bitboard::rank);
                let pieces = Self::piece_attacks(piece_type, to, self.occupied())
                    & self.colored_pieces(self.turn(), piece_type)
                    & origin;
                for from in pieces {
                    let mv = Move::normal(from, to);
                    if self.is_legal(mv) {
                        matches.add(mv);
                    }
                }
            }
            // Only pawns are promoted.
            Form::Piece { .. } => {}
        }
        // Castling by the king's squares, `Ke1-g1`.
        if let Form::Piece { piece_type: PieceType::King, file: Some(file), rank: Some(rank), to, promotion: None } =
            san.0
            && matches.first.is_none()
        {
            let from = Square::new(file, rank);
            matches.first = self.find_move(from, to, None).filter(|_| from == self.king(self.turn()));
        }
        match (matches.first, matches.second) {
            (Some(mv), None) => Ok(mv),
            (Some(first), Some(second)) => Err(MoveError::Ambiguous { text: super::truncated(text), first, second }),
            (None, _) => Err(MoveError::illegal(text)),
        }
    }

    fn match_castling(&self, side: CastlingSide, matches: &mut Matches) {
        let king = self.king(self.turn());
        let rooks = self.castling().rooks_of(self.turn());
        for rook in rooks.into_iter().filter(|&rook| CastlingSide::of(king, rook) == side) {
            let mv = Move::castling(king, rook);
            if self.is_legal(mv) {
                matches.add(mv);
            }
        }
    }

    /// The moves of pawns on these squares: pushes on their own file, captures from the files beside it.
    fn match_pawns(&self, origin: Bitboard, to: Square, promotion: Option<PieceType>, matches: &mut Matches) {
        let us = self.turn();
        let back = to.bitboard().forward(!us);
        let double = if to.rank() == Rank::Four.relative_to(us) { back.forward(!us) } else { Bitboard::EMPTY };
        let sources = back | double | back.west() | back.east();
        let promotes = to.rank() == Rank::Eight.relative_to(us);
        if promotion.is_some() && !promotes {
            return;
        }
        for from in sources & origin & self.colored_pieces(us, PieceType::Pawn) {
            match promotion {
                Some(piece_type) => self.match_one(Move::promotion(from, to, piece_type), matches),
                None if promotes => PieceType::PROMOTIONS
                    .into_iter()
                    .for_each(|piece_type| self.match_one(Move::promotion(from, to, piece_type), matches)),
                None if self.en_passant() == Some(to) && from.file() != to.file() => {
                    self.match_one(Move::en_passant(from, to), matches);
                }
                None => self.match_one(Move::normal(from, to), matches),
            }
        }
    }

    fn match_one(&self, mv: Move, matches: &mut Matches) {
        if self.is_legal(mv) {
            matches.add(mv);
        }
    }

    /// The legal move between two squares; castling in both styles, the king's own move first.
    pub(super) fn find_move(&self, from: Square, to: Square, promotion: Option<PieceType>) -> Option<Move> {
        let is_legal = |mv: &Move| self.is_legal(*mv);
        if let Some(piece_type) = promotion {
            return Some(Move::promotion(from, to, piece_type)).filter(is_legal);
        }
        let exact = [Move::normal(from, to), Move::en_passant(from, to), Move::castling(from, to)];
        let castles_to = |rook: Square| {
            let mv = Move::castling(from, rook);
            (from == self.king(self.turn()) && Self::castled_squares(from, rook).0 == to).then_some(mv)
        };
        exact.into_iter().find(is_legal).or_else(|| {
            let rooks = self.castling().rooks_of(self.turn());
            rooks.into_iter().filter_map(castles_to).find(is_legal)
        })
    }
}

/// The text without check signs, annotation glyphs and en passant marks.
fn without_marks(text: &str) -> &str {
    const MARKS: [char; 5] = ['+', '#', '!', '?', ' '];
    if text.ends_with(|letter: char| letter.is_ascii_digit()) && !text.starts_with(char::is_whitespace) {
        return text;
    }
    let text = text.trim().trim_end_matches(MARKS);
    ["e.p.", "ep"].into_iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(text).trim_end_matches(MARKS)
}

/// The text without the promotion at its end: `=Q`, `Q`, `/Q`, `(Q)`.
fn split_promotion(text: &str) -> (&str, Option<PieceType>) {
    let inner = text.strip_suffix(')').and_then(|text| {
        let mut letters = text.chars();
        let promotion = letters.next_back().and_then(read_promotion)?;
        Some((letters.as_str().strip_suffix('(')?, promotion))
    });
    let (before, promotion) = match inner {
        Some((before, promotion)) => (before, promotion),
        None => {
            let mut letters = text.chars();
            match letters.next_back().and_then(read_promotion) {
                Some(promotion) => (letters.as_str(), promotion),
                None => return (text, None),
            }
        }
    };
    (before.strip_suffix(['=', '/']).unwrap_or(before), Some(promotion))
}

/// Takes the first letter off the text if `read` understands it.
fn take<T>(text: &mut &[u8], read: impl Fn(char) -> Option<T>) -> Option<T> {
    let (&letter, rest) = text.split_first()?;
    let value = read(letter.into())?;
    *text = rest;
    Some(value)
}
