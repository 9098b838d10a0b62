//! Lines into a UCI session in this process.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tests::lines::{is_quit, searches};
use uci::Session;

/// Bytes of lines that a session reads at most: a long input says no more than several short ones.
const MAX: usize = 1 << 13;

/// The session's output.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session answers each `go` once, with a best move or a refusal, and writes whole lines of UTF-8. Lines that would
/// only cost time or touch files are left out; the end of the input ends the search that runs then.
///
/// # Panics
///
/// If it does not.
pub fn check(data: &[u8]) {
    let (mut input, mut wanted) = (Vec::new(), 0);
    for line in data[..data.len().min(MAX)].split(|&byte| byte == b'\n') {
        let Some(searches) = searches(line) else { continue };
        wanted += searches;
        input.extend(line);
        input.push(b'\n');
        if is_quit(line) {
            break;
        }
    }
    let output = Output::default();
    Session::new(output.clone()).run(&input[..]);
    let bytes = output.0.lock().unwrap_or_else(PoisonError::into_inner);
    let text = std::str::from_utf8(&bytes).expect("the session writes UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
    let is_answer = |line: &&str| line.starts_with("bestmove ") || line.starts_with("info string error: `go` ignored");
    assert_eq!(text.lines().filter(is_answer).count() as u64, wanted, "{text}");
}
