//! Answers.

use std::fmt::Write as _;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::deadline::{Deadline, write_all};

/// How long and how much is still heard of a client that goes on after its answer.
const GRACE: (Duration, usize) = (Duration::from_secs(1), 16 << 20);

/// An answer.
pub struct Response {
    /// Code and words.
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    /// The length of the body, which is not sent to those who want only the head.
    length: usize,
}

impl Response {
    /// An answer in a media type.
    pub fn new(status: &'static str, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self { status, headers: vec![("Content-Type", media_type.to_owned())], length: body.len(), body }
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The head alone, which still says how long the body is.
    #[must_use]
    pub fn without_body(self) -> Self {
        Self { body: Vec::new(), ..self }
    }

    /// Answers and closes the connection; the client has this long to read.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub fn send(&self, stream: &TcpStream, patience: Duration) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {}\r\n", self.status);
        for (name, value) in &self.headers {
            // Writing to a string does not fail.
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(
            head,
            "Content-Length: {}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n",
            self.length
        );
        let bytes = [head.as_bytes(), &self.body].concat();
        write_all(stream, &bytes, Deadline::after(patience))?;
        stream.shutdown(Shutdown::Write)?;
        // A connection that is closed before all is heard is reset, and the answer may be lost with it.
        let (deadline, mut heard) = (Deadline::after(GRACE.0), 0);
        let mut part = [0; 4096];
        while heard < GRACE.1 {
            match deadline.read(stream, &mut part) {
                Ok(0) | Err(_) => break,
                Ok(count) => heard += count,
            }
        }
        Ok(())
    }
}
