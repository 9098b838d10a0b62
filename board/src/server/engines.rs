//! The engines that a page can choose from: Vancura, and those that the command line or a file of the user names. A page
//! names an engine by its number: never a program.

mod form;
mod guest;

use std::convert::Infallible;
use std::fs;
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use arena::client::{EngineCommand, UciClient, UciError};
use arena::interruption::Interruption;
use arena::play::Entrant;
use crossbeam_channel::Sender;
use serde::Serialize;

use self::form::EngineOption;
pub(super) use self::guest::Guest;

/// The file of engines in the folder of the user, one a line.
const FILE: &str = "engines.txt";
/// The longest file of engines, in bytes.
const MAX_FILE: u64 = 1 << 20;
/// How long an engine has to introduce itself.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long the program waits at its end for engines to end.
const FAREWELL: Duration = Duration::from_secs(2);
/// What Vancura is called among the engines.
const OWN: &str = "vancura";

/// All engines, and those that run.
pub(super) struct Engines {
    entries: Vec<Entrant>,
    /// What is wrong with the file of engines.
    problems: Vec<String>,
    running: Mutex<Running>,
    interruption: Interruption,
}

struct Running {
    /// The connections to pages that have an engine, each with its number.
    pages: Vec<(usize, Option<TcpStream>)>,
    count: usize,
    /// Dropped at the end, which ends all waiting.
    ending: Option<Sender<Infallible>>,
}

/// An engine of the list.
#[derive(Serialize)]
pub(super) struct Listed {
    id: String,
    name: String,
}

/// An engine with its options.
#[derive(Serialize)]
pub(super) struct Described {
    id: String,
    name: String,
    author: String,
    options: Vec<EngineOption>,
}

impl Engines {
    /// The engines of the command line, and those of a file in this folder.
    pub fn new(of_arguments: &[Entrant], folder: Option<&Path>) -> Self {
        let (mut entries, mut problems) = (of_arguments.to_vec(), Vec::new());
        if let Some(folder) = folder {
            read(&folder.join(FILE), &mut entries, &mut problems);
        }
        let (ending, interruption) = Interruption::channel();
        let running = Mutex::new(Running { pages: Vec::new(), count: 0, ending: Some(ending) });
        Self { entries, problems, running, interruption }
    }

    /// What is wrong with the file of engines.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them; Vancura is the first.
    pub fn list(&self) -> Vec<Listed> {
        let own = Listed { id: OWN.to_owned(), name: format!("Vancura {}", env!("CARGO_PKG_VERSION")) };
        let others = self.entries.iter().zip(1..).map(|(entry, number): (_, usize)| {
            let name = entry.name.clone().unwrap_or_else(|| short_name(&entry.command));
            Listed { id: number.to_string(), name }
        });
        [own].into_iter().chain(others).collect()
    }

    /// An engine of another; `None` if no engine has this name.
    pub fn other(&self, id: &str) -> Option<&Entrant> {
        let number: usize = id.parse().ok().filter(|_| id.bytes().all(|byte| byte.is_ascii_digit()))?;
        self.entries.get(number.checked_sub(1)?)
    }

    /// Whether this is Vancura.
    pub fn is_own(id: &str) -> bool {
        ["", OWN].contains(&id)
    }

    /// Starts an engine to ask for its options; `None` if no engine has this name.
    pub fn describe(&self, id: &str) -> Option<Result<Described, UciError>> {
        let own = Entrant { name: None, elo: None, options: Vec::new(), command: EngineCommand::Own };
        let is_own = Self::is_own(id);
        let entry = if is_own { &own } else { self.other(id)? };
        let _running = self.begin(None);
        Some(self.start(entry).map(|client| {
            let mut options = form::options(client.introduction());
            if is_own {
                options.retain(|option| uci::options_without_files().any(|name| name == option.name));
            }
            form::note_set(&mut options, &entry.options);
            let name = entry.name.clone().unwrap_or_else(|| client.name().to_owned());
            Described { id: id.to_owned(), name, author: form::author(client.introduction()), options }
        }))
    }

    /// Starts an engine, and sets what is set for it.
    fn start(&self, entry: &Entrant) -> Result<UciClient, UciError> {
        let mut client = UciClient::start_until(self.interruption.clone(), &entry.command, PATIENCE)?;
        for (name, value) in &entry.options {
            client.set_option(name, value);
        }
        Ok(client)
    }

    /// Notes that an engine runs, until what is returned is dropped; the page it is for, if any.
    fn begin(&self, page: Option<&TcpStream>) -> RunningEngine<'_> {
        let mut running = self.running();
        running.count += 1;
        let number = running.count;
        running.pages.push((number, page.and_then(|page| page.try_clone().ok())));
        RunningEngine { engines: self, number }
    }

    /// Ends all engines, and waits until they have ended.
    pub fn end(&self) {
        let mut running = self.running();
        running.ending = None;
        for (_, page) in &running.pages {
            let _ = page.as_ref().map(|page| page.shutdown(Shutdown::Both));
        }
        drop(running);
        let deadline = Instant::now() + FAREWELL;
        while !self.running().pages.is_empty() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Says that an engine runs for as long as it is there.
pub(super) struct RunningEngine<'a> {
    engines: &'a Engines,
    number: usize,
}

impl Drop for RunningEngine<'_> {
    fn drop(&mut self) {
        self.engines.running().pages.retain(|(number, _)| *number != self.number);
    }
}

/// The name of a program without its folder.
fn short_name(command: &EngineCommand) -> String {
    match command {
        EngineCommand::Own => "Vancura".to_owned(),
        EngineCommand::Program(words) => {
            let program = words.first().map(Path::new).and_then(Path::file_stem);
            program.unwrap_or_default().to_string_lossy().into_owned()
        }
    }
}

/// Adds the engines of a file, one a line; empty lines and those that begin with `#` are none.
fn read(file: &Path, entries: &mut Vec<Entrant>, problems: &mut Vec<String>) {
    let text = fs::metadata(file).and_then(|metadata| {
        if metadata.len() > MAX_FILE {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "it is too long"));
        }
        fs::read(file)
    });
    let text = match text {
        Ok(bytes) => pgn::decode_text(&bytes[..], MAX_FILE as usize).0,
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        Err(error) => return problems.push(format!("{}: {error}", file.display())),
    };
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_start_matches('\u{FEFF}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.parse() {
            Ok(entry) => entries.push(entry),
            Err(error) => problems.push(format!("{}: line {number}: {error}", file.display())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_come_from_the_command_line_and_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = "\u{feff}# mine\n\nname=Fish option.Hash=64 '/a b/stockfish'\n'open\nself\r\n";
        fs::write(folder.path().join(FILE), file).unwrap();
        let engines = Engines::new(&["/usr/bin/crafty --x".parse().unwrap()], Some(folder.path()));
        let names: Vec<_> = engines.list().into_iter().skip(1).map(|entry| (entry.id, entry.name)).collect();
        let expected = [("1", "crafty"), ("2", "Fish"), ("3", "Vancura")];
        assert_eq!(names, expected.map(|(id, name)| (id.to_owned(), name.to_owned())));
        assert!(engines.problems().len() == 1 && engines.problems()[0].contains("line 4"), "{:?}", engines.problems());
        for id in ["0", "4", "-1", "+1", "", "vancura", "/bin/sh", "01x", "99999999999999999999"] {
            assert!(engines.other(id).is_none(), "{id}");
        }
        assert!(Engines::new(&[], None).list().len() == 1 && Engines::is_own("vancura"));
    }

    #[test]
    fn our_own_engine_is_described_without_its_files() {
        let engines = Engines::new(&[], None);
        let own = engines.describe(OWN).unwrap().unwrap();
        let option = |name: &str| own.options.iter().find(|option| option.name == name);
        assert!(option("Hash").is_some_and(|hash| hash.min == Some(1)) && option("SyzygyPath").is_none());
        assert!(engines.describe("1").is_none());
        assert!(engines.running().pages.is_empty());
    }
}
