//! `vancura arbiter`: what the laws say of the games in a file, without a search.

use std::io::{self, Write};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use cli::{Printable, counted, printable_line, tell};
use pgn::{FileKind, PgnError, PgnGame, PgnReader, files, numbered_line, open, result_text};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::judge::laws::LawReport;
use crate::model::{Finding, FindingKind};
use crate::read::main_line::MainLine;

/// So many games are looked at together: enough for all threads, and a bound on what is kept.
const MAX_GAMES: usize = 256;
/// Fewer, if they have more moves than this together, variations among them.
const MAX_NODES: usize = 1 << 17;

/// What is found, and what is not.
const FINDINGS: &str = "\
What is found:
  - results that are not those on the board, such as a mate that did not win
  - moves after the end of a game: mate, stalemate, a dead position, the fifth repetition of a
    position, or seventy-five moves without a capture or pawn move
  - flags that fell against an opponent who could not mate by any series of legal moves, and draws
    for a flag where the opponent could, by the tag Termination
  - games given up against an opponent who could not mate
  - ends that the tag Termination names and the board does not show, and signs of mate without one
  - draws that could have been claimed, which is no mistake of anybody

Each finding is a line with the file, the line in which the game begins, the game and the move. What
a record of moves does not show cannot be found: touched pieces, offers of a draw, illegal moves that
were taken back, or times that no comment holds.

The exit status is 0 if there is nothing to object to, 1 if there is, and 2 if something went wrong or
a game could not be read in full.

Example:
  vancura arbiter --no-claims round7.pgn";

/// Checks results, ends and claims of all games of PGN files by the laws of chess, without a search.
#[derive(Args, Debug)]
#[command(after_long_help = FINDINGS)]
pub struct ArbiterArguments {
    /// PGN files, compressed or not, folders of such files, or `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say nothing of draws that could have been claimed
    #[arg(long)]
    no_claims: bool,
    /// Leave games out that cannot be read in full, instead of what of them cannot be read
    #[arg(long)]
    strict: bool,
}

/// Why not all was looked at and told.
#[derive(Debug, thiserror::Error)]
pub enum ArbiterError {
    /// A file cannot be opened.
    #[error(transparent)]
    Open(io::Error),
    /// There is no game.
    #[error("no game in {}", .0.display())]
    Empty(PathBuf),
    /// The findings cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[source] io::Error),
    /// All is done, but some games could not be read.
    #[error("{} could not be read", counted(*.0, "game"))]
    Broken(usize),
    /// All is done, but of some games something is lost.
    #[error("{} could not be read in full", counted(*.0, "game"))]
    Cut(usize),
}

/// Looks at all games and writes what is found. The exit status says whether there is anything to object to.
///
/// # Errors
///
/// If a file cannot be read or has no game, or the findings cannot be written. Games that cannot be read are an error
/// only after all others are done.
pub fn run(arguments: &ArbiterArguments) -> Result<ExitCode, ArbiterError> {
    let paths = files(&arguments.files, FileKind::Games).map_err(ArbiterError::Open)?;
    let mut look = Look::new(Printable::new(io::stdout().lock()), arguments.no_claims);
    for path in &paths {
        // What comes before a file that cannot be read is told first.
        let reader = match open(path) {
            Ok(input) => PgnReader::new(input).strict(arguments.strict),
            Err(error) => return look.finish().and(Err(ArbiterError::Open(error))),
        };
        if look.at_file(path, reader)? == 0 {
            return look.finish().and(Err(ArbiterError::Empty(path.clone())));
        }
    }
    look.finish()?;
    let Counts { games, broken, cut, objections, claims } = look.counts;
    let objected = counted(objections, "objection");
    let claimed = if arguments.no_claims { String::new() } else { format!(", {}", counted(claims, "possible claim")) };
    tell(format_args!("{}: {objected}{claimed}", counted(games, "game")));
    match (broken, cut, objections) {
        (1.., _, _) => Err(ArbiterError::Broken(broken)),
        (0, 1.., _) => Err(ArbiterError::Cut(cut)),
        (0, 0, 1..) => Ok(ExitCode::FAILURE),
        (0, 0, 0) => Ok(ExitCode::SUCCESS),
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    games: usize,
    broken: usize,
    /// Of those looked at, how many could not be read in full.
    cut: usize,
    objections: usize,
    claims: usize,
}

/// A look at files, one after the other: while the games of one batch are judged on all cores, the next ones are read.
struct Look<W> {
    no_claims: bool,
    counts: Counts,
    output: W,
    /// What has been read but not judged.
    batch: Batch,
}

/// Games, perhaps of several files.
#[derive(Default)]
struct Batch {
    games: Vec<Numbered>,
    /// The nodes of all their trees.
    nodes: usize,
}

impl Batch {
    const fn is_full(&self) -> bool {
        self.games.len() >= MAX_GAMES || self.nodes > MAX_NODES
    }
}

/// A game, or why it cannot be read, with the place in its file.
struct Numbered {
    path: Arc<Path>,
    number: usize,
    line: u64,
    game: Result<PgnGame, PgnError>,
}

/// A finding and the move that it is about.
type Placed = (String, Finding);

impl<W: Write> Look<W> {
    fn new(output: W, no_claims: bool) -> Self {
        Self { no_claims, counts: Counts::default(), output, batch: Batch::default() }
    }

    /// Reads a file and judges what fills a batch. Returns the number of its games, those that cannot be read among them.
    fn at_file(&mut self, path: &Path, mut reader: PgnReader<impl io::BufRead + Send>) -> Result<usize, ArbiterError> {
        let (path, mut number) = (Arc::from(path), 0);
        loop {
            let full = self.batch.is_full().then(|| take(&mut self.batch));
            let batch = &mut self.batch;
            let mut read = || read_on(&path, &mut number, &mut reader, batch);
            match full {
                Some(full) => {
                    let (findings, is_at_end) = rayon::join(|| judge(&full), &mut read);
                    self.tell_all(&full, findings)?;
                    if is_at_end {
                        return Ok(number);
                    }
                }
                None if read() => return Ok(number),
                None => {}
            }
        }
    }

    /// Judges what is left.
    fn finish(&mut self) -> Result<(), ArbiterError> {
        let rest = take(&mut self.batch);
        self.tell_all(&rest, judge(&rest))
    }

    fn tell_all(&mut self, batch: &Batch, findings: Vec<Vec<Placed>>) -> Result<(), ArbiterError> {
        for (game, findings) in batch.games.iter().zip(findings) {
            match &game.game {
                Ok(read) => {
                    self.counts.games += 1;
                    self.counts.cut += usize::from(read.has_losses());
                    let Numbered { path, number, line, .. } = game;
                    for remark in &read.remarks {
                        tell(format_args!("{}:{line}: game {number}: {remark}", path.display()));
                    }
                    for (place, finding) in findings {
                        self.write(game, read, &place, &finding).map_err(ArbiterError::Write)?;
                    }
                }
                Err(error) => {
                    self.counts.broken += 1;
                    let Numbered { path, number, .. } = game;
                    self.output.flush().map_err(ArbiterError::Write)?;
                    tell(format_args!("{}:{}: game {number} cannot be read: {error}", path.display(), error.start));
                }
            }
        }
        self.output.flush().map_err(ArbiterError::Write)
    }

    fn write(&mut self, place_of: &Numbered, game: &PgnGame, place: &str, finding: &Finding) -> io::Result<()> {
        if finding.kind == FindingKind::Claim {
            self.counts.claims += 1;
            if self.no_claims {
                return Ok(());
            }
        } else if finding.kind != FindingKind::DeadPosition {
            // What follows from a dead position, moves or a wrong result, is told by itself.
            self.counts.objections += 1;
        }
        let Numbered { path, number, line, .. } = place_of;
        let tag = |name| printable_line(game.tags.get(name).unwrap_or("?")).into_owned();
        let (white, black, result) = (tag("White"), tag("Black"), result_text(game.result));
        let path = printable_line(&path.to_string_lossy()).into_owned();
        writeln!(self.output, "{path}:{line}: game {number}, {white} - {black} {result}, {place}: {}", finding.text)
    }
}

/// Reads until the batch is full; true at the end of the file.
fn read_on(path: &Arc<Path>, number: &mut usize, reader: &mut PgnReader<impl io::BufRead>, batch: &mut Batch) -> bool {
    while !batch.is_full() {
        let Some(game) = reader.next() else { return true };
        *number += 1;
        batch.nodes += game.as_ref().map_or(0, |game| game.tree.len());
        batch.games.push(Numbered { path: Arc::clone(path), number: *number, line: reader.game_line(), game });
    }
    false
}

/// What is found in each game of a batch.
fn judge(batch: &Batch) -> Vec<Vec<Placed>> {
    let findings = |game: &PgnGame| {
        let main_line = MainLine::of(game);
        let findings = LawReport::on(game, &main_line).findings;
        findings.into_iter().map(|finding| (place(&main_line, finding.position), finding)).collect()
    };
    batch.games.par_iter().map(|game| game.game.as_ref().map_or_else(|_| Vec::new(), findings)).collect()
}

/// The move that leads to a position, with its number.
fn place(main_line: &MainLine, position: u32) -> String {
    let moves = (position as usize).checked_sub(1).and_then(|last| Some((last, (*main_line.moves.get(last)?)?)));
    match moves {
        Some((last, mv)) => numbered_line(&main_line.boards[last], &[mv]),
        None => "at the start".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str, no_claims: bool) -> (Vec<String>, Counts) {
        let mut look = Look::new(Vec::new(), no_claims);
        look.at_file(Path::new("x.pgn"), PgnReader::new(text.as_bytes())).unwrap();
        look.finish().unwrap();
        (String::from_utf8(look.output).unwrap().lines().map(str::to_owned).collect(), look.counts)
    }

    const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n1. e4 e5 1/2-1/2\n\n1. e5 *\n\n\
                         1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 e5 1/2-1/2\n";

    #[test]
    fn findings_name_file_line_game_and_move() {
        let (lines, counts) = look(GAMES, false);
        let expected = [
            "x.pgn:1: game 1, A - B 1-0, 2... Qh4#: The result should be 0-1, not 1-0. Black mates.",
            "x.pgn:10: game 4, ? - ? 1/2-1/2, 4. Ng1: Black may claim a draw by threefold repetition with Ng8.",
        ];
        assert_eq!(lines, expected);
        assert_eq!((counts.games, counts.broken, counts.objections, counts.claims), (3, 1, 1, 1));
    }

    #[test]
    fn claims_may_be_left_out_and_are_no_objections() {
        let (lines, counts) = look(GAMES, true);
        assert_eq!((lines.len(), counts.objections, counts.claims), (1, 1, 1));
    }

    #[test]
    fn files_follow_one_another_and_so_do_their_games() {
        let mut look = Look::new(Vec::new(), false);
        let game = "1. f3 e5 2. g4 Qh4# 1-0\n\n";
        let counts = [("a.pgn", 1), ("b.pgn", 2 * MAX_GAMES), ("c.pgn", 0), ("d.pgn", 2)];
        for (name, count) in counts {
            let text = game.repeat(count);
            assert_eq!(look.at_file(Path::new(name), PgnReader::new(text.as_bytes())).unwrap(), count);
        }
        look.finish().unwrap();
        let lines = String::from_utf8(look.output).unwrap();
        let found = lines.lines().map(|line| line.split(": ").next().unwrap().to_owned());
        let place = |name, index| format!("{name}:{}", 2 * index + 1);
        let expected = counts.iter().flat_map(|&(name, count)| (0..count).map(move |index| place(name, index)));
        assert!(found.eq(expected), "{lines}");
    }

    #[test]
    fn any_number_of_games_is_looked_at_in_order() {
        let games = "1. e4 e5 *\n\n1. f3 e5 2. g4 Qh4# 1/2-1/2\n\n".repeat(MAX_GAMES);
        let (lines, counts) = look(&games, false);
        assert_eq!((lines.len(), counts.games), (MAX_GAMES, 2 * MAX_GAMES));
        let numbers = lines.iter().map(|line| line.split_once("game ").unwrap().1.split_once(',').unwrap().0);
        assert!(numbers.zip(1..).all(|(number, index)| number == (2 * index).to_string()));
    }
}
