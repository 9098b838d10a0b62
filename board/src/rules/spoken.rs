//! Moves and positions in words, for those who hear the board.

use movegen::{Board, Color, Move, Piece, PieceType, Square};

/// A move in words: `knight takes f3, check`.
pub(super) fn speak(board: &Board, mv: Move) -> String {
    let mut text = if mv.is_castling() {
        let side = if mv.to().file() > mv.from().file() { "king" } else { "queen" };
        format!("castles {side}side")
    } else {
        let piece = board.piece_on(mv.from()).map_or("piece", |piece| piece.piece_type().name());
        let verb = if board.captured_by(mv).is_some() { " takes" } else { "" };
        // Where another piece of the kind could go there, the notation says which is meant.
        let plain_length = if verb.is_empty() { 3 } else { 4 };
        let is_plain = board.san(mv).trim_end_matches(['+', '#']).len() <= plain_length || mv.promotes_to().is_some();
        match (is_plain, verb) {
            (true, _) => format!("{piece}{verb} {}", mv.to()),
            (false, "") => format!("{piece} on {} to {}", mv.from(), mv.to()),
            (false, _) => format!("{piece} on {}{verb} {}", mv.from(), mv.to()),
        }
    };
    if let Some(piece_type) = mv.promotes_to() {
        text.push_str(", promotes to ");
        text.push_str(piece_type.name());
    }
    if board.gives_check(mv) {
        text.push_str(if board.after(mv).has_legal_move() { ", check" } else { ", checkmate" });
    }
    text
}

/// All pieces of a position: `White: king e1, pawns a2, b2. Black: king e8. White to move.`
pub(super) fn describe(board: &Board) -> String {
    let sides = Color::ALL.map(|color| format!("{}: {}.", capital(color), pieces(board, color)));
    format!("{} {} {} to move.", sides[0], sides[1], capital(board.turn()))
}

fn pieces(board: &Board, color: Color) -> String {
    let mut groups = Vec::new();
    for piece_type in PieceType::ALL.into_iter().rev() {
        let squares: Vec<_> = (0..64)
            .map(Square::from_index)
            .filter(|&square| board.piece_on(square) == Some(Piece::new(color, piece_type)))
            .map(|square| square.to_string())
            .collect();
        if !squares.is_empty() {
            let plural = if squares.len() > 1 { "s" } else { "" };
            groups.push(format!("{}{plural} {}", piece_type.name(), squares.join(", ")));
        }
    }
    groups.join("; ")
}

fn capital(color: Color) -> String {
    let (first, rest) = name(color).split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

/// A side, as the page names it.
pub(super) const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
