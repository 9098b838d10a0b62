//! Games, files and pasted text over HTTP.

use std::io::{Read, Write};

use serde_json::{Value, json};

use super::*;

const GAME: &str = "[Event \"One\"]\n[White \"Müller\"]\n[Black \"Kim\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";

impl Board {
    /// What is answered to a request with a body: the status, and the JSON.
    pub(super) fn ask(&self, method: &str, path: &str, body: &[u8]) -> (String, Value) {
        let head = format!(
            "{method} /{}/{path} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nContent-Length: {}\r\n\r\n",
            self.token,
            self.host(),
            self.host(),
            body.len()
        );
        let answer = self.send(&[head.as_bytes(), body].concat());
        let (head, text) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{method} {path}: {answer}"));
        assert!(head.contains("application/json") && head.contains("no-store"), "{head}");
        (status(head).to_owned(), serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    pub(super) fn ok(&self, method: &str, path: &str, body: &[u8]) -> Value {
        let (status, value) = self.ask(method, path, body);
        assert_eq!(status, "200", "{method} {path}: {value}");
        value
    }

    pub(super) fn put(&self, id: &str, revision: &Value, pgn: &str) -> Value {
        self.ok("PUT", &format!("games/{id}"), json!({ "revision": revision, "pgn": pgn }).to_string().as_bytes())
    }

    /// Waits until a file of the command line has been read.
    fn read_file(&self, id: &str) -> Value {
        loop {
            let progress = self.ok("GET", &format!("files/{id}"), b"");
            if progress["done"] == true {
                return progress;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn settings_are_kept_beside_the_games() {
    let board = Board::start();
    assert_eq!(board.ok("GET", "settings", b""), json!({}));
    let settings = json!({ "board": "blue", "scale": 0.8 });
    assert_eq!(board.ok("PUT", "settings", settings.to_string().as_bytes()), json!({}));
    assert_eq!(board.ok("GET", "settings", b""), settings);
    for bad in [&b"[]"[..], b"x", b"{", &[b'{'; 70_000]] {
        assert!(board.ask("PUT", "settings", bad).0.starts_with("4"), "{}", bad.len());
    }
    assert_eq!(board.ask("DELETE", "settings", b"").0, "405");
    assert_eq!(board.ok("GET", "settings", b""), settings, "what was there stays");
}

#[test]
fn games_are_kept_listed_and_brought_back() {
    let board = Board::start();
    assert_eq!(board.ok("GET", "games", b""), json!({ "total": 0, "games": [] }));
    let saved = board.put("0b2f3c1e-8f6a-4b0e-9d57-3c1f2a4b5c6d", &json!(0), GAME);
    let id = saved["id"].as_str().unwrap();
    let stored = board.ok("GET", &format!("games/{id}"), b"");
    assert_eq!((&stored["pgn"], &stored["revision"]), (&json!(GAME), &saved["revision"]));
    let list = board.ok("GET", "games?query=muller&sort=white&from=0&count=10", b"");
    assert_eq!(
        (&list["total"], &list["games"][0]["tags"]["White"], &list["games"][0]["plies"]),
        (&json!(1), &json!("Müller"), &json!(2))
    );
    assert_eq!(board.ok("GET", "games?query=nobody", b"")["total"], 0);
    let fork = board.put(id, &json!(0), &GAME.replace("e5", "c5"));
    assert!(fork["forked_from"] == id && fork["id"] != id);
    assert_eq!(board.ok("DELETE", &format!("games/{id}"), b""), json!({ "id": id, "bin": true }));
    assert_eq!(board.ask("GET", &format!("games/{id}"), b"").0, "404");
    assert_eq!(board.ok("GET", "games?bin=1", b"")["games"][0]["id"], id);
    assert_eq!(board.ok("POST", &format!("games/{id}/restore"), b"")["revision"], saved["revision"]);
    // Another program with the same folder has the same games.
    let data = board.data.path().to_str().unwrap();
    assert_eq!(Board::with(&["--data", data]).ok("GET", "games", b"")["total"], 2);
    assert_eq!(std::fs::read_to_string(board.data.path().join(format!("games/{id}.pgn"))).unwrap(), GAME);
}

#[test]
fn no_name_of_a_game_leads_out_of_the_folder() {
    let board = Board::start();
    std::fs::write(board.data.path().join("secret.pgn"), "secret").unwrap();
    let body = json!({ "revision": 0, "pgn": GAME }).to_string();
    for id in [
        "..%2Fsecret",
        "%2e%2e%2fsecret",
        "..%5Csecret",
        "%2Fetc%2Fpasswd",
        "C%3A%5Cx",
        "a%00b",
        "%2e%2e",
        "CON",
        "nul.x",
        "a%0Ab",
        "%ff",
        "x%2Fy",
    ] {
        for method in ["GET", "PUT", "DELETE"] {
            let head = format!(
                "{method} /{}/games/{id} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n{body}",
                board.token,
                board.host(),
                body.len()
            );
            let answer = board.send(head.as_bytes());
            assert!(status(&answer) == "400" && !answer.contains("secret\""), "{method} {id}: {answer}");
        }
    }
    for path in ["games/../secret", "games/a/b", "games/", "games//", "files/1/secret", "paste/x", "files/../games"] {
        let (status, value) = board.ask("GET", path, b"");
        assert!(["404", "400", "405"].contains(&&status[..]) && value["error"].is_string(), "{path}: {status} {value}");
    }
    let names: Vec<_> = std::fs::read_dir(board.data.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["secret.pgn"]);
}

#[test]
fn bad_requests_for_data_are_told_in_json() {
    let board = Board::start();
    for (method, path, body, expected) in [
        ("PUT", "games/a", &b"{"[..], "400"),
        ("PUT", "games/a", b"{}", "400"),
        ("PUT", "games/a", b"{\"revision\": -1, \"pgn\": \"x\"}", "400"),
        ("PUT", "games/a", b"{\"revision\": 0, \"pgn\": \"  \"}", "400"),
        ("PUT", "games/a", b"\xFF\xFE", "400"),
        ("PUT", "games", b"", "405"),
        ("POST", "games/a", b"", "405"),
        ("DELETE", "games/a", b"", "404"),
        ("POST", "games/a/restore", b"", "404"),
        ("GET", "games?sort=size", b"", "400"),
        ("GET", "games?count=many", b"", "400"),
        ("GET", "files/9", b"", "404"),
        ("DELETE", "files/9", b"", "404"),
        ("GET", "files/9/games/0", b"", "404"),
        ("PUT", "files", b"x", "405"),
        ("GET", "paste", b"", "405"),
        ("POST", "paste", b"what is this?", "422"),
        ("POST", "files?name=base.cbh", b"x", "400"),
        ("POST", "files?name=a&file=7", b"x", "400"),
        ("POST", "files?name=a&file=../x", b"x", "400"),
    ] {
        let (status, value) = board.ask(method, path, body);
        assert!(
            status == expected && value["error"].as_str().is_some_and(|text| !text.is_empty()),
            "{method} {path}: {status} {value}"
        );
    }
    let path = format!("/{}/games/a", board.token);
    let host = board.host();
    let unsized_body = format!("PUT {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    assert_eq!(status(&board.send(unsized_body.as_bytes())), "411");
    let chunked = format!("PUT {path} HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    assert_eq!(status(&board.send(chunked.as_bytes())), "411");
    let mut stream = board.connect();
    let long = format!("PUT {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n", 65 << 20);
    stream.write_all(long.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(status(&answer), "413");
    assert_eq!(board.ok("GET", "games", b"")["total"], 0);
}

#[test]
fn data_is_for_those_who_know_the_address_and_for_no_other_page() {
    let board = Board::start();
    let host = board.host();
    let token = &board.token;
    let body = json!({ "revision": 0, "pgn": GAME }).to_string();
    for (token, headers) in [
        (&"0".repeat(32), format!("Host: {host}\r\n")),
        (token, "Host: evil.example\r\n".to_owned()),
        (token, format!("Host: {host}\r\nOrigin: http://evil.example\r\n")),
        (token, format!("Host: {host}\r\nOrigin: null\r\n")),
    ] {
        for (method, path) in
            [("PUT", "games/a"), ("GET", "games"), ("POST", "files?name=x"), ("POST", "paste"), ("GET", "files")]
        {
            let request =
                format!("{method} /{token}/{path} HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len());
            assert_eq!(status(&board.send(request.as_bytes())), "403", "{method} {path} {headers}");
        }
    }
    assert!(std::fs::read_dir(board.data.path()).unwrap().next().is_none());
}

#[test]
fn a_file_is_sent_listed_and_closed() {
    let board = Board::start();
    let text: String =
        (0..3000).map(|number| GAME.replace("Kim", &format!("Player {number}"))).map(|game| game + "\n").collect();
    let broken = format!("{text}[White \"x\"]\n[FEN \"none\"]\n\n1. e4 *\n");
    let packed = zstd::encode_all(broken.as_bytes(), 3).unwrap();
    let sent = board.ok("POST", "files?name=base.pgn.zst", &packed);
    assert_eq!((&sent["games"], &sent["done"], &sent["name"]), (&json!(3001), &json!(true), &json!("base.pgn.zst")));
    assert_eq!(sent["problems"][0]["line"], 21_004);
    let file = sent["file"].as_str().unwrap();
    let list = board.ok("GET", &format!("files/{file}/games?query=%22player%201234%22&sort=-black"), b"");
    assert_eq!((&list["total"], &list["games"][0]["id"]), (&json!(1), &json!(1234)));
    let game = board.ok("GET", &format!("files/{file}/games/1234"), b"");
    assert_eq!(game["pgn"], GAME.replace("Kim", "Player 1234").trim());
    let last = board.ok("GET", &format!("files/{file}/games?from=3000"), b"");
    assert!(last["games"][0]["problem"].as_str().unwrap().contains("FEN"), "{last}");
    assert_eq!(board.ask("GET", &format!("files/{file}/games/3001"), b"").0, "404");
    let named = board.ok("POST", "files?name=two.pgn&file=0b2f3c1e-8f6a", text.as_bytes());
    assert_eq!((&named["file"], &named["games"]), (&json!("0b2f3c1e-8f6a"), &json!(3000)));
    let all = board.ok("GET", "files", b"");
    assert_eq!(all["files"].as_array().unwrap().len(), 2);
    board.ok("DELETE", &format!("files/{file}"), b"");
    assert_eq!(board.ok("GET", "files", b"")["files"].as_array().unwrap().len(), 1);
    // Nothing is left of what was unpacked.
    assert!(std::fs::read_dir(board.data.path()).unwrap().next().is_none());
}

#[test]
fn a_damaged_file_is_open_with_what_could_be_read() {
    let board = Board::start();
    let text: String = (0..40_000).map(|number| GAME.replace("Kim", &format!("Player {number}")) + "\n").collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut packed = gzip.finish().unwrap();
    let middle = packed.len() / 2;
    packed[middle..middle + 100].fill(0xFF);
    let sent = board.ok("POST", "files?name=damaged.pgn.gz", &packed);
    assert!(sent["games"].as_u64().is_some_and(|games| games > 1000), "{}", sent["games"]);
    assert!(sent["problem_count"].as_u64().is_some_and(|count| count > 1000), "so that not all of them are kept");
    let problems = sent["problems"].as_array().unwrap();
    let last = problems.last().unwrap()["text"].as_str().unwrap();
    assert!(problems.len() == 1001 && last.contains("damaged gzip data"), "{last}");
    assert!(board.ok("GET", "files/1/games/999", b"")["pgn"].as_str().unwrap().contains("Player 999"));
}

#[test]
fn half_a_file_is_none() {
    let board = Board::start();
    let text = GAME.repeat(5000);
    let mut stream = board.connect();
    let head = format!(
        "POST /{}/files?name=x.pgn HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n",
        board.token,
        board.host(),
        text.len() + 1
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    // While it comes, it can be looked at.
    loop {
        let all = board.ok("GET", "files", b"");
        if all["files"][0]["games"].as_u64().is_some_and(|games| games > 0) {
            break;
        }
    }
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(status(&answer), "408", "{answer}");
    assert_eq!(board.ok("GET", "files", b""), json!({ "files": [] }));
}

#[test]
fn files_of_the_command_line_are_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("a.pgn"), GAME.repeat(3)).unwrap();
    std::fs::write(path("b.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n".repeat(5)).unwrap();
    let board = Board::with(&[&path("a.pgn"), &path("b.epd")]);
    assert_eq!((&board.read_file("1")["games"], &board.read_file("2")["games"]), (&json!(3), &json!(5)));
    assert_eq!(board.ok("GET", "files", b"")["files"][1]["name"], "b.epd");
    assert!(board.ok("GET", "files/2/games/4", b"")["pgn"].as_str().unwrap().contains("FEN"));
    for missing in [path("none.pgn"), path("x.cbh")] {
        let arguments = BoardArguments { files: vec![missing.clone().into()], ..arguments(&[]) };
        let (pages, _changes) = bounded(1);
        let error = start(&arguments, pages).err().unwrap().to_string();
        assert!(error.contains(&missing), "{error}");
    }
}

#[test]
fn pasted_text_is_a_game_a_list_or_refused_with_the_reason() {
    let board = Board::start();
    let one = board.ok("POST", "paste", b"1. e4 e5 2. Nf3 *");
    assert_eq!((&one["games"], &one["pgn"]), (&json!(1), &json!("1. e4 e5 2. Nf3 *")));
    let address = "https://lichess.org/analysis/4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1?color=white";
    assert!(
        board.ok("POST", "paste", address.as_bytes())["pgn"]
            .as_str()
            .unwrap()
            .contains("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    );
    let list = board.ok("POST", "paste", format!("{GAME}\n{GAME}\n[FEN \"none\"]\n\n1. e4 *\n").as_bytes());
    assert_eq!((&list["games"], list["problems"].as_array().unwrap().len()), (&json!(3), 1));
    assert!(list["file"].is_string());
    let (status, refusal) = board.ask("POST", "paste", b"https://lichess.org/abcdefgh");
    assert!(status == "422" && refusal["error"].as_str().unwrap().contains("not fetched"), "{refusal}");
}

#[test]
fn ten_thousand_games_are_saved_and_found() {
    let board = Board::start();
    let games = board.data.path().join("games");
    std::fs::create_dir(&games).unwrap();
    for number in 0..10_000 {
        std::fs::write(games.join(format!("g{number}.pgn")), GAME.replace("Kim", &format!("Player {number}"))).unwrap();
    }
    let list = board.ok("GET", "games?query=black:%22player%205000%22", b"");
    assert_eq!((&list["total"], &list["games"][0]["id"]), (&json!(1), &json!("g5000")));
    board.put("new", &json!(0), GAME);
    let list = board.ok("GET", "games?count=1", b"");
    assert_eq!((&list["total"], &list["games"][0]["id"]), (&json!(10_001), &json!("new")));
}

#[test]
fn the_schedule_of_practice_is_kept() {
    let board = Board::start();
    let none = json!({ "schema": 1, "cards": [], "seen": {}, "problem": null });
    assert_eq!(board.ok("GET", "practice", b""), none);
    assert_eq!(board.ok("GET", "reviews", b""), json!({ "reviews": [] }));
    let change = json!({ "cards": [{ "id": "8/8 w - -", "plan": null }], "seen": { "game": 5 } });
    assert_eq!(board.ok("POST", "practice", change.to_string().as_bytes()), json!({ "cards": 1 }));
    let kept = board.ok("GET", "practice", b"");
    assert_eq!((&kept["cards"], &kept["seen"]), (&change["cards"], &change["seen"]));
    for bad in [&b"[]"[..], b"x", br#"{"cards":[1]}"#, br#"{"cards":[{}]}"#, br#"{"cards":[],"seen":{"a":-1}}"#] {
        assert!(board.ask("POST", "practice", bad).0.starts_with('4'), "{}", String::from_utf8_lossy(bad));
    }
    assert_eq!(board.ask("PUT", "practice", b"{}").0, "405");
    assert_eq!(board.ask("POST", "reviews", b"{}").0, "405");
    assert_eq!(board.ok("GET", "practice", b""), kept, "what was there stays");
}
