//! The arguments of the trainer's commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use train::records::filter::Filter;
use train::records::prepare::Weight;
use train::training::model::Layout;
use train::training::recipe::Recipe;

/// Trains Vancura's network from games of self-play.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Read files of games; write shuffled files of training and validation records.
    Prepare(PrepareArguments),
    /// Train a network from records.
    Train(TrainArguments),
    /// Go on with a training that was interrupted, exactly as if it had not been.
    Resume(DataArguments),
    /// Write the network that plays the first games: material and squares, by hand.
    Seed {
        /// The network file to write.
        network: PathBuf,
    },
    /// Put a network into the source tree, where the next build embeds it; it replaces the one there.
    Install {
        /// The network file.
        network: PathBuf,
        /// The folder of embedded networks.
        #[arg(long, default_value = "eval/networks")]
        folder: PathBuf,
    },
    /// Write the network of a checkpoint.
    Quantise {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// The network file to write.
        network: PathBuf,
        /// A file of validation records, to tell what the integers cost on.
        #[arg(long)]
        validation: Option<PathBuf>,
    },
    /// Write the network whose weights are the mean of several: of trainings from the same weights the mean is often better
    /// than the best, and with those weights among them it forgets less.
    Average {
        /// The network file to write.
        network: PathBuf,
        /// Checkpoints and networks; one named twice counts twice.
        #[arg(required = true)]
        weights: Vec<PathBuf>,
        /// A file of validation records, to tell the loss.
        #[arg(long)]
        validation: Option<PathBuf>,
        /// The share of the game's result in the target of the loss.
        #[arg(long, default_value_t = Recipe::default().wdl_start)]
        wdl: f64,
    },
    /// Put a network's pairs of neurons in the order in which it works fastest: it evaluates the same. Last of all, since the mean
    /// of networks of different orders is none.
    Arrange {
        /// The network.
        network: PathBuf,
        /// The network file to write.
        arranged: PathBuf,
        /// A file of records whose positions are like those that it is asked for; 20,000 are looked at.
        #[arg(long)]
        records: PathBuf,
    },
    /// Replace the scores of records by the mean evaluation of several networks, for another network to learn from.
    Rescore {
        /// The file of records.
        records: PathBuf,
        /// The file of records to write.
        rescored: PathBuf,
        /// Only those without a score, which `prepare --unsearched` has kept.
        #[arg(long)]
        unscored: bool,
        /// Checkpoints and networks; one named twice counts twice.
        #[arg(required = true)]
        teachers: Vec<PathBuf>,
    },
    /// Fit what scores mean, in chances to win, draw and lose, to games; print it for `eval::wdl`.
    Chances {
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Say what a network thinks of positions, in centipawns for the side to move.
    Evaluate {
        /// The network file.
        network: PathBuf,
        /// Positions as FEN; the start position if none is given.
        fens: Vec<String>,
    },
    /// Search random positions of three and four pieces without tables, and compare what is said of them with the truth.
    Endgames(EndgamesArguments),
    /// Compare what networks say of the positions of an exam with the scores of deep searches, by set and class.
    Exam(ExamArguments),
    /// Search the start position and twenty openings, each with so many nodes and with four times as many, and print how far
    /// the scores differ.
    Drift {
        /// The networks to search with; the one that comes with the program if none is given.
        networks: Vec<PathBuf>,
        /// Nodes of the shorter search.
        #[arg(long, default_value_t = 4_000_000, value_parser = cli::read_count)]
        nodes: u64,
    },
    /// Measure how many positions a second this machine trains on, with made-up data.
    Bench {
        /// Hidden neurons of a perspective.
        #[arg(long, default_value_t = Layout::SHIPPED.hidden(), value_parser = parse_hidden)]
        hidden: usize,
        /// Parts in which each batch is worked in parallel.
        #[arg(long, default_value_t = threads())]
        parts: usize,
        /// Batches to measure.
        #[arg(long, default_value_t = 400)]
        batches: u64,
    },
}

#[derive(Args)]
pub(crate) struct PrepareArguments {
    /// Files of games.
    #[arg(required = true)]
    pub(crate) games: Vec<PathBuf>,
    /// A file of records to train on besides, such as those of `datagen solved`; may be given more than once.
    #[arg(long)]
    pub(crate) records: Vec<PathBuf>,
    /// The file of training records to write.
    #[arg(long)]
    pub(crate) train: PathBuf,
    /// The file of validation records to write.
    #[arg(long)]
    pub(crate) validation: PathBuf,
    /// Of every thousand games, how many to hold out for validation.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=500))]
    pub(crate) held_out: u64,
    /// Leave out this many positions at the start of each game, behind its random opening.
    #[arg(long, default_value_t = Filter::default().min_ply)]
    pub(crate) min_ply: usize,
    /// Keep positions of a game this many half-moves from each other, at least.
    #[arg(long, default_value_t = Filter::default().spacing)]
    pub(crate) spacing: usize,
    /// Leave out positions with fewer pieces.
    #[arg(long, alias = "min-men", default_value_t = Filter::default().min_pieces)]
    pub(crate) min_pieces: usize,
    /// Leave out positions with a larger score of either sign, in centipawns.
    #[arg(long, default_value_t = Filter::default().max_score)]
    pub(crate) max_score: u16,
    /// Leave out positions in which the side that lost was more centipawns ahead.
    #[arg(long, default_value_t = Filter::default().max_contradiction)]
    pub(crate) max_contradiction: u16,
    /// Keep all positions that occur more than once; otherwise one of them is kept.
    #[arg(long)]
    pub(crate) keep_repeated: bool,
    /// Thin out the training positions so that none of their numbers of pieces is more than this many times as frequent as
    /// the mean of all; without it, nothing is left out.
    #[arg(long, value_parser = parse_times)]
    pub(crate) most_of_a_count: Option<f64>,
    /// Repeat the training records of some games so many times: those of the file with this path, or those with this word in
    /// their settings, such as nodes=20000. May be given more than once; the first that fits counts.
    #[arg(long, value_name = "FILE|WORD:TIMES", value_parser = parse_weight)]
    pub(crate) weight: Vec<Weight>,
    /// Leave out positions with more half-moves since a capture or pawn move.
    #[arg(long, default_value_t = Filter::default().max_halfmove_clock)]
    pub(crate) max_halfmove_clock: u16,
    /// Leave out the games themselves: keep harvested positions alone, and hold some of them out.
    #[arg(long)]
    pub(crate) harvested_only: bool,
    /// Keep positions from search trees that were not searched, too: `trainer rescore` gives them scores.
    #[arg(long)]
    pub(crate) unsearched: bool,
    /// Seed of the shuffle.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Memory to shuffle in, in MiB.
    #[arg(long, default_value_t = 1024)]
    pub(crate) memory: u64,
}

#[derive(Args)]
pub(crate) struct EndgamesArguments {
    /// The networks to search with; the one that comes with the program if none is given.
    pub(crate) networks: Vec<PathBuf>,
    /// Positions to search, as many of each material.
    #[arg(long, default_value_t = 2000)]
    pub(crate) positions: usize,
    /// Nodes of each search.
    #[arg(long, default_value_t = 20_000, value_parser = cli::read_count)]
    pub(crate) nodes: u64,
    /// Games with king, bishop and knight against king, at as many nodes a move, and with king and rook against king, at
    /// a twentieth of them, against the best defence.
    #[arg(long, default_value_t = 20)]
    pub(crate) games: usize,
    /// Seed of the positions.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Args)]
pub(crate) struct ExamArguments {
    /// The exam, such as train/data/exam.epd.zst.
    pub(crate) exam: PathBuf,
    /// The networks; the one that comes with the program if none is given.
    pub(crate) networks: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct DataArguments {
    /// The folder of the training.
    pub(crate) run: PathBuf,
    /// The file of training records.
    #[arg(long)]
    pub(crate) train: PathBuf,
    /// The file of validation records.
    #[arg(long)]
    pub(crate) validation: PathBuf,
}

#[derive(Args)]
pub(crate) struct TrainArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Begin with the weights of this checkpoint or network instead of random ones; a network may have fewer hidden
    /// neurons, and one king bucket.
    #[arg(long)]
    pub(crate) from: Option<PathBuf>,
    /// Superbatches to train for.
    #[arg(long, default_value_t = Recipe::default().superbatches)]
    pub(crate) superbatches: u64,
    /// Batches in a superbatch.
    #[arg(long, default_value_t = Recipe::default().batches)]
    pub(crate) batches: u64,
    /// Positions in a batch.
    #[arg(long, default_value_t = Recipe::default().batch_size)]
    pub(crate) batch_size: usize,
    /// The first learning rate.
    #[arg(long, default_value_t = Recipe::default().learning_rate_start)]
    pub(crate) lr_start: f64,
    /// The last learning rate.
    #[arg(long, default_value_t = Recipe::default().learning_rate_end)]
    pub(crate) lr_end: f64,
    /// Batches over which the learning rate rises evenly to the first one.
    #[arg(long, default_value_t = Recipe::default().warm_up)]
    pub(crate) warm_up: u64,
    /// The share of the game's result in the target at the start.
    #[arg(long, default_value_t = Recipe::default().wdl_start)]
    pub(crate) wdl_start: f64,
    /// The share of the game's result in the target at the end; as at the start if not given.
    #[arg(long)]
    pub(crate) wdl_end: Option<f64>,
    /// Weight decay.
    #[arg(long, default_value_t = Recipe::default().weight_decay)]
    pub(crate) weight_decay: f64,
    /// Read the data in another order in each epoch instead of that of the file.
    #[arg(long)]
    pub(crate) reorder: bool,
    /// Train this output bucket alone, with the pairs of hidden neurons that no other bucket uses.
    #[arg(long, value_name = "BUCKET")]
    pub(crate) only_bucket: Option<usize>,
    /// Train the weights as rounded to integers: for a small step from a network, which rounding at the end would take
    /// back.
    #[arg(long)]
    pub(crate) rounded: bool,
    /// Seed of the random weights and orders.
    #[arg(long, default_value_t = Recipe::default().seed)]
    pub(crate) seed: u64,
    /// Parts in which each batch is worked in parallel; the result depends on it in the last bits.
    #[arg(long, default_value_t = threads())]
    pub(crate) parts: usize,
}

pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The most hidden neurons that are worth measuring.
pub(crate) const MAX_HIDDEN: usize = 1 << 16;

pub(crate) fn parse_hidden(text: &str) -> Result<usize, String> {
    let hidden: usize = text.parse().map_err(|error| format!("{error}"))?;
    let width = train::training::model::WIDTH;
    let possible = (width..=MAX_HIDDEN).contains(&hidden) && hidden.is_multiple_of(width);
    if possible { Ok(hidden) } else { Err(format!("not a multiple of {width} up to {MAX_HIDDEN}")) }
}

pub(crate) fn parse_weight(text: &str) -> Result<Weight, String> {
    let (of, times) = text.rsplit_once(':').ok_or("no number of times behind a colon")?;
    let times = times.parse().ok().filter(|times| (1..=100).contains(times)).ok_or("not from 1 to 100 times")?;
    Ok(Weight { of: of.to_owned(), times })
}

pub(crate) fn parse_times(text: &str) -> Result<f64, String> {
    let times: f64 = text.parse().map_err(|error| format!("{error}"))?;
    if times > 0.0 { Ok(times) } else { Err("not above 0".to_owned()) }
}
