use super::*;

#[test]
fn checkmate_wins() {
    let mut game = game(START);
    let end = play(&mut game, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(end, Some(Outcome::Win(BLACK, Victory::Checkmate)));
    assert_eq!((game.outcome(), end.unwrap().result()), (end, GameResult::BlackWins));
}

#[test]
fn stalemate_draws() {
    assert_eq!(game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(), draw(DrawReason::Stalemate));
    assert_eq!(play(&mut game("7k/8/6K1/8/5Q2/8/8/8 w - - 149 120"), "f4f7"), draw(DrawReason::Stalemate));
}

#[test]
fn both_take_precedence_over_other_rules() {
    let win = Some(Outcome::Win(WHITE, Victory::Checkmate));
    assert_eq!(play(&mut game("7k/8/6K1/8/8/8/8/R7 w - - 149 120"), "a1a8"), win);
    // Mate with pieces that could not give it: no game comes here, but the board is what counts.
    assert_eq!(game("8/8/8/8/8/1k6/b1b5/RKR5 w - - 0 1").outcome(), Some(Outcome::Win(BLACK, Victory::Checkmate)));
    assert_eq!(game("k7/2K5/8/8/4B3/8/8/8 b - - 200 300").outcome(), draw(DrawReason::InsufficientMaterial));
    assert_eq!(game("7k/8/6KN/8/8/8/8/8 b - - 0 1").outcome(), draw(DrawReason::Stalemate));
}

#[test]
fn no_event_is_possible_afterwards() {
    let mut game = game(START);
    play(&mut game, "f2f3 e7e5 g2g4 d8h4");
    let before = game.clone();
    let over = Err(GameError::Over(game.outcome().unwrap()));
    for event in [Event::Resign(WHITE), Event::OfferDraw(BLACK), Event::TimeOut, Event::Forfeit(WHITE)] {
        assert_eq!(game.apply(event), over);
    }
    assert_eq!(game, before);
}
