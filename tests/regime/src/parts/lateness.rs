//! [`crate::lateness`] of the release build, at the positions of the test data in any order, as far as there is time.

use ::tests::data::test_data;
use ::tests::play::Random;

use super::{Context, Done, Verdict, seed};
use crate::lateness::{HARD, MOST, Timer, positions};

pub(super) fn run(context: &Context) -> Verdict {
    let program = context.release()?;
    let mut all = test_data("lateness").map_or(Ok(Vec::new()), |folder| positions(&folder))?;
    let mut random = Random::new(seed()?);
    for index in (1..all.len()).rev() {
        all.swap(index, random.below(index + 1));
    }
    // Those first that are known to be hard.
    let fens = HARD.into_iter().chain(all.iter().map(String::as_str));
    let [after_time, after_stop] = Timer::start(&program)?.measure(fens, context.end())?;
    for (lateness, what, most) in [(&after_time, "its time", MOST[0]), (&after_stop, "stop", MOST[1])] {
        if !lateness.is_good() {
            let named: Vec<_> = lateness.late.iter().take(3).map(String::as_str).collect();
            return Err(format!("more than {most:?} after {what}: {lateness}, such as {}", named.join("; ")));
        }
    }
    let (count, all) = (after_time.count(), all.len() + HARD.len());
    Ok(Done::Passed(format!(
        "{count} of {all} positions; median, 99 %, 99.9 % and greatest after movetime 10: {after_time}; after stop: {after_stop}"
    )))
}
