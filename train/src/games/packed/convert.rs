//! From files of games to packed ones and back.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use platform::OutputFile;
use rayon::prelude::*;

use super::{MAGIC, MAX_SETTINGS_LEN, POSITIONS, check, pack, positions};
use crate::games::blocks::{BLOCK_LEN, Block, BlockError, Blocks, write_games};
use crate::games::game::Game;
use crate::games::journal::pending_games;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blocks::read_games;
    use crate::records::synthetic::random_games;

    fn files(folder: &Path, pools: &[&[Game]]) -> Vec<PathBuf> {
        let file = |(index, games): (usize, &&[Game])| {
            let (path, mut bytes) = (folder.join(format!("{index}.games")), Vec::new());
            games.chunks(7).for_each(|games| write_games(&mut bytes, games).unwrap());
            fs_err::write(&path, bytes).unwrap();
            path
        };
        pools.iter().enumerate().map(file).collect()
    }

    fn read(path: &Path) -> Vec<Game> {
        read_games(path).unwrap().map(|game| game.unwrap()).collect()
    }

    fn moves(games: &[Game]) -> Vec<u64> {
        games.iter().map(Game::hash).collect()
    }

    fn packing(settings: &str, without_duplicates: bool) -> Packing {
        Packing { settings: settings.to_owned(), without_duplicates }
    }

    #[test]
    fn files_are_packed_and_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let games = random_games(61, 40);
        let sources = files(folder.path(), &[&games[..25], &games[25..]]);
        let packed = pack_files(&sources, &path("packed"), &packing("", false)).unwrap();
        assert_eq!((packed.games, packed.positions), (40, games.iter().map(|game| game.moves.len() as u64).sum()));
        assert_eq!(packed.bytes, fs_err::metadata(path("packed")).unwrap().len());
        let unpacked = unpack_files(&[path("packed")], &path("unpacked")).unwrap();
        assert_eq!((unpacked.games, unpacked.positions), (packed.games, packed.positions));
        assert_eq!(read(&path("unpacked")), read(&path("packed")));
        assert_eq!(moves(&read(&path("packed"))), moves(&games));
        assert!(!fs_err::read(path("unpacked")).unwrap().starts_with(&MAGIC));
        // Once more: nothing is rounded twice.
        pack_files(&[path("unpacked")], &path("again"), &packing("", false)).unwrap();
        assert_eq!(read(&path("again")), read(&path("packed")));
    }

    #[test]
    fn merging_drops_duplicates_of_either_form_and_keeps_settings() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut games = random_games(62, 30);
        let lone = Game { result: None, moves: games[0].moves[..1].to_vec(), ..games[0].clone() };
        games.extend([lone.clone(), lone]);
        let sources = files(folder.path(), &[&games[..20], &games[10..]]);
        pack_files(&sources[..1], &path("packed"), &packing("nodes=200", false)).unwrap();
        let merged = [path("packed"), sources[1].clone()];
        let merged = pack_files(&merged, &path("merged"), &packing("nodes=400", true)).unwrap();
        // Positions from search trees are no games.
        assert_eq!((merged.games, merged.duplicates), (32, 10));
        assert_eq!(moves(&read(&path("merged"))), moves(&games));
        let blocks: Vec<_> = Blocks::open(&path("merged")).unwrap().map(|block| block.unwrap()).collect();
        let settings: Vec<_> = blocks.iter().map(|block| (block.settings(), block.games().count())).collect();
        assert_eq!(settings, [("nodes=200", 20), ("nodes=400", 12)]);
    }

    #[test]
    fn nothing_is_overwritten_and_foreign_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let sources = files(folder.path(), &[&random_games(63, 5)]);
        fs_err::write(path("text"), "no games").unwrap();
        let refusal = |sources: &[PathBuf], target: &str, settings: &str| {
            pack_files(sources, &path(target), &packing(settings, false)).unwrap_err().to_string()
        };
        assert!(refusal(&sources, "text", "").contains("text is there already"));
        assert!(
            refusal(&[sources[0].clone(), path("text")], "new", "").contains("text: block 1, bytes 0 to 8: no whole")
        );
        assert!(refusal(&[path("none")], "new", "").contains("none"));
        assert!(refusal(&sources, "new", &"x".repeat(MAX_SETTINGS_LEN + 1)).contains("settings"));
        assert!(unpack_files(&[path("text")], &path("new")).is_err());
        assert!(!path("new").exists());
        assert_eq!(fs_err::read(path("text")).unwrap(), b"no games");
    }

    #[test]
    fn damage_and_illegal_games_are_left_out_and_said() {
        let folder = tempfile::tempdir().unwrap();
        let mut games = random_games(64, 21);
        games[2].moves[7].mv = games[2].moves[6].mv;
        let sources = files(folder.path(), &[&games]);
        let mut bytes = fs_err::read(&sources[0]).unwrap();
        bytes.extend(b"torn");
        fs_err::write(&sources[0], bytes).unwrap();
        let target = folder.path().join("packed");
        let packed = pack_files(&sources, &target, &packing("", false)).unwrap();
        assert_eq!((packed.games, packed.faults.len()), (20, 2), "{:?}", packed.faults);
        assert!(
            packed.faults[0].contains("illegal") && packed.faults[1].contains("block 4, bytes"),
            "{:?}",
            packed.faults
        );
        games.remove(2);
        assert_eq!(moves(&read(&target)), moves(&games));
    }
}
