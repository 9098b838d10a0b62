//! Everything at once on one machine: two engines with one store, a match, an analysis and a board with eight pages, each
//! killed, stopped, starved of memory or interrupted at random, and begun again.
//!
//! In the end no result may be lost: the match and the analysis have to be as if nothing had happened, and the store may
//! never hold less than before. No file may be torn or left over, and no process may run on.

mod member;
mod pages;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use ::tests::play::Random;

use self::member::{Blow, Member};
use crate::process::wait;

/// What each process of the storm has in its environment, so that one that is left is found.
const MARK: &str = "VANCURA_STORM";
/// How long a program may take that nobody disturbs.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long one blow may come after the other, in milliseconds.
const PAUSE: usize = 250;
/// The least number of blows, however late it gets before the first one.
const MIN_BLOWS: u64 = 8;
/// Every so many blows the store is looked into.
const LOOK_EVERY: u64 = 40;
/// Games of a match, and of an analysis.
const GAMES: usize = 20;

/// What has been done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Kills, pauses and the like.
    pub blows: u64,
    /// Processes started.
    pub starts: u64,
    /// Matches that came to their end.
    pub matches: u64,
    /// Analyses that did.
    pub analyses: u64,
    /// Results in the store in the end.
    pub records: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blows, starts, matches, analyses, records } = self;
        write!(
            f,
            "{blows} blows, {starts} starts, {matches} matches and {analyses} analyses as without them, {records} results kept"
        )
    }
}

/// Lets it storm until a time, and a little longer until what has begun has ended.
///
/// # Errors
///
/// What was lost, torn or left.
pub fn storm(program: &Path, seed: u64, end: Instant) -> Result<Tally, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let storm = Storm { program, folder: folder.path(), mark: format!("{}-{seed}", std::process::id()) };
    storm.write_games()?;
    let expected = storm.undisturbed()?;
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let mut members = Member::all(&storm);
    loop {
        let is_calm = Instant::now() >= end && tally.blows >= MIN_BLOWS;
        if is_calm && tally.matches > 0 && tally.analyses > 0 {
            break;
        }
        for member in &mut members {
            tally.starts += u64::from(member.keep_going(&storm, &mut random)?);
        }
        for ended in members.iter_mut().filter_map(Member::take_ended) {
            storm.compare(ended, &expected)?;
            match ended {
                "match.pgn" => tally.matches += 1,
                _ => tally.analyses += 1,
            }
        }
        std::thread::sleep(Duration::from_millis(random.below(PAUSE) as u64));
        if is_calm {
            continue;
        }
        let member = random.below(members.len());
        members[member].strike(Blow::draw(&mut random))?;
        tally.blows += 1;
        if tally.blows.is_multiple_of(LOOK_EVERY) {
            // Nobody else may have it open.
            members.iter_mut().filter(|member| member.has_store()).try_for_each(|member| member.strike(Blow::Kill))?;
            let records = storm.records()?;
            if records < tally.records {
                return Err(format!("the store has {records} results and had {}", tally.records));
            }
            tally.records = records;
        }
    }
    members.iter_mut().try_for_each(|member| member.strike(Blow::Kill))?;
    drop(members);
    storm.look_for_processes()?;
    storm.look_for_files()?;
    Ok(tally)
}

/// A storm in a folder.
#[derive(Debug)]
struct Storm<'a> {
    program: &'a Path,
    folder: &'a Path,
    /// The mark of its processes.
    mark: String,
}

/// The arguments of a match and of an analysis, whose files are in the folder that they run in.
const MATCH: &[&str] = &["--nodes", "150", "--pgn", "match.pgn", "--resume", "--concurrency", "2", "-o", "Hash=1"];
const ANALYSIS: &[&str] =
    &["analyse", "in.pgn", "-o", "out.pgn", "--json", "out.json", "--nodes", "1500", "--threads", "1", "--resume"];

impl Storm<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The program with these arguments, in the folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.args(arguments).current_dir(self.folder).env(MARK, &self.mark);
        command
    }

    /// A match between this program and itself as a child, behind a shell script that does not wait to be asked twice.
    fn match_arguments(&self) -> Vec<String> {
        let engine = format!("name=child sh -c '\"{}\"; exit 0'", self.program.display());
        let games = GAMES.to_string();
        let first = ["play", "name=own self", &engine, "-n", &games];
        first.iter().chain(MATCH).map(ToString::to_string).collect()
    }

    /// Games for the analysis.
    fn write_games(&self) -> Result<(), String> {
        let opening = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ 7. Nc3 Nxe4 8. O-O";
        let game = |number| format!("[Round \"{number}\"]\n\n{opening} {}*\n\n", ["", "Nxc3 ", "Bxc3 "][number % 3]);
        fs::write(self.path("in.pgn"), (0..GAMES).map(game).collect::<String>()).map_err(|error| error.to_string())
    }

    /// What match and analysis come to if nobody disturbs them.
    fn undisturbed(&self) -> Result<[String; 3], String> {
        let arguments = self.match_arguments();
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        for arguments in [&arguments[..], ANALYSIS] {
            let mut command = self.command(arguments);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            let mut process = command.spawn().map_err(|error| error.to_string())?;
            match wait(&mut process, PATIENCE) {
                Ok(Some(status)) if status.success() => {}
                other => return Err(format!("undisturbed, {}: {other:?}", arguments[0])),
            }
        }
        self.take_results()
    }

    /// Reads the results and takes them away.
    fn take_results(&self) -> Result<[String; 3], String> {
        let take = |name: &str| {
            let path = self.path(name);
            if !path.exists() {
                return Ok(String::new());
            }
            let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            fs::remove_file(&path).map_err(|error| format!("{name}: {error}"))?;
            Ok::<_, String>(timeless(&text))
        };
        Ok([take("match.pgn")?, take("out.pgn")?, take("out.json")?])
    }

    /// Compares what has come to its end with what it had to be, and takes it away.
    fn compare(&self, name: &str, expected: &[String; 3]) -> Result<(), String> {
        let names = if name == "match.pgn" { &["match.pgn"][..] } else { &["out.pgn", "out.json"] };
        for name in names {
            let index = ["match.pgn", "out.pgn", "out.json"].iter().position(|other| other == name).unwrap_or(0);
            let text = fs::read_to_string(self.path(name)).map_err(|error| format!("{name}: {error}"))?;
            if timeless(&text) != expected[index] {
                return Err(format!("{name} is not as without a storm:\n{text}"));
            }
            fs::remove_file(self.path(name)).map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(())
    }

    /// How many results the store has, which is examined as a whole; none if it has not been made yet.
    fn records(&self) -> Result<u64, String> {
        if !self.path("store").exists() {
            return Ok(0);
        }
        let output = self.command(&["store", "store"]).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let count = text.split(", ").nth(1).and_then(|text| text.split(' ').next()?.replace(',', "").parse().ok());
        count.ok_or_else(|| format!("the store: {text}{}", String::from_utf8_lossy(&output.stderr)))
    }

    /// An error if a process of the storm still runs.
    fn look_for_processes(&self) -> Result<(), String> {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let left: Vec<_> = member::processes(&self.mark).collect();
            if left.is_empty() {
                return Ok(());
            }
            if Instant::now() > deadline {
                left.iter().for_each(|process| member::kill(*process));
                return Err(format!("processes are left: {left:?}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// An error if there is a file that nobody asked for. Journals stay for who goes on.
    fn look_for_files(&self) -> Result<(), String> {
        let known = ["in.pgn", "match.pgn", "out.pgn.partial", "out.pgn", "out.json", "store"];
        let entries = fs::read_dir(self.folder).map_err(|error| error.to_string())?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let others: Vec<_> = names.filter(|name| !known.contains(&&name[..])).collect();
        if others.is_empty() { Ok(()) } else { Err(format!("files are left: {}", others.join(", "))) }
    }
}

/// A text without what tells when it was written and how long things took.
fn timeless(text: &str) -> String {
    let is_time = |line: &&str| ["[Date ", "[UTC", "[GameDuration "].iter().any(|tag| line.starts_with(tag));
    let mut text: String = text.split_inclusive('\n').filter(|line| !is_time(line)).collect();
    while let Some(start) = text.find("[%emt ") {
        let end = text[start..].find(']').map_or(text.len(), |length| start + length + 1);
        text.replace_range(start..end, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
