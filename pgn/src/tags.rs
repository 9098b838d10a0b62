//! The tags of a game, and the seven that every game has.

/// Names and values, in order; each name once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The tags that every game has in a PGN file, in their order.
    pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| &value[..])
    }

    /// Gives a tag a value, in the place it has or as the last.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
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

/// Whether a line begins as a tag does: a bracket, a name and a quote.
pub(super) fn is_tag(line: &str) -> bool {
    read_name(line).is_some()
}

/// The name at the start of a tag, and what follows the opening quote.
fn read_name(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('[')?.trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    let (name, rest) = rest.split_at(end);
    let value = rest.trim_start().strip_prefix('"')?;
    (!name.is_empty()).then_some((name, value))
}

/// Takes one tag off the start of a line: name, value and the rest of the line.
///
/// A quote that is not followed by the closing bracket belongs to the value, as do the rest of the line if the tag is
/// not closed: files in the wild have both.
pub(super) fn take_tag(line: &str) -> Option<(&str, String, &str)> {
    let (name, text) = read_name(line)?;
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
            '"' => match text[at + 1..].trim_start().strip_prefix(']') {
                Some(rest) => return Some((name, value, rest)),
                // From the start alone: the end would be looked at for each quote.
                None if text[at + 1..].trim_start().is_empty() => return Some((name, value, "")),
                None => value.push('"'),
            },
            letter if letter.is_control() => value.push(' '),
            letter => value.push(letter),
        }
    }
    value.truncate(value.trim_end().len());
    Some((name, value, ""))
}
