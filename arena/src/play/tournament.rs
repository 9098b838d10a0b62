//! A match from the first game to the last: who plays on which thread, what is written, and when it is over.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, SystemTime};

use cli::{data_output, progress_bar, progress_style, tell};
use fs_err as fs;
use movegen::{GameResult, TimeControl};
use pgn::{NodeId, OpeningName, Openings, PgnGame, PgnReader, result_text};

use super::date;
use super::entrant::Entrant;
use super::error::PlayError;
use super::referee::{MatchConditions, Player, play_game};
use super::schedule::{Fixture, Schedule};
use super::standings::Standings;
use crate::ordered::in_order;
use crate::statistics::Sprt;

/// What is to be played.
pub(super) struct Tournament<'a> {
    pub entrants: &'a [Entrant],
    pub schedule: Schedule,
    pub conditions: MatchConditions,
    pub openings: Openings,
    /// Games at the same time.
    pub concurrency: usize,
    pub sprt: Option<Sprt>,
    /// Where the games are added; the standard output if there is none.
    pub pgn: Option<&'a Path>,
    /// Whether the games of that file are the first ones of this match.
    pub resumes: bool,
}

/// The engines of one thread, each started when it first plays.
type Team = Vec<Option<Player>>;

/// The options of each side's engine in a game, which `--resume` compares.
const OPTION_TAGS: [&str; 2] = ["WhiteOptions", "BlackOptions"];

/// A game that has been played, and when it was.
struct Played {
    game: PgnGame,
    began: SystemTime,
    took: Duration,
}

impl Tournament<'_> {
    /// Plays until all games are played or a test of hypotheses is decided.
    pub fn run(&self) -> Result<(), PlayError> {
        // What cannot be started is said before the first game.
        let first = self.entrants.iter().map(|entrant| self.start(entrant).map(Some)).collect::<Result<Team, _>>()?;
        let names: Vec<_> = first.iter().flatten().map(|player| player.name().to_owned()).collect();
        let played = match self.pgn.filter(|path| self.resumes && path.exists()) {
            Some(path) => self.results_of(path, &names)?,
            None => Vec::new(),
        };
        let mut standings = Standings::new(names, self.schedule.pairings(), self.sprt);
        for (number, result) in played.iter().enumerate() {
            standings.add(&self.schedule.fixture(number), *result);
        }
        let mut teams = vec![first];
        teams.resize_with(self.concurrency.max(1), || self.entrants.iter().map(|_| None).collect());
        self.play_on(played.len(), teams, &mut standings)?;
        tell(standings.text());
        Ok(())
    }

    fn start(&self, entrant: &Entrant) -> Result<Player, PlayError> {
        Player::start(&entrant.command, entrant.options.clone(), entrant.name.clone(), self.conditions.patience)
    }

    /// Plays the games from this number on.
    fn play_on(&self, from: usize, teams: Vec<Team>, standings: &mut Standings) -> Result<(), PlayError> {
        let mut output = self.open_output()?;
        let count = self.schedule.len();
        let progress = progress_bar(Some(count as u64), "games");
        progress.set_style(progress_style("{msg}\n{bar:40} {pos}/{len} games{left}"));
        progress.set_position(from as u64);
        let mut result = Ok(());
        if from < count && !standings.is_decided() {
            let work = |team: &mut Team, index: usize| self.play(team, &self.schedule.fixture(from + index));
            let take = |index: usize, played: Result<Played, PlayError>| {
                let number = from + index;
                let flow = played.and_then(|played| {
                    let game = self.finished(played, number);
                    output.write_all(game.to_string().as_bytes()).and_then(|()| output.flush())?;
                    standings.add(&self.schedule.fixture(number), game.result);
                    progress.suspend(|| tell_result(&game, number + 1, count));
                    progress.set_message(standings.text());
                    progress.inc(1);
                    Ok(standings.is_decided())
                });
                match flow {
                    Ok(false) => return ControlFlow::Continue(()),
                    Ok(true) => {}
                    Err(error) => result = Err(error),
                }
                ControlFlow::Break(())
            };
            in_order(count - from, teams, work, take).map_err(PlayError::Threads)?;
        }
        progress.finish_and_clear();
        result
    }

    fn open_output(&self) -> io::Result<Box<dyn Write>> {
        let Some(path) = self.pgn else { return Ok(data_output()) };
        Ok(Box::new(fs::File::from_parts(OpenOptions::new().create(true).append(true).open(path)?, path)))
    }

    fn play(&self, team: &mut Team, fixture: &Fixture) -> Result<Played, PlayError> {
        for &index in &fixture.players {
            if team[index].is_none() {
                team[index] = Some(self.start(&self.entrants[index])?);
            }
        }
        let (began, opening) = (SystemTime::now(), self.openings.get(fixture.opening));
        let Ok([Some(white), Some(black)]) = team.get_disjoint_mut(fixture.players) else {
            // A schedule lets nobody play itself.
            return Err(PlayError::Write(io::Error::other("an engine would meet itself")));
        };
        let game = play_game([white, black], opening, &self.conditions)?;
        Ok(Played { game, began, took: began.elapsed().unwrap_or_default() })
    }

    /// The game with all tags.
    fn finished(&self, played: Played, number: usize) -> PgnGame {
        let Played { mut game, began, took } = played;
        let plies = game.tree.main_moves().count();
        let tags = &mut game.tags;
        tags.set("Event", "Vancura play");
        tags.set("Date", date::day_of(began));
        tags.set("Round", (number + 1).to_string());
        let fixture = self.schedule.fixture(number);
        for (tag, index) in ["WhiteElo", "BlackElo"].into_iter().zip(fixture.players) {
            if let Some(elo) = self.entrants[index].elo {
                tags.set(tag, elo.to_string());
            }
        }
        for (tag, index) in OPTION_TAGS.into_iter().zip(fixture.players) {
            if let Some(options) = self.entrants[index].options_text() {
                tags.set(tag, options);
            }
        }
        if let Some(OpeningName { eco, name }) = OpeningName::of_game(&game.tree) {
            tags.set("ECO", eco);
            tags.set("Opening", name);
        }
        if let Some(limit) = self.limit_of_moves() {
            tags.set("TimeControl", limit);
        }
        tags.set("PlyCount", plies.to_string());
        tags.set("UTCDate", date::day_of(began));
        tags.set("UTCTime", date::time_of(began));
        tags.set("GameDuration", date::duration(took));
        game
    }

    /// What bounds each move, where no clock does. The standard has no word for it; `60/move` is what other programs write.
    fn limit_of_moves(&self) -> Option<String> {
        let MatchConditions { time, move_time, nodes, depth, .. } = &self.conditions;
        if let Some(millis) = move_time {
            return Some(format!("{}/move", Duration::from_millis(*millis).as_secs_f64()));
        }
        if *time != TimeControl::UNLIMITED {
            return None;
        }
        let limits =
            [nodes.map(|nodes| format!("{nodes} nodes/move")), depth.map(|depth| format!("{depth} plies/move"))];
        Some(limits.into_iter().flatten().collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
    }

    /// The results in a file, which have to be those of the first games of this match.
    fn results_of(&self, path: &Path, names: &[String]) -> Result<Vec<Option<GameResult>>, PlayError> {
        let mut results = Vec::new();
        for (number, game) in PgnReader::new(pgn::open(path).map_err(PlayError::Read)?).enumerate() {
            let foreign = |fault: String| PlayError::Foreign { path: path.to_owned(), number: number + 1, fault };
            let game = game.map_err(|error| foreign(error.to_string()))?;
            if number >= self.schedule.len() {
                return Err(foreign("this match has fewer games".to_owned()));
            }
            let players = self.schedule.fixture(number).players;
            for (tag, index) in ["White", "Black"].into_iter().zip(players) {
                let (found, expected) = (game.tags.get(tag).unwrap_or("?"), &names[index]);
                if found != expected {
                    return Err(foreign(format!("{tag} is {found:?}, and would be {expected:?}")));
                }
            }
            if game.tags.get("Round") != Some(&(number + 1).to_string()) || game.result.is_none() {
                return Err(foreign("it is not finished, or not in its place".to_owned()));
            }
            self.check_conditions(&game, number).map_err(foreign)?;
            results.push(game.result);
        }
        Ok(results)
    }
}

impl Tournament<'_> {
    /// Whether a game was begun, limited and set up as the game of this number would be; the error says what differs.
    fn check_conditions(&self, game: &PgnGame, number: usize) -> Result<(), String> {
        let fixture = self.schedule.fixture(number);
        let opening = self.openings.get(fixture.opening);
        // A game may be over before the end of its opening.
        let follows = game.tree.main_moves().zip(&opening.moves).all(|(mv, expected)| mv == *expected);
        if game.tree.start().packed() != opening.start.packed() || !follows {
            return Err("it has another opening".to_owned());
        }
        let time = &self.conditions.time;
        let time = self.limit_of_moves().or_else(|| (*time != TimeControl::UNLIMITED).then(|| time.to_string()));
        let options = fixture.players.map(|index| self.entrants[index].options_text());
        let expected = ["TimeControl"].into_iter().chain(OPTION_TAGS).zip([time].into_iter().chain(options));
        for (tag, expected) in expected {
            let found = game.tags.get(tag);
            if found != expected.as_deref() {
                let shown = |text: Option<&str>| text.map_or("missing".to_owned(), |text| format!("{text:?}"));
                return Err(format!("{tag} is {}, and would be {}", shown(found), shown(expected.as_deref())));
            }
        }
        Ok(())
    }
}

/// Reports the result of a game.
fn tell_result(game: &PgnGame, number: usize, games: usize) {
    let tag = |name| game.tags.get(name).unwrap_or("?");
    let reason = game.tree.main_line().last().map_or(NodeId::ROOT, |(id, _)| id);
    let (white, black, result) = (tag("White"), tag("Black"), result_text(game.result));
    let reason = &game.tree.node(reason).comment;
    tell(format_args!("game {number} of {games}: {white} - {black} {result} ({reason})"));
}
