//! `vancura board` as a process: what it prints, and how it ends. Requests and conversations are tested in the crate `board`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

use crate::common;

/// A running board, and its address.
struct Board {
    process: Child,
    host: String,
    path: String,
}

impl Board {
    fn start(arguments: &[&str]) -> Self {
        Self::start_with(Command::new(env!("CARGO_BIN_EXE_vancura")), arguments)
    }

    fn start_with(mut command: Command, arguments: &[&str]) -> Self {
        command.arg("board").arg("--no-open").args(arguments);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut url = String::new();
        BufReader::new(process.stdout.as_mut().expect("stdout is a pipe"))
            .read_line(&mut url)
            .expect("the program prints text");
        let (host, path) =
            url.trim().strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
        assert!(host.starts_with("127.0.0.1:"), "{url}");
        Self { process, host: host.to_owned(), path: format!("/{path}") }
    }

    fn send(&self, rest: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("the program listens");
        write!(stream, "GET {}{rest}", self.path).expect("the program reads");
        stream
    }

    /// Opens a WebSocket, and returns it when it is answered.
    fn socket(&self) -> TcpStream {
        let host = &self.host;
        let mut stream = self.send(&format!(
            "socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ));
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("the program answers");
        assert_eq!(&answer, b"HTTP/1.1 101");
        stream
    }

    /// What is answered to a request with a body; nothing if the program ends meanwhile.
    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let mut answer = Vec::new();
        if let Ok(mut stream) = TcpStream::connect(&self.host) {
            let (own, host, length) = (&self.path, &self.host, body.len());
            let head = format!("{method} {own}{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n");
            let _ = stream.write_all((head + body).as_bytes());
            let _ = stream.read_to_end(&mut answer);
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Saves a game. Returns its revision, if it was saved.
    fn put(&self, id: &str, revision: u64, text: &str) -> Option<u64> {
        let body = format!("{{\"revision\": {revision}, \"pgn\": {text:?}}}");
        let answer = self.ask("PUT", &format!("games/{id}"), &body);
        answer.split_once("\"revision\":")?.1.split([',', '}']).next()?.parse().ok()
    }

    fn end(self) -> Output {
        self.process.wait_with_output().expect("the program ends")
    }
}

#[test]
fn the_page_comes_from_the_program_which_ends_after_it() {
    let board = Board::start(&["--linger", "0.2"]);
    let mut page = String::new();
    board.send(&format!(" HTTP/1.1\r\nHost: {}\r\n\r\n", board.host)).read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<title>Vancura</title>"), "{page}");
    drop(board.socket());
    assert!(board.end().status.success());
}

/// Other users can read the arguments of a browser for as long as it runs.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_not_told_the_address_by_its_arguments() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let browser = folder.path().join("xdg-open");
    std::fs::write(&browser, "#!/bin/sh\necho \"$@\" > \"$HOME/new\"; mv \"$HOME/new\" \"$HOME/told\"\n")
        .expect("a file");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_vancura"));
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    command.args(["board", "--linger", "0.2"]).env("PATH", path).env("HOME", folder.path());
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut url = String::new();
    BufReader::new(process.stdout.as_mut().expect("a pipe")).read_line(&mut url).expect("text");
    let url = url.trim();
    let (host, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
    let board = Board { process, host: host.to_owned(), path: format!("/{path}") };
    let told = folder.path().join("told");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !told.exists() {
        assert!(std::time::Instant::now() < deadline, "no browser was opened");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let told = std::fs::read_to_string(told).expect("text");
    assert!(!told.contains(path) && !told.contains("http"), "{told}");
    let file = std::path::Path::new(told.trim());
    assert_eq!(std::fs::metadata(file).expect("a file").permissions().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(file).expect("text").contains(url));
    drop(board.socket());
    assert!(board.end().status.success());
    assert!(!file.exists());
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_asked_to() {
    for signal in ["INT", "TERM"] {
        let board = Board::start(&[]);
        let _page = board.socket();
        assert!(common::signal(signal, board.process.id()));
        let output = board.end();
        assert!(output.status.success(), "{signal}: {output:?}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error_in_words() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let output =
        Command::new(env!("CARGO_BIN_EXE_vancura")).args(["board", "--no-open", "--port", &port]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains(&format!("cannot listen on port {port}: ")) && output.stdout.is_empty(), "{message}");
}

/// A game of this many comments, which ends in a word that shows that it is whole.
fn long_game(number: usize, comments: usize) -> String {
    let comments = (0..comments).map(|index| format!("{{ comment {index} of game {number} }} ")).collect::<String>();
    format!("[White \"{number}\"]\n\n1. e4 {comments} {{ whole }} *\n")
}

#[test]
fn a_program_that_is_killed_while_it_saves_leaves_whole_games() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut saved = 0;
    for round in 0..12 {
        let mut board = Board::start(&["--data", data]);
        std::thread::scope(|scope| {
            let board = &board;
            let saving = scope.spawn(move || {
                let (mut revision, mut count) = (0, 0);
                for number in 0.. {
                    let Some(next) = board.put(&format!("game{round}"), revision, &long_game(number, 10_000)) else {
                        return count;
                    };
                    (revision, count) = (next, count + 1);
                }
                count
            });
            std::thread::sleep(std::time::Duration::from_millis(50 + 13 * round));
            // The standard library kills only what is borrowed alone.
            assert!(common::kill(board.process.id()));
            saved += saving.join().unwrap();
        });
        let _ = board.process.wait();
    }
    assert!(saved > 12, "{saved} games were saved");
    let mut count = 0;
    for entry in std::fs::read_dir(folder.path().join("games")).unwrap() {
        let path = entry.unwrap().path();
        let is_game = path.extension().is_some_and(|ending| ending == "pgn");
        if !is_game {
            // What was written aside: on Linux it has a name only for the moment in which it replaces a game, and is whole.
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(name.starts_with(".vancura-") && name.ends_with(".new"), "{} is left", path.display());
            if !cfg!(target_os = "linux") {
                continue;
            }
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("[White") && text.ends_with("{ whole } *\n"), "{}", path.display());
        count += usize::from(is_game);
    }
    let mut board = Board::start(&["--data", data]);
    let list = board.ask("GET", "games", "");
    assert!(list.contains(&format!("\"total\":{count}}}")) && !list.contains("problem"), "{list}");
    board.process.kill().unwrap();
    board.end();
}

/// A limit on the size of files is what a full disk is to a program.
#[cfg(unix)]
#[test]
fn what_finds_no_room_is_told_and_nothing_else_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 64; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_vancura")]);
    let mut board = Board::start_with(shell, &["--data", data]);
    let small = long_game(1, 10);
    let revision = board.put("a", 0, &small).unwrap();
    let body = format!("{{\"revision\": {revision}, \"pgn\": {:?}}}", long_game(2, 10_000));
    for id in ["a", "new"] {
        let answer = board.ask("PUT", &format!("games/{id}"), &body);
        assert!(answer.starts_with("HTTP/1.1 507") && answer.contains("could not be saved"), "{answer}");
    }
    let packed = long_game(3, 20_000);
    let answer = board.ask("POST", "files?name=big.pgn", &packed);
    assert!(answer.starts_with("HTTP/1.1 507") && answer.contains("error"), "{answer}");
    assert_eq!(std::fs::read_to_string(folder.path().join("games/a.pgn")).unwrap(), small);
    assert!(board.put("b", 0, &small).is_some() && board.ask("GET", "games", "").contains("\"total\":2}"));
    board.process.kill().unwrap();
    board.end();
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_told_and_the_page_is_served() {
    let mut board = Board::start(&["--data", "/dev/null/games"]);
    let answer = board.ask("PUT", "games/a", r#"{"revision": 0, "pgn": "1. e4 *"}"#);
    assert!(answer.contains("could not be saved") && answer.contains("/dev/null/games"), "{answer}");
    assert!(board.ask("GET", "", "").starts_with("HTTP/1.1 200"));
    assert!(board.ask("POST", "paste", "1. e4 *").contains("\"pgn\""));
    board.process.kill().unwrap();
    board.end();
}

#[test]
fn games_are_read_from_the_standard_input() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vancura"));
    let command = command.args(["board", "--no-open", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    process.stdin.take().unwrap().write_all("[Event \"x\"]\n\n1. e4 *\n\n".repeat(7).as_bytes()).unwrap();
    let mut url = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
    let (host, path) = url.trim().strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
    let mut board = Board { process, host: host.to_owned(), path: format!("/{path}") };
    let progress = loop {
        let progress = board.ask("GET", "files/1", "");
        if progress.contains("\"done\":true") {
            break progress;
        }
    };
    assert!(progress.contains("\"games\":7,") && progress.contains("standard input"), "{progress}");
    let missing =
        Command::new(env!("CARGO_BIN_EXE_vancura")).args(["board", "--no-open", "no such file"]).output().unwrap();
    let told = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(missing.status.code() == Some(2) && told.contains("no such file"), "{told}");
    board.process.kill().unwrap();
    board.end();
}
