//! A position as a picture that needs no script.

use maud::{Markup, html};
use movegen::PieceType;

use super::data::squares;

/// An arrow from the square of departure to that of arrival.
pub(super) struct Arrow<'a> {
    /// The move, in UCI's notation.
    pub(super) uci: &'a str,
    /// A class of the style sheet.
    pub(super) class: &'a str,
}

/// A position from White's side. A FEN that cannot be read shows as far as it can.
pub(super) fn diagram(fen: &str, label: &str, arrows: &[Arrow]) -> Markup {
    html! {
        svg .diagram viewBox="0 0 8 8" role="img" aria-label=(label) {
            use href="#squares" {}
            @for is_white in [true, false] {
                g .white[is_white] .black[!is_white] {
                    @for (letter, column, row) in pieces(fen).iter().filter(|(letter, ..)| letter.is_ascii_uppercase() == is_white) {
                        use href={ "#" (name(*letter)) } x=(column) y=(row) {}
                    }
                }
            }
            @for arrow in arrows {
                @if let Some((from, to)) = squares(arrow.uci) {
                    path class={ "arrow " (arrow.class) } d=(arrow_path(from, to)) {}
                }
            }
        }
    }
}

/// The pieces of a position: letter, column from the a-file, row from the eighth rank.
fn pieces(fen: &str) -> Vec<(char, u32, u32)> {
    let mut pieces = Vec::new();
    let placement = fen.split(' ').next().unwrap_or("");
    for (row, rank) in (0..8).zip(placement.split('/')) {
        let mut column = 0;
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(empty) => column += empty,
                // X-FEN knows no such sign in the placement, but other variants mark promoted pieces.
                None if letter == '~' => {}
                None => {
                    pieces.push((letter, column, row));
                    column += 1;
                }
            }
        }
    }
    pieces.retain(|&(letter, column, _)| column < 8 && "pnbrqkPNBRQK".contains(letter));
    pieces
}

/// The name of a piece, which is the name of its symbol too.
fn name(letter: char) -> &'static str {
    PieceType::from_letter(letter).unwrap_or(PieceType::Pawn).name()
}

/// A shaft and a head, from near the middle of one square to the middle of another.
fn arrow_path(from: usize, to: usize) -> String {
    let middle = |square: usize| ((square % 8) as f64 + 0.5, 7.5 - (square / 8) as f64);
    let ((x, y), (to_x, to_y)) = (middle(from), middle(to));
    let length = (to_x - x).hypot(to_y - y).max(f64::MIN_POSITIVE);
    let (along_x, along_y) = ((to_x - x) / length, (to_y - y) / length);
    // So far along the arrow, so far to its left.
    let point = |along: f64, aside: f64| {
        format!("{:.2} {:.2}", x + along * along_x - aside * along_y, y + along * along_y + aside * along_x)
    };
    let neck = length - 0.4;
    let points = [(0.25, -0.07), (neck, -0.07), (neck, -0.22), (length, 0.0), (neck, 0.22), (neck, 0.07), (0.25, 0.07)];
    format!("M{}Z", points.map(|(along, aside)| point(along, aside)).join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_where_the_fen_has_them() {
        let pieces = pieces("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1");
        assert_eq!(pieces, [('k', 4, 0), ('r', 7, 0), ('R', 0, 7), ('K', 4, 7)]);
    }

    #[test]
    fn invalid_placements_do_no_harm() {
        for fen in ["", "////////////", "99999999p", "<script>", "x/y/z", "ppppppppppppppppp"] {
            assert!(pieces(fen).len() <= 8, "{fen}");
        }
        assert_eq!(pieces("<script>"), [('r', 3, 0), ('p', 5, 0)]);
    }

    #[test]
    fn an_arrow_ends_in_the_middle_of_its_square() {
        assert!(arrow_path(12, 28).contains("L4.50 4.50L"), "{}", arrow_path(12, 28));
        assert!(!arrow_path(5, 5).contains("NaN"));
    }
}
