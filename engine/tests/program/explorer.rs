//! `vancura explorer`: an index is built and asked.

use std::fs;

use crate::common::{Place, outcome, output};

const GAMES: &str = "\
[White \"Anna Berg\"]\n[Black \"Ben\"]\n[WhiteElo \"1900\"]\n[BlackElo \"2000\"]\n[Date \"2023.01.02\"]\n[Result \"1-0\"]\n\n\
1. e4 c5 2. Nf3 d6 1-0\n\n\
[White \"Clara\"]\n[Black \"Berg, Anna\"]\n[WhiteElo \"2100\"]\n[BlackElo \"1910\"]\n[Date \"2024.05.??\"]\n[Result \"1/2-1/2\"]\n\n\
1. Nf3 c5 2. e4 Nc6 1/2-1/2\n\n\
[White \"Clara\"]\n[Black \"Ben\"]\n[Date \"2019.??.??\"]\n[Result \"0-1\"]\n\n1. d4 Nf6 0-1\n\n";

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path("games.pgn"), GAMES).expect("a file");
    place
}

/// Builds an index of the games; what was said.
fn build(place: &Place, arguments: &[&str]) -> String {
    let (games, index) = (place.name("games.pgn"), place.name("index"));
    let (status, stdout, stderr) = outcome(&[&["explorer", "build", &games, "-o", &index], arguments].concat());
    assert_eq!((status, &stdout[..]), (Some(0), ""), "{stderr}");
    stderr
}

fn show(place: &Place, arguments: &[&str]) -> String {
    output(&[&["explorer", &place.name("index")], arguments].concat(), b"")
}

#[test]
fn the_moves_of_a_position_are_shown_with_what_became_of_them() {
    let place = place();
    assert_eq!(build(&place, &[]), "3 games, 7 positions\n");
    let text = show(&place, &["e4", "c5", "Nf3"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[..3],
        ["rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", "B27 Sicilian Defense", "2 games",]
    );
    let row = |name: &str| {
        let line = lines.iter().find(|line| line.starts_with(&format!("{name} "))).unwrap_or_else(|| panic!("{text}"));
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("d6"), "d6 1 50.0 % 100.0 % 0.0 % 0.0 % 2000 1100 2023");
    assert_eq!(row("Nc6"), "Nc6 1 50.0 % 0.0 % 100.0 % 0.0 % 1910 2100 2024");
    let place_of = |line: u64| format!(", {}:{line}", place.name("games.pgn"));
    let games: Vec<_> = text.split("\nHighest ratings\n").nth(1).expect("games").lines().collect();
    assert!(games[0].starts_with("  Nc6      Clara (2100) – Berg, Anna (1910)  1/2-1/2, 2024"), "{text}");
    assert!(games[0].ends_with(&place_of(10)) && games[1].ends_with(&place_of(1)), "{text}");
    assert_eq!(show(&place, &["startpos", "moves", "g1f3", "c7c5", "e2e4"]).lines().nth(2), Some("2 games"));
    assert!(show(&place, &["a4"]).ends_with("no game has a move here\n"));
    assert!(show(&place, &["--chess960"]).ends_with("(Chess960)\nno game has a move here\n"));
    let json: serde_json::Value = serde_json::from_str(&show(&place, &["--json"])).expect("JSON");
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(3));
    assert_eq!((&json["moves"][0]["san"], &json["newest"][0]["white"]), (&"Nf3".into(), &"Clara".into()));
    assert_eq!(json["top"][1]["id"], "0");
}

#[test]
fn only_games_that_are_asked_for_go_into_the_index() {
    let place = place();
    for (arguments, games) in [
        (&["--player", "anna berg"][..], 2),
        (&["--player", "Anna Berg", "--colour", "black"], 1),
        (&["--player", "Ben", "--player", "Clara", "--color", "white"], 2),
        (&["--since", "2023"], 2),
        (&["--since", "2024-05-31"], 1),
        (&["--min-rating", "1905"], 1),
        (&["--min-rating", "1"], 2),
    ] {
        let said = build(&place, arguments);
        let noun = if games == 1 { "game" } else { "games" };
        assert!(said.starts_with(&format!("{games} {noun}, ")), "{arguments:?}: {said}");
    }
    build(&place, &["--plies", "2"]);
    assert!(show(&place, &["e4", "c5"]).ends_with("no game has a move here\n"));
    let games = place.name("games.pgn");
    let index = fs::read(place.path("index")).expect("an index");
    for (arguments, message) in [
        (
            &["explorer", "build", &games, "-o", &place.name("index"), "--player", "Nobody"][..],
            "no game to keep: of 3 games",
        ),
        (&["explorer", "build", &games, "-o", &games], "would overwrite the input"),
        (&["explorer", "build", &place.name("none"), "-o", &place.name("index")], "cannot read"),
        (&["explorer", "build", &games, "-o", &place.name("index"), "--since", "soon"], "expected a date"),
        (&["explorer", "build", &games, "-o", &place.name("index"), "--colour", "white"], "--player"),
        (&["explorer", &games], "is no index that `vancura explorer build` wrote"),
        (&["explorer", &place.name("none")], "cannot read"),
        (&["explorer", &place.name("index"), "e5"], "e5"),
        (&["explorer"], "required"),
    ] {
        let (status, stdout, stderr) = outcome(arguments);
        assert_eq!((status, &stdout[..]), (Some(2), ""), "{arguments:?}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
    assert!(fs::read(place.path("index")).expect("an index") == index, "what was there stays");
    assert_eq!(fs::read_to_string(place.path("games.pgn")).expect("a file"), GAMES);
}

#[test]
fn what_is_lost_is_told_and_the_rest_is_in_the_index() {
    let place = place();
    let broken = "1. e4 e5 2. Ke3 d5 *\n\n[FEN \"nothing\"]\n\n1. e4 *\n\n";
    fs::write(place.path("broken.pgn"), broken).expect("a file");
    let (one, two, index) = (place.name("games.pgn"), place.name("broken.pgn"), place.name("index"));
    let (status, _, stderr) = outcome(&["explorer", "build", &one, &two, "-o", &index]);
    assert_eq!(status, Some(2));
    assert!(stderr.ends_with("error: 1 game could not be read, 1 game could not be read in full\n"), "{stderr}");
    assert!(stderr.contains("broken.pgn: line 1:") && stderr.contains("broken.pgn: line "), "{stderr}");
    assert_eq!(show(&place, &[]).lines().nth(1), Some("4 games"));
    // A file that is cut in the middle is no index.
    let bytes = fs::read(place.path("index")).expect("an index");
    fs::write(place.path("index"), &bytes[..bytes.len() - 4096]).expect("a file");
    let (status, _, stderr) = outcome(&["explorer", &index]);
    assert_eq!((status, stderr), (Some(2), format!("error: the index {index} is damaged: build it again\n")));
}
