//! The engine behind a page: a UCI session on a thread of its own.

use std::io;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, bounded};
use uci::{LineOutput, Session, TextInput};

use super::outgoing::{Outgoing, text_frame};

/// What a page may say to the engine. The rest, above all options with paths of files, is for the command line.
const COMMANDS: [&str; 7] = ["uci", "isready", "ucinewgame", "position", "go", "stop", "ponderhit"];

/// Lines of a page that may wait to be read; then the page waits.
const BACKLOG: usize = 64;

/// A running session.
pub(super) struct Engine {
    /// `None` when it is ending.
    input: Option<Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    /// Starts a session whose output goes to the page.
    pub fn start(output: Sender<Outgoing>) -> io::Result<Self> {
        let (input, lines) = bounded(BACKLOG);
        let output = LineOutput::new(move |line: &[u8]| {
            let frame = text_frame(String::from_utf8_lossy(line).into_owned())?;
            // The page has gone: the session ends when its output is closed.
            output.send(frame).map_err(|_| io::ErrorKind::BrokenPipe.into())
        });
        let thread = thread::Builder::new().spawn(move || Session::new(output).run(TextInput::new(lines)))?;
        Ok(Self { input: Some(input), thread: Some(thread) })
    }

    /// Passes a line on.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let Some(input) = &self.input else { return Ok(()) };
        input.send(format!("{line}\n")).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Drop for Engine {
    /// The end of its input ends a session, and the search in it.
    fn drop(&mut self) {
        self.input = None;
        if let Some(thread) = self.thread.take() {
            // A panic was told already.
            let _ = thread.join();
        }
    }
}

/// Whether a page may say this to our engine.
pub(super) fn is_allowed(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("setoption") {
        return is_command(line);
    }
    let option: Vec<_> = words.skip(1).take_while(|&word| word != "value").collect();
    let is_option = || uci::options_without_files().any(|name| name == option.join(" "));
    !line.contains(['\n', '\r']) && line.starts_with("setoption name ") && is_option()
}

/// Whether a line is a command that a page may give to any engine, other than to set an option.
pub(super) fn is_command(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let is_known = match words.next() {
        Some("go") => words.all(|word| word != "perft"),
        Some(word) => COMMANDS.contains(&word),
        None => false,
    };
    is_known && !line.contains(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_no_say_over_files() {
        for line in [
            "uci",
            "isready",
            "go infinite",
            "go depth 3",
            "position startpos moves e2e4",
            "stop",
            "setoption name Threads value 2",
            "setoption name Clear Hash",
            "setoption name UCI_ShowWDL value true",
            "setoption name Contempt value 20",
        ] {
            assert!(is_allowed(line), "{line}");
        }
        for line in [
            "",
            "quit",
            "bench",
            "export_net /tmp/x",
            "setoption name Debug Log File value /tmp/x",
            "go perft 9",
            "setoption name EvalFile value x",
            "setoption name BookFile value x",
            "setoption name SyzygyPath value /",
            "setoption name AnalysisStore value x",
            "setoption  name Threads value 1",
            "setoption name threads value /tmp",
            "setoption name Threads name Debug Log File value /tmp/x",
            "isready\nquit",
            "stop\rquit",
            "debug on",
            "setoption",
            "setoption value name SyzygyPath value /",
        ] {
            assert!(!is_allowed(line), "{line}");
        }
    }
}
