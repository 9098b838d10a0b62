//! From files of games to packed ones and back.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use platform::OutputFile;
use rayon::prelude::*;

use super::{MAGIC, MAX_SETTINGS_LEN, POSITIONS, check, pack, positions};
use crate::games::blocks::{BLOCK_LEN, Block, BlockError, Blocks, write_games};
use crate::games::datagen::pending_games;
use crate::games::game::Game;

/// How to pack.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    /// The settings of games that come without: what is to be known of them later, as text.
    pub settings: String,
    /// Leave out games that came before, move for move.
    pub without_duplicates: bool,
}

/// What was converted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Converted {
    /// Games written, and positions from search trees.
    pub games: u64,
    /// Positions of them.
    pub positions: u64,
    /// Games left out, as they came before.
    pub duplicates: u64,
    /// Bytes written.
    pub bytes: u64,
    /// What was left out for other reasons, in words.
    pub faults: Vec<String>,
}

impl fmt::Display for Converted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = self.bytes as f64 / self.positions.max(1) as f64;
        let Self { games, positions, bytes, .. } = self;
        write!(f, "{games} games, {positions} positions, {bytes} bytes, {share:.3} a position")?;
        if self.duplicates > 0 { write!(f, "; {} duplicates left out", self.duplicates) } else { Ok(()) }
    }
}

/// Packs the games of files of either form into a new file. Blocks that were packed before keep their settings.
///
/// # Errors
///
/// If a file cannot be read or written, a source holds something else than games or games of a future version, or there
/// is a file at `target` already; nothing is written then. Damaged parts are noted and left out.
pub fn pack_files(sources: &[PathBuf], target: &Path, packing: &Packing) -> io::Result<Converted> {
    if packing.settings.len() > MAX_SETTINGS_LEN || packing.settings.as_bytes().windows(MAGIC.len()).any(|w| w == MAGIC)
    {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the settings cannot be stored: too long"));
    }
    let form = Form { len: positions, most: POSITIONS, write: |games, settings| Ok(pack(games, settings)) };
    Converter::new(form, packing.clone()).run(sources, target)
}

/// Writes the games of files of either form into a new file in viriformat.
///
/// # Errors
///
/// As of [`pack_files`].
pub fn unpack_files(sources: &[PathBuf], target: &Path) -> io::Result<Converted> {
    let write = |games: &[Game], _: &str| {
        let mut bytes = Vec::new();
        write_games(&mut bytes, games)?;
        Ok(bytes)
    };
    Converter::new(Form { len: Game::encoded_len, most: BLOCK_LEN, write }, Packing::default()).run(sources, target)
}

/// What games become.
struct Form {
    /// What a game adds to the length of a block.
    len: fn(&Game) -> usize,
    /// The length after which a block is full.
    most: usize,
    /// The bytes of a block of games with these settings.
    write: fn(&[Game], &str) -> io::Result<Vec<u8>>,
}

/// The games of a block to come.
#[derive(Default)]
struct Part {
    settings: String,
    games: Vec<Game>,
    len: usize,
}

struct Converter {
    form: Form,
    packing: Packing,
    seen: HashSet<u64>,
    /// Blocks to be written; the last one may get more games.
    parts: Vec<Part>,
    converted: Converted,
}

impl Converter {
    fn new(form: Form, packing: Packing) -> Self {
        Self { form, packing, seen: HashSet::new(), parts: vec![Part::default()], converted: Converted::default() }
    }

    fn run(mut self, sources: &[PathBuf], target: &Path) -> io::Result<Converted> {
        if target.is_file() {
            let text = format!("{} is there already: it would be overwritten", target.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
        }
        let mut output = OutputFile::create(target)?;
        for source in sources {
            let pending = pending_games(source);
            if pending > 0 {
                let text = format!(
                    "{}: {pending} games in its journal not read: `datagen generate` adds them",
                    source.display()
                );
                self.converted.faults.push(text);
            }
            self.read(source, &mut output)?;
        }
        self.write(&mut output, 0)?;
        output.commit()?;
        Ok(self.converted)
    }

    fn read(&mut self, source: &Path, output: &mut OutputFile) -> io::Result<()> {
        let named = |error: &dyn fmt::Display| format!("{}: {error}", source.display());
        let invalid = |error: &dyn fmt::Display| io::Error::new(io::ErrorKind::InvalidData, named(error));
        let mut blocks = Blocks::open(source)?;
        let (games_before, faults_before) =
            (self.converted.games + self.converted.duplicates, self.converted.faults.len());
        loop {
            let batch: Vec<_> = blocks.by_ref().take(rayon::current_num_threads()).collect();
            if batch.is_empty() {
                break;
            }
            let read: Vec<Result<Read, BlockError>> =
                batch.into_par_iter().map(|block| Ok(Read::new(&block?))).collect();
            for read in read {
                match read {
                    Ok(read) => {
                        self.converted.faults.extend(read.faults.iter().map(|fault| named(fault)));
                        self.add(read);
                    }
                    Err(error) if error.is_fatal() => return Err(invalid(&error)),
                    Err(error) => self.converted.faults.push(named(&error)),
                }
            }
            if self.parts.len() > rayon::current_num_threads() {
                self.write(output, 1)?;
            }
        }
        let has_games = self.converted.games + self.converted.duplicates > games_before;
        match self.converted.faults.get(faults_before) {
            Some(fault) if !has_games => Err(io::Error::new(io::ErrorKind::InvalidData, fault.clone())),
            _ => Ok(()),
        }
    }

    /// Puts games into blocks to come.
    fn add(&mut self, read: Read) {
        let settings = if read.settings.is_empty() { &self.packing.settings } else { &read.settings };
        for game in read.games {
            if self.packing.without_duplicates && game.result.is_some() && !self.seen.insert(game.hash()) {
                self.converted.duplicates += 1;
                continue;
            }
            self.converted.games += 1;
            self.converted.positions += positions(&game) as u64;
            let len = (self.form.len)(&game);
            match self.parts.last_mut() {
                Some(part) if part.len + len <= self.form.most && part.settings == *settings => {
                    part.len += len;
                    part.games.push(game);
                }
                _ => self.parts.push(Part { settings: settings.clone(), games: vec![game], len }),
            }
        }
    }

    /// Writes all blocks but the last `kept` ones.
    fn write(&mut self, output: &mut OutputFile, kept: usize) -> io::Result<()> {
        let parts: Vec<_> = self.parts.drain(..self.parts.len() - kept).collect();
        let write = |part: Part| (self.form.write)(&part.games, &part.settings);
        let blocks: Vec<_> = parts.into_par_iter().filter(|part| !part.games.is_empty()).map(write).collect();
        for block in blocks {
            let block = block?;
            output.write_all(&block)?;
            self.converted.bytes += block.len() as u64;
        }
        Ok(())
    }
}

/// What a block holds that can be converted.
struct Read {
    settings: String,
    games: Vec<Game>,
    faults: Vec<String>,
}

impl Read {
    fn new(block: &Block) -> Self {
        let mut read = Self { settings: block.settings().to_owned(), games: Vec::new(), faults: Vec::new() };
        for game in block.games() {
            match game.map_err(|error| error.to_string()).and_then(|game| {
                check(&game).map_err(|error| format!("{error}: game left out"))?;
                Ok(game)
            }) {
                Ok(game) => read.games.push(game),
                Err(fault) => read.faults.push(fault),
            }
        }
        read
    }
}
