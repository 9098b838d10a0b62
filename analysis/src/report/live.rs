//! The engine that a page carries to go on analysing: its WebAssembly without threads, the worker that runs it, and what
//! the page needs besides to show what it finds.
//!
//! All of it stands in the page, so that it needs no other file and no network. The policy of the page lets WebAssembly
//! be compiled and workers be made of texts in the page for that, and nothing else.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, PreEscaped, html};

/// The worker of the npm package; a page makes it of this text.
const LOADER: &str = page::text("engine/vancura.js");
pub(super) const STYLE: &str = page::text("report/live.css");
const PANEL: &str = page::text("report/live.html");
/// What `build.rs` has found, empty if that was nothing.
static BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/engine.wasm.gz"));

/// The engine for a page: the build of the crate `web` without threads, compressed with gzip.
#[derive(Clone, Debug)]
pub struct LiveEngine(Cow<'static, [u8]>);

impl LiveEngine {
    /// The one that is part of this program; none if it was built without the variable WASMFILE.
    #[must_use]
    pub fn built_in() -> Option<Self> {
        (!BUILT_IN.is_empty()).then_some(Self(Cow::Borrowed(BUILT_IN)))
    }

    /// One that is WebAssembly compressed with gzip. Whether it is that shows only in the page.
    #[must_use]
    pub const fn of_gzip(bytes: Vec<u8>) -> Self {
        Self(Cow::Owned(bytes))
    }

    /// Everything in the body of the page but the script. The template is for people, the rest is data for the script.
    pub(super) fn body(&self) -> Markup {
        html! {
            (PreEscaped(PANEL))
            script #engine-loader type="text/plain" { (PreEscaped(LOADER)) }
            "\n"
            script #engine-program type="text/plain" { (PreEscaped(STANDARD.encode(&self.0))) }
            "\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_end_no_element_and_name_no_server() {
        for (name, text) in [("style", STYLE), ("loader", LOADER)] {
            assert!(!text.contains("</") && !text.contains("<!--"), "the {name} would end its element");
        }
        for text in [STYLE, PANEL, LOADER] {
            assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("url("), "{text}");
        }
    }
}
