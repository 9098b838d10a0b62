//! The documents: the transcripts in them hold, their links lead somewhere, and the README stays short.
//!
//! These are all `*.md` files in the root and in `docs`; links are checked in every `*.md` file of the project. Of the
//! fenced blocks,
//!
//! - `console` holds to the letter: a line after `$ ` is run, and the rest is what it prints;
//! - in `console figures` every number may be another one, since it depends on the machine or on the network;
//! - in `console figures folder` as well, and it is run in a folder of its own, for what leaves files behind;
//! - `console syzygy` needs the public test sets;
//! - in `sh`, and in blocks without a kind, the lines that start a command of `vancura` are read by the program, which
//!   refuses options it does not have, but not run: they need other engines or files.

// The transcripts were taken on such a machine.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

/// The most words the README may have.
const README_WORDS: usize = 1200;
/// The line before which its picture is.
const README_PICTURE_LINE: usize = 40;

/// A document's path from the root, and its text.
struct Document {
    path: PathBuf,
    text: String,
}

/// The `*.md` files in a folder of the project, without its subfolders.
fn documents_in(folder: &Path) -> Vec<Document> {
    let entries = Path::new(ROOT).join(folder).read_dir().expect("the folder can be read");
    let paths = entries.map(|entry| folder.join(entry.expect("the folder can be read").file_name()));
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| Document {
            text: fs::read_to_string(Path::new(ROOT).join(&path)).expect("the document is UTF-8 text"),
            path,
        })
        .collect()
}

/// The documents whose examples are tested.
fn documents() -> Vec<Document> {
    let documents: Vec<_> = ["", "docs"].into_iter().flat_map(|folder| documents_in(Path::new(folder))).collect();
    assert!(documents.len() > 10, "some documents were not found");
    documents
}

#[test]
fn transcripts_are_true() {
    let tables = tables();
    if tables.is_none() {
        eprintln!("SKIPPED transcripts with endgame tables: VANCURA_TEST_DATA is not set");
    }
    // The transcripts name files as one who has just fetched the project would.
    env::set_current_dir(ROOT).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for document in documents() {
        let name = document.path.display().to_string().replace('/', "-");
        for block in blocks(&document.text).filter(|block| block.kind.starts_with("console")) {
            let needs_tables = block.kind == "console syzygy";
            if needs_tables && tables.is_none() {
                continue;
            }
            let transcript = folder.path().join(format!("{name}-line-{}.md", block.line));
            fs::write(&transcript, pattern(&block.lines, block.kind.starts_with("console figures"))).unwrap();
            if block.kind.ends_with(" folder") {
                // Which trycmd makes the working folder.
                fs::create_dir(transcript.with_extension("in")).unwrap();
            }
            // Each is a run of its own, so that the first that fails is the last thing said.
            let cases = trycmd::TestCases::new();
            cases.register_bin("vancura", Path::new(PROGRAM)).case(&transcript);
            if let Some(tables) = tables.as_ref().filter(|_| needs_tables) {
                cases.env("SYZYGY_PATH", tables.display().to_string());
            }
            count += 1;
        }
    }
    assert!(count > 10, "only {count} transcripts were found");
}

/// The figures of a transcript are wildcards, so its run does not notice the version of another release.
#[test]
fn transcripts_name_this_version() {
    let mut count = 0;
    for document in documents() {
        for block in blocks(&document.text).filter(|block| block.kind.starts_with("console")) {
            for named in block.lines.iter().flat_map(|line| line.split("Vancura ").skip(1)) {
                let end = named.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(named.len());
                let version = named[..end].trim_end_matches('.');
                if version.matches('.').count() == 2 {
                    let place = format!("{}, the transcript at line {}", document.path.display(), block.line);
                    assert_eq!(version, env!("CARGO_PKG_VERSION"), "{place}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 5, "only {count} versions were found");
}

#[test]
fn examples_use_options_that_exist() {
    let mut count = 0;
    for document in documents() {
        for block in blocks(&document.text).filter(|block| matches!(block.kind, "sh" | "")) {
            assert!(
                !block.lines.iter().any(|line| line.starts_with("$ ")),
                "{}:{}: a transcript that is not run: it needs the kind `console`",
                document.path.display(),
                block.line
            );
            for line in block.lines.iter().filter_map(|line| line.strip_prefix("vancura ")) {
                // A whole command line followed by `--help` is read, and then answered by the help.
                let command = line.split(['|', '>']).next().unwrap_or_default();
                let output =
                    Command::new("sh").arg("-c").arg(format!("\"{PROGRAM}\" {command} --help")).output().unwrap();
                let message = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{}: vancura {line}: {message}", document.path.display());
                count += 1;
            }
        }
    }
    assert!(count > 2, "only {count} examples were found");
}

#[test]
fn the_readme_is_short_and_begins_with_its_picture() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= README_WORDS, "README.md has {words} words; at most {README_WORDS} are allowed");
    let picture = readme.lines().position(|line| line.starts_with("![")).expect("README.md has a picture");
    assert!(picture < README_PICTURE_LINE, "the picture of README.md is on line {}", picture + 1);
    // Whoever looks for something starts there.
    for document in documents_in(Path::new("docs")) {
        let link = format!("({})", document.path.display());
        assert!(readme.contains(&link), "README.md does not link to {}", document.path.display());
    }
}

#[test]
fn links_lead_somewhere() {
    let folders = ["", "docs", "train", "eval/networks", "search", "uci", "movegen", "web", "web/package", ".github"];
    let documents = folders.into_iter().filter(|folder| Path::new(ROOT).join(folder).is_dir());
    let mut broken = Vec::new();
    for document in documents.flat_map(|folder| documents_in(Path::new(folder))) {
        let folder = Path::new(ROOT).join(&document.path).parent().unwrap().to_owned();
        for target in links(&document.text).filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { Path::new(ROOT).join(&document.path) } else { folder.join(file) };
            let is_there = path.exists()
                && (anchor.is_empty()
                    || anchors(&fs::read_to_string(&path).unwrap()).iter().any(|name| name == anchor));
            if !is_there {
                broken.push(format!("{}: {target}", document.path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere: {broken:#?}");
}

#[test]
fn the_paths_in_the_code_map_exist() {
    let text = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let paths: Vec<_> = rows
        .flat_map(|row| row.split('`').skip(1).step_by(2))
        .filter(|code| code.contains('/'))
        .flat_map(spelled_out)
        .collect();
    assert!(paths.len() > 40, "{paths:?}");
    let missing: Vec<_> = paths.iter().filter(|path| !Path::new(ROOT).join(path).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names files that are not there: {missing:?}");

    let changes = text.split_once("## Where to change what").and_then(|(_, rest)| rest.split_once("\n## "));
    let changes = changes.expect("ARCHITECTURE.md says where to change what").0;
    let rows: Vec<_> = changes.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 10, "{changes}");
    let is_file =
        |code: &str| code.contains('/') && spelled_out(code).iter().any(|path| Path::new(ROOT).join(path).is_file());
    let vague: Vec<_> = rows.iter().filter(|row| !row.split('`').skip(1).step_by(2).any(is_file)).collect();
    assert!(vague.is_empty(), "rows without a file: {vague:?}");
    let strange: Vec<_> = rows.iter().flat_map(|row| strange_words(row)).collect();
    assert!(strange.is_empty(), "rows with words in backticks that none of their files has: {strange:?}");
}

/// The words in backticks of a row about changes that none of the row's files has. `name` stands for any.
fn strange_words(row: &str) -> Vec<&str> {
    let codes = || row.split('`').skip(1).step_by(2);
    let paths = codes().filter(|code| code.contains('/')).map(|path| Path::new(ROOT).join(path));
    let texts: Vec<_> = paths.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let is_end = |letter: char| !letter.is_alphanumeric() && !['_', '-', '#'].contains(&letter);
    let words = codes().filter(|code| !code.contains('/')).flat_map(|code| code.split(is_end));
    let is_strange = |word: &&str| !word.is_empty() && *word != "name" && !texts.iter().any(|text| text.contains(word));
    words.filter(is_strange).collect()
}

#[test]
fn words_that_no_file_of_a_row_has_are_found() {
    let row = "| add one | `fn strange_words(name)` and `STRANGER_`, in `engine/tests/documents.rs` |";
    assert_eq!(strange_words(row), [""; 0]);
    let unheard = "unheard".repeat(2);
    assert_eq!(strange_words(&row.replace("STRANGER_", &unheard)), [unheard]);
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn spelled_out(path: &str) -> Vec<String> {
    let parts = path.split_once('{').and_then(|(start, rest)| Some((start, rest.split_once('}')?)));
    let Some((start, (names, end))) = parts else { return vec![path.to_owned()] };
    names.split(',').map(|name| format!("{start}{name}{end}")).collect()
}

/// The targets of the links and pictures of a document.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// The names of a document's headings in links.
fn anchors(text: &str) -> Vec<String> {
    let headings =
        text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_start_matches('#').trim());
    let letter = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
    };
    headings.map(|heading| heading.chars().filter_map(letter).collect()).collect()
}

/// The endgame tables of the public test sets.
fn tables() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("VANCURA_TEST_DATA").filter(|value| !value.is_empty())?);
    let folder = Path::new(ROOT).join(folder).join("syzygy");
    assert!(folder.is_dir(), "{} is no folder", folder.display());
    Some(folder.canonicalize().expect("a folder has a path"))
}

/// A fenced block of a document.
struct Block<'a> {
    /// What stands behind the fence.
    kind: &'a str,
    /// The number of the line of the fence.
    line: usize,
    lines: Vec<&'a str>,
}

fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (index, kind) = lines.find_map(|(index, line)| Some((index, line.strip_prefix("```")?)))?;
        let lines = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        Some(Block { kind, line: index + 1, lines })
    })
}

/// The block as trycmd understands it.
fn pattern(block: &[&str], has_figures: bool) -> String {
    let mut pattern = "```console\n".to_owned();
    for line in block {
        pattern += &if has_figures && !line.starts_with("$ ") { without_figures(line) } else { (*line).to_owned() };
        pattern.push('\n');
    }
    // What is written ends with a line end, which a block has to show, unless anything may follow.
    pattern + if block.last() == Some(&"...") { "```\n" } else { "\n```\n" }
}

/// The line with a wildcard for each number, its sign and the spaces before it.
fn without_figures(line: &str) -> String {
    let mut pattern = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '.' || letter == '_';
        let end = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len()).max(letter.len_utf8());
        let (word, after) = rest.split_at(end);
        if is_figure(word) && line != "..." {
            pattern.truncate(pattern.trim_end_matches([' ', '+', '-']).len());
            if !pattern.ends_with("[..]") {
                pattern += "[..]";
            }
        } else {
            pattern += word;
        }
        rest = after;
    }
    // A line may have wildcards of its own, and of two in a row the first leaves nothing to the second.
    pattern.replace("[..][..]", "[..]")
}

/// A number, or a checksum.
fn is_figure(word: &str) -> bool {
    let is_number = word.starts_with(|letter: char| letter.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    is_number || word.len() == 16 && word.chars().all(|letter| letter.is_ascii_hexdigit())
}

#[test]
fn figures_become_wildcards_and_moves_do_not() {
    for (line, pattern) in [
        ("4 of 5 (80.0 %) Rd8# +0.35 |  -0.12 |", "[..] of[..] ([..] %) Rd8#[..] |[..] |"),
        ("Network: vancura-9bb7331164838cd7.", "Network: vancura-9bb7331164838cd7."),
        ("Network: vancura-9bb7331164838cd7", "Network: vancura[..]"),
        ("x86_64 a1b1: 81 -82 +1.5", "x86_64 a1b1:[..]"),
        ("...", "..."),
    ] {
        assert_eq!(without_figures(line), pattern);
    }
}

#[test]
fn blocks_links_and_anchors_are_found() {
    let text = "# A: title, please\n[one](x.md#y) ![two](z.png)\n```sh\nvancura\n```\n```\nplain\n```\n";
    let found: Vec<_> = blocks(text).map(|block| (block.kind, block.line, block.lines)).collect();
    assert_eq!(found, [("sh", 3, vec!["vancura"]), ("", 6, vec!["plain"])]);
    assert_eq!(links(text).collect::<Vec<_>>(), ["x.md#y", "z.png"]);
    assert_eq!(anchors(text), ["a-title-please"]);
}
