//! What the user may choose.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::read::shard::Shard;
use crate::search::search_arguments::SearchArguments;
use crate::write::annotate::{CommentStyle, QualitySigns};
use crate::write::table::{TableFiles, TableForm};

/// What is behind the figures.
const EXPLANATION: &str = "\
Judgements go by points thrown away: what the mover could expect from the game before the move, less
what is left after it, by the engine's own model of wins, draws and losses. Above 0.05 a move is an
inaccuracy (?!), above 0.10 a mistake (?), above 0.20 a blunder (??). Its accuracy is 100 for nothing
thrown away and halves with every 0.15; a player's is the mean over all moves but forced ones.
Brilliant (!!), great (!) and only moves are found with --multipv 2 or more.

A run that is bounded by nodes or depth gives the same on every machine and with any number of
threads, unless they search one position together. Eight positions in a row share a table, searched
from the last to the first.

Ctrl-C ends the run and writes what is done; --resume goes on. What has been found is kept beside
the first output file, in FILE.partial, until all is done. Files that are there already are replaced
only then, and not at all if no game could be read.

Examples:
  vancura analyse games.pgn --html report.html
  vancura analyse games.pgn --nodes 200k -o annotated.pgn
  vancura analyse games.pgn --nodes 200k --multipv 2 --labels --explain -o review.pgn
  vancura analyse positions.epd --nodes 100k -o analysed.epd
  vancura analyse games.pgn --nodes 1k --shard 1/2 --jsonl parts/
  vancura analyse games.pgn --nodes 1k --parquet tables
  vancura analyse - --eval-only < positions.epd
  vancura analyse \"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\" --depth 8 --multipv 2";

/// Analyses the games of PGN files, lists of positions, or one position.
///
/// The games come out annotated: an evaluation with each move, bad ones marked with what would have been better, the
/// only good ones (with --multipv 2 or more), missed mates, and what the laws say: claims that were possible, dead
/// positions, flags that fell against an opponent who cannot mate. Games that cannot be read are reported by line and
/// skipped.
///
/// Positions come as FEN or EPD, a line each, in a table (CSV) with a column `fen`, or as JSON Lines with a field `fen`.
/// They come out as EPD, in their order and with their ids.
#[derive(Args, Debug)]
#[command(after_long_help = EXPLANATION)]
pub struct AnalyseArguments {
    /// Files of games (PGN) or positions (EPD, FEN, CSV, JSON Lines), compressed or not, folders of such files, `-` for the
    /// standard input, or a position: a FEN in quotes, or `startpos`
    #[arg(required = true, value_name = "FILE|FEN|-")]
    pub(crate) inputs: Vec<OsString>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// Write the annotated games, or the positions as EPD, to this file [default: the standard output if no other output is asked for]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What is said in the comments of the annotated games
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = CommentStyle::Lichess)]
    pub(crate) comments: CommentStyle,
    /// What becomes of the quality signs of the file (!, ?, !?) where the analysis has its own
    #[arg(long, value_enum, value_name = "SIGNS", default_value_t = QualitySigns::Keep)]
    pub(crate) signs: QualitySigns,
    /// Say in the comments what kind of move each is: best, excellent, good, book, forced, and those that are said anyway
    #[arg(long)]
    pub(crate) labels: bool,
    /// Say in the comments why a move was bad, where the line that refutes it proves it
    #[arg(long)]
    pub(crate) explain: bool,
    /// Do not search the positions of mistakes again, with more lines, for those who practise them (done for --json and --html)
    #[arg(long)]
    pub(crate) no_practice: bool,
    /// Write everything that was found to this file, for programs
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write a row for each position to this file, as JSON Lines; to a folder, files of positions and of games
    #[arg(long, value_name = "FILE|FOLDER/")]
    pub(crate) jsonl: Option<PathBuf>,
    /// The same as CSV
    #[arg(long, value_name = "FILE|FOLDER/")]
    pub(crate) csv: Option<PathBuf>,
    /// The same as Parquet, to files of positions and of games in this folder; to a file if its name ends in `.parquet`
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FOLDER|FILE.parquet")]
    pub(crate) parquet: Option<PathBuf>,
    /// Write a page to look at to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Let that page carry the engine, to analyse on in the browser, without a network; for programs of a release, or
    /// built by `make live`
    #[arg(long, requires = "html")]
    pub(crate) live: bool,
    /// Leave games out that cannot be read in full, instead of what of them cannot be read
    #[arg(long)]
    pub(crate) strict: bool,
    /// Analyse part I of N of the input, and nothing if its output is there already; `auto` asks the scheduler's environment
    #[arg(long, value_name = "I/N|auto|auto/N", value_parser = Shard::parse)]
    pub(crate) shard: Option<Shard>,
    /// Go on with a run that was interrupted
    #[arg(long)]
    pub(crate) resume: bool,
}

impl AnalyseArguments {
    /// Whether mistakes are searched again, to be practised.
    pub(crate) const fn practises(&self) -> bool {
        (self.json.is_some() || self.html.is_some()) && !self.no_practice && !self.search.eval_only
    }

    /// The tables that were asked for.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (TableForm, TableFiles)> {
        let tables = [
            (TableForm::JsonLines, &self.jsonl),
            (TableForm::Csv, &self.csv),
            #[cfg(feature = "parquet")]
            (TableForm::Parquet, &self.parquet),
        ];
        tables.into_iter().filter_map(|(form, path)| Some((form, TableFiles::of(path.as_deref()?, form, self.shard))))
    }

    /// The outputs that were asked for, `-` for the standard output.
    pub(crate) fn outputs(&self) -> Vec<PathBuf> {
        let tables: Vec<_> = self.tables().flat_map(|(_, files)| files.iter().cloned().collect::<Vec<_>>()).collect();
        [&self.output, &self.json, &self.html].into_iter().flatten().cloned().chain(tables).collect()
    }
}
