//! Work done by several threads, with results in the order of the work.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::unbounded;

/// Does a piece of work for each number below `count`, on one thread for each worker, and hands the results to `take`
/// on the calling thread, in order and as soon as they come. When `take` breaks off, no new work is begun.
///
/// # Errors
///
/// If the system does not grant a thread for each worker.
pub(crate) fn in_order<W: Send, T: Send>(
    count: usize,
    workers: Vec<W>,
    work: impl Fn(&mut W, usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> ControlFlow<()>,
) -> io::Result<()> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = unbounded();
    thread::scope(|scope| {
        for mut worker in workers {
            let (sender, next, is_over, work) = (sender.clone(), &next, &is_over, &work);
            let run = move || {
                while !is_over.load(Relaxed) {
                    let index = next.fetch_add(1, Relaxed);
                    if index >= count || sender.send((index, work(&mut worker, index))).is_err() {
                        break;
                    }
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, run) {
                is_over.store(true, Relaxed);
                return Err(error);
            }
        }
        drop(sender);
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                if take(due, result).is_break() {
                    is_over.store(true, Relaxed);
                    return Ok(());
                }
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        // The first piece of work is not done before the second.
        let barrier = Barrier::new(2);
        let mut taken = Vec::new();
        let work = |worker: &mut usize, index: usize| {
            if index < 2 {
                barrier.wait();
            }
            *worker += 1;
            index * 10
        };
        in_order(20, vec![0, 0], work, |index, result| {
            taken.push((index, result));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(taken, (0..20).map(|index| (index, index * 10)).collect::<Vec<_>>());
    }

    #[test]
    fn it_ends_when_told_to_and_without_work() {
        let mut taken = 0;
        let take = |_, ()| {
            taken += 1;
            ControlFlow::Break(())
        };
        in_order(usize::MAX, vec![()], |(), _| (), take).unwrap();
        assert_eq!(taken, 1);
        in_order(0, vec![(), ()], |(), _| (), |_, ()| panic!("there is nothing to take")).unwrap();
    }
}
