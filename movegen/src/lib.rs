//! The rules of chess and Chess960.
//!
//! A [`Board`] is a small `Copy` value that always holds a legal position. It is read from a FEN, generates legal
//! moves, and plays them on a copy. A [`Position`] adds the history that repetition needs. A [`Game`] adds clocks,
//! claims and the ways a game ends by the FIDE Laws. Nothing here evaluates a position or does input and output.
//!
//! ```
//! use movegen::{Board, perft};
//!
//! let board = Board::start();
//! let mv = board.parse_san("e4")?;
//! assert!(board.legal_moves().contains(&mv));
//! let after = board.after(mv);
//! assert_eq!(perft(&after, 1), 20);
//! # Ok::<(), movegen::MoveError>(())
//! ```
//!
//! The folder `examples` has three small programs: perft, the legal moves in SAN, and a refereed game.

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
    Bonus, Claim, Clock, DrawReason, Event, Fault, Game, GameError, GameResult, IllegalMoves, Life, Outcome, Period,
    Record, Rules, TimeControl, TimeControlError, Victory,
};
pub use key::{Key, Keys};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList, MoveListIter};
pub use notation::{CastlingStyle, MoveError, San};
pub use perft::{divide, divide_until, perft};
pub use piece::{ByPieceType, Piece, PieceType};
pub use position::Position;
pub use square::{File, ParseSquareError, Rank, Square};
pub use unwinnable::{Budget, Proof, Verdict};
