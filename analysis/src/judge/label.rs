//! What kind of move it was, in the words of game reviews. The first rule that applies counts:
//!
//! 1. `forced`: there is no other legal move.
//! 2. `book`: it comes before the last position of the game that the list of openings names, and loses 0.05 points at most.
//!    A bad move with a name is a bad move.
//! 3. `brilliant`: a sacrifice, by material: where captures settle, the mover is two pawns or more behind what it had, and as
//!    much behind what passing would have left it, so that it was not lost already; it captures less than it gives. It loses
//!    0.02 points at most, leaves half the points, and the game was open: the best other line is worth 0.20 to 0.70 points.
//!    Promotions and answers to check are none.
//! 4. `great`: an only move whose second line is 0.20 points worse, on which the result hangs (the mover keeps 0.40 points or
//!    more, and the second line leaves less than 0.70) and which is not plain: it takes nothing back, wins no material at once
//!    and is no promotion, and there were three legal moves or more.
//! 5. `only_move`: the best move, and the second line is more than 0.10 points worse. Taking back is none.
//! 6. `best`: the best move found, or one that loses nothing beside it and misses no mate.
//! 7. `excellent`, `good`, `inaccuracy`: up to 0.02, 0.05 and 0.10 points lost.
//! 8. `miss`: more than 0.10 points lost, but the opponent's move before had lost more than 0.10, the mover could win (0.60
//!    points or more), and no more is given back than that had given.
//! 9. `mistake` and `blunder`: up to 0.20 points lost, and more.
//!
//! Rules 3 to 5 need a second line: with one line a move is `best`, and a claim that cannot be known is not made.
//!
//! Source: the bounds and names of chess.com, "How are moves classified?"; the test of a sacrifice by what may be taken, and
//! the false alarms it resists, from the experience of programs that do the same.

use movegen::{Board, Move};

use crate::judge::judgement::{BLUNDER, INACCURACY, MISTAKE};
use crate::model::Label;
use crate::reasons::material::{balance, settled};

/// Points lost by which a move is excellent at most.
pub const EXCELLENT: f64 = 0.02;
/// Material, in pawns, that makes a sacrifice.
const SACRIFICE: i32 = 2;
/// Bounds of an open game, for the second line.
const LOST: f64 = 0.2;
const WON: f64 = 0.7;
/// What a brilliant move, a great one and a missed chance must leave or have.
const BRILLIANT_KEEPS: f64 = 0.5;
const GREAT_KEEPS: f64 = 0.4;
const GREAT_LEAD: f64 = 0.2;
const CHANCE: f64 = 0.6;

/// A move and what is known of it; points are those of the mover.
pub(crate) struct Labelled<'a> {
    /// The position before it.
    pub board: &'a Board,
    pub mv: Move,
    pub loss: f64,
    /// It is the first line that was found.
    pub is_first: bool,
    pub misses_mate: bool,
    pub is_book: bool,
    /// It takes back on the square of the capture before.
    pub retakes: bool,
    /// The points to be expected before it, and after it.
    pub before: f64,
    pub after: f64,
    /// The points of the best line other than this move.
    pub other: Option<f64>,
    /// What the opponent's move before lost.
    pub given: Option<f64>,
}

/// The label of a move.
pub(crate) fn label(of: &Labelled<'_>) -> Label {
    let legal = of.board.count_legal_moves();
    if legal == 1 {
        return Label::Forced;
    }
    // Nobody needs a book to end a game.
    if of.is_book && of.loss <= INACCURACY && of.board.after(of.mv).has_legal_move() {
        return Label::Book;
    }
    if is_brilliant(of) {
        return Label::Brilliant;
    }
    let lead = of.other.filter(|_| of.is_first).map_or(0.0, |other| of.before - other);
    if lead > MISTAKE && !of.retakes {
        return if lead >= GREAT_LEAD && legal > 2 && hangs_on(of) && !is_plain(of) {
            Label::Great
        } else {
            Label::OnlyMove
        };
    }
    match of.loss {
        _ if of.is_first => Label::Best,
        loss if loss <= 0.0 && !of.misses_mate => Label::Best,
        loss if loss <= EXCELLENT => Label::Excellent,
        loss if loss <= INACCURACY => Label::Good,
        loss if loss <= MISTAKE => Label::Inaccuracy,
        _ if is_miss(of) => Label::Miss,
        loss if loss <= BLUNDER => Label::Mistake,
        _ => Label::Blunder,
    }
}

fn is_brilliant(of: &Labelled<'_>) -> bool {
    let is_open = of.other.is_some_and(|other| (LOST..=WON).contains(&other));
    let is_sound = of.loss <= EXCELLENT && of.after >= BRILLIANT_KEEPS && !of.misses_mate;
    is_open && is_sound && !of.board.in_check() && of.mv.promotes_to().is_none() && is_sacrifice(of.board, of.mv)
}

/// Whether a move gives up material that was not lost anyway.
fn is_sacrifice(board: &Board, mv: Move) -> bool {
    let side = board.turn();
    let mut passed = *board;
    passed.play_null();
    let (Some(after), Some(otherwise)) = (settled(&board.after(mv), side), settled(&passed, side)) else {
        return false;
    };
    let had = balance(board, side).min(otherwise.balance);
    // The opponent may take: that is where it settles so low.
    after.balance <= had - SACRIFICE && !after.line.is_empty()
}

fn hangs_on(of: &Labelled<'_>) -> bool {
    of.before >= GREAT_KEEPS && of.other.is_some_and(|other| other < WON)
}

/// Whether anybody sees the move: it wins material at once.
fn is_plain(of: &Labelled<'_>) -> bool {
    let (board, side) = (of.board, of.board.turn());
    let takes = board.captured_by(of.mv).is_some() || of.mv.promotes_to().is_some();
    takes && settled(&board.after(of.mv), side).is_some_and(|after| after.balance >= balance(board, side) + SACRIFICE)
}

fn is_miss(of: &Labelled<'_>) -> bool {
    let given = of.given.filter(|&given| given > MISTAKE);
    given.is_some_and(|given| of.before >= CHANCE && of.loss <= given + EXCELLENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_follow_their_rules() {
        let table = include_str!("label/table.tsv");
        let mut counts = [0, 0];
        let mut wrong = Vec::new();
        for row in table.lines().filter(|row| !row.starts_with('#')) {
            let fields: Vec<_> = row.split('\t').collect();
            let [expected, fen, san, loss, before, other, given, flags, note] = fields[..] else { panic!("{row}") };
            let board = Board::from_fen(fen).unwrap();
            let has = |flag: &str| flags.split(' ').any(|word| word == flag);
            let (loss, before): (f64, f64) = (loss.parse().unwrap(), before.parse().unwrap());
            let found = label(&Labelled {
                board: &board,
                mv: board.parse_san(san).unwrap(),
                loss,
                is_first: has("first"),
                misses_mate: has("misses"),
                is_book: has("book"),
                retakes: has("retakes"),
                before,
                after: before - loss,
                other: other.parse().ok(),
                given: given.parse().ok(),
            });
            if found.name() != expected {
                wrong.push(format!("{san} is {}, not {expected}: {note}", found.name()));
            }
            counts[usize::from(note.starts_with('!'))] += 1;
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let [plain, false_alarms] = counts;
        assert!(plain + false_alarms >= 60 && 3 * false_alarms >= plain + false_alarms, "{counts:?}");
    }
}
