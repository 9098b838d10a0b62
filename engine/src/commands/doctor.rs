//! `vancura doctor`: does the program find on this machine what it needs, and does it do what it should?

mod clock;
mod diagnosis;
mod memory;
mod network;
mod processor;
mod protocol;
mod tables;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use cli::{counted, printable_line};

use self::diagnosis::{Diagnosis, Level};

/// What the marks mean.
const MARKS: &str = "\
Marks:
  ok      as it should be
  note    it works, and could be better; what to do about it stands below
  FAULT   something is wrong; what to do about it stands below

The exit status is 0 without a fault, 1 with one, and 2 if the report could not be written.

Examples:
  vancura doctor
  vancura doctor --syzygy ~/syzygy";

/// Examines processor, memory, clock, network, endgame tables and protocol, and says how to mend what is wrong.
#[derive(Args, Debug)]
#[command(after_long_help = MARKS)]
pub struct DoctorArguments {
    /// Folders with Syzygy endgame tables to open and to sample
    #[arg(long, env = "SYZYGY_PATH", value_name = "FOLDERS", hide_env_values = true)]
    syzygy: Option<OsString>,
    /// MiB of the transposition table to try
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    /// The report cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

/// How long the program may take for an answer in the examination of its protocol.
const PATIENCE: Duration = Duration::from_secs(20);

/// Examines and reports. The exit status says whether anything is wrong.
///
/// # Errors
///
/// If the report cannot be written.
pub fn run(arguments: &DoctorArguments) -> Result<ExitCode, DoctorError> {
    let mut report = Report { output: anstream::stdout(), notes: 0, faults: 0 };
    report.line(&format!("{} for {} on {}", uci::NAME, env::consts::ARCH, env::consts::OS))?;
    report.section("Processor", processor::examine())?;
    report.section("Memory", memory::examine(arguments.hash as usize))?;
    report.section("Clock", clock::examine())?;
    report.section("Network", network::examine())?;
    report.section("Endgame tables", tables::examine(arguments.syzygy.as_deref()))?;
    report.section("Protocol", protocol::examine(env::current_exe(), PATIENCE))?;
    report.conclude()?;
    Ok(if report.faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Findings as they come: some take a while.
struct Report<W> {
    output: W,
    notes: usize,
    faults: usize,
}

impl<W: Write> Report<W> {
    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn section(&mut self, title: &str, diagnoses: impl IntoIterator<Item = Diagnosis>) -> io::Result<()> {
        let bold = Style::new().bold();
        self.line(&format!("\n{bold}{title}{bold:#}"))?;
        for Diagnosis { level, text, remedy } in diagnoses {
            let (mark, color) = match level {
                Level::Good => ("ok", AnsiColor::Green),
                Level::Note => ("note", AnsiColor::Yellow),
                Level::Fault => ("FAULT", AnsiColor::Red),
            };
            self.notes += usize::from(level == Level::Note);
            self.faults += usize::from(level == Level::Fault);
            let style = color.on_default();
            self.line(&format!("  {style}{mark:<6}{style:#} {}", printable_line(&text)))?;
            if let Some(remedy) = remedy {
                self.line(&format!("         -> {}", printable_line(&remedy)))?;
            }
            self.output.flush()?;
        }
        Ok(())
    }

    fn conclude(&mut self) -> io::Result<()> {
        let text = match (self.faults, self.notes) {
            (0, 0) => "No problems found.".to_owned(),
            (0, notes) => format!("No faults, {}.", counted(notes, "note")),
            (faults, notes) => format!("{} and {}.", counted(faults, "fault"), counted(notes, "note")),
        };
        self.line(&format!("\n{text}"))?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(diagnoses: Vec<Diagnosis>) -> String {
        let mut report = Report { output: Vec::new(), notes: 0, faults: 0 };
        report.section("Clock", diagnoses).unwrap();
        report.conclude().unwrap();
        anstream::adapter::strip_str(std::str::from_utf8(&report.output).unwrap()).to_string()
    }

    #[test]
    fn marks_and_remedies_stand_in_line() {
        let diagnoses = vec![
            Diagnosis::good("it ticks"),
            Diagnosis::note("it is slow", "wait"),
            Diagnosis::fault("it stands", "wind it"),
        ];
        let expected = "
Clock
  ok     it ticks
  note   it is slow
         -> wait
  FAULT  it stands
         -> wind it

1 fault and 1 note.
";
        assert_eq!(report(diagnoses), expected);
        assert!(report(vec![]).ends_with("\nNo problems found.\n"));
        let notes = vec![Diagnosis::note("a", "b"), Diagnosis::note("a", "b")];
        assert!(report(notes).ends_with("\nNo faults, 2 notes.\n"));
    }
}
