//! Defenders that are taken or drawn away.

use movegen::{Bitboard, Square};

use super::motif::{Motif, attackers, attacks_from, type_on};
use super::proof::Tactic;
use super::words::piece_at;
use crate::model::ReasonKind;

/// The first move takes the only piece that guards another, which then falls.
pub(crate) fn removed_defender(tactic: &Tactic) -> Option<Motif> {
    let (square, piece_type) = tactic.victim()?;
    let taken = tactic.first().to();
    let guard_type = tactic.start.captured_by(tactic.first())?;
    let stayed = tactic.stays(square, piece_type) && tactic.decisive() == 2;
    if !stayed || square == taken || guards(tactic, square) != taken.bitboard() {
        return None;
    }
    Some(Motif {
        kind: ReasonKind::RemovedDefender,
        squares: vec![tactic.first().from(), taken, square],
        arrows: vec![(tactic.first().from(), taken), (tactic.moves[2].from(), square)],
        clause: format!(
            "removes the {}, which guards the {}",
            piece_at(guard_type, taken),
            piece_at(piece_type, square)
        ),
    })
}

/// The only piece that guards another has to answer the first move elsewhere, and the other falls.
pub(crate) fn deflection(tactic: &Tactic) -> Option<Motif> {
    let (square, piece_type) = tactic.victim()?;
    if tactic.decisive() != 2 || !tactic.stays(square, piece_type) {
        return None;
    }
    let (reply, board) = (tactic.moves[1], &tactic.boards[2]);
    let guard_type = type_on(tactic.shown(), reply.from())?;
    let answers = tactic.shown().in_check() || reply.to() == tactic.first().to();
    let no_longer = !attacks_from(board, reply.to()).contains(square);
    let is_only = guards(tactic, square) == reply.from().bitboard();
    (answers && no_longer && is_only && square != reply.from()).then(|| Motif {
        kind: ReasonKind::Deflection,
        squares: vec![tactic.first().to(), reply.from(), square],
        arrows: vec![(tactic.first().from(), tactic.first().to()), (tactic.moves[2].from(), square)],
        clause: format!(
            "draws the {} away from the {}",
            piece_at(guard_type, reply.from()),
            piece_at(piece_type, square)
        ),
    })
}

/// What guards a square before the line begins.
fn guards(tactic: &Tactic, square: Square) -> Bitboard {
    attackers(&tactic.start, square, tactic.loser())
}
