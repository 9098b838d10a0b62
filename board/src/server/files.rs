//! The files of the page, which are part of the program. No path of a request ever reaches the file system.

use super::door::Door;
use super::http::Response;

/// A file as a browser gets it.
pub(super) struct File {
    name: &'static str,
    body: &'static [u8],
}

/// All that the page needs with this server, as `build.rs` found it: the engine and the rules come by the socket.
const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// In place of the file that leads to WebAssembly.
const ENGINE: File = File { name: "engine/endpoint.js", body: b"export { connect } from \"./socket.js\";\n" };

/// The file of this name; the page itself has none.
pub(super) fn find(name: &str) -> Option<&'static File> {
    let name = if name.is_empty() { "index.html" } else { name };
    FILES.iter().chain([&ENGINE]).find(|file| file.name == name)
}

impl File {
    fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map(|(_, end)| end) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/manifest+json",
        }
    }

    /// The answer to a request for it.
    pub fn response(&self, door: &Door, is_head: bool) -> Response {
        let sockets = door.hosts().map(|host| format!("ws://{host}")).join(" ");
        let policy = format!(
            "default-src 'self'; img-src 'self' data:; connect-src 'self' {sockets}; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'"
        );
        let headers = vec![
            ("Content-Type", self.media_type().to_owned()),
            ("Content-Security-Policy", policy),
            ("Cross-Origin-Opener-Policy", "same-origin".to_owned()),
            ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
            // The address has the token in it.
            ("Referrer-Policy", "no-referrer".to_owned()),
            ("Cache-Control", "no-store".to_owned()),
        ];
        let body = if is_head { Vec::new() } else { self.body.to_vec() };
        Response { status: "200 OK", headers, body, length: self.body.len() }
    }
}
