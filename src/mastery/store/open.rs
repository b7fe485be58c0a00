//! Opening the progress file, whatever state it is in.

use super::schema::{self, APPLICATION_ID, VERSION};
use super::{Store, StoreError, error::is_damage};
use etcetera::BaseStrategy;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

const FILE: &str = "progress.sqlite3";
/// Held while a file is checked, migrated or set aside, so that two tutors do not both do it.
const LOCK: &str = "progress.lock";
const BUSY: Duration = Duration::from_secs(5);

/// Where progress lives: `chosen`, or the platform's data directory.
///
/// # Errors
/// If none was chosen and the platform names none.
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
    /// Opens or creates the progress file in `dir`. A damaged one is set aside, with a notice.
    ///
    /// # Errors
    /// If it cannot be written, or belongs to a newer or another program.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(FILE);
        fs::create_dir_all(dir).map_err(|error| StoreError::io(dir, &error))?;
        let lock = dir.join(LOCK);
        let lock =
            File::options().create(true).append(true).open(&lock).map_err(|error| StoreError::io(&lock, &error))?;
        // Where a file system cannot lock, SQLite's own locks still guard everything but a setting aside.
        let _ = lock.lock();
        let (connection, notice) = match connect(&path) {
            Ok(connection) => (connection, None),
            Err(Trouble::Damaged) => {
                let aside = set_aside(&path).map_err(|error| StoreError::io(&path, &error))?;
                let connection = connect(&path).map_err(|trouble| trouble.told(&path))?;
                (connection, Some(StoreError::SetAside { path: path.clone(), aside }))
            }
            Err(trouble) => return Err(trouble.told(&path)),
        };
        Ok(Self { connection, path: Some(path), notice })
    }

    /// Opens the progress file of `chosen` or of the platform; if it cannot be written, goes on in
    /// memory with what can be read of it, and a notice.
    ///
    /// # Errors
    /// If the file belongs to a newer or another program, or another process holds it: going on would
    /// hide the student's progress.
    pub fn open_or_memory(chosen: Option<&Path>) -> Result<Self, StoreError> {
        let opened = data_dir(chosen).and_then(|dir| {
            Self::open(&dir).map_err(|error| (dir, error)).or_else(|(dir, error)| match error {
                StoreError::Newer { .. } | StoreError::Foreign { .. } | StoreError::Busy { .. } => Err(error),
                error => {
                    let path = dir.join(FILE);
                    let connection = salvage(None, &path).map_err(|error| StoreError::sqlite(&path, error))?;
                    Ok(Self { connection, path: None, notice: Some(error) })
                }
            })
        });
        match opened {
            Err(StoreError::NoHome) => {
                let mut store = Self::in_memory()?;
                store.notice = Some(StoreError::NoHome);
                Ok(store)
            }
            opened => opened,
        }
    }

    /// An empty store that is lost when dropped.
    ///
    /// # Errors
    /// If SQLite has no memory.
    pub fn in_memory() -> Result<Self, StoreError> {
        let connection = memory(VERSION).map_err(|error| StoreError::sqlite(Path::new("progress in memory"), error))?;
        Ok(Self { connection, path: None, notice: None })
    }
}

enum Trouble {
    Damaged,
    Newer(u32),
    Foreign,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        if is_damage(&error) { Self::Damaged } else { Self::Sqlite(error) }
    }
}

impl Trouble {
    fn told(self, path: &Path) -> StoreError {
        match self {
            Self::Damaged => StoreError::Unwritable { path: path.to_owned(), why: crate::t!("mastery-why-damaged") },
            Self::Newer(found) => StoreError::Newer { path: path.to_owned(), found, known: VERSION },
            Self::Foreign => StoreError::Foreign { path: path.to_owned() },
            Self::Sqlite(error) => StoreError::sqlite(path, error),
        }
    }
}

/// Opens, checks and migrates. Nothing is changed before the file is known to be ours.
fn connect(path: &Path) -> Result<Connection, Trouble> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    let version = schema::version(&connection)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    let new = tables == 0 && version == 0 && application == 0;
    if !new && application != APPLICATION_ID {
        return Err(Trouble::Foreign);
    }
    if version > VERSION {
        return Err(Trouble::Newer(version));
    }
    let health: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if health != "ok" {
        return Err(Trouble::Damaged);
    }
    // On some network file systems there is no WAL; SQLite then keeps its rollback journal.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    schema::migrate(&mut connection, VERSION)?;
    if connection.is_readonly("main")? {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY);
        return Err(Trouble::Sqlite(rusqlite::Error::SqliteFailure(code, None)));
    }
    Ok(connection)
}

/// Moves the file and its journals to a name that nothing has, and gives that name.
fn set_aside(path: &Path) -> std::io::Result<PathBuf> {
    let time = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let name = |count: u32, suffix: &str| {
        let count = if count == 0 { String::new() } else { format!("-{count}") };
        path.with_file_name(format!("{FILE}.damaged-{time}{count}{suffix}"))
    };
    let mut count = 0;
    while name(count, "").exists() {
        count += 1;
    }
    fs::rename(path, name(count, ""))?;
    for suffix in ["-wal", "-shm"] {
        let journal = path.with_file_name(format!("{FILE}{suffix}"));
        if journal.exists() {
            fs::rename(&journal, name(count, suffix))?;
        }
    }
    Ok(name(count, ""))
}

/// An empty database in memory at a schema version.
fn memory(version: u32) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    schema::migrate(&mut connection, version)?;
    Ok(connection)
}

/// A copy in memory of what can be read: of the open connection if there is one, else of the file; empty if nothing can.
pub(super) fn salvage(live: Option<&Connection>, path: &Path) -> rusqlite::Result<Connection> {
    if let Some(copy) = live.and_then(|live| copy(live).ok()) {
        return Ok(copy);
    }
    // A file in a directory that cannot be written can be read only as one that nobody changes.
    for mode in ["mode=ro", "immutable=1"] {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        if let Some(uri) = uri(path, mode)
            && let Ok(copy) = Connection::open_with_flags(uri, flags).and_then(|file| copy(&file))
        {
            return Ok(copy);
        }
    }
    memory(VERSION)
}

/// Copies every row that can be read, and brings the copy up to date.
fn copy(from: &Connection) -> rusqlite::Result<Connection> {
    let version = schema::version(from)?;
    let mut copy = memory(version.min(VERSION))?;
    let tables: Vec<String> = copy
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let tx = copy.transaction()?;
    for table in tables {
        let mut select = from.prepare(&format!("SELECT * FROM {table}"))?;
        let columns = select.column_count();
        let places = vec!["?"; columns].join(", ");
        let mut insert = tx.prepare(&format!("INSERT INTO {table} VALUES ({places})"))?;
        let mut rows = select.query([])?;
        // The rows before a broken page are worth having.
        while let Ok(Some(row)) = rows.next() {
            let values =
                (0..columns).map(|column| row.get::<_, Value>(column)).collect::<rusqlite::Result<Vec<_>>>()?;
            insert.execute(params_from_iter(values))?;
        }
    }
    tx.commit()?;
    schema::migrate(&mut copy, VERSION)?;
    Ok(copy)
}

/// The path as an SQLite URI; `None` if it is not Unicode.
fn uri(path: &Path, query: &str) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let path = path.to_str()?.replace('\\', "/");
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let root = if escaped.starts_with('/') { "" } else { "/" };
    Some(format!("file:{root}{escaped}?{query}"))
}
