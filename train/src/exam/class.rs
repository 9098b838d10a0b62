//! The classes of positions that an exam tells apart. A position may be of several.
//!
//! In the rules below "pieces" are all men on the board, kings and pawns among them, as in the output buckets.

use movegen::{Bitboard, Board, Color, File, PieceType};

use crate::exam::Labelled;

/// A class of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Every position.
    All,
    /// The best move is neither a capture nor a promotion.
    Quiet,
    /// It is one.
    NotQuiet,
    /// From 28 pieces: hardly anything has been exchanged.
    Opening,
    /// From 15 to 27 pieces, a queen among them.
    Middlegame,
    /// At least 15 pieces, no queen among them.
    Queenless,
    /// Kings and pawns alone, at least one pawn.
    PawnEnding,
    /// Kings, pawns and rooks alone, at least one rook on each side.
    RookEnding,
    /// Kings, pawns and queens alone, at least one queen on each side.
    QueenEnding,
    /// Kings, pawns, knights and bishops alone, at least one of the last two.
    MinorEnding,
    /// Kings, pawns and one bishop each, on squares of different colors.
    OppositeBishops,
    /// One side has more of the queens, the rooks or the minor pieces, the other side more of another of these: the
    /// exchange, a rook for minor pieces, a queen for pieces.
    Imbalance,
    /// A queen on each side, one king on the files a to c, the other one on f to h.
    OppositeWings,
    /// At least four rams: a white pawn with a black one right in front of it.
    Closed,
}

/// The least number of rams in a closed position.
const RAMS: usize = 4;
const OPENING_FROM: usize = 28;
const MIDDLEGAME_FROM: usize = 15;

impl Class {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 14] = [
        Self::All,
        Self::Quiet,
        Self::NotQuiet,
        Self::Opening,
        Self::Middlegame,
        Self::Queenless,
        Self::PawnEnding,
        Self::RookEnding,
        Self::QueenEnding,
        Self::MinorEnding,
        Self::OppositeBishops,
        Self::Imbalance,
        Self::OppositeWings,
        Self::Closed,
    ];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Quiet => "quiet",
            Self::NotQuiet => "not quiet",
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Queenless => "queenless middlegame",
            Self::PawnEnding => "pawn endings",
            Self::RookEnding => "rook endings",
            Self::QueenEnding => "queen endings",
            Self::MinorEnding => "minor endings",
            Self::OppositeBishops => "opposite bishops",
            Self::Imbalance => "imbalances",
            Self::OppositeWings => "opposite-wing kings",
            Self::Closed => "closed",
        }
    }

    /// Whether a position belongs to it.
    #[must_use]
    pub fn contains(self, labelled: &Labelled) -> bool {
        let board = &labelled.board;
        let total = board.occupied().count();
        match self {
            Self::All => true,
            Self::Quiet => labelled.is_quiet(),
            Self::NotQuiet => !labelled.is_quiet(),
            Self::Opening => total >= OPENING_FROM,
            Self::Middlegame => {
                (MIDDLEGAME_FROM..OPENING_FROM).contains(&total) && board.pieces(PieceType::Queen).any()
            }
            Self::Queenless => total >= MIDDLEGAME_FROM && board.pieces(PieceType::Queen).is_empty(),
            Self::PawnEnding => is_ending_of(board, &[]) && board.pieces(PieceType::Pawn).any(),
            Self::RookEnding => is_ending_of(board, &[PieceType::Rook]) && both_have(board, PieceType::Rook),
            Self::QueenEnding => is_ending_of(board, &[PieceType::Queen]) && both_have(board, PieceType::Queen),
            Self::MinorEnding => is_ending_of(board, &MINOR) && minors(board).any(),
            Self::OppositeBishops => is_ending_of(board, &[PieceType::Bishop]) && has_opposite_bishops(board),
            Self::Imbalance => is_imbalanced(board),
            Self::OppositeWings => both_have(board, PieceType::Queen) && kings_are_on_opposite_wings(board),
            Self::Closed => rams(board) >= RAMS,
        }
    }
}

const MINOR: [PieceType; 2] = [PieceType::Knight, PieceType::Bishop];

/// Whether there is nothing but kings, pawns and these.
fn is_ending_of(board: &Board, kinds: &[PieceType]) -> bool {
    let allowed = [PieceType::King, PieceType::Pawn].iter().chain(kinds);
    allowed.map(|&kind| board.pieces(kind).count()).sum::<usize>() == board.occupied().count()
}

fn both_have(board: &Board, kind: PieceType) -> bool {
    Color::ALL.into_iter().all(|color| board.colored_pieces(color, kind).any())
}

fn minors(board: &Board) -> Bitboard {
    board.pieces(PieceType::Knight) | board.pieces(PieceType::Bishop)
}

fn has_opposite_bishops(board: &Board) -> bool {
    let bishops = board.pieces(PieceType::Bishop);
    bishops.count() == 2 && both_have(board, PieceType::Bishop) && (bishops & Bitboard::LIGHT_SQUARES).count() == 1
}

fn is_imbalanced(board: &Board) -> bool {
    let lead = |pieces: Bitboard| {
        let [white, black] = Color::ALL.map(|color| (pieces & board.colors(color)).count());
        white.cmp(&black)
    };
    let leads = [lead(board.pieces(PieceType::Queen)), lead(board.pieces(PieceType::Rook)), lead(minors(board))];
    leads.iter().any(|lead| lead.is_gt()) && leads.iter().any(|lead| lead.is_lt())
}

fn kings_are_on_opposite_wings(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|color| board.king(color).file());
    white.min(black) <= File::C && white.max(black) >= File::F
}

fn rams(board: &Board) -> usize {
    let [white, black] = Color::ALL.map(|color| board.colored_pieces(color, PieceType::Pawn));
    (white.forward(Color::White) & black).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(fen: &str) -> Vec<&'static str> {
        let board = Board::from_fen(fen).unwrap();
        let best = board.legal_moves().into_iter().find(|&mv| !board.is_noisy(mv)).unwrap();
        let labelled = Labelled { board, best, score: 0 };
        let classes =
            Class::ALL.into_iter().filter(|class| class.contains(&labelled)).map(Class::name).collect::<Vec<_>>();
        assert_eq!(classes[..2], ["all", "quiet"], "{fen}");
        classes[2..].to_vec()
    }

    #[test]
    fn positions_are_of_the_classes_that_players_put_them_in() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", &["opening"][..]),
            ("8/5k2/4p3/4P3/4K3/8/8/8 w - -", &["pawn endings"]),
            ("8/8/4k3/8/4K3/8/8/8 w - -", &[]),
            ("8/5k2/r3p3/4P3/4K3/8/7R/8 w - -", &["rook endings"]),
            ("8/5k2/4p3/4P3/4K3/8/7R/8 w - -", &[]),
            ("8/5k2/4p1r1/4P3/4K2R/8/7N/8 w - -", &[]),
            ("8/5k2/q3p3/4P3/5K2/8/7Q/8 b - -", &["queen endings"]),
            ("8/5k2/b3p3/4P3/4K3/8/7N/8 w - -", &["minor endings"]),
            ("8/5k2/b3p3/4P3/4K3/8/7B/8 w - -", &["minor endings", "opposite bishops"]),
            ("8/5k2/1b2p3/4P3/4K3/8/7B/8 w - -", &["minor endings"]),
            ("8/5kn1/b3p3/4P3/4K3/6N1/7B/8 w - -", &["minor endings"]),
            ("8/5k2/4pn2/4P3/3K4/8/7R/8 w - -", &["imbalances"]),
            ("8/5k2/4pn2/4P3/2QK4/8/7R/r7 w - -", &["imbalances"]),
            ("r4rk1/5pp1/8/8/8/8/5PP1/1Q3K2 w - -", &["imbalances"]),
            ("2kr4/ppp2q2/8/8/8/8/5PPP/3Q1RK1 w - -", &["opposite-wing kings"]),
            ("3kr3/ppp2q2/8/8/8/8/5PPP/2Q2RK1 w - -", &[]),
            ("2kr4/ppp5/8/8/8/8/5PPP/3Q1RK1 w - -", &[]),
            ("6k1/8/p1p1p1p1/P1P1P1P1/8/8/8/R5K1 w - -", &["closed"]),
            ("6k1/7p/p1p1p3/P1P1P1P1/8/8/8/R5K1 w - -", &[]),
            ("r4rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R4RK1 w - -", &["queenless middlegame"]),
            ("r2q1rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R2Q1RK1 w - -", &["middlegame"]),
        ] {
            assert_eq!(classes(fen), expected, "{fen}");
        }
    }

    #[test]
    fn a_capture_or_promotion_is_not_quiet() {
        for (fen, best, quiet) in [
            ("4k3/P7/8/8/8/8/8/4K3 w - -", "a8=Q", false),
            ("4k3/P7/8/8/8/8/8/4K3 w - -", "Kd2", true),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - -", "exd5", false),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let labelled = Labelled { best: board.parse_san(best).unwrap(), board, score: 0 };
            assert_eq!([Class::Quiet, Class::NotQuiet].map(|class| class.contains(&labelled)), [quiet, !quiet]);
        }
    }
}
