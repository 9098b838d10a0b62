//! [`crate::soak`] with the release build: two thousand games if there is time, then an endless search.

use std::time::Instant;

use super::{Context, Done, Verdict};
use crate::soak::{Extent, soak};

const GAMES: u64 = 2_000;

pub(super) fn run(context: &Context) -> Verdict {
    let program = context.release()?;
    let left = context.left();
    let extent = Extent { games: GAMES, until: Some(Instant::now() + left * 2 / 3) };
    soak(&program, extent, left / 3).map(Done::Passed)
}
