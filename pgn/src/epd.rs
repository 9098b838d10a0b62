//! Extended Position Description: a position a line, and what is said about it.
//!
//! Source: S. Edwards, "PGN Standard" (1994), 16.2. Files in use take liberties, all of which are read here: a FEN's
//! counters after the four fields, or stuck to the fourth, semicolons before the first operation, or none after the
//! last or between two (`bm Rc8+ dm 26`), perft counts (`;D1 20`), words that are no operation, opcodes in capitals, and
//! what people paste with a position: quotes, underscores, the word `fen`, moves after it.

use std::borrow::Cow;

use movegen::{Board, FenError, SetupWarning};

/// A line of an EPD file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub board: Board,
    /// What was ignored or changed to make it one.
    pub warnings: Vec<SetupWarning>,
    /// What is said about it, in the order of the line.
    pub operations: Vec<Operation>,
}

/// Something said about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What it is about: `bm`, `id`.
    pub opcode: String,
    /// The words after it; what stands in quotes is one, without them.
    pub operands: Vec<String>,
}

/// Why a line is no position with its operations.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A quotation is not closed.
    #[error("the quotation {text:?} is not closed")]
    OpenQuote {
        /// How it begins.
        text: String,
    },
}

/// The fields that every position has; a FEN has two counters more.
const FIELDS: usize = 4;
const FIELDS_WITH_COUNTERS: usize = 6;

impl Epd {
    /// Reads a line. `None` if it is empty or a comment, which begins with `#`, `%`, `//` or `;`.
    ///
    /// # Errors
    ///
    /// If its position cannot be read, or a quotation is not closed.
    #[must_use]
    pub fn parse(line: &str) -> Option<Result<Self, EpdError>> {
        let line = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}').trim_end();
        if is_comment(line) {
            return None;
        }
        Some(Self::parse_position(line))
    }

    fn parse_position(line: &str) -> Result<Self, EpdError> {
        let line = without_wrapping(line);
        let (mut fields, rest) = split_fields(&line);
        let operations = read_operations(rest)?;
        // Counters may also be given as operations.
        let counter = |opcode: &str| {
            let operation = operations.iter().find(|operation| operation.opcode.eq_ignore_ascii_case(opcode));
            operation.and_then(|operation| operation.operands.first()).map(String::as_str)
        };
        if fields.len() == FIELDS {
            fields.extend([counter("hmvc").unwrap_or("0"), counter("fmvn").unwrap_or("1")]);
        }
        let mut text = fields.join(" ");
        if let Some(moves) = operations.iter().find(|operation| operation.opcode == "moves") {
            text = format!("{text} moves {}", moves.operands.join(" "));
        }
        let (board, warnings) = Board::from_fen_with_warnings(&text)?;
        Ok(Self { board, warnings, operations })
    }

    /// Whether anything is said under this opcode, in small letters or capitals.
    #[must_use]
    pub fn has(&self, opcode: &str) -> bool {
        self.operations.iter().any(|operation| operation.opcode.eq_ignore_ascii_case(opcode))
    }

    /// All that is said under this opcode, word by word, or in quotations.
    pub fn operands<'a>(&'a self, opcode: &'a str) -> impl Iterator<Item = &'a str> {
        let about = self.operations.iter().filter(move |operation| operation.opcode.eq_ignore_ascii_case(opcode));
        about.flat_map(|operation| &operation.operands).map(String::as_str)
    }

    /// The name of the position.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.operands("id").next().filter(|id| !id.is_empty())
    }
}

/// Whether a line of positions says nothing of a position.
#[must_use]
pub fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(['#', '%', ';']) || line.starts_with("//")
}

/// A line without the words before its position, quotes around it, and underscores for its blanks.
fn without_wrapping(line: &str) -> Cow<'_, str> {
    const QUOTES: [char; 4] = ['"', '\'', '“', '”'];
    let rest = without_leaders(line);
    let inside = without_leaders(rest.trim_start_matches(QUOTES));
    // A position has no quotes, so the next one closes it; operations may follow.
    let closing = inside.split_once(QUOTES).filter(|_| rest.starts_with(QUOTES));
    let text = closing.map_or(Cow::Borrowed(inside), |(position, after)| Cow::Owned(format!("{position}{after}")));
    match split_word(&text) {
        (board, after) if board.contains('/') && board.contains('_') => Cow::Owned(board.replace('_', " ") + after),
        _ => text,
    }
}

/// A line without the words that announce a position.
fn without_leaders(line: &str) -> &str {
    const LEADERS: [&str; 4] = ["position", "fen", "fen:", "epd"];
    let mut rest = line.trim_start();
    loop {
        let (word, after) = split_word(rest);
        if !LEADERS.into_iter().any(|leader| word.eq_ignore_ascii_case(leader)) {
            return rest;
        }
        rest = after.trim_start();
    }
}

/// The first word of a line, and what follows it.
fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()))
}

/// The fields of the position, and the rest of the line.
fn split_fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::new();
    let mut rest = line;
    while fields.len() < FIELDS_WITH_COUNTERS {
        let text = rest.trim_start();
        let end = text.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(text.len());
        let field = &text[..end];
        if field.is_empty() || fields.len() >= FIELDS && !is_counter(field) {
            break;
        }
        match field.strip_prefix('-').filter(|counter| fields.len() == FIELDS - 1 && is_counter(counter)) {
            Some(counter) => fields.extend(["-", counter]),
            None => fields.push(field),
        }
        rest = &text[end..];
    }
    (fields, rest)
}

fn is_counter(field: &str) -> bool {
    !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit())
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(letter) = rest.chars().next() {
        rest = match letter {
            ';' => {
                operations.extend(operation(std::mem::take(&mut words)));
                &rest[1..]
            }
            '"' => {
                let (quoted, after) =
                    rest[1..].split_once('"').ok_or_else(|| EpdError::OpenQuote { text: shortened(&rest[1..]) })?;
                words.push(quoted.to_owned());
                after
            }
            _ => {
                let end = rest.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if words.first().is_some_and(|opcode| ends(opcode, words.len(), word, after)) {
                    operations.extend(operation(std::mem::take(&mut words)));
                }
                words.push(word.to_owned());
                after
            }
        }
        .trim_start();
    }
    operations.extend(operation(words));
    Ok(operations)
}

/// Whether a word outside quotations, with this text after it, begins an operation though there is no semicolon before
/// it. `count` words stand there since the last one, the first of them this opcode.
fn ends(opcode: &str, count: usize, word: &str, after: &str) -> bool {
    // A name or a comment may be a single word that looks like an opcode.
    let is_text = count == 1 && matches!(kind(opcode), Some(OpcodeKind::Name | OpcodeKind::Quoted));
    let begins = match kind(word) {
        Some(OpcodeKind::Plain | OpcodeKind::Name) => true,
        // Or it would be a pawn move: `bm c5 c4`.
        Some(OpcodeKind::Quoted) => after.trim_start().starts_with('"'),
        Some(OpcodeKind::Count) => after.trim_start().starts_with(|letter: char| letter.is_ascii_digit()),
        None => false,
    };
    begins && !is_text
}

/// What follows a known opcode.
enum OpcodeKind {
    /// Moves, numbers or nothing.
    Plain,
    /// A text, sometimes without its quotation marks.
    Name,
    /// A text in quotation marks.
    Quoted,
    /// The number of sequences of moves.
    Count,
}

/// The kind of an opcode that the standard (16.2.5) or a common suite has.
fn kind(opcode: &str) -> Option<OpcodeKind> {
    let number = |prefix| opcode.strip_prefix(prefix).filter(|number: &&str| is_counter(number));
    let small =
        if opcode.bytes().any(|byte| byte.is_ascii_lowercase()) { opcode.to_owned() } else { opcode.to_lowercase() };
    let opcode = if number("D").is_some() { opcode } else { &small };
    let number = |prefix| opcode.strip_prefix(prefix).filter(|number: &&str| is_counter(number));
    Some(match opcode {
        "acd" | "acn" | "acs" | "am" | "bm" | "ce" | "dm" | "draw_accept" | "draw_claim" | "draw_offer"
        | "draw_reject" | "fmvn" | "hmvc" | "noop" | "pm" | "pv" | "rc" | "resign" | "sm" | "tcgs" | "tcri"
        | "tcsi" => OpcodeKind::Plain,
        "eco" | "id" | "nic" => OpcodeKind::Name,
        _ if ["c", "v"].into_iter().any(|prefix| number(prefix).is_some()) => OpcodeKind::Quoted,
        _ if number("D").is_some() => OpcodeKind::Count,
        _ => return None,
    })
}

/// None between two semicolons.
fn operation(words: Vec<String>) -> Option<Operation> {
    let mut words = words.into_iter();
    Some(Operation { opcode: words.next()?, operands: words.collect() })
}

/// The first letters of a text of any length.
fn shortened(text: &str) -> String {
    text.chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIELDS_OF_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn parse(rest: &str) -> Epd {
        Epd::parse(&format!("{FIELDS_OF_START}{rest}")).unwrap().unwrap_or_else(|error| panic!("{rest}: {error}"))
    }

    /// Each operation as its words.
    fn words(rest: &str) -> Vec<Vec<String>> {
        let words = |operation: Operation| [vec![operation.opcode], operation.operands].concat();
        parse(rest).operations.into_iter().map(words).collect()
    }

    #[test]
    fn operations_are_read_as_the_standard_has_them() {
        let epd = parse(" bm e4 d4; am a3; id \"start; of \\ a game\"; c0 \"\"; hmvc 3; fmvn 9;");
        assert_eq!(epd.operands("bm").collect::<Vec<_>>(), ["e4", "d4"]);
        assert_eq!(epd.operands("am").collect::<Vec<_>>(), ["a3"]);
        assert_eq!(epd.id(), Some("start; of \\ a game"));
        assert_eq!(epd.operands("c0").collect::<Vec<_>>(), [""]);
        assert_eq!((epd.board.halfmove_clock(), epd.board.fullmove_number()), (3, 9));
        assert!(epd.has("hmvc") && !epd.has("dm"));
        assert_eq!(epd.operands("dm").count(), 0);
    }

    #[test]
    fn liberties_are_understood() {
        for (rest, expected) in [
            ("", &[][..]),
            (";", &[]),
            (" ;;  ; ", &[]),
            (" 0 1", &[]),
            (" 0 1 bm g6g4", &[&["bm", "g6g4"][..]]),
            (" 0 1 ; bm Qb3 ", &[&["bm", "Qb3"]]),
            ("; am Rb5 ? ; c1 diff=7 ", &[&["am", "Rb5", "?"], &["c1", "diff=7"]]),
            (" 0 1 ;D1 20 ;D2 400", &[&["D1", "20"], &["D2", "400"]]),
            (" bm d4;; id \"a\"b", &[&["bm", "d4"], &["id", "a", "b"]]),
            (" bm; id", &[&["bm"], &["id"]]),
            (" bm\td4 ;\u{a0}x é\r", &[&["bm", "d4"], &["x", "é"]]),
            (" bm \"Qd4\" Kd4", &[&["bm", "Qd4", "Kd4"]]),
            (" bm Rc8+ dm 26", &[&["bm", "Rc8+"], &["dm", "26"]]),
            (
                " bm e4 c4 c5 am a3 id \"x\" c0 \"y\" c4 \"z\"",
                &[&["bm", "e4", "c4", "c5"], &["am", "a3"], &["id", "x"], &["c0", "y"], &["c4", "z"]],
            ),
            (
                " D1 20 D2 400 id D3 bm \"id\" am",
                &[&["D1", "20"], &["D2", "400"], &["id", "D3"], &["bm", "id"], &["am"]],
            ),
            (" id bm; noop resign", &[&["id", "bm"], &["noop"], &["resign"]]),
        ] {
            assert_eq!(words(rest), expected, "{rest:?}");
        }
    }

    #[test]
    fn what_is_pasted_with_a_position_is_no_part_of_it() {
        let start = format!("{FIELDS_OF_START} 0 1");
        for line in [
            format!("{start};"),
            format!("\"{start}\""),
            format!("\"{start}\";"),
            format!("fen {start}"),
            format!("position fen {start}"),
            start.replace(' ', "_"),
            format!("\u{feff}{start}"),
            FIELDS_OF_START.to_owned(),
            format!("\"{FIELDS_OF_START}\" bm e4; id \"x\";"),
            // Blanks, and words before the position, within the quotes as well.
            format!("\" {start} \""),
            format!("“\u{a0}fen  {start}”"),
            format!("position \"fen {start}\""),
            format!("'\t{}'", start.replace(' ', "_")),
            format!("\"\u{3000}{}", start.replace(' ', "_")),
        ] {
            let epd = Epd::parse(&line).unwrap().unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!((epd.board, &epd.warnings[..]), (Board::start(), &[][..]), "{line}");
        }
        let moved = Epd::parse(&format!("position fen {start} moves e2e4 e7e5")).unwrap().unwrap();
        assert_eq!(moved.board.fullmove_number(), 2);
        let capitals = parse(" BM e4 d4; ID \"one\"; C0 \"x\"");
        assert_eq!(capitals.operands("bm").collect::<Vec<_>>(), ["e4", "d4"]);
        assert_eq!((capitals.id(), capitals.has("c0")), (Some("one"), true));
        assert_eq!(words(" BM e4 DM 3 ID x"), [vec!["BM", "e4"], vec!["DM", "3"], vec!["ID", "x"]]);
    }

    #[test]
    fn opcodes_that_come_twice_count_twice() {
        let epd = parse(" bm d4; id \"one\"; bm e4; id \"two\"");
        assert_eq!(epd.operands("bm").collect::<Vec<_>>(), ["d4", "e4"]);
        assert_eq!(epd.id(), Some("one"));
    }

    #[test]
    fn counters_of_a_fen_count_before_those_of_operations() {
        let epd = parse(" 7 8 hmvc 3; fmvn 9;");
        assert_eq!((epd.board.halfmove_clock(), epd.board.fullmove_number()), (7, 8));
        let stuck = parse("1 12 ; bm d4");
        assert_eq!((stuck.board.halfmove_clock(), stuck.board.fullmove_number()), (1, 12));
    }

    #[test]
    fn lines_without_a_position_are_passed_over() {
        for line in ["", " \t\r", "# comment", "  % comment", "// comment", "; comment"] {
            assert_eq!(Epd::parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (line, message) in [
            ("nonsense", "board \"nonsense\" has 1 ranks, not 8"),
            ("8/8/8/8/8/8/8/8 w - -", "White has no king"),
            ("4k3/8/8/8/8/8/8/4K3 x - - bm Ke2;", "side to move \"x\" is neither w nor b"),
            ("4k3/8/8/8/8/8/8/4K3 w - bm Ke2;", "en passant square \"bm\" is not a square"),
            ("4k3/8/8/8/8/8/8/4K3 w - - hmvc x;", "halfmove clock \"x\" is not a non-negative number"),
            ("4k3/8/8/8/8/8/8/4K3 w - - id \"open; bm Ke2;", "the quotation \"open; bm Ke2;\" is not closed"),
        ] {
            let error = Epd::parse(line).unwrap().unwrap_err();
            assert_eq!(error.to_string(), message, "{line}");
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(rest in "[ -~é;\"]{0,80}", line in "\\PC{0,120}", wrapped in "[\"“' \u{a0}]{0,3}[a-h1-8/_é \u{2003}]{0,16}") {
            let _ = (Epd::parse(&line), Epd::parse(&wrapped));
            if let Some(Ok(epd)) = Epd::parse(&format!("{FIELDS_OF_START} {rest}")) {
                prop_assert!(epd.operations.iter().all(|operation| !operation.opcode.is_empty() || rest.contains("\"\"")));
            }
        }
    }
}
