//! Names, each kept once and known by its number.

use std::hash::{BuildHasher, RandomState};

use deunicode::deunicode;
use hashbrown::HashTable;

/// Of longer names the rest is not kept, in bytes.
const MAX_NAME: usize = 255;
/// The most bytes of all names; the largest collections have a tenth of it.
const MAX_TEXT: usize = 1 << 28;

/// Names by their numbers; the first is the empty one.
pub(super) struct Names {
    text: String,
    /// Where each name ends in the text.
    ends: Vec<u32>,
    numbers: HashTable<u32>,
    /// The place of each name in the order of all, as of when it was last asked for.
    ranks: Vec<u32>,
    /// With a random key, so that no file can be made to be slow.
    hasher: RandomState,
}

impl Default for Names {
    fn default() -> Self {
        let (numbers, hasher) = (HashTable::new(), RandomState::new());
        let mut names = Self { text: String::new(), ends: Vec::new(), numbers, ranks: Vec::new(), hasher };
        names.number("");
        names
    }
}

impl Names {
    fn name(&self, number: usize) -> &str {
        name(&self.text, &self.ends, number)
    }

    /// The number of a name, which is added if it is new; that of the empty one when there is no room left.
    pub fn number(&mut self, wanted: &str) -> u32 {
        let wanted = &wanted[..wanted.floor_char_boundary(MAX_NAME)];
        let Self { text, ends, numbers, hasher, .. } = self;
        let hash = |text: &str| hasher.hash_one(text);
        let is_wanted = |&number: &u32| name(text, ends, number as usize) == wanted;
        if let Some(&number) = numbers.find(hash(wanted), is_wanted) {
            return number;
        }
        let (Ok(number), Ok(end)) = (u32::try_from(ends.len()), u32::try_from(text.len() + wanted.len())) else {
            return 0;
        };
        if end as usize > MAX_TEXT {
            return 0;
        }
        text.push_str(wanted);
        ends.push(end);
        numbers.insert_unique(hash(wanted), number, |&number| hash(name(text, ends, number as usize)));
        number
    }

    /// Of each name, whether a folded text is in it.
    pub fn matches(&self, folded_text: &str) -> Vec<bool> {
        (0..self.ends.len()).map(|number| folded(self.name(number)).contains(folded_text)).collect()
    }

    /// Of each name its place in the order of all, whatever the case and the accents; the empty one is the last.
    pub fn ranks(&mut self) -> &[u32] {
        if self.ranks.len() != self.ends.len() {
            self.ranks = self.ranked();
        }
        &self.ranks
    }

    fn ranked(&self) -> Vec<u32> {
        let mut order: Vec<_> = (0..self.ends.len()).map(|number| (folded(self.name(number)), number)).collect();
        order.sort_unstable_by(|one, two| (one.0.is_empty(), one).cmp(&(two.0.is_empty(), two)));
        let mut ranks = vec![0; order.len()];
        let mut rank = 0;
        for (index, (name, number)) in order.iter().enumerate() {
            // Names that differ in case alone are equal.
            if index > 0 && order[index - 1].0 != *name {
                rank += 1;
            }
            ranks[*number] = rank;
        }
        ranks
    }
}

fn name<'a>(text: &'a str, ends: &[u32], number: usize) -> &'a str {
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start as usize..ends[number] as usize]
}

/// A text without case and accents, in the letters of ASCII.
pub(super) fn folded(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { deunicode(text).to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_number() {
        let mut names = Names::default();
        let many: Vec<_> = (0..5000).map(|number| format!("name {number}")).collect();
        let numbers: Vec<_> = many.iter().map(|name| names.number(name)).collect();
        assert_eq!(numbers, (1..=5000).collect::<Vec<_>>());
        assert!(many.iter().zip(&numbers).all(|(name, &number)| names.number(name) == number));
        assert_eq!((names.number(""), names.name(0), names.name(5000)), (0, "", "name 4999"));
        let long = "é".repeat(1000);
        let number = names.number(&long);
        assert_eq!(names.name(number as usize), "é".repeat(127));
    }
}
