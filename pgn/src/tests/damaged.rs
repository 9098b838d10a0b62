//! Files that were damaged: no game is lost that the damage does not touch.

use super::*;

fn events(text: &str) -> Vec<(String, String)> {
    let event = |game: &PgnGame| game.tags.get("Event").unwrap_or_default().to_owned();
    games(text).iter().map(|game| (event(game), sans(game))).collect()
}

#[test]
fn a_game_of_tags_whose_first_is_damaged_does_not_take_the_next() {
    for text in [
        "\u{fffd}Event \"A\"]\n[Site \"x\"]\n[FEN \"2k5/8/K7/4N3/B7/8/8/8 b - - 0 1\"]\n\n[Event \"B\"]\n[Site \"y\"]\n\n1. e4 *",
        "[Site \"x\"]\n[White \"a\"]\n\n[Event \"B\"]\n[Site \"y\"]\n\n1. e4 *",
    ] {
        assert_eq!(events(text), [(String::new(), String::new()), ("B".to_owned(), "e4".to_owned())], "{text}");
    }
    // An empty line among the tags of one game is none of two.
    let one = "[Event \"A\"]\n\n[Site \"x\"]\n[White \"a\"]\n\n1. e4 *";
    assert_eq!(events(one), [("A".to_owned(), "e4".to_owned())]);
}

#[test]
fn signs_alone_are_no_game() {
    for text in ["--", "Z0 *", "...", "*", "N", "$3", "()", "(--)"] {
        assert_eq!(PgnReader::new(text.as_bytes()).count(), 0, "{text}");
    }
    assert_eq!(sans(&game("1. -- e5 *")), "-- e5");
}

#[test]
fn moves_behind_a_brace_that_is_not_closed_are_moves_if_there_is_nothing_else() {
    let text = "[Event \"A\"]{\n1. a4 a5 2. Ra3 Ra6\n3. Rd3 1-0\n\n[Event \"B\"]\n\n1. e4 e5 {no, 2. Nf3 *";
    let all = games(text);
    assert_eq!((sans(&all[0]), sans(&all[1])), ("a4 a5 Ra3 Ra6 Rd3".to_owned(), "e4 e5".to_owned()));
    assert_eq!(remarks(&all[0]), ["line 1: the comment that begins here is not closed"]);
    assert!(all[0].has_losses() && all[0].result == Some(GameResult::WhiteWins));
}

#[test]
fn a_game_that_both_lost_stays_so_whatever_its_tag_says() {
    for tag in ["*", "]", "what}", "?"] {
        for end in ["0-0", "-/-", "- : -"] {
            let found = game(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {end}"));
            let again = game(&found.to_string());
            let expected = (Some(GameResult::BothLose), end != "0-0");
            assert_eq!((found.result, found.is_forfeit), expected, "{tag} {end}");
            assert_eq!((again.result, again.is_forfeit, &again.tree), (expected.0, expected.1, &found.tree), "{found}");
        }
    }
}
