//! The stack of the first thread, which the system makes as large as its limit allows (`ulimit -s`).

use std::{io, thread};

/// The stack that all work of a first thread gets, in bytes: what other threads have by default.
const STACK_SIZE: usize = 2 << 20;

/// Runs a program, in a thread of its own if the first one has less stack than such a thread.
///
/// # Errors
///
/// If that thread cannot be made.
pub fn with_enough_stack<T: Send + 'static>(program: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    if has_enough_stack() {
        return Ok(program());
    }
    let thread = thread::Builder::new().name("main".to_owned()).stack_size(STACK_SIZE).spawn(program)?;
    thread.join().map_err(|_| io::Error::other("the program has panicked"))
}

#[cfg(unix)]
fn has_enough_stack() -> bool {
    use rustix::process::{Resource, getrlimit};

    getrlimit(Resource::Stack).current.is_none_or(|limit| limit >= STACK_SIZE as u64)
}

/// Other systems are not told how large it should be.
#[cfg(not(unix))]
const fn has_enough_stack() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_answers_in_any_thread() {
        assert_eq!(with_enough_stack(|| 3).ok(), Some(3));
    }
}
