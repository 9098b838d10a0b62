//! The store of what an analysis found, damaged.

use std::path::Path;
use std::sync::OnceLock;

use movegen::Board;
use search::{Bound, FoundLine, Score};
use store::{Identity, Key, Record, Store};

use super::{Scratch, damaged};

/// How many results the sound store has.
const RECORDS: usize = 40;

/// A damaged store is refused and stays as it is, or what is in it is right. The data is taken as a whole file, and as
/// changes of a sound one.
///
/// # Panics
///
/// If it is not.
pub fn check(data: &[u8]) {
    let scratch = Scratch::new();
    check_store(&scratch, data);
    // Most of what matters is at the beginning of the file and of its pages.
    let bytes = damaged(sound(), data, |place| if place.is_multiple_of(2) { place % 512 } else { place });
    check_store(&scratch, &bytes);
}

fn check_store(scratch: &Scratch, bytes: &[u8]) {
    let path = scratch.file("store", bytes);
    match Store::open(&path, &identity()) {
        // An empty file becomes a new store.
        Ok(_) if bytes.is_empty() => {}
        Ok(store) => {
            for (key, record) in records() {
                assert_eq!(store.get(&key).expect("the store can be read"), Some(record));
            }
        }
        Err(error) => {
            assert!(fs_err::read(&path).expect("the file is there") == bytes, "the file was changed: {error}");
        }
    }
}

fn sound() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let scratch = Scratch::new();
        let path = scratch.path("store");
        fill(&path);
        fs_err::read(path).expect("the store is there")
    })
}

fn fill(path: &Path) {
    let store = Store::open(path, &identity()).expect("a new store");
    for record in records() {
        store.add([record]).and_then(|()| store.flush()).expect("the store can be written");
    }
}

fn identity() -> Identity {
    Identity { engine: "Fuzz".to_owned(), network: "0".to_owned() }
}

fn records() -> impl Iterator<Item = (Key, Record)> {
    let moves = Board::start().legal_moves().to_vec();
    (0..RECORDS).map(move |number| {
        let board = Board::start().after(moves[number % moves.len()]);
        let line = FoundLine { score: Score(7), bound: Bound::Exact, moves: board.legal_moves().to_vec() };
        let nodes = number as u64;
        let record = Record { depth: 5, seldepth: 9, nodes, limits: 1, tables: 0, is_general: true, lines: vec![line] };
        (Key::new(&board, [(number / moves.len()) as u8; 16]), record)
    })
}
