//! `vancura serve` as programs run it.

use std::env;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common;

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

fn serve(arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let mut command = Command::new(PROGRAM);
    command.arg("serve").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the program reads");
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_queue_is_finished_when_the_input_has_ended() {
    let query = |id: usize| format!("{{\"id\": {id}, \"position\": \"startpos\", \"nodes\": 20000}}\n");
    let (output, errors, status) = serve(&["--threads", "2", "--hash", "8"], &(0..12).map(query).collect::<String>());
    assert_eq!((errors.as_str(), status), ("", Some(0)));
    let mut ids: Vec<_> = output
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["id"].as_u64().expect("a number"))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..12).collect::<Vec<_>>());
    assert_eq!(serve(&[], ""), (String::new(), String::new(), Some(0)));
}

#[test]
fn tables_that_are_not_there_are_an_error() {
    let (output, errors, status) = serve(&["--syzygy", "/nowhere/at/all"], "");
    assert!(output.is_empty() && errors.contains("no endgame tables in /nowhere/at/all"), "{errors}");
    assert_eq!(status, Some(2));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_at_once_and_says_so() {
    let mut command = Command::new(PROGRAM);
    command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(b"{\"id\": 1, \"position\": \"startpos\", \"depth\": 200, \"report_every\": 0.01}\n")
        .expect("a reader");
    // It searches when it has told something.
    let mut told = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    std::io::BufRead::read_line(&mut told, &mut String::new()).expect("a line");
    assert!(common::signal("INT", child.id()));
    std::io::Read::read_to_end(&mut told, &mut Vec::new()).expect("the rest");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
    drop(input);
}

/// The client of the document, as it is written.
#[test]
fn the_client_of_the_document_runs() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/serve.md")).expect("the document");
    let script = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a client");
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let mut path = vec![folder.to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let path = env::join_paths(path).expect("a path");
    let Ok(output) = Command::new("python3").args(["-c", script]).env("PATH", path).output() else {
        eprintln!("SKIPPED the client of docs/serve.md: there is no python3");
        return;
    };
    let found = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(found.contains("3R2K1 w - - 0 1 d1d8 None 1\n") && found.contains("startpos "), "{found}");
}
