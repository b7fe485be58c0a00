/*! Where progress lives: one SQLite file, `progress.sqlite3`.

Each fact is committed when it happens, so that a crash loses nothing that was given. The file is
in write-ahead mode and every change is one immediate transaction, so that two tutors at once are
safe. A copy in memory follows the file. When the file cannot be written any more (a read-only or full disk,
a file or directory that is gone), the store goes on with that copy, and brings what was added into a
file as soon as there can be one again. Every such turn gives one notice ([`Store::take_notice`]).

Nothing here waits for longer than some seconds: a file that another process holds is told as
[`StoreError::Busy`], nothing was changed then, and the same may be asked again.
*/

mod attempts;
mod backup;
mod changing;
mod commit;
mod drafts;
mod error;
mod handing_in;
mod lock;
mod merge;
mod open;
mod reading;
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
pub use reading::{Explanation, Known, Prediction, Predictions, RunRecord};
pub use salvage::Carried;
pub use workshop::{Try, Worked};

use commit::OpenFile;
use lock::Presence;
use rusqlite::Connection;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The progress file, or its stand-in in memory.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// The file; absent when in memory.
    file: Option<OpenFile>,
    /// Where the file belongs; absent if progress is in memory by choice.
    home: Option<PathBuf>,
    /// A copy of the file in memory, once something was committed.
    standby: Option<Connection>,
    /// Attempts that have another number than they were given first.
    moved: BTreeMap<i64, i64>,
    /// When it is worth trying to write a file again.
    again: Option<Instant>,
    /// What tells that another process has written: its number at the last commit; none once it was told.
    others: Option<i64>,
    /// Changes that are in memory alone.
    only_here: u32,
    presence: Option<Presence>,
    notices: VecDeque<Notice>,
}

impl Store {
    /// The file; `None` if progress is in memory and is lost at the end.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(OpenFile::path)
    }

    /// The next thing that the student should be told, once: that a file was set aside, that progress is in memory.
    pub fn take_notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }

    /// A store that begins with what a connection holds.
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
