//! Results of a store as JSON Lines.

use std::path::Path;

use analysis::AnalyseError;
use analysis::store_command::{self, StoreArguments};
use clap::Parser;
use store::StoreReader;

use super::Scratch;

/// The most bytes of an input: a long one says no more than several short ones.
const MAX: usize = 1 << 13;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: StoreArguments,
}

/// What can be read of an input is imported, comes out again, and is read as the same results.
///
/// # Panics
///
/// If it is not so.
pub fn check(data: &[u8]) {
    let scratch = Scratch::new();
    let input = scratch.file("in.jsonl", &data[..data.len().min(MAX)]);
    let [store, rows, other, again] = ["store", "rows.jsonl", "other", "again.jsonl"].map(|name| scratch.path(name));
    match task(&["import".as_ref(), &store, &input]) {
        Ok(()) | Err(AnalyseError::BrokenResults { .. }) => {}
        // What is packed and damaged from its beginning on cannot be opened.
        Err(AnalyseError::Open(_)) => return,
        Err(error) => panic!("{error}"),
    }
    for (store, rows) in [(&store, &rows), (&other, &again)] {
        if store == &other {
            assert!(task(&["import".as_ref(), store, &scratch.path("rows.jsonl")]).is_ok());
        }
        assert!(task(&["export".as_ref(), store, "-o".as_ref(), rows]).is_ok());
    }
    assert!(fs_err::read(rows).expect("rows") == fs_err::read(again).expect("rows"));
    let count = |path: &Path| StoreReader::open(path).and_then(|reader| reader.summary()).expect("a store").records;
    assert_eq!(count(&store), count(&other));
}

fn task(words: &[&Path]) -> Result<(), AnalyseError> {
    let line = [Path::new("store")].into_iter().chain(words.iter().copied());
    let arguments = CommandLine::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).arguments;
    store_command::run(&arguments)
}
