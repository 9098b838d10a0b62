//! An analysed game as plain data: what the annotated PGN and the report are made from, and what `--json` writes.
//!
//! `--json` writes one [`Document`]: an object in which each field below stands under its name, always; what is not
//! known is `null`. Its games stand one on a line. [`SCHEMA`] changes with the meaning or the name of any field, not
//! when one is added.
//!
//! Scores are `{"cp": 31}` in hundredths of a pawn, normalised so that at 100 the side wins half of its games, or
//! `{"mate": -3}`. Scores and chances are White's throughout; losses are the mover's. Chances are points to be expected
//! from the game, 0 to 1, in steps of 0.0001, by the model of [`eval::wdl`]. Nothing here depends on the machine, the
//! time of day or the number of threads that shared the work, unless the limit is a time.

mod label;
mod review;

use pgn::EngineScore;
use serde::{Deserialize, Serialize};

pub use self::label::{Label, LabelCounts};
pub use self::review::{About, Alternative, Practice, Reason, ReasonKind};

/// The version of this schema.
pub const SCHEMA: u32 = 2;

/// The whole of a `--json` file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Document {
    /// The version of the schema, [`SCHEMA`].
    pub schema: u32,
    /// What did the analysis, and how.
    pub run: Run,
    /// The games, in the order of the file.
    pub games: Vec<Game>,
    /// The games that could not be read, or not in full, and why.
    pub broken: Vec<BrokenGame>,
}

/// What did the analysis, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The program and its version.
    pub engine: String,
    /// The network that evaluated: its hash, 16 hexadecimal digits.
    pub network: String,
    /// What was analysed: the name of a file without its folder, `-` for the standard input, or `FEN`.
    pub source: String,
    /// When a search ended: at the first of these.
    pub limits: RunLimits,
    /// How many best lines were looked for in each position.
    pub multipv: u32,
    /// The size of a search's transposition table, in MiB.
    pub hash_mib: u32,
    /// How many threads searched a position together; with more than 1, or a limit of time, no run is like another.
    pub threads_per_position: u32,
    /// The endgame tables, if there were any.
    pub tablebase: Option<RunTablebase>,
}

/// The limits of each search; at least one is given. With no nodes at all nothing was searched, and the scores are those of
/// the network alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunLimits {
    /// Milliseconds.
    pub time_ms: Option<u64>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Plies of the last iteration.
    pub depth: Option<u32>,
}

/// The endgame tables a run could ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunTablebase {
    /// How many files tell who wins.
    pub wdl_files: u32,
    /// How many files tell how far away that is.
    pub dtz_files: u32,
    /// The most pieces on the board, kings included.
    pub pieces: u32,
}

/// A game that could not be read, or a line of one that could not be read to its end. The others are not concerned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BrokenGame {
    /// Its place in the file, from 1; broken games count.
    pub number: u32,
    /// The line it begins in, from 1.
    pub line: u64,
    /// What is wrong, with the line of the fault.
    pub fault: String,
    /// Whether the game is among the others, without what is told here. There may be several of one game.
    #[serde(default)]
    pub in_part: bool,
}

/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The side that moves first.
    White,
    /// The other.
    Black,
}

/// A game and what was found in it. A position without a game is a game without moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Game {
    /// Its place in the file, from 1; broken games count. Of several files all games are counted together.
    pub number: u32,
    /// The file it is from, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line it begins in, from 1; 0 if there is no file.
    pub line: u64,
    /// The tags in the order of the file, each name once.
    pub tags: Vec<Tag>,
    /// What its opening is called; `None` if it has no name or the game does not start from the standard position.
    #[serde(default)]
    pub opening: Option<Opening>,
    /// Whether king or rooks castle from where normal chess does not have them, or a tag says that it is Chess960:
    /// then castling in UCI is the king taking his rook.
    pub chess960: bool,
    /// `1-0`, `0-1`, `1/2-1/2`, `0-0` if both lost, or `*`; the tag `Result` has it as the file does.
    pub result: String,
    /// Whether the result was given without play, as `+:-` says; where both lost so, the result is `0-0`.
    #[serde(default)]
    pub forfeit: bool,
    /// Whether every position has been analysed as far as the limits allow; else the run was interrupted.
    pub complete: bool,
    /// A comment before the first move.
    pub comment: String,
    /// The positions, one more than there are moves.
    pub positions: Vec<Position>,
    /// The moves of the main line; number `i`, from 0, leads from position `i` to position `i + 1`.
    pub moves: Vec<Move>,
    /// The variations of the file, those within others after them.
    pub variations: Vec<Variation>,
    /// What the laws of chess have to say, in order of the positions.
    pub findings: Vec<Finding>,
    /// How White played.
    pub white: PlayerSummary,
    /// How Black played.
    pub black: PlayerSummary,
}

impl Game {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| &tag.value[..])
    }
}

/// A tag of the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// An opening by code and name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, a letter from A to E and two digits.
    pub eco: String,
    /// The name in English.
    pub name: String,
}

/// A position of the main line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// As FEN, in Chess960 as X-FEN.
    pub fen: String,
    /// The side to move.
    pub turn: Side,
    /// Whether that side is in check.
    pub check: bool,
    /// The part of the game it belongs to.
    pub phase: Phase,
    /// What it is worth; `None` if the run was interrupted before.
    pub analysis: Option<Analysis>,
    /// The draws that the side to move may claim.
    pub claims: Vec<Claim>,
    /// How the game ends here without anybody's doing, by the laws: what may come after it does not count.
    pub end: Option<End>,
}

/// The part of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Until the pieces have left their first ranks or are exchanged.
    Opening,
    /// What comes between.
    Middlegame,
    /// With no more than six queens, rooks, bishops and knights.
    Endgame,
}

/// What a position is worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Analysis {
    /// Who found it.
    pub by: Source,
    /// For White; a win found in endgame tables is 20000 less the plies to it, mate on the board is mate in 0.
    pub score: EngineScore,
    /// The points White may expect, 0 to 1.
    pub white: f64,
    /// Of a thousand games from here.
    pub wdl: Wdl,
    /// The last full iteration, in plies; 0 by the rules.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The best lines, as many as were asked for and there are legal moves, the best first; none at the end of a game.
    pub lines: Vec<Line>,
}

/// Who says what a position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A search.
    Search,
    /// The rules: mate, stalemate or a dead position.
    Rules,
}

/// Of a thousand games, how many White wins, draws and loses; they sum to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Wdl {
    /// White wins.
    pub win: u16,
    /// Neither side wins.
    pub draw: u16,
    /// Black wins.
    pub loss: u16,
}

/// A line of best play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// For White; a win found in endgame tables is 20000 less the plies to it, mate on the board is mate in 0.
    pub score: EngineScore,
    /// The points White may expect, 0 to 1.
    pub white: f64,
    /// The moves in Standard Algebraic Notation, at least one.
    pub san: Vec<String>,
    /// The same moves in UCI's.
    pub uci: Vec<String>,
}

/// A draw that the side to move may claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// By which rule.
    pub rule: ClaimRule,
    /// The moves with which the claim is right, in Standard Algebraic Notation; none if it is right as the board stands.
    pub with: Vec<String>,
}

/// A rule by which a draw may be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimRule {
    /// The position is there for the third time at least.
    Threefold,
    /// Fifty moves a side without a capture or a pawn's move.
    FiftyMoves,
}

/// How the laws end a game without anybody's doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has the pieces to mate.
    InsufficientMaterial,
    /// Neither side can mate by any series of legal moves, though the pieces would suffice.
    DeadPosition,
    /// The position is there for the fifth time.
    Fivefold,
    /// Seventy-five moves a side without a capture or a pawn's move.
    SeventyFiveMoves,
}

/// A move of the main line, and how good it was. What is said of its worth is `None` where the position before or
/// after has not been analysed, and for a turn that is passed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The number of the move as people count.
    pub number: u32,
    /// Who made it.
    pub side: Side,
    /// In Standard Algebraic Notation; `--` for a turn that is passed.
    pub san: String,
    /// In UCI's; `0000` for a turn that is passed.
    pub uci: String,
    /// What the mover's clock showed after it, in milliseconds.
    pub clock_ms: Option<u64>,
    /// How long it took, in milliseconds, if the file says so.
    pub elapsed_ms: Option<u64>,
    /// The same, or else what the clocks and the increment tell.
    #[serde(default)]
    pub spent_ms: Option<u64>,
    /// Whether there was no other legal move.
    pub forced: bool,
    /// Whether it is the best move that was found.
    pub best: bool,
    /// The points thrown away, 0 to 1: those to be expected before less those after; 0 for the best move.
    pub loss: Option<f64>,
    /// The same in centipawns, each score held within 1000.
    pub centipawn_loss: Option<u32>,
    /// How good it was, 0 to 100, by [`accuracy`](crate::judge::accuracy).
    pub accuracy: Option<f64>,
    /// How good it was, 0 to 100, as Lichess counts it from centipawns: by
    /// [`lichess::move_accuracy`](crate::judge::lichess::move_accuracy).
    #[serde(default)]
    pub lichess_accuracy: Option<f64>,
    /// What it deserves, by the points it threw away.
    pub judgement: Option<Judgement>,
    /// What kind of move it was; each move has one.
    #[serde(default)]
    pub label: Option<Label>,
    /// Whether it was the only one that did not throw points away: known only with two lines or more.
    pub only_move: bool,
    /// Whether it was the best, and the second line an inaccuracy beside it: known only with two lines or more. An only move is
    /// none of these.
    #[serde(default)]
    pub good_move: bool,
    /// The mover could mate in this many moves, and with this one no longer can.
    pub missed_mate: Option<u32>,
    /// Why a bad move is bad, as far as it is proved; the weightiest first, three at most.
    #[serde(default)]
    pub reasons: Vec<Reason>,
    /// What else could have been played, of a mistake or a blunder for which that was searched.
    #[serde(default)]
    pub practice: Option<Practice>,
    /// NAGs of the file: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub nags: Vec<u8>,
    /// The comment of the file after the move, without clocks and evaluations.
    pub comment: String,
    /// The evaluation of the file after the move, as `[%eval]` has it: `0.31`, `#-3`.
    pub file_evaluation: Option<String>,
}

/// What a bad move deserves, by the points it loses alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// `?!`: more than 0.05 points.
    Inaccuracy,
    /// `?`: more than 0.10 points.
    Mistake,
    /// `??`: more than 0.20 points.
    Blunder,
}

/// A variation of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Variation {
    /// The variation it departs from, by its place in the list; `None` for the main line.
    pub parent: Option<u32>,
    /// The move of the parent that it replaces, from 0.
    pub at: u32,
    /// Its moves, at least one.
    pub moves: Vec<VariationMove>,
}

/// A move of a variation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VariationMove {
    /// In Standard Algebraic Notation; `--` for a turn that is passed.
    pub san: String,
    /// In UCI's; `0000` for a turn that is passed.
    pub uci: String,
    /// NAGs.
    pub nags: Vec<u8>,
    /// A comment before it; only the first move has one.
    pub prelude: String,
    /// The comment after it, without clocks and evaluations.
    pub comment: String,
}

/// Something the laws of chess have to say of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The position it is about, by its place in [`Game::positions`].
    pub position: u32,
    /// What it is.
    pub kind: FindingKind,
    /// The same in words, a sentence of English.
    pub text: String,
}

/// What the laws may have to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A draw could be claimed from here on.
    Claim,
    /// The game was over here, but moves follow.
    Overrun,
    /// The position is dead: a draw at once.
    DeadPosition,
    /// The result is not the one on the board: a mate that did not win, say.
    WrongResult,
    /// The flag fell, but the winner cannot mate by any series of legal moves; or it was called a draw, but he can.
    WrongFlagFall,
    /// A player gave up, but the opponent cannot mate by any series of legal moves.
    NeedlessLoss,
    /// The tag Termination names an end that is not on the board.
    WrongTermination,
    /// A move has the sign of a mate, but is none.
    NoMate,
}

/// How a side played, as a whole and by the parts of the game.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// The whole game.
    pub game: Tally,
    /// Its opening.
    pub opening: Tally,
    /// Its middlegame.
    pub middlegame: Tally,
    /// Its endgame.
    pub endgame: Tally,
    /// The accuracy of the whole game, 0 to 100, as Lichess counts it from centipawns: by
    /// [`lichess::game_accuracy`](crate::judge::lichess::game_accuracy). `None` where a position has no score.
    #[serde(default)]
    pub lichess_accuracy: Option<f64>,
}

/// What a number of a side's moves amount to. Averages are `None` without a move that had an alternative.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// The moves that were analysed and had an alternative.
    pub moves: u32,
    /// Their mean accuracy, 0 to 100.
    pub accuracy: Option<f64>,
    /// Their mean loss in centipawns.
    pub centipawn_loss: Option<f64>,
    /// Their mean loss of points, 0 to 1.
    pub loss: Option<f64>,
    /// How many were the best move found.
    pub best: u32,
    /// How many were inaccuracies.
    pub inaccuracies: u32,
    /// How many were mistakes.
    pub mistakes: u32,
    /// How many were blunders.
    pub blunders: u32,
    /// How many were the only good move.
    pub only_moves: u32,
    /// How many were good moves, without the only ones.
    #[serde(default)]
    pub good_moves: u32,
    /// How many missed a mate.
    pub missed_mates: u32,
    /// The labels of all moves that were analysed, those without an alternative too.
    #[serde(default)]
    pub labels: LabelCounts,
}
