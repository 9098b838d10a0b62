//! Analysed games written down, in the order of the file: into the PGN they came from (`annotate`), positions into EPD (`epd`), as JSON, as text, as
//! tables (`table`, `parquet`) or as a page. `output` has one form of each, and all take a game at a time.

pub(crate) mod annotate;
pub(crate) mod epd;
pub(crate) mod output;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod table;
