use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Instant;

use tungstenite::handshake::client::generate_key;
use tungstenite::{Message, WebSocket};

use super::*;

/// A server, and its address taken apart.
struct Board {
    port: u16,
    token: String,
    changes: Receiver<Change>,
    data: tempfile::TempDir,
    server: Arc<Server>,
}

impl Board {
    fn start() -> Self {
        Self::with(&[])
    }

    /// A server with these arguments, and a folder of its own.
    fn with(arguments: &[&str]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut arguments = self::arguments(arguments);
        arguments.data.get_or_insert_with(|| data.path().to_owned());
        let (pages, changes) = bounded(MAX_CONNECTIONS);
        let (url, server) = start(&arguments, pages).unwrap();
        let rest = url.strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        assert_eq!(token.len(), 32, "{url}");
        Self { port: port.parse().unwrap(), token: token.to_owned(), changes, data, server }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap()
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// What is answered to these bytes.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The answer may come before all is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// What is answered to a request with these lines after the first.
    fn get(&self, path: &str, headers: &str) -> String {
        self.send(format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes())
    }

    fn page(&self, name: &str) -> String {
        self.get(&format!("/{}/{name}", self.token), &format!("Host: {}\r\n", self.host()))
    }

    fn socket_request(&self, token: &str, origin: &str) -> String {
        format!(
            "GET /{token}/socket HTTP/1.1\r\nHost: {}\r\n{origin}Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n\r\n",
            self.host(),
            generate_key()
        )
    }

    fn socket(&self) -> WebSocket<TcpStream> {
        self.socket_of("")
    }

    /// A WebSocket to the engine that the query names.
    fn socket_of(&self, query: &str) -> WebSocket<TcpStream> {
        let url = format!("ws://{}/{}/socket{query}", self.host(), self.token);
        let request = tungstenite::http::Request::builder()
            .uri(url)
            .header("Host", self.host())
            .header("Origin", format!("http://{}", self.host()))
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key())
            .body(())
            .unwrap();
        tungstenite::client(request, self.connect()).unwrap().0
    }
}

fn arguments(words: &[&str]) -> BoardArguments {
    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        arguments: BoardArguments,
    }
    let words = ["board"].into_iter().chain(words.iter().copied());
    <Program as clap::Parser>::parse_from(words).arguments
}

fn status(answer: &str) -> &str {
    answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).unwrap_or(answer)
}

/// The next message that begins so.
fn hear(socket: &mut WebSocket<TcpStream>, beginning: &str) -> String {
    loop {
        match socket.read().unwrap() {
            Message::Text(text) if text.starts_with(beginning) => return text.to_string(),
            _ => {}
        }
    }
}

fn say(socket: &mut WebSocket<TcpStream>, text: &str) {
    socket.send(Message::text(text)).unwrap();
}

mod data;
#[cfg(unix)]
mod engines;
mod explorer;

#[test]
fn the_page_is_served_to_those_who_know_the_address() {
    let board = Board::start();
    let page = board.page("");
    assert!(page.contains("200 OK") && page.contains("<title>Vancura</title>"), "{page}");
    for line in ["Content-Security-Policy: default-src 'self'", "Referrer-Policy: no-referrer", "nosniff"] {
        assert!(page.contains(line), "{line}: {page}");
    }
    assert!(board.page("engine/endpoint.js").ends_with("export { connect } from \"./socket.js\";\n"));
    assert!(board.page("style.css?x=1").contains("text/css"));
    let head = format!("HEAD /{}/ HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", board.token, board.port);
    let head = board.send(head.as_bytes());
    assert!(status(&head) == "200" && head.ends_with("\r\n\r\n") && !head.contains("Content-Length: 0"), "{head}");
}

#[test]
fn every_file_of_the_page_is_served() {
    let board = Board::start();
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../page");
    let mut count = 0;
    for folder in ["", "engine", "model", "pieces", "rules", "vendor", "views"] {
        for entry in std::fs::read_dir(page.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let is_apart =
                ["service-worker.js", "wasm.js", "vancura.js", "worker.js", "LICENSE", "README.md", "tsconfig.json"];
            let is_apart = is_apart.contains(&&name[..]) || ["Cargo.toml", "build.rs"].contains(&&name[..]);
            if is_apart || name.ends_with(".d.ts") || !name.contains('.') {
                continue;
            }
            let path = format!("{folder}/{name}");
            assert_eq!(status(&board.page(path.trim_start_matches('/'))), "200", "{path}");
            count += 1;
        }
    }
    for name in ["report/viewer.js", "service-worker.js", "engine/wasm.js", "vendor/README.md"] {
        assert_eq!(status(&board.page(name)), "404", "{name}");
    }
    assert!(count > 25, "only {count} files were found");
}

#[test]
fn requests_without_the_token_are_refused() {
    let board = Board::start();
    let host = format!("Host: {}\r\n", board.host());
    let wrong = "0".repeat(32);
    let longer = format!("/{}0/", board.token);
    let upper = format!("/{}/", board.token.to_uppercase());
    let paths = ["/", "", "/index.html", "//", "/socket", &format!("/{wrong}/"), &longer, &format!("/{wrong}/socket")];
    for path in paths {
        assert!(["403", "400"].contains(&status(&board.get(path, &host))), "{path}");
    }
    if board.token.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        assert_eq!(status(&board.get(&upper, &host)), "403");
    }
    assert_ne!(board.token, Board::start().token);
}

#[test]
fn foreign_hosts_and_pages_are_refused() {
    let board = Board::start();
    let path = format!("/{}/", board.token);
    let own = board.host();
    for headers in [
        String::new(),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{}\r\n", board.port),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: {own}.evil.example\r\n"),
        format!("Host: {own}\r\nOrigin: http://evil.example\r\n"),
        format!("Host: {own}\r\nOrigin: null\r\n"),
        format!("Host: {own}\r\nOrigin: https://{own}\r\n"),
        format!("Host: {own}\r\nOrigin: http://{own}\r\nOrigin: http://evil.example\r\n"),
    ] {
        assert_eq!(status(&board.get(&path, &headers)), "403", "{headers}");
    }
    assert_eq!(status(&board.get(&path, &format!("Host: {own}\r\nHost: evil.example\r\n"))), "400");
    for origin in ["", "Origin: http://evil.example\r\n", "Origin: null\r\n"] {
        assert_eq!(status(&board.send(board.socket_request(&board.token, origin).as_bytes())), "403", "{origin}");
    }
    let origin = format!("Origin: http://{own}\r\n");
    assert_eq!(status(&board.send(board.socket_request(&"0".repeat(32), &origin).as_bytes())), "403");
    assert_eq!(status(&board.get(&format!("{path}socket"), &format!("Host: {own}\r\n{origin}"))), "426");
}

#[test]
fn other_addresses_of_this_computer_are_not_listened_on() {
    let board = Board::start();
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, board.port)).is_ok());
    let patience = Duration::from_secs(5);
    let connect = |address: std::net::IpAddr| TcpStream::connect_timeout(&(address, board.port).into(), patience);
    assert!(connect(Ipv4Addr::new(127, 0, 0, 2).into()).is_err());
    // A packet to nowhere says which of its addresses the computer would send from; nothing is sent.
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    let outer = socket.connect("192.0.2.1:9").and_then(|()| socket.local_addr());
    match outer {
        Ok(address) if !address.ip().is_loopback() => {
            assert!(connect(address.ip()).is_err());
        }
        _ => eprintln!("SKIPPED other addresses: this computer has none"),
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let board = Board::start();
    for name in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "pieces/../index.html",
        "/etc/passwd",
        "./index.html",
        "index.html/",
        "pieces",
        "pieces/",
        "%2e%2e/%2e%2e/etc/passwd",
        "..\\Cargo.toml",
        "index.html%00",
        "service-worker.js",
    ] {
        let answer = board.page(name);
        assert!(["404", "400"].contains(&status(&answer)) && !answer.contains("[package]"), "{name}: {answer}");
    }
}

#[test]
fn bad_requests_are_answered_and_do_no_harm() {
    let board = Board::start();
    let host = format!("Host: {}\r\n", board.host());
    let path = format!("/{}/", board.token);
    let many = (0..100).map(|index| format!("X-{index}: 1\r\n")).collect::<String>();
    let long = format!("X: {}\r\n", "a".repeat(20 << 10));
    assert_eq!(status(&board.get(&path, &format!("{host}{many}"))), "431");
    assert_eq!(status(&board.get(&path, &format!("{host}{long}"))), "431");
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "get"] {
        let answer = board.send(format!("{method} {path} HTTP/1.1\r\n{host}Content-Length: 3\r\n\r\nabc").as_bytes());
        assert!(status(&answer) == "405" && answer.contains("Allow: GET, HEAD"), "{method}: {answer}");
    }
    for bytes in
        [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n\0\r\n\r\n"]
    {
        assert_eq!(status(&board.send(bytes)), "400", "{bytes:?}");
    }
    // Who says nothing, half of something or leaves keeps nobody else waiting.
    let mut silent: Vec<_> = (0..MAX_CONNECTIONS / 2).map(|_| board.connect()).collect();
    silent.iter_mut().for_each(|stream| stream.write_all(b"GET /").unwrap());
    drop(board.connect());
    assert_eq!(status(&board.page("")), "200");
    // One who says nothing at all is told so in the end.
    let began = Instant::now();
    let mut answer = String::new();
    silent[0].read_to_string(&mut answer).unwrap();
    assert_eq!(status(&answer), "408", "after {:?}", began.elapsed());
}

#[test]
fn a_page_talks_with_the_engine_and_the_rules() {
    let board = Board::start();
    let mut socket = board.socket();
    assert!(matches!(board.changes.recv().unwrap(), Change::Came));
    say(&mut socket, "uci");
    hear(&mut socket, "id name Vancura");
    hear(&mut socket, "uciok");
    say(&mut socket, "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    say(&mut socket, "go depth 6");
    assert!(hear(&mut socket, "bestmove").starts_with("bestmove d1d8"));
    say(&mut socket, "go infinite");
    hear(&mut socket, "info depth");
    // While it searches, the rules are answered and pings are heard.
    say(&mut socket, r#"{"id": 4, "do": "read", "text": "e4"}"#);
    assert_eq!(hear(&mut socket, "{"), r#"{"id":4,"ok":{"uci":"e2e4"}}"#);
    socket.send(Message::Ping(b"x".to_vec().into())).unwrap();
    while !matches!(socket.read().unwrap(), Message::Pong(_)) {}
    say(&mut socket, "stop");
    hear(&mut socket, "bestmove");
    say(&mut socket, "setoption name Debug Log File value /nowhere/log");
    assert!(hear(&mut socket, "info string error").contains("may not say this"));
    say(&mut socket, "go infinite");
    socket.close(None).unwrap();
    while socket.read().is_ok() {}
    assert!(matches!(board.changes.recv().unwrap(), Change::Went));
}

#[test]
fn a_page_that_vanishes_or_talks_nonsense_ends_its_conversation_alone() {
    let board = Board::start();
    let mut other = board.socket();
    assert!(matches!(board.changes.recv().unwrap(), Change::Came));
    let mut socket = board.socket();
    assert!(matches!(board.changes.recv().unwrap(), Change::Came));
    say(&mut socket, "go infinite");
    drop(socket);
    assert!(matches!(board.changes.recv().unwrap(), Change::Went));
    let mut stream = board.connect();
    let origin = format!("Origin: http://{}\r\n", board.host());
    stream.write_all(board.socket_request(&board.token, &origin).as_bytes()).unwrap();
    assert!(matches!(board.changes.recv().unwrap(), Change::Came));
    // A frame with reserved bits, not masked, of a length that nobody has.
    stream.write_all(&[0xff; 64]).unwrap();
    assert!(matches!(board.changes.recv().unwrap(), Change::Went));
    assert_eq!(close_code(&mut stream), Some(1002));
    say(&mut other, "isready");
    hear(&mut other, "readyok");
}

/// The code of the last frame that comes, if it is one that closes.
fn close_code(stream: &mut TcpStream) -> Option<u16> {
    let mut bytes = Vec::new();
    // What was sent after the last word resets the connection.
    let _ = stream.read_to_end(&mut bytes);
    let [.., 0x88, 2, high, low] = bytes[..] else { return None };
    Some(u16::from_be_bytes([high, low]))
}

#[test]
fn a_page_is_told_why_its_conversation_ends() {
    let board = Board::start();
    let origin = format!("Origin: http://{}\r\n", board.host());
    // Frames of a client, masked with zeros: text that is no UTF-8, one that is too long, and one of no known kind.
    let long = [&[0x81, 0xff][..], &(65_u64 << 20).to_be_bytes(), &[0; 4]].concat();
    for (frame, code) in
        [(&[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xff][..], 1007), (&long, 1009), (&[0x83, 0x80, 0, 0, 0, 0], 1002)]
    {
        let mut stream = board.connect();
        stream.write_all(board.socket_request(&board.token, &origin).as_bytes()).unwrap();
        stream.write_all(frame).unwrap();
        assert_eq!(close_code(&mut stream), Some(code));
    }
}

#[test]
fn who_says_nothing_makes_room_for_others() {
    let board = Board::start();
    let mut page = board.socket();
    let mut silent: Vec<_> = (0..2 * MAX_CONNECTIONS).map(|_| board.connect()).collect();
    assert_eq!(status(&board.page("")), "200");
    let mut other = board.socket();
    // The first to come is the first to go, with nothing said.
    assert_eq!(silent[0].read(&mut [0; 64]).unwrap_or_default(), 0);
    for socket in [&mut page, &mut other] {
        say(socket, "isready");
        hear(socket, "readyok");
    }
}

#[test]
fn the_program_waits_for_the_first_page_and_not_long_after_the_last() {
    let linger = Duration::from_millis(50);
    let (sender, changes) = bounded(8);
    // A page that is loaded anew goes and comes.
    for change in [Change::Came, Change::Went, Change::Came] {
        sender.send(change).unwrap();
    }
    let waiting = thread::spawn(move || wait(&changes, linger, None, || false));
    thread::sleep(4 * linger);
    assert!(!waiting.is_finished());
    sender.send(Change::Went).unwrap();
    waiting.join().unwrap();
    let (sender, changes) = bounded(8);
    let waiting = thread::spawn(move || wait(&changes, linger, None, || false));
    thread::sleep(4 * linger);
    assert!(!waiting.is_finished());
    sender.send(Change::Interrupted).unwrap();
    waiting.join().unwrap();
}
