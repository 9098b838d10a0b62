//! A conversation with one client.
//!
//! The session reads and answers on its own thread while the searcher works on others, so that no line waits for a
//! search. Options that must not change during a search, such as the table size, are applied when it is over:
//! [`Session::settle`].

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use eval::wdl::material;
use formats::PolyglotBook;
use movegen::{Board, CastlingStyle, Move, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use search::{Inbox, Limits, Request, Settings};

use crate::bench::BENCH_DEPTH;
use crate::command::{Command, PositionCommand};
use crate::error::{CommandError, Token};
use crate::file::{create_log, open_book, write_network};
use crate::input::Lines;
use crate::limits::Go;
use crate::memory::MemorySlot;
use crate::option::{MEMORY_OPTION, Options, Setting};
use crate::pool::Pool;
use crate::print::{Announcer, NO_MOVE, Printer, Style};
use crate::task::Task;
use crate::{bench, show};

/// One client's engine: the position, the options and the searcher, and where the answers go.
pub struct Session<W> {
    printer: Printer<W>,
    options: Options,
    /// Where to search; `None` after a `position` that could not be read.
    position: Option<Position>,
    book: Option<PolyglotBook>,
    /// Draws among the moves of the book.
    random: Xoshiro256PlusPlus,
    /// Built when first needed, so that a client that only asks for the options gets them at once.
    pool: Option<Pool>,
    /// What keeps analysis beyond the session, if whoever made it has given one.
    memory: Option<MemorySlot>,
    /// Where the searcher is to look while it runs on this thread.
    inbox: Option<Inbox>,
    /// Work other than a search; what comes after it waits.
    task: Option<Task>,
    /// `ucinewgame` or `Clear Hash` came and has not been carried out.
    must_forget: bool,
    /// What ends the newest search.
    end: End,
    is_debugging: bool,
}

/// In debug mode so many bytes of a line are repeated.
const MOST_REPEATED: usize = 2000;

/// What ends a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Its limits.
    Itself,
    /// Its limits, but not before a `ponderhit`.
    PonderHit,
    /// Only a `stop`.
    Stop,
    /// The `stop` that came: it is a matter of milliseconds.
    Stopped,
}

impl<W: Write + Send + 'static> Session<W> {
    /// A session at the start of a normal game, with all options at their defaults.
    #[must_use]
    pub fn new(output: W) -> Self {
        Self {
            printer: Printer::new(output),
            options: Options::default(),
            position: Some(Position::start()),
            book: None,
            random: Xoshiro256PlusPlus::seed_from_u64(seed()),
            pool: None,
            memory: None,
            inbox: None,
            task: None,
            must_forget: false,
            end: End::Itself,
            is_debugging: false,
        }
    }

    /// A session without threads: [`execute`](Self::execute) returns from `go` when the search has ended, which looks into
    /// the inbox while it runs.
    #[must_use]
    pub fn without_threads(output: W, inbox: Inbox) -> Self {
        Self { inbox: Some(inbox), ..Self::new(output) }
    }

    /// Greets a user who has started the engine on a terminal.
    pub fn greet(&self) {
        self.printer.line(show::GREETING);
    }

    /// Reads and carries out lines until `quit`, the end of the input or a closed output; a
    /// search that still runs then is stopped and reports its best move.
    pub fn run(&mut self, input: impl BufRead) {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next_line() {
            let flow = match line {
                Ok(line) => self.execute(&line),
                Err(fault) => {
                    self.printer.fault(&fault);
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() || self.printer.is_broken() {
                break;
            }
        }
        self.finish();
    }

    /// Carries out lines one after the other, each to its end.
    ///
    /// Continues if a search was left running that only a further command ends.
    pub fn run_script<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) -> ControlFlow<()> {
        for line in lines {
            self.execute(line.as_ref())?;
            if matches!(self.end, End::Itself | End::Stopped) {
                self.wait();
            }
            if self.printer.is_broken() {
                self.finish();
                return ControlFlow::Break(());
            }
        }
        if self.is_busy() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Carries out one line. Breaks off at `quit`.
    pub fn execute(&mut self, line: &str) -> ControlFlow<()> {
        let received = Instant::now();
        self.printer.log(">>", line);
        if self.is_debugging {
            // A message is cut in any case, and a long line is not to be copied for it.
            self.printer.message(format_args!("received {}", &line[..line.floor_char_boundary(MOST_REPEATED)]));
        }
        let parsed = Command::parse(line);
        if let Some(fault) = &parsed.fault {
            self.printer.fault(fault);
        }
        if let Some(task) = self.task.take_if(|_| parsed.command.is_some()) {
            if matches!(parsed.command, Some(Command::Stop)) {
                task.stop();
            }
            task.wait();
        }
        if matches!(parsed.command, Some(Command::Quit)) {
            self.finish();
            return ControlFlow::Break(());
        }
        if let Some(Err(error)) = parsed.command.map(|command| self.carry_out(command, received)) {
            self.printer.fault(&error);
        }
        ControlFlow::Continue(())
    }

    /// Waits until the running search, if there is one, has reported its best move, and other work is done.
    pub fn wait(&mut self) {
        if let Some(task) = self.task.take() {
            task.wait();
        }
        if let Some(pool) = &mut self.pool {
            pool.searcher.wait();
        }
    }

    fn carry_out(&mut self, command: Command<'_>, received: Instant) -> Result<(), CommandError> {
        match command {
            Command::Uci => self.printer.line(show::introduction(self.memory.is_some())),
            Command::IsReady => {
                self.settle();
                self.settle_memory();
                self.printer.line("readyok");
            }
            Command::NewGame => {
                self.must_forget = true;
                self.settle();
            }
            Command::SetOption(setting) => self.set_option(setting)?,
            Command::Position(command) => self.set_position(&command)?,
            Command::Go(go) => self.go(&go, received)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Debug(on) => self.is_debugging = on,
            Command::Quit | Command::Ignored => {}
            Command::Bench(depth) => self.bench(depth)?,
            Command::SpeedTest(test) => self.start("speedtest", move |printer, stop| test.run(printer, stop))?,
            Command::GenFens(wanted) => {
                let (openings, network) = (wanted.openings()?, Arc::clone(&self.options.network));
                self.start("genfens", move |printer, stop| openings.print(&network, printer, stop))?;
            }
            Command::ExportNet(path) => {
                let path = write_network(&self.options.network, path)?;
                self.printer.message(format_args!("network written to {path}"));
            }
            Command::Perft(depth) => self.perft(depth)?,
            Command::Display => self.printer.line(show::board(self.board()?, self.castling_style())),
            Command::Eval => self.printer.line(show::evaluation(self.board()?, &self.options.network)),
            Command::Flip => self.position = Some(Position::from(self.board()?.flipped())),
            Command::Spsa => self.printer.line(show::tunables()),
            Command::Help => self.printer.line(show::help()),
            Command::License => self.printer.line(show::LICENSE),
            Command::Compiler => self.printer.line(show::compiler()),
        }
        Ok(())
    }

    fn set_option(&mut self, setting: Setting<'_>) -> Result<(), CommandError> {
        if let Setting::AnalysisStore(_) = setting {
            self.memory.as_mut().ok_or_else(|| CommandError::UnknownOption(Token::new(MEMORY_OPTION)))?.retry();
        }
        // Draws lie in the table with the score that they had, and so does all that follows from them.
        self.must_forget |= matches!(setting, Setting::Contempt(value) if value != self.options.search.contempt);
        self.options.set(setting)?;
        match setting {
            Setting::BookFile(path) => self.book = path.map(open_book).transpose()?,
            Setting::LogFile(path) => self.printer.set_log(path.map(create_log).transpose()?),
            _ => {}
        }
        self.must_forget |= setting == Setting::ClearHash;
        let calls_for_work = matches!(
            setting,
            Setting::Hash(_)
                | Setting::Threads(_)
                | Setting::ClearHash
                | Setting::SyzygyPath(_)
                | Setting::Syzygy50MoveRule(_)
                | Setting::EvalFile(_)
        );
        if calls_for_work {
            self.settle();
        }
        // One that is named now is opened by `isready` or `go`, when the network is known that it belongs to.
        if setting == Setting::AnalysisStore(None) {
            self.settle_memory();
        }
        Ok(())
    }

    fn set_position(&mut self, command: &PositionCommand<'_>) -> Result<(), CommandError> {
        // If anything goes wrong, the old position is not the one the client means.
        self.position = None;
        let (position, warnings) = command.set_up()?;
        if !warnings.is_empty() {
            self.printer.message(format_args!("warning: FEN: {}", warnings.join("; ")));
        }
        self.position = Some(position);
        Ok(())
    }

    fn go(&mut self, go: &Go<'_>, received: Instant) -> Result<(), CommandError> {
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        self.must_be_idle("go")?;
        let Some(position) = self.position.as_ref().map(Position::without_unreachable_history) else {
            self.printer.fault(&CommandError::NoPosition);
            self.printer.line("info depth 0 score cp 0");
            self.printer.line(NO_MOVE);
            return Ok(());
        };
        let (limits, fault) = go.limits(position.board());
        if let Some(fault) = fault {
            self.printer.fault(&fault);
        }
        if let Some(mv) = self.book_move(position.board(), &limits) {
            self.printer.line(format_args!(
                "info depth 1 score cp 0 nodes 0 time 0 pv {0}\nbestmove {0}",
                mv.uci(self.castling_style())
            ));
            return Ok(());
        }
        self.end = match limits {
            _ if limits.infinite => End::Stop,
            _ if limits.ponder => End::PonderHit,
            _ => End::Itself,
        };
        let style = Style {
            castling: self.castling_style(),
            shows_chances: self.options.shows_chances,
            in_check: position.board().in_check(),
            material: material(position.board()),
        };
        let announcer = Announcer::new(self.printer.clone(), style);
        let settings =
            Settings { strength: self.options.strength(self.random.next_u64()), ..self.options.search.clone() };
        self.search(Request { position, limits, settings, received }, announcer);
        Ok(())
    }

    /// The book's move, if a game is being played from it.
    fn book_move(&mut self, board: &Board, limits: &Limits) -> Option<Move> {
        let plays = self.options.own_book && !limits.infinite && !limits.ponder && limits.search_moves.is_empty();
        self.book.as_mut().filter(|_| plays)?.draw(board, &mut self.random)
    }

    fn stop(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.searcher.stop();
            self.end = End::Stopped;
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.searcher.ponder_hit();
            if self.end == End::PonderHit {
                self.end = End::Itself;
            }
        }
    }

    /// Stops the running search, if there is one, and waits for its best move. Other work gets its result out, if
    /// anybody still reads it.
    fn finish(&mut self) {
        self.stop();
        if let Some(task) = self.task.as_ref().filter(|_| self.printer.is_broken()) {
            task.stop();
        }
        self.wait();
    }

    fn bench(&mut self, depth: Option<i32>) -> Result<(), CommandError> {
        let network = Arc::clone(&self.options.network);
        self.start("bench", move |printer, stop| bench::run(depth.unwrap_or(BENCH_DEPTH), &network, printer, stop))
    }

    fn perft(&mut self, depth: u8) -> Result<(), CommandError> {
        let (board, castling) = (*self.board()?, self.castling_style());
        self.start("perft", move |printer, stop| {
            show::divide(&board, depth, castling, stop).into_iter().for_each(|text| printer.line(text));
        })
    }

    /// Starts work other than a search.
    fn start(
        &mut self,
        command: &'static str,
        work: impl Fn(&Printer<W>, &AtomicBool) + Send + Sync + 'static,
    ) -> Result<(), CommandError> {
        self.must_be_idle(command)?;
        let printer = self.printer.clone();
        self.task = Some(Task::start(move |stop| {
            work(&printer, stop);
            if stop.load(Relaxed) {
                printer.message(format_args!("{command} stopped"));
            }
        }));
        Ok(())
    }

    fn board(&self) -> Result<&Board, CommandError> {
        self.position.as_ref().map(Position::board).ok_or(CommandError::NoPosition)
    }

    /// As `UCI_Chess960` says, but a position that normal chess does not know is never written ambiguously.
    fn castling_style(&self) -> CastlingStyle {
        let is_chess960 = self.position.as_ref().is_some_and(|position| position.board().is_chess960());
        if self.options.chess960 || is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }

    /// Refuses a command that a running search would not bear.
    fn must_be_idle(&mut self, command: &'static str) -> Result<(), CommandError> {
        if self.is_busy() { Err(CommandError::Searching(command)) } else { Ok(()) }
    }

    /// Whether a search runs that has not been stopped; waits for the end of one that has.
    fn is_busy(&mut self) -> bool {
        if self.end == End::Stopped {
            self.wait();
        }
        self.pool.as_mut().is_some_and(|pool| pool.searcher.is_searching())
    }

    /// Applies options that were set during a search and waits until that is done, unless a search still runs.
    fn settle(&mut self) {
        if !self.is_busy() {
            self.ready().searcher.wait();
        }
    }

    /// The pool as the options want it. No search may be running.
    fn ready(&mut self) -> &mut Pool {
        let pool = self.pool.get_or_insert_with(|| Pool::new(self.inbox.take()));
        pool.follow(&self.options, &self.printer);
        if std::mem::take(&mut self.must_forget) {
            pool.searcher.new_game();
        }
        pool
    }
}

/// A seed that differs between sessions: the standard library draws one for each map of hashes.
fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

mod keeping;
#[cfg(test)]
mod tests;
