//! Results, as PGN writes them and as people do: `1-0`, `1 - 0`, `½:½`, `+:-`, and `*` for none.

use movegen::GameResult;

use crate::invisible::is_invisible;
use crate::sign::first_sign;

/// The word for a result.
#[must_use]
pub fn result_text(result: Option<GameResult>) -> String {
    result.map_or_else(|| "*".to_owned(), |result| result.to_string())
}

/// The result that a text stands for as a tag may have it: `1-0`, `½ : ½`, `+:-`; `None` for no result and for other texts.
#[must_use]
pub fn read_result(text: &str) -> Option<GameResult> {
    read_result_tag(text).and_then(|end| end.result)
}

/// The word that ends the moves of a game with a result. Where both players lost that is `*`: `0-0` would be castling.
pub(crate) fn end_of_moves(result: Option<GameResult>) -> String {
    result_text(result.filter(|result| *result != GameResult::BothLose))
}

/// What a result in a file means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End {
    /// `None` for no result, and where one player lost and the other drew.
    pub result: Option<GameResult>,
    /// A player won or both lost without play.
    pub is_forfeit: bool,
    /// It says more than `result`, which has no word for it.
    pub is_odd: bool,
}

impl End {
    const fn of(result: Option<GameResult>) -> Self {
        Self { result, is_forfeit: false, is_odd: false }
    }
}

/// What one player got.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    Loss,
    Draw,
    Win,
    /// `+`
    WinByForfeit,
    /// `-`
    LossByForfeit,
}

const POINTS: [(&str, Points); 22] = [
    ("1/2", Points::Draw),
    ("0.5", Points::Draw),
    ("0,5", Points::Draw),
    (".5", Points::Draw),
    ("½", Points::Draw),
    ("=", Points::Draw),
    ("1.0", Points::Win),
    ("1,0", Points::Win),
    ("0.0", Points::Loss),
    ("0,0", Points::Loss),
    ("1", Points::Win),
    ("0", Points::Loss),
    // A typing error.
    ("O", Points::Loss),
    ("o", Points::Loss),
    ("+", Points::WinByForfeit),
    ("-", Points::LossByForfeit),
    ("−", Points::LossByForfeit),
    ("–", Points::LossByForfeit),
    ("—", Points::LossByForfeit),
    ("‐", Points::LossByForfeit),
    ("‑", Points::LossByForfeit),
    ("‒", Points::LossByForfeit),
];

/// What stands between the points of the players, besides `/` between signs.
const BETWEEN: [char; 8] = ['-', ':', '–', '—', '−', '‐', '‑', '‒'];

fn points(text: &str) -> Option<(Points, &str)> {
    POINTS.iter().find_map(|&(word, points)| Some((points, text.strip_prefix(word)?)))
}

const fn is_sign(points: Points) -> bool {
    matches!(points, Points::WinByForfeit | Points::LossByForfeit)
}

fn end_of(white: Points, black: Points) -> Option<End> {
    use Points::{Draw, Loss, LossByForfeit, Win, WinByForfeit};
    let is_forfeit = is_sign(white) || is_sign(black);
    let result = match (white, black) {
        (Win | WinByForfeit, Loss | LossByForfeit) => Some(GameResult::WhiteWins),
        (Loss | LossByForfeit, Win | WinByForfeit) => Some(GameResult::BlackWins),
        (Loss | LossByForfeit, Loss | LossByForfeit) => Some(GameResult::BothLose),
        (Draw, Draw) => Some(GameResult::Draw),
        (Draw, Loss | LossByForfeit) | (Loss | LossByForfeit, Draw) => None,
        _ => return None,
    };
    Some(End { result, is_forfeit, is_odd: is_forfeit || result.is_none() })
}

/// What some arbiters' programs mark a forfeit with.
fn after_mark(text: &str) -> Option<&str> {
    let rest = ["FF", "ff", "F", "f"].into_iter().find_map(|mark| text.strip_prefix(mark))?;
    (!rest.starts_with(|letter: char| letter.is_alphanumeric())).then_some(rest)
}

/// The points of two players at the start of a text, and what follows.
fn pair(text: &str) -> Option<(End, &str)> {
    let (white, rest) = points(text)?;
    let marked = after_mark(rest).filter(|_| !is_sign(white));
    let rest = marked.unwrap_or(rest);
    // Signs stand together, but for a colon between them: `--` passes the turn.
    let blanks = &[' ', '\t', '\u{a0}'][..];
    let is_colon = rest.trim_start_matches(blanks).starts_with(':');
    let blanks = if is_sign(white) && !is_colon { &[][..] } else { blanks };
    let rest = rest.trim_start_matches(blanks);
    let rest = match rest.strip_prefix(BETWEEN) {
        Some(rest) => rest,
        None => rest.strip_prefix('/').filter(|_| is_sign(white))?,
    };
    let (black, rest) = points(rest.trim_start_matches(blanks))?;
    let mut end = end_of(white, black).filter(|_| is_sign(white) == is_sign(black))?;
    let after = after_mark(rest).or_else(|| after_mark(rest.strip_prefix(' ')?));
    if (marked.is_some() || after.is_some()) && end.result.is_some_and(|result| result != GameResult::Draw) {
        (end.is_forfeit, end.is_odd) = (true, true);
        return Some((end, after.unwrap_or(rest)));
    }
    Some((end, rest))
}

/// Whether this may be castling.
fn is_castling(word: &str) -> bool {
    word.len() == 3 && word.starts_with(['0', 'O', 'o']) && word.ends_with(['0', 'O', 'o'])
}

/// The result at the start of a text of moves, and its length. `0-0` is none here: it may be castling.
pub(crate) fn first_result(text: &str) -> Option<(End, usize)> {
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches(['.', ',']);
        !rest.starts_with(|letter: char| letter.is_alphanumeric() || "+-=:/–".contains(letter))
    };
    if text.starts_with('*') {
        return Some((End::of(None), 1));
    }
    let found = pair(text).filter(|(_, rest)| ends(rest));
    // `+/-` is a sign, and `0-0` may be castling.
    let is_else = |word: &str| is_castling(word) || word.contains('/') && first_sign(word).is_some();
    let found = found.filter(|(_, rest)| !is_else(&text[..text.len() - rest.len()]));
    let found = found.or_else(|| {
        let rest = text.strip_prefix("1/2").or_else(|| text.strip_prefix('½'))?;
        ends(rest).then_some((End::of(Some(GameResult::Draw)), rest))
    });
    found.map(|(end, rest)| (end, text.len() - rest.len()))
}

/// The result of a tag, whatever blanks are around or in it, and letters that are not seen.
pub(crate) fn read_result_tag(text: &str) -> Option<End> {
    let seen: String = text.chars().filter(|&letter| !is_invisible(letter)).collect();
    let text = seen.trim();
    if text == "*" {
        return Some(End::of(None));
    }
    if let Some((mut end, rest)) = pair(text)
        && !rest.starts_with(|letter: char| letter.is_alphanumeric() || "+-=:/–".contains(letter))
    {
        // `1-0 (forfeit)`, `0-1 on time`
        let words = rest.to_lowercase();
        if end.result.is_some() && ["forfeit", "default", "walkover", "no show"].iter().any(|word| words.contains(word))
        {
            (end.is_forfeit, end.is_odd) = (true, true);
        }
        return Some(end);
    }
    let plain: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    if let Some((end, "")) = pair(&plain) {
        return Some(end);
    }
    Some(match &plain[..] {
        "1/2" | "½" | "0.5" => End::of(Some(GameResult::Draw)),
        "+-" => end_of(Points::WinByForfeit, Points::LossByForfeit)?,
        "-+" => end_of(Points::LossByForfeit, Points::WinByForfeit)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameResult::{BlackWins, BothLose, Draw, WhiteWins};

    #[test]
    fn results_are_read_as_people_write_them() {
        for (text, result, is_forfeit) in [
            ("1-0", Some(WhiteWins), false),
            ("1 - 0", Some(WhiteWins), false),
            ("1- 0", Some(WhiteWins), false),
            ("0 - 1", Some(BlackWins), false),
            ("1–0", Some(WhiteWins), false),
            ("1:0", Some(WhiteWins), false),
            ("0 : 1", Some(BlackWins), false),
            ("1/2-1/2", Some(Draw), false),
            ("1/2 - 1/2", Some(Draw), false),
            ("½-½", Some(Draw), false),
            ("½:½", Some(Draw), false),
            ("½ – ½", Some(Draw), false),
            ("0.5-0.5", Some(Draw), false),
            ("0.5 - 0.5", Some(Draw), false),
            ("0,5-0,5", Some(Draw), false),
            ("1/2", Some(Draw), false),
            ("½", Some(Draw), false),
            ("*", None, false),
            ("+:-", Some(WhiteWins), true),
            ("-:+", Some(BlackWins), true),
            ("-:-", Some(BothLose), true),
            ("-/-", Some(BothLose), true),
            ("–/–", Some(BothLose), true),
            ("———", Some(BothLose), true),
            ("+:–", Some(WhiteWins), true),
            ("+--", Some(WhiteWins), true),
            ("--+", Some(BlackWins), true),
            ("1-0F", Some(WhiteWins), true),
            ("0-1FF", Some(BlackWins), true),
            ("0-0F", Some(BothLose), true),
            ("1F-0F", Some(WhiteWins), true),
            ("0f-1f", Some(BlackWins), true),
            ("0F-0F", Some(BothLose), true),
            ("1-0 FF", Some(WhiteWins), true),
            ("1,0-0,0", Some(WhiteWins), false),
            ("0,0 : 1,0", Some(BlackWins), false),
            ("1/2-0", None, false),
            ("0-1/2", None, false),
            ("½-0", None, false),
            ("0 - 0", Some(BothLose), false),
            ("1-O", Some(WhiteWins), false),
            ("O-1", Some(BlackWins), false),
            (".5-.5", Some(Draw), false),
            ("- : +", Some(BlackWins), true),
            ("+ : -", Some(WhiteWins), true),
        ] {
            let tag = read_result_tag(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((tag.result, tag.is_forfeit), (result, is_forfeit), "{text}");
            let (end, length) = first_result(&format!("{text} x")).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((end.result, end.is_forfeit, length), (result, is_forfeit, text.len()), "{text}");
        }
        for (text, result) in [
            ("1-0 ", WhiteWins),
            (" 0-1", BlackWins),
            ("0-0", BothLose),
            ("+-", WhiteWins),
            ("- - +", BlackWins),
            ("0. 5 - 0. 5", Draw),
            ("1-0 on time", WhiteWins),
            ("0-1 (resigns)", BlackWins),
            ("1/2-1/2.", Draw),
            ("1-0;", WhiteWins),
            ("1\u{ad}-\u{200b}0", WhiteWins),
            ("–\u{ad}\u{ad}––", BothLose),
        ] {
            assert_eq!(read_result_tag(text).and_then(|end| end.result), Some(result), "{text:?}");
        }
    }

    #[test]
    fn a_tag_may_say_how_a_game_was_given_away() {
        for (text, is_forfeit) in
            [("1-0 (forfeit)", true), ("0-1 Default", true), ("0-0 no show", true), ("1-0 on time", false)]
        {
            assert_eq!(read_result_tag(text).map(|end| end.is_forfeit), Some(is_forfeit), "{text}");
        }
    }

    #[test]
    fn other_words_are_no_results() {
        for text in ["", "?", "won", "1-1", "1/2-1", "1-0-0", "2-0", "-", "=-", "1-0x"] {
            assert_eq!(read_result_tag(text), None, "{text:?}");
        }
        for text in
            ["0-0", "0-0-0", "0-0+", "--", "+-", "-+", "+/-", "-/+", "=", "=+", "1.", "1", "1-0-0", "10-0", "1-0x"]
        {
            assert_eq!(first_result(text), None, "{text:?}");
        }
    }
}
