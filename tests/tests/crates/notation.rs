//! Move notation against shakmaty on random games, and arbitrary text as a move.

use std::collections::HashMap;

use movegen::{Board, CastlingStyle, Move, MoveError};
use proptest::prelude::*;
use rayon::prelude::*;
use shakmaty::CastlingMode;
use shakmaty::san::SanPlus;
use tests::game::Game;
use tests::peers::{sorted, sorted_shakmaty};
use tests::play::{Random, Taste, Variant, scatter};

/// Every legal move round-trips, in the same notation as shakmaty's.
fn assert_same_notation(game: &Game, variant: Variant) {
    let board = &game.ours;
    for ((_, mv), (_, theirs)) in sorted(board).into_iter().zip(sorted_shakmaty(&game.shakmaty)) {
        let san = board.san(mv);
        let expected = SanPlus::from_move_and_play_unchecked(&mut game.shakmaty.clone(), theirs).to_string();
        assert_eq!(san, expected, "{game}: {mv:?}");
        assert_eq!(board.parse_san(&san), Ok(mv), "{game}: {san}");

        let exact = mv.uci(CastlingStyle::Chess960).to_string();
        assert_eq!(exact, theirs.to_uci(CastlingMode::Chess960).to_string(), "{game}: {mv:?}");
        assert_eq!(board.parse_uci(&exact), Ok(mv), "{game}: {exact}");
        if variant == Variant::Standard {
            let usual = mv.uci(CastlingStyle::Standard).to_string();
            assert_eq!(usual, theirs.to_uci(CastlingMode::Standard).to_string(), "{game}: {mv:?}");
            assert_eq!(board.parse_uci(&usual), Ok(mv), "{game}: {usual}");
        }
    }
}

#[test]
fn random_games_agree_with_shakmaty() {
    (0..900_u64).into_par_iter().for_each(|seed| {
        let mut random = Random::new(seed);
        let variant = Variant::ALL[(seed % 3) as usize];
        let mut game = Game::from_fen(seed, &variant.start(&mut random)).unwrap();
        assert_same_notation(&game, variant);
        while game.ours.ply() < 200 && game.play_random(Taste::ALL[(seed / 3 % 5) as usize], &mut random).is_some() {
            assert_same_notation(&game, variant);
        }
    });
}

/// Many pieces of one type, which need every kind of disambiguation.
#[test]
fn scattered_pieces_agree_with_shakmaty() {
    let examined: usize = (0..60_000_u64)
        .into_par_iter()
        .filter_map(|seed| Game::from_fen(seed, &scatter(&mut Random::new(seed))))
        .map(|game| assert_same_notation(&game, Variant::DoubleChess960))
        .count();
    assert!(examined > 10_000, "only {examined} positions");
}

/// Each text of two squares and a promotion means a move exactly if that move is legal.
#[test]
fn coordinates_mean_legal_moves_only() {
    let names: Vec<String> =
        ('1'..='8').flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}"))).collect();
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut game = Game::from_fen(seed, &Variant::Standard.start(&mut random)).unwrap();
        for _ in 0..20 + 2 * seed {
            let _ = game.play_random(Taste::Pawns, &mut random);
        }
        let board = &game.ours;
        let mut legal: HashMap<String, Move> = HashMap::new();
        for mv in board.legal_moves() {
            legal.insert(mv.uci(CastlingStyle::Standard).to_string(), mv);
            legal.insert(mv.uci(CastlingStyle::Chess960).to_string(), mv);
        }
        for from in &names {
            for to in &names {
                for promotion in ["", "n", "b", "r", "q", "k", "p", "x"] {
                    let text = format!("{from}{to}{promotion}");
                    assert_eq!(board.parse_uci(&text).ok(), legal.get(&text).copied(), "{game}: {text}");
                }
            }
        }
    }
}

#[test]
fn castling_is_read_in_both_styles_unless_it_may_be_a_king_move() {
    let read = |fen: &str, text: &str| Board::from_fen(fen).unwrap().parse_uci(text).ok().map(|mv| mv.is_castling());
    let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in ["e1g1", "e1h1", "e1c1", "e1a1"] {
        assert_eq!(read(standard, text), Some(true), "{text}");
    }
    for text in ["e1f1", "e1d1"] {
        assert_eq!(read(standard, text), Some(false), "{text}");
    }
    for text in ["e1b1", "e8g8", "e1g1q", "e1", "", "0000", "e1g1 ", " e1g1", "E1G1", "e1g1e1", "ü1g1"] {
        assert_eq!(read(standard, text), None, "{text:?}");
    }
    // King on f1, rook on h1: g1 is one step away, and where castling lands.
    assert_eq!(read("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1"), Some(false));
    assert_eq!(read("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1"), Some(true));
}

#[test]
fn errors_tell_malformed_from_illegal() {
    let board = Board::start();
    for text in ["", "e", "e2", "e2e", "e2e9", "i2i4", "e2-e4", "e2e4x", "♙e2e4", "null"] {
        assert!(matches!(board.parse_uci(text), Err(MoveError::Malformed { .. })), "{text:?}");
    }
    for text in ["e2e5", "e7e5", "a1a1", "e2e4q", "e1g1"] {
        assert!(matches!(board.parse_uci(text), Err(MoveError::Illegal { .. })), "{text:?}");
    }
    for text in ["", "x", "N", "Nx", "K9", "Z4", "e99", "♘f3", "O", "O-", "O-O-O-O"] {
        assert!(matches!(board.parse_san(text), Err(MoveError::Malformed { .. })), "{text:?}");
    }
    for text in ["e5", "Nd4", "O-O", "exd3", "Qxd7#", "e8=Q"] {
        assert!(matches!(board.parse_san(text), Err(MoveError::Illegal { .. })), "{text:?}");
    }
    let board = Board::from_fen("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1").unwrap();
    assert!(matches!(board.parse_san("Nb3"), Err(MoveError::Ambiguous { .. })));
    assert!(board.parse_san("Nab3").is_ok() && board.parse_san("Ncb3").is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_legal_move_or_an_error(text in any::<String>()) {
        let board = Board::start();
        prop_assert!(board.parse_uci(&text).is_ok_and(|mv| board.is_legal(mv)) || board.parse_uci(&text).is_err());
        prop_assert!(board.parse_san(&text).is_ok_and(|mv| board.is_legal(mv)) || board.parse_san(&text).is_err());
    }

    #[test]
    fn text_like_moves_is_a_legal_move_or_an_error(text in "[KQRBN]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[KQRBNqrbn])?[+#]?(ep|e\\.p\\.|!|\\?)?") {
        let board = Board::from_fen("r3k2r/1P1p1pP1/2q5/2pPp3/3n1B2/N1R2N2/pP4p1/R3K2R w KQkq c6 0 1").unwrap();
        for text in [text.as_str(), &text.to_lowercase(), &text.to_uppercase()] {
            prop_assert!(board.parse_uci(text).is_ok_and(|mv| board.is_legal(mv)) || board.parse_uci(text).is_err());
            if let Ok(mv) = board.parse_san(text) {
                prop_assert!(board.is_legal(mv));
                // What is read must be what the text says: at least its last square, but for castling.
                prop_assert!(mv.is_castling() || text.contains(&mv.to().to_string()), "{text}: {mv:?}");
            }
        }
    }
}
