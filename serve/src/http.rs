//! The same over HTTP: queries are the lines of a body that is posted, and answers are lines that come as they are found.
//!
//! A connection has one request. Browsers may not ask: a page from elsewhere could do so on its reader's computer.

use std::io::{self, Cursor, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::ServeError;
use crate::job::PositionQueue;
use crate::session::Session;

/// The most connections at a time.
const MAX_CONNECTIONS: usize = 64;
/// In bytes.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
/// In bytes.
const MAX_BODY: usize = 16 << 20;
/// How long a request may take to come, and a client to take a part of its answers.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often to look whether the client is still there.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// What serves connections.
pub(crate) struct Server {
    listener: TcpListener,
    access: Access,
    queue: Arc<PositionQueue>,
    /// How long a request may take to be answered.
    timeout: Duration,
    connections: AtomicUsize,
}

/// Who may ask.
struct Access {
    /// What a client has to name; without one only this computer is served.
    token: Option<String>,
}

impl Server {
    /// Opens the address.
    pub fn open(
        address: &str,
        token: Option<String>,
        timeout: Duration,
        queue: Arc<PositionQueue>,
    ) -> Result<Self, ServeError> {
        let fault = |error| ServeError::Address { address: address.to_owned(), error };
        let resolved = address.to_socket_addrs().map_err(fault)?.next();
        let resolved = resolved.ok_or_else(|| fault(io::ErrorKind::AddrNotAvailable.into()))?;
        if token.is_none() && !resolved.ip().is_loopback() {
            return Err(ServeError::NoToken);
        }
        let listener = TcpListener::bind(resolved).map_err(fault)?;
        Ok(Self { listener, access: Access { token }, queue, timeout, connections: AtomicUsize::new(0) })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the program ends.
    pub fn run(self) {
        let server = Arc::new(self);
        for stream in server.listener.incoming() {
            let Ok(stream) = stream else {
                // Too many files are open: some will be closed.
                thread::sleep(LOOK_INTERVAL);
                continue;
            };
            let serving = Arc::clone(&server);
            let is_one_too_many = server.connections.fetch_add(1, Relaxed) >= MAX_CONNECTIONS;
            let serve = move || {
                // Who has gone needs no answer.
                let _ = if is_one_too_many { refuse(&stream, Refusal::Busy) } else { serving.serve(&stream) };
                serving.connections.fetch_sub(1, Relaxed);
            };
            if thread::Builder::new().name("client".to_owned()).spawn(serve).is_err() {
                server.connections.fetch_sub(1, Relaxed);
            }
        }
    }

    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let deadline = Instant::now() + PATIENCE;
        let request = match Request::read(stream, deadline) {
            Ok(Some(request)) => request,
            Ok(None) => return Ok(()),
            Err(refusal) => return refuse(stream, refusal),
        };
        match (&request.method[..], &request.path[..]) {
            ("GET", "/health") => answer(stream, "200 OK", "text/plain", "ok\n"),
            _ if let Err(refusal) = self.access.admit(&request) => refuse(stream, refusal),
            ("GET", "/metrics") => answer(stream, "200 OK", "text/plain; version=0.0.4", &self.metrics()),
            ("POST", "/analyse") => match request.body(stream, deadline) {
                Ok(body) => self.analyse(stream, &body),
                Err(refusal) => refuse(stream, refusal),
            },
            (_, "/analyse" | "/metrics" | "/health") => refuse(stream, Refusal::Method),
            _ => refuse(stream, Refusal::NotFound),
        }
    }

    fn analyse(&self, mut stream: &TcpStream, body: &[u8]) -> io::Result<()> {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\
                    Cache-Control: no-store\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes())?;
        let session = Arc::new(Session::of_many(Box::new(Chunked(stream.try_clone()?))));
        session.read(Cursor::new(body), &self.queue)?;
        let deadline = Instant::now() + self.timeout;
        while !session.is_answered_within(LOOK_INTERVAL) {
            if session.has_failed() || has_gone(stream) {
                session.leave(&self.queue);
                return Ok(());
            }
            if Instant::now() >= deadline {
                session.cancel_all(&self.queue);
            }
        }
        stream.write_all(b"0\r\n\r\n")
    }

    /// In the text format of Prometheus.
    fn metrics(&self) -> String {
        let load = self.queue.load();
        [
            ("vancura_positions_answered_total", "counter", "Positions answered.", load.answered),
            ("vancura_nodes_total", "counter", "Nodes visited.", load.nodes),
            ("vancura_positions_waiting", "gauge", "Positions that wait.", load.waiting),
            ("vancura_positions_running", "gauge", "Positions that are being searched.", load.running),
            ("vancura_connections", "gauge", "Clients.", self.connections.load(Relaxed) as u64),
        ]
        .map(|(name, kind, help, value)| format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"))
        .concat()
    }
}

/// Whether the client has closed the connection.
fn has_gone(stream: &TcpStream) -> bool {
    // Not by a stream that does not block: then writing would not wait either.
    if stream.set_read_timeout(Some(Duration::from_millis(1))).is_err() {
        return true;
    }
    match stream.peek(&mut [0]) {
        Ok(count) => count == 0,
        Err(error) => {
            !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
        }
    }
}

impl Access {
    fn admit(&self, request: &Request) -> Result<(), Refusal> {
        match &self.token {
            Some(token) => {
                let named = request.authorization.as_deref().and_then(|value| value.strip_prefix("Bearer "));
                if named.is_some_and(|named| is_equal(named.trim(), token)) { Ok(()) } else { Err(Refusal::Token) }
            }
            None if request.has_origin => Err(Refusal::Origin),
            // A foreign name that leads here would make a foreign page one of this computer.
            None if !request.host.as_deref().is_some_and(is_local) => Err(Refusal::Host),
            None => Ok(()),
        }
    }
}

/// Whether a host, perhaps with its port, is this computer.
fn is_local(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && !host.ends_with(']') => (name, port),
        _ => (host, "80"),
    };
    let own = ["localhost".to_owned(), Ipv4Addr::LOCALHOST.to_string(), format!("[{}]", Ipv6Addr::LOCALHOST)];
    port.parse::<u16>().is_ok() && own.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Compares all bytes, so that the time does not tell how many are right.
fn is_equal(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && differences == 0
}

/// The head of a request.
struct Request {
    method: String,
    path: String,
    host: Option<String>,
    has_origin: bool,
    authorization: Option<String>,
    /// Of the body, in bytes.
    length: Option<String>,
    expects_continue: bool,
    is_chunked: bool,
    /// What came after the head.
    rest: Vec<u8>,
}

impl Request {
    /// Reads a head; `None` if nothing came.
    fn read(mut stream: &TcpStream, deadline: Instant) -> Result<Option<Self>, Refusal> {
        let mut bytes = Vec::new();
        loop {
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(Some(request));
            }
            if bytes.len() >= MAX_HEAD {
                return Err(Refusal::LongHead);
            }
            wait_until(stream, deadline)?;
            let mut part = [0; 4096];
            match stream.read(&mut part) {
                Ok(0) => return Ok(None),
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Refusal::Slow),
            }
        }
    }

    /// The request, if its head is complete.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(Refusal::LongHead),
            Err(_) => return Err(Refusal::Malformed),
        };
        let count = |name: &str| head.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name)).count();
        if count("host") > 1 || count("content-length") > 1 || count("authorization") > 1 {
            return Err(Refusal::Malformed);
        }
        let value = |name: &str| {
            let mut values = head.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
            values.next().map(|header| String::from_utf8_lossy(header.value).trim().to_owned())
        };
        let path = head.path.unwrap_or_default();
        Ok(Some(Self {
            method: head.method.unwrap_or_default().to_owned(),
            path: path.split(['?', '#']).next().unwrap_or_default().to_owned(),
            host: value("host"),
            has_origin: count("origin") > 0,
            authorization: value("authorization"),
            length: value("content-length"),
            expects_continue: value("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")),
            is_chunked: count("transfer-encoding") > 0,
            rest: bytes[length..].to_vec(),
        }))
    }

    fn body(mut self, mut stream: &TcpStream, deadline: Instant) -> Result<Vec<u8>, Refusal> {
        let length = self.length.filter(|_| !self.is_chunked).ok_or(Refusal::NoLength)?;
        let length: usize = length.parse().map_err(|_| Refusal::Malformed)?;
        if length > MAX_BODY {
            return Err(Refusal::LongBody);
        }
        if self.expects_continue {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").map_err(|_| Refusal::Slow)?;
        }
        let body = &mut self.rest;
        while body.len() < length {
            wait_until(stream, deadline)?;
            let mut part = [0; 16 << 10];
            match stream.read(&mut part) {
                Ok(0) => return Err(Refusal::Malformed),
                Ok(count) => body.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Refusal::Slow),
            }
        }
        body.truncate(length);
        Ok(self.rest)
    }
}

fn wait_until(stream: &TcpStream, deadline: Instant) -> Result<(), Refusal> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() { Err(Refusal::Slow) } else { Ok(()) }
}

/// Why a request is not served.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum Refusal {
    #[error("this is no request of HTTP")]
    Malformed,
    #[error("the token is missing or wrong")]
    Token,
    #[error("this host is not served here")]
    Host,
    #[error("pages are not served")]
    Origin,
    #[error("there is /analyse, /health and /metrics")]
    NotFound,
    #[error("POST /analyse, GET /health, GET /metrics")]
    Method,
    #[error("the request took too long")]
    Slow,
    #[error("the body needs a Content-Length")]
    NoLength,
    #[error("the body is longer than 16 MiB")]
    LongBody,
    #[error("the head of the request is too long")]
    LongHead,
    #[error("too many clients")]
    Busy,
}

impl Refusal {
    const fn status(self) -> &'static str {
        match self {
            Self::Malformed => "400 Bad Request",
            Self::Token => "401 Unauthorized",
            Self::Host | Self::Origin => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::Slow => "408 Request Timeout",
            Self::NoLength => "411 Length Required",
            Self::LongBody => "413 Content Too Large",
            Self::LongHead => "431 Request Header Fields Too Large",
            Self::Busy => "503 Service Unavailable",
        }
    }
}

/// The error has the form of all others.
fn refuse(stream: &TcpStream, refusal: Refusal) -> io::Result<()> {
    let text = serde_json::json!({ "id": null, "error": refusal.to_string(), "field": null });
    answer(stream, refusal.status(), "application/json", &format!("{text}\n"))
}

fn answer(mut stream: &TcpStream, status: &str, kind: &str, text: &str) -> io::Result<()> {
    let challenge = if status.starts_with("401") { "WWW-Authenticate: Bearer\r\n" } else { "" };
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{challenge}Cache-Control: no-store\r\n\
         Connection: close\r\n\r\n{text}"
    )?;
    // What is still on its way would make the system throw the answer away.
    stream.shutdown(std::net::Shutdown::Write)?;
    stream.set_read_timeout(Some(LOOK_INTERVAL))?;
    io::copy(&mut stream.take(MAX_BODY as u64), &mut io::sink()).map(drop).or(Ok(()))
}

/// A stream in whose chunks each write is one.
struct Chunked(TcpStream);

impl Write for Chunked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let chunk = [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
        self.0.write_all(&chunk)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests;
