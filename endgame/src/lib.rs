//! Positions of up to four pieces, solved: who wins, and in how many half-moves.
//!
//! [`Tables::solve`] works backwards from the mates , one [`Material`] at a time, those first that captures and promotions
//! lead to. Nothing is read from files. En passant and promotions to all four pieces count; castling does not, and
//! [`Tables::probe`] gives no answer where it is still possible.
//!
//! The fifty-move rule is left out. Counted from a capture or a pawn move it would change nothing: no win of up to four
//! pieces takes 100 half-moves in all, mate included.
//!
//! ```
//! use endgame::{Outcome, Tables};
//! use movegen::Board;
//!
//! let tables = Tables::solve(&["KRvK".parse().unwrap()], |_| ());
//! let board = Board::from_fen("k7/8/2K5/8/8/8/8/7R w - - 0 1").unwrap();
//! assert_eq!(tables.probe(&board), Some(Outcome::Win { plies: 3 }));
//! ```

mod index;
mod material;
mod placement;
mod solve;
mod tables;

pub use material::{Material, MaterialError};
pub use tables::{Outcome, Tables};

/// The most pieces, kings included, that are solved.
pub const MAX_PIECES: usize = 4;
