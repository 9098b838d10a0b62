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
    /// The numbers of the games in it.
    games: Vec<u32>,
    /// What the script shows of each, and what it knows, as JSON. They are packed apart: so what is alike lies close together.
    pages: Vec<String>,
    data: Vec<String>,
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
        self.games.push(game.number);
        self.pages.push(serde_json::to_string(&game::article(game, diagrams).into_string())?);
        self.data.push(data::json(game).into_string());
        if self.games.len() < GAMES { Ok(None) } else { self.finish() }
    }

    /// What is in the pack so far, if anything.
    ///
    /// # Errors
    ///
    /// If it cannot be compressed.
    pub fn finish(&mut self) -> io::Result<Option<Markup>> {
        if self.games.is_empty() {
            return Ok(None);
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        write!(encoder, "[{:?},[{}],[{}]]", self.games, self.pages.join(","), self.data.join(","))?;
        let packed = STANDARD.encode(encoder.finish()?);
        let number = self.number;
        *self = Self { number: number + 1, ..Self::default() };
        Ok(Some(html! {
            script #{ "pack-" (number) } type="text/plain" { (PreEscaped(packed)) }
            "\n"
        }))
    }
}
