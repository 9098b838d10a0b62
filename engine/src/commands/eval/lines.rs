//! A line for each position of files: what the network says of it.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use cli::{Printable, counted, tell};
use eval::Network;
use movegen::{Budget, FenStyle};
use pgn::{Epd, FileKind, files, read_lines};
use rayon::prelude::*;
use uci::StaticEvaluation;

use super::EvalError;

/// How many lines are answered before any is written: enough for all threads, and a bound on what is kept.
const CHUNK: usize = 16_384;

/// Evaluates the positions of all files on all cores and writes them in their order. Lines that are no position are reported
/// by number and skipped.
pub(super) fn evaluate_files(paths: &[PathBuf], output: impl Write) -> Result<(), EvalError> {
    let network = Network::embedded();
    let mut output = Printable::new(output);
    for path in files(paths, FileKind::Positions).map_err(EvalError::Read)? {
        let lines = read_lines(&path).map_err(EvalError::Read)?;
        let (mut count, mut bad, mut number) = (0, 0, 0);
        for chunk in lines.chunks(CHUNK) {
            let answers: Vec<_> = chunk.par_iter().map(|line| answer(line, &network)).collect();
            let mut text = String::new();
            for answer in answers {
                number += 1;
                match answer {
                    None => {}
                    Some(Ok(line)) => {
                        count += 1;
                        text += &line;
                    }
                    Some(Err(error)) => {
                        bad += 1;
                        tell(format_args!("{}, line {number}: {error}", path.display()));
                    }
                }
            }
            output.write_all(text.as_bytes())?;
        }
        output.flush()?;
        if count == 0 {
            return Err(EvalError::Empty(path));
        }
        if bad > 0 {
            tell(format_args!("{}: {} skipped", path.display(), counted(bad, "line")));
        }
    }
    Ok(())
}

/// The answer to a line; none if there is nothing on it.
fn answer(line: &str, network: &Network) -> Option<Result<String, String>> {
    let board = match Epd::parse(line)? {
        Ok(epd) => epd.board,
        Err(error) => return Some(Err(error.to_string())),
    };
    let StaticEvaluation { score, chances: [win, draw, loss], is_dead } =
        StaticEvaluation::new(&board, network, Budget::MEDIUM);
    let mut text = board.fen(FenStyle::Standard);
    let dead = if is_dead { " dead" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, ": {score:+.2} {win} {draw} {loss}{dead}");
    Some(Ok(text))
}

/// Whether the words name files and no position.
pub(super) fn are_files(words: &[String]) -> bool {
    let is_file = |word: &String| word == "-" || PathBuf::from(word).exists();
    !words.is_empty() && words.iter().all(is_file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn each_position_has_a_line_in_the_order_of_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.epd");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let text = format!("# a comment\n{start}\n\nnonsense\n4k3/8/8/8/8/8/8/4K2R w K - bm Rh8; id \"1\";\n");
        fs::write(&path, text + "4k3/8/8/8/8/8/8/4K3 b - - 3 9\n").unwrap();
        let mut output = Vec::new();
        evaluate_files(&[path], &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let lines: Vec<_> = output.lines().collect();
        assert_eq!(lines.len(), 3, "{output}");
        assert!(lines[0].starts_with(&format!("{start}: +")), "{output}");
        assert!(lines[1].starts_with("4k3/8/8/8/8/8/8/4K2R w K - 0 1: +"), "{output}");
        assert_eq!(lines[2], "4k3/8/8/8/8/8/8/4K3 b - - 3 9: +0.00 0 1000 0 dead");
        let board = movegen::Board::start();
        let whole = uci::PieceValues::new(&board, &Network::embedded(), Budget::MEDIUM);
        assert!(lines[0].contains(&format!(": {:+.2} {} ", whole.score, whole.chances[0])), "{output}");
    }

    #[test]
    fn words_of_a_position_are_no_files() {
        assert!(are_files(&["-".to_owned()]));
        assert!(!are_files(&[]));
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert!(!are_files(&[fen.to_owned()]));
        assert!(!are_files(&fen.split(' ').map(str::to_owned).collect::<Vec<_>>()));
    }
}
