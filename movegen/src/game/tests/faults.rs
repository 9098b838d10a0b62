use super::*;

#[test]
fn resignation_is_a_draw_if_the_opponent_cannot_mate() {
    assert_eq!(apply(&mut game(START), Event::Resign(BLACK)), lost(BLACK, Fault::Resignation));
    for (fen, player, is_spared) in [
        ("8/8/8/8/8/2k5/8/K6R b - - 0 1", BLACK, false),
        ("8/8/8/8/8/2k5/7r/K7 b - - 0 1", WHITE, false),
        ("8/8/8/8/8/2k5/7r/K7 b - - 0 1", BLACK, true),
        ("8/8/8/8/3q4/2k5/8/K1N5 w - - 0 1", BLACK, true),
        ("8/8/8/8/3r4/2k5/8/K1N5 w - - 0 1", BLACK, false),
        ("8/8/8/8/3r4/2k5/8/K1B5 w - - 0 1", BLACK, true),
    ] {
        let expected = if is_spared { spared } else { lost };
        let end = apply(&mut game(fen), Event::Resign(player));
        assert_eq!(end, expected(player, Fault::Resignation), "{fen}");
    }
}

#[test]
fn a_player_may_resign_out_of_turn() {
    let mut game = game(START);
    assert_eq!(apply(&mut game, Event::Resign(BLACK)).unwrap().winner(), Some(WHITE));
}

#[test]
fn a_time_loss_is_a_draw_if_the_opponent_cannot_mate() {
    let mut late = timed(START, "60");
    let e4 = mv(&late, "e2e4");
    assert_eq!(late.play(e4, seconds(61)), Ok(lost(WHITE, Fault::Time)));
    // The move came too late to count.
    assert_eq!((late.moves().count(), late.clock(WHITE).unwrap().remaining()), (0, Duration::ZERO));
    assert_eq!(late.records().last().unwrap().event(), Event::TimeOut);

    assert_eq!(apply(&mut timed(START, "60"), Event::TimeOut), lost(WHITE, Fault::Time));
    let lone = "7k/8/8/8/8/2K5/8/R7 w - - 0 1";
    assert_eq!(apply(&mut timed(lone, "60"), Event::TimeOut), spared(WHITE, Fault::Time));
    let forced = "5r1k/6P1/7K/5q2/8/8/8/8 b - - 0 51";
    assert_eq!(apply(&mut timed(forced, "60"), Event::TimeOut), spared(BLACK, Fault::Time));
    assert_eq!(apply(&mut game(START), Event::Resign(WHITE)), lost(WHITE, Fault::Resignation));
    assert_eq!(game(START).apply(Event::TimeOut), Err(GameError::NoClock));
}

#[test]
fn a_mate_in_time_is_not_a_time_loss() {
    let mut game = timed("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "60");
    let mate = mv(&game, "a1a8");
    assert_eq!(game.clone().play(mate, seconds(60)), Ok(Some(Outcome::Win(WHITE, Victory::Checkmate))));
    assert_eq!(game.play(mate, seconds(61)), Ok(spared(WHITE, Fault::Time)));
}

#[test]
fn an_illegal_move_loses_in_blitz() {
    let illegal = Event::IllegalMove { elapsed: Duration::ZERO };
    assert_eq!(apply(&mut game(START), illegal), lost(WHITE, Fault::IllegalMove));
    assert_eq!(apply(&mut game("7k/8/8/8/8/2K5/8/R7 w - - 0 1"), illegal), spared(WHITE, Fault::IllegalMove));
}

#[test]
fn an_illegal_move_may_cost_time_first() {
    let rules = Rules {
        illegal_moves: IllegalMoves::Warn { losing: 2, bonus: seconds(120) },
        ..Rules::timed("60".parse().unwrap())
    };
    let mut game = Game::new(Board::start(), rules);
    let illegal = Event::IllegalMove { elapsed: seconds(20) };
    assert_eq!(apply(&mut game, illegal), None);
    assert_eq!((game.board().turn(), game.illegal_moves(WHITE)), (WHITE, 1));
    assert_eq!(game.clock(BLACK).unwrap().remaining(), seconds(180));
    // The clock has not stopped.
    assert_eq!(game.allowance(), Some(seconds(40)));
    play(&mut game, "e2e4");
    assert_eq!(game.clock(WHITE).unwrap().remaining(), seconds(40));
    assert_eq!(apply(&mut game, illegal), None, "each player has warnings of their own");
    play(&mut game, "e7e5");
    assert_eq!(apply(&mut game.clone(), illegal), lost(WHITE, Fault::IllegalMove));
    assert_eq!(apply(&mut game, Event::IllegalMove { elapsed: seconds(999) }), lost(WHITE, Fault::Time));
}

#[test]
fn a_forfeit_has_the_same_exception() {
    assert_eq!(apply(&mut game(START), Event::Forfeit(BLACK)), lost(BLACK, Fault::Forfeit));
    let lone = "7k/8/8/8/8/2K5/8/R7 w - - 0 1";
    assert_eq!(apply(&mut game(lone), Event::Forfeit(WHITE)), spared(WHITE, Fault::Forfeit));
}
