//! A match from the first game to the last: who plays on which thread, what is written, and when it is over.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, SystemTime};

use cli::{data_output, in_order, progress_bar, progress_style, tell};
use movegen::TimeControl;
use pgn::{NodeId, OpeningName, Openings, PgnGame, result_text};
use platform::{AppendedFile, write_file};

use super::date;
use super::entrant::Entrant;
use super::error::PlayError;
use super::referee::{MatchConditions, Player, play_game};
use super::schedule::{Fixture, Schedule};
use super::standings::Standings;
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
    /// Where the results are written for programs.
    pub json: Option<&'a Path>,
    /// Whether the games of that file are the first ones of this match.
    pub resumes: bool,
}

/// The engines of one thread, each started when it first plays.
type Team = Vec<Option<Player>>;

/// What the match is called in its games, whose first tag it is.
pub(super) const EVENT: &str = "Vancura play";

/// The options of each side's engine in a game, which `--resume` compares.
pub(super) const OPTION_TAGS: [&str; 2] = ["WhiteOptions", "BlackOptions"];

/// Where the games go.
enum Output {
    File(AppendedFile),
    Stream(Box<dyn Write>),
}

impl Output {
    /// Writes a game. A file has it as a whole or not at all.
    fn add(&mut self, game: &[u8]) -> io::Result<()> {
        match self {
            Self::File(file) => file.append(game),
            Self::Stream(stream) => stream.write_all(game).and_then(|()| stream.flush()),
        }
    }
}

/// A game that has been played, and when it was.
struct Played {
    game: PgnGame,
    began: SystemTime,
    took: Duration,
}

impl Tournament<'_> {
    /// Plays until all games are played, a test of hypotheses is decided, or the user has had enough.
    pub fn run(&self) -> Result<(), PlayError> {
        // What cannot be started is said before the first game.
        let first = self.entrants.iter().map(|entrant| self.start(entrant).map(Some)).collect::<Result<Team, _>>()?;
        let names: Vec<_> = first.iter().flatten().map(|player| player.name().to_owned()).collect();
        let played = match self.pgn.filter(|path| self.resumes && path.exists()) {
            Some(path) => {
                let resumed = self.resume(path, &names)?;
                resumed.mend(path)?;
                resumed.results
            }
            None => Vec::new(),
        };
        let mut standings = Standings::new(names, self.schedule.pairings(), self.sprt);
        for (number, result) in played.iter().enumerate() {
            standings.add(&self.schedule.fixture(number), *result);
        }
        let mut teams = vec![first];
        teams.resize_with(self.concurrency.max(1), || self.entrants.iter().map(|_| None).collect());
        let result = self.play_on(played.len(), teams, &mut standings);
        if matches!(result, Ok(()) | Err(PlayError::Interrupted { .. } | PlayError::Write(_))) {
            tell(standings.text());
        }
        result
    }

    fn start(&self, entrant: &Entrant) -> Result<Player, PlayError> {
        Player::start(&entrant.command, entrant.options.clone(), entrant.name.clone(), &self.conditions)
    }

    /// Plays the games from this number on.
    fn play_on(&self, from: usize, teams: Vec<Team>, standings: &mut Standings) -> Result<(), PlayError> {
        let mut output = self.open_output()?;
        let count = self.schedule.len();
        let progress = progress_bar(Some(count as u64), "games");
        progress.set_style(progress_style("{msg}\n{bar:40} {pos}/{len} games{left}"));
        progress.set_position(from as u64);
        let mut result = Ok(());
        // What cannot be written is said before the first game.
        self.write_results(standings)?;
        if from < count && !standings.is_decided() {
            let work = |team: &mut Team, number: usize| (number, self.play(team, &self.schedule.fixture(number)));
            let take = |(number, played): (usize, Result<Played, PlayError>)| {
                let flow = played.and_then(|played| {
                    let game = self.finished(played, number);
                    output.add(game.to_string().as_bytes())?;
                    standings.add(&self.schedule.fixture(number), game.result);
                    self.write_results(standings)?;
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
            in_order(from..count, teams, None, work, take).map_err(PlayError::Threads)?;
        }
        progress.finish_and_clear();
        result
    }

    /// Writes the results so far, if a program wants them.
    fn write_results(&self, standings: &Standings) -> io::Result<()> {
        let Some(path) = self.json else { return Ok(()) };
        let mut text = serde_json::to_vec_pretty(&standings.summary())?;
        text.push(b'\n');
        write_file(path, text)
    }

    fn open_output(&self) -> io::Result<Output> {
        Ok(match self.pgn {
            Some(path) => Output::File(AppendedFile::open(path)?),
            None => Output::Stream(data_output()),
        })
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
        let game = play_game([white, black], &opening, &self.conditions)?;
        Ok(Played { game, began, took: began.elapsed().unwrap_or_default() })
    }

    /// The game with all tags.
    fn finished(&self, played: Played, number: usize) -> PgnGame {
        let Played { mut game, began, took } = played;
        let plies = game.tree.main_moves().count();
        let tags = &mut game.tags;
        tags.set("Event", EVENT);
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
    pub(super) fn limit_of_moves(&self) -> Option<String> {
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
}

/// Reports the result of a game.
fn tell_result(game: &PgnGame, number: usize, games: usize) {
    let tag = |name| game.tags.get(name).unwrap_or("?");
    let reason = game.tree.main_line().last().map_or(NodeId::ROOT, |(id, _)| id);
    let (white, black, result) = (tag("White"), tag("Black"), result_text(game.result));
    let reason = &game.tree.node(reason).comment;
    tell(format_args!("game {number} of {games}: {white} - {black} {result} ({reason})"));
}
