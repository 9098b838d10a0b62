//! The order of the files in each crate: no cycle among them, and in `search`, `analysis` and `train` no import of a folder
//! above.
//!
//! What counts as an import: every path in a file that begins with `crate`, `super` or `self`, or with a child module of
//! the file, in a `use` or anywhere else. It leads to the file that defines the name: a re-export is followed to its
//! source, so that `crate::Name` through `lib.rs` means the file of `Name`. For the same reason a `pub use` is no import
//! of the file that it stands in, which only passes the name on. A parent file that uses its child and is used by it is a
//! cycle like any other. `use super::*` imports the parent. Unit tests are left out: they may look at anything.
//!
//! In these three nothing may be imported through `lib.rs` either, which stands above all folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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
        &["error", "model", "temp_file", "read", "search", "judge", "report", "write", "run", "arbiter", "profile"],
    ),
    ("train", &["games", "records", "endings", "training", "tuning"]),
];

/// The path of a module from the root of its crate, which is the empty path.
type Module = Vec<String>;

/// What a `use` or another path names: a module path, the last segment perhaps an item, or `*`.
type Name = Vec<String>;

#[derive(Default)]
struct File {
    /// Without comments, strings and unit tests.
    text: String,
    /// Names imported or passed on, by the name that they have here; globs are named `*`.
    uses: Vec<(String, Name)>,
    /// All names that count as imports.
    imports: Vec<Name>,
}

struct Crate {
    files: BTreeMap<Module, File>,
}

impl Crate {
    fn read(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut paths = Vec::new();
        list(&root.join("src"), &mut paths);
        let modules: BTreeMap<Module, PathBuf> =
            paths.into_iter().filter_map(|path| Some((module_of(&root.join("src"), &path)?, path))).collect();
        for (module, path) in &modules {
            let text = without_tests(&without_comments(&fs::read_to_string(path).expect("the source can be read")));
            let mut file = File::default();
            let children: Vec<&str> = modules
                .keys()
                .filter(|other| other.len() > module.len() && other.starts_with(module))
                .map(|other| other[module.len()].as_str())
                .collect();
            for Found { name, alias, passes_on, in_use } in paths_in(&text, module, &children) {
                if in_use {
                    file.uses.push((alias, name.clone()));
                }
                if !passes_on {
                    file.imports.push(name);
                }
            }
            file.text = text;
            files.insert(module.clone(), file);
        }
        Self { files }
    }

    /// The file that defines a name.
    fn resolve(&self, name: &[String], depth: usize) -> Option<Module> {
        let mut module = Module::new();
        for (index, segment) in name.iter().enumerate() {
            let child = [&module[..], std::slice::from_ref(segment)].concat();
            let is_folder = self.files.keys().any(|other| other.starts_with(&child));
            if is_folder {
                module = child;
                continue;
            }
            let file = self.files.get(&module)?;
            if segment != "*" && !defines(&file.text, segment) && depth < 8 {
                let rest = &name[index + 1..];
                let named = file.uses.iter().filter(|(alias, _)| alias == segment).map(|(_, target)| target.clone());
                let globs = file.uses.iter().filter(|(alias, _)| alias == "*").map(|(_, target)| {
                    let base = &target[..target.len() - 1];
                    [base, std::slice::from_ref(segment)].concat()
                });
                for target in named.chain(globs) {
                    if let Some(found) = self.resolve(&[&target[..], rest].concat(), depth + 1)
                        && found != module
                    {
                        return Some(found);
                    }
                }
            }
            return Some(module);
        }
        self.files.contains_key(&module).then_some(module)
    }

    /// Which files each file imports.
    fn graph(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let imports = |(module, file): (&_, &File)| {
            let targets = file.imports.iter().filter_map(|name| self.resolve(name, 0));
            targets.filter(|target| target != module).collect()
        };
        self.files.iter().map(|(module, file)| (module, imports((module, file)))).collect()
    }

    /// The files that import each other, directly or by way of others.
    fn cycles(&self) -> Vec<String> {
        let graph = self.graph();
        let reach = |from: &Module| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = open.pop() {
                for next in graph.get(&module).into_iter().flatten() {
                    if seen.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            graph.keys().map(|module| (*module, reach(module))).collect();
        let mut cycles = BTreeSet::new();
        for (module, others) in &reached {
            let same: BTreeSet<String> =
                others.iter().filter(|other| reached[other].contains(*module)).map(|other| name_of(other)).collect();
            if !same.is_empty() {
                cycles.insert(same.into_iter().collect::<Vec<_>>().join(", "));
            }
        }
        cycles.into_iter().collect()
    }
}

/// A path found in a file.
struct Found {
    name: Name,
    /// The name it has here.
    alias: String,
    /// By `pub use`.
    passes_on: bool,
    in_use: bool,
}

fn name_of(module: &[String]) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("::") }
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("the source can be read").path());
    for path in entries {
        if path.is_dir() {
            list(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

/// The module of a file; none for programs, which are crates of their own, and for files of unit tests.
fn module_of(src: &Path, path: &Path) -> Option<Module> {
    let relative = path.strip_prefix(src).ok()?.with_extension("");
    let mut module: Module = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let last = module.last()?.clone();
    if module[0] == "bin" || last == "tests" {
        return None;
    }
    if matches!(&last[..], "lib" | "main" | "mod") {
        module.pop();
    }
    Some(module)
}

/// The text with comments and the contents of strings left out.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if let Some(hashes) = raw_string(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &rest[hashes + 2..];
            rest = body.find(&end).map_or("", |at| &body[at + end.len()..]);
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            rest = end.map_or("", |end| &rest[end + 2..]);
        } else if let Some(after) =
            ["'\"'", "'\\\"'", "'{'", "'}'", "'\\''", "'/'"].iter().find_map(|it| rest.strip_prefix(it))
        {
            rest = after;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// The number of `#` where a raw string begins.
fn raw_string(text: &str) -> Option<usize> {
    let body = text.strip_prefix('r')?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    body[hashes..].starts_with('"').then_some(hashes)
}

/// The text without what stands behind `#[cfg(test)]`.
fn without_tests(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("#[cfg(test)]") {
        out += &rest[..at];
        rest = &rest[at..];
        let (brace, semicolon) = (rest.find('{').unwrap_or(rest.len()), rest.find(';').unwrap_or(rest.len()));
        if semicolon < brace {
            rest = &rest[semicolon + 1..];
            continue;
        }
        let mut depth = 0;
        let end = rest.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == '}' && depth == 0
        });
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
    out + rest
}

/// All paths in a file that lead to modules of its crate.
fn paths_in(text: &str, module: &[String], children: &[&str]) -> Vec<Found> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(is_name) {
        let start = at + offset;
        let end = text[start..].find(|c| !is_name(c)).map_or(text.len(), |length| start + length);
        let (word, before) = (&text[start..end], text[..start].trim_end());
        at = end;
        let starts_path = matches!(word, "crate" | "super" | "self") || children.contains(&word);
        let is_visibility = before.ends_with("(in");
        if !starts_path || is_visibility || before.ends_with("::") || !text[end..].starts_with("::") {
            continue;
        }
        let statement = &before[before.rfind([';', '{', '}']).map_or(0, |index| index + 1)..];
        let in_use = statement.trim_end().ends_with("use");
        let passes_on = in_use && statement.trim_start().starts_with("pub");
        let mut names = Vec::new();
        at = start + use_tree(&text[start..], &[], &mut names);
        for (path, alias) in names {
            let mut name = module.to_vec();
            let mut segments = path.into_iter().peekable();
            match segments.peek().map(String::as_str) {
                Some("crate") => {
                    segments.next();
                    name.clear();
                }
                Some("self") => {
                    segments.next();
                }
                _ => {}
            }
            while segments.peek().is_some_and(|segment| segment == "super") {
                segments.next();
                name.pop();
            }
            name.extend(segments);
            found.push(Found { name, alias, passes_on, in_use });
        }
    }
    found
}

/// Reads a path or a tree of them, as in `a::{b, c::d as e}`; returns its length.
fn use_tree(text: &str, prefix: &[String], names: &mut Vec<(Name, String)>) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let skip = |at: usize| at + text[at..].len() - text[at..].trim_start().len();
    let mut path = prefix.to_vec();
    let mut at = skip(0);
    loop {
        if text[at..].starts_with('{') {
            at += 1;
            loop {
                at = skip(at);
                if text[at..].starts_with('}') || at >= text.len() {
                    return (at + 1).min(text.len());
                }
                at += use_tree(&text[at..], &path, names).max(1);
                at = skip(at);
                at += usize::from(text[at..].starts_with(','));
            }
        }
        let length =
            if text[at..].starts_with('*') { 1 } else { text[at..].find(|c| !is_name(c)).unwrap_or(text[at..].len()) };
        if length == 0 {
            break;
        }
        let segment = &text[at..at + length];
        // In a tree, `self` is the path before it.
        if segment != "self" || path.is_empty() {
            path.push(segment.to_owned());
        }
        at += length;
        let goes_on =
            text[at..].starts_with("::") && text[at + 2..].starts_with(|c| is_name(c) || c == '{' || c == '*');
        if !goes_on {
            break;
        }
        at += 2;
    }
    let mut alias = path.last().cloned().unwrap_or_default();
    if let Some(rest) = text[at..].trim_start().strip_prefix("as ") {
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        alias = rest[..end].to_owned();
        at = text.len() - rest.len() + end;
    }
    names.push((path, alias));
    at
}

/// Whether a file defines an item of this name.
fn defines(text: &str, name: &str) -> bool {
    let kinds = ["struct ", "enum ", "fn ", "trait ", "const ", "static ", "type ", "mod ", "union ", "macro_rules! "];
    kinds.iter().any(|kind| {
        text.match_indices(kind).any(|(at, _)| {
            let rest = text[at + kind.len()..].trim_start().trim_start_matches("mut ");
            rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    })
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The crates of the workspace, by name.
fn crates() -> BTreeMap<String, Crate> {
    let folders = fs::read_dir(workspace())
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").path());
    let is_crate = |folder: &PathBuf| folder.join("Cargo.toml").is_file() && folder.join("src").is_dir();
    let named = |folder: PathBuf| {
        (
            folder.file_name().expect("an entry of a folder has a name").to_string_lossy().into_owned(),
            Crate::read(&folder),
        )
    };
    folders.filter(is_crate).map(named).collect()
}

#[test]
fn no_files_of_a_crate_import_each_other() {
    let crates = crates();
    assert!(["movegen", "eval", "search", "uci"].iter().all(|name| crates.contains_key(*name)));
    let cycles: Vec<String> = crates
        .iter()
        .flat_map(|(name, files)| files.cycles().into_iter().map(move |cycle| format!("{name}: {cycle}")))
        .collect();
    assert!(cycles.is_empty(), "\n{}", cycles.join("\n"));
}

#[test]
fn no_file_imports_a_folder_above() {
    for (name, folders) in FOLDERS {
        let files = Crate::read(&workspace().join(name)).files;
        let height = |module: &Module| match module.first() {
            None => folders.len(),
            Some(folder) => folders
                .iter()
                .position(|known| known == folder)
                .unwrap_or_else(|| panic!("{name}: the folder {folder} has no place in the order")),
        };
        let mut upward = Vec::new();
        let mut imports = 0;
        for (module, file) in &files {
            for path in &file.imports {
                // By the path as written, so that a detour by `lib.rs` counts too.
                let folder = path[..path.len().min(1)].to_vec();
                let is_known = folder.first().is_some_and(|folder| folders.contains(&folder.as_str()));
                imports += 1;
                if !is_known || height(&folder) > height(module) {
                    upward.push(format!("{} imports {}", name_of(module), path.join("::")));
                }
            }
        }
        assert!(imports > 50, "{name}: {imports}");
        assert!(upward.is_empty(), "\n{name}:\n{}", upward.join("\n"));
    }
}

/// A reader who looks for an idea finds where it comes from.
#[test]
fn each_file_of_the_tree_names_its_source() {
    let folder = workspace().join("search/src/tree");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let text = fs::read_to_string(&path).expect("the source can be read");
        let lines: Vec<_> = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
        assert!(lines.join(" ").to_lowercase().contains("source: "), "{}: no source", path.display());
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn the_reader_of_imports_finds_what_there_is() {
    let text = "use crate::a::{b::C, d::{self, E as F}}; pub use child::G; // use crate::no::NO;\n\
                fn f() { let _ = \"crate::no\"; super::h::i(); child::j::<crate::k::L>() }\n\
                pub(in super::super) fn m() {}\n\
                #[cfg(test)]\nmod tests { use super::*; }\n";
    let text = without_tests(&without_comments(text));
    let module = ["x".to_owned(), "y".to_owned()];
    let found: Vec<String> = paths_in(&text, &module, &["child"])
        .iter()
        .map(|found| format!("{}{} {}", found.name.join("::"), if found.passes_on { "!" } else { "" }, found.alias))
        .collect();
    let expected = ["a::b::C C", "a::d d", "a::d::E F", "x::y::child::G! G", "x::h::i i", "x::y::child::j j", "k::L L"];
    assert_eq!(found, expected);
}
