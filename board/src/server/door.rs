//! Who may come in: the token, the host and the origin of a request.

use super::http::Request;
use super::refusal::Refusal;

/// Bytes of the token.
const TOKEN: usize = 16;

/// What requests must name.
pub(super) struct Door {
    port: u16,
    /// In hexadecimal digits.
    token: String,
}

/// What a request that may come in asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place<'a> {
    /// A file of the page, by its name; the page itself has none.
    File(&'a str),
    /// A WebSocket, with the client's key.
    Socket { key: String },
}

impl Door {
    /// A door with a new token.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes)?;
        Ok(Self { port, token: bytes.iter().map(|byte| format!("{byte:02x}")).collect() })
    }

    /// The names of this host, as a header has them.
    pub fn hosts(&self) -> [String; 2] {
        ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port))
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.hosts()[0], self.token)
    }

    /// What the request asks for, if it may.
    pub fn admit<'a>(&self, request: &'a Request) -> Result<Place<'a>, Refusal> {
        // A foreign name that leads here would make a foreign page one of this host.
        let host = request.header("host").and_then(|host| self.hosts().into_iter().find(|own| own == host));
        let host = host.ok_or(Refusal::Host)?;
        if request.has("origin") && request.header("origin") != Some(&format!("http://{host}")) {
            return Err(Refusal::Origin);
        }
        let (token, name) =
            request.path.strip_prefix('/').and_then(|path| path.split_once('/')).ok_or(Refusal::Token)?;
        if !is_equal(token, &self.token) {
            return Err(Refusal::Token);
        }
        if name != "socket" {
            return Ok(Place::File(name));
        }
        // Every browser says which page wants a socket.
        if !request.has("origin") {
            return Err(Refusal::Origin);
        }
        let is_upgrade = request.lists("connection", "upgrade") && request.lists("upgrade", "websocket");
        let key = request.header("sec-websocket-key").filter(|_| is_upgrade && !request.is_head);
        let key = key.filter(|_| request.header("sec-websocket-version") == Some("13")).ok_or(Refusal::NoSocket)?;
        Ok(Place::Socket { key: key.to_owned() })
    }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn is_equal(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other)) == 0
}
