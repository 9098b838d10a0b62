//! Tells the `compiler` command which compiler builds it and for what.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().and_then(|run| String::from_utf8(run.stdout).ok());
    println!("cargo:rustc-env=VANCURA_RUSTC={}", version.as_deref().map_or("an unknown rustc", str::trim));
    println!("cargo:rustc-env=VANCURA_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo:rerun-if-changed=build.rs");
}
