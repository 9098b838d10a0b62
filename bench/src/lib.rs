//! Benchmarks of the crates; they live in `benches/`.
