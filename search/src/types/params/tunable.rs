//! A tuned number, for tuners and UCI options.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A tuned number: its name, its default, and the range for a tuner.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name in the code.
    pub name: &'static str,
    /// The value it has in play.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// The step size of a tuner at the end of tuning.
    pub step: i32,
    #[cfg(feature = "tune")]
    pub(super) value: &'static AtomicI32,
}

#[cfg(feature = "tune")]
impl Tunable {
    /// Sets the number for all searches from now on, within its bounds.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), Relaxed);
    }
}
