//! Numbers and names as people read them.

use pgn::{Date, EngineScore};

use crate::model::{Game, Judgement, Label, Phase, Side};

/// Above this many centipawns a score is a win found in endgame tables.
const TABLEBASE_WIN: i32 = 19_000;

/// A score for White: `+0.31`, `−1.20`, `#3`, `#−3`, `#` for mate on the board; `+TB` if endgame tables know that White wins.
pub(super) fn score(score: EngineScore) -> String {
    match score {
        EngineScore::Mate(0) => "#".to_owned(),
        EngineScore::Mate(moves) if moves < 0 => format!("#−{}", moves.unsigned_abs()),
        EngineScore::Mate(moves) => format!("#{moves}"),
        EngineScore::Centipawns(value) => {
            let sign = if value < 0 { '−' } else { '+' };
            let value = value.unsigned_abs();
            if value >= TABLEBASE_WIN.unsigned_abs() {
                return format!("{sign}TB");
            }
            format!("{sign}{}.{:02}", value / 100, value % 100)
        }
    }
}

/// Points, 0 to 1, as a whole number of per cent.
pub(super) fn percent(points: f64) -> String {
    format!("{:.0}%", 100.0 * points)
}

/// A number with one decimal, or a dash for none.
pub(super) fn decimal(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

/// A large number with spaces between its thousands.
pub(super) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// `1 game`, `2 games`.
pub(super) fn plural(value: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(value as u64), if value == 1 { one } else { many })
}

/// The time on a clock: `1:02:03`, `2:03`.
pub(super) fn clock(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The number of a move and whose it is: `12.` or `12…`.
pub(super) fn number(number: u32, side: Side) -> String {
    match side {
        Side::White => format!("{number}."),
        Side::Black => format!("{number}…"),
    }
}

/// The sign of a judgement.
pub(super) const fn glyph(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "?!",
        Judgement::Mistake => "?",
        Judgement::Blunder => "??",
    }
}

/// The name of a judgement, which is its class in the style sheet too.
pub(super) const fn judgement(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    }
}

/// What moves with a label are called, where they are counted.
pub(super) const fn label(label: Label) -> &'static str {
    match label {
        Label::Brilliant => "Brilliant moves",
        Label::Great => "Great moves",
        Label::OnlyMove => "Only moves found",
        Label::Best => "Best moves",
        Label::Excellent => "Excellent moves",
        Label::Good => "Good moves",
        Label::Book => "Book moves",
        Label::Forced => "Forced moves",
        Label::Inaccuracy => "Inaccuracies",
        Label::Miss => "Misses",
        Label::Mistake => "Mistakes",
        Label::Blunder => "Blunders",
    }
}

/// The sign of a numeric judgement of the file, if it has one that is widely known.
pub(super) const fn nag(nag: u8) -> Option<&'static str> {
    Some(match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        22 | 23 => "⨀",
        32 | 33 => "⟳",
        36 | 37 => "→",
        40 | 41 => "↑",
        132 | 133 => "⇆",
        138 | 139 => "⊕",
        146 => "N",
        _ => return None,
    })
}

/// The name of a side.
pub(super) const fn side(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// The name of a phase.
pub(super) const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "Opening",
        Phase::Middlegame => "Middlegame",
        Phase::Endgame => "Endgame",
    }
}

/// The value of a tag, unless it means unknown.
pub(super) fn known<'a>(game: &'a Game, tag: &str) -> Option<&'a str> {
    game.tag(tag).map(str::trim).filter(|value| !value.chars().all(|letter| matches!(letter, '?' | '-' | '.')))
}

/// A comment without what is meant for programs, arrows and coloured squares say: `[%cal Ge2e4]`.
pub(super) fn comment(text: &str) -> String {
    let mut parts = Vec::new();
    let mut ahead = text;
    while let Some((before, command)) = ahead.split_once("[%") {
        let Some((_, after)) = command.split_once(']') else { break };
        parts.push(before);
        ahead = after;
    }
    parts.push(ahead);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name of a player, or the side's if it is unknown.
pub(super) fn player(game: &Game, side: Side) -> &str {
    let name = self::side(side);
    known(game, name).unwrap_or(name)
}

/// Code and name of the opening: by the list, or else as the file has them.
pub(super) fn opening(game: &Game) -> Option<String> {
    let (code, name) = match &game.opening {
        Some(opening) => (Some(&opening.eco[..]), Some(&opening.name[..])),
        None => (known(game, "ECO"), known(game, "Opening")),
    };
    match (code, name) {
        (Some(code), Some(name)) => Some(format!("{code} {name}")),
        (code, name) => code.or(name).map(str::to_owned),
    }
}

/// A result with the signs of print: `1–0`, `½–½`.
pub(super) fn result(result: &str) -> &str {
    match result {
        "1-0" => "1–0",
        "0-1" => "0–1",
        "1/2-1/2" => "½–½",
        "0-0" => "0–0",
        other => other,
    }
}

/// A date of PGN as people write it, as far as it is known: `11 May 1997`, `May 1997`, `1997`.
pub(super) fn date(text: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let Some(Date { year, month, day }) = Date::read(text) else { return text.to_owned() };
    let month = usize::from(month).checked_sub(1).map(|month| MONTHS[month]);
    match (month, day) {
        (Some(month), 1..) => format!("{day} {month} {year}"),
        (Some(month), 0) => format!("{month} {year}"),
        (None, _) => year.to_string(),
    }
}

/// A place; of an address what people read.
pub(super) fn site(text: &str) -> String {
    text.trim_start_matches("https://").trim_start_matches("http://").trim_end_matches('/').to_owned()
}

/// A time control of PGN as people write it where it is simple, `5 min + 3 s`; else as it is.
pub(super) fn time_control(text: &str) -> String {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (Ok(base), Ok(increment)) = (base.parse::<u32>(), increment.parse::<f64>()) else {
        return text.to_owned();
    };
    let base = if base.is_multiple_of(60) { format!("{} min", base / 60) } else { format!("{base} s") };
    if increment > 0.0 { format!("{base} + {increment} s") } else { base }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_for_people() {
        for (text, rest) in [
            ("quiet [%csl Gd5][%cal Ge4d5] but strong", "quiet but strong"),
            ("[%cal Ra5e1]", ""),
            ("", ""),
            ("[sic] 50%] [% open", "[sic] 50%] [% open"),
            ("a [%x] b [%", "a b [%"),
        ] {
            assert_eq!(comment(text), rest, "{text}");
        }
    }

    #[test]
    fn scores_read_as_in_books() {
        let texts = [
            EngineScore::Centipawns(31),
            EngineScore::Centipawns(-120),
            EngineScore::Centipawns(0),
            EngineScore::Centipawns(-19_987),
            EngineScore::Mate(3),
            EngineScore::Mate(-3),
            EngineScore::Mate(0),
        ];
        assert_eq!(texts.map(score), ["+0.31", "−1.20", "+0.00", "−TB", "#3", "#−3", "#"]);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(plural(1, "game", "games"), "1 game");
        assert_eq!(clock(5_400_900), "1:30:00");
        assert_eq!(clock(59_000), "0:59");
        assert_eq!(percent(0.125_1), "13%");
        assert_eq!(decimal(None), "–");
    }

    #[test]
    fn dates_and_time_controls_are_read_as_far_as_they_go() {
        assert_eq!(date("1997.05.11"), "11 May 1997");
        assert_eq!(date("1997.05.??"), "May 1997");
        assert_eq!(date("1979.??.??"), "1979");
        assert_eq!(date("1979.13.01"), "1979");
        assert_eq!(date("nonsense"), "nonsense");
        assert_eq!(time_control("300+3"), "5 min + 3 s");
        assert_eq!(time_control("90"), "90 s");
        assert_eq!(time_control("40/7200:3600"), "40/7200:3600");
    }
}
