//! Facts in words.

use movegen::{Board, Color, PieceType, Square};

/// `knight on e5`.
pub(crate) fn piece_at(piece_type: PieceType, square: Square) -> String {
    format!("{} on {square}", piece_type.name())
}

/// `a, b and c`, with these words before the last.
pub(crate) fn listed(names: &[String], before_last: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} {before_last} {last}", all.join(", ")),
    }
}

/// What a side has won between two positions, against what it gave: `a knight`, `the exchange`, `a queen for a rook`.
/// `None` if it has won nothing.
pub(crate) fn won(before: &Board, after: &Board, side: Color) -> Option<String> {
    let of = |board: &Board, piece_type| {
        board.colored_pieces(side, piece_type).count() as i32 - board.colored_pieces(!side, piece_type).count() as i32
    };
    let change = |piece_type| of(after, piece_type) - of(before, piece_type);
    let mut changes = [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn]
        .map(|piece_type| (piece_type, change(piece_type)));
    // A bishop for a knight is neither won nor lost.
    if changes[2].1.signum() * changes[3].1.signum() < 0 {
        let equal = changes[2].1.abs().min(changes[3].1.abs());
        changes[2].1 -= equal * changes[2].1.signum();
        changes[3].1 -= equal * changes[3].1.signum();
    }
    let minors = changes[2].1 + changes[3].1;
    if changes[0].1 == 0 && changes[1].1 == 1 && minors == -1 && changes[4].1 == 0 {
        return Some("the exchange".to_owned());
    }
    let pieces = |sign: i32| -> Vec<String> {
        let counted = changes.iter().filter(|(_, count)| count.signum() == sign);
        counted.map(|&(piece_type, count)| number_of(piece_type, count.unsigned_abs())).collect()
    };
    let (gained, given) = (pieces(1), pieces(-1));
    match (&gained[..], &given[..]) {
        ([], _) => None,
        (_, []) => Some(listed(&gained, "and")),
        _ => Some(format!("{} for {}", listed(&gained, "and"), listed(&given, "and"))),
    }
}

/// What is won at the least, in pawns, where it may be more or something else.
pub(crate) fn at_least(pawns: i32) -> String {
    match pawns {
        1 => "a pawn at least".to_owned(),
        2 => "two pawns at least".to_owned(),
        more => format!("as much as {more} pawns at least"),
    }
}

/// `a knight`, `two pawns`.
fn number_of(piece_type: PieceType, count: u32) -> String {
    let name = piece_type.name();
    match count {
        1 => format!("a {name}"),
        2 => format!("two {name}s"),
        3 => format!("three {name}s"),
        _ => format!("{count} {name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_won_has_a_name() {
        let named = |before: &str, after: &str| {
            let board = |placement: &str| Board::from_fen(&format!("{placement} w - - 0 1")).unwrap();
            won(&board(before), &board(after), Color::White)
        };
        assert_eq!(named("4k1n1/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3").as_deref(), Some("a knight"));
        assert_eq!(named("4k1r1/8/8/8/8/8/8/1N2K3", "4k3/8/8/8/8/8/8/4K3").as_deref(), Some("the exchange"));
        assert_eq!(
            named("4k1q1/8/8/8/8/8/P7/1R2K3", "4k3/8/8/8/8/8/8/4K3").as_deref(),
            Some("a queen for a rook and a pawn")
        );
        assert_eq!(named("4k1n1/pp6/8/8/8/8/8/1B2K3", "4k3/8/8/8/8/8/8/4K3").as_deref(), Some("two pawns"));
        assert_eq!(named("4k1n1/8/8/8/8/8/8/1B2K3", "4k3/8/8/8/8/8/8/4K3"), None);
        assert_eq!(named("4k3/8/8/8/8/8/8/1B2K3", "4k3/8/8/8/8/8/8/4K3"), None);
    }
}
