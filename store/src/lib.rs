//! What searches found, kept in a file for later runs.
//!
//! A [`Store`] is a database (redb) of [`Record`]s. A record is what one search found out about a position. Its [`Key`]
//! is the whole position, without counters and without a hash, and a [`Context`]: what else the result depends on, as
//! its owner understands it. [`Store::get`] finds the result of just this search, [`Store::deepest`] the deepest of a
//! position that holds in other games too.
//!
//! Results of several networks and versions of the search lie side by side, each under its [`Identity`]: a store is opened
//! for one of them, whose results it gives, and marks those of others as theirs. A [`StoreReader`] sees all. What is damaged
//! is never written to: a file is examined as a whole, in a way that cannot change it (`check`), before it is opened.

mod check;
mod error;
mod key;
mod prune;
mod reader;
mod record;
mod store;
mod tables;

pub use error::StoreError;
pub use key::{Context, Key};
pub use prune::{Pruned, Pruning};
pub use reader::{StoreReader, Summary, SummaryPart};
pub use record::Record;
pub use store::{OtherRecord, Store};
pub use tables::Identity;
