//! What an episode sends, and what each of its searches was asked.

use std::time::Duration;

use movegen::{Board, CastlingStyle, Move};
use tests::play::{Random, scatter};

/// A `go`, and what it means.
pub(super) struct Asked {
    /// Where to search; none after a position that cannot be read.
    pub board: Option<Board>,
    /// The moves that may be answered.
    pub allowed: Vec<Move>,
    /// How moves are written.
    pub style: CastlingStyle,
}

/// What is sent at once.
pub(super) struct Step {
    /// What to wait before.
    pub pause: Duration,
    /// Whole lines, except perhaps the last of the script.
    pub text: String,
}

/// How the output is read.
pub(super) struct Reader {
    /// Before the first line.
    pub delay: Duration,
    /// After every few lines.
    pub pause: Duration,
    /// Lines after which the reader goes away.
    pub leaves_after: Option<usize>,
}

/// An episode.
pub(super) struct Script {
    pub steps: Vec<Step>,
    pub asked: Vec<Asked>,
    pub reader: Reader,
    /// How many `readyok` are due.
    pub syncs: usize,
}

/// After each `go` comes an unknown word with its number. The complaint about it is written by the thread that accepts
/// or refuses searches, and so tells which of them a refusal was for.
pub(super) const MARK: &str = "mark";

/// The most commands of an episode.
const MAX_COMMANDS: usize = 60;

impl Script {
    /// The episode of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let reader = Reader::new(&mut random);
        let client = Client { random, board: Some(Board::start()), chess960: false };
        let mut script = Self { steps: Vec::new(), asked: Vec::new(), reader, syncs: 0 };
        script.fill(client);
        script
    }

    fn fill(&mut self, mut client: Client) {
        // Of most gaps nothing is left, so that lines come in a rush; some let a search begin, some let it end.
        let longest = client.random.pick(&[0, 20, 300, 5_000]);
        for _ in 0..client.random.below(MAX_COMMANDS) {
            let text = client.command(self);
            let pause = Duration::from_micros(client.random.below(longest + 1) as u64);
            self.steps.push(Step { pause, text });
        }
        let pause = Duration::from_micros(client.random.below(20_000) as u64);
        // The end of the input, at once, in the middle of a line, or after a last word without an end of line.
        let text =
            client.random.pick(&["", "", "quit\n", "quit", "stop", "posi", "setoption name Thr", "isready\nquit\n"]);
        self.syncs += usize::from(text.starts_with("isready"));
        self.steps.push(Step { pause, text: text.to_owned() });
    }

    /// All that is sent, as one text.
    pub fn sent(&self) -> String {
        self.steps.iter().map(|step| format!("[{:?}] {}", step.pause, step.text)).collect()
    }
}

impl Reader {
    fn new(random: &mut Random) -> Self {
        let millis = |value| Duration::from_millis(value);
        match random.below(8) {
            0 => Self { delay: millis(300), pause: Duration::ZERO, leaves_after: None },
            1 | 2 => Self { delay: Duration::ZERO, pause: millis(random.below(4) as u64), leaves_after: None },
            3 => Self { delay: Duration::ZERO, pause: Duration::ZERO, leaves_after: Some(1 + random.below(200)) },
            _ => Self { delay: Duration::ZERO, pause: Duration::ZERO, leaves_after: None },
        }
    }
}

/// What the client knows about the session.
struct Client {
    random: Random,
    board: Option<Board>,
    chess960: bool,
}

impl Client {
    fn command(&mut self, script: &mut Script) -> String {
        match self.random.below(100) {
            0..25 => self.go(script),
            25..40 => self.position(),
            40..55 => "stop\n".to_owned(),
            55..62 => "ponderhit\n".to_owned(),
            62..70 => {
                script.syncs += 1;
                "isready\n".to_owned()
            }
            70..80 => self.option(),
            80..84 => "ucinewgame\n".to_owned(),
            84..87 => {
                self.board = self.board.map(|board| board.flipped());
                "flip\n".to_owned()
            }
            87..90 => self.random.pick(&["bench 1\n", "perft 3\n", "go perft 2\n", "genfens 1 seed 1\n"]).to_owned(),
            _ => self.random.pick(&["uci\n", "d\n", "eval\n", "debug on\n", "debug off\n", "\n", "spsa\n"]).to_owned(),
        }
    }

    fn style(&self, board: &Board) -> CastlingStyle {
        if self.chess960 || board.is_chess960() { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }

    fn go(&mut self, script: &mut Script) -> String {
        let limits = [
            "infinite",
            "infinite",
            "ponder wtime 500 btime 500",
            "ponder",
            "depth 1",
            "depth 7",
            "nodes 1",
            "nodes 3000",
            "movetime 1",
            "movetime 20",
            "wtime 300 btime 300",
            "wtime 1 btime 1",
            "mate 2",
            "",
            "depth 0",
            "nodes x 5",
        ];
        let mut line = format!("go {}", self.random.pick(&limits));
        let style = self.board.map_or(CastlingStyle::Standard, |board| self.style(&board));
        let mut allowed = self.board.map(|board| board.legal_moves().to_vec()).unwrap_or_default();
        // Without a limit a search goes on, as with `infinite`.
        if self.random.below(6) == 0 && !allowed.is_empty() {
            let first = self.random.below(allowed.len());
            allowed = allowed.split_off(first);
            allowed.truncate(1 + self.random.below(3));
            line.push_str(" searchmoves");
            allowed.iter().for_each(|mv| line.push_str(&format!(" {}", mv.uci(style))));
        }
        let number = script.asked.len();
        script.asked.push(Asked { board: self.board, allowed, style });
        format!("{line}\n{MARK}{number}\n")
    }

    fn position(&mut self) -> String {
        let fen = match self.random.below(5) {
            0 => scatter(&mut self.random),
            1 => self
                .random
                .pick(&[
                    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/RKRNBBQN w CAge - 0 1",
                    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
                    "8/8/8/8/8/8/8/8 w - - 0 1",
                ])
                .to_owned(),
            _ => {
                self.board = Some(Board::start());
                return format!("position startpos{}\n", self.moves());
            }
        };
        self.board = Board::from_fen(&fen).ok();
        format!("position fen {fen}{}\n", self.moves())
    }

    /// Moves from the client's position on, which they lead to.
    fn moves(&mut self) -> String {
        let (Some(mut board), true) = (self.board, self.random.below(2) == 0) else { return String::new() };
        let style = self.style(&board);
        let mut text = " moves".to_owned();
        for _ in 0..1 + self.random.below(30) {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = self.random.pick(&legal);
            text.push_str(&format!(" {}", mv.uci(style)));
            board.play(mv, &mut ());
        }
        self.board = Some(board);
        text
    }

    fn option(&mut self) -> String {
        let options = [
            "Hash value 1",
            "Hash value 3",
            "Threads value 1",
            "Threads value 2",
            "Threads value 5",
            "Clear Hash",
            "MultiPV value 1",
            "MultiPV value 4",
            "Skill Level value 2",
            "Skill Level value 20",
            "Ponder value true",
            "UCI_ShowWDL value true",
            "UCI_LimitStrength value true",
            "UCI_LimitStrength value false",
            "Move Overhead value 0",
            "SyzygyPath value no/such/folder",
            "AnalysisStore value analysis.store",
            "AnalysisStore value analysis.store",
            "AnalysisStore value no/such/folder/analysis.store",
            "AnalysisStore value",
        ];
        if self.random.below(6) == 0 {
            self.chess960 = self.random.below(2) == 0;
            return format!("setoption name UCI_Chess960 value {}\n", self.chess960);
        }
        format!("setoption name {}\n", self.random.pick(&options))
    }
}
