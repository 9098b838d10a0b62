//! A request of the board's page.

use board::rules;
use serde_json::{Value, json};

/// Whatever is asked, there is one answer, either what was asked for or why not. A game that was read is written so that it
/// reads the same.
///
/// # Panics
///
/// If it is not so.
pub fn check(data: &[u8]) {
    let request = String::from_utf8_lossy(data);
    let answer = ask(&request);
    assert!(answer["ok"].is_null() != answer["error"].is_null(), "{answer}");
    let asked = serde_json::from_str::<Value>(&request).unwrap_or_default();
    if asked["do"] == "paste" && answer["ok"]["games"].as_u64().is_some_and(|games| games > 0) {
        let text = &answer["ok"]["pgn"];
        let read = ask(&json!({"do": "read-pgn", "text": text}).to_string());
        assert!(read["ok"]["games"].as_array().is_some_and(|games| !games.is_empty()), "{text}: {read}");
    }
    if asked["do"] != "read-pgn" || answer["ok"].is_null() {
        return;
    }
    let mut game = answer["ok"]["game"].clone();
    game["do"] = json!("write-pgn");
    let written = ask(&game.to_string());
    let Some(pgn) = written["ok"]["pgn"].as_str() else {
        // More moves than a request may have.
        assert!(written["error"].as_str().is_some_and(|error| error.contains("moves")), "{written}");
        return;
    };
    let again = ask(&json!({"do": "read-pgn", "text": pgn}).to_string());
    assert_eq!(moves(&again["ok"]["game"]), moves(&game), "{pgn}");
}

fn ask(request: &str) -> Value {
    serde_json::from_str(&rules::answer(request)).expect("an answer is JSON")
}

fn moves(game: &Value) -> Vec<&Value> {
    game["moves"].as_array().into_iter().flatten().map(|mv| &mv["uci"]).collect()
}
