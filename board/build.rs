//! Lists the files of the page, which become part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What the page does not need with this server, or no page: other pages, WebAssembly, types, licences.
const APART: [&str; 8] = [
    "report",
    "service-worker.js",
    "tsconfig.json",
    "engine/wasm.js",
    "engine/endpoint.js",
    "rules/worker.js",
    "vendor/LICENSE",
    "vendor/README.md",
];

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package's folder"));
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder for the output"));
    let page = package.join("../page");
    let mut names = Vec::new();
    list(&page, "", &mut names);
    names.sort();
    let mut text = "&[\n".to_owned();
    for name in names {
        let path = page.join(&name);
        let _ = writeln!(text, "File {{ name: {name:?}, body: include_bytes!({path:?}) }},");
    }
    text.push(']');
    fs::write(target.join("files.rs"), text).expect("the output can be written");
}

/// Adds the files of a folder of the page, with those of its folders.
fn list(page: &Path, folder: &str, names: &mut Vec<String>) {
    println!("cargo:rerun-if-changed={}", page.join(folder).display());
    for entry in fs::read_dir(page.join(folder)).expect("the page's folder can be read") {
        let entry = entry.expect("the page's folder can be read");
        let name = entry.file_name().into_string().expect("plain names");
        let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if APART.contains(&&name[..]) || name.ends_with(".d.ts") {
            continue;
        }
        if entry.path().is_dir() {
            list(page, &name, names);
        } else {
            names.push(name);
        }
    }
}
