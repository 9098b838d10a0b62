//! `vancura mcp` as programs run it: by itself, beside `analyse`, and in the hands of clients that others wrote.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tests::data;

use crate::common;

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The server, which has been introduced.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next_id: usize,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.arg("mcp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        let mut server = Self { child, input, output, next_id: 0 };
        let this = json!({ "name": "test", "version": "1" });
        server
            .request("initialize", &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": this }));
        server
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params });
        writeln!(self.input.as_mut().expect("a pipe"), "{request}").expect("the program reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(answer["id"], self.next_id, "{answer}");
        answer["result"].clone()
    }

    fn call(&mut self, call: &Value) -> Value {
        let result = self.request("tools/call", call);
        assert_eq!(result["isError"], false, "{call}: {result}");
        result
    }

    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("it ends").code()
    }
}

/// Games of Lichess, the first ones of the public test sets.
fn games(count: usize) -> Option<String> {
    let folder = data::test_data("games reviewed as `analyse` does")?;
    let text = data::read(&folder, "pgn/lichess_db_1000k.pgn.zst");
    let games = text.split_inclusive("\n\n[Event ").take(count).collect::<String>();
    Some(games.trim_end_matches("[Event ").to_owned())
}

#[test]
fn a_review_says_what_analyse_says() {
    const GAMES: usize = 50;
    let Some(text) = games(GAMES) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("games.pgn"), folder.path().join("games.json"));
    fs::write(&input, &text).expect("a file");
    let mut analyse = Command::new(PROGRAM);
    analyse.arg("analyse").arg(&input).args(["--nodes", "300", "--json"]).arg(&output);
    let run = analyse.output().expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let document: Value = serde_json::from_slice(&fs::read(&output).expect("a file")).expect("JSON");
    let expected = document["games"].as_array().expect("games");
    assert_eq!(expected.len(), GAMES);
    let mut server = Server::start(&["--threads", "2"]);
    let mut mistakes = 0;
    for (index, game) in expected.iter().enumerate() {
        let arguments = json!({ "pgn": text, "game": index + 1, "nodes": 300 });
        let result = server.call(&json!({ "name": "review_game", "arguments": arguments }));
        mistakes += compare(&result["structuredContent"], game);
    }
    assert!(mistakes > GAMES, "{mistakes}");
    assert_eq!(server.end(), Some(0));
}

/// Compares a review with a game of `analyse --json`; the number of its mistakes.
fn compare(review: &Value, game: &Value) -> usize {
    let (moves, positions) =
        (game["moves"].as_array().expect("moves"), game["positions"].as_array().expect("positions"));
    for side in ["white", "black"] {
        let tally = &game[side]["game"];
        assert_eq!(review[format!("{side}_accuracy")], tally["accuracy"]);
        assert_eq!(review[format!("{side}_lichess_accuracy")], game[side]["lichess_accuracy"]);
        for field in ["centipawn_loss", "inaccuracies", "mistakes", "blunders", "labels"] {
            assert_eq!(review[side][field], tally[field], "{field}");
        }
    }
    assert_eq!(review["moves"].as_array().map(Vec::len), Some(moves.len()));
    for (index, (found, mv)) in review["moves"].as_array().expect("moves").iter().zip(moves).enumerate() {
        for field in ["san", "loss", "accuracy", "label"] {
            assert_eq!(found[field], mv[field], "move {index}: {field}");
        }
        let after = &positions[index + 1]["analysis"];
        assert_eq!(found["after"]["points"], after["white"]);
        for kind in ["cp", "mate"] {
            assert_eq!(found["after"][kind], after["score"][kind]);
        }
    }
    let judged: Vec<_> = (0..moves.len()).filter(|&index| !moves[index]["judgement"].is_null()).collect();
    let mistakes = review["mistakes"].as_array().expect("mistakes");
    assert_eq!(mistakes.len(), judged.len());
    for (mistake, &index) in mistakes.iter().zip(&judged) {
        let (mv, best) = (&moves[index], &positions[index]["analysis"]["lines"][0]);
        assert_eq!(
            (&mistake["ply"], &mistake["judgement"], &mistake["missed_mate"]),
            (&json!(index), &mv["judgement"], &mv["missed_mate"])
        );
        let length = best["san"].as_array().expect("a line").len().min(24);
        assert_eq!(
            mistake["better"]["san"].as_array().expect("a line")[..],
            best["san"].as_array().expect("a line")[..length]
        );
        let texts = |reasons: &Value| {
            reasons.as_array().expect("reasons").iter().map(|one| one["text"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&mistake["reasons"]), texts(&mv["reasons"]));
    }
    let findings: Vec<_> =
        game["findings"].as_array().expect("findings").iter().map(|one| one["text"].clone()).collect();
    assert_eq!(review["findings"].as_array(), Some(&findings));
    judged.len()
}

/// Each call of the document has the answer that stands below it, but for numbers.
#[test]
fn the_examples_of_the_document_are_true() {
    let text = fs::read_to_string(Path::new(ROOT).join("docs/mcp.md")).expect("the document");
    let tables = data::test_data("the example with endgame tables").map(|folder| folder.join("syzygy"));
    let tables = tables.as_deref().and_then(Path::to_str);
    let arguments = tables.map_or_else(Vec::new, |tables| vec!["--syzygy", tables]);
    let mut server = Server::start(&arguments);
    let mut seen = Vec::new();
    for example in text.split("```json\n{\"name\": ").skip(1) {
        let (call, rest) = example.split_once("\n```\n").expect("the end of the call");
        let call: Value = serde_json::from_str(&format!("{{\"name\": {call}")).expect("JSON");
        let expected = rest.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next()).expect("an answer");
        seen.push(call["name"].as_str().expect("a name").to_owned());
        if call["name"] == "tablebase" && tables.is_none() {
            continue;
        }
        let found = server.call(&call)["content"][0]["text"].as_str().expect("text").to_owned();
        assert!(is_as_written(&found, expected), "{call}:\n{found}");
    }
    let tools = server.request("tools/list", &json!({}))["tools"].clone();
    let names: Vec<_> =
        tools.as_array().expect("tools").iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    assert_eq!(seen, names);
    for tool in tools.as_array().expect("tools") {
        for parameter in tool["inputSchema"]["properties"].as_object().expect("parameters").keys() {
            assert!(text.contains(&format!("`{parameter}`")), "{}: {parameter}", tool["name"]);
        }
    }
    assert_eq!(server.end(), Some(0));
}

/// Whether a text is the one of a document, in which numbers may be others and `[..]` stands for the rest of a line, or for any
/// lines if it stands alone.
fn is_as_written(found: &str, expected: &str) -> bool {
    let mut lines = found.lines().map(without_digits).peekable();
    let mut expected = expected.lines().map(without_digits).peekable();
    while let Some(wanted) = expected.next() {
        if wanted == "[..]" {
            let next = expected.peek();
            while lines.peek().is_some_and(|line| Some(line) != next) {
                lines.next();
            }
            continue;
        }
        let Some(line) = lines.next() else { return false };
        let is_equal = wanted.split_once("[..]").map_or(line == wanted, |(start, _)| line.starts_with(start));
        if !is_equal {
            return false;
        }
    }
    lines.next().is_none()
}

/// Every number as one zero.
fn without_digits(text: &str) -> String {
    let mut kept = String::new();
    for c in text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }) {
        if c != '0' || !kept.ends_with('0') {
            kept.push(c);
        }
    }
    kept
}

#[test]
fn tables_that_are_not_there_are_an_error() {
    let output = Command::new(PROGRAM).args(["mcp", "--syzygy", "/nowhere/at/all"]).output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.is_empty() && errors.contains("no endgame tables in /nowhere/at/all"), "{errors}");
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_during_a_search() {
    let mut server = Server::start(&["--threads", "1"]);
    let arguments = json!({ "position": "startpos", "depth": 245 });
    let params = json!({ "name": "analyse", "arguments": arguments, "_meta": { "progressToken": 1 } });
    let request = json!({ "jsonrpc": "2.0", "id": "endless", "method": "tools/call", "params": params });
    writeln!(server.input.as_mut().expect("a pipe"), "{request}").expect("the program reads");
    // It searches when it has told of its progress.
    let mut line = String::new();
    server.output.read_line(&mut line).expect("a line");
    assert!(line.contains("notifications/progress"), "{line}");
    assert!(common::signal("TERM", server.child.id()));
    assert_eq!(server.child.wait().expect("it ends").code(), Some(2));
}

/// The Python of `target/clients`, where `.ci/run` puts packages, or else the system's.
fn python() -> PathBuf {
    let own = Path::new(ROOT).join("target/clients/bin/python3");
    if own.exists() { own } else { PathBuf::from("python3") }
}

/// The client of the official SDK for Python checks results by the schemas of the tools.
#[test]
fn the_client_of_the_python_sdk_lists_and_calls_every_tool() {
    let has_package = Command::new(python()).args(["-c", "import mcp.client.stdio"]).output();
    if !has_package.is_ok_and(|output| output.status.success()) {
        data::announce("SKIPPED the Python SDK's client of MCP: it needs `pip install mcp`");
        return;
    }
    let script = Path::new(ROOT).join("tests/clients/mcp_client.py");
    let output = Command::new(python()).arg(script).arg(PROGRAM).output().expect("Python starts");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.trim_end().ends_with(" tools answer"), "{said}{errors}");
}

/// The official inspector, where npm has put it: `npm install --prefix target/inspector @modelcontextprotocol/inspector`.
#[test]
fn the_official_inspector_lists_and_calls_every_tool() {
    let inspector = Path::new(ROOT).join("target/inspector/node_modules/.bin/mcp-inspector");
    if !inspector.exists() {
        data::announce(
            "SKIPPED the official inspector: it needs `npm install --prefix target/inspector @modelcontextprotocol/inspector`",
        );
        return;
    }
    let inspect = |arguments: &[&str]| {
        let mut command = Command::new(&inspector);
        command.args(["--cli", PROGRAM, "mcp"]).args(arguments);
        let output = command.output().expect("the inspector starts");
        let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {said}{errors}");
        serde_json::from_str::<Value>(&said).unwrap_or_else(|error| panic!("{error}: {said}{errors}"))
    };
    let tools = inspect(&["--method", "tools/list"])["tools"].clone();
    let tools = tools.as_array().expect("tools").iter().map(|tool| tool["name"].as_str().expect("a name").to_owned());
    let mate = "position=6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let stalemate = "position=7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let calls = [
        ("analyse", &[mate, "nodes=1000"][..], "best", json!("d1d8")),
        ("compare_moves", &[mate, "candidates=[\"Rd8\",\"Rd7\"]", "nodes=1000"], "best", json!("Rd8#")),
        ("explain_move", &[mate, "move=Rd7", "nodes=1000"], "best", json!(false)),
        ("review_game", &["pgn=1. f3 e5 2. g4 Qh4# 0-1", "nodes=1000"], "plies", json!(4)),
        ("mate", &[mate, "mate_in=1"], "answer", json!("yes")),
        ("tablebase", &[stalemate], "result", json!("draw")),
        ("rules", &[stalemate], "end", json!("stalemate")),
    ];
    assert_eq!(tools.collect::<Vec<_>>(), calls.each_ref().map(|(name, ..)| *name));
    for (name, arguments, field, expected) in calls {
        let mut words = vec!["--method", "tools/call", "--tool-name", name];
        words.extend(arguments.iter().flat_map(|argument| ["--tool-arg", argument]));
        assert_eq!(inspect(&words)["structuredContent"][field], expected, "{name}");
    }
}
