//! Episodes of [`crate::chaos`] against the debug build, whose assertions are on.

use std::time::Instant;

use super::{Context, Done, Verdict, seed};
use crate::chaos::{Tally, episode};

pub(super) fn run(context: &Context) -> Verdict {
    context.run(&mut context.cargo(&["build", "-p", "vancura"]))?;
    let program = context.root.join("target/debug/vancura");
    let first = seed()?;
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
