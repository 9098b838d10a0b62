//! `vancura store`: what is in an analysis store.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use cli::{Printable, counted};
use eval::Network;
use indicatif::BinaryBytes;
use store::Store;

use crate::error::AnalyseError;
use crate::search::provenance::identity;

/// Where a store comes from, and what tells of it.
const EXAMPLES: &str = "\
Examples:
  vancura analyse games.pgn --store analysis.db --html report.html
  vancura store analysis.db";

/// Says what is in a store of `analyse --store` or of the UCI option `AnalysisStore`.
///
/// The whole file is checked for damage, and nothing in it is changed.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct StoreArguments {
    /// The store
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Writes how many positions and results there are, the size of the file, and whose results they are.
///
/// # Errors
///
/// If the file is no store, is damaged or in use, or the output cannot be written.
pub fn run(arguments: &StoreArguments) -> Result<(), AnalyseError> {
    let path = &arguments.file;
    let error = |error| AnalyseError::Store { path: path.clone(), error };
    let summary = Store::summary(path).map_err(error)?;
    let count = |count: u64, noun| counted(usize::try_from(count).unwrap_or(usize::MAX), noun);
    let (positions, records) = (count(summary.positions, "position"), count(summary.records, "result"));
    let ours = identity(&Network::embedded());
    let is_ours = match summary.identity {
        ref found if *found == ours => "",
        ref found if found.engine == ours.engine => {
            ": another network, which UCI analysis needs as `EvalFile` to use it"
        }
        _ => ": not this program, which cannot use it",
    };
    let mut output = Printable::new(io::stdout());
    writeln!(output, "{positions}, {records}, {}", BinaryBytes(summary.bytes)).map_err(AnalyseError::Write)?;
    writeln!(output, "{}{is_ours}", summary.identity).map_err(AnalyseError::Write)
}
