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
