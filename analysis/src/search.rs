//! What the engine finds in the positions of a game, and what is remembered of it.
//!
//! An `analyst` searches a segment of a main line, as the `search_arguments` say, or asks the network alone (`statics`). Two things know results without a search:
//! the `journal` of an interrupted run, until that run is over, and a store, which outlives all runs. `archive` is the
//! store as `analyse` asks it, [`session_store`] as a UCI session does; `provenance` says for all of them whose results a store has, and on what they depend.

pub(crate) mod analyst;
pub(crate) mod archive;
pub(crate) mod journal;
pub(crate) mod provenance;
pub(crate) mod search_arguments;
pub(crate) mod segment;
pub mod session_store;
mod statics;
