//! Memory: how much there is, and whether the transposition table gets large pages.

use std::fs;

use search::Searcher;
use sysinfo::System;

use super::diagnosis::Diagnosis;

/// Less than this is tight even for a game on a phone.
const LITTLE_MIB: u64 = 256;
/// The share of the table that should lie on huge pages, in percent: its ends need not.
const MIN_HUGE_PERCENT: u64 = 90;

pub(super) fn examine(hash_mib: usize) -> Vec<Diagnosis> {
    let mut diagnoses = vec![match memory_mib() {
        None => Diagnosis::good("the system does not say how much there is"),
        Some((total, available)) => judge_room(total, available),
    }];
    let before = huge_pages_mib();
    let mut searcher = Searcher::new(1, hash_mib);
    // Clears the table, and so has the system find room for all of it.
    searcher.new_game();
    searcher.wait();
    let granted = searcher.hash_mib();
    if granted < hash_mib {
        diagnoses.push(Diagnosis::fault(
            format!("a hash table of {hash_mib} MiB does not fit; {granted} MiB does"),
            format!("set Hash to {granted} or less"),
        ));
    } else {
        diagnoses.push(Diagnosis::good(format!("a hash table of {hash_mib} MiB fits")));
    }
    diagnoses.extend(judge_pages(granted as u64, before, huge_pages_mib(), setting().as_deref()));
    diagnoses
}

fn judge_room(total: u64, available: u64) -> Diagnosis {
    let text = format!("{total} MiB, {available} MiB of it available");
    if available < LITTLE_MIB {
        Diagnosis::note(text, "close other programs, or set Hash to a few MiB")
    } else {
        Diagnosis::good(text)
    }
}

/// All memory and what is free to use, of this program's group if it is in one, in MiB.
fn memory_mib() -> Option<(u64, u64)> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let (mut total, mut available) = (system.total_memory(), system.available_memory());
    if let Some(limits) = system.cgroup_limits() {
        total = total.min(limits.total_memory);
        available = available.min(limits.total_memory.saturating_sub(limits.rss));
    }
    Some((total >> 20, available >> 20))
}

/// How much of this program's memory uses huge pages, in MiB, if the system says.
fn huge_pages_mib() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    read_huge_pages(&text)
}

fn read_huge_pages(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("AnonHugePages:"))?;
    let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kib >> 10)
}

/// What the system does about huge pages: `always`, `madvise` or `never`.
fn setting() -> Option<String> {
    let text = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

/// What to think of the pages of a table, by what lay on huge pages before there was one and after.
fn judge_pages(table: u64, before: Option<u64>, after: Option<u64>, setting: Option<&str>) -> Option<Diagnosis> {
    let huge = after?.saturating_sub(before?);
    let text = format!("{} of {table} MiB of it use huge pages", huge.min(table));
    Some(if 100 * huge >= MIN_HUGE_PERCENT * table {
        Diagnosis::good(text)
    } else {
        let remedy = match setting {
            Some("never") => {
                "the system is set to never use them, which costs some speed with large tables; to allow them: \
                 echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"
            }
            _ => "no huge pages were free, which costs some speed with large tables; restarting the system frees some",
        };
        Diagnosis::note(text, remedy)
    })
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::Level;
    use super::*;

    #[test]
    fn the_systems_words_are_understood() {
        let text = "00400000-7fff ---p 00000000 00:00 0 [rollup]\nRss:  1 kB\nAnonHugePages:    65536 kB\nSwap: 0 kB\n";
        assert_eq!(read_huge_pages(text), Some(64));
        for text in ["", "AnonHugePages:", "AnonHugePages: x kB"] {
            assert_eq!(read_huge_pages(text), None, "{text}");
        }
    }

    #[test]
    fn small_pages_are_noted_with_a_way_to_larger_ones() {
        let judge = |after, setting| judge_pages(64, Some(10), Some(after), setting).unwrap();
        assert_eq!(judge(74, Some("madvise")), Diagnosis::good("64 of 64 MiB of it use huge pages"));
        assert_eq!(judge(70, None).level, Level::Good);
        let never = judge(10, Some("never"));
        assert_eq!(never.level, Level::Note);
        assert!(never.text.starts_with("0 of 64") && never.remedy.unwrap().contains("echo madvise"));
        assert!(judge(20, Some("madvise")).remedy.unwrap().contains("restart"));
        assert_eq!(judge_pages(64, None, Some(64), None), None);
    }

    #[test]
    fn a_small_table_fits_anywhere() {
        let diagnoses = examine(1);
        assert!(diagnoses.iter().any(|diagnosis| diagnosis.text == "a hash table of 1 MiB fits"), "{diagnoses:?}");
    }
}
