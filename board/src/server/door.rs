//! Who may come in: the token, the host and the origin of a request.

use std::borrow::Cow;

use http::{Request, is_equal};
use percent_encoding::percent_decode_str;

use super::refusal::Refusal;

/// Bytes of the token.
const TOKEN: usize = 16;

/// The port that an address without one means.
const HTTP_PORT: u16 = 80;

/// The first parts of the paths of what the server knows; `data.rs` answers them.
const DATA: [&str; 9] = ["games", "files", "paste", "engines", "explorer", "reviews", "practice", "tables", "settings"];

/// What requests must name.
pub(super) struct Door {
    port: u16,
    /// In hexadecimal digits.
    token: String,
}

/// What a request that may come in asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A file of the page, by its name; the page itself has none.
    File(String),
    /// What the server knows, by the parts of its path.
    Data(Vec<String>),
    /// A WebSocket, with the client's key, and the engine that is wanted.
    Socket { key: String, engine: String },
}

impl Door {
    /// A door with a new token.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes)?;
        Ok(Self { port, token: bytes.iter().map(|byte| format!("{byte:02x}")).collect() })
    }

    /// The names of this host, as browsers write them in headers and addresses: without the port that HTTP has by itself.
    pub fn hosts(&self) -> [String; 2] {
        ["127.0.0.1", "localhost"].map(|name| match self.port {
            HTTP_PORT => name.to_owned(),
            port => format!("{name}:{port}"),
        })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.hosts()[0], self.token)
    }

    /// The name of this host that somebody means; the port may be written where it need not be.
    fn own(&self, name: &str) -> Option<String> {
        let name = name.strip_suffix(":80").filter(|_| self.port == HTTP_PORT).unwrap_or(name);
        self.hosts().into_iter().find(|own| own == name)
    }

    /// What the request asks for, if it may.
    pub fn admit(&self, request: &Request) -> Result<Place, Refusal> {
        // A foreign name that leads here would make a foreign page one of this host.
        let host = request.header("host").and_then(|host| self.own(host)).ok_or(Refusal::Host)?;
        let origin = request.header("origin").and_then(|origin| self.own(origin.strip_prefix("http://")?));
        if request.has("origin") && origin.as_ref() != Some(&host) {
            return Err(Refusal::Origin);
        }
        let (token, name) =
            request.path.strip_prefix('/').and_then(|path| path.split_once('/')).ok_or(Refusal::Token)?;
        if !is_equal(token, &self.token) {
            return Err(Refusal::Token);
        }
        if name.split('/').next().is_some_and(|first| DATA.contains(&first)) {
            let decoded = name.split('/').map(|part| percent_decode_str(part).decode_utf8().map(Cow::into_owned));
            return Ok(Place::Data(decoded.collect::<Result<_, _>>().map_err(|_| Refusal::Address)?));
        }
        if !request.is_reading() {
            return Err(Refusal::Method);
        }
        if name != "socket" {
            return Ok(Place::File(name.to_owned()));
        }
        // Every browser says which page wants a socket.
        if !request.has("origin") {
            return Err(Refusal::Origin);
        }
        let is_upgrade = request.lists("connection", "upgrade") && request.lists("upgrade", "websocket");
        let key = request.header("sec-websocket-key").filter(|_| is_upgrade && !request.is_head());
        let key = key.filter(|_| request.header("sec-websocket-version") == Some("13")).ok_or(Refusal::NoSocket)?;
        Ok(Place::Socket { key: key.to_owned(), engine: request.parameter("engine") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(door: &Door, headers: &str) -> bool {
        let head = format!("GET /{}/ HTTP/1.1\r\n{headers}\r\n", door.token);
        let request = Request::parse(head.as_bytes()).unwrap_or_else(|_| panic!("{head}")).unwrap();
        door.admit(&request) == Ok(Place::File(String::new()))
    }

    #[test]
    fn the_port_of_http_is_left_out_as_browsers_do() {
        let door = Door::new(HTTP_PORT).unwrap();
        assert_eq!(door.url(), format!("http://127.0.0.1/{}/", door.token));
        for host in ["127.0.0.1", "127.0.0.1:80", "localhost", "localhost:80"] {
            assert!(get(&door, &format!("Host: {host}\r\n")), "{host}");
        }
        assert!(get(&door, "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"));
        for headers in [
            "Host: 127.0.0.1:8080\r\n",
            "Host: 127.0.0.1\r\nOrigin: http://localhost\r\n",
            "Host: 127.0.0.1\r\nOrigin: https://127.0.0.1\r\n",
            "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1:8080\r\n",
        ] {
            assert!(!get(&door, headers), "{headers}");
        }
        let other = Door::new(8080).unwrap();
        assert!(get(&other, "Host: 127.0.0.1:8080\r\n"));
        for host in ["127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080:80"] {
            assert!(!get(&other, &format!("Host: {host}\r\n")), "{host}");
        }
    }
}
