//! Clients of HTTP, good and bad.

use std::io::Read;
use std::net::Shutdown;
use std::thread::JoinHandle;

use search::STACK_SIZE;
use serde_json::{Value, json};

use super::*;
use crate::worker::Worker;

struct Running {
    address: SocketAddr,
    queue: Arc<PositionQueue>,
    worker: Option<JoinHandle<()>>,
}

impl Running {
    fn new(token: Option<&str>) -> Self {
        Self::with_timeout(token, Duration::from_secs(60))
    }

    fn with_timeout(token: Option<&str>, timeout: Duration) -> Self {
        let queue = Arc::new(PositionQueue::default());
        let server = Server::open("127.0.0.1:0", token.map(str::to_owned), timeout, Arc::clone(&queue)).unwrap();
        let address = server.address().unwrap();
        thread::spawn(|| server.run());
        let working = Arc::clone(&queue);
        let work = move || Worker::new(1, None).work(&working);
        let worker = thread::Builder::new().stack_size(STACK_SIZE).spawn(work).unwrap();
        Self { address, queue, worker: Some(worker) }
    }

    fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8(answer).unwrap()
    }

    fn host(&self) -> String {
        format!("Host: {}\r\n", self.address)
    }

    fn post(&self, headers: &str, body: &str) -> String {
        let host = self.host();
        self.send(&format!("POST /analyse HTTP/1.1\r\n{host}{headers}Content-Length: {}\r\n\r\n{body}", body.len()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.queue.abort();
        self.worker.take().unwrap().join().unwrap();
    }
}

/// The lines in the chunks of an answer.
fn lines(answer: &str) -> Vec<Value> {
    let (head, mut rest) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK") && head.contains("chunked"), "{head}");
    let mut text = String::new();
    loop {
        let (length, more) = rest.split_once("\r\n").unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            assert_eq!(more, "\r\n");
            break;
        }
        text += &more[..length];
        rest = more[length..].strip_prefix("\r\n").unwrap();
    }
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn query(id: usize, nodes: usize) -> String {
    format!("{}\n", json!({ "id": id, "position": "startpos", "nodes": nodes }))
}

#[test]
fn queries_are_posted_and_answers_come_as_lines() {
    let server = Running::new(None);
    let body = [query(1, 500), query(2, 500), "nonsense\n".to_owned()].concat();
    let answers = lines(&server.post("", &body));
    assert_eq!(answers.len(), 3);
    assert_eq!(answers.iter().filter(|answer| answer["error"].is_string()).count(), 1);
    // Ids are each client's own.
    assert_eq!(lines(&server.post("", &query(1, 500)))[0]["id"], 1);
    let metrics = server.send(&format!("GET /metrics HTTP/1.1\r\n{}\r\n", server.host()));
    assert!(metrics.contains("\nvancura_positions_answered_total 3\n"), "{metrics}");
    assert!(server.send("GET /health HTTP/1.1\r\n\r\n").ends_with("\r\n\r\nok\n"));
}

#[test]
fn a_body_comes_after_the_server_has_asked_for_it() {
    let server = Running::new(None);
    let mut stream = TcpStream::connect(server.address).unwrap();
    let body = query(1, 100);
    let length = body.len();
    let head =
        format!("POST /analyse HTTP/1.1\r\n{}Expect: 100-continue\r\nContent-Length: {length}\r\n\r\n", server.host());
    stream.write_all(head.as_bytes()).unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(lines(&answer)[0]["id"], 1);
}

#[test]
fn pages_and_foreign_names_are_refused() {
    let server = Running::new(None);
    let port = server.address.port();
    let status = |headers: &str| server.send(&format!("GET /metrics HTTP/1.1\r\n{headers}\r\n"))[9..12].to_owned();
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
        assert_eq!(status(&format!("Host: {host}:{port}\r\n")), "200", "{host}");
        assert_eq!(status(&format!("Host: {host}\r\n")), "200", "{host}");
    }
    for headers in
        ["", "Host: example.com\r\n", "Host: 127.0.0.1.example.com\r\n", "Host: :80\r\n", "Host: localhost:x\r\n"]
    {
        assert_eq!(status(headers), "403", "{headers}");
    }
    assert_eq!(status(&format!("{}Origin: http://example.com\r\n", server.host())), "403");
    assert_eq!(status(&format!("{}{}", server.host(), server.host())), "400");
}

#[test]
fn with_a_token_only_those_who_name_it_are_served() {
    let server = Running::new(Some("s3cret"));
    for headers in
        ["", "Authorization: Bearer wrong\r\n", "Authorization: s3cret\r\n", "Authorization: Bearer s3cre\r\n"]
    {
        let answer = server.post(headers, &query(1, 10));
        assert!(answer.starts_with("HTTP/1.1 401 ") && answer.contains("WWW-Authenticate: Bearer"), "{answer}");
    }
    assert_eq!(lines(&server.post("Authorization: Bearer s3cret\r\n", &query(1, 10))).len(), 1);
    assert!(server.send("GET /health HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 "));
}

#[test]
fn who_sends_much_hears_why_it_is_refused() {
    let server = Running::new(Some("s3cret"));
    let answer = server.post("", &" ".repeat(15 << 20));
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
}

#[test]
fn an_address_that_others_reach_needs_a_token() {
    let open = |address: &str, token: Option<&str>| {
        Server::open(address, token.map(str::to_owned), Duration::from_secs(1), Arc::default()).map(drop)
    };
    assert!(matches!(open("0.0.0.0:0", None), Err(ServeError::NoToken)));
    assert!(open("0.0.0.0:0", Some("x")).is_ok());
    assert!(matches!(open("nonsense", None), Err(ServeError::Address { .. })));
}

#[test]
fn bad_requests_are_refused_in_words() {
    let server = Running::new(None);
    let host = server.host();
    let post = |headers: &str| format!("POST /analyse HTTP/1.1\r\n{host}{headers}\r\n");
    for (request, status) in [
        ("nonsense\r\n\r\n".to_owned(), "400"),
        (post(""), "411"),
        (post("Transfer-Encoding: chunked\r\n"), "411"),
        (post("Content-Length: -1\r\n"), "400"),
        (post("Content-Length: 99999999999\r\n"), "413"),
        (post("Content-Length: 1\r\nContent-Length: 2\r\n"), "400"),
        (format!("GET /analyse HTTP/1.1\r\n{host}\r\n"), "405"),
        (format!("GET /other HTTP/1.1\r\n{host}\r\n"), "404"),
        (format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 14)), "431"),
    ] {
        let answer = server.send(&request);
        assert_eq!(answer.get(9..12), Some(status), "{request:.60}: {answer}");
        assert!(answer.contains("\"error\":"), "{answer}");
    }
    // And it still serves.
    assert_eq!(lines(&server.post("", &query(1, 10))).len(), 1);
}

#[test]
fn whoever_goes_away_leaves_no_search_behind() {
    let server = Running::new(None);
    let body = [query(1, 1 << 40), query(2, 1 << 40)].concat();
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!("POST /analyse HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n{body}", server.host(), body.len());
    stream.write_all(head.as_bytes()).unwrap();
    stream.read_exact(&mut [0; 8]).unwrap();
    while server.queue.load().running == 0 {
        thread::yield_now();
    }
    stream.shutdown(Shutdown::Both).unwrap();
    drop(stream);
    // The next client's turn comes.
    assert_eq!(lines(&server.post("", &query(1, 10))).len(), 1);
    assert_eq!(server.queue.load().waiting, 0);
}

#[test]
fn a_request_that_takes_too_long_is_cut_short() {
    let server = Running::with_timeout(None, Duration::from_millis(300));
    let answers = lines(&server.post("", &[query(1, 1 << 40), query(2, 1 << 40)].concat()));
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|answer| answer["cancelled"] == true));
}
