//! Moves with nothing between them, as in `e4e5`, `Nf3d5`, `O-OO-O`, or with something else around them, as in `“e4”`.

use movegen::{Board, File, Move, PieceType, San};

use super::{Word, first_word};
use crate::letters::Letters;

/// The most bytes of such a word.
const MOST: usize = 32;

/// The moves that a word is made of, which can be played one after the other from this board: two or more, or one that is
/// written in another way. The word is none that can be read as it stands.
pub(in super::super) fn moves_within(word: &str, board: &Board, letters: &Letters) -> Option<Vec<(San, String)>> {
    let plain = without_junk(word);
    let is_of_move = |byte: u8| byte.is_ascii_alphanumeric() || b"=+#-/:.".contains(&byte);
    if plain.is_empty() || plain.len() > MOST || !plain.bytes().all(is_of_move) {
        return None;
    }
    let mut moves = Vec::new();
    if split(plain, board, letters, &mut moves) && (moves.len() > 1 || plain.len() < word.len()) {
        return Some(moves.into_iter().map(|(san, text)| (san, text.to_owned())).collect());
    }
    let other = pawn_capture(plain, board).or_else(|| with_usual_letters(plain)).filter(|other| other != plain)?;
    let san = San::read(&other)?;
    board.find_san(san, &other).ok()?;
    Some(vec![(san, other)])
}

/// Whether a word is a move with something else before or behind it that belongs to no move.
pub(in super::super) fn is_move_in_junk(word: &str, letters: &Letters) -> bool {
    let plain = without_junk(word);
    let is_whole_move = |(found, length): (Word<'_>, usize)| matches!(found, Word::Move(..)) && length == plain.len();
    !plain.is_empty() && plain.len() < word.len() && is_whole_move(first_word(plain, letters))
}

fn without_junk(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric())
}

/// A capture of a pawn by its files, `ed` or `exd`, if only one is possible.
fn pawn_capture(word: &str, board: &Board) -> Option<String> {
    let (capture, promotion) = word.split_at(word.find(['=', 'Q', 'R', 'B', 'N']).unwrap_or(word.len()));
    let (from, to) = match *capture.as_bytes() {
        [from, to] | [from, b'x' | b':', to] => (from, to),
        _ => return None,
    };
    let files = (File::from_letter(from.into())?, File::from_letter(to.into())?);
    let is_it = |mv: &Move| {
        board.piece_on(mv.from()).is_some_and(|piece| piece.piece_type() == PieceType::Pawn)
            && (mv.from().file(), mv.to().file()) == files
    };
    let mut targets: Vec<_> = board.legal_moves().into_iter().filter(is_it).map(Move::to).collect();
    targets.dedup();
    let [target] = targets[..] else { return None };
    Some(format!("{}x{target}{promotion}", char::from(from)))
}

/// A move whose squares are in capitals or whose piece is in a small letter: `NF3`, `bc4`, `EXD5`.
fn with_usual_letters(word: &str) -> Option<String> {
    let (first, rest) = (word.chars().next()?, word.get(1..)?);
    let (piece, squares) =
        if rest.len() > 1 && "kqrbnKQRBN".contains(first) { (first.to_ascii_uppercase(), rest) } else { (' ', word) };
    Some(format!("{piece}{}", squares.to_ascii_lowercase()).trim_start().to_owned())
}

/// Adds the moves of a word that can be played; `false` and none if that is not all of it.
fn split<'a>(word: &'a str, board: &Board, letters: &Letters, moves: &mut Vec<(San, &'a str)>) -> bool {
    if word.is_empty() {
        return true;
    }
    // From `e4` to `Qh4xe1=Q+`.
    for length in 2..=word.len().min(9) {
        let (text, rest) = word.split_at(length);
        let (Word::Move(san, _), found) = first_word(text, letters) else { continue };
        let Some(mv) = board.find_san(san, text).ok().filter(|_| found == length) else { continue };
        let mut after = *board;
        after.play(mv, &mut ());
        moves.push((san, text));
        let rest = rest.trim_start_matches(['-', '/']);
        // The number of the next move may stand between them.
        let unnumbered = rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start_matches('.');
        let has_number =
            unnumbered.len() < rest.len() && unnumbered.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if split(rest, &after, letters, moves) || has_number && split(unnumbered, &after, letters, moves) {
            return true;
        }
        moves.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::ENGLISH;

    fn moves(word: &str, fen: &str) -> String {
        let board = Board::from_fen(fen).unwrap();
        let moves = moves_within(word, &board, &ENGLISH).unwrap_or_default();
        moves.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_are_taken_apart_where_all_can_be_played() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (word, expected) in [
            ("e4e5", "e4 e5"),
            ("e4-e5", "e4 e5"),
            ("e4/e5", "e4 e5"),
            ("Nf3d5", "Nf3 d5"),
            ("e4e5f4exf4", "e4 e5 f4 exf4"),
            ("e2e4e7e5", "e2e4 e7e5"),
            ("e4d5exd5Qxd5", "e4 d5 exd5 Qxd5"),
            ("d41d5", "d4 d5"),
            ("d41...d52.c4", "d4 d5 c4"),
            ("Nf31Nf62Nc3", "Nf3 Nf6 Nc3"),
            ("d41d4", ""),
            ("Éd4", "d4"),
            ("e4e6e6", ""),
            ("e4", ""),
            ("e4e", ""),
            ("e4e5é", "e4 e5"),
            ("e4ée5", ""),
            ("“e4”", "e4"),
            ("ªNf3", "Nf3"),
            ("“e4e5”", "e4 e5"),
            ("“e5”", ""),
            ("“”", ""),
        ] {
            assert_eq!(moves(word, START), expected, "{word}");
        }
        let middle = "rnbqkbnr/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1";
        for (word, expected) in [
            ("ed", "exd5"),
            ("exd", "exd5"),
            ("de", "dxe5"),
            ("d:e", "dxe5"),
            ("NF3", "Nf3"),
            ("nF3", "Nf3"),
            ("bc4", "Bc4"),
            ("EXD5", "exd5"),
            ("C3", "c3"),
            ("ab", ""),
            ("bad", ""),
            ("and", ""),
        ] {
            assert_eq!(moves(word, middle), expected, "{word}");
        }
        for (word, expected) in
            [("“f3", true), ("(f3)", true), ("“Nf3!", true), ("f3", false), ("“of", false), ("“”", false), ("$", false)]
        {
            assert_eq!(is_move_in_junk(word, &ENGLISH), expected, "{word}");
        }
        assert_eq!(moves("ab=Q", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"), "axb8=Q");
        assert_eq!(moves("ab", "7k/8/1n6/P1n5/1n6/P7/8/K7 w - - 0 1"), "");
        let castling = "r3k2r/3p1p2/8/8/8/8/3P1P2/R3K2R w KQkq - 0 1";
        assert_eq!(moves("O-OO-O", castling), "O-O O-O");
        assert_eq!(moves("0-0-00-0-0", castling), "0-0-0 0-0-0");
        assert_eq!(moves("O-OKe7", castling), "O-O Ke7");
        assert_eq!(moves("h8=Q+Kd7", "4k3/7P/8/8/8/8/8/4K3 w - - 0 1"), "h8=Q+ Kd7");
    }
}
