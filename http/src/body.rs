//! What a request brings with it. Its length is said before, and what it may take is bounded.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::Duration;

use crate::deadline::{Deadline, write_all};
use crate::request::Request;

/// The bytes of a share.
const SHARE: usize = 1 << 16;

/// How long a client may take for a body.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// All of it has to be there by then.
    Whole(Deadline),
    /// Each 64 KiB have to come within this time, in whatever pieces: it may be a large file.
    Shares(Duration),
}

/// Why a body is not read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// There is no `Content-Length`, or the body comes in chunks.
    #[error("the request does not say how long it is (Content-Length)")]
    NoLength,
    /// `Content-Length` is no number.
    #[error("the length of the request is no number")]
    Length,
    /// The body is longer than this many bytes.
    #[error("more than {0} bytes are not taken here")]
    TooLong(u64),
    /// The client has gone, or is too slow.
    #[error("the rest of the request did not come: {0}")]
    Io(#[from] io::Error),
}

impl BodyError {
    /// How a status line says it.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Length => "400 Bad Request",
            Self::NoLength => "411 Length Required",
            Self::TooLong(_) => "413 Content Too Large",
            Self::Io(error) if error.kind() == io::ErrorKind::InvalidData => "400 Bad Request",
            Self::Io(_) => "408 Request Timeout",
        }
    }
}

/// The bytes after the head of a request, read as they come.
pub struct Body<'a> {
    stream: &'a TcpStream,
    /// What came with the head.
    first: io::Cursor<Vec<u8>>,
    left: u64,
    pace: Pace,
    /// Until when what is coming has to be there, and how much of its share is.
    deadline: Deadline,
    share: usize,
}

impl<'a> Body<'a> {
    /// The body of a request, of at most `most` bytes.
    ///
    /// # Errors
    ///
    /// If it is longer, or its length is not said in advance.
    pub fn new(stream: &'a TcpStream, request: &mut Request, most: u64, pace: Pace) -> Result<Self, BodyError> {
        let length = request.header("content-length").filter(|_| !request.has("transfer-encoding"));
        let length = length.ok_or(BodyError::NoLength)?;
        if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(BodyError::Length);
        }
        let left = length.parse().unwrap_or(u64::MAX);
        if left > most {
            return Err(BodyError::TooLong(most));
        }
        let deadline = match pace {
            Pace::Whole(deadline) => deadline,
            Pace::Shares(time) => Deadline::after(time),
        };
        if request.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
            write_all(stream, b"HTTP/1.1 100 Continue\r\n\r\n", deadline)?;
        }
        request.is_body_begun = true;
        let first = io::Cursor::new(std::mem::take(&mut request.rest));
        Ok(Self { stream, first, left, pace, deadline, share: 0 })
    }

    /// All of it.
    ///
    /// # Errors
    ///
    /// If it does not come.
    pub fn bytes(mut self) -> Result<Vec<u8>, BodyError> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads what is left of it, and forgets it.
    ///
    /// # Errors
    ///
    /// If it does not come.
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
            length = self.deadline.read(self.stream, buffer)?;
        }
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= length as u64;
        self.share += length;
        if let Pace::Shares(time) = self.pace
            && self.share >= SHARE
        {
            (self.deadline, self.share) = (Deadline::after(time), 0);
        }
        Ok(length)
    }
}
