//! The journal of an interrupted analysis, which `--resume` goes on from.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use analysis::{AnalyseArguments, AnalyseError, run_until};
use clap::Parser;
use movegen::Move;
use pgn::PgnReader;

use super::Scratch;

/// What is analysed.
const GAMES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n\
    [SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q+ Kg7 2. Qb7+ *\n\n";

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: AnalyseArguments,
}

/// Whatever stands in the journal, the analysis goes on to its end and loses no move; or it refuses the journal with an
/// error and leaves it as it is. The data is taken as a whole journal and as what follows a sound first line.
///
/// # Panics
///
/// If it does not.
pub fn check(data: &[u8]) {
    let scratch = Scratch::new();
    assert_eq!(check_journal(&scratch, &[first_line(), data].concat()), Ok(()));
    let _ = check_journal(&scratch, data);
}

/// Goes on from a journal.
fn check_journal(scratch: &Scratch, journal: &[u8]) -> Result<(), String> {
    let (input, output) = (scratch.file("in.pgn", GAMES.as_bytes()), scratch.path("out.pgn"));
    let partial = scratch.file("out.pgn.partial", journal);
    let result = resume(&input, &output, &AtomicBool::new(false));
    match &result {
        Ok(()) => {
            let games = fs_err::read_to_string(&output).expect("the output is there");
            assert_eq!(main_lines(&games), main_lines(GAMES), "{games}");
            assert!(!partial.exists(), "the journal of a finished run is left behind");
        }
        Err(_) => assert!(fs_err::read(&partial).expect("the journal is there") == journal, "the journal was changed"),
    }
    result.map_err(|error| error.to_string())
}

fn resume(input: &Path, output: &Path, stop: &AtomicBool) -> Result<(), AnalyseError> {
    let words = ["--resume", "--nodes", "1", "--threads", "1", "--hash", "1", "-o"].map(Path::new);
    let line = [Path::new("analyse"), input].into_iter().chain(words).chain([output]);
    run_until(&CommandLine::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).arguments, stop)
}

/// The first line of the journal: what a run leaves that is interrupted at once.
fn first_line() -> &'static [u8] {
    static LINE: OnceLock<Vec<u8>> = OnceLock::new();
    LINE.get_or_init(|| {
        let scratch = Scratch::new();
        let input = scratch.file("in.pgn", GAMES.as_bytes());
        let result = resume(&input, &scratch.path("out.pgn"), &AtomicBool::new(true));
        assert!(matches!(result, Err(AnalyseError::Interrupted(_))), "{result:?}");
        let journal = fs_err::read(scratch.path("out.pgn.partial")).expect("the journal is there");
        let end = journal.iter().position(|&byte| byte == b'\n').expect("a first line");
        journal[..=end].to_vec()
    })
}

fn main_lines(games: &str) -> Vec<Vec<Move>> {
    let games = PgnReader::new(games.as_bytes());
    games.map(|game| game.unwrap_or_else(|error| panic!("{error}")).tree.main_moves().collect()).collect()
}
