//! Commits changes to the file, or else to the copy in memory, from which they later return to a file.

use super::lock::holder;
use super::merge::{follow, merge};
use super::open::part;
use super::schema::{VERSION, memory};
use super::{Notice, Store, StoreError, backup, error, salvage};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tutor_support::words::Sentence;

/// Time between two attempts to write to a file again.
const AGAIN: Duration = Duration::from_secs(5);

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
    pub(super) fn write<T>(&mut self, change: impl Fn(&Transaction) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        match self.attempt(|tx| change(tx).map(Ok::<T, Infallible>))? {
            Ok(value) => Ok(value),
        }
    }

    /// Applies a change in one transaction, or rolls it back if `change` refuses. Applies it in memory if the file can
    /// no longer be written.
    ///
    /// `change` may be called twice, for the file and for the copy in memory. It must make the same change both times.
    pub(super) fn attempt<T, E>(
        &mut self,
        change: impl Fn(&Transaction) -> rusqlite::Result<Result<T, E>>,
    ) -> Result<Result<T, E>, StoreError> {
        let why = match &mut self.file {
            None => {
                self.go_home_in_time();
                None
            }
            Some(file) => file.is_gone().then(|| StoreError::Gone { path: file.path.clone() }),
        };
        let why = match why {
            Some(gone) => gone,
            None => match commit(&mut self.connection, &change) {
                Ok(value) => {
                    self.committed();
                    return Ok(value);
                }
                Err(error) => match self.failed(&error) {
                    failure if self.file.is_none() || matches!(failure, StoreError::Busy { .. }) => {
                        return Err(failure);
                    }
                    failure => failure,
                },
            },
        };
        self.fall_back()?;
        let value = commit(&mut self.connection, &change).map_err(|error| self.error(&error))?;
        self.committed();
        let home = match &why {
            StoreError::Gone { .. } | StoreError::Damaged { .. } => self.go_home(),
            _ => None,
        };
        self.again = Some(Instant::now() + AGAIN);
        self.notices.push_back(match home {
            Some(path) => Notice::NewFile { path, why },
            None => Notice::InMemory(why),
        });
        Ok(value)
    }

    /// Makes the day's backup and the copy in memory that replaces a lost file. This may take some time.
    pub fn prepare(&mut self) {
        let Some(dir) = self.home.as_ref().filter(|_| self.file.is_some()) else { return };
        if let Err(error) = backup::daily(&self.connection, dir) {
            tracing::warn!("no backup of the progress was made: {error}");
        }
        self.follow();
    }

    /// Makes a last attempt to write changes that exist only in memory to a file.
    ///
    /// # Errors
    /// If they cannot be written and are lost. If the user chose progress in memory, that is not an error.
    pub fn close(mut self) -> Result<(), StoreError> {
        if let Some(file) = &mut self.file {
            if !file.is_gone() {
                return Ok(());
            }
            self.fall_back()?;
            // Acknowledged changes may now exist only in memory.
            self.only_here = 1;
        }
        match self.home.clone() {
            Some(path) if self.only_here > 0 && self.go_home().is_none() => Err(StoreError::Lost { path }),
            _ => Ok(()),
        }
    }

    /// Returns the current number of an attempt.
    pub(super) fn number(&self, attempt: i64) -> i64 {
        self.moved.get(&attempt).copied().unwrap_or(attempt)
    }

    /// Adds one notice that another process writes to the same file.
    pub(super) fn shared(&mut self, holder: Option<Sentence>) {
        if self.others.take().is_some() {
            self.notices.push_back(Notice::Shared { holder });
        }
    }

    fn committed(&mut self) {
        self.only_here += u32::from(self.file.is_none());
        if let Some(before) = self.others.filter(|_| self.file.is_some())
            && data_version(&self.connection).is_some_and(|now| now != before)
        {
            self.shared(None);
        }
        self.follow();
    }

    fn follow(&mut self) {
        if self.file.is_none() {
            return;
        }
        let copy = self.standby.take().map_or_else(|| memory(VERSION), Ok);
        // Without a copy, the file's content is read when it is needed.
        self.standby = copy.and_then(|mut copy| follow(&self.connection, &mut copy).map(|()| copy)).ok();
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        match &self.file {
            Some(file) if error::is_damage(error) => StoreError::Damaged { path: file.path.clone() },
            Some(file) => match self.error(error) {
                // A writer holds a lock on the index of the write-ahead log.
                StoreError::Busy { path, holder: None } => {
                    let holder = holder(&part(&file.path, "-shm")).or_else(|| holder(&path));
                    StoreError::Busy { path, holder }
                }
                failure => failure,
            },
            None => self.error(error),
        }
    }

    /// Switches from the file to memory.
    fn fall_back(&mut self) -> Result<(), StoreError> {
        let path = self.file.as_ref().map_or_else(PathBuf::new, |file| file.path.clone());
        let copy = match self.standby.take() {
            Some(copy) => copy,
            None => match salvage::of(&self.connection).ok().map(|(own, _)| own).or_else(|| salvage::of_file(&path)) {
                Some(salvaged) => salvaged.copy,
                None => memory(VERSION).map_err(|error| self.error(&error))?,
            },
        };
        self.let_go();
        self.connection = copy;
        self.file = None;
        Ok(())
    }

    /// Keeps SQLite from a checkpoint when it closes the file, because the path may now lead to another file.
    fn let_go(&self) {
        // A broken connection cannot make a checkpoint anyway.
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }

    fn go_home_in_time(&mut self) {
        if self.home.is_some() && self.again.is_none_or(|again| Instant::now() >= again) {
            if let Some(path) = self.go_home() {
                self.notices.push_back(Notice::Home { path });
            }
            self.again = Some(Instant::now() + AGAIN);
        }
    }

    /// Switches from memory to a file that can be written, old or new. Returns its path.
    fn go_home(&mut self) -> Option<PathBuf> {
        let mut there = Self::open(self.home.as_deref()?).ok()?;
        let tx = Transaction::new(&mut there.connection, TransactionBehavior::Immediate).ok()?;
        let moved = merge(&self.connection, &tx).ok()?;
        tx.commit().ok()?;
        for now in self.moved.values_mut() {
            *now = moved.get(now).copied().unwrap_or(*now);
        }
        self.moved.extend(moved);
        std::mem::swap(&mut self.connection, &mut there.connection);
        self.file = there.file.take();
        self.only_here = 0;
        self.others = self.others.and(there.others);
        self.notices.append(&mut there.notices);
        self.follow();
        self.path().map(Path::to_owned)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if self.file.as_mut().is_some_and(OpenFile::is_gone) {
            self.let_go();
        }
    }
}

/// Returns a number that changes whenever another connection has written to the file.
pub(super) fn data_version(connection: &Connection) -> Option<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0)).ok()
}

fn commit<T, E>(
    connection: &mut Connection,
    change: &impl Fn(&Transaction) -> rusqlite::Result<Result<T, E>>,
) -> rusqlite::Result<Result<T, E>> {
    // A transaction that is dropped without a commit is rolled back.
    let tx = Transaction::new(connection, TransactionBehavior::Immediate)?;
    let value = change(&tx)?;
    if value.is_ok() {
        tx.commit()?;
    }
    Ok(value)
}
