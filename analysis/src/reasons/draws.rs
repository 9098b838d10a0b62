//! Draws that the side which would lose reaches: stalemate, perpetual check, dead positions, the wrong bishop.

use movegen::{Bitboard, Board, Color, File, Move, PieceType, Rank, Square};

use super::proof::boards;
use crate::model::{End, ReasonKind};

/// A draw that the side which would lose reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Drawn {
    pub kind: ReasonKind,
    /// How many half-moves of the line show it.
    pub shown: usize,
    pub squares: Vec<Square>,
    pub arrows: Vec<(Square, Square)>,
    /// What the line leads to, or a sentence of its own.
    pub text: String,
}

/// The draw on the board after a move, or at the end of the line that a search expects; the side to move there escapes.
pub(crate) fn draw(after: &Board, line: &[Move], end: Option<End>) -> Option<Drawn> {
    match end {
        Some(End::Stalemate) => return Some(stalemate(after, 0)),
        Some(End::DeadPosition | End::InsufficientMaterial) => return Some(dead()),
        _ => {}
    }
    let boards = boards(after, line);
    let last = boards.last()?;
    if !last.has_legal_move() && !last.in_check() {
        return Some(stalemate(last, line.len()));
    }
    insufficient(&boards).or_else(|| perpetual(&boards, line)).or_else(|| wrong_bishop(&boards, !after.turn()))
}

fn stalemate(board: &Board, shown: usize) -> Drawn {
    let side = name(board.turn());
    let text = if shown == 0 { format!("Stalemate: {side} has no legal move.") } else { "a stalemate".to_owned() };
    let king = board.king(board.turn());
    Drawn { kind: ReasonKind::Stalemate, shown, squares: vec![king], arrows: Vec::new(), text }
}

fn dead() -> Drawn {
    let text = "Neither side can mate any more by any series of legal moves.".to_owned();
    Drawn { kind: ReasonKind::DeadPosition, shown: 0, squares: Vec::new(), arrows: Vec::new(), text }
}

/// The pieces do not suffice to mate any more, for either side.
fn insufficient(boards: &[Board]) -> Option<Drawn> {
    let shown = boards.iter().position(Board::has_insufficient_material)?;
    let text = "a position in which neither side can mate".to_owned();
    Some(Drawn { kind: ReasonKind::DeadPosition, shown, squares: Vec::new(), arrows: Vec::new(), text })
}

/// The side to move gives checks until a position of the line comes again.
fn perpetual(boards: &[Board], line: &[Move]) -> Option<Drawn> {
    for end in (4..boards.len()).take(28) {
        for start in (0..=end - 4).rev().step_by(2) {
            if boards[start].key() != boards[end].key() {
                continue;
            }
            // Whoever checks, moves first in the line.
            let first = start + start % 2;
            let checks = (first..end).step_by(2);
            let mut targets = checks.clone().map(|ply| boards[ply + 1].in_check());
            let attacked = boards[end].turn() == boards[0].turn();
            if attacked && targets.all(|check| check) {
                let arrows = checks.map(|ply| (line[ply].from(), line[ply].to())).collect();
                let king = boards[1].king(boards[1].turn());
                let text = "perpetual check".to_owned();
                return Some(Drawn { kind: ReasonKind::Perpetual, shown: end, squares: vec![king], arrows, text });
            }
        }
    }
    None
}

/// A side is left with a bishop and pawns on one rook's file against a king alone, which stands in the corner where they
/// promote, on a square of the colour that the bishop does not have.
fn wrong_bishop(boards: &[Board], winner: Color) -> Option<Drawn> {
    let (shown, board) = boards.iter().enumerate().find(|(_, board)| is_wrong(board, winner))?;
    let corner = corner_of(board, winner)?;
    let text = format!("The bishop does not control {corner}, where the pawn promotes and the king stands.");
    let squares = vec![corner, board.king(!winner)];
    Some(Drawn { kind: ReasonKind::WrongBishop, shown, squares, arrows: Vec::new(), text })
}

/// Where the pawns of a side promote, if all are on one rook's file.
fn corner_of(board: &Board, side: Color) -> Option<Square> {
    let pawns = board.colored_pieces(side, PieceType::Pawn);
    [File::A, File::H]
        .into_iter()
        .find(|&file| pawns.any() && (pawns - Bitboard::file(file)).is_empty())
        .map(|file| Square::new(file, Rank::Eight.relative_to(side)))
}

fn is_wrong(board: &Board, winner: Color) -> bool {
    let Some(corner) = corner_of(board, winner) else { return false };
    let bishops = board.colored_pieces(winner, PieceType::Bishop);
    let others = board.colors(winner) - bishops - board.colored_pieces(winner, PieceType::Pawn);
    let is_light = Bitboard::LIGHT_SQUARES.contains(corner);
    let controls = bishops.into_iter().any(|square| Bitboard::LIGHT_SQUARES.contains(square) == is_light);
    let king = board.king(!winner);
    board.colors(!winner).count() == 1
        && others.count() == 1
        && bishops.any()
        && !controls
        && king.distance(corner) <= 1
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(fen: &str, sans: &str) -> Option<ReasonKind> {
        let start = Board::from_fen(fen).unwrap();
        let mut board = start;
        let mut line = Vec::new();
        for san in sans.split_whitespace() {
            let mv = board.parse_san(san).unwrap();
            board.play(mv, &mut ());
            line.push(mv);
        }
        draw(&start, &line, None).map(|drawn| drawn.kind)
    }

    #[test]
    fn draws_are_on_the_board() {
        assert_eq!(drawn("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", ""), Some(ReasonKind::Stalemate));
        assert_eq!(drawn("7k/8/5Q2/8/8/8/8/K7 b - - 0 1", "Kg8 Qd8+"), None);
        let checks = "5rk1/5ppp/8/8/7Q/8/5q2/7K b - - 0 1";
        assert_eq!(drawn(checks, "Qf1+ Kh2 Qf2+ Kh1 Qf1+"), Some(ReasonKind::Perpetual));
        assert_eq!(drawn(checks, "Qf1+ Kh2 Qe2+ Kh1"), None, "it does not come again");
        assert_eq!(drawn(checks, "Re8 Qg4 Rf8 Qh4 Re8"), None, "there is no check");
    }

    #[test]
    fn pieces_that_cannot_mate_are_a_draw() {
        let last_pawn = "8/8/8/8/8/2k5/4p3/4B1K1 b - - 0 1";
        assert_eq!(drawn(last_pawn, "Kd3 Kf2 Kc2 Kxe2"), Some(ReasonKind::DeadPosition));
        assert_eq!(drawn(last_pawn, "Kd3 Kf2 Kc2"), None, "the pawn is there still");
        assert_eq!(drawn("8/8/8/8/8/2k5/4p3/4R1K1 b - - 0 1", "Kd2 Kf2"), None, "a rook mates");
    }

    #[test]
    fn the_wrong_bishop_does_not_win() {
        assert_eq!(drawn("1k6/8/K7/P7/3B4/8/8/8 b - - 0 1", ""), Some(ReasonKind::WrongBishop));
        assert_eq!(drawn("1k6/8/K7/P7/4B3/8/8/8 b - - 0 1", ""), None, "it controls a8");
        assert_eq!(drawn("4k3/8/K7/P7/3B4/8/8/8 b - - 0 1", ""), None, "the king is far away");
        assert_eq!(drawn("1k6/8/K7/1P6/3B4/8/8/8 b - - 0 1", ""), None, "no rook's pawn");
    }

    #[test]
    fn the_laws_are_believed() {
        let board = Board::from_fen("8/8/8/3k4/8/8/5K2/8 b - - 0 1").unwrap();
        assert_eq!(
            draw(&board, &[], Some(End::InsufficientMaterial)).map(|drawn| drawn.kind),
            Some(ReasonKind::DeadPosition)
        );
        assert_eq!(draw(&Board::start(), &[], None), None);
    }
}
