//! What commands do to files: those that people have stay as they are until something better is whole, and what is no
//! text of positions or games is refused.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::common::SmallDisk;
use crate::common::{self, file, outcome, outcome_of};

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");
const GAME: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n";
/// How long to wait for something that has to happen.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Exit status and words of `analyse` in a folder, by a shell that may redirect.
fn analyse(folder: &TempDir, arguments: &str) -> (Option<i32>, String) {
    let line = format!("exec {PROGRAM} analyse --nodes 20 --threads 1 {arguments}");
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().expect("a shell");
    let (status, _, said) = outcome_of(output);
    (status, said)
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names(folder: &TempDir) -> Vec<String> {
    let names = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn the_input_is_never_an_output() {
    let folder = folder();
    file(&folder, "in.pgn", GAME);
    fs::hard_link(folder.path().join("in.pgn"), folder.path().join("hard.pgn")).expect("a link");
    symlink("in.pgn", folder.path().join("soft.pgn")).expect("a link");
    for arguments in [
        "-o hard.pgn in.pgn",
        "-o soft.pgn in.pgn",
        "-o ./in.pgn in.pgn",
        "--html hard.pgn in.pgn",
        "-o in.pgn - < in.pgn",
        "in.pgn >> hard.pgn",
    ] {
        let (status, said) = analyse(&folder, arguments);
        assert!(status == Some(2) && said.starts_with("error: the output would overwrite the input "), "{said}");
        assert_eq!(read(&folder, "in.pgn"), GAME, "{arguments}");
    }
    assert_eq!(names(&folder), ["hard.pgn", "in.pgn", "soft.pgn"]);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    file(&folder, "in.pgn", GAME);
    fs::create_dir(folder.path().join("folder")).expect("a folder");
    symlink("a", folder.path().join("link")).expect("a link");
    for arguments in [
        "-o a --json ./a",
        "-o a --html folder/../a",
        "--json link --html a",
        // Where the journal would lie.
        "-o a --json a.partial",
        "-o out --json /dev/stdout > out",
    ] {
        let (status, said) = analyse(&folder, &format!("in.pgn {arguments}"));
        assert!(
            status == Some(2) && said.starts_with("error: two outputs go to the same file "),
            "{arguments}: {said}"
        );
    }
    assert_eq!(names(&folder), ["folder", "in.pgn", "link", "out"]);
    let (status, said) = analyse(&folder, "in.pgn --json /dev/null --html /dev/null");
    assert_eq!((status, &said[..]), (Some(0), "1 game, 4 positions\n"), "any number may go nowhere");
}

#[test]
fn a_good_file_stays_until_a_better_one_is_whole() {
    let folder = folder();
    let [game, _, _] =
        [("in.pgn", GAME), ("empty.pgn", ""), ("bad.pgn", "1. Ke3 *\n")].map(|(name, text)| file(&folder, name, text));
    let before = ["out.pgn", "out.json", "out.html"];
    before.iter().for_each(|name| drop(file(&folder, name, "precious")));
    let all = "-o out.pgn --json out.json --html out.html";
    for (arguments, message) in [
        (format!("empty.pgn {all}"), "no game in empty.pgn"),
        (format!("bad.pgn {all}"), "1 game could not be read"),
        ("in.pgn -o out.pgn --json out.json --html no/such/folder".to_owned(), "no/such/folder"),
        ("in.pgn -o out.pgn --json out.json --html /dev/full".to_owned(), "No space left on device"),
        ("no/such/file -o out.pgn".to_owned(), "no/such/file"),
        (". -o out.pgn".to_owned(), "the output would overwrite the input out.pgn"),
    ] {
        let (status, said) = analyse(&folder, &arguments);
        assert!(status == Some(2) && said.contains(message), "{arguments}: {said}");
        assert!(before.iter().all(|name| read(&folder, name) == "precious"), "{arguments}");
        let _ = fs::remove_file(folder.path().join("out.pgn.partial"));
    }
    let files = ["bad.pgn", "empty.pgn", "in.pgn", "out.html", "out.json", "out.pgn"];
    assert_eq!(names(&folder), files, "nothing is left behind");
    // A game that is not there destroys nothing, but the file that tells of it is made.
    assert_eq!(analyse(&folder, "bad.pgn --json new.json").0, Some(2));
    assert!(read(&folder, "new.json").contains("Ke3"));
    assert_eq!(analyse(&folder, &format!("{game} {all}")).0, Some(0));
    assert!(read(&folder, "out.pgn").contains("1. e4") && read(&folder, "out.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn open_files_pipes_and_devices_are_written_as_they_are() {
    let folder = folder();
    file(&folder, "in.pgn", GAME);
    file(&folder, "out", "before\n");
    let (status, said) = analyse(&folder, "in.pgn -o /dev/stdout >> out");
    assert_eq!(status, Some(0), "{said}");
    let text = read(&folder, "out");
    assert!(text.starts_with("before\n[Event ") && text.ends_with(" *\n\n"), "{text}");
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().expect("mkfifo").success());
    let (status, said) = analyse(&folder, "in.pgn -o pipe & cat pipe > piped; wait $!");
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(format!("before\n{}", read(&folder, "piped")), text);
    assert_eq!(names(&folder), ["in.pgn", "out", "pipe", "piped"]);
}

#[test]
fn what_is_no_journal_is_not_taken_for_one() {
    let folder = folder();
    file(&folder, "in.pgn", GAME);
    for foreign in ["notes", "notes\n", "{\"a\":1}"] {
        file(&folder, "out.pgn.partial", foreign);
        for more in ["", "--resume"] {
            let (status, said) = analyse(&folder, &format!("in.pgn -o out.pgn {more}"));
            assert!(status == Some(2) && said.contains("out.pgn.partial"), "{said}");
            assert_eq!(read(&folder, "out.pgn.partial"), foreign);
        }
    }
    assert_eq!(names(&folder), ["in.pgn", "out.pgn.partial"]);
}

/// A run that takes long, with something in its journal, beside a file that is there.
fn long_run(folder: &TempDir, prefix: &[&str]) -> Child {
    file(folder, "in.pgn", &GAME.repeat(200));
    file(folder, "out.pgn", "precious");
    let words =
        [prefix, &[PROGRAM, "analyse", "in.pgn", "-o", "out.pgn", "--nodes", "20000", "--threads", "1"]].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let start = Instant::now();
    let journal = folder.path().join("out.pgn.partial");
    while fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count()) < 4 {
        assert!(start.elapsed() < PATIENCE, "nothing is written to the journal");
        thread::sleep(Duration::from_millis(1));
    }
    child
}

/// Whether what is started here does not hear of the end of a terminal, as after `nohup`.
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    bits.is_some_and(|bits| bits & 1 != 0)
}

#[test]
fn the_wish_to_end_counts_as_ctrl_c() {
    for name in ["TERM", "HUP"] {
        if name == "HUP" && ignores_hangup() {
            eprintln!("SKIPPED {name}: the tests run by nohup");
            continue;
        }
        let folder = folder();
        let child = long_run(&folder, &[]);
        assert_eq!(read(&folder, "out.pgn"), "precious");
        assert!(common::signal(name, child.id()));
        let (status, _, said) = outcome_of(child.wait_with_output().expect("it ends"));
        assert!(status == Some(2) && said.contains("continue with --resume"), "{name}: {status:?} {said}");
        assert!(read(&folder, "out.pgn").starts_with("[Event \"x\"]"), "what is done is written");
    }
}

#[test]
fn a_run_by_nohup_outlives_its_terminal() {
    let folder = folder();
    let child = long_run(&folder, &["nohup"]);
    assert!(common::signal("HUP", child.id()));
    thread::sleep(Duration::from_millis(200));
    // Had the first counted, the second would end it at once.
    assert!(common::signal("TERM", child.id()));
    let (status, _, said) = outcome_of(child.wait_with_output().expect("it ends"));
    assert!(status == Some(2) && said.contains("continue with --resume"), "{status:?} {said}");
}

#[test]
fn what_holds_no_text_is_refused() {
    let folder = folder();
    let [empty, nuls] =
        [("empty", ""), ("nuls", &"\0".repeat(100_000)[..])].map(|(name, text)| file(&folder, name, text));
    let place = folder.path().to_str().expect("UTF-8");
    let missing = format!("{place}/missing");
    for command in [&["perft", "3", "--suite"][..], &["suite", "-n", "9"], &["winnable"], &["analyse", "--nodes", "9"]]
    {
        for path in [place, &empty, &nuls, "/dev/zero", &missing] {
            let (status, _, said) = outcome(&[command, &[path]].concat());
            assert_eq!(status, Some(2), "{command:?} {path}: {said}");
            assert!(said.lines().last().is_some_and(|line| line.starts_with("error: ")), "{command:?} {path}: {said}");
        }
    }
}

#[test]
fn a_game_over_a_limit_is_reported_and_the_others_are_analysed() {
    let folder = folder();
    let tags: String = (0..20_000).map(|tag| format!("[T{tag} \"x\"]\n")).collect();
    file(&folder, "in.pgn", &format!("{GAME}{tags}\n1. d4 *\n\n{GAME}1. e4 {{ open\n"));
    let (status, said) = analyse(&folder, "in.pgn -o out.pgn");
    assert_eq!(status, Some(2));
    let message =
        "line 517: the game has more than 512 tags; the rest is left out (in the game that begins in line 5)\n";
    assert!(said.contains(message), "{said}");
    assert!(said.ends_with("4 games, 12 positions\nerror: 2 games could not be read in full\n"), "{said}");
    assert_eq!(read(&folder, "out.pgn").matches("[Event ").count(), 4);
    // Those that could not be read in full may be left out.
    let (status, said) = analyse(&folder, "in.pgn -o out.pgn --strict");
    assert!(status == Some(2) && said.ends_with("2 games, 8 positions\nerror: 2 games could not be read\n"), "{said}");
}

/// Whether some output could command a terminal.
fn commands_a_terminal(text: &str) -> bool {
    text.contains(|letter: char| letter.is_control() && letter != '\n' || ('\u{202A}'..='\u{202E}').contains(&letter))
}

#[test]
fn nothing_from_outside_commands_a_terminal() {
    const EVIL: &str = "\u{1b}]0;evil\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{7f}";
    let folder = folder();
    let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let suite = file(&folder, &format!("suite{EVIL}.epd"), &format!("{fields} bm e4; id \"a{EVIL}b\";\nx{EVIL}\n"));
    let counts =
        file(&folder, &format!("perft{EVIL}.epd"), &format!("{fields} D1 x{EVIL}\n{fields} D1 9; id \"{EVIL}\";\n"));
    let games = file(&folder, &format!("in{EVIL}.pgn"), &format!("[FEN \"{EVIL}\"]\n\n1. e4 {{{EVIL}}} Ke3{EVIL} *\n"));
    let moves = file(&folder, "moves.pgn", &format!("1. e4 {{{EVIL}}} Ke3{EVIL} *\n"));
    let engine = file(
        &folder,
        "engine.sh",
        &format!(
            "echo 'id name Evil{EVIL}'; echo uciok; while read -r line; do case $line in isready) echo readyok;; \
             go*) echo 'info depth 1 score cp 1 pv a{EVIL}'; echo 'bestmove b{EVIL}';; quit) exit;; esac; done"
        ),
    );
    let engine = format!("sh {engine}");
    let missing = format!("{}/missing{EVIL}", folder.path().display());
    for arguments in [
        &["suite", &suite, "-n", "100", "--engine", &engine, "--patience", "5"][..],
        &["perft", "1", "--suite", &counts],
        &["perft", "1", "--suite", &missing],
        &["winnable", &suite],
        &["winnable", &missing],
        &["analyse", &games, "--nodes", "9"],
        &["analyse", &missing],
        &["arbiter", &games],
        &["arbiter", &moves],
        &["arbiter", &missing],
        &["analyse", &games, "-o", &missing, "--resume", "--nodes", EVIL],
        &["play", &engine, "self", "--nodes", "9", "--patience", "5"],
        &["play", "--openings", &missing],
        &["tb", "--syzygy", &missing, "8/8/8/8/3k4/8/4Q3/K7 w - - 0 1"],
        &["tb", EVIL],
        &["doctor", "--hash", "1", "--syzygy", &missing],
        &["eval", EVIL],
        &["mate", EVIL, "3"],
        &[EVIL, "--help"],
        &["perft", EVIL],
    ] {
        let (_, shown, said) = outcome(arguments);
        assert!(!commands_a_terminal(&shown), "{arguments:?}: {shown:?}");
        assert!(!commands_a_terminal(&said), "{arguments:?}: {said:?}");
        assert!(!shown.is_empty() || !said.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_killed_run_leaves_what_was_there() {
    let folder = folder();
    let mut child = long_run(&folder, &[]);
    child.kill().expect("it runs");
    let _ = child.wait();
    assert_eq!(read(&folder, "out.pgn"), "precious");
    let left = names(&folder);
    // Where the system cannot write without a name, what was begun is left.
    let known = |name: &&String| !name.starts_with(".vancura-");
    assert_eq!(left.iter().filter(known).collect::<Vec<_>>(), ["in.pgn", "out.pgn", "out.pgn.partial"]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "mounts a disk"]
fn a_full_disk_leaves_what_was_there() {
    let Some(disk) = SmallDisk::mount(64) else { return };
    let source = folder();
    let input = file(&source, "in.pgn", &GAME.repeat(2_000));
    let names = ["out.pgn", "out.json", "out.html"];
    names.iter().for_each(|name| fs::write(disk.path().join(name), "precious").expect("a file"));
    let mut command = Command::new(PROGRAM);
    command.args(["analyse", &input, "-o", names[0], "--json", names[1], "--html", names[2], "--nodes", "1"]);
    let output = command.current_dir(disk.path()).stdin(Stdio::null()).output().expect("the program starts");
    let (status, _, said) = outcome_of(output);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("No space left on device"), "{said}");
    for name in names {
        assert_eq!(fs::read(disk.path().join(name)).expect("a file"), b"precious", "{name}");
    }
    let mut filler = fs::File::create(disk.path().join("filler")).expect("a file");
    while filler.write_all(&[0; 512]).is_ok() {}
    let man = Command::new(PROGRAM).arg("man").arg(disk.path()).output().expect("the program starts");
    let (status, _, said) = outcome_of(man);
    assert!(status == Some(2) && said.contains("No space left on device"), "{said}");
    let mut bytes = Vec::new();
    for entry in fs::read_dir(disk.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        fs::File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes)).expect("a file");
        assert!(path.extension().is_none_or(|extension| extension != "new"), "{}", path.display());
    }
}
