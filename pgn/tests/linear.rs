//! Four times the text takes at most five times the work, whatever the text is: games and positions made to take much.
//!
//! Work is counted as allocations and bytes asked for. What is looked at and not kept cannot be counted so: for that the
//! sizes are such that a search through all the text for each of its parts would not end.

use std::alloc::System;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pgn::{Epd, PgnLimit, PgnReader};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Taken by each test, for all of a process count together.
static COUNTING: Mutex<()> = Mutex::new(());

/// A text of about as many bytes, and what it is.
type Shape = (&'static str, fn(usize) -> String);

fn repeated(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len())
}

const GAMES: &[Shape] = &[
    ("moves", |bytes| repeated("Nf3 Nf6 Ng1 Ng8 ", bytes) + "*"),
    ("games on one line", |bytes| repeated("1. e4 * ", bytes)),
    ("results", |bytes| repeated("* ", bytes)),
    ("results before white space", |bytes| repeated("* ", bytes / 2) + &" ".repeat(bytes / 2)),
    ("games on many lines", |bytes| repeated("[Event \"x\"]\n\n1. e4 *\n\n", bytes)),
    ("tags", |bytes| (0..bytes / 12).map(|tag| format!("[T{tag} \"x\"]\n")).collect()),
    ("tags on one line", |bytes| (0..bytes / 12).map(|tag| format!("[T{tag} \"x\"]")).collect()),
    ("a tag of quotes", |bytes| format!("[Event \"{}{}", "\"".repeat(bytes / 2), " ".repeat(bytes / 2))),
    ("brackets", |bytes| "[".repeat(bytes)),
    ("brackets on lines", |bytes| "[\n".repeat(bytes / 2)),
    ("a comment", |bytes| format!("1. e4 {{{}}} *", repeated("word ", bytes))),
    ("comments", |bytes| format!("1. e4 {} *", repeated("{word} ", bytes))),
    ("an open comment", |bytes| format!("1. e4 {{{}", repeated("word\n", bytes))),
    ("commands that begin", |bytes| format!("1. e4 {{{}}} *", repeated("[% ", bytes))),
    ("commands", |bytes| format!("1. e4 {{{}}} *", repeated("[%clk 1] ", bytes))),
    ("commands that begin and one end", |bytes| format!("1. e4 {{] {}]}} *", repeated("[% ", bytes))),
    ("variations", |bytes| format!("1. e4 {} *", repeated("(d4) ", bytes))),
    ("nested variations", |bytes| {
        let depth = bytes / 12;
        let levels: String = ["(Nf3 a6 ", "(Nf6 a3 ", "(Ng1 a6 ", "(Ng8 a3 "].into_iter().cycle().take(depth).collect();
        format!("a3 {levels}{}*", ") ".repeat(depth))
    }),
    ("open variations", |bytes| "(".repeat(bytes)),
    ("variations of words", |bytes| format!("1. e4 {}", repeated("(x ", bytes))),
    ("variations of commands", |bytes| format!("1. e4 {}", repeated("[%eval(", bytes))),
    ("figurines without blanks", |bytes| format!("1. e4 {}", repeated("e4♘", bytes))),
    ("letters without blanks", |bytes| format!("1. e4 {}", repeated("xé1", bytes))),
    ("glyphs", |bytes| format!("1. e4 {} *", repeated("$1 ", bytes))),
    ("a word", |bytes| "a".repeat(bytes)),
    ("NULs", |bytes| "\0".repeat(bytes)),
];

const POSITIONS: &[Shape] = &[
    ("operations", |bytes| repeated("bm e4; ", bytes)),
    ("operands", |bytes| "bm ".to_owned() + &repeated("e4 ", bytes)),
    ("quotations", |bytes| repeated("\"\" ", bytes)),
    ("an open quotation", |bytes| "\"".to_owned() + &"x".repeat(bytes)),
    ("semicolons", |bytes| ";".repeat(bytes)),
    ("white space", |bytes| " ".repeat(bytes)),
    ("digits", |bytes| "1".repeat(bytes)),
];

/// Reads games and writes those that can be read; returns how many came.
fn read_and_write(text: &str) -> usize {
    let games = PgnReader::new(text.as_bytes());
    games.inspect(|game| drop(game.as_ref().map(ToString::to_string))).count()
}

fn read_position(text: &str) -> usize {
    let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - - {text}");
    Epd::parse(&line).map_or(0, |epd| epd.map_or(0, |epd| epd.operands("bm").count()))
}

/// Allocations and bytes that an action asks for.
fn work(action: impl FnOnce() -> usize) -> [usize; 2] {
    let region = Region::new(ALLOCATOR);
    action();
    let change = region.change();
    [change.allocations + change.reallocations, change.bytes_allocated]
}

#[test]
fn four_times_the_text_is_at_most_five_times_the_work() {
    let _guard = COUNTING.lock().unwrap_or_else(PoisonError::into_inner);
    // What does not depend on the length of the text.
    const BASE: [usize; 2] = [100, 1 << 16];
    let check = |name: &str, shape: fn(usize) -> String, bytes: usize, read: fn(&str) -> usize| {
        let [few, many] = [bytes, 4 * bytes].map(|bytes| {
            let text = shape(bytes);
            work(|| read(&text))
        });
        for (few, many, base) in [(few[0], many[0], BASE[0]), (few[1], many[1], BASE[1])] {
            assert!(many <= 5 * few + base, "{name}: {few} and {many}");
        }
    };
    // The longest line is four times this, so that all sizes are read.
    let most = PgnLimit::Line.most() / 4;
    for &(name, shape) in GAMES {
        for bytes in [most / 64, most / 16] {
            check(name, shape, bytes, read_and_write);
        }
    }
    for &(name, shape) in POSITIONS {
        check(name, shape, 1 << 18, read_position);
    }
}

#[test]
fn what_is_not_kept_takes_no_memory() {
    let _guard = COUNTING.lock().unwrap_or_else(PoisonError::into_inner);
    for text in [
        // No game: each would be read to its limit and then passed over.
        format!("1. e4 {{{}", repeated("word\n", 64 << 20)),
        repeated("( ", 192 << 20).replace(" ( ( ( (", "\n(((("),
    ] {
        let [_, bytes] = work(|| read_and_write(&text));
        assert!(bytes < text.len() / 4, "{bytes} for {}", text.len());
    }
}

#[test]
#[ignore = "measures time"]
fn four_times_the_text_is_at_most_five_times_the_time() {
    let _guard = COUNTING.lock().unwrap_or_else(PoisonError::into_inner);
    let time = |text: &str, read: fn(&str) -> usize| {
        let start = Instant::now();
        read(text);
        start.elapsed()
    };
    let all = GAMES.iter().map(|shape| (shape, read_and_write as fn(&str) -> usize));
    for (&(name, shape), read) in all.chain(POSITIONS.iter().map(|shape| (shape, read_position as _))) {
        let texts = [1 << 18, 1 << 20].map(shape);
        let mut least = [Duration::MAX; 2];
        // Other work on the machine slows some rounds; quadratic work would take seconds in each.
        let is_linear = (0..20).any(|_| {
            for (least, text) in least.iter_mut().zip(&texts) {
                *least = time(text, read).min(*least);
            }
            least[1] <= 5 * least[0] + Duration::from_millis(20)
        });
        println!("{name}: {least:?}");
        assert!(is_linear, "{name}: {least:?}");
    }
}
