//! One process of a storm: what it does, what is done to it, and how it is begun again.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use ::tests::play::Random;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::pages::Pages;
use super::{ANALYSIS, MARK, Storm};

/// So much of what a process says of its end is told, in bytes.
const MAX_SAID: u64 = 1 << 16;

/// What happens to a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Blow {
    /// Killed.
    Kill,
    /// Asked to end.
    Ask(Signal),
    /// Stopped for so many milliseconds.
    Pause(u64),
    /// A command in the middle of everything, if it takes any.
    Word(u64),
}

impl Blow {
    pub fn draw(random: &mut Random) -> Self {
        match random.below(10) {
            0 | 1 => Self::Kill,
            2 => Self::Ask(random.pick(&[Signal::TERM, Signal::INT, Signal::HUP])),
            3 | 4 => Self::Pause(random.below(400) as u64),
            _ => Self::Word(random.next()),
        }
    }
}

/// What a member does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Engine,
    Match,
    Analysis,
    Board,
}

/// A place in the storm, whose process is begun again whenever it has ended.
#[derive(Debug)]
pub(super) struct Member {
    work: Work,
    process: Option<Child>,
    input: Option<ChildStdin>,
    pages: Option<Pages>,
    /// What it says on the standard error output.
    errors: Option<File>,
    /// The file with its result, when it has come to its end.
    ended: Option<&'static str>,
}

impl Member {
    pub fn all(_: &Storm<'_>) -> Vec<Self> {
        let works = [Work::Engine, Work::Engine, Work::Match, Work::Analysis, Work::Board];
        works
            .into_iter()
            .map(|work| Self { work, process: None, input: None, pages: None, errors: None, ended: None })
            .collect()
    }

    pub const fn has_store(&self) -> bool {
        matches!(self.work, Work::Engine)
    }

    /// The file with its result, once, when it has come to its end.
    pub const fn take_ended(&mut self) -> Option<&'static str> {
        self.ended.take()
    }

    /// Begins it again if it has ended; whether it did.
    pub fn keep_going(&mut self, storm: &Storm<'_>, random: &mut Random) -> Result<bool, String> {
        if let Some(process) = &mut self.process {
            match process.try_wait().map_err(|error| error.to_string())? {
                None => return Ok(false),
                Some(status) => self.end(status)?,
            }
            self.process = None;
            self.input = None;
            self.pages = None;
        }
        if self.ended.is_some() {
            // Its result is looked at first: the next one would go on with it.
            return Ok(false);
        }
        self.start(storm, random).map(|()| true)
    }

    fn start(&mut self, storm: &Storm<'_>, random: &mut Random) -> Result<(), String> {
        let own = storm.match_arguments();
        let own: Vec<_> = own.iter().map(String::as_str).collect();
        let arguments = match self.work {
            Work::Engine => &[][..],
            Work::Match => &own,
            Work::Analysis => ANALYSIS,
            Work::Board => &["board", "--no-open", "--linger", "5"],
        };
        let mut command = storm.command(arguments);
        if self.work == Work::Engine && random.below(4) == 0 {
            // Starved: what it asks for is more than it gets.
            let kib = 40_000 + random.below(200_000);
            command = Command::new("sh");
            command.args(["-c", &format!("ulimit -v {kib}; exec \"$0\""), &storm.program.to_string_lossy()]);
            command.current_dir(storm.folder).env(MARK, &storm.mark);
        }
        let errors = tempfile::tempfile().map_err(|error| error.to_string())?;
        let shared = errors.try_clone().map_err(|error| error.to_string())?;
        self.errors = Some(errors);
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(shared);
        let mut process = command.spawn().map_err(|error| error.to_string())?;
        self.input = process.stdin.take();
        match (self.work, process.stdout.take()) {
            (Work::Board, Some(output)) => self.pages = Pages::open(output),
            (_, Some(mut output)) => {
                // Somebody has to read it.
                thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
            }
            (_, None) => {}
        }
        self.process = Some(process);
        if self.work == Work::Engine {
            self.say(
                "setoption name AnalysisStore value store\nsetoption name Threads value 2\nisready\ngo infinite\n",
            );
        }
        Ok(())
    }

    /// A process has ended: well only if it has done its work or was asked to.
    fn end(&mut self, status: ExitStatus) -> Result<(), String> {
        use std::os::unix::process::ExitStatusExt;
        match (self.work, status.code(), status.signal()) {
            (Work::Match, Some(0), _) => self.ended = Some("match.pgn"),
            (Work::Analysis, Some(0), _) => self.ended = Some("out.pgn"),
            // 2 is also what a program says that has too little memory, or is asked to end in its midst.
            (_, Some(0 | 2 | 130), _) | (_, _, Some(1 | 2 | 9 | 15)) => {}
            _ => {
                let mut said = String::new();
                if let Some(errors) = &mut self.errors {
                    let _ = errors.rewind().and_then(|()| errors.take(MAX_SAID).read_to_string(&mut said));
                }
                return Err(format!("{:?} ended with {status}: {said}", self.work));
            }
        }
        Ok(())
    }

    pub fn strike(&mut self, blow: Blow) -> Result<(), String> {
        let Some(process) = &mut self.process else { return Ok(()) };
        let Some(pid) = Pid::from_raw(process.id().cast_signed()) else { return Ok(()) };
        match blow {
            Blow::Kill => {
                // The program alone: what it has started has to end by itself.
                let _ = kill_process(pid, Signal::KILL);
                let status = process.wait().map_err(|error| error.to_string())?;
                self.end(status)?;
                (self.process, self.input, self.pages) = (None, None, None);
            }
            Blow::Ask(signal) => {
                let _ = kill_process(pid, signal);
            }
            Blow::Pause(millis) => {
                let _ = kill_process_group(pid, Signal::STOP);
                thread::sleep(Duration::from_millis(millis));
                let _ = kill_process_group(pid, Signal::CONT);
            }
            Blow::Word(number) if self.work == Work::Engine => {
                let fens = crate::lateness::HARD;
                let word = match number % 8 {
                    0 => "stop\nucinewgame\ngo infinite".to_owned(),
                    1 => "stop\nsetoption name Hash value 64\ngo movetime 20".to_owned(),
                    2 => "stop\nsetoption name Threads value 4\nd\ngo infinite".to_owned(),
                    3 => "stop\nsetoption name MultiPV value 3\ngo depth 6".to_owned(),
                    4 => format!("stop\nposition fen {}\ngo nodes 20000", fens[number as usize / 8 % fens.len()]),
                    5 => "stop\nposition startpos moves e2e4\ngo depth 9".to_owned(),
                    6 => "stop\nsetoption name AnalysisStore value <empty>\nsetoption name AnalysisStore value store"
                        .to_owned(),
                    _ => "stop\nposition startpos\ngo wtime 100 btime 100".to_owned(),
                };
                self.say(&format!("{word}\n"));
            }
            Blow::Word(number) => {
                if let Some(pages) = &mut self.pages {
                    pages.say(number);
                }
            }
        }
        Ok(())
    }

    /// That it may be gone shows later.
    fn say(&mut self, text: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(text.as_bytes());
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.strike(Blow::Kill);
    }
}

/// The processes with this mark that run.
pub(super) fn processes(mark: &str) -> impl Iterator<Item = i32> {
    let marked = move |process: &procfs::process::Process| {
        let is_running = process.stat().is_ok_and(|stat| stat.state != 'Z');
        is_running && process.environ().is_ok_and(|all| all.iter().any(|(name, value)| name == MARK && value == mark))
    };
    procfs::process::all_processes().into_iter().flatten().flatten().filter(marked).map(|process| process.pid)
}

pub(super) fn kill(process: i32) {
    if let Some(pid) = Pid::from_raw(process) {
        let _ = kill_process(pid, Signal::KILL);
    }
}
