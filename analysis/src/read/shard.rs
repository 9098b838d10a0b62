//! A part of the input, so that many machines can share it.
//!
//! Parts are cut at games, by where in the files those end. So one after the other they are the whole, and each is the same
//! wherever it is asked for: a plain file is cut by its bytes, a compressed one by how many of its bytes had to be read.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::read::games::{FoundGame, Games};

/// One of several parts of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shard {
    /// From 1 to `count`.
    pub number: u32,
    pub count: u32,
}

/// The variables in which a scheduler says which task of how many this is.
struct Scheduler {
    number: &'static str,
    /// The first number; where no variable says so, it is `base`.
    first: Option<&'static str>,
    base: u32,
    /// How far apart the numbers are.
    step: Option<&'static str>,
    count: Option<&'static str>,
    /// The last number, where nothing says how many there are.
    last: Option<&'static str>,
}

const NONE: Scheduler = Scheduler { number: "", first: None, base: 1, step: None, count: None, last: None };

/// Slurm, Grid Engine, LSF, Kubernetes, AWS Batch, PBS, Torque and GNU parallel.
const SCHEDULERS: [Scheduler; 8] = [
    Scheduler {
        number: "SLURM_ARRAY_TASK_ID",
        first: Some("SLURM_ARRAY_TASK_MIN"),
        step: Some("SLURM_ARRAY_TASK_STEP"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
        ..NONE
    },
    Scheduler {
        number: "SGE_TASK_ID",
        first: Some("SGE_TASK_FIRST"),
        step: Some("SGE_TASK_STEPSIZE"),
        last: Some("SGE_TASK_LAST"),
        ..NONE
    },
    Scheduler { number: "LSB_JOBINDEX", step: Some("LSB_JOBINDEX_STEP"), last: Some("LSB_JOBINDEX_END"), ..NONE },
    Scheduler { number: "JOB_COMPLETION_INDEX", base: 0, ..NONE },
    Scheduler { number: "AWS_BATCH_JOB_ARRAY_INDEX", base: 0, count: Some("AWS_BATCH_JOB_ARRAY_SIZE"), ..NONE },
    Scheduler { number: "PBS_ARRAY_INDEX", ..NONE },
    Scheduler { number: "PBS_ARRAYID", ..NONE },
    Scheduler { number: "PARALLEL_SEQ", ..NONE },
];

impl Scheduler {
    /// Which task this is and of how many, if that is said.
    fn read(&self, variable: &impl Fn(&str) -> Option<String>) -> Option<(u32, Option<u32>)> {
        let read = |name: Option<&str>| variable(name?)?.trim().parse::<u32>().ok();
        // Grid Engine says `undefined` outside of arrays, LSF says 0.
        let number = read(Some(self.number)).filter(|&number| number > 0 || self.base == 0 || self.first.is_some())?;
        let (first, step) =
            (read(self.first).unwrap_or(self.base), read(self.step).filter(|&step| step > 0).unwrap_or(1));
        let place = |number: u32| Some(number.checked_sub(first)? / step + 1);
        Some((place(number)?, read(self.count).or_else(|| place(read(self.last)?))))
    }
}

impl Shard {
    /// The most parts.
    const MOST: u32 = 1_000_000;

    /// `3/16`, or `auto` for what the environment says, or `auto/16` where that says only which.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::read(text, |name| std::env::var(name).ok())
    }

    fn read(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let (number, count) = text.split_once('/').map_or((text, None), |(number, count)| (number, Some(count)));
        let said = || SCHEDULERS.iter().find_map(|scheduler| scheduler.read(&variable));
        let count = count.map(|count| count.trim().parse::<u32>().map_err(|_| format!("{count:?} is no number")));
        let count = count.transpose()?;
        let (number, count) = if number.trim() == "auto" {
            let (number, said) = said().ok_or("no scheduler says in the environment which part this is")?;
            let count = count.or(said).ok_or("the environment does not say how many parts there are: give auto/N")?;
            (number, count)
        } else {
            let number = number.trim().parse().map_err(|_| format!("expected I/N, auto or auto/N, not {text:?}"))?;
            (number, count.ok_or_else(|| format!("expected I/N, auto or auto/N, not {text:?}"))?)
        };
        if !(1..=Self::MOST).contains(&count) {
            return Err(format!("the number of parts is from 1 to {}", Self::MOST));
        }
        if !(1..=count).contains(&number) {
            return Err(format!("part {number} is not one of 1 to {count}"));
        }
        Ok(Self { number, count })
    }

    /// As a part of the name of a file: in the order of the parts, `03-of-16`.
    pub fn name(self) -> String {
        let width = self.count.to_string().len();
        format!("{:0width$}-of-{}", self.number, self.count)
    }

    /// The part that a game belongs to which ends at this place.
    fn of_place(self, place: u64, bytes: u64) -> u32 {
        let place = u128::from(place.clamp(1, bytes.max(1)) - 1);
        let part = place * u128::from(self.count) / u128::from(bytes.max(1));
        u32::try_from(part).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The games of this part. `place` is where in the input the reader is, of so many bytes.
    pub fn select(self, mut games: Games, place: Arc<AtomicU64>, bytes: u64) -> Games {
        Box::new(std::iter::from_fn(move || {
            loop {
                let found: FoundGame = games.next()?;
                match self.of_place(place.load(Relaxed), bytes) {
                    part if part < self.number => {}
                    part if part == self.number => return Some(found),
                    _ => return None,
                }
            }
        }))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, environment: &[(&str, &str)]) -> Result<(u32, u32), String> {
        let variable = |name: &str| Some(environment.iter().find(|(other, _)| *other == name)?.1.to_owned());
        Shard::read(text, variable).map(|shard| (shard.number, shard.count))
    }

    #[test]
    fn schedulers_say_which_part_this_is() {
        assert_eq!(read("3/16", &[]), Ok((3, 16)));
        let slurm = [("SLURM_ARRAY_TASK_ID", "10"), ("SLURM_ARRAY_TASK_MIN", "4"), ("SLURM_ARRAY_TASK_STEP", "2")];
        assert_eq!(read("auto/9", &slurm), Ok((4, 9)));
        assert_eq!(read("auto", &[&slurm[..], &[("SLURM_ARRAY_TASK_COUNT", "5")]].concat()), Ok((4, 5)));
        assert_eq!(
            read(
                "auto",
                &[("SLURM_ARRAY_TASK_ID", "0"), ("SLURM_ARRAY_TASK_MIN", "0"), ("SLURM_ARRAY_TASK_COUNT", "2")]
            ),
            Ok((1, 2))
        );
        assert_eq!(read("auto", &[("SGE_TASK_ID", "2"), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "8")]), Ok((2, 8)));
        assert_eq!(read("auto", &[("AWS_BATCH_JOB_ARRAY_INDEX", "0"), ("AWS_BATCH_JOB_ARRAY_SIZE", "3")]), Ok((1, 3)));
        assert_eq!(read("auto/4", &[("SGE_TASK_ID", "undefined"), ("JOB_COMPLETION_INDEX", "3")]), Ok((4, 4)));
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for (text, environment, message) in [
            ("0/4", &[][..], "part 0 is not one of 1 to 4"),
            ("5/4", &[], "part 5 is not one of 1 to 4"),
            ("1/0", &[], "the number of parts is from 1 to 1000000"),
            ("3", &[], "expected I/N, auto or auto/N, not \"3\""),
            ("x/2", &[], "expected I/N, auto or auto/N, not \"x/2\""),
            ("auto", &[], "no scheduler says in the environment which part this is"),
            (
                "auto",
                &[("JOB_COMPLETION_INDEX", "3")],
                "the environment does not say how many parts there are: give auto/N",
            ),
            ("auto/3", &[("JOB_COMPLETION_INDEX", "3")], "part 4 is not one of 1 to 3"),
        ] {
            assert_eq!(read(text, environment), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn parts_follow_each_other_and_names_sort_like_them() {
        let shard = Shard { number: 3, count: 16 };
        assert_eq!((shard.name(), shard.to_string()), ("03-of-16".to_owned(), "3/16".to_owned()));
        let parts: Vec<_> = (0..=1000).map(|place| shard.of_place(place, 1000)).collect();
        assert!(
            parts.is_sorted()
                && parts[0] == 1
                && parts[1000] == 16
                && parts.windows(2).all(|pair| pair[1] - pair[0] <= 1)
        );
        assert_eq!((shard.of_place(u64::MAX, 5), shard.of_place(0, 0)), (13, 1));
    }
}
