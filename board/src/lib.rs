//! A board to play against the engine and to analyse on.
//!
//! The page is in the folder `page` and knows no rules of chess: it asks [`rules`], in lines of JSON. `make web` compiles
//! them to WebAssembly beside the engine, for a page that any host of static files can serve.

pub mod rules;
#[cfg(target_family = "wasm")]
mod wasm;
