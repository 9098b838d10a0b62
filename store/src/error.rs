//! Why a store cannot be used.

use std::io;

use redb::{CommitError, DatabaseError, StorageError, TableError, TransactionError};

/// Why a store cannot be used. The file is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error("it is in use by another process")]
    InUse,
    /// It is no store.
    #[error("it is not an analysis store")]
    Foreign,
    /// It was one, but cannot be trusted any more.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// A later version of the program wrote it, in a form that is not known here.
    #[error("it belongs to {found}, which this program does not know")]
    Later {
        /// Whose it is, and its format.
        found: String,
    },
    /// It has results of so many versions and networks that there is no room for those of another.
    #[error(
        "it has results of {0} versions and networks, and no room for another; `vancura store prune --older` makes some"
    )]
    Crowded(usize),
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl From<StorageError> for StoreError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Io(error) if error.kind() == io::ErrorKind::InvalidData => Self::Damaged(error.to_string()),
            StorageError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Self::Damaged("a part of it is missing".to_owned())
            }
            StorageError::Io(error) => Self::Io(error),
            StorageError::Corrupted(what) => Self::Damaged(what),
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<DatabaseError> for StoreError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Storage(error) => error.into(),
            DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch => Self::InUse,
            DatabaseError::UpgradeRequired(_) => Self::Foreign,
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<TransactionError> for StoreError {
    fn from(error: TransactionError) -> Self {
        match error {
            TransactionError::Storage(error) => error.into(),
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<CommitError> for StoreError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Storage(error) => error.into(),
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<TableError> for StoreError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Storage(error) => error.into(),
            // Another program's tables, or none.
            _ => Self::Foreign,
        }
    }
}
