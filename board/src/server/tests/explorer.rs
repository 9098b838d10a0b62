//! What was played, over HTTP: in the user's games and in an index.

use std::fs::{self, File};
use std::path::Path;

use ::explorer::{IndexWriter, read_games};
use serde_json::{Value, json};

use super::*;

const GAMES: &str = "[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n[White \"Clara\"]\n[Black \"Anna\"]\n\n1. d4 *\n";

/// An index of these games, and the file that they are in.
fn index(folder: &Path) -> String {
    let (games, index) = (folder.join("games.pgn"), folder.join("games.index"));
    fs::write(&games, GAMES).unwrap();
    let mut writer = IndexWriter::create(&index, 60).unwrap();
    let files = [games];
    read_games::<(PathBuf, io::Error)>(&files, |game, place| {
        writer.add(game, place).unwrap();
        Ok(())
    })
    .unwrap();
    writer.commit(&files).unwrap();
    index.to_str().unwrap().to_owned()
}

/// The moves of an answer, with their games.
fn moves(answer: &Value) -> Vec<(&str, u64)> {
    let rows = answer["moves"].as_array().unwrap();
    rows.iter().map(|row| (row["san"].as_str().unwrap(), row["games"].as_u64().unwrap())).collect()
}

const START: &str = "fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F8%2F8%2FPPPPPPPP%2FRNBQKBNR+w+KQkq+-+0+1";

#[test]
fn the_games_of_the_user_are_always_a_source() {
    let board = Board::start();
    let sources = board.ok("GET", "explorer", b"");
    assert_eq!(sources, json!({ "sources": [{ "id": "mine", "name": null, "games": null }] }));
    let ask = |query: &str| board.ok("GET", &format!("explorer/mine?{START}{query}"), b"");
    assert!(moves(&ask("")).is_empty());
    let saved = board.put("one", &json!(0), "[White \"Anna\"]\n\n1. e4 *\n");
    board.put("two", &json!(0), "[White \"Ben\"]\n\n1. d4 *\n");
    assert_eq!(moves(&ask("")), [("d4", 1), ("e4", 1)]);
    // The game that is open does not tell what was played in others.
    assert_eq!(moves(&ask("&open=two")), [("e4", 1)]);
    assert_eq!(ask("&open=two")["newest"][0]["id"], "one");
    assert!(moves(&ask("&chess960=1")).is_empty());
    // What is changed or removed is so here.
    board.put("one", &saved["revision"], "[White \"Anna\"]\n\n1. d4 *\n");
    assert_eq!(moves(&ask("")), [("d4", 2)]);
    board.ok("DELETE", "games/two", b"");
    fs::write(board.data.path().join("games/broken.pgn"), "[FEN \"x\"]\n\n1. e4 *\n").unwrap();
    assert_eq!(moves(&ask("")), [("d4", 1)]);
}

#[test]
fn among_hundreds_of_games_each_change_shows_at_once() {
    let board = Board::start();
    let games = board.data.path().join("games");
    fs::create_dir_all(&games).unwrap();
    let write = |name: &str, mv: &str| fs::write(games.join(format!("{name}.pgn")), format!("1. {mv} *\n")).unwrap();
    for number in 0..300 {
        write(&format!("game{number}"), if number % 3 == 0 { "d4" } else { "e4" });
    }
    let ask = || board.ok("GET", &format!("explorer/mine?{START}"), b"");
    let has = |expected: &[(&str, u64)]| {
        let answer = ask();
        assert_eq!((moves(&answer), &answer["left_out"]), (expected.to_vec(), &json!(0)));
    };
    has(&[("e4", 200), ("d4", 100)]);
    has(&[("e4", 200), ("d4", 100)]);
    // Saved, deleted and restored, each right after the answer before.
    let saved = board.put("new", &json!(0), "1. c4 *\n");
    has(&[("e4", 200), ("d4", 100), ("c4", 1)]);
    // As if it had been saved within the same tick of the file system's clock.
    let file = games.join("new.pgn");
    let tick = fs::metadata(&file).and_then(|before| before.modified()).unwrap();
    board.put("new", &saved["revision"], "1. d4 *\n");
    File::options().write(true).open(&file).and_then(|file| file.set_modified(tick)).unwrap();
    has(&[("e4", 200), ("d4", 101)]);
    board.ok("DELETE", "games/game1", b"");
    has(&[("e4", 199), ("d4", 101)]);
    board.ok("POST", "games/game1/restore", b"");
    has(&[("e4", 200), ("d4", 101)]);
    // Another program adds one, and writes into one.
    write("other", "Nf3");
    write("game0", "Nf3");
    let is_seen = || moves(&ask()) == [("e4", 200), ("d4", 100), ("Nf3", 2)];
    assert!((0..200).any(|_| {
        thread::sleep(Duration::from_millis(50));
        is_seen()
    }));
}

#[test]
fn an_index_of_the_command_line_is_a_source_whose_games_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let board = Board::with(&["--explorer", &index(folder.path())]);
    let sources = board.ok("GET", "explorer", b"");
    assert_eq!(sources["sources"][1], json!({ "id": "0", "name": "games.index", "games": 2 }));
    let answer = board.ok("GET", &format!("explorer/0?{START}"), b"");
    assert_eq!(moves(&answer), [("d4", 1), ("e4", 1)]);
    let id =
        answer["top"].as_array().unwrap().iter().find(|game| game["white"] == "Clara").unwrap()["id"].as_str().unwrap();
    let game = board.ok("GET", &format!("explorer/0/games/{id}"), b"");
    assert_eq!(game["pgn"], "[White \"Clara\"]\n[Black \"Anna\"]\n\n1. d4 *");
    for (path, status) in [
        ("explorer/1?".to_owned() + START, "404"),
        ("explorer/x?".to_owned() + START, "404"),
        ("explorer/0".to_owned(), "400"),
        ("explorer/0?fen=nonsense".to_owned(), "400"),
        ("explorer/0/games/2".to_owned(), "404"),
        ("explorer/0/games/-1".to_owned(), "404"),
        ("explorer/mine/games/one".to_owned(), "404"),
        ("explorer/0/games".to_owned(), "404"),
    ] {
        assert_eq!(board.ask("GET", &path, b"").0, status, "{path}");
    }
    assert_eq!(board.ask("POST", "explorer", b"{}").0, "405");
    fs::write(folder.path().join("games.pgn"), "1. e4 *\n").unwrap();
    assert_eq!(board.ask("GET", &format!("explorer/0/games/{id}"), b"").0, "409");
}

#[test]
fn what_is_no_index_ends_the_start_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.index");
    fs::write(&path, GAMES).unwrap();
    let (pages, _changes) = bounded(1);
    let data = folder.path().to_str().unwrap();
    let error = start(&arguments(&["--data", data, "--explorer", path.to_str().unwrap()]), pages).err().unwrap();
    assert!(error.to_string().contains("is no index that `vancura explorer build` wrote"), "{error}");
}
