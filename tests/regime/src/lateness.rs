//! How late a move comes, at any position: after its time, and after a `stop`.
//!
//! What a search does before its first node and behind its last one has no clock of its own unless somebody gives it one,
//! and what is quick at the positions of games may take long at compositions. A busy machine is late, too; so a position
//! that was late is tried again, and counts as late only if it was so each time, by so much more than the start position.

use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use movegen::Board;

/// The time for a move.
const MOVE_TIME: Duration = Duration::from_millis(10);
/// How long an endless search has run when it is stopped.
const RUNNING: Duration = Duration::from_millis(5);
/// How late a move may be: after its time, and after a `stop`.
pub const MOST: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(10)];
/// How often a position is tried that was late.
const TRIES: usize = 5;
/// How long an answer may take before the program counts as hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// The start position, at which nothing takes long.
const EASY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions at which the proof that nobody can mate takes longest, for those who have no test data.
pub const HARD: [&str; 8] = [
    "8/3p1p1p/1p6/1P6/BP6/KP6/PP1P1P1P/k7 w - - 0 1",
    "8/3p1p1p/1p6/1P6/KP6/PP6/3P1P1P/k7 w - - 0 1",
    "k7/p1p1p3/8/8/8/2P1P1p1/P5Pp/7K w - - 0 1",
    "6k1/p3p1P1/2p3PB/6PB/p3P1P1/4P3/PKP5/8 w - - 0 1",
    "1k6/1P1p3p/BP3p2/1P5p/8/3P4/5P1P/6Kq w - - 0 1",
    "8/p1p4p/p3p2p/kp2p2K/4P3/PB2B3/1P3P2/8 w - - 0 1",
    "1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - - 0 41",
    "8/R1B5/4B3/8/3P2p1/2P3Pk/PP5P/7K w - - 0 42",
];

/// The positions in a folder of test data, whatever its files are: each FEN that stands in a line.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn positions(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = pgn::open(&path) {
                // What is no text has no lines that can be read.
                text.lines().map_while(Result::ok).for_each(|line| found.extend(position_in(&line)));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The position in a line of text.
fn position_in(line: &str) -> Option<String> {
    let words: Vec<_> = line.split(['\t', ' ', ',', ';', '"']).filter(|word| !word.is_empty()).collect();
    let start = words.iter().position(|word| word.matches('/').count() == 7)?;
    let fen = |count: usize| Some(words.get(start..start + count)?.join(" "));
    [6, 4].into_iter().filter_map(fen).find(|fen| Board::from_fen(fen).is_ok_and(|board| board.has_legal_move()))
}

/// How late answers were, each the first time it was asked for.
#[derive(Clone, Default, Debug)]
pub struct Lateness {
    times: Vec<Duration>,
    /// The positions that were late each time.
    pub late: Vec<String>,
}

impl Lateness {
    /// Whether no more than one position in a thousand was late.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.late.len() * 1000 <= self.times.len()
    }

    /// How many positions there were.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.times.len()
    }

    /// The time that this share of the answers, in thousandths, kept within.
    #[must_use]
    pub fn percentile(&self, thousandths: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get((times.len() * thousandths / 1000).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

/// The median, the 99th and the 99.9th percentile, and the greatest, in milliseconds.
impl fmt::Display for Lateness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |thousandths| self.percentile(thousandths).as_secs_f64() * 1000.0;
        let [median, most, nearly_all, all] = [500, 990, 999, 1000].map(millis);
        write!(f, "{median:.1}, {most:.1}, {nearly_all:.1} and {all:.1} ms, {} late each time", self.late.len())
    }
}

/// The program under a client that looks at the clock.
#[derive(Debug)]
pub struct Timer {
    process: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
}

impl Timer {
    /// Starts the program.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(program: &Path) -> Result<Self, String> {
        let process = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = process.map_err(|error| format!("{}: {error}", program.display()))?;
        let (input, output) = process.stdin.take().zip(process.stdout.take()).ok_or("no pipes")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        Ok(Self { process, input, lines })
    }

    fn say(&mut self, text: &str) -> Result<Instant, String> {
        self.input
            .write_all(format!("{text}\n").as_bytes())
            .map_err(|error| format!("the program is gone: {error}"))?;
        Ok(Instant::now())
    }

    /// When a line with this beginning came.
    fn until(&mut self, beginning: &str) -> Result<Instant, String> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let (at, line) = line.map_err(|error| format!("no {beginning:?}: {error}"))?;
            if line.starts_with(beginning) {
                return Ok(at);
            }
        }
    }

    /// How late a move comes at a position: after its time, and after a `stop`.
    fn lateness(&mut self, fen: &str) -> Result<[Duration; 2], String> {
        self.say(&format!("position fen {fen}\nisready"))?;
        self.until("readyok")?;
        let asked = self.say(&format!("go movetime {}", MOVE_TIME.as_millis()))?;
        let after_time = self.until("bestmove")?.saturating_duration_since(asked + MOVE_TIME);
        self.say("go infinite")?;
        thread::sleep(RUNNING);
        let stopped = self.say("stop")?;
        Ok([after_time, self.until("bestmove")?.saturating_duration_since(stopped)])
    }

    /// How late moves come at these positions, as far as there is time.
    ///
    /// # Errors
    ///
    /// If the program ends or hangs.
    pub fn measure<'a>(
        &mut self,
        positions: impl IntoIterator<Item = &'a str>,
        end: Instant,
    ) -> Result<[Lateness; 2], String> {
        let mut measured = [Lateness::default(), Lateness::default()];
        for fen in positions {
            if Instant::now() > end && !measured[0].times.is_empty() {
                break;
            }
            let first = self.lateness(fen)?;
            let mut least = first;
            for _ in 1..TRIES {
                if least.iter().zip(MOST).all(|(time, most)| *time <= most) {
                    break;
                }
                // As late as an easy position comes now, it is the machine that is late.
                let (again, easy) = (self.lateness(fen)?, self.lateness(EASY)?);
                least = [0, 1].map(|index| least[index].min(again[index].saturating_sub(easy[index])));
            }
            for (index, lateness) in measured.iter_mut().enumerate() {
                lateness.times.push(first[index]);
                if least[index] > MOST[index] {
                    lateness.late.push(fen.to_owned());
                }
            }
        }
        Ok(measured)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // It has nothing to lose.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_in_lines_of_any_kind() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for line in [format!("WB {start} 0 1"), format!("id,{start},20"), format!("win\t{start} 3 4\twhite")] {
            assert!(position_in(&line).is_some_and(|fen| fen.starts_with(start)), "{line}");
        }
        for line in ["", "1. e4 e5", "a/b/c/d/e/f/g/h w - -", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
            assert_eq!(position_in(line), None, "{line}");
        }
        assert!(HARD.iter().all(|fen| position_in(fen).as_deref() == Some(*fen)));
    }

    #[test]
    fn one_in_a_thousand_may_be_late() {
        let times = (0..2000).map(Duration::from_micros).collect();
        let mut lateness = Lateness { times, late: vec![String::new(); 2] };
        assert!(lateness.is_good());
        assert_eq!(lateness.to_string(), "1.0, 2.0, 2.0 and 2.0 ms, 2 late each time");
        lateness.late.push(String::new());
        assert!(!lateness.is_good());
    }
}
