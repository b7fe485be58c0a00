//! Errors of the progress file, notices about fallbacks, and advice.

use super::Carried;
use std::fmt;
use std::path::{Path, PathBuf};
use tutor_support::sentence;
use tutor_support::t;
use tutor_support::words::Sentence;

/// Why progress cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The platform does not define a data directory.
    #[error("{}", t!("mastery-no-home"))]
    NoHome,
    /// The directory cannot be created, or the directory or the file cannot be written.
    #[error("{}", t!("mastery-unwritable", path = path.display().to_string(), why))]
    Unwritable {
        /// The directory or file.
        path: PathBuf,
        /// The system's reason, without a full stop.
        why: Sentence,
    },
    /// A newer program wrote the file. It is left unchanged.
    #[error("{}", t!("mastery-newer", path = path.display().to_string(), found = *found, known = *known))]
    Newer {
        path: PathBuf,
        found: u32,
        /// The newest schema version that this program knows.
        known: u32,
    },
    /// The file is a database of another program. It is left unchanged.
    #[error("{}", t!("mastery-foreign", path = path.display().to_string()))]
    Foreign { path: PathBuf },
    /// The file was deleted or truncated while it was open.
    #[error("{}", t!("mastery-gone", path = path.display().to_string()))]
    Gone { path: PathBuf },
    /// Damage to the file was found while it was open.
    #[error("{}", t!("mastery-damaged", path = path.display().to_string()))]
    Damaged { path: PathBuf },
    /// Another process locked the file for too long. Nothing was changed.
    #[error("{}", busy(path, holder.as_ref()))]
    Busy {
        path: PathBuf,
        /// The other process, if the system reports it.
        holder: Option<Sentence>,
    },
    /// Another error that SQLite reports.
    #[error("{}", t!("mastery-sqlite", path = path.display().to_string(), why))]
    Sqlite {
        path: PathBuf,
        /// The first line of SQLite's report, without a full stop.
        why: String,
    },
}

impl StoreError {
    /// Returns advice.
    pub fn help(&self) -> String {
        match self {
            Self::NoHome => t!("mastery-no-home-help"),
            Self::Unwritable { .. } => t!("mastery-unwritable-help"),
            Self::Newer { .. } => t!("mastery-newer-help"),
            Self::Foreign { .. } => t!("mastery-foreign-help"),
            Self::Gone { .. } => t!("mastery-gone-help"),
            Self::Damaged { .. } => t!("mastery-damaged-help"),
            Self::Busy { .. } => t!("mastery-busy-help"),
            Self::Sqlite { .. } => t!("mastery-sqlite-help"),
        }
    }

    pub(super) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::Unwritable { path: path.to_owned(), why: error.into() }
    }

    pub(super) fn sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Busy { path, holder: None },
            Some(
                Code::ReadOnly
                | Code::DiskFull
                | Code::CannotOpen
                | Code::PermissionDenied
                | Code::SystemIoFailure
                | Code::FileLockingProtocolFailed,
            ) => Self::Unwritable { path, why: why(error) },
            _ => Self::Sqlite { path, why: first_line(error) },
        }
    }
}

/// Something unusual about the storage of progress. It is reported once, and the tutor continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The file cannot be written now. Its content could be read as far as possible.
    Unavailable(StoreError),
    /// The file was deleted. A new file has the same content.
    NewFile {
        path: PathBuf,
        /// What happened to the old file.
        why: StoreError,
    },
    /// The file was damaged. It was renamed, and a new one was begun.
    SetAside {
        path: PathBuf,
        /// The new path of the damaged file.
        aside: PathBuf,
        /// The backup that was copied to the new file; `None` if the new file is empty.
        backup: Option<PathBuf>,
    },
    /// Another process holds the lock for checks and migrations, but none was needed.
    Locked {
        path: PathBuf,
        /// The other process, if the system reports it.
        holder: Option<Sentence>,
    },
    /// Another tutor is open or has written to the same file.
    Shared {
        /// The other process, if the system reports it.
        holder: Option<Sentence>,
    },
}

impl Notice {
    /// Returns advice or an explanation.
    pub fn help(&self) -> String {
        match self {
            Self::Unavailable(error) => format!("{} {}", error.help(), t!("mastery-unavailable")),
            Self::NewFile { why, .. } => why.help(),
            Self::SetAside { aside, .. } => t!("mastery-set-aside-help", aside = aside.display().to_string()),
            Self::Locked { .. } => t!("mastery-lock-held-help"),
            Self::Shared { .. } => t!("mastery-shared-help"),
        }
    }

    /// True if the notice may be shown briefly, because no progress is at risk.
    pub fn in_passing(&self) -> bool {
        matches!(self, Self::Locked { .. } | Self::Shared { .. })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&match self {
            Self::Unavailable(error) => error.to_string(),
            Self::NewFile { path, why } => {
                format!("{why} {}", t!("mastery-new-file", path = path.display().to_string()))
            }
            Self::SetAside { path, aside, backup } => {
                let goes_on = match backup {
                    Some(backup) => t!("mastery-set-aside-backup", backup = backup.display().to_string()),
                    None => t!("mastery-set-aside-empty"),
                };
                let (path, aside) = (path.display().to_string(), aside.display().to_string());
                format!("{} {goes_on}", t!("mastery-set-aside", path, aside))
            }
            Self::Locked { path, holder } => {
                let holder = holder.clone().unwrap_or_else(|| sentence!("mastery-somebody"));
                t!("mastery-lock-held", path = path.display().to_string(), holder)
            }
            Self::Shared { holder: Some(holder) } => t!("mastery-shared-by", holder),
            Self::Shared { holder: None } => t!("mastery-shared"),
        })
    }
}

impl Carried {
    /// Describes what was read of a file and what is lost.
    pub fn report(all: &[Self]) -> String {
        let list = |count: fn(&Self) -> u64| -> String {
            let rows = all.iter().filter(|carried| count(carried) > 0).filter_map(|carried| {
                let n = count(carried);
                Some(match carried.table {
                    "attempts" => t!("mastery-rows-attempts", n),
                    "answers" => t!("mastery-rows-answers", n),
                    "submissions" => t!("mastery-rows-submissions", n),
                    "visits" => t!("mastery-rows-visits", n),
                    "predictions" => t!("mastery-rows-predictions", n),
                    "explanations" => t!("mastery-rows-explanations", n),
                    "runs" => t!("mastery-rows-runs", n),
                    "flags" => t!("mastery-rows-flags", n),
                    // Rows of the other tables belong to these rows.
                    _ => return None,
                })
            });
            rows.collect::<Vec<_>>().join(", ")
        };
        let (rows, lost) = (list(|carried| carried.rows), list(|carried| carried.lost));
        match (rows.is_empty(), lost.is_empty()) {
            (true, true) => t!("mastery-carried-nothing"),
            (false, true) => t!("mastery-carried", rows),
            (true, false) => t!("mastery-carried-lost", lost),
            (false, false) => t!("mastery-carried-some", rows, lost),
        }
    }
}

/// True if SQLite reports that the file is damaged or not a database.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    matches!(error.sqlite_error_code(), Some(Code::DatabaseCorrupt | Code::NotADatabase))
}

fn busy(path: &Path, holder: Option<&Sentence>) -> String {
    let holder = holder.cloned().unwrap_or_else(|| sentence!("mastery-somebody"));
    t!("mastery-busy", path = path.display().to_string(), holder)
}

fn why(error: &rusqlite::Error) -> Sentence {
    use rusqlite::ErrorCode as Code;
    match error.sqlite_error_code() {
        Some(Code::ReadOnly) => sentence!("mastery-why-read-only"),
        Some(Code::DiskFull) => sentence!("mastery-why-full"),
        Some(Code::CannotOpen | Code::PermissionDenied) => sentence!("mastery-why-closed"),
        Some(Code::SystemIoFailure) => sentence!("mastery-why-io", why = first_line(error)),
        _ => first_line(error).into(),
    }
}

/// Returns the first line. SQLite may add the failed statement, which does not help a student.
fn first_line(error: &rusqlite::Error) -> String {
    let text = match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        error => error.to_string(),
    };
    text.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}
