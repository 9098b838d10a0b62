//! Work done by several threads, with results in the order of the work.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{bounded, unbounded};

/// Does a piece of work for each item, on one thread for each worker, and hands the results to `take` on the calling thread,
/// in the order of the items and as soon as they come. Items are drawn on a thread of their own, a few ahead of the work:
/// that may wait, and does not keep results that are ready. When `take` breaks off, no new work is begun.
///
/// `stack_size` is that of the threads that work, in bytes; `None` for the usual one.
///
/// # Errors
///
/// If the system does not grant the threads.
pub fn in_order<I: Send, W: Send, T: Send>(
    items: impl Iterator<Item = I> + Send,
    workers: Vec<W>,
    stack_size: Option<usize>,
    work: impl Fn(&mut W, I) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> io::Result<()> {
    let is_over = AtomicBool::new(false);
    let (give, given) = bounded(workers.len());
    let (done, results) = unbounded();
    thread::scope(|scope| {
        let start = || {
            for mut worker in workers {
                let (given, done, is_over, work) = (given.clone(), done.clone(), &is_over, &work);
                let run = move || {
                    for (index, item) in given {
                        if is_over.load(Relaxed) || done.send((index, work(&mut worker, item))).is_err() {
                            break;
                        }
                    }
                };
                let builder = thread::Builder::new();
                stack_size.into_iter().fold(builder, thread::Builder::stack_size).spawn_scoped(scope, run)?;
            }
            let is_over = &is_over;
            let feed = move || {
                for item in items.enumerate() {
                    if is_over.load(Relaxed) || give.send(item).is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, feed)
        };
        start()?;
        // Only the threads have these now, and end with each other.
        drop((given, done));
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                if take(result).is_break() {
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
        in_order(0..20, vec![0, 0], None, work, |result| {
            taken.push(result);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(taken, (0..20).map(|index| index * 10).collect::<Vec<_>>());
    }

    #[test]
    fn it_ends_when_told_to_and_without_work() {
        let mut taken = 0;
        let take = |()| {
            taken += 1;
            ControlFlow::Break(())
        };
        in_order(0.., vec![()], None, |(), _| (), take).unwrap();
        assert_eq!(taken, 1);
        in_order(0..0, vec![(), ()], Some(1 << 20), |(), _| (), |()| panic!("there is nothing to take")).unwrap();
    }

    #[test]
    fn results_are_taken_while_the_next_item_is_awaited() {
        let (taken, is_taken) = bounded(1);
        let mut items = [1, 2].into_iter();
        let waiting = std::iter::from_fn(|| {
            let item = items.next()?;
            // The second item comes only when the first one's result has been taken.
            if item == 2 {
                is_taken.recv().unwrap();
            }
            Some(item)
        });
        let mut sum = 0;
        in_order(
            waiting,
            vec![(); 3],
            None,
            |(), item| item,
            |result| {
                sum += result;
                taken.send(()).unwrap();
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert_eq!(sum, 3);
    }
}
