//! Lists the files of the pages, which become part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// How the names of a page's files end; whatever else lies here belongs to this package, or is for readers.
const ENDS: [&str; 5] = [".css", ".html", ".js", ".svg", ".webmanifest"];

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package's folder"));
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder for the output"));
    let mut names = Vec::new();
    list(&package, "", &mut names);
    names.sort();
    let mut text = "&[\n".to_owned();
    for name in names {
        let path = package.join(&name);
        let _ = writeln!(text, "File {{ name: {name:?}, text: include_str!({path:?}) }},");
    }
    text.push(']');
    fs::write(target.join("files.rs"), text).expect("the output can be written");
}

/// Adds the files of a folder, with those of its folders.
fn list(package: &Path, folder: &str, names: &mut Vec<String>) {
    println!("cargo:rerun-if-changed={}", package.join(folder).display());
    for entry in fs::read_dir(package.join(folder)).expect("the package's folder can be read") {
        let entry = entry.expect("the package's folder can be read");
        let name = entry.file_name().into_string().expect("plain names");
        let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.path().is_dir() {
            list(package, &name, names);
        } else if ENDS.iter().any(|end| name.ends_with(end)) {
            names.push(name);
        }
    }
}
