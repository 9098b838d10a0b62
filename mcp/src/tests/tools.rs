//! What each tool answers.

use serde_json::{Value, json};

use super::{Client, MATE};

fn strings(values: &Value, field: &str) -> Vec<String> {
    values.as_array().unwrap().iter().map(|value| value[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn analyse_finds_lines_with_scores_for_white() {
    let mut client = Client::new(1);
    let found = client.call("analyse", json!({ "position": MATE, "nodes": 2000, "multipv": 3 }));
    assert_eq!((&found["fen"], &found["turn"], &found["best"]), (&json!(MATE), &json!("white"), &json!("d1d8")));
    assert_eq!((&found["lines"][0]["mate"], &found["lines"][0]["cp"]), (&json!(1), &json!(null)));
    assert_eq!((&found["lines"][0]["san"], found["lines"].as_array().unwrap().len()), (&json!(["Rd8#"]), 3));
    assert_eq!([&found["wdl_win"], &found["wdl_draw"], &found["wdl_loss"]], [&json!(1000), &json!(0), &json!(0)]);
    // For White, whoever is to move; and moves in either notation.
    let lost = client.call("analyse", json!({ "position": "startpos", "moves": ["f3", "e7e5", "g4"], "nodes": 1000 }));
    assert_eq!((&lost["turn"], &lost["lines"][0]["mate"]), (&json!("black"), &json!(-1)));
    let over = client.call("analyse", json!({ "position": "startpos", "moves": ["f3", "e5", "g4", "Qh4"] }));
    assert_eq!((&over["best"], &over["lines"][0]["mate"], &over["wdl_loss"]), (&json!(null), &json!(0), &json!(1000)));
}

#[test]
fn compare_moves_ranks_them_and_says_why() {
    let mut client = Client::new(2);
    let fork = "r3k3/8/8/1N6/8/8/4P3/4K3 w - - 0 1";
    let found =
        client.call("compare_moves", json!({ "position": fork, "candidates": ["Kd2", "b5c7"], "nodes": 20_000 }));
    assert_eq!((&found["best"], &found["is_close"]), (&json!("Nc7+"), &json!(false)));
    let [best, other] = &found["moves"].as_array().unwrap()[..] else { panic!("not two moves") };
    assert_eq!((&best["rank"], &best["difference"], &best["move"]), (&json!(1), &json!(0.0), &json!("b5c7")));
    assert_eq!((&other["rank"], &other["reasons"][0]["about"]), (&json!(2), &json!("missed")));
    let difference = best["after"]["points"].as_f64().unwrap() - other["after"]["points"].as_f64().unwrap();
    assert!((difference - other["difference"].as_f64().unwrap()).abs() < 1e-3 && difference > 0.1);
    // The shorter mate is the better one.
    let queens = "6k1/8/6K1/8/8/8/8/QQ6 w - - 0 1";
    let found =
        client.call("compare_moves", json!({ "position": queens, "candidates": ["b1b2", "Qa8#"], "nodes": 5000 }));
    assert_eq!(found["best"], "Qa8#");
}

#[test]
fn explain_move_says_what_the_command_says() {
    let mut client = Client::new(1);
    let arguments = json!({ "position": "r3k3/8/8/1N6/8/8/4P3/4K3 w - - 0 1", "move": "Kd2", "nodes": 20_000 });
    let found = client.call("explain_move", arguments);
    assert_eq!(
        (&found["san"], &found["best"], &found["reasons"][0]["kind"]),
        (&json!("Kd2"), &json!(false), &json!("fork"))
    );
    assert_eq!((&found["better"]["san"][0], &found["reasons"][0]["about"]), (&json!("Nc7+"), &json!("missed")));
    assert!(
        found["loss"].as_f64().unwrap() > 0.1 && found["before"]["points"].as_f64() > found["after"]["points"].as_f64()
    );
    let book =
        client.call("explain_move", json!({ "position": "startpos", "moves": ["e4"], "move": "e5", "nodes": 20_000 }));
    assert_eq!(book["label"], "book");
}

#[test]
fn review_game_judges_all_moves_of_the_game_that_is_asked_for() {
    let mut client = Client::new(2);
    let games = "[White \"Anna\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Bert\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";
    let found = client.call("review_game", json!({ "pgn": games, "nodes": 2000 }));
    assert_eq!((&found["White"], &found["Result"], &found["plies"]), (&json!("Anna"), &json!("0-1"), &json!(4)));
    assert_eq!(strings(&found["moves"], "san"), ["f3", "e5", "g4", "Qh4#"]);
    let blunder = found["mistakes"].as_array().unwrap().iter().find(|mistake| mistake["ply"] == 2).unwrap();
    assert_eq!((&blunder["numbered"], &blunder["judgement"]), (&json!("2. g4"), &json!("blunder")));
    assert_eq!((&blunder["reasons"][0]["kind"], &blunder["reasons"][0]["san"]), (&json!("mate"), &json!(["Qh4#"])));
    assert!(blunder["better"]["san"][0].is_string() && found["white"]["blunders"] == 1);
    let second = client.call("review_game", json!({ "pgn": games, "nodes": 1000, "game": 2 }));
    assert_eq!((&second["White"], &second["black"]["blunders"]), (&json!("Bert"), &json!(1)));
    // What the client writes does not come back in any length.
    let long = format!("[White \"{}\"]\n\n1. e4 *", "x".repeat(100_000));
    let named = client.call("review_game", json!({ "pgn": long, "nodes": 100 }));
    assert!(named["White"].as_str().unwrap().len() < 300 && named.to_string().len() < 3000);
    // Moves alone will do, and what cannot be read is told.
    let cut = client.call("review_game", json!({ "pgn": "1. e4 e5 2. Ke3 Nc6", "nodes": 500 }));
    assert_eq!((&cut["plies"], cut["remarks"].as_array().unwrap().len()), (&json!(2), 1));
}

#[test]
fn mate_is_proved_denied_or_unknown() {
    let mut client = Client::new(1);
    let position = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    let yes = client.call("mate", json!({ "position": position, "mate_in": 3 }));
    assert_eq!((&yes["answer"], &yes["mate"], &yes["san"][0]), (&json!("yes"), &json!(3), &json!("Ra6+")));
    let no = client.call("mate", json!({ "position": position, "mate_in": 2 }));
    assert_eq!((&no["answer"], &no["mate"]), (&json!("no"), &json!(3)));
    let unknown = client.call("mate", json!({ "position": "startpos", "mate_in": 60, "nodes": 100 }));
    assert_eq!((&unknown["answer"], &unknown["mate"]), (&json!("unknown"), &json!(null)));
    // Black is mated: positive for White.
    let mated = client.call("mate", json!({ "position": "k7/7R/1K6/8/8/8/8/8 b - - 0 1", "mate_in": -1 }));
    assert_eq!((&mated["answer"], &mated["mate"], &mated["turn"]), (&json!("yes"), &json!(1), &json!("black")));
}

#[test]
fn tablebase_knows_what_the_rules_decide_without_tables() {
    let mut client = Client::new(1);
    for (position, result) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "draw"),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "loss"),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "draw"),
    ] {
        let found = client.call("tablebase", json!({ "position": position }));
        assert_eq!((&found["by"], &found["result"]), (&json!("rules"), &json!(result)), "{position}");
    }
    let error = client.refusal("tablebase", json!({ "position": "8/8/8/8/3k4/8/4Q3/K7 w - - 0 1" }));
    assert!(error.contains("no endgame tables") && error.contains("--syzygy"), "{error}");
}

#[test]
fn rules_tells_moves_claims_ends_and_who_can_still_win() {
    let mut client = Client::new(1);
    let start = client.call("rules", json!({ "position": "startpos" }));
    assert_eq!((start["legal_moves"].as_array().unwrap().len(), &start["result"]), (20, &json!("*")));
    assert_eq!(
        (&start["white_can_win"], &start["dead"], &start["occurrences"]),
        (&json!("yes"), &json!(false), &json!(1))
    );
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let twice = client.call("rules", json!({ "position": "startpos", "moves": (shuffle.repeat(2)) }));
    assert_eq!((&twice["claims"][0]["rule"], &twice["occurrences"]), (&json!("threefold"), &json!(3)));
    let five = client.call("rules", json!({ "position": "startpos", "moves": (shuffle.repeat(5)) }));
    assert_eq!(
        (&five["end"], &five["ended_after"], &five["result"]),
        (&json!("fivefold"), &json!(16), &json!("1/2-1/2"))
    );
    assert_eq!(five["legal_moves"], json!([]));
    let mated = client.call("rules", json!({ "position": "startpos", "moves": ["f3", "e5", "g4", "Qh4#"] }));
    assert_eq!((&mated["end"], &mated["result"], &mated["check"]), (&json!("checkmate"), &json!("0-1"), &json!(true)));
    assert_eq!(
        (&mated["black_can_win"], &mated["white_can_win"], &mated["dead"]),
        (&json!("yes"), &json!("no"), &json!(false))
    );
    // A wall of pawns, and a bishop that can do nothing about it; a lone king whose flag matters no more.
    let dead = client.call("rules", json!({ "position": "8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1" }));
    assert_eq!((&dead["dead"], &dead["end"]), (&json!(true), &json!("dead_position")));
    let king = client.call("rules", json!({ "position": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" }));
    assert_eq!(
        (&king["white_can_win"], &king["black_can_win"], &king["end"]),
        (&json!("yes"), &json!("no"), &json!(null))
    );
    let late = client.call("rules", json!({ "position": "4k3/8/8/8/8/8/4R3/4K3 b - - 99 80" }));
    assert_eq!(late["claims"][0]["rule"], "fifty_moves");
}
