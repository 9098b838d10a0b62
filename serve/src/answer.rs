//! What goes back to the client. All scores and chances are White's.

use formats::EngineScore;
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
    /// In UCI's notation; `None` without a legal move, or if nothing was searched.
    pub best: Option<String>,
    pub ponder: Option<String>,
    pub depth: i32,
    pub seldepth: i32,
    pub nodes: u64,
    pub time_ms: u64,
    pub tbhits: u64,
    /// Of a thousand games, by the best line.
    pub wdl_win: u16,
    pub wdl_draw: u16,
    pub wdl_loss: u16,
    /// Neither side can mate any more.
    pub dead: bool,
    /// The best first.
    pub lines: Vec<Line>,
}

/// A line of play.
#[derive(Clone, Serialize)]
pub(crate) struct Line {
    pub multipv: usize,
    /// There is this or `mate`.
    pub cp: Option<i32>,
    pub mate: Option<i32>,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// What White may expect, from 0 to 1.
    pub points: f64,
    pub moves: Vec<String>,
    pub san: Vec<String>,
}

impl Answer {
    /// Before anything is known.
    pub fn new(id: Value, turn: usize, board: &Board) -> Self {
        Self {
            id,
            turn,
            fen: board.fen(FenStyle::Standard),
            during: false,
            cancelled: false,
            best: None,
            ponder: None,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time_ms: 0,
            tbhits: 0,
            wdl_win: 0,
            wdl_draw: 0,
            wdl_loss: 0,
            dead: false,
            lines: Vec::new(),
        }
    }

    /// Takes over what a search says.
    pub fn hear(&mut self, report: &Report<'_>, board: &Board, style: CastlingStyle) {
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

    /// Says how the game has ended, if there is no legal move. False if there is one.
    pub fn end(&mut self, board: &Board) -> bool {
        if board.has_legal_move() {
            return false;
        }
        let is_mate = board.in_check();
        [self.wdl_win, self.wdl_draw, self.wdl_loss] = match (is_mate, board.turn()) {
            (false, _) => [0, 1000, 0],
            (true, Color::White) => [0, 0, 1000],
            (true, Color::Black) => [1000, 0, 0],
        };
        self.dead = !is_mate;
        let points = f64::from(self.wdl_win) / 1000.0 + f64::from(self.wdl_draw) / 2000.0;
        let (cp, mate) = if is_mate { (None, Some(0)) } else { (Some(0), None) };
        self.lines = vec![Line { multipv: 1, cp, mate, bound: "exact", points, moves: Vec::new(), san: Vec::new() }];
        true
    }
}

impl Line {
    fn of(report: &Report<'_>, board: &Board, style: CastlingStyle) -> Self {
        let (score, [win, draw, _]) = claim_for_white(report, board);
        let (cp, mate) = match score {
            EngineScore::Centipawns(value) => (Some(value), None),
            EngineScore::Mate(moves) => (None, Some(moves)),
        };
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
