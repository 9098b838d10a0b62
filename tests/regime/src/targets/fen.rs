//! A FEN, and the moves of the position it describes.

use movegen::{Board, CastlingStyle, FenStyle};

/// Whatever can be read is written so that it reads the same, in both styles, and so is each position after a move.
///
/// # Panics
///
/// If it is not.
pub fn check(data: &[u8]) {
    let Ok((board, _)) = Board::from_fen_with_warnings(&pgn::decode(data)) else { return };
    round_trip(&board);
    for mv in board.legal_moves() {
        assert_eq!(board.parse_uci(&mv.uci(CastlingStyle::Chess960).to_string()).as_ref(), Ok(&mv), "{board:?}");
        assert_eq!(board.parse_san(&board.san(mv)).as_ref(), Ok(&mv), "{board:?}");
        let mut after = board;
        after.play(mv, &mut ());
        round_trip(&after);
    }
}

/// Checks that a board is read as it was written.
pub(super) fn round_trip(board: &Board) {
    for style in [FenStyle::Standard, FenStyle::Shredder] {
        let fen = board.fen(style);
        assert_eq!(Board::from_fen(&fen).as_ref(), Ok(board), "{fen}");
    }
}
