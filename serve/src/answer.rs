//! What goes back to the client. All scores and chances are White's.

use movegen::{Board, CastlingStyle, Color, FenStyle, Move};
use search::{Bound, Report};
use serde::Serialize;
use serde_json::Value;
use uci::claim_for_white;

/// What was found in a position, so far or in the end.
#[derive(Clone, Serialize)]
pub(crate) struct Answer {
    /// Of the query.
    pub id: Value,
    /// After how many moves.
    pub turn: usize,
    pub fen: String,
    /// Whether the search goes on.
    pub during: bool,
    /// Whether the search ended since the query was cancelled, perhaps before it began.
    pub cancelled: bool,
    #[serde(flatten)]
    pub analysis: Analysis,
}

/// What a search says of a position.
#[derive(Clone, Default, Serialize)]
pub struct Analysis {
    /// In UCI's notation; `None` without a legal move, or if nothing was searched.
    pub best: Option<String>,
    /// The expected answer.
    pub ponder: Option<String>,
    /// The last iteration, in plies.
    pub depth: i32,
    /// The deepest ply reached.
    pub seldepth: i32,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub time_ms: u64,
    /// Hits of endgame tables.
    pub tbhits: u64,
    /// Of a thousand games, how many White wins by the best line.
    pub wdl_win: u16,
    /// How many are drawn.
    pub wdl_draw: u16,
    /// How many Black wins.
    pub wdl_loss: u16,
    /// Neither side can mate any more.
    pub dead: bool,
    /// The best first.
    pub lines: Vec<Line>,
}

/// A line of play.
#[derive(Clone, Serialize)]
pub struct Line {
    /// Its rank, from 1.
    pub multipv: usize,
    /// Hundredths of a pawn; there is this or `mate`.
    pub cp: Option<i32>,
    /// In how many moves; negative if White is mated.
    pub mate: Option<i32>,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// What White may expect, from 0 to 1.
    pub points: f64,
    /// In UCI's notation.
    pub moves: Vec<String>,
    /// The same in Standard Algebraic Notation.
    pub san: Vec<String>,
}

impl Answer {
    /// Before anything is known.
    pub fn new(id: Value, turn: usize, board: &Board) -> Self {
        let fen = board.fen(FenStyle::Standard);
        Self { id, turn, fen, during: false, cancelled: false, analysis: Analysis::default() }
    }
}

impl Analysis {
    /// Takes over what a search says.
    pub(crate) fn hear(&mut self, report: &Report<'_>, board: &Board, style: CastlingStyle) {
        let line = Line::of(report, board, style);
        if report.multi_pv == 1 {
            (self.depth, self.seldepth, self.dead) = (report.depth, report.seldepth, report.is_dead);
            [self.wdl_win, self.wdl_draw, self.wdl_loss] = claim_for_white(report, board).1;
        }
        (self.nodes, self.tbhits) = (report.nodes, report.tablebase_hits);
        self.time_ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX);
        match self.lines.get_mut(report.multi_pv - 1) {
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
    }

    /// How the game has ended, if there is no legal move.
    pub(crate) fn of_end(board: &Board) -> Option<Self> {
        if board.has_legal_move() {
            return None;
        }
        let is_mate = board.in_check();
        let [wdl_win, wdl_draw, wdl_loss] = match (is_mate, board.turn()) {
            (false, _) => [0, 1000, 0],
            (true, Color::White) => [0, 0, 1000],
            (true, Color::Black) => [1000, 0, 0],
        };
        let points = f64::from(wdl_win) / 1000.0 + f64::from(wdl_draw) / 2000.0;
        let (cp, mate) = if is_mate { (None, Some(0)) } else { (Some(0), None) };
        let line = Line { multipv: 1, cp, mate, bound: "exact", points, moves: Vec::new(), san: Vec::new() };
        Some(Self { wdl_win, wdl_draw, wdl_loss, dead: !is_mate, lines: vec![line], ..Self::default() })
    }
}

impl Line {
    fn of(report: &Report<'_>, board: &Board, style: CastlingStyle) -> Self {
        let (score, [win, draw, _]) = claim_for_white(report, board);
        let (cp, mate) = score.cp_or_mate();
        let bound = match (report.bound, board.turn()) {
            (Bound::Exact, _) => "exact",
            (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "lower",
            (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "upper",
        };
        let mut board = *board;
        let write = |&mv: &Move| {
            let texts = (mv.uci(style).to_string(), board.san(mv));
            board.play(mv, &mut ());
            texts
        };
        let (moves, san) = report.pv.iter().map(write).unzip();
        let points = f64::from(win) / 1000.0 + f64::from(draw) / 2000.0;
        Self { multipv: report.multi_pv, cp, mate, bound, points, moves, san }
    }
}
