//! What endgame tables say of a position and its moves, if the command line names any.

use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;

use movegen::{Board, CastlingStyle, FenError, Position};
use search::{NoTableAnswer, TableAnswer, Tablebase};
use serde::Serialize;

/// The tables of the program, which are opened when somebody first asks.
pub(super) struct Tables {
    folders: Option<OsString>,
    opened: OnceLock<Tablebase>,
}

/// What they say.
#[derive(PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Told {
    Answer {
        /// For the side to move: `win`, `cursed win` (the fifty-move rule spoils it), `draw`, `blessed loss` (the rule saves
        /// it) or `loss`.
        result: String,
        /// Half-moves to the next capture, pawn's move or mate if both sides play for it, negative in a loss; it may be 1 too
        /// small. `None` without tables of distances.
        dtz: Option<i32>,
        /// All legal moves, the best first.
        moves: Vec<MoveRow>,
    },
    /// Why they say nothing.
    Nothing(Nothing),
}

/// A move by the tables.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub(super) struct MoveRow {
    uci: String,
    san: String,
    /// For the side that makes it.
    result: String,
    /// Half-moves, this one included.
    dtz: Option<i32>,
}

/// Why tables say nothing of a position.
#[derive(PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "nothing", rename_all = "lowercase")]
pub(super) enum Nothing {
    /// There are no tables: no folder was named, or there are none in it.
    None { is_named: bool },
    /// The game is over.
    Over,
    /// They are for fewer pieces.
    Pieces { largest: usize },
    /// A side may still castle.
    Castling,
    /// One is missing or damaged.
    Missing { table: String },
}

impl Tables {
    /// The tables in these folders, as the command line names them.
    pub fn new(folders: Option<&OsStr>) -> Self {
        let folders = folders.filter(|folders| !folders.is_empty()).map(OsStr::to_owned);
        Self { folders, opened: OnceLock::new() }
    }

    /// What they say of a position.
    pub fn look_up(&self, fen: &str) -> Result<Told, FenError> {
        let board = Board::from_fen(fen)?;
        let Some(folders) = &self.folders else { return Ok(Told::Nothing(Nothing::None { is_named: false })) };
        let tables = self.opened.get_or_init(|| {
            let tables = Tablebase::open(&cli::folders(folders));
            tell_faults(&tables);
            tables
        });
        if tables.files().0 == 0 {
            return Ok(Told::Nothing(Nothing::None { is_named: true }));
        }
        let answer = tables.consult(&Position::from(board));
        tell_faults(tables);
        Ok(match answer {
            Ok(answer) => Told::of(&board, &answer),
            Err(NoTableAnswer::Over { .. }) => Told::Nothing(Nothing::Over),
            Err(NoTableAnswer::TooManyPieces { largest, .. }) => Told::Nothing(Nothing::Pieces { largest }),
            Err(NoTableAnswer::Castling) => Told::Nothing(Nothing::Castling),
            Err(NoTableAnswer::NoTable(table)) => Told::Nothing(Nothing::Missing { table }),
        })
    }
}

impl Told {
    fn of(board: &Board, answer: &TableAnswer) -> Self {
        let moves = answer.moves.iter().map(|ranked| MoveRow {
            // Where tables have an answer, nobody castles.
            uci: ranked.mv.uci(CastlingStyle::Standard).to_string(),
            san: board.san(ranked.mv),
            result: ranked.wdl.to_string(),
            dtz: ranked.dtz,
        });
        Self::Answer { result: answer.wdl.to_string(), dtz: answer.dtz, moves: moves.collect() }
    }
}

/// Files that are damaged are told of once, and the others are used.
fn tell_faults(tables: &Tablebase) {
    tables.take_faults().iter().for_each(|fault| cli::tell(format_args!("warning: {fault}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/3k4/8/4Q3/K7 w - - 0 1";

    #[test]
    fn without_tables_it_says_why() {
        let none = |is_named| Told::Nothing(Nothing::None { is_named });
        assert_eq!(Tables::new(None).look_up(FEN).unwrap(), none(false));
        assert_eq!(Tables::new(Some("".as_ref())).look_up(FEN).unwrap(), none(false));
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(Tables::new(Some(empty.path().as_os_str())).look_up(FEN).unwrap(), none(true));
        assert!(Tables::new(None).look_up("nonsense").is_err());
        let text = serde_json::to_string(&none(true)).unwrap();
        assert_eq!(text, r#"{"nothing":"none","is_named":true}"#);
    }

    #[test]
    fn tables_tell_result_and_distance_of_each_move() {
        let Some(data) = std::env::var_os("VANCURA_TEST_DATA") else {
            eprintln!("skipped: VANCURA_TEST_DATA is not set");
            return;
        };
        let tables = Tables::new(Some(std::path::Path::new(&data).join("syzygy").as_os_str()));
        let Told::Answer { result, dtz, moves } = tables.look_up(FEN).unwrap() else { panic!("there is a table") };
        assert_eq!(&result[..], "win");
        assert!(dtz.is_some_and(|dtz| dtz > 0) && moves.len() > 20);
        assert_eq!((&moves[0].result[..], moves[0].dtz), ("win", dtz));
        // The queen is given away.
        let bad = moves.iter().find(|row| row.san == "Qe3+").unwrap();
        assert_eq!((&bad.result[..], bad.dtz), ("draw", Some(0)));
        let nothing = |fen| match tables.look_up(fen).unwrap() {
            Told::Nothing(nothing) => nothing,
            answer @ Told::Answer { .. } => panic!("{answer:?}"),
        };
        assert_eq!(nothing("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Nothing::Over);
        assert!(matches!(nothing("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), Nothing::Pieces { .. }));
        assert_eq!(nothing("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), Nothing::Castling);
    }
}
