//! The standing assault on robustness.
//!
//! [`targets`] are the bodies of the fuzz targets, [`chaos`] is a client that does everything at the wrong moment,
//! [`lateness`] looks at the clock, `storm` runs everything at once and kills it, and [`soak`] looks for what grows with time. The program of this crate runs them and all other long checks, [`parts`] by
//! part, and prints a table of what was done; the tests run short forms of the same.

pub mod chaos;
pub mod lateness;
pub mod parts;
pub mod process;
pub mod soak;
#[cfg(target_os = "linux")]
pub mod storm;
pub mod targets;
