//! Tells the program what it is: its version, which compiler builds it and for what.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiler =
        Command::new(rustc).arg("--version").output().ok().and_then(|run| String::from_utf8(run.stdout).ok());
    println!("cargo:rustc-env=VANCURA_RUSTC={}", compiler.as_deref().map_or("an unknown rustc", str::trim));
    println!("cargo:rustc-env=VANCURA_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo:rustc-env=VANCURA_VERSION={}", version());
    println!("cargo:rerun-if-changed=build.rs");
}

/// The plain number where it is tagged, else `0.2.0-dev-1a2b3c4` with the commit. Without git it ends with the date that
/// `SOURCE_DATE_EPOCH` names, or `unknown`.
fn version() -> String {
    println!("cargo:rerun-if-env-changed=SOURCE_DATE_EPOCH");
    let number = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // Only releases are published as crates.
    if folder.join(".cargo_vcs_info.json").exists() {
        return number;
    }
    match commit(&folder, &format!("v{number}")).or_else(|| archived(&folder, &format!("v{number}"))) {
        Some(Commit { is_tagged: true, .. }) => number,
        Some(Commit { hash, .. }) => format!("{number}-dev-{hash}"),
        None => format!("{number}-dev-{}", date().unwrap_or_else(|| "unknown".to_owned())),
    }
}

/// A commit, and whether it has the version's tag.
struct Commit {
    hash: String,
    is_tagged: bool,
}

/// The commit that is checked out.
fn commit(folder: &Path, tag: &str) -> Option<Commit> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
        let text = output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()?;
        Some(text.trim().to_owned())
    };
    // An unpacked archive inside another repository has nothing to do with that.
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != folder.parent()?.canonicalize().ok()? {
        return None;
    }
    // What changes with each commit, checkout and tag. A file that is not there would be taken for changed each time.
    for name in ["HEAD", "logs/HEAD", "packed-refs", "refs/tags"] {
        let path = folder.join(git(&["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let tags = git(&["tag", "--points-at", "HEAD"])?;
    Some(Commit { hash: git(&["rev-parse", "--short=7", "HEAD"])?, is_tagged: tags.lines().any(|line| line == tag) })
}

/// The commit that `git archive` wrote into `archived-commit`.
fn archived(folder: &Path, tag: &str) -> Option<Commit> {
    println!("cargo:rerun-if-changed=archived-commit");
    let text = std::fs::read_to_string(folder.join("archived-commit")).ok()?;
    let text = text.trim();
    let (hash, names) = text.split_once(' ').unwrap_or((text, ""));
    let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_tagged = names.split(", ").any(|name| name.strip_prefix("tag: ") == Some(tag));
    is_hash.then(|| Commit { hash: hash.chars().take(7).collect(), is_tagged })
}

/// The day of `SOURCE_DATE_EPOCH`, as `20261127`. By Hinnant, "chrono-compatible low-level date algorithms".
fn date() -> Option<String> {
    let days = env::var("SOURCE_DATE_EPOCH").ok()?.parse::<u64>().ok()? / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    Some(format!("{:04}{month:02}{day:02}", year_of_era + 400 * era + carry))
}
