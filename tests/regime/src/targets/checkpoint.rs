//! A checkpoint of the trainer: the file as it is, and the data as the header of a file that is otherwise sound.

use eval::network::checksum;
use serde_json::Value;
use train::training::checkpoint::Checkpoint;
use train::training::model::Layout;

use super::Scratch;

const MAGIC: &[u8] = b"VANCTRN1";
/// The most hidden neurons for which the weights are written too: each takes kilobytes.
const MAX_HIDDEN: u64 = 32;

/// A checkpoint is loaded or refused, is left as it is, and one that is loaded is saved so that it loads the same.
///
/// # Panics
///
/// If it does not.
pub fn check(data: &[u8]) {
    let scratch = Scratch::new();
    check_file(&scratch, data);
    let numbers = serde_json::from_slice::<Value>(data).ok().and_then(|header| header.get("hidden")?.as_u64());
    let numbers = numbers.filter(|&hidden| hidden == MAX_HIDDEN).map_or(0, |hidden| {
        let layout = Layout::new(hidden as usize);
        3 * 4 * layout.count()
    });
    let mut file = MAGIC.to_vec();
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file.resize(file.len() + numbers, 0);
    file.extend(checksum(&file).to_le_bytes());
    check_file(&scratch, &file);
}

fn check_file(scratch: &Scratch, bytes: &[u8]) {
    let path = scratch.file("checkpoint", bytes);
    if let Ok(checkpoint) = Checkpoint::load(&path) {
        let _ = checkpoint.recipe.check();
        let again = scratch.path("again");
        checkpoint.save(&again).expect("a file can be written");
        let loaded = Checkpoint::load(&again).expect("what was saved is loaded");
        assert!(loaded == checkpoint, "{:?}", checkpoint.recipe);
    }
    assert!(fs_err::read(&path).expect("the file is there") == bytes, "the file was changed");
}
