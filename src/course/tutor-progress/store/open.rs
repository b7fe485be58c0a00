//! Opens the progress file in any state, without waiting long.

use super::error::{Notice, StoreError, is_damage};
use super::lock::{Lock, PATIENCE, Presence};
use super::salvage;
use super::schema::{self, APPLICATION_ID, VERSION, memory};
use super::{OpenFile, Place, Store, backup};
use etcetera::BaseStrategy;
use rusqlite::{Connection, OpenFlags};
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tutor_support::private::{self, plain, sync};

const FILE: &str = "progress.sqlite3";
/// Locked while a file is checked, migrated or replaced, so that only one tutor does this.
pub(super) const LOCK: &str = "progress.lock";
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
    /// Opens or creates the progress file in `dir`. Renames a damaged one, with a notice, and continues with a copy of the
    /// newest backup, or with an empty file.
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
        (store.place, store.notices) = (Place::File(OpenFile::new(path)), notices);
        Ok(store)
    }

    /// Opens the progress file in `chosen` or in the platform's directory. If it cannot be written, returns its readable
    /// content with a notice. Each change then tries to open the file again, and fails if that fails.
    ///
    /// # Errors
    /// If the file belongs to a newer or another program, or if another process locks it so that it cannot even be
    /// read. An empty store would hide the student's progress.
    pub fn open_or_read(chosen: Option<&Path>) -> Result<Self, StoreError> {
        let error = match data_dir(chosen).and_then(|dir| Self::open(&dir)) {
            Ok(store) => return Ok(store),
            Err(error @ (StoreError::Newer { .. } | StoreError::Foreign { .. })) => return Err(error),
            Err(error) => error,
        };
        // An empty file has nothing to read, and SQLite would remove whatever has the name of its journal.
        let readable = |file: &PathBuf| {
            plain(file).is_ok_and(|there| there) && fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0)
        };
        let file = data_dir(chosen).ok().map(|dir| dir.join(FILE)).filter(readable);
        let mut store = match file.map(|file| salvage::of_file(&file)) {
            Some(Some(found)) => Self::of(found.copy),
            Some(None) if matches!(error, StoreError::Busy { .. }) => return Err(error),
            _ => Self::in_memory()?,
        };
        store.place = Place::Unavailable(chosen.map(Path::to_owned));
        store.notices.push_back(Notice::Unavailable(error));
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
        let Some(path) = self.path() else { return };
        let Some((presence, other)) = Presence::show(&path.with_file_name(PRESENCE)) else { return };
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
            (Self::Sqlite(error), lock) => match StoreError::sqlite(path, &error) {
                // SQLite waits for a lock that this file system cannot give.
                StoreError::Busy { .. } if matches!(lock, Lock::None) || !gives_locks(path) => {
                    unwritable(tutor_support::sentence!("mastery-why-no-locks"))
                }
                error => error,
            },
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

/// Renames a damaged file, and puts a copy of the newest usable backup or an empty file in its place.
fn replace(path: &Path) -> Result<(Connection, Notice), StoreError> {
    let io = |error: io::Error| StoreError::io(path, &error);
    let (dir, new) = (path.parent().unwrap_or(path), part(path, ".new"));
    let aside = set_aside(path).map_err(io)?;
    for backup in backup::all(dir) {
        // A backup that cannot be copied or opened does not help.
        if fs::copy(&backup, &new).and_then(|_| fs::rename(&new, path)).is_err() {
            continue;
        }
        match connect(path, true) {
            Ok(connection) => {
                let notice = Notice::SetAside { path: path.to_owned(), aside, backup: Some(backup) };
                return Ok((connection, notice));
            }
            Err(_) => ["", "-wal", "-shm"].iter().for_each(|suffix| drop(fs::remove_file(part(path, suffix)))),
        }
    }
    create(path).map_err(io)?;
    let connection = connect(path, true).map_err(|error| error.into_store_error(path, &Lock::None))?;
    Ok((connection, Notice::SetAside { path: path.to_owned(), aside, backup: None }))
}

/// Renames the file and its journals to an unused name, and returns that name.
pub(super) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let time = crate::now().strftime("%Y%m%dT%H%M%SZ").to_string();
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

/// False if SQLite cannot even lock a new file beside `path`, which nobody else uses.
fn gives_locks(path: &Path) -> bool {
    let Some(dir) = path.parent().and_then(|dir| tempfile::tempdir_in(dir).ok()) else { return true };
    let created = Connection::open(dir.path().join("new")).and_then(|new| new.execute_batch("CREATE TABLE new(id)"));
    !created.is_err_and(|error| error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy))
}
