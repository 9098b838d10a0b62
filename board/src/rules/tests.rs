use serde_json::{Value, json};

use super::error::MAX_MOVES;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::*;

/// What is answered to a request without `id`.
fn ask(mut request: Value) -> Result<Value, String> {
    request["id"] = json!(5);
    let mut answer: Value = serde_json::from_str(&answer(&request.to_string())).unwrap();
    assert_eq!(answer["id"], 5, "{answer}");
    match answer["error"].as_str() {
        Some(error) => Err(error.to_owned()),
        None => Ok(answer["ok"].take()),
    }
}

fn position(fen: Option<&str>, moves: &[&str]) -> Value {
    ask(json!({"do": "position", "fen": fen, "moves": moves})).unwrap()
}

/// The moves from a square: in coordinates, and where the piece may be put.
fn targets(position: &Value, from: &str) -> Vec<(String, Vec<String>)> {
    let moves = position["moves"].as_array().unwrap().iter().filter(|mv| mv["from"] == from);
    moves
        .map(|mv| {
            let to = mv["to"].as_array().unwrap().iter().map(|square| square.as_str().unwrap().to_owned());
            (mv["uci"].as_str().unwrap().to_owned(), to.collect())
        })
        .collect()
}

#[test]
fn a_position_has_its_moves_in_all_forms() {
    let start = position(None, &[]);
    assert_eq!(start["moves"].as_array().unwrap().len(), 20);
    assert_eq!(start["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!((&start["turn"], &start["check"], &start["end"]), (&json!("white"), &json!(false), &Value::Null));
    let later = position(None, &["e2e4", "d7d5"]);
    let takes = later["moves"].as_array().unwrap().iter().find(|mv| mv["uci"] == "e4d5").unwrap();
    assert_eq!([&takes["san"], &takes["text"], &takes["spoken"]], ["exd5", "2. exd5", "pawn takes d5"]);
    assert_eq!(later["last"], json!(["d7", "d5"]));
    assert!(later["pieces"].as_str().unwrap().starts_with("White: king e1; queen d1; rooks a1, h1; "), "{later}");
}

#[test]
fn moves_are_told_in_words() {
    for (fen, uci, spoken) in [
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "knight on b1 to d2"),
        ("4k3/8/8/8/8/5N2/3p4/1N2K3 w - - 0 1", "b1d2", "knight on b1 takes d2"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "pawn takes b8, promotes to queen, check"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "castles queenside"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "rook a8, checkmate"),
    ] {
        let position = position(Some(fen), &[]);
        let mv = position["moves"].as_array().unwrap().iter().find(|mv| mv["uci"] == uci).unwrap();
        assert_eq!(mv["spoken"], spoken, "{fen}");
    }
}

#[test]
fn castling_is_offered_on_both_squares_unless_the_king_goes_there_itself() {
    let normal = position(Some("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), &[]);
    let castling = ("e1g1".to_owned(), vec!["g1".to_owned(), "h1".to_owned()]);
    assert!(targets(&normal, "e1").contains(&castling), "{normal}");
    let beside = position(Some("4k3/8/8/8/8/8/8/5K1R w H - 0 1"), &[]);
    let moves = targets(&beside, "f1");
    assert!(moves.contains(&("f1g1".to_owned(), vec!["g1".to_owned()])), "{moves:?}");
    assert!(moves.contains(&("f1h1".to_owned(), vec!["h1".to_owned()])), "{moves:?}");
    assert_eq!(beside["chess960"], true);
}

#[test]
fn games_end_by_the_laws() {
    let end = |fen: &str, moves: &[&str]| position(Some(fen), moves)["end"].clone();
    let mate = position(None, &["f2f3", "e7e5", "g2g4", "d8h4"])["end"].clone();
    assert_eq!(mate, json!({"result": "0-1", "reason": "Black mates"}));
    assert_eq!(end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[])["reason"], "draw by stalemate");
    assert_eq!(end("7k/8/6K1/8/8/8/8/8 b - - 0 1", &[])["reason"], "draw by insufficient material");
    // A wall that nobody can pass.
    assert!(
        end("8/6b1/1p3k2/1Pp1p1p1/2P1PpP1/5P2/8/5K2 b - - 11 61", &[])["reason"].as_str().unwrap().contains("dead")
    );
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let twice = position(None, &knights.repeat(2));
    assert_eq!((&twice["claim"], &twice["end"]), (&json!("threefold repetition"), &Value::Null));
    assert_eq!(position(None, &knights.repeat(4))["end"]["reason"], "draw by fivefold repetition");
    // The board goes on where the game does not.
    let beyond = position(None, &[&knights.repeat(4)[..], &["e2e4"]].concat());
    assert_eq!(beyond["moves"].as_array().unwrap().len(), 20);
}

#[test]
fn players_may_resign_and_claim() {
    let ask = |more: Value| {
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
        let mut request = json!({"do": "position", "moves": moves});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask(request).unwrap()["end"].clone()
    };
    assert_eq!(ask(json!({"resign": "white"}))["result"], "0-1");
    assert_eq!(ask(json!({"claim": true}))["reason"], "draw by threefold repetition, claimed");
    assert_eq!(ask(json!({})), Value::Null);
}

#[test]
fn clocks_run_out_and_draws_are_agreed() {
    let ended = |fen: &str, how: &str| {
        let end = ask(json!({"do": "position", "fen": fen, how: true})).unwrap()["end"].clone();
        (end["result"].as_str().unwrap().to_owned(), end["reason"].as_str().unwrap().to_owned())
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(ended(start, "timeout").0, "0-1");
    // Black has only the king and cannot mate.
    assert_eq!(ended("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "timeout").0, "1/2-1/2");
    assert_eq!(ended("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "timeout").0, "1-0");
    let (result, reason) = ended(start, "agreed");
    assert!(result == "1/2-1/2" && reason.contains("agree"), "{reason}");
}

#[test]
fn what_is_no_request_is_refused_by_its_name() {
    let refused: Value = serde_json::from_str(&answer(r#"{"id": 9, "do": "dance"}"#)).unwrap();
    assert_eq!(refused["id"], 9);
    assert!(refused["error"].as_str().unwrap().contains("dance"), "{refused}");
    let refused: Value = serde_json::from_str(&answer("no JSON")).unwrap();
    assert!(refused["id"] == 0 && refused["error"].is_string());
}

#[test]
fn moves_are_read_as_people_type_them() {
    let read = |moves: &[&str], text: &str| ask(json!({"do": "read", "moves": moves, "text": text}));
    for text in ["Nf3", "nf3", "g1f3", " Nf3 ", "g1-f3"] {
        assert_eq!(read(&[], text), Ok(json!({"uci": "g1f3"})), "{text}");
    }
    assert_eq!(read(&[], "Ke2").unwrap_err(), "\"Ke2\" is not a legal move here");
    assert!(read(&["e2e5"], "e4").is_err() && read(&[], "<b>").is_err());
}

#[test]
fn lines_are_shown_as_far_as_they_can_be_played() {
    let request = json!({"do": "lines", "moves": ["e2e4"], "lines": [["e7e5", "g1f3", "a1a5"], ["e7e4"]]});
    let lines = ask(request).unwrap();
    assert_eq!(lines[0]["text"], "1... e5 2. Nf3");
    assert_eq!(lines[0]["moves"][1], json!({"uci": "g1f3", "san": "Nf3", "text": "2. Nf3", "from": "g1", "to": "f3"}));
    assert_eq!(lines[1], json!({"text": "", "moves": []}));
}

#[test]
fn positions_to_start_from_are_checked() {
    let setup = |fen: &str| ask(json!({"do": "setup", "fen": fen}));
    assert_eq!(setup("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap()["fen"], Value::Null);
    assert!(setup("8/8/8/8/8/8/8/8 w - - 0 1").unwrap_err().contains("king"));
    let first = ask(json!({"do": "chess960", "number": 0})).unwrap();
    assert_eq!(first["fen"], "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    assert_eq!(ask(json!({"do": "chess960", "number": 518})).unwrap()["fen"], Value::Null);
    assert!(ask(json!({"do": "chess960", "number": 960})).unwrap_err().contains("960"));
}

#[test]
fn a_game_survives_the_way_to_the_page_and_back() {
    let text = "[Event \"A \\\"test\\\"\"]\n[White \"One\"]\n[Black \"Two\"]\n[Result \"1-0\"]\n\n\
                {Before.} 1. e4 $1 { [%clk 0:05:00] [%eval 0.31] first } ( 1. d4 d5 ( 1... Nf6 {why not} ) ) 1... e5 2. Nf3 1-0\n\n";
    let contents = ask(json!({"do": "read-pgn", "text": text})).unwrap();
    assert_eq!(contents["games"].as_array().unwrap().len(), 1);
    let game = &contents["game"];
    assert_eq!(game["moves"].as_array().unwrap().len(), 6);
    let parents: Vec<_> = game["moves"].as_array().unwrap().iter().map(|mv| mv["parent"].as_u64()).collect();
    assert_eq!(parents, [None, None, Some(1), Some(1), Some(0), Some(4)]);
    let mut request = game.clone();
    request["do"] = json!("write-pgn");
    let written = ask(request).unwrap();
    let again = ask(json!({"do": "read-pgn", "text": written["pgn"]})).unwrap();
    assert_eq!(again["game"]["moves"][0]["comment"], "first");
    let kept = written["pgn"].as_str().unwrap();
    for part in ["[%clk 0:05:00]", "[%eval 0.31]", "$1", "{ Before. }", "{ why not }", "A \\\"test\\\""] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
}

#[test]
fn the_main_move_comes_before_a_variation_that_stands_before_it() {
    let read = ask(json!({"do": "read-pgn", "text": "(1. d4 d5) 1. e4 e5 (1... c5) 2. Nf3 *", "game": 0})).unwrap();
    let moves = read["game"]["moves"].as_array().unwrap();
    let places: Vec<_> = moves.iter().map(|mv| (mv["uci"].as_str().unwrap(), mv["parent"].as_u64())).collect();
    let expected =
        [("e2e4", None), ("d2d4", None), ("d7d5", Some(1)), ("e7e5", Some(0)), ("c7c5", Some(0)), ("g1f3", Some(3))];
    assert_eq!(places, expected);
}

#[test]
fn of_several_games_one_is_given_and_broken_ones_are_named() {
    let text = "[White \"A\"]\n\n1. e4 e9 *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n1. c4 1-0\n";
    let contents = ask(json!({"do": "read-pgn", "text": text, "game": 1})).unwrap();
    let names: Vec<_> = contents["games"].as_array().unwrap().iter().map(|game| game["white"].clone()).collect();
    assert_eq!(names, ["A", "B", "C"]);
    assert_eq!(contents["game"]["moves"][0]["san"], "d4");
    assert_eq!(contents["errors"], json!([]));
    assert!(
        contents["remarks"][0].as_str().is_some_and(|said| said.starts_with("game 1, line 3: \"e9\"")),
        "{contents}"
    );
    let contents =
        ask(json!({"do": "read-pgn", "text": "[FEN \"x\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n"})).unwrap();
    assert_eq!((contents["games"].as_array().unwrap().len(), contents["errors"].as_array().unwrap().len()), (1, 1));
    assert!(ask(json!({"do": "read-pgn", "text": ""})).unwrap_err().contains("no game"));
    assert!(ask(json!({"do": "read-pgn", "text": "1. e9 *"})).unwrap_err().contains("line 1"));
}

#[test]
fn files_are_unpacked() {
    let unpack = |bytes: &[u8]| ask(json!({"do": "unpack", "data": BASE64_STANDARD.encode(bytes)}));
    let wide: Vec<u8> = "\u{feff}1. e4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [&b"1. e4 *\n"[..], &wide] {
        assert_eq!(unpack(bytes).unwrap(), json!({"text": "1. e4 *\n", "damage": null}));
    }
    assert_eq!(unpack(b"[White \"Jos\xE9\"]\n").unwrap()["text"], "[White \"José\"]\n");
    // `1. e4 *` and the end of its line in gzip, and the same cut off.
    let packed = BASE64_STANDARD.decode("H4sIAAAAAAACAzPUU0g1UdDiAgBgPwMtCAAAAA==").unwrap();
    let whole = unpack(&packed).unwrap();
    assert_eq!(whole["text"], "1. e4 *\n", "{whole}");
    let cut = unpack(&packed[..packed.len() - 4]).unwrap();
    assert!(cut["damage"].as_str().is_some_and(|damage| damage.contains("gzip")), "{cut}");
    assert!(ask(json!({"do": "unpack", "data": "no base64!"})).is_err());
    for (name, words) in [("My games.cbh", "ChessBase"), ("a.CBV", "PGN"), ("a.si5", "Scid"), ("a.7z", "unpack")] {
        let refused = ask(json!({"do": "unpack", "name": name, "data": "AAAA"})).unwrap();
        assert!(
            refused["text"] == "" && refused["damage"].as_str().is_some_and(|text| text.contains(words)),
            "{refused}"
        );
    }
}

#[test]
fn what_is_no_request_is_refused_in_words() {
    for text in ["", "{", "[]", "{\"do\": \"nothing\"}", "{\"id\": -1, \"do\": \"position\"}", "\u{0}"] {
        let answer: Value = serde_json::from_str(&answer(text)).unwrap();
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{text}: {answer}");
    }
    let write = |moves: Value| ask(json!({"do": "write-pgn", "moves": moves}));
    assert_eq!(write(json!([{"parent": 3, "uci": "e2e4"}])).unwrap_err(), "move 1 of the game follows none before it");
    assert!(write(json!([{"parent": u64::MAX, "uci": "e2e4"}])).is_err());
    let many = vec!["e2e4"; MAX_MOVES + 1];
    assert!(ask(json!({"do": "position", "moves": many})).unwrap_err().contains("20000"));
    assert!(ask(json!({"do": "position", "fen": "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "moves": ["0000"]})).is_err());
    assert!(ask(json!({"do": "position", "moves": ["0000"]})).unwrap()["end"].is_null());
    let hostile = write(json!([{"uci": "e2e4", "comment": "a } [Event \"x\"] \n b"}])).unwrap();
    let again = ask(json!({"do": "read-pgn", "text": hostile["pgn"]})).unwrap();
    assert_eq!(again["games"].as_array().unwrap().len(), 1, "{hostile}");
}

#[test]
fn what_is_pasted_becomes_games() {
    let text = "https://lichess.org/editor/4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1\nposition startpos moves e2e4\nnothing\n";
    let pasted = ask(json!({"do": "paste", "text": text})).unwrap();
    assert_eq!((&pasted["games"], &pasted["problems"][0]["line"]), (&json!(2), &json!(3)));
    let read = ask(json!({"do": "read-pgn", "text": pasted["pgn"], "game": 1})).unwrap();
    assert_eq!((read["games"].as_array().unwrap().len(), &read["game"]["moves"][0]["uci"]), (2, &json!("e2e4")));
    let game = ask(json!({"do": "paste", "text": "1. e4 e5 *"})).unwrap();
    assert_eq!((&game["games"], &game["pgn"]), (&json!(1), &json!("1. e4 e5 *")));
}

/// Whatever ends a game is told in the language of the page.
#[test]
fn all_reasons_have_their_words_in_german() {
    use movegen::{Color, DrawReason, Fault, Outcome, Victory};
    let faults = [Fault::Resignation, Fault::Time, Fault::IllegalMove, Fault::Forfeit];
    let sides = [Color::White, Color::Black];
    let of_faults = sides.into_iter().flat_map(|side| {
        let each = move |fault| [true, false].map(|can_be_mated| Outcome::of_fault(side, fault, can_be_mated));
        faults.into_iter().flat_map(each)
    });
    let draws = [
        DrawReason::Stalemate,
        DrawReason::InsufficientMaterial,
        DrawReason::DeadPosition,
        DrawReason::Threefold,
        DrawReason::Fivefold,
        DrawReason::FiftyMoves,
        DrawReason::SeventyFiveMoves,
        DrawReason::Agreement,
    ];
    let mates = sides.map(|side| Outcome::Win(side, Victory::Checkmate));
    let all = of_faults.chain(draws.map(Outcome::Draw)).chain(mates).chain([Outcome::BothLose]);
    let german = page::text("texts/de.js");
    let reasons: Vec<_> = all.map(|outcome| outcome.to_string()).collect();
    assert_eq!(reasons.len(), 27);
    for part in reasons.iter().flat_map(|reason| reason.split(", but ")) {
        assert!(german.contains(&format!("\"rule.{part}\": \"")), "{part}");
    }
}
