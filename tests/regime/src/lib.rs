//! The standing assault on robustness.
//!
//! [`targets`] are the bodies of the fuzz targets, which a test runs over the corpus that comes with the sources, [`chaos`]
//! is a client that does everything at the wrong moment, and [`soak`] looks for what grows with time.

pub mod chaos;
pub mod process;
pub mod soak;
pub mod targets;
