//! `vancura analyse --store` as a process: what is known is not searched again, and no file is harmed.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use eval::Network;
use movegen::Board;
use tempfile::TempDir;

use crate::common::{Noise, outcome, output};

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
    let place = Place::new(30);
    let (games, plain) = (place.name("games.pgn"), place.name("plain.json"));
    let (status, _, said) = outcome(&["analyse", &games, "--json", &plain, "--nodes", "60"]);
    assert_eq!(status, Some(0), "{said}");
    let (_, nodes) = place.counts(&["--nodes", "60", "--threads", "2"]);
    assert!(place.read("out.json") == place.read("plain.json"), "an empty store changes nothing");
    assert!(nodes > 15_000, "{nodes}");
    let (known, again) = place.counts(&["--nodes", "60", "--threads", "1"]);
    assert!(known > 750 && again == 0, "{known} known, {again} nodes");
    assert!(place.read("out.json") == place.read("plain.json"));
    // Other limits: fewer nodes are there already, more are not, and what is deeper is then taken.
    let (_, fewer) = place.counts(&["--nodes", "40"]);
    assert!(fewer < nodes / 10, "only what depends on its game is searched: {fewer}");
    let (_, more) = place.counts(&["--nodes", "90"]);
    assert!(more > nodes, "{more}");
    assert_eq!(place.counts(&["--nodes", "60"]).1, 0);
    let (_, two_lines) = place.counts(&["--nodes", "60", "--multipv", "2"]);
    assert!(two_lines > 15_000, "one line is not two: {two_lines}");
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

/// A store whose results are all of another version: `analyse` with it writes what it writes without.
#[test]
fn results_of_another_version_are_no_part_of_what_analyse_writes() {
    let place = Place::new(0);
    fs::write(place.path("games.pgn"), "1. e4 e5 2. Nf3 Nc6 *\n").expect("a file");
    let analyse = |name: &str, store: &[&str]| {
        let (games, output) = (place.name("games.pgn"), place.name(name));
        let arguments = [&["analyse", &games, "--nodes", "2000", "--json", &output][..], store].concat();
        let (status, _, said) = outcome(&arguments);
        assert_eq!(status, Some(0), "{said}");
        place.read(name)
    };
    let plain = analyse("plain.json", &[]);
    // Deeper results of the same positions.
    let board = Board::start();
    let older = store::Identity {
        engine: "Vancura with search 1".to_owned(),
        network: format!("{:016x}", Network::embedded().hash()),
    };
    let store = store::Store::open(&place.path("store"), &older).expect("a store");
    for board in [board, board.after(board.legal_moves()[0]), board.after(board.parse_uci("e2e4").expect("a move"))] {
        let line = search::FoundLine {
            score: search::Score(-123),
            bound: search::Bound::Exact,
            moves: board.legal_moves().into_iter().rev().take(1).collect(),
        };
        let record = store::Record {
            depth: 50,
            seldepth: 60,
            nodes: 1 << 40,
            limits: 7,
            tables: 0,
            is_general: true,
            lines: vec![line],
        };
        store.add([(store::Key::new(&board, [1; 16]), record)]).expect("it can be written");
    }
    drop(store);
    let name = place.name("store");
    assert!(analyse("one.json", &["--store", &name]) == plain);
    assert!(analyse("two.json", &["--store", &name]) == plain, "from the store");
    let option = format!("setoption name AnalysisStore value {name}");
    let said = output(&[&option, "position startpos moves e2e4", "go depth 12"], b"");
    assert!(said.contains(", by Vancura with search 1, network ") && said.contains("\ninfo depth 12 "), "{said}");
    let (_, summary, _) = outcome(&["store", &name]);
    assert!(summary.contains("; another version, "), "{summary}");
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
    let place = Place::new(6);
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
