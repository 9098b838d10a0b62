use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::*;

const MAX: usize = 6;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap()
}

/// The answer of a search that may go on for ever.
fn solve(board: &Board, moves: i32) -> Answer {
    let mut search = MateSearch::try_new(&Position::from(*board), MAX).unwrap();
    search.solve(board, &board.legal_moves(), moves, &mut || false)
}

/// The line of a mate, played to its end.
fn line_to_mate(board: &Board, moves: i32) -> Vec<String> {
    let Answer::Line(line) = solve(board, moves) else { panic!("{board:?}: no mate in {moves}") };
    let mut board = *board;
    let mut words = Vec::new();
    for mv in line {
        assert!(board.is_legal(mv), "{mv} in {board:?}");
        words.push(mv.to_string());
        board = board.after(mv);
    }
    assert!(board.in_check() && !board.has_legal_move(), "{board:?}");
    words
}

#[test]
fn mates_are_found_and_shorter_ones_denied() {
    for (fen, moves, key) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, "d1d8"),
        // Zugzwang: nothing but a quiet sacrifice.
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
        // Reti and Tartakower, Vienna 1910.
        ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1", 3, "d3d8"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6"),
    ] {
        let board = board(fen);
        let line = line_to_mate(&board, moves);
        assert_eq!((line.len() as i32, &line[0][..]), (2 * moves - 1, key), "{fen}");
        // More than enough changes nothing.
        assert_eq!(line_to_mate(&board, moves + 1), line);
        for fewer in 1..moves {
            assert_eq!(solve(&board, fewer), Answer::Never, "{fen} in {fewer}");
        }
    }
}

#[test]
fn the_side_to_be_mated_holds_out_as_long_as_it_can() {
    let board = board("k7/2K5/8/8/8/8/8/1R6 b - - 0 1");
    assert_eq!(line_to_mate(&board, -1), ["a8a7", "b1a1"]);
    assert_eq!(line_to_mate(&board, -3), ["a8a7", "b1a1"]);
    let free = Board::start();
    assert_eq!(solve(&free, -2), Answer::Never);
}

#[test]
fn the_fifty_move_rule_comes_after_mate_and_before_all_else() {
    let with_clock = |clock| board(&format!("k7/8/2K5/8/8/8/8/1R6 w - - {clock} 80"));
    assert_eq!(line_to_mate(&with_clock(97), 2), ["c6c7", "a8a7", "b1a1"]);
    assert_eq!(solve(&with_clock(98), 2), Answer::Never);
    assert_eq!(solve(&with_clock(98), 5), Answer::Never);
}

#[test]
fn a_position_that_has_been_there_twice_is_no_way_to_mate() {
    let cornered = board("k7/2K5/8/8/8/8/8/1R6 b - - 0 1");
    let mut position = Position::from(cornered);
    for text in ["a8a7", "b1b2", "a7a8", "b2b1", "a8a7", "b1b2", "a7a8"] {
        let mv = position.board().parse_uci(text).unwrap();
        position.play(mv);
    }
    assert!(!MateSearch::try_new(&position, MAX).unwrap().is_mated(&cornered, 1, &mut || false));
    assert!(MateSearch::try_new(&Position::from(cornered), MAX).unwrap().is_mated(&cornered, 1, &mut || false));
}

#[test]
fn only_the_moves_that_are_asked_for_count() {
    let board = board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let others: Vec<Move> = board.legal_moves().into_iter().filter(|mv| mv.to_string() != "a1a6").collect();
    let mut search = MateSearch::try_new(&Position::from(board), MAX).unwrap();
    assert_eq!(search.solve(&board, &others, 2, &mut || false), Answer::Never);
}

#[test]
fn a_search_that_is_broken_off_says_so_and_keeps_nothing_wrong() {
    let board = board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let mut search = MateSearch::try_new(&Position::from(board), MAX).unwrap();
    let moves = board.legal_moves();
    let mut broken_off = 0;
    loop {
        let mut nodes = 0;
        let visit = &mut || {
            nodes += 1;
            nodes > broken_off
        };
        match search.solve(&board, &moves, 2, visit) {
            Answer::Unknown => broken_off += 1,
            Answer::Line(line) => break assert_eq!(line[0].to_string(), "a1a6"),
            Answer::Never => panic!("denied after {broken_off} nodes"),
        }
    }
    assert!(broken_off > 3);
}

/// By definition.
fn is_mate_in(board: &Board, moves: usize) -> bool {
    moves > 0
        && board.legal_moves().into_iter().any(|mv| {
            let child = board.after(mv);
            let replies = child.legal_moves();
            let all_lose = || replies.iter().all(|&reply| is_mate_in(&child.after(reply), moves - 1));
            if replies.is_empty() { child.in_check() } else { all_lose() }
        })
}

#[test]
fn answers_are_those_of_the_definition() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut mates = 0;
    for _ in 0..150 {
        let mut board = board("4k3/1q3r2/8/2P5/5p2/8/3R2Q1/3K4 w - - 0 1");
        for _ in 0..random.random_range(0..30) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board = board.after(moves[random.random_range(0..moves.len())]);
        }
        for moves in 1..=2 {
            let expected = is_mate_in(&board, moves);
            mates += usize::from(expected);
            assert_eq!(matches!(solve(&board, moves as i32), Answer::Line(_)), expected, "{board:?} in {moves}");
        }
    }
    assert!(mates > 10, "{mates}");
}
