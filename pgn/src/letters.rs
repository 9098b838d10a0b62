//! The letters that languages have for the pieces.
//!
//! A game is read with those of English, unless a tag says otherwise. Where a move has a letter that English lacks, and all
//! moves of the game can be read in another language, it is read in that.
//!
//! Source: the table in S. Edwards, "PGN Standard" (1994), 8.2.3.2, and Wikipedia, "Chess notation", for those it lacks.

/// The letters of one language.
#[derive(Debug)]
pub(super) struct Letters {
    /// By ISO 639.
    code: &'static str,
    /// In English.
    pub name: &'static str,
    /// In the language itself.
    own_name: &'static str,
    /// King, queen, rook, bishop, knight.
    pieces: [&'static str; 5],
}

/// The same in English.
const PIECES: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

pub(super) static ENGLISH: Letters = letters("en", "English", "English", ["K", "Q", "R", "B", "N"]);

/// Of languages with the same letters, the first is the one that is named.
static OTHERS: [Letters; 21] = [
    letters("de", "German", "Deutsch", ["K", "D", "T", "L", "S"]),
    letters("fr", "French", "Français", ["R", "D", "T", "F", "C"]),
    letters("es", "Spanish", "Español", ["R", "D", "T", "A", "C"]),
    letters("it", "Italian", "Italiano", ["R", "D", "T", "A", "C"]),
    letters("nl", "Dutch", "Nederlands", ["K", "D", "T", "L", "P"]),
    letters("pt", "Portuguese", "Português", ["R", "D", "T", "B", "C"]),
    letters("ru", "Russian", "Русский", ["Кр", "Ф", "Л", "С", "К"]),
    letters("uk", "Ukrainian", "Українська", ["Кр", "Ф", "Т", "С", "К"]),
    letters("pl", "Polish", "Polski", ["K", "H", "W", "G", "S"]),
    letters("cs", "Czech", "Čeština", ["K", "D", "V", "S", "J"]),
    letters("hu", "Hungarian", "Magyar", ["K", "V", "B", "F", "H"]),
    letters("ro", "Romanian", "Română", ["R", "D", "T", "N", "C"]),
    letters("fi", "Finnish", "Suomi", ["K", "D", "T", "L", "R"]),
    letters("et", "Estonian", "Eesti", ["K", "L", "V", "O", "R"]),
    letters("is", "Icelandic", "Íslenska", ["K", "D", "H", "B", "R"]),
    letters("hr", "Croatian", "Hrvatski", ["K", "D", "T", "L", "S"]),
    letters("sv", "Swedish", "Svenska", ["K", "D", "T", "L", "S"]),
    letters("da", "Danish", "Dansk", ["K", "D", "T", "L", "S"]),
    letters("nb", "Norwegian", "Norsk", ["K", "D", "T", "L", "S"]),
    letters("ca", "Catalan", "Català", ["R", "D", "T", "A", "C"]),
    letters("tr", "Turkish", "Türkçe", ["Ş", "V", "K", "F", "A"]),
];

const fn letters(code: &'static str, name: &'static str, own_name: &'static str, pieces: [&'static str; 5]) -> Letters {
    Letters { code, name, own_name, pieces }
}

impl Letters {
    /// Whether they are those of English, which need no translation.
    pub fn are_english(&self) -> bool {
        std::ptr::eq(self, &ENGLISH)
    }

    /// The language that a tag names, by its code, as in `de` and `de-AT`, or its name.
    pub fn named(text: &str) -> Option<&'static Self> {
        let text = text.trim().to_lowercase();
        let code = text.split(['-', '_']).next().unwrap_or_default();
        std::iter::once(&ENGLISH).chain(&OTHERS).find(|letters| {
            letters.code == code || [letters.name, letters.own_name].into_iter().any(|name| name.to_lowercase() == text)
        })
    }

    /// Languages that have all these letters, the first of those that are alike.
    pub fn with(seen: &str) -> impl Iterator<Item = &'static Self> {
        let has_all =
            |letters: &Self| seen.chars().all(|letter| letters.pieces.iter().any(|name| name.starts_with(letter)));
        let fitting = OTHERS.iter().enumerate().filter(move |(_, letters)| has_all(letters));
        fitting
            .filter(|(index, letters)| !OTHERS[..*index].iter().any(|other| other.pieces == letters.pieces))
            .map(|(_, letters)| letters)
    }

    /// Whether a letter begins the name of a piece in any of the languages.
    pub fn begin_a_piece(letter: char) -> bool {
        Self::with(letter.encode_utf8(&mut [0; 4])).next().is_some()
    }

    /// The English letter of the piece that begins a text, and the text after its letter.
    pub fn piece<'a>(&self, text: &'a str) -> Option<(char, &'a str)> {
        if self.are_english() {
            let letter = char::from(*text.as_bytes().first()?);
            return PIECES.contains(&letter).then(|| (letter, &text[1..]));
        }
        let of = |index: usize| Some((PIECES[index], text.strip_prefix(self.pieces[index])?));
        // The king first: where his name has two letters, the first is another piece's.
        (0..PIECES.len()).find_map(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_by_name_and_by_letters() {
        let name = |text| Letters::named(text).map(|letters| letters.name);
        assert_eq!(
            [name("de"), name("Deutsch"), name("fr-CA"), name("ESPAÑOL")],
            [Some("German"), Some("German"), Some("French"), Some("Spanish")]
        );
        assert_eq!((name("en"), name("Klingon"), name("")), (Some("English"), None, None));
        let with = |seen| Letters::with(seen).map(|letters| letters.code).collect::<Vec<_>>();
        assert_eq!(with("SL"), ["de"]);
        assert_eq!(with("CF"), ["fr"]);
        assert_eq!(with("CA"), ["es"]);
        assert_eq!(with("СФ"), ["ru", "uk"]);
        assert!(with("X").is_empty());
    }

    #[test]
    fn pieces_have_their_english_letters() {
        let german = Letters::named("de").unwrap();
        assert_eq!(german.piece("Sf3"), Some(('N', "f3")));
        assert_eq!(german.piece("Nf3"), None);
        let russian = Letters::named("ru").unwrap();
        assert_eq!((russian.piece("Крe1"), russian.piece("Кf3")), (Some(('K', "e1")), Some(('N', "f3"))));
    }
}
