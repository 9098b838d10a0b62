//! `vancura arbiter`: what the laws say of the games in a file, without a search.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
  - draws that could have been claimed, which is no mistake of anybody

Each finding is a line with the file, the line in which the game begins, the game and the move. What
a record of moves does not show cannot be found: touched pieces, offers of a draw, illegal moves that
were taken back, or times that no comment holds.

The exit status is 0 if there is nothing to object to, 1 if there is, and 2 if something went wrong or
a game could not be read.

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
}

/// Looks at all games and writes what is found. The exit status says whether there is anything to object to.
///
/// # Errors
///
/// If a file cannot be read or has no game, or the findings cannot be written. Games that cannot be read are an error
/// only after all others are done.
pub fn run(arguments: &ArbiterArguments) -> Result<ExitCode, ArbiterError> {
    let mut output = Printable::new(io::stdout().lock());
    let mut counts = Counts::default();
    for path in &files(&arguments.files, FileKind::Games).map_err(ArbiterError::Open)? {
        let before = counts.games + counts.broken;
        let mut look = Look { path, no_claims: arguments.no_claims, counts: &mut counts, output: &mut output };
        look.at_file(PgnReader::new(open(path).map_err(ArbiterError::Open)?))?;
        if counts.games + counts.broken == before {
            return Err(ArbiterError::Empty(path.clone()));
        }
    }
    let Counts { games, broken, objections, claims } = counts;
    let objected = counted(objections, "objection");
    let claimed = if arguments.no_claims { String::new() } else { format!(", {}", counted(claims, "possible claim")) };
    tell(format_args!("{}: {objected}{claimed}", counted(games, "game")));
    match (broken, objections) {
        (1.., _) => Err(ArbiterError::Broken(broken)),
        (0, 1..) => Ok(ExitCode::FAILURE),
        (0, 0) => Ok(ExitCode::SUCCESS),
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    games: usize,
    broken: usize,
    objections: usize,
    claims: usize,
}

/// A look at one file.
struct Look<'a, W> {
    path: &'a Path,
    no_claims: bool,
    counts: &'a mut Counts,
    output: &'a mut W,
}

/// A game with the line in which it begins.
struct Numbered {
    number: usize,
    line: u64,
    game: PgnGame,
}

impl<W: Write> Look<'_, W> {
    fn at_file(&mut self, mut reader: PgnReader<impl io::BufRead>) -> Result<(), ArbiterError> {
        let (mut number, mut batch, mut nodes) = (0, Vec::new(), 0);
        while let Some(game) = reader.next() {
            number += 1;
            match game {
                Ok(game) => {
                    nodes += game.tree.len();
                    batch.push(Numbered { number, line: reader.game_line(), game });
                }
                Err(error) => self.tell_broken(number, &error),
            }
            if batch.len() == MAX_GAMES || nodes > MAX_NODES {
                self.at_games(&batch)?;
                (batch, nodes) = (Vec::new(), 0);
            }
        }
        self.at_games(&batch)
    }

    fn tell_broken(&mut self, number: usize, error: &PgnError) {
        self.counts.broken += 1;
        tell(format_args!("{}:{}: game {number} cannot be read: {error}", self.path.display(), error.start));
    }

    fn at_games(&mut self, batch: &[Numbered]) -> Result<(), ArbiterError> {
        let reports: Vec<_> = batch
            .par_iter()
            .map(|Numbered { game, .. }| {
                let main_line = MainLine::of(game);
                let findings = LawReport::on(game, &main_line).findings;
                findings.into_iter().map(|finding| (place(&main_line, finding.position), finding)).collect::<Vec<_>>()
            })
            .collect();
        for (game, findings) in batch.iter().zip(reports) {
            self.counts.games += 1;
            for (place, finding) in findings {
                self.write(game, &place, &finding).map_err(ArbiterError::Write)?;
            }
        }
        self.output.flush().map_err(ArbiterError::Write)
    }

    fn write(&mut self, game: &Numbered, place: &str, finding: &Finding) -> io::Result<()> {
        if finding.kind == FindingKind::Claim {
            self.counts.claims += 1;
            if self.no_claims {
                return Ok(());
            }
        } else if finding.kind != FindingKind::DeadPosition {
            // What follows from a dead position, moves or a wrong result, is told by itself.
            self.counts.objections += 1;
        }
        let Numbered { number, line, game } = game;
        let tag = |name| printable_line(game.tags.get(name).unwrap_or("?")).into_owned();
        let (white, black, result) = (tag("White"), tag("Black"), result_text(game.result));
        let path = printable_line(&self.path.to_string_lossy()).into_owned();
        writeln!(self.output, "{path}:{line}: game {number}, {white} - {black} {result}, {place}: {}", finding.text)
    }
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
        let (mut output, mut counts) = (Vec::new(), Counts::default());
        let mut look = Look { path: Path::new("x.pgn"), no_claims, counts: &mut counts, output: &mut output };
        look.at_file(PgnReader::new(text.as_bytes())).unwrap();
        (String::from_utf8(output).unwrap().lines().map(str::to_owned).collect(), counts)
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
    fn any_number_of_games_is_looked_at_in_order() {
        let games = "1. e4 e5 *\n\n1. f3 e5 2. g4 Qh4# 1/2-1/2\n\n".repeat(MAX_GAMES);
        let (lines, counts) = look(&games, false);
        assert_eq!((lines.len(), counts.games), (MAX_GAMES, 2 * MAX_GAMES));
        let numbers = lines.iter().map(|line| line.split_once("game ").unwrap().1.split_once(',').unwrap().0);
        assert!(numbers.zip(1..).all(|(number, index)| number == (2 * index).to_string()));
    }
}
