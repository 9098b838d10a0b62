//! Sessions from beginning to end, in memory.

mod hostile;
mod tools;

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use serve::Worker;
use tokio::sync::watch;

use crate::McpError;

/// A client, and the server on the other side.
struct Client {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    server: Option<JoinHandle<Result<(), McpError>>>,
    interrupt: watch::Sender<bool>,
    next_id: i64,
}

impl Client {
    /// One that has not said anything.
    fn silent(workers: usize) -> Self {
        let ((from_client, input), (output, to_client)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let (interrupt, interrupted) = watch::channel(false);
        let workers = (0..workers).map(|_| Worker::new(1, None)).collect();
        let server =
            thread::spawn(move || crate::serve(workers, move || BufReader::new(from_client), to_client, interrupted));
        Self { input: Some(input), output: BufReader::new(output), server: Some(server), interrupt, next_id: 0 }
    }

    /// One that has introduced itself.
    fn new(workers: usize) -> Self {
        let mut client = Self::silent(workers);
        assert_eq!(client.introduce()["result"]["serverInfo"]["name"], "vancura");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn introduce(&mut self) -> Value {
        let this = json!({ "name": "test", "version": "1" });
        self.request("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": this }))
    }

    fn write(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).and_then(|()| input.write_all(b"\n")).unwrap();
    }

    fn send(&mut self, message: &Value) {
        self.write(message.to_string().as_bytes());
    }

    /// Sends a request without waiting; its id.
    fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    fn ask_tool(&mut self, name: &str, arguments: &Value) -> i64 {
        self.ask("tools/call", json!({ "name": name, "arguments": arguments }))
    }

    /// The next message; `None` at the end.
    fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = self.output.read_line(&mut line).unwrap();
        (length > 0).then(|| serde_json::from_str(&line).unwrap())
    }

    /// Sends a request and waits for what comes next.
    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.read().unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The structured result of a call.
    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let id = self.ask_tool(name, &arguments);
        let answer = self.read().unwrap();
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)), "{answer}");
        assert!(answer["result"]["content"][0]["text"].as_str().is_some_and(|text| !text.is_empty()));
        answer["result"]["structuredContent"].clone()
    }

    /// Why a call is refused.
    fn refusal(&mut self, name: &str, arguments: Value) -> String {
        let answer = self.request("tools/call", json!({ "name": name, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Ends the input: all that is still answered, and how the server ended.
    fn end(mut self) -> (Vec<Value>, Result<(), McpError>) {
        drop(self.input.take());
        let rest = std::iter::from_fn(|| self.read()).collect();
        (rest, self.server.take().unwrap().join().unwrap())
    }
}

const ENDLESS: fn() -> Value = || json!({ "position": "startpos", "depth": 245 });
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

#[test]
fn the_server_says_who_it_is_and_what_it_can() {
    let mut client = Client::new(1);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["analyse", "compare_moves", "explain_move", "review_game", "mate", "tablebase", "rules"]);
    for tool in &tools {
        let (input, output) = (&tool["inputSchema"], &tool["outputSchema"]);
        assert_eq!((&input["type"], &output["type"]), (&json!("object"), &json!("object")), "{tool}");
        assert_eq!(input["additionalProperties"], false);
        assert!(tool["description"].as_str().unwrap().len() > 50 && tool["annotations"]["readOnlyHint"] == true);
        let properties = output["properties"].as_object().unwrap();
        assert!(!output.to_string().contains("\"format\""), "{output}");
        assert!(properties.len() > 4 && output["required"].as_array().unwrap().len() == properties.len(), "{output}");
    }
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    let (rest, ended) = client.end();
    assert!(rest.is_empty() && ended.is_ok());
}

#[test]
fn versions_of_the_protocol_are_agreed_on() {
    for (asked, agreed) in [("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("2099-01-01", "2025-11-25")] {
        let mut client = Client::silent(1);
        let this = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": this });
        assert_eq!(client.request("initialize", params)["result"]["protocolVersion"], agreed);
        assert!(client.request("tools/list", json!({}))["result"]["tools"].is_array());
    }
}

#[test]
fn calls_at_the_same_time_have_the_answers_that_each_has_alone() {
    let arguments =
        |index: usize| json!({ "position": "startpos", "moves": [(["e4", "d4", "c4"][index % 3])], "nodes": 5000 });
    let strip = |mut result: Value| {
        result.as_object_mut().unwrap().remove("time_ms");
        result
    };
    let mut alone = Client::new(1);
    let expected: Vec<_> = (0..3).map(|index| strip(alone.call("analyse", arguments(index)))).collect();
    let mut client = Client::new(2);
    let ids: Vec<_> = (0..12).map(|index| client.ask_tool("analyse", &arguments(index))).collect();
    let mut seen = Vec::new();
    for _ in &ids {
        let answer = client.read().unwrap();
        let index = ids.iter().position(|&id| answer["id"] == id).unwrap();
        assert_eq!(strip(answer["result"]["structuredContent"].clone()), expected[index % 3]);
        seen.push(index);
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..12).collect::<Vec<_>>());
}

#[test]
fn a_cancelled_call_ends_and_has_no_answer() {
    let mut client = Client::new(1);
    let cancelled = [client.ask_tool("analyse", &ENDLESS()), client.ask_tool("analyse", &ENDLESS())];
    for id in cancelled {
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
    }
    // The only worker is free again, long before the limit of time.
    assert_eq!(client.call("analyse", json!({ "position": MATE, "nodes": 100 }))["best"], "d1d8");
    let (rest, ended) = client.end();
    assert!(rest.is_empty() && ended.is_ok(), "{rest:?}");
}

#[test]
fn progress_is_told_to_who_asks_for_it() {
    let mut client = Client::new(1);
    let arguments = json!({ "pgn": "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7", "nodes": 500 });
    let meta = json!({ "progressToken": "p" });
    let id = client.ask("tools/call", json!({ "name": "review_game", "arguments": arguments, "_meta": meta }));
    let first = client.read().unwrap();
    assert_eq!((&first["method"], &first["params"]["progressToken"]), (&json!("notifications/progress"), &json!("p")));
    assert_eq!((first["params"]["progress"].as_f64(), first["params"]["total"].as_f64()), (Some(8.0), Some(11.0)));
    let last = std::iter::from_fn(|| client.read()).find(|message| message.get("id").is_some()).unwrap();
    assert_eq!((&last["id"], &last["result"]["structuredContent"]["plies"]), (&json!(id), &json!(10)));
}

#[test]
fn what_tells_no_progress_tells_that_it_goes_on() {
    let mut client = Client::new(1);
    let arguments = json!({ "position": "startpos", "mate_in": 60, "nodes": 50_000_000 });
    let meta = json!({ "progressToken": 7 });
    client.ask("tools/call", json!({ "name": "mate", "arguments": arguments, "_meta": meta }));
    let told = [client.read().unwrap(), client.read().unwrap()];
    let seconds = told.map(|message| {
        assert_eq!(
            (&message["method"], &message["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!(7))
        );
        message["params"]["progress"].as_f64().unwrap()
    });
    assert!(seconds[0] < seconds[1], "{seconds:?}");
}

#[test]
fn the_end_of_the_input_ends_what_still_goes_on() {
    let mut client = Client::new(1);
    let short = client.ask_tool("rules", &json!({ "position": "startpos" }));
    let long = [client.ask_tool("analyse", &ENDLESS()), client.ask_tool("analyse", &ENDLESS())];
    let (rest, ended) = client.end();
    assert!(ended.is_ok(), "{ended:?}");
    assert!(rest.iter().any(|answer| answer["id"] == short && answer["result"]["isError"] == false), "{rest:?}");
    for id in long {
        assert!(rest.iter().any(|answer| answer["id"] == id && answer.get("error").is_some()), "{rest:?}");
    }
}

#[test]
fn an_interrupted_server_says_so() {
    let mut client = Client::new(1);
    client.ask_tool("analyse", &ENDLESS());
    client.interrupt.send(true).unwrap();
    let ended = client.server.take().unwrap().join().unwrap();
    assert!(matches!(ended, Err(McpError::Interrupted)), "{ended:?}");
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let mut client = Client::new(1);
    drop(std::mem::replace(&mut client.output, BufReader::new(io::pipe().unwrap().0)));
    client.ask("ping", json!({}));
    let ended = client.server.take().unwrap().join().unwrap();
    assert!(matches!(&ended, Err(McpError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe), "{ended:?}");
}
