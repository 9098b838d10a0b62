//! What is looked for in a list of games: words of which each must be found.

use movegen::GameResult;
use pgn::read_result;

use super::names::folded;

/// The most words that are heeded.
const MAX_TERMS: usize = 16;

/// Words to look for. Each may be in quotes, and may name where it is to be found: `white:carlsen`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query(Vec<Term>);

/// One of the words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Term {
    /// Where it is to be found; anywhere if there is none.
    pub field: Option<String>,
    /// In small letters without accents.
    pub text: String,
    /// The result that it means, if it means one; in it, `None` is no result.
    pub result: Option<Option<GameResult>>,
    /// The digits of a date that it may be the beginning of.
    date: Option<String>,
}

/// Where a word can be looked for alone.
const FIELDS: [&str; 8] = ["white", "black", "player", "event", "eco", "year", "date", "result"];

impl Query {
    /// Takes a text apart.
    pub fn new(text: &str) -> Self {
        Self(words(text).into_iter().take(MAX_TERMS).map(|word| Term::new(&word)).collect())
    }

    /// Whether every game is wanted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = &Term> {
        self.0.iter()
    }
}

/// The words of a text; what stands in quotes is one.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in text.chars().chain([' ']) {
        match letter {
            '"' => is_quoted = !is_quoted,
            _ if letter.is_whitespace() && !is_quoted => words.extend(Some(std::mem::take(&mut word))),
            _ => word.push(letter),
        }
    }
    // A quotation that is not closed ends with the text.
    words.push(word.trim_end().to_owned());
    words.retain(|word| !word.is_empty());
    words
}

impl Term {
    fn new(word: &str) -> Self {
        let field =
            word.split_once(':').filter(|(field, _)| FIELDS.iter().any(|name| field.eq_ignore_ascii_case(name)));
        let (field, value) = field.map_or((None, word), |(field, value)| (Some(field.to_lowercase()), value));
        let result = if value == "*" { Some(None) } else { read_result(value).map(Some) };
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        let is_date =
            digits.len() >= 4 && value.chars().all(|letter| letter.is_ascii_digit() || ".-?".contains(letter));
        Self { field, text: folded(value), result, date: is_date.then_some(digits) }
    }

    /// Whether a date, as one number, begins as the word does.
    pub fn is_date(&self, date: u32) -> bool {
        self.date.as_ref().is_some_and(|digits| date.to_string().starts_with(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        assert_eq!(words(" a \"b c\"  d:\"e f\" g"), ["a", "b c", "d:e f", "g"]);
        assert_eq!(words("\"not closed "), ["not closed"]);
        assert!(Query::new(" \"\" ").is_empty());
        assert_eq!(Query::new(&"x ".repeat(99)).terms().count(), MAX_TERMS);
    }
}
