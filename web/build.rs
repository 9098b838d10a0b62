//! What the linker has to know of the memory that a page gives.

use std::env;

/// In bytes: the deepest line of a search on the thread that calls, as search threads have it elsewhere.
const STACK: usize = 16 << 20;
/// In bytes: what `page/engine/vancura.js` begins with.
const FIRST_MEMORY: usize = 32 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|families| families.split(',').any(|family| family == "wasm")) {
        println!("cargo::rustc-link-arg=-zstack-size={STACK}");
        println!("cargo::rustc-link-arg=--initial-memory={FIRST_MEMORY}");
    }
}
