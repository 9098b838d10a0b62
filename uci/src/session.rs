//! A conversation with one client.
//!
//! The session reads and answers on its own thread while the searcher works on others, so that no line waits for a
//! search. What a running search must not feel, another table size say, is noted down and carried out when it is
//! over: [`Session::settle`].

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use eval::Network;
use eval::chances::material;
use movegen::{Board, CastlingStyle, Move, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use search::{Limits, Request, Searcher, Settings, Tablebase};

use crate::book::Book;
use crate::file::{create_log, open_book, tablebase_folders, write_network};
use crate::input::Lines;
use crate::print::{Announcer, NO_MOVE, Printer, Style};
use crate::{BENCH_DEPTH, Command, CommandError, Go, Options, PositionCommand, Setting, Token, bench, show};

/// One client's engine: the position, the options and the searcher, and where the answers go.
pub struct Session<W> {
    printer: Printer<W>,
    options: Options,
    /// Where to search; `None` after a `position` that could not be read.
    position: Option<Position>,
    book: Option<Book>,
    /// Draws among the moves of the book.
    random: Xoshiro256PlusPlus,
    /// Built when first needed, so that a client that only asks for the options gets them at once.
    pool: Option<Pool>,
    /// `ucinewgame` or `Clear Hash` came and has not been carried out.
    must_forget: bool,
    /// What ends the newest search.
    end: End,
    is_debugging: bool,
}

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

/// A searcher and the options it was built with.
struct Pool {
    searcher: Searcher,
    threads: usize,
    hash_mib: usize,
    network: Arc<Network>,
    tablebase_path: Option<String>,
    /// Whether the table holds scores that reckon with the fifty-move rule.
    fifty_moves: bool,
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
            must_forget: false,
            end: End::Itself,
            is_debugging: false,
        }
    }

    /// Says what this is, to somebody who has started it by hand.
    pub fn greet(&self) {
        self.printer.line(show::GREETING);
    }

    /// Reads and carries out lines until `quit`, the end of the input or the end of whoever reads the output; a
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
            self.printer.message(format_args!("received {line}"));
        }
        let parsed = Command::parse(line);
        if let Some(fault) = &parsed.fault {
            self.printer.fault(fault);
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

    /// Waits until the running search, if there is one, has reported its best move.
    pub fn wait(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.searcher.wait();
        }
    }

    fn carry_out(&mut self, command: Command<'_>, received: Instant) -> Result<(), CommandError> {
        match command {
            Command::Uci => self.printer.line(show::introduction()),
            Command::IsReady => {
                self.settle();
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
            Command::SpeedTest(test) => {
                self.must_be_idle("speedtest")?;
                test.run(&self.printer);
            }
            Command::GenFens(wanted) => {
                self.must_be_idle("genfens")?;
                wanted.run(&self.options.network, &self.printer)?;
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
        Ok(())
    }

    fn set_position(&mut self, command: &PositionCommand<'_>) -> Result<(), CommandError> {
        // Whatever goes wrong from here on, the old position is not the one the client means.
        self.position = None;
        let mut position = match command.fen {
            None => Position::start(),
            Some(fen) => {
                let (board, warnings) = Board::from_fen_with_warnings(fen).map_err(CommandError::Fen)?;
                if !warnings.is_empty() {
                    let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
                    self.printer.message(format_args!("warning: FEN: {}", warnings.join("; ")));
                }
                Position::from(board)
            }
        };
        for (index, text) in command.moves.iter().enumerate() {
            let mv = position.board().parse_uci(text);
            position.play(mv.map_err(|error| CommandError::Move { number: index + 1, error })?);
        }
        self.position = Some(position);
        Ok(())
    }

    fn go(&mut self, go: &Go<'_>, received: Instant) -> Result<(), CommandError> {
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        self.must_be_idle("go")?;
        let Some(position) = self.position.clone() else {
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
        self.ready().searcher.start(Request { position, limits, settings, received }, Box::new(announcer));
        Ok(())
    }

    /// The book's move, if a game is being played from it.
    fn book_move(&mut self, board: &Board, limits: &Limits) -> Option<Move> {
        let plays = self.options.own_book && !limits.infinite && !limits.ponder && limits.search_moves.is_empty();
        self.book.as_mut().filter(|_| plays)?.draw(board, &mut self.random)
    }

    fn stop(&mut self) {
        if let Some(pool) = &self.pool {
            pool.searcher.stop();
            self.end = End::Stopped;
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(pool) = &self.pool {
            pool.searcher.ponder_hit();
            if self.end == End::PonderHit {
                self.end = End::Itself;
            }
        }
    }

    /// Stops the running search, if there is one, and waits for its best move.
    fn finish(&mut self) {
        self.stop();
        self.wait();
    }

    fn bench(&mut self, depth: Option<i32>) -> Result<(), CommandError> {
        self.must_be_idle("bench")?;
        bench::run(depth.unwrap_or(BENCH_DEPTH), &self.printer);
        Ok(())
    }

    fn perft(&mut self, depth: u8) -> Result<(), CommandError> {
        self.must_be_idle("perft")?;
        self.printer.line(show::divide(self.board()?, depth, self.castling_style()));
        Ok(())
    }

    fn board(&self) -> Result<&Board, CommandError> {
        self.position.as_ref().map(Position::board).ok_or(CommandError::NoPosition)
    }

    /// As `UCI_Chess960` says, but a position that normal chess does not know is never written ambiguously.
    fn castling_style(&self) -> CastlingStyle {
        let is_normal = self.position.as_ref().is_none_or(|position| show::castles_normally(position.board()));
        if self.options.chess960 || !is_normal { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }

    /// Refuses a command that a running search would not bear.
    fn must_be_idle(&mut self, command: &'static str) -> Result<(), CommandError> {
        if self.is_busy() { Err(CommandError::Searching(command)) } else { Ok(()) }
    }

    /// Whether a search runs that nobody has stopped; one that was stopped is waited out.
    fn is_busy(&mut self) -> bool {
        if self.end == End::Stopped {
            self.wait();
        }
        self.pool.as_ref().is_some_and(|pool| pool.searcher.is_searching())
    }

    /// Carries out what was noted down and sees it done, unless a search runs: then it stays noted.
    fn settle(&mut self) {
        if !self.is_busy() {
            self.ready().searcher.wait();
        }
    }

    /// The pool as the options want it. No search may be running.
    fn ready(&mut self) -> &mut Pool {
        let pool = self.pool.get_or_insert_with(Pool::new);
        pool.follow(&self.options, &self.printer);
        if std::mem::take(&mut self.must_forget) {
            pool.searcher.new_game();
        }
        pool
    }
}

/// A number that no two sessions share.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    now ^ u64::from(std::process::id()).rotate_left(40)
}

impl Pool {
    /// The least there can be, to grow as the options want.
    fn new() -> Self {
        Self {
            searcher: Searcher::new(1, 1),
            threads: 1,
            hash_mib: 1,
            network: Network::embedded(),
            tablebase_path: None,
            fifty_moves: true,
        }
    }

    /// Changes what differs from what was asked for before: an option sent again with its value costs nothing.
    fn follow<W: Write>(&mut self, options: &Options, printer: &Printer<W>) {
        let tell_shortage = |name, wanted: usize, taken| {
            if taken < wanted {
                printer.fault(&CommandError::OutOfRange { name, found: Token::new(&wanted.to_string()), taken });
            }
        };
        if self.threads != options.threads {
            self.threads = options.threads;
            tell_shortage("Threads", self.threads, self.searcher.set_threads(self.threads));
        }
        if self.hash_mib != options.hash_mib {
            self.hash_mib = options.hash_mib;
            tell_shortage("Hash", self.hash_mib, self.searcher.set_hash_mib(self.hash_mib));
        }
        if self.network != options.network {
            self.network = Arc::clone(&options.network);
            self.searcher.set_network(Arc::clone(&options.network));
        }
        if self.tablebase_path != options.tablebase_path {
            self.tablebase_path.clone_from(&options.tablebase_path);
            let folders = self.tablebase_path.as_deref().map(tablebase_folders);
            let tablebase = folders.map(|folders| Arc::new(Tablebase::open(&folders)));
            if let Some(tablebase) = &tablebase {
                printer.tablebase(tablebase);
            }
            self.searcher.set_tablebase(tablebase);
        }
        if self.fifty_moves != options.search.tablebase.fifty_moves {
            self.fifty_moves = options.search.tablebase.fifty_moves;
            // What the tables said under the other rule is no longer true.
            self.searcher.new_game();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use super::*;

    /// An output that can be read while the session owns it.
    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a session answers to these bytes, up to the end of its input.
    fn answer(input: impl AsRef<[u8]>) -> String {
        let buffer = Buffer::default();
        Session::new(buffer.clone()).run(input.as_ref());
        let bytes = buffer.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    /// The FEN that `d` shows after these lines.
    fn fen_after(input: &str) -> String {
        let text = answer(format!("{input}\nd\n"));
        text.lines().find_map(|line| line.strip_prefix("Fen: ")).unwrap_or_else(|| panic!("{text}")).to_owned()
    }

    #[test]
    fn uci_introduces_and_says_nothing_else() {
        let text = answer("uci\nquit\nisready\n");
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with("id name Vancura "), "{text}");
        assert!(lines[1].starts_with("id author "), "{text}");
        assert_eq!(lines.last(), Some(&"uciok"));
        assert_eq!(lines[2..].iter().filter(|line| line.starts_with("option name ")).count(), lines.len() - 3);
    }

    #[test]
    fn openings_for_openbench_are_balanced_different_and_repeatable() {
        let openings = |line: &str| -> Vec<String> {
            let text = answer(line);
            let fens = text.lines().map(|line| line.strip_prefix("info string genfens ").expect(line).to_owned());
            fens.collect()
        };
        let first = openings("genfens 5 seed 3 book None\n");
        assert_eq!(first, openings("genfens 5 seed 3\n"));
        assert!(first.iter().all(|fen| Board::from_fen(fen).is_ok_and(|board| board.has_legal_move())), "{first:?}");
        assert_eq!(first.iter().collect::<std::collections::HashSet<_>>().len(), 5);
        assert_ne!(first, openings("genfens 5 seed 4 book None extra words\n"));
        assert!(openings("genfens 0 seed 1\n").is_empty());
        assert!(answer("genfens\n").starts_with("info string error: `genfens` needs a number"));
        assert!(answer("genfens 1 seed 1 book no/such.epd\n").starts_with("info string error: cannot use"));
    }

    #[test]
    fn tuned_numbers_are_printed_for_openbench() {
        let text = answer("spsa\n");
        assert!(text.lines().count() > 30, "{text}");
        for line in text.lines() {
            let fields: Vec<_> = line.split(", ").collect();
            assert!(fields.len() == 7 && fields[1] == "int" && !fields[0].contains(' '), "{line}");
            let [value, least, greatest] = [2, 3, 4].map(|index: usize| fields[index].parse::<f64>().unwrap());
            assert!(least <= value && value <= greatest, "{line}");
        }
    }

    #[test]
    #[cfg(feature = "tune")]
    fn a_build_for_tuning_takes_numbers_as_options() {
        let text = answer("uci\nsetoption name lmr_base value 12\nsetoption name lmr_base value many\n");
        assert!(text.contains("option name lmr_base type spin default "), "{text}");
        assert!(text.ends_with("info string error: `lmr_base` needs a number, not \"many\"\n"), "{text}");
    }

    #[test]
    fn the_network_can_be_written_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a network.nnue");
        let text = answer(format!(
            "export_net {0}\nsetoption name EvalFile value {0}\nsetoption name EvalFile value none\ngo depth 1\n",
            path.display()
        ));
        assert!(text.starts_with("info string network written to "), "{text}");
        assert!(text.contains("info string error: cannot use \"none\"") && text.contains("bestmove "), "{text}");
        assert_eq!(std::fs::read(&path).unwrap(), Network::embedded().to_bytes());
    }

    #[test]
    fn a_log_holds_both_sides_of_the_conversation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.txt");
        answer(format!("setoption name Debug Log File value {}\nisready\n\0odd\nquit\n", path.display()));
        let log = std::fs::read_to_string(&path).unwrap();
        assert!(log.starts_with(">> isready\n<< readyok\n>> \0odd\n<< info string error: "), "{log}");
        assert!(log.ends_with(">> quit\n"), "{log}");
        assert!(answer("setoption name Debug Log File value /no/such/folder\n").starts_with("info string error: "));
    }

    #[test]
    fn a_speed_test_takes_its_arguments_in_order() {
        let text = answer("speedtest 2 3 1\n");
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with("2 threads, 3 MiB, "), "{text}");
        assert!(lines[1].contains(" nodes ") && lines[1].ends_with(" nps"), "{text}");
    }

    #[test]
    fn any_line_end_and_a_byte_order_mark_are_read() {
        assert_eq!(answer(b"\xEF\xBB\xBFisready\r\n\tisready \n\nisready"), "readyok\n".repeat(3));
    }

    #[test]
    fn silent_commands_are_silent_when_idle() {
        assert_eq!(
            answer("stop\nponderhit\nregister later\nxboard\ndebug off\nposition startpos\nucinewgame\nstop\n"),
            ""
        );
        assert_eq!(answer("setoption name Ponder value true\nsetoption name Clear Hash\n"), "");
    }

    #[test]
    fn garbage_is_named_once_and_survived() {
        let text = answer(b"\xFF\xFE\0\x01 garbage\n\0\nisready\n");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[..2].iter().all(|line| line.starts_with("info string error: unknown command ")), "{text}");
        assert_eq!(lines[2], "readyok");
    }

    #[test]
    fn debug_repeats_what_comes() {
        assert_eq!(
            answer("debug on\nisready\ndebug off\nisready\n"),
            "info string received isready\nreadyok\ninfo string received debug off\nreadyok\n"
        );
    }

    #[test]
    fn positions_are_set_and_played_on() {
        assert_eq!(fen_after(""), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(
            fen_after("position startpos moves e2e4 c7c5 g1f3"),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
        );
        assert_eq!(
            fen_after("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - moves e1g1 e8a8"),
            "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
        );
    }

    #[test]
    fn a_position_that_cannot_be_read_leaves_none() {
        for (line, reason) in [
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "error: FEN: "),
            ("position fen", "error: FEN: "),
            ("position", "error: FEN: "),
            ("position nowhere", "error: FEN: "),
            ("position startpos moves e2e4 e7e4 d2d4", "error: move 2: "),
            ("position startpos moves e2e4 \0", "error: move 2: "),
        ] {
            let text = answer(format!("{line}\ngo depth 1\nd\neval\nflip\nperft 1\nisready\n"));
            let lines: Vec<_> = text.lines().collect();
            assert!(lines[0].starts_with(&format!("info string {reason}")), "{text}");
            assert_eq!(
                lines[1..],
                [
                    "info string error: no position is set",
                    "info depth 0 score cp 0",
                    "bestmove (none)",
                    "info string error: no position is set",
                    "info string error: no position is set",
                    "info string error: no position is set",
                    "info string error: no position is set",
                    "readyok",
                ]
            );
        }
        assert!(fen_after("position nowhere\nposition startpos").starts_with("rnbqkbnr/pppppppp"));
    }

    #[test]
    fn what_is_changed_in_a_fen_is_said() {
        let text = answer("position fen 4k3/8/8/8/8/8/8/4K2R w KQkq e3 0 1 junk\nisready\n");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].starts_with("info string warning: FEN: "), "{text}");
    }

    #[test]
    fn perft_divides() {
        let text = answer("go perft 2\n");
        assert_eq!(text.lines().filter(|line| line.ends_with(": 20")).count(), 20);
        assert!(text.contains("\ne2e4: 20\n"));
        assert!(text.ends_with("\n\nNodes searched: 400\n\n"), "{text:?}");
        assert_eq!(answer("perft 2\n"), text);
        assert_eq!(answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - -\nperft 3\n"), "\nNodes searched: 0\n\n");
    }

    #[test]
    fn castling_is_written_as_the_position_needs() {
        let moves = |input: &str| answer(format!("{input}\nperft 1\n"));
        let normal = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert!(moves(normal).contains("\ne1g1: 1\n"));
        let chess960 = moves(&format!("setoption name UCI_Chess960 value true\n{normal}"));
        assert!(chess960.contains("\ne1h1: 1\n") && chess960.contains("\ne1a1: 1\n"));
        assert!(moves("position fen 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1").contains("\nf1g1: 1\n"));
    }

    #[test]
    fn flip_exchanges_the_sides_and_back() {
        for fen in [
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9",
            "nnqrbbkr/pppppppp/8/8/8/8/PPPPPPPP/NNQRBBKR w HDhd - 0 1",
        ] {
            let (once, never) = (format!("position fen {fen}\nflip"), format!("position fen {fen}"));
            assert_ne!(fen_after(&once), fen_after(&never));
            assert_eq!(fen_after(&format!("{once}\nflip")), fen_after(&never));
        }
        assert_eq!(
            fen_after("position startpos moves e2e4\nflip"),
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }

    #[test]
    fn texts_for_people_are_there() {
        assert!(answer("help\n").contains("\n  position startpos|fen F"));
        assert!(answer("license\n").contains("General Public License"));
        assert!(answer("compiler\n").contains("rustc"));
        assert!(answer("eval\n").contains("\nEvaluation: "));
    }

    #[test]
    fn options_at_fault_are_named_and_survived() {
        let text = answer(
            "setoption name Hash value lots\nsetoption name Nonsense value 1\nsetoption name MultiPV value 0\n\
             setoption name Move Overhead value 99999\nsetoption\nisready\n",
        );
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert!(lines[..2].iter().all(|line| line.starts_with("info string error: ")), "{text}");
        assert!(lines[2..4].iter().all(|line| line.starts_with("info string warning: ")), "{text}");
    }

    #[test]
    fn a_script_ends_at_quit() {
        let buffer = Buffer::default();
        let mut session = Session::new(buffer.clone());
        assert!(session.run_script(["isready", "quit", "isready"]).is_break());
        assert_eq!(*buffer.0.lock().unwrap(), b"readyok\n");
        assert!(session.run_script(["isready"]).is_break());
    }

    #[test]
    fn a_broken_output_ends_the_session() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        // The input never ends: only the broken output lets the session return.
        Session::new(Broken).run(io::BufReader::new(Forever));
        struct Forever;
        impl io::Read for Forever {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                let line = b"isready\n";
                bytes[..line.len()].copy_from_slice(line);
                Ok(line.len())
            }
        }
    }
}
