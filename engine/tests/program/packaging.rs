//! The Makefile's targets that install and distribute the program. Of the builds only the commands are looked at: they
//! take minutes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Output;

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
        ("aarch64-pc-windows-gnullvm", "windows-aarch64.zip"),
    ] {
        let Some(commands) = commands(&["release", &format!("TARGETS={target}")]) else { return };
        let name = format!("vancura-{}-{archive}", env!("CARGO_PKG_VERSION"));
        assert!(commands.contains(&name), "{target}: {commands}");
        assert!(commands.contains(&format!("--target {target}")), "{commands}");
        let program = if target.contains("windows") { "/release/vancura.exe " } else { "/release/vancura " };
        assert!(commands.contains(program), "{commands}");
        for part in ["README.md", "LICENSE", "AUTHORS", "docs", "/man ", "/completions ", "THIRD-PARTY", "SHA256SUMS"] {
            assert!(commands.contains(part), "{part}: {commands}");
        }
    }
}

#[test]
fn a_profile_is_made_by_what_the_program_does() {
    for (target, work, result) in
        [("pgo", "vancura\" bench", "\"vancura-pgo\""), ("datagen", "datagen\" generate ", "\"datagen\"")]
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

/// A folder whose name has a blank in it is not taken for two, of which the first may be another's.
#[cfg(target_os = "linux")]
#[test]
fn builds_keep_to_their_folder_whatever_its_name() {
    if commands(&["pgo"]).is_none() {
        return;
    }
    let temporary = tempfile::tempdir().unwrap();
    let (folder, other) = (temporary.path().join("chess engines"), temporary.path().join("chess"));
    fs::create_dir(&folder).unwrap();
    fs::write(&other, "a file of somebody").unwrap();
    fs::copy(root().join("Makefile"), folder.join("Makefile")).unwrap();
    // It writes a program that does nothing to where cargo would, and each flag into a line.
    let cargo = temporary.path().join("cargo");
    let script = "#!/bin/sh\n\
        printf %s \"$CARGO_ENCODED_RUSTFLAGS\" | tr '\\037' '\\n' > flags\n\
        folder=target name=vancura target=\n\
        while [ $# -gt 0 ]; do\n\
          case $1 in --target-dir) folder=$2 ;; --target) target=/$2 ;; --bin) name=$2 ;; esac\n\
          shift\n\
        done\n\
        mkdir -p \"$folder$target/release\" && cp /bin/true \"$folder$target/release/$name\"\n";
    fs::write(&cargo, script).unwrap();
    fs::set_permissions(&cargo, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", temporary.path().display(), std::env::var("PATH").unwrap());
    for (target, program) in
        [("portable", "vancura"), ("native", "vancura"), ("pgo", "vancura"), ("datagen", "datagen")]
    {
        let mut make = Command::new("make");
        make.arg(target).args(["LLVM_PROFDATA=/bin/true", "HOST=host"]).current_dir(&folder).env("PATH", &path);
        let output = make.env("RUSTFLAGS", "-C debuginfo=0").output().unwrap();
        assert!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(folder.join(program).exists(), "{target}");
        fs::remove_file(folder.join(program)).unwrap();
        assert!(other.exists(), "{target}");
        if program == "datagen" || target == "pgo" {
            let merged = folder.join("target/pgo").join(format!("{program}.profile/merged.profdata"));
            let flags = fs::read_to_string(folder.join("flags")).unwrap();
            let expected = format!("-C\ndebuginfo=0\n-C\ntarget-cpu=native\n-C\nprofile-use={}", merged.display());
            assert_eq!(flags, expected, "{target}");
        }
    }
}

#[test]
fn builds_take_the_versions_that_are_locked() {
    for target in ["native", "portable", "pgo", "datagen", "release", "web", "live", "crates", "test", "regime"] {
        let Some(commands) = commands(&[target, "LLVM_PROFDATA=/some/llvm-profdata"]) else { return };
        let builds: Vec<_> = commands.split(['\n', ';']).filter(|line| line.contains("cargo ")).collect();
        let free = builds
            .iter()
            .filter(|line| !["--locked", "--frozen", "cargo install"].iter().any(|word| line.contains(word)));
        assert!(!builds.is_empty() && free.clone().next().is_none(), "{target}: {:?}", free.collect::<Vec<_>>());
    }
}

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What make does with these arguments.
#[cfg(target_os = "linux")]
fn make(arguments: &[&str]) -> Output {
    Command::new("make").args(arguments).current_dir(root()).output().expect("make is there")
}

/// The files in a folder and in those below it.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn an_installation_is_complete_and_can_be_undone() {
    if commands(&["install"]).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let installed = folder.path().join("usr");
    let destination = format!("DESTDIR={}", folder.path().display());
    let make = |target| {
        let output = make(&[target, &destination, "PREFIX=/usr", concat!("EXE=", env!("CARGO_BIN_EXE_vancura"))]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    make("install");
    for file in [
        "bin/vancura",
        "share/man/man1/vancura.1",
        "share/man/man1/vancura-analyse.1",
        "share/bash-completion/completions/vancura",
        "share/zsh/site-functions/_vancura",
        "share/fish/vendor_completions.d/vancura.fish",
        "share/applications/io.github.vancura.vancura.desktop",
        "share/icons/hicolor/scalable/apps/io.github.vancura.vancura.svg",
        "share/metainfo/io.github.vancura.vancura.metainfo.xml",
        "share/doc/vancura/LICENSE",
        "share/doc/vancura/AUTHORS",
        "share/doc/vancura/docs/report.png",
    ] {
        let size = fs::metadata(installed.join(file)).map(|data| data.len());
        assert!(size.as_ref().is_ok_and(|&size| size > 0), "{file}: {size:?}");
    }
    links_are_alive(&installed.join("share/doc/vancura"));
    make("uninstall");
    assert_eq!(files_in(&installed), Vec::<PathBuf>::new(), "these are left");
}

/// Whether links in installed documents lead to others of them, or to what the repository has.
fn links_are_alive(folder: &Path) {
    let (mut inside, mut outside) = (0, 0);
    for path in files_in(folder).iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let text = fs::read_to_string(path).expect("text");
        for target in text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)) {
            let file = target.split('#').next().unwrap_or_default();
            let of_repository = file.split_once("/blob/").and_then(|(_, rest)| rest.split_once('/'));
            if let Some((_, name)) = of_repository.filter(|_| file.contains("/vancura/")) {
                assert!(root().join(name).exists(), "{}: {target}", path.display());
                outside += 1;
            } else if !file.contains("://") && !file.is_empty() {
                assert!(path.parent().expect("a folder").join(file).exists(), "{}: {target}", path.display());
                inside += 1;
            }
        }
    }
    assert!(inside > 30 && outside > 10, "{inside} {outside}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_program_nothing_is_built_or_installed() {
    if commands(&["install"]).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (destination, program) = (format!("DESTDIR={}", folder.path().display()), folder.path().join("none"));
    let output = make(&["install", &destination, &format!("EXE={}", program.display())]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && message.contains("make portable"), "{message}");
    assert_eq!(files_in(folder.path()), Vec::<PathBuf>::new());
    let commands = commands(&["install"]).expect("as above");
    assert!(!commands.contains("cargo") && !commands.contains("rustc"), "{commands}");
}

/// Checksums of made-up archives, one that differs for each.
fn sums() -> String {
    let names = ["source.tar.gz", "windows-x86_64.zip", "windows-aarch64.zip"];
    let lines = names.iter().enumerate();
    lines.map(|(index, name)| format!("{index:064x}  vancura-{}-{name}\n", env!("CARGO_PKG_VERSION"))).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn manifests_name_the_version_and_its_checksums() {
    if commands(&["manifests"]).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (file, manifests) = (folder.path().join("SHA256SUMS"), folder.path().join("manifests"));
    let arguments =
        ["manifests".to_owned(), format!("SUMS={}", file.display()), format!("MANIFESTS={}", manifests.display())];
    let arguments = arguments.each_ref().map(|argument| &argument[..]);
    fs::write(&file, "").unwrap();
    assert!(!make(&arguments).status.success(), "nothing is known of the archives");
    fs::write(&file, sums()).unwrap();
    let output = make(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = files_in(&manifests);
    assert_eq!(files.len(), 9, "{files:?}");
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        if path.extension().is_some_and(|end| end == "json") {
            serde_json::from_str::<serde_json::Value>(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        if !path.ends_with("cargo-sources.json") {
            assert!(text.contains(env!("CARGO_PKG_VERSION")), "{}", path.display());
        }
    }
    let scoop = fs::read_to_string(manifests.join("scoop/vancura.json")).unwrap();
    assert!(scoop.contains(&format!("{:064x}", 1)) && scoop.contains(&format!("{:064x}", 2)), "{scoop}");
}

/// The oldest compiler that is promised is the one that everything is tested with.
#[test]
fn the_oldest_compiler_is_tested() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let rust = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).expect("a version");
    let rust = rust.trim_end_matches('"');
    for (file, text) in [
        (".github/workflows/ci.yml", format!("TOOLCHAIN: \"{rust}\"")),
        (".github/workflows/regime.yml", format!("TOOLCHAIN: \"{rust}\"")),
        (".github/workflows/release.yml", format!("TOOLCHAIN: \"{rust}\"")),
        ("README.md", format!("With Rust {rust} or newer")),
        ("docs/building.md", format!("version {rust} or newer")),
    ] {
        assert!(fs::read_to_string(root().join(file)).unwrap().contains(&text), "{file}: {text}");
    }
}

#[test]
fn the_npm_package_has_the_same_version() {
    let text = fs::read_to_string(root().join("web/package/package.json")).unwrap();
    let package: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(package["license"], env!("CARGO_PKG_LICENSE"));
}

/// The folders of the packages that become part of the program.
fn packages_of_the_program() -> Vec<PathBuf> {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc starts");
    let rustc = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).expect("a target");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let data: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&data["packages"]);
    let package = |id: &serde_json::Value| packages.iter().find(|package| package["id"] == *id).expect("a package");
    let nodes = list(&data["resolve"]["nodes"]);
    let mut reached: Vec<_> =
        packages.iter().filter(|one| one["name"] == "vancura").map(|one| one["id"].clone()).collect();
    let mut next = 0;
    while next < reached.len() {
        let node = nodes.iter().find(|node| node["id"] == reached[next]).expect("a node");
        for dependency in list(&node["deps"]) {
            let is_linked = list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            if is_linked && !reached.contains(&dependency["pkg"]) {
                reached.push(dependency["pkg"].clone());
            }
        }
        next += 1;
    }
    let manifest = |id| Path::new(package(id)["manifest_path"].as_str().expect("a path"));
    reached.iter().map(|id| manifest(id).parent().expect("a folder").to_owned()).collect()
}

/// The Apache licence asks for the notices of what is under it; `make licenses` collects only licences.
#[test]
fn the_licences_have_all_notices_and_versions() {
    let form = fs::read_to_string(root().join("about.hbs")).unwrap();
    let mut notices = 0;
    for folder in packages_of_the_program() {
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            if name.starts_with("NOTICE") {
                let text = fs::read_to_string(&file).unwrap();
                assert!(form.contains(text.trim()), "about.hbs lacks {}", file.display());
                notices += 1;
            }
        }
    }
    assert!(notices > 0, "parquet has one");
    // What stands in the pages' folder is in no lock file.
    let vendored = fs::read_to_string(root().join("page/vendor/README.md")).unwrap();
    let rows = vendored.lines().filter(|line| line.starts_with("| `"));
    let named: Vec<_> = rows
        .filter_map(|row| {
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            let name = cells[2].strip_prefix('[')?.split(']').next()?;
            Some(format!("{name} {}", cells[3]))
        })
        .collect();
    assert!(named.len() >= 2, "{vendored}");
    named.iter().for_each(|name| assert!(form.contains(name), "about.hbs lacks {name}"));
}
