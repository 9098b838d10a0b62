//! The head of a request.

use std::net::TcpStream;

use crate::deadline::Deadline;

/// The most bytes of a head.
const MAX_HEAD: usize = 16 << 10;
/// The most headers of a request.
const MAX_HEADERS: usize = 64;
/// Headers that a request has once at most: with two, one program would obey the first and another the second.
const SINGLE: [&str; 3] = ["host", "content-length", "authorization"];

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// To look at something.
    Get,
    /// The head of what `Get` would have.
    Head,
    /// To keep what is sent at this address.
    Put,
    /// To do something with what is sent.
    Post,
    /// To remove what is at this address.
    Delete,
}

/// Why there is no request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// These bytes are no request, or a header is there twice that may be there once.
    #[error("this is no request of HTTP")]
    Malformed,
    /// The method is none of [`Method`].
    #[error("this method is not known here")]
    Method,
    /// The head has more bytes or headers than are taken.
    #[error("the head of the request is too long")]
    TooLong,
    /// The head did not come in time.
    #[error("the request took too long")]
    TooSlow,
}

impl RequestError {
    /// How a status line says it.
    pub const fn status(self) -> &'static str {
        match self {
            Self::Malformed => "400 Bad Request",
            Self::Method => "405 Method Not Allowed",
            Self::TooSlow => "408 Request Timeout",
            Self::TooLong => "431 Request Header Fields Too Large",
        }
    }
}

/// The head of a request, and what has come behind it.
pub struct Request {
    /// What is to be done.
    pub method: Method,
    /// Without query and fragment, as it was sent: percent signs are not decoded.
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
    /// Reads a head; `None` if the client has gone before it was complete.
    ///
    /// # Errors
    ///
    /// If it is none, too long, or has not come in time.
    pub fn read(stream: &TcpStream, deadline: Deadline) -> Result<Option<Self>, RequestError> {
        let mut bytes = Vec::new();
        loop {
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(Some(request));
            }
            if bytes.len() >= MAX_HEAD {
                return Err(RequestError::TooLong);
            }
            let mut part = [0; 4096];
            match deadline.read(stream, &mut part) {
                Ok(0) => return Ok(None),
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::TimedOut => return Err(RequestError::TooSlow),
                Err(_) => return Ok(None),
            }
        }
    }

    /// The request, if its head is complete.
    ///
    /// # Errors
    ///
    /// If these bytes begin no request, whatever follows.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, RequestError> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(RequestError::TooLong),
            Err(_) => return Err(RequestError::Malformed),
        };
        let method = match head.method {
            Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            Some("PUT") => Method::Put,
            Some("POST") => Method::Post,
            Some("DELETE") => Method::Delete,
            _ => return Err(RequestError::Method),
        };
        let target = head.path.unwrap_or_default().split('#').next().unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        let headers = head.headers.iter().map(|header| {
            let value = String::from_utf8_lossy(header.value).trim().to_owned();
            (header.name.to_ascii_lowercase(), value)
        });
        let headers: Vec<_> = headers.collect();
        if SINGLE.iter().any(|single| headers.iter().filter(|(name, _)| name == single).count() > 1) {
            return Err(RequestError::Malformed);
        }
        Ok(Some(Self { method, path, query, headers, rest: bytes[length..].to_vec(), is_body_begun: false }))
    }

    /// The value of a header, named in lower case; `None` if there is none or more than one.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(other, _)| other == name).map(|(_, value)| &value[..]);
        values.next().filter(|_| values.next().is_none())
    }

    /// Whether there is such a header, named in lower case.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(other, _)| other == name)
    }

    /// Whether the list of a header, named in lower case, has this word.
    pub fn lists(&self, name: &str, word: &str) -> bool {
        let values = self.headers.iter().filter(|(other, _)| other == name);
        values.flat_map(|(_, value)| value.split(',')).any(|item| item.trim().eq_ignore_ascii_case(word))
    }

    /// The value of a part of the query; empty if there is none.
    pub fn parameter(&self, name: &str) -> String {
        let mut pairs = form_urlencoded::parse(self.query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// Whether only the head of the answer is wanted.
    pub fn is_head(&self) -> bool {
        self.method == Method::Head
    }

    /// Whether something is only looked at.
    pub fn is_reading(&self) -> bool {
        matches!(self.method, Method::Get | Method::Head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Option<Request>, RequestError> {
        Request::parse(text.as_bytes())
    }

    #[test]
    fn a_head_is_read_when_it_is_complete() {
        let whole = "POST /a/b?x=1&y=a%20b#c HTTP/1.1\r\nHost: here\r\nList: one\r\nLIST:  two , Three\r\n\r\nmore";
        let head = whole.len() - "more".len();
        for length in 0..head {
            assert!(parse(&whole[..length]).unwrap().is_none(), "{length}");
        }
        let request = parse(whole).unwrap().unwrap();
        assert_eq!((request.method, &request.path[..], &request.query[..]), (Method::Post, "/a/b", "x=1&y=a%20b"));
        assert_eq!((&request.parameter("y")[..], &request.parameter("z")[..]), ("a b", ""));
        assert_eq!(request.rest, b"more");
        assert_eq!(request.header("host"), Some("here"));
        assert!(request.has("list") && request.header("list").is_none());
        assert!(request.lists("list", "three") && !request.lists("list", "four"));
        assert!(!request.is_reading());
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let many: String = (0..=MAX_HEADERS).map(|number| format!("h{number}: x\r\n")).collect();
        for (text, error) in [
            ("nonsense\r\n\r\n".to_owned(), RequestError::Malformed),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n".to_owned(), RequestError::Malformed),
            ("PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n".to_owned(), RequestError::Malformed),
            ("BREW / HTTP/1.1\r\n\r\n".to_owned(), RequestError::Method),
            (format!("GET / HTTP/1.1\r\n{many}\r\n"), RequestError::TooLong),
        ] {
            assert_eq!(parse(&text).err(), Some(error), "{text}");
        }
    }
}
