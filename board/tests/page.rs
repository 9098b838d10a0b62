//! The files of the page: those of others are as they were published, and the service worker keeps all that is needed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../page")
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
    for (file, licence) in [
        ("chessground.min.js", "GPL-3.0-or-later"),
        ("chessground.base.css", "GPL-3.0-or-later"),
        ("chessground.cburnett.css", "GPL-3.0-or-later"),
        ("ts-fsrs.js", "| MIT |"),
    ] {
        let sum = Sha256::digest(fs::read(page().join("vendor").join(file)).unwrap());
        let sum = sum.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let row = readme.lines().find(|line| line.contains(&format!("`{file}`"))).unwrap();
        assert!(row.contains(&sum) && row.contains(licence), "{file} has the sum {sum}: {row}");
    }
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let mut found = BTreeSet::new();
    files(&page(), &mut found);
    let mut count = 0;
    for file in found.iter().filter(|file| !file.starts_with("vendor/") && !file.starts_with("report/")) {
        let text = fs::read_to_string(page().join(file)).unwrap();
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http://") && !text.contains("https://"), "{file}");
        assert!(!text.contains("innerHTML") && !text.contains("insertAdjacentHTML"), "{file}");
        count += 1;
    }
    assert!(count > 20, "only {count} files were found");
}
