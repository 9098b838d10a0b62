//! The names of players: which are the same, and which are near.

use std::collections::HashMap;

use pgn::comparable_name;

/// The most names that are remembered, for the message that nobody is called so.
const MAX_NAMES: usize = 20_000;
/// How many names that message has of each kind.
const SUGGESTIONS: usize = 5;

/// The names of the file, for the case that the one asked for is not among them.
#[derive(Default)]
pub(crate) struct Names {
    /// By how they are compared: as they are written, and in how many games.
    counts: HashMap<String, (String, u64)>,
}

impl Names {
    /// Counts a player of a game.
    pub fn add(&mut self, name: &str) {
        if matches!(name, "" | "?") {
            return;
        }
        let key = comparable_name(name);
        if self.counts.len() < MAX_NAMES || self.counts.contains_key(&key) {
            self.counts.entry(key).or_insert_with(|| (name.to_owned(), 0)).1 += 1;
        }
    }

    /// The names most like this one, and those of the most games.
    pub fn suggest(&self, name: &str) -> (Vec<String>, Vec<String>) {
        let wanted = comparable_name(name);
        let mut names: Vec<_> = self.counts.iter().collect();
        let texts = |names: &[(&String, &(String, u64))]| {
            let text = |(_, (name, count)): &(&String, &(String, u64))| format!("{name} ({count})");
            names.iter().take(SUGGESTIONS).map(text).collect::<Vec<_>>()
        };
        names.sort_by(|(key, (_, count)), (other_key, (_, other))| other.cmp(count).then(key.cmp(other_key)));
        let frequent = texts(&names);
        let likeness = |key: &str| {
            let is_part = !wanted.is_empty() && wanted.split(' ').any(|word| key.split(' ').any(|other| other == word));
            strsim::jaro_winkler(&wanted, key) + f64::from(u8::from(is_part))
        };
        let mut near: Vec<_> = names.into_iter().map(|entry| (likeness(entry.0), entry)).collect();
        near.retain(|(likeness, _)| *likeness > 0.8);
        near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        (texts(&near.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>()), frequent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_frequent_names_are_suggested() {
        let mut names = Names::default();
        for name in ["Anna Berg", "Berg, Anna", "anna berg", "Ben", "Ben", "Clara Dorn", "?", ""] {
            names.add(name);
        }
        let (near, frequent) = names.suggest("Ana Berg");
        assert_eq!(near[0], "Anna Berg (3)");
        assert_eq!(frequent, ["Anna Berg (3)", "Ben (2)", "Clara Dorn (1)"]);
        assert!(names.suggest("zzzzzzz").0.is_empty());
    }
}
