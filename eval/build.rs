//! Finds the network to embed: the one file in `networks/`, or the one that the variable EVALFILE names.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed=networks");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package's folder"));
    let network = match env::var_os("EVALFILE").filter(|path| !path.is_empty()) {
        // A relative path is meant from the workspace, where the build was called.
        Some(path) => package.join("..").join(path),
        None => only_network(&package.join("networks")),
    };
    assert!(network.is_file(), "there is no network at {}", network.display());
    println!("cargo:rerun-if-changed={}", network.display());
    println!("cargo:rustc-env=VANCURA_NETWORK={}", network.display());
}

/// The network in the folder, which must hold exactly one.
fn only_network(folder: &Path) -> PathBuf {
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut networks: Vec<_> = paths.filter(|path| path.extension().is_some_and(|name| name == "nnue")).collect();
    assert_eq!(networks.len(), 1, "{} should hold one network: {networks:?}", folder.display());
    networks.remove(0)
}
