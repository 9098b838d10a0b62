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
