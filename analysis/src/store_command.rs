//! `vancura store`: what is in an analysis store, and its results out of it, into it and from one to another.

mod row;
mod transfer;

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use cli::{Printable, counted};
use eval::Network;
use indicatif::BinaryBytes;
use store::{StoreReader, Summary, SummaryPart};

use crate::error::AnalyseError;
use crate::search::provenance::identity;
use crate::store_command::transfer::{ExportArguments, ImportArguments, MergeArguments, PruneArguments};

/// Where a store comes from, what tells of it, and what can be done with it.
const EXAMPLES: &str = "\
Examples:
  vancura analyse games.pgn --store analysis.db --html report.html
  vancura store analysis.db
  vancura store export analysis.db -o results.jsonl
  vancura store export analysis.db -o results.parquet
  vancura store import other.db results.jsonl
  vancura store merge analysis.db other.db
  vancura store prune analysis.db --older --min-nodes 1000";

/// Says what is in a store of `analyse --store` or of the UCI option `AnalysisStore`, or passes its results on.
///
/// The whole file is checked for damage. Only `import`, `merge` and `prune` change it. A store with the name of one of these
/// tasks is written `./export`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct StoreArguments {
    #[command(subcommand)]
    task: Option<Task>,
    /// The store
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Write all results as JSON Lines or Parquet
    Export(ExportArguments),
    /// Add results of JSON Lines; of two of the same search the better one stays
    Import(ImportArguments),
    /// Add the results of other stores; of two of the same search the better one stays
    Merge(MergeArguments),
    /// Take results out and make the file smaller
    Prune(PruneArguments),
}

/// Writes how many positions and results there are, the size of the file, and whose results they are, or does what else is
/// asked for.
///
/// # Errors
///
/// If a file is no store, is damaged or in use, or something cannot be read or written.
pub fn run(arguments: &StoreArguments) -> Result<(), AnalyseError> {
    match (&arguments.task, &arguments.file) {
        (Some(Task::Export(arguments)), _) => transfer::export(arguments),
        (Some(Task::Import(arguments)), _) => transfer::import(arguments),
        (Some(Task::Merge(arguments)), _) => transfer::merge(arguments),
        (Some(Task::Prune(arguments)), _) => transfer::prune(arguments),
        (None, Some(path)) => summarise(path),
        // The command line is refused before it comes to this.
        (None, None) => Ok(()),
    }
}

fn summarise(path: &Path) -> Result<(), AnalyseError> {
    let error = |error| AnalyseError::Store { path: path.to_owned(), error };
    let summary = StoreReader::open(path).and_then(|reader| reader.summary()).map_err(error)?;
    write_summary(&mut Printable::new(io::stdout()), &summary).map_err(AnalyseError::Write)
}

fn write_summary(output: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    let Summary { positions, records, parts, bytes } = summary;
    writeln!(output, "{}, {}, {}", count(*positions, "position"), count(*records, "result"), size(*bytes))?;
    let ours = identity(&Network::embedded());
    for SummaryPart { identity, records, .. } in parts {
        let mut notes = Vec::new();
        if parts.len() > 1 {
            notes.push(count(*records, "result"));
        }
        if identity.engine != ours.engine {
            notes.push("another version, whose results analysis shows first and searches again".to_owned());
        } else if *identity != ours {
            notes.push("another network, which UCI analysis needs as `EvalFile` to answer with it".to_owned());
        }
        let colon = if notes.is_empty() { "" } else { ": " };
        writeln!(output, "{identity}{colon}{}", notes.join("; "))?;
    }
    Ok(())
}

fn count(count: u64, noun: &str) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), noun)
}

fn size(bytes: u64) -> impl fmt::Display {
    BinaryBytes(bytes)
}
