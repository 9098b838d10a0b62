//! The file of an exam: EPD, compressed or not, which anyone can read.
//!
//! ```text
//! # Vancura exam 1
//! # made by: datagen exam --positions 6000 --nodes 1000000 ...
//! # network: c2b77ffc883bc8a4
//! # positions: self-play 6000, trees 6000, deep 6000
//! # checksum: 0123456789abcdef
//! # set: self-play
//! r1bqk2r/1pp1bpp1/4p1n1/pP2p1Pp/P1PP4/2N1P2B/7P/R1BQK1NR w KQ - bm Nge2; ce 415;
//! ```
//!
//! `bm` is the best move of the search that labels a position, `ce` its score for the side to move in the network's
//! centipawns; a mate counts as [`MAX_SCORE`](crate::exam::MAX_SCORE). The checksum is that of all lines of positions and
//! sets, each with its end. Other lines with `#` are remarks.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use eval::network::checksum;
use platform::OutputFile;

use crate::exam::label::Plan;
use crate::exam::work::Sets;
use crate::exam::{Labelled, Set};

/// The version of the format that this program writes and reads.
const VERSION: u32 = 1;
const MARK: &str = "# Vancura exam ";
const POSITIONS: &str = "# positions: ";
const CHECKSUM: &str = "# checksum: ";
const SET: &str = "# set: ";
/// The most text of an exam, in bytes: a million positions.
const MAX_TEXT: u64 = 128 << 20;
/// Of zstd: an exam is written once.
const LEVEL: i32 = 22;

/// Why a file is no exam.
#[derive(Debug, thiserror::Error)]
pub enum ExamError {
    /// It cannot be read, or its compressed form is damaged or cut off.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// It begins with something else.
    #[error("no exam: it does not begin with \"{MARK}\"")]
    Foreign,
    /// Another version.
    #[error("an exam of format {0:?}; this program reads format {VERSION}")]
    Version(String),
    /// A line that says nothing an exam may say.
    #[error("line {line}: {fault}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// There are not as many positions as it says.
    #[error("it says that it has these positions: {said}; it has {found}")]
    Count {
        /// As the file says.
        said: String,
        /// As there are.
        found: String,
    },
    /// The checksum is another one.
    #[error("damaged: its checksum is not that of its lines")]
    Checksum,
}

fn counts(sets: &Sets) -> String {
    Set::ALL.map(|set| format!("{} {}", set.name(), sets[set as usize].len())).join(", ")
}

/// The lines that the checksum is of.
fn body(sets: &Sets) -> String {
    let lines = |set: Set| {
        let positions = sets[set as usize].iter().map(|labelled| format!("{labelled}\n")).collect::<String>();
        format!("{SET}{}\n{positions}", set.name())
    };
    Set::ALL.map(lines).concat()
}

/// Writes an exam into a new file, compressed if its name ends with `.zst`.
///
/// # Errors
///
/// If it cannot be written, or there is a file already.
pub fn write(path: &Path, plan: &Plan, sets: &Sets) -> io::Result<()> {
    let Plan { network, drawn, nodes, positions, seed, .. } = plan;
    let body = body(sets);
    let text = format!(
        "{MARK}{VERSION}\n\
         # made by: datagen exam --positions {positions} --nodes {nodes} --play-nodes {} --deep-nodes {} --seed {seed}\n\
         # network: {:016x}\n{POSITIONS}{}\n{CHECKSUM}{:016x}\n{body}",
        drawn.play,
        drawn.deep,
        network.hash(),
        counts(sets),
        checksum(body.as_bytes()),
    );
    let bytes = match path.extension() {
        Some(ending) if ending == "zst" => zstd::encode_all(text.as_bytes(), LEVEL)?,
        _ => text.into_bytes(),
    };
    let mut file = OutputFile::create(path)?;
    file.write_all(&bytes)?;
    file.commit_new().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::Error::new(error.kind(), format!("{} is there already", path.display())),
        _ => error,
    })
}

/// Reads an exam.
///
/// # Errors
///
/// If the file cannot be read, is no exam, or is not whole.
pub fn read(path: &Path) -> Result<Sets, ExamError> {
    parse(pgn::open(path)?.take(MAX_TEXT))
}

fn parse(input: impl BufRead) -> Result<Sets, ExamError> {
    let mut lines = input.split(b'\n').map(|line| line.map(|line| String::from_utf8_lossy(&line).into_owned()));
    let first = lines.next().transpose()?.unwrap_or_default();
    let version = first.trim_end().strip_prefix(MARK).ok_or(ExamError::Foreign)?;
    if version != VERSION.to_string() {
        return Err(ExamError::Version(version.to_owned()));
    }
    let (mut sets, mut set) = (Sets::default(), None);
    let (mut said, mut sum) = (None, None);
    for (index, line) in lines.enumerate() {
        let line = line?;
        let line = line.trim_end();
        let fault = |fault: String| ExamError::Line { line: index + 2, fault };
        if let Some(name) = line.strip_prefix(SET) {
            let named = Set::ALL.into_iter().find(|set| set.name() == name);
            set = Some(named.ok_or_else(|| fault(format!("no set is called {name:?}")))?);
        } else if let Some(rest) = line.strip_prefix(POSITIONS) {
            said = Some(rest.to_owned());
        } else if let Some(rest) = line.strip_prefix(CHECKSUM) {
            sum = u64::from_str_radix(rest, 16).ok();
        } else if !line.starts_with('#') && !line.is_empty() {
            let set = set.ok_or_else(|| fault("a position before the name of its set".to_owned()))?;
            sets[set as usize].push(Labelled::parse(line).map_err(fault)?);
        }
    }
    let (said, found) = (said.unwrap_or_default(), counts(&sets));
    if said != found {
        return Err(ExamError::Count { said, found });
    }
    if sum != Some(checksum(body(&sets).as_bytes())) {
        return Err(ExamError::Checksum);
    }
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use eval::Network;

    use super::*;
    use crate::exam::draw::Nodes;

    fn sets() -> Sets {
        let labelled = |line: &str| Labelled::parse(line).unwrap();
        [
            vec![labelled("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; ce 24;")],
            Vec::new(),
            vec![
                labelled("8/8/4k3/8/4K3/4P3/8/8 w - - bm Kd4; ce -10000;"),
                labelled("rnbqkbnr/ppp1pppp/8/8/3pP3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq e3 bm dxe3; ce 77;"),
            ],
        ]
    }

    fn written(name: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let plan = Plan {
            network: Arc::clone(&Network::embedded()),
            drawn: Nodes::default(),
            nodes: 1_000_000,
            positions: 6000,
            seed: 7,
            threads: 2,
        };
        write(&path, &plan, &sets()).unwrap();
        let error = write(&path, &plan, &sets()).unwrap_err().to_string();
        assert!(error.ends_with("is there already"), "{error}");
        (folder, path)
    }

    #[test]
    fn an_exam_is_read_as_it_was_written() {
        for name in ["exam.epd", "exam.epd.zst"] {
            let (_folder, path) = written(name);
            assert_eq!(read(&path).unwrap(), sets(), "{name}");
        }
        let (_folder, path) = written("exam.epd");
        let text = fs_err::read_to_string(path).unwrap();
        let head = text.lines().take(4).collect::<Vec<_>>();
        assert_eq!(head[0], "# Vancura exam 1");
        assert_eq!(
            head[1],
            "# made by: datagen exam --positions 6000 --nodes 1000000 --play-nodes 200 --deep-nodes 100000 --seed 7"
        );
        assert_eq!(head[2], format!("# network: {:016x}", Network::embedded().hash()));
        assert_eq!(head[3], "# positions: self-play 1, trees 0, deep 2");
    }

    #[test]
    fn every_truncation_is_an_error() {
        for name in ["exam.epd", "exam.epd.zst"] {
            let (_folder, path) = written(name);
            let bytes = fs_err::read(&path).unwrap();
            // Without its last semicolon and line end the text still says all.
            for length in 0..bytes.len() - 2 {
                fs_err::write(&path, &bytes[..length]).unwrap();
                assert!(read(&path).is_err(), "{name}, {length} bytes");
            }
        }
    }

    #[test]
    fn foreign_future_and_damaged_files_are_told_apart() {
        let (_folder, path) = written("exam.epd");
        let text = fs_err::read_to_string(&path).unwrap();
        for (from, to, complaint) in [
            ("# Vancura exam 1", "# Vancura exam 2", "an exam of format \"2\"; this program reads format 1"),
            ("# Vancura exam 1", "8/8/4k3/8/4K3/4P3/8/8 w - -", "no exam: it does not begin with"),
            ("ce 24", "ce 25", "damaged: its checksum"),
            ("deep 2\n", "deep 3\n", "it has self-play 1, trees 0, deep 2"),
            ("# set: deep", "# set: shallow", "line 9: no set is called \"shallow\""),
            ("# set: self-play\n", "", "line 6: a position before the name of its set"),
            ("bm Kd4", "bm Ke8", "line 10: "),
            ("/RNBQKBNR", "/RNBQKBN", "line 7: "),
            ("8/8/4k3/8/4K3/4P3/8/8 w", "8/8/4k3/3P4/4K3/8/8/8 b", "line 10: "),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text);
            fs_err::write(&path, changed).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(complaint), "{to}: {error}");
        }
        fs_err::write(&path, [0xFF, 0, 200, 10]).unwrap();
        assert!(matches!(read(&path), Err(ExamError::Foreign)));
        assert!(matches!(read(&path.with_extension("none")), Err(ExamError::Read(_))));
    }
}
