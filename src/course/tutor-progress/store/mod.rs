/*! Stores progress in one SQLite file, `progress.sqlite3`.

Each fact is committed when it happens, so that a crash loses nothing. The file uses write-ahead logging, and every
change is one immediate transaction, so that two tutors can run at the same time. A copy in memory follows the file. The
file may become unwritable: the disk is full or read-only, or the file or its directory is deleted. The store then
continues with the copy, and writes the changes to a file as soon as possible. Each such switch gives one notice
([`Store::take_notice`]).

No operation waits longer than some seconds. If another process locks the file, the result is [`StoreError::Busy`].
Nothing has been changed then, and the caller may try again. Every function that returns a [`StoreError`] fails if the
store cannot be read or written; a section on errors names only what else can go wrong.
*/

mod attempts;
mod backup;
mod changing;
mod commit;
mod drafts;
mod error;
mod handing_in;
#[cfg(target_family = "wasm")]
mod image;
mod lock;
mod merge;
mod open;
mod reading;
mod repair;
mod reviews;
mod salvage;
mod schema;
mod submissions;
mod workshop;

#[cfg(test)]
mod tests;

pub(crate) use drafts::answer_key;
pub use error::{Notice, StoreError};
pub use open::data_dir;
pub use reading::{Explanation, Known, Prediction, Predictions};
pub use salvage::Carried;
pub use workshop::{Try, Worked};

use commit::OpenFile;
use lock::Presence;
use rusqlite::Connection;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The progress file, or its replacement in memory.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// The file; `None` while progress is in memory.
    file: Option<OpenFile>,
    /// The directory of the file; `None` if the user chose progress in memory.
    home: Option<PathBuf>,
    /// A copy of the file in memory, after the first commit.
    standby: Option<Connection>,
    /// Attempts whose number has changed: maps the old number to the new one.
    moved: BTreeMap<i64, i64>,
    /// When to try writing to a file again.
    again: Option<Instant>,
    /// SQLite's data version at the last commit, to detect writes of other processes; `None` after such a write was
    /// reported.
    others: Option<i64>,
    /// Number of changes that exist only in memory.
    only_here: u32,
    presence: Option<Presence>,
    notices: VecDeque<Notice>,
}

impl Store {
    /// Returns the path of the file. `None` if progress is in memory and will be lost.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(OpenFile::path)
    }

    /// Returns the next notice for the student, each only once: for example, that progress is in memory.
    pub fn take_notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }

    /// Returns a store with the content of a connection.
    fn of(connection: Connection) -> Self {
        Self {
            others: commit::data_version(&connection),
            connection,
            file: None,
            home: None,
            standby: None,
            moved: BTreeMap::new(),
            again: None,
            only_here: 0,
            presence: None,
            notices: VecDeque::new(),
        }
    }

    fn error(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::sqlite(self.path().unwrap_or(Path::new("progress in memory")), error)
    }

    /// Reads in one consistent view.
    fn read<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let view = self.connection.unchecked_transaction().map_err(|error| self.error(&error))?;
        query(&view).map_err(|error| self.error(&error))
    }
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}
