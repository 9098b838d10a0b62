//! Lists of positions: EPD, tables and JSON Lines in, EPD and tables out.

use std::fs;

use analysis::AnalyseError;
use movegen::{Board, FenStyle};
use pgn::Epd;

use super::{Bench, TOY};

const FENS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

fn epds(text: &str) -> Vec<Epd> {
    text.lines()
        .map(|line| Epd::parse(line).expect("a position").unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// The same positions in each form, with the ids `a` to `d`.
fn forms() -> [(&'static str, String); 3] {
    let named = || FENS.iter().zip(["a", "b", "c", "d"]);
    let epd = named().map(|(fen, id)| format!("{fen} id \"{id}\"; bm x;\n")).collect();
    let csv = named().map(|(fen, id)| format!("{id},{fen},x\n")).collect::<String>();
    let json = named().map(|(fen, id)| format!("{{\"fen\":\"{fen}\",\"id\":\"{id}\"}}\n")).collect();
    [("in.epd", epd), ("in.csv", format!("id,FEN,note\n{csv}")), ("in.jsonl", json)]
}

#[test]
fn order_and_ids_are_kept_whatever_the_form() {
    let bench = Bench::new("");
    let mut outputs = Vec::new();
    for (name, text) in forms() {
        fs::write(bench.path(name), text).unwrap();
        let input = format!("@{name}");
        bench.run(&[&["-o", "@out.epd", &input], &TOY[..]].concat()).unwrap();
        let found = epds(&bench.read("out.epd"));
        assert_eq!(found.iter().map(|epd| epd.id().unwrap()).collect::<Vec<_>>(), ["a", "b", "c", "d"], "{name}");
        let fens: Vec<_> = found.iter().map(|epd| epd.board.fen(FenStyle::Standard)).collect();
        assert_eq!(fens, FENS, "{name}");
        let nodes: Vec<_> = found.iter().map(|epd| epd.operands("acn").next().unwrap().to_owned()).collect();
        assert_eq!((&nodes[0][..], &nodes[3][..]), ("60", "0"), "{name}");
        assert_eq!((found[1].operands("dm").next(), found[1].operands("ce").next()), (Some("1"), Some("32766")));
        assert_eq!(found[3].operands("ce").next(), Some("0"), "a stalemate");
        outputs.push(bench.read("out.epd").replace(" bm x;", ""));
    }
    assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{outputs:?}");
}

#[test]
fn all_lines_are_one_for_each_legal_move() {
    let bench = Bench::new("");
    fs::write(bench.path("in.epd"), FENS[..3].join("\n")).unwrap();
    bench.run(&["@in.epd", "--multipv", "all", "--nodes", "2k", "--json", "@out.json"]).unwrap();
    let document = bench.document("out.json");
    for (game, fen) in document.games.iter().zip(FENS) {
        let board = Board::from_fen(fen).unwrap();
        let lines = &game.positions[0].analysis.as_ref().unwrap().lines;
        let mut first: Vec<_> = lines.iter().map(|line| line.uci[0].clone()).collect();
        first.sort();
        first.dedup();
        assert_eq!((lines.len(), first.len()), (board.count_legal_moves(), board.count_legal_moves()), "{fen}");
    }
}

#[test]
fn the_network_alone_says_what_it_says_elsewhere() {
    let bench = Bench::new("1. e4 e5 2. Nf3 *");
    fs::write(bench.path("in.fen"), FENS.join("\n")).unwrap();
    bench.run(&["@in.fen", "--eval-only", "--json", "@out.json", "-o", "@out.epd"]).unwrap();
    let document = bench.document("out.json");
    let network = eval::Network::embedded();
    let analysis = |index: usize| document.games[index].positions[0].analysis.clone().unwrap();
    let board = Board::from_fen(FENS[2]).unwrap();
    let score = uci::engine_score(search::Score(network.evaluate(&board)), eval::wdl::material(&board));
    assert_eq!(analysis(2).score, score.relative_to(board.turn()));
    assert!(analysis(2).lines.is_empty() && analysis(2).nodes == 0 && document.run.limits.nodes == Some(0));
    assert!(bench.read("out.epd").lines().all(|line| line.contains(" acd 0; acn 0; ce ")));
    // Games, too.
    bench.run(&["@in.pgn", "--eval-only", "--json", "@out.json", "-o", "@out.pgn"]).unwrap();
    assert!(bench.document("out.json").games[0].moves.iter().all(|mv| mv.loss.is_some()));
}

#[test]
fn moves_before_a_position_are_its_history() {
    let bench = Bench::new("");
    let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    fs::write(bench.path("in.jsonl"), format!("{{\"fen\":\"{}\",\"moves\":\"{moves}\"}}\n", FENS[0])).unwrap();
    bench.run(&[&["@in.jsonl", "--json", "@out.json", "-o", "-"], &TOY[..]].concat()).unwrap();
    let document = bench.document("out.json");
    let game = &document.games[0];
    assert!(game.complete && game.positions.len() == 8);
    assert!(game.positions[..7].iter().all(|position| position.analysis.is_none()));
    // Black may claim the third repetition with his next move.
    assert_eq!(game.positions[7].claims[0].with, ["Ng8"]);
}

#[test]
fn faults_are_told_and_the_rest_goes_on() {
    let bench = Bench::new("1. e4 *");
    fs::write(bench.path("in.epd"), format!("{}\nnonsense\n{}\n", FENS[0], FENS[1])).unwrap();
    let result = bench.run(&[&["@in.epd", "-o", "@out.epd", "--json", "@out.json"], &TOY[..]].concat());
    assert!(matches!(result, Err(AnalyseError::BrokenPositions { count: 1 })), "{result:?}");
    assert_eq!(epds(&bench.read("out.epd")).len(), 2);
    let broken = &bench.document("out.json").broken;
    assert_eq!((broken.len(), broken[0].number, broken[0].line), (1, 2, 2));
    assert_eq!(broken[0].fault, "line 2: board \"nonsense\" has 1 ranks, not 8");
    let mixed = bench.run(&["@in.epd", "@in.pgn"]);
    assert!(matches!(mixed, Err(AnalyseError::Mixed { .. })), "{mixed:?}");
    fs::write(bench.path("empty.epd"), "# nothing\n").unwrap();
    let empty = bench.run(&["@empty.epd", "-o", "@out.epd"]);
    assert!(matches!(empty, Err(AnalyseError::NoPosition(_))), "{empty:?}");
    assert_eq!(epds(&bench.read("out.epd")).len(), 2, "the old file stays");
}

#[test]
fn a_table_without_the_column_is_an_error() {
    let bench = Bench::new("");
    fs::write(bench.path("in.csv"), "id,board\n1,x\n").unwrap();
    let result = bench.run(&["@in.csv", "--json", "@out.json"]);
    assert!(matches!(result, Err(AnalyseError::BrokenPositions { count: 1 })), "{result:?}");
}
