//! `vancura analyse` on the public test sets: no game is lost, and endgame tables speak the same to any number of
//! threads.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use analysis::model::Document;
use analysis::{AnalyseArguments, run_until};
use clap::Parser;
use pgn::{EngineScore, PgnGame, PgnReader};
use tests::data::{announce, read, test_data};

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: AnalyseArguments,
}

/// Analyses a text; returns the games and all that was found.
fn analyse(folder: &Path, text: &str, more: &[&str]) -> (String, Document) {
    let [input, pgn, json] = ["in.pgn", "out.pgn", "out.json"].map(|name| folder.join(name));
    fs::write(&input, text).expect("a file");
    let files = [Path::new("analyse"), &input, Path::new("-o"), &pgn, Path::new("--json"), &json];
    let arguments = files.into_iter().chain(more.iter().map(Path::new));
    let line = CommandLine::try_parse_from(arguments).unwrap_or_else(|error| panic!("{error}"));
    run_until(&line.arguments, &AtomicBool::new(false)).unwrap_or_else(|error| panic!("{error}"));
    let text = |path| fs::read_to_string(path).expect("a file");
    (text(&pgn), serde_json::from_str(&text(&json)).expect("JSON"))
}

fn games(text: &str) -> Vec<PgnGame> {
    PgnReader::new(text.as_bytes()).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn no_game_is_lost() {
    let Some(data) = test_data("no_game_is_lost") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let edges = fs::read_dir(data.join("pgn/edge")).expect("the edge cases").map(|entry| {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        format!("pgn/edge/{name}")
    });
    let (mut count, mut positions) = (0, 0);
    for name in edges.chain(["pgn/lichess_db_1000k.pgn.zst".to_owned()]) {
        let text = read(&data, &name);
        let (annotated, document) = analyse(folder.path(), &text, &["--nodes", "30"]);
        let (before, after) = (games(&text), games(&annotated));
        assert_eq!((before.len(), document.games.len()), (after.len(), after.len()), "{name}");
        for ((before, after), game) in before.iter().zip(&after).zip(&document.games) {
            let moves = |game: &PgnGame| game.tree.main_line().map(|(id, _)| game.tree.node(id).mv).collect::<Vec<_>>();
            assert_eq!(moves(before), moves(after), "{name}");
            assert_eq!((game.moves.len(), game.complete), (moves(before).len(), true), "{name}");
            assert_eq!(before.result, after.result, "{name}");
            positions += game.positions.len();
        }
        count += after.len();
    }
    assert!(count > 450, "{count}");
    announce(&format!("{count} games with {positions} positions were analysed"));
}

#[test]
fn tables_speak_the_same_to_any_number_of_threads() {
    let Some(data) = test_data("tables_speak_the_same_to_any_number_of_threads") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let tables = data.join("syzygy").to_string_lossy().into_owned();
    let rook = "[FEN \"8/8/8/4k3/8/8/8/R3K3 w - - 0 1\"]\n\n1. Kf2 *\n";
    let games = format!("{rook}\n[FEN \"8/8/8/8/2k5/8/3P4/3K4 w - - 0 1\"]\n\n1. Kc2 Kd4 2. d3 Kd5 *\n");
    let run = |threads| analyse(folder.path(), &games, &["--nodes", "3000", "--syzygy", &tables, "--threads", threads]);
    let (one, several) = (run("1"), run("3"));
    assert_eq!(one, several);
    assert!(one.1.run.tablebase.is_some_and(|tables| tables.pieces >= 4 && tables.wdl_files > 0));
    let rook = one.1.games[0].positions[0].analysis.as_ref().expect("an analysis");
    assert_eq!((rook.white, rook.wdl.win), (1.0, 1000));
    assert!(matches!(rook.score, EngineScore::Mate(1..) | EngineScore::Centipawns(19_000..)), "{rook:?}");
}
