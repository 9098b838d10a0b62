//! The Makefile's targets that install and distribute the program. Of the builds only the commands are looked at: they
//! take minutes.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands that make would run; none if there is no make.
fn commands(arguments: &[&str]) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new("make").arg("-n").args(arguments).current_dir(root).output().ok();
    let Some(output) = output else {
        eprintln!("SKIPPED the Makefile: there is no make");
        return None;
    };
    assert!(output.status.success(), "make {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn archives_are_named_by_system_and_architecture() {
    for (target, archive) in [
        ("x86_64-unknown-linux-gnu", "linux-x86_64.tar.gz"),
        ("x86_64-unknown-linux-musl", "linux-x86_64-musl.tar.gz"),
        ("aarch64-unknown-linux-musl", "linux-aarch64-musl.tar.gz"),
        ("aarch64-apple-darwin", "macos-aarch64.tar.gz"),
        ("x86_64-pc-windows-msvc", "windows-x86_64.zip"),
        ("x86_64-pc-windows-gnu", "windows-x86_64.zip"),
    ] {
        let Some(commands) = commands(&["release", &format!("TARGETS={target}")]) else { return };
        let name = format!("vancura-{}-{archive}", env!("CARGO_PKG_VERSION"));
        assert!(commands.contains(&name), "{target}: {commands}");
        assert!(commands.contains(&format!("--target {target}")), "{commands}");
        let program = if target.contains("windows") { "/release/vancura.exe " } else { "/release/vancura " };
        assert!(commands.contains(program), "{commands}");
        for part in ["README.md", "LICENSE", "AUTHORS", "docs", "target/packaging/*", "SHA256SUMS"] {
            assert!(commands.contains(part), "{part}: {commands}");
        }
    }
}

#[test]
fn a_profile_is_made_by_what_the_program_does() {
    for (target, work, result) in
        [("pgo", "vancura bench", "vancura-pgo"), ("datagen", "datagen generate ", " datagen")]
    {
        let Some(commands) = commands(&[target, "EXE=vancura-pgo", "LLVM_PROFDATA=/some/llvm-profdata"]) else {
            return;
        };
        let steps = ["profile-generate=", work, "/some/llvm-profdata\" merge", "profile-use=", &format!("{result}\n")];
        let mut rest = commands.as_str();
        for step in steps {
            (_, rest) = rest.split_once(step).unwrap_or_else(|| panic!("no {step} in its place in {commands}"));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_installation_is_complete_and_can_be_undone() {
    if commands(&["install"]).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let make = |target: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let destination = format!("DESTDIR={}", folder.path().display());
        let program = concat!("EXE=", env!("CARGO_BIN_EXE_vancura"));
        let output = Command::new("make")
            .args([target, &destination, "PREFIX=/usr", program])
            .current_dir(root)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let files = [
        "bin/vancura",
        "share/man/man1/vancura.1",
        "share/man/man1/vancura-analyse.1",
        "share/bash-completion/completions/vancura",
        "share/zsh/site-functions/_vancura",
        "share/fish/vendor_completions.d/vancura.fish",
        "share/doc/vancura/LICENSE",
        "share/doc/vancura/AUTHORS",
    ];
    make("install");
    for file in files {
        let size = fs::metadata(folder.path().join("usr").join(file)).map(|data| data.len());
        assert!(size.as_ref().is_ok_and(|&size| size > 0), "{file}: {size:?}");
    }
    make("uninstall");
    for file in files {
        assert!(!folder.path().join("usr").join(file).exists(), "{file} is still there");
    }
}
