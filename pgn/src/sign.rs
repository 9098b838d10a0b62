//! Evaluations and remarks in signs, `±`, `+-`, `N`, as the numbers (NAGs) that stand for them.
//!
//! Sources: S. Edwards, "PGN Standard" (1994), 10; the numbers that ChessBase and Lichess give to the signs of the Chess
//! Informant, for both sides the one of White.

/// Signs and their numbers; of two with the same beginning the longer one first.
const SIGNS: [(&str, u8); 60] = [
    ("+--", 20),
    ("--+", 21),
    ("+/-", 16),
    ("-/+", 17),
    ("+/−", 16),
    ("−/+", 17),
    ("+/–", 16),
    ("–/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("=/∞", 44),
    ("=∞", 44),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("+—", 18),
    ("—+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("±", 16),
    ("∓", 17),
    ("⩲", 14),
    ("⩱", 15),
    ("⯹", 44),
    ("∞", 13),
    ("□", 7),
    ("◻", 7),
    ("☐", 7),
    ("⇆", 132),
    ("⇄", 132),
    ("⮀", 132),
    ("↑", 36),
    ("→", 40),
    ("⨀", 22),
    ("⊙", 22),
    ("☉", 22),
    ("○", 26),
    ("◯", 26),
    ("⟳", 32),
    ("↻", 32),
    ("⭮", 32),
    ("⊕", 138),
    ("⨁", 138),
    ("△", 140),
    ("∆", 140),
    ("Δ", 140),
    ("▽", 141),
    ("∇", 141),
    ("⌓", 142),
    ("⟫", 239),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("！", 1),
    ("？", 2),
];

/// The sign at the start of a text: its number and its length.
pub(super) fn first_sign(text: &str) -> Option<(u8, usize)> {
    let &(sign, nag) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign))?;
    let is_ascii = sign.is_ascii();
    // `+--`, `==`, `=Q`: something else.
    let goes_on = |letter: char| matches!(letter, '+' | '-' | '/' | '=') || letter.is_ascii_alphanumeric();
    if is_ascii && text[sign.len()..].starts_with(goes_on) { None } else { Some((nag, sign.len())) }
}

/// The number of a run of exclamation and question marks.
pub(super) fn quality(marks: &str) -> Option<u8> {
    Some(match marks {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_the_numbers_of_the_standard() {
        for (text, nag) in [
            ("±", 16),
            ("⩲", 14),
            ("∓", 17),
            ("⩱", 15),
            ("+-", 18),
            ("-+", 19),
            ("+/-", 16),
            ("-/+", 17),
            ("=+", 15),
            ("+=", 14),
            ("=", 10),
            ("∞", 13),
            ("□", 7),
            ("⇆", 132),
            ("↑", 36),
            ("→", 40),
            ("+--", 20),
            ("--+", 21),
            ("+/−", 16),
        ] {
            assert_eq!(first_sign(text), Some((nag, text.len())), "{text}");
            assert_eq!(first_sign(&format!("{text} x")), Some((nag, text.len())), "{text}");
        }
        for text in ["", "+", "-", "+---", "==", "=Q", "x", "+:-"] {
            assert_eq!(first_sign(text), None, "{text}");
        }
    }

    #[test]
    fn no_sign_hides_a_longer_one() {
        for (index, (sign, nag)) in SIGNS.iter().enumerate() {
            assert!(*nag > 0 && SIGNS[..index].iter().all(|(other, _)| !sign.starts_with(other)), "{sign}");
        }
    }
}
