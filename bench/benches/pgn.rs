//! Reading games and checking each move: our reader beside pgn-reader with shakmaty, the fastest other one.
//!
//! The games are those of Lichess in the folder that `VANCURA_TEST_DATA` names, repeated, in three forms: moves alone, with
//! clocks, with clocks and evaluations. The best of some rounds counts, both readers by turns: other work only ever slows.
//!
//! `VANCURA_TEST_DATA=../shared/data cargo bench -p vancura-bench --bench pgn`

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use pgn::PgnReader;
use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position};

/// How often the games are repeated, and read.
const REPEATED: usize = 40;
const ROUNDS: usize = 5;

/// Plays the main line and counts its moves.
struct Plies(usize);

impl Visitor for Plies {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        let mv = san.san.to_move(position).expect("the games are legal");
        position.play_unchecked(mv);
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _: Chess) {}
}

fn ours(text: &str) -> usize {
    let games = PgnReader::new(text.as_bytes()).map(|game| game.expect("the games are legal"));
    games.map(|game| game.tree.len() - 1).sum()
}

fn theirs(text: &str) -> usize {
    let (mut reader, mut plies) = (Reader::new(text.as_bytes()), Plies(0));
    while reader.read_game(&mut plies).expect("memory can be read").is_some() {}
    plies.0
}

/// The best time of a reader.
fn time(read: fn(&str) -> usize, text: &str, plies: usize, best: &mut Duration) {
    let start = Instant::now();
    assert_eq!(read(text), plies);
    *best = start.elapsed().min(*best);
}

fn main() {
    let Some(folder) = std::env::var_os("VANCURA_TEST_DATA") else {
        return eprintln!("SKIPPED: VANCURA_TEST_DATA is not set");
    };
    let file = File::open(Path::new(&folder).join("pgn/lichess_db_1000k.pgn.zst")).expect("the games of Lichess");
    let mut text = String::new();
    zstd::Decoder::new(file).and_then(|mut input| input.read_to_string(&mut text)).expect("text in Zstandard");
    let clocks = text.trim().to_owned() + "\n\n";
    let both = clocks.replace("[%clk", "[%eval 0.17] [%clk");
    println!("| games | plies | MB | Vancura | pgn-reader and shakmaty | ratio |\n|---|---:|---:|---:|---:|---:|");
    for (name, text) in [("moves", bench::without_comments(&clocks)), ("and clocks", clocks), ("and evaluations", both)]
    {
        let text = text.repeat(REPEATED);
        let plies = ours(&text);
        let mut best = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            time(ours, &text, plies, &mut best[0]);
            time(theirs, &text, plies, &mut best[1]);
        }
        let [ours, theirs] = best.map(|time| plies as f64 / time.as_secs_f64() / 1e6);
        let size = text.len() as f64 / 1e6;
        println!("| {name} | {plies} | {size:.1} | {ours:.2} | {theirs:.2} | {:.2} |", ours / theirs);
    }
}
