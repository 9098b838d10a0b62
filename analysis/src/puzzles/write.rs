//! Exercises as PGN, as Lichess's CSV, and as cards for Anki.

use std::io::{self, Write};

use movegen::{Piece, Square};
use pgn::{NodeId, PgnGame, Tags, Tree, number_moves};

use super::exercise::{Exercise, board};
use crate::model::{Judgement, Side};

/// What a puzzle that nobody has tried is worth at Lichess, and how far that may be wrong.
const RATING: &str = "1500";
const DEVIATION: &str = "500";
/// The NAGs for `?` and `??`.
const MISTAKE: u8 = 2;
const BLUNDER: u8 = 4;

/// The columns of Lichess's file of puzzles.
const COLUMNS: [&str; 10] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];

/// Each exercise as a game from its position: the solution, and as a variation what was played.
pub(super) fn pgn(output: &mut dyn Write, exercises: &[Exercise]) -> io::Result<()> {
    exercises.iter().filter_map(game_of).try_for_each(|game| write!(output, "{game}"))
}

fn game_of(exercise: &Exercise) -> Option<PgnGame> {
    let start = board(exercise)?;
    let mut tree = Tree::new(start);
    let (mut at, mut position) = (NodeId::ROOT, start);
    for text in &exercise.solution {
        let mv = position.parse_uci(text).ok()?;
        at = tree.add(at, Some(mv))?;
        position.play(mv, &mut ());
    }
    let played = exercise.played.as_ref().and_then(|played| start.parse_uci(&played.uci).ok());
    if let Some(node) = played.and_then(|mv| tree.add(NodeId::ROOT, Some(mv))) {
        let node = tree.node_mut(node);
        node.nags.push(if is_blunder(exercise) { BLUNDER } else { MISTAKE });
        node.comment = told(exercise);
    }
    let first = tree.main_child(NodeId::ROOT)?;
    if !exercise.as_good.is_empty() {
        tree.node_mut(first).comment = format!("As good: {}.", exercise.as_good.join(", "));
    }
    let turn = if exercise.side == Side::White { "White" } else { "Black" };
    tree.node_mut(NodeId::ROOT).comment = format!("{turn} to move.");
    let mut tags = Tags::default();
    for (name, value) in [
        ("Event", format!("Exercise {}", exercise.id)),
        ("Site", exercise.site.clone().unwrap_or_else(|| "?".to_owned())),
        ("Date", exercise.date.clone()),
        ("Round", "?".to_owned()),
        ("White", exercise.white.clone()),
        ("Black", exercise.black.clone()),
        ("Result", "*".to_owned()),
        ("SetUp", "1".to_owned()),
        ("FEN", exercise.fen.clone()),
    ] {
        tags.set(name, value);
    }
    Some(PgnGame { tags, ..PgnGame::new(tree) })
}

fn is_blunder(exercise: &Exercise) -> bool {
    exercise.played.as_ref().is_some_and(|played| played.judgement == Some(Judgement::Blunder))
}

/// What was lost, and why, as far as that is proved.
fn told(exercise: &Exercise) -> String {
    let Some(mv) = &exercise.played else { return String::new() };
    let loss = mv.loss.map(|loss| format!("Played in the game; it lost {loss:.2} points.")).unwrap_or_default();
    let reasons = mv.reasons.iter().map(|reason| reason.text.clone());
    std::iter::once(loss).chain(reasons).collect::<Vec<_>>().join(" ")
}

/// A line for each exercise whose lead-in is known; how many are left out.
pub(super) fn csv(output: &mut dyn Write, exercises: &[Exercise]) -> io::Result<usize> {
    let mut file = csv::Writer::from_writer(output);
    file.write_record(COLUMNS)?;
    let mut left_out = 0;
    for exercise in exercises {
        let Some((fen, lead_in)) = &exercise.lead_in else {
            left_out += 1;
            continue;
        };
        let moves: Vec<_> = std::iter::once(lead_in).chain(&exercise.solution).map(String::as_str).collect();
        let themes = exercise.themes().join(" ");
        let openings = exercise.opening.as_deref().map(opening_tags).unwrap_or_default();
        let url = url(exercise);
        let [moves, themes] = [moves.join(" "), themes];
        file.write_record([&exercise.id, fen, &moves, RATING, DEVIATION, "0", "0", &themes, &url, &openings])?;
    }
    file.flush()?;
    Ok(left_out)
}

/// The address of the game at this move, if it has one.
fn url(exercise: &Exercise) -> String {
    let site = exercise.site.as_deref().filter(|site| site.starts_with("https://")).unwrap_or_default();
    let side = if exercise.side == Side::Black { "/black" } else { "" };
    if site.is_empty() { String::new() } else { format!("{site}{side}#{}", exercise.ply) }
}

/// The family of an opening and the opening, as Lichess tags them: `Sicilian_Defense Sicilian_Defense_Najdorf_Variation`.
fn opening_tags(name: &str) -> String {
    let tag = |name: &str| name.replace([':', ',', '\'', '.'], "").replace(' ', "_");
    let family = name.split(':').next().unwrap_or(name);
    if family == name { tag(name) } else { format!("{} {}", tag(family), tag(name)) }
}

/// Cards with a board of letters in front.
pub(super) fn anki(output: &mut dyn Write, exercises: &[Exercise]) -> io::Result<()> {
    writeln!(output, "#separator:tab\n#html:true\n#guid column:1\n#tags column:4")?;
    for exercise in exercises {
        let Some(start) = board(exercise) else { continue };
        let turn = if exercise.side == Side::White { "White" } else { "Black" };
        let front = format!("{}<br>{turn} to move<br><small>{}</small>", picture(exercise), escaped(&exercise.fen));
        let solution = number_moves(&start, &exercise.san);
        let as_good = match &exercise.as_good[..] {
            [] => String::new(),
            moves => format!("<br>As good: {}", escaped(&moves.join(", "))),
        };
        let sign = if is_blunder(exercise) { "??" } else { "?" };
        let played = exercise.played.as_ref().map_or_else(String::new, |played| {
            let told = [number_moves(&start, [&played.san]), sign.to_owned(), format!(" {}", told(exercise))];
            format!("<br>{}", escaped(&told.concat()))
        });
        let names = format!("{} – {}, {}", exercise.white, exercise.black, exercise.date);
        let back = format!("<b>{}</b>{as_good}{played}<br><small>{}</small>", escaped(&solution), escaped(&names));
        writeln!(output, "{}\t{front}\t{back}\t{}", exercise.id, exercise.themes().join(" "))?;
    }
    output.flush()
}

/// The board from the player's side, in figurines.
fn picture(exercise: &Exercise) -> String {
    let Some(board) = board(exercise) else { return String::new() };
    let ranks: Vec<_> = (0..8)
        .map(|row| {
            let squares = (0..8).map(|column| {
                let (file, rank) = if exercise.side == Side::White { (column, 7 - row) } else { (7 - column, row) };
                board.piece_on(Square::from_index(8 * rank + file)).map_or('·', figurine)
            });
            squares.collect::<String>()
        })
        .collect();
    format!("<pre style=\"font-size:28px;line-height:1\">{}</pre>", ranks.join("<br>"))
}

const fn figurine(piece: Piece) -> char {
    match piece {
        Piece::WhitePawn => '♙',
        Piece::WhiteKnight => '♘',
        Piece::WhiteBishop => '♗',
        Piece::WhiteRook => '♖',
        Piece::WhiteQueen => '♕',
        Piece::WhiteKing => '♔',
        Piece::BlackPawn => '♟',
        Piece::BlackKnight => '♞',
        Piece::BlackBishop => '♝',
        Piece::BlackRook => '♜',
        Piece::BlackQueen => '♛',
        Piece::BlackKing => '♚',
    }
}

/// Text of a file in a field of a card: nothing of it is markup, and it stays in its field.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace(['\t', '\n', '\r'], " ").replace('"', "&quot;")
}
