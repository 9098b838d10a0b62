//! Winning what is won: scores of solved endings, and driving a lone king to where it is mated.
//!
//! With up to four pieces the network knows the result, but above some score it says how sure it is and no longer how far
//! the win has come: king, rook and pawn against king may score more than king and rook. So what it says beyond `knee`
//! counts little, and stays below what follows a promotion or capture that leaves a lone king without pawns:
//! `won + edge * steps of the lone king from the center + near * (7 - distance of the kings)` where the network says that
//! the ending is won, and something for each queen, so that a pawn becomes one. With bishop and knight, steps towards a
//! corner on the bishop's color count most. The network's own scores rise too little on the way to the mate to lead
//! there.
//!
//! Source: the Chess Programming Wiki, "Mop-up Evaluation".

use eval::arch::SOLVED_PIECES;
use movegen::{Bitboard, Board, Color, PieceType, Square};

use crate::types::params;

/// The network's evaluation for the side to move, flattened in solved endings, or that by the progress to mate if a lone
/// king is lost.
#[inline]
pub(crate) fn driven(board: &Board, eval: i32) -> i32 {
    let eval = if board.occupied().count() <= SOLVED_PIECES { flattened(eval) } else { eval };
    let alone = |color| !board.colors(color).more_than_one();
    match (alone(Color::White), alone(Color::Black)) {
        (false, false) | (true, true) => eval,
        (_, black) => {
            let winner = if black { Color::White } else { Color::Black };
            let sign = if board.turn() == winner { 1 } else { -1 };
            if sign * eval < params::lone_king_lost() {
                return eval;
            }
            progress(board, winner).map_or(eval, |score| sign * score)
        }
    }
}

fn flattened(eval: i32) -> i32 {
    let knee = params::solved_knee();
    let beyond = eval - eval.clamp(-knee, knee);
    eval - beyond + beyond / params::solved_flattening()
}

/// How near the lone king is to being mated, in centipawns; `None` with pawns or too little to mate with.
#[cold]
fn progress(board: &Board, winner: Color) -> Option<i32> {
    let of = |kind| board.pieces(kind);
    let (knights, bishops) = (of(PieceType::Knight), of(PieceType::Bishop));
    let heavy = of(PieceType::Rook) | of(PieceType::Queen);
    let (light, dark) = (bishops & Bitboard::LIGHT_SQUARES, bishops & Bitboard::DARK_SQUARES);
    if of(PieceType::Pawn).any() {
        return None;
    }
    let king = board.king(!winner);
    let near = |square: Square| 7 - i32::from(king.distance(square));
    let kings = near(board.king(winner));
    let towards_mate = match (heavy.any(), light.any(), dark.any(), knights.lsb()) {
        (true, ..) | (_, true, true, _) => {
            params::lone_king_edge() * from_center(king) + params::lone_king_near() * kings
        }
        (_, light, dark, Some(knight)) if light != dark => {
            let center = params::bishop_knight_center() * from_center(king);
            let corner = params::bishop_knight_corner() * (7 - from_corner(king, light));
            center + corner + params::bishop_knight_kings() * kings + params::bishop_knight_knight() * near(knight)
        }
        _ => return None,
    };
    let queens = of(PieceType::Queen).count() as i32;
    Some(params::lone_king_won() + towards_mate + params::lone_king_queen() * queens)
}

/// Steps of a rook's kind from the four center squares, 0 to 6.
fn from_center(square: Square) -> i32 {
    let off = |line: i32| (3 - line).max(line - 4);
    off(square.file() as i32) + off(square.rank() as i32)
}

/// Steps of a rook's kind from the nearer corner on squares of this color, 0 to 7.
fn from_corner(square: Square, light: bool) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let file = if light { 7 - file } else { file };
    (file + rank).min(14 - file - rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The evaluation where the network says that the side to move has won by 900 centipawns.
    fn eval(fen: &str) -> i32 {
        driven(&Board::from_fen(fen).unwrap(), 900)
    }

    #[test]
    fn the_lone_king_is_driven_to_the_right_corner() {
        let corners = |bishop| {
            let a8 = eval(&format!("k7/8/1K6/8/8/3N4/8/{bishop} w - - 0 1"));
            (a8, eval(&format!("7k/8/6K1/8/8/3N4/8/{bishop} w - - 0 1")))
        };
        let (a8, h8) = corners("2B5");
        assert!(h8 > a8, "{a8} {h8}: a bishop on dark squares, like h8");
        let (a8, h8) = corners("5B2");
        assert!(a8 > h8, "{a8} {h8}: a bishop on light squares, like a8");
        assert!(eval("k7/8/1K6/8/8/8/8/4R3 w - - 0 1") > eval("8/8/8/3k4/8/2K5/8/4R3 w - - 0 1"));
    }

    #[test]
    fn the_sides_gain_and_lose_alike() {
        for fen in ["k7/8/1K6/8/8/8/8/4R3", "8/8/8/3K4/2Q5/8/8/k7", "7k/8/8/4K3/8/2N5/8/2B5"] {
            let lost = driven(&Board::from_fen(&format!("{fen} b - - 0 1")).unwrap(), -900);
            assert_eq!(eval(&format!("{fen} w - - 0 1")), -lost, "{fen}");
            assert!(lost < -900, "{fen}");
        }
    }

    #[test]
    fn a_promotion_gains_however_sure_the_network_is_of_the_pawn() {
        let of = |fen: &str, eval| driven(&Board::from_fen(fen).unwrap(), eval);
        let (pawn, queen) = ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "Q7/7k/8/8/8/8/8/K7 b - - 0 1");
        for eval in [450, 1000, 2000, 5000] {
            assert!(-of(queen, -450) > of(pawn, eval), "{eval}");
        }
        assert!(of(pawn, 3000) > of(pawn, 2000) && of(pawn, 900) == 900 && of(pawn, -3000) == -of(pawn, 3000));
        // With more pieces the network's scores stay as they are.
        assert_eq!(of("4k3/8/8/8/8/8/PP6/4K2R w - - 0 1", 3000), 3000);
    }

    #[test]
    fn a_queen_is_better_than_a_rook() {
        assert!(eval("8/8/8/3k4/8/8/8/KQ6 w - - 0 1") > eval("8/8/8/3k4/8/8/8/KR6 w - - 0 1"));
    }

    #[test]
    fn other_endings_are_left_to_the_network() {
        for fen in ["k7/8/1K6/8/8/8/8/8", "k7/8/1K6/8/8/8/8/4N3", "k7/8/1K6/8/8/8/8/4B3", "k7/8/1K6/8/8/8/8/3NN3"] {
            assert_eq!(eval(&format!("{fen} w - - 0 1")), 900, "{fen}");
        }
        assert_eq!(eval("k7/8/1K6/8/8/8/P7/4R3 w - - 0 1"), 900);
        assert_eq!(eval("k7/8/1K6/8/8/8/r7/4R3 w - - 0 1"), 900);
        assert_eq!(eval("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 900);
        // The rook is lost.
        let drawn = Board::from_fen("8/8/8/8/8/1k6/1R6/7K b - - 0 1").unwrap();
        assert_eq!(driven(&drawn, -3), -3);
    }
}
