//! [`crate::storm`] with the release build, until the time is over.

use super::{Context, Verdict};

#[cfg(target_os = "linux")]
pub(super) fn run(context: &Context) -> Verdict {
    let program = context.release()?;
    let seed = super::seed()?;
    let tally = crate::storm::storm(&program, seed, context.end()).map_err(|error| format!("seed {seed}: {error}"))?;
    Ok(super::Done::Passed(format!("{tally}, from seed {seed}")))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn run(_: &Context) -> Verdict {
    Ok(super::Done::Unavailable("it asks Linux which processes are left".to_owned()))
}
