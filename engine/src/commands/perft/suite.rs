//! Positions with known counts.
//!
//! Two forms are in use: EPD with `;D1 20 ;D2 400` after the position (R. Hyatt's Crafty and many others), and lines
//! `id NAME`, `epd POSITION` and `perft DEPTH COUNT` (python-chess).

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cli::{counted, tell};
use movegen::{Board, FenStyle};
use pgn::{Epd, EpdError, Operation, read_lines};

use super::counter::{Counter, PerftError, Speed};

/// A position with its counts.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Case {
    name: String,
    /// The line it is on.
    line: usize,
    board: Board,
    /// Depths with the number of sequences of as many half-moves.
    counts: Vec<(u8, u64)>,
}

/// The lines of positions that have no count.
fn uncounted(cases: &[Case]) -> impl Iterator<Item = (usize, String)> {
    let uncounted = cases.iter().filter(|case| case.counts.is_empty());
    uncounted.map(|case| (case.line, "no count to compare with".to_owned()))
}

/// Counts again what the files say, down to `most_depth`, and compares.
pub(super) fn run(
    paths: &[PathBuf],
    most_depth: u8,
    counter: &Counter,
    output: &mut impl Write,
) -> Result<ExitCode, PerftError> {
    let (mut cases, mut is_whole) = (Vec::new(), true);
    for path in paths {
        let lines = read_lines(path).map_err(PerftError::Read)?;
        let (mut some, faults) = read(lines.iter().map(String::as_str));
        let mut told = faults.clone();
        told.extend(uncounted(&some));
        told.sort();
        for (number, fault) in &told {
            tell(format_args!("{}:{number}: skipped: {fault}", path.display()));
        }
        is_whole &= faults.is_empty();
        some.iter_mut().for_each(|case| case.counts.retain(|(depth, _)| *depth <= most_depth));
        some.retain(|case| !case.counts.is_empty());
        if some.is_empty() {
            return Err(PerftError::Empty(path.clone()));
        }
        cases.append(&mut some);
    }
    let mut totals = SuiteTotals::default();
    writeln!(output, "{:<16} {:>5} {:>14}", "position", "depth", "nodes")?;
    for case in &cases {
        totals.examine(case, counter, output)?;
    }
    writeln!(output, "\n{totals}")?;
    output.flush()?;
    Ok(if totals.wrong == 0 && is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Default)]
struct SuiteTotals {
    positions: usize,
    counts: usize,
    wrong: usize,
    nodes: u64,
    elapsed: Duration,
}

impl SuiteTotals {
    /// Counts for all depths of a position; writes a line for the deepest, and for each that is wrong.
    fn examine(&mut self, case: &Case, counter: &Counter, output: &mut impl Write) -> io::Result<()> {
        let Case { name, board, counts, .. } = case;
        self.positions += 1;
        for (index, &(depth, expected)) in counts.iter().enumerate() {
            let start = Instant::now();
            let found = counter.count(board, depth);
            self.elapsed += start.elapsed();
            self.counts += 1;
            self.nodes += found;
            if found != expected {
                self.wrong += 1;
                let fen = board.fen(FenStyle::Standard);
                writeln!(output, "{name:<16} {depth:>5} {found:>14} WRONG: {expected} expected for {fen}")?;
            } else if index + 1 == counts.len() {
                writeln!(output, "{name:<16} {depth:>5} {found:>14}")?;
            }
            output.flush()?;
        }
        Ok(())
    }
}

impl std::fmt::Display for SuiteTotals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { positions, counts, wrong, nodes, elapsed } = *self;
        writeln!(f, "{}, {}, {wrong} wrong", counted(positions, "position"), counted(counts, "count"))?;
        writeln!(f, "Nodes searched: {nodes}")?;
        write!(f, "{}", Speed { nodes, elapsed })
    }
}

/// The positions of a file, and what is wrong with lines of these numbers.
fn read<'a>(lines: impl Iterator<Item = &'a str>) -> (Vec<Case>, Vec<(usize, String)>) {
    let (mut reader, mut faults) = (Reader::default(), Vec::new());
    for (number, line) in (1..).zip(lines) {
        if let Err(fault) = reader.read(number, line) {
            faults.push((number, fault));
        }
    }
    (reader.cases, faults)
}

#[derive(Default)]
struct Reader {
    cases: Vec<Case>,
    /// The name of the next position.
    id: Option<String>,
    /// The last position could not be read: the counts after it are skipped.
    is_lost: bool,
}

impl Reader {
    fn read(&mut self, number: usize, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "id" => self.id = Some(rest.trim().to_owned()),
            "perft" => {
                let count = read_count(rest)?;
                match self.cases.last_mut() {
                    _ if self.is_lost => {}
                    Some(case) => case.counts.push(count),
                    None => return Err("perft count without a position".to_owned()),
                }
            }
            _ => {
                let epd = Epd::parse(if word == "epd" { rest } else { line });
                self.read_position(epd, number)?;
            }
        }
        Ok(())
    }

    fn read_position(&mut self, epd: Option<Result<Epd, EpdError>>, number: usize) -> Result<(), String> {
        let Some(epd) = epd else { return Ok(()) };
        self.is_lost = true;
        let id = self.id.take();
        let epd = epd.map_err(|error| error.to_string())?;
        let counts = epd.operations.iter().filter_map(|Operation { opcode, operands }| {
            // `dm` is something else.
            let is_number = |depth: &&str| !depth.is_empty() && depth.bytes().all(|byte| byte.is_ascii_digit());
            let depth = opcode.strip_prefix('D').or_else(|| opcode.strip_prefix('d').filter(is_number))?;
            Some(read_count(&format!("{depth} {}", operands.join(" "))))
        });
        let counts = counts.collect::<Result<_, _>>()?;
        let name = id.or_else(|| epd.id().map(str::to_owned)).unwrap_or_else(|| format!("line {number}"));
        self.cases.push(Case { name, line: number, board: epd.board, counts });
        self.is_lost = false;
        Ok(())
    }
}

/// `4 197281`.
fn read_count(text: &str) -> Result<(u8, u64), String> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let count = match words[..] {
        [depth, count] => depth.parse().ok().zip(count.parse().ok()),
        _ => None,
    };
    count.ok_or_else(|| format!("expected a depth and a count, not {text:?}"))
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn read_text(text: &str) -> (Vec<Case>, Vec<(usize, String)>) {
        read(text.lines())
    }

    #[test]
    fn both_forms_are_read() {
        let text = format!(
            "# comment\n\nid one\nepd {START}\nperft 1 20\nperft 2 400\n\n{START} 0 1 ;D1 20 ;D2 400\n\
             {START} d1 20; dm 3; id \"three\";\n"
        );
        let (cases, faults) = read_text(&text);
        assert_eq!(faults, []);
        let names: Vec<_> = cases.iter().map(|case| (&case.name[..], &case.counts[..])).collect();
        let counts = [(1, 20), (2, 400)];
        assert_eq!(names, [("one", &counts[..]), ("line 8", &counts), ("three", &counts[..1])]);
    }

    #[test]
    fn broken_lines_are_named_and_take_their_counts_with_them() {
        let text = format!(
            "perft 1 20\nepd {START}\nperft 1 x\nperft 1\nperft 1 20\nepd nonsense\nperft 1 21\n\
             {START} ;D1 x\nperft 1 22\n{START} ;Dx 20\n{START} ;D1\n{START} ;D300 1\n{START} ;D1 20 30\n"
        );
        let (cases, faults) = read_text(&text);
        let lines: Vec<_> = faults.iter().map(|(number, _)| *number).collect();
        assert_eq!(lines, [1, 3, 4, 6, 8, 10, 11, 12, 13], "{faults:?}");
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].counts, [(1, 20)]);
    }

    #[test]
    fn what_is_not_counted_is_told() {
        let (cases, faults) = read_text(&format!("{START} ;D1 20\n{START} bm e4;\n{START} ;D5 4865609\n// D1 20"));
        assert_eq!(faults, []);
        assert_eq!(uncounted(&cases).collect::<Vec<_>>(), [(2, "no count to compare with".to_owned())]);
    }

    #[test]
    fn wrong_counts_are_told() {
        let counter = Counter(ThreadPoolBuilder::new().num_threads(1).build().unwrap());
        let (cases, _) = read_text(&format!("{START} ;D1 20 ;D2 401 ;D3 8902"));
        let (mut totals, mut output) = (SuiteTotals::default(), Vec::new());
        totals.examine(&cases[0], &counter, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let expected = format!(
            "line 1               2            400 WRONG: 401 expected for {START} 0 1\n\
             line 1               3           8902\n"
        );
        assert_eq!(text, expected);
        assert_eq!((totals.positions, totals.counts, totals.wrong, totals.nodes), (1, 3, 1, 9322));
    }
}
