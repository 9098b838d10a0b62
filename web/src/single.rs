//! The build without threads.

// The functions that the host calls and the one that it offers have names without types, which no other function of the
// program has, nor of the C library below it; `page/engine/vancura.js` keeps to the types here.
#![allow(unsafe_code)]

use std::io::{self, Stdout};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use search::Interrupt;
use uci::Session;

/// The line that the host is handing over.
static LINE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// The session, once a line has come.
static SESSION: Mutex<Option<Session<Stdout>>> = Mutex::new(None);

mod host {
    #[link(wasm_import_module = "vancura")]
    unsafe extern "C" {
        /// What the client wants of the running search: 0 nothing, 1 that it stops, 2 that it goes on on its own time.
        // The C library has a function `poll`, to which the linker would lead a plain name.
        pub(super) safe fn vancura_poll() -> u32;
    }
}

fn interrupt() -> Option<Interrupt> {
    match host::vancura_poll() {
        1 => Some(Interrupt::Stop),
        2 => Some(Interrupt::PonderHit),
        _ => None,
    }
}

/// Room for a line of this many bytes, which [`execute`] will carry out; null if there is no memory for it.
#[unsafe(no_mangle)]
pub extern "C" fn line(len: usize) -> *mut u8 {
    let mut line = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    line.clear();
    if line.try_reserve_exact(len).is_err() {
        return ptr::null_mut();
    }
    line.resize(len, 0);
    line.as_mut_ptr()
}

/// Carries out the line, a search to its end. Whether the session goes on.
#[unsafe(no_mangle)]
pub extern "C" fn execute() -> bool {
    let line = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    let session = session.get_or_insert_with(|| Session::without_threads(io::stdout(), Box::new(interrupt)));
    session.execute(&String::from_utf8_lossy(&line)).is_continue()
}
