//! What a request brings with it. Its length is said before, and what it may take is bounded.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use super::{PATIENCE, Request};

/// So many bytes have to come within the time that a head has, in whatever pieces.
const SHARE: usize = 1 << 16;

/// Why a body is not read.
#[derive(Debug, thiserror::Error)]
pub(in super::super) enum BodyError {
    #[error("the request does not say how long it is (Content-Length)")]
    NoLength,
    #[error("more than {0} bytes are not taken here")]
    TooLong(u64),
    #[error("the rest of the request did not come: {0}")]
    Io(#[from] io::Error),
}

/// The bytes after the head of a request, read as they come.
pub(in super::super) struct Body<'a> {
    stream: &'a TcpStream,
    /// What came with the head.
    first: io::Cursor<Vec<u8>>,
    left: u64,
    /// Until when the next share has to come, and how much of it has.
    deadline: Instant,
    share: usize,
}

impl<'a> Body<'a> {
    /// The body of a request of at most so many bytes.
    pub fn new(stream: &'a TcpStream, request: &mut Request, most: u64) -> Result<Self, BodyError> {
        let length = request.header("content-length").filter(|_| !request.has("transfer-encoding"));
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let left = length.filter(is_number).ok_or(BodyError::NoLength)?.parse().unwrap_or(u64::MAX);
        if left > most {
            return Err(BodyError::TooLong(most));
        }
        if request.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
            (&mut &*stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        request.is_body_begun = true;
        let first = io::Cursor::new(std::mem::take(&mut request.rest));
        Ok(Self { stream, first, left, deadline: Instant::now() + PATIENCE, share: 0 })
    }

    /// All of it.
    pub fn bytes(mut self) -> Result<Vec<u8>, BodyError> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads what is left of it, and forgets it.
    pub fn skip(mut self) -> io::Result<()> {
        io::copy(&mut self, &mut io::sink()).map(|_| ())
    }
}

impl Read for Body<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        if most == 0 {
            return Ok(0);
        }
        let buffer = &mut buffer[..most];
        let mut length = self.first.read(buffer)?;
        if length == 0 {
            let time = self.deadline.saturating_duration_since(Instant::now());
            if time.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(time))?;
            length = (&mut &*self.stream).read(buffer)?;
        }
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= length as u64;
        self.share += length;
        if self.share >= SHARE {
            (self.deadline, self.share) = (Instant::now() + PATIENCE, 0);
        }
        Ok(length)
    }
}
