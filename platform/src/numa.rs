//! NUMA: which processors have which memory close by, and threads that stay with them.
//!
//! Source: the Linux kernel, "Numa policy hit/miss statistics" and `Documentation/ABI/stable/sysfs-devices-node`;
//! Stockfish for when binding pays.

#[cfg(all(target_os = "linux", not(miri)))]
use std::fs;
use std::path::Path;

/// The nodes of this machine, as far as this process may use their processors: of each node the numbers of these.
///
/// One node, or none, means that all memory is equally far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Topology {
    nodes: Vec<Vec<usize>>,
}

impl Topology {
    /// That of this machine. Only Linux is asked; elsewhere it has no nodes.
    #[must_use]
    pub fn of_system() -> Self {
        Self::from_folder(Path::new("/sys/devices/system/node"), &allowed())
    }

    /// A topology of these nodes, without those that have no processor.
    #[must_use]
    pub fn new(mut nodes: Vec<Vec<usize>>) -> Self {
        nodes.retain(|processors| !processors.is_empty());
        Self { nodes }
    }

    /// Reads a folder such as Linux has: `node0/cpulist` and so on. Only processors among `allowed` count.
    #[cfg(all(target_os = "linux", not(miri)))]
    fn from_folder(folder: &Path, allowed: &[usize]) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut nodes: Vec<(usize, Vec<usize>)> = entries
            .filter_map(|entry| {
                let number = entry.file_name().to_str()?.strip_prefix("node")?.parse().ok()?;
                let list = fs::read_to_string(entry.path().join("cpulist")).ok()?;
                Some((number, processors(list.trim(), allowed)))
            })
            .collect();
        nodes.sort();
        Self::new(nodes.into_iter().map(|(_, processors)| processors).collect())
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    fn from_folder(_: &Path, _: &[usize]) -> Self {
        Self::default()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is known of any node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether this many threads are better bound to nodes. Few of them may be one of several processes, which would all
    /// go to the first node; so they must be more than half of what the largest node can run.
    #[must_use]
    pub fn is_worth_binding(&self, threads: usize) -> bool {
        let largest = self.nodes.iter().map(Vec::len).max().unwrap_or_default();
        self.len() > 1 && threads > 1 && threads > largest / 2
    }

    /// The node for each of so many threads, in their order: each goes where there are the fewest for each processor, so
    /// that more threads leave those before them where they are.
    #[must_use]
    pub fn places(&self, threads: usize) -> Vec<usize> {
        let mut counts = vec![0; self.len()];
        let mut places = Vec::with_capacity(threads);
        for _ in 0..threads {
            // (count + 1) / processors is least, without fractions; of equals the first.
            let load = |node: usize, other: usize| (counts[node] + 1) * self.nodes[other].len();
            let Some(place) =
                (0..self.len()).reduce(|best, node| if load(node, best) < load(best, node) { node } else { best })
            else {
                break;
            };
            counts[place] += 1;
            places.push(place);
        }
        places
    }

    /// Binds this thread to the processors of a node until the result is dropped. Threads that it starts meanwhile stay there,
    /// and memory that it touches first is taken there. `None` if the system does not grant it; then nothing has changed.
    #[must_use]
    pub fn bind(&self, node: usize) -> Option<Binding> {
        Binding::to(self.nodes.get(node)?)
    }
}

/// The numbers in a list such as `0-3,8,10-11` that are among `allowed`, which bounds what a list can ask for.
#[cfg(all(target_os = "linux", not(miri)))]
fn processors(list: &str, allowed: &[usize]) -> Vec<usize> {
    let ranges = list.split(',').filter_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse().ok()?..=last.parse().ok()?)
    });
    let ranges: Vec<std::ops::RangeInclusive<usize>> = ranges.collect();
    allowed.iter().copied().filter(|processor| ranges.iter().any(|range| range.contains(processor))).collect()
}

/// A thread bound to a node, and where it may run again afterwards.
pub struct Binding {
    #[cfg(all(target_os = "linux", not(miri)))]
    before: rustix::thread::CpuSet,
}

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::Binding;

    /// The processors that this thread may run on; those beyond what a set of them can hold are left out.
    pub(super) fn allowed() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
        (0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect()
    }

    impl Binding {
        pub(super) fn to(processors: &[usize]) -> Option<Self> {
            let before = sched_getaffinity(None).ok()?;
            let mut set = CpuSet::new();
            processors.iter().for_each(|&processor| set.set(processor));
            sched_setaffinity(None, &set).ok()?;
            Some(Self { before })
        }
    }

    impl Drop for Binding {
        fn drop(&mut self) {
            // What was granted before is granted again, unless it has been taken away meanwhile.
            let _ = sched_setaffinity(None, &self.before);
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    use super::Binding;

    /// Unknown: this system is not asked.
    pub(super) fn allowed() -> Vec<usize> {
        Vec::new()
    }

    impl Binding {
        pub(super) fn to(_: &[usize]) -> Option<Self> {
            None
        }
    }
}

use self::system::allowed;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_spread_by_processors_and_stay_where_they_are() {
        let topology = Topology::new(vec![vec![0, 1, 2, 3], vec![], vec![4, 5]]);
        assert_eq!(topology.len(), 2);
        assert_eq!(topology.places(6), [0, 0, 1, 0, 0, 1]);
        for threads in 0..40 {
            assert_eq!(topology.places(40)[..threads], topology.places(threads));
        }
        assert!(Topology::default().places(5).is_empty());
    }

    #[test]
    fn few_threads_and_single_nodes_are_left_alone() {
        let single = Topology::new(vec![(0..64).collect()]);
        let double = Topology::new(vec![(0..32).collect(), (32..64).collect()]);
        for threads in [1, 2, 16, 17, 64, 1024] {
            assert!(!single.is_worth_binding(threads) && !Topology::default().is_worth_binding(threads));
            assert_eq!(double.is_worth_binding(threads), threads > 16, "{threads}");
        }
        // Each node of one processor: a single thread need not stay on the first.
        assert!(!Topology::new(vec![vec![0], vec![1]]).is_worth_binding(1));
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn nodes_are_read_as_linux_writes_them() {
        let folder = tempfile::tempdir().unwrap();
        // The last has memory and no processor.
        for (node, list) in [("node0", "0-2,8\n"), ("node10", "6\n"), ("node2", "3-4\n"), ("node3", "\n")] {
            fs::create_dir(folder.path().join(node)).unwrap();
            fs::write(folder.path().join(node).join("cpulist"), list).unwrap();
        }
        fs::write(folder.path().join("online"), "0-3").unwrap();
        fs::create_dir(folder.path().join("nodeX")).unwrap();
        let all: Vec<_> = (0..16).collect();
        let topology = Topology::from_folder(folder.path(), &all);
        assert_eq!(topology.nodes, [vec![0, 1, 2, 8], vec![3, 4], vec![6]]);
        assert_eq!(Topology::from_folder(folder.path(), &[0, 8, 9]).nodes, [[0, 8]], "the others may not be used");
        assert!(Topology::from_folder(&folder.path().join("none"), &all).is_empty());
        assert!(processors("x,,4-,7-5,0-18446744073709551615", &[2, 6]) == [2, 6]);
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn a_bound_thread_and_those_it_starts_stay_on_the_node() {
        let before = allowed();
        let Some(&last) = before.last() else { return println!("skipped: the system does not say where threads run") };
        let topology = Topology::new(vec![vec![before[0]], vec![last]]);
        let binding = topology.bind(1).expect("a processor that may be used");
        assert_eq!(allowed(), [last]);
        let started = std::thread::spawn(|| (std::thread::sleep(std::time::Duration::from_millis(1)), allowed()).1);
        drop(binding);
        assert_eq!((allowed(), started.join().unwrap()), (before, vec![last]));
        assert!(topology.bind(2).is_none());
    }
}
