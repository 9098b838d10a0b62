//! [`crate::soak`] with the release build: two thousand games if there is time, then an endless search. It runs beside the
//! other parts, at a lower priority, so that their time is theirs.

use std::process::Command;
use std::time::Instant;

use super::{Context, Done, Verdict};
use crate::soak::{Extent, soak};

const GAMES: u64 = 2_000;

pub(super) fn run(context: &Context) -> Verdict {
    let program = context.release()?;
    let extent = Extent { games: GAMES, until: Some(Instant::now() + context.left() * 2 / 3) };
    soak(Command::new("nice").arg(program), extent, context.end()).map(Done::Passed)
}
