//! What can go wrong with the progress file, and what to do about it.

use std::path::{Path, PathBuf};

/// Why progress cannot be stored, or how it is stored otherwise than expected.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The platform names no place for data.
    #[error("There is no home directory to keep progress in.")]
    NoHome,
    /// The directory cannot be made, or nothing can be written in it or in the file.
    #[error("Progress cannot be written to {}: {why}.", path.display())]
    Unwritable {
        /// The directory or file.
        path: PathBuf,
        /// The system's reason, without a full stop.
        why: String,
    },
    /// The file was written by a newer program; it is left as it is.
    #[error("{} was written by a newer matmul-tutor (its format is {found}; this one knows {known}).", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The newest that this program knows.
        known: u32,
    },
    /// The file is a database of another program; it is left as it is.
    #[error("{} is another program's database.", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was damaged; it was set aside and a new one begun.
    #[error("{} was damaged. It was set aside as {}, and a new one begun.", path.display(), aside.display())]
    SetAside {
        /// The file.
        path: PathBuf,
        /// Where the damaged one is now.
        aside: PathBuf,
    },
    /// Another process holds the file for too long.
    #[error("{} is in use by another process for too long.", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that SQLite reports.
    #[error("{} cannot be used: {source}.", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's report.
        source: rusqlite::Error,
    },
}

const IN_MEMORY: &str = "Until then progress is kept in memory and is lost when the tutor ends.";

impl StoreError {
    /// What to do.
    pub fn help(&self) -> String {
        match self {
            Self::NoHome => "Choose a directory with `--data DIR`.".into(),
            Self::Unwritable { .. } => "Make room or give permission, or choose another directory with `--data DIR`. \
                 Until then progress is kept in memory and is lost when the tutor ends."
                .into(),
            Self::Newer { .. } => {
                "Update matmul-tutor, or choose another directory with `--data DIR`. The file was not changed.".into()
            }
            Self::Foreign { .. } => "Choose another directory with `--data DIR`. The file was not changed.".into(),
            Self::SetAside { .. } => {
                "Nothing of it was deleted: `sqlite3 FILE .recover` may bring its contents back.".into()
            }
            Self::Busy { .. } => "Try again; if it lasts, end the other matmul-tutor.".into(),
            Self::Sqlite { .. } => {
                format!("Try again; if it lasts, choose another directory with `--data DIR`. {IN_MEMORY}")
            }
        }
    }

    pub(super) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::Unwritable { path: path.to_owned(), why: error.to_string() }
    }

    pub(super) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Busy { path },
            Some(
                Code::ReadOnly
                | Code::DiskFull
                | Code::CannotOpen
                | Code::PermissionDenied
                | Code::SystemIoFailure
                | Code::FileLockingProtocolFailed,
            ) => Self::Unwritable { path, why: why(&error) },
            _ => Self::Sqlite { path, source: error },
        }
    }
}

/// Whether SQLite says that the file is no database, or a broken one.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    matches!(error.sqlite_error_code(), Some(Code::DatabaseCorrupt | Code::NotADatabase))
}

fn why(error: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode as Code;
    match error.sqlite_error_code() {
        Some(Code::ReadOnly) => "it is read-only".into(),
        Some(Code::DiskFull) => "the disk is full".into(),
        Some(Code::CannotOpen | Code::PermissionDenied) => "it cannot be opened".into(),
        _ => error.to_string(),
    }
}
