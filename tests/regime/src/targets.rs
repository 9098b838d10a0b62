//! The bodies of the fuzz targets, a file each: what must hold whatever the bytes are.
//!
//! `fuzz/` runs them with libFuzzer, and a test runs them over `corpus/`, where each has a folder of its name.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub mod board;
pub mod checkpoint;
pub mod epd;
pub mod explorer;
pub mod fen;
pub mod http;
pub mod input;
pub mod journal;
pub mod network;
pub mod packed;
pub mod pgn;
pub mod pool;
pub mod positions;
pub mod results;
pub mod store;
pub mod uci;

/// What checks an input, and panics if something does not hold.
pub type Check = fn(&[u8]);

/// All targets by their names.
pub const TARGETS: [(&str, Check); 16] = [
    ("fen", fen::check),
    ("epd", epd::check),
    ("pgn", pgn::check),
    ("positions", positions::check),
    ("input", input::check),
    ("uci", uci::check),
    ("network", network::check),
    ("pool", pool::check),
    ("packed", packed::check),
    ("checkpoint", checkpoint::check),
    ("journal", journal::check),
    ("store", store::check),
    ("results", results::check),
    ("board", board::check),
    ("explorer", explorer::check),
    ("http", http::check),
];

/// The inputs of a target that come with the sources.
#[must_use]
pub fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// A file with the changes that some data describes: three bytes for a place, one for what comes there, where `place` moves the
/// change to; an odd byte at the end cuts the file before that.
fn damaged(sound: &[u8], data: &[u8], place: impl Fn(usize) -> usize) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    let changes = data.chunks_exact(4);
    if let [cut, ..] = changes.remainder() {
        bytes.truncate(bytes.len() * usize::from(*cut) / 256);
    }
    let length = bytes.len();
    for change in changes.filter(|_| length > 0) {
        let named = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
        bytes[place(named) % length] ^= change[3];
    }
    bytes
}

/// A folder for the files of one check.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs_err::write(&path, bytes).expect("a file can be written");
        path
    }
}
