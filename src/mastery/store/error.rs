//! What can go wrong with the progress file, and what to do about it.

use crate::t;
use std::path::{Path, PathBuf};

/// Why progress cannot be stored, or how it is stored otherwise than expected.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The platform names no place for data.
    #[error("{}", t!("mastery-no-home"))]
    NoHome,
    /// The directory cannot be made, or nothing can be written in it or in the file.
    #[error("{}", t!("mastery-unwritable", path = path.display().to_string(), why = why.as_str()))]
    Unwritable {
        /// The directory or file.
        path: PathBuf,
        /// The system's reason, without a full stop.
        why: String,
    },
    /// The file was written by a newer program; it is left as it is.
    #[error("{}", t!("mastery-newer", path = path.display().to_string(), found = *found, known = *known))]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The newest that this program knows.
        known: u32,
    },
    /// The file is a database of another program; it is left as it is.
    #[error("{}", t!("mastery-foreign", path = path.display().to_string()))]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was damaged; it was set aside and a new one begun.
    #[error("{}", t!("mastery-set-aside", path = path.display().to_string(), aside = aside.display().to_string()))]
    SetAside {
        /// The file.
        path: PathBuf,
        /// Where the damaged one is now.
        aside: PathBuf,
    },
    /// Another process holds the file for too long.
    #[error("{}", t!("mastery-busy", path = path.display().to_string()))]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that SQLite reports.
    #[error("{}", t!("mastery-sqlite", path = path.display().to_string(), why = source.to_string()))]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's report.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// What to do.
    pub fn help(&self) -> String {
        match self {
            Self::NoHome => t!("mastery-no-home-help"),
            Self::Unwritable { .. } => t!("mastery-unwritable-help"),
            Self::Newer { .. } => t!("mastery-newer-help"),
            Self::Foreign { .. } => t!("mastery-foreign-help"),
            Self::SetAside { .. } => t!("mastery-set-aside-help"),
            Self::Busy { .. } => t!("mastery-busy-help"),
            Self::Sqlite { .. } => t!("mastery-sqlite-help"),
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
        Some(Code::ReadOnly) => t!("mastery-why-read-only"),
        Some(Code::DiskFull) => t!("mastery-why-full"),
        Some(Code::CannotOpen | Code::PermissionDenied) => t!("mastery-why-closed"),
        _ => error.to_string(),
    }
}
