//! A file of games in PGN.

use pgn::{PgnGame, PgnReader};

/// Whatever can be read is written so that it reads back the same, and nothing of it is lost then.
///
/// # Panics
///
/// If it is not.
pub fn check(data: &[u8]) {
    for game in PgnReader::new(data).flatten() {
        let text = game.to_string();
        let games: Vec<_> = PgnReader::new(text.as_bytes()).collect();
        let [Ok(again)] = &games[..] else { panic!("{text}\nis read as\n{games:?}") };
        assert_same(&game, again);
        assert!(!again.has_losses(), "{text}\n{:?}", again.remarks);
        assert_eq!(again.to_string(), text);
    }
}

fn assert_same(game: &PgnGame, again: &PgnGame) {
    assert_eq!((&again.tree, again.result), (&game.tree, game.result), "{game}");
    // A forfeit of which the tag says nothing is kept in a comment.
    assert!(game.is_forfeit || !again.is_forfeit, "{game}");
    // Control characters become spaces.
    for (name, value) in game.tags.iter() {
        let written: String = value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        assert_eq!(again.tags.get(name), Some(&*written), "{game}");
    }
}
