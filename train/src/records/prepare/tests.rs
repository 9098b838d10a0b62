//! Tests of the preparation of records.

use std::collections::HashMap;

use super::*;
use crate::games::blocks::write_games;
use crate::games::packed::append_packed;
use crate::records::synthetic::{random_games, random_records};
use movegen::{Move, Square};

fn preparation(folder: &Path, games: &[Vec<Game>]) -> Preparation {
    let write = |(index, games): (usize, &Vec<Game>)| {
        let path = folder.join(format!("{index}.games"));
        let mut bytes = Vec::new();
        games.chunks(8).for_each(|games| write_games(&mut bytes, games).unwrap());
        fs_err::write(&path, bytes).unwrap();
        path
    };
    Preparation {
        games: games.iter().enumerate().map(write).collect(),
        records: vec![],
        train: folder.join("train"),
        validation: folder.join("validation"),
        filter: Filter::default(),
        thinning: Thinning::NONE,
        weights: vec![],
        held_out: 200,
        seed: 3,
        memory: 10_000,
    }
}

fn read(path: &Path) -> Vec<RawRecord> {
    let mut file = RecordFile::open(path).unwrap();
    let mut records = vec![[0; RECORD_LEN]; file.count() as usize];
    file.read(&mut records).unwrap();
    records
}

/// The records of these games that pass the filter, sorted.
fn expected(games: &[Game]) -> Vec<RawRecord> {
    let mut records = Vec::new();
    for game in games {
        let steps = game.replay().flatten().filter(|step| Filter::default().judge(step, game.result).is_ok());
        records.extend(steps.map(|step| Record::new(&step.board, step.score, game.result).0));
    }
    records.sort_unstable();
    records
}

#[test]
fn every_kept_position_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let games = [random_games(1, 100), random_games(2, 50)];
    let preparation = preparation(folder.path(), &games);
    let summary = preparation.run(&ProgressBar::hidden()).unwrap();
    let (train, validation) = (read(&preparation.train), read(&preparation.validation));
    assert_eq!((summary.train, summary.validation), (train.len() as u64, validation.len() as u64));
    assert_eq!((summary.games, summary.duplicates), (150, 0));
    assert_eq!(summary.positions, games.iter().flatten().map(|game| game.moves.len() as u64).sum::<u64>());
    assert_eq!(summary.positions, summary.train + summary.validation + summary.rejected.iter().sum::<u64>());
    let share = summary.validation as f64 / (summary.train + summary.validation) as f64;
    assert!((0.1..0.3).contains(&share), "{share}");
    let mut records = [train, validation].concat();
    records.sort_unstable();
    assert_eq!(records, expected(&games.concat()));
}

#[test]
fn packed_games_give_the_same_positions() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(12, 100);
    let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
    // But for their scores.
    let positions = |preparation: &Preparation| {
        let summary = preparation.run(&ProgressBar::hidden()).unwrap();
        let blank = |record: RawRecord| Record(record).with_score(0).0;
        let files = [&preparation.train, &preparation.validation].map(|path| {
            let mut records: Vec<_> = read(path).into_iter().map(blank).collect();
            records.sort_unstable();
            records
        });
        (summary.rejected, files)
    };
    for filter in [Filter::default(), Filter { min_ply: 0, spacing: 3, ..Filter::default() }] {
        preparation.filter = filter;
        write_games(&mut fs_err::File::create(&preparation.games[0]).unwrap(), &games).unwrap();
        let plain = positions(&preparation);
        fs_err::write(&preparation.games[0], crate::games::packed::pack(&games, "")).unwrap();
        assert_eq!(positions(&preparation), plain);
    }
}

#[test]
fn positions_from_search_trees_are_kept_for_training_alone() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(8, 200);
    let lone: Vec<Game> =
        games.iter().map(|game| Game { result: None, moves: game.moves[..1].to_vec(), ..game.clone() }).collect();
    let preparation = preparation(folder.path(), &[lone.clone(), games]);
    let summary = preparation.run(&ProgressBar::hidden()).unwrap();
    assert_eq!((summary.games, summary.duplicates, summary.harvested), (200, 0, 200));
    let without_result =
        |path: &Path| read(path).into_iter().filter(|record| Record(*record).result().is_none()).collect::<Vec<_>>();
    let mut found = without_result(&preparation.train);
    found.sort_unstable();
    assert_eq!(found, expected(&lone));
    assert!(!found.is_empty() && without_result(&preparation.validation).is_empty());
}

#[test]
fn positions_without_a_search_are_kept_for_training_if_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let boards: Vec<_> =
        random_games(10, 60).iter().flat_map(|game| game.replay().last()).map(|step| step.unwrap().board).collect();
    let leaves: Vec<_> = boards.iter().map(|&start| Game { start, result: None, moves: Vec::new() }).collect();
    let mut preparation = preparation(folder.path(), &[leaves, random_games(11, 50)]);
    let without = preparation.run(&ProgressBar::hidden()).unwrap();
    assert_eq!(without.rejected[Rejection::Unsearched as usize], 60);
    preparation.filter.unsearched = true;
    let with = preparation.run(&ProgressBar::hidden()).unwrap();
    let usable = boards.iter().filter(|&board| preparation.filter.judge_unsearched(board).is_ok());
    let mut expected: Vec<_> = usable.map(|board| Record::unscored(board).0).collect();
    expected.sort_unstable();
    assert!(expected.len() > 20);
    assert_eq!(with.rejected[Rejection::Unsearched as usize], 0);
    assert_eq!((with.train, with.validation), (without.train + expected.len() as u64, without.validation));
    let train = read(&preparation.train);
    assert!(expected.iter().all(|record| train.contains(record)));
    // Alone they are no validation either.
    preparation.filter.harvested_only = true;
    let alone = preparation.run(&ProgressBar::hidden()).unwrap();
    assert_eq!((alone.train, alone.validation), (expected.len() as u64, 0));
}

#[test]
fn harvested_positions_alone_are_kept_and_held_out() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(8, 200);
    let lone: Vec<Game> =
        games.iter().map(|game| Game { result: None, moves: game.moves[..1].to_vec(), ..game.clone() }).collect();
    let mut preparation = preparation(folder.path(), &[lone.clone(), games.clone()]);
    preparation.filter.harvested_only = true;
    let summary = preparation.run(&ProgressBar::hidden()).unwrap();
    let played: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    assert_eq!(summary.rejected[Rejection::Played as usize], played);
    let (train, validation) = (read(&preparation.train), read(&preparation.validation));
    assert!(!train.is_empty() && !validation.is_empty(), "{} {}", train.len(), validation.len());
    let mut records = [train, validation].concat();
    records.sort_unstable();
    assert_eq!(records, expected(&lone));
}

#[test]
fn games_are_held_out_whole_and_the_same_ones_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(4, 60);
    let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
    preparation.run(&ProgressBar::hidden()).unwrap();
    let mut validation = read(&preparation.validation);
    validation.sort_unstable();
    let held_out: Vec<Game> = games.iter().filter(|game| game.hash() % 1000 < 200).cloned().collect();
    assert!(!held_out.is_empty());
    assert_eq!(validation, expected(&held_out));

    preparation.seed += 1;
    preparation.run(&ProgressBar::hidden()).unwrap();
    let mut again = read(&preparation.validation);
    assert_ne!(again, validation, "another seed must give another order");
    again.sort_unstable();
    assert_eq!(again, validation);
}

#[test]
fn the_same_input_gives_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let preparation = preparation(folder.path(), &[random_games(5, 40)]);
    let run = || {
        preparation.run(&ProgressBar::hidden()).unwrap();
        [&preparation.train, &preparation.validation].map(|path| fs_err::read(path).unwrap())
    };
    assert_eq!(run(), run());
}

#[test]
fn duplicates_damage_and_illegal_games_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(6, 30);
    let mut illegal = random_games(7, 3);
    illegal[1].moves[30].mv = Move::normal(Square::A1, Square::H8);
    let preparation = preparation(folder.path(), &[games.clone(), games[..10].to_vec(), illegal.clone()]);
    let mut bytes = fs_err::read(&preparation.games[0]).unwrap();
    bytes.extend(b"torn");
    fs_err::write(&preparation.games[0], bytes).unwrap();
    let summary = preparation.run(&ProgressBar::hidden()).unwrap();
    assert_eq!((summary.games, summary.duplicates), (32, 10));
    assert_eq!(summary.damages.len(), 2, "{:?}", summary.damages);
    let mut records = [read(&preparation.train), read(&preparation.validation)].concat();
    records.sort_unstable();
    illegal.remove(1);
    assert_eq!(records, expected(&[games, illegal].concat()));
}

#[test]
fn neighbours_are_thinned_out() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(11, 40);
    let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
    let all = preparation.run(&ProgressBar::hidden()).unwrap();
    preparation.filter.spacing = 4;
    let summary = preparation.run(&ProgressBar::hidden()).unwrap();
    let kept = |summary: &Summary| summary.train + summary.validation;
    assert_eq!(kept(&summary) + summary.rejected[Rejection::Neighbour as usize], kept(&all));
    // Where positions between are left out for other reasons, less than three of four go.
    assert!((0.25..0.5).contains(&(kept(&summary) as f64 / kept(&all) as f64)), "{summary:?}");
}

#[test]
fn records_are_added_to_those_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(9, 30);
    let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
    let more = random_records(10, 40_000);
    let path = folder.path().join("more");
    let mut writer = RecordWriter::create(&path).unwrap();
    writer.write(&more).unwrap();
    writer.finish().unwrap();
    preparation.records.push(path);
    let summary = preparation.run(&ProgressBar::hidden()).unwrap();
    assert_eq!(summary.added, 40_000);
    let (train, validation) = (read(&preparation.train), read(&preparation.validation));
    assert_eq!((summary.train, summary.validation), (train.len() as u64, validation.len() as u64));
    let mut records = [train, validation].concat();
    records.sort_unstable();
    let mut expected = [expected(&games), more].concat();
    expected.sort_unstable();
    assert_eq!(records, expected);
}

#[test]
fn no_file_is_named_twice() {
    let folder = tempfile::tempdir().unwrap();
    let good = preparation(folder.path(), &[random_games(8, 3)]);
    let before = fs_err::read(&good.games[0]).unwrap();
    for bad in [
        Preparation { train: good.games[0].clone(), ..good.clone() },
        Preparation { validation: good.games[0].clone(), ..good.clone() },
        Preparation { validation: good.train.clone(), ..good.clone() },
    ] {
        let error = bad.run(&ProgressBar::hidden()).unwrap_err();
        assert!(error.to_string().contains("would be overwritten"), "{error}");
    }
    assert_eq!(fs_err::read(&good.games[0]).unwrap(), before);
}

#[test]
fn missing_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let mut preparation = preparation(folder.path(), &[vec![]]);
    preparation.games.push(folder.path().join("none"));
    assert!(preparation.run(&ProgressBar::hidden()).is_err());
}

#[test]
fn weights_repeat_training_records_by_file_or_settings() {
    let folder = tempfile::tempdir().unwrap();
    let games = [random_games(71, 40), random_games(72, 30)];
    let mut preparation = preparation(folder.path(), &games);
    let packed = folder.path().join("packed");
    append_packed(&packed, &random_games(73, 20), "nodes=5000 source=match").unwrap();
    append_packed(&packed, &random_games(74, 20), "nodes=50000 source=match").unwrap();
    preparation.games.push(packed);
    preparation.thinning.repeated = true;
    let once = preparation.run(&ProgressBar::hidden()).unwrap();
    let (train, validation) = (read(&preparation.train), read(&preparation.validation));
    let weight = |of: &str, times| Weight { of: of.to_owned(), times };
    let second = preparation.games[1].display().to_string();
    preparation.weights = vec![weight(&second, 3), weight("nodes=5000", 2)];
    let weighted = preparation.run(&ProgressBar::hidden()).unwrap();
    let copies = read(&preparation.train);
    assert_eq!(weighted.train, copies.len() as u64);
    assert_eq!((read(&preparation.validation).len(), weighted.validation), (validation.len(), once.validation));
    let boards = |records: &[RawRecord]| records.iter().map(|record| record[..24].to_vec()).collect::<HashSet<_>>();
    assert_eq!(boards(&copies), boards(&train));
    let mut counts = HashMap::new();
    copies.iter().for_each(|record| *counts.entry(*record).or_insert(0) += 1);
    // Some boards are in games of several weights: then the largest counts.
    let of = |games: &[Game]| {
        let boards: HashSet<_> = expected(games).iter().map(|record| record[..24].to_vec()).collect();
        counts
            .iter()
            .filter(|(record, _)| boards.contains(&record[..24]))
            .map(|(_, &count)| count)
            .collect::<Vec<i32>>()
    };
    let third = of(&games[1]);
    assert!(third.len() > 500 && third.iter().all(|&count| count == 3));
    let first = of(&games[0]);
    assert!(first.iter().filter(|&&count| count == 1).count() > first.len() / 2);
    let second = of(&random_games(73, 20));
    assert!(second.iter().filter(|&&count| count == 2).count() > second.len() / 2 && !second.contains(&1));
    assert!(of(&random_games(74, 20)).iter().filter(|&&count| count == 1).count() > 200);
    assert!(copies.iter().all(|record| record[30..] == [0, 0]));

    preparation.weights.push(weight("nodes=50", 2));
    let error = preparation.run(&ProgressBar::hidden()).unwrap_err().to_string();
    assert!(error.starts_with("nodes=50: no games to weigh"), "{error}");
}
