//! The files of the page: those of others are as they were published, and the service worker keeps all that is needed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("page")
}

fn files(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            let relative = path.strip_prefix(page()).expect("it is in the folder");
            found.insert(relative.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"));
        }
    }
}

#[test]
fn files_of_others_are_as_they_were_published() {
    let readme = fs::read_to_string(page().join("vendor/README.md")).unwrap();
    for file in ["chessground.min.js", "chessground.base.css"] {
        let sum = Sha256::digest(fs::read(page().join("vendor").join(file)).unwrap());
        let sum = sum.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let row = readme.lines().find(|line| line.contains(&format!("`{file}`"))).unwrap();
        assert!(row.contains(&sum) && row.contains("GPL-3.0-or-later"), "{file} has the sum {sum}: {row}");
    }
}

#[test]
fn the_service_worker_keeps_every_file_that_the_page_needs() {
    let text = fs::read_to_string(page().join("service-worker.js")).unwrap();
    let list = text.split_once("const FILES = [").unwrap().1.split_once("];").unwrap().0;
    let named: BTreeSet<_> = list.split('"').skip(1).step_by(2).collect();
    let mut found = BTreeSet::new();
    files(&page(), &mut found);
    for file in &found {
        let is_piece = file.starts_with("pieces/") && list.contains("...PIECES");
        // The page itself goes by the name of its folder; the rest is not for the browser or not without a server.
        let is_apart = matches!(&file[..], "index.html" | "service-worker.js" | "socket.js")
            || file.starts_with("vendor/README")
            || file == "vendor/LICENSE";
        assert!(is_piece || is_apart || named.contains(&file[..]), "{file} is not kept");
    }
    let built = ["./", "rules.wasm", "engine/vancura.js", "engine/vancura-single.wasm", "engine/vancura-threads.wasm"];
    for name in named {
        assert!(found.contains(name) || built.contains(&name), "{name} is kept, but is not there");
    }
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let mut found = BTreeSet::new();
    files(&page(), &mut found);
    let mut count = 0;
    for file in found.iter().filter(|file| !file.starts_with("vendor/")) {
        let text = fs::read_to_string(page().join(file)).unwrap();
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http://") && !text.contains("https://"), "{file}");
        assert!(!text.contains("innerHTML") && !text.contains("insertAdjacentHTML"), "{file}");
        count += 1;
    }
    assert!(count > 20, "only {count} files were found");
}
