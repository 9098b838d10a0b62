//! Tables, and parts of the input that together are the whole.

use std::fs;
use std::io::Write as _;
use std::sync::atomic::AtomicBool;

use analysis::AnalyseError;
use analysis::rows::{GameRow, PositionRow, Row as _};
use serde_json::Value;

use super::{Bench, TOY, ten_games};

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
fn both_forms_say_the_same_and_games_join_positions() {
    let bench = Bench::new(ten_games());
    bench.run(&[&["@in.pgn", "--jsonl", "@json/", "--csv", "@csv/", "--multipv", "2"], &TOY[..]].concat()).unwrap();
    for (table, columns) in [("positions", PositionRow::COLUMNS), ("games", GameRow::COLUMNS)] {
        let rows = objects(&bench.read(&format!("json/{table}.jsonl")));
        let text = bench.read(&format!("csv/{table}.csv"));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), columns);
        let records: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), rows.len());
        for (record, row) in records.iter().zip(&rows) {
            for (field, column) in record.iter().zip(columns) {
                let value = match &row[column] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                assert_eq!(field, value, "{table}: {column}");
            }
        }
    }
    let games = objects(&bench.read("json/games.jsonl"));
    let positions = objects(&bench.read("json/positions.jsonl"));
    for game in &games {
        let own = positions.iter().filter(|row| row["game_id"] == game["game_id"] && row["multipv"] == 1);
        assert_eq!(own.count() as u64 % (game["plies"].as_u64().unwrap() + 1), 0, "{game}");
    }
    assert!(positions.iter().all(|row| row["cp"].is_null() != row["mate"].is_null()));
    assert!(positions.iter().any(|row| row["multipv"] == 2 && row["line"].is_string()));
}

#[test]
fn a_table_in_a_file_is_that_of_positions() {
    let bench = Bench::new("1. e4 *");
    bench.run(&[&["@in.pgn", "--csv", "@out.csv"], &TOY[..]].concat()).unwrap();
    assert_eq!(bench.read("out.csv").lines().count(), 3);
    let result = bench.run(&["@in.pgn", "--csv", "@out.csv", "--jsonl", "@out.csv"]);
    assert!(matches!(result, Err(AnalyseError::SameOutput(_))), "{result:?}");
}

/// The parts of the input in order, one after the other, each killed once before.
fn parts(bench: &Bench, input: &str, count: usize) -> String {
    let mut whole = String::new();
    for number in 1..=count {
        let (shard, output) = (format!("{number}/{count}"), format!("@part{number}"));
        let arguments = [&[input, "--shard", &shard, "--jsonl", &output], &TOY[..]].concat();
        let stopped = bench.run_until(&arguments, &AtomicBool::new(true));
        assert!(matches!(stopped, Err(AnalyseError::Interrupted(Some(_)))), "{stopped:?}");
        bench.run(&arguments).unwrap_or_else(|error| panic!("{shard}: {error}"));
        let text = bench.read(&output[1..]);
        // What is finished is left alone.
        fs::write(bench.path(&output[1..]), "kept").expect("a file");
        bench.run(&arguments).expect("nothing is to be done");
        assert_eq!(bench.read(&output[1..]), "kept");
        whole += &text;
        fs::remove_file(bench.path(&output[1..])).expect("the file is there");
    }
    whole
}

#[test]
fn parts_together_are_one_run_to_the_byte() {
    let bench = Bench::new(ten_games());
    bench.run(&[&["@in.pgn", "--jsonl", "@whole"], &TOY[..]].concat()).unwrap();
    let whole = bench.read("whole");
    for count in [1, 3, 12] {
        assert!(parts(&bench, "@in.pgn", count) == whole, "{count} parts differ from the whole");
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(ten_games().as_bytes()).unwrap();
    fs::write(bench.path("in.pgn.gz"), packed.finish().unwrap()).unwrap();
    assert!(parts(&bench, "@in.pgn.gz", 2) == whole, "parts of a compressed file differ from the whole");
}

#[test]
fn parts_of_positions_and_of_several_files_are_the_whole_too() {
    let bench = Bench::new(ten_games());
    let fens: String =
        (1..30).map(|clock| format!("4k3/8/8/8/8/8/4P3/4K3 w - - {clock} 40 id \"{clock}\";\n")).collect();
    fs::write(bench.path("in.epd"), fens).unwrap();
    bench.run(&[&["@in.epd", "--jsonl", "@whole"], &TOY[..]].concat()).unwrap();
    let text = bench.read("whole");
    assert!(parts(&bench, "@in.epd", 4) == text);
    let ids: Vec<_> = objects(&text).iter().map(|row| row["id"].as_str().map(str::to_owned)).collect();
    assert_eq!(ids, (1..30).map(|id| Some(format!("{id}"))).collect::<Vec<_>>());
    fs::create_dir(bench.path("folder")).unwrap();
    for name in ["a.pgn", "b.pgn"] {
        fs::write(bench.path("folder").join(name), ten_games()).unwrap();
    }
    bench.run(&[&["@folder", "--jsonl", "@whole"], &TOY[..]].concat()).unwrap();
    assert!(parts(&bench, "@folder", 5) == bench.read("whole"));
}

#[test]
fn parts_are_balanced_and_named_in_a_folder() {
    let bench = Bench::new(ten_games());
    let arguments = |shard| [&["@in.pgn", "--shard", shard, "--csv", "@out/"], &TOY[..]].concat();
    bench.run(&arguments("1/2")).unwrap();
    bench.run(&arguments("2/2")).unwrap();
    let games = ["1", "2"].map(|part| bench.read(&format!("out/games-{part}-of-2.csv")).lines().count() - 1);
    assert_eq!(games[0] + games[1], 10);
    assert!(games.iter().all(|&count| count >= 3), "{games:?}");
    assert!(bench.path("out/positions-1-of-2.csv").is_file());
    let left: Vec<_> = fs::read_dir(bench.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}
