//! Any text as a FEN: a board that keeps its promises, or an error that names the field. Never a panic.

use std::{fs, mem};

use movegen::{Board, Color, FenError, FenStyle, Setup, SetupError, SetupWarning, Square};
use proptest::prelude::*;
use shakmaty::PositionErrorKinds as Kinds;
use tests::data::{read, test_data};
use tests::game::{Game, shakmaty_refusal};
use tests::peers::{plain, sorted_cozy};
use tests::play::{Random, Taste, Variant, scatter};

/// What must hold of a board, wherever it comes from.
fn assert_sound(board: &Board, origin: &str) {
    assert_eq!(*board.keys(), board.fresh_keys(), "{origin}");
    for color in Color::ALL {
        assert_eq!(board.colored_pieces(color, movegen::PieceType::King).count(), 1, "{origin}");
        assert!(board.colors(color).count() <= 16, "{origin}");
    }
    let them = board.king(!board.turn());
    assert!(!board.is_attacked(them, board.turn(), board.occupied()), "{origin}: the king can be captured");
    for style in [FenStyle::Standard, FenStyle::Shredder] {
        let fen = board.fen(style);
        assert_eq!(Board::from_fen_with_warnings(&fen), Ok((*board, Vec::new())), "{origin}: {fen}");
    }
    for mv in board.legal_moves() {
        let child = board.after(mv);
        assert_eq!(*child.keys(), child.fresh_keys(), "{origin}: {mv:?}");
        assert!(child.ply() > board.ply() || board.fullmove_number() == Board::MAX_FULLMOVE_NUMBER, "{origin}");
    }
}

/// Reads a text that may be anything; what comes of it, if anything, must be sound.
fn try_text(text: &str) {
    match Board::from_fen_with_warnings(text) {
        Ok((board, warnings)) => {
            assert_sound(&board, text);
            assert!(warnings.iter().all(|warning| !warning.to_string().is_empty()), "{text:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
    }
}

#[test]
fn errors_name_the_field_and_why() {
    let setup = FenError::Setup;
    let (white, black) = (Color::White, Color::Black);
    let text = |token: &str| token.to_owned();
    let cases = [
        ("", FenError::Empty),
        (" \t ", FenError::Empty),
        ("8/8/8/8/8/8/4K2k w - - 0 1", FenError::RankCount { token: text("8/8/8/8/8/8/4K2k"), count: 7 }),
        ("8/8/8/8/8/8/8/8/4K2k w - - 0 1", FenError::RankCount { token: text("8/8/8/8/8/8/8/8/4K2k"), count: 9 }),
        ("8/8/8/8/8/8/8/4K2k/ w - - 0 1", FenError::RankCount { token: text("8/8/8/8/8/8/8/4K2k/"), count: 9 }),
        ("8/8/8/8/8/8/7/4K2k w - - 0 1", FenError::RankLength { token: text("7"), count: 7 }),
        ("8/8/8/8/8/8/7pp/4K2k w - - 0 1", FenError::RankLength { token: text("7pp"), count: 9 }),
        ("8/8/8/8/8/8/8p/4K2k w - - 0 1", FenError::RankLength { token: text("8p"), count: 9 }),
        ("8/8/8/8/8//8/4K2k w - - 0 1", FenError::RankLength { token: text(""), count: 0 }),
        ("9/8/8/8/8/8/8/4K2k w - - 0 1", FenError::Piece { token: text("9"), letter: '9' }),
        ("8/8/8/80/8/8/8/4K2k w - - 0 1", FenError::Piece { token: text("80"), letter: '0' }),
        ("8/8/8/3X4/8/8/8/4K2k w - - 0 1", FenError::Piece { token: text("3X4"), letter: 'X' }),
        ("8/8/8/3♙4/8/8/8/4K2k w - - 0 1", FenError::Piece { token: text("3♙4"), letter: '♙' }),
        ("8/8/8/8/8/8/8/4K2k W - - 0 1", FenError::Turn { token: text("W") }),
        ("8/8/8/8/8/8/8/4K2k white - - 0 1", FenError::Turn { token: text("white") }),
        ("8/8/8/8/8/8/8/4K2k w KX - 0 1", FenError::Castling { token: text("KX"), letter: 'X' }),
        ("8/8/8/8/8/8/8/4K2k w K- - 0 1", FenError::Castling { token: text("K-"), letter: '-' }),
        ("8/8/8/8/8/8/8/4K2k w - e 0 1", FenError::EnPassant { token: text("e") }),
        ("8/8/8/8/8/8/8/4K2k w - i3 0 1", FenError::EnPassant { token: text("i3") }),
        ("8/8/8/8/8/8/8/4K2k w - e9 0 1", FenError::EnPassant { token: text("e9") }),
        ("8/8/8/8/8/8/8/4K2k w - - -1 1", FenError::HalfmoveClock { token: text("-1") }),
        ("8/8/8/8/8/8/8/4K2k w - - 1.5 1", FenError::HalfmoveClock { token: text("1.5") }),
        ("8/8/8/8/8/8/8/4K2k w - - ٣ 1", FenError::HalfmoveClock { token: text("٣") }),
        ("8/8/8/8/8/8/8/4K2k w - - 0 -1", FenError::FullmoveNumber { token: text("-1") }),
        ("8/8/8/8/8/8/8/4K2k w - - 0 one", FenError::FullmoveNumber { token: text("one") }),
        ("8/8/8/8/8/8/8/8 w - - 0 1", setup(SetupError::NoKing { color: white })),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", setup(SetupError::NoKing { color: black })),
        ("8/8/8/8/8/8/K7/4K2k w - - 0 1", setup(SetupError::SeveralKings { color: white, count: 2 })),
        (
            "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR b - - 0 1",
            setup(SetupError::TooManyPieces { color: white, count: 17 }),
        ),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", setup(SetupError::TooManyPawns { color: black, count: 9 })),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", setup(SetupError::PawnOnBackRank { square: Square::A1 })),
        ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", setup(SetupError::PawnOnBackRank { square: Square::A8 })),
        ("4k2P/8/8/8/8/8/8/4K3 b - - 0 1", setup(SetupError::PawnOnBackRank { square: Square::H8 })),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", setup(SetupError::AdjacentKings { white: Square::E5, black: Square::D5 })),
        (
            "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
            setup(SetupError::OpponentInCheck { king: Square::E8, checker: Square::E1 }),
        ),
        (
            "4k3/8/8/8/8/3p4/4K3/8 b - - 0 1",
            setup(SetupError::OpponentInCheck { king: Square::E2, checker: Square::D3 }),
        ),
    ];
    for (fen, error) in cases {
        assert_eq!(Board::from_fen(fen), Err(error), "{fen:?}");
    }
}

#[test]
fn length_is_limited() {
    for length in [513, 5_000, 1_000_000] {
        for unit in ["8", "/", " ", "\u{1F600}"] {
            let text = unit.repeat(length);
            assert_eq!(Board::from_fen(&text), Err(FenError::TooLong { length: text.len() }));
        }
    }
}

#[test]
fn unreachable_but_playable_positions_are_accepted() {
    let cases = [
        ("nine queens", "7k/8/8/1Q6/Q1Q5/8/1QQQQQQ1/4K3 b - - 0 1", None),
        ("ten queens and no pawn", "4k3/8/8/8/8/8/QQQQQQQQ/QQK5 b - - 0 1", Some(0)),
        ("fifteen queens", "Q5Q1/2Q1Q3/7k/1Q3Q2/3Q4/Q4Q1K/Q1Q4Q/Q3Q1Q1 w - - 0 1", Some(225)),
        ("two queens beside eight pawns", "4k3/8/8/8/8/Q7/PPPPPPPP/Q3K3 b - - 0 1", Some(3)),
        ("promoted pieces and castling", "4k3/8/8/8/8/B7/PPPPPPP1/BNBRKNRN b DG - 0 1", Some(3)),
        ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", Some(218)),
        ("three checkers", "4k3/8/5N2/1B6/8/8/8/K3R3 b - - 0 1", Some(3)),
        ("two knights check", "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", Some(6)),
        ("two sliders check on a line", "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1", Some(3)),
        ("a check from before a double step", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", Some(6)),
        ("two bishops on dark squares, no pawn missing", "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 b - - 0 1", Some(5)),
        ("ten knights", "4k3/8/8/8/8/NN6/NNNNNNNN/4K3 b - - 0 1", Some(5)),
        ("mate", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Some(0)),
        ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(0)),
        ("bare kings", "8/8/3k4/8/8/3K4/8/8 w - - 0 1", Some(8)),
    ];
    for (name, fen, moves) in cases {
        let (board, warnings) = Board::from_fen_with_warnings(fen).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(warnings, [], "{name}");
        assert!(moves.is_none_or(|moves| moves == board.count_legal_moves()), "{name}");
        assert_sound(&board, name);
    }
}

/// Rights without a basis and other excesses: what is left, in Shredder-FEN, and how many warnings there are.
#[test]
fn impossible_rights_are_dropped_with_a_warning() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let cases = [
        (format!("{start} w KQkq - 0 1"), "HAha - 0 1", 0),
        (format!("{start} w HAha - 0 1"), "HAha - 0 1", 0),
        (format!("{start} w qkQK - 0 1"), "HAha - 0 1", 0),
        (format!("{start} w KKQkq - 0 1"), "HAha - 0 1", 1),
        (format!("{start} w KHQA - 0 1"), "HA - 0 1", 2),
        (format!("{start} w BG - 0 1"), "- - 0 1", 2),
        (format!("{start} w KQkq e3 0 1"), "HAha - 0 1", 1),
        (format!("{start} b KQkq e3 0 1"), "HAha - 0 1", 1),
        (format!("{start} w KQkq e4 0 1"), "HAha - 0 1", 1),
        (format!("{start} w"), "- - 0 1", 0),
        (format!("{start} w - - 0 0"), "- - 0 1", 0),
        (format!("{start} w - - 0 1 bm e4;"), "- - 0 1", 1),
        (format!("{start} w - - 4294967296 1"), "- - 10000 1", 1),
        (format!("{start} w - - 0 99999999999999999999999"), "- - 0 100000", 1),
        (format!("  {start}\tw  -\r -  0\n1 "), "- - 0 1", 0),
        ("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1".to_owned(), "Aa - 0 1", 2),
        ("rnbq1bnr/ppppkppp/8/8/8/8/PPPPKPPP/RNBQ1BNR w KQkq - 0 1".to_owned(), "- - 0 1", 4),
        // A pawn beside, but pinned; nothing beside; a piece on the square; a piece behind it.
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1".to_owned(), "- - 0 1", 0),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1".to_owned(), "- - 0 1", 0),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1".to_owned(), "- - 0 1", 1),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1".to_owned(), "- - 0 1", 1),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".to_owned(), "- d6 0 1", 0),
        // X-FEN: the outermost rook, or the one named by its file.
        ("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1".to_owned(), "HA - 0 1", 0),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1".to_owned(), "GB - 0 1", 0),
    ];
    for (fen, rest, count) in cases {
        let (board, warnings) = Board::from_fen_with_warnings(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let shredder = board.fen(FenStyle::Shredder);
        let fields: Vec<_> = shredder.split(' ').skip(2).collect();
        assert_eq!((fields.join(" ").as_str(), warnings.len()), (rest, count), "{fen}: {warnings:?}");
        assert_sound(&board, &fen);
    }
}

#[test]
fn a_rook_inside_is_named_by_its_file() {
    let fen = "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1";
    let board = Board::from_fen(fen).unwrap();
    assert_eq!(board.fen(FenStyle::Standard), fen);
    let outside = Board::from_fen("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1").unwrap();
    assert_eq!(outside.fen(FenStyle::Standard), "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1");
    assert_ne!(board.key(), outside.key());
}

#[test]
fn boards_of_random_games_read_back() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let start = Variant::ALL[(seed % 3) as usize].start(&mut random);
        let mut game = Game::from_fen(seed, &start).unwrap();
        while game.ours.ply() < 120 && game.play_random(Taste::ALL[(seed % 5) as usize], &mut random).is_some() {
            assert_sound(&game.ours, &game.to_string());
        }
    }
}

#[test]
fn valid_set() {
    let Some(folder) = test_data("the valid FENs") else { return };
    let text = read(&folder.join("fen"), "valid.sfens.zst");
    assert_eq!(text.lines().count(), 6_667);
    for fen in text.lines() {
        let (board, warnings) = Board::from_fen_with_warnings(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(warnings, [], "{fen}");
        // The set names the square after every double step, we only where a capture is legal.
        let cozy = cozy_chess::Board::from_fen(fen, true).unwrap();
        let moves = sorted_cozy(&cozy);
        let captures = |name: &str| {
            let is_capture = |mv: cozy_chess::Move| {
                cozy.piece_on(mv.from) == Some(cozy_chess::Piece::Pawn) && mv.to.to_string() == name
            };
            moves.iter().any(|&(_, mv)| is_capture(mv) && mv.from.file() != mv.to.file())
        };
        let mut fields: Vec<_> = fen.split(' ').collect();
        if !captures(fields[3]) {
            fields[3] = "-";
        }
        assert_eq!(board.fen(FenStyle::Shredder), fields.join(" "));
        let ours: Vec<_> = tests::peers::sorted(&board).into_iter().map(|(plain, _)| plain).collect();
        assert!(ours.iter().eq(moves.iter().map(|(plain, _)| plain)), "{fen}");
        assert!(board.legal_moves().iter().all(|&mv| ours.contains(&plain(mv))), "{fen}");
        assert_sound(&board, fen);
    }
}

/// Refused for the reason shakmaty sees. Two kinds of lines are accepted by our rules:
/// - with an en passant square that no pawn can have passed: it is dropped with a warning, since a GUI expects
///   such a position to load;
/// - that no game reaches (checks that do not fit together or the last move, more promoted pieces than missing pawns),
///   but which can be played.
#[test]
fn invalid_set() {
    const DROPPED: usize = 40;
    const UNREACHABLE: usize = 31;

    let Some(folder) = test_data("the invalid FENs") else { return };
    let text = read(&folder.join("fen"), "invalid.sfens.zst");
    assert_eq!(text.lines().count(), 6_662);
    let (mut dropped, mut unreachable) = (0, 0);
    for fen in text.lines() {
        let kinds = shakmaty_refusal(fen);
        let expected = match Board::from_fen_with_warnings(fen) {
            Ok((board, warnings)) => {
                assert_sound(&board, fen);
                let mut played = Kinds::IMPOSSIBLE_CHECK | Kinds::TOO_MUCH_MATERIAL;
                match warnings.as_slice() {
                    [] => unreachable += 1,
                    [SetupWarning::EnPassantDropped { .. }] => {
                        dropped += 1;
                        played = Kinds::INVALID_EP_SQUARE | Kinds::TOO_MUCH_MATERIAL;
                    }
                    _ => panic!("{fen}: {warnings:?}"),
                }
                assert!(!kinds.is_empty() && played.contains(kinds), "{fen}: {kinds:?}");
                continue;
            }
            Err(FenError::Setup(error)) => match error {
                SetupError::NoKing { .. } => Kinds::MISSING_KING,
                SetupError::SeveralKings { .. } => Kinds::TOO_MANY_KINGS,
                SetupError::PawnOnBackRank { .. } => Kinds::PAWNS_ON_BACKRANK,
                SetupError::AdjacentKings { .. } | SetupError::OpponentInCheck { .. } => Kinds::OPPOSITE_CHECK,
                SetupError::TooManyPieces { .. } | SetupError::TooManyPawns { .. } => Kinds::TOO_MUCH_MATERIAL,
            },
            Err(error) => panic!("{fen}: {error}, though shakmaty reads it"),
        };
        assert!(kinds.contains(expected), "{fen}: {expected:?}, shakmaty {kinds:?}");
    }
    assert_eq!((dropped, unreachable), (DROPPED, UNREACHABLE));
}

#[test]
fn chess960_starts() {
    let Some(folder) = test_data("the starts of Chess960") else { return };
    let text = read(&folder.join("fen"), "chess960_start_positions.sfens");
    assert_eq!(text.lines().count(), 960);
    for (number, fen) in (0..).zip(text.lines()) {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(board.fen(FenStyle::Shredder), fen);
        let setup = Setup::chess960(number, number).unwrap();
        assert_eq!(Board::from_setup(&setup), Ok((board, Vec::new())), "{fen}");
        assert_sound(&board, fen);
    }
}

/// The verdicts proposed for our engine, but where the only fault is that a side has more promoted pieces than pawns
/// are missing: no game reaches such a position, but it can be played.
#[test]
fn behaviour_table() {
    const ACCEPTED_INSTEAD: [&str; 5] = [
        "ten-queens",
        "eleven-knights",
        "queens9-pawn1",
        "three-light-bishops-8pawns",
        "two-same-colour-bishops-8pawns",
    ];

    let Some(folder) = test_data("the table of FEN behaviour") else { return };
    let text = read(&folder.join("fen"), "fen_behaviour.csv");
    let rows: Vec<_> = text.lines().skip(1).map(split_csv).collect();
    assert_eq!(rows.len(), 82);
    for row in rows {
        let [case, fen, .., verdict] = row.as_slice() else { panic!("{row:?}") };
        let result = Board::from_fen_with_warnings(fen);
        let place = || format!("{case}, {verdict}: {fen:?} gives {result:?}");
        let accept = verdict.starts_with("accept") || ACCEPTED_INSTEAD.contains(&case.as_str());
        assert!(accept || verdict.starts_with("refuse"), "{}", place());
        assert_eq!(result.is_ok(), accept, "{}", place());
        if let Ok((board, warnings)) = &result {
            let altered = verdict.contains("after sanitising") || verdict.contains("after clamping");
            assert_eq!(!warnings.is_empty(), altered, "{}", place());
            assert_sound(board, fen);
        }
    }
}

/// The fields of a line, of which some stand in quotation marks.
fn split_csv(line: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(mem::take(&mut field)),
            _ => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

#[test]
fn fuzz_seeds() {
    let Some(folder) = test_data("the fuzzing seeds") else { return };
    let mut count = 0;
    for entry in fs::read_dir(folder.join("fen/fuzz-seeds")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        count += 1;
        let text = String::from_utf8_lossy(&bytes);
        try_text(&text);
        text.char_indices().for_each(|(end, _)| try_text(&text[..end]));
        let mut random = Random::new(count);
        for _ in 0..2_000 {
            try_text(&mutate(&bytes, &mut random));
        }
    }
    assert_eq!(count, 29);
}

/// The text with a few bytes changed, put in, taken out or repeated.
fn mutate(text: &[u8], random: &mut Random) -> String {
    const USUAL: &[u8] = b"KQRBNPkqrbnp12345678/ wb-abcdefgh0369\t\x00\xff";
    let mut text = text.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len().max(1)).min(text.len().saturating_sub(1));
        match random.below(4) {
            _ if text.is_empty() => text.push(random.pick(USUAL)),
            0 => text[at] = random.pick(USUAL),
            1 => text.insert(at, random.pick(USUAL)),
            2 => drop(text.remove(at)),
            _ => text.extend_from_within(at..),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn mutated_positions() {
    for seed in 0..40_000 {
        let mut random = Random::new(seed);
        let fen = if seed % 2 == 0 { scatter(&mut random) } else { Variant::DoubleChess960.start(&mut random) };
        try_text(&fen);
        try_text(&mutate(fen.as_bytes(), &mut random));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        try_text(&text);
    }

    #[test]
    fn six_fields(
        board in "[KQRBNPkqrbnp1-8]{1,9}(/[KQRBNPkqrbnp1-8]{1,9}){6,8}",
        rest in " [wbx] [KQkqA-Ha-h-]{1,5} (-|[a-i][0-9]) [0-9-]{1,12} [0-9-]{1,12}",
    ) {
        try_text(&(board + &rest));
    }

    #[test]
    fn any_fields_after_a_board(rest in "[ -~\\s]{0,40}") {
        try_text(&format!("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R {rest}"));
    }
}
