//! What grows with time: games and an endless search, with the memory, threads and open files of the program measured
//! in between.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use ::tests::play::Random;
use movegen::{CastlingStyle, Position};

use crate::process::wait;

/// Plies after which a game is given up.
const MAX_GAME: usize = 160;
/// How much more memory than after the warm-up may be in use at the end: the allocator keeps some of what is returned.
const MAX_GROWTH: u64 = 8 << 20;
/// The shortest endless search.
const SHORTEST_SEARCH: Duration = Duration::from_secs(2);
/// How long the program may take to end. Generous: it is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a running program holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Bytes of memory in use.
    pub memory: u64,
    /// Threads.
    pub threads: u64,
    /// Open files.
    pub files: usize,
}

impl Held {
    /// What a process holds; `None` where the system does not say, which only Linux does here.
    #[must_use]
    pub fn by(process: u32) -> Option<Self> {
        #[cfg(target_os = "linux")]
        {
            let process = procfs::process::Process::new(i32::try_from(process).ok()?).ok()?;
            let status = process.status().ok()?;
            Some(Self { memory: status.vmrss? << 10, threads: status.threads, files: process.fd_count().ok()? })
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = process;
            None
        }
    }

    /// Checks that nothing has grown since.
    ///
    /// # Errors
    ///
    /// What has.
    pub fn is_flat(self, later: Self) -> Result<(), String> {
        let grown = later.memory.saturating_sub(self.memory);
        if grown <= MAX_GROWTH && later.threads == self.threads && later.files == self.files {
            return Ok(());
        }
        Err(format!("not flat: {self:?} after the warm-up, {later:?} at the end"))
    }
}

/// The program, under a client that keeps to the protocol.
#[derive(Debug)]
pub struct Player {
    process: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

/// How long games go on.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Games at most.
    pub games: u64,
    /// No game begins after this.
    pub until: Option<Instant>,
}

/// Games played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Played {
    /// Their number.
    pub games: u64,
    /// Their moves.
    pub plies: u64,
}

impl Player {
    /// Starts the program with a small table and this many threads.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(program: &mut Command, threads: u32) -> Result<Self, String> {
        let start = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = start.map_err(|error| format!("{}: {error}", program.get_program().display()))?;
        let stdin = process.stdin.take();
        let lines = BufReader::new(process.stdout.take().ok_or("no pipe")?).lines();
        let mut player = Self { process, stdin, lines };
        player.say(&format!("setoption name Hash value 2\nsetoption name Threads value {threads}\nisready"))?;
        player.until("readyok")?;
        Ok(player)
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("the input has ended")?;
        writeln!(stdin, "{text}").map_err(|error| format!("the program is gone: {error}"))
    }

    /// Reads up to a line with this beginning.
    fn until(&mut self, start: &str) -> Result<String, String> {
        loop {
            let line = self.lines.next().ok_or_else(|| format!("the output ends before {start:?}"))?;
            let line = line.map_err(|error| error.to_string())?;
            if line.starts_with(start) {
                return Ok(line);
            }
        }
    }

    /// Plays games by both sides. The first plies are random.
    ///
    /// # Errors
    ///
    /// An illegal move, or a program that is gone.
    pub fn games(&mut self, extent: Extent, nodes: u64, random: &mut Random) -> Result<Played, String> {
        let mut played = Played::default();
        while played.games < extent.games && extent.until.is_none_or(|until| Instant::now() < until) {
            played.plies += self.game(nodes, random)?;
            played.games += 1;
        }
        Ok(played)
    }

    fn game(&mut self, nodes: u64, random: &mut Random) -> Result<u64, String> {
        self.say("ucinewgame")?;
        let (mut position, mut moves) = (Position::start(), String::new());
        for ply in 0..MAX_GAME {
            let legal = position.board().legal_moves();
            if legal.is_empty()
                || position.board().has_insufficient_material()
                || position.board().halfmove_clock() > 99
            {
                return Ok(ply as u64);
            }
            let mv = if ply < 8 {
                random.pick(&legal)
            } else {
                self.say(&format!("position startpos moves{moves}\ngo nodes {nodes}"))?;
                let line = self.until("bestmove ")?;
                let word = line.split(' ').nth(1).unwrap_or_default();
                let is_named = |mv: &&movegen::Move| mv.uci(CastlingStyle::Standard).to_string() == word;
                *legal.iter().find(is_named).ok_or_else(|| format!("{line} after{moves}"))?
            };
            moves.push_str(&format!(" {}", mv.uci(CastlingStyle::Standard)));
            position.play(mv);
        }
        Ok(MAX_GAME as u64)
    }

    /// What the program holds when it has nothing to do.
    ///
    /// # Errors
    ///
    /// If the program is gone.
    pub fn held(&mut self) -> Result<Option<Held>, String> {
        self.say("isready")?;
        self.until("readyok")?;
        Ok(Held::by(self.process.id()))
    }

    /// Searches one position without end for a time; returns what is held after a quarter of it, and at its end.
    ///
    /// # Errors
    ///
    /// If the program is gone.
    pub fn search_for(&mut self, time: Duration) -> Result<Option<[Held; 2]>, String> {
        self.say("position startpos\ngo infinite")?;
        let process = self.process.id();
        let mut stdin = self.stdin.take().ok_or("the input has ended")?;
        // All is read at once, for a search whose lines are not taken waits.
        let watch = thread::spawn(move || {
            thread::sleep(time / 4);
            let early = Held::by(process);
            thread::sleep(time - time / 4);
            let late = Held::by(process);
            writeln!(stdin, "stop").map(|()| (stdin, early.zip(late)))
        });
        self.until("bestmove ")?;
        let watched = watch.join().map_err(|_| "the watch has panicked")?;
        let (stdin, held) = watched.map_err(|error| format!("the program is gone: {error}"))?;
        self.stdin = Some(stdin);
        Ok(held.map(|(early, late)| [early, late]))
    }

    /// Ends the program, which must end well.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub fn end(mut self) -> Result<(), String> {
        self.stdin = None;
        match wait(&mut self.process, PATIENCE).map_err(|error| error.to_string())? {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(format!("the program ended with {status}")),
            None => Err("the program does not end".to_owned()),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It may have ended by itself, and then both fail.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Plays games after a warm-up of a tenth of them, or a quarter of their time, then searches without end until the time is
/// over, for two seconds at least; nothing may have grown since the warm-up. Returns what was done, in words.
///
/// # Errors
///
/// What has grown, or what went wrong.
pub fn soak(program: &mut Command, extent: Extent, end: Instant) -> Result<String, String> {
    let mut random = Random::new(1);
    let mut player = Player::start(program, 2)?;
    let quarter = extent.until.map(|until| Instant::now() + until.saturating_duration_since(Instant::now()) / 4);
    player.games(Extent { games: extent.games.div_ceil(10), until: quarter }, 300, &mut random)?;
    let before = player.held()?;
    let played = player.games(extent, 300, &mut random)?;
    if played.games == 0 {
        return Err("no time for a single game after the warm-up".to_owned());
    }
    let after = player.held()?;
    if let (Some(before), Some(after)) = (before, after) {
        before.is_flat(after)?;
    }
    let search = end.saturating_duration_since(Instant::now()).max(SHORTEST_SEARCH);
    let searching = player.search_for(search)?;
    if let Some([early, late]) = searching {
        early.is_flat(late)?;
    }
    player.end()?;
    let held = after.map_or_else(
        || "this system does not say what is held".to_owned(),
        |held| format!("{} MiB, {} threads, {} files", held.memory >> 20, held.threads, held.files),
    );
    Ok(format!("{} games of {} plies, {} s of infinite search: {held}", played.games, played.plies, search.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_found() {
        let early = Held { memory: 50 << 20, threads: 4, files: 5 };
        assert_eq!(early.is_flat(early), Ok(()));
        assert_eq!(early.is_flat(Held { memory: 40 << 20, ..early }), Ok(()));
        for late in [Held { memory: 60 << 20, ..early }, Held { threads: 5, ..early }, Held { files: 6, ..early }] {
            assert!(early.is_flat(late).is_err(), "{late:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_holds_something() {
        let held = Held::by(std::process::id()).expect("Linux says it");
        assert!(held.memory > 1 << 16 && held.threads >= 1 && held.files >= 3, "{held:?}");
    }
}
