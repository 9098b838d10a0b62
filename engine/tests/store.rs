//! `vancura analyse --store` as a process: what is known is not searched again, and no file is harmed.

mod common;

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{Noise, outcome};
use movegen::Board;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

/// Games of random moves after common openings, so that some begin alike.
fn games(count: usize) -> String {
    let mut noise = Noise(9);
    let game = |noise: &mut Noise| {
        let opening = ["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7", "Nf3 Nf6 Ng1 Ng8 e4 c5"];
        let (mut board, mut moves) = (Board::start(), Vec::new());
        for san in opening[noise.next(3)].split(' ') {
            moves.push(san.to_owned());
            board = board.after(board.parse_san(san).expect("an opening"));
        }
        while moves.len() < 30 && board.has_legal_move() {
            let legal = board.legal_moves();
            let mv = legal[noise.next(legal.len())];
            moves.push(board.san(mv));
            board = board.after(mv);
        }
        format!("[Result \"*\"]\n\n{} *\n\n", moves.join(" "))
    };
    (0..count).map(|_| game(&mut noise)).collect()
}

/// A folder with games and what is made of them.
struct Place(TempDir);

impl Place {
    fn new(count: usize) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::write(place.path("games.pgn"), games(count)).expect("a file");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Analyses the games to `out.json`; exit status and what is said.
    fn analyse(&self, more: &[&str]) -> (Option<i32>, String) {
        let (games, json, store) = (self.name("games.pgn"), self.name("out.json"), self.name("store"));
        let (status, _, said) = outcome(&[&["analyse", &games, "--json", &json, "--store", &store], more].concat());
        (status, said)
    }

    /// As [`analyse`](Self::analyse), which must do well: positions from the store and nodes searched.
    fn counts(&self, more: &[&str]) -> (u64, u64) {
        let (status, said) = self.analyse(more);
        assert_eq!(status, Some(0), "{said}");
        let numbers = said.trim().rsplit(';').next().expect("the last part").split_ascii_whitespace();
        let numbers: Vec<u64> = numbers.filter_map(|word| word.parse().ok()).collect();
        let [known, nodes] = numbers[..] else { panic!("{said}") };
        (known, nodes)
    }
}

#[test]
fn a_second_run_searches_nothing_and_says_the_same() {
    let place = Place::new(100);
    let (games, plain) = (place.name("games.pgn"), place.name("plain.json"));
    let (status, _, said) = outcome(&["analyse", &games, "--json", &plain, "--nodes", "60"]);
    assert_eq!(status, Some(0), "{said}");
    let (_, nodes) = place.counts(&["--nodes", "60", "--threads", "2"]);
    assert!(place.read("out.json") == place.read("plain.json"), "an empty store changes nothing");
    assert!(nodes > 50_000, "{nodes}");
    let (known, again) = place.counts(&["--nodes", "60", "--threads", "1"]);
    assert!(known > 2500 && again == 0, "{known} known, {again} nodes");
    assert!(place.read("out.json") == place.read("plain.json"));
    // Other limits: fewer nodes are there already, more are not, and what is deeper is then taken.
    let (_, fewer) = place.counts(&["--nodes", "40"]);
    assert!(fewer < nodes / 10, "only what depends on its game is searched: {fewer}");
    let (_, more) = place.counts(&["--nodes", "90"]);
    assert!(more > nodes, "{more}");
    assert_eq!(place.counts(&["--nodes", "60"]).1, 0);
    let (_, two_lines) = place.counts(&["--nodes", "60", "--multipv", "2"]);
    assert!(two_lines > 50_000, "one line is not two: {two_lines}");
    let (_, summary, _) = outcome(&["store", &place.name("store")]);
    assert!(summary.contains(" positions, ") && summary.contains("\nVancura with search "), "{summary}");
}

#[test]
fn other_histories_are_other_results() {
    let place = Place::new(0);
    // The last position is there for the second time, and once with a clock that has run far.
    let games = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n\n1. e4 *\n\n[FEN \"7k/8/8/8/8/Q7/8/K7 w - - 0 1\"]\n\n*\n\n\
                 [FEN \"7k/8/8/8/8/Q7/8/K7 w - - 97 90\"]\n\n*\n\n";
    let evaluations = |games: &str, store: &str| {
        fs::write(place.path("games.pgn"), games).expect("a file");
        let store = place.name(store);
        let arguments = ["analyse", &place.name("games.pgn"), "--nodes", "500", "--store", &store];
        let (status, text, said) = outcome(&arguments);
        assert_eq!(status, Some(0), "{said}");
        text
    };
    let together = evaluations(games, "together");
    let alone: String =
        games.split_inclusive("*\n\n").enumerate().map(|(n, game)| evaluations(game, &n.to_string())).collect();
    assert_eq!(together.replace('\n', ""), alone.replace('\n', ""));
    assert_eq!(evaluations(games, "together"), together);
}

#[test]
fn a_store_that_cannot_be_used_is_named_and_stays() {
    let place = Place::new(2);
    place.counts(&["--nodes", "20"]);
    let whole = place.read("store");
    let mut flipped = whole.clone();
    flipped.iter_mut().step_by(64).for_each(|byte| *byte ^= 4);
    flipped[..64].copy_from_slice(&whole[..64]);
    let kinds = [
        (&b"1. e4 e5 *\n"[..], "it is not an analysis store"),
        (&whole[..whole.len() / 2], "it is damaged"),
        (&flipped, "it is damaged"),
    ];
    for (bytes, message) in kinds {
        fs::write(place.path("store"), bytes).expect("a file");
        fs::remove_file(place.path("out.json")).expect("the output of the run before");
        let (status, said) = place.analyse(&["--nodes", "20"]);
        assert_eq!((status, said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.starts_with("error: cannot use the store ") && said.contains(message), "{said}");
        assert!(place.read("store") == bytes && !place.path("out.json").exists(), "{message}");
        let (status, _, said) = outcome(&["store", &place.name("store")]);
        assert!(status == Some(2) && said.contains(message), "{said}");
        fs::write(place.path("store"), &whole).expect("a file");
        assert_eq!(place.counts(&["--nodes", "20"]).1, 0);
    }
    for same in ["games.pgn", "out.json"] {
        let (input, json) = (place.name("games.pgn"), place.name("out.json"));
        let (status, _, _) = outcome(&["analyse", &input, "--json", &json, "--store", &place.name(same)]);
        assert_eq!(status, Some(2), "{same}");
        assert!(place.read("games.pgn") == games(2).as_bytes());
    }
}

#[test]
fn a_store_in_use_is_left_alone() {
    let place = Place::new(1);
    let mut first = Command::new(PROGRAM)
        .args(["analyse", "-", "--nodes", "20", "--store", &place.name("store")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // With a game written it has the store, and then it waits for more.
    let mut input = first.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || input.write_all(games(500).as_bytes()).map(|()| input));
    first.stdout.as_mut().expect("a pipe").read_exact(&mut [0; 10]).expect("a game");
    let (status, said) = place.analyse(&["--nodes", "20"]);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    // That nobody reads on is no error.
    drop(writer.join());
    assert_eq!(status, Some(0), "{said}");
    let lines: Vec<_> = said.lines().collect();
    assert!(lines[0].ends_with("it is in use by another process; going on without the store"), "{said}");
    assert_eq!(lines[1..], ["1 game, 31 positions"]);
    place.counts(&["--nodes", "20"]);
    assert_eq!(place.counts(&["--nodes", "20"]).1, 0, "and after a kill it is whole");
}

#[test]
fn a_killed_run_leaves_what_it_found() {
    let place = Place::new(40);
    let arguments = ["--nodes", "6000", "--threads", "2"];
    let games = place.name("games.pgn");
    // It writes once a second; a slow machine needs more time to begin.
    for seconds in [1, 2, 4, 8, 16, 32] {
        let mut process = Command::new(PROGRAM)
            .args(["analyse", &games, "-o", &place.name("killed.pgn"), "--store", &place.name("store"), "--resume"])
            .args(arguments)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        thread::sleep(Duration::from_millis(500 + 1000 * seconds));
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        let (_, summary, _) = outcome(&["store", &place.name("store")]);
        if !summary.is_empty() && !summary.starts_with("0 positions") {
            break;
        }
    }
    let (known, _) = place.counts(&arguments);
    assert!(known > 0, "what was found before the kill");
    let plain = place.name("plain.json");
    outcome(&[&["analyse", &games, "--json", &plain][..], &arguments].concat());
    assert!(place.read("out.json") == place.read("plain.json"), "and it is what would have been found");
}
