//! Input that is wrong in every way: each has an error, and the server goes on.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Client, MATE};

#[test]
fn nothing_is_answered_before_the_client_has_introduced_itself() {
    let mut client = Client::silent(1);
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }));
    client.send(&json!({ "jsonrpc": "2.0", "id": 7, "result": {} }));
    for (method, params) in [("tools/list", json!({})), ("tools/call", json!({ "name": "rules", "arguments": {} }))] {
        let answer = client.request(method, params);
        assert_eq!(answer["error"]["message"], "initialize comes first", "{answer}");
    }
    assert!(client.request("ping", json!({})).get("result").is_some());
    assert!(client.request("initialize", json!({ "protocolVersion": 5 })).get("error").is_some());
    assert!(client.introduce().get("result").is_some());
    assert!(client.request("tools/list", json!({}))["result"]["tools"].is_array());
}

#[test]
fn lines_that_are_no_messages_have_an_error_each() {
    let mut client = Client::new(1);
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"{}\"}}", "x".repeat(10 << 20));
    for line in [
        &b"nonsense"[..],
        b"{",
        b"[]",
        b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
        b"null",
        b"\"text\"",
        b"-1e999",
        b"\xFF\xFE{}",
        b"{}",
        b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}",
        b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
        deep.as_bytes(),
        long.as_bytes(),
    ] {
        client.write(line);
        let answer = client.read().unwrap();
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert!(answer["error"]["code"].is_i64(), "{shown}: {answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.len() < 500), "{shown}: {answer}");
    }
    for silent in ["", "   ", "\u{FEFF}", "{\"jsonrpc\":\"2.0\",\"method\":\"no/such/notification\",\"params\":[1]}"] {
        client.write(silent.as_bytes());
    }
    assert!(client.request("ping", json!({})).get("result").is_some());
}

#[test]
fn requests_that_are_not_known_have_an_error_each() {
    let mut client = Client::new(1);
    for (method, params) in [
        ("no/such/method", json!({})),
        ("resources/list", json!({ "cursor": 5 })),
        ("resources/read", json!({ "uri": "file:///etc/passwd" })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "x" })),
        ("tools/call", json!({})),
        ("tools/call", json!(null)),
        ("tools/call", json!([1, 2])),
        ("tools/call", json!({ "name": 5 })),
        ("tools/call", json!({ "name": "no_such_tool", "arguments": {} })),
        ("tools/call", json!({ "name": "rules", "arguments": "text" })),
        ("tools/call", json!({ "name": "rules", "arguments": [MATE] })),
    ] {
        let answer = client.request(method, params.clone());
        assert!(answer["error"]["code"].is_i64(), "{method} {params}: {answer}");
    }
    assert!(client.request("ping", json!({})).get("result").is_some());
}

#[test]
fn arguments_that_are_wrong_have_an_error_that_names_them() {
    let mut client = Client::new(1);
    let start = |field: &str, value: Value| json!({ "position": "startpos", field: value });
    let with_moves = |moves: Value| json!({ "position": "startpos", "moves": moves });
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    for (tool, arguments, field) in [
        ("rules", json!({}), "position"),
        ("rules", json!({ "position": null }), "position"),
        ("rules", json!({ "position": "x".repeat(900_000) }), "position"),
        ("rules", json!({ "position": "8/8/8/8/8/8/8/8 w - - 0 1" }), "position"),
        ("rules", json!({ "position": "KKKKKKKK/8/8/8/8/8/8/kkkkkkkk w - - 0 1" }), "position"),
        ("rules", json!({ "position": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1" }), "position"),
        ("rules", start("pattern", json!(1)), "pattern"),
        ("rules", with_moves(json!(["e2e5"])), "moves"),
        ("rules", with_moves(json!(["e4", "e4"])), "moves"),
        ("rules", with_moves(json!([["e4"]])), "moves"),
        ("rules", with_moves(json!({ "0": "e4" })), "moves"),
        ("rules", with_moves(json!(["\u{0}\u{202E}"])), "moves"),
        ("rules", with_moves(json!(vec!["Nf3"; 1001])), "moves"),
        ("analyse", start("nodes", json!(0)), "nodes"),
        ("analyse", start("nodes", json!(u64::MAX)), "nodes"),
        ("analyse", start("nodes", json!("many")), "nodes"),
        ("analyse", start("depth", json!(246)), "depth"),
        ("analyse", start("time", json!(1e308)), "time"),
        ("analyse", start("time", json!(-1)), "time"),
        ("analyse", start("multipv", json!(21)), "multipv"),
        ("compare_moves", start("candidates", json!(["e4"])), "candidates"),
        ("compare_moves", start("candidates", json!(["e4", "e2e4"])), "candidates"),
        ("compare_moves", start("candidates", json!(["e4", "e5"])), "candidates"),
        (
            "compare_moves",
            start("candidates", json!(["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4"])),
            "candidates",
        ),
        ("compare_moves", json!({ "position": over, "candidates": ["Kg8", "Kh7"] }), "position"),
        ("explain_move", start("move", json!("Qh5")), "move"),
        ("explain_move", start("move", json!("")), "move"),
        ("explain_move", start("move", json!("e4".repeat(50))), "move"),
        ("review_game", json!({ "pgn": "" }), "pgn"),
        ("review_game", json!({ "pgn": "x".repeat(600_000) }), "pgn"),
        ("review_game", json!({ "pgn": "1. e4 e5", "game": 2 }), "game"),
        ("review_game", json!({ "pgn": "[FEN \"nonsense\"]\n\n1. e4 *" }), "pgn"),
        ("review_game", json!({ "pgn": "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(151) }), "pgn"),
        ("review_game", json!({ "pgn": "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(60), "nodes": 1_000_000 }), "nodes"),
        ("mate", start("mate_in", json!(0)), "mate_in"),
        ("mate", start("mate_in", json!(121)), "mate_in"),
        ("mate", json!({ "position": over, "mate_in": 1 }), "position"),
    ] {
        let error = client.refusal(tool, arguments);
        assert!(error.starts_with(&format!("{field}: ")) && error.len() <= 1000, "{tool}, {field}: {error}");
    }
    assert!(client.refusal("tablebase", start("moves", json!([]))).contains("--syzygy"));
}

#[test]
fn an_id_in_use_is_refused() {
    let mut client = Client::new(1);
    let call = json!({ "jsonrpc": "2.0", "id": "a", "method": "tools/call",
                       "params": { "name": "analyse", "arguments": { "position": "startpos", "depth": 245 } } });
    client.send(&call);
    client.send(&call);
    assert!(client.read().unwrap()["error"]["message"].as_str().unwrap().contains("this id"));
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "a" } }));
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
}

#[test]
fn thousands_of_calls_are_answered_each_once() {
    const CALLS: usize = 3000;
    let mut client = Client::new(2);
    // The pipes hold less than all of it.
    let mut input = client.input.as_ref().unwrap().try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        for index in 0..CALLS {
            let arguments = match index % 3 {
                0 => json!({ "position": "startpos", "moves": ["e4", "e5"] }),
                1 => json!({ "position": MATE, "nodes": 1 + index, "unknown": index }),
                _ => json!({ "position": format!("{index}/8/8") }),
            };
            let params = json!({ "name": "rules", "arguments": arguments });
            let line = json!({ "jsonrpc": "2.0", "id": format!("x{index}"), "method": "tools/call", "params": params });
            std::io::Write::write_all(&mut input, format!("{line}\n").as_bytes()).unwrap();
        }
    });
    let mut answers = HashMap::new();
    for _ in 0..CALLS {
        let answer = client.read().unwrap();
        let id = answer["id"].as_str().unwrap().to_owned();
        assert!(answers.insert(id, answer["result"]["isError"].as_bool().unwrap()).is_none());
    }
    writer.join().unwrap();
    assert!((0..CALLS).all(|index| answers[&format!("x{index}")] == (index % 3 != 0)));
    let (rest, ended) = client.end();
    assert!(rest.is_empty() && ended.is_ok());
}
