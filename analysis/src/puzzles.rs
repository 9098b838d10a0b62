//! `vancura puzzles`: exercises from games that have been analysed, without a search.
//!
//! `analyse --json` keeps with each mistake what else could have been played there. A mistake of the player is an exercise
//! (`exercise`) if the best move is known; it is written as PGN, in the columns of the puzzles that Lichess publishes, or as
//! cards for Anki (`write`).

mod exercise;
mod stored;
mod write;

use std::io;
use std::path::PathBuf;

use clap::Args;
use cli::{counted, tell};
use pgn::comparable_name;

use self::exercise::Exercise;
use self::stored::games_of;
use crate::error::AnalyseError;
use crate::model::{Game, Side};
use crate::profile::player::Names;
use crate::run::check_files;
use crate::write::output::Sink;

/// With all outputs.
const EXAMPLES: &str = "\
The files are those of `analyse --json`. A position counts once, however often the player erred in it.

Examples:
  vancura puzzles analysed.json --player \"Anna Berg\"
  vancura puzzles analysed.json --player \"Anna Berg\" --csv puzzles.csv --anki cards.txt";

/// Makes exercises of a player's mistakes, from games that have been analysed. Nothing is searched.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct PuzzlesArguments {
    /// Files that `analyse --json` wrote
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
    /// The player; `Last, First` is `First Last`, and case does not matter. Several names are those of one player
    #[arg(long, required = true, value_name = "NAME")]
    player: Vec<String>,
    /// Only positions with one good move: it wins or holds, and the second best is 0.35 points worse
    #[arg(long)]
    strict: bool,
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
    let mut names = Names::default();
    let mut exercises: Vec<Exercise> = Vec::new();
    let (mut games, mut practised) = (0_usize, 0_usize);
    for path in &arguments.files {
        for game in games_of(path)? {
            let game = game?;
            let Some(side) = side_of(&game, &players) else {
                ["White", "Black"].into_iter().filter_map(|tag| game.tag(tag)).for_each(|name| names.add(name));
                continue;
            };
            games += 1;
            practised += game.moves.iter().filter(|mv| mv.practice.is_some()).count();
            for exercise in Exercise::all_of(&game, side) {
                if !arguments.strict || exercise.is_strict() {
                    exercises.push(exercise);
                }
            }
        }
    }
    // The first of each position stays.
    let mut seen = std::collections::HashSet::new();
    exercises.retain(|exercise| seen.insert(exercise.id.clone()));
    if games == 0 {
        let (near, frequent) = names.suggest(&arguments.player[0]);
        return Err(AnalyseError::NoPlayer { wanted: arguments.player.join(", "), near, frequent });
    }
    if exercises.is_empty() {
        return Err(AnalyseError::NoExercise { games, practised });
    }
    Ok(exercises)
}

/// Which side the player has; White if both.
fn side_of(game: &Game, players: &[String]) -> Option<Side> {
    let is_player = |tag: &str| game.tag(tag).is_some_and(|name| players.contains(&comparable_name(name)));
    [(Side::White, "White"), (Side::Black, "Black")].into_iter().find(|(_, tag)| is_player(tag)).map(|(side, _)| side)
}
