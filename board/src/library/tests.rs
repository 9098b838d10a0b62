use std::collections::BTreeSet;
use std::thread;

use super::*;

const GAME: &str =
    "[Event \"One\"]\n[White \"Müller\"]\n[Black \"Kim\"]\n[Date \"2024.05.01\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
const OTHER: &str = "[Event \"Two\"]\n[White \"Ana\"]\n[Black \"Bo\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 0-1\n";

fn id(name: &str) -> Identity {
    Identity::new(name).unwrap()
}

fn library() -> (Library, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Library::new(&folder.path().join("data")), folder)
}

fn listed(library: &Library, query: &str) -> Vec<Listed> {
    let (total, games) = library.list(false, &Query::new(query), Sort::default(), 0, 100_000).unwrap();
    assert_eq!(total, games.len());
    games
}

fn ids(games: &[Listed]) -> BTreeSet<&str> {
    games.iter().map(|game| &game.id[..]).collect()
}

#[test]
fn a_game_is_saved_changed_removed_and_restored() {
    let (library, _folder) = library();
    assert!(listed(&library, "").is_empty());
    let first = library.put(&id("a"), 0, GAME).unwrap();
    assert_eq!((&first.id[..], &first.forked_from), ("a", &None));
    let stored = library.get(&id("a")).unwrap();
    assert_eq!((stored.revision, &stored.pgn[..]), (first.revision, GAME));
    let second = library.put(&id("a"), first.revision, OTHER).unwrap();
    assert!(second.forked_from.is_none() && second.revision != first.revision);
    assert_eq!(library.get(&id("a")).unwrap().pgn, OTHER);
    let games = listed(&library, "");
    assert_eq!((games.len(), games[0].entry.plies, &games[0].entry.tags["White"][..]), (1, 3, "Ana"));
    assert_eq!(games[0].entry.revision, second.revision);
    library.remove(&id("a")).unwrap();
    assert!(listed(&library, "").is_empty());
    assert!(matches!(library.get(&id("a")), Err(LibraryError::NoGame(_))));
    assert!(matches!(library.remove(&id("a")), Err(LibraryError::NoGame(_))));
    let (total, _) = library.list(true, &Query::default(), Sort::default(), 0, 9).unwrap();
    assert_eq!(total, 1);
    assert_eq!(library.restore(&id("a")).unwrap(), second);
    assert_eq!(library.get(&id("a")).unwrap().pgn, OTHER);
    assert!(matches!(library.restore(&id("a")), Err(LibraryError::NoGame(_))));
}

#[test]
fn an_old_revision_becomes_a_second_game() {
    let (library, _folder) = library();
    let first = library.put(&id("a"), 0, GAME).unwrap();
    let second = library.put(&id("a"), first.revision, OTHER).unwrap();
    let text = GAME.replace("e5", "c5");
    for revision in [0, first.revision, 12_345] {
        let fork = library.put(&id("a"), revision, &text).unwrap();
        assert_eq!(fork.forked_from.as_deref(), Some("a"));
        assert_eq!(library.get(&id(&fork.id)).unwrap().pgn, text);
    }
    assert_eq!(library.get(&id("a")).unwrap().pgn, OTHER);
    // The same text again, since the answer was lost: nothing happens.
    assert_eq!(library.put(&id("a"), first.revision, OTHER).unwrap(), second);
    assert_eq!(listed(&library, "").len(), 4);
    // A game that is gone meanwhile is written again.
    library.remove(&id("a")).unwrap();
    assert!(library.put(&id("a"), second.revision, GAME).unwrap().forked_from.is_none());
    // And the one in the bin does not take its place.
    let restored = library.restore(&id("a")).unwrap();
    assert_eq!(restored.forked_from.as_deref(), Some("a"));
    assert_eq!(library.get(&id(&restored.id)).unwrap().pgn, OTHER);
    assert_eq!(library.get(&id("a")).unwrap().pgn, GAME);
}

#[test]
fn the_bin_keeps_all_that_was_removed() {
    let (library, _folder) = library();
    for number in 0..3 {
        library.put(&id("a"), 0, &GAME.replace("One", &format!("No. {number}"))).unwrap();
        library.remove(&id("a")).unwrap();
    }
    let (total, _) = library.list(true, &Query::default(), Sort::default(), 0, 9).unwrap();
    assert_eq!(total, 3);
    // The one removed last comes back by its name.
    library.restore(&id("a")).unwrap();
    assert!(library.get(&id("a")).unwrap().pgn.contains("No. 2"));
    library.restore(&id("a.2")).unwrap();
    assert!(library.get(&id("a.2")).unwrap().pgn.contains("No. 0"));
}

#[test]
fn files_of_others_are_listed_with_what_is_wrong_and_never_overwritten() {
    let (library, folder) = library();
    library.put(&id("a"), 0, GAME).unwrap();
    let games = folder.path().join("data/games");
    let two = format!("{GAME}\n{OTHER}");
    let files: [(&str, &[u8]); 7] = [
        ("By hand.pgn", GAME.as_bytes()),
        ("two.pgn", two.as_bytes()),
        ("empty.pgn", b""),
        ("noise.pgn", &[0xFF, 0x00, 0x80, 0x0A].repeat(100)),
        ("fen.pgn", b"[White \"W\"]\n[FEN \"none\"]\n\n1. e4 *\n"),
        ("move.pgn", b"[White \"V\"]\n\n1. e4 e5 2. Ke5 *\n"),
        ("notes.txt", b"not listed"),
    ];
    for (name, bytes) in files {
        fs::write(games.join(name), bytes).unwrap();
    }
    fs::create_dir(games.join("folder.pgn")).unwrap();
    let mut expected = ["By hand", "a", "empty", "fen", "folder", "move", "noise", "two"].map(str::to_owned).to_vec();
    if cfg!(unix) {
        for name in ["a:b.pgn", "what?.pgn", "OLD.PGN", "con.pgn"] {
            fs::write(games.join(name), GAME).unwrap();
            expected.push(name.to_owned());
        }
    }
    let list = listed(&library, "");
    assert_eq!(ids(&list), expected.iter().map(String::as_str).collect());
    for game in &list {
        let is_whole = ["a", "By hand"].contains(&&game.id[..]);
        assert_eq!(game.entry.problem.is_none(), is_whole, "{game:?}");
    }
    let problem = |name: &str| list.iter().find(|game| game.id == name).unwrap().entry.problem.clone().unwrap();
    assert!(problem("two").contains("2 games") && problem("empty").contains("no game"), "{list:?}");
    assert!(problem("move").contains("line 3"), "{}", problem("move"));
    for name in ["two", "empty", "noise", "fen"] {
        let before = fs::read(games.join(format!("{name}.pgn"))).unwrap();
        let revision = library.get(&id(name)).unwrap().revision;
        let saved = library.put(&id(name), revision, OTHER).unwrap();
        assert_eq!(saved.forked_from.as_deref(), Some(name));
        assert_eq!(fs::read(games.join(format!("{name}.pgn"))).unwrap(), before, "{name}");
    }
    // A file that was edited by hand has another revision.
    let revision = library.get(&id("a")).unwrap().revision;
    fs::write(games.join("a.pgn"), OTHER).unwrap();
    assert_eq!(
        library.put(&id("a"), revision, &GAME.replace("One", "Three")).unwrap().forked_from.as_deref(),
        Some("a")
    );
    assert_eq!(library.get(&id("a")).unwrap().pgn, OTHER);
    assert_eq!(listed(&library, "two").iter().filter(|game| game.id == "a").count(), 1);
}

#[test]
fn the_list_is_rebuilt_whatever_becomes_of_it() {
    let (library, folder) = library();
    for number in 0..WORTH {
        library.put(&id(&format!("g{number}")), 0, &GAME.replace("One", &format!("No. {number}"))).unwrap();
    }
    let list = |folder: &Path| {
        let games = listed(&Library::new(folder), "");
        games.into_iter().map(|game| (game.id, game.entry)).collect::<std::collections::BTreeMap<_, _>>()
    };
    let data = folder.path().join("data");
    let expected = list(&data);
    assert_eq!(expected.len(), WORTH);
    let file = data.join("games.json");
    let whole = fs::read(&file).unwrap();
    assert_eq!(list(&data), expected);
    for bytes in [&b""[..], b"{", b"[]", b"{\"version\": 99, \"games\": {}}", &whole[..whole.len() / 2], &[0xFF; 100]] {
        fs::write(&file, bytes).unwrap();
        assert_eq!(list(&data), expected);
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(list(&data), expected);
    fs::remove_file(data.join("games/g3.pgn")).unwrap();
    assert_eq!(list(&data).len(), WORTH - 1);
}

/// More than so many that the list is written.
const WORTH: usize = 40;

#[test]
fn ten_thousand_games_are_listed_and_found() {
    let (library, folder) = library();
    let games = folder.path().join("data/games");
    fs::create_dir_all(&games).unwrap();
    for number in 0..10_000 {
        let text =
            GAME.replace("Müller", &format!("Player {number}")).replace("Kim", &format!("Opponent {}", number % 100));
        fs::write(games.join(format!("game-{number}.pgn")), text).unwrap();
    }
    let (total, page) = library.list(false, &Query::default(), Sort::named("white").unwrap(), 0, 50).unwrap();
    assert_eq!((total, page.len(), &page[1].entry.tags["White"][..]), (10_000, 50, "Player 1"));
    assert_eq!(listed(&library, "white:\"player 777\"").len(), 11);
    assert_eq!(listed(&library, "\"opponent 77\"").len(), 100);
    assert_eq!(listed(&Library::new(&folder.path().join("data")), "2024.05 1-0").len(), 10_000);
}

#[test]
fn two_programs_on_one_folder_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let libraries = [(); 4].map(|()| Library::new(folder.path()));
    let first = libraries[0].put(&id("a"), 0, GAME).unwrap();
    let text = |writer: usize, turn: usize| GAME.replace("One", &format!("writer {writer} turn {turn}"));
    thread::scope(|scope| {
        for (writer, library) in libraries.iter().enumerate() {
            let mut revision = first.revision;
            scope.spawn(move || {
                for turn in 0..25 {
                    let saved = library.put(&id("a"), revision, &text(writer, turn)).unwrap();
                    if saved.forked_from.is_none() {
                        revision = saved.revision;
                    }
                }
            });
        }
    });
    let texts: BTreeSet<_> =
        listed(&libraries[0], "").iter().map(|game| libraries[0].get(&id(&game.id)).unwrap().pgn).collect();
    let own = libraries[0].get(&id("a")).unwrap().pgn;
    // All that was saved is there, but what its own writer replaced.
    let owner = (0..4).find(|writer| own.contains(&format!("writer {writer} "))).unwrap();
    for writer in (0..4).filter(|&writer| writer != owner) {
        let last = (0..25).rev().find(|&turn| texts.contains(&text(writer, turn)));
        assert_eq!(last, Some(24), "writer {writer}");
    }
    assert!(texts.contains(&text(owner, 24)));
}

#[test]
fn what_cannot_be_saved_is_told_and_harms_nothing() {
    let (library, _folder) = library();
    assert!(matches!(library.put(&id("a"), 0, " \n"), Err(LibraryError::Empty)));
    let long = "x".repeat(MAX_GAME as usize + 1);
    assert!(matches!(library.put(&id("a"), 0, &long), Err(LibraryError::TooLong(_))));
    assert!(listed(&library, "").is_empty());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "kept").unwrap();
    let library = Library::new(&file);
    assert!(matches!(library.put(&id("a"), 0, GAME), Err(LibraryError::Write(_))));
    assert_eq!(fs::read(&file).unwrap(), b"kept");
}
