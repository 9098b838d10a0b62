//! Until when a client may take its time.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The moment by which something has to have come or gone.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// That far from now.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// The time that is left.
    ///
    /// # Errors
    ///
    /// `TimedOut` if none is: a stream would wait for ever then.
    pub fn left(self) -> io::Result<Duration> {
        match self.0.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
            left => Ok(left),
        }
    }

    /// Reads what has come, if anything comes in time; 0 bytes at the end of the stream.
    ///
    /// # Errors
    ///
    /// `TimedOut` if nothing does, or the stream's own.
    pub(crate) fn read(self, mut stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            stream.set_read_timeout(Some(self.left()?))?;
            match stream.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(io::ErrorKind::TimedOut.into()),
                result => return result,
            }
        }
    }
}

/// Writes all bytes.
///
/// # Errors
///
/// `TimedOut` if they are not read in time, or the stream's own.
pub fn write_all(mut stream: &TcpStream, bytes: &[u8], deadline: Deadline) -> io::Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        stream.set_write_timeout(Some(deadline.left()?))?;
        match stream.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
