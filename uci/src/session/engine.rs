//! The engine of a session: the position, the options and the searcher, and what each command does with them.
//!
//! Options that must not change during a search, such as the table size, are applied when it is over: [`Engine::settle`].

use std::cell::LazyCell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use eval::wdl::material;
use formats::PolyglotBook;
use movegen::{Board, CastlingStyle, Move, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use search::{Inbox, Limits, Request, Settings};

use crate::bench::Bench;
use crate::command::{Arranged, Command, Parsed, PositionCommand};
use crate::error::{CommandError, Token};
use crate::file::{create_log, open_book, write_network};
use crate::limits::Go;
use crate::memory::MemorySlot;
use crate::option::{Effect, Options, Setting, Value};
use crate::pool::Pool;
use crate::print::{Announcer, NO_MOVE, Printer, Style};
use crate::running::Running;
use crate::session::waiting::Waiting;
use crate::show;
use crate::task::Task;

mod keeping;
mod showing;

pub(super) struct Engine<W> {
    printer: Printer<W>,
    options: Options,
    /// Where to search; after a `position` that could not be read, the last board that was legal, to be shown alone.
    position: Result<Position, Board>,
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
    /// Whether a search or a task is under way.
    running: Running,
    /// What is carried out when a search has ended.
    waiting: Waiting,
    /// `ucinewgame` or `Clear Hash` came and has not been carried out.
    must_forget: bool,
    /// What ends the newest search.
    end: End,
    is_debugging: bool,
}

/// What ends a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Its limits.
    Itself,
    /// A mate that there may not be, or a limit that nobody waits for.
    Uncertain,
    /// Its limits, but not before a `ponderhit`.
    PonderHit,
    /// Only a `stop`.
    Stop,
    /// The `stop` that came: it is a matter of milliseconds.
    Stopped,
}

impl<W: Write + Send + 'static> Engine<W> {
    pub(super) fn new(printer: Printer<W>, inbox: Option<Inbox>) -> Self {
        Self {
            printer,
            options: Options::default(),
            position: Ok(Position::start()),
            book: None,
            random: Xoshiro256PlusPlus::seed_from_u64(seed()),
            pool: None,
            memory: None,
            inbox,
            task: None,
            running: Running::default(),
            waiting: Waiting::default(),
            must_forget: false,
            end: End::Itself,
            is_debugging: false,
        }
    }

    pub(super) const fn is_debugging(&self) -> bool {
        self.is_debugging
    }

    /// What ends the newest search.
    pub(super) const fn end(&self) -> End {
        self.end
    }

    pub(super) fn running(&self) -> Running {
        self.running.clone()
    }

    /// Whether lines wait for the end of a search.
    pub(super) fn is_waited_for(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether a command has to wait until a running search, which ends by itself, has ended.
    pub(super) fn has_to_wait(&mut self, parsed: &Parsed<'_>) -> bool {
        let needs_idle = parsed.command.as_ref().is_some_and(Command::needs_idle);
        needs_idle && self.ends_by_itself() && self.is_busy()
    }

    /// Whether a search or other work is under way; waits for the end of a search that was stopped.
    pub(super) fn is_working(&mut self) -> bool {
        self.task.is_some() && self.running.is_any() || self.is_busy()
    }

    /// Answers what does not wait behind other lines; `false` if this does.
    pub(super) fn answer_at_once(&mut self, parsed: &Parsed<'_>) -> bool {
        match parsed.command {
            Some(Command::IsReady) => self.printer.line("readyok"),
            Some(Command::Stop) => {
                self.stop();
                self.task.iter().for_each(Task::stop);
                // It is also for a search that waits and that nothing else would end.
                return !self.waiting.needs_stop();
            }
            _ => return false,
        }
        true
    }

    /// Keeps a line until the search has ended. `false` if there is no room for it.
    pub(super) fn put_off(&mut self, line: &str, parsed: &Parsed<'_>) -> bool {
        self.waiting.push(line, parsed)
    }

    pub(super) fn forget_waiting(&mut self) {
        self.waiting = Waiting::default();
    }

    /// Carries out the lines that wait, up to one that still has to.
    pub(super) fn carry_out_waiting(&mut self) {
        while let Some(line) = self.waiting.first() {
            let needs_idle = Command::parse(line).command.as_ref().is_some_and(Command::needs_idle);
            let is_working = self.task.is_some() && self.running.is_any();
            if is_working || needs_idle && self.ends_by_itself() && self.is_busy() {
                return;
            }
            if let Some(line) = self.waiting.pop() {
                self.carry_out(Command::parse(&line), Instant::now());
            }
        }
    }

    /// Whether the newest search needs no command to end, but for the last one of all.
    pub(super) const fn ends_by_itself(&self) -> bool {
        matches!(self.end, End::Itself | End::Uncertain | End::Stopped)
    }

    /// Carries out a line, but for `quit`, after other work than a search has ended.
    pub(super) fn carry_out(&mut self, parsed: Parsed<'_>, received: Instant) {
        if let Some(fault) = &parsed.fault {
            self.printer.fault(fault);
        }
        if let Some(task) = self.task.take_if(|_| parsed.command.is_some()) {
            if matches!(parsed.command, Some(Command::Stop)) {
                task.stop();
            }
            task.wait();
        }
        if let Some(Err(error)) = parsed.command.map(|command| self.obey(command, received)) {
            self.printer.fault(&error);
        }
    }

    /// Waits until the running search, if there is one, has reported its best move, and other work is done.
    pub(super) fn wait(&mut self) {
        if let Some(task) = self.task.take() {
            task.wait();
        }
        if let Some(pool) = &mut self.pool {
            pool.searcher.wait();
        }
    }

    fn obey(&mut self, command: Command<'_>, received: Instant) -> Result<(), CommandError> {
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
                self.retry_memory();
            }
            Command::SetOption(setting) => self.set_option(setting)?,
            Command::Position(command) => self.set_position(&command)?,
            Command::Go(go) => self.go(&go, received)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Debug(on) => self.is_debugging = on,
            Command::Quit | Command::Ignored => {}
            Command::Bench(bench) => self.bench(&bench)?,
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
            Command::Display => self.display(),
            Command::Eval => self.eval()?,
            Command::Flip => self.position = Ok(Position::from(self.board()?.flipped())),
            Command::Spsa => self.printer.line(show::tunables()),
            Command::Help => self.printer.line(show::help()),
            Command::License => self.printer.line(show::LICENSE),
            Command::Compiler => self.printer.line(show::compiler()),
        }
        Ok(())
    }

    fn set_option(&mut self, setting: Setting<'_>) -> Result<(), CommandError> {
        let effect = setting.effect();
        if effect == Effect::OpenStore {
            self.memory.as_mut().ok_or_else(|| CommandError::UnknownOption(Token::new(setting.name())))?.retry();
        }
        let before = self.options.search.clone();
        setting.apply(&mut self.options)?;
        match effect {
            Effect::Nothing => {}
            Effect::Settle => self.settle(),
            Effect::Forget => {
                // The same value again is no reason to; a button has none.
                self.must_forget |= setting.value() == Value::None || self.options.search != before;
                self.settle();
            }
            Effect::OpenBook => self.book = setting.path().map(open_book).transpose()?,
            Effect::OpenLog => self.printer.set_log(setting.path().map(create_log).transpose()?),
            Effect::OpenStore if setting.path().is_none() => self.settle_memory(),
            // It is opened by `isready` or `go`, when the network is known that it belongs to.
            Effect::OpenStore => {}
        }
        Ok(())
    }

    fn set_position(&mut self, command: &PositionCommand<'_>) -> Result<(), CommandError> {
        // If anything goes wrong, the old position is not the one the client means.
        self.position = Err(*self.last_board());
        let Arranged { position, warnings, fault } = command.set_up()?;
        if !warnings.is_empty() {
            self.printer.message(format_args!("warning: FEN: {}", warnings.join("; ")));
        }
        self.position = if fault.is_none() { Ok(position) } else { Err(*position.board()) };
        fault.map_or(Ok(()), Err)
    }

    fn go(&mut self, go: &Go<'_>, received: Instant) -> Result<(), CommandError> {
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        self.must_be_idle("go")?;
        let Ok(position) = self.position.as_ref().map(Position::without_unreachable_history) else {
            self.printer.fault(&CommandError::NoPosition);
            self.printer.line("info depth 0 score cp 0");
            self.printer.line(NO_MOVE);
            return Ok(());
        };
        let (limits, fault) = go.limits(position.board());
        if let Some(fault) = fault {
            self.printer.fault(&fault);
        }
        if let Some(mv) = self.book_move(&position, &limits) {
            self.printer.line(format_args!(
                "info depth 1 score cp 0 nodes 0 time 0 pv {0}\nbestmove {0}",
                mv.uci(self.castling_style())
            ));
            return Ok(());
        }
        self.end = match limits {
            _ if limits.infinite => End::Stop,
            _ if limits.ponder => End::PonderHit,
            _ if !limits.is_certain_to_end() => End::Uncertain,
            _ => End::Itself,
        };
        let style = Style {
            castling: self.castling_style(),
            shows_chances: self.options.shows_chances,
            in_check: position.board().in_check(),
            material: material(position.board()),
        };
        let announcer = Announcer::new(self.printer.clone(), style, self.running.begin());
        let settings =
            Settings { strength: self.options.strength(self.random.next_u64()), ..self.options.search.clone() };
        if let Some(strength) = settings.strength.filter(|_| limits.names_extent()) {
            self.printer.message(format_args!(
                "strength limited to {}: only the best move is; the lines have full strength",
                strength.elo()
            ));
        }
        self.search(Request { position, limits, settings, received }, announcer);
        Ok(())
    }

    /// The book's move, if a game is being played from it. Whoever is better off plays none that lets the opponent draw by
    /// repetition: the book does not know the game.
    fn book_move(&mut self, position: &Position, limits: &Limits) -> Option<Move> {
        let plays = self.options.own_book && !limits.infinite && !limits.ponder && limits.search_moves.is_empty();
        let book = self.book.as_mut().filter(|_| plays)?;
        let (network, contempt) = (&self.options.network, self.options.search.contempt);
        let is_better = LazyCell::new(|| network.evaluate(position.board()) > -contempt);
        let suits = |mv: &Move| !leads_to_repetition(position, *mv) || !*is_better;
        book.draw(position.board(), &mut self.random, suits)
    }

    pub(super) fn stop(&mut self) {
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
    pub(super) fn finish(&mut self) {
        self.stop();
        if let Some(task) = self.task.as_ref().filter(|_| self.printer.is_broken()) {
            task.stop();
        }
        self.wait();
    }

    fn bench(&mut self, bench: &Bench<'_>) -> Result<(), CommandError> {
        let (bench, network) = (bench.prepare(self.board().ok())?, Arc::clone(&self.options.network));
        self.start("bench", move |printer, stop| bench.run(&network, printer, stop))
    }

    fn perft(&mut self, depth: u8) -> Result<(), CommandError> {
        let castling = self.castling_style();
        // Whoever waits for the count gets one.
        let board = *self.board().inspect_err(|_| self.printer.line(show::NO_PERFT))?;
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
        let (printer, under_way) = (self.printer.clone(), self.running.begin());
        self.task = Some(Task::start(move |stop| {
            let _under_way = &under_way;
            work(&printer, stop);
            if stop.load(Relaxed) {
                printer.message(format_args!("{command} stopped"));
            }
        }));
        Ok(())
    }

    fn board(&self) -> Result<&Board, CommandError> {
        self.position.as_ref().map(Position::board).map_err(|_| CommandError::NoPosition)
    }

    /// The board of the position, or the last legal one if there is no position.
    fn last_board(&self) -> &Board {
        self.position.as_ref().map_or_else(|board| board, Position::board)
    }

    /// As `UCI_Chess960` says, but a position that normal chess does not know is never written ambiguously.
    fn castling_style(&self) -> CastlingStyle {
        if self.options.chess960 || self.last_board().is_chess960() {
            CastlingStyle::Chess960
        } else {
            CastlingStyle::Standard
        }
    }

    /// Refuses a command that a running search would not bear.
    fn must_be_idle(&mut self, command: &'static str) -> Result<(), CommandError> {
        if self.is_busy() { Err(CommandError::Searching(command)) } else { Ok(()) }
    }

    /// Whether a search runs that has not been stopped; waits for the end of one that has.
    pub(super) fn is_busy(&mut self) -> bool {
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

/// Whether a move completes a threefold repetition, or lets the opponent complete one.
fn leads_to_repetition(position: &Position, mv: Move) -> bool {
    let after = |position: &Position, mv| {
        let mut after = position.clone();
        after.play(mv);
        after
    };
    let is_draw = |position: &Position| position.earlier_occurrences() >= 2;
    let next = after(position, mv);
    is_draw(&next) || next.board().legal_moves().into_iter().any(|reply| is_draw(&after(&next, reply)))
}

/// A seed that differs between sessions: the standard library draws one for each map of hashes.
fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repetition_is_foreseen_for_both_sides() {
        for (moves, mv, expected) in [
            ("", "g1f3", false),
            ("g1f3 g8f6 f3g1 f6g8", "g1f3", false),
            // The opponent could repeat the start once more.
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", "f3g1", true),
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", "e2e4", false),
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "g1f3", true),
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "d2d4", false),
        ] {
            let mut position = Position::start();
            for mv in moves.split_ascii_whitespace() {
                position.play(position.board().parse_uci(mv).unwrap());
            }
            let mv = position.board().parse_uci(mv).unwrap();
            assert_eq!(leads_to_repetition(&position, mv), expected, "{moves} {mv}");
        }
    }
}
