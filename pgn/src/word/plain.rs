//! Letters as the standard has them: figurines, dashes and signs of check that people type or paste.

use crate::invisible::is_invisible;

pub(super) const fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '–' | '—' | '−' | '‐' | '‑' | '‒')
}

pub(super) const fn is_figurine(letter: char) -> bool {
    matches!(letter, '♔'..='♟')
}

/// A letter as the standard has it; nothing for those that are not seen, and for the figurine of a pawn.
pub(super) fn plain_letter(letter: char) -> &'static str {
    match letter {
        '♔' | '♚' => "K",
        '♕' | '♛' => "Q",
        '♖' | '♜' => "R",
        '♗' | '♝' => "B",
        '♘' | '♞' => "N",
        '×' | '✕' | '✗' | 'х' => "x",
        '…' => "...",
        '†' => "+",
        '‡' => "#",
        // Cyrillic, in castling.
        'О' | 'о' => "O",
        _ if is_dash(letter) && letter != '-' => "-",
        _ => "",
    }
}

fn is_dropped(letter: char) -> bool {
    is_invisible(letter) || matches!(letter, '♙' | '♟')
}

/// A word with its letters as the standard has them.
pub(super) fn plain_word(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars().filter(|&letter| !is_dropped(letter)) {
        match plain_letter(letter) {
            "" => plain.push(letter),
            text => plain.push_str(text),
        }
    }
    plain
}

/// The length in a word of what has this length in it as [`plain_word`].
pub(super) fn length_before(word: &str, plain: usize) -> usize {
    let mut length = 0;
    for (at, letter) in word.char_indices() {
        if length >= plain && !is_dropped(letter) {
            return at;
        }
        if !is_dropped(letter) {
            length += match plain_letter(letter) {
                "" => letter.len_utf8(),
                text => text.len(),
            };
        }
    }
    word.len()
}
