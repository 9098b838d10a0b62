//! The pieces of the board as parts of a page: pictures in its style, and symbols for diagrams, which are the same but take
//! their colours from the style.

use std::fmt::Write;

use crate::text;

/// Each piece, as the symbols are called.
const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
/// The folder of the pictures, as the style of the board names it.
const FOLDER: &str = "url(\"pieces/";
/// Colours and lines of White's pieces, and the classes that stand for them.
const LOOKS: [(&str, &str); 3] = [
    ("fill=\"#fdfbf5\" stroke=\"#2b2926\" stroke-width=\"3.4\" stroke-linejoin=\"round\"", "class=\"body\""),
    ("fill=\"none\" stroke=\"#2b2926\" stroke-width=\"3.4\" stroke-linecap=\"round\"", "class=\"line\""),
    ("fill=\"#2b2926\"", "class=\"dot\""),
];

/// A style whose pictures of pieces are part of it.
#[must_use]
pub fn inlined(style: &str) -> String {
    let mut parts = style.split(FOLDER);
    let mut whole = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (name, rest) = part.split_once("\")").unwrap_or((part, ""));
        let _ = write!(whole, "url(\"data:image/svg+xml,{}\"){rest}", encoded(text(&format!("pieces/{name}"))));
    }
    whole
}

/// A picture as part of an address in quotes, none of whose signs ends an element.
fn encoded(picture: &str) -> String {
    let signs = [("%", "%25"), ("\"", "'"), ("#", "%23"), ("<", "%3C"), (">", "%3E"), ("\n", "")];
    signs.iter().fold(picture.to_owned(), |text, (sign, code)| text.replace(sign, code))
}

/// The symbols, each as large as a square of a diagram.
#[must_use]
pub fn symbols() -> String {
    let mut whole = "<svg class=\"symbols\" aria-hidden=\"true\" width=\"0\" height=\"0\">\n".to_owned();
    for name in NAMES {
        let picture = text(&format!("pieces/white-{name}.svg"));
        let inside = picture.split_once('>').map_or("", |(_, rest)| rest).trim_end().trim_end_matches("</svg>");
        let inside = LOOKS.iter().fold(inside.to_owned(), |text, (look, class)| text.replace(look, class));
        let _ = writeln!(whole, "<g id=\"{name}\" transform=\"translate(-.02 -.015) scale(.0104)\">{inside}</g>");
    }
    whole + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_become_part_of_the_style() {
        let style = inlined("a { b: url(\"pieces/white-pawn.svg\"); } c { d: url(\"pieces/black-king.svg\"); }");
        assert!(style.starts_with("a { b: url(\"data:image/svg+xml,%3Csvg xmlns='http"), "{style}");
        assert!(
            style.contains("%3C/svg%3E\"); } c { d: url(\"data:") && style.ends_with("%3C/svg%3E\"); }"),
            "{style}"
        );
        assert!(!style.contains('<') && !style.contains('#') && !style.contains('\n'), "{style}");
    }

    #[test]
    fn symbols_have_no_colours_of_their_own() {
        let symbols = symbols();
        for name in NAMES {
            assert!(symbols.contains(&format!("<g id=\"{name}\"")), "{name}");
        }
        assert!(!symbols.contains("fill=") && !symbols.contains("stroke="), "{symbols}");
        assert!(symbols.matches("class=\"body\"").count() > 12 && symbols.contains("class=\"line\""));
    }
}
