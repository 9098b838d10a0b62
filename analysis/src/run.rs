//! `vancura analyse`: from the input to the outputs.
//!
//! `queue` reads games and cuts them into segments, on a thread of its own; the threads of `searching` find or recall what is
//! said of each; `collector` puts games together from the results, which come in order, and hands them to the outputs.

pub(crate) mod arguments;
pub(crate) mod collector;
mod practice;
mod queue;
mod searching;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use cli::{in_order, progress_bar, stop_on_ctrl_c, tell};
use platform::{FileIdentity, is_direct};
use search::STACK_SIZE;

use crate::error::AnalyseError;
use crate::model::Run;
use crate::read::source::{Source, SourceKind};
use crate::report::{LiveEngine, Report};
use crate::run::arguments::AnalyseArguments;
use crate::run::collector::{Collector, Counts};
use crate::run::practice::PracticeSearch;
use crate::run::queue::{Forecast, Room, SegmentQueue};
use crate::run::searching::Searching;
use crate::search::analyst::{Analyst, SearchMethod};
use crate::search::archive::Archive;
use crate::search::journal::Journal;
use crate::write::annotate::Remarks;
use crate::write::epd::EpdOutput;
use crate::write::output::{HtmlOutput, JsonOutput, Output, PgnOutput, Sink, TextOutput};
use crate::write::table::TableOutput;

/// Analyses games or a position, until all is done or the user presses Ctrl-C.
///
/// # Errors
///
/// If something cannot be read or written, or the run is interrupted. Games that cannot be read are an error only after
/// all others are done.
pub fn run(arguments: &AnalyseArguments) -> Result<(), AnalyseError> {
    run_until(arguments, &stop_on_ctrl_c())
}

/// As [`run`], but it ends when `stop` is raised.
///
/// # Errors
///
/// As [`run`].
pub fn run_until(arguments: &AnalyseArguments, stop: &AtomicBool) -> Result<(), AnalyseError> {
    let engine = live_engine(arguments)?;
    let mut source = Source::open(&arguments.inputs, arguments.strict)?;
    let (outputs, journal) = (arguments.outputs(), journal_path(arguments));
    check_files(&source.files, written(arguments, &outputs, journal.as_deref()))?;
    if let Some(shard) = arguments.shard {
        if is_finished(&outputs, journal.as_deref()) {
            tell(format_args!("part {shard} is finished: {} is there", outputs[0].display()));
            return Ok(());
        }
        source = source.shard(shard)?;
    }
    let (method, complaints) = arguments.search.method();
    let run = arguments.search.run(&source.name, method.tablebase.as_deref());
    let archive = arguments.search.archive(&run)?;
    // The journal may lie there, too.
    arguments.tables().try_for_each(|(_, files)| files.make_folder()).map_err(AnalyseError::Write)?;
    let journal = open_journal(arguments, &run)?;
    let kept = journal.as_ref().map(|journal| journal.path().to_owned());
    let outputs = match open_outputs(arguments, &run, engine, source.kind) {
        Ok(outputs) => outputs,
        Err(error) => {
            // One that is only just begun is not to be left behind.
            journal.filter(Journal::is_new).map(Journal::remove).transpose()?;
            return Err(error);
        }
    };
    let (name, kind) = (source.name.clone(), source.kind);
    let (searches, practice) = (arguments.search.searches(), arguments.practises());
    let work = Work { source, method: &method, searches, complaints, practice };
    let (counts, journal) = match work.carry_out(outputs, journal, archive, stop) {
        // The reader of the standard output has gone, and files have not been written.
        Err(AnalyseError::Write(error)) if kept.is_some() && error.kind() == io::ErrorKind::BrokenPipe => {
            return Err(AnalyseError::Interrupted(kept));
        }
        result => result?,
    };
    if stop.load(Relaxed) {
        tell(counts);
        return Err(AnalyseError::Interrupted(journal.map(|journal| journal.path().to_owned())));
    }
    journal.map(Journal::remove).transpose()?;
    conclude(counts, &name, kind, arguments.shard.is_some())
}

/// Games to be searched, and how.
pub(super) struct Work<'a> {
    pub source: Source,
    pub method: &'a SearchMethod,
    /// How many searches run side by side.
    pub searches: usize,
    /// Messages to show first.
    pub complaints: Vec<String>,
    /// Mistakes are searched again, to be practised.
    pub practice: bool,
}

impl Work<'_> {
    /// Searches all games and hands them to the outputs, or as many as there is time for before the stop.
    pub fn carry_out(
        self,
        outputs: Vec<Box<dyn Output>>,
        journal: Option<Journal>,
        archive: Option<Archive>,
        stop: &AtomicBool,
    ) -> Result<(Counts, Option<Journal>), AnalyseError> {
        let Self { source, method, searches, complaints, practice } = self;
        let progress = progress_bar(None, "positions");
        let (room, journal) = (Room::default(), journal.map(Mutex::new));
        let journal_in_use = journal.as_ref();
        let searching = Searching { journal: journal_in_use, archive: archive.as_ref(), stop, progress: &progress };
        complaints.iter().for_each(|complaint| searching.say(complaint));
        let forecast = Forecast { progress: &progress, bytes_read: source.bytes_read, bytes: source.bytes };
        let queue = SegmentQueue::new(source.games, &room, journal_in_use, stop, forecast);
        let analysts = (0..searches).map(|_| Analyst::new(method)).collect();
        let practice = practice.then(|| PracticeSearch::new(method, searches));
        let mut collector = Collector::new(outputs, archive.is_some(), &room, stop, practice);
        let work = |analyst: &mut Analyst<'_>, item| searching.work(analyst, item);
        let take = |finished| {
            collector.take(finished);
            ControlFlow::Continue(())
        };
        in_order(queue, analysts, Some(STACK_SIZE), work, take).map_err(AnalyseError::Threads)?;
        if let Some(archive) = &archive {
            archive.flush(|text| searching.say(text));
        }
        let counts = collector.close();
        progress.finish_and_clear();
        Ok((counts?, journal.map(|journal| journal.into_inner().unwrap_or_else(PoisonError::into_inner))))
    }
}

fn conclude(counts: Counts, source: &str, kind: SourceKind, is_part: bool) -> Result<(), AnalyseError> {
    // A part may well have none.
    if !is_part && (counts.games, counts.partial, counts.broken) == (0, 0, 0) {
        if kind == SourceKind::Positions {
            return Err(AnalyseError::NoPosition(source.to_owned()));
        }
        return Err(AnalyseError::Empty(source.to_owned()));
    }
    tell(counts);
    counts.check(kind)
}

/// The files that a run writes.
fn written<'a>(
    arguments: &'a AnalyseArguments,
    outputs: &'a [PathBuf],
    journal: Option<&'a Path>,
) -> impl Iterator<Item = &'a Path> {
    let alone = outputs.is_empty().then_some(Path::new("-"));
    let outputs = outputs.iter().map(PathBuf::as_path).chain(alone).chain(journal);
    outputs.chain(arguments.search.store.as_deref())
}

/// Refuses files of which one would destroy another, however they are written.
pub(crate) fn check_files<'a>(inputs: &[PathBuf], outputs: impl Iterator<Item = &'a Path>) -> Result<(), AnalyseError> {
    let inputs: Vec<_> = inputs.iter().filter_map(|path| FileIdentity::of_input(path)).collect();
    let mut seen = Vec::new();
    for path in outputs {
        let Some(output) = FileIdentity::of_output(path) else { continue };
        if inputs.contains(&output) {
            return Err(AnalyseError::Overwrite(path.to_owned()));
        }
        if seen.contains(&output) {
            return Err(AnalyseError::SameOutput(path.to_owned()));
        }
        seen.push(output);
    }
    Ok(())
}

/// Whether all of these files are there, and no interrupted run is.
fn is_finished(outputs: &[PathBuf], journal: Option<&Path>) -> bool {
    !outputs.is_empty() && outputs.iter().all(|path| path.is_file()) && journal.is_some_and(|path| !path.exists())
}

/// Where the journal of the run lies, if there is an output file beside which it can lie.
fn journal_path(arguments: &AnalyseArguments) -> Option<PathBuf> {
    // What is there and no file, `/dev/null` say, has no place beside it.
    let beside = arguments.outputs().into_iter().find(|path| path != Path::new("-") && !is_direct(path))?;
    let mut path = beside.into_os_string();
    path.push(".partial");
    Some(path.into())
}

fn open_journal(arguments: &AnalyseArguments, run: &Run) -> Result<Option<Journal>, AnalyseError> {
    // What needs no search is not worth remembering.
    let beside = journal_path(arguments).filter(|_| !arguments.search.eval_only);
    let Some(path) = beside else {
        return if arguments.resume { Err(AnalyseError::NoJournal) } else { Ok(None) };
    };
    let settings = serde_json::to_value(run).map_err(io::Error::from).map_err(AnalyseError::Write)?;
    // A part goes on by itself: whoever started it may be gone.
    let resumes = arguments.resume || arguments.shard.is_some();
    Ok(Some(Journal::open(path, settings, resumes)?))
}

/// The engine that the page is to carry, if it is.
fn live_engine(arguments: &AnalyseArguments) -> Result<Option<LiveEngine>, AnalyseError> {
    if !arguments.live {
        return Ok(None);
    }
    LiveEngine::built_in().ok_or(AnalyseError::NoLiveEngine).map(Some)
}

/// All outputs that were asked for. Files are begun at once, so that what cannot be written is said before the work; what
/// is there already stays until all is done.
fn open_outputs(
    arguments: &AnalyseArguments,
    run: &Run,
    engine: Option<LiveEngine>,
    kind: SourceKind,
) -> Result<Vec<Box<dyn Output>>, AnalyseError> {
    let mut outputs: Vec<Box<dyn Output>> = Vec::new();
    let is_alone = arguments.outputs().is_empty();
    let output = arguments.output.as_deref().or(is_alone.then_some(Path::new("-")));
    if kind == SourceKind::Position && output == Some(Path::new("-")) {
        outputs.push(Box::new(TextOutput { file: Sink::text() }));
    } else if let (SourceKind::Positions, Some(path)) = (kind, output) {
        outputs.push(Box::new(EpdOutput { file: create(path)? }));
    } else if let Some(path) = output {
        outputs.push(Box::new(PgnOutput {
            file: create(path)?,
            annotator: run.engine.clone(),
            comments: arguments.comments,
            signs: arguments.signs,
            remarks: Remarks { labels: arguments.labels, reasons: arguments.explain },
        }));
    }
    if let Some(path) = &arguments.json {
        let json = JsonOutput::begin(create(path)?, run, folder(path)).map_err(AnalyseError::Write)?;
        outputs.push(Box::new(json));
    }
    for (form, files) in arguments.tables() {
        outputs.push(Box::new(TableOutput::begin(&files, form, run).map_err(AnalyseError::Write)?));
    }
    if let Some(path) = &arguments.html {
        let file = create(path)?;
        let report = Report::new(run.clone(), folder(path)).map_err(AnalyseError::Write)?;
        let report = engine.into_iter().fold(report, Report::with_engine);
        outputs.push(Box::new(HtmlOutput { file, report }));
    }
    Ok(outputs)
}

/// The folder of a file, where what has to wait for its place in the file can lie.
fn folder(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

fn create(path: &Path) -> Result<Sink, AnalyseError> {
    Sink::create(path).map_err(AnalyseError::Write)
}
