//! `vancura board`: the page from the program itself, with the engine at full speed.
//!
//! Only this computer is served: the listener is bound to the loopback address. Any page that the browser shows and any
//! user of the computer may send requests there, so a request must name a token that only the address shown here has,
//! and the host that is meant; what comes from another page names that page, and is refused.

mod browser;
mod data;
mod door;
mod engine;
mod engines;
mod explorers;
mod files;
mod open_files;
mod outgoing;
mod practice;
mod refusal;
mod response;
mod reviews;
mod socket;
mod tables;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use arena::play::Entrant;
use clap::Args;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use http::{Deadline, Request};

use self::browser::Launch;
use self::door::{Door, Place};
use self::engines::Engines;
use self::explorers::Explorers;
use self::open_files::OpenFiles;
use self::practice::Practice;
use self::refusal::Refusal;
use self::response::PATIENCE;
use self::reviews::Reviews;
use self::tables::Tables;
use crate::library::Library;

/// The most connections at a time. A browser has up to six, and one for each page.
const MAX_CONNECTIONS: usize = 64;

/// How long the end of one connection may take that makes room for another.
const HANDING_OVER: Duration = Duration::from_secs(1);

/// How long the program waits at least before it looks again whether there is something to do.
const SHORTEST_WAIT: Duration = Duration::from_millis(100);

/// How the program ends.
const ENDS: &str = "\
The program ends with Ctrl-C, or when the page has been closed for a minute (--linger). Until a page
is opened for the first time it waits.

Examples:
  vancura board
  vancura board games.pgn lichess_db.pgn.zst
  vancura board --port 8000 --no-open";

/// Opens a board in the browser, to play against the engine and to analyse with it.
#[derive(Args, Debug)]
#[command(after_long_help = ENDS)]
pub struct BoardArguments {
    /// Files of games or positions to open, compressed or not, folders of them, or `-` for the standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder for the games that are saved [default: that of the system for the data of programs]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Only print the address, and open no browser
    #[arg(long)]
    no_open: bool,
    /// The port to listen on, 0 for any that is free
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    port: u16,
    /// How long to go on without a page, in seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = cli::read_seconds)]
    linger: Duration,
    /// Another UCI engine to analyse with: its command line, before which may stand name=NAME and any number of
    /// option.NAME=VALUE; the option can be given again
    #[arg(long, value_name = "ENGINE")]
    engine: Vec<Entrant>,
    /// An index that `vancura explorer build` wrote, to be asked what was played; the option can be given again
    #[arg(long, value_name = "INDEX")]
    explorer: Vec<PathBuf>,
    /// Folders with Syzygy endgame tables
    #[arg(long, env = "SYZYGY_PATH", value_name = "FOLDERS", hide_env_values = true)]
    syzygy: Option<OsString>,
}

/// Why the board cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// The port is taken or not allowed.
    #[error("cannot listen on port {0}: {1}")]
    Listen(u16, #[source] io::Error),
    /// The system gives no random numbers.
    #[error("cannot make a secret address: {0}")]
    Token(#[from] getrandom::Error),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    /// The address cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[source] io::Error),
    /// A file of the command line cannot be opened.
    #[error("{0}")]
    File(#[source] io::Error),
    /// An index of the command line cannot be used.
    #[error(transparent)]
    Explorer(#[from] explorer::IndexError),
}

/// What all connections share.
struct Server {
    door: Door,
    /// The first lines of each session.
    settings: Vec<String>,
    /// The games of the user, or why there is no folder for them.
    library: Result<Library, String>,
    files: OpenFiles,
    engines: Engines,
    explorers: Explorers,
    reviews: Reviews,
    practice: Practice,
    tables: Tables,
    /// The folder for what is kept only for as long as the program runs.
    scratch: PathBuf,
    /// One message for each page that comes, and one for each that goes.
    pages: Sender<Change>,
    /// As many as there may be connections; each holds one.
    places: (Sender<()>, Receiver<()>),
    /// The connections that have not said yet what they want, the oldest first, each with its number.
    silent: Mutex<VecDeque<(usize, TcpStream)>>,
}

impl Server {
    /// Takes a place for a connection. Who has none takes that of whoever has been silent longest.
    fn has_place(&self) -> bool {
        if self.places.0.try_send(()).is_ok() {
            return true;
        }
        let Some((_, oldest)) = self.silent().pop_front() else { return false };
        // Its own thread gives the place back.
        let _ = oldest.shutdown(Shutdown::Both);
        self.places.0.send_timeout((), HANDING_OVER).is_ok()
    }

    /// Counts a connection as silent from when it has its place, so that it can be sent away before its thread runs.
    fn begin_silence(&self, number: usize, stream: &TcpStream) {
        // Without a second handle it cannot be sent away, and has its ten seconds.
        if let Ok(handle) = stream.try_clone() {
            self.silent().push_back((number, handle));
        }
    }

    fn end_silence(&self, number: usize) {
        self.silent().retain(|(other, _)| *other != number);
    }

    fn silent(&self) -> MutexGuard<'_, VecDeque<(usize, TcpStream)>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What ends the waiting of the main thread for a while or for good.
enum Change {
    Came,
    Went,
    Interrupted,
}

/// Serves the page until the user or the page ends it.
///
/// # Errors
///
/// If there is nothing to listen on, or the address cannot be told.
pub fn run(arguments: &BoardArguments) -> Result<(), BoardError> {
    let (pages, changes) = bounded(MAX_CONNECTIONS);
    let (url, server) = start(arguments, pages.clone())?;
    cli::on_ctrl_c(
        move || {
            // If nobody listens any more, the end has come already.
            let _ = pages.send(Change::Interrupted);
        },
        || {},
    );
    writeln!(io::stdout(), "{url}").map_err(BoardError::Write)?;
    let launch = if arguments.no_open { None } else { Some(browser::show(&url).map_err(BoardError::Thread)?) };
    wait(&changes, arguments.linger, launch, || server.reviews.is_busy());
    server.reviews.end();
    server.engines.end();
    Ok(())
}

/// Starts to listen, and to serve whatever comes. Returns the address of the page, and what is served.
fn start(arguments: &BoardArguments, pages: Sender<Change>) -> Result<(String, Arc<Server>), BoardError> {
    let folder = data_folder(arguments);
    let scratch = folder.clone().unwrap_or_else(|_| std::env::temp_dir());
    let files = OpenFiles::default();
    for path in pgn::files(&arguments.files, pgn::FileKind::Games).map_err(BoardError::File)? {
        check(&path).and_then(|()| files.open(path, &scratch)).map_err(BoardError::File)?;
    }
    let engines = Engines::new(&arguments.engine, folder.as_deref().ok());
    engines.problems().iter().for_each(|problem| cli::tell(format_args!("warning: {problem}")));
    let explorers = Explorers::open(&arguments.explorer)?;
    let reviews = Reviews::new(folder.as_deref().ok(), arguments.syzygy.as_deref());
    let practice = Practice::new(folder.as_deref().ok());
    let port = arguments.port;
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let listener = listener.map_err(|error| BoardError::Listen(port, error))?;
    let bound = listener.local_addr().map_err(|error| BoardError::Listen(port, error))?;
    let server = Server {
        door: Door::new(bound.port())?,
        settings: settings(arguments),
        library: folder.map(|folder| Library::new(&folder)),
        files,
        engines,
        explorers,
        reviews,
        practice,
        tables: Tables::new(arguments.syzygy.as_deref()),
        scratch,
        pages,
        places: bounded(MAX_CONNECTIONS),
        silent: Mutex::default(),
    };
    let url = server.door.url();
    let server = Arc::new(server);
    let shared = Arc::clone(&server);
    thread::Builder::new().spawn(move || accept(&listener, &shared)).map_err(BoardError::Thread)?;
    Ok((url, server))
}

/// The folder for the user's games. It is made when there is something to put in.
fn data_folder(arguments: &BoardArguments) -> Result<PathBuf, String> {
    use etcetera::BaseStrategy;
    let named = arguments.data.clone().filter(|folder| !folder.as_os_str().is_empty());
    let of_system =
        || etcetera::base_strategy::choose_native_strategy().map(|folders| folders.data_dir().join("vancura"));
    named.map_or_else(of_system, Ok).map_err(|error| error.to_string())
}

/// Whether a file can be opened at all; what is wrong with it later is shown in the page.
fn check(path: &std::path::Path) -> io::Result<()> {
    if path.as_os_str() == "-" {
        return Ok(());
    }
    pgn::check_kind(path)?;
    // A pipe can be opened only once.
    if fs_err::metadata(path)?.is_file() { fs_err::File::open(path).map(drop) } else { Ok(()) }
}

/// The options of the engine that the command line sets.
fn settings(arguments: &BoardArguments) -> Vec<String> {
    let folders = arguments.syzygy.as_ref().map(|folders| folders.to_string_lossy().into_owned());
    // A line break would begin another command.
    let folders = folders.filter(|folders| !folders.is_empty() && !folders.contains(['\n', '\r']));
    folders.map(|folders| format!("setoption name SyzygyPath value {folders}")).into_iter().collect()
}

/// Waits for Ctrl-C, or until there has been no page for so long and nothing is to be done for one. Before the first page there
/// is no hurry. What led the browser here is kept until the first page has come.
fn wait(changes: &Receiver<Change>, linger: Duration, mut launch: Option<Launch>, is_busy: impl Fn() -> bool) {
    let (mut pages, mut had_page) = (0_usize, false);
    loop {
        let change = if pages == 0 && had_page {
            match changes.recv_timeout(linger.max(SHORTEST_WAIT)) {
                Err(RecvTimeoutError::Timeout) if is_busy() => continue,
                // Nothing in this time: the page is closed.
                change => change.ok(),
            }
        } else {
            changes.recv().ok()
        };
        match change {
            Some(Change::Came) => {
                launch = None;
                (pages, had_page) = (pages + 1, true);
            }
            Some(Change::Went) => pages = pages.saturating_sub(1),
            Some(Change::Interrupted) | None => return drop(launch),
        }
    }
}

fn accept(listener: &TcpListener, server: &Arc<Server>) {
    for (number, stream) in listener.incoming().enumerate() {
        let Ok(stream) = stream else {
            // Too many open files, or the like: it passes.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        // Beyond the limit a connection is closed unheard.
        if !server.has_place() {
            continue;
        }
        server.begin_silence(number, &stream);
        let shared = Arc::clone(server);
        let serve = move || {
            // What goes wrong with a connection ends it, and nothing else.
            let _ = serve(number, stream, &shared);
            let _ = shared.places.1.try_recv();
        };
        if thread::Builder::new().spawn(serve).is_err() {
            server.end_silence(number);
            let _ = server.places.1.try_recv();
        }
    }
}

/// Answers the one request of a connection, which may turn it into a WebSocket.
fn serve(number: usize, stream: TcpStream, server: &Server) -> io::Result<()> {
    let request = Request::read(&stream, Deadline::after(PATIENCE));
    server.end_silence(number);
    let mut request = match request {
        Ok(Some(request)) => request,
        Ok(None) => return Ok(()),
        Err(error) => return response::refuse(error.into()).send(&stream, PATIENCE),
    };
    let response = match server.door.admit(&request) {
        Err(refusal) => response::refuse(refusal),
        Ok(Place::File(name)) => match files::find(&name) {
            Some(file) => file.response(&server.door, request.is_head()),
            None => response::refuse(Refusal::NotFound),
        },
        Ok(Place::Data(path)) => data::answer(server, &stream, &mut request, &path),
        Ok(Place::Socket { engine, .. }) if !Engines::is_own(&engine) && server.engines.other(&engine).is_none() => {
            response::refuse(Refusal::NotFound)
        }
        Ok(Place::Socket { key, engine }) => {
            let _ = server.pages.send(Change::Came);
            let result = socket::talk(stream, request.rest, &key, server, &engine);
            let _ = server.pages.send(Change::Went);
            return result;
        }
    };
    response.send(&stream, PATIENCE)
}

#[cfg(test)]
mod tests;
