//! How the numbers of a profile are counted and rounded.

/// In what fractions losses and accuracies are counted: as whole numbers they add up to the same in any order.
pub(super) const UNIT: f64 = 1e4;

/// With two decimals.
pub(super) fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
