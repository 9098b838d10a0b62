//! Why not all was analysed and written.

use std::io;
use std::path::PathBuf;

use cli::counted;
use indicatif::BinaryBytes;
use movegen::FenError;
use store::StoreError;

/// Why not all was analysed and written.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// The file of games cannot be opened.
    #[error(transparent)]
    Open(io::Error),
    /// What should be a file or a position is neither.
    #[error("{input:?} is neither a file nor a position: {fen}")]
    Input {
        /// What was given.
        input: String,
        /// Why it is no position.
        fen: FenError,
    },
    /// The move cannot be read or is not legal.
    #[error("{0}")]
    Move(#[source] movegen::MoveError),
    /// The side to move has no move.
    #[error("the game is over: {}", if *.is_mate { "checkmate" } else { "stalemate" })]
    Over {
        /// Whether it is mated.
        is_mate: bool,
    },
    /// There is nothing to analyse.
    #[error("no game in {0}")]
    Empty(String),
    /// Some files hold games and others positions, which come out in different forms.
    #[error(
        "{} holds games and {} positions: analyse them one after the other", games.display(), positions.display()
    )]
    Mixed {
        /// A file of games.
        games: PathBuf,
        /// A file of positions.
        positions: PathBuf,
    },
    /// Where the parts of the input begin is not known.
    #[error("--shard needs files, whose lengths tell where to cut")]
    NoShard,
    /// There is no position in the file.
    #[error("no position in {0}")]
    NoPosition(String),
    /// No game has the player.
    #[error(
        "no game of {wanted}{}{}",
        listed("the nearest names are", near),
        listed("the most frequent names are", frequent)
    )]
    NoPlayer {
        /// Who was asked for.
        wanted: String,
        /// Names like this one, each with the number of games.
        near: Vec<String>,
        /// The names of the most games.
        frequent: Vec<String>,
    },
    /// A file should hold an analysis, and does not.
    #[error("{} holds no analysis that `vancura analyse --json` wrote: {error}", path.display())]
    NoAnalysis {
        /// Which file.
        path: PathBuf,
        /// What cannot be read.
        error: String,
    },
    /// An analysis is of another version.
    #[error(
        "{} was written by another version (form {found}, and this version reads {read}): analyse the games again; with \
         --store nothing is searched twice", path.display()
    )]
    OtherSchema {
        /// Which file.
        path: PathBuf,
        /// Its form.
        found: u32,
        /// The form that this version reads.
        read: u32,
    },
    /// A file of a repertoire cannot be used.
    #[error("the repertoire {}: {error}", path.display())]
    Repertoire {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: String,
    },
    /// The player has games, but none that was asked for.
    #[error("{player} has {}, but none that fits what was asked for", counted(*games, "game"))]
    NoneLeft {
        /// The player.
        player: String,
        /// The player's games.
        games: usize,
    },
    /// There is nothing to practise.
    #[error("{}", if *practised > 0 {
        format!("no mistake to learn from in {}", counted(*games, "game"))
    } else {
        format!(
            "no alternatives are stored in {}: analyse them with --json, without --no-practice", counted(*games, "game")
        )
    })]
    NoExercise {
        /// The games of the player.
        games: usize,
        /// How many of their moves have alternatives.
        practised: usize,
    },
    /// There is no strict puzzle.
    #[error("no position with one solution of several moves in {}{}", counted(*games, "game"), if *is_searched {
        ""
    } else {
        ": by what the analysis has kept; --multipv 2 keeps more, and --search looks for them"
    })]
    NoPuzzle {
        /// The games that were looked through.
        games: usize,
        /// Whether solutions were searched for.
        is_searched: bool,
    },
    /// A file cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[source] io::Error),
    /// Writing the output would destroy the input.
    #[error("the output would overwrite the input {}", .0.display())]
    Overwrite(PathBuf),
    /// Two outputs would destroy each other.
    #[error("two outputs go to the same file {}", .0.display())]
    SameOutput(PathBuf),
    /// Nothing is kept that one could go on with.
    #[error("--resume needs an output file; the interrupted run is stored beside it")]
    NoJournal,
    /// The program has no engine for pages.
    #[error("--live: this program was built without the engine for pages; `make live` builds one with it")]
    NoLiveEngine,
    /// The interrupted run cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store cannot be used. It stays as it is.
    #[error("cannot use the store {}: {error}", path.display())]
    Store {
        /// Where it is.
        path: PathBuf,
        /// Why not.
        error: StoreError,
    },
    /// A store cannot be made as small as it should be.
    #[error("{} cannot be made smaller than {}: a store without results has that size", path.display(), BinaryBytes(*bytes))]
    TooLarge {
        /// Where it is.
        path: PathBuf,
        /// How large it is, in bytes.
        bytes: u64,
    },
    /// All is done, but some results could not be read.
    #[error("{} could not be read", counted(*count, "result"))]
    BrokenResults {
        /// How many.
        count: usize,
    },
    /// The system grants no threads.
    #[error("cannot start threads: {0}")]
    Threads(#[source] io::Error),
    /// All is done, but of some games something is lost.
    #[error("{} could not be read in full", counted(*count, "game"))]
    Cut {
        /// How many.
        count: usize,
    },
    /// All is done, but some games could not be read.
    #[error("{count} {} could not be read", if *count == 1 { "game" } else { "games" })]
    Broken {
        /// How many.
        count: usize,
    },
    /// All is done, but some positions could not be read.
    #[error("{} could not be read", counted(*count, "position"))]
    BrokenPositions {
        /// How many.
        count: usize,
    },
    /// The user ended the run before its time.
    #[error("interrupted{}", match .0 {
        Some(path) => format!("; continue with --resume (finished searches are in {})", path.display()),
        None => String::new(),
    })]
    Interrupted(Option<PathBuf>),
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is one, and `--resume` was not given.
    #[error("{} holds an interrupted run: continue it with --resume, or delete the file", path.display())]
    Exists {
        /// Where it is.
        path: PathBuf,
    },
    /// Another process writes it.
    #[error("{} is being written by another process", path.display())]
    InUse {
        /// Where it is.
        path: PathBuf,
    },
    /// It is no journal, or one of another version.
    #[error("{} is not a journal of an interrupted run, or has another version", path.display())]
    Foreign {
        /// Where it is.
        path: PathBuf,
    },
    /// The interrupted run had other settings.
    #[error("the interrupted run had other settings ({changes}): use the same, or delete {}", path.display())]
    Settings {
        /// Where it is.
        path: PathBuf,
        /// Which, and how they were.
        changes: String,
    },
}

fn listed(what: &str, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; {what}: {}", names.join(", ")) }
}
