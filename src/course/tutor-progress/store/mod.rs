/*! Stores progress in one SQLite file, `progress.sqlite3`.

Each fact is committed when it happens, so that a crash loses nothing. The file uses write-ahead logging, and every
change is one immediate transaction, so that two tutors can run at the same time.

A change that returns `Ok` is in the file. A change that returns a [`StoreError`] has changed nothing, and the caller may
try it again: the disk may be full or read-only, another process may lock the file, or the file may be deleted. The store
itself keeps no change for later. No operation waits longer than some seconds. Every function that returns a
[`StoreError`] fails if the store cannot be read or written; a section on errors names only what else can go wrong.

[`Store::open`] renames a damaged file and begins a new one. [`Store::recover`] reads what a damaged file still contains.
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

use commit::{OpenFile, Place};
use lock::Presence;
use rusqlite::{Connection, Params, Row, Transaction};
use std::collections::VecDeque;
use std::path::Path;

#[derive(Debug)]
pub struct Store {
    connection: Connection,
    place: Place,
    /// The student's seed, once it is known. It may not be in the file yet.
    seed: Option<u64>,
    /// SQLite's data version at the last commit, to detect writes of other processes; `None` after such a write was
    /// reported.
    others: Option<i64>,
    presence: Option<Presence>,
    notices: VecDeque<Notice>,
}

impl Store {
    /// Returns the path of the file. `None` if progress is in memory, or if the file cannot be written.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(file) => Some(file.path()),
            Place::Memory | Place::Unavailable(_) => None,
        }
    }

    /// Returns the next notice for the student, each only once: for example, that the file was damaged.
    pub fn take_notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }

    /// Returns a store in memory with the content of a connection.
    fn of(connection: Connection) -> Self {
        Self {
            others: commit::data_version(&connection),
            connection,
            place: Place::Memory,
            seed: None,
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

/// Adds a row. `into` is a table with the columns of the values.
fn insert(tx: &Transaction, into: &str, values: impl Params) -> rusqlite::Result<()> {
    let places = vec!["?"; into.split(',').count()].join(", ");
    tx.prepare_cached(&format!("INSERT INTO {into} VALUES ({places})"))?.execute(values).map(drop)
}

/// Returns what `read` makes of each row that a query finds.
fn list<T, C: FromIterator<T>>(
    connection: &Connection,
    select: &str,
    values: impl Params,
    read: impl FnMut(&Row) -> rusqlite::Result<T>,
) -> rusqlite::Result<C> {
    connection.prepare_cached(select)?.query_map(values, read)?.collect()
}

fn now() -> String {
    crate::now().to_string()
}
