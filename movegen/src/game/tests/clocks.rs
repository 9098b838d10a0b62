use super::*;

#[test]
fn each_side_has_its_own() {
    let rules = Rules { time: ByColor(["60+2".parse().unwrap(), "1/10:30d3".parse().unwrap()]), ..Rules::default() };
    let mut game = Game::new(Board::start(), rules);
    for (text, took) in [("e2e4", 10), ("e7e5", 4), ("g1f3", 1), ("b8c6", 5)] {
        let mv = mv(&game, text);
        assert_eq!(game.play(mv, seconds(took)), Ok(None));
    }
    let remaining = Color::ALL.map(|color| game.clock(color).unwrap().remaining());
    assert_eq!(remaining, [seconds(60 - 10 + 2 - 1 + 2), seconds(10 - 4 + 30 - (5 - 3))]);
    // What stood on the clock after each move can be looked up.
    let shown: Vec<_> = game.records().iter().map(|record| record.clock(WHITE).unwrap().remaining()).collect();
    assert_eq!(shown, [52, 52, 53, 53].map(seconds));
}

#[test]
fn book_moves_take_no_time_and_give_none() {
    let mut game = timed(START, "2/60+1:30");
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"] {
        let mv = mv(&game, text);
        assert_eq!(game.apply(Event::Opening { mv }), Ok(None));
    }
    for color in Color::ALL {
        let clock = game.clock(color).unwrap();
        assert_eq!((clock.remaining(), game.rules().time[color].moves_to_go(&clock)), (seconds(60), Some(2)));
    }
    let illegal = Event::Opening { mv: Move::normal(crate::Square::A1, crate::Square::A8) };
    assert!(matches!(game.apply(illegal), Err(GameError::IllegalMove(_))));
}

#[test]
fn no_clock_never_runs_out() {
    let mut game = game(START);
    let e4 = mv(&game, "e2e4");
    assert_eq!((game.allowance(), game.play(e4, Duration::MAX)), (None, Ok(None)));
}
