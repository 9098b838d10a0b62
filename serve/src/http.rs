//! The same over HTTP: queries are the lines of a body that is posted, and answers are lines that come as they are found.
//!
//! A connection has one request. Browsers may not ask: a page from elsewhere could do so on its reader's computer.

use std::io::{self, Cursor, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use http::{Body, BodyError, Deadline, Method, Pace, Request, RequestError, Response, is_equal, write_all};

use crate::ServeError;
use crate::job::PositionQueue;
use crate::session::Session;

/// The most connections at a time.
const MAX_CONNECTIONS: usize = 64;
/// In bytes.
const MAX_BODY: u64 = 16 << 20;
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
        let deadline = Deadline::after(PATIENCE);
        let mut request = match Request::read(stream, deadline) {
            Ok(Some(request)) => request,
            Ok(None) => return Ok(()),
            Err(error) => return refuse(stream, error),
        };
        match (request.method, &request.path[..]) {
            (Method::Get, "/health") => answer(stream, "text/plain", "ok\n".to_owned()),
            _ if let Err(refusal) = self.access.admit(&request) => refuse(stream, refusal),
            (Method::Get, "/metrics") => answer(stream, "text/plain; version=0.0.4", self.metrics()),
            (Method::Post, "/analyse") => {
                match Body::new(stream, &mut request, MAX_BODY, Pace::Whole(deadline)).and_then(Body::bytes) {
                    Ok(body) => self.analyse(stream, &body),
                    Err(error) => refuse(stream, error),
                }
            }
            (_, "/analyse" | "/metrics" | "/health") => refuse(stream, Refusal::Method),
            _ => refuse(stream, Refusal::NotFound),
        }
    }

    fn analyse(&self, stream: &TcpStream, body: &[u8]) -> io::Result<()> {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\
                    Cache-Control: no-store\r\nConnection: close\r\n\r\n";
        write_all(stream, head.as_bytes(), Deadline::after(PATIENCE))?;
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
        write_all(stream, b"0\r\n\r\n", Deadline::after(PATIENCE))
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
                let named = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
                if named.is_some_and(|named| is_equal(named.trim(), token)) { Ok(()) } else { Err(Refusal::Token) }
            }
            None if request.has("origin") => Err(Refusal::Origin),
            // A foreign name that leads here would make a foreign page one of this computer.
            None if !request.header("host").is_some_and(is_local) => Err(Refusal::Host),
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

/// Why a request is not served.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    Body(#[from] BodyError),
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
    #[error("too many clients")]
    Busy,
}

impl Refusal {
    fn status(&self) -> &'static str {
        match self {
            Self::Request(error) => error.status(),
            Self::Body(error) => error.status(),
            Self::Token => "401 Unauthorized",
            Self::Host | Self::Origin => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::Busy => "503 Service Unavailable",
        }
    }
}

/// The error has the form of all others.
fn refuse(stream: &TcpStream, refusal: impl Into<Refusal>) -> io::Result<()> {
    let refusal = refusal.into();
    let text = serde_json::json!({ "id": null, "error": refusal.to_string(), "field": null });
    let answer = Response::new(refusal.status(), "application/json", format!("{text}\n"));
    let answer = if matches!(refusal, Refusal::Token) { answer.with("WWW-Authenticate", "Bearer") } else { answer };
    answer.with("Cache-Control", "no-store").send(stream, PATIENCE)
}

fn answer(stream: &TcpStream, media_type: &str, text: String) -> io::Result<()> {
    Response::new("200 OK", media_type, text).with("Cache-Control", "no-store").send(stream, PATIENCE)
}

/// A stream in whose chunks each write is one.
struct Chunked(TcpStream);

impl Write for Chunked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let chunk = [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
        write_all(&self.0, &chunk, Deadline::after(PATIENCE))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests;
