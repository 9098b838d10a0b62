use super::*;

#[test]
fn an_offer_can_be_accepted() {
    let mut game = game(START);
    play(&mut game, "e2e4");
    apply(&mut game, Event::OfferDraw(WHITE));
    assert_eq!(apply(&mut game, Event::AcceptDraw(BLACK)), draw(DrawReason::Agreement));
}

#[test]
fn an_offer_stands_until_the_opponent_answers_or_moves() {
    let mut game = game(START);
    apply(&mut game, Event::OfferDraw(WHITE));
    play(&mut game, "e2e4");
    assert_eq!(game.offer(), Some(WHITE));
    let undecided = game.clone();
    play(&mut game, "e7e5");
    assert_eq!((game.offer(), game.apply(Event::AcceptDraw(BLACK))), (None, Err(GameError::NoOffer)));
    game = undecided;
    apply(&mut game, Event::DeclineDraw(BLACK));
    assert_eq!(game.apply(Event::AcceptDraw(BLACK)), Err(GameError::NoOffer));
}

#[test]
fn nobody_accepts_their_own_offer() {
    let mut game = game(START);
    assert_eq!(game.apply(Event::AcceptDraw(WHITE)), Err(GameError::NoOffer));
    apply(&mut game, Event::OfferDraw(WHITE));
    assert_eq!(game.apply(Event::AcceptDraw(WHITE)), Err(GameError::NoOffer));
    assert_eq!(game.apply(Event::DeclineDraw(WHITE)), Err(GameError::NoOffer));
    assert_eq!(apply(&mut game, Event::OfferDraw(WHITE)), None);
}

#[test]
fn two_offers_agree() {
    let mut game = game(START);
    apply(&mut game, Event::OfferDraw(BLACK));
    assert_eq!(apply(&mut game, Event::OfferDraw(WHITE)), draw(DrawReason::Agreement));
}
