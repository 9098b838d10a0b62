//! The protocol: a second process of this program is asked what a client would ask.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use arena::client::{EngineCommand, UciClient, UciError};
use movegen::Board;

use super::diagnosis::Diagnosis;

const REMEDY: &str = "download or build the program again; if that does not help, report it with this page";

/// What `go movetime` is tried with.
const MOVE_TIME: Duration = Duration::from_millis(100);
/// A move may come this much later than asked for.
const LATENESS: Duration = Duration::from_millis(50);
/// How long `go infinite` runs before it is stopped.
const A_WHILE: Duration = Duration::from_millis(100);

/// Talks with the program in this file; each answer may take as long as `patience`.
pub(super) fn examine(program: io::Result<PathBuf>, patience: Duration) -> Vec<Diagnosis> {
    let program = match program {
        Ok(program) => program,
        Err(error) => return vec![Diagnosis::fault(format!("cannot find the program's own file: {error}"), REMEDY)],
    };
    let mut diagnoses = Vec::new();
    if let Err(error) = converse(&program, patience, &mut diagnoses) {
        diagnoses.push(Diagnosis::fault(error, REMEDY));
    }
    diagnoses
}

/// Adds what goes well; the first thing that does not is the error.
fn converse(program: &Path, patience: Duration, diagnoses: &mut Vec<Diagnosis>) -> Result<(), String> {
    let path = program.to_str().ok_or("cannot start the program again: its path is not UTF-8")?;
    let command = EngineCommand::Program(vec![path.to_owned()]);
    let at = |step: &'static str| move |error: UciError| format!("{step}: {error}");
    let start = Instant::now();
    let mut client = UciClient::start(&command, patience).map_err(at("uci"))?;
    diagnoses.push(Diagnosis::good(format!("uci: {} in {} ms", client.name(), start.elapsed().as_millis())));
    client.wait_until_ready(patience).map_err(at("isready"))?;
    diagnoses.push(Diagnosis::good("isready: answered"));

    let answer = client.search("position startpos", "go nodes 20000", patience, |_, _| {}).map_err(at("go nodes"))?;
    Board::start().parse_uci(&answer.best).map_err(|error| format!("go nodes: {error}"))?;
    diagnoses.push(Diagnosis::good(format!("go nodes: {}", answer.best)));

    let go = format!("go movetime {}", MOVE_TIME.as_millis());
    let answer = client.search("position startpos", &go, patience, |_, _| {}).map_err(at("go movetime"))?;
    diagnoses.push(judge_time(answer.elapsed));

    match client.search("position startpos", "go infinite", A_WHILE, |_, _| {}) {
        Err(UciError::Silent { .. }) => {}
        Err(error) => return Err(at("go infinite")(error)),
        Ok(_) => return Err("go infinite: the search ended by itself".to_owned()),
    }
    let start = Instant::now();
    if !client.stop(patience) {
        return Err("stop: no best move came".to_owned());
    }
    diagnoses
        .push(Diagnosis::good(format!("go infinite, stop: the move came after {} ms", start.elapsed().as_millis())));
    drop(client);
    quit(program, patience)?;
    diagnoses.push(Diagnosis::good("quit: the process ended"));
    Ok(())
}

fn judge_time(elapsed: Duration) -> Diagnosis {
    let text = format!("go movetime {}: the move came after {} ms", MOVE_TIME.as_millis(), elapsed.as_millis());
    match elapsed.checked_sub(MOVE_TIME + LATENESS) {
        None => Diagnosis::good(text),
        Some(_) => {
            let overhead = (elapsed - MOVE_TIME).as_millis() / 10 * 10 + 10;
            Diagnosis::note(text, format!("this machine is busy or slow; set Move Overhead to {overhead}"))
        }
    }
}

/// Whether a process ends at once and well when it is told to.
fn quit(program: &Path, patience: Duration) -> Result<(), String> {
    let fault = |error: io::Error| format!("quit: {error}");
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().map_err(fault)?;
    // Left open, so that it is the word and not the end of the input that ends it.
    let mut input = child.stdin.take();
    let told = input.as_mut().map_or(Ok(()), |input| input.write_all(b"quit\n"));
    let status = told.and_then(|()| end_of(&mut child, patience));
    if !matches!(status, Ok(Some(_))) {
        // It may have ended in the meantime, and then both fail.
        let _ = child.kill();
        let _ = child.wait();
    }
    match status.map_err(fault)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("quit: {status}")),
        None => Err("quit: the process did not end".to_owned()),
    }
}

fn end_of(child: &mut Child, patience: Duration) -> io::Result<Option<std::process::ExitStatus>> {
    let deadline = Instant::now() + patience;
    loop {
        match child.try_wait()? {
            None if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            status => return Ok(status),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::Level;
    use super::*;

    #[test]
    fn what_is_no_engine_is_a_fault() {
        for program in [Ok(PathBuf::from("/no/such/program")), Err(io::ErrorKind::NotFound.into())] {
            let diagnoses = examine(program, Duration::from_millis(100));
            assert_eq!(diagnoses.iter().map(|diagnosis| diagnosis.level).collect::<Vec<_>>(), [Level::Fault]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_ends_or_hangs_is_a_fault() {
        for (program, message) in [("true", "uci: the engine has exited"), ("yes", "uci: no \"uciok\" within")] {
            let Some(path) = ["/bin", "/usr/bin"]
                .map(|folder| Path::new(folder).join(program))
                .into_iter()
                .find(|path| path.exists())
            else {
                panic!("every Unix has {program}");
            };
            let diagnoses = examine(Ok(path), Duration::from_millis(300));
            assert!(diagnoses[0].text.starts_with(message), "{diagnoses:?}");
        }
    }

    #[test]
    fn late_moves_are_noted_with_the_reserve_they_call_for() {
        assert_eq!(judge_time(Duration::from_millis(95)).level, Level::Good);
        assert_eq!(judge_time(Duration::from_millis(149)).level, Level::Good);
        let late = judge_time(Duration::from_millis(234));
        assert_eq!(late.remedy.as_deref(), Some("this machine is busy or slow; set Move Overhead to 140"));
    }
}
