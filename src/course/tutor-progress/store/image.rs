//! The progress file as bytes, for a page that keeps them in the browser's storage.

use super::lock::Lock;
use super::open::known_version;
use super::schema::{self, VERSION};
use super::{Store, StoreError};
use rusqlite::Connection;
use std::path::Path;

/// How messages name the bytes.
const NAME: &str = "progress.sqlite3";

/// Where SQLite's header has the version that is needed to write and to read: 2 for a write-ahead log, else 1.
const JOURNAL_BYTES: std::ops::Range<usize> = 18..20;

impl Store {
    /// Opens the bytes of a progress file. All changes are made in memory, from which [`Store::image`] copies them.
    ///
    /// # Errors
    /// If they are not a progress file, are damaged, or belong to a newer program.
    pub fn of_image(bytes: &[u8]) -> Result<Self, StoreError> {
        let mut bytes = bytes.to_vec();
        // A database in memory has no log. The bytes are complete, because the program empties its log before a copy.
        if let Some(journal) = bytes.get_mut(JOURNAL_BYTES) {
            journal.fill(1);
        }
        let sqlite = |error: rusqlite::Error| StoreError::sqlite(Path::new(NAME), &error);
        let mut connection = Connection::open_in_memory().map_err(sqlite)?;
        let read = bytes.as_slice();
        connection.deserialize_read_exact("main", read, read.len(), false).map_err(sqlite)?;
        let version =
            known_version(&connection).map_err(|error| error.into_store_error(Path::new(NAME), &Lock::None))?;
        connection.pragma_update(None, "foreign_keys", true).map_err(sqlite)?;
        if version < VERSION {
            schema::migrate(&mut connection, VERSION).map_err(sqlite)?;
        }
        Ok(Self::of(connection))
    }

    /// Returns the bytes of the progress file.
    pub fn image(&mut self) -> Result<Vec<u8>, StoreError> {
        let data = self.connection.serialize("main").map_err(|error| StoreError::sqlite(Path::new(NAME), &error))?;
        Ok(data.to_vec())
    }
}
