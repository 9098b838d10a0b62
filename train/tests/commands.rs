//! The commands of the README, at toy size and as real processes.

#![allow(clippy::unwrap_used)] // every function here may panic, as tests do

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use movegen::{Board, Move, Square};
use train::games::blocks::{read_games, write_games};
use train::games::game::{Game, GameResult};
use train::records::synthetic::random_games;

const DATAGEN: &str = env!("CARGO_BIN_EXE_datagen");
const TRAINER: &str = env!("CARGO_BIN_EXE_trainer");

fn run(program: &str, folder: &Path, line: &str) -> Output {
    Command::new(program).args(line.split_whitespace()).current_dir(folder).output().unwrap()
}

/// Runs a command that must succeed; returns what it printed.
fn succeed(program: &str, folder: &Path, line: &str) -> String {
    let output = run(program, folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Runs a command of the trainer that must fail; returns its complaint.
fn fail(folder: &Path, line: &str) -> String {
    let output = run(TRAINER, folder, line);
    assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.starts_with("error: ") && complaint.lines().count() == 1, "{complaint}");
    complaint
}

/// Runs a command whose options make no sense; returns its complaint.
fn refuse(program: &str, folder: &Path, line: &str) -> String {
    let output = run(program, folder, line);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{line}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn networks(folder: &Path) -> Vec<PathBuf> {
    let files = fs_err::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "nnue")).collect()
}

#[test]
fn senseless_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs_err::write(folder.join("book"), format!("{START}\n")).unwrap();
    for (options, complaint) in [
        ("--opening-score 0", "0 is not in 1.."),
        ("--opening-score=-1", "-1 is not in 1.."),
        ("--chess960 1.01", "not from 0 to 1"),
        ("--chess960 NaN", "not from 0 to 1"),
        ("--book book --book-share=-0.5", "not from 0 to 1"),
        ("--book-share 0.5", "--book <BOOK>"),
        ("--chess960 0.6 --book book --book-share 0.5", "are more than all games"),
    ] {
        let refusal = refuse(DATAGEN, folder, &format!("generate pool.games --games 1 {options}"));
        assert!(refusal.contains(complaint), "{options}: {refusal}");
    }
    assert!(!folder.join("pool.games").exists());

    for (options, complaint) in [
        ("--batch-size 1000000000000000000", "batch size is 1000000000000000000, not from 1 to 16777216"),
        ("--parts 100000000", "number of parts is 100000000, not from 1 to 1024"),
        ("--batches 18446744073709551615", "number of batches is "),
        ("--superbatches 18446744073709551615", "number of superbatches is "),
    ] {
        let refusal = fail(folder, &format!("train run --train none --validation none {options}"));
        assert!(refusal.contains(complaint), "{options}: {refusal}");
    }
    let refusal = refuse(TRAINER, folder, "bench --hidden 1000000000000000000");
    assert!(refusal.contains("not a multiple of 16 up to "), "{refusal}");
}

#[test]
fn a_share_that_is_not_given_makes_room_for_the_other() {
    const PAWNS: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs_err::write(folder.join("book"), PAWNS).unwrap();
    succeed(TRAINER, folder, "seed seed.nnue");
    for (pool, share, from_book) in [("book.games", "--book-share 1", true), ("arrays.games", "--chess960 1", false)] {
        let line = format!("generate {pool} --network seed.nnue --games 30 --soft-nodes 20 --seed 1 --book book");
        succeed(DATAGEN, folder, &format!("{line} {share}"));
        let games: Vec<Game> = read_games(&folder.join(pool)).unwrap().map(|game| game.unwrap()).collect();
        assert_eq!(games.len(), 30);
        assert!(games.iter().all(|game| (game.start.occupied().count() <= 18) == from_book), "{share}");
    }
}

#[test]
fn games_of_a_match_runner_become_records() {
    let game = |result: &str, last: &str| {
        let scores = "e4 {+0.30/8} e5 {-0.25/9} Nf3 {+0.31/9} Nc6 {-0.28/8} Bb5 {+0.33/9}";
        format!("[Result \"{result}\"]\n\n{scores} {last} {result}\n\n")
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs_err::write(folder.join("a.pgn"), game("1-0", "a6 {-0.30/8}") + &game("0-1", "Nf6 {-0.20/8}")).unwrap();
    fs_err::write(folder.join("b.pgn"), game("1/2-1/2", "d6 {-0.35/8}") + &game("1-0", "Bc5")).unwrap();
    let output = run(DATAGEN, folder, "import pool.games a.pgn b.pgn");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3 games, 18 positions; 1 games left out\n");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.starts_with("warning: b.pgn: the game in line 5: no score after a move"), "{complaint}");
    let summary = succeed(TRAINER, folder, "prepare pool.games --train train.records --validation validation.records");
    assert!(summary.contains("3 games\n") && !summary.contains("warning"), "{summary}");
    assert!(refuse(DATAGEN, folder, "import pool.games").contains("required"));
    assert!(refuse(DATAGEN, folder, "import a.pgn b.pgn").contains("a.pgn is not a file of games"));
}

#[test]
fn games_of_matches_are_weighed_by_their_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let scores = "1. e4 { [%eval 0.30,8] } e5 { [%eval 0.25,9] } 2. Nf3 { [%eval 0.31,9] } Nc6 { [%eval 0.28,8] }";
    let tags = "[Event \"Vancura play\"]\n[White \"new\"]\n[Black \"old 2\"]\n[Result \"1-0\"]\n";
    fs_err::write(folder.join("a.pgn"), format!("{tags}[TimeControl \"5000 nodes/move\"]\n\n{scores} 1-0\n")).unwrap();
    let said = succeed(DATAGEN, folder, "import pool.games a.pgn --player new --player old");
    assert_eq!(said, "1 games, 4 positions; 0 games left out\n");
    assert!(succeed(DATAGEN, folder, "stats pool.games").contains("settings: nodes=5000 source=match"));
    let prepare = "prepare pool.games --train train.records --validation validation.records --min-ply 0";
    for (weight, records) in [("", 4), (" --weight nodes=5000:3", 12), (" --weight pool.games:2", 8)] {
        let summary = succeed(TRAINER, folder, &format!("{prepare}{weight}"));
        assert!(summary.contains(&format!("{records:>15} kept for training")), "{weight}: {summary}");
    }
    assert!(fail(folder, &format!("{prepare} --weight nodes=500:3")).contains("nodes=500: no games to weigh"));
    assert!(refuse(TRAINER, folder, &format!("{prepare} --weight nodes=5000")).contains("behind a colon"));
    assert!(refuse(TRAINER, folder, &format!("{prepare} --weight nodes=5000:0")).contains("not from 1 to 100"));
}

#[test]
fn games_are_packed_merged_and_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut bytes = Vec::new();
    write_games(&mut bytes, &random_games(52, 20)).unwrap();
    fs_err::write(folder.join("pool.games"), &bytes).unwrap();
    let said = succeed(DATAGEN, folder, "pack pool.games pool.packed --settings soft-nodes=200");
    assert!(said.starts_with("20 games, "), "{said}");
    let said = succeed(DATAGEN, folder, "merge merged.packed pool.packed pool.games");
    assert!(said.starts_with("20 games, ") && said.contains("; 20 duplicates left out"), "{said}");
    succeed(DATAGEN, folder, "unpack merged.packed unpacked.games");
    let count = |file: &str| read_games(&folder.join(file)).unwrap().filter(Result::is_ok).count();
    assert_eq!([count("pool.packed"), count("merged.packed"), count("unpacked.games")], [20; 3]);
    let stats = succeed(DATAGEN, folder, "stats merged.packed");
    assert!(stats.contains("games                20\n") && stats.contains("settings: soft-nodes=200\n"), "{stats}");
    let data = "--train train.records --validation validation.records --held-out 200";
    let [plain, packed] =
        ["pool.games", "pool.packed"].map(|pool| succeed(TRAINER, folder, &format!("prepare {pool} {data}")));
    assert_eq!(plain, packed);
    assert!(refuse(DATAGEN, folder, "pack pool.games pool.packed").contains("pool.packed is there already"));
    assert_eq!(fs_err::read(folder.join("pool.games")).unwrap(), bytes);
}

#[test]
fn games_left_out_of_the_chances_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut games = random_games(51, 2);
    games[1].moves[20].mv = Move::normal(Square::A1, Square::H8);
    let mut bytes = Vec::new();
    write_games(&mut bytes, &games).unwrap();
    bytes.extend(b"torn");
    fs_err::write(folder.join("damaged.games"), bytes).unwrap();
    let said = succeed(TRAINER, folder, "chances damaged.games");
    let warning = "warning: damaged.games: 1 damaged parts and 1 games with illegal moves left out\n";
    assert!(said.starts_with(warning), "{said}");
}

#[test]
fn from_nothing_to_a_network() {
    const DATA: &str = "--train train.records --validation validation.records";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(TRAINER, folder, "seed seed.nnue");
    succeed(
        DATAGEN,
        folder,
        "generate pool.games --network seed.nnue --games 60 --soft-nodes 50 --harvest 0.2 --seed 1",
    );
    let summary = succeed(TRAINER, folder, &format!("prepare pool.games {DATA} --held-out 100"));
    assert!(summary.contains("60 games\n") && !summary.contains("warning"), "{summary}");
    assert!(summary.contains("of them harvested\n"), "{summary}");

    // As a killed process leaves it: as long as the pool, and one game of a bare start.
    let length = fs_err::metadata(folder.join("pool.games")).unwrap().len().to_le_bytes();
    let mut game = Vec::new();
    Game { start: Board::start(), result: Some(GameResult::Draw), moves: Vec::new() }.encode(&mut game);
    fs_err::write(folder.join("pool.games.journal"), [&length[..], &game].concat()).unwrap();
    let summary = succeed(TRAINER, folder, &format!("prepare pool.games {DATA} --held-out 100"));
    assert!(summary.contains("60 games\n") && summary.contains("1 games in its journal"), "{summary}");
    let stats = succeed(DATAGEN, folder, "stats pool.games");
    assert!(stats.contains("not counted: 1 games in the journal"), "{stats}");

    let train = format!("train run {DATA} --superbatches 3 --batches 8 --batch-size 512 --lr-start 0.004");
    let lines = succeed(TRAINER, folder, &train);
    let losses: Vec<f64> = lines
        .lines()
        .filter_map(|line| line.split_once("  loss ")?.1.split_whitespace().next()?.parse().ok())
        .collect();
    assert_eq!(losses.len(), 3, "{lines}");
    assert!(losses[2] < losses[0], "{lines}");
    let networks = networks(&folder.join("run"));
    assert_eq!(networks.len(), 1);
    assert_eq!(lines.lines().last().map(|line| folder.join(line)), Some(networks[0].clone()));

    let network = networks[0].display();
    fs_err::create_dir(folder.join("embedded")).unwrap();
    fs_err::write(folder.join("embedded/evaluations.txt"), format!("? {START}\n")).unwrap();
    succeed(TRAINER, folder, "install seed.nnue --folder embedded");
    let installed = succeed(TRAINER, folder, &format!("install {network} --folder embedded"));
    assert_eq!(self::networks(&folder.join("embedded")), [folder.join(installed.trim())]);
    assert_eq!(fs_err::read(folder.join(installed.trim())).unwrap(), fs_err::read(&networks[0]).unwrap());
    let noted = fs_err::read_to_string(folder.join("embedded/evaluations.txt")).unwrap();
    let evaluation = succeed(TRAINER, folder, &format!("evaluate {network}"));
    assert_eq!(noted, format!("{} {START}\n", evaluation.trim()));
    let quantised = succeed(TRAINER, folder, "quantise run/checkpoint again.nnue --validation validation.records");
    let losses = quantised.lines().last().unwrap();
    assert!(losses.starts_with("validation 0.") && losses.contains(", quantised 0."), "{quantised}");
    assert!(lines.contains(losses), "{losses} in {lines}");
    let table = fs_err::read_to_string(folder.join("run/loss.csv")).unwrap();
    assert!(table.lines().all(|line| line.split(',').filter(|cell| !cell.is_empty()).count() == 8), "{table}");
    assert_eq!(fs_err::read(folder.join("again.nnue")).unwrap(), fs_err::read(&networks[0]).unwrap());
    let evaluation: i32 = evaluation.trim().parse().unwrap();
    assert!(evaluation.abs() < 300, "{evaluation} for the start position");

    // At no speed at all a training ends where it began.
    let still = "--superbatches 1 --batches 1 --batch-size 512 --lr-start 0 --lr-end 0";
    for (number, from) in ["run/checkpoint", "again.nnue"].into_iter().enumerate() {
        let lines = succeed(TRAINER, folder, &format!("train still{number} {DATA} --from {from} {still}"));
        let network = fs_err::read(folder.join(lines.lines().last().unwrap())).unwrap();
        assert_eq!(network, fs_err::read(&networks[0]).unwrap(), "{from}");
    }

    // The mean of a checkpoint and of its own network says the same; that with another network is another one.
    let mean = |weights: &str| {
        let lines = succeed(TRAINER, folder, &format!("average mean.nnue {weights} --validation validation.records"));
        assert!(lines.lines().last().unwrap().starts_with("validation 0."), "{lines}");
        succeed(TRAINER, folder, "evaluate mean.nnue").trim().parse::<i32>().unwrap()
    };
    assert!((mean("run/checkpoint again.nnue") - evaluation).abs() <= 2);
    mean("again.nnue seed.nnue");
    assert_ne!(fs_err::read(folder.join("mean.nnue")).unwrap(), fs_err::read(folder.join("again.nnue")).unwrap());
    assert!(fail(folder, "average mean.nnue again.nnue pool.games").contains("not a Vancura network"));

    // In another order the network says the same, with less work.
    let lines = succeed(TRAINER, folder, "arrange again.nnue arranged.nnue --records train.records");
    let counts: Vec<f64> = lines.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(counts.len() == 2 && counts[1] < counts[0], "{lines}");
    let [one, other] =
        ["again.nnue", "arranged.nnue"].map(|name| succeed(TRAINER, folder, &format!("evaluate {name}")));
    assert_eq!(one, other);
    assert!(
        fail(folder, "arrange again.nnue other.nnue --records pool.games").contains("not a file of training records")
    );
    assert!(fail(folder, "arrange pool.games other.nnue --records train.records").contains("not a Vancura network"));

    assert!(fail(folder, &train).contains("holds a training already"));
    assert!(fail(folder, &format!("train other {DATA} --from pool.games")).contains("not a Vancura network"));
    let swapped = "resume run --train validation.records --validation train.records";
    assert!(fail(folder, swapped).contains("not the data this training began with"));
    assert!(fail(folder, "quantise again.nnue other.nnue").contains("not a checkpoint"));
    assert!(fail(folder, "evaluate run/checkpoint").contains("not a Vancura network"));
    assert!(fail(folder, "train other --train pool.games --validation pool.games").contains("not a file of training"));
}

#[test]
fn networks_are_examined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(TRAINER, folder, "seed seed.nnue");
    let exam = "exam work --network seed.nnue --positions 4 --nodes 300 --play-nodes 20 --deep-nodes 200";
    let said = succeed(DATAGEN, folder, exam);
    assert!(said.ends_with(" labels: self-play 4, trees 4, deep 4\n"), "{said}");
    assert_eq!(succeed(DATAGEN, folder, &format!("{exam} --finish exam.epd.zst")), said);
    assert!(refuse(DATAGEN, folder, &format!("{exam} --finish exam.epd.zst")).contains("is there already"));
    assert!(refuse(DATAGEN, folder, &format!("{exam} --seed 2")).contains("the work file of another exam"));
    assert!(refuse(DATAGEN, folder, &exam.replace("exam work", "exam seed.nnue")).contains("no work file of an exam"));

    let table = succeed(TRAINER, folder, "exam exam.epd.zst seed.nnue seed.nnue");
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("1: seed.nnue (") && lines[1].starts_with("2: seed.nnue ("), "{table}");
    let words: Vec<&str> = lines[3].split_whitespace().collect();
    assert_eq!(words[..3], ["self-play", "all", "4"], "{table}");
    assert!(words.len() == 11 && words[3..7] == words[7..] && words[3].parse::<f64>().unwrap() > 0.0, "{table}");
    assert!(lines.iter().any(|line| line.starts_with("together  all                          12 ")), "{table}");
    let json = succeed(TRAINER, folder, "exam exam.epd.zst --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[0]["network"], &json[0]["scale"]), (&"the embedded network".into(), &400.into()));
    let first = &json[0]["marks"][0];
    assert_eq!((&first["set"], &first["class"], &first["positions"]), (&"self-play".into(), &"all".into(), &4.into()));
    assert!(first["error"].is_f64() && first["slope"].is_f64());
    assert!(fail(folder, "exam seed.nnue").contains("seed.nnue: no exam"));
    assert!(fail(folder, "exam exam.epd.zst work").contains("work: "));

    let drift = succeed(TRAINER, folder, "drift seed.nnue --nodes 100");
    let lines: Vec<&str> = drift.lines().collect();
    assert_eq!((lines.len(), lines[0]), (23, "seed.nnue, 100 and 400 nodes, centipawns for White"));
    assert!(lines[1].starts_with("start position ") && lines[22].ends_with(" of 21 within 30"), "{drift}");
}

#[test]
fn the_exam_of_the_source_tree_is_whole_and_small() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/exam.epd.zst");
    assert!(fs_err::metadata(&path).unwrap().len() <= 500_000);
    let sets = train::exam::file::read(&path).unwrap();
    let different: std::collections::HashSet<_> = sets.iter().flatten().map(|labelled| labelled.board.key()).collect();
    assert_eq!(different.len(), sets.iter().map(Vec::len).sum::<usize>());
    let rows = train::exam::marks::examine(&sets, &eval::Network::embedded());
    for set in train::exam::Set::ALL {
        let of_set = |row: &&train::exam::marks::Row| (row.set, row.class) == (set.name(), "all");
        let marks = rows.iter().find(of_set).unwrap().marks;
        assert!(marks.positions >= 300 && marks.rank_correlation.unwrap() > 0.5, "{marks:?}");
    }
}
