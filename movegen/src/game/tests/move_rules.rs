use super::*;

fn claim(intended: Option<Move>) -> Event {
    Event::Claim { claim: Claim::FiftyMoves, intended, elapsed: Duration::ZERO }
}

#[test]
fn fifty_moves_are_a_draw_on_claim_only() {
    let mut game = game(&ROOK.replace(" 0 ", " 99 "));
    assert_eq!(play(&mut game, "e8d8"), None);
    assert_eq!(game.claims(), [(Claim::FiftyMoves, None)]);
    assert_eq!(apply(&mut game, claim(None)), draw(DrawReason::FiftyMoves));
}

#[test]
fn the_move_to_come_may_be_claimed_with() {
    let mut game = game(&ROOK.replace(" 0 ", " 99 "));
    let quiet = mv(&game, "e8d8");
    assert!(game.claims().contains(&(Claim::FiftyMoves, Some(quiet))));
    assert_eq!(apply(&mut game, claim(Some(quiet))), draw(DrawReason::FiftyMoves));
    assert_eq!(self::game(&ROOK.replace(" 0 ", " 98 ")).claims(), []);
    // Only a pawn's move or a capture: it would begin the count anew.
    assert_eq!(self::game("7k/8/8/8/8/p7/P7/K7 w - - 98 120").claims(), []);
    let pawn = self::game("8/8/8/8/8/k1p5/P7/K7 w - - 99 120");
    assert!(pawn.claims().iter().all(|&(_, mv)| mv.is_some_and(|mv| mv.from() == crate::Square::A1)));
}

#[test]
fn seventy_five_moves_end_the_game() {
    let game = |fen: &str| Game::new(board(fen), Rules::default());
    assert_eq!(play(&mut game(&ROOK.replace(" 0 ", " 148 ")), "e8d8"), None);
    assert_eq!(play(&mut game(&ROOK.replace(" 0 ", " 149 ")), "e8d8"), draw(DrawReason::SeventyFiveMoves));
    assert_eq!(game(&ROOK.replace(" 0 ", " 150 ")).outcome(), draw(DrawReason::SeventyFiveMoves));
    // The hundred-and-fiftieth half-move captures.
    assert_eq!(play(&mut game("3rk3/4R3/8/8/8/8/8/3QK3 b - - 149 120"), "e8e7"), None);
}

#[test]
fn nobody_can_mate_in_too_few_half_moves() {
    let late = "8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100";
    // The game goes on to the seventy-five-move rule, but a fault is spared.
    let mut game = Game::new(board(late), Rules::default());
    assert_eq!(game.outcome(), None);
    assert_eq!(apply(&mut game, Event::Forfeit(WHITE)), spared(WHITE, Fault::Forfeit));
    let faults = Budget::FULL.without_seventy_five_moves();
    let mut game = Game::new(board(late), Rules { faults, ..Rules::default() });
    assert_eq!(apply(&mut game, Event::Forfeit(WHITE)), lost(WHITE, Fault::Forfeit));
}
