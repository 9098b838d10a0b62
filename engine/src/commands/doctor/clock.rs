//! The clock: how fine it ticks.

use std::time::{Duration, Instant};

use super::diagnosis::Diagnosis;

const SAMPLES: usize = 1_000;
/// A coarser clock loses games played by the second.
const COARSE: Duration = Duration::from_millis(1);
/// A clock that shows the same time in this many readings is broken.
const LOOKS: usize = 10_000_000;

pub(super) fn examine() -> Vec<Diagnosis> {
    let mut steps: Vec<_> = (0..SAMPLES).map_while(|_| step()).collect();
    steps.sort_unstable();
    vec![match steps.get(steps.len() / 2) {
        Some(&step) if steps.len() == SAMPLES => judge(step),
        _ => Diagnosis::fault(
            "the clock does not advance",
            "the system's monotonic clock does not work; without it there is no play on time",
        ),
    }]
}

/// The time until the clock shows another one.
fn step() -> Option<Duration> {
    let start = Instant::now();
    (0..LOOKS).map(|_| start.elapsed()).find(|elapsed| !elapsed.is_zero())
}

fn judge(step: Duration) -> Diagnosis {
    let text = format!("resolution {} ns", step.as_nanos());
    if step > COARSE {
        let remedy = format!("set Move Overhead to {} or more for games on time", 10 * step.as_millis());
        Diagnosis::note(text, remedy)
    } else {
        Diagnosis::good(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarse_clocks_are_noted() {
        assert_eq!(judge(Duration::from_nanos(30)), Diagnosis::good("resolution 30 ns"));
        let coarse = judge(Duration::from_millis(16));
        assert_eq!(coarse.remedy.as_deref(), Some("set Move Overhead to 160 or more for games on time"));
    }
}
