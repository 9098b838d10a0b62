use super::*;

fn claim(intended: Option<Move>) -> Event {
    Event::Claim { claim: Claim::Threefold, intended, elapsed: Duration::ZERO }
}

#[test]
fn the_third_time_is_a_draw_on_claim_only() {
    let mut game = game(START);
    play(&mut game, &[KNIGHTS; 2].join(" "));
    assert_eq!((game.occurrences(), game.outcome()), (3, None));
    assert_eq!(game.claims(), [(Claim::Threefold, None)]);
    assert_eq!(apply(&mut game, claim(None)), draw(DrawReason::Threefold));
}

#[test]
fn the_move_to_come_may_be_claimed_with() {
    let mut game = game(START);
    play(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    let back = mv(&game, "f6g8");
    assert_eq!(game.claims(), [(Claim::Threefold, Some(back))]);
    assert_eq!(apply(&mut game, claim(Some(back))), draw(DrawReason::Threefold));
    // The claim ends the game: the move is not made.
    assert_eq!(game.moves().count(), 7);
}

#[test]
fn a_move_that_mates_is_no_claim() {
    let mut game = game("7k/8/6K1/8/8/8/8/R7 w - - 99 120");
    let (mates, quiet) = (mv(&game, "a1a8"), mv(&game, "a1a7"));
    assert!(!game.is_claimable(Claim::FiftyMoves, Some(mates)));
    assert!(game.is_claimable(Claim::FiftyMoves, Some(quiet)));
    assert!(!game.claims().contains(&(Claim::FiftyMoves, Some(mates))));
    // A wrong claim with a legal move: the move is made, and mates.
    assert_eq!(apply(&mut game, claim(Some(mates))), Some(Outcome::Win(WHITE, Victory::Checkmate)));
}

#[test]
fn repetitions_need_not_be_consecutive() {
    let mut game = game(START);
    play(&mut game, "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8");
    assert_eq!((game.occurrences(), game.is_claimable(Claim::Threefold, None)), (3, true));
}

#[test]
fn different_rights_are_different_positions() {
    let rooks = "h1h2 h8h7 h2h1 h7h8";
    let mut castling = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&mut castling, &[rooks; 2].join(" "));
    assert_eq!(castling.claims(), []);
    play(&mut castling, rooks);
    assert_eq!(castling.claims(), [(Claim::Threefold, None)]);

    let kings = "e1e2 e8e7 e2e1 e7e8";
    for (fen, moves, times) in [
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", kings, 2),
        // Nobody to capture, or a capturer that is pinned: there never was a right.
        ("4k3/3p4/8/8/8/8/8/4K3 b - - 0 1", kings, 3),
        ("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "e1f1 g8h8 f1e1 h8g8", 3),
    ] {
        let mut game = game(fen);
        play(&mut game, &["d7d5", moves, moves].join(" "));
        assert_eq!(game.occurrences(), times, "{fen}");
    }
}

#[test]
fn a_wrong_claim_costs_time_and_offers_a_draw() {
    let mut game = timed(START, "60");
    let event = Event::Claim { claim: Claim::Threefold, intended: None, elapsed: seconds(10) };
    assert_eq!(apply(&mut game, event), None);
    assert_eq!(game.clock(BLACK).unwrap().remaining(), seconds(180));
    assert_eq!((game.offer(), game.board().turn(), game.allowance()), (Some(WHITE), WHITE, Some(seconds(50))));
    // The ten seconds are charged with the move, once.
    let e4 = mv(&game, "e2e4");
    assert_eq!(game.play(e4, seconds(5)), Ok(None));
    assert_eq!(game.clock(WHITE).unwrap().remaining(), seconds(45));
    assert_eq!(apply(&mut game, Event::AcceptDraw(BLACK)), draw(DrawReason::Agreement));
}

#[test]
fn the_move_of_a_wrong_claim_is_made() {
    let mut game = timed(START, "60+1");
    let e4 = mv(&game, "e2e4");
    let event = Event::Claim { claim: Claim::FiftyMoves, intended: Some(e4), elapsed: seconds(10) };
    assert_eq!(apply(&mut game, event), None);
    assert_eq!((game.moves().collect::<Vec<_>>(), game.board().turn()), (vec![e4], BLACK));
    assert_eq!((game.clock(WHITE).unwrap().remaining(), game.offer()), (seconds(51), Some(WHITE)));
    let illegal = Event::Claim { claim: Claim::FiftyMoves, intended: Some(e4), elapsed: seconds(10) };
    assert_eq!(game.apply(illegal), Err(GameError::IllegalMove(e4)));
}

#[test]
fn the_fifth_time_ends_the_game() {
    let mut game = game(START);
    assert_eq!(play(&mut game, &[KNIGHTS; 3].join(" ")), None);
    assert_eq!(play(&mut game, "g1f3 g8f6 f3g1"), None);
    assert_eq!(play(&mut game, "f6g8"), draw(DrawReason::Fivefold));
}
