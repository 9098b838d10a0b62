//! The index of an explorer, damaged and forged.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use explorer::{Answer, Index, IndexWriter, Kind, read_games};
use movegen::Board;

use super::{Scratch, damaged};

/// What a page takes, and what of it is contents.
const PAGE: usize = 4096;
const CONTENTS: usize = PAGE - 4;

/// A damaged index is refused or answers as it did; one that is forged, with the right checksums, ends nothing. The data is
/// taken as a whole file, and as changes of a sound one.
///
/// # Panics
///
/// If it does not hold.
pub fn check(data: &[u8]) {
    let scratch = Scratch::new();
    // Whatever it is.
    answers(&scratch.file("index", data));
    let mut bytes = damaged(&sound().0, data, |place| place);
    for (answer, expected) in answers(&scratch.file("index", &bytes)).into_iter().zip(&sound().1) {
        assert!(answer.is_none_or(|answer| answer == *expected), "another answer");
    }
    for (number, page) in bytes.chunks_exact_mut(PAGE).enumerate() {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&page[..CONTENTS]);
        hasher.update(&(number as u64).to_le_bytes());
        page[CONTENTS..].copy_from_slice(&hasher.finalize().to_le_bytes());
    }
    answers(&scratch.file("index", &bytes));
}

/// What an index says of some positions; `None` for an error.
fn answers(path: &Path) -> Vec<Option<Answer>> {
    let Ok(index) = Index::open(path) else { return Vec::new() };
    let mut board = Board::start();
    let mut answers = Vec::new();
    for mv in ["e4", "e5", "Nf3", "Nc6"] {
        answers.push(index.look_up(&board, Kind::Standard).ok());
        board.play(board.parse_san(mv).expect("a legal move"), &mut ());
    }
    for answer in answers.iter().flatten() {
        let _ = answer.games();
        for game in answer.top.iter().chain(&answer.newest) {
            // Its file is not there any more.
            assert!(index.game(&game.id).is_err());
        }
    }
    answers
}

/// An index and what it says.
fn sound() -> &'static (Vec<u8>, Vec<Answer>) {
    static SOUND: OnceLock<(Vec<u8>, Vec<Answer>)> = OnceLock::new();
    SOUND.get_or_init(|| {
        let scratch = Scratch::new();
        let text: String = (0..60).map(|number| game(number) + "\n\n").collect();
        let files = [scratch.file("games.pgn", text.as_bytes())];
        let path = scratch.path("index");
        let mut index = IndexWriter::create(&path, 60).expect("a new index");
        read_games::<(PathBuf, io::Error)>(&files, |game, place| {
            index.add(game, place).map_err(|error| (path.clone(), error))
        })
        .expect("the games can be read");
        index.commit(&files).expect("the index can be written");
        fs_err::remove_file(&files[0]).expect("the games can be removed");
        let answers = answers(&path).into_iter().map(|answer| answer.expect("an answer")).collect();
        (fs_err::read(path).expect("the index is there"), answers)
    })
}

fn game(number: usize) -> String {
    let moves = ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 e5 2. Nf3 d6", "1. e4 c5", "1. d4 d5 2. c4"][number % 4];
    let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
    format!("[White \"Player {number}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"2000\"]\n\n{moves} {result}", 1500 + number)
}
