//! Moves as words: castling, promotions, squares in full, and pieces by letters of any language.

use movegen::San;

use super::plain::{is_dash, is_figurine, plain_letter};
use super::{Word, foreign_word, whole_word};
use crate::invisible::is_invisible;
use crate::letters::Letters;
use crate::sign::first_sign;

/// Castling: `O-O`, `0-0`, `o-o`, `OO`, and the same with blanks or other dashes.
pub(super) fn castling(text: &str) -> Option<(Word<'_>, usize)> {
    const LETTERS: [char; 5] = ['O', '0', 'o', 'О', 'о'];
    let mut rest = text.strip_prefix(['O', '0', 'o'])?;
    let (mut count, mut dashes) = (1, 0);
    while count < 3 {
        let dash = rest.trim_start_matches(' ').strip_prefix(is_dash).map(|after| after.trim_start_matches(' '));
        let Some(after) = dash.unwrap_or(rest).strip_prefix(LETTERS) else { break };
        (rest, count, dashes) = (after, count + 1, dashes + usize::from(dash.is_some()));
    }
    let goes_on = |letter: char| matches!(letter, '/' | '_') || letter.is_alphanumeric() && letter != 'N';
    // `O-O-+` has the sign `-+`, `O-O-e4` is something else.
    let has_dash = rest.starts_with(is_dash) && first_sign(rest).is_none();
    let is_even = dashes == 0 || dashes + 1 == count;
    // `00.` is a number.
    let is_number = dashes == 0 && text.starts_with('0') && rest.starts_with('.');
    if count == 1 || !is_even || is_number || has_dash || rest.starts_with(goes_on) {
        return None;
    }
    let san = San::read(if count == 2 { "O-O" } else { "O-O-O" })?;
    let length = with_marks(text, text.len() - rest.len());
    Some((Word::Move(san, &text[..length]), length))
}

/// Whether the text of a move is `0-0`, which may also be a result.
pub(in super::super) fn is_two_zeros(text: &str) -> bool {
    let is_between = |letter: char| letter == ' ' || is_dash(letter);
    text.trim_end_matches(['+', '#']).split(is_between).filter(|part| !part.is_empty()).eq(["0", "0"])
}

/// The move of a text that has `length` without the marks of check after it; `None` if it is none.
fn marked(text: &str, length: usize) -> Option<(Word<'_>, usize)> {
    let san = San::read(&text[..length])?;
    let length = with_marks(text, length);
    Some((Word::Move(san, &text[..length]), length))
}

/// The length of a move with the marks of en passant and check after it.
fn with_marks(text: &str, mut length: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(length) == Some(&b'e') {
        for mark in ["e.p.", "e.p", "ep"] {
            let rest = &text[length..];
            if rest.starts_with(mark) && !rest[mark.len()..].starts_with(|letter: char| letter.is_alphanumeric()) {
                length += mark.len();
                break;
            }
        }
    }
    while let Some(b'+' | b'#') = bytes.get(length) {
        // `+-` is a sign, and no check.
        let may_be_sign = bytes.get(length + 1).is_some_and(|&next| matches!(next, b'-' | b'=' | b'/') || next >= 0x80);
        if may_be_sign && first_sign(&text[length..]).is_some() {
            break;
        }
        length += 1;
    }
    length
}

/// The length of a text that names squares, one or more, up to the last of them.
pub(super) fn squares(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut end) = (0, None);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'a'..=b'h' if matches!(bytes.get(at + 1), Some(b'1'..=b'8')) => {
                at += 2;
                end = Some(at);
            }
            b'a'..=b'h' | b'1'..=b'8' | b'x' | b':' | b'-' => at += 1,
            _ => break,
        }
    }
    end
}

/// The piece that a pawn becomes at the start of a text, and the length of what says so: `=Q`, `Q`, `(Q)`, `/Q`, ` =Q`.
fn promotion(text: &str, letters: &Letters) -> Option<(char, usize)> {
    let opened = text.trim_start_matches(' ');
    let has_blank = opened.len() < text.len();
    let after_sign = opened.strip_prefix(['=', '/', ':', '-']).unwrap_or(opened);
    let (inside, closing) = match after_sign.chars().next()? {
        '(' => (after_sign[1..].trim_start_matches('='), Some(')')),
        '[' => (after_sign[1..].trim_start_matches('='), Some(']')),
        _ => (after_sign, None),
    };
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric());
    let (piece, rest) = if let Some(figurine) = inside.chars().next().filter(|&letter| is_figurine(letter)) {
        (plain_letter(figurine).chars().next()?, &inside[figurine.len_utf8()..])
    } else if let Some((piece, rest)) = letters.piece(inside) {
        (piece, rest)
    } else {
        let small = inside.chars().next().filter(|letter| "qrbn".contains(*letter))?;
        (small.to_ascii_uppercase(), Some(&inside[1..]).filter(|rest| ends(rest))?)
    };
    let rest = closing.map_or(Some(rest), |closing| rest.strip_prefix(closing))?;
    // `e8 Q` and `e8 (Q)` promote, but `e8 Qd5` is two moves and `e8 (Qd5)` a variation.
    let is_sure = !has_blank || opened.starts_with('=') || closing.is_some() || ends(rest);
    (is_sure && "QRBN".contains(piece)).then(|| (piece, text.len() - rest.len()))
}

/// A move by its squares in capitals, `E2E4` or `E2-E4`, as some programs write them.
pub(super) fn capital_squares(word: &str) -> Option<San> {
    let squares: [u8; 4] = match *word.as_bytes() {
        [from, rank, b'-' | b'X', to, end] | [from, rank, to, end] => [from, rank, to, end],
        _ => return None,
    };
    let are_capitals = squares[0].is_ascii_uppercase() && squares[2].is_ascii_uppercase();
    are_capitals.then(|| San::read(&str::from_utf8(&squares).ok()?.to_ascii_lowercase()))?
}

/// A move of a piece or a pawn.
pub(super) fn piece_or_pawn<'a>(text: &'a str, letters: &Letters) -> Option<(Word<'a>, usize)> {
    let first = text.as_bytes()[0];
    let is_english = letters.are_english();
    // Small letters that name no file stand for pieces.
    let is_small = is_english && b"knpqr".contains(&first);
    let (piece, rest) = if is_small || is_english && first == b'P' {
        (Some(char::from(first.to_ascii_uppercase())), &text[1..])
    } else if first.is_ascii_lowercase() {
        (None, text)
    } else if let Some((piece, rest)) = letters.piece(text) {
        (Some(piece), rest)
    } else {
        (None, &text[text.chars().next()?.len_utf8()..])
    };
    let length = squares(rest.as_bytes())?;
    let end = text.len() - rest.len() + length;
    let after = &text[end..];
    if after.starts_with(|letter: char| is_dash(letter) && !letter.is_ascii() || letter == '×' || is_invisible(letter))
    {
        return Some(foreign_word(text, letters));
    }
    if piece.is_none() && !first.is_ascii_lowercase() {
        return Some((Word::Foreign(&text[..end]), end));
    }
    let is_pawn = piece.is_none_or(|piece| piece == 'P');
    let reaches_end = is_pawn && matches!(text.as_bytes()[end - 1], b'1' | b'8');
    let promoted = if reaches_end { promotion(after, letters) } else { None };
    if promoted.is_none() && reaches_end && after.starts_with('=') && after[1..].starts_with(char::is_uppercase) {
        let length = whole_word(text).len();
        // No letter of English, which kings and pawns have too.
        let is_foreign = !after[1..].starts_with(['K', 'P']);
        let word = &text[..length];
        return Some((if is_foreign { Word::Foreign(word) } else { Word::Garbled(word) }, length));
    }
    let core = end + promoted.map_or(0, |(_, length)| length);
    if is_english
        && !is_small
        && let Some(found) = marked(text, core)
    {
        return Some(found);
    }
    let english: String =
        piece.into_iter().chain(rest[..length].chars()).chain(promoted.map(|(piece, _)| piece)).collect();
    let san = San::read(&english)?;
    let length = with_marks(text, core);
    Some((Word::Move(san, &text[..length]), length))
}

/// The length of a move in descriptive notation: `P-K4`, `PxP`, `Kt-KB3`, `QKt-Q2`, `P/K2-K4`, `QxRP`.
pub(super) fn descriptive(text: &str) -> Option<usize> {
    const PIECES: [char; 6] = ['P', 'K', 'Q', 'R', 'B', 'N'];
    let rest = text.trim_start_matches(|letter| PIECES.contains(&letter) || letter == 't');
    let is_piece = (1..=4).contains(&(text.len() - rest.len())) && text.starts_with(PIECES);
    // Which of two pieces it is.
    let rest = rest.strip_prefix('/').map_or(rest, |place| {
        place.trim_start_matches(PIECES).trim_start_matches(|letter: char| letter.is_ascii_digit())
    });
    let target = rest.strip_prefix(['-', 'x'])?;
    (is_piece && target.starts_with(PIECES)).then(|| whole_word(text).len())
}
