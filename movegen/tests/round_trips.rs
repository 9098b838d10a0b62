//! What is written reads back as the same, along random games and for random arrangements of pieces; and no text,
//! however broken, does harm.

use std::collections::HashSet;

use movegen::{
    Board, CastlingFlag, CastlingRook, CastlingSide, CastlingStyle, Color, FenStyle, File, MoveKind, Piece, Setup,
    Square,
};
use proptest::prelude::*;
use proptest::sample::select;

/// The boards of a random game, the first included.
fn walk(start: Board, choices: &[u16]) -> Vec<Board> {
    let mut boards = vec![start];
    let mut board = start;
    for &choice in choices {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        board.play(moves[usize::from(choice) % moves.len()], &mut ());
        boards.push(board);
    }
    boards
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..160)
}

/// Games of normal chess.
fn chess() -> impl Strategy<Value = Vec<Board>> {
    choices().prop_map(|choices| walk(Board::start(), &choices))
}

/// Games of double Chess960, which includes Chess960.
fn chess960() -> impl Strategy<Value = Vec<Board>> {
    (0..960_u16, 0..960_u16, choices()).prop_filter_map("a sound start", |(white, black, choices)| {
        let (board, _) = Board::from_setup(&Setup::chess960(white, black)?).ok()?;
        Some(walk(board, &choices))
    })
}

fn last_of(games: impl Strategy<Value = Vec<Board>>) -> impl Strategy<Value = Board> {
    games.prop_filter_map("a board", |boards| boards.last().copied())
}

fn check_fen(board: &Board) -> Result<(), TestCaseError> {
    for style in [FenStyle::Standard, FenStyle::Shredder] {
        let fen = board.fen(style);
        prop_assert_eq!(Board::from_fen_with_warnings(&fen), Ok((*board, vec![])), "{}", fen);
    }
    Ok(())
}

fn check_notation(board: &Board) -> Result<(), TestCaseError> {
    let moves = board.legal_moves();
    let mut sans = HashSet::new();
    for &mv in &moves {
        let exact = mv.uci(CastlingStyle::Chess960).to_string();
        prop_assert_eq!(board.parse_uci(&exact), Ok(mv), "{} in {:?}", exact, board);

        // Only a step of the king may take the standard text of castling for itself.
        let standard = mv.uci(CastlingStyle::Standard).to_string();
        let read = board.parse_uci(&standard);
        let is_step = read.as_ref().is_ok_and(|read| {
            read.kind() == MoveKind::Normal && mv.is_castling() && mv.from().distance(read.to()) == 1
        });
        prop_assert!(read == Ok(mv) || is_step, "{} in {:?}", standard, board);

        let san = board.san(mv);
        prop_assert_eq!(board.parse_san(&san), Ok(mv), "{} in {:?}", san, board);
        let bare = san.replace(['+', '#', '=', 'x'], "").replace('O', "0");
        prop_assert_eq!(board.parse_san(&bare), Ok(mv), "{} in {:?}", bare, board);
        prop_assert!(sans.insert(san), "two moves of one name in {:?}", board);
    }
    Ok(())
}

/// Whatever is accepted keeps the promises of a board, and so do the boards one move on.
fn check_board(board: &Board) -> Result<(), TestCaseError> {
    check_fen(board)?;
    prop_assert_eq!(*board.keys(), board.fresh_keys());
    prop_assert_eq!(board.flipped().flipped(), *board);
    check_notation(board)?;
    for mv in board.legal_moves() {
        prop_assert!(board.is_legal(mv), "{} in {:?}", mv, board);
        let child = board.after(mv);
        check_fen(&child)?;
    }
    Ok(())
}

fn wish() -> impl Strategy<Value = CastlingFlag> {
    let rook = prop_oneof![
        select(&CastlingSide::ALL[..]).prop_map(CastlingRook::Outermost),
        select(&File::ALL[..]).prop_map(CastlingRook::On),
    ];
    (select(&Color::ALL[..]), rook).prop_map(|(color, rook)| CastlingFlag { color, rook })
}

/// Some pieces anywhere, often with exactly one king a side, often those on their back ranks.
fn setup() -> impl Strategy<Value = Setup> {
    let piece = (select(&Square::ALL[..]), select(&Piece::ALL[..10]));
    let kings = prop_oneof![
        (select(&Square::ALL[..8]), select(&Square::ALL[56..])).boxed(),
        (select(&Square::ALL[..]), select(&Square::ALL[..])).boxed(),
    ];
    let clocks = (any::<u32>(), any::<u32>());
    let pieces = (prop::collection::vec(piece, 0..20), kings);
    let rest = (prop::collection::vec(wish(), 0..5), prop::option::of(select(&Square::ALL[..])), clocks);
    (pieces, select(&Color::ALL[..]), rest).prop_map(|((pieces, kings), turn, (castling, en_passant, clocks))| {
        let mut setup = Setup { turn, castling, en_passant, ..Setup::EMPTY };
        (setup.halfmove_clock, setup.fullmove_number) = clocks;
        let kings = [(kings.0, Piece::WhiteKing), (kings.1, Piece::BlackKing)];
        for (square, piece) in pieces.into_iter().chain(kings) {
            setup.pieces[square as usize] = Some(piece);
        }
        setup
    })
}

/// A text with a few letters swapped, replaced, put in or taken out.
fn mutated(text: String) -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        8 => select("KQRBNPkqrbnpABCDEFGHabcdefgh0123456789/- w\t".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    let place = any::<prop::sample::Index>;
    prop::collection::vec((place(), place(), 0..6_u8, letter), 1..4).prop_map(move |edits| {
        let mut letters = text.chars().collect::<Vec<_>>();
        for (place, other, edit, letter) in edits {
            if letters.is_empty() {
                break;
            }
            let (at, other) = (place.index(letters.len()), other.index(letters.len()));
            match edit {
                0 => letters.insert(at, letter),
                1 => drop(letters.remove(at)),
                2 | 3 => letters[at] = letter,
                _ => letters.swap(at, other),
            }
        }
        letters.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn games_of_chess_round_trip(boards in chess()) {
        for board in boards {
            check_fen(&board)?;
            check_notation(&board)?;
        }
    }

    #[test]
    fn games_of_chess960_round_trip(boards in chess960()) {
        for board in boards {
            check_fen(&board)?;
            check_notation(&board)?;
        }
    }

    /// In normal chess the standard style is exact.
    #[test]
    fn standard_castling_is_exact_in_chess(boards in chess()) {
        for board in boards {
            for mv in board.legal_moves() {
                let text = mv.uci(CastlingStyle::Standard).to_string();
                prop_assert_eq!(board.parse_uci(&text), Ok(mv), "{} in {:?}", text, board);
            }
        }
    }

    #[test]
    fn any_arrangement_is_refused_or_sound(setup in setup()) {
        if let Ok((board, _)) = Board::from_setup(&setup) {
            check_board(&board)?;
        }
    }

    #[test]
    fn mutated_fens_are_refused_or_sound(
        fen in last_of(chess960()).prop_flat_map(|board| mutated(board.fen(FenStyle::Standard)))
    ) {
        if let Ok((board, _)) = Board::from_fen_with_warnings(&fen) {
            check_board(&board)?;
        }
    }

    #[test]
    fn mutated_moves_are_refused_or_legal(
        (board, text) in last_of(chess960()).prop_flat_map(|board| {
            let texts = board.legal_moves().iter().flat_map(|&mv| [board.san(mv), mv.to_string()]).collect::<Vec<_>>();
            let text = select(if texts.is_empty() { vec!["e2e4".to_owned()] } else { texts });
            (Just(board), text.prop_flat_map(mutated))
        })
    ) {
        for mv in [board.parse_uci(&text), board.parse_san(&text)].into_iter().flatten() {
            prop_assert!(board.is_legal(mv), "{} read as {} in {:?}", text, mv, board);
        }
    }

    #[test]
    fn garbage_does_no_harm(text in any::<String>(), letters in "[KQRBNPa-h1-8xO0=+#./ -]{0,12}") {
        let board = Board::start();
        for text in [text, letters] {
            prop_assert!(Board::from_fen(&text).is_err());
            for mv in [board.parse_uci(&text), board.parse_san(&text)].into_iter().flatten() {
                prop_assert!(board.is_legal(mv));
            }
        }
    }
}
