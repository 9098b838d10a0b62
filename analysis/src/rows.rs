//! The rows of tables: what is known of an analysed game, and of each of its positions, with one name and one type each.
//!
//! All forms of tables are made from these. The columns of a game that [`GameRow`] names as PGN does are those of the games
//! that Lichess publishes as Parquet, with the same types; `fen`, `line`, `depth`, `knodes`, `cp` and `mate` are those of its
//! evaluations. What is not known is empty, or `null`. A column is added, never renamed.

mod value;

use pgn::number_moves;
use serde::Serialize;
use sha2::{Digest, Sha256};

pub use self::value::{Cell, Date, Kind, TimeOfDay, Value};
use crate::model::{Analysis, Game, Label, Line, Move};

/// The tags that tell a game from others. Who annotates a game does not change them.
const TAGS_OF_ID: [&str; 9] = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "UTCDate", "UTCTime"];

/// What stands for a value that nobody knows.
const UNKNOWN: [&str; 4] = ["", "?", "-", "????.??.??"];

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// What it is called.
    pub name: &'static str,
    /// What is in it.
    pub kind: Kind,
    /// Whether cells may be unknown.
    pub is_optional: bool,
}

impl Column {
    pub(crate) const fn of<T: Value>(name: &'static str) -> Self {
        Self { name, kind: T::KIND, is_optional: T::IS_OPTIONAL }
    }
}

/// A row of a table, whatever the table.
pub trait Row: Serialize {
    /// What the table is called.
    const TABLE: &'static str;
    /// Its columns, in their order.
    const COLUMNS: &'static [Column];

    /// What is in them.
    fn cells(&self) -> impl Iterator<Item = Cell<'_>>;
}

/// The name of a column: that of the field, or another where that is no name in Rust.
macro_rules! column_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}

/// Defines a row, so that each column is written once.
macro_rules! row {
    (
        $(#[$attribute:meta])*
        $row:ident in $table:literal {
            $($(#[doc = $doc:literal])* $field:ident $(as $name:literal)?: $value:ty,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize)]
        pub struct $row {
            $($(#[doc = $doc])* $(#[serde(rename = $name)])? pub $field: $value,)*
        }

        impl $crate::rows::Row for $row {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [$crate::rows::Column] =
                &[$($crate::rows::Column::of::<$value>($crate::rows::column_name!($field $($name)?))),*];

            fn cells(&self) -> impl Iterator<Item = $crate::rows::Cell<'_>> {
                [$($crate::rows::Value::cell(&self.$field)),*].into_iter()
            }
        }
    };
}

pub(crate) use column_name;
#[cfg(feature = "parquet")]
pub(crate) use row;

row! {
    /// A game.
    #[expect(non_snake_case, reason = "the names of PGN, which readers of tables know")]
    GameRow in "games" {
        /// What tells it from all others: see [`game_id`].
        game_id: String,
        /// What the file calls it, of a position without a game.
        id: Option<String>,
        /// Its place in the input, from 1.
        number: u32,
        /// The tag of this name, as all up to `BlackTitle`.
        Event: Option<String>,
        /// The tag.
        Site: Option<String>,
        /// The tag.
        White: Option<String>,
        /// The tag.
        Black: Option<String>,
        /// `1-0`, `0-1`, `1/2-1/2`, `0-0` if both lost, or `*`.
        Result: String,
        /// The tag.
        WhiteTitle: Option<String>,
        /// The tag.
        BlackTitle: Option<String>,
        /// The tag, if it is a number.
        WhiteElo: Option<i16>,
        /// The tag, if it is a number.
        BlackElo: Option<i16>,
        /// The tag, if it is a number.
        WhiteRatingDiff: Option<i16>,
        /// The tag, if it is a number.
        BlackRatingDiff: Option<i16>,
        /// The tag `UTCDate`, or else `Date`, as `2024-01-31`; only whole dates.
        UTCDate: Option<Date>,
        /// The tag `UTCTime`, as `23:59:59`.
        UTCTime: Option<TimeOfDay>,
        /// The tag `ECO`, or the code of the opening.
        ECO: Option<String>,
        /// The tag `Opening`, or the name of the opening.
        Opening: Option<String>,
        /// The tag.
        Termination: Option<String>,
        /// The tag.
        TimeControl: Option<String>,
        /// The moves of the main line in Standard Algebraic Notation with their numbers, and the result.
        movetext: String,
        /// How many moves there are in the main line, those of both sides counted.
        plies: u32,
        /// Whether every position has been analysed as far as the limits allow.
        complete: bool,
        /// How well White played, 0 to 100.
        white_accuracy: Option<f64>,
        /// How well Black played, 0 to 100.
        black_accuracy: Option<f64>,
        /// How well White played, 0 to 100, as Lichess counts it from centipawns.
        white_lichess_accuracy: Option<f64>,
        /// How well Black played, by the same.
        black_lichess_accuracy: Option<f64>,
    }
}

row! {
    /// A position of a game, with a line of play that was found in it and the move that was played. With several lines a
    /// position has as many rows, the best line first, told apart by `multipv`.
    PositionRow in "positions" {
        /// The game: see [`game_id`].
        game_id: String,
        /// What the file calls it, of a position without a game.
        id: Option<String>,
        /// How many moves were played before it, those of both sides counted.
        ply: u32,
        /// As FEN, in Chess960 as X-FEN.
        fen: String,
        /// The move that was played in UCI's notation; in Chess960 the king takes his rook to castle. `None` in the last position.
        mv as "move": Option<String>,
        /// The same in Standard Algebraic Notation.
        san: Option<String>,
        /// Which of the lines this is, from 1; the next columns up to `line` are of it.
        multipv: u32,
        /// Hundredths of a pawn for White; there is this or `mate`, and never both.
        cp: Option<i32>,
        /// Mate in this many moves; negative if White is mated, 0 if the side to move is.
        mate: Option<i32>,
        /// The points White may expect, 0 to 1.
        points: f64,
        /// Moves in UCI's notation, with blanks between them.
        line: Option<String>,
        /// Of a thousand games from here, how many White wins by the best line.
        wdl_win: u16,
        /// How many are drawn.
        wdl_draw: u16,
        /// How many Black wins.
        wdl_loss: u16,
        /// The last full iteration, in plies.
        depth: u32,
        /// Thousands of positions visited, rounded down.
        knodes: u64,
        /// Positions visited.
        nodes: u64,
        /// The points that the move threw away, 0 to 1.
        loss: Option<f64>,
        /// How good the move was, 0 to 100.
        accuracy: Option<f64>,
        /// What kind of move it was: a name of [`Label`].
        label: Option<&'static str>,
        /// What the mover's clock showed after the move, in milliseconds.
        clock_ms: Option<u64>,
        /// How long the move took, in milliseconds, if the file says so.
        elapsed_ms: Option<u64>,
        /// How good the move was, 0 to 100, as Lichess counts it from centipawns.
        lichess_accuracy: Option<f64>,
    }
}

/// What tells a game from all others, wherever it is read: 32 hexadecimal digits made of its roster of tags, its date and time,
/// its start and its moves. What is unknown counts as missing, and annotations do not count.
#[must_use]
pub fn game_id(game: &Game) -> String {
    let mut hash = Sha256::new();
    // No value has a zero in it that could be taken for an end.
    for name in TAGS_OF_ID {
        let value = if name == "Result" { Some(&game.result[..]) } else { known(game, name) };
        hash.update(value.unwrap_or_default());
        hash.update([0]);
    }
    hash.update(game.positions.first().map_or("", |position| &position.fen[..]));
    for mv in &game.moves {
        hash.update([0]);
        hash.update(&mv.uci);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl GameRow {
    /// The row of a game, or of a position that the file calls by this id.
    #[must_use]
    pub fn of(game: &Game, id: Option<&str>) -> Self {
        let text = |name: &str| known(game, name).map(str::to_owned);
        let number = |name: &str| known(game, name)?.trim().trim_start_matches('+').parse().ok();
        let opening = game.opening.as_ref();
        Self {
            game_id: game_id(game),
            id: id.map(str::to_owned),
            number: game.number,
            Event: text("Event"),
            Site: text("Site"),
            White: text("White"),
            Black: text("Black"),
            Result: game.result.clone(),
            WhiteTitle: text("WhiteTitle"),
            BlackTitle: text("BlackTitle"),
            WhiteElo: number("WhiteElo"),
            BlackElo: number("BlackElo"),
            WhiteRatingDiff: number("WhiteRatingDiff"),
            BlackRatingDiff: number("BlackRatingDiff"),
            UTCDate: known(game, "UTCDate").and_then(Date::parse).or_else(|| known(game, "Date").and_then(Date::parse)),
            UTCTime: known(game, "UTCTime").and_then(TimeOfDay::parse),
            ECO: text("ECO").or_else(|| Some(opening?.eco.clone())),
            Opening: text("Opening").or_else(|| Some(opening?.name.clone())),
            Termination: text("Termination"),
            TimeControl: text("TimeControl"),
            movetext: movetext(game),
            plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
            complete: game.complete,
            white_accuracy: game.white.game.accuracy,
            black_accuracy: game.black.game.accuracy,
            white_lichess_accuracy: game.white.lichess_accuracy,
            black_lichess_accuracy: game.black.lichess_accuracy,
        }
    }
}

impl PositionRow {
    /// The rows of the positions that have been analysed.
    pub fn of<'a>(game: &'a Game, id: Option<&'a str>) -> impl Iterator<Item = Self> + 'a {
        let game_id = game_id(game);
        game.positions.iter().enumerate().flat_map(move |(ply, position)| {
            let rows = position.analysis.iter().flat_map(move |analysis| {
                let lines = (0..analysis.lines.len().max(1)).map(move |index| (index, analysis.lines.get(index)));
                lines.map(move |(index, line)| (index, line, analysis))
            });
            let (game_id, mv) = (game_id.clone(), game.moves.get(ply));
            rows.map(move |(index, line, analysis)| {
                let place = [ply, index + 1].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
                Self::new(&game_id, id, place, &position.fen, mv, analysis, line)
            })
        })
    }

    fn new(
        game_id: &str,
        id: Option<&str>,
        [ply, multipv]: [u32; 2],
        fen: &str,
        mv: Option<&Move>,
        analysis: &Analysis,
        line: Option<&Line>,
    ) -> Self {
        let (score, points) = line.map_or((analysis.score, analysis.white), |line| (line.score, line.white));
        let (cp, mate) = score.cp_or_mate();
        Self {
            game_id: game_id.to_owned(),
            id: id.map(str::to_owned),
            ply,
            fen: fen.to_owned(),
            mv: mv.map(|mv| mv.uci.clone()),
            san: mv.map(|mv| mv.san.clone()),
            multipv,
            cp,
            mate,
            points,
            line: line.map(|line| line.uci.join(" ")),
            wdl_win: analysis.wdl.win,
            wdl_draw: analysis.wdl.draw,
            wdl_loss: analysis.wdl.loss,
            depth: analysis.depth,
            knodes: analysis.nodes / 1000,
            nodes: analysis.nodes,
            loss: mv.and_then(|mv| mv.loss),
            accuracy: mv.and_then(|mv| mv.accuracy),
            label: mv.and_then(|mv| mv.label).map(Label::name),
            clock_ms: mv.and_then(|mv| mv.clock_ms),
            elapsed_ms: mv.and_then(|mv| mv.elapsed_ms),
            lichess_accuracy: mv.and_then(|mv| mv.lichess_accuracy),
        }
    }
}

fn known<'a>(game: &'a Game, name: &str) -> Option<&'a str> {
    game.tag(name).map(str::trim).filter(|value| !UNKNOWN.contains(value))
}

fn movetext(game: &Game) -> String {
    let start = game.positions.first().and_then(|position| movegen::Board::from_fen(&position.fen).ok());
    let moves: Vec<_> = game.moves.iter().map(|mv| mv.san.clone()).collect();
    match start {
        Some(start) if !moves.is_empty() => format!("{} {}", number_moves(&start, &moves), game.result),
        _ => game.result.clone(),
    }
}

#[cfg(test)]
mod tests {
    use pgn::{PgnGame, PgnReader};
    use search::{Bound, Found, FoundLine, Score};
    use serde_json::Value;

    use super::*;
    use crate::judge::assemble::assemble;
    use crate::read::games::Reading;
    use crate::read::main_line::MainLine;

    fn assembled(text: &str, scores: &[i32]) -> Game {
        let game: PgnGame = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let main_line = MainLine::of(&game);
        let found: Vec<_> = (main_line.boards.iter().zip(scores))
            .map(|(board, &score)| {
                let line = |mv| FoundLine { score: Score(score), bound: Bound::Exact, moves: vec![mv] };
                let lines: Vec<_> = board.legal_moves().into_iter().take(2).map(line).collect();
                (!lines.is_empty()).then_some(Found { depth: 5, seldepth: 6, nodes: 1999, lines })
            })
            .collect();
        assemble(&Reading { number: 4, file: None, line: 1, game, main_line, label: None }, &found)
    }

    const GAME: &str = "[Event \"A\"]\n[White \"Anna\"]\n[WhiteElo \"2100\"]\n[BlackRatingDiff \"+6\"]\n[UTCDate \
                        \"2024.02.29\"]\n[UTCTime \"9:05:00\"]\n\n1. f3 {[%clk 0:01:00]} e5 2. g4 Qh4# 0-1";

    fn keys(row: &impl Serialize) -> Vec<String> {
        let text = serde_json::to_string(row).unwrap();
        let Value::Object(fields) = serde_json::from_str(&text).unwrap() else { panic!("no object") };
        let mut keys: Vec<_> = fields.keys().cloned().collect();
        keys.sort_by_key(|key| text.find(&format!("\"{key}\":")));
        keys
    }

    #[test]
    fn columns_are_those_of_the_rows() {
        let game = assembled(GAME, &[0; 5]);
        let names = |columns: &[Column]| columns.iter().map(|column| column.name.to_owned()).collect::<Vec<_>>();
        assert_eq!(keys(&GameRow::of(&game, None)), names(GameRow::COLUMNS));
        assert_eq!(keys(&PositionRow::of(&game, None).next().unwrap()), names(PositionRow::COLUMNS));
    }

    #[test]
    fn games_have_what_lichess_publishes() {
        let row = GameRow::of(&assembled(GAME, &[0; 5]), None);
        assert_eq!((row.Event.as_deref(), row.Site, row.WhiteElo), (Some("A"), None, Some(2100)));
        assert_eq!((row.BlackRatingDiff, row.BlackElo, &row.Result[..]), (Some(6), None, "0-1"));
        assert_eq!(
            [row.UTCDate.map(|date| date.to_string()), row.UTCTime.map(|time| time.to_string())],
            ["2024-02-29", "09:05:00"].map(|text| Some(text.to_owned()))
        );
        assert_eq!((&row.movetext[..], row.plies), ("1. f3 e5 2. g4 Qh4# 0-1", 4));
    }

    #[test]
    fn positions_have_a_row_for_each_line() {
        let game = assembled(GAME, &[10, 20, 30, 40, 0]);
        let rows: Vec<_> = PositionRow::of(&game, Some("x")).collect();
        assert_eq!(
            rows.iter().map(|row| (row.ply, row.multipv)).collect::<Vec<_>>(),
            [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1),]
        );
        assert!(rows.iter().all(|row| row.cp.is_some() != row.mate.is_some()));
        assert!(rows[0].cp > Some(0) && rows[2].cp < Some(0), "for White");
        assert_eq!(
            (rows[0].mv.as_deref(), rows[0].san.as_deref(), rows[0].clock_ms),
            (Some("f2f3"), Some("f3"), Some(60_000))
        );
        assert_eq!((rows[0].knodes, rows[0].nodes, rows[0].depth), (1, 1999, 5));
        let last = rows.last().unwrap();
        assert_eq!((last.mate, last.mv.as_deref(), last.line.as_deref()), (Some(0), None, None));
        assert_eq!(rows[0].wdl_win + rows[0].wdl_draw + rows[0].wdl_loss, 1000);
    }

    #[test]
    fn ids_are_of_the_game_and_not_of_what_is_said_about_it() {
        let id = |text: &str| game_id(&assembled(text, &[0; 9]));
        assert_eq!(id(GAME).len(), 32);
        assert_eq!(
            id(GAME),
            id(&GAME.replace("[Event", "[Site \"?\"]\n[Annotator \"x\"]\n[Event").replace("2. g4", "$4 {x} 2. g4"))
        );
        for (from, to) in [("Anna", "Anne"), ("g4 Qh4#", "g4"), ("0-1", "1-0"), ("2024.02.29", "2024.02.28")] {
            assert_ne!(id(GAME), id(&GAME.replace(from, to)), "{to}");
        }
    }
}
