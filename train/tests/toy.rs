//! From games to a network that plays sense, at toy size.

#![allow(clippy::unwrap_used)] // every function here may panic, as tests do

use std::path::Path;

use eval::Network;
use indicatif::ProgressBar;
use movegen::{Board, Color, PieceType};
use train::games::blocks::write_games;
use train::records::filter::Filter;
use train::records::prepare::Preparation;
use train::records::shuffle::Thinning;
use train::records::synthetic::random_games;
use train::training::checkpoint::{Checkpoint, Entry};
use train::training::recipe::Recipe;
use train::training::trainer::{CHECKPOINT_NAME, Training};

/// Writes two files of games, the second with a torn end, and prepares records from both.
fn prepare(folder: &Path) -> Preparation {
    let files = ["a.games", "b.games"].map(|name| folder.join(name));
    for (seed, path) in files.iter().enumerate() {
        let mut bytes = Vec::new();
        write_games(&mut bytes, &random_games(seed as u64, 1_500)).unwrap();
        if seed == 1 {
            bytes.truncate(bytes.len() - 5);
        }
        fs_err::write(path, bytes).unwrap();
    }
    Preparation {
        records: vec![],
        games: files.into(),
        train: folder.join("train.records"),
        validation: folder.join("validation.records"),
        filter: Filter::default(),
        thinning: Thinning::NONE,
        weights: vec![],
        held_out: 50,
        seed: 1,
        memory: 1 << 20,
    }
}

#[test]
fn games_become_a_network_that_knows_what_pieces_are_worth() {
    let folder = tempfile::tempdir().unwrap();
    let preparation = prepare(folder.path());
    let summary = preparation.run(&ProgressBar::hidden()).unwrap();
    assert_eq!(summary.damages.len(), 1, "{:?}", summary.damages);
    assert!(summary.train > 100_000 && summary.validation > 3_000, "{summary:?}");

    let recipe =
        Recipe { batch_size: 1_024, batches: 60, superbatches: 4, wdl_start: 0.1, wdl_end: 0.1, ..Recipe::default() };
    let run = folder.path().join("run");
    let mut entries: Vec<Entry> = Vec::new();
    let mut training = Training::start(recipe, None, &preparation.train, &preparation.validation).unwrap();
    let finished = training.run(&run, &ProgressBar::hidden(), |entry| entries.push(*entry)).unwrap();

    let losses: Vec<f64> = entries.iter().map(|entry| entry.validation_loss).collect();
    assert_eq!(losses.len(), 4);
    assert!(losses.windows(2).all(|pair| pair[1] < pair[0]), "validation losses {losses:?}");
    assert!(losses[3] < 0.25 * losses[0], "validation losses {losses:?}");
    assert!((entries[3].train_loss - losses[3]).abs() < 0.5 * losses[3], "{entries:?}");

    assert_eq!(fs_err::read_to_string(run.join("loss.csv")).unwrap().lines().count(), 5);
    assert!(fs_err::read_to_string(run.join("loss.svg")).unwrap().starts_with("<svg"));
    assert_eq!(&Checkpoint::load(&run.join(CHECKPOINT_NAME)).unwrap(), training.state());

    let network = Network::from_bytes(&fs_err::read(finished.network).unwrap()).unwrap();
    judge(&network);
}

/// In positions as those it learned from, the network sides with the side that has clearly more pieces.
fn judge(network: &Network) {
    let (mut right, mut asked) = (0, 0);
    for game in random_games(99, 60) {
        for step in game.replay().flatten().skip(20) {
            let surplus = material(&step.board);
            if surplus.abs() >= 500 {
                asked += 1;
                right += usize::from((network.evaluate(&step.board) > 0) == (surplus > 0));
            }
        }
    }
    assert!(asked > 500 && right * 100 > asked * 85, "{right} of {asked}");
}

/// What the side to move has more than the other, in centipawns.
fn material(board: &Board) -> i32 {
    let worth = |color: Color| -> i32 {
        let kinds = PieceType::ALL.into_iter().zip([100, 300, 300, 500, 900, 0]);
        kinds.map(|(kind, worth)| worth * board.colored_pieces(color, kind).count() as i32).sum()
    };
    worth(board.turn()) - worth(!board.turn())
}
