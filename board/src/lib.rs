//! A board to play against the engine and to analyse on.
//!
//! The page is in the folder `page` and knows no rules of chess: it asks [`rules`], in lines of JSON. There are two ways to
//! have it. `make web` compiles the rules to WebAssembly beside the engine, for a page that any host of static files can
//! serve. And the command `board`, the `server` here, serves the same page from the program itself, with the engine and
//! the rules behind a WebSocket.

#[cfg(not(target_family = "wasm"))]
mod library;
#[cfg(not(target_family = "wasm"))]
mod list;
#[cfg(not(target_family = "wasm"))]
mod opened;
mod paste;
mod positions;
pub mod rules;
#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(target_family = "wasm")]
mod wasm;

#[cfg(not(target_family = "wasm"))]
pub use server::{BoardArguments, BoardError, run};
