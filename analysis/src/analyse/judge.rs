//! How good a move was.

/// How good a move was that threw away so many points, 0 to 1: from 100 for none down to 0.
#[must_use]
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-loss).exp()
}
