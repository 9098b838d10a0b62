//! Engines of others behind a page.

use std::path::Path;

use super::*;

/// An engine as a script, which starts another process, and notes what it hears.
fn script(folder: &Path) -> String {
    let heard = folder.join("heard");
    let child = folder.join("child");
    let text = format!(
        "#!/bin/sh\nsleep 1000 &\necho $! > '{}'\nwhile read line; do\n  echo \"$line\" >> '{}'\n  case \"$line\" in\n\
         uci) echo id name Script 1; echo id author Nobody; echo option name Hash type spin default 16 min 1 max 64; \
         echo option name Log File type string default '<empty>'; echo uciok;;\n\
         isready) echo readyok;;\n  go*) echo info depth 1 score cp 5 pv e2e4; echo bestmove e2e4;;\n  quit) exit 0;;\n  esac\ndone\n",
        child.display(),
        heard.display()
    );
    let path = folder.join("engine.sh");
    std::fs::write(&path, text).unwrap();
    format!("name=Mine option.Hash=8 sh '{}'", path.display())
}

fn heard(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("heard")).unwrap_or_default()
}

/// Whether the process that the engine started runs no more.
fn has_ended(folder: &Path) -> bool {
    let number = std::fs::read_to_string(folder.join("child")).unwrap();
    // By the shell: an empty Debian has no program of that name.
    let asked = format!("kill -0 {}", number.trim());
    !std::process::Command::new("sh")
        .args(["-c", &asked])
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap()
        .success()
}

fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_page_plays_with_another_engine_and_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let board = Board::with(&["--engine", &script(folder.path())]);
    let list = board.page("engines");
    assert!(list.contains("\"name\":\"Mine\"") && list.contains("\"id\":\"1\"") && list.contains("Vancura"), "{list}");
    assert!(!list.contains("engine.sh"), "a page need not know where it lies: {list}");
    let form = board.page("engines/1");
    assert!(form.contains("\"author\":\"Nobody\"") && form.contains("\"default\":\"8\""), "{form}");
    assert!(form.contains("{\"name\":\"Log File\",\"type\":\"string\",\"default\":\"\",\"fixed\":true}"), "{form}");
    until(|| has_ended(folder.path()));
    let mut socket = board.socket_of("?engine=1");
    say(&mut socket, "uci");
    hear(&mut socket, "id name Script 1");
    // What a page goes back to is what the user has set.
    assert_eq!(hear(&mut socket, "option name Hash"), "option name Hash type spin default 8 min 1 max 64");
    hear(&mut socket, "uciok");
    say(&mut socket, "setoption name Hash value 32");
    say(&mut socket, "position startpos moves e2e4");
    say(&mut socket, "go depth 1");
    assert_eq!(hear(&mut socket, "bestmove"), "bestmove e2e4");
    say(&mut socket, r#"{"id": 4, "do": "read", "text": "e4"}"#);
    assert_eq!(hear(&mut socket, "{"), r#"{"id":4,"ok":{"uci":"e2e4"}}"#);
    for line in [
        "setoption name Log File value /tmp/x",
        "setoption name hash\nquit",
        "quit",
        "setoption name None value 1",
        "bench",
    ] {
        say(&mut socket, line);
        assert!(hear(&mut socket, "info string error").contains("may not say this"), "{line}");
    }
    say(&mut socket, "isready");
    hear(&mut socket, "readyok");
    let lines = heard(folder.path());
    assert!(lines.ends_with("setoption name Hash value 8\nsetoption name Hash value 32\nposition startpos moves e2e4\ngo depth 1\nisready\n"), "{lines}");
    assert!(!lines.contains("Log") && lines.matches("uci\n").count() == 2, "{lines}");
    assert!(!has_ended(folder.path()));
    drop(socket);
    until(|| has_ended(folder.path()));
}

#[test]
fn two_engines_run_side_by_side_and_end_with_the_program() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [one, other] = [0, 1].map(|index: usize| script(folders[index].path()));
    let board = Board::with(&["--engine", &one, "--engine", &other]);
    let mut sockets = ["?engine=1", "?engine=2", "?engine=vancura"].map(|query| board.socket_of(query));
    for socket in &mut sockets {
        say(socket, "go depth 1");
    }
    sockets.iter_mut().for_each(|socket| drop(hear(socket, "bestmove")));
    board.server.engines.end();
    for folder in &folders {
        until(|| has_ended(folder.path()));
    }
    // Vancura has no process that could be left.
    say(&mut sockets[2], "isready");
    hear(&mut sockets[2], "readyok");
}

#[test]
fn an_engine_that_fails_is_told_and_does_no_harm() {
    let board = Board::with(&[
        "--engine",
        "/no/such/engine",
        "--engine",
        "sh -c 'exit 3'",
        "--engine",
        "name=short sh -c 'echo uciok; read x'",
    ]);
    for id in ["1", "2"] {
        assert_eq!(status(&board.page(&format!("engines/{id}"))), "502");
        let mut socket = board.socket_of(&format!("?engine={id}"));
        let told = hear(&mut socket, "info string error");
        assert!(told.contains("cannot be started") || told.contains("has exited"), "{told}");
        assert!(matches!(socket.read().unwrap(), Message::Close(_)));
    }
    let mut socket = board.socket_of("?engine=3");
    say(&mut socket, "isready");
    assert!(hear(&mut socket, "info string error").contains("has ended"));
    for id in ["4", "0", "sh", "..%2Fsh", "-1"] {
        assert_eq!(status(&board.page(&format!("engines/{id}"))), "404", "{id}");
        let request = board.socket_request(&board.token, &format!("Origin: http://{}\r\n", board.host()));
        let request = request.replace("/socket", &format!("/socket?engine={id}"));
        assert_eq!(status(&board.send(request.as_bytes())), "404", "{id}");
    }
    for method in ["PUT", "POST", "DELETE"] {
        let request = format!(
            "{method} /{}/engines/1 HTTP/1.1\r\nHost: {}\r\nContent-Length: 2\r\n\r\nls",
            board.token,
            board.host()
        );
        assert_eq!(status(&board.send(request.as_bytes())), "405");
    }
}
