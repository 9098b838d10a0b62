//! The standing assault on robustness.
//!
//! [`targets`] are the bodies of the fuzz targets, which a test runs over the corpus that comes with the sources.

pub mod targets;
