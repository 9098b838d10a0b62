//! stub
use super::Board;
use crate::*;
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub men: [Option<Piece>; 64],
    pub turn: Color,
    pub castling: Bitboard,
    pub en_passant: Option<Square>,
    pub halfmove_clock: u16,
    pub fullmove_number: u32,
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {}
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupWarning {}
impl Setup {
    pub fn start() -> Self {
        super::fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    }
}
impl Board {
    pub fn from_setup(s: &Setup) -> Result<(Self, Vec<SetupWarning>), SetupError> {
        let mut b = Self::empty();
        for q in Square::ALL {
            if let Some(p) = s.men[q as usize] {
                b.put(p, q);
            }
        }
        b.turn = s.turn;
        if b.turn == Color::Black {
            b.keys.toggle_turn();
        }
        b.castling.0 = s.castling;
        for r in s.castling {
            b.keys.toggle_castling(r);
        }
        b.halfmove_clock = s.halfmove_clock;
        b.fullmove_number = s.fullmove_number;
        b.refresh_checks();
        if let Some(e) = s.en_passant {
            b.remember_en_passant(e);
        }
        Ok((b, vec![]))
    }
}
