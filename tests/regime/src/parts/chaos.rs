//! Episodes of [`crate::chaos`] against the debug build, whose assertions are on.

use std::env;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::{Context, Done, Verdict};
use crate::chaos::{Tally, episode};

pub(super) fn run(context: &Context) -> Verdict {
    context.run(&mut context.cargo(&["build", "-p", "vancura"]))?;
    let program = context.root.join("target/debug/vancura");
    let first = match env::var("REGIME_SEED") {
        Ok(seed) => seed.parse().map_err(|error| format!("REGIME_SEED: {error}"))?,
        // Others than last night.
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20),
    };
    let (end, mut tally, mut seed) = (context.end(), Tally::default(), first);
    while tally.episodes == 0 || Instant::now() < end {
        tally += episode(&program, seed)?;
        seed += 1;
    }
    let Tally { episodes, lines, answered, refused } = tally;
    Ok(Done::Passed(format!(
        "{episodes} runs from seed {first}, {lines} lines, {answered} searches answered, {refused} refused"
    )))
}
