//! Commits changes to the progress file.

use super::lock::{Lock, holder};
use super::open::{LOCK, part, set_aside};
use super::{Notice, Store, StoreError, backup, data_dir, error};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use tutor_support::private;
use tutor_support::words::Sentence;

/// Where a store keeps its rows.
#[derive(Debug)]
pub(super) enum Place {
    /// In memory, as the caller chose.
    Memory,
    File(OpenFile),
    /// Nowhere: the file in this directory (or in the platform's) could not be opened for writing. The connection has
    /// what could be read of it.
    Unavailable(Option<PathBuf>),
}

/// The open file. Another process may delete or replace the file at its path.
#[derive(Debug)]
pub(super) struct OpenFile {
    path: PathBuf,
    /// The file and its journals with their identities.
    parts: Vec<(PathBuf, u64)>,
    length: u64,
}

impl OpenFile {
    pub(super) fn new(path: PathBuf) -> Self {
        let parts = ["", "-wal", "-shm"].map(|suffix| part(&path, suffix));
        let parts = parts.into_iter().filter_map(|part| Some((identity(&part)?, part))).map(|(id, part)| (part, id));
        Self { parts: parts.collect(), length: fs::metadata(&path).map_or(0, |metadata| metadata.len()), path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// True if the path no longer leads to the opened file, or if the file was truncated. The file only ever grows.
    fn is_gone(&mut self) -> bool {
        let length = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        if length < self.length || self.parts.iter().any(|(part, id)| identity(part) != Some(*id)) {
            return true;
        }
        self.length = length;
        false
    }

    /// True if another file is now at the path, or if the file was truncated.
    fn is_replaced(&self) -> bool {
        let Ok(metadata) = fs::metadata(&self.path) else { return false };
        let id = identity(&self.path);
        metadata.len() < self.length || !self.parts.iter().any(|(part, known)| *part == self.path && Some(*known) == id)
    }
}

/// Returns an identity that no other file on the same disk has.
#[cfg(unix)]
fn identity(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|metadata| metadata.ino())
}

/// On systems that do not allow deleting an open file, it is enough that the file exists.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|_| 0)
}

impl Store {
    /// Applies a change in one transaction.
    pub(super) fn write<T>(
        &mut self,
        change: impl FnOnce(&Transaction) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        match self.transact(|tx| change(tx).map(Ok::<T, Infallible>))? {
            Ok(value) => Ok(value),
        }
    }

    /// Applies a change in one transaction, or rolls it back if `change` refuses. After an error, nothing has changed,
    /// and the caller may try again.
    pub(super) fn transact<T, E>(
        &mut self,
        change: impl FnOnce(&Transaction) -> rusqlite::Result<Result<T, E>>,
    ) -> Result<Result<T, E>, StoreError> {
        self.reattach()?;
        let value = commit(&mut self.connection, change).map_err(|error| self.failed(&error))?;
        if let (Place::File(_), Some(before)) = (&self.place, self.others)
            && data_version(&self.connection).is_some_and(|now| now != before)
        {
            self.shared(None);
        }
        Ok(value)
    }

    /// Makes the day's backup. This may take some time.
    pub fn back_up(&self) {
        let Place::File(file) = &self.place else { return };
        let dir = file.path.parent().unwrap_or(&file.path);
        if let Err(error) = backup::daily(&self.connection, dir) {
            tracing::warn!("no backup of the progress was made: {error}");
        }
    }

    /// Adds one notice that another process writes to the same file.
    pub(super) fn shared(&mut self, holder: Option<Sentence>) {
        if self.others.take().is_some() {
            self.notices.push_back(Notice::Shared { holder });
        }
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        match &self.place {
            Place::File(file) if error::is_damage(error) => StoreError::Damaged { path: file.path.clone() },
            Place::File(file) => match self.error(error) {
                // A writer holds a lock on the index of the write-ahead log.
                StoreError::Busy { path, holder: None } => {
                    let holder = holder(&part(&file.path, "-shm")).or_else(|| holder(&path));
                    StoreError::Busy { path, holder }
                }
                failure => failure,
            },
            Place::Memory | Place::Unavailable(_) => self.error(error),
        }
    }

    /// Opens the file again if it could not be opened, or if it is no longer at its path.
    fn reattach(&mut self) -> Result<(), StoreError> {
        let mut new = match &mut self.place {
            Place::Unavailable(dir) => Self::open(&data_dir(dir.as_deref())?)?,
            Place::File(file) => {
                if !file.is_gone() {
                    return Ok(());
                }
                write_again(&self.connection, file)?
            }
            Place::Memory => return Ok(()),
        };
        std::mem::swap(self, &mut new);
        (self.presence, self.seed, self.others) = (new.presence.take(), new.seed, new.others.and(self.others));
        Ok(())
    }

    /// Keeps SQLite from a checkpoint when it closes the file, because the path may now lead to another file.
    fn skip_checkpoint(&self) {
        // A broken connection cannot make a checkpoint anyway.
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Place::File(file) = &mut self.place
            && file.is_gone()
        {
            self.skip_checkpoint();
        }
    }
}

/// Writes the content of a file that was deleted, but is still open, to a new file at its path.
///
/// # Errors
/// If the content cannot be read any more or written, or if another or a truncated file is at the path.
fn write_again(connection: &Connection, file: &OpenFile) -> Result<Store, StoreError> {
    let path = &file.path;
    let (dir, gone) = (path.parent().unwrap_or(path), StoreError::Gone { path: path.clone() });
    private::directory(dir).map_err(|error| StoreError::io(dir, &error))?;
    let lock_path = dir.join(LOCK);
    let lock = Lock::take(&lock_path).map_err(|error| StoreError::io(&lock_path, &error))?;
    if !lock.allows_change() || file.is_replaced() {
        return Err(gone);
    }
    let new = part(path, ".new");
    let written = backup::write(connection, &new).and_then(|()| {
        set_aside(path)?;
        fs::rename(&new, path)
    });
    if written.is_err() {
        // If it cannot be removed, the next attempt replaces it.
        let _ = fs::remove_file(&new);
        return Err(gone);
    }
    drop(lock);
    let mut store = Store::open(dir)?;
    store.notices.push_back(Notice::NewFile { path: path.clone(), why: gone });
    Ok(store)
}

/// Returns a number that changes whenever another connection has written to the file.
pub(super) fn data_version(connection: &Connection) -> Option<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0)).ok()
}

fn commit<T, E>(
    connection: &mut Connection,
    change: impl FnOnce(&Transaction) -> rusqlite::Result<Result<T, E>>,
) -> rusqlite::Result<Result<T, E>> {
    // A transaction that is dropped without a commit is rolled back.
    let tx = Transaction::new(connection, TransactionBehavior::Immediate)?;
    let value = change(&tx)?;
    if value.is_ok() {
        tx.commit()?;
    }
    Ok(value)
}
