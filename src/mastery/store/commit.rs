//! Changes: committed to the file, or else to the copy in memory, from which they come back into a file.

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

/// Time between two tries to write a file again.
const AGAIN: Duration = Duration::from_secs(5);

/// The file as it was opened: others can take it away from under its name.
#[derive(Debug)]
pub(super) struct OpenFile {
    path: PathBuf,
    /// What tells the file and its journals from others of their names.
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

    /// Whether what is under the file's name is no longer what was opened, or has lost its end. The file only grows.
    fn is_gone(&mut self) -> bool {
        let length = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        if length < self.length || self.parts.iter().any(|(part, id)| identity(part) != Some(*id)) {
            return true;
        }
        self.length = length;
        false
    }
}

/// What no other file on the same disk has.
#[cfg(unix)]
fn identity(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|metadata| metadata.ino())
}

/// Where a file that is open cannot be taken away, that it is there is enough.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|_| 0)
}

impl Store {
    /// Changes in one transaction.
    pub(super) fn write<T>(&mut self, change: impl Fn(&Transaction) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        match self.attempt(|tx| change(tx).map(Ok::<T, Infallible>))? {
            Ok(value) => Ok(value),
        }
    }

    /// Changes in one transaction, or refuses and changes nothing; in memory if the file can no longer be written.
    ///
    /// A change may be made twice, in the file and in memory: it must be the same change both times.
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

    /// Makes the day's backup and the copy that is needed should the file be lost. It takes its time.
    pub fn prepare(&mut self) {
        let Some(dir) = self.home.as_ref().filter(|_| self.file.is_some()) else { return };
        if let Err(error) = backup::daily(&self.connection, dir) {
            tracing::warn!("no backup of the progress was made: {error}");
        }
        self.follow();
    }

    /// A last try to bring into a file what is in memory alone.
    ///
    /// # Errors
    /// If it stays there, and is lost now. Progress that was in memory by choice is no error.
    pub fn close(mut self) -> Result<(), StoreError> {
        if let Some(file) = &mut self.file {
            if !file.is_gone() {
                return Ok(());
            }
            self.fall_back()?;
            // Something may be: what was acknowledged is in memory alone now.
            self.only_here = 1;
        }
        match self.home.clone() {
            Some(path) if self.only_here > 0 && self.go_home().is_none() => Err(StoreError::Lost { path }),
            _ => Ok(()),
        }
    }

    /// The number that an attempt has now.
    pub(super) fn number(&self, attempt: i64) -> i64 {
        self.moved.get(&attempt).copied().unwrap_or(attempt)
    }

    /// Another process writes to the same file: told once.
    pub(super) fn shared(&mut self, holder: Option<String>) {
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
        // Without a copy, what the file has is read when it is needed.
        self.standby = copy.and_then(|mut copy| follow(&self.connection, &mut copy).map(|()| copy)).ok();
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        match &self.file {
            Some(file) if error::is_damage(error) => StoreError::Damaged { path: file.path.clone() },
            Some(file) => match self.error(error) {
                // Who writes has a lock on the index of the write-ahead log.
                StoreError::Busy { path, holder: None } => {
                    let holder = holder(&part(&file.path, "-shm")).or_else(|| holder(&path));
                    StoreError::Busy { path, holder }
                }
                failure => failure,
            },
            None => self.error(error),
        }
    }

    /// From the file to memory.
    fn fall_back(&mut self) -> Result<(), StoreError> {
        let path = self.file.as_ref().map_or_else(PathBuf::new, |file| file.path.clone());
        let copy = match self.standby.take() {
            Some(copy) => copy,
            None => match salvage::of(&self.connection).ok().or_else(|| salvage::of_file(&path)) {
                Some(salvaged) => salvaged.copy,
                None => memory(VERSION).map_err(|error| self.error(&error))?,
            },
        };
        // Closing would tidy up under the file's name, where something else may be by now.
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        self.connection = copy;
        self.file = None;
        Ok(())
    }

    fn go_home_in_time(&mut self) {
        if self.home.is_some() && self.again.is_none_or(|again| Instant::now() >= again) {
            if let Some(path) = self.go_home() {
                self.notices.push_back(Notice::Home { path });
            }
            self.again = Some(Instant::now() + AGAIN);
        }
    }

    /// From memory into a file that can be written: the old one or a new one. Gives its path.
    fn go_home(&mut self) -> Option<PathBuf> {
        let mut there = Self::open(self.home.as_deref()?).ok()?;
        let tx = Transaction::new(&mut there.connection, TransactionBehavior::Immediate).ok()?;
        let moved = merge(&self.connection, &tx).ok()?;
        tx.commit().ok()?;
        for now in self.moved.values_mut() {
            *now = moved.get(now).copied().unwrap_or(*now);
        }
        self.moved.extend(moved);
        self.connection = there.connection;
        self.file = there.file;
        self.only_here = 0;
        self.others = self.others.and(there.others);
        self.notices.extend(there.notices);
        self.follow();
        self.path().map(Path::to_owned)
    }
}

/// Changes whenever another connection has written to the file.
pub(super) fn data_version(connection: &Connection) -> Option<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0)).ok()
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
