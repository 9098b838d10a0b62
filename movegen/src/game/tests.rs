//! The rules, one by one.

use proptest::prelude::*;

use super::*;
use crate::Budget;

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn game(fen: &str) -> Game {
    Game::new(board(fen), Rules::default())
}

fn timed(fen: &str, time: &str) -> Game {
    Game::new(board(fen), Rules::timed(time.parse().unwrap()))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn mv(game: &Game, text: &str) -> Move {
    game.board().parse_uci(text).unwrap_or_else(|error| panic!("{:?}: {error}", game.board()))
}

/// Plays moves that take no time; all but the last must leave the game going on.
fn play(game: &mut Game, moves: &str) -> Option<Outcome> {
    moves.split_whitespace().fold(None, |end, text| {
        assert_eq!(end, None, "before {text}");
        let mv = mv(game, text);
        game.play(mv, Duration::ZERO).unwrap()
    })
}

/// Applies an event that must be possible.
fn apply(game: &mut Game, event: Event) -> Option<Outcome> {
    game.apply(event).unwrap_or_else(|error| panic!("{event:?}: {error}"))
}

fn draw(reason: DrawReason) -> Option<Outcome> {
    Some(Outcome::Draw(reason))
}

fn spared(player: Color, fault: Fault) -> Option<Outcome> {
    draw(DrawReason::Spared(player, fault))
}

fn lost(player: Color, fault: Fault) -> Option<Outcome> {
    Some(Outcome::Win(!player, Victory::Fault(fault)))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8";
const ROOK: &str = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 120";

mod mate {
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
}

mod dead_position {
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
}

mod repetition {
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
}

mod move_rules {
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
        let dead_positions = Budget::MEDIUM.without_seventy_five_moves();
        let game = |fen: &str| Game::new(board(fen), Rules { dead_positions, ..Rules::default() });
        assert_eq!(play(&mut game(&ROOK.replace(" 0 ", " 148 ")), "e8d8"), None);
        assert_eq!(play(&mut game(&ROOK.replace(" 0 ", " 149 ")), "e8d8"), draw(DrawReason::SeventyFiveMoves));
        assert_eq!(game(&ROOK.replace(" 0 ", " 150 ")).outcome(), draw(DrawReason::SeventyFiveMoves));
        // The hundred-and-fiftieth half-move captures.
        assert_eq!(play(&mut game("3rk3/4R3/8/8/8/8/8/3QK3 b - - 149 120"), "e8e7"), None);
    }

    #[test]
    fn nobody_can_mate_in_too_few_half_moves() {
        let late = "8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100";
        assert_eq!(game(late).outcome(), draw(DrawReason::DeadPosition));
        assert_eq!(play(&mut game(&ROOK.replace(" 0 ", " 140 ")), "e8d8"), None);
        // A fault is spared for the same reason, where the game goes on.
        let rules = Rules { dead_positions: Budget::FAST, ..Rules::default() };
        let mut game = Game::new(board(late), rules.clone());
        assert_eq!(apply(&mut game, Event::Forfeit(WHITE)), spared(WHITE, Fault::Forfeit));
        let faults = Budget::FULL.without_seventy_five_moves();
        let mut game = Game::new(board(late), Rules { faults, ..rules });
        assert_eq!(apply(&mut game, Event::Forfeit(WHITE)), lost(WHITE, Fault::Forfeit));
    }
}

mod rules_left_out {
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
}

mod agreement {
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
}

mod faults {
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
}

mod clocks {
    use super::*;

    #[test]
    fn each_side_has_its_own() {
        let rules =
            Rules { time: ByColor(["60+2".parse().unwrap(), "1/10:30d3".parse().unwrap()]), ..Rules::default() };
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
}

mod history {
    use super::*;

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = game(START);
        let before = game.clone();
        let far = Move::normal(crate::Square::E2, crate::Square::E5);
        assert_eq!(game.play(far, Duration::ZERO), Err(GameError::IllegalMove(far)));
        assert_eq!(game, before);
        assert_eq!(GameError::IllegalMove(far).to_string(), "e2e5 is not a legal move");
    }

    #[test]
    fn an_end_can_be_taken_back() {
        let mut game = game(START);
        play(&mut game, "f2f3 e7e5 g2g4 d8h4");
        assert!(matches!(game.undo(), Some(Event::Move { .. })));
        assert_eq!((game.outcome(), game.board().turn()), (None, BLACK));
        assert_eq!(play(&mut game, "d8g5"), None);
        while game.undo().is_some() {}
        assert_eq!((game.board(), game.records().len()), (&Board::start(), 0));
    }

    /// An event from numbers, sensible or not.
    fn event(game: &Game, [kind, choice, took]: [u8; 3]) -> Event {
        let moves = game.board().legal_moves();
        let mv = moves[usize::from(choice) % moves.len()];
        let elapsed = seconds(u64::from(took % 16));
        let color = Color::ALL[usize::from(choice % 2)];
        let claim = Claim::ALL[usize::from(choice % 2)];
        match kind {
            0 => Event::IllegalMove { elapsed },
            1 => Event::TimeOut,
            2..6 => Event::OfferDraw(color),
            6 => Event::AcceptDraw(color),
            7..10 => Event::DeclineDraw(color),
            10..14 => Event::Claim { claim, intended: (choice % 4 < 2).then_some(mv), elapsed },
            14 => Event::Resign(color),
            15 => Event::Forfeit(color),
            _ => Event::Move { mv, elapsed },
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Whatever happens, taking it back restores the game, and the same events make it again.
        #[test]
        fn any_game_can_be_undone_and_replayed(
            start in prop::sample::select(&[START, "4k2r/6p1/8/7P/8/8/1P6/R3K3 w Qk - 96 1", "8/1k6/8/8/3N4/8/6K1/3n4 b - - 0 1"]),
            numbers in prop::collection::vec(any::<[u8; 3]>(), 0..80),
        ) {
            let rules = Rules {
                illegal_moves: IllegalMoves::Warn { losing: 3, bonus: seconds(9) },
                wrong_claim_bonus: seconds(7),
                dead_positions: Budget::FAST,
                faults: Budget::nodes(1000),
                ..Rules::timed("20/100+2:10/50d5:60".parse().unwrap())
            };
            let mut game = Game::new(board(start), rules.clone());
            let mut before = vec![game.clone()];
            for numbers in numbers {
                if game.outcome().is_some() {
                    break;
                }
                let event = event(&game, numbers);
                if game.apply(event).is_ok() {
                    before.push(game.clone());
                } else {
                    prop_assert_eq!(&game, before.last().unwrap());
                }
            }
            let events: Vec<_> = game.records().iter().map(Record::event).collect();
            prop_assert_eq!(&Game::replay(board(start), rules, events).unwrap(), &game);
            while let Some(expected) = before.pop() {
                prop_assert_eq!(&game, &expected);
                game.undo();
            }
        }

        /// Claims are found exactly where they are right.
        #[test]
        fn claims_are_all_and_only_the_right_ones(numbers in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut game = game("4k3/p7/8/8/8/8/7P/4K3 w - - 70 1");
            for number in numbers {
                let claims = game.claims();
                for claim in Claim::ALL {
                    let moves = game.board().legal_moves();
                    let now = game.is_claimable(claim, None);
                    prop_assert_eq!(claims.contains(&(claim, None)), now);
                    for mv in moves.into_iter().map(Some) {
                        prop_assert_eq!(claims.contains(&(claim, mv)), !now && game.is_claimable(claim, mv));
                    }
                }
                let moves = game.board().legal_moves();
                // Kings first: pawns would begin the count anew.
                let kings: Vec<_> = moves.iter().filter(|mv| game.board().king(game.board().turn()) == mv.from()).collect();
                let mv = kings.get(usize::from(number) % kings.len().clamp(1, 2)).copied().unwrap_or(&moves[0]);
                if game.play(*mv, Duration::ZERO).unwrap().is_some() {
                    break;
                }
            }
        }
    }
}
