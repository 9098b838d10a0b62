//! `vancura profile`: what a player's games say about the player.
//!
//! Games are read one after the other; those of others are only counted. A game is judged as `analyse` does it, by a
//! search of its positions (`played`), or by the evaluations that the file has. All of them end in sums (`sums`), so
//! that memory does not grow with the number of games.

mod chart;
mod entry;
mod filter;
mod games;
pub mod model;
mod numbers;
mod page;
mod played;
pub(crate) mod player;
mod practice;
mod repertoire;
mod sums;
mod text;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::Args;
use cli::{stop_on_ctrl_c, tell};
use pgn::{PgnGame, comparable_name};

use self::filter::Filter;
use self::model::Profile;
use self::played::Played;
use self::player::Names;
use self::repertoire::{Repertoire, RepertoireFile};
use self::sums::Sums;
use crate::error::AnalyseError;
use crate::model::{Game, Side};
use crate::read::games::Games;
use crate::read::games::Reading;
use crate::read::source::{Source, SourceKind};
use crate::run::collector::Counts;
use crate::run::{Work, check_files};
use crate::search::search_arguments::SearchArguments;
use crate::write::output::{Output, Sink};

/// With searches and without.
const EXAMPLES: &str = "\
Examples:
  vancura profile games.pgn --player \"Anna Berg\" --html profile.html
  vancura profile games.pgn --player \"Berg, Anna\" --use-evals --no-search
  vancura profile games.pgn --player \"Berg, Anna\" --nodes 1k --colour white --since 2024
  vancura profile games.pgn --player \"Berg, Anna\" --use-evals --repertoire white=games.pgn";

/// Sums up the games of one player: where points are lost, by opening, part of the game, clock, opponent and month.
///
/// Games are searched as by analyse; with --store nothing is searched twice, and an interrupted run goes on from where it
/// was. With --use-evals, games that have evaluations in their comments are judged by these.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ProfileArguments {
    /// PGN files, compressed or not, folders of such files, or `-` for the standard input
    #[arg(required = true, value_name = "FILE.pgn|-")]
    inputs: Vec<OsString>,
    /// The player; `Last, First` is `First Last`, and case does not matter. Several names are those of one player
    #[arg(long, required = true, value_name = "NAME")]
    player: Vec<String>,
    /// Judge games by the evaluations in their comments, where they have them
    #[arg(long)]
    use_evals: bool,
    /// Count games without such evaluations with their results alone
    #[arg(long, requires = "use_evals")]
    no_search: bool,
    /// Leave games out that cannot be read in full, instead of what of them cannot be read
    #[arg(long)]
    strict: bool,
    /// What the player means to play: PGN with variations, to be told where games leave it. It is for the colour with fewer
    /// choices, or that of its tags Orientation; `white=FILE` and `black=FILE` say so. The option can be given again
    #[arg(long, value_name = "[COLOUR=]FILE.pgn")]
    repertoire: Vec<OsString>,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    search: SearchArguments,
    /// Write a page to look at to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the numbers to this file, for programs
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Makes the profile, until all is done or the user presses Ctrl-C.
///
/// # Errors
///
/// If something cannot be read or written, nobody has the name, or the run is interrupted. Games that cannot be read are
/// an error only after all others are done.
pub fn run(arguments: &ProfileArguments) -> Result<(), AnalyseError> {
    run_until(arguments, &stop_on_ctrl_c())
}

/// As [`run`], but it ends when `stop` is raised.
///
/// # Errors
///
/// As [`run`].
pub fn run_until(arguments: &ProfileArguments, stop: &AtomicBool) -> Result<(), AnalyseError> {
    let mut source = Source::open_files(&arguments.inputs, arguments.strict)?;
    let outputs = [&arguments.html, &arguments.json, &arguments.search.store].into_iter().flatten();
    let files: Vec<_> = arguments.repertoire.iter().cloned().map(RepertoireFile::read).collect();
    let inputs: Vec<_> = source.files.iter().chain(files.iter().map(|file| &file.path)).cloned().collect();
    check_files(&inputs, outputs.map(PathBuf::as_path))?;
    let repertoire = Repertoire::read(&files)?;
    let (method, complaints) = arguments.search.method();
    let run = arguments.search.run(&source.name, method.tablebase.as_deref());
    let [html, json] = [&arguments.html, &arguments.json].map(|path| path.as_deref().map(Sink::create).transpose());
    let (html, json) = (html.map_err(AnalyseError::Write)?, json.map_err(AnalyseError::Write)?);
    let archive = arguments.search.archive(&run)?;
    let of_file = Arc::new(Mutex::new(Gathered::default()));
    let searched = Arc::new(Mutex::new(Sums::default()));
    let choice = Choice::of(arguments, repertoire);
    source.games = choice.clone().select(source.games, Arc::clone(&of_file));
    let name = source.name.clone();
    let output: Box<dyn Output> = Box::new(Collector { choice, sums: Arc::clone(&searched) });
    let searches = arguments.search.searches();
    let work = Work { source, method: &method, searches, complaints, practice: false };
    let (counts, _) = work.carry_out(vec![output], None, archive, stop)?;
    if counts.games + counts.partial > 0 {
        tell(counts);
    }
    if stop.load(Relaxed) {
        if let Some(store) = &arguments.search.store {
            tell(format_args!("what was found is in {}; the same command goes on", store.display()));
        }
        return Err(AnalyseError::Interrupted(None));
    }
    let gathered = std::mem::take(&mut *lock(&of_file));
    let filtered = gathered.filtered;
    let Some(player) = gathered.player else {
        let wanted = arguments.player.join(", ");
        let (near, frequent) = gathered.names.suggest(&arguments.player[0]);
        return Err(match (counts.broken, frequent.is_empty()) {
            (0, true) => AnalyseError::Empty(name),
            _ => AnalyseError::NoPlayer { wanted, near, frequent },
        });
    };
    let mut sums = gathered.sums;
    sums.merge(std::mem::take(&mut *lock(&searched)));
    if sums.total.games == 0 {
        return Err(AnalyseError::NoneLeft { player, games: filtered + counts.games });
    }
    let counts_of_games = [gathered.evaluated, counts.games as u64, gathered.unjudged];
    let profile = Profile::of(player, run, &sums, counts_of_games);
    write(&profile, html, json).map_err(AnalyseError::Write)?;
    Counts { cut: counts.cut + gathered.cut, ..counts }.check(SourceKind::Games)
}

fn write(profile: &Profile, html: Option<Sink>, json: Option<Sink>) -> io::Result<()> {
    if html.is_none() && json.is_none() {
        let mut output = Sink::text();
        text::write(&mut output, profile)?;
        return output.commit(false);
    }
    if let Some(mut file) = html {
        file.write_all(page::page(profile).into_string().as_bytes())?;
        file.commit(false)?;
    }
    if let Some(mut file) = json {
        serde_json::to_writer_pretty(&mut file, profile)?;
        file.write_all(b"\n")?;
        file.commit(false)?;
    }
    Ok(())
}

/// Whose games are wanted, and which of them need no search.
#[derive(Clone)]
struct Choice {
    /// As they are compared.
    players: Vec<String>,
    uses_evaluations: bool,
    searches: bool,
    filter: Filter,
    repertoire: Arc<Repertoire>,
}

/// What is known without a search.
#[derive(Default)]
struct Gathered {
    sums: Sums,
    names: Names,
    /// The name as the first game has it.
    player: Option<String>,
    evaluated: u64,
    unjudged: u64,
    /// Games of the player that do not count, because something else was asked for.
    filtered: usize,
    /// Of these, those that could not be read in full.
    cut: usize,
}

impl Choice {
    fn of(arguments: &ProfileArguments, repertoire: Repertoire) -> Self {
        Self {
            players: arguments.player.iter().map(|name| comparable_name(name)).collect(),
            uses_evaluations: arguments.use_evals,
            searches: !arguments.no_search,
            filter: arguments.filter.clone(),
            repertoire: Arc::new(repertoire),
        }
    }

    /// Which side the player has; White if both, as in a game against oneself.
    fn side(&self, game: &PgnGame) -> Option<Side> {
        let is_player = |tag| game.tags.get(tag).is_some_and(|name| self.players.contains(&comparable_name(name)));
        [(Side::White, "White"), (Side::Black, "Black")]
            .into_iter()
            .find(|(_, tag)| is_player(tag))
            .map(|(side, _)| side)
    }

    /// A game of the player, of which no move has been judged yet.
    fn played(&self, game: &PgnGame, side: Side, number: u32, file: Option<&str>) -> Played {
        let mut played = Played::new(game, side, number, file);
        played.source.repertoire = self.repertoire.departure(game, side);
        played
    }

    /// Leaves the games that are to be searched, and those that cannot be read.
    fn select(self, games: Games, gathered: Arc<Mutex<Gathered>>) -> Games {
        Box::new(games.filter(move |found| {
            let Ok(game) = &found.game else { return true };
            let mut gathered = lock(&gathered);
            let done = gathered.evaluated + gathered.unjudged;
            let place = (found.number, found.file.as_deref());
            let is_wanted = self.wants_search(game, place, &mut gathered);
            if gathered.evaluated + gathered.unjudged > done {
                // Those that are searched are told of there.
                found.remarks().for_each(tell);
                gathered.cut += usize::from(game.has_losses());
            }
            is_wanted
        }))
    }

    fn wants_search(&self, game: &PgnGame, (number, file): (u32, Option<&str>), gathered: &mut Gathered) -> bool {
        let Some(side) = self.side(game) else {
            ["White", "Black"]
                .into_iter()
                .filter_map(|tag| game.tags.get(tag))
                .for_each(|name| gathered.names.add(name));
            return false;
        };
        let tag = if side == Side::White { "White" } else { "Black" };
        gathered.player.get_or_insert_with(|| game.tags.get(tag).unwrap_or_default().to_owned());
        let mut played = self.played(game, side, number, file);
        if !self.filter.accepts(&played) {
            gathered.filtered += 1;
            return false;
        }
        let is_evaluated = self.uses_evaluations && played.add_evaluated(game);
        let is_done = is_evaluated || !self.searches;
        if is_done {
            *if is_evaluated { &mut gathered.evaluated } else { &mut gathered.unjudged } += 1;
            if self.filter.apply(&mut played) {
                gathered.sums.add(&played);
            } else {
                gathered.filtered += 1;
            }
        }
        !is_done
    }
}

/// Takes the games that were searched.
struct Collector {
    choice: Choice,
    sums: Arc<Mutex<Sums>>,
}

impl Output for Collector {
    fn game(&mut self, game: &Game, reading: &Reading) -> io::Result<()> {
        if let Some(side) = self.choice.side(&reading.game) {
            let mut played = self.choice.played(&reading.game, side, reading.number, reading.file.as_deref());
            played.add_searched(game, &reading.main_line);
            if self.choice.filter.apply(&mut played) {
                lock(&self.sums).add(&played);
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
