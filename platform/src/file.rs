//! Files that are files: not folders, pipes or devices.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for reading, and nothing else: a pipe could block the caller forever, and a device may have no end.
///
/// # Errors
///
/// If it cannot be opened, or is a folder, a pipe, a socket or a device.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    let file = without_waiting(OpenOptions::new().read(true)).open(path)?;
    // Of what was opened, which by now may have another name or none.
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Makes opening a pipe an error, or a success at once, where it would wait for its other end.
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options
}
