//! Games of a page that has many: what the script makes of each is compressed, a few games together, since what they say
//! is alike.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use maud::{Markup, PreEscaped, html};

use super::{data, game};
use crate::model::Game;

/// How many games are packed together. More compress better, and one that is opened waits longer.
const GAMES: usize = 32;

/// Packs games, one after the other.
#[derive(Default)]
pub(super) struct Packer {
    /// Which pack is being filled.
    number: usize,
    /// The games in it, as a line of JSON each: the number, the page, the data.
    lines: Vec<String>,
}

impl Packer {
    /// The number of the pack into which the next game comes.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Adds a game; the pack, if it is full.
    ///
    /// # Errors
    ///
    /// If it cannot be compressed.
    pub fn add(&mut self, game: &Game, diagrams: usize) -> io::Result<Option<Markup>> {
        let page = serde_json::to_string(&game::article(game, diagrams).into_string())?;
        self.lines.push(format!("[{},{page},{}]", game.number, data::json(game).into_string()));
        if self.lines.len() < GAMES { Ok(None) } else { self.finish() }
    }

    /// What is in the pack so far, if anything.
    ///
    /// # Errors
    ///
    /// If it cannot be compressed.
    pub fn finish(&mut self) -> io::Result<Option<Markup>> {
        if self.lines.is_empty() {
            return Ok(None);
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(format!("[{}]", self.lines.join(",")).as_bytes())?;
        let packed = STANDARD.encode(encoder.finish()?);
        let number = self.number;
        *self = Self { number: number + 1, lines: Vec::new() };
        Ok(Some(html! {
            script #{ "pack-" (number) } type="text/plain" { (PreEscaped(packed)) }
            "\n"
        }))
    }
}
