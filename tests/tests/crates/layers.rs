//! The order of crates, and of the folders in `search`, `analysis` and `train`: nothing imports what stands above it.
//!
//! In these three crates an import names the folder: `crate::folder::file::Name`. So the first name after `crate` says what
//! is imported, and `lib.rs`, which stands above all folders, is never a detour. Unit tests may look at anything.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate with its folders and the files beside them, from the lowest to the highest: each imports only itself and those
/// before it.
const FOLDERS: [(&str, &[&str]); 3] = [
    (
        "search",
        &[
            "types",
            "table",
            "history",
            "ordering",
            "tablebase",
            "state",
            "tree",
            "mate",
            "strength",
            "root",
            "thread",
            "openings",
            "bench",
        ],
    ),
    (
        "analysis",
        &[
            "error",
            "model",
            "temp_file",
            "read",
            "search",
            "reasons",
            "judge",
            "review",
            "rows",
            "report",
            "write",
            "run",
            "arbiter",
            "profile",
            "explain",
            "puzzles",
            "store_command",
            "tree",
        ],
    ),
    ("train", &["games", "selfplay", "records", "endings", "training", "exam", "tuning"]),
];

/// All that a crate of the workspace depends on there, where that is a promise of ARCHITECTURE.md.
const DEPENDENCIES: [(&str, &[&str]); 14] = [
    ("platform", &[]),
    ("movegen", &[]),
    ("page", &[]),
    ("http", &[]),
    ("formats", &["movegen"]),
    ("eval", &["movegen"]),
    ("endgame", &["movegen"]),
    ("search", &["eval", "movegen", "platform"]),
    ("pgn", &["formats", "movegen"]),
    ("uci", &["eval", "formats", "movegen", "platform", "search"]),
    ("explorer", &["cli", "movegen", "pgn", "platform"]),
    ("serve", &["cli", "http", "movegen", "pgn", "search", "uci"]),
    ("mcp", &["analysis", "cli", "movegen", "pgn", "search", "serve"]),
    ("web", &["search", "uci"]),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust files in a folder and in those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    let of = |path: PathBuf| match path.extension() {
        _ if path.is_dir() => files(&path),
        Some(extension) if extension == "rs" => vec![path],
        _ => Vec::new(),
    };
    entries.flat_map(of).collect()
}

/// The code of a file without comments and unit tests, which are its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the source can be read");
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// What stands after each `crate::`: the names up to the next `::`.
fn imports(code: &str) -> impl Iterator<Item = &str> {
    let after = code.split("crate::").skip(1);
    after.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
}

#[test]
fn no_file_imports_a_folder_above() {
    for (name, folders) in FOLDERS {
        let source = workspace().join(name).join("src");
        let (mut count, mut upward) = (0, Vec::new());
        for path in files(&source) {
            let relative = path.strip_prefix(&source).expect("a file of this folder").with_extension("");
            let own = relative.iter().next().expect("a name").to_string_lossy().into_owned();
            if ["lib", "bin"].contains(&&own[..]) || relative.ends_with("tests") {
                continue;
            }
            let height = folders.iter().position(|folder| *folder == own);
            let height = height.unwrap_or_else(|| panic!("{name}: the folder {own} has no place in the order"));
            let code = code(&path);
            assert!(!code.contains("super::super"), "{}: a path by its folder is easier to read", path.display());
            for import in imports(&code) {
                count += 1;
                if !folders[..=height].contains(&import) {
                    upward.push(format!("{} imports {import}", relative.display()));
                }
            }
        }
        assert!(count > 50, "{name}: {count}");
        assert!(upward.is_empty(), "\n{name}:\n{}", upward.join("\n"));
    }
}

#[test]
fn crates_depend_on_what_the_architecture_says() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]).current_dir(workspace());
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let named = |value: &Value| Some(value["name"].as_str()?.strip_prefix("vancura-")?.to_owned());
    for (name, expected) in DEPENDENCIES {
        let package = packages.iter().find(|package| named(package).is_some_and(|other| other == name));
        let dependencies = package.unwrap_or_else(|| panic!("no crate {name}"))["dependencies"].as_array();
        let normal = dependencies.expect("a list").iter().filter(|dependency| dependency["kind"].is_null());
        let found: BTreeSet<_> = normal.filter_map(named).collect();
        assert_eq!(found, expected.iter().map(|&name| name.to_owned()).collect(), "{name}");
    }
}

/// A reader who looks for an idea finds where it comes from.
#[test]
fn each_file_of_the_tree_names_its_source() {
    let folder = workspace().join("search/src/tree");
    let mut count = 0;
    for path in files(&folder) {
        let text = fs::read_to_string(&path).expect("the source can be read");
        let lines: Vec<_> = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
        assert!(lines.join(" ").to_lowercase().contains("source: "), "{}: no source", path.display());
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn imports_are_found_wherever_they_stand() {
    let text = "use crate::a::{b::C, d};\nfn f() { g::<crate::h::I>() }\npub(crate) fn j() { crate::k() }\n";
    assert_eq!(imports(text).collect::<Vec<_>>(), ["a", "h", "k"]);
}
