//! Pieces that are attacked: unguarded, exchanged at a loss, forked or trapped; and pawns that promote.

use movegen::{Board, PieceType, Square};

use super::material::{reaches, settled, value};
use super::motif::{Motif, attackers, attacks_from, type_on};
use super::proof::Tactic;
use super::words::piece_at;
use crate::model::ReasonKind;

/// The first move takes a piece, and nothing can take back.
pub(crate) fn hanging_piece(tactic: &Tactic) -> Option<Motif> {
    let first = tactic.first();
    let (square, piece_type) = tactic.victim().filter(|_| tactic.decisive() == 0)?;
    let is_guarded = attackers(&tactic.start, square, tactic.loser()).any();
    (!is_guarded && !takes_back(tactic)).then(|| Motif {
        kind: ReasonKind::HangingPiece,
        squares: vec![first.from(), square],
        arrows: vec![(first.from(), first.to())],
        clause: format!("takes the {}, which nothing guards", piece_at(piece_type, square)),
    })
}

/// Whether the reply to the first move could take on its square.
pub(super) fn takes_back(tactic: &Tactic) -> bool {
    can_take(tactic.shown(), tactic.first().to())
}

/// Whether the side to move has a legal move to a square that a piece of the other stands on.
pub(super) fn can_take(board: &Board, square: Square) -> bool {
    board.legal_moves().into_iter().any(|reply| reply.to() == square && !reply.is_castling())
}

/// All captures of the line are on one square.
pub(crate) fn bad_exchange(tactic: &Tactic) -> Option<Motif> {
    let first = tactic.first();
    let square = first.to();
    tactic.start.captured_by(first)?;
    let is_one = tactic.moves.iter().all(|mv| mv.to() == square);
    is_one.then(|| Motif {
        kind: ReasonKind::BadExchange,
        squares: vec![first.from(), square],
        arrows: vec![(first.from(), square)],
        clause: format!("comes out ahead on {square}"),
    })
}

/// A pawn promotes, and that decides.
pub(crate) fn promotion(tactic: &Tactic) -> Option<Motif> {
    let mv = tactic.moves[tactic.decisive()];
    mv.promotes_to()?;
    Some(Motif {
        kind: ReasonKind::Promotion,
        squares: vec![mv.from(), mv.to()],
        arrows: vec![(mv.from(), mv.to())],
        clause: format!("{} a pawn", if tactic.decisive() == 0 { "promotes" } else { "goes on to promote" }),
    })
}

/// The piece that moved first attacks two pieces that are worth more than it, not guarded, or the king, and then takes one.
pub(crate) fn fork(tactic: &Tactic) -> Option<Motif> {
    let (square, _) = tactic.victim()?;
    let from = tactic.first().to();
    let decisive = tactic.decisive();
    if decisive != 2 || tactic.moves[decisive].from() != from || tactic.first().is_castling() {
        return None;
    }
    let board = tactic.shown();
    let own = value(type_on(board, from)?);
    let is_target = |&target: &Square| {
        let Some(piece_type) = type_on(board, target) else { return false };
        let is_loose = attackers(board, target, tactic.loser()).is_empty();
        piece_type == PieceType::King || value(piece_type) > own || is_loose && piece_type != PieceType::Pawn
    };
    let targets: Vec<_> =
        (attacks_from(board, from) & board.colors(tactic.loser())).into_iter().filter(is_target).collect();
    // What stands on a line with the other is skewered, which is another thing.
    let is_taken =
        targets.contains(&square) && type_on(board, square) == tactic.victim().map(|(_, piece_type)| piece_type);
    if targets.len() < 2 || !is_taken {
        return None;
    }
    let names: Vec<_> = targets.iter().filter_map(|&at| Some(piece_at(type_on(board, at)?, at))).collect();
    Some(Motif {
        kind: ReasonKind::Fork,
        squares: std::iter::once(from).chain(targets.iter().copied()).collect(),
        arrows: std::iter::once((tactic.first().from(), from)).chain(targets.iter().map(|&to| (from, to))).collect(),
        clause: format!("forks the {}", super::words::listed(&names, "and the")),
    })
}

/// The first move attacks a piece that then loses at least as much wherever it goes, and falls.
pub(crate) fn trapped_piece(tactic: &Tactic) -> Option<Motif> {
    let (square, piece_type) = tactic.victim()?;
    if tactic.decisive() != 2 || value(piece_type) < 3 || tactic.start.captured_by(tactic.first()).is_some() {
        return None;
    }
    let reply = tactic.moves[1];
    let at = if reply.to() == square { reply.from() } else { square };
    let board = tactic.shown();
    let from = tactic.first().to();
    if type_on(board, at) != Some(piece_type) || !attacks_from(board, from).contains(at) || board.in_check() {
        return None;
    }
    // Nothing attacked it before: what hangs is not trapped.
    let had = settled(&tactic.start, tactic.winner)?.balance;
    let aim = settled(tactic.boards.last()?, tactic.winner)?.balance;
    let mut escapes = board.legal_moves().into_iter().filter(|mv| mv.from() == at);
    let is_trapped = escapes.all(|mv| reaches(&board.after(mv), aim, &mut 0) == Some(true));
    (is_trapped && had < aim).then(|| Motif {
        kind: ReasonKind::TrappedPiece,
        squares: vec![from, at],
        arrows: vec![(tactic.first().from(), from), (from, at)],
        clause: format!("traps the {}", piece_at(piece_type, at)),
    })
}
