//! Letters that say nothing, and letters that are not even seen.

/// White space, what is not seen, and the control characters, which crashes and old systems leave in files.
#[inline]
pub(super) fn is_blank(letter: char) -> bool {
    letter <= ' ' || letter > '~' && (letter.is_whitespace() || letter.is_control() || is_invisible(letter))
}

/// Marks of byte order, blanks without width, soft hyphens, directions of writing, and variants of signs.
#[inline]
pub(super) const fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
}

/// The length of what is blank at the start of a text.
#[inline]
pub(super) fn blank_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte > b' ' {
            return if byte < 0x7F { at } else { text.len() - text[at..].trim_start_matches(is_blank).len() };
        }
        at += 1;
    }
    at
}
