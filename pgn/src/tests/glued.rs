//! Moves with nothing between them, as hurried people and bad exports have them.

use super::*;

#[test]
fn moves_without_a_blank_are_told_apart() {
    for (text, expected) in [
        ("1.e4e5 2.Nf3Nc6 3.Bb5a6 1-0", "e4 e5 Nf3 Nc6 Bb5 a6"),
        ("1.e4e52.Nf3Nc63.Bb5a61-0", "e4 e5 Nf3 Nc6 Bb5 a6"),
        ("1.e4-e5 2.f4-exf4 *", "e4 e5 f4 exf4"),
        ("1.e4c52.Nf3d63.d4cxd4 *", "e4 c5 Nf3 d6 d4 cxd4"),
        ("1.e4e5f4exf4Nf3d6 *", "e4 e5 f4 exf4 Nf3 d6"),
        ("1. e2e4 e7e5 *", "e4 e5"),
        ("1. e2e4e7e5 2. g1f3b8c6 *", "e4 e5 Nf3 Nc6"),
        ("1.e4e5(1...c5 2.Nf3d6) 2.Nf3 *", "e4 e5 Nf3"),
    ] {
        let found = game(text);
        assert_eq!((sans(&found), found.has_losses()), (expected.to_owned(), false), "{text}: {:?}", remarks(&found));
    }
    for (text, expected) in [("1. d41d5 2. c4 *", "d4 d5 c4"), ("1.d41...d52.c4e63Nc3 *", "d4 d5 c4 e6 Nc3")] {
        let found = game(text);
        assert_eq!((sans(&found), found.has_losses()), (expected.to_owned(), false), "{text}: {:?}", remarks(&found));
    }
    let said = remarks(&game("1.e4e5 2.Nf3d6 *"));
    assert_eq!(said, ["line 1: \"e4e5\" is read as \"e4 e5\""]);
    // A move between two squares stays one.
    assert_eq!(remarks(&game("1.e2e4 e7e5 2.g1f3 *")), [""; 0]);
    let bad = game("1.d4 d5 2.e4e6e6 3.Nf3 *");
    assert_eq!((sans(&bad), bad.has_losses()), ("d4 d5".to_owned(), true));
}

#[test]
fn moves_in_other_letters_are_read_where_they_can_be_played() {
    for (text, expected) in [
        ("1. e4 d5 2. ed Qd5: 3. nc3 Qa5 4. d4 e5 5. de *", "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 e5 dxe5"),
        ("1. E4 E5 2. NF3 NC6 3. BB5 A6 4. BXC6 DXC6 *", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6"),
        ("1. e4 e5 2. bc4 bc5 3. b4 bxb4 *", "e4 e5 Bc4 Bc5 b4 Bxb4"),
        ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8 (Q) Kg7 *", "a8=Q+ Kg7"),
    ] {
        let found = game(text);
        assert_eq!((sans(&found), found.has_losses()), (expected.to_owned(), false), "{text}: {:?}", remarks(&found));
    }
}

#[test]
fn signs_around_a_move_do_not_end_the_line() {
    let found = game("1.\u{201c}d4 d5 2. \u{aa}c4\u{2019} <e6> 3. |Nc3 *");
    assert_eq!((sans(&found), found.has_losses()), ("d4 d5 c4 e6 Nc3".to_owned(), false), "{:?}", remarks(&found));
    assert_eq!(remarks(&found), ["line 1: \"\u{201c}d4\" is read as \"d4\""]);
    // Before the first move too, and where the sign is a letter that no piece has.
    for text in [
        "[Event \"a\"]\n\n$. \u{201c}f3 Nf6 2. Nc3 *",
        "1. \u{c9}f3 Nf6 2. \u{c0}Nc3 *",
        "[Event \"a\"]\n\n<f3> Nf6 2. Nc3 *",
    ] {
        let found = game(text);
        assert_eq!(
            (sans(&found), found.has_losses()),
            ("f3 Nf6 Nc3".to_owned(), false),
            "{text}: {:?}",
            remarks(&found)
        );
    }
}
