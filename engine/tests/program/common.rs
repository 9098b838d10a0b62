//! Drives the real program as a client does: over pipes, with patience but not without end.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long an answer may take before the engine counts as hung. Generous: it is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(300);

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

/// A folder for the files of a test, which goes with it.
pub struct Place(pub TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}

/// A running engine.
pub struct Engine {
    process: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All that was said, by both, for the message of a failing test.
    transcript: Vec<String>,
}

impl Engine {
    /// Starts the program without arguments.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(arguments: &[&str]) -> Self {
        Self::spawn(Command::new(PROGRAM).args(arguments))
    }

    /// Starts the program with no more than this much memory to address, in KiB.
    #[cfg(target_os = "linux")]
    pub fn start_within(kib: u64) -> Self {
        Self::spawn(Command::new("sh").arg("-c").arg(format!("ulimit -v {kib} && exec {PROGRAM}")))
    }

    /// Starts a command that leads to the program.
    pub fn spawn(command: &mut Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let stdin = process.stdin.take();
        let stdout = BufReader::new(process.stdout.take().expect("stdout is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for (number, line) in stdout.lines().enumerate() {
                let Ok(line) = line else { break };
                if number == 0 && is_greeting(&line) {
                    continue;
                }
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { process, stdin, lines, transcript: Vec::new() }
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {line}"));
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are. That the engine may be gone is for what follows to notice.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Ends the engine's input.
    pub fn close_input(&mut self) {
        self.transcript.push("> (end of input)".to_owned());
        self.stdin = None;
    }

    /// The next line, or `None` at the end of the output.
    pub fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.transcript.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer:\n{}", self.transcript()),
        }
    }

    /// All lines up to the first that begins with `start`, which comes last.
    pub fn read_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next_line() else {
                panic!("the output ends before {start:?}:\n{}", self.transcript())
            };
            let is_last = line.starts_with(start);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// The lines before `readyok`, after which nothing sent so far is waiting.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    /// Sends a `go` and returns the lines up to its `bestmove`.
    pub fn search(&mut self, go: &str) -> Search {
        self.send(go);
        self.finish_search()
    }

    /// The lines up to the next `bestmove`.
    pub fn finish_search(&mut self) -> Search {
        Search::new(self.read_until("bestmove "), &self.transcript())
    }

    /// Whether nothing is said while the engine thinks; it gets a moment to be wrong in.
    pub fn stays_without_bestmove(&mut self) -> bool {
        thread::sleep(Duration::from_millis(200));
        !self.sync().iter().any(|line| line.starts_with("bestmove"))
    }

    /// Closes the input if it is open, and returns the lines that are left and whether the program ended well.
    pub fn end(mut self) -> (Vec<String>, bool) {
        self.close_input();
        let mut lines = Vec::new();
        while let Some(line) = self.next_line() {
            lines.push(line);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.process.try_wait().expect("the engine can be waited for") {
                Some(status) => return (lines, status.success()),
                None if Instant::now() > deadline => panic!("the engine does not end:\n{}", self.transcript()),
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    pub fn transcript(&self) -> String {
        self.transcript.join("\n")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself, and then both fail.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What one search said.
pub struct Search {
    pub lines: Vec<String>,
    /// The move, `(none)` without one.
    pub best: String,
    pub ponder: Option<String>,
}

impl Search {
    /// Checks what holds for every search: a score before the best move, and integers wherever numbers stand.
    fn new(lines: Vec<String>, transcript: &str) -> Self {
        let words: Vec<_> = lines.last().map(|line| line.split(' ').collect()).unwrap_or_default();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder)),
            _ => panic!("malformed bestmove:\n{transcript}"),
        };
        let search = Self { best: best.to_owned(), ponder: ponder.map(str::to_owned), lines };
        assert!(search.infos().next().is_some(), "no score before the best move:\n{transcript}");
        for line in search.infos() {
            for name in ["depth", "seldepth", "multipv", "cp", "mate", "nodes", "nps", "hashfull", "tbhits", "time"] {
                let value = value_of(line, name);
                assert!(value.is_none_or(|value| value.parse::<i64>().is_ok()), "{name} in {line:?}\n{transcript}");
            }
        }
        search
    }

    /// The lines with a score.
    pub fn infos(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.lines.iter().filter(|line| line.starts_with("info ") && line.contains(" score "))
    }

    /// The number after `name` in the last line with a score.
    pub fn last(&self, name: &str) -> Option<i64> {
        value_of(self.infos().next_back()?, name)?.parse().ok()
    }
}

/// The word after `name` in a line.
pub fn value_of<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.by_ref().find(|word| *word == name)?;
    words.next()
}

/// Runs the program with arguments and this input to its end, without reading before it has all been written.
pub fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut process = Command::new(PROGRAM)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut stdin = process.stdin.take().expect("stdin is a pipe");
    let mut stdout = process.stdout.take().expect("stdout is a pipe");
    let mut stderr = process.stderr.take().expect("stderr is a pipe");
    let input = input.to_owned();
    // An engine that quits does not read on.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let errors = thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.read_to_end(&mut bytes).map(|_| bytes)
    });
    let (sender, output) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = sender.send(stdout.read_to_end(&mut bytes).map(|_| bytes));
    });
    let Ok(stdout) = output.recv_timeout(PATIENCE) else {
        let _ = process.kill();
        panic!("the engine does not end: {arguments:?}");
    };
    writer.join().expect("the writer ends");
    let stderr = errors.join().expect("the reader ends").expect("stderr can be read");
    Output { status: process.wait().expect("the engine ends"), stdout: stdout.expect("stdout can be read"), stderr }
}

/// Whether a line is the first of all, which no answer depends on.
pub fn is_greeting(line: &str) -> bool {
    line.starts_with("Vancura ") && line.ends_with(", a UCI chess engine; `help` lists the commands")
}

/// As [`run`], for an engine that must end well and say nothing on stderr. The greeting is left out.
pub fn output(arguments: &[&str], input: &[u8]) -> String {
    let Output { status, stdout, stderr } = run(arguments, input);
    let stdout = String::from_utf8(stdout).expect("the engine writes UTF-8");
    let stdout = match stdout.split_once('\n') {
        Some((first, rest)) if is_greeting(first) => rest.to_owned(),
        _ => stdout,
    };
    assert!(status.success(), "{status}: {stdout}");
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    stdout
}

/// Exit status, standard output and standard error.
pub fn outcome(arguments: &[&str]) -> (Option<i32>, String, String) {
    outcome_of(run(arguments, b""))
}

pub fn outcome_of(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A file with this text.
pub fn file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file can be written");
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// Sends a signal, such as `INT`, to a process; whether it is there. It asks the shell, since an empty Debian has no program
/// `kill`.
#[cfg(unix)]
pub fn signal(name: &str, process: u32) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("kill -{name} {process}")]).status().expect("there is a shell").success()
}

/// Ends a process at once; whether it was there.
pub fn kill(process: u32) -> bool {
    #[cfg(unix)]
    return signal("KILL", process);
    #[cfg(windows)]
    Command::new("taskkill").args(["/f", "/pid", &process.to_string()]).status().is_ok_and(|status| status.success())
}

/// Exit status, standard output and standard error of a command that gets no input. It is ended if it takes too long.
pub fn outcome_within(command: &mut Command) -> (Option<i32>, String, String) {
    let process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let process = process.expect("the program starts");
    let id = process.id();
    let (sender, output) = channel();
    thread::spawn(move || sender.send(process.wait_with_output()));
    let Ok(output) = output.recv_timeout(PATIENCE) else {
        kill(id);
        panic!("the program does not end: {command:?}");
    };
    outcome_of(output.expect("the program can be waited for"))
}

/// A small generator (xorshift64) that makes the same noise in every run.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    /// A number from `least` to `most`, evenly by its logarithm.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        let exponent = self.next(1 << 20) as f64 / f64::from(1 << 20);
        let number = least as f64 * (most as f64 / least as f64).powf(exponent);
        (number.round() as usize).clamp(least, most)
    }
}

/// How many lines are best moves.
pub fn count_best_moves<S: AsRef<str>>(lines: impl IntoIterator<Item = S>) -> usize {
    lines.into_iter().filter(|line| line.as_ref().starts_with("bestmove ")).count()
}

/// A small file system of its own, unmounted in the end.
#[cfg(target_os = "linux")]
pub struct SmallDisk(TempDir);

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// `None` where mounting is not allowed.
    pub fn mount(kib: u32) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kib}k"), "tmpfs"]).arg(folder.path());
        let output = mount.output().ok()?;
        if output.status.success() {
            return Some(Self(folder));
        }
        eprintln!("SKIPPED: no disk can be mounted here: {}", String::from_utf8_lossy(&output.stderr).trim());
        None
    }

    /// Makes it larger.
    pub fn grow_to(&self, kib: u32) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={kib}k")]).arg(self.0.path());
        assert!(mount.status().expect("what mounted before mounts again").success());
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}
