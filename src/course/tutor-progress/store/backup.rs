//! Backups of the progress file in the same directory, in case it is damaged.
//!
//! One backup per day is made if there is something to copy, and one before the tables are migrated. The last three are
//! kept.

use rusqlite::Connection;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tutor_support::private::{self, sync};

const PREFIX: &str = "progress.backup-";
const SUFFIX: &str = ".sqlite3";
/// Number of backups to keep.
const KEPT: usize = 3;

/// Returns the backups in a data directory, the newest first. A backup with a name in the future was made while the clock
/// was ahead. It counts as the oldest.
pub(super) fn all(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX)) && path.is_file()
    };
    let mut all: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(ours).collect();
    let (now, name) = (name_of_now(), |path: &PathBuf| path.file_name().map(std::ffi::OsStr::to_os_string));
    all.sort_by_key(|path| std::cmp::Reverse((name(path) <= Some(now.clone().into()), name(path))));
    all
}

/// Makes a backup, unless one of today exists or there is nothing to copy.
pub(super) fn daily(connection: &Connection, dir: &Path) -> io::Result<()> {
    let today = format!("{PREFIX}{}", crate::now().strftime("%Y%m%d"));
    let of_today = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(&today))
    };
    let something: bool = connection
        .query_row("SELECT EXISTS(SELECT 1 FROM attempts) OR EXISTS(SELECT 1 FROM visits)", [], |row| row.get(0))
        .map_err(io::Error::other)?;
    if !something || all(dir).iter().any(of_today) { Ok(()) } else { make(connection, dir) }
}

/// Makes a complete backup or none, and deletes all but the newest ones.
pub(super) fn make(connection: &Connection, dir: &Path) -> io::Result<()> {
    let path = dir.join(name_of_now());
    let new = dir.join(format!("{PREFIX}{}.new", std::process::id()));
    let made = write(connection, &new).and_then(|()| fs::rename(&new, &path));
    if made.is_err() {
        // An incomplete backup is useless. If it cannot be removed, the next one replaces it.
        let _ = fs::remove_file(&new);
    }
    made?;
    sync(dir);
    for old in all(dir).iter().skip(KEPT) {
        fs::remove_file(old)?;
    }
    Ok(())
}

fn name_of_now() -> String {
    format!("{PREFIX}{}{SUFFIX}", crate::now().strftime("%Y%m%dT%H%M%SZ"))
}

/// Writes the content of a database to a new file, in place of an earlier one.
pub(super) fn write(connection: &Connection, new: &Path) -> io::Result<()> {
    match fs::remove_file(new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // SQLite accepts an empty file as new, and the file already has the right permissions.
    let file = private::file(new)?;
    let name = new.to_str().ok_or_else(|| io::Error::other("the path is not Unicode"))?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(io::Error::other)?;
    file.sync_all()
}
