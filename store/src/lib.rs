//! What searches found, kept in a file for later runs.
//!
//! A [`Store`] is a database (redb) of [`Record`]s. A record is what one search found out about a position. Its [`Key`]
//! is the whole position, without counters and without a hash, and a [`Context`]: what else the result depends on, as
//! its owner understands it. [`Store::get`] finds the result of just this search, [`Store::deepest`] the deepest of a
//! position that holds in other games too.
//!
//! A store belongs to one network and one version of the search, its [`Identity`]. What is damaged, or is another's, is
//! never written to: a file is examined as a whole, in a way that cannot change it (`check`), before it is opened.

mod check;
mod error;
mod key;
mod record;
mod store;

pub use error::StoreError;
pub use key::{Context, Key};
pub use record::Record;
pub use store::{Identity, Store, Summary};
