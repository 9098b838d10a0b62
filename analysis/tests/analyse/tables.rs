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
        let columns: Vec<_> = columns.iter().map(|column| column.name).collect();
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), columns);
        let records: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), rows.len());
        for (record, row) in records.iter().zip(&rows) {
            for (field, column) in record.iter().zip(&columns) {
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

/// A cell as JSON has it.
#[cfg(feature = "parquet")]
fn of_parquet(field: &parquet::record::Field) -> Value {
    use parquet::record::Field;
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => (*value).into(),
        Field::Short(value) => (*value).into(),
        Field::Int(value) => (*value).into(),
        Field::UShort(value) => (*value).into(),
        Field::UInt(value) => (*value).into(),
        Field::ULong(value) => (*value).into(),
        Field::Double(value) => (*value).into(),
        Field::Str(text) => text.as_str().into(),
        other => panic!("unexpected {other:?}"),
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_says_the_same_as_json_lines() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    let bench = Bench::new(ten_games());
    bench.run(&[&["@in.pgn", "--jsonl", "@json/", "--parquet", "@tables"], &TOY[..]].concat()).unwrap();
    for (table, columns) in [("positions", PositionRow::COLUMNS), ("games", GameRow::COLUMNS)] {
        let expected = objects(&bench.read(&format!("json/{table}.jsonl")));
        let file = fs::File::open(bench.path(&format!("tables/{table}.parquet"))).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let metadata = reader.metadata().file_metadata();
        assert!(metadata.created_by().unwrap().starts_with("Vancura "), "{:?}", metadata.created_by());
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), expected.len());
        for (row, expected) in rows.iter().zip(&expected) {
            assert!(row.get_column_iter().map(|(name, _)| &name[..]).eq(columns.iter().map(|column| column.name)));
            for (name, field) in row.get_column_iter() {
                // Dates and times have types of their own, which `rows` tests.
                if !matches!(&name[..], "UTCDate" | "UTCTime") {
                    assert_eq!(of_parquet(field), expected[name], "{table}: {name}");
                }
            }
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_data_set_is_a_folder_unless_its_name_says_otherwise() {
    let bench = Bench::new("1. e4 *");
    bench.run(&[&["@in.pgn", "--parquet", "@set", "--shard", "1/1"], &TOY[..]].concat()).unwrap();
    assert!(bench.path("set/games-1-of-1.parquet").is_file() && bench.path("set/positions-1-of-1.parquet").is_file());
    bench.run(&[&["@in.pgn", "--parquet", "@one.parquet"], &TOY[..]].concat()).unwrap();
    assert!(fs::read(bench.path("one.parquet")).unwrap().ends_with(b"PAR1"));
    fs::write(bench.path("in.pgn"), "").unwrap();
    let before = fs::read(bench.path("one.parquet")).unwrap();
    let result = bench.run(&[&["@in.pgn", "--parquet", "@one.parquet"], &TOY[..]].concat());
    assert!(matches!(result, Err(AnalyseError::Empty(_))), "{result:?}");
    assert!(fs::read(bench.path("one.parquet")).unwrap() == before, "a run without games replaces nothing");
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
