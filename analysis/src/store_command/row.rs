//! A result of a store as a line of JSON.
//!
//! Names are those of the rows of positions where they mean the same: the fields of a line of play are of the best line, and
//! `more` has the others. What `cp` and `mate` say for people stands in `score` as the engine knows it, so that a result that
//! is read again is the same one.

use movegen::{Board, CastlingStyle, FenStyle, Move};
use pgn::EngineScore;
use search::{Bound, FoundLine, Score};
use serde::{Deserialize, Serialize};
use store::{Context, Identity, Key, Record};

use crate::judge::worth::Worth;

/// The most letters of the name of an engine or a network.
const MAX_NAME: usize = 200;
/// No position has more legal moves.
const MAX_LINES: usize = 256;

/// A result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct ResultRow {
    /// The position as FEN, in Chess960 as X-FEN, with counters as at the start of a game.
    fen: String,
    #[serde(flatten)]
    best: LineRow,
    /// The last full iteration, in plies.
    depth: u32,
    /// The deepest ply reached.
    seldepth: u32,
    /// Thousands of positions visited, rounded down.
    #[serde(default)]
    knodes: u64,
    /// Positions visited.
    nodes: u64,
    /// The other lines, in their order.
    #[serde(default)]
    more: Vec<LineRow>,
    /// Whether it holds in other games, whatever came before the position.
    general: bool,
    /// The program and the version of its search.
    engine: String,
    /// The network.
    network: String,
    /// What else it depends on (settings, history), as 32 hexadecimal digits.
    context: String,
    /// The limits of the search as a number, in 16 hexadecimal digits.
    limits: String,
    /// The endgame tables as a number, in 16 hexadecimal digits; 0 for none.
    tables: String,
}

#[cfg(feature = "parquet")]
crate::rows::row! {
    /// A line of play of a result, in a table: a result has as many rows as lines, the best first. The columns are the fields of
    /// a [`ResultRow`].
    LineOfResult in "results" {
        /// The position.
        fen: String,
        /// Which of the lines.
        multipv: u32,
        /// The score, or
        cp: Option<i32>,
        /// the moves to mate.
        mate: Option<i32>,
        /// The moves.
        line: String,
        /// For the side to move.
        score: i32,
        /// Whether it is exact.
        bound: &'static str,
        /// The last full iteration.
        depth: u32,
        /// The deepest ply.
        seldepth: u32,
        /// Thousands of positions visited.
        knodes: u64,
        /// Positions visited.
        nodes: u64,
        /// Whether it holds in other games.
        general: bool,
        /// The program.
        engine: String,
        /// The network.
        network: String,
        /// What else it depends on.
        context: String,
        /// The limits.
        limits: String,
        /// The endgame tables.
        tables: String,
    }
}

/// A line of play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct LineRow {
    /// Which of the lines, from 1.
    #[serde(default)]
    multipv: u32,
    /// Hundredths of a pawn for White; there is this or `mate`, and never both.
    #[serde(default)]
    cp: Option<i32>,
    /// Mate in this many moves; negative if White is mated.
    #[serde(default)]
    mate: Option<i32>,
    /// Moves in UCI's notation, with blanks between them; in Chess960 the king takes his rook to castle.
    line: String,
    /// For the side to move, in the engine's own units.
    score: i32,
    /// Whether the score is exact, or the true one is this or more (`lower`), or this or less (`upper`).
    bound: BoundName,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BoundName {
    Exact,
    Lower,
    Upper,
}

#[cfg(feature = "parquet")]
impl BoundName {
    const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}

impl From<Bound> for BoundName {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Exact => Self::Exact,
            Bound::Lower => Self::Lower,
            Bound::Upper => Self::Upper,
        }
    }
}

impl From<BoundName> for Bound {
    fn from(bound: BoundName) -> Self {
        match bound {
            BoundName::Exact => Self::Exact,
            BoundName::Lower => Self::Lower,
            BoundName::Upper => Self::Upper,
        }
    }
}

impl ResultRow {
    /// The row of a result; `None` if the file was tampered with, so that its position or its moves are none.
    pub fn of(identity: &Identity, key: &Key, record: &Record) -> Option<Self> {
        let board = key.board()?;
        let lines = record.lines.iter().enumerate().map(|(index, line)| LineRow::of(&board, index, line));
        let mut lines = lines.collect::<Option<Vec<_>>>()?.into_iter();
        Some(Self {
            fen: board.fen(FenStyle::Standard),
            best: lines.next()?,
            depth: record.depth,
            seldepth: record.seldepth,
            knodes: record.nodes / 1000,
            nodes: record.nodes,
            more: lines.collect(),
            general: record.is_general,
            engine: identity.engine.clone(),
            network: identity.network.clone(),
            context: key.context().iter().map(|byte| format!("{byte:02x}")).collect(),
            limits: format!("{:016x}", record.limits),
            tables: format!("{:016x}", record.tables),
        })
    }

    /// The rows of its lines.
    #[cfg(feature = "parquet")]
    pub fn lines(&self) -> impl Iterator<Item = LineOfResult> + '_ {
        std::iter::once(&self.best).chain(&self.more).map(|line| LineOfResult {
            fen: self.fen.clone(),
            multipv: line.multipv,
            cp: line.cp,
            mate: line.mate,
            line: line.line.clone(),
            score: line.score,
            bound: line.bound.name(),
            depth: self.depth,
            seldepth: self.seldepth,
            knodes: self.knodes,
            nodes: self.nodes,
            general: self.general,
            engine: self.engine.clone(),
            network: self.network.clone(),
            context: self.context.clone(),
            limits: self.limits.clone(),
            tables: self.tables.clone(),
        })
    }

    /// The result of a line of JSON.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it, in words.
    pub fn read(text: &str) -> Result<(Identity, Key, Record), String> {
        let row: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Self { fen, best, depth, seldepth, nodes, more, general, engine, network, context, limits, tables, .. } =
            row;
        let board = Board::from_fen(&fen).map_err(|error| format!("field \"fen\": {error}"))?;
        if more.len() >= MAX_LINES {
            return Err(format!("field \"more\": there are at most {MAX_LINES} lines"));
        }
        let lines = std::iter::once(&best).chain(&more).map(|line| line.read(&board)).collect::<Result<_, _>>()?;
        for (field, name) in [("engine", &engine), ("network", &network)] {
            if name.is_empty() || name.chars().count() > MAX_NAME || name.contains(char::is_control) {
                return Err(format!("field {field:?}: expected a name of at most {MAX_NAME} letters"));
            }
        }
        let number = |field: &str, text: &str| {
            let digits =
                Some(text).filter(|text| text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            number.ok_or_else(|| format!("field {field:?}: expected at most 16 hexadecimal digits"))
        };
        let context = read_context(&context).ok_or("field \"context\": expected 32 hexadecimal digits")?;
        let (limits, tables) = (number("limits", &limits)?, number("tables", &tables)?);
        let record = Record { depth, seldepth, nodes, limits, tables, is_general: general, lines };
        Ok((Identity { engine, network }, Key::new(&board, context), record))
    }
}

impl LineRow {
    fn of(board: &Board, index: usize, line: &FoundLine) -> Option<Self> {
        let style = if board.is_chess960() { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let mut words: Vec<String> = Vec::with_capacity(line.moves.len());
        let mut at = *board;
        for &mv in &line.moves {
            if !at.is_legal(mv) {
                return None;
            }
            words.push(mv.uci(style).to_string());
            at.play(mv, &mut ());
        }
        let (cp, mate) = match Worth::of(line.score, board).score {
            EngineScore::Centipawns(value) => (Some(value), None),
            EngineScore::Mate(moves) => (None, Some(moves)),
        };
        Some(Self {
            multipv: u32::try_from(index + 1).unwrap_or(u32::MAX),
            cp,
            mate,
            line: words.join(" "),
            score: line.score.0,
            bound: line.bound.into(),
        })
    }

    fn read(&self, board: &Board) -> Result<FoundLine, String> {
        let mut at = *board;
        let mut moves: Vec<Move> = Vec::new();
        for word in self.line.split_ascii_whitespace() {
            let mv = at.parse_uci(word).map_err(|error| format!("field \"line\": {error}"))?;
            moves.push(mv);
            at.play(mv, &mut ());
        }
        if moves.is_empty() {
            return Err("field \"line\": expected a move".to_owned());
        }
        if self.score.unsigned_abs() >= Score::INFINITE.0.unsigned_abs() {
            return Err(format!("field \"score\": {} is none", self.score));
        }
        Ok(FoundLine { score: Score(self.score), bound: self.bound.into(), moves })
    }
}

fn read_context(text: &str) -> Option<Context> {
    if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut context = Context::default();
    for (index, byte) in context.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(fen: &str, score: i32) -> (Identity, Key, Record) {
        let board = Board::from_fen(fen).unwrap();
        let line = |mv: Move| {
            let after = board.after(mv);
            let moves = [mv].into_iter().chain(after.legal_moves().into_iter().take(1)).collect();
            FoundLine { score: Score(score), bound: Bound::Exact, moves }
        };
        let lines = board.legal_moves().into_iter().map(line).collect();
        let record =
            Record { depth: 7, seldepth: 11, nodes: u64::MAX, limits: u64::MAX, tables: 9, is_general: false, lines };
        let identity = Identity { engine: "Vancura with search 1".to_owned(), network: "00ff".to_owned() };
        (identity, Key::new(&board, [0xAB; 16]), record)
    }

    #[test]
    fn a_row_is_read_as_it_was_written() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            "4k3/P7/8/8/2pP4/8/8/4K3 b - d3 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1RR1K1R1 w GBgb - 0 1",
        ] {
            for score in [0, -123, 31_990, -31_600, 32_000] {
                let (identity, key, record) = result(fen, score);
                let row = ResultRow::of(&identity, &key, &record).unwrap();
                let text = serde_json::to_string(&row).unwrap();
                assert_eq!(ResultRow::read(&text), Ok((identity, key, record)), "{text}");
                assert!(row.best.cp.is_some() != row.best.mate.is_some(), "{text}");
            }
        }
        let (identity, key, record) = result("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 50);
        let text = serde_json::to_string(&ResultRow::of(&identity, &key, &record).unwrap()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(value["cp"].as_i64().unwrap() < 0, "for White: {text}");
        assert_eq!((&value["multipv"], &value["more"][0]["multipv"]), (&1.into(), &2.into()));
    }

    #[test]
    fn what_is_no_result_is_named() {
        let (identity, key, record) = result("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 50);
        let text = serde_json::to_string(&ResultRow::of(&identity, &key, &record).unwrap()).unwrap();
        for (old, new, fault) in [
            ("4k3/8", "8/8", "field \"fen\": "),
            ("\"line\":\"e", "\"line\":\"h", "field \"line\": "),
            ("\"score\":50", "\"score\":40000", "field \"score\": 40000"),
            ("\"score\":50", "\"score\":\"x\"", "invalid type"),
            ("\"bound\":\"exact\"", "\"bound\":\"near\"", "unknown variant `near`"),
            ("\"engine\":\"Vancura with search 1\"", "\"engine\":\"\"", "field \"engine\": "),
            ("\"network\":\"00ff\"", "\"network\":\"\\u001b\"", "field \"network\": "),
            ("abab", "+bab", "field \"context\": "),
            ("abab", "é", "field \"context\": "),
            ("\"tables\":\"0", "\"tables\":\"+", "field \"tables\": "),
            ("\"limits\":\"", "\"limits\":\"1", "field \"limits\": "),
            ("\"depth\":7", "\"dephts\":7", "missing field `depth`"),
            ("{\"fen\"", "[\"fen\"", ""),
        ] {
            let bad = text.replacen(old, new, 1);
            assert_ne!(bad, text);
            let error = ResultRow::read(&bad).unwrap_err();
            assert!(error.contains(fault), "{bad}: {error}");
        }
        for cut in 0..text.len() {
            assert!(ResultRow::read(&text[..cut]).is_err(), "{cut}");
        }
        let illegal = Record {
            lines: vec![FoundLine { moves: vec![Move::from_bits(7).unwrap()], ..record.lines[0].clone() }],
            ..record
        };
        assert_eq!(ResultRow::of(&identity, &key, &illegal), None);
    }
}
