//! What a review needs: labels, reasons, alternatives to mistakes, and the exercises that are made of them.

use std::ffi::OsString;
use std::fs;

use analysis::AnalyseError;
use analysis::model::{Judgement, Label};
use analysis::puzzles::{self, PuzzlesArguments};
use clap::Parser;
use movegen::Board;
use pgn::PgnReader;

use crate::Bench;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: PuzzlesArguments,
}

/// A game in which both sides err, with a player who has a name.
const GAME: &str = "[Event \"A\"]\n[Site \"https://example.org/abc\"]\n[White \"Berg, Anna\"]\n[Black \"Ben\"]\n[Date \
                    \"2024.03.02\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n\n";

/// A game that ends in a mate that was allowed.
const MATED: &str = "[White \"Berg, Anna\"]\n[Black \"Ben\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

fn puzzles(bench: &Bench, arguments: &[&str]) -> Result<(), AnalyseError> {
    let arguments = arguments.iter().map(|argument| match argument.strip_prefix('@') {
        Some(name) => bench.path(name).into_os_string(),
        None => argument.into(),
    });
    let line = CommandLine::try_parse_from([OsString::from("puzzles")].into_iter().chain(arguments));
    puzzles::run(&line.unwrap_or_else(|error| panic!("{error}")).arguments)
}

#[test]
fn every_move_has_a_label_and_all_are_counted() {
    let bench = Bench::new(GAME);
    let document = bench.analyse(&["--nodes", "3000", "--multipv", "2"]);
    let game = &document.games[0];
    assert!(game.moves.iter().all(|mv| mv.label.is_some()));
    let labels = game.white.game.labels;
    let sum: u32 = Label::ALL.into_iter().map(|label| labels.of(label)).sum();
    assert_eq!(sum as usize, game.moves.len().div_ceil(2));
    assert_eq!(game.moves[0].label, Some(Label::Book));
    let accuracy = game.white.lichess_accuracy.expect("all positions have a score");
    assert!((0.0..100.0).contains(&accuracy));
    let bench = Bench::new(MATED);
    let mated = &bench.analyse(&["--nodes", "3000"]).games[0].moves[2];
    assert!(mated.reasons.iter().any(|reason| reason.mate == Some(1) && reason.text == "Allows mate in 1: Qh4#."));
    let table = bench.path("positions.csv");
    bench.run(&["@in.pgn", "--nodes", "3000", "--csv", "@positions.csv"]).expect("a table");
    assert!(fs::read_to_string(table).expect("a table").contains(",book,"));
}

#[test]
fn comments_say_why_if_they_are_asked() {
    let bench = Bench::new(MATED);
    bench.run(&["@in.pgn", "--nodes", "3000", "--explain", "--labels", "-o", "@out.pgn"]).expect("games");
    let text = bench.read("out.pgn").replace('\n', " ");
    assert!(text.contains("Allows mate in 1: Qh4#.") && text.contains("Book."), "{text}");
    bench.run(&["@in.pgn", "--nodes", "3000", "-o", "@plain.pgn"]).expect("games");
    let text = bench.read("plain.pgn").replace('\n', " ");
    assert!(!text.contains("Allows mate") && !text.contains("Book."), "{text}");
}

#[test]
fn mistakes_have_alternatives_that_judge_any_answer() {
    let bench = Bench::new(GAME);
    let document = bench.analyse(&["--nodes", "3000"]);
    let game = &document.games[0];
    let mut count = 0;
    for (index, mv) in game.moves.iter().enumerate() {
        let is_bad = matches!(mv.judgement, Some(Judgement::Mistake | Judgement::Blunder));
        assert_eq!(mv.practice.is_some(), is_bad, "{}", mv.san);
        let Some(practice) = &mv.practice else { continue };
        count += 1;
        let board = Board::from_fen(&game.positions[index].fen).expect("a position");
        let legal = board.count_legal_moves();
        assert!(practice.moves.len() >= legal.min(5), "{}", mv.san);
        assert!(
            practice.moves[0].loss == 0.0 && practice.moves.is_sorted_by(|one, other| one.loss <= other.loss + 1e-9)
        );
        match practice.others_lose {
            None => assert_eq!(practice.moves.len(), legal),
            Some(loss) => assert!(loss > 0.05 && practice.moves.len() < legal),
        }
        assert!(practice.moves.iter().all(|other| board.parse_uci(&other.uci).is_ok() && other.line[0] == other.san));
    }
    assert!(count >= 2, "both sides err");
    bench.run(&["@in.pgn", "--nodes", "3000", "--no-practice", "--json", "@none.json"]).expect("games");
    assert!(bench.document("none.json").games[0].moves.iter().all(|mv| mv.practice.is_none()));
}

#[test]
fn exercises_are_written_in_three_forms() {
    let bench = Bench::new(GAME);
    bench.analyse(&["--nodes", "3000"]);
    let files = ["--pgn", "@study.pgn", "--csv", "@puzzles.csv", "--anki", "@cards.txt"];
    puzzles(&bench, &[&["@out.json", "--player", "anna BERG"], &files[..]].concat()).expect("exercises");
    let text = bench.read("study.pgn");
    let games: Vec<_> = PgnReader::new(text.as_bytes()).map(|game| game.expect("a game")).collect();
    assert!(!games.is_empty() && games.iter().all(|game| !game.has_losses() && game.tree.len() > 2));
    assert_eq!(games[0].tags.get("White"), Some("Berg, Anna"));
    let mut rows = csv::Reader::from_reader(bench.read("puzzles.csv").into_bytes().leak() as &[u8]);
    assert_eq!(rows.headers().expect("names").iter().next(), Some("PuzzleId"));
    let rows: Vec<_> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), games.len());
    for (row, game) in rows.iter().zip(&games) {
        let mut board = Board::from_fen(&row[1]).expect("a position");
        let moves: Vec<_> = row[2].split(' ').collect();
        board.play(board.parse_uci(moves[0]).expect("the opponent's move"), &mut ());
        assert_eq!(board.key(), game.tree.start().key(), "the exercise begins after it");
        assert!(moves.len().is_multiple_of(2), "the player moves last");
        for text in &moves[1..] {
            board.play(board.parse_uci(text).expect("a legal move"), &mut ());
        }
        assert!(row[8].starts_with("https://example.org/abc#"));
    }
    let cards = bench.read("cards.txt");
    let cards: Vec<_> = cards.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(cards.len() == games.len() && cards.iter().all(|card| card.split('\t').count() == 4));
}

#[test]
fn strict_puzzles_have_one_solution() {
    let bench = Bench::new(
        "[White \"Anna\"]\n[Black \"Ben\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Ben\"]\n[Black \"Clara\"]\n[FEN \
         \"3r2k1/p4ppp/8/8/8/2r5/4RPPP/4R1K1 b - - 0 1\"]\n\n1... a6 2. h3 h6 *\n",
    );
    bench.analyse(&["--nodes", "3000", "--multipv", "2"]);
    let rows = |arguments: &[&str]| -> Vec<[String; 2]> {
        puzzles(&bench, &[&["@out.json", "--strict", "--csv", "@strict.csv"], arguments].concat()).expect("puzzles");
        let text = bench.read("strict.csv").into_bytes();
        let mut rows = csv::Reader::from_reader(&text[..]);
        rows.records().map(|row| row.expect("a row")).map(|row| [&row[2], &row[7]].map(str::to_owned)).collect()
    };
    // By what is kept, only the mate in one is proved: nobody has played the second move of the other.
    let mate = ["g2g4 d8h4".to_owned(), "opening oneMove mate mateIn1".to_owned()];
    assert!(rows(&[]).iter().eq([&mate]));
    let longer = ["a7a6 e2e8 d8e8 e1e8".to_owned(), "endgame short mate mateIn2 backRankMate".to_owned()];
    assert_eq!(rows(&["--search", "20000"]), [mate, longer.clone()]);
    assert_eq!(rows(&["--search", "20000", "--player", "Ben"]).len(), 2);
    let error = |arguments: &[&str]| {
        puzzles(&bench, &[&["@out.json", "--strict"], arguments].concat()).expect_err("no puzzle").to_string()
    };
    assert!(error(&["--player", "Anna"]).starts_with("no position with one solution of several moves in 1 game: "));
    assert!(error(&["--player", "Clara", "--search", "2000"]).ends_with("in 1 game"));
    // Where the right move was played there is nothing beside it.
    puzzles(&bench, &["@out.json", "--strict", "--player", "Ben", "--pgn", "@strict.pgn"]).expect("puzzles");
    let [game] = &bench.games("strict.pgn")[..] else { panic!("one puzzle") };
    assert_eq!((game.tree.main_moves().count(), game.tree.len()), (1, 2));
}

#[test]
fn what_is_no_exercise_is_said_in_words() {
    let bench = Bench::new(GAME);
    bench.analyse(&["--nodes", "3000"]);
    let error = |arguments: &[&str]| puzzles(&bench, arguments).expect_err("no exercise").to_string();
    assert!(error(&["@out.json", "--player", "Clara"]).starts_with("no game of Clara; "));
    assert!(error(&["@in.pgn", "--player", "Ben"]).contains("holds no analysis"));
    let old = bench.read("out.json").replacen("\"schema\":2", "\"schema\":1", 1);
    fs::write(bench.path("old.json"), old).expect("a file");
    assert!(error(&["@old.json", "--player", "Ben"]).contains("written by another version (form 1"));
    bench.run(&["@in.pgn", "--nodes", "3000", "--no-practice", "--json", "@none.json"]).expect("games");
    assert!(error(&["@none.json", "--player", "Ben"]).contains("no alternatives are stored"));
    fs::write(bench.path("empty.json"), "{\"schema\":2,\"run\":{},\"games\":[\n],\"broken\":[]}\n").expect("a file");
    assert!(error(&["@empty.json", "--player", "Ben"]).starts_with("no game of Ben"));
}

#[test]
fn a_game_without_moves_and_one_of_chess960_are_reviewed() {
    let bench = Bench::new(
        "[White \"Ben\"]\n\n*\n\n[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. \
         g4 g5 2. f4 gxf4 *\n\n[FEN \"8/8/4k3/8/8/4K3/8/8 w - - 0 1\"]\n\n1. Kd3 *\n",
    );
    let document = bench.analyse(&["--nodes", "500"]);
    let [empty, chess960, dead] = &document.games[..] else { panic!("three games") };
    assert_eq!(
        (empty.white.lichess_accuracy, empty.white.game.labels),
        (None, analysis::model::LabelCounts::default())
    );
    assert!(chess960.moves.iter().all(|mv| mv.label.is_some_and(|label| label != Label::Book)));
    assert!(dead.moves.iter().all(|mv| mv.loss == Some(0.0)), "nothing can be lost");
}
