//! Kinds of chess, by the tag `Variant` as programs write it.

use crate::game::PgnGame;
use crate::tags::Tags;

/// Names of the kinds that are played here, without blanks and case. Chess960 shows in the position itself.
const PLAYED: [&str; 31] = [
    "",
    "?",
    "-",
    "*",
    "standard",
    "standardchess",
    "chess",
    "normal",
    "normalchess",
    "regular",
    "regularchess",
    "orthodox",
    "orthodoxchess",
    "classical",
    "classicalchess",
    "westernchess",
    "fromposition",
    "custom",
    "setupposition",
    "chess960",
    "960",
    "fischerandom",
    "fischerandomchess",
    "fischerrandom",
    "fischerrandomchess",
    "frc",
    "dfrc",
    "freestyle",
    "freestylechess",
    "wild/fr",
    "wild/0",
];

/// The name of a variant that is not played here.
pub(super) fn foreign_variant(tags: &Tags) -> Option<String> {
    let variant = tags.get("Variant")?;
    let plain = variant.to_lowercase().replace([' ', '-', '_'], "");
    // Some write the time or the material given here.
    let is_other_word = ["blitz", "rapid", "bullet", "correspondence", "odds"].contains(&&plain[..]);
    let is_random = ["960", "9lx", "fischer"].iter().any(|word| plain.contains(word));
    let is_played = PLAYED.contains(&&plain[..]) || is_other_word || is_random || is_damaged_standard(&plain);
    (!is_played).then(|| variant.chars().take(32).collect())
}

/// Whether a name is that of the standard but for a letter or two that were changed, added or lost in a damaged file, or has it in
/// it.
fn is_damaged_standard(plain: &str) -> bool {
    const NAME: &str = "standard";
    if plain.contains(NAME) {
        return true;
    }
    let same = NAME.chars().zip(plain.chars()).take_while(|(one, other)| one == other).count();
    let same_at_end = NAME.chars().rev().zip(plain.chars().rev()).take_while(|(one, other)| one == other).count();
    let length = plain.chars().count();
    length.abs_diff(NAME.len()) <= 2 && same + same_at_end + 1 >= NAME.len()
}

impl PgnGame {
    /// Whether it is Chess960, by its start or by a tag.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        let variant = self.tags.get("Variant").unwrap_or_default().to_lowercase();
        let is_named =
            ["960", "9lx", "fischer", "freestyle", "frc", "wild/fr"].iter().any(|word| variant.contains(word));
        is_named || self.tree.start().is_chess960()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_name_of_the_standard_is_no_other_variant() {
        let foreign = |name: &str| {
            let mut tags = Tags::default();
            tags.set("Variant", name);
            foreign_variant(&tags).is_some()
        };
        for name in ["StandaHd", "ªtandard", "Standard ]", "Stanard", "Standaard", "tandard", "Standar", "àStandard\""]
        {
            assert!(!foreign(name), "{name}");
        }
        for name in ["Atomic", "Horde", "Duck", "Standoff", "St", "Crazyhouse"] {
            assert!(foreign(name), "{name}");
        }
    }
}
