//! Lists of positions: FEN, EPD, tables and JSON Lines.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use analysis::{AnalyseArguments, AnalyseError, run_until};
use clap::Parser;
use movegen::Board;
use serde_json::Value;

use super::Scratch;

/// The most bytes of a list: a long one says no more than several short ones.
const MAX: usize = 1 << 12;

/// The forms by the names of files; the last is told by its beginning.
const NAMES: [&str; 5] = ["in.epd", "in.csv", "in.tsv", "in.jsonl", "in.txt"];

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: AnalyseArguments,
}

/// What can be read of a list comes out as rows, which are read again as the same positions with the same ids, and then
/// nothing is lost. The first byte says which form the list has.
///
/// # Panics
///
/// If it is not so.
pub fn check(data: &[u8]) {
    let Some((&form, list)) = data.split_first() else { return };
    let scratch = Scratch::new();
    let name = NAMES[usize::from(form) % NAMES.len()];
    let input = scratch.file(name, &list[..list.len().min(MAX)]);
    let rows = scratch.path("rows.jsonl");
    let (result, read) = (analyse(&input, &rows), positions(&rows));
    if result.is_err() && read.is_empty() {
        return;
    }
    let again = scratch.path("again.jsonl");
    let result = analyse(&rows, &again);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(positions(&again), read);
}

/// Evaluates the positions of a file into rows.
fn analyse(input: &Path, rows: &Path) -> Result<(), AnalyseError> {
    let words = ["--eval-only", "--threads", "1", "--jsonl"].map(Path::new);
    let line = [Path::new("analyse"), input].into_iter().chain(words).chain([rows]);
    let arguments = CommandLine::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).arguments;
    run_until(&arguments, &AtomicBool::new(false))
}

/// The positions of rows, with their ids; none if there is no file.
fn positions(rows: &Path) -> Vec<(String, Value)> {
    let text = fs_err::read_to_string(rows).unwrap_or_default();
    let position = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let fen = row["fen"].as_str().unwrap_or_else(|| panic!("{line}"));
        assert!(Board::from_fen(fen).is_ok(), "{fen}");
        (fen.to_owned(), row["id"].clone())
    };
    text.lines().map(position).collect()
}
