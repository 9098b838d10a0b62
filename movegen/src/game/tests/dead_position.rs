use super::*;

#[test]
fn insufficient_material() {
    for fen in [
        "8/8/3k4/8/8/3K4/8/8 w - - 0 1",
        "8/8/3k4/8/8/3KB3/8/8 w - - 0 1",
        "8/8/3k4/8/8/3KN3/8/8 b - - 0 1",
        "8/8/3kb3/8/8/3K1B2/8/8 w - - 0 1",
    ] {
        assert_eq!(game(fen).outcome(), draw(DrawReason::InsufficientMaterial), "{fen}");
    }
}

#[test]
fn pieces_that_can_helpmate_play_on() {
    for fen in [
        "8/8/3kb3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/3kn3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/3k4/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/3kn3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/3kp3/8/8/3KN3/8/8 w - - 0 1",
    ] {
        assert_eq!(game(fen).outcome(), None, "{fen}");
    }
}

#[test]
fn it_ends_the_game_the_moment_it_appears() {
    let mut game = game("8/8/3k4/8/3p4/3K4/8/6N1 w - - 0 1");
    assert_eq!(play(&mut game, "d3d4"), draw(DrawReason::InsufficientMaterial));
    // Black must take with the king, and nobody has a piece left.
    let forced = self::game("k7/8/8/8/8/8/1q6/K7 w - - 0 1");
    assert_eq!(forced.outcome(), draw(DrawReason::DeadPosition));
}

#[test]
fn blocked_walls_and_forced_lines() {
    for (fen, is_dead) in [
        ("8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 50", true),
        ("8/8/3k4/1p2p1p1/pP1pP1P1/P2P4/1K6/8 b - - 32 62", true),
        ("2k5/2P5/8/1KN5/8/8/8/8 b - - 0 66", true),
        ("1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - - 0 41", true),
        ("8/8/8/p2p2p1/P1pP2P1/1KP5/8/1k6 w - - 0 1", false),
    ] {
        assert_eq!(game(fen).outcome(), is_dead.then_some(Outcome::Draw(DrawReason::DeadPosition)), "{fen}");
    }
}
