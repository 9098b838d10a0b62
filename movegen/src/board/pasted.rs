//! A FEN as people paste it: in quotes, with the word before it and the moves after it, or out of an address.

/// The letters that stand around a FEN and are no part of one, some of them without width.
const QUOTES: [char; 14] =
    ['"', '\'', '`', '“', '”', '„', '‘', '’', '\u{FEFF}', '\u{200B}', '\u{200E}', '\u{200F}', '\u{2060}', '\u{AD}'];

/// What comes before a FEN where one is sent, stored or written in a program.
const LEADERS: [&str; 7] = ["position", "setboard", "fen", "fen:", "fen=", "[fen", "epd"];

/// A text taken apart.
pub(super) struct Pasted<'a> {
    /// The fields of the FEN and what follows them.
    pub fields: Vec<&'a str>,
    /// The words of what EPD says of the position instead of counters.
    pub operations: Vec<&'a str>,
    /// The moves to be made from there.
    pub moves: Vec<&'a str>,
}

/// A word without what is written before a FEN with no blank between: `fen=`, `https://lichess.org/analysis/`.
fn after_leader(word: &str) -> &str {
    let has_leader = |leader: &str| word.get(..leader.len()).is_some_and(|start| start.eq_ignore_ascii_case(leader));
    if let Some(leader) = LEADERS.into_iter().find(|leader| leader.ends_with([':', '=']) && has_leader(leader)) {
        return word[leader.len()..].trim_matches(QUOTES);
    }
    if !["http://", "https://"].into_iter().any(has_leader) {
        return word;
    }
    // The ranks are its last eight parts.
    word.rmatch_indices('/').nth(7).map_or(word, |(slash, _)| &word[slash + 1..])
}

/// The words of a text that are a FEN, and those that are moves after it.
pub(super) fn take_apart(text: &str) -> Pasted<'_> {
    let mut words =
        text.split_whitespace().map(|word| word.trim_matches(QUOTES)).filter(|word| !word.is_empty()).peekable();
    while words.peek().is_some_and(|word| LEADERS.iter().any(|leader| word.eq_ignore_ascii_case(leader))) {
        words.next();
    }
    let mut fields: Vec<&str> = Vec::new();
    // In addresses blanks are underscores.
    if let Some(word) = words.next_if(|word| word.contains('/')) {
        let word = after_leader(word);
        fields.extend(word.split('_').filter(|field| !field.is_empty()));
    }
    fields.extend(words.by_ref().take_while(|word| *word != "moves"));
    // What EPD says of a position is no counter: `w - - bm e4; id "x";`
    let is_operation = |word: &str| word.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let has_operations =
        fields.get(4).is_some_and(|word| is_operation(word)) && fields[5..].iter().any(|word| word.contains(';'));
    let mut operations = if has_operations { fields.split_off(4) } else { Vec::new() };
    for field in fields.iter_mut().chain(&mut operations) {
        // `0 1;`, `0 1"]`
        *field = field.trim_end_matches([';', ',', ']']).trim_matches(QUOTES);
    }
    fields.retain(|field| !field.is_empty());
    // `e2e4, e7e5;`, `1. e4 e5`
    let is_number = |word: &str| word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
    let moves = words.map(|word| word.trim_end_matches([';', ',', ']']).trim_matches(QUOTES));
    Pasted { fields, operations, moves: moves.filter(|word| !word.is_empty() && !is_number(word)).collect() }
}
