//! The public test sets, which are not part of the project.
//!
//! They are read from the folder named by `VANCURA_TEST_DATA` (`../shared/data`, if you have it). Without it, the
//! tests on them say so and pass: the project's own tables still prove the rules.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const VARIABLE: &str = "VANCURA_TEST_DATA";

/// The folder of the test sets; without one, prints that `test` is skipped.
///
/// # Panics
///
/// If the variable is set but names no folder: a wrong path must not look like a passed test.
#[must_use]
pub fn test_data(test: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
        announce(&format!("SKIPPED {test}: {VARIABLE} is not set"));
        return None;
    };
    let folder = PathBuf::from(folder);
    // Tests run in their package's folder, but the path is meant from where cargo is called: the workspace's root.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let folder = if folder.is_relative() { PathBuf::from(root).join(folder) } else { folder };
    assert!(folder.is_dir(), "{VARIABLE} names no folder: {}", folder.display());
    Some(folder)
}

/// One file of the test sets as text, unpacked if its name ends in `.zst`.
///
/// # Panics
///
/// If it cannot be read.
#[must_use]
pub fn read(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    let read = || -> io::Result<String> {
        let file = fs::File::open(&path)?;
        let mut text = String::new();
        if name.ends_with(".zst") {
            zstd::Decoder::new(file)?.read_to_string(&mut text)?;
        } else {
            io::BufReader::new(file).read_to_string(&mut text)?;
        }
        Ok(text)
    };
    read().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Prints a line even when the test passes, when the output of `println!` is hidden.
pub fn announce(line: &str) {
    // It does not matter whether anyone can read it.
    let _ = writeln!(io::stderr(), "{line}");
}
