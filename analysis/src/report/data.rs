//! A game as the script of the page reads it: small, for a page may hold hundreds.
//!
//! The script gets the first position as FEN and moves as words of two signs and a name: the squares of departure and
//! arrival, then the move in Standard Algebraic Notation. The signs are the 64 of
//! [`SQUARES`], from a1 by ranks to h8. Only the name says what else a move does: castling and promotion. That leaves
//! en passant, which is a pawn's step aside to an empty square. `position.js` is the other end.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped};
use pgn::{EngineScore, Tags, read_result};
use serde::{Serialize, Serializer};

use crate::judge::times::times;
use crate::model::{Alternative, Analysis, Game, Label, Line, Move, Position, Practice, Reason, Side, Variation};

/// A sign for each square.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The most moves of a best line; later ones are rarely right.
pub(super) const LINE_MOVES: usize = 12;

/// A game. The names are short, because they are many.
#[derive(Serialize)]
struct GameData<'a> {
    /// The first position, as FEN.
    fen: &'a str,
    /// Whether the king is in check there; later the names of the moves tell.
    check: bool,
    moves: String,
    /// One letter for each move: `i`, `m` or `b` for a bad one, `o` for an only move, `g` for a good one, or `-`.
    judged: String,
    /// The label of each move, with blanks between them; `-` for none.
    labels: String,
    /// Why moves are bad, by the half-move, from 1, where anything is proved; as `--json` has it.
    reasons: BTreeMap<usize, &'a [Reason]>,
    /// What else could have been played instead of mistakes and blunders, by the half-move, from 1.
    practice: BTreeMap<usize, PracticeData>,
    /// One for each position, `null` if it has not been analysed.
    positions: Vec<Option<PositionData>>,
    variations: Vec<VariationData>,
    /// What each clock shows in each position, in milliseconds, White's first; none if no move has a clock.
    clocks: Vec<[Option<u64>; 2]>,
    /// How long each move took, in milliseconds, as far as that is known; none if nothing is known of any.
    times: Vec<Option<u64>>,
    /// The tags as PGN has them.
    tags: Vec<[&'a str; 2]>,
    result: &'a str,
    /// The names above and below the board, White's first.
    players: [&'a str; 2],
}

/// A position's score for White, White's points, wins and draws in thousandths, depth, nodes and lines.
#[derive(Serialize)]
struct PositionData(ScoreData, u16, u16, u16, u32, u64, Vec<LineData>);

/// What all other moves lose at the least, in thousandths of a point, and moves from the best on: what each loses, and its line.
#[derive(Serialize)]
struct PracticeData(Option<u16>, Vec<(u16, String)>);

/// A line's score for White, White's points in thousandths, and moves.
#[derive(Serialize)]
struct LineData(ScoreData, u16, String);

/// The variation it departs from, the move it replaces, and moves.
#[derive(Serialize)]
struct VariationData(Option<u32>, u32, String);

/// Centipawns as a number, a mate as a text.
struct ScoreData(EngineScore);

impl Serialize for ScoreData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            EngineScore::Centipawns(value) => serializer.serialize_i32(value),
            EngineScore::Mate(moves) => serializer.collect_str(&moves),
        }
    }
}

impl From<&Analysis> for PositionData {
    fn from(analysis: &Analysis) -> Self {
        let Analysis { score, white, wdl, depth, nodes, .. } = *analysis;
        let lines = analysis.lines.iter().map(LineData::from).collect();
        Self(ScoreData(score), thousandths(white), wdl.win, wdl.draw, depth, nodes, lines)
    }
}

impl From<&Line> for LineData {
    fn from(line: &Line) -> Self {
        let moves = line.uci.iter().zip(&line.san).take(LINE_MOVES).map(|(uci, san)| (&uci[..], &san[..]));
        Self(ScoreData(line.score), thousandths(line.white), words(moves))
    }
}

impl From<&Variation> for VariationData {
    fn from(variation: &Variation) -> Self {
        let moves = words(variation.moves.iter().map(|mv| (&mv.uci[..], &mv.san[..])));
        Self(variation.parent, variation.at, moves)
    }
}

impl From<&Practice> for PracticeData {
    fn from(Practice { moves, others_lose }: &Practice) -> Self {
        let line = |mv: &Alternative| words(mv.uci_line.iter().zip(&mv.line).map(|(uci, san)| (&uci[..], &san[..])));
        Self(others_lose.map(thousandths), moves.iter().map(|mv| (thousandths(mv.loss), line(mv))).collect())
    }
}

impl<'a> From<&'a Game> for GameData<'a> {
    fn from(game: &'a Game) -> Self {
        Self {
            fen: game.positions.first().map_or("", |position| &position.fen),
            check: game.positions.first().is_some_and(|position| position.check),
            moves: words(game.moves.iter().map(|mv| (&mv.uci[..], &mv.san[..]))),
            judged: game.moves.iter().map(letter).collect(),
            labels: labels(game),
            reasons: (game.moves.iter().enumerate())
                .filter(|(_, mv)| !mv.reasons.is_empty())
                .map(|(index, mv)| (index + 1, &mv.reasons[..]))
                .collect(),
            practice: (game.moves.iter().enumerate())
                .filter_map(|(index, mv)| Some((index + 1, mv.practice.as_ref()?.into())))
                .collect(),
            positions: game.positions.iter().map(Position::analysed).collect(),
            variations: game.variations.iter().map(VariationData::from).collect(),
            clocks: clocks(game),
            times: times(game),
            tags: tags(game),
            result: &game.result,
            players: [Side::White, Side::Black].map(|side| super::words::player(game, side)),
        }
    }
}

fn letter(mv: &Move) -> char {
    match mv.judgement {
        Some(judgement) => super::words::judgement(judgement).chars().next().unwrap_or('-'),
        None if mv.only_move => 'o',
        None if mv.good_move => 'g',
        None => '-',
    }
}

fn labels(game: &Game) -> String {
    game.moves.iter().map(|mv| mv.label.map_or("-", Label::name)).collect::<Vec<_>>().join(" ")
}

/// The seven of the roster, and then the others; the opening where the game does not tag it.
fn tags(game: &Game) -> Vec<[&str; 2]> {
    let roster = Tags::ROSTER.map(|name| match (game.tag(name), name) {
        // As the file has it, if that says the same.
        (value, "Result") => {
            let is_same =
                |text: &&str| read_result(text).map(|result| result.to_string()).as_ref() == Some(&game.result);
            [name, value.filter(is_same).unwrap_or(&game.result)]
        }
        (None, "Date") => [name, "????.??.??"],
        (value, _) => [name, value.unwrap_or("?")],
    });
    let others = game.tags.iter().filter(|tag| !Tags::ROSTER.contains(&&tag.name[..]));
    let mut tags: Vec<_> = roster.into_iter().chain(others.map(|tag| [&tag.name[..], &tag.value])).collect();
    if let (Some(opening), None, None) = (&game.opening, game.tag("ECO"), game.tag("Opening")) {
        tags.extend([["ECO", &opening.eco], ["Opening", &opening.name]]);
    }
    tags
}

impl Position {
    fn analysed(&self) -> Option<PositionData> {
        self.analysis.as_ref().map(PositionData::from)
    }
}

/// What each clock shows in each position, White's first; nothing if no move of the game has one.
pub(super) fn clocks(game: &Game) -> Vec<[Option<u64>; 2]> {
    if game.moves.iter().all(|mv| mv.clock_ms.is_none()) {
        return Vec::new();
    }
    let mut now = [None, None];
    let mut clocks = vec![now];
    for mv in &game.moves {
        now[mv.side as usize] = mv.clock_ms.or(now[mv.side as usize]);
        clocks.push(now);
    }
    clocks
}

/// Moves, given in UCI's notation and Standard Algebraic Notation, as the script reads them.
fn words<'a>(moves: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let words: Vec<_> = moves.map(|(uci, san)| word(uci, san)).collect();
    words.join(" ")
}

/// A turn that is passed departs from where it arrives.
fn word(uci: &str, san: &str) -> String {
    let (from, to) = squares(uci).unwrap_or((0, 0));
    format!("{}{}{san}", char::from(SQUARES[from]), char::from(SQUARES[to]))
}

/// The squares of departure and arrival, from 0 for a1 by ranks; none for a turn that is passed.
pub(super) fn squares(uci: &str) -> Option<(usize, usize)> {
    let square = |text: &str| match *text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a')),
        _ => None,
    };
    Some((square(uci.get(..2)?)?, square(uci.get(2..4)?)?))
}

fn thousandths(points: f64) -> u16 {
    // In range by the clamp; no NaN survives it as anything but 0.
    (points * 1000.0).round().clamp(0.0, 1000.0) as u16
}

/// A game for the script, to stand in an element of raw text. JSON needs no `<` outside its strings, and there it can
/// be written otherwise: so nothing inside ends the element or begins a comment.
pub(super) fn json(game: &Game) -> Markup {
    let json = serde_json::to_string(&GameData::from(game)).expect("plain data with text keys");
    PreEscaped(json.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_two_signs_and_its_name() {
        assert_eq!(word("a1b1", "Rb1"), "ABRb1");
        assert_eq!(word("h8a8", "Ra8"), "_4Ra8");
        assert_eq!(word("e7e8q", "e8=Q#"), "08e8=Q#");
        assert_eq!(word("0000", "--"), "AA--");
    }

    #[test]
    fn squares_are_read_without_trust() {
        assert_eq!(squares("e2e4"), Some((12, 28)));
        for text in ["", "e", "e2", "e2e", "e9e4", "i1a1", "0000", "éé", "e2é4"] {
            assert_eq!(squares(text), None, "{text}");
        }
    }

    #[test]
    fn points_out_of_range_are_held() {
        assert_eq!([-1.0, 0.123_4, 2.0, f64::NAN].map(thousandths), [0, 123, 1000, 0]);
    }
}
