//! What a game is called: the name of its file without the ending, safe on every system.

use std::fmt;
use std::io;

/// The longest name, in bytes.
const MAX_LENGTH: usize = 240;
/// Names that Windows keeps for devices, whatever follows a dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// What no name may have on one system or another.
const FORBIDDEN: [char; 9] = ['/', '\\', ':', '*', '?', '"', '<', '>', '|'];

/// The name of a game.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Identity(String);

impl Identity {
    /// The game of this name; `None` if no file can be called so everywhere.
    pub fn new(name: &str) -> Option<Self> {
        let is_letter = |letter: char| !letter.is_control() && !FORBIDDEN.contains(&letter);
        let is_named = !name.is_empty() && name.len() <= MAX_LENGTH && name.chars().all(is_letter);
        let has_ends = !name.starts_with(['.', ' ']) && !name.ends_with(['.', ' ']);
        (is_named && has_ends && !is_device(name)).then(|| Self(name.to_owned()))
    }

    /// A name that no other game has: a UUID of version 4.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        bytes[6] = bytes[6] & 0x0F | 0x40;
        bytes[8] = bytes[8] & 0x3F | 0x80;
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
        Ok(Self(format!("{a}-{b}-{c}-{d}-{e}")))
    }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let number = ["com", "lpt"].into_iter().find_map(|port| stem.strip_prefix(port));
    let is_port = number
        .is_some_and(|number| ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"].contains(&number));
    DEVICES.contains(&&stem[..]) || is_port
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        let random = Identity::random().unwrap().to_string();
        assert!(
            random.len() == 36 && random.as_bytes()[14] == b'4' && random != Identity::random().unwrap().to_string()
        );
        for name in [&random[..], "My best game", "game.2", "Größe", "a", "console", "com10", "0"] {
            assert!(Identity::new(name).is_some(), "{name}");
        }
        let long = "x".repeat(MAX_LENGTH + 1);
        for name in [
            "", ".", "..", "../x", "a/b", "a\\b", "C:", "C:x", "a\0", "a\nb", ".hidden", "a.", "a ", " a", "con",
            "CON", "nul.txt", "Com1", "lpt9.x", "lpt¹", "aux ", "a:stream", "a*", "a?", "\"a\"", "a|b", "<a>", &long,
        ] {
            assert!(Identity::new(name).is_none(), "{name:?}");
        }
    }
}
