//! The names of players.

/// A name as it is compared: its words in lower case and in order, so that `Last, First` is `First Last`.
#[must_use]
pub fn comparable_name(name: &str) -> String {
    let name = name.to_lowercase();
    let mut words: Vec<_> = name.split([' ', ',', '.', '\t']).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_people_do() {
        let names = ["Carlsen, Magnus", "Magnus Carlsen", "magnus  carlsen", "CARLSEN,Magnus", "Carlsen Magnus"];
        assert!(names.iter().all(|name| comparable_name(name) == comparable_name(names[0])));
        assert_ne!(comparable_name("Carlsen, Henrik"), comparable_name(names[0]));
        assert_eq!(comparable_name("Ding, L."), comparable_name("L Ding"));
    }
}
