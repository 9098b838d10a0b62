//! stub
use super::*;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenStyle {
    Standard,
    Shredder,
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fen;
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {}
pub(super) fn parse(t: &str) -> Setup {
    let f: Vec<&str> = t.split_whitespace().collect();
    let mut men = [None; 64];
    let (mut file, mut rank) = (0i32, 7i32);
    for c in f[0].chars() {
        match c {
            '/' => {
                rank -= 1;
                file = 0;
            }
            '1'..='8' => file += c as i32 - 48,
            _ => {
                men[(rank * 8 + file) as usize] = Piece::from_letter(c);
                file += 1;
            }
        }
    }
    let turn = if f[1] == "w" { Color::White } else { Color::Black };
    let mut castling = Bitboard::EMPTY;
    for c in f[2].chars() {
        if c == '-' {
            break;
        }
        let white = c.is_ascii_uppercase();
        let r = if white { 0 } else { 7 };
        let rk = Piece::new(if white { Color::White } else { Color::Black }, PieceType::Rook);
        let row: Vec<u8> = (0..8).filter(|x| men[r * 8 + *x as usize] == Some(rk)).collect();
        let fl = match c.to_ascii_lowercase() {
            'k' => *row.last().unwrap(),
            'q' => row[0],
            x => x as u8 - b'a',
        };
        castling |= Square::from_index(r as u8 * 8 + fl).bitboard();
    }
    Setup {
        men,
        turn,
        castling,
        en_passant: f.get(3).and_then(|x| x.parse().ok()),
        halfmove_clock: f.get(4).map_or(0, |x| x.parse().unwrap()),
        fullmove_number: f.get(5).map_or(1, |x| x.parse().unwrap()),
    }
}
impl Board {
    pub fn from_fen(t: &str) -> Result<Self, SetupError> {
        Ok(Self::from_setup(&parse(t))?.0)
    }
    pub fn fen(&self, _: FenStyle) -> String {
        String::new()
    }
}
