//! The bytes of a network's file.

use std::io::{self, Read};
use std::path::Path;

/// The most bytes that are read; networks have a few hundred thousand.
const MAX: u64 = 256 << 20;

/// Reads a file that should hold a network: of one without end, such as a device, no more than 256 MiB.
///
/// # Errors
///
/// If it cannot be read. The error names the file.
pub fn read_network_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs_err::File::open(path)?.take(MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}
