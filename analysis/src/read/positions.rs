//! Positions of files, each as a game without moves, or with those that led to it.
//!
//! What cannot be read is an error with its line, its id and the field at fault, and the next one is read.

use std::io::{self, BufRead, Read};

use movegen::{Board, FenStyle};
use pgn::{Epd, Operation, PgnGame, Tags, Tree};
use serde_json::{Map, Value};

use crate::read::format::Format;
use crate::read::table::{Header, Row, Rows};

/// The most bytes of a line.
const MOST: u64 = 1 << 20;
/// The most letters of an id.
const MOST_OF_ID: usize = 1 << 10;

/// What a file says of a position besides the position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Label {
    /// What it is called, as the file has it.
    pub id: Option<String>,
    /// What an EPD file says of it.
    pub operations: Vec<Operation>,
}

/// A position that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}{}: {}{fault}", named(self.id.as_deref()), of_field(self.field))]
pub(crate) struct PositionError {
    /// Its line, from 1.
    pub line: u64,
    /// What it is called.
    pub id: Option<String>,
    /// Where the fault is, if lines have fields.
    pub field: Option<&'static str>,
    /// What is wrong.
    pub fault: String,
}

fn named(id: Option<&str>) -> String {
    id.map_or_else(String::new, |id| format!(" (id {id:?})"))
}

fn of_field(field: Option<&str>) -> String {
    field.map_or_else(String::new, |field| format!("field {field:?}: "))
}

/// A position as a game, and what is said of it; with its line.
pub(crate) type FoundPosition = (u64, Result<(PgnGame, Label), PositionError>);

/// A game in which nothing but its last position is asked for. Its id is where readers look for what a game is called.
pub(crate) fn game_of(start: Board, id: Option<&str>) -> PgnGame {
    let mut tags = Tags::default();
    if let Some(id) = id {
        tags.set("Event", id);
    }
    tags.set("SetUp", "1");
    tags.set("FEN", start.fen(FenStyle::Standard));
    PgnGame { tags, ..PgnGame::new(Tree::new(start)) }
}

/// The positions of a text of one of the forms that hold positions.
///
/// # Errors
///
/// If a table has no header, or its beginning cannot be read.
pub(crate) fn positions(
    text: Box<dyn BufRead + Send>,
    format: Format,
) -> io::Result<Box<dyn Iterator<Item = FoundPosition> + Send>> {
    if format != Format::Csv {
        let parse = if format == Format::JsonLines { of_json } else { of_epd };
        return Ok(Box::new(Lines::new(text).filter_map(move |(number, line)| {
            let result = match line {
                Ok(line) => parse(&line)?,
                Err(fault) => Err(Fault { fault, ..Fault::default() }),
            };
            Some((number, result.map_err(|fault| fault.at(number))))
        })));
    }
    let Some((header, rows)) = Rows::new(text)? else {
        let text = "the first line of a table must name its columns, and one of them \"fen\"";
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    };
    Ok(Box::new(rows.map(move |row| of_row(header, row))))
}

/// A fault whose line is not said yet.
#[derive(Default)]
struct Fault {
    id: Option<String>,
    field: Option<&'static str>,
    fault: String,
}

impl Fault {
    fn of(id: Option<&str>, field: &'static str, fault: impl ToString) -> Self {
        Self { id: id.map(str::to_owned), field: Some(field), fault: fault.to_string() }
    }

    fn at(self, line: u64) -> PositionError {
        let Self { id, field, fault } = self;
        PositionError { line, id, field, fault }
    }
}

type Parsed = Result<(PgnGame, Label), Fault>;

/// A line of FEN or EPD; `None` if it says nothing.
fn of_epd(line: &str) -> Option<Parsed> {
    Some(match Epd::parse(line)? {
        Ok(epd) => {
            let id = epd.id().map(str::to_owned);
            let game = game_of(epd.board, id.as_deref());
            Ok((game, Label { id, operations: epd.operations }))
        }
        Err(error) => Err(Fault { fault: error.to_string(), ..Fault::default() }),
    })
}

fn of_row(header: Header, (line, row): Row) -> FoundPosition {
    let read = |fields: Vec<String>| {
        let field = |place: usize| fields.get(place).map_or("", String::as_str);
        let id = header.id.map(field).filter(|id| !id.is_empty());
        check_id(id)?;
        position(field(header.fen), id, &[])
    };
    let row = row.map_err(|fault| Fault { fault, ..Fault::default() });
    (line, row.and_then(read).map_err(|fault| fault.at(line)))
}

/// A line of JSON: an object with `fen`, and perhaps `id` and the `moves` from there to the position; `None` if it is empty.
fn of_json(line: &str) -> Option<Parsed> {
    if line.trim().is_empty() {
        return None;
    }
    Some(match serde_json::from_str::<Map<String, Value>>(line) {
        Ok(object) => of_object(&object),
        Err(error) => Err(Fault { fault: format!("not a JSON object: {error}"), ..Fault::default() }),
    })
}

fn of_object(object: &Map<String, Value>) -> Parsed {
    let id = match object.get("id") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        Some(_) => return Err(Fault::of(None, "id", "neither a string nor a number")),
    };
    let id = id.as_deref();
    check_id(id)?;
    let fen = match object.get("fen").or_else(|| object.get("FEN")) {
        Some(Value::String(fen)) => fen,
        Some(_) => return Err(Fault::of(id, "fen", "not a string")),
        None => return Err(Fault::of(id, "fen", "missing")),
    };
    let no_moves = || Fault::of(id, "moves", "neither a list of strings nor a string");
    let moves: Vec<&str> = match object.get("moves") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(moves)) => moves.split_whitespace().collect(),
        Some(Value::Array(moves)) => {
            moves.iter().map(|mv| mv.as_str().ok_or_else(no_moves)).collect::<Result<_, _>>()?
        }
        Some(_) => return Err(no_moves()),
    };
    position(fen, id, &moves)
}

fn check_id(id: Option<&str>) -> Result<(), Fault> {
    match id {
        Some(id) if id.chars().count() > MOST_OF_ID => {
            Err(Fault::of(None, "id", format!("of more than {MOST_OF_ID} letters")))
        }
        _ => Ok(()),
    }
}

/// The position after these moves, in UCI's notation or in SAN.
fn position(fen: &str, id: Option<&str>, moves: &[&str]) -> Parsed {
    let start = match Epd::parse(fen) {
        Some(Ok(epd)) => epd.board,
        Some(Err(error)) => return Err(Fault::of(id, "fen", error)),
        None => return Err(Fault::of(id, "fen", "empty")),
    };
    let (mut game, mut board) = (game_of(start, id), start);
    for text in moves {
        let mv = board.parse_uci(text).or_else(|error| board.parse_san(text).map_err(|_| error));
        let mv = mv.map_err(|error| Fault::of(id, "moves", error))?;
        let last = game.tree.last_main();
        let added = game.tree.add_main(last, Some(mv));
        added.ok_or_else(|| Fault::of(id, "moves", "too many"))?;
        board.play(mv, &mut ());
    }
    Ok((game, Label { id: id.map(str::to_owned), operations: Vec::new() }))
}

/// The lines of a text with their numbers. One that is too long is passed over, and its fault told.
pub(crate) struct Lines<R> {
    text: R,
    number: u64,
    is_over: bool,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = (u64, Result<String, String>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let mut bytes = Vec::new();
        let read = self.text.by_ref().take(MOST + 1).read_until(b'\n', &mut bytes);
        if matches!(read, Ok(0)) {
            return None;
        }
        self.number += 1;
        let line = match read.and_then(|_| self.pass_over_rest(&bytes)) {
            Ok(true) => Ok(pgn::decode(&bytes).replace(char::is_control, " ")),
            Ok(false) => Err(format!("longer than {MOST} bytes")),
            Err(error) => {
                self.is_over = true;
                Err(format!("cannot be read: {error}"))
            }
        };
        Some((self.number, line))
    }
}

impl<R: BufRead> Lines<R> {
    /// The lines of a text.
    pub const fn new(text: R) -> Self {
        Self { text, number: 0, is_over: false }
    }

    /// Whether this is a whole line; if not, what is left of it is passed over.
    fn pass_over_rest(&mut self, line: &[u8]) -> io::Result<bool> {
        if line.ends_with(b"\n") || line.len() as u64 <= MOST {
            return Ok(true);
        }
        let mut rest = Vec::new();
        loop {
            rest.clear();
            let read = self.text.by_ref().take(MOST).read_until(b'\n', &mut rest)?;
            if read == 0 || rest.ends_with(b"\n") {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use movegen::CastlingStyle;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

    fn read(text: &str, format: Format) -> Vec<FoundPosition> {
        positions(Box::new(Cursor::new(text.as_bytes().to_vec())), format).unwrap().collect()
    }

    fn error(text: &str, format: Format) -> String {
        let found = read(text, format);
        found.into_iter().find_map(|(_, result)| result.err()).expect("an error").to_string()
    }

    #[test]
    fn ids_and_operations_are_kept_with_the_line() {
        let found = read(&format!("# x\n{KINGS}\n\n4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; id \"two\";\n"), Format::Epd);
        assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4]);
        let (game, label) = found[1].1.as_ref().unwrap();
        assert_eq!((label.id.as_deref(), label.operations.len()), (Some("two"), 2));
        assert_eq!(game.tags.get("FEN"), Some("4k3/8/8/8/8/8/8/4K3 b - - 0 1"));
    }

    #[test]
    fn tables_may_have_any_separator_and_order() {
        for text in [
            format!("fen,id\n{KINGS},a\n\"{KINGS}\",\"b,c\"\n"),
            format!("PuzzleId;x;FEN\na;;{KINGS}\n\"b,c\";1;{KINGS}\n"),
            format!("\u{feff}ID\tfen\r\na\t{KINGS}\r\nb,c\t{KINGS}\r\n"),
        ] {
            let found = read(&text, Format::Csv);
            let ids: Vec<_> = found.iter().map(|(_, found)| found.as_ref().unwrap().1.id.clone().unwrap()).collect();
            assert_eq!(ids, ["a", "b,c"], "{text}");
            assert_eq!(found[1].0, 3);
        }
        let nothing = positions(Box::new(Cursor::new(b"a,b\n".to_vec())), Format::Csv);
        assert!(nothing.err().unwrap().to_string().contains("\"fen\""));
    }

    #[test]
    fn moves_lead_from_the_fen_to_the_position() {
        let start = Board::start().fen(FenStyle::Standard);
        let text = format!(
            "{{\"id\":7,\"fen\":\"{start}\",\"moves\":[\"e2e4\",\"e5\"]}}\n\n{{\"fen\":\"{start}\",\"moves\":\"g1f3\"}}"
        );
        let found = read(&text, Format::JsonLines);
        let (game, label) = found[0].1.as_ref().unwrap();
        let moves: Vec<_> = game.tree.main_moves().map(|mv| mv.uci(CastlingStyle::Standard).to_string()).collect();
        assert_eq!((moves.join(" "), label.id.as_deref()), ("e2e4 e7e5".to_owned(), Some("7")));
        assert_eq!(found[1].0, 3);
    }

    #[test]
    fn faults_name_line_id_and_field() {
        let of = |json: &str| error(json, Format::JsonLines);
        assert_eq!(of("{\"id\":\"x\"}"), "line 1 (id \"x\"): field \"fen\": missing");
        assert_eq!(of("\n{\"fen\":3}"), "line 2: field \"fen\": not a string");
        assert_eq!(
            of(&format!("{{\"fen\":\"{KINGS}\",\"id\":1,\"moves\":[1]}}")),
            "line 1 (id \"1\"): field \"moves\": neither a list of strings nor a string"
        );
        assert!(of(&format!("{{\"fen\":\"{KINGS}\",\"moves\":\"e1e3\"}}")).starts_with("line 1: field \"moves\": "));
        assert!(of("[1]").starts_with("line 1: not a JSON object: "));
        assert!(error("id,fen\n4,8/8 w\n", Format::Csv).starts_with("line 2 (id \"4\"): field \"fen\": "));
        assert_eq!(error("id,fen\n4\n", Format::Csv), "line 2 (id \"4\"): field \"fen\": empty");
        assert_eq!(error("8/8/8/8/8/8/8/8 w - -", Format::Epd), "line 1: White has no king");
    }

    #[test]
    fn nothing_makes_the_readers_panic_or_lose_a_line() {
        let pieces = [
            KINGS,
            "\n",
            "\r\n",
            ",",
            ";",
            "\t",
            "\"",
            "{",
            "}",
            "\"fen\":",
            "\"moves\":[\"e2e4\"",
            "fen,id\n",
            "\0",
            "é",
            "[",
            "e1e2",
        ];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..3000 {
            let text: String = (0..12).map(|_| pieces[random.random_range(..pieces.len())]).collect();
            for format in [Format::Epd, Format::Csv, Format::JsonLines] {
                let found = positions(Box::new(Cursor::new(text.clone().into_bytes())), format);
                let lines: Vec<_> = found.into_iter().flatten().map(|(line, _)| line).collect();
                assert!(lines.is_sorted() && lines.iter().all(|&line| line <= 13), "{text:?}: {lines:?}");
            }
        }
    }

    #[test]
    fn what_has_no_end_takes_no_memory_and_hides_nothing_behind_it() {
        let long = "x".repeat(3 << 20);
        let found = read(&format!("{long}\n{KINGS}\n"), Format::Epd);
        assert_eq!(found[0].1.as_ref().unwrap_err().to_string(), "line 1: longer than 1048576 bytes");
        assert!(found.len() == 2 && found[1].0 == 2 && found[1].1.is_ok());
        let text = error(&format!("id,fen\n\"{long}"), Format::Csv);
        assert!(text.contains("is a quotation not closed?"), "{text}");
    }
}
