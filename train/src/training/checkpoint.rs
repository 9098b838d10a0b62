//! The state of a training, saved so that it goes on as if it had never stopped.
//!
//! A file is a magic number, the length of a JSON header in four bytes, the header, the weights and both moments as
//! little-endian `f32`, and a checksum of all that.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use eval::network::checksum;
use serde::{Deserialize, Serialize};

use crate::training::model::{Layout, Parameters};
use crate::training::optimizer::AdamW;
use crate::training::recipe::Recipe;

const MAGIC: [u8; 8] = *b"VANCTRN1";
const PREFIX_LEN: usize = MAGIC.len() + 4;
const CHECKSUM_LEN: usize = 8;

/// What a superbatch achieved.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The superbatch, from 1.
    pub superbatch: u64,
    /// Positions learned from so far.
    pub positions: u64,
    /// The learning rate of its last batch.
    pub learning_rate: f64,
    /// The share of results in the targets of its last batch.
    pub wdl: f64,
    /// The mean loss over its positions, while it changed.
    pub train_loss: f64,
    /// The mean loss over the validation positions at its end, with the recipe's final share of results.
    pub validation_loss: f64,
    /// The same against scores alone, which compares between recipes; older trainings did not note it.
    #[serde(default)]
    pub score_loss: Option<f64>,
    /// The same against results alone.
    #[serde(default)]
    pub result_loss: Option<f64>,
}

/// Which data a training learns from: to go on with other data would be another training.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DataId {
    /// Records in the file.
    pub count: u64,
    /// The file's [fingerprint](crate::records::record::RecordFile::fingerprint).
    pub fingerprint: u64,
}

/// All that decides how a training goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// What is followed.
    pub recipe: Recipe,
    /// What is learned from.
    pub data: DataId,
    /// Batches done.
    pub step: u64,
    /// What the superbatches so far achieved.
    pub history: Vec<Entry>,
    /// The weights.
    pub parameters: Parameters,
    /// The moments.
    pub optimizer: AdamW,
}

#[derive(Serialize, Deserialize)]
struct Header {
    recipe: Recipe,
    data: DataId,
    step: u64,
    history: Vec<Entry>,
    hidden: usize,
    numbers: usize,
}

/// Why a file is no checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("{0}: not a checkpoint of this trainer")]
    Foreign(PathBuf),
    /// The file is damaged or cut off.
    #[error("{0}: corrupt checkpoint")]
    Corrupt(PathBuf),
    /// The checkpoint is of a network with another architecture.
    #[error("{path}: {found} weights instead of {expected}: a network of another architecture")]
    Architecture {
        /// The file.
        path: PathBuf,
        /// Its number of weights.
        found: usize,
        /// This program's for as many hidden neurons.
        expected: usize,
    },
}

impl Checkpoint {
    /// Saves under this name; whatever happens, either the old or the new file is there and whole.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(platform::write_file(path, self.to_bytes()?)?)
    }

    /// Loads what was saved.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`] says what is wrong with the file.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        // Of what is none, which may have no end, no more than this is read.
        let mut file = fs_err::File::open(path)?;
        let mut bytes = Vec::new();
        file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
        if bytes != MAGIC {
            return Err(CheckpointError::Foreign(path.into()));
        }
        file.read_to_end(&mut bytes)?;
        let corrupt = || CheckpointError::Corrupt(path.into());
        let (bytes, sum) = bytes.split_last_chunk::<CHECKSUM_LEN>().ok_or_else(corrupt)?;
        if checksum(bytes) != u64::from_le_bytes(*sum) {
            return Err(corrupt());
        }
        let (length, rest) = bytes[MAGIC.len()..].split_first_chunk().ok_or_else(corrupt)?;
        let (header, numbers) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(corrupt)?;
        let header: Header = serde_json::from_slice(header).map_err(|_| corrupt())?;
        // Each hidden neuron has many numbers. More neurons than bytes could not even be counted.
        let can_be = 1..=numbers.len();
        if !can_be.contains(&header.hidden) || !header.hidden.is_multiple_of(crate::training::model::WIDTH) {
            return Err(corrupt());
        }
        let layout = Layout::new(header.hidden);
        if header.numbers != layout.count() {
            let (found, expected) = (header.numbers, layout.count());
            return Err(CheckpointError::Architecture { path: path.into(), found, expected });
        }
        if numbers.len() != 3 * 4 * layout.count() {
            return Err(corrupt());
        }
        let mut numbers = numbers.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let mut section = || {
            let mut parameters = Parameters::zero(layout);
            parameters.numbers_mut().iter_mut().zip(&mut numbers).for_each(|(to, from)| *to = from);
            parameters
        };
        let (parameters, first, second) = (section(), section(), section());
        let Header { recipe, data, step, history, .. } = header;
        Ok(Self { recipe, data, step, history, parameters, optimizer: AdamW { first, second } })
    }

    fn header(&self) -> Header {
        let layout = self.parameters.layout();
        Header {
            recipe: self.recipe.clone(),
            data: self.data,
            step: self.step,
            history: self.history.clone(),
            hidden: layout.hidden(),
            numbers: layout.count(),
        }
    }

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let header = serde_json::to_vec(&self.header())?;
        let layout = self.parameters.layout();
        let mut bytes = Vec::with_capacity(PREFIX_LEN + header.len() + 3 * 4 * layout.count() + CHECKSUM_LEN);
        bytes.extend(MAGIC);
        bytes.extend(u32::try_from(header.len()).map_err(io::Error::other)?.to_le_bytes());
        bytes.extend(header);
        for section in [&self.parameters, &self.optimizer.first, &self.optimizer.second] {
            bytes.extend(section.numbers().iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let layout = Layout::new(32);
        let entry = Entry {
            superbatch: 1,
            positions: 12,
            learning_rate: 0.1 + 0.2,
            wdl: 1.0 / 3.0,
            train_loss: f64::MIN_POSITIVE,
            validation_loss: 0.012_345_678_901_234_567,
            score_loss: Some(1.0 / 7.0),
            result_loss: None,
        };
        Checkpoint {
            recipe: Recipe { learning_rate_end: 1.0 / 7.0, ..Recipe::default() },
            data: DataId { count: 1, fingerprint: u64::MAX },
            step: 77,
            history: vec![entry; 2],
            parameters: Parameters::random(layout, 1),
            optimizer: AdamW { first: Parameters::random(layout, 2), second: Parameters::random(layout, 3) },
        }
    }

    #[test]
    fn saved_is_loaded_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        for _ in 0..2 {
            checkpoint().save(&path).unwrap();
            assert_eq!(Checkpoint::load(&path).unwrap(), checkpoint());
        }
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1, "temporary file left behind");
    }

    #[test]
    fn entries_of_older_trainings_are_read() {
        let text = r#"{"superbatch":1,"positions":2,"learning_rate":0.1,"wdl":0.3,"train_loss":0.5,
            "validation_loss":0.25}"#;
        let entry: Entry = serde_json::from_str(text).unwrap();
        assert_eq!((entry.validation_loss, entry.score_loss, entry.result_loss), (0.25, None, None));
    }

    #[test]
    fn bad_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let whole = checkpoint().to_bytes().unwrap();
        #[cfg(unix)]
        assert!(matches!(Checkpoint::load(Path::new("/dev/zero")), Err(CheckpointError::Foreign(_))));
        for length in [0, 7, 8, 11, 12, 20, 300, whole.len() / 2, whole.len() - 1] {
            fs_err::write(&path, &whole[..length]).unwrap();
            match Checkpoint::load(&path) {
                Err(CheckpointError::Foreign(_)) if length < MAGIC.len() => {}
                Err(CheckpointError::Corrupt(_)) if length >= MAGIC.len() => {}
                other => panic!("{length}: {other:?}"),
            }
        }
        for hidden in ["0", "31", "1000000", "4611686018427387904"] {
            let header = serde_json::to_string(&checkpoint().header()).unwrap();
            let header = header.replace("\"hidden\":32", &format!("\"hidden\":{hidden}"));
            let mut bytes = MAGIC.to_vec();
            bytes.extend((header.len() as u32).to_le_bytes());
            bytes.extend(header.bytes());
            bytes.extend(checksum(&bytes).to_le_bytes());
            fs_err::write(&path, bytes).unwrap();
            let result = Checkpoint::load(&path);
            assert!(matches!(result, Err(CheckpointError::Corrupt(_))), "{hidden}: {result:?}");
        }
        for place in [0, 9, 40, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[place] ^= 16;
            fs_err::write(&path, damaged).unwrap();
            assert!(Checkpoint::load(&path).is_err(), "byte {place}");
        }
    }
}
