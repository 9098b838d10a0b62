//! `vancura play`: games are judged by the laws, whatever an engine does.

#[cfg(unix)]
mod misbehaviour;
#[cfg(unix)]
mod pondering;

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Output, Stdio};

use movegen::{Board, Color, GameResult, Outcome};
use pgn::{NodeId, OpeningName, PgnGame, PgnReader, result_text};

#[cfg(target_os = "linux")]
use crate::common::SmallDisk;
use crate::common::{self, run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

/// Plays, and returns the games and what was said to the user.
fn play(arguments: &[&str]) -> (Vec<PgnGame>, String) {
    let output = run(&[&["play"], arguments].concat(), b"");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let games = PgnReader::new(&output.stdout[..]).map(|game| game.unwrap_or_else(|error| panic!("{error}")));
    (games.collect(), said)
}

/// What stands at the end of a game: its result, how it ended, and why.
fn end(game: &PgnGame) -> (String, String, String) {
    let last = game.tree.main_line().last().map_or(NodeId::ROOT, |(id, _)| id);
    let termination = game.tags.get("Termination").unwrap_or_default();
    (result_text(game.result), termination.to_owned(), game.tree.node(last).comment.clone())
}

#[test]
fn vancura_plays_itself_within_the_process() {
    let (games, said) = play(&["-n", "2", "--nodes", "200", "-o", "Hash=1"]);
    assert_eq!(games.len(), 2);
    assert!(said.contains("game 2 of 2: Vancura "), "{said}");
    for game in &games {
        assert!(game.result.is_some());
        assert_eq!(game.tags.get("Termination"), Some("normal"));
        assert!(game.tree.main_moves().count() > 10);
        let opening = OpeningName::of_game(&game.tree).expect("every first move has a name");
        assert_eq!((game.tags.get("ECO"), game.tags.get("Opening")), (Some(opening.eco), Some(opening.name)));
        // The referee's laws, once more, from the file.
        let (again, rest) = game.refereed(movegen::Rules::default());
        assert_eq!((again.outcome().map(Outcome::result), rest), (game.result, 0));
    }
    assert_eq!(games[0].tags.get("Round"), Some("1"));
    assert_ne!(games[0].tags.get("Date"), Some("????.??.??"));
}

#[test]
fn lines_of_a_book_are_openings_for_two_games_each() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help/book.bin");
    let match_of = |seed: &str| {
        let arguments =
            ["-n", "4", "--nodes", "1", "--openings", book.to_str().unwrap(), "--plies", "1", "--seed", seed];
        let (games, _) = play(&arguments);
        games.iter().map(|game| game.tree.main_moves().next().unwrap()).collect::<Vec<_>>()
    };
    let first = match_of("1");
    assert_eq!((first[0], first[2]), (first[1], first[3]));
    assert_eq!(match_of("1"), first);
    let output = run(&["play", "--openings", "Cargo.bin"], b"");
    assert!(!output.status.success());
}

#[test]
fn vancura_plays_itself_as_a_child_on_the_clock() {
    let (games, _) = play(&[
        PROGRAM,
        PROGRAM,
        "--tc",
        "5/60+0.5:30d2",
        "--depth",
        "3",
        "--fen",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
    ]);
    assert_eq!(end(&games[0]), ("1-0".to_owned(), "normal".to_owned(), "White mates.".to_owned()));
    assert_eq!(games[0].tags.get("TimeControl"), Some("5/60+0.5:30d2"));
    assert_eq!(games[0].tags.get("SetUp"), Some("1"));
    assert_eq!((games[0].tags.get("ECO"), games[0].tags.get("Opening")), (None, None));
    let (first, _) = games[0].tree.main_line().next().expect("a move");
    assert!(games[0].tree.node(first).clock.is_some() && games[0].tree.node(first).evaluation.is_some());
}

#[test]
fn chess960_is_played() {
    let fen = "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1";
    let (games, _) = play(&["--nodes", "100", "--movetime", "60000", "--fen", fen]);
    assert_eq!(games[0].tags.get("TimeControl"), Some("60/move"));
    assert_eq!(games[0].tags.get("Variant"), Some("Chess960"));
    assert_eq!(games[0].tree.start(), &Board::from_fen(fen).unwrap());
    assert_eq!(games[0].tags.get("Termination"), Some("normal"));
}

#[test]
fn openings_are_played_with_both_colours_and_games_are_added_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let openings = folder.path().join("openings.pgn");
    let games = folder.path().join("games.pgn");
    fs::write(&openings, "1. e4 e5 *\n\n1. d4 *\n").expect("a file");
    let (openings, path) = (openings.to_string_lossy().into_owned(), games.to_string_lossy().into_owned());
    for _ in 0..2 {
        play(&["-n", "4", "--depth", "1", "--openings", &openings, "--pgn", &path]);
    }
    let text = fs::read(&games).expect("games");
    let games: Vec<_> = PgnReader::new(&text[..]).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect();
    let first_moves = |game: &PgnGame| game.tree.main_moves().next().map(|mv| mv.to_string());
    let first: Vec<_> = games.iter().filter_map(first_moves).collect();
    assert_eq!(first, ["e2e4", "e2e4", "d2d4", "d2d4", "e2e4", "e2e4", "d2d4", "d2d4"]);
}

/// The value of a tag in each game.
fn tags<'a>(games: &'a [PgnGame], name: &str) -> Vec<&'a str> {
    games.iter().map(|game| game.tags.get(name).unwrap_or("-")).collect()
}

#[test]
fn games_say_who_played_and_how_long() {
    let (games, _) =
        play(&["name=one elo=2800 option.Hash=1 self", "name='number two' self", "-n", "2", "--nodes", "50"]);
    assert_eq!(tags(&games, "White"), ["one", "number two"]);
    assert_eq!((tags(&games, "WhiteElo"), tags(&games, "BlackElo")), (vec!["2800", "-"], vec!["-", "2800"]));
    assert_eq!(tags(&games, "TimeControl"), ["50 nodes/move"; 2]);
    for game in &games {
        let plies = game.tree.main_moves().count().to_string();
        assert_eq!(game.tags.get("PlyCount"), Some(&plies[..]));
        assert!(["UTCDate", "UTCTime", "GameDuration"].iter().all(|name| game.tags.get(name).is_some()));
    }
    let (games, _) = play(&["--depth", "1", "--nodes", "9"]);
    assert_eq!(tags(&games, "TimeControl"), ["9 nodes/move, 1 plies/move"]);
}

/// White mates with the next move: each engine wins with White.
const MATE: &str = "k7/7R/1K6/8/8/8/8/8 w - - 0 1";

#[test]
fn several_engines_meet_and_have_a_table() {
    let engines = ["name=a self", "name=b self", "name=c self"];
    let (games, said) =
        play(&[&engines[..], &["-n", "2", "--nodes", "50", "--fen", MATE, "--concurrency", "3"]].concat());
    // In their order, though they are played at the same time.
    assert_eq!(tags(&games, "White"), ["a", "b", "a", "c", "b", "c"]);
    assert_eq!(tags(&games, "Round"), ["1", "2", "3", "4", "5", "6"]);
    let rows: Vec<Vec<_>> = said.lines().rev().take(4).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[3], ["engine", "Elo", "+-", "games", "points", "%"], "{said}");
    assert!(rows[..3].iter().all(|row| row[3..] == ["4", "2", "50.0"]), "{said}");
    let (games, _) =
        play(&[&engines[..], &["-n", "1", "--nodes", "50", "--fen", MATE, "--format", "gauntlet"]].concat());
    assert_eq!(tags(&games, "Black"), ["b", "c"]);
}

#[test]
fn a_test_of_hypotheses_ends_the_match() {
    // All pairs are even, so nothing is gained.
    let (games, said) = play(&["-n", "1000", "--nodes", "9", "--fen", MATE, "--sprt", "0,50", "--concurrency", "2"]);
    assert!(games.len() < 1000 && games.len() % 2 == 0, "{}", games.len());
    assert!(said.trim_end().ends_with("for Elo [0, 50]: the lower one is accepted"), "{said}");
}

#[test]
fn a_match_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let pgn = path.to_string_lossy().into_owned();
    let common = ["name=a self", "name=b self", "--nodes", "50", "--fen", MATE, "--pgn", &pgn];
    let resume = |games: &str| play(&[&common[..], &["--resume", "-n", games]].concat()).1;
    let first = resume("3");
    assert!(first.contains("a - b: 2 of 3, 2 won, 0 drawn, 1 lost"), "{first}");
    let rest = resume("5");
    assert!(
        rest.starts_with("game 4 of 5: b - a 1-0") && rest.contains("a - b: 3 of 5, 3 won, 0 drawn, 2 lost"),
        "{rest}"
    );
    assert!(resume("5").starts_with("a - b: 3 of 5,"));
    let text = fs::read(&path).expect("games");
    assert_eq!(PgnReader::new(&text[..]).count(), 5);
    // Other engines, or more games than the match has.
    for more in [&["name=a self", "name=x self", "-n", "9"][..], &["name=a self", "name=b self", "-n", "4"]] {
        let arguments = [&["play"], more, &["--nodes", "9", "--pgn", &pgn, "--resume"]].concat();
        let output = run(&arguments, b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("is not of this match"), "{said}");
    }
    // Other limits, openings or options.
    for (more, message) in [
        (&["--nodes", "60", "--fen", MATE][..], "TimeControl is \"50 nodes/move\", and would be \"60 nodes/move\""),
        (&["--tc", "9+0.1", "--fen", MATE], "TimeControl is \"50 nodes/move\", and would be \"9+0.1\""),
        (&["--nodes", "50"], "it has another opening"),
        (&["--nodes", "50", "--fen", MATE, "-o", "Hash=2"], "WhiteOptions is missing, and would be \"Hash=2\""),
    ] {
        let names = ["play", "name=a self", "name=b self", "-n", "9", "--pgn", &pgn, "--resume"];
        let output = run(&[&names[..], more].concat(), b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("game 1 of ") && said.contains(message), "{said}");
    }
    assert_eq!(fs::read(&path).expect("games"), text);
}

/// A match of short games, for the file at a path.
fn short_match(path: &str, count: &str) -> Vec<String> {
    let arguments = ["play", "name=a self", "name=b self", "--nodes", "50", "--fen", MATE, "-n", count];
    [&arguments[..], &["--pgn", path, "--resume"]].concat().into_iter().map(str::to_owned).collect()
}

/// A file of games without what tells when they were played and how long it took, and so without the ends of lines.
fn timeless(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("games");
    let is_time = |line: &&str| ["[Date ", "[UTC", "[GameDuration "].iter().any(|tag| line.starts_with(tag));
    let mut text: String = text.split_inclusive('\n').filter(|line| !is_time(line)).collect();
    while let Some(start) = text.find("[%emt ") {
        let length = text[start..].find(']').expect("the end of a command");
        text.replace_range(start..start + length + 1, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cuts a match of short games off at some of its bytes and goes on with it; the file has to be as without that.
fn cut_and_resume(cuts: impl Fn(&str) -> Vec<usize>) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let pgn = path.to_string_lossy().into_owned();
    let arguments = short_match(&pgn, "4");
    let resume = || run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), b"");
    assert!(resume().status.success());
    let (text, expected) = (fs::read_to_string(&path).expect("games"), timeless(&path));
    let cuts = cuts(&text);
    for &cut in &cuts {
        fs::write(&path, &text[..cut]).expect("a file");
        let output = resume();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{cut} bytes: {said}");
        assert_eq!(timeless(&path), expected, "{cut} bytes: {said}");
        // Where only the end of the line is missing, or nothing, no game is torn.
        let is_whole =
            cut == 0 || text[..cut].trim_end().ends_with("} 1-0") || text[..cut].trim_end().ends_with("} 0-1");
        assert_eq!(said.contains("is torn: "), !is_whole, "{cut} bytes: {said}");
    }
    cuts.len()
}

#[test]
fn a_torn_game_is_played_again() {
    cut_and_resume(|text| {
        let second = text.match_indices("[Event ").nth(1).expect("a game").0;
        let end = second + text[second..].find("\n\n[Event ").expect("a game");
        let parts =
            ["[White ", "\n\n", "1. ", "mates", "}"].map(|part| second + text[second..].find(part).expect(part));
        [&parts[..], &[0, 5, second, second + 1, end - 3, end - 2, end - 1, end, end + 1, end + 2]].concat()
    });
}

#[test]
#[ignore = "a minute of short games"]
fn a_match_torn_at_any_byte_goes_on() {
    let count = cut_and_resume(|text| {
        let second = text.match_indices("[Event ").nth(1).expect("a game").0;
        (0..second + text[second..].find("[Event ").map_or(0, |_| second)).chain([text.len()]).collect()
    });
    eprintln!("{count} cuts");
}

#[test]
fn other_games_are_not_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let arguments = short_match(&path.to_string_lossy(), "4");
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    for text in ["[Event \"a friend's\"]\n\n1. e4 e5 2. ", "1. e4 e5 1-0\n\n1. d4", "no games at all"] {
        fs::write(&path, text).expect("a file");
        let output = run(&arguments, b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("is not of this match"), "{said}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), text);
    }
    // What can be read and not added to.
    fs::remove_file(&path).expect("a file");
    assert!(run(&arguments, b"").status.success());
    let games = fs::read_to_string(&path).expect("games");
    let wide = [0xFEFF].into_iter().chain(games.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    fs::write(&path, &wide).expect("a file");
    let output = run(&arguments, b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the file is compressed, or not in UTF-8"));
    assert!(fs::read(&path).expect("a file") == wide);
}

/// Runs the program with files limited to so many blocks of 512 or 1024 bytes, as a full disk would.
#[cfg(unix)]
fn run_with_little_room(blocks: usize, arguments: &[String]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), PROGRAM]).args(arguments);
    command.stdin(Stdio::null()).output().expect("a shell")
}

#[cfg(unix)]
#[test]
fn a_game_for_which_there_is_no_room_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["games.pgn", "other.pgn"].map(|name| folder.path().join(name));
    let arguments = short_match(&path.to_string_lossy(), "12");
    for blocks in 1..=4 {
        let output = run_with_little_room(blocks, &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains("cannot write the games: "), "{said}");
        let text = fs::read_to_string(&path).expect("games");
        assert!(text.is_empty() || text.ends_with("\n\n") && text.len() <= 1024 * blocks, "{text}");
        assert!(PgnReader::new(text.as_bytes()).all(|game| game.is_ok_and(|game| game.result.is_some())), "{text}");
    }
    let rest = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), b"");
    assert!(rest.status.success());
    let whole = short_match(&other.to_string_lossy(), "12");
    assert!(run(&whole.iter().map(String::as_str).collect::<Vec<_>>(), b"").status.success());
    assert_eq!(timeless(&path), timeless(&other));
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "mounts a disk"]
fn a_match_on_a_full_disk_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.pgn");
    let play = |path: &Path, count: &str| {
        let pgn = path.to_string_lossy();
        let arguments = ["play", "-n", count, "--nodes", "300", "self", "name=B option.MultiPV=2 self", "--resume"];
        let output = run(&[&arguments[..], &["--pgn", &pgn]].concat(), b"");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(play(&whole, "40").0, Some(0));
    for kib in [16, 24, 40, 48, 64] {
        let Some(disk) = SmallDisk::mount(kib) else { return };
        let path = disk.path().join("games.pgn");
        let (status, said) = play(&path, "40");
        assert!(status == Some(2) && said.contains("No space left on device"), "{said}");
        assert!(PgnReader::new(&fs::read(&path).expect("games")[..]).all(|game| game.is_ok()), "{kib} KiB");
        disk.grow_to(10_000);
        let (status, said) = play(&path, "40");
        assert_eq!(status, Some(0), "{said}");
        assert!(timeless(&path) == timeless(&whole), "{kib} KiB");
    }
}

#[test]
fn a_resumed_match_has_the_options_it_was_begun_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn").to_string_lossy().into_owned();
    let common = ["--nodes", "50", "--fen", MATE, "--pgn", &pgn, "--option2", "Hash=2", "--resume"];
    let resume = |more: &[&str]| run(&[&["play"][..], &common, more].concat(), b"").status.code();
    assert_eq!(resume(&["-n", "1"]), Some(0));
    assert!(fs::read_to_string(&pgn).expect("a game").contains("[BlackOptions \"Hash=2\"]"));
    assert_eq!(resume(&["-n", "3", "--option2", "Hash=4"]), Some(2));
    assert_eq!(resume(&["-n", "3"]), Some(0));
    assert_eq!(PgnReader::new(&fs::read(&pgn).expect("games")[..]).count(), 3);
}

#[test]
fn what_cannot_be_started_is_said() {
    for (arguments, message) in [
        (&["/no/such/engine"][..], "/no/such/engine: cannot be started"),
        (&["--fen", "nonsense"], "--fen: "),
        (&["--openings", "/no/such/file"], "--openings: "),
        (&["-o", "Nonsense=1"], "self has no option \"Nonsense\""),
        (&["--tc", "1e9"], "invalid value '1e9' for '--tc"),
        (&["''"], "there is no command line"),
        (&["name= self"], "a name is expected"),
        (&["--resume"], "--pgn"),
        (&["--sprt", "5,0"], "the first Elo must be less"),
        (&["self", "self", "self", "--sprt", "0,5"], "--sprt is for two engines, not for 3"),
        (&["-n", "0"], "0 is not in 1.."),
    ] {
        let output = run(&[&["play"], arguments].concat(), b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(message), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn help_is_at_hand() {
    let help = |arguments: &[&str]| String::from_utf8_lossy(&run(arguments, b"").stdout).into_owned();
    assert!(help(&["play", "--help"]).contains("common match runners differ"));
    let all = help(&["--help"]);
    assert!(all.contains("\n  play ") && all.contains("position startpos"), "{all}");
}

#[test]
fn clear_games_are_adjudicated_where_that_is_asked_for() {
    let lost = "4k3/8/8/8/8/8/4P3/QQ2K3 w - - 0 1";
    let (games, _) = play(&["--fen", lost, "--nodes", "200", "--resign", "500,2,twosided"]);
    let (result, termination, reason) = end(&games[0]);
    assert_eq!((&result[..], &termination[..]), ("1-0", "adjudication"));
    assert!(reason.contains("White wins by adjudication: 2 moves of scores at or below -5.00."), "{reason}");
    assert!(games[0].tree.main_moves().count() <= 6 && games[0].tags.get("Result") == Some("1-0"));

    let level = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 40";
    let (games, _) = play(&["--fen", level, "--nodes", "200", "--draw", "3,1,1000000"]);
    let (result, termination, reason) = end(&games[0]);
    assert_eq!((&result[..], &termination[..]), ("1/2-1/2", "adjudication"), "{reason}");
    assert!(games[0].tree.main_moves().count() >= 6);

    // A mate comes before what its score says.
    let (games, _) = play(&["--fen", "k7/7R/1K6/8/8/8/8/8 w - - 0 1", "--nodes", "200", "--resign", "1,1"]);
    assert_eq!(end(&games[0]), ("1-0".to_owned(), "normal".to_owned(), "White mates.".to_owned()));
}

#[test]
fn endgame_tables_end_games() {
    let Some(data) = std::env::var_os("VANCURA_TEST_DATA").filter(|value| !value.is_empty()) else {
        eprintln!("SKIPPED: VANCURA_TEST_DATA is not set");
        return;
    };
    let tables = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(data).join("syzygy");
    let tables = tables.to_str().expect("a plain path");
    // The pawn is taken at once, and what is left is in the tables.
    let (games, _) = play(&["--fen", "8/8/8/3k4/8/8/3pK3/7R w - - 9 50", "--nodes", "500", "--tb", tables]);
    let (result, termination, reason) = end(&games[0]);
    assert_eq!((&result[..], &termination[..]), ("1-0", "adjudication"), "{reason}");
    assert!(reason.contains("by endgame tables"), "{reason}");
    let output = run(&["play", "--tb", "/nowhere/at/all"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no endgame tables in /nowhere/at/all"));
}

#[test]
fn a_random_order_depends_on_its_seed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let mates: Vec<_> = (1..7).map(|rank| format!("k7/7R/1K6/8/8/8/8/8 w - - {rank} 40\n")).collect();
    fs::write(&book, mates.concat()).unwrap();
    let openings = |more: &[&str]| {
        let arguments = [&["--openings", book.to_str().unwrap(), "-n", "12", "--nodes", "1"], more].concat();
        let (games, _) = play(&arguments);
        games.iter().map(|game| game.tags.get("FEN").unwrap().to_owned()).collect::<Vec<_>>()
    };
    let [ordered, one, again, other] = [
        openings(&[]),
        openings(&["--order", "random", "--seed", "5"]),
        openings(&["--order", "random", "--seed", "5"]),
        openings(&["--order", "random", "--seed", "6"]),
    ];
    assert_eq!(one, again);
    assert!(one != ordered && one != other);
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(one.clone()), sorted(ordered));
    // Each is played with both colours all the same.
    assert!(one.chunks(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn results_are_kept_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    let file = path.to_str().unwrap();
    play(&["-n", "4", "--nodes", "100", "--fen", "k7/7R/1K6/8/8/8/8/8 w - - 0 1", "--json", file, "--sprt", "0,5"]);
    let text = fs::read_to_string(&path).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let pairing = &summary["pairings"][0];
    assert_eq!((&pairing["games"], &pairing["wins"], &pairing["losses"]), (&4.into(), &2.into(), &2.into()));
    assert_eq!(pairing["pairs"], serde_json::json!([0, 0, 2, 0, 0]));
    assert!(pairing["sprt"]["llr"].is_number() && pairing["sprt"]["decision"].is_null());
    let output = run(&["play", "--json", file, "--pgn", file], b"");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}
