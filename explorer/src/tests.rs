//! Indices as a whole: what they say, and what becomes of damaged ones.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use movegen::Board;
use pgn::PgnReader;

use crate::{Answer, Collection, Index, IndexError, IndexWriter, Kind, read_games};

/// Builds an index of a file beside it.
fn index_of(file: &Path, plies: usize) -> PathBuf {
    let path = file.with_extension("index");
    let mut index = IndexWriter::create(&path, plies).unwrap();
    let files = [file.to_owned()];
    read_games(&files, |game, place| -> Result<(), (PathBuf, std::io::Error)> {
        index.add(game, place).unwrap();
        Ok(())
    })
    .unwrap();
    index.commit(&files).unwrap();
    path
}

fn collection_of(text: &str) -> Collection {
    let mut collection = Collection::default();
    // Named so that their order is that of the file.
    for (number, game) in PgnReader::new(text.as_bytes()).enumerate() {
        assert!(collection.put(&format!("{number:06}"), 0, &game.unwrap()));
    }
    collection
}

/// Games that differ from each other and share their first moves.
fn many_games(count: usize) -> String {
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    let game = |number: usize| {
        let mut board = Board::start();
        let mut random = number as u64 + 1;
        let mut moves = String::new();
        for ply in 0..20 {
            let legal = board.legal_moves();
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            // Few moves at first, so that many games share them.
            let choices = legal.len().min(if ply < 6 { 2 } else { 20 });
            let Some(&mv) = legal.get((random >> 33) as usize % choices.max(1)) else { break };
            moves.push_str(&format!("{} ", board.san(mv)));
            board.play(mv, &mut ());
        }
        let (result, rating) = (results[number % 4], 1500 + number * 7 % 900);
        format!(
            "[White \"White {number}\"]\n[Black \"Black\"]\n[WhiteElo \"{rating}\"]\n[BlackElo \"2000\"]\n\
             [Date \"{}.01.{:02}\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n",
            1990 + number % 30,
            1 + number % 28,
        )
    };
    (0..count).map(game).collect()
}

/// An answer without what tells of the source.
fn bare(mut answer: Answer) -> Answer {
    for game in answer.top.iter_mut().chain(&mut answer.newest) {
        game.id = game.id.parse::<u32>().map_or_else(|_| game.id.clone(), |id| id.to_string());
        (game.file, game.line) = (None, 0);
    }
    answer
}

#[test]
fn the_index_says_what_the_games_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let text = many_games(600);
    fs::write(&file, &text).unwrap();
    let index = Index::open(&index_of(&file, 60)).unwrap();
    let collection = collection_of(&text);
    assert_eq!((index.games(), index.plies(), collection.len()), (600, 60, 600));
    let mut boards = Vec::new();
    for game in PgnReader::new(text.as_bytes()).take(40) {
        boards.extend(game.unwrap().tree.main_line().map(|(_, board)| board));
    }
    let mut most = 0;
    for board in &boards {
        let answer = index.look_up(board, Kind::Standard).unwrap();
        assert!(!answer.moves.is_empty(), "{}", answer.fen);
        most = most.max(answer.games());
        assert_eq!(bare(answer), bare(collection.look_up(board, Kind::Standard, "")));
    }
    assert_eq!(most, 600);
    let start = index.look_up(&Board::start(), Kind::Standard).unwrap();
    assert_eq!((start.moves.len(), start.top.len(), start.newest.len()), (2, 8, 8));
    let row = &start.top[0];
    assert_eq!(row.white_rating, start.top.iter().filter_map(|row| row.white_rating).max());
    // A game is found again where it stands.
    let game = index.game(&row.id).unwrap();
    assert!(game.contains(&format!("[White \"{}\"]", row.white)), "{game}");
    let line = text.lines().nth(row.line as usize - 1);
    assert_eq!(line, Some(&format!("[White \"{}\"]", row.white)[..]));
    assert!(matches!(index.game("600"), Err(IndexError::NoGame(_))));
    // The same games make the same file.
    let before = fs::read(file.with_extension("index")).unwrap();
    assert_eq!(fs::read(index_of(&file, 60)).unwrap(), before);
}

#[test]
fn positions_are_found_whichever_moves_led_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    // The last comes to the position twice and makes the same move.
    let text = "1. d4 Nf6 2. c4 e6 1-0\n\n1. c4 e6 2. d4 Nf6 0-1\n\n1. d4 e6 2. c4 Nf6 3. Nc3 Ng8 4. Nb1 Nf6 *\n\n";
    fs::write(&file, text).unwrap();
    let index = Index::open(&index_of(&file, 60)).unwrap();
    let board = |moves: &str| {
        let mut board = Board::start();
        moves.split(' ').for_each(|mv| board.play(board.parse_san(mv).unwrap(), &mut ()));
        board
    };
    let answer = index.look_up(&board("d4 Nf6 c4"), Kind::Standard).unwrap();
    assert_eq!(answer.moves.iter().map(|row| (&row.san[..], row.games)).collect::<Vec<_>>(), [("e6", 1)]);
    let answer = index.look_up(&board("d4 e6 c4"), Kind::Standard).unwrap();
    let rows: Vec<_> = answer.moves.iter().map(|row| (&row.san[..], row.games, row.white, row.black)).collect();
    assert_eq!(rows, [("Nf6", 2, 0, 1)]);
    let named = index.look_up(&board("d4 Nf6"), Kind::Standard).unwrap();
    assert_eq!(named.opening.as_ref().map(|[code, _]| &code[..]), Some("A45"));
    let after = index.look_up(&board("d4 Nf6 c4 e6"), Kind::Standard).unwrap();
    assert_eq!(after.games(), 1, "two of the three end here");
}

#[test]
fn games_end_where_they_are_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    fs::write(&file, "1. d4 Nf6 2. c4 e6 1-0\n\n1. d4 -- 2. e4 *\n\n").unwrap();
    let index = Index::open(&index_of(&file, 1)).unwrap();
    let mut board = Board::start();
    assert_eq!(index.look_up(&board, Kind::Standard).unwrap().games(), 2);
    board.play(board.parse_san("d4").unwrap(), &mut ());
    assert_eq!(index.look_up(&board, Kind::Standard).unwrap().games(), 0);
    let whole = Index::open(&index_of(&file, 60)).unwrap();
    assert_eq!(whole.look_up(&board, Kind::Standard).unwrap().games(), 1, "a turn that is passed ends a game");
}

#[test]
fn chess960_is_told_from_standard_chess() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let start =
        "[Variant \"Chess960\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \"1\"]";
    let other =
        "[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n[SetUp \"1\"]";
    fs::write(&file, format!("1. e4 *\n\n{start}\n\n1. d4 *\n\n{other}\n\n1. g3 *\n\n")).unwrap();
    let index = Index::open(&index_of(&file, 60)).unwrap();
    let moves = |board: &Board, kind| {
        let answer = index.look_up(board, kind).unwrap();
        answer.moves.into_iter().map(|row| row.uci).collect::<Vec<_>>()
    };
    assert_eq!(moves(&Board::start(), Kind::Standard), ["e2e4"]);
    assert_eq!(moves(&Board::start(), Kind::Chess960), ["d2d4"]);
    let other = Board::from_fen("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1").unwrap();
    assert_eq!(moves(&other, Kind::of_board(&other)), ["g2g3"]);
}

#[test]
fn compressed_games_are_found_again_and_changed_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn.gz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(many_games(30).as_bytes()).unwrap();
    fs::write(&file, packed.finish().unwrap()).unwrap();
    let index = Index::open(&index_of(&file, 60)).unwrap();
    assert!(index.game("29").unwrap().contains("[White \"White 29\"]"));
    fs::write(&file, many_games(30).split_off(10)).unwrap();
    assert!(matches!(index.game("29"), Err(IndexError::Changed(_))));
    fs::remove_file(&file).unwrap();
    assert!(matches!(index.game("29"), Err(IndexError::Read { .. })));
}

#[test]
fn an_index_that_is_none_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.index");
    let text = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Index::open(&path).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(text(b"").contains("no index") && text(b"[Event \"x\"]\n\n1. e4 *\n").contains("no index"));
    assert!(text(&[0; 8192]).contains("no index") && text(b"Vancura explorer").contains("damaged"));
    let games = folder.path().join("games.pgn");
    fs::write(&games, many_games(300)).unwrap();
    let whole = fs::read(index_of(&games, 60)).unwrap();
    assert_eq!(text(&whole), "");
    let mut future = whole.clone();
    future[16] = 2;
    assert!(text(&future).contains("another version (form 2, and this version reads 1)"));
    for length in [20, 4096, 4097, 8192, whole.len() - 4096, whole.len() - 1] {
        assert!(text(&whole[..length]).contains("damaged"), "{length}");
    }
    assert!(Index::open(folder.path()).is_err() && Index::open(&folder.path().join("none")).is_err());
}

#[test]
fn damage_is_an_error_and_never_another_answer() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    let text = many_games(300);
    fs::write(&games, &text).unwrap();
    let path = index_of(&games, 60);
    let whole = fs::read(&path).unwrap();
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    let boards: Vec<_> = game.tree.main_line().map(|(_, board)| board).collect();
    let answers =
        |index: &Index| -> Vec<_> { boards.iter().map(|board| index.look_up(board, Kind::Standard)).collect() };
    let expected: Vec<_> = answers(&Index::open(&path).unwrap()).into_iter().map(Result::unwrap).collect();
    let mut damaged = 0;
    for place in (16..whole.len()).step_by(1001) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&path, bytes).unwrap();
        let Ok(index) = Index::open(&path) else {
            damaged += 1;
            continue;
        };
        for (answer, expected) in answers(&index).into_iter().zip(&expected) {
            match answer {
                Ok(answer) => assert_eq!(answer, *expected, "{place}"),
                Err(error) => {
                    assert!(matches!(error, IndexError::Damaged(_)), "{error}");
                    damaged += 1;
                }
            }
        }
    }
    assert!(damaged > 10, "{damaged}");
}

#[test]
fn games_of_a_collection_come_and_go() {
    let game = |text: &str| PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    let mut collection = Collection::default();
    assert!(collection.put("one", 1, &game("1. e4 1-0")));
    assert!(collection.put("two", 1, &game("1. d4 0-1")));
    let moves = |collection: &Collection| {
        let answer = collection.look_up(&Board::start(), Kind::Standard, "");
        answer.moves.into_iter().map(|row| row.san).collect::<Vec<_>>()
    };
    assert_eq!(moves(&collection), ["d4", "e4"]);
    let without = collection.look_up(&Board::start(), Kind::Standard, "one");
    assert_eq!((without.games(), &without.top[0].id[..]), (1, "two"));
    assert!(collection.has("one", 1) && !collection.has("one", 2) && !collection.has("three", 1));
    assert!(collection.put("one", 2, &game("1. c4 1-0")));
    collection.retain(|id| id == "one");
    assert_eq!((moves(&collection), collection.len()), (vec!["c4".to_owned()], 1));
}

#[test]
fn a_collection_takes_no_more_memory_than_it_may() {
    let games: Vec<_> = PgnReader::new(many_games(100).as_bytes()).map(Result::unwrap).collect();
    let mut collection = Collection::with_limit(20_000);
    let put = |collection: &mut Collection| {
        (0..games.len()).filter(|&number| collection.put(&number.to_string(), 0, &games[number])).count()
    };
    let count = put(&mut collection);
    assert!((20..60).contains(&count), "{count}");
    assert_eq!(
        (collection.len(), collection.look_up(&Board::start(), Kind::Standard, "").games()),
        (count, count as u64)
    );
    // A game takes the place that it had, and one that is gone leaves its own to others.
    assert!(collection.put("3", 1, &games[3]) && collection.has("3", 1) && collection.len() == count);
    collection.retain(|_| false);
    assert_eq!((collection.len(), put(&mut collection)), (0, count));
    assert!(!Collection::with_limit(0).put("0", 0, &games[0]));
}

#[test]
fn it_is_told_how_many_moves_are_sorted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    fs::write(&file, many_games(1000)).unwrap();
    let mut index = IndexWriter::create(&file.with_extension("index"), 60).unwrap();
    let files = [file];
    read_games(&files, |game, place| -> Result<(), (PathBuf, std::io::Error)> {
        index.add(game, place).unwrap();
        Ok(())
    })
    .unwrap();
    let (moves, mut told) = (index.moves(), Vec::new());
    index.commit_telling(&files, |done| told.push(done)).unwrap();
    assert!(moves > 16_384 && told.len() == 2 && told.is_sorted() && told[1] < moves, "{told:?} of {moves}");
}
