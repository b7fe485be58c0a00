//! Opens the progress file in any state, without waiting long.

use super::error::{Notice, StoreError, is_damage};
use super::lock::{Lock, PATIENCE, Presence};
use super::salvage::{self, Salvaged};
use super::schema::{self, APPLICATION_ID, VERSION, memory};
use super::{OpenFile, Store, backup, merge};
use etcetera::BaseStrategy;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tutor_support::private::{self, plain, sync};

const FILE: &str = "progress.sqlite3";
/// Locked while a file is checked, migrated or replaced, so that only one tutor does this.
const LOCK: &str = "progress.lock";
/// Locked by every open tutor.
const PRESENCE: &str = "progress.open";
/// How long SQLite waits for another process. The caller may try again after that.
const BUSY: Duration = PATIENCE;

/// Returns the directory of progress: `chosen`, or the platform's data directory.
///
/// # Errors
/// If none was chosen and the platform does not define one.
pub fn data_dir(chosen: Option<&Path>) -> Result<PathBuf, StoreError> {
    match chosen {
        Some(dir) => Ok(dir.to_owned()),
        None => {
            let strategy = etcetera::base_strategy::choose_native_strategy().map_err(|_| StoreError::NoHome)?;
            Ok(strategy.data_dir().join("matmul-tutor"))
        }
    }
}

impl Store {
    /// Opens or creates the progress file in `dir`. Renames a damaged one, with a notice, and copies everything
    /// readable from it and from its backups to a new file.
    ///
    /// # Errors
    /// If it cannot be written, belongs to a newer or another program, or another process locks it for too long.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(FILE);
        private::directory(dir).map_err(|error| StoreError::io(dir, &error))?;
        let lock_path = dir.join(LOCK);
        let lock = Lock::take(&lock_path).map_err(|error| StoreError::io(&lock_path, &error))?;
        let mut notices = VecDeque::new();
        if let Lock::Held(holder) = &lock {
            notices.push_back(Notice::Locked { path: lock_path, holder: holder.clone() });
        }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let part = part(&path, suffix);
            let there = plain(&part).map_err(|error| StoreError::io(&part, &error))?;
            if suffix.is_empty() && !there {
                if !lock.allows_change() {
                    return Err(OpenStoreError::Locked.into_store_error(&path, &lock));
                }
                create(&path).map_err(|error| StoreError::io(&path, &error))?;
            }
        }
        let connection = match connect(&path, lock.allows_change()) {
            Ok(connection) => connection,
            Err(OpenStoreError::Damaged) if lock.allows_change() => {
                let (connection, notice) = replace(&path)?;
                notices.push_back(notice);
                connection
            }
            Err(error) => return Err(error.into_store_error(&path, &lock)),
        };
        let mut store = Self::of(connection);
        (store.file, store.home, store.notices) = (Some(OpenFile::new(path)), Some(dir.to_owned()), notices);
        Ok(store)
    }

    /// Opens the progress file in `chosen` or in the platform's directory. If it cannot be written, continues in memory
    /// with its readable content, and adds a notice.
    ///
    /// # Errors
    /// If the file belongs to a newer or another program, or if another process locks it so that it cannot even be
    /// read. An empty store would hide the student's progress.
    pub fn open_or_memory(chosen: Option<&Path>) -> Result<Self, StoreError> {
        let dir = match data_dir(chosen) {
            Ok(dir) => dir,
            Err(error) => {
                let mut store = Self::in_memory()?;
                store.notices.push_back(Notice::InMemory(error));
                return Ok(store);
            }
        };
        let error = match Self::open(&dir) {
            Ok(store) => return Ok(store),
            Err(error @ (StoreError::Newer { .. } | StoreError::Foreign { .. })) => return Err(error),
            Err(error) => error,
        };
        let file = dir.join(FILE);
        let mut store = match plain(&file).ok().and_then(|there| there.then(|| salvage::of_file(&file))) {
            Some(Some(found)) => Self::of(found.copy),
            Some(None) if matches!(error, StoreError::Busy { .. }) => return Err(error),
            _ => Self::in_memory()?,
        };
        store.home = Some(dir);
        store.notices.push_back(Notice::InMemory(error));
        Ok(store)
    }

    /// Returns an empty store that is lost when dropped.
    pub fn in_memory() -> Result<Self, StoreError> {
        let connection =
            memory(VERSION).map_err(|error| StoreError::sqlite(Path::new("progress in memory"), &error))?;
        Ok(Self::of(connection))
    }

    /// Shows other tutors that this one is open, for as long as the store exists. Adds a notice if there are others.
    pub fn show_presence(&mut self) {
        let Some(dir) = self.home.as_ref().filter(|_| self.file.is_some()) else { return };
        let Some((presence, other)) = Presence::show(&dir.join(PRESENCE)) else { return };
        self.presence = Some(presence);
        if let Some(holder) = other {
            self.shared(holder);
        }
    }
}

pub(super) enum OpenStoreError {
    Damaged,
    Newer(u32),
    Foreign,
    /// The tables must be created or migrated, but another process holds the lock.
    Locked,
    NoBackup(io::Error),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for OpenStoreError {
    fn from(error: rusqlite::Error) -> Self {
        if is_damage(&error) { Self::Damaged } else { Self::Sqlite(error) }
    }
}

impl OpenStoreError {
    pub(super) fn into_store_error(self, path: &Path, lock: &Lock) -> StoreError {
        let unwritable = |why| StoreError::Unwritable { path: path.to_owned(), why };
        let busy = |holder| StoreError::Busy { path: path.to_owned(), holder };
        match (self, lock) {
            (Self::Locked | Self::Damaged, Lock::Held(holder)) => busy(holder.clone()),
            (Self::Locked, _) => busy(None),
            (Self::Damaged, _) => unwritable(tutor_support::sentence!("mastery-why-damaged")),
            (Self::NoBackup(error), _) => {
                unwritable(tutor_support::sentence!("mastery-why-no-backup", why = error.to_string()))
            }
            (Self::Newer(found), _) => StoreError::Newer { path: path.to_owned(), found, known: VERSION },
            (Self::Foreign, _) => StoreError::Foreign { path: path.to_owned() },
            (Self::Sqlite(error), _) => StoreError::sqlite(path, &error),
        }
    }
}

/// Returns the path of the file, or of a file that SQLite adds to it.
pub(super) fn part(path: &Path, suffix: &str) -> PathBuf {
    path.with_file_name(format!("{FILE}{suffix}"))
}

/// Creates an empty file that only this user can access. SQLite gives its additional files the same permissions.
///
/// Never opens an existing file: closing it would release the locks that this process has on it.
fn create(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Returns the schema version of a file that is ours and whole; 0 for an empty file.
pub(super) fn known_version(connection: &Connection) -> Result<u32, OpenStoreError> {
    let version = schema::version(connection)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    let new = tables == 0 && version == 0 && application == 0;
    if !new && application != APPLICATION_ID {
        return Err(OpenStoreError::Foreign);
    }
    if version > VERSION {
        return Err(OpenStoreError::Newer(version));
    }
    let health: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    // Every version writes its number together with its tables, so one without the other means damage.
    if health != "ok" || (version == 0 && !new) || (version == VERSION && !schema::is_whole(connection)?) {
        return Err(OpenStoreError::Damaged);
    }
    Ok(version)
}

/// Opens, checks and migrates the file. Nothing changes before the file is known to be ours.
fn connect(path: &Path, may_change: bool) -> Result<Connection, OpenStoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    let version = known_version(&connection)?;
    let new = version == 0;
    // Some network file systems do not support WAL. SQLite then keeps its rollback journal.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if version < VERSION {
        if !may_change {
            return Err(OpenStoreError::Locked);
        }
        if !new {
            backup::make(&connection, path.parent().unwrap_or(path)).map_err(OpenStoreError::NoBackup)?;
        }
        schema::migrate(&mut connection, VERSION)?;
    }
    if connection.is_readonly("main")? {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY);
        return Err(OpenStoreError::Sqlite(rusqlite::Error::SqliteFailure(code, None)));
    }
    Ok(connection)
}

/// Renames a damaged file and creates a new one with everything readable from it and from the newest backup.
fn replace(path: &Path) -> Result<(Connection, Notice), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::sqlite(path, &error);
    let (salvaged, backup) = salvage::of_damaged(path).map_err(failed)?;
    let aside = set_aside(path).map_err(|error| StoreError::io(path, &error))?;
    create(path).map_err(|error| StoreError::io(path, &error))?;
    let mut connection = connect(path, true).map_err(|error| error.into_store_error(path, &Lock::None))?;
    let carried = carry(&salvaged, &mut connection).map_err(failed)?;
    Ok((connection, Notice::SetAside { path: path.to_owned(), aside, carried, backup }))
}

fn carry(salvaged: &Salvaged, into: &mut Connection) -> rusqlite::Result<Vec<super::Carried>> {
    let tx = into.transaction_with_behavior(TransactionBehavior::Immediate)?;
    merge::merge(&salvaged.copy, &tx)?;
    let carried = salvaged.carried(&tx)?;
    tx.commit()?;
    Ok(carried)
}

/// Renames the file and its journals to an unused name, and returns that name.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let time = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let name = |count: u32, suffix: &str| {
        let count = if count == 0 { String::new() } else { format!("-{count}") };
        path.with_file_name(format!("{FILE}.damaged-{time}{count}{suffix}"))
    };
    let mut count = 0;
    while name(count, "").exists() {
        count += 1;
    }
    // The journals are renamed first, because SQLite would apply an old journal to a new file.
    for suffix in ["-shm", "-wal", "-journal", ""] {
        let part = part(path, suffix);
        match fs::metadata(&part) {
            // The other files contain everything that is in these.
            Ok(metadata) if suffix == "-shm" || (!suffix.is_empty() && metadata.len() == 0) => fs::remove_file(&part)?,
            Ok(_) => fs::rename(&part, name(count, suffix))?,
            Err(_) => {}
        }
    }
    sync(path.parent().unwrap_or(path));
    Ok(name(count, ""))
}
