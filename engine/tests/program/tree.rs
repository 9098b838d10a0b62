//! `vancura tree` as a process: the same tree with any number of threads and interruptions, and what comes of it.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use formats::PolyglotBook;
use movegen::Board;
use pgn::{NodeId, PgnGame, PgnReader};

use crate::common::{self, Place, outcome};

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

impl Place {
    /// Grows a tree to `NAME.pgn` and `NAME.bin`; its summary and what is said.
    fn grow(&self, name: &str, arguments: &[&str], moves: &[&str]) -> (String, String) {
        let [pgn, book] = ["pgn", "bin"].map(|end| self.name(&format!("{name}.{end}")));
        let moves = if moves.is_empty() { Vec::new() } else { [&["--"], moves].concat() };
        let (status, output, said) = outcome(&[&["tree", "-o", &pgn, "--book", &book][..], arguments, &moves].concat());
        assert_eq!(status, Some(0), "{said}");
        (output, said)
    }

    fn game(&self, name: &str) -> PgnGame {
        let bytes = fs::read(self.path(&format!("{name}.pgn"))).expect("a game");
        let mut games = PgnReader::new(&bytes[..]);
        let game = games.next().expect("a game").expect("it can be read");
        assert!(game.remarks.is_empty() && games.next().is_none());
        game
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Both files of a tree.
    fn files(&self, name: &str) -> [Vec<u8>; 2] {
        ["pgn", "bin"].map(|end| self.bytes(&format!("{name}.{end}")))
    }
}

const LIMITS: [&str; 4] = ["--nodes", "2000", "--positions", "90"];

#[test]
fn threads_and_interruptions_change_nothing() {
    let place = Place::new();
    let (summary, _) = place.grow("one", &[&LIMITS[..], &["--threads", "1"]].concat(), &["e4", "c5"]);
    assert!(summary.starts_with("90 positions, "), "{summary}");
    let (again, _) = place.grow("four", &[&LIMITS[..], &["--threads", "4"]].concat(), &["e4", "c5"]);
    assert!(place.files("four") == place.files("one") && again == summary);
    // With a store, killed now and then.
    let store = place.name("store");
    let stored = [&LIMITS[..], &["--store", &store]].concat();
    for round in 0..5 {
        let mut process = Command::new(PROGRAM)
            .arg("tree")
            .args(&stored)
            .args(["--book", &place.name("killed.bin"), "--", "e4", "c5"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        thread::sleep(Duration::from_millis(60 * round));
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
    }
    place.grow("stored", &stored, &["e4", "c5"]);
    let (last, said) = place.grow("last", &stored, &["1.e4 c5"]);
    assert!(said.ends_with("90 positions, 90 from the store; 0 nodes\n"), "{said}");
    assert!(place.files("stored") == place.files("one") && place.files("last") == place.files("one"));
    assert_eq!(last, summary);
    // It goes on from there, without searching anything twice.
    let more = ["--nodes", "2000", "--positions", "130", "--store", &store];
    let (_, said) = place.grow("more", &more, &["e4", "c5"]);
    assert!(said.contains("130 positions, 90 from the store; "), "{said}");
}

#[test]
fn the_game_has_the_best_line_first_and_the_book_its_moves() {
    let place = Place::new();
    let (summary, _) = place.grow("tree", &LIMITS, &["d4"]);
    let game = place.game("tree");
    assert_eq!(game.tree.start(), &Board::start());
    let main: Vec<_> = game.tree.main_line().collect();
    assert!(main.len() > 5, "{summary}");
    let best = summary.lines().nth(1).expect("a line");
    let second = main[1].1.san(game.tree.node(main[1].0).mv.expect("a move")).to_string();
    assert!(best.contains(&format!("1... {second} ")), "{best}");
    // The first child of each position has the best evaluation for the side that moves.
    let mut count = 0;
    for id in game.tree.ids() {
        let turn = game.tree.board(id).turn();
        let scores: Vec<_> = game.tree.children(id).filter_map(|id| game.tree.node(id).evaluation).collect();
        let worth = |score| match score {
            pgn::EngineScore::Centipawns(value) => value,
            pgn::EngineScore::Mate(moves) => 100_000 * i32::signum(moves) - moves,
        };
        let worths: Vec<_> = scores.iter().map(|it| worth(it.score.relative_to(turn))).collect();
        assert!(worths.iter().all(|worth| *worth <= worths[0] + 3), "{worths:?}");
        count += usize::from(worths.len() > 1);
    }
    assert!(count > 10, "{count} positions with alternatives");
    let mut book = PolyglotBook::open(&place.path("tree.bin")).expect("a book");
    let root = Board::start().after(Board::start().parse_san("d4").expect("a move"));
    let moves = book.moves(&root).expect("it can be read");
    // Others may be as good as the best move.
    let weight = |wanted| moves.iter().find(|(mv, _)| Some(*mv) == wanted).map(|&(_, weight)| weight);
    assert_eq!(weight(game.tree.node(main[1].0).mv), Some(1000));
    assert!(moves.iter().all(|&(_, weight)| weight <= 1000), "{moves:?}");
    let entries: Vec<_> = (0..book.len()).map(|number| book.entry(number).expect("an entry").key).collect();
    assert!(entries.is_sorted() && entries.len() > 80, "{}", entries.len());
}

#[test]
fn one_side_alone_may_have_alternatives() {
    let place = Place::new();
    place.grow("tree", &[&LIMITS[..], &["--side", "black"]].concat(), &[]);
    let game = place.game("tree");
    let (mut whites, mut blacks) = (0, 0);
    for id in game.tree.ids() {
        let is_white = game.tree.board(id).turn() == movegen::Color::White;
        let children = game.tree.children(id).count();
        *(if is_white { &mut whites } else { &mut blacks }) += usize::from(children > 1);
    }
    // Of White's moves those are left that were the best when they were searched.
    assert!(blacks > 5 && whites < blacks, "{whites} and {blacks}");
}

#[test]
fn a_perpetual_check_and_a_mate_are_what_they_are() {
    let place = Place::new();
    // White is lost but for checks without end.
    let (summary, _) = place.grow(
        "draw",
        &["6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", "--nodes", "3000", "--positions", "60", "--margin", "0.2"],
        &[],
    );
    assert!(summary.lines().nth(1).is_some_and(|line| line.trim_start().starts_with("+0.00  1. Qe8+")), "{summary}");
    let (summary, said) =
        place.grow("mate", &["r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "--nodes", "20k", "--positions", "50"], &[]);
    assert!(said.contains("; nothing is left within the margin"), "{said}");
    assert!(summary.lines().nth(1).is_some_and(|line| line.trim_start().starts_with("#3  1. Ra6+")), "{summary}");
    // The last moves before the fifty-move rule ends the game.
    let (summary, _) =
        place.grow("late", &["7k/8/8/8/8/8/Q7/K7 w - - 98 150", "--depth", "2", "--positions", "9"], &[]);
    assert!(summary.lines().nth(1).is_some_and(|line| line.trim_start().starts_with("+0.00  150. ")), "{summary}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_tree_is_written() {
    let place = Place::new();
    let mut process = Command::new(PROGRAM)
        .args(["tree", "--nodes", "2000", "-o", &place.name("tree.pgn"), "--store", &place.name("store")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    thread::sleep(Duration::from_millis(1500));
    assert!(common::signal("INT", process.id()));
    assert!(process.wait().expect("it ends").success());
    assert!(place.game("tree").tree.len() > 10);
    let (status, summary, said) = outcome(&["tree", "--nodes", "2000", "--for", "0.5s"]);
    assert!(status == Some(0) && summary.contains(" positions, ") && said.ends_with("; stopped\n"), "{summary}{said}");
}

#[test]
fn transpositions_and_lines_that_end_are_written_once() {
    let place = Place::new();
    place.grow("tree", &["--nodes", "1000", "--positions", "150", "--margin", "0.2", "--ply-cost", "0"], &[]);
    let game = place.game("tree");
    let is_known = |id: &NodeId| game.tree.node(*id).comment == "known from another line";
    let known: Vec<_> = game.tree.ids().filter(is_known).collect();
    assert!(known.iter().all(|&id| game.tree.children(id).next().is_none()));
    let mut followed: Vec<_> = game.tree.ids().filter(|&id| game.tree.children(id).next().is_some()).collect();
    let before = followed.len();
    followed.sort_by_key(|&id| game.tree.board(id).packed());
    followed.dedup_by_key(|id| game.tree.board(*id).packed());
    assert_eq!(followed.len(), before, "each position is followed once");
}

#[test]
fn bad_input_is_one_clear_error() {
    let place = Place::new();
    fs::write(place.path("none"), "1. e4 *").expect("a file");
    let none = place.name("none");
    for (arguments, message) in [
        (&["8/8/8/8/8/8/8/8 w - - 0 1"][..], "is neither a file nor a position"),
        (&["nonsense"], "is neither a file nor a position"),
        (&["startpos", "--", "e5"], "e5"),
        (&["startpos", "--", "f3", "e5", "g4", "Qh4#"], "the game is over: checkmate"),
        (&["--margin", "2"], "from 0 to 1"),
        (&["--for", "soon"], "such as 90s"),
        (&["--for", "-1h"], ""),
        (&["--multipv", "0"], ""),
        (&["--positions", "0"], "from 1"),
        (&["--side", "red"], "possible values: white, black"),
        (&["-o", "/no/such/folder/x.pgn", "--positions", "1"], "cannot write the output"),
        (&["--store", &none, "--positions", "1"], "it is not an analysis store"),
        (&["-o", &none, "--book", &none, "--positions", "1"], "two outputs go to the same file"),
    ] {
        let (status, output, said) = outcome(&[&["tree"], arguments].concat());
        assert_eq!((status, &output[..]), (Some(2), ""), "{arguments:?}: {said}");
        assert!(said.starts_with("error: ") && said.contains(message), "{arguments:?}: {said}");
    }
    assert_eq!(place.bytes("none"), b"1. e4 *");
    // Without its store it could not go on some day.
    let identity = store::Identity { engine: "Test".to_owned(), network: "0".to_owned() };
    let _open = store::Store::open(&place.path("store"), &identity).expect("a store");
    let (status, _, said) = outcome(&["tree", "--positions", "1", "--store", &place.name("store")]);
    assert!(status == Some(2) && said.contains("in use by another process"), "{said}");
}
