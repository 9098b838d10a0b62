//! The version that the program gives itself: `uci/build.rs` by itself, in folders of every kind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common;

/// The crate that asks for its version, in a folder of its own, with `build.rs` compiled beside it.
struct Sources {
    folder: TempDir,
    script: PathBuf,
}

impl Sources {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("build");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../uci/build.rs");
        let rustc = Command::new("rustc").args(["--edition", "2024", "-o"]).args([&script, &source]).output();
        let rustc = rustc.expect("rustc starts");
        assert!(rustc.status.success(), "{}", String::from_utf8_lossy(&rustc.stderr));
        fs::create_dir_all(folder.path().join("workspace/uci")).expect("a folder");
        fs::write(folder.path().join("workspace/uci/lib.rs"), "").expect("a file");
        Self { folder, script }
    }

    fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.workspace().join(name), text).expect("a file can be written");
    }

    fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .current_dir(folder)
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .output()
            .expect("git starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// A repository in this folder with one commit, whose hash is returned.
    fn commit(&self, folder: &Path) -> String {
        self.git(folder, &["init", "-q"]);
        self.git(folder, &["add", "."]);
        self.git(folder, &["commit", "-q", "-m", "All"]);
        self.git(folder, &["rev-parse", "--short=7", "HEAD"])
    }

    /// The version as these sources would be built.
    fn version(&self, epoch: Option<&str>) -> String {
        let mut script = Command::new(&self.script);
        script.env("CARGO_PKG_VERSION", "1.2.3").env("CARGO_MANIFEST_DIR", self.workspace().join("uci"));
        // A test may itself run for a hook of git, which says where its repository is.
        script.env_remove("SOURCE_DATE_EPOCH").env_remove("GIT_DIR").env_remove("GIT_WORK_TREE");
        epoch.iter().for_each(|epoch| {
            script.env("SOURCE_DATE_EPOCH", epoch);
        });
        let output = script.output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.lines().find_map(|line| line.strip_prefix("cargo:rustc-env=VANCURA_VERSION="));
        version.unwrap_or_else(|| panic!("{text}")).to_owned()
    }
}

fn has_git() -> bool {
    let has = Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has {
        println!("skipped: needs git");
    }
    has
}

#[test]
fn a_commit_is_named_until_it_has_the_tag() {
    if !has_git() {
        return;
    }
    let sources = Sources::new();
    let workspace = sources.workspace();
    let hash = sources.commit(&workspace);
    assert_eq!(sources.version(None), format!("1.2.3-dev-{hash}"));
    assert_eq!(sources.version(Some("1795737600")), format!("1.2.3-dev-{hash}"));
    sources.git(&workspace, &["tag", "v1.2.2"]);
    assert_eq!(sources.version(None), format!("1.2.3-dev-{hash}"), "of another version");
    sources.git(&workspace, &["tag", "v1.2.3"]);
    assert_eq!(sources.version(None), "1.2.3");
    sources.write("uci/lib.rs", "// More.\n");
    let next = sources.commit(&workspace);
    assert_ne!(hash, next);
    assert_eq!(sources.version(None), format!("1.2.3-dev-{next}"));
}

#[test]
fn without_git_there_is_a_date_or_nothing() {
    let sources = Sources::new();
    for (epoch, expected) in [
        (None, "1.2.3-dev-unknown"),
        (Some("some day"), "1.2.3-dev-unknown"),
        (Some("0"), "1.2.3-dev-19700101"),
        (Some("951782399"), "1.2.3-dev-20000228"),
        (Some("951782400"), "1.2.3-dev-20000229"),
        (Some("1795737600"), "1.2.3-dev-20261127"),
        (Some("1798761599"), "1.2.3-dev-20261231"),
    ] {
        assert_eq!(sources.version(epoch), expected, "{epoch:?}");
    }
    if has_git() {
        // The repository of somebody who has unpacked the sources in it.
        sources.commit(sources.folder.path());
        assert_eq!(sources.version(None), "1.2.3-dev-unknown");
    }
}

#[test]
fn an_archive_of_a_commit_knows_it() {
    let sources = Sources::new();
    for (text, expected) in [
        ("1a2b3c4 HEAD -> main\n", "1.2.3-dev-1a2b3c4"),
        ("1a2b3c4d5e \n", "1.2.3-dev-1a2b3c4"),
        ("1a2b3c4 tag: v1.2.2, main\n", "1.2.3-dev-1a2b3c4"),
        ("1a2b3c4 HEAD, tag: v1.2.3\n", "1.2.3"),
        ("$Format:%h %D$\n", "1.2.3-dev-unknown"),
    ] {
        sources.write("uci/archived-commit", text);
        assert_eq!(sources.version(None), expected, "{text}");
    }
    // Only releases are published as crates.
    sources.write("uci/.cargo_vcs_info.json", "{}");
    assert_eq!(sources.version(None), "1.2.3");
}

#[test]
fn the_program_says_one_version_everywhere() {
    let version = common::output(&["--version"], b"");
    let name = version.split(" compiled by ").next().expect("a version");
    assert_eq!(name, uci::NAME);
    assert!(common::output(&["uci"], b"").starts_with(&format!("id name {name}\n")));
    assert!(name.starts_with(concat!("Vancura ", env!("CARGO_PKG_VERSION"))), "{name}");
    let suffix = name.trim_start_matches(concat!("Vancura ", env!("CARGO_PKG_VERSION")));
    assert!(suffix.is_empty() || suffix.strip_prefix("-dev-").is_some_and(|rest| rest.len() >= 7), "{name}");
}

#[test]
fn what_the_program_writes_names_its_version() {
    let place = common::Place::new();
    let (json, games) = (place.name("analysis.json"), place.name("games.pgn"));
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/opening.pgn");
    let written = |arguments: &[&str]| {
        let (status, output, errors) = common::outcome(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {errors}");
        output
    };
    let annotated = written(&["analyse", game, "--nodes", "10", "--comments", "text"]);
    assert!(annotated.contains(&format!("[Annotator \"{}\"]", uci::NAME)), "{annotated}");
    written(&["analyse", game, "--nodes", "10", "--json", &json]);
    let analysis = fs::read_to_string(json).expect("the analysis");
    assert!(analysis.contains(&format!("\"engine\":\"{}\"", uci::NAME)), "{analysis}");
    written(&["play", "--nodes", "10", "--fen", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "--pgn", &games]);
    let games = fs::read_to_string(games).expect("the games");
    assert!(games.contains(&format!("[White \"{}\"]", uci::NAME)), "{games}");
}
