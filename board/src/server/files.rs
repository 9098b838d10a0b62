//! The files of the page, which are part of the program. No path of a request ever reaches the file system.

use http::Response;

use super::door::Door;

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
        let answer = Response::new("200 OK", self.media_type(), self.0.text)
            .with("Content-Security-Policy", &policy)
            .with("Cross-Origin-Opener-Policy", "same-origin")
            .with("Cross-Origin-Resource-Policy", "same-origin")
            // The address has the token in it.
            .with("Referrer-Policy", "no-referrer")
            .with("Cache-Control", "no-store");
        if is_head { answer.without_body() } else { answer }
    }
}
