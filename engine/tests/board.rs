//! `vancura board` as a process: what it prints, and how it ends. Requests and conversations are tested in the crate `board`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

/// A running board, and its address.
struct Board {
    process: Child,
    host: String,
    path: String,
}

impl Board {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vancura"));
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
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(board.process.id().to_string()).status();
        assert!(sent.unwrap().success());
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
