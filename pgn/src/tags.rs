//! The tags of a game, and the seven that every game has.

use std::collections::HashMap;

use crate::invisible::is_blank;

/// With more tags they are found through an index; with fewer, one after the other is quicker.
const FEW: usize = 32;

/// Names and values, in order; each name once.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    list: Vec<(String, String)>,
    /// The places of the names, if there are many.
    index: HashMap<String, usize>,
}

/// The order counts.
impl PartialEq for Tags {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Eq for Tags {}

impl Tags {
    /// The tags that every game has in a PGN file, in their order.
    pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

    fn place(&self, name: &str) -> Option<usize> {
        if self.list.len() <= FEW {
            return self.list.iter().position(|(other, _)| other == name);
        }
        self.index.get(name).copied()
    }

    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.place(name).map(|place| &self.list[place].1[..])
    }

    /// Gives a tag a value, in the place it has or as the last.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        if let Some(place) = self.place(name) {
            self.list[place].1 = value.into();
            return;
        }
        self.list.push((name.to_owned(), value.into()));
        let first = if self.list.len() == FEW + 1 { 0 } else { self.list.len() - 1 };
        if self.list.len() > FEW {
            self.index.extend(self.list[first..].iter().zip(first..).map(|((name, _), place)| (name.clone(), place)));
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().map(|(name, value)| (&name[..], &value[..]))
    }

    /// The seven of the roster, with `?` or what stands for nothing known, then all others.
    pub(super) fn in_export_order(&self) -> impl Iterator<Item = (&str, &str)> {
        let roster = Self::ROSTER.into_iter().map(|name| {
            let unknown = if name == "Date" { "????.??.??" } else { "?" };
            (name, self.get(name).unwrap_or(unknown))
        });
        roster.chain(self.iter().filter(|(name, _)| !Self::ROSTER.contains(name)))
    }
}

/// The name of the tag that begins a text: a bracket, a name and a quote.
pub(super) fn tag_name(text: &str) -> Option<&str> {
    read_name(text).map(|(name, _)| name)
}

/// Letters of names: those of the standard, and what programs add.
fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '+' | '#' | '=' | ':' | '-')
}

/// The name at the start of a tag, and what follows the opening quote.
fn read_name(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('[')?.trim_start();
    let end = rest.find(|letter: char| !is_of_name(letter))?;
    let (name, rest) = rest.split_at(end);
    let value = rest.trim_start_matches(is_blank).strip_prefix(QUOTES)?;
    name.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_').then_some((name, value))
}

/// The quotes around a value, and those that word processors make of them.
const QUOTES: [char; 4] = ['"', '“', '”', '„'];

/// Takes a tag without quotes off the start of a line, `[Site Berlin]`: name, value and the rest of the line.
pub(super) fn take_bare_tag(line: &str) -> Option<(&str, String, &str)> {
    let rest = line.strip_prefix('[')?.trim_start();
    let (inside, rest) = rest.split_once(']')?;
    let (name, value) = inside.split_once(is_blank).unwrap_or((inside, ""));
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && name.chars().all(is_of_name);
    is_name.then(|| (name, value.trim().trim_matches(['\'', '’', '‘']).replace(char::is_control, " "), rest))
}

/// Takes one tag off the start of a line: name, value and the rest of the line.
///
/// A quote that is not followed by the closing bracket belongs to the value, as do the rest of the line if the tag is
/// not closed: files in the wild have both.
pub(super) fn take_tag(line: &str) -> Option<(&str, String, &str)> {
    let (name, text) = read_name(line)?;
    if let Some((value, rest)) = plain_value(text) {
        return Some((name, value.to_owned(), rest));
    }
    let is_typed = line[..line.len() - text.len()].ends_with('"');
    let mut ends = PlainEnds { text, next: 0 };
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.clone().next() {
                Some((_, escaped @ ('"' | '\\'))) => {
                    letters.next();
                    value.push(escaped);
                }
                _ => value.push('\\'),
            },
            _ if QUOTES.contains(&letter) => {
                // Control characters are written as blanks, so they must be read as such.
                let is_space = |letter: char| letter.is_whitespace() || letter.is_control();
                let after = text[at + letter.len_utf8()..].trim_start_matches(is_space);
                let closed = after.strip_prefix(']');
                let is_end = if letter != '"' && is_typed && ends.follow(at) {
                    opens_plainly(closed.unwrap_or(after).trim_start_matches(is_space))
                } else {
                    // From the start alone: the end would be looked at for each quote. Else a bracket may be missing.
                    closed.is_some() || after.is_empty() || tag_name(after).is_some()
                };
                if is_end {
                    return Some((name, value, closed.unwrap_or(after)));
                }
                value.push(letter);
            }
            letter if letter.is_control() => value.push(' '),
            letter => value.push(letter),
        }
    }
    value.truncate(value.trim_end().len());
    Some((name, value, ""))
}

/// Whether a tag with a plain quote begins here, one that does not itself end what came before. Within a value that Vancura has
/// written there is none, as plain quotes have a backslash before them there.
fn opens_plainly(text: &str) -> bool {
    read_name(text).is_some_and(|(_, value)| text[..text.len() - value.len()].ends_with('"') && !value.starts_with(']'))
}

/// Where tags end with a plain quote, in a text that is gone through once: before that, other quotes may belong to the value.
struct PlainEnds<'a> {
    text: &'a str,
    /// The next quote and bracket; behind the text if there is none.
    next: usize,
}

impl PlainEnds<'_> {
    /// Whether one follows.
    fn follow(&mut self, at: usize) -> bool {
        if self.next <= at {
            let found = memchr::memmem::find(&self.text.as_bytes()[at..], b"\"]");
            self.next = found.map_or(usize::MAX, |found| at + found);
        }
        self.next != usize::MAX
    }
}

/// The value up to the quote and bracket that end it, if it has nothing that must be written otherwise, and the rest.
fn plain_value(text: &str) -> Option<(&str, &str)> {
    let end = memchr::memchr2(b'"', b'\\', text.as_bytes())?;
    let rest = text[end..].strip_prefix("\"]")?;
    let value = &text[..end];
    let is_plain = value.bytes().all(|byte| (b' '..0x7F).contains(&byte));
    is_plain.then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_more_is_no_search_through_all() {
        // A look at each for each of them would not end.
        let count = 500_000;
        let mut tags = Tags::default();
        (0..count).for_each(|number| tags.set(&format!("T{number}"), ""));
        assert_eq!((tags.len(), tags.get("T499999")), (count, Some("")));
    }

    #[test]
    fn other_quotes_end_a_value_only_where_plain_ones_do_not() {
        for (line, value, rest) in [
            (r#"[A "a „ ] b"] c"#, "a „ ] b", " c"),
            (r#"[A "\"\\ „ ]"]"#, "\"\\ „ ]", ""),
            (r#"[A "a”] [B "b"]"#, "a", r#" [B "b"]"#),
            (r#"[A “a”] [B "b"]"#, "a", r#" [B "b"]"#),
            (r#"[A "a”]"#, "a", ""),
            ("[A \"a „\0] b [c\"]", "a „ ] b [c", ""),
            (r#"[A "a” [B "b"]"#, "a", r#"[B "b"]"#),
            (r#"[A "a“ [B“ c"]"#, "a“ [B“ c", ""),
            (r#"[A "a“] [b"]"#, "a“] [b", ""),
            (r#"[A “a "] b"]"#, "a ", r#" b"]"#),
        ] {
            assert_eq!(take_tag(line), Some(("A", value.to_owned(), rest)), "{line}");
        }
        // Each of them is looked at once.
        let line = format!("[A \"{}", "„]".repeat(1 << 20));
        assert_eq!(take_tag(&line).map(|(_, value, rest)| (value, rest.len())), Some((String::new(), line.len() - 8)));
    }

    #[test]
    fn what_is_written_reads_back_whatever_it_is() {
        const LETTERS: [char; 7] = ['"', '\\', '“', ']', '[', 'b', ' '];
        for number in 0..LETTERS.len().pow(6) {
            let value: String =
                (0..6).map(|place| LETTERS[number / LETTERS.len().pow(place) % LETTERS.len()]).collect();
            let escaped = value.replace('\\', r"\\").replace('"', "\\\"");
            for after in ["", " [B \"\"]", "]", " [b"] {
                let line = format!("[A \"{escaped}\"]{after}");
                assert_eq!(take_tag(&line), Some(("A", value.clone(), after)), "{line}");
            }
        }
    }

    #[test]
    fn many_tags_are_found_as_few_are() {
        let mut tags = Tags::default();
        for round in 0..2 {
            for number in 0..3 * FEW {
                tags.set(&format!("T{number}"), format!("{round}"));
                assert_eq!(tags.get(&format!("T{number}")), Some(&round.to_string()[..]));
            }
        }
        assert_eq!((tags.len(), tags.get("T"), tags.get("T0")), (3 * FEW, None, Some("1")));
        assert!(tags.iter().zip(0..).all(|((name, value), number)| name == format!("T{number}") && value == "1"));
    }
}
