//! The files of the page, which are part of the program. No path of a request ever reaches the file system.

use super::door::Door;
use super::http::Response;

/// A file as a browser gets it.
pub(super) struct File(&'static page::File);

/// What the board does not need with this server, from which the engine and the rules come by the socket; and other pages.
const APART: [&str; 5] =
    ["service-worker.js", "engine/wasm.js", "engine/endpoint.js", "engine/vancura.js", "rules/worker.js"];
const OTHER_PAGES: &str = "report/";

/// In place of the file that leads to WebAssembly.
const ENGINE: page::File =
    page::File { name: "engine/endpoint.js", text: "export { connect } from \"./socket.js\";\n" };

/// The file of this name; the page itself has none.
pub(super) fn find(name: &str) -> Option<File> {
    let name = if name.is_empty() { "index.html" } else { name };
    let files = page::FILES.iter().filter(|file| !APART.contains(&file.name) && !file.name.starts_with(OTHER_PAGES));
    files.chain([&ENGINE]).find(|file| file.name == name).map(File)
}

impl File {
    fn media_type(&self) -> &'static str {
        match self.0.name.rsplit_once('.').map(|(_, end)| end) {
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
        let body = if is_head { Vec::new() } else { self.0.text.as_bytes().to_vec() };
        Response { status: "200 OK", headers, body, length: self.0.text.len() }
    }
}
