//! What can go wrong with the progress file, how it goes on, and what to do about it.

use super::Carried;
use std::fmt;
use std::path::{Path, PathBuf};
use tutor_base::t;

/// Why progress cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
    /// The file was taken away or cut while it was open.
    #[error("{}", t!("mastery-gone", path = path.display().to_string()))]
    Gone {
        /// Where it was.
        path: PathBuf,
    },
    /// The file turned out to be damaged while it was open.
    #[error("{}", t!("mastery-damaged", path = path.display().to_string()))]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// What was kept in memory could not be brought into a file at the end.
    #[error("{}", t!("mastery-lost", path = path.display().to_string()))]
    Lost {
        /// The directory in which the file should be.
        path: PathBuf,
    },
    /// Another process holds the file for too long; nothing was changed.
    #[error("{}", busy(path, holder.as_deref()))]
    Busy {
        /// The file.
        path: PathBuf,
        /// Who, where the system tells.
        holder: Option<String>,
    },
    /// Anything else that SQLite reports.
    #[error("{}", t!("mastery-sqlite", path = path.display().to_string(), why = why.as_str()))]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's report: its first line, without a full stop.
        why: String,
    },
}

impl StoreError {
    /// What to do.
    pub fn help(&self) -> String {
        match self {
            Self::NoHome => t!("mastery-no-home-help"),
            Self::Unwritable { .. } | Self::Lost { .. } => t!("mastery-unwritable-help"),
            Self::Newer { .. } => t!("mastery-newer-help"),
            Self::Foreign { .. } => t!("mastery-foreign-help"),
            Self::Gone { .. } | Self::Damaged { .. } => t!("mastery-gone-help"),
            Self::Busy { .. } => t!("mastery-busy-help"),
            Self::Sqlite { .. } => t!("mastery-sqlite-help"),
        }
    }

    pub(super) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::Unwritable { path: path.to_owned(), why: error.to_string() }
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

/// How progress is stored otherwise than expected: told once, and things go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Progress is in memory from now on.
    InMemory(StoreError),
    /// The file could not be used any more; a new one holds all that the tutor knew.
    NewFile {
        /// The file.
        path: PathBuf,
        /// What became of the old one.
        why: StoreError,
    },
    /// What was in memory is in the file now.
    Home {
        /// The file.
        path: PathBuf,
    },
    /// The file was damaged; it was set aside and a new one begun.
    SetAside {
        /// The file.
        path: PathBuf,
        /// Where the damaged one is now.
        aside: PathBuf,
        /// What the new file holds of it, and what is known to be lost.
        carried: Vec<Carried>,
        /// The backup that had rows which could not be read of the file itself.
        backup: Option<PathBuf>,
    },
    /// Another process holds the lock that guards checks and migrations; none was needed.
    Locked {
        /// The lock.
        path: PathBuf,
        /// Who, where the system tells.
        holder: Option<String>,
    },
    /// Another tutor is open, or has written to the same file.
    Shared {
        /// Who, where the system tells.
        holder: Option<String>,
    },
}

impl Notice {
    /// What to do, or what it means.
    pub fn help(&self) -> String {
        match self {
            Self::InMemory(error) => format!("{} {}", error.help(), t!("mastery-in-memory")),
            Self::NewFile { why, .. } => why.help(),
            Self::Home { .. } => t!("mastery-home-help"),
            Self::SetAside { .. } => t!("mastery-set-aside-help"),
            Self::Locked { .. } => t!("mastery-lock-held-help"),
            Self::Shared { .. } => t!("mastery-shared-help"),
        }
    }

    /// Whether it may be told in passing, as nothing is at stake.
    pub fn in_passing(&self) -> bool {
        matches!(self, Self::Home { .. } | Self::Locked { .. } | Self::Shared { .. })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&match self {
            Self::InMemory(error) => error.to_string(),
            Self::NewFile { path, why } => {
                format!("{why} {}", t!("mastery-new-file", path = path.display().to_string()))
            }
            Self::Home { path } => t!("mastery-home", path = path.display().to_string()),
            Self::SetAside { path, aside, carried, backup } => set_aside(path, aside, carried, backup.as_deref()),
            Self::Locked { path, holder } => {
                let holder = holder.clone().unwrap_or_else(|| t!("mastery-somebody"));
                t!("mastery-lock-held", path = path.display().to_string(), holder = holder)
            }
            Self::Shared { holder: Some(holder) } => t!("mastery-shared-by", holder = holder.as_str()),
            Self::Shared { holder: None } => t!("mastery-shared"),
        })
    }
}

fn set_aside(path: &Path, aside: &Path, carried: &[Carried], backup: Option<&Path>) -> String {
    let mut text = t!("mastery-set-aside", path = path.display().to_string(), aside = aside.display().to_string());
    let list = |count: fn(&Carried) -> u64| -> String {
        let rows = carried.iter().filter(|carried| count(carried) > 0).filter_map(|carried| {
            let n = count(carried);
            Some(match carried.table {
                "attempts" => t!("mastery-rows-attempts", n = n),
                "answers" => t!("mastery-rows-answers", n = n),
                "submissions" => t!("mastery-rows-submissions", n = n),
                "visits" => t!("mastery-rows-visits", n = n),
                "predictions" => t!("mastery-rows-predictions", n = n),
                "explanations" => t!("mastery-rows-explanations", n = n),
                "runs" => t!("mastery-rows-runs", n = n),
                "flags" => t!("mastery-rows-flags", n = n),
                // The rest belongs to these and comes and goes with them.
                _ => return None,
            })
        });
        rows.collect::<Vec<_>>().join(", ")
    };
    let (rows, lost) = (list(|carried| carried.rows), list(|carried| carried.lost));
    text.push(' ');
    text += &match (rows.is_empty(), lost.is_empty()) {
        (true, true) => t!("mastery-carried-nothing"),
        (false, true) => t!("mastery-carried", rows = rows),
        (true, false) => t!("mastery-carried-lost", lost = lost),
        (false, false) => t!("mastery-carried-some", rows = rows, lost = lost),
    };
    if let Some(backup) = backup {
        text.push(' ');
        text += &t!("mastery-carried-backup", backup = backup.display().to_string());
    }
    text
}

/// Whether SQLite says that the file is no database, or a broken one.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    matches!(error.sqlite_error_code(), Some(Code::DatabaseCorrupt | Code::NotADatabase))
}

fn busy(path: &Path, holder: Option<&str>) -> String {
    let holder = holder.map_or_else(|| t!("mastery-somebody"), str::to_owned);
    t!("mastery-busy", path = path.display().to_string(), holder = holder)
}

fn why(error: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode as Code;
    match error.sqlite_error_code() {
        Some(Code::ReadOnly) => t!("mastery-why-read-only"),
        Some(Code::DiskFull) => t!("mastery-why-full"),
        Some(Code::CannotOpen | Code::PermissionDenied) => t!("mastery-why-closed"),
        _ => first_line(error),
    }
}

/// SQLite may add the statement that failed, which tells a student nothing.
fn first_line(error: &rusqlite::Error) -> String {
    let text = match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        error => error.to_string(),
    };
    text.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}
