//! Files as people choose them, as text.

use std::io::Cursor;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use super::error::RulesError;

/// The most bytes of text that are taken from a file; an archive may unfold to any number.
const MAX_TEXT: usize = 16 << 20;

/// The text of a file.
#[derive(Serialize)]
pub(super) struct Unpacked {
    text: String,
    /// Why it ends before its end, if it does.
    damage: Option<String>,
}

/// The text of a file in base64, compressed or not, in any encoding. By its name a database of another program is told.
pub(super) fn unpack(name: &str, data: &str) -> Result<Unpacked, RulesError> {
    let bytes = BASE64_STANDARD.decode(data)?;
    let input = pgn::check_kind(Path::new(name)).and_then(|()| pgn::text_of(Cursor::new(bytes)));
    let read = input.map(|input| pgn::decode_text(input, MAX_TEXT));
    let (text, error) = read.unwrap_or_else(|error| (String::new(), Some(error)));
    Ok(Unpacked { text, damage: error.map(|error| error.to_string()) })
}
