//! `vancura puzzles`: exercises from games that have been analysed, without a search or with one.
//!
//! `analyse --json` keeps with each mistake what else could have been played there. A mistake of the player is an exercise
//! (`exercise`) if the best move is known. A strict puzzle (`strict`) is a position after a mistake of the opponent, with a solution
//! of which each move is the only good one (`solution`), by what the analysis has kept or by a search (`knowledge`). They are
//! written as PGN, in the columns of the puzzles that Lichess publishes, or as cards for Anki (`write`).

mod exercise;
mod knowledge;
mod solution;
mod stored;
mod strict;
mod write;

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Args;
use cli::{counted, in_order, stop_on_ctrl_c, tell};
use pgn::comparable_name;
use search::STACK_SIZE;

use self::exercise::Exercise;
use self::stored::games_of;
use crate::error::AnalyseError;
use crate::model::{Game, Side};
use crate::profile::player::Names;
use crate::run::check_files;
use crate::write::output::Sink;

/// So many games are in memory at a time.
const GAMES_AT_ONCE: usize = 64;

/// With all outputs.
const EXAMPLES: &str = "\
The files are those of `analyse --json`. A position counts once, however often the player erred in it.

Examples:
  vancura puzzles analysed.json --player \"Anna Berg\"
  vancura puzzles analysed.json --player \"Anna Berg\" --csv puzzles.csv --anki cards.txt
  vancura puzzles analysed.json --strict --search 1M --csv puzzles.csv";

/// Makes exercises of mistakes, from games that have been analysed
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct PuzzlesArguments {
    /// Files that `analyse --json` wrote
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
    /// The player; `Last, First` is `First Last`, and case does not matter. Several names are those of one player
    /// [default: both players of every game]
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Puzzles as Lichess makes them: after a mistake of the opponent a solution of two moves or more, or a mate, of which each
    /// move is the only good one. Only what the analysis proves, unless there is --search
    #[arg(long)]
    strict: bool,
    /// Search each position of a solution with so many nodes, so that solutions may leave what was played
    #[arg(long, value_name = "NODES", requires = "strict", value_parser = cli::read_count)]
    search: Option<u64>,
    /// Write the exercises as games with a position, which Lichess reads as a study [default: the standard output if no other
    /// output is asked for]
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write them in the columns of Lichess's file of puzzles
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write them as cards for Anki, with tabs between the fields
    #[arg(long, value_name = "FILE")]
    anki: Option<PathBuf>,
}

/// Makes the exercises.
///
/// # Errors
///
/// If a file cannot be read or written or is no stored analysis of this version, nobody has the name, or there is no mistake
/// to learn from.
pub fn run(arguments: &PuzzlesArguments) -> Result<(), AnalyseError> {
    let outputs = [&arguments.pgn, &arguments.csv, &arguments.anki];
    check_files(&arguments.files, outputs.into_iter().flatten().map(PathBuf::as_path))?;
    let exercises = exercises(arguments)?;
    let create = |path: &Option<PathBuf>| path.as_deref().map(Sink::create).transpose().map_err(AnalyseError::Write);
    let is_alone = outputs.iter().all(|path| path.is_none());
    let pgn = if is_alone { Some(Sink::text()) } else { create(&arguments.pgn)? };
    let (csv, anki) = (create(&arguments.csv)?, create(&arguments.anki)?);
    let written = || -> io::Result<()> {
        if let Some(mut file) = pgn {
            write::pgn(&mut file, &exercises)?;
            file.commit(false)?;
        }
        if let Some(mut file) = csv {
            let left_out = write::csv(&mut file, &exercises)?;
            file.commit(false)?;
            if left_out > 0 {
                let count = counted(left_out, "exercise");
                tell(format_args!("{count} left out of the CSV: it needs the move before, and the game begins there"));
            }
        }
        if let Some(mut file) = anki {
            write::anki(&mut file, &exercises)?;
            file.commit(false)?;
        }
        Ok(())
    };
    written().map_err(AnalyseError::Write)?;
    tell(counted(exercises.len(), "exercise"));
    Ok(())
}

fn exercises(arguments: &PuzzlesArguments) -> Result<Vec<Exercise>, AnalyseError> {
    let players: Vec<_> = arguments.player.iter().map(|name| comparable_name(name)).collect();
    let stop: &AtomicBool = &stop_on_ctrl_c();
    let mut found = Found::default();
    let mut strict = Vec::new();
    for path in &arguments.files {
        for game in games_of(path)? {
            let game = game?;
            let sides = sides_of(&game, &players);
            if sides.is_empty() {
                ["White", "Black"].into_iter().filter_map(|tag| game.tag(tag)).for_each(|name| found.names.add(name));
                continue;
            }
            found.games += 1;
            found.practised += game.moves.iter().filter(|mv| mv.practice.is_some()).count();
            if arguments.strict {
                strict.push((game, sides));
                if strict.len() >= GAMES_AT_ONCE {
                    found.exercises.extend(strict_of(std::mem::take(&mut strict), arguments, stop)?);
                }
            } else {
                found.exercises.extend(sides.iter().flat_map(|&side| Exercise::all_of(&game, side)));
            }
        }
    }
    found.exercises.extend(strict_of(strict, arguments, stop)?);
    found.checked(arguments)
}

/// The strict puzzles of some games, in their order, found on all cores.
fn strict_of(
    games: Vec<(Game, Vec<Side>)>,
    arguments: &PuzzlesArguments,
    stop: &AtomicBool,
) -> Result<Vec<Exercise>, AnalyseError> {
    let method = arguments.search.map(knowledge::method);
    let workers = vec![(); cli::cores().min(games.len())];
    let mut all = Vec::new();
    let work = |(): &mut (), (game, sides): (Game, Vec<Side>)| strict::puzzles(&game, &sides, method.as_ref(), stop);
    let take = |puzzles: Vec<Exercise>| {
        all.extend(puzzles);
        if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if !games.is_empty() {
        in_order(games.into_iter(), workers, Some(STACK_SIZE), work, take).map_err(AnalyseError::Threads)?;
    }
    if stop.load(Relaxed) { Err(AnalyseError::Interrupted(None)) } else { Ok(all) }
}

/// What was found, and in what.
#[derive(Default)]
struct Found {
    exercises: Vec<Exercise>,
    /// Of games without the player.
    names: Names,
    /// Games of the player, and how many of their moves have alternatives.
    games: usize,
    practised: usize,
}

impl Found {
    /// The exercises, each position once.
    fn checked(mut self, arguments: &PuzzlesArguments) -> Result<Vec<Exercise>, AnalyseError> {
        let mut seen = HashSet::new();
        self.exercises.retain(|exercise| seen.insert(exercise.id.clone()));
        let Self { exercises, names, games, practised } = self;
        if let Some(player) = arguments.player.first().filter(|_| games == 0) {
            let (near, frequent) = names.suggest(player);
            return Err(AnalyseError::NoPlayer { wanted: arguments.player.join(", "), near, frequent });
        }
        match (exercises.is_empty(), arguments.strict) {
            (false, _) => Ok(exercises),
            (true, false) => Err(AnalyseError::NoExercise { games, practised }),
            (true, true) => Err(AnalyseError::NoPuzzle { games, is_searched: arguments.search.is_some() }),
        }
    }
}

/// Which sides the player has, White if both; both without a player.
fn sides_of(game: &Game, players: &[String]) -> Vec<Side> {
    let is_player = |tag: &str| game.tag(tag).is_some_and(|name| players.contains(&comparable_name(name)));
    let sides = [(Side::White, "White"), (Side::Black, "Black")];
    if players.is_empty() {
        return sides.map(|(side, _)| side).to_vec();
    }
    sides.into_iter().find(|(_, tag)| is_player(tag)).map(|(side, _)| side).into_iter().collect()
}
