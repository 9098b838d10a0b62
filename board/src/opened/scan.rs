//! Reading a whole file for its index: one thread cuts the text where games surely begin, others read the parts, and what
//! they find is taken in the order of the file. Memory does not grow with the text, however it is made.

use std::io::{self, BufRead, Read};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, Sender, bounded};
use memchr::memmem;
use pgn::InputText;

use super::entry::{Batch, Origin, read_games, read_positions};
use super::pieces::Pieces;
use super::text::StoredText;
use crate::paste::are_positions;

/// Bytes that are read together.
const PIECE: usize = 1 << 17;
/// Bytes after which another part begins where it can.
pub(super) const PART: u64 = 1 << 19;
/// Pieces of a part, and batches of what was found in it, that may wait.
const WAITING: usize = 4;
/// The most threads; reading a file waits for the disk beyond these.
const MAX_THREADS: usize = 8;
/// How the first line of a game begins in nearly all files.
const FIRST_TAG: &[u8] = b"[Event \"";
/// The last word of a game.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// How a scan ended.
pub(super) struct Scan {
    /// False if the text turned out to differ from the file in which it was to be read later.
    pub is_whole: bool,
}

/// A part of the text on its way to the thread that reads it.
struct Part {
    origin: Origin,
    pieces: Receiver<Vec<u8>>,
    batches: Sender<Batch>,
}

/// Reads a text and hands on its games in their order. `begin` hears first whether it is made of positions. What is not in
/// a file of the user is stored meanwhile.
pub(super) fn scan(
    mut input: InputText,
    stored: &StoredText,
    is_closed: &AtomicBool,
    begin: impl FnOnce(bool),
    mut take: impl FnMut(Batch) + Send,
) -> io::Result<Scan> {
    let first = read_piece(&mut input);
    let are_positions = are_positions(&first.0);
    begin(are_positions);
    thread::scope(|scope| {
        let (order, ordered) = bounded::<Receiver<Batch>>(2 * MAX_THREADS);
        let parts = start_readers(scope, are_positions)?;
        thread::Builder::new().spawn_scoped(scope, move || {
            ordered.into_iter().flatten().for_each(&mut take);
        })?;
        let mut cutter = Cutter { are_positions, parts, order, part: None, at: Origin { start: 0, line: 1 } };
        cut(&mut input, first, stored, is_closed, &mut cutter)
    })
}

fn cut(
    input: &mut InputText,
    first: (Vec<u8>, io::Result<()>),
    stored: &StoredText,
    is_closed: &AtomicBool,
    cutter: &mut Cutter,
) -> io::Result<Scan> {
    let (mut piece, mut outcome) = first;
    while !piece.is_empty() && !is_closed.load(Relaxed) {
        if stored.is_original() {
            if !input.is_as_stored() {
                return Ok(Scan { is_whole: false });
            }
        } else {
            stored.append(&piece)?;
        }
        cutter.push(piece);
        outcome?;
        (piece, outcome) = read_piece(input);
    }
    outcome?;
    Ok(Scan { is_whole: !stored.is_original() || input.is_as_stored() })
}

/// Reads a piece, or what there is of it, and why there is no more if it could not be read.
fn read_piece(input: &mut impl BufRead) -> (Vec<u8>, io::Result<()>) {
    let mut piece = Vec::with_capacity(PIECE);
    let outcome = input.take(PIECE as u64).read_to_end(&mut piece);
    (piece, outcome.map(drop))
}

fn start_readers<'scope>(scope: &'scope Scope<'scope, '_>, are_positions: bool) -> io::Result<Sender<Part>> {
    let (sender, parts) = bounded::<Part>(1);
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    for _ in 0..threads {
        let parts = parts.clone();
        thread::Builder::new().spawn_scoped(scope, move || {
            for Part { origin, pieces, batches } in parts {
                let take = |batch| batches.send(batch).is_ok();
                let pieces = Pieces::new(pieces);
                if are_positions {
                    read_positions(pieces, origin, take);
                } else {
                    read_games(pieces, origin, take);
                }
            }
        })?;
    }
    Ok(sender)
}

/// Cuts the text into parts.
struct Cutter {
    are_positions: bool,
    parts: Sender<Part>,
    /// What will be found in each part, in the order of the parts.
    order: Sender<Receiver<Batch>>,
    /// The way to the part that is being read, and where it began.
    part: Option<(Sender<Vec<u8>>, u64)>,
    /// How far the text has been handed on.
    at: Origin,
}

impl Cutter {
    /// Hands a piece on, and begins another part in it if that is due and there is a place for it.
    fn push(&mut self, mut piece: Vec<u8>) {
        let length = self.part.as_ref().map_or(0, |(_, start)| self.at.start - start);
        let place = if length < PART { None } else { self.place(&piece) };
        if let Some(place) = place {
            let rest = piece.split_off(place);
            self.send(piece);
            self.part = None;
            piece = rest;
        }
        self.send(piece);
    }

    /// The last place in a piece where a part may begin: in front of it all is as at the start of a file.
    fn place(&self, piece: &[u8]) -> Option<usize> {
        if self.are_positions {
            return memchr::memrchr(b'\n', piece).map(|end| end + 1);
        }
        let mut rest = piece;
        while let Some(place) = memmem::rfind(rest, FIRST_TAG) {
            rest = &piece[..place];
            let end = rest.trim_ascii_end();
            let are_parted = memchr::memchr_iter(b'\n', &rest[end.len()..]).count() > 1 && rest.ends_with(b"\n");
            // Other texts may be in the middle of a game there, or of a comment.
            if are_parted && RESULTS.iter().any(|result| end.ends_with(result)) {
                return Some(place);
            }
        }
        None
    }

    fn send(&mut self, piece: Vec<u8>) {
        if piece.is_empty() {
            return;
        }
        let at = self.at;
        self.at = Origin {
            start: at.start + piece.len() as u64,
            line: at.line + memchr::memchr_iter(b'\n', &piece).count() as u64,
        };
        // A reader is there for as long as this is.
        let _ = self.part(at).send(piece);
    }

    /// The way to the part that is being read, or to one that begins here.
    fn part(&mut self, origin: Origin) -> &Sender<Vec<u8>> {
        let Self { parts, order, part, .. } = self;
        let begin = || {
            let ((to, pieces), (batches, found)) = (bounded(WAITING), bounded(WAITING));
            let _ = order.send(found);
            let _ = parts.send(Part { origin, pieces, batches });
            (to, origin.start)
        };
        &part.get_or_insert_with(begin).0
    }
}
