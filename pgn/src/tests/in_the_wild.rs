//! Games as people and programs write them, each as it is meant.

use GameResult::{BlackWins, BothLose, Draw, WhiteWins};

use super::*;

/// The only game, and what it says when it is written again. Nothing of it may be lost.
fn whole(text: &str) -> PgnGame {
    let game = game(text);
    assert!(!game.has_losses(), "{text}: {:?}", remarks(&game));
    let again = self::game(&game.to_string());
    assert_eq!((&again.tree, again.result, again.is_forfeit), (&game.tree, game.result, game.is_forfeit), "{game}");
    game
}

fn nags(game: &PgnGame) -> Vec<u8> {
    game.tree.main_line().flat_map(|(id, _)| game.tree.node(id).nags.clone()).collect()
}

#[test]
fn tags_end_words_and_games() {
    for text in [
        "[Event \"A\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2[Event \"B\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0[Event \"C\"]\n\
         [Result \"0-1\"]\n\n1. c4 0-1\n",
        "[Event \"A\"][Result \"1/2-1/2\"]1. e4 e5 1/2-1/2[Event \"B\"][Result \"1-0\"]1. d4 d5 1-0[Event \"C\"][Result \"0-1\"]1. c4 0-1",
        "[Event \"A\"] [Result \"1/2-1/2\"] 1. e4 e5[Event \"B\"] [Result \"1-0\"] 1.d4 d5[Event \"C\"][Result \"0-1\"]1.c4",
    ] {
        let all = games(text);
        let found: Vec<_> = all.iter().map(|game| (game.tags.get("Event").unwrap(), sans(game), game.result)).collect();
        let expected = [("A", "e4 e5", Some(Draw)), ("B", "d4 d5", Some(WhiteWins)), ("C", "c4", Some(BlackWins))];
        assert_eq!(found, expected.map(|(event, moves, result)| (event, moves.to_owned(), result)), "{text}");
    }
    for text in [
        "[Event \"A\"[White \"B\"]\n[Black \"C\"\n[Round \"4\"]\n\n1. e4 *",
        "[Event A]\n[White B]\n[Black 'C']\n[Round 4]\n\n1. e4 *",
        " [ Event \"A\" ] [White\t\"B\"]\n\n[Black “C”] [Round \"4\"] 1. e4 *",
    ] {
        let game = whole(text);
        let tags = ["Event", "White", "Black", "Round"].map(|name| game.tags.get(name).unwrap_or_default());
        assert_eq!((tags, &moves(&game)[..]), (["A", "B", "C", "4"], "1. e4 *"), "{text}");
    }
    assert_eq!(moves(&whole("[White to move and win]\n\n1. e4 *")), "{ [White to move and win] } 1. e4 *");
    let clocks = whole("1. e4[%clk 0:01:00] e5 [%clk 0:00:59][%csl Ge4] 2. Nf3 *");
    assert_eq!(moves(&clocks), "1. e4 { [%clk 0:01:00] } 1... e5 { [%clk 0:00:59] [%csl Ge4] } 2. Nf3 *");
    assert_eq!(moves(&whole("1. e4 [a diagram] e5 *")), "1. e4 { [a diagram] } 1... e5 *");
}

#[test]
fn a_bad_move_ends_its_line_and_not_the_game() {
    for (text, kept, said) in [
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6\n6. Ke8 Ke1 1-0",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 { Not read from line 2 on (\"Ke8\" is not a legal move here): Ke8 Ke1 } 1-0",
            "line 2: \"Ke8\" is not a legal move here; the main line ends before it",
        ),
        (
            "1. e4 e5 (1... c5 2. Nf4 d6) 2. Nf3 Nc6 3. Bb5 a6 *",
            "1. e4 e5 ( 1... c5 { Not read from line 1 on (\"Nf4\" is not a legal move here): Nf4 d6 } ) 2. Nf3 Nc6 3. Bb5 a6 *",
            "line 1: \"Nf4\" is not a legal move here; the variation ends before it",
        ),
        (
            "1. e4 e5 (1... Ke7 2. Nf4 (2. d4 {x} [y]) d6) (1... c5) 2. Nf3 *",
            "1. e4 e5 { Not read from line 1 on (\"Ke7\" is not a legal move here): Ke7 2. Nf4 ( 2. d4 (x) (y) ) d6 } ( 1... c5 ) 2. Nf3 *",
            "line 1: \"Ke7\" is not a legal move here; the variation ends before it",
        ),
        (
            "1. e4 e5 (1... d6 2. Bb5+ -- 3. Nf3) 2. Nf3 *",
            "1. e4 e5 ( 1... d6 2. Bb5+ { Not read from line 1 on (a null move in check): -- 3. Nf3 } ) 2. Nf3 *",
            "line 1: a null move in check; the variation ends before it",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 a6 2... d6 3. d4 1-0",
            "1. e4 e5 2. Nf3 Nc6 ( 2... d6 3. d4 ) 3. Bb5 a6 { Not read from line 1 on (\"d6\" is not a legal move here): d6 3. d4 } 1-0",
            "line 1: \"d6\" is not a legal move here; the main line ends before it",
        ),
        ("1. e4 (1. d4 d5", "1. e4 ( 1. d4 d5 ) *", "line 1: the variation that begins here is not closed"),
        (
            "1. e4 e5 {not closed 2. Nf3",
            "1. e4 e5 { not closed 2. Nf3 } *",
            "line 1: the comment that begins here is not closed",
        ),
        (
            "1. e4 e5 2. Ng9 Nc6 *",
            "1. e4 e5 { Not read from line 1 on (\"Ng9\" is not a move): Ng9 Nc6 } *",
            "line 1: \"Ng9\" is not a move; the main line ends before it",
        ),
        (
            "1. P-K4 P-K4 2. N-KB3 *",
            "",
            "line 1: \"P-K4\" is descriptive notation, which is not read; the main line ends before it",
        ),
    ] {
        let text = format!("[Event \"x\"]\n{}\n\n[Event \"good\"]\n\n1. d4 *", text);
        let all = games(&text);
        assert_eq!(all.len(), 2, "{text}");
        let said = said.replace("line 2", "line 3").replace("line 1", "line 2");
        assert_eq!(remarks(&all[0]), [&said[..]], "{text}");
        assert!(all[0].has_losses());
        if !kept.is_empty() {
            let kept = kept.replace("line 2", "line 3").replace("line 1", "line 2");
            assert_eq!(moves(&all[0]), kept);
        }
        assert_eq!((sans(&all[1]), all[1].tags.get("Event")), ("d4".to_owned(), Some("good")));
        // What has been read once reads the same again, and nothing is lost any more.
        let again = game(&all[0].to_string());
        assert_eq!((&again.tree, again.has_losses()), (&all[0].tree, false));
        let strict = PgnReader::new(text.as_bytes()).strict(true).collect::<Vec<_>>();
        assert!(matches!(&strict[..], [Err(error), Ok(_)] if error.start == 1), "{strict:?}");
    }
}

#[test]
fn a_variation_may_come_before_the_move_it_differs_from() {
    assert_eq!(moves(&whole("(1. d4 d5) 1. e4 e5 *")), "1. e4 ( 1. d4 d5 ) 1... e5 *");
    assert_eq!(moves(&whole("1. e4 e5 ((1... c5) 1... e6) 2. d4 *")), "1. e4 e5 ( 1... c5 ) ( 1... e6 ) 2. d4 *");
}

#[test]
fn kings_in_the_centre_show_the_result() {
    let game = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ";
    for (end, comment) in [
        ("Ke4 1-0", "The kings show the result: Ke4"),
        ("4. Ke4 Kd5 1-0", "The kings show the result: Ke4 Kd5"),
        ("4. Kxe5 4... Kd4", "The kings show the result: Kxe5 4... Kd4"),
    ] {
        let game = whole(&format!("{game}{end}"));
        assert_eq!((sans(&game), game.remarks.len()), ("e4 e5 Nf3 Nc6 Bb5 a6".to_owned(), 0), "{end}");
        assert_eq!(game.tree.node(game.tree.last_main()).comment, comment);
    }
    for end in ["Ke4 Kd5 Nf3 1-0", "Kd3 1-0"] {
        assert!(self::game(&format!("{game}{end}")).has_losses(), "{end}");
    }
    // A game without a result may go on.
    assert!(self::game("1. e4 e5 2. Kd4 *").has_losses());
}

#[test]
fn results_are_what_they_are() {
    for (tag, end, result, is_forfeit) in [
        ("1 - 0", "1 - 0", Some(WhiteWins), false),
        ("0.5 - 0.5", "0.5 - 0.5", Some(Draw), false),
        ("0,5-0,5", "0,5-0,5", Some(Draw), false),
        ("½:½", "½:½", Some(Draw), false),
        ("1:0", "1:0", Some(WhiteWins), false),
        ("1-0 ", "1-0", Some(WhiteWins), false),
        ("1/2 - 1/2", "1/2 - 1/2", Some(Draw), false),
        ("+:-", "*", Some(WhiteWins), true),
        ("-:+", "-:+", Some(BlackWins), true),
        ("-/-", "*", Some(BothLose), true),
        ("+--", "+--", Some(WhiteWins), true),
        ("1-0F", "1-0F", Some(WhiteWins), true),
        ("1F-0F", "1F-0F", Some(WhiteWins), true),
        ("0-1 FF", "0-1 FF", Some(BlackWins), true),
        ("0-1 (forfeit)", "*", Some(BlackWins), true),
        ("1-0 on time", "1-0", Some(WhiteWins), false),
        ("0,0:1,0", "0,0:1,0", Some(BlackWins), false),
        ("0-0", "0-0", Some(BothLose), false),
        ("1/2-0", "1/2-0", None, false),
        ("0-1/2", "0-1/2", None, false),
        ("1-0", "1 – 0", Some(WhiteWins), false),
        ("1\u{ad}-\u{200b}0", "1\u{ad}-\u{200b}0", Some(WhiteWins), false),
        ("–\u{ad}––", "–\u{ad}––", Some(BothLose), true),
    ] {
        for (tag, end) in [(tag, end), (tag, "*"), (tag, "")] {
            let text = format!("[Result \"{tag}\"]\n\n1. e4 e5 {end}\n");
            let game = whole(&text);
            assert_eq!((game.result, game.is_forfeit, sans(&game)), (result, is_forfeit, "e4 e5".to_owned()), "{text}");
            assert!(game.to_string().contains(&format!("[Result \"{tag}\"]")), "{game}");
            assert!(game.remarks.is_empty(), "{text}");
        }
        if end != "*" {
            let alone = whole(&format!("1. e4 e5 {end}\n"));
            assert_eq!((alone.result, alone.is_forfeit), (result, is_forfeit), "{end}");
        }
    }
}

#[test]
fn a_forfeit_is_one_of_the_result_that_counts() {
    for (tag, end, result, is_forfeit) in [
        ("1-0", "1-0F", WhiteWins, true),
        ("1-0", "0-1FF", WhiteWins, false),
        ("0-1 (forfeit)", "1-0", BlackWins, true),
    ] {
        let game = game(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {end}\n"));
        assert_eq!((game.result, game.is_forfeit), (Some(result), is_forfeit), "{tag} {end}");
        assert!(game.to_string().contains(&format!("The moves end with {end}.")), "{game}");
    }
}

#[test]
fn a_result_with_moves_behind_it_does_not_end_the_game() {
    for (text, moves, result) in [
        ("1. e4 +-- e5 2. Nf3--+ Nc6 1-0", "1. e4 $20 e5 2. Nf3 $21 Nc6 1-0", Some(WhiteWins)),
        ("1. e4 (1. d4 +-- d5) 1... e5 1-0", "1. e4 ( 1. d4 $20 d5 ) 1... e5 1-0", Some(WhiteWins)),
        ("1. e4 ½ e5 2. Nf3 1-0", "1. e4 e5 2. Nf3 { ½ } 1-0", Some(WhiteWins)),
        ("1. e4 e5 1-0\n2. Nf3 Nc6", "1. e4 e5 2. Nf3 Nc6 1-0", Some(WhiteWins)),
        ("1. e4 e5 1-0 (1... c5) *", "1. e4 e5 ( 1... c5 ) 1-0", Some(WhiteWins)),
        ("1. e4 e5 1-0 2. Nf3 1/2-1/2", "1. e4 e5 2. Nf3 { 1-0 } 1/2-1/2", Some(Draw)),
    ] {
        let game = whole(text);
        assert_eq!((&self::moves(&game)[..], game.result), (moves, result), "{text}");
    }
    // At the end it is a result, and what begins anew is the next game.
    assert_eq!(whole("1. e4 e5 +--").result, Some(WhiteWins));
    for text in ["1. e4 e5 1-0 1. d4 d5 *", "1. e4 1-0 1. d4 *", "e4 e5 1-0 d4 d5 0-1", "1. e4 e5 1-0\n\n2. Nf3 *"] {
        assert_eq!(games(text).len(), 2, "{text}");
    }
}

#[test]
fn zeros_are_castling_where_it_is_possible() {
    let before = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 ";
    let castled = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O";
    for (tag, end, moves, result) in [
        ("", "4. 0-0 Nf6 *", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", None),
        ("", "4. 0-0", castled, None),
        ("1-0", "4. 0-0 1-0", castled, Some(WhiteWins)),
        ("1-0", "4. 0-0", castled, Some(WhiteWins)),
        ("0-0", "4. 0-0", "e4 e5 Nf3 Nc6 Bc4 Bc5", Some(BothLose)),
        ("0-0", "4. 0-0 Nf6 0-0", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", Some(BothLose)),
        ("", "4. 0-0 Nf6 0-0", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", Some(BothLose)),
        ("", "4. 0-0 Nf6 0-0 *", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", Some(BothLose)),
    ] {
        let tag = if tag.is_empty() { String::new() } else { format!("[Result \"{tag}\"]\n\n") };
        let game = whole(&format!("{tag}{before}{end}"));
        assert_eq!((sans(&game), game.result), (moves.to_owned(), result), "{tag}{end}");
    }
}

#[test]
fn zeros_before_what_cannot_be_read_are_castling() {
    let before = "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 ";
    for end in [
        "4. 0-0 Nf9",
        "4. 0-0 Nf9 *",
        "4. 0-0 Nf6 (4... Qxx9 5.",
        "4. 0-0# Nf9",
        "4. 0-0 ?? (4... Nf9 0-0",
        "4. 0-0 mo###",
    ] {
        let game = game(&format!("{before}{end}"));
        assert!(sans(&game).starts_with("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"), "{end}");
        assert_eq!(game.result, Some(BothLose), "{end}");
        assert!(game.remarks.iter().all(|remark| game.tree.ids().any(|id| id == remark.node)), "{end}");
        assert_eq!(whole(&game.to_string()).tree, game.tree, "{end}");
    }
    // A mate that is none is told of the move that stands.
    let game = game(&format!("{before}4. 0-0#"));
    assert!(sans(&game).ends_with("O-O") && game.remarks.iter().any(|remark| remark.node == game.tree.last_main()));
}

#[test]
fn tags_and_ends_that_disagree_are_told() {
    let game = whole("[Result \"0-1\"]\n\n1. e4 e5 1-0");
    assert_eq!(game.result, Some(BlackWins));
    assert_eq!(remarks(&game), ["line 3: the tag says \"0-1\", the last word \"1-0\"; the tag is believed"]);
    assert_eq!(moves(&game), "1. e4 e5 { The moves end with 1-0. } 0-1");
    assert_eq!(moves(&self::game("[Result \"1-0\"]\n\n1. e4 e5 1-0F")), "1. e4 e5 { The moves end with 1-0F. } 1-0");
    assert_eq!(whole("[Result \"*\"]\n\n1. e4 1-0").tags.get("Result"), Some("*"));
}

#[test]
fn invisible_letters_are_not_there() {
    let mark = "\u{feff}";
    let one = format!("{mark}[Event \"A\"]\r\n\r\n1. e4 e5 1-0\r\n");
    for text in [format!("{one}\r\n{one}"), format!("{one}{one}"), format!("{}{one}", one.trim_end())] {
        let all = games(&text);
        let found: Vec<_> = all.iter().map(|game| (game.tags.get("Event"), sans(game))).collect();
        assert_eq!(found, [(Some("A"), "e4 e5".to_owned()), (Some("A"), "e4 e5".to_owned())], "{text:?}");
    }
    let text = "1.\u{a0}e4\u{200b}\u{202f}e\u{ad}5 2.\u{2060}Nf3\u{200d} N\u{ad}c6\u{a0}*";
    assert_eq!(sans(&whole(text)), "e4 e5 Nf3 Nc6");
    // In comments and names they may mean something.
    let kept = whole("[White \"a\u{200d}b\"]\n\n1. e4 {c\u{200d}d\u{a0}e} *");
    assert_eq!((kept.tags.get("White"), &moves(&kept)[..]), (Some("a\u{200d}b"), "1. e4 { c\u{200d}d\u{a0}e } *"));
}

#[test]
fn what_has_neither_tag_nor_move_is_no_game() {
    let game = "[Event \"A\"]\n\n1. e4 e5 1-0\n";
    for text in [
        format!("{game}\u{1a}"),
        format!("{game}\n\u{1a}\n{game}\u{1a}\n"),
        format!("{{ A collection. }}\n{game}"),
        format!("; A collection.\n; By nobody.\n\n{game}"),
        format!("{game} 1-0"),
        format!("{} 1-0 *\n\n*\n", game.trim_end()),
        format!("{game}\n~\n"),
        format!("{game}\n@ \u{fffd}\n\u{1f}"),
        format!("{game})\n(\n"),
    ] {
        let all = games(&text);
        assert_eq!(all.len(), text.matches("[Event").count(), "{text:?}");
        assert!(all.iter().all(|game| sans(game) == "e4 e5" && game.remarks.is_empty()), "{text:?}");
    }
    for text in ["", "\u{1a}", "\u{1f}", "*", "1-0", "~", "@", "{a comment}", "; a comment", "some words"] {
        assert!(read(text).is_empty(), "{text:?}");
    }
    let commented = games("{ A collection. }\n[Event \"A\"]\n\n1. e4 *");
    assert_eq!(moves(&commented[0]), "{ A collection. } 1. e4 *");
    let after = games("1. e4 1-0 {the end} $14 [Event \"B\"]\n\n1. d4 *");
    assert_eq!((moves(&after[0]), sans(&after[1])), ("1. e4 $14 { the end } 1-0".to_owned(), "d4".to_owned()));
}

#[test]
fn signs_are_numbers() {
    for (sign, nag) in [
        ("±", 16),
        ("⩲", 14),
        ("∓", 17),
        ("⩱", 15),
        ("+-", 18),
        ("-+", 19),
        ("+/-", 16),
        ("-/+", 17),
        ("=+", 15),
        ("+=", 14),
        ("=", 10),
        ("∞", 13),
        ("□", 7),
        ("⇆", 132),
        ("↑", 36),
        ("→", 40),
        ("N", 146),
        ("!", 1),
        ("??", 4),
        ("⁉", 5),
        ("+−", 18),
    ] {
        for space in [" ", ""] {
            let text = format!("1. e4{space}{sign} e5 2. Nf3{space}{sign} Nc6 3. Bb5 Nf6 4. O-O{space}{sign} *");
            let game = whole(&text);
            assert_eq!((sans(&game), nags(&game)), ("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O".to_owned(), vec![nag; 3]), "{text}");
        }
    }
    assert_eq!(nags(&whole("1. e4 (!) e5 (?!) (±) 2. Nf3 +/− *")), [1, 6, 16, 16]);
    let several = whole("1. e4!± {best} e5?! ⩲ N $5 2. Nf3 good move (=) $300 !!! *");
    assert_eq!(moves(&several), "1. e4 $1 $16 { best } 1... e5 $6 $14 $146 $5 2. Nf3 { good move (=) $300 !!! } *");
}

#[test]
fn moves_are_read_as_people_write_them() {
    for (text, expected) in [
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O–O O‑O", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. OO 0-0", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"),
        ("1. e4 a6 2. e5 d5 3. exd6e.p.", "e4 a6 e5 d5 exd6"),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. b6", "e4 a6 e5 d5 exd6 b6"),
        ("1. ♘f3 ♞f6 2. ♙e4 ♟e5", "Nf3 Nf6 e4 e5"),
        ("1. e4, e5, 2. Nf3, Nc6.", "e4 e5 Nf3 Nc6"),
        ("1. Nb1-c3 e7-e5 2. e2e4 Ng8×f6", "Nc3 e5 e4 Nf6"),
        ("1)e4 e5", "e4 e5"),
        ("1-e4 e5 2:Nf3 Nc6 3/Bb5", "e4 e5 Nf3 Nc6 Bb5"),
        ("1. E2E4 e7e5 2. G1-F3 nc6", "e4 e5 Nf3 Nc6"),
        ("1. pe4 pe7e5 2. ng1-f3 nf6", "e4 e5 Nf3 Nf6"),
    ] {
        assert_eq!(sans(&whole(text)), expected, "{text}");
    }
    let castled = "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O";
    for text in ["0–0 0—0", "O-0 0-O", "O - O 0 - 0", "00 0 – 0+", "Ke1-g1 Ke8g8", "e1g1 e8h8", "О-О о–о", "0-0+ OO#"]
    {
        assert_eq!(sans(&whole(&format!("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. {text} *"))), castled, "{text}");
    }
    let promotions = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n";
    for text in [
        "a8(Q)",
        "a8/Q",
        "a8=Q",
        "a8Q",
        "a8=(Q)+",
        "a8q",
        "a8=q+",
        "a7a8q",
        "a7-a8=Q+",
        "a8=♕",
        "a8♕+",
        "Pa8=Q",
        "pa7a8q",
        "♙a8=♛",
        "a8 =Q",
        "a8 Q",
        "a8(=Q)",
        "a8[Q]",
        "a8:Q",
        "a8-Q",
    ] {
        assert_eq!(sans(&whole(&format!("{promotions}1. {text} *"))), "a8=Q+", "{text}");
    }
    assert_eq!(sans(&whole("[FEN \"4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1\"]\n\n1. 0-0-0+ 0-0+ *")), "O-O-O O-O");
}

#[test]
fn pieces_may_have_the_letters_of_another_language() {
    for (text, moves, language) in [
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. 0-0 Dd4", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd4", "German"),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6 5. O-O Dd4", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd4", "French"),
        ("1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Axc6 dxc6 5. Re2 Dd4", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 Ke2 Qd4", "Spanish"),
        ("1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. Крe2 Фe7", "e4 e5 Nf3 Nc6 Bb5 a6 Ke2 Qe7", "Russian"),
        ("1. e4 e5 2. Pf3 Pc6 3. Lb5 Tb8", "e4 e5 Nf3 Nc6 Bb5 Rb8", "Dutch"),
        ("1. e4 e5 2. Pf3 Pc6 3. Lb5 Lc5", "e4 e5 Nf3 Nc6 Bb5 Bc5", "Dutch"),
        ("1. e4 e5 2. Rf3 Rc6 3. Lb5 Lc5", "e4 e5 Nf3 Nc6 Bb5 Bc5", "Finnish"),
        ("1. e4 e5 2. Sf3 (2. Gc4 Hh4) 2... Sc6 3. Gb5", "e4 e5 Nf3 Nc6 Bb5", "Polish"),
    ] {
        let game = whole(&format!("[Event \"x\"]\n\n{text} *"));
        assert_eq!(sans(&game), moves, "{text}");
        assert_eq!(remarks(&game), [format!("line 1: the pieces have {language} letters")]);
        // Another fault is one in every language.
        let bad = self::game(&format!("[Event \"x\"]\n\n{text} Ka8 *"));
        assert!(bad.has_losses(), "{text}");
    }
    let named = whole("[Language \"de\"]\n\n1. e4 e5 2. Sf3 *");
    assert_eq!((sans(&named), remarks(&named).len()), ("e4 e5 Nf3".to_owned(), 1));
    // A promotion to a king is a fault, and no Turkish rook.
    assert!(game("[FEN \"8/P7/8/8/8/8/8/k1K5 w - - 0 1\"]\n\n1. a8=K *").has_losses());
    // Mixed letters are no language.
    assert!(game("1. e4 e5 2. Nf3 Sc6 *").has_losses());
}

#[test]
fn clocks_of_two_parts_are_not_rewritten() {
    let seconds = |game: &PgnGame| {
        let clocks = game.tree.main_line().filter_map(|(id, _)| game.tree.node(id).clock);
        clocks.map(|clock| clock.as_secs()).collect::<Vec<_>>()
    };
    let line = "1. e4 {[%clk 1:30]} e5 {[%clk 1:30]} 2. Nf3 {[%clk 1:28]} *";
    for (control, expected) in [
        ("5400+30", [5400, 5400, 5280]),
        ("40/5400:1800", [5400, 5400, 5280]),
        ("90+1", [90, 90, 88]),
        ("120", [90, 90, 88]),
        ("?", [90, 90, 88]),
    ] {
        let game = whole(&format!("[TimeControl \"{control}\"]\n\n{line}"));
        assert_eq!(seconds(&game), expected, "{control}");
        assert!(moves(&game).contains("[%clk 1:28]") && !moves(&game).contains("0:01:30"), "{game}");
    }
    // Minutes alone often stay what they are.
    let slow: String =
        (1..=8).map(|_| "Nf3 {[%clk 1:30]} Nf6 {[%clk 1:29]} Ng1 {[%clk 1:30]} Ng8 {[%clk 1:28]} ").collect();
    assert_eq!(seconds(&whole(&slow))[0], 5400);
    // After the hour come minutes and seconds.
    let fast = "1. e4 {[%clk 1:00:02]} e5 {[%clk 1:00:01]} 2. Nf3 {[%clk 59:58]} Nc6 {[%clk 9:58]} *";
    assert_eq!(seconds(&whole(fast)), [3602, 3601, 3598, 598]);
    let slow = "1. e4 {[%clk 2:00:00]} e5 {[%clk 1:59]} 2. Nf3 {[%clk 1:58]} *";
    assert_eq!(seconds(&whole(slow)), [7200, 7140, 7080]);
}

#[test]
fn commands_are_kept() {
    let text = "1. e4 { [%eval #-3] [%clk 00:05:00] [%emt 1:2] [%csl Ge4] [%cal Ge2e4,Rd1h5] [%mct 17] [%ts 1,2] [%foo bar] said } *";
    assert_eq!(moves(&whole(text)), text);
    let node = |text: &str| whole(text).tree.node(NodeId::ROOT).clone();
    assert_eq!(node("{[%evp 0,15,29] x} 1. e4 *").comment, "[%evp 0,15,29] x");
}

#[test]
fn variants_have_many_names() {
    for variant in [
        "Standard",
        "Standard Chess",
        "FRC",
        "Fischerandom",
        "Fischer Random 960",
        "Chess 9LX",
        "Blitz",
        "Freestyle Chess",
        "wild/fr",
        "From Position",
        "Chess 960",
        "Fischer Random Chess",
        "Double Fischer Random",
    ] {
        assert_eq!(sans(&whole(&format!("[Variant \"{variant}\"]\n\n1. e4 e5 *"))), "e4 e5", "{variant}");
    }
    for variant in ["Crazyhouse", "Three-check", "King of the Hill", "Antichess", "Xiangqi"] {
        let all = read(format!("[Variant \"{variant}\"]\n\n1. e4 (1. d4) e5 1-0\n\n[Event \"good\"]\n\n1. d4 *"));
        let [Err(error), Ok(_)] = &all[..] else { panic!("{all:?}") };
        assert_eq!(error.fault.to_string(), format!("the variant {variant:?} is not played here"));
    }
    assert!(whole("[Variant \"FRC\"]\n\n1. e4 *").is_chess960());
}

#[test]
fn a_sign_of_mate_without_one_is_told() {
    let game = whole("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# *");
    assert!(game.remarks.is_empty());
    let game = whole("1. e4 e5 2. Qh5# Nc6 *");
    assert_eq!(remarks(&game), ["line 1: \"Qh5#\" is no mate"]);
}

#[test]
fn a_missing_half_move_is_told() {
    // The word that cannot be read was a move: the next number says so.
    let game = game("1. Nf3 Nf6\n2. Ng1 xxz\n3. Nf3 Ng8 *");
    assert_eq!(sans(&game), "Nf3 Nf6 Ng1");
    assert_eq!(remarks(&game), ["line 2: \"xxz\" is not a move; the main line ends before it"]);
    let game = whole("1. e4 e5\n5. Nf3 Nc6 *");
    assert_eq!(remarks(&game), ["line 2: move 5 is move 2 by the moves before it"]);
}

#[test]
fn names_of_tags_and_tags_without_quotes_are_read() {
    let game = whole("[Event \"x\"]\n[Site Berlin]\n[White “Anna”]\n[Opening-2 \"y\"]\n\n1. e4 *");
    let tags: Vec<_> = game.tags.iter().collect();
    assert_eq!(tags, [("Event", "x"), ("Site", "Berlin"), ("White", "Anna"), ("Opening-2", "y")]);
}
