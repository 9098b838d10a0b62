//! The only place that writes to the client.
//!
//! The session and the searching thread share it: each line, or block of lines, is one write under one lock, so
//! that nothing is ever torn apart, and it is flushed at once.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use eval::wdl::{Model, material};
use formats::EngineScore;
use movegen::{Board, CastlingStyle, Color, Move};
use search::{Bound, Found, Report, Reporter, Score, Tablebase, TablebaseFault};

use crate::error::CommandError;
use crate::log::{Log, LogFault};
use crate::running::UnderWay;

/// A shared handle on the output.
pub(crate) struct Printer<W>(Arc<Output<W>>);

struct Output<W> {
    writer: Mutex<W>,
    /// The log of all input and output, if there is one.
    log: Mutex<Option<Log>>,
    /// The reader has gone.
    broken: AtomicBool,
}

impl<W> Clone for Printer<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Printer<W> {
    /// Longer messages are cut: they are meant for eyes.
    const MAX_MESSAGE: usize = 400;

    pub(crate) fn new(writer: W) -> Self {
        let (writer, log) = (Mutex::new(writer), Mutex::default());
        Self(Arc::new(Output { writer, log, broken: AtomicBool::new(false) }))
    }

    /// Whether a write has failed, which means that the client is gone.
    pub(crate) fn is_broken(&self) -> bool {
        self.0.broken.load(Ordering::Relaxed)
    }

    /// Logs everything from now on here, or nothing.
    pub(crate) fn set_log(&self, log: Option<Log>) {
        // The same file may go on in the new one.
        self.flush_log();
        *self.0.log.lock().unwrap_or_else(PoisonError::into_inner) = log;
    }

    /// Waits until the log is written, but not for long.
    pub(crate) fn flush_log(&self) {
        self.0.log.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(Log::flush);
    }

    /// Logs a line with a mark for input or output, without waiting for the disk. The log ends at the first error, which the
    /// client is told.
    pub(crate) fn log(&self, mark: &str, text: &str) {
        let mut log = self.0.log.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(fault) = log.as_ref().and_then(|log| log.add(mark, text)) else { return };
        if matches!(fault, LogFault::Ended(_)) {
            *log = None;
        }
        drop(log);
        self.message(format_args!("warning: {fault}"));
    }

    /// Writes one line, or several that belong together.
    pub(crate) fn line(&self, text: impl fmt::Display) {
        let text = format!("{text}\n");
        self.log("<<", &text);
        let mut writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }

    /// Writes a message for the user, on one line whatever it holds.
    pub(crate) fn message(&self, text: impl fmt::Display) {
        let text = text.to_string();
        let shown = text.chars().take(Self::MAX_MESSAGE).map(|letter| if letter.is_control() { ' ' } else { letter });
        self.line(format_args!("info string {}", shown.collect::<String>()));
    }

    /// Reports that a command could not be carried out, or only in part.
    pub(crate) fn fault(&self, fault: &CommandError) {
        let kind = if fault.is_warning() { "warning" } else { "error" };
        self.message(format_args!("{kind}: {fault}"));
    }

    /// Reports which endgame tables were found, and which cannot be used.
    pub(crate) fn tablebase(&self, tablebase: &Tablebase) {
        let ((wdl, dtz), pieces) = (tablebase.files(), tablebase.largest());
        if wdl + dtz == 0 {
            self.message("Syzygy: no tables found");
        } else {
            self.message(format_args!("Syzygy: {wdl} WDL and {dtz} DTZ files found, up to {pieces} pieces"));
        }
        let faults = tablebase.take_faults();
        if !faults.is_empty() {
            let named: Vec<_> = faults.iter().take(3).map(ToString::to_string).collect();
            let rest = faults.len() - named.len();
            let rest = if rest > 0 { format!("; and {rest} more") } else { String::new() };
            self.message(format_args!("warning: Syzygy: {}{rest}", named.join("; ")));
        }
    }
}

/// The score of a won endgame table at the root; each half-move to it takes one off.
const TABLE_WIN: i32 = 20_000;

/// How a client wants to read what is said about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) castling: CastlingStyle,
    /// Whether chances are told besides scores.
    pub(crate) shows_chances: bool,
    /// Whether the side to move is in check, which tells mate from stalemate if it has no move.
    pub(crate) in_check: bool,
    /// The material on the board, on which depends what a score means.
    pub(crate) material: u32,
}

/// Up to this depth each line is shown at once.
const UNHURRIED_DEPTH: i32 = 30;
/// Beyond, the lines of one depth are shown so long after those of another.
const PAUSE: Duration = Duration::from_millis(100);

/// Where nothing but the cost of a search is told, this often.
const COST_PAUSE: Duration = Duration::from_millis(500);

/// What a result that an earlier search found does not tell of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recalled {
    /// Whether endgame tables know the position.
    pub(crate) from_tables: bool,
    /// Whether the position is dead.
    pub(crate) is_dead: bool,
}

/// Turns what a search tells into lines.
pub(crate) struct Announcer<W> {
    printer: Printer<W>,
    style: Style,
    has_scored: bool,
    /// Nodes, time and the like, which are those of the best line for all lines of a depth.
    effort: Effort,
    /// When a best line was shown.
    shown: Instant,
    /// The lines of the last depth, if they came too soon.
    held: Vec<String>,
    is_holding: bool,
    /// When this is dropped, the search is over.
    _under_way: UnderWay,
}

impl<W: Write> Announcer<W> {
    pub(crate) fn new(printer: Printer<W>, style: Style, under_way: UnderWay) -> Self {
        Self {
            printer,
            style,
            has_scored: false,
            effort: Effort::default(),
            shown: Instant::now(),
            held: Vec::new(),
            is_holding: false,
            _under_way: under_way,
        }
    }

    /// Tells the lines that an earlier search found. They have no speed, since they cost nothing now.
    pub(crate) fn recalled(&mut self, found: &Found, Recalled { from_tables, is_dead }: Recalled) {
        self.has_scored = true;
        self.held.clear();
        let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        for (index, line) in found.lines.iter().enumerate() {
            let report = Report {
                depth: number(found.depth),
                seldepth: number(found.seldepth),
                multi_pv: index + 1,
                score: line.score,
                bound: line.bound,
                nodes: found.nodes,
                elapsed: Duration::ZERO,
                hashfull: 0,
                tablebase_hits: 0,
                from_tables,
                is_dead,
                pv: &line.moves,
            };
            self.printer.line(Info { report: &report, effort: None, style: self.style });
        }
    }

    /// Tells what the search has cost so far, now and then.
    pub(crate) fn cost(&mut self, report: &Report<'_>) {
        if self.shown.elapsed() >= COST_PAUSE {
            self.shown = Instant::now();
            self.printer.line(format_args!("info{}", Effort::of(report)));
        }
    }

    /// Writes a message for the user.
    pub(crate) fn message(&self, text: impl fmt::Display) {
        self.printer.message(text);
    }
}

impl<W: Write + Send> Reporter for Announcer<W> {
    fn line(&mut self, report: &Report<'_>) {
        self.has_scored = true;
        if report.multi_pv == 1 {
            self.effort = Effort::of(report);
            // These lines say more than those held back before.
            self.held.clear();
            self.is_holding = report.depth > UNHURRIED_DEPTH && self.shown.elapsed() < PAUSE;
            if !self.is_holding {
                self.shown = Instant::now();
            }
        }
        let info = Info { report, effort: Some(self.effort), style: self.style };
        if self.is_holding {
            self.held.push(info.to_string());
        } else {
            self.printer.line(info);
        }
    }

    fn current(&mut self, depth: i32, mv: Move, number: usize) {
        let mv = mv.uci(self.style.castling);
        self.printer.line(format_args!("info depth {depth} currmove {mv} currmovenumber {number}"));
    }

    fn no_mate(&mut self) {
        self.printer.message("there is no mate in that many moves");
    }

    fn tablebase_fault(&mut self, fault: &TablebaseFault) {
        self.printer.message(format_args!("warning: Syzygy: {fault}"));
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.held.drain(..).for_each(|line| self.printer.line(line));
        // Clients count on a score before every best move, even if there is nothing to search.
        if !self.has_scored {
            self.printer
                .line(format_args!("info depth 0 score {}", if self.style.in_check { "mate 0" } else { "cp 0" }));
        }
        let Some(best) = best else { return self.printer.line(NO_MOVE) };
        let best = best.uci(self.style.castling);
        match ponder {
            Some(ponder) => {
                self.printer.line(format_args!("bestmove {best} ponder {}", ponder.uci(self.style.castling)))
            }
            None => self.printer.line(format_args!("bestmove {best}")),
        }
    }
}

/// The answer when there is no move: `0000` would be played as a null move by some clients.
pub(crate) const NO_MOVE: &str = "bestmove (none)";

/// What a search has cost so far.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    nodes: u64,
    elapsed: Duration,
    hashfull: usize,
    tablebase_hits: u64,
}

impl Effort {
    const fn of(report: &Report<'_>) -> Self {
        let Report { nodes, elapsed, hashfull, tablebase_hits, .. } = *report;
        Self { nodes, elapsed, hashfull, tablebase_hits }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, elapsed, hashfull, tablebase_hits } = *self;
        // The first microseconds say nothing about the speed.
        let rate = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1000);
        let millis = elapsed.as_millis();
        write!(f, " nodes {nodes} nps {rate} hashfull {hashfull} tbhits {tablebase_hits} time {millis}")
    }
}

/// A report as a line of the protocol.
struct Info<'a> {
    report: &'a Report<'a>,
    /// `None` for what an earlier search found.
    effort: Option<Effort>,
    style: Style,
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { depth, seldepth, multi_pv, score, bound, nodes, pv, .. } = self.report;
        let claimed = claimed(*score, *bound);
        write!(
            f,
            "info depth {depth} seldepth {seldepth} multipv {multi_pv} score {}",
            ScoreText(engine_score(claimed, self.style.material))
        )?;
        f.write_str(match bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        if self.style.shows_chances {
            let [win, draw, loss] = chances(self.report, claimed, self.style.material);
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        match self.effort {
            Some(effort) => effort.fmt(f)?,
            None => write!(f, " nodes {nodes} time 0")?,
        }
        if !pv.is_empty() {
            f.write_str(" pv")?;
        }
        pv.iter().try_for_each(|mv| write!(f, " {}", mv.uci(self.style.castling)))
    }
}

/// What a report on this board claims, for White, as clients are told it for the side to move: the score, and how many of a
/// thousand games White wins, draws and loses.
#[must_use]
pub fn claim_for_white(report: &Report<'_>, board: &Board) -> (EngineScore, [u16; 3]) {
    let (claimed, material) = (claimed(report.score, report.bound), material(board));
    let mut chances = chances(report, claimed, material);
    if board.turn() == Color::Black {
        chances.reverse();
    }
    (engine_score(claimed, material).relative_to(board.turn()), chances)
}

/// A score of the search as clients and people read it, for the same side. What centipawns mean depends on the material.
#[must_use]
pub fn engine_score(score: Score, material: u32) -> EngineScore {
    match (score.moves_to_mate(), score.plies_to_table()) {
        (Some(moves), _) => EngineScore::Mate(moves),
        (None, Some(plies)) => {
            EngineScore::Centipawns((TABLE_WIN - i32::try_from(plies).unwrap_or(TABLE_WIN)) * score.0.signum())
        }
        (None, None) => EngineScore::Centipawns(Model::FITTED.normalise(score.0, material)),
    }
}

/// A score as the protocol writes it.
struct ScoreText(EngineScore);

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            EngineScore::Mate(moves) => write!(f, "mate {moves}"),
            EngineScore::Centipawns(value) => write!(f, "cp {value}"),
        }
    }
}

/// A mate is claimed only when it is certain, and then its line is whole; a bound for one is a great advantage.
fn claimed(score: Score, bound: Bound) -> Score {
    let most = Score::WIN_BOUND.0 - 1;
    match bound {
        Bound::Lower | Bound::Upper if score.moves_to_mate().is_some() => Score(score.0.clamp(-most, most)),
        _ => score,
    }
}

/// Wins, draws and losses of a thousand games.
fn chances(report: &Report<'_>, score: Score, material: u32) -> [u16; 3] {
    match score {
        score if score.is_win() => [1000, 0, 0],
        score if score.is_loss() => [0, 0, 1000],
        // A win that the fifty-move rule spoils is a draw too, whatever its score.
        _ if report.from_tables || report.is_dead => [0, 1000, 0],
        score => Model::FITTED.wdl(score.0, material).per_mille(),
    }
}

#[cfg(test)]
mod tests;
