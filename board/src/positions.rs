//! Positions as people have them at hand, a line each: FEN and EPD, what a UCI client sends (`position ... moves ...`), and
//! addresses of pages that show a position. Each becomes a game that begins there.
//!
//! An address is only taken apart: nothing is ever asked of another computer.

use std::borrow::Cow;

use movegen::{Board, FenStyle};
use percent_encoding::percent_decode_str;
use pgn::{Epd, NodeId, Operation, PgnGame, PgnReader, Tree};

/// The most moves that are read behind a position.
const MAX_MOVES: usize = 20_000;
/// The longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 20;
/// What pages call a position, and a game, in the query of an address.
const POSITION_KEYS: [&str; 5] = ["fen", "position", "pos", "startfen", "setup"];
const GAME_KEYS: [&str; 2] = ["pgn", "moves"];

/// A line that was read.
pub struct PositionGame {
    /// The game that begins with the position.
    pub game: PgnGame,
    /// What was left out or changed.
    pub notes: Vec<String>,
}

/// Why a line is no position.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    /// It is no position with its operations.
    #[error(transparent)]
    Epd(#[from] pgn::EpdError),
    /// It has a position that is none.
    #[error(transparent)]
    Fen(#[from] movegen::FenError),
    /// The game in an address cannot be read.
    #[error(transparent)]
    Pgn(#[from] pgn::PgnError),
    /// There is no position in an address.
    #[error("the address {0:?} has no position in it; what it leads to is not fetched: copy the FEN or the PGN there")]
    Address(String),
    /// It is too long.
    #[error("the line is longer than {MAX_LINE} bytes")]
    TooLong,
}

/// Whether a line looks like a position or the address of one, and not like a line of PGN.
pub fn is_position(line: &str) -> bool {
    let line = line.trim_start_matches(['\u{FEFF}', '"', '\'', '“']).trim();
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_word = ["position", "fen", "fen:", "epd", "startpos"].iter().any(|word| first.eq_ignore_ascii_case(word));
    is_word || is_address(line) || is_board(first)
}

/// Whether a word has the ranks of a board between slashes.
fn is_board(word: &str) -> bool {
    // A result has slashes, too: `1/2-1/2`.
    let is_rank = |rank: &str| {
        !rank.is_empty() && rank.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_[]~".contains(&byte))
    };
    let word = word.split(['_', ' ']).next().unwrap_or_default();
    word.matches('/').count() >= 3 && word.split('/').all(is_rank)
}

/// Whether a line is an address: a scheme, or a host and something after it.
fn is_address(line: &str) -> bool {
    let rest = without_scheme(line);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_host = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(&byte));
    let domain = host.rsplit_once('.').map_or("", |(_, domain)| domain);
    let is_domain = domain.len() >= 2 && domain.bytes().all(|byte| byte.is_ascii_alphabetic());
    line.contains("://") && rest.len() < line.trim().len() || is_host && is_domain && host.len() < rest.len()
}

fn without_scheme(line: &str) -> &str {
    let line = line.trim().trim_start_matches('<').trim_end_matches('>');
    ["https://", "http://"].into_iter().find_map(|scheme| line.strip_prefix(scheme)).unwrap_or(line)
}

/// Reads a line. `None` if it is empty or a comment.
///
/// # Errors
///
/// If there is no position in it.
pub fn read_position(line: &str) -> Option<Result<PositionGame, PositionError>> {
    if line.len() > MAX_LINE {
        return Some(Err(PositionError::TooLong));
    }
    let line = line.trim_start_matches('\u{FEFF}').trim();
    if is_address(line) {
        return Some(read_address(line));
    }
    if pgn::is_comment(line) {
        return None;
    }
    let (start, moves) = split_moves(line);
    Some(read_start(start).map(|found| with_moves(found, moves.unwrap_or_default())))
}

/// The parts before and after the word `moves`.
fn split_moves(line: &str) -> (&str, Option<&str>) {
    let mut at = 0;
    for word in line.split_inclusive(char::is_whitespace) {
        if word.trim().eq_ignore_ascii_case("moves") {
            return (&line[..at], Some(&line[at + word.len()..]));
        }
        at += word.len();
    }
    (line, None)
}

/// The game without moves that begins with this position.
fn read_start(text: &str) -> Result<PositionGame, PositionError> {
    let bare =
        text.trim().trim_matches(['"', '\'', '“', '”']).trim_start_matches(|letter: char| letter.is_ascii_digit());
    let last = bare.split_whitespace().last().unwrap_or_default();
    if last.eq_ignore_ascii_case("startpos") {
        return Ok(of_board(Board::start(), &[], Vec::new()));
    }
    match Epd::parse(text) {
        Some(epd) => {
            let Epd { board, warnings, operations } = epd?;
            Ok(of_board(board, &operations, warnings.iter().map(ToString::to_string).collect()))
        }
        None => Err(movegen::FenError::Empty.into()),
    }
}

fn of_board(board: Board, operations: &[Operation], notes: Vec<String>) -> PositionGame {
    let mut tree = Tree::new(board);
    let said = operations.iter().map(|operation| {
        [&operation.opcode].into_iter().chain(&operation.operands).map(String::as_str).collect::<Vec<_>>().join(" ")
    });
    // What would end a comment is not part of it.
    tree.node_mut(NodeId::ROOT).comment = said.collect::<Vec<_>>().join("; ").replace('}', ")");
    let mut game = PgnGame::new(tree);
    let id = operations.iter().find(|operation| operation.opcode.eq_ignore_ascii_case("id"));
    if let Some(id) = id {
        game.tags.set("Event", id.operands.join(" "));
    }
    if board.is_chess960() {
        game.tags.set("Variant", "Chess960");
    }
    if board != Board::start() {
        game.tags.set("SetUp", "1");
        game.tags.set("FEN", board.fen(FenStyle::Standard));
    }
    PositionGame { game, notes }
}

/// Adds moves in coordinates or in SAN, up to the first that cannot be played; the rest becomes a comment.
fn with_moves(mut found: PositionGame, moves: &str) -> PositionGame {
    let tree = &mut found.game.tree;
    let (mut board, mut at) = (*tree.start(), NodeId::ROOT);
    let words = moves.split([' ', '\t', ',', ';', '_']).map(|word| word.trim_matches(['"', '\'', '”']));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    for (index, word) in words.iter().enumerate() {
        let mv = board.parse_uci(word).or_else(|error| board.parse_san(word).map_err(|_| error));
        let added = mv.as_ref().ok().filter(|_| index < MAX_MOVES).and_then(|&mv| Some((mv, tree.add(at, Some(mv))?)));
        let Some((mv, id)) = added else {
            let fault = mv.err().map_or_else(|| format!("more than {MAX_MOVES} moves"), |error| error.to_string());
            tree.node_mut(at).comment = words[index..].join(" ").replace('}', ")");
            found.notes.push(format!("{fault}; the moves from there on are kept as a comment"));
            break;
        };
        at = id;
        board.play(mv, &mut ());
    }
    found
}

/// The position or the game that an address has in itself.
fn read_address(address: &str) -> Result<PositionGame, PositionError> {
    let rest = without_scheme(address);
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    for part in [query, fragment] {
        for (key, value) in form_urlencoded::parse(part.as_bytes()) {
            if POSITION_KEYS.iter().any(|name| key.eq_ignore_ascii_case(name)) {
                return read_pasted_fen(&value);
            }
            if GAME_KEYS.iter().any(|name| key.eq_ignore_ascii_case(name)) {
                return read_moves(&value);
            }
        }
        // Some have nothing but the position there.
        if is_board(&decoded(part)) {
            return read_pasted_fen(&decoded(part));
        }
    }
    let segments: Vec<_> = path.split('/').skip(1).map(decoded).collect();
    for (index, segment) in segments.iter().enumerate() {
        if ["pgn", "moves"].contains(&&segment[..]) && index + 1 < segments.len() {
            return read_moves(&segments[index + 1..].join(" "));
        }
        let text = segments[index..].join("/");
        let is_first_rank = segment.bytes().any(|byte| byte.is_ascii_digit() || b"kqrbnpKQRBNP".contains(&byte));
        let ranks = text.split([' ', '_', '+']).next().unwrap_or_default();
        if is_first_rank && ranks.matches('/').count() == 7 && is_board(ranks) {
            return read_pasted_fen(&text);
        }
    }
    Err(PositionError::Address(address.chars().take(200).collect()))
}

fn decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

/// Reads a FEN with what addresses have in place of its blanks.
fn read_pasted_fen(text: &str) -> Result<PositionGame, PositionError> {
    read_start(&text.replace(['_', '+'], " "))
}

/// Reads the moves that stand in an address.
fn read_moves(text: &str) -> Result<PositionGame, PositionError> {
    let text = text.replace(['_', ','], " ");
    match PgnReader::new(text.as_bytes()).next() {
        Some(game) => {
            let game = game?;
            let notes = game.remarks.iter().filter(|remark| remark.is_loss()).map(ToString::to_string).collect();
            Ok(PositionGame { game, notes })
        }
        None => Err(PositionError::Address(text.chars().take(200).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPANISH: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

    fn read(line: &str) -> PositionGame {
        read_position(line).unwrap_or_else(|| panic!("{line}")).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn positions_are_known_by_their_looks() {
        let under = SPANISH.replace(' ', "_");
        for line in [
            SPANISH,
            &under,
            &format!("\"{SPANISH}\""),
            "position startpos moves e2e4",
            "startpos moves e2e4",
            &format!("fen {SPANISH}"),
            &format!("FEN: {SPANISH}"),
            "https://lichess.org/editor",
            "lichess.org/abcdefgh",
            "8/8/8/8/8/8/8/8 w - - bm e4;",
            "www.chess.com/analysis?fen=x",
            "rnbqkbnr/pppppppp/8/8 w",
        ] {
            assert!(is_position(line), "{line}");
        }
        for line in [
            "1. e4 e5",
            "[Event \"x\"]",
            "1/2-1/2",
            "",
            "e4 e5 Nf3",
            "{a/b/c/d}",
            "e4.e5",
            "1.e4/2",
            "; x/y/z/w",
            "1.d4 https://lichess.org/x",
        ] {
            assert!(!is_position(line), "{line}");
        }
    }

    #[test]
    fn addresses_of_editors_are_taken_apart() {
        let under = SPANISH.replace(' ', "_");
        let percent: String = form_urlencoded::byte_serialize(SPANISH.as_bytes()).collect();
        let spaces = SPANISH.replace(' ', "%20");
        for address in [
            format!("https://lichess.org/editor/{under}"),
            format!("https://lichess.org/editor/{under}?color=white"),
            format!("lichess.org/analysis/{under}"),
            format!("https://lichess.org/analysis/standard/{under}"),
            format!("https://lichess.org/analysis/standard/{spaces}?color=black#3"),
            format!("https://lichess.org/editor?fen={percent}&variant=standard"),
            format!("https://www.chess.com/analysis?fen={percent}&flip=false&tab=analysis"),
            format!("https://www.chess.com/analysis?tab=analysis&fen={spaces}"),
            format!("http://example.org/board.html#fen={under}"),
            format!("https://example.org/b/#{under}"),
            format!("<https://lichess.org/editor/{under}>"),
        ] {
            assert_eq!(read(&address).game.tree.start().fen(FenStyle::Standard), SPANISH, "{address}");
        }
        let game = read("https://lichess.org/analysis/pgn/e4_e5_Nf3").game;
        assert_eq!(game.tree.main_moves().count(), 3);
        let game = read("https://www.chess.com/analysis?pgn=1.%20e4%20e5%202.%20Nf3").game;
        assert_eq!(game.tree.main_moves().count(), 3);
        for address in
            ["https://lichess.org/AbCdEfGh", "https://www.chess.com/game/live/123", "http://x", "https://[::1]/"]
        {
            let error = read_position(address).unwrap().err().unwrap().to_string();
            assert!(error.contains("is not fetched"), "{address}: {error}");
        }
        let error = read_position("https://lichess.org/editor/8/8/8/8/8/8/8/8_w_-_-_0_1").unwrap().err().unwrap();
        assert!(error.to_string().contains("king"), "{error}");
    }

    #[test]
    fn a_line_becomes_a_game() {
        let found = read("position startpos moves e2e4 e7e5 g1f3");
        assert_eq!((found.game.tree.main_moves().count(), found.notes.len()), (3, 0));
        assert!(found.game.tags.get("FEN").is_none());
        let found = read(&format!("position fen {SPANISH} moves a7a6 Bxc6 zz9 b7c6"));
        assert_eq!(found.game.tree.main_moves().count(), 2);
        assert!(found.notes.len() == 1 && found.game.to_string().contains("{ zz9 b7c6 }"), "{}", found.game);
        let found = read("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - bm a6; id \"Spanish 1\";");
        assert_eq!(found.game.tags.get("Event"), Some("Spanish 1"));
        let text = found.game.to_string();
        assert!(text.contains("bm a6") && text.contains("[SetUp \"1\"]"), "{text}");
        let again = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(again.tree.start(), found.game.tree.start());
        assert!(read_position("# a comment").is_none() && read_position("  ").is_none());
        assert!(read_position("8/8/8 w - -").unwrap().is_err());
    }
}
