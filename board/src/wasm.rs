//! The rules as WebAssembly: a request goes in as bytes, and an answer comes out. `page/rules/worker.js` calls this.

// The functions that the host calls have names without types, which no other function of the program has, nor of the C
// library below it.
#![allow(unsafe_code)]

use std::ptr;
use std::sync::{Mutex, PoisonError};

use crate::rules;

/// The request that the host is handing over, and then the answer to it.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Room for a request of this many bytes; null if there is no memory for it.
#[unsafe(no_mangle)]
pub extern "C" fn request(len: usize) -> *mut u8 {
    let mut text = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
    *text = Vec::new();
    if text.try_reserve_exact(len).is_err() {
        return ptr::null_mut();
    }
    text.resize(len, 0);
    text.as_mut_ptr()
}

/// Answers the request. The length of the answer, which begins at [`answer`].
#[unsafe(no_mangle)]
pub extern "C" fn execute() -> usize {
    let mut text = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = rules::answer(&String::from_utf8_lossy(&text));
    *text = answer.into_bytes();
    text.len()
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}
