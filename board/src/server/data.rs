//! What the server knows beside the page: the user's games, open files, pasted text, engines. All of it is asked for and answered
//! in JSON; an error is an object with the member `error`.

use std::io::{self, Cursor, ErrorKind};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;

use arena::client::UciError;
use explorer::IndexError;
use http::{Body, BodyError, Method, Pace, Request, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Server;
use super::explorers::{ExploreError, Question};
use super::open_files::OpenFilesError;
use super::practice::{Change, PracticeError};
use super::response::{self, PATIENCE};
use super::reviews::{Order, Part, ReviewError};
use crate::library::{Identity, Library, LibraryError};
use crate::list::{Query, Sort};
use crate::opened::{OpenFile, OpenedError};
use crate::paste::read_pasted;

/// The most bytes of a request that is kept as a whole: a game as JSON, a pasted text.
const MAX_BODY: u64 = 64 << 20;
/// The most bytes of the settings of the page.
const MAX_SETTINGS: u64 = 64 << 10;
/// A file may be large.
const PACE: Pace = Pace::Shares(PATIENCE);
/// Games of a page of a list: how many there are if the request does not say, and the most.
const PAGE: (usize, usize) = (50, 1000);

/// Why a request for data has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum DataError {
    #[error("there is nothing at this address")]
    NotFound,
    #[error("this cannot be done here")]
    Method,
    #[error("{0}")]
    Request(String),
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("there is no folder for the games: {0}; name one with --data")]
    NoFolder(String),
    #[error(transparent)]
    OpenFiles(#[from] OpenFilesError),
    #[error(transparent)]
    Opened(#[from] OpenedError),
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("no game and no position was found: {0}")]
    Nothing(String),
    #[error("the engine does not answer: {0}")]
    Engine(#[from] UciError),
    #[error(transparent)]
    Review(#[from] ReviewError),
    #[error(transparent)]
    Explore(#[from] ExploreError),
    #[error(transparent)]
    Practice(#[from] PracticeError),
}

impl DataError {
    fn status(&self) -> &'static str {
        match self {
            Self::NotFound | Self::Library(LibraryError::NoGame(_)) | Self::Opened(OpenedError::NoGame(_)) => {
                "404 Not Found"
            }
            Self::OpenFiles(OpenFilesError::NoFile(_)) => "404 Not Found",
            Self::OpenFiles(OpenFilesError::TooMany(_)) => "409 Conflict",
            Self::Method => "405 Method Not Allowed",
            Self::Request(_)
            | Self::OpenFiles(OpenFilesError::Name(_))
            | Self::Library(LibraryError::Name(_) | LibraryError::Empty) => "400 Bad Request",
            Self::Body(error) => error.status(),
            Self::Library(LibraryError::TooLong(_)) => "413 Content Too Large",
            Self::Nothing(_) => "422 Unprocessable Content",
            Self::Engine(_) => "502 Bad Gateway",
            Self::NoFolder(_) | Self::Review(ReviewError::NoFolder) | Self::Practice(PracticeError::NoFolder) => {
                "503 Service Unavailable"
            }
            Self::Review(error) => match error {
                ReviewError::NoReview | ReviewError::NothingBegun => "404 Not Found",
                ReviewError::Busy | ReviewError::Elsewhere => "409 Conflict",
                ReviewError::NoGame | ReviewError::Nodes => "422 Unprocessable Content",
                ReviewError::Write(error) | ReviewError::Read(error) => status_of(error),
                ReviewError::Start(_) | ReviewError::NoFolder => "500 Internal Server Error",
            },
            Self::Explore(error) => match error {
                ExploreError::NoSource(_) | ExploreError::Index(IndexError::NoGame(_)) => "404 Not Found",
                ExploreError::Fen(_) => "400 Bad Request",
                ExploreError::Index(IndexError::Changed(_)) => "409 Conflict",
                ExploreError::Index(_) | ExploreError::Library(_) => "500 Internal Server Error",
            },
            Self::Practice(error) => match error {
                PracticeError::Card => "422 Unprocessable Content",
                PracticeError::TooMany => "507 Insufficient Storage",
                PracticeError::Read(error) | PracticeError::Write(error) => status_of(error),
                PracticeError::NoFolder => "500 Internal Server Error",
            },
            Self::Library(LibraryError::Write(error) | LibraryError::Read(error) | LibraryError::Move(error))
            | Self::Io(error)
            | Self::Opened(OpenedError::Io(error)) => status_of(error),
        }
    }
}

fn status_of(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => "507 Insufficient Storage",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "403 Forbidden",
        ErrorKind::InvalidData => "422 Unprocessable Content",
        ErrorKind::StaleNetworkFileHandle => "409 Conflict",
        _ => "500 Internal Server Error",
    }
}

/// Answers a request for what lies at a path.
pub(super) fn answer(server: &Server, stream: &TcpStream, request: &mut Request, path: &[String]) -> Response {
    let path: Vec<_> = path.iter().map(String::as_str).collect();
    let result = match &path[..] {
        ["games", rest @ ..] => games(server, stream, request, rest),
        ["files", rest @ ..] => files(server, stream, request, rest),
        ["settings"] => settings(server, stream, request),
        ["paste"] => paste(server, stream, request),
        ["engines", rest @ ..] => engines(server, request, rest),
        ["explorer", rest @ ..] => explorer(server, request, rest),
        ["reviews", id, "report"] => match report(server, request, id) {
            Ok(page) => return response::report(page),
            Err(error) => Err(error),
        },
        ["tables"] => tables(server, request),
        ["practice"] => practice(server, stream, request),
        ["reviews", rest @ ..] => reviews(server, stream, request, rest),
        _ => Err(DataError::NotFound),
    };
    match result {
        Ok(body) => response::json("200 OK", body),
        Err(error) => {
            // Browsers hear an answer only when they have said all.
            if !request.is_body_begun
                && let Ok(rest) = Body::new(stream, request, u64::MAX, PACE)
            {
                let _ = rest.skip();
            }
            response::json(error.status(), json!({ "error": error.to_string() }).to_string().into_bytes())
        }
    }
}

fn written(value: &impl Serialize) -> Result<Vec<u8>, DataError> {
    serde_json::to_vec(value).map_err(|error| DataError::Io(error.into()))
}

/// What a list is asked for.
struct Page {
    query: Query,
    sort: Sort,
    from: usize,
    count: usize,
}

impl Page {
    fn of(request: &Request) -> Result<Self, DataError> {
        let number = |name: &str, default: usize| match &request.parameter(name)[..] {
            "" => Ok(default),
            text => text.parse().map_err(|_| DataError::Request(format!("{name} is no number: {text:?}"))),
        };
        let sort = request.parameter("sort");
        Ok(Self {
            query: Query::new(&request.parameter("query")),
            sort: Sort::named(&sort).ok_or_else(|| DataError::Request(format!("there is no order {sort:?}")))?,
            from: number("from", 0)?,
            count: number("count", PAGE.0)?.min(PAGE.1),
        })
    }
}

fn identity(name: &str) -> Result<Identity, DataError> {
    Identity::new(name).ok_or_else(|| LibraryError::Name(name.to_owned()).into())
}

/// A game as the page sends it.
#[derive(Deserialize)]
struct Sent {
    revision: u64,
    pgn: String,
}

fn games(server: &Server, stream: &TcpStream, request: &mut Request, rest: &[&str]) -> Result<Vec<u8>, DataError> {
    let library = server.library.as_ref().map_err(|error| DataError::NoFolder(error.clone()))?;
    match (request.method, rest) {
        (Method::Get | Method::Head, []) => list_games(library, request),
        (Method::Get | Method::Head, [id]) => written(&library.get(&identity(id)?)?),
        (Method::Put, [id]) => {
            let id = identity(id)?;
            let body = Body::new(stream, request, MAX_BODY, PACE)?.bytes()?;
            let sent: Sent = serde_json::from_slice(&body).map_err(|error| DataError::Request(error.to_string()))?;
            written(&library.put(&id, sent.revision, &sent.pgn)?)
        }
        (Method::Delete, [id]) => {
            library.remove(&identity(id)?)?;
            written(&json!({ "id": id, "bin": true }))
        }
        (Method::Post, [id, "restore"]) => written(&library.restore(&identity(id)?)?),
        (_, [] | [_] | [_, "restore"]) => Err(DataError::Method),
        _ => Err(DataError::NotFound),
    }
}

fn list_games(library: &Library, request: &Request) -> Result<Vec<u8>, DataError> {
    let Page { query, sort, from, count } = Page::of(request)?;
    let is_of_bin = !["", "0", "false"].contains(&&request.parameter("bin")[..]);
    let (total, games) = library.list(is_of_bin, &query, sort, from, count)?;
    written(&json!({ "total": total, "games": games }))
}

fn files(server: &Server, stream: &TcpStream, request: &mut Request, rest: &[&str]) -> Result<Vec<u8>, DataError> {
    let open = &server.files;
    match (request.method, rest) {
        (Method::Get | Method::Head, []) => written(&json!({ "files": open.all() })),
        (Method::Post, []) => upload(server, stream, request),
        (Method::Get | Method::Head, [id]) => written(&open.progress(id)?),
        (Method::Delete, [id]) => {
            open.close(id)?;
            written(&json!({ "file": id, "closed": true }))
        }
        (Method::Get | Method::Head, [id, "games"]) => {
            let Page { query, sort, from, count } = Page::of(request)?;
            let file = open.get(id)?;
            let done = file.is_done();
            let (total, games) = file.list(&query, sort, from, count)?;
            written(&json!({ "total": total, "done": done, "games": games }))
        }
        (Method::Get | Method::Head, [id, "games", number]) => {
            let place: usize = number.parse().map_err(|_| DataError::NotFound)?;
            written(&json!({ "id": place, "pgn": open.get(id)?.game(place)? }))
        }
        (_, [] | [_] | [_, "games"] | [_, "games", _]) => Err(DataError::Method),
        _ => Err(DataError::NotFound),
    }
}

/// Reads a file that is sent, while it comes.
fn upload(server: &Server, stream: &TcpStream, request: &mut Request) -> Result<Vec<u8>, DataError> {
    let mut body = Body::new(stream, request, u64::MAX, PACE)?;
    let name = request.parameter("name");
    let name = if name.is_empty() { "games" } else { &name };
    pgn::check_kind(name.as_ref()).map_err(|error| DataError::Request(error.to_string()))?;
    let (id, file) = server.files.add(name, &request.parameter("file"))?;
    let sent = receive(server, &mut body, &file);
    if sent.is_err() {
        let _ = server.files.close(&id);
        sent?;
    }
    written(&server.files.progress(&id)?)
}

fn receive(server: &Server, body: &mut Body<'_>, file: &Arc<OpenFile>) -> Result<(), DataError> {
    let (from, mut to) = io::pipe()?;
    let (reader, scratch) = (Arc::clone(file), server.scratch.clone());
    let reading = thread::Builder::new().spawn(move || reader.read_stream(from, &scratch))?;
    let mut copied = io::copy(body, &mut to);
    if copied.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        // No more of it is read, and the page has to say all before it hears why.
        copied = io::copy(body, &mut io::sink());
    } else if copied.is_err() {
        file.close();
    }
    drop(to);
    // A panic was told already.
    let read = reading.join().unwrap_or_else(|_| Err(ErrorKind::Other.into()));
    copied.map_err(BodyError::from)?;
    // A damaged file is open with what could be read of it.
    read.or_else(|error| if error.kind() == ErrorKind::InvalidData { Ok(()) } else { Err(error.into()) })
}

/// What the page keeps beside the games, whatever port it has: an object of which the program reads nothing.
fn settings(server: &Server, stream: &TcpStream, request: &mut Request) -> Result<Vec<u8>, DataError> {
    let library = server.library.as_ref().map_err(|error| DataError::NoFolder(error.clone()))?;
    match request.method {
        Method::Get | Method::Head => Ok(library.settings()),
        Method::Put => {
            let body = Body::new(stream, request, MAX_SETTINGS, PACE)?.bytes()?;
            serde_json::from_slice::<serde_json::Map<_, _>>(&body)
                .map_err(|error| DataError::Request(error.to_string()))?;
            library.put_settings(&body)?;
            written(&json!({}))
        }
        _ => Err(DataError::Method),
    }
}

fn paste(server: &Server, stream: &TcpStream, request: &mut Request) -> Result<Vec<u8>, DataError> {
    if request.method != Method::Post {
        return Err(DataError::Method);
    }
    let bytes = Body::new(stream, request, MAX_BODY, PACE)?.bytes()?;
    let text = pgn::text_of(Cursor::new(bytes))?;
    let (text, _) = pgn::decode_text(text, MAX_BODY as usize);
    let pasted = read_pasted(&text);
    match pasted.games {
        0 => {
            let first = pasted.problems.first();
            let reason = first.map_or_else(
                || "it is neither PGN nor a FEN".to_owned(),
                |first| format!("line {}: {}", first.line, first.text),
            );
            Err(DataError::Nothing(reason))
        }
        1 => written(&pasted),
        _ => {
            let (id, file) = server.files.add("pasted", "")?;
            file.read_stream(Cursor::new(text), &server.scratch).inspect_err(|_| {
                let _ = server.files.close(&id);
            })?;
            written(&server.files.progress(&id)?)
        }
    }
}

/// A review of a game: begun, looked at, read, given up.
fn reviews(server: &Server, stream: &TcpStream, request: &mut Request, rest: &[&str]) -> Result<Vec<u8>, DataError> {
    let reviews = &server.reviews;
    match (request.method, rest) {
        (Method::Get | Method::Head, []) => written(&json!({ "reviews": reviews.done()? })),
        (Method::Get | Method::Head, [id]) => written(&reviews.progress(&identity(id)?)?),
        (Method::Get | Method::Head, [id, "result"]) => Ok(reviews.read(&identity(id)?, Part::Result)?),
        (Method::Post, [id]) => {
            let id = identity(id)?;
            let body = Body::new(stream, request, MAX_BODY, PACE)?.bytes()?;
            let order: Order = serde_json::from_slice(&body).map_err(|error| DataError::Request(error.to_string()))?;
            written(&reviews.start(&id, &order)?)
        }
        (Method::Post, [id, "resume"]) => written(&reviews.resume(&identity(id)?)?),
        (Method::Delete, [id]) => {
            reviews.remove(&identity(id)?)?;
            written(&json!({ "state": "none" }))
        }
        (_, [] | [_] | [_, "result" | "resume"]) => Err(DataError::Method),
        _ => Err(DataError::NotFound),
    }
}

/// The schedule of practice: read, and changed.
fn practice(server: &Server, stream: &TcpStream, request: &mut Request) -> Result<Vec<u8>, DataError> {
    match request.method {
        Method::Get | Method::Head => written(&server.practice.read()?),
        Method::Post => {
            let body = Body::new(stream, request, MAX_BODY, PACE)?.bytes()?;
            let change: Change =
                serde_json::from_slice(&body).map_err(|error| DataError::Request(error.to_string()))?;
            written(&json!({ "cards": server.practice.keep(change)? }))
        }
        _ => Err(DataError::Method),
    }
}

/// What endgame tables say of a position.
fn tables(server: &Server, request: &Request) -> Result<Vec<u8>, DataError> {
    if !request.is_reading() {
        return Err(DataError::Method);
    }
    let told = server.tables.look_up(&request.parameter("fen"));
    written(&told.map_err(|error| DataError::Request(error.to_string()))?)
}

/// The page of a review.
fn report(server: &Server, request: &Request, id: &str) -> Result<Vec<u8>, DataError> {
    if !request.is_reading() {
        return Err(DataError::Method);
    }
    Ok(server.reviews.read(&identity(id)?, Part::Report)?)
}

fn engines(server: &Server, request: &Request, rest: &[&str]) -> Result<Vec<u8>, DataError> {
    let engines = &server.engines;
    match rest {
        [] | [_] if !request.is_reading() => Err(DataError::Method),
        [] => written(&json!({ "engines": engines.list(), "problems": engines.problems() })),
        [id] => written(&engines.describe(id).ok_or(DataError::NotFound)??),
        _ => Err(DataError::NotFound),
    }
}

/// What was played from a position, and the games of an index.
fn explorer(server: &Server, request: &Request, rest: &[&str]) -> Result<Vec<u8>, DataError> {
    if !request.is_reading() {
        return Err(DataError::Method);
    }
    match rest {
        [] => written(&json!({ "sources": server.explorers.list() })),
        [source] => {
            let is_chess960 = !["", "0", "false"].contains(&&request.parameter("chess960")[..]);
            let (fen, open) = (request.parameter("fen"), request.parameter("open"));
            let question = Question { fen, is_chess960, open };
            written(&server.explorers.look_up(server.library.as_ref().ok(), source, &question)?)
        }
        [source, "games", game] => written(&json!({ "id": game, "pgn": server.explorers.game(source, game)? })),
        _ => Err(DataError::NotFound),
    }
}
