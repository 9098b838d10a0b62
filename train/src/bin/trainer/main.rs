//! The trainer's command line: from files of games to a network.

mod arguments;
mod exam;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arguments::{Arguments, Command, DataArguments, EndgamesArguments, PrepareArguments, TrainArguments, threads};
use clap::Parser;
use cli::{printable, tell};
use endgame::{Material, Tables};
use eval::{Network, NetworkError};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use movegen::{Board, FenError};
use platform::write_file;
use train::endings::exam::{Marks, convert, judge};
use train::records::filter::{Filter, Rejection};
use train::records::prepare::{Preparation, Summary};
use train::records::record::{RECORD_LEN, RecordFile, RecordWriter};
use train::records::shuffle::Thinning;
use train::records::synthetic::random_records;
use train::training::arrange::{self, Arranged};
use train::training::checkpoint::{Checkpoint, CheckpointError, Entry};
use train::training::grow::grow;
use train::training::kernel::Objective;
use train::training::model::{Layout, Parameters};
use train::training::network_file::read_network_file;
use train::training::recipe::Recipe;
use train::training::rescore::Which;
use train::training::seed::seed_network;
use train::training::trainer::{Finished, Training, check_unused, load_state};
use train::training::validation::Validation;
use train::tuning::wdl::{Counts, LeftOut};

/// Writes a line to stdout; nobody need be reading.
macro_rules! say {
    ($($argument:tt)*) => {{
        let _ = writeln!(io::stdout(), "{}", printable(&format!($($argument)*)));
    }};
}

fn main() -> ExitCode {
    platform::make_file_size_limits_errors();
    let result = match Arguments::parse().command {
        Command::Prepare(arguments) => prepare(arguments),
        Command::Train(arguments) => train(arguments),
        Command::Resume(arguments) => resume(&arguments),
        Command::Seed { network } => seed(&network),
        Command::Install { network, folder } => install(&network, &folder),
        Command::Quantise { checkpoint, network, validation } => quantise(&checkpoint, &network, validation.as_deref()),
        Command::Average { network, weights, validation, wdl } => {
            average(&network, &weights, validation.as_deref(), wdl)
        }
        Command::Arrange { network, arranged, records } => arrange(&network, &arranged, &records),
        Command::Rescore { records, rescored, unscored, teachers } => {
            rescore(&records, &rescored, if unscored { Which::Unscored } else { Which::All }, &teachers)
        }
        Command::Chances { games } => chances(&games),
        Command::Endgames(arguments) => endgames(&arguments),
        Command::Exam(arguments) => exam::exam(&arguments),
        Command::Drift { networks, nodes } => exam::drift(&networks, nodes),
        Command::Evaluate { network, fens } => evaluate(&network, &fens),
        Command::Bench { hidden, parts, batches } => bench(hidden, parts, batches),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(format_args!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn progress_bar(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let progress = ProgressBar::no_length().with_style(style.progress_chars("=> "));
    progress.enable_steady_tick(Duration::from_millis(500));
    progress
}

fn prepare(arguments: PrepareArguments) -> Result<(), Box<dyn Error>> {
    let preparation = Preparation {
        games: arguments.games,
        records: arguments.records,
        train: arguments.train,
        validation: arguments.validation,
        filter: Filter {
            min_ply: arguments.min_ply,
            spacing: arguments.spacing,
            min_pieces: arguments.min_pieces,
            max_score: arguments.max_score,
            max_contradiction: arguments.max_contradiction,
            max_halfmove_clock: arguments.max_halfmove_clock,
            harvested_only: arguments.harvested_only,
            unsearched: arguments.unsearched,
        },
        thinning: Thinning {
            repeated: !arguments.keep_repeated,
            most_of_a_count: arguments.most_of_a_count.unwrap_or(f64::INFINITY),
        },
        weights: arguments.weight,
        held_out: arguments.held_out,
        seed: arguments.seed,
        memory: arguments.memory.saturating_mul(1 << 20),
    };
    let progress = progress_bar("[{elapsed_precise}] [{wide_bar}] {bytes}/{total_bytes} {bytes_per_sec} eta {eta}");
    let summary = preparation.run(&progress)?;
    progress.finish_and_clear();
    print_summary(&summary);
    Ok(())
}

fn print_summary(summary: &Summary) {
    let line = |name: &str, count: u64| say!("{:>15} {name}", HumanCount(count).to_string());
    line("games", summary.games);
    line("games left out, as they came before", summary.duplicates);
    line("positions", summary.positions);
    if summary.harvested > 0 {
        line("of them harvested", summary.harvested);
    }
    for (reason, count) in Rejection::ALL.into_iter().zip(summary.rejected) {
        line(&format!("left out: {}", reason.name()), count);
    }
    if summary.added > 0 {
        line("records added", summary.added);
    }
    line("left out: repeated", summary.thinned.repeated);
    if summary.thinned.frequent > 0 {
        line("left out: frequent number of pieces", summary.thinned.frequent);
    }
    line("kept for training", summary.train);
    line("kept for validation", summary.validation);
    for damage in &summary.damages {
        say!("warning: {damage}");
    }
}

fn train(arguments: TrainArguments) -> Result<(), Box<dyn Error>> {
    let recipe = Recipe {
        seed: arguments.seed,
        batch_size: arguments.batch_size,
        batches: arguments.batches,
        superbatches: arguments.superbatches,
        learning_rate_start: arguments.lr_start,
        learning_rate_end: arguments.lr_end,
        warm_up: arguments.warm_up,
        wdl_start: arguments.wdl_start,
        wdl_end: arguments.wdl_end.unwrap_or(arguments.wdl_start),
        weight_decay: arguments.weight_decay,
        reorder: arguments.reorder,
        only_bucket: arguments.only_bucket,
        rounded: arguments.rounded,
        parts: arguments.parts,
    };
    let DataArguments { run, train, validation } = arguments.data;
    check_unused(&run)?;
    let weights = arguments.from.as_deref().map(|path| weights_of(path, recipe.seed)).transpose()?;
    follow(Training::start(recipe, weights, &train, &validation)?, &run)
}

/// The weights in a checkpoint or a network, which may be smaller than what is to be trained.
fn weights_of(path: &Path, seed: u64) -> Result<Parameters, Box<dyn Error>> {
    match Checkpoint::load(path) {
        Ok(checkpoint) => Ok(checkpoint.parameters),
        // What is no checkpoint may be a network.
        Err(CheckpointError::Foreign(_)) => {
            let bytes = read_network_file(path)?;
            match Network::from_bytes(&bytes) {
                Ok(network) => Ok(Parameters::dequantise(&network)),
                Err(NetworkError::Architecture { .. } | NetworkError::KingBuckets) => Ok(grow(&bytes, seed)?),
                Err(error) => Err(error.into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

fn resume(arguments: &DataArguments) -> Result<(), Box<dyn Error>> {
    let state = load_state(&arguments.run)?;
    follow(Training::resume(state, &arguments.train, &arguments.validation)?, &arguments.run)
}

/// Follows a training to its end, with a bar for each superbatch and a line when it is done.
fn follow(mut training: Training, run: &Path) -> Result<(), Box<dyn Error>> {
    say!("{}", serde_json::to_string(&training.state().recipe)?);
    let superbatches = training.state().recipe.superbatches;
    let positions = training.state().recipe.batches * training.state().recipe.batch_size as u64;
    let progress = progress_bar("[{wide_bar}] {human_pos}/{human_len} {per_sec} {msg} eta {eta}");
    let began = Instant::now();
    let mut last = began;
    let mut done = 0;
    let Finished { network, loss, quantised_loss } = training.run(run, &progress, |entry: &Entry| {
        let rate = positions as f64 / last.elapsed().as_secs_f64() / 1e6;
        last = Instant::now();
        done += 1;
        let left = began.elapsed() / done * (superbatches - entry.superbatch) as u32;
        let Entry { superbatch, learning_rate, wdl, train_loss, validation_loss, .. } = entry;
        let line = format!(
            "superbatch {superbatch}/{superbatches}  lr {learning_rate:.2e}  wdl {wdl:.2}  loss {train_loss:.6}  \
             validation {validation_loss:.6}  {rate:.2} M positions/s  {} left",
            indicatif::HumanDuration(left)
        );
        progress.suspend(|| say!("{line}"));
        progress.reset();
    })?;
    progress.finish_and_clear();
    say_losses(loss, quantised_loss);
    say!("{}", network.display());
    Ok(())
}

/// What the network loses on its way into integers.
fn say_losses(loss: f64, quantised_loss: f64) {
    say!("validation {loss:.6}, quantised {quantised_loss:.6}");
}

fn seed(network: &Path) -> Result<(), Box<dyn Error>> {
    let seed = seed_network()?;
    write_file(network, seed.to_bytes())?;
    say!("{seed:?}");
    Ok(())
}

/// Writes the new network before the old one goes, so that a failure leaves at least one; and what it says of the
/// positions in the folder's `evaluations.txt`, by which tests know it again.
fn install(network: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let network = Network::from_bytes(&read_network_file(network)?)?;
    let name = format!("vancura-{:016x}.nnue", network.hash());
    write_file(&folder.join(&name), network.to_bytes())?;
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "nnue") && !path.ends_with(&name) {
            fs_err::remove_file(path)?;
        }
    }
    let evaluations = folder.join("evaluations.txt");
    if let Ok(old) = fs_err::read_to_string(&evaluations) {
        let fens = old.lines().filter_map(|line| Some(line.split_once(' ')?.1));
        let new: Result<String, FenError> = fens.map(|fen| Ok(evaluation(&network, fen)? + "\n")).collect();
        write_file(&evaluations, new?)?;
    }
    say!("{}", folder.join(name).display());
    Ok(())
}

fn quantise(checkpoint: &Path, network: &Path, validation: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let Checkpoint { recipe, parameters, .. } = Checkpoint::load(checkpoint)?;
    write_network(&parameters, network, validation, recipe.wdl_end)
}

fn average(network: &Path, weights: &[PathBuf], validation: Option<&Path>, wdl: f64) -> Result<(), Box<dyn Error>> {
    let all: Vec<Parameters> = weights.iter().map(|path| weights_of(path, 0)).collect::<Result<_, _>>()?;
    let mean = Parameters::mean(&all).ok_or("these are weights of networks of different sizes")?;
    write_network(&mean, network, validation, wdl)
}

/// Writes weights as a network, and tells their loss before and after that, with this share of results in the target.
fn write_network(
    parameters: &Parameters,
    network: &Path,
    validation: Option<&Path>,
    wdl: f64,
) -> Result<(), Box<dyn Error>> {
    let quantised = parameters.quantise()?;
    write_file(network, quantised.to_bytes())?;
    say!("{quantised:?}");
    if let Some(path) = validation {
        let mut validation = Validation::open(path, parameters.layout(), threads())?;
        let objective = Objective { wdl: wdl as f32 };
        let mut loss = |parameters: &Parameters| validation.loss(parameters, objective);
        say_losses(loss(parameters), loss(&Parameters::dequantise(&quantised)));
    }
    Ok(())
}

fn arrange(network: &Path, arranged: &Path, records: &Path) -> Result<(), Box<dyn Error>> {
    let network = Network::from_bytes(&read_network_file(network)?)?;
    let mut file = RecordFile::open(records)?;
    let mut records = vec![[0; RECORD_LEN]; file.count().min(arrange::MAX_RECORDS) as usize];
    file.read(&mut records)?;
    let Arranged { network, before, after } = arrange::arrange(&network, &records)?;
    write_file(arranged, network.to_bytes())?;
    say!("{network:?}: {before:.1} groups of products are active on a board, then {after:.1}");
    Ok(())
}

fn rescore(records: &Path, rescored: &Path, which: Which, teachers: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let teachers: Vec<Parameters> = teachers.iter().map(|path| weights_of(path, 0)).collect::<Result<_, _>>()?;
    let count = train::training::rescore::rescore(records, rescored, which, &teachers, threads())?;
    say!("{} positions scored by {} networks", HumanCount(count), teachers.len());
    Ok(())
}

fn chances(games: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let mut counts = Counts::default();
    for path in games {
        let LeftOut { parts, games } = counts.read(path)?;
        if parts + games > 0 {
            let name = path.display();
            say!("warning: {name}: {parts} damaged parts and {games} games with illegal moves left out");
        }
    }
    let (model, surprise) = counts.fit();
    say!("{} positions, mean surprise {surprise:.4}", counts.positions());
    say!("a: {:.2?}, b: {:.2?}", model.a, model.b);
    for material in [10, 24, 40, 58, 78] {
        let (a, b) = model.at(material);
        say!("material {material}: a = {a:.0}, b = {b:.0}");
    }
    Ok(())
}

fn evaluate(network: &Path, fens: &[String]) -> Result<(), Box<dyn Error>> {
    let network = Network::from_bytes(&read_network_file(network)?)?;
    if fens.is_empty() {
        say!("{}", network.evaluate(&Board::start()));
    }
    for fen in fens {
        say!("{}", evaluation(&network, fen)?);
    }
    Ok(())
}

/// What a network says of a position, and the position.
fn evaluation(network: &Network, fen: &str) -> Result<String, FenError> {
    Ok(format!("{} {fen}", network.evaluate(&Board::from_fen(fen)?)))
}

/// A network, and what the user calls it.
type Named = (String, Arc<Network>);

/// Networks by name; the one that comes with the program if none is named.
fn read_networks(paths: &[PathBuf]) -> Result<Vec<Named>, Box<dyn Error>> {
    if paths.is_empty() {
        return Ok(vec![("the embedded network".to_owned(), Network::embedded())]);
    }
    let read = |path: &PathBuf| -> Result<_, Box<dyn Error>> {
        let network = Network::from_bytes(&read_network_file(path)?);
        let network = network.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((path.display().to_string(), Arc::new(network)))
    };
    paths.iter().map(read).collect()
}

fn endgames(arguments: &EndgamesArguments) -> Result<(), Box<dyn Error>> {
    let networks = read_networks(&arguments.networks)?;
    let materials = Material::all(endgame::MAX_PIECES);
    let progress = progress_bar("[{elapsed_precise}] [{wide_bar}] solving {pos}/{len}");
    progress.set_length(materials.len() as u64);
    let tables = Tables::solve(&materials, |_| progress.inc(1));
    progress.finish_and_clear();
    for (name, network) in networks {
        let EndgamesArguments { positions, nodes, games, seed, .. } = *arguments;
        say!("{name}, {nodes} nodes");
        let marks = judge(&tables, &network, &materials, positions, nodes, seed);
        say_marks(&marks);
        for (material, nodes) in [("KBNvK", nodes), ("KRvK", nodes / 20)] {
            let material = material.parse::<Material>()?;
            let won = convert(&tables, &network, &material, games, nodes.max(1), seed);
            say!("{material}: {won} of {games} games won at {nodes} nodes a move");
        }
    }
    Ok(())
}

/// A line for each material and one for all.
fn say_marks(marks: &[Marks]) {
    let share = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
    let line = |name: &str, [positions, right, won, sure]: [u32; 4]| {
        let (right_share, sure_share) = (share(right, positions), share(sure, won));
        say!(
            "{name:<8} {right:>5} of {positions:>5} right, {right_share:>5.1} %   {sure:>5} of {won:>5} wins known, {sure_share:>5.1} %"
        );
    };
    let mut sum = [0; 4];
    for mark in marks {
        let numbers = [mark.positions, mark.right, mark.won, mark.sure];
        sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        line(&mark.material.to_string(), numbers);
    }
    line("all", sum);
}

fn bench(hidden: usize, parts: usize, batches: u64) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("records");
    let mut writer = RecordWriter::create(&path)?;
    writer.write(&random_records(1, 1 << 18))?;
    writer.finish()?;
    let recipe = Recipe { batches, superbatches: 2, parts, ..Recipe::default() };
    let weights = Parameters::random(Layout::new(hidden), 1);
    let mut training = Training::start(recipe, Some(weights), &path, &path)?;
    let progress = progress_bar("[{wide_bar}] {human_pos}/{human_len} {per_sec} {msg}");
    // The first one warms up.
    for name in ["warm-up", "measured"] {
        let began = Instant::now();
        training.superbatch(&progress)?;
        let rate = (batches * training.state().recipe.batch_size as u64) as f64 / began.elapsed().as_secs_f64() / 1e6;
        let line = format!("{name}: {rate:.3} M positions/s, {hidden} hidden neurons, {parts} parts");
        progress.suspend(|| say!("{line}"));
    }
    progress.finish_and_clear();
    Ok(())
}
