//! Along lines: pins, skewers, discovered attacks and double checks.

use movegen::attacks::between;
use movegen::{Board, Color, PieceType, Square};

use super::material::value;
use super::motif::{Motif, attackers, slides, type_on};
use super::proof::Tactic;
use super::words::piece_at;
use crate::model::ReasonKind;

/// The first move gives check with two pieces.
pub(crate) fn double_check(tactic: &Tactic) -> Option<Motif> {
    let board = tactic.shown();
    let king = board.king(tactic.loser());
    let checkers = attackers(board, king, tactic.winner);
    checkers.more_than_one().then(|| Motif {
        kind: ReasonKind::DoubleCheck,
        squares: checkers.into_iter().chain([king]).collect(),
        arrows: checkers.into_iter().map(|checker| (checker, king)).collect(),
        clause: "is a double check".to_owned(),
    })
}

/// The first move leaves the line on which a piece behind it then takes.
pub(crate) fn discovered_attack(tactic: &Tactic) -> Option<Motif> {
    let (square, piece_type) = tactic.victim()?;
    let first = tactic.first();
    if tactic.decisive() != 2 || first.is_castling() {
        return None;
    }
    let slider = tactic.moves[2].from();
    let slider_type = type_on(&tactic.start, slider)?;
    let line = between(slider, square);
    let is_discovered = slides(slider_type, slider, square)
        && line & tactic.start.occupied() == first.from().bitboard()
        && (line & tactic.shown().occupied()).is_empty()
        && tactic.start.colors(tactic.winner).contains(slider)
        && tactic.stays(square, piece_type)
        && tactic.start.colors(tactic.loser()).contains(square);
    is_discovered.then(|| Motif {
        kind: ReasonKind::DiscoveredAttack,
        squares: vec![slider, square],
        arrows: vec![(first.from(), first.to()), (slider, square)],
        clause: format!("discovers an attack on the {}", piece_at(piece_type, square)),
    })
}

/// The first move attacks along a line, what stands in front leaves it, and what stands behind falls.
pub(crate) fn skewer(tactic: &Tactic) -> Option<Motif> {
    let (square, piece_type) = tactic.victim()?;
    let slider = tactic.first().to();
    if tactic.decisive() != 2 || tactic.moves[2].from() != slider {
        return None;
    }
    let board = tactic.shown();
    let front = tactic.moves[1].from();
    let front_type = type_on(board, front)?;
    let is_in_front = slides(type_on(board, slider)?, slider, square)
        && between(slider, square) & board.occupied() == front.bitboard()
        && tactic.stays(square, piece_type);
    let is_worth_more = front_type == PieceType::King || value(front_type) > value(piece_type);
    (is_in_front && is_worth_more).then(|| Motif {
        kind: ReasonKind::Skewer,
        squares: vec![slider, front, square],
        arrows: vec![(tactic.first().from(), slider), (slider, square)],
        clause: format!("skewers the {} and the {}", piece_at(front_type, front), piece_at(piece_type, square)),
    })
}

/// What falls could not leave its line, because of the king behind it.
pub(crate) fn pin(tactic: &Tactic) -> Option<Motif> {
    let (square, piece_type) = tactic.victim()?;
    let decisive = tactic.decisive();
    let board = tactic.shown();
    // It must have been pinned when it could have moved, and have stayed where it was.
    let pinner = pinner_of(board, square, tactic.loser())?;
    if decisive != 2 || !tactic.stays(square, piece_type) || piece_type == PieceType::Pawn {
        return None;
    }
    let king = board.king(tactic.loser());
    Some(Motif {
        kind: ReasonKind::Pin,
        squares: vec![pinner, square, king],
        arrows: vec![(pinner, king), (tactic.moves[2].from(), square)],
        clause: format!("uses the pin of the {}", piece_at(piece_type, square)),
    })
}

/// What guards the piece that is taken first is pinned to its king, and cannot take back.
pub(crate) fn pinned_defender(tactic: &Tactic) -> Option<Motif> {
    let (square, piece_type) = tactic.victim().filter(|_| tactic.decisive() == 0)?;
    if super::attack::takes_back(tactic) {
        return None;
    }
    let (board, loser) = (tactic.shown(), tactic.loser());
    let mut guards = attackers(&tactic.start, square, loser).into_iter();
    let (guard, pinner) = guards.find_map(|guard| Some((guard, pinner_of(board, guard, loser)?)))?;
    let guard_type = type_on(board, guard)?;
    Some(Motif {
        kind: ReasonKind::Pin,
        squares: vec![pinner, guard, square],
        arrows: vec![(tactic.first().from(), square), (pinner, board.king(loser))],
        clause: format!(
            "takes the {}, which the pinned {} does not guard",
            piece_at(piece_type, square),
            piece_at(guard_type, guard)
        ),
    })
}

/// The piece that pins what stands on a square to the king of its side.
fn pinner_of(board: &Board, square: Square, side: Color) -> Option<Square> {
    let king = board.king(side);
    if !board.colors(side).contains(square) || square == king {
        return None;
    }
    board.colors(!side).into_iter().find(|&pinner| {
        type_on(board, pinner).is_some_and(|piece_type| slides(piece_type, pinner, king))
            && between(pinner, king) & board.occupied() == square.bitboard()
    })
}
