//! The rules of chess and Chess960.
//!
//! A [`Board`] is a small value that always holds a legal position; it is read from a FEN, lists and judges moves,
//! and plays them on a copy. A [`Position`] adds the history that repetition needs, a [`Game`] clocks, claims and the
//! end by the laws. Nothing here evaluates, prints or reads anything.
//!
//! ```
//! use movegen::{Board, perft};
//!
//! let mut board = Board::start();
//! let mv = board.legal_moves()[0];
//! board.play(mv, &mut ());
//! assert_eq!(perft(&board, 1), 20);
//! ```

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
pub mod cycle;
mod game;
mod key;
mod moves;
mod notation;
mod perft;
mod piece;
mod position;
mod square;
pub mod unwinnable;

pub use bitboard::{Bitboard, Squares};
pub use board::{
    Board, CastlingFlag, CastlingRook, Checks, FenError, FenStyle, MoveSink, MovesOf, Observer, Setup, SetupError,
    SetupWarning, Threats,
};
pub use castling::{CastlingRights, CastlingSide};
pub use color::{ByColor, Color};
pub use game::{
    Bonus, Claim, Clock, DrawReason, Event, Fault, Game, GameError, IllegalMoves, Outcome, Period, Record, Rules,
    TimeControl, TimeControlError, Victory,
};
pub use key::{Key, Keys};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use notation::{CastlingStyle, MoveError};
pub use perft::{divide, divide_until, perft};
pub use piece::{ByPieceType, Piece, PieceType};
pub use position::Position;
pub use square::{File, ParseSquareError, Rank, Square};
pub use unwinnable::{Budget, Proof, Verdict};
