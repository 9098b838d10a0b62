//! The engine as WebAssembly: the same UCI session as in the program, called by `page/engine/vancura.js`.
//!
//! There are two builds. The one with threads (`main.rs`, `wasm32-wasip1-threads`) reads lines until there are no more, as
//! the program does; a page must be cross-origin isolated for it. In the one without (`wasm32-wasip1`) each line is carried
//! out by `execute`, which returns from `go` when the search has ended. A worker that is searching
//! cannot receive messages, so the search asks its host about every millisecond, by `vancura_poll`, whether it is to stop.
//!
//! Of WASI, the functions for the standard streams, clocks, random numbers and threads are needed; there are no files.

#[cfg(target_family = "wasm")]
pub mod single;
