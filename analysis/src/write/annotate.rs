//! Writing what was found into the game: evaluations, judgements, better lines and what the laws say. Nothing of the
//! game is taken away but the evaluations it had.
//!
//! Evaluations are codes such as `[%eval 0.13]`, which programs read and people see as clutter. So there are styles: codes
//! and words, words alone, where a bad move comes with what it cost and what was best, or codes alone.

use clap::ValueEnum;
use movegen::Board;
use pgn::{EngineScore, Evaluation, NodeId, PgnGame, Tags, number_moves};

use crate::model::{About, Analysis, Game, Judgement, Label, Line, Move, Opening, Reason};
use crate::read::main_line::MainLine;

/// What is said in comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CommentStyle {
    /// Evaluations as codes, which Lichess and others read, and words and lines
    Lichess,
    /// Words and lines alone, for Scid, ChessBase and paper
    Text,
    /// Codes alone, for programs
    Tags,
}

/// What becomes of the quality sign that a move of the file has, `!` to `?!`, where the analysis has one too: a move has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum QualitySigns {
    /// It stays, and the analysis sets none
    Keep,
    /// That of the analysis takes its place
    Replace,
}

/// What is said of moves beyond judgements, if it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Remarks {
    /// The label of each move.
    pub labels: bool,
    /// Why a bad move is bad, where that is proved.
    pub reasons: bool,
}

/// The NAGs for `?!`, `?` and `??`, for a brilliant and a great move, and for an only move.
const INACCURACY: u8 = 6;
const MISTAKE: u8 = 2;
const BLUNDER: u8 = 4;
const BRILLIANT: u8 = 3;
const GREAT: u8 = 1;
const ONLY_MOVE: u8 = 7;

/// The most half-moves of a better line that does not end in mate: the rest is seldom what would come.
const LINE_LENGTH: usize = 12;

/// The game with what was found in it.
pub(crate) fn annotated(
    source: &PgnGame,
    main_line: &MainLine,
    game: &Game,
    annotator: &str,
    style: CommentStyle,
    signs: QualitySigns,
    remarks: Remarks,
) -> PgnGame {
    let mut pgn = source.clone();
    if let Some(opening) = &game.opening {
        name_opening(&mut pgn.tags, opening);
    }
    // Lichess takes an imported game with this tag for analysed, and does not analyse it: lila's issue 4390.
    if style != CommentStyle::Lichess && is_unknown(&pgn.tags, "Annotator") {
        pgn.tags.set("Annotator", annotator);
    }
    if let ([position], []) = (&game.positions[..], &game.moves[..])
        && let Some(analysis) = &position.analysis
    {
        annotate_position(&mut pgn, analysis, &main_line.boards[0], style);
    }
    for (index, (mv, &id)) in game.moves.iter().zip(&main_line.nodes).enumerate() {
        let [before, after] = [index, index + 1].map(|index| game.positions[index].analysis.as_ref());
        annotate_move(&mut pgn, id, mv, after, signs);
        if style == CommentStyle::Tags {
            continue;
        }
        let better = better_line(mv, before);
        say(&mut pgn, id, &judged(mv, before.zip(after), better, style, remarks));
        if let Some(line) = better {
            add_line(&mut pgn, id, line, &main_line.boards[index]);
        }
    }
    if style == CommentStyle::Text {
        remove_codes(&mut pgn);
    }
    for finding in game.findings.iter().filter(|_| style != CommentStyle::Tags) {
        let place = finding.position as usize;
        let id = place.checked_sub(1).and_then(|index| main_line.nodes.get(index)).copied().unwrap_or(NodeId::ROOT);
        say(&mut pgn, id, &finding.text);
    }
    pgn
}

/// Tags the opening where the game does not do so itself. A code of the game's own is not mixed with the name of another.
fn name_opening(tags: &mut Tags, opening: &Opening) {
    if is_unknown(tags, "ECO") {
        tags.set("ECO", &opening.eco[..]);
    }
    if is_unknown(tags, "Opening") && tags.get("ECO") == Some(&opening.eco) {
        tags.set("Opening", &opening.name[..]);
    }
}

/// Whether a tag is missing or says nothing.
fn is_unknown(tags: &Tags, name: &str) -> bool {
    tags.get(name).is_none_or(|value| ["", "?"].contains(&value.trim()))
}

/// A position without moves: its evaluation and best lines as text, since variations need a move to differ from.
fn annotate_position(pgn: &mut PgnGame, analysis: &Analysis, board: &Board, style: CommentStyle) {
    pgn.tree.node_mut(NodeId::ROOT).evaluation = evaluation(analysis.score);
    for line in analysis.lines.iter().filter(|_| style != CommentStyle::Tags) {
        let score = line.score;
        say(pgn, NodeId::ROOT, &format!("{score}: {}.", number_moves(board, &line.san)));
    }
}

fn annotate_move(pgn: &mut PgnGame, id: NodeId, mv: &Move, after: Option<&Analysis>, signs: QualitySigns) {
    let node = pgn.tree.node_mut(id);
    if let Some(analysis) = after {
        node.evaluation = evaluation(analysis.score);
    }
    let nag = match mv.judgement {
        Some(Judgement::Inaccuracy) => Some(INACCURACY),
        Some(Judgement::Mistake) => Some(MISTAKE),
        Some(Judgement::Blunder) => Some(BLUNDER),
        None => match mv.label {
            Some(Label::Brilliant) => Some(BRILLIANT),
            Some(Label::Great) => Some(GREAT),
            _ => mv.only_move.then_some(ONLY_MOVE),
        },
    };
    let is_quality = |nag: &u8| (1..=6).contains(nag);
    if nag.as_ref().is_some_and(is_quality) && node.nags.iter().any(is_quality) {
        match signs {
            QualitySigns::Keep => return,
            QualitySigns::Replace => node.nags.retain(|nag| !is_quality(nag)),
        }
    }
    node.nags.extend(nag.filter(|nag| !node.nags.contains(nag)));
}

/// What is said of a move. As text, the evaluations before and after it stand with its judgement, and the best move.
fn judged(
    mv: &Move,
    around: Option<(&Analysis, &Analysis)>,
    better: Option<&Line>,
    style: CommentStyle,
    remarks: Remarks,
) -> String {
    let mut words = Vec::new();
    let name = match mv.judgement {
        Some(Judgement::Inaccuracy) => Some("Inaccuracy"),
        Some(Judgement::Mistake) => Some("Mistake"),
        Some(Judgement::Blunder) => Some("Blunder"),
        None => None,
    };
    let cost = around.map(|(before, after)| format!("{} to {}", before.score, after.score));
    match (name, cost.filter(|_| style == CommentStyle::Text)) {
        (Some(name), Some(cost)) => {
            let best = better.and_then(|line| line.san.first()).map(|san| format!("; {san} was best"));
            words.push(format!("{name}: {cost}{}.", best.unwrap_or_default()));
        }
        (Some(name), None) => words.push(format!("{name}.")),
        (None, _) => {}
    }
    if let Some(moves) = mv.missed_mate {
        words.push(format!("Misses mate in {moves}."));
    }
    match mv.label {
        Some(Label::Brilliant) => words.push("Brilliant.".to_owned()),
        Some(Label::Great) => words.push("Great.".to_owned()),
        Some(Label::Miss) => words.push("A miss.".to_owned()),
        _ if mv.only_move => words.push("The only move.".to_owned()),
        Some(label @ (Label::Best | Label::Excellent | Label::Good | Label::Book | Label::Forced))
            if remarks.labels =>
        {
            words.push(capital(label.name()) + ".");
        }
        _ => {}
    }
    if remarks.reasons {
        // A mate that was missed has been told of.
        let told =
            |reason: &&Reason| mv.missed_mate.is_none() || reason.mate.is_none() || reason.about != About::Missed;
        words.extend(mv.reasons.iter().filter(told).map(|reason| reason.text.clone()));
    }
    words.join(" ")
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// Takes all evaluations away, those of the file and of variations too: others would contradict the words.
fn remove_codes(pgn: &mut PgnGame) {
    for id in pgn.tree.ids() {
        pgn.tree.node_mut(id).evaluation = None;
    }
}

/// The line that would have been better, if the move was bad enough to show it.
fn better_line<'a>(mv: &Move, before: Option<&'a Analysis>) -> Option<&'a Line> {
    let is_bad = mv.judgement.is_some() || mv.missed_mate.is_some();
    before.filter(|_| is_bad && !mv.best).and_then(|analysis| analysis.lines.first())
}

/// Adds a line as a variation instead of the move at `id`.
fn add_line(pgn: &mut PgnGame, id: NodeId, line: &Line, before: &Board) {
    let Some(mut at) = pgn.tree.parent(id) else { return };
    let mut board = *before;
    let length = if matches!(line.score, EngineScore::Mate(_)) { line.uci.len() } else { LINE_LENGTH };
    for (index, text) in line.uci.iter().take(length).enumerate() {
        let Ok(mv) = board.parse_uci(text) else { return };
        // A full tree has no room for more.
        let Some(next) = pgn.tree.add(at, Some(mv)) else { return };
        if index == 0 {
            pgn.tree.node_mut(next).evaluation = evaluation(line.score);
        }
        board.play(mv, &mut ());
        at = next;
    }
}

/// Adds a sentence to a comment.
fn say(pgn: &mut PgnGame, id: NodeId, text: &str) {
    let comment = &mut pgn.tree.node_mut(id).comment;
    if !comment.is_empty() && !text.is_empty() {
        comment.push(' ');
    }
    comment.push_str(text);
}

/// A score as PGN keeps it; a mate on the board has none.
pub(crate) const fn evaluation(score: EngineScore) -> Option<Evaluation> {
    let score = match score {
        EngineScore::Mate(0) => return None,
        EngineScore::Mate(moves) => EngineScore::Mate(moves),
        EngineScore::Centipawns(value) => EngineScore::Centipawns(value),
    };
    // Without its depth, which not every reader knows.
    Some(Evaluation { score, depth: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_tagged_where_the_game_does_not() {
        let opening = Opening { eco: "B90".to_owned(), name: "Najdorf".to_owned() };
        for (before, eco, name) in [
            (vec![], "B90", Some("Najdorf")),
            (vec![("ECO", "?"), ("Opening", "")], "B90", Some("Najdorf")),
            (vec![("ECO", "B90")], "B90", Some("Najdorf")),
            (vec![("ECO", "B92")], "B92", None),
            (vec![("Opening", "Mine")], "B90", Some("Mine")),
            (vec![("ECO", "B92"), ("Opening", "Mine")], "B92", Some("Mine")),
        ] {
            let mut tags = Tags::default();
            before.iter().for_each(|&(name, value)| tags.set(name, value));
            name_opening(&mut tags, &opening);
            assert_eq!((tags.get("ECO"), tags.get("Opening")), (Some(eco), name), "{before:?}");
        }
    }

    #[test]
    fn a_move_has_one_quality_sign() {
        let text = "1. e4 $1 $14 e5 $6 2. Nf3 $14 *";
        for (signs, expected) in [(QualitySigns::Keep, [1, 6, 2]), (QualitySigns::Replace, [2, 2, 2])] {
            let mut pgn = pgn::PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
            let nodes: Vec<_> = pgn.tree.main_line().map(|(id, _)| id).collect();
            for (&id, expected) in nodes.iter().zip(expected) {
                let mut mv: Move = serde_json::from_value(serde_json::json!({
                    "number": 1, "side": "white", "san": "e4", "uci": "e2e4", "clock_ms": null, "elapsed_ms": null,
                    "forced": false, "best": false, "loss": 0.1, "centipawn_loss": 90, "accuracy": 50.0,
                    "judgement": "mistake", "only_move": false, "missed_mate": null, "nags": [], "comment": "",
                    "file_evaluation": null,
                }))
                .unwrap();
                annotate_move(&mut pgn, id, &mv, None, signs);
                let quality: Vec<_> = pgn.tree.node(id).nags.iter().filter(|nag| (1..=6).contains(*nag)).collect();
                assert_eq!(quality, [&expected], "{signs:?}");
                // What is no fault leaves all as it is.
                mv.judgement = None;
                let before = pgn.tree.node(id).clone();
                annotate_move(&mut pgn, id, &mv, None, signs);
                assert_eq!(*pgn.tree.node(id), before);
            }
            assert!(pgn.tree.node(nodes[0]).nags.contains(&14));
        }
    }

    #[test]
    fn scores_and_moves_are_written_as_people_do() {
        let score = |score: EngineScore| score.to_string();
        assert_eq!(
            [
                score(EngineScore::Centipawns(31)),
                score(EngineScore::Centipawns(-120)),
                score(EngineScore::Centipawns(0))
            ],
            ["+0.31", "-1.20", "+0.00"]
        );
        assert_eq!([score(EngineScore::Mate(3)), score(EngineScore::Mate(-3))], ["#3", "#-3"]);
        assert_eq!(evaluation(EngineScore::Mate(0)), None, "on the board");
        let moves = ["e4", "e5", "Nf3"].map(str::to_owned);
        assert_eq!(number_moves(&Board::start(), moves), "1. e4 e5 2. Nf3");
        let black = Board::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 12").unwrap();
        assert_eq!(number_moves(&black, ["Kd7", "Kd2", "Kd6"].map(str::to_owned)), "12... Kd7 13. Kd2 Kd6");
        assert_eq!(number_moves(&black, [""; 0]), "");
    }
}
