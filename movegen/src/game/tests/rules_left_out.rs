use super::*;

fn game(fen: &str, rules: Rules) -> Game {
    Game::new(board(fen), rules)
}

fn claim(claim: Claim) -> Event {
    Event::Claim { claim, intended: None, elapsed: Duration::ZERO }
}

#[test]
fn fifty_moves_may_not_be_claimed() {
    let rules = Rules { fifty_moves: false, ..Rules::default() };
    let mut game = game(&ROOK.replace(" 0 ", " 100 "), rules);
    assert!(game.claims().is_empty() && !game.is_claimable(Claim::FiftyMoves, None));
    assert_eq!(apply(&mut game, claim(Claim::FiftyMoves)), None);
}

#[test]
fn seventy_five_moves_do_not_end_the_game() {
    let rules = Rules { seventy_five_moves: false, ..Rules::default() };
    assert_eq!(play(&mut game(&ROOK.replace(" 0 ", " 149 "), rules.clone()), "e8d8 e2e3"), None);
    let mut late = game("8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100", rules);
    assert_eq!(apply(&mut late, Event::Resign(WHITE)), lost(WHITE, Fault::Resignation));
}

#[test]
fn draws_are_not_offered_before_a_move() {
    let mut game = game(START, Rules { moves_before_offers: 2, ..Rules::default() });
    let refused = Err(GameError::OfferTooEarly(2));
    assert_eq!(game.apply(Event::OfferDraw(WHITE)), refused);
    play(&mut game, "e2e4 e7e5 g1f3");
    assert_eq!(game.apply(Event::OfferDraw(WHITE)), refused);
    // A wrong claim is an offer, but not yet.
    apply(&mut game, claim(Claim::Threefold));
    assert_eq!(game.offer(), None);
    play(&mut game, "b8c6");
    apply(&mut game, Event::OfferDraw(WHITE));
    assert_eq!(apply(&mut game, Event::AcceptDraw(BLACK)), draw(DrawReason::Agreement));
}

#[test]
fn both_players_can_lose() {
    let mut game = game(START, Rules::default());
    let end = apply(&mut game, Event::ForfeitBoth);
    assert_eq!(end, Some(Outcome::BothLose));
    assert_eq!((end.unwrap().result().to_string(), end.unwrap().winner()), ("0-0".to_owned(), None));
    assert_eq!(end.unwrap().to_string(), "both players forfeit");
}
