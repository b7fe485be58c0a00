/*! Where progress lives: one SQLite file, `progress.sqlite3`.

Each fact is committed when it happens, so that a crash loses nothing that was given. The file is
in write-ahead mode and every change is one immediate transaction, so that two tutors at once are
safe. When the file cannot be written (a read-only or full disk), the store goes on in memory with
what it could read, and gives one notice that says so ([`Store::take_notice`]).
*/

mod attempts;
mod drafts;
mod error;
mod open;
mod reading;
mod schema;

#[cfg(test)]
mod tests;

pub(in crate::mastery) use drafts::answer_key;
pub use error::StoreError;
pub use open::data_dir;
pub use reading::{Prediction, Predictions, RunRecord};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

/// The progress file, or its stand-in in memory.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// The file; absent when in memory.
    path: Option<PathBuf>,
    notice: Option<StoreError>,
}

impl Store {
    /// The file; `None` if progress is in memory and is lost at the end.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What the student should be told once: that a file was set aside, or that progress is in memory.
    pub fn take_notice(&mut self) -> Option<StoreError> {
        self.notice.take()
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sqlite(self.path.as_deref().unwrap_or(Path::new("progress in memory")), error)
    }

    /// Reads in one consistent view.
    fn read<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let view = self.connection.unchecked_transaction().map_err(|error| self.error(error))?;
        query(&view).map_err(|error| self.error(error))
    }

    /// Changes in one transaction.
    fn write<T>(&mut self, change: impl Fn(&Transaction) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        match self.attempt(|tx| change(tx).map(Ok::<T, Infallible>))? {
            Ok(value) => Ok(value),
        }
    }

    /// Changes in one transaction, or refuses and changes nothing; in memory if the file can no longer be written.
    fn attempt<T, E>(
        &mut self,
        change: impl Fn(&Transaction) -> rusqlite::Result<Result<T, E>>,
    ) -> Result<Result<T, E>, StoreError> {
        let error = match commit(&mut self.connection, &change) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        let damaged = error::is_damage(&error);
        let error = self.error(error);
        let Some(path) = self.path.clone().filter(|_| damaged || matches!(error, StoreError::Unwritable { .. })) else {
            return Err(error);
        };
        self.connection =
            open::salvage(Some(&self.connection), &path).map_err(|error| StoreError::sqlite(&path, error))?;
        self.path = None;
        self.notice = Some(error);
        commit(&mut self.connection, &change).map_err(|error| self.error(error))
    }
}

fn commit<T, E>(
    connection: &mut Connection,
    change: &impl Fn(&Transaction) -> rusqlite::Result<Result<T, E>>,
) -> rusqlite::Result<Result<T, E>> {
    // Dropped without a commit, a transaction is rolled back.
    let tx = Transaction::new(connection, TransactionBehavior::Immediate)?;
    let value = change(&tx)?;
    if value.is_ok() {
        tx.commit()?;
    }
    Ok(value)
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}
