//! Requests and responses of HTTP, as far as a page on the same computer needs them: one of each for a connection.

mod body;

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

pub(super) use self::body::{Body, BodyError};
use super::refusal::Refusal;

/// The most bytes of a request's head.
const MAX_HEAD: usize = 16 << 10;
/// The most headers of a request.
const MAX_HEADERS: usize = 64;
/// How long a head may take to come, and an answer to go.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long and how much is still heard of a client that goes on after its answer.
const GRACE: (Duration, usize) = (Duration::from_secs(1), 1 << 20);

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    Get,
    /// The head of what `Get` would have.
    Head,
    Put,
    Post,
    Delete,
}

/// The head of a request for something.
pub(super) struct Request {
    pub method: Method,
    pub path: String,
    /// What follows the question mark.
    pub query: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    /// What came after the head.
    pub rest: Vec<u8>,
    /// Whether it is being read what else comes.
    pub is_body_begun: bool,
}

impl Request {
    /// Reads a head; `None` if nothing came. However slowly it arrives, this takes no longer than the timeout.
    pub fn read(stream: &mut TcpStream) -> Result<Option<Self>, Refusal> {
        let deadline = Instant::now() + PATIENCE;
        let mut bytes = Vec::new();
        loop {
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(Some(request));
            }
            if bytes.len() >= MAX_HEAD {
                return Err(Refusal::TooLong);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
                return Err(Refusal::TooSlow);
            }
            let mut part = [0; 4096];
            match stream.read(&mut part) {
                Ok(0) => return Ok(None),
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Err(Refusal::TooSlow);
                }
                Err(_) => return Ok(None),
            }
        }
    }

    /// The request, if its head is complete.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(Refusal::TooLong),
            Err(_) => return Err(Refusal::Malformed),
        };
        let method = match head.method {
            Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            Some("PUT") => Method::Put,
            Some("POST") => Method::Post,
            Some("DELETE") => Method::Delete,
            _ => return Err(Refusal::Method),
        };
        let target = head.path.unwrap_or_default().split('#').next().unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        let headers = head.headers.iter().map(|header| {
            let value = String::from_utf8_lossy(header.value).trim().to_owned();
            (header.name.to_ascii_lowercase(), value)
        });
        Ok(Some(Self {
            method,
            path,
            query,
            headers: headers.collect(),
            rest: bytes[length..].to_vec(),
            is_body_begun: false,
        }))
    }

    /// The value of a header; `None` if there is none or more than one.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(other, _)| other == name).map(|(_, value)| &value[..]);
        values.next().filter(|_| values.next().is_none())
    }

    /// Whether only the head of the answer is wanted.
    pub fn is_head(&self) -> bool {
        self.method == Method::Head
    }

    /// Whether something is only looked at.
    pub fn is_reading(&self) -> bool {
        matches!(self.method, Method::Get | Method::Head)
    }

    /// The value of a part of the query; empty if there is none.
    pub fn parameter(&self, name: &str) -> String {
        let mut pairs = form_urlencoded::parse(self.query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// Whether there is such a header.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(other, _)| other == name)
    }

    /// Whether a header's list has this word.
    pub fn lists(&self, name: &str, word: &str) -> bool {
        let values = self.headers.iter().filter(|(other, _)| other == name);
        values.flat_map(|(_, value)| value.split(',')).any(|item| item.trim().eq_ignore_ascii_case(word))
    }
}

/// An answer.
pub(super) struct Response {
    /// Code and words.
    pub status: &'static str,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// The length of the body, which is not sent to those who want only the head.
    pub length: usize,
}

impl Response {
    /// An answer in JSON.
    pub fn json(status: &'static str, body: Vec<u8>) -> Self {
        let headers = vec![
            ("Content-Type", "application/json; charset=utf-8".to_owned()),
            ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
            ("Cache-Control", "no-store".to_owned()),
        ];
        Self { status, headers, length: body.len(), body }
    }
}

impl Response {
    /// A report, which is kept apart from the board as if it came from elsewhere: its own policy says what it may do.
    pub fn report(body: Vec<u8>) -> Self {
        let headers = vec![
            ("Content-Type", "text/html; charset=utf-8".to_owned()),
            ("Content-Security-Policy", "sandbox allow-scripts allow-modals; frame-ancestors 'none'".to_owned()),
            ("Cross-Origin-Opener-Policy", "same-origin".to_owned()),
            ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
            ("Referrer-Policy", "no-referrer".to_owned()),
            ("Cache-Control", "no-store".to_owned()),
        ];
        Self { status: "200 OK", headers, length: body.len(), body }
    }
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Self {
        let body = format!("{refusal}\n").into_bytes();
        let mut headers = vec![("Content-Type", "text/plain; charset=utf-8".to_owned())];
        if matches!(refusal, Refusal::Method) {
            headers.push(("Allow", "GET, HEAD".to_owned()));
        }
        Self { status: refusal.status(), headers, length: body.len(), body }
    }
}

/// Answers and closes the connection.
pub(super) fn respond(mut stream: TcpStream, response: &Response) -> io::Result<()> {
    let mut bytes = format!("HTTP/1.1 {}\r\n", response.status).into_bytes();
    for (name, value) in &response.headers {
        write!(bytes, "{name}: {value}\r\n")?;
    }
    write!(
        bytes,
        "Content-Length: {}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n",
        response.length
    )?;
    bytes.extend_from_slice(&response.body);
    write_all(&mut stream, &bytes)?;
    stream.shutdown(Shutdown::Write)?;
    // A connection that is closed before all is heard is reset, and the answer may be lost with it.
    let (deadline, mut heard) = (Instant::now() + GRACE.0, 0);
    let mut part = [0; 4096];
    while heard < GRACE.1 {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(count) => heard += count,
        }
    }
    Ok(())
}

/// Writes, however slowly it is read, for no longer than the timeout.
pub(super) fn write_all(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    let mut rest = bytes;
    while !rest.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match stream.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
