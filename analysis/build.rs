//! Compresses the engine that `analyse --live` puts into pages: the WebAssembly that the variable WASMFILE names.
//!
//! It comes into the program as another network does by EVALFILE. Without the variable there is none: building it needs a
//! target that not every compiler has, so a plain `cargo build` must not ask for it. `make live` builds both.

use std::env;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() {
    println!("cargo:rerun-if-env-changed=WASMFILE");
    println!("cargo:rerun-if-changed=build.rs");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package's folder"));
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder for the output"));
    let mut compressed = Vec::new();
    if let Some(path) = env::var_os("WASMFILE").filter(|path| !path.is_empty()) {
        // A relative path is meant from the workspace, where the build was called.
        let path = package.join("..").join(path);
        println!("cargo:rerun-if-changed={}", path.display());
        let wasm = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(wasm.starts_with(b"\0asm"), "{} is not WebAssembly", path.display());
        // Browsers unpack this format by themselves.
        let mut encoder = GzEncoder::new(&mut compressed, Compression::best());
        encoder.write_all(&wasm).expect("memory takes it");
        encoder.finish().expect("memory takes it");
    }
    fs::write(target.join("engine.wasm.gz"), compressed).expect("the output can be written");
}
