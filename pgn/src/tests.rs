use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use movegen::{Board, Claim, Color, DrawReason, Event, GameResult, Outcome, Rules};
use pgn_reader::{RawComment, SanPlus, Skip, Visitor};
use proptest::prelude::*;

use super::*;

mod damaged;
mod glued;
mod in_the_wild;

fn read(text: impl AsRef<[u8]>) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new(text.as_ref()).collect()
}

fn games(text: impl AsRef<[u8]>) -> Vec<PgnGame> {
    read(text).into_iter().map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn game(text: &str) -> PgnGame {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// The main line in SAN.
fn sans(game: &PgnGame) -> String {
    let san = |(id, board): (NodeId, Board)| game.tree.node(id).mv.map_or("--".to_owned(), |mv| board.san(mv));
    game.tree.main_line().map(san).collect::<Vec<_>>().join(" ")
}

/// The movetext as it is written.
fn moves(game: &PgnGame) -> String {
    let text = game.to_string();
    text.split_once("\n\n").unwrap().1.trim().replace('\n', " ")
}

fn remarks(game: &PgnGame) -> Vec<String> {
    game.remarks.iter().map(ToString::to_string).collect()
}

fn errors(text: &str) -> Vec<String> {
    read(text).into_iter().filter_map(Result::err).map(|error| error.to_string()).collect()
}

#[test]
fn a_plain_game_is_read() {
    let game = game("[Event \"A \\\"good\\\" game\"]\n[White \"a\\\\b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n");
    assert_eq!(game.tags.get("Event"), Some("A \"good\" game"));
    assert_eq!(game.tags.get("White"), Some("a\\b"));
    assert_eq!((game.result, &sans(&game)[..]), (Some(GameResult::WhiteWins), "e4 e5 Nf3"));
}

#[test]
fn the_export_has_seven_tags_and_short_lines() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(20);
    let text = game(&format!("[Opening \"x\"]\n[White \"W\"]\n\n{moves} {{{}}} *", "word ".repeat(50))).to_string();
    let names: Vec<_> = text.lines().take_while(|line| !line.is_empty()).map(|line| &line[1..6]).collect();
    assert_eq!(names, ["Event", "Site ", "Date ", "Round", "White", "Black", "Resul", "Openi"]);
    assert!(text.contains("[Date \"????.??.??\"]\n") && text.contains("[Result \"*\"]\n"));
    assert!(text.lines().all(|line| line.len() < 80) && text.lines().count() > 12, "{text}");
}

#[test]
fn comments_clocks_and_judgements_are_kept() {
    let text = "{ Before } 1. e4! { [%eval 0.31,12] [%clk 0:05:00] [%csl Ge4] best  by\ntest } e5 $2 ; to the end }\n\
                2. Nf3 {[%emt 0:00:02.5]} {and [%clk 1:0] more} Nc6 {[%eval #-3]}{[%eval x] [%clk} *";
    let game = game(text);
    let nodes: Vec<_> = game.tree.main_line().map(|(id, _)| game.tree.node(id)).collect();
    assert_eq!(game.tree.node(NodeId::ROOT).comment, "Before");
    assert_eq!(nodes[0].comment, "[%csl Ge4] best by test");
    assert_eq!(nodes[0].clock, Some(Duration::from_secs(300)));
    let evaluation = Evaluation { score: EngineScore::Centipawns(31), depth: Some(12) };
    assert_eq!((nodes[0].evaluation, &nodes[0].nags[..]), (Some(evaluation), &[1][..]));
    assert_eq!((&nodes[1].comment[..], &nodes[1].nags[..]), ("to the end )", &[2][..]));
    assert_eq!(nodes[2].elapsed, Some(Duration::from_millis(2500)));
    assert_eq!((nodes[2].clock, &nodes[2].comment[..]), (Some(Duration::from_secs(60)), "and more"));
    assert_eq!(nodes[3].evaluation.unwrap().score, EngineScore::Mate(-3));
    assert_eq!(nodes[3].comment, "[%eval x] [%clk");
    assert_eq!(
        games(game.to_string()),
        [{
            // What the file did not have.
            let mut with_tags = game.clone();
            for (name, value) in with_tags.clone().tags.in_export_order() {
                with_tags.tags.set(name, value);
            }
            with_tags.tags.set("Result", "*");
            with_tags
        }]
    );
}

/// What becomes a command only when the comment is written is one from the start, so that it reads back the same.
#[test]
fn commands_are_found_in_the_comment_as_it_will_be_written() {
    for (text, clock, elapsed, comment) in [
        ("1. e4 {[%clk\0\0 \x141:02.5] ready} *", Some(62_500), None, "ready"),
        ("1. e4 {[%emt} {2] quick} *", None, Some(2000), "quick"),
        ("1. e4 {[[%clk 1]%emt 2]} *", Some(1000), None, "[ %emt 2]"),
    ] {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let node = game.tree.node(game.tree.main_child(NodeId::ROOT).unwrap());
        let millis = |time: Option<Duration>| time.map(|time| time.as_millis());
        assert_eq!((millis(node.clock), millis(node.elapsed), &*node.comment), (clock, elapsed, comment), "{text}");
        let again = PgnReader::new(game.to_string().as_bytes()).next().unwrap().unwrap();
        assert_eq!(again.tree, game.tree, "{text}");
    }
}

#[test]
fn variations_are_kept() {
    let text = "1. e4 ({a} 1. d4 d5 (1... Nf6 2. c4 {b}) 2. c4) (1. c4) 1... e5 (1... c5 (1... e6) 2. Nf3) 2. Nf3 *";
    let game = game(text);
    assert_eq!(sans(&game), "e4 e5 Nf3");
    let first: Vec<_> = game.tree.children(NodeId::ROOT).map(|id| game.tree.node(id).mv.unwrap()).collect();
    assert_eq!(first.iter().map(ToString::to_string).collect::<Vec<_>>(), ["e2e4", "d2d4", "c2c4"]);
    // An alternative to the first move of a variation is one more to the main move.
    let expected = "1. e4 ( { a } 1. d4 d5 ( 1... Nf6 2. c4 { b } ) 2. c4 ) ( 1. c4 ) 1... e5 ( 1... c5 2. Nf3 ) ( 1... \
                    e6 ) 2. Nf3 *";
    assert_eq!(moves(&game), expected);
    assert_eq!(moves(&self::game(expected)), expected);
    let e6 = game.tree.children(game.tree.main_child(NodeId::ROOT).unwrap()).nth(2).unwrap();
    assert_eq!(
        game.tree.board(e6).fen(movegen::FenStyle::Standard),
        "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
}

#[test]
fn what_files_in_the_wild_have_is_read() {
    for (text, expected) in [
        ("e2e4 e7e5 g1f3", "e4 e5 Nf3"),
        ("1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 Nf6", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6"),
        ("1. e4 d5 2. exd5 e.p. c6 3. dxc6 Nf6 4. cxb7 e6 5. bxa8Q", "e4 d5 exd5 c6 dxc6 Nf6 cxb7 e6 bxa8=Q"),
        ("1. e4 -- 2. d4 Z0 3. c4", "e4 -- d4 -- c4"),
        ("1. e4 N +/- e5 = D 2. d4", "e4 e5 d4"),
        ("% a line for programs\n1. e4\n% another\ne5", "e4 e5"),
        ("1. e4\n\n1... e5\n\n2. d4", "e4 e5 d4"),
        ("1. e4 ) e5", "e4 e5"),
        ("1. e4 (1. d4 1-0) e5", "e4 e5"),
        ("1. e4 ({only words}) e5 (", "e4 e5"),
    ] {
        assert_eq!(sans(&game(text)), expected, "{text}");
    }
    assert_eq!(moves(&game("1. e4 ({only words}) e5")), "1. e4 { only words } 1... e5 *");
}

#[test]
fn games_are_told_apart() {
    for (text, expected) in [
        ("1. e4 * 1. d4 *", vec!["e4", "d4"]),
        ("1. e4 e5 *\n\n1. d4 1-0 [Event \"x\"]\n1. c4 *", vec!["e4 e5", "d4", "c4"]),
        ("1. e4 e5\n\n1. d4 d5", vec!["e4 e5", "d4 d5"]),
        ("[Event \"a\"]\n[Event \"b\"]\n\n1. e4\n[Event \"c\"]\n\n1. d4", vec!["", "e4", "d4"]),
        ("[Event \"a\"]\n\n[White \"b\"]\n\n1. e4 *", vec!["e4"]),
        ("[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*", vec!["", ""]),
        ("", vec![]),
        ("\u{feff}\r\n \n", vec![]),
        ("\u{feff}[Event \"a\"]\r\n\r\n1. e4\r\n*\r\n", vec!["e4"]),
    ] {
        let games = games(text);
        assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), expected, "{text:?}");
    }
}

#[test]
fn a_game_of_which_nothing_can_be_read_is_told_by_its_line_and_the_next_is_read() {
    let good = "[Event \"good\"]\n\n1. d4 d5 *\n\n";
    for (broken, line, message) in [
        ("[Event \"x\"]\n[FEN \"nonsense\"]\n\n1. e4 *", 4, "FEN: "),
        ("[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 (1. d4 1-0) *", 4, "the variant \"Atomic\" is not played here"),
        ("1. e5 *", 1, "\"e5\" is not a legal move here"),
        ("{an open comment", 1, "the comment that begins here is not closed"),
    ] {
        let all = read(format!("{broken}\n\n{good}"));
        let Some((Err(error), Ok(next))) = all.first().zip(all.get(1)).map(|(one, two)| (one.as_ref(), two.as_ref()))
        else {
            assert_eq!(all.len(), 1, "{broken}: {all:?}");
            continue;
        };
        assert_eq!((error.line, error.start), (line, 1), "{broken}: {error}");
        assert!(error.fault.to_string().starts_with(message), "{error}");
        assert_eq!((next.tags.get("Event"), &sans(next)[..]), (Some("good"), "d4 d5"));
    }
    assert_eq!(
        errors(&format!("{good}1. e5 *")),
        ["line 5: \"e5\" is not a legal move here (in the game that begins in line 5)"]
    );
}

#[test]
fn text_that_is_not_utf8_is_windows_1252() {
    let all = games(b"[White \"Jos\xE9\"]\n[Black \"J\xC3\xB3\"]\n\n1. e4 {\x96\xFF} *");
    assert_eq!((all[0].tags.get("White"), all[0].tags.get("Black")), (Some("José"), Some("Jó")));
    assert_eq!(moves(&all[0]), "1. e4 { –ÿ } *");
}

#[test]
fn tags_in_the_wild_are_read() {
    let game = game("[White \"O\"Neil\"] [Black \"x\" ]\n[Site \"cut off\n[Empty \"\"]\n[Odd nonsense]\n\n1. e4 *");
    let tags: Vec<_> = game.tags.iter().collect();
    assert_eq!(&tags[..3], [("White", "O\"Neil"), ("Black", "x"), ("Site", "cut off")]);
    assert_eq!(tags[3], ("Empty", ""));
}

#[test]
fn the_result_is_the_tag_or_else_the_last_word() {
    assert_eq!(game("[Result \"0-1\"]\n\n1. e4 1-0").result, Some(GameResult::BlackWins));
    assert_eq!(game("[Result \"*\"]\n\n1. e4 1/2-1/2").result, Some(GameResult::Draw));
    assert_eq!(game("1. e4").result, None);
}

#[test]
fn chess960_is_read_and_written() {
    let fen = "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1";
    let text = format!("[FEN \"{fen}\"]\n[Variant \"fischerandom\"]\n\n1. Nb3 Nb6 2. Ne3 Ne6 3. O-O O-O *");
    let game = game(&text);
    assert_eq!(sans(&game), "Nb3 Nb6 Ne3 Ne6 O-O O-O");
    let (played, rest) = game.refereed(Rules::default());
    assert_eq!(rest, 0);
    let text = PgnGame::of_game(&played).to_string();
    assert!(text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nbbrknrq/"), "{text}");
    assert_eq!(sans(&self::game(&text)), sans(&game));
}

#[test]
fn a_played_game_tells_its_clocks_claims_and_end() {
    let rules = Rules::timed("60+2".parse().unwrap());
    let mut game = movegen::Game::new(Board::start(), rules);
    for san in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split(' ') {
        let mv = game.board().parse_san(san).unwrap();
        game.play(mv, Duration::from_millis(1500)).unwrap();
    }
    game.apply(Event::OfferDraw(Color::White)).unwrap();
    game.apply(Event::DeclineDraw(Color::Black)).unwrap();
    let intended = Some(game.board().parse_san("Ng8").unwrap());
    let claim = Event::Claim { claim: Claim::Threefold, intended, elapsed: Duration::ZERO };
    assert_eq!(game.apply(claim), Ok(Some(Outcome::Draw(DrawReason::Threefold))));
    let pgn = PgnGame::of_game(&game);
    let text = pgn.to_string();
    assert!(text.contains("[TimeControl \"60+2\"]\n[Termination \"normal\"]\n"), "{text}");
    assert!(text.contains("1. Nf3 { [%clk 0:01:00.5] [%emt 0:00:01.5] }"), "{text}");
    let expected = "White offers a draw. Black declines. Black claims a draw by threefold repetition. draw by threefold \
                    repetition, claimed. } 1/2-1/2";
    assert!(moves(&pgn).ends_with(expected), "{text}");
    assert_eq!(self::game(&text).to_string(), text);
}

#[test]
fn ends_are_told_in_the_words_of_the_standard() {
    let end = |event, time: &str| {
        let mut game = movegen::Game::new(Board::start(), Rules::timed(time.parse().unwrap()));
        game.apply(event).unwrap();
        let pgn = PgnGame::of_game(&game);
        (pgn.tags.get("Termination").unwrap().to_owned(), pgn.result, pgn.tree.node(NodeId::ROOT).comment.clone())
    };
    let (white, black) = (Some(GameResult::WhiteWins), Some(GameResult::BlackWins));
    let told = |termination: &str, result, comment: &str| (termination.to_owned(), result, comment.to_owned());
    assert_eq!(end(Event::TimeOut, "1"), told("time forfeit", black, "White runs out of time."));
    let illegal = Event::IllegalMove { elapsed: Duration::ZERO };
    assert_eq!(end(illegal, "-"), told("rules infraction", black, "White makes an illegal move."));
    assert_eq!(end(Event::Forfeit(Color::Black), "-"), told("abandoned", white, "Black forfeits."));
    assert_eq!(end(Event::Resign(Color::White), "-"), told("normal", black, "White resigns."));
}

#[test]
fn no_nesting_and_no_length_is_too_much() {
    // Each level is an alternative to the pawn's move before it.
    let deep = |depth: usize| {
        let levels = ["(Nf3 a6", "(Nf6 a3", "(Ng1 a6", "(Ng8 a3"].into_iter().cycle().take(depth);
        format!("a3 {} {} *", levels.collect::<Vec<_>>().join(" "), ")".repeat(depth))
    };
    // What the board can write is read, and what is read is written so that it can be read.
    let nested = game(&deep(PgnLimit::Nesting.most()));
    assert!(games(nested.to_string())[0].tree == nested.tree);
    let said = remarks(&game(&deep(100_000)));
    assert_eq!(said, ["line 1: variations are nested more than 10000 deep; the variation ends before it"]);
    assert_eq!(errors(&"(".repeat(1 << 20)).len(), 1);
    assert!(game(&"1. e4 (".repeat(1 << 17)).has_losses());
    assert_eq!(errors(&"{".repeat(1 << 20)).len(), 1);
    // What has neither tag nor move is no game.
    for sign in [")", "[", "1-0 ", "* "] {
        assert!(read(sign.repeat(1 << 12)).is_empty(), "{sign}");
    }
    assert_eq!(read("1. e4 1-0 ".repeat(1 << 12)).len(), 1 << 12);
    // A drop of a tree is no recursion either.
    let knights = game(&"Nf3 Nf6 Ng1 Ng8 ".repeat(50_000));
    assert_eq!(knights.tree.len(), 200_001);
}

#[test]
fn what_is_over_a_limit_is_told_by_its_line_and_the_next_game_is_read() {
    let most = |limit: PgnLimit| limit.most();
    let tags = |count: usize| (0..count).map(|tag| format!("[T{tag} \"x\"]\n")).collect::<String>();
    let shorter_lines = |text: &str, count: usize| format!("{}\n", text.repeat(1 << 10)).repeat(count >> 10);
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(Tree::MAX_NODES / 4);
    let good = "[Event \"good\"]\n\n1. d4 d5 *\n";
    for (limit, line, kept, text) in [
        (PgnLimit::Line, 3, 0, format!("[Event \"x\"]\n\n1. e4 {{{}}} *\n", "x".repeat(most(PgnLimit::Line)))),
        (PgnLimit::Comment, 3, 2, format!("[Event \"x\"]\n\n1. e4 {{\n{}}} e5 *\n", shorter_lines("words ", 1 << 18))),
        (PgnLimit::Tags, 514, 1, format!("[Event \"x\"]\n\n{}\n1. e4 *\n", tags(1 << 15))),
        (PgnLimit::Moves, 3, most(PgnLimit::Moves), format!("[Event \"x\"]\n\n{knights} *\n")),
        (PgnLimit::Variations, 3, 2, format!("[Event \"x\"]\n\n1. e4 {} e5 *\n", "(c4)".repeat(1 << 16))),
        (PgnLimit::Game, 8191, 1, format!("[Event \"x\"]\n\n1. e4\n{} *\n", shorter_lines("$1", 1 << 23))),
    ] {
        let all = games(format!("{text}\n{good}"));
        let [game, next] = &all[..] else { panic!("{limit:?}: {} games", all.len()) };
        assert_eq!(game.tree.main_line().count(), kept, "{limit:?}");
        let remark = game.remarks.iter().find(|remark| remark.is_loss()).unwrap();
        assert_eq!(remark.line, line, "{remark}");
        assert!(remark.to_string().contains(&most(limit).to_string()), "{remark}");
        assert_eq!((next.tags.get("Event"), &sans(next)[..]), (Some("good"), "d4 d5"));
    }
    let long_tag = format!("[Event \"{}\"]\n\n1. e4 *\n\n{good}", "x".repeat(most(PgnLimit::Line)));
    let all = read(long_tag);
    // What belonged to the tag is a game by itself.
    let [Err(error), Ok(rest), Ok(next)] = &all[..] else { panic!("{} games", all.len()) };
    assert_eq!((error.line, error.start, &sans(rest)[..], next.tags.get("Event")), (1, 1, "e4", Some("good")));
    assert!(matches!(error.fault, PgnFault::Line(LineFault::Limit(PgnLimit::Line))), "{error}");
}

#[test]
fn what_is_no_text_ends() {
    let all: Vec<_> = PgnReader::new(io::BufReader::new(io::repeat(0))).collect();
    let [Err(error)] = &all[..] else { panic!("{} games", all.len()) };
    assert!(error.to_string().starts_with("line 1: cannot be read: a line of more than "), "{error}");
}

#[test]
fn control_characters_in_comments_are_spaces() {
    let game = game("1. e4 {a\u{1b}[31mb\u{7f}\u{9b}c} ({\u{1b}d} d4) *");
    assert_eq!(moves(&game), "1. e4 { a [31mb c } ( { d } 1. d4 ) *");
}

/// The main line and the comments in the eyes of an independent reader.
struct Peer;

impl Visitor for Peer {
    type Tags = ();
    type Movetext = (String, usize);
    type Output = (String, usize);

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(Self::Movetext::default())
    }

    fn san(&mut self, (moves, _): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        moves.push_str(&format!("{} ", san.san));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (_, comments): &mut Self::Movetext, _: RawComment<'_>) -> ControlFlow<Self::Output> {
        *comments += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, movetext: Self::Movetext) -> Self::Output {
        movetext
    }
}

/// Our main line as [`Peer`] writes it, and how many nodes of it have a comment.
fn as_peer(game: &PgnGame) -> (String, usize) {
    let moves = sans(game).replace(['+', '#'], "");
    let comments = game.tree.main_line().filter(|&(id, _)| !comment::written(game.tree.node(id)).is_empty());
    (if moves.is_empty() { moves } else { moves + " " }, comments.count())
}

proptest! {
    #[test]
    fn no_bytes_are_too_much(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(bytes);
    }

    /// Whatever can be read is written so that it reads the same, and other readers find the same main line.
    #[test]
    fn what_is_read_can_be_written_and_read_again(
        words in prop::collection::vec(prop::sample::select(&[
            "e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "(", "(", ")", ")", "{", "}", "{a b}", ";", "\n", "\n\n", "%", "$1", "!",
            "1.", "1...", "--", "[", "]", "\"", "[Event \"x\"]", "[Event \"", "[%clk 0:01:02.5]", "[%eval -0.07,3]", "{[%emt 1]}",
            "1-0", "*", "\\", "=", "é", "\u{0}", "[A \"\\\"\"]\n", "1 - 0", "1-0F", "0-0", "½:½", "1/2-0", "±", "+-", "(=)", "Sf3",
            "♘f3", "O–O", "[%clk 1:30]", "e9", "Ke4", "Kd5", "P-K4", "\u{feff}", "e4#", "word", "$300", "[Language \"de\"]\n",
            "[Result \"+:-\"]\n", "[Result \"0-0\"]\n", "[Result \"1-0\"]\n", "[TimeControl \"5400\"]\n", "2.", "9.", "[x]",
        ]), 0..60),
        gap in prop::sample::select(&["", " "]),
    ) {
        for game in read(words.join(gap)).into_iter().flatten() {
            let text = game.to_string();
            let again = read(&text);
            prop_assert_eq!(again.len(), 1, "{}", text);
            let again = again.into_iter().next().unwrap();
            prop_assert!(again.is_ok(), "{}\n{:?}", text, again);
            let again = again.unwrap();
            prop_assert_eq!(&again.tree, &game.tree, "{}", text);
            prop_assert_eq!(again.result, game.result);
            for (name, value) in game.tags.iter().filter(|(name, _)| *name != "Result") {
                prop_assert_eq!(again.tags.get(name), Some(value));
            }
            prop_assert_eq!(again.to_string(), text);
        }
    }

    #[test]
    fn an_independent_reader_agrees(
        words in prop::collection::vec(prop::sample::select(&[
            "e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "( d4 )", "( d4 {x} )", "{a}", "!", "$5", "Bc4", "Bc5", "O-O", "Qe7",
        ]), 0..40),
    ) {
        for game in read(words.join(" ")).into_iter().flatten() {
            let text = game.to_string();
            let peer = pgn_reader::Reader::new(text.as_bytes()).read_game(&mut Peer).unwrap().unwrap();
            let root = usize::from(!game.tree.node(NodeId::ROOT).comment.is_empty());
            let (moves, comments) = as_peer(&game);
            prop_assert_eq!(peer, (moves, comments + root), "{}", text);
        }
    }
}

#[test]
fn a_game_that_both_players_lost_is_told_by_its_tag() {
    // As a word among the moves it would be castling.
    let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"0-0\"]\n\n1. e4 *\n\n";
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(game.result, Some(GameResult::BothLose));
    assert_eq!(game.to_string(), text);
    let castled = PgnReader::new(&b"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *"[..]).next().unwrap().unwrap();
    assert_eq!((castled.result, castled.tree.main_moves().count()), (None, 7));
}
