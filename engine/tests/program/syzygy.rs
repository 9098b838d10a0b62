//! Endgame tables as a user meets them: paths as clients write them, and files that are none. What true tables say is
//! tested in tests/tests/crates/syzygy.rs.

use std::fs;
use std::path::Path;

use crate::common::{Engine, count_best_moves};

const WDL_MAGIC: [u8; 4] = [0x71, 0xE8, 0x23, 0x5D];
const DTZ_MAGIC: [u8; 4] = [0xD7, 0x66, 0x0C, 0xA5];
const QUEEN_ENDING: &str = "position fen 8/8/8/8/3k4/8/4Q3/K7 w - - 0 1";

/// A file of a size and with a beginning that a table may have, and nothing behind it.
fn write_hollow(folder: &Path, name: &str) {
    let magic = if name.ends_with("rtbw") { WDL_MAGIC } else { DTZ_MAGIC };
    let mut bytes = magic.to_vec();
    bytes.resize(80, 0);
    fs::write(folder.join(name), bytes).expect("a file can be written");
}

/// What is said to a path.
fn load(engine: &mut Engine, path: &str) -> Vec<String> {
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    engine.sync()
}

fn plays_on(engine: &mut Engine) {
    engine.send(QUEEN_ENDING);
    assert_ne!(engine.search("go depth 5").best, "(none)", "{}", engine.transcript());
}

#[test]
fn files_that_are_no_tables_are_named_once_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write_hollow(path, "KRvK.rtbw");
    write_hollow(path, "KRvK.rtbz");
    fs::write(path.join("KQvK.rtbw"), "").unwrap();
    let mut engine = Engine::start();
    let lines = load(&mut engine, path.to_str().unwrap());
    assert_eq!(lines[0], "info string Syzygy: 1 WDL and 1 DTZ files found, up to 3 pieces");
    assert!(lines[1].starts_with("info string warning: Syzygy: ") && lines[1].ends_with("no table has 0 bytes"));
    assert_eq!(lines.len(), 2, "{lines:?}");
    plays_on(&mut engine);

    fs::write(path.join("KQvK.rtbw"), [0; 200]).unwrap();
    fs::write(path.join("KBvK.rtbw"), [b'x'; 80]).unwrap();
    fs::create_dir(path.join("KNvK.rtbz")).unwrap();
    fs::write(path.join("KPvK.rtbz"), WDL_MAGIC.repeat(20)).unwrap();
    fs::write(path.join("README.txt"), "no table").unwrap();
    fs::write(path.join("QvK.rtbw"), "no table's name").unwrap();
    assert!(load(&mut engine, path.to_str().unwrap()).is_empty(), "the same path again is no news");
    assert!(load(&mut engine, "<empty>").is_empty());
    let lines = load(&mut engine, path.to_str().unwrap());
    assert_eq!(lines[0], "info string Syzygy: 1 WDL and 1 DTZ files found, up to 3 pieces");
    let warning = &lines[1];
    for part in ["KBvK.rtbw holds no Syzygy table", "KNvK.rtbz is not a file", "; and 1 more"] {
        assert!(warning.contains(part), "{part}: {warning}");
    }
    assert_eq!(lines.len(), 2, "{lines:?}");
    plays_on(&mut engine);
    engine.send("quit");
    assert!(engine.end().1);
}

#[test]
fn a_table_that_proves_damaged_is_named_after_the_search_and_not_again() {
    let folder = tempfile::tempdir().unwrap();
    write_hollow(folder.path(), "KQvK.rtbw");
    write_hollow(folder.path(), "KQvK.rtbz");
    for threads in [1, 3] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Threads value {threads}"));
        load(&mut engine, folder.path().to_str().unwrap());
        engine.send(QUEEN_ENDING);
        let first = engine.search("go depth 6");
        let told: Vec<_> = first.lines.iter().filter(|line| line.contains("Syzygy")).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("info string warning: Syzygy: table KQvK (wdl) cannot be used"), "{told:?}");
        assert_eq!(first.last("tbhits"), Some(0));
        let second = engine.search("go depth 7");
        assert!(!second.lines.iter().any(|line| line.contains("Syzygy")), "{:?}", second.lines);
    }
}

#[test]
fn folders_that_are_none_are_named() {
    let mut engine = Engine::start();
    let lines = load(&mut engine, "/no/such folder");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "info string Syzygy: no tables found");
    assert!(lines[1].starts_with("info string warning: Syzygy: cannot list /no/such folder: "), "{lines:?}");
    let file = tempfile::NamedTempFile::new().unwrap();
    let lines = load(&mut engine, file.path().to_str().unwrap());
    assert!(lines[1].starts_with("info string warning: Syzygy: cannot list "), "{lines:?}");
    plays_on(&mut engine);
}

#[test]
fn paths_come_as_clients_write_them() {
    let parent = tempfile::tempdir().unwrap();
    let [one, other, inner] = ["three pieces", "čtyři", "four/inner"].map(|name| parent.path().join(name));
    for (folder, name) in [(&one, "KQvK"), (&other, "KRvK"), (&inner, "KQvKR")] {
        fs::create_dir_all(folder).unwrap();
        write_hollow(folder, &format!("{name}.rtbw"));
    }
    let separator = if cfg!(windows) { ';' } else { ':' };
    let outer = parent.path().join("four");
    let [one, other, outer] = [&one, &other, &outer].map(|path| path.to_str().unwrap());
    for (path, found) in [
        (one.to_owned(), "1 WDL and 0 DTZ files found, up to 3 pieces"),
        (format!("{one}{separator}"), "1 WDL and 0 DTZ files found, up to 3 pieces"),
        (format!("\"{one}\""), "1 WDL and 0 DTZ files found, up to 3 pieces"),
        (format!("{one}{separator}{other}"), "2 WDL and 0 DTZ files found, up to 3 pieces"),
        (
            format!("{separator}{one} {separator} {other}{separator}{one}"),
            "2 WDL and 0 DTZ files found, up to 3 pieces",
        ),
        (format!("\"{one}\"{separator}\"{outer}\""), "2 WDL and 0 DTZ files found, up to 4 pieces"),
    ] {
        let mut engine = Engine::start();
        assert_eq!(load(&mut engine, &path), [format!("info string Syzygy: {found}")], "{path}");
    }
}

#[test]
fn tables_change_only_between_searches() {
    let folder = tempfile::tempdir().unwrap();
    write_hollow(folder.path(), "KQvK.rtbw");
    let mut engine = Engine::start();
    engine.send(QUEEN_ENDING);
    engine.send("go infinite");
    let path = folder.path().to_str().unwrap();
    for command in [
        format!("setoption name SyzygyPath value {path}"),
        "setoption name Syzygy50MoveRule value false".to_owned(),
        "setoption name SyzygyProbeLimit value 0".to_owned(),
        "setoption name SyzygyProbeDepth value 3".to_owned(),
    ] {
        engine.send(&command);
        let lines = engine.sync();
        assert!(!lines.iter().any(|line| line.contains("Syzygy")), "{lines:?}");
        assert_eq!(count_best_moves(&lines), 0);
    }
    engine.send("stop");
    engine.finish_search();
    assert_eq!(engine.sync(), ["info string Syzygy: 1 WDL and 0 DTZ files found, up to 3 pieces"]);
    // Limited to no pieces, the hollow table is not asked.
    assert!(!engine.search("go depth 4").lines.iter().any(|line| line.contains("Syzygy")));
}
