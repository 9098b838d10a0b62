use std::fs;
use std::io::{Cursor, Read, Write};

use super::*;

fn flawed_games(count: usize) -> String {
    let game = |number: usize| match number % 50 {
        7 => format!("[Event \"e\"]\n[White \"Ångström {number}\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n"),
        8 => format!("[Event \"e\"]\n[White \"bad {number}\"]\n[FEN \"none\"]\n\n1. e4 *\n\n"),
        // As parts of a text that must not be cut there.
        9 => format!(
            "[Event \"e\"]\n[White \"c {number}\"]\n\n1. e4 {{ 1-0\n\nnot yet }} e5 1-0\n1. d4 {{ [Event }} 0-1\n\n"
        ),
        _ => format!(
            "[Event \"Open {}\"]\n[White \"White {number}\"]\n[Black \"Black {}\"]\n[Date \"20{:02}.01.01\"]\n\
             [Result \"1-0\"]\n\n1. e4 {{ a comment }} e5 2. Nf3 Nc6 1-0\n\n",
            number % 3,
            number % 11,
            number % 100,
        ),
    };
    (0..count).map(game).collect()
}

/// The games of a text, one after the other on one thread.
fn expected(text: &[u8]) -> Vec<(Vec<u8>, u64)> {
    let mut reader = PgnReader::new(text);
    let mut games = Vec::new();
    while reader.next().is_some() {
        let range = reader.game_bytes().clone();
        games.push((text[range.start as usize..range.end as usize].trim_ascii().to_vec(), reader.game_line()));
    }
    games
}

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn opened(bytes: Vec<u8>) -> OpenFile {
    let file = OpenFile::new("test");
    file.read_stream(Cursor::new(bytes), &std::env::temp_dir()).unwrap();
    file
}

fn check_all(file: &OpenFile, text: &[u8]) {
    let expected = expected(text);
    let progress = file.progress();
    assert!(progress.done);
    assert_eq!(progress.games, expected.len());
    for (number, (game, line)) in expected.iter().enumerate() {
        assert_eq!(file.game(number).unwrap(), pgn::decode_text(&game[..], usize::MAX).0.trim(), "game {number}");
        assert_eq!(u64::from(file.state().lines[number]), *line, "game {number}");
    }
    assert!(matches!(file.game(expected.len()), Err(OpenedError::NoGame(_))));
}

#[test]
fn many_threads_find_what_one_does() {
    // More than two parts.
    let text = flawed_games(15_000);
    assert!(text.len() as u64 > 3 * scan::PART);
    let file = opened(text.clone().into_bytes());
    check_all(&file, text.as_bytes());
    let progress = file.progress();
    assert_eq!(progress.problem_count, 600, "{:?}", &progress.problems[..5]);
    let lines: Vec<_> = text.lines().collect();
    for problem in &progress.problems {
        let line = lines[problem.line as usize - 1];
        assert!(line.contains("Ke3") || line.starts_with("1. e4 *"), "{problem:?}: {line}");
    }
}

#[test]
fn a_text_without_a_place_to_cut_is_read_too() {
    let text = "1. e4 e5 2. Nf3 1-0\n\n".repeat(60_000);
    check_all(&opened(text.clone().into_bytes()), text.as_bytes());
}

#[test]
fn lists_are_searched_sorted_and_shown_by_pages() {
    let file = opened(flawed_games(300).into_bytes());
    let ids = |query: &str, sort: &str, from, count| {
        let (total, games) = file.list(&Query::new(query), Sort::named(sort).unwrap(), from, count).unwrap();
        (total, games.iter().map(|game| game.id).collect::<Vec<_>>())
    };
    assert_eq!(ids("", "", 0, 3), (306, vec![0, 1, 2]));
    assert_eq!(ids("", "", 305, 50).1, [305]);
    assert_eq!(ids("", "", 400, 50).1, [0; 0]);
    assert_eq!(ids("", "-number", 0, 2).1, [305, 304]);
    assert_eq!(ids("angstrom", "", 0, 10).0, 6);
    assert_eq!(ids("\"white 42\"", "", 0, 10), (1, vec![43]));
    let (_, games) = file.list(&Query::new("\"white 42\""), Sort::default(), 0, 1).unwrap();
    assert_eq!((&games[0].tags["Black"][..], games[0].plies, &games[0].problem), ("Black 9", 4, &None));
    let (_, games) = file.list(&Query::new("\"bad 8\""), Sort::default(), 0, 1).unwrap();
    assert!(games[0].problem.as_ref().unwrap().contains("FEN") && games[0].tags["FEN"] == "none", "{games:?}");
}

#[test]
fn packed_and_foreign_files_are_read_as_plain_ones() {
    let text = flawed_games(400);
    let utf16: Vec<u8> =
        "\u{feff}".chars().chain(text.chars()).collect::<String>().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let joined = [text.as_bytes(), &utf16].concat();
    let folder = tempfile::tempdir().unwrap();
    let forms = [
        ("plain", text.clone().into_bytes(), 1),
        ("gzip", gzip(&text), 1),
        ("zstd", zstd::encode_all(text.as_bytes(), 3).unwrap(), 1),
        ("utf16", utf16, 1),
        ("joined", joined, 2),
    ];
    for (name, bytes, times) in forms {
        check_all(&opened(bytes.clone()), text.repeat(times).as_bytes());
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        let file = OpenFile::new(name);
        file.read_path(&path, folder.path());
        check_all(&file, text.repeat(times).as_bytes());
        let is_original = file.state().text.as_ref().unwrap().is_original();
        assert_eq!(is_original, name == "plain", "{name}");
    }
    // Nothing is left beside them.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
}

#[test]
fn a_file_that_is_changed_meanwhile_is_not_shown_wrongly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.pgn");
    fs::write(&path, flawed_games(20)).unwrap();
    let file = OpenFile::new("file.pgn");
    file.read_path(&path, folder.path());
    assert!(file.game(3).is_ok());
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"x").unwrap();
    assert!(file.game(3).unwrap_err().to_string().contains("has been changed since"));
    assert!(file.list(&Query::default(), Sort::default(), 0, 5).is_err());
}

#[test]
fn what_cannot_be_read_on_says_so_and_keeps_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let packed = gzip(&flawed_games(5000));
    let path = folder.path().join("cut.pgn.gz");
    fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let file = OpenFile::new("cut");
    file.read_path(&path, folder.path());
    let progress = file.progress();
    assert!(progress.done && progress.games > 100, "{}", progress.games);
    assert!(progress.problems.last().unwrap().text.contains("damaged gzip data"), "{:?}", progress.problems.last());
    assert!(file.game(50).unwrap().contains("White"));
    let missing = OpenFile::new("none");
    missing.read_path(&folder.path().join("none"), folder.path());
    assert!(missing.progress().problems[0].text.contains("cannot be read"));
    for bytes in [&b""[..], b"\n\n", b"what is this"] {
        assert_eq!(opened(bytes.to_vec()).progress().games, 0);
    }
}

#[test]
fn a_stream_that_breaks_off_is_an_error() {
    let text = flawed_games(100);
    let file = OpenFile::new("x");
    let broken = Read::chain(Cursor::new(text.into_bytes()), Broken);
    assert!(file.read_stream(broken, &std::env::temp_dir()).is_err());
    assert!(file.progress().done && file.progress().games > 0);
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn lists_of_positions_are_files_of_games() {
    let lines = (0..30_000).map(|number| match number % 4 {
        0 => format!("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"No. {number}\";\n"),
        1 => "# nothing\n".to_owned(),
        2 => "8/8/8/8 w - -\n".to_owned(),
        _ => "position startpos moves e2e4 e7e5\n".to_owned(),
    });
    let file = opened(lines.collect::<String>().into_bytes());
    let progress = file.progress();
    assert_eq!((progress.games, progress.problem_count), (22_500, 7500));
    assert_eq!(progress.problems[1].line, 7);
    let (total, games) = file.list(&Query::new("\"No. 29996\""), Sort::default(), 0, 5).unwrap();
    assert_eq!((total, games[0].line), (1, 29_997));
    assert!(file.game(games[0].id).unwrap().contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]"));
    assert!(file.game(2).unwrap().contains("1. e4 e5"));
    assert_eq!(file.game(1).unwrap(), "8/8/8/8 w - -");
}

#[test]
fn a_file_that_is_closed_is_not_read_on() {
    let file = Arc::new(OpenFile::new("endless"));
    file.close();
    file.read_stream(io::repeat(b'\n'), &std::env::temp_dir()).unwrap();
    assert!(file.progress().done);
}

#[test]
fn a_file_of_too_many_games_says_so_once() {
    let mut state = State::default();
    let text = flawed_games(200);
    let mut answers = Vec::new();
    let origin = entry::Origin { start: 0, line: 1 };
    entry::read_games(text.as_bytes(), origin, |batch| {
        answers.push(state.add(batch, 100));
        true
    });
    assert_eq!((state.index.len(), answers.first(), answers.last()), (100, Some(&true), Some(&false)));
    let told = state.problems.iter().filter(|problem| problem.text.contains("more than 100 games")).count();
    assert_eq!(told, 1);
    let end = text[..state.end as usize].trim_end();
    assert!(end.ends_with("1-0") && text[state.end as usize..].contains("[Event"), "{end}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let file = OpenFile::new("x");
    let full = StoredText::full().unwrap();
    let text = InputText::new(Cursor::new(flawed_games(10).into_bytes())).unwrap();
    let error = file.try_text(text, full).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
