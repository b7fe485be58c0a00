//! Reads everything readable from a file in any state.

use super::merge::merge;
use super::schema::{self, Rows, TABLES, VERSION, memory};
use super::{Store, StoreError, changing, list};
use crate::renamed::Renamed;
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::collections::BTreeMap;
use std::path::Path;

/// The readable content of a file.
#[derive(Debug)]
pub(super) struct Salvaged {
    /// A copy in memory with the tables of the newest version.
    pub(super) copy: Connection,
    /// For each table with rows.
    carried: Vec<Carried>,
}

/// How many rows of a table could be read, and how many are known to be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    pub table: &'static str,
    /// Number of rows that could be read.
    pub rows: u64,
    /// Number of rows that could not be read, as far as the row numbers show.
    pub lost: u64,
}

impl Store {
    /// Adds everything that can be read from a damaged progress file or a backup, which stays unchanged. Nothing is added
    /// twice. Returns what the file contains, or `None` if nothing in it can be read.
    pub fn recover(
        &mut self,
        file: &Path,
        course: &str,
        renamed: &Renamed,
    ) -> Result<Option<Vec<Carried>>, StoreError> {
        let Some(Salvaged { mut copy, carried }) = of_file(file) else { return Ok(None) };
        // The names in this store have been replaced already.
        let tx = copy.transaction().map_err(|error| self.error(&error))?;
        changing::rename(&tx, course, renamed).and_then(|()| tx.commit()).map_err(|error| self.error(&error))?;
        self.write(|tx| merge(&copy, tx))?;
        Ok(Some(carried))
    }
}

/// Returns the readable content of a file that may be damaged or not writable. `None` if nothing is readable.
pub(super) fn of_file(path: &Path) -> Option<Salvaged> {
    let mut best: Option<(u64, Salvaged)> = None;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    // In a directory without write permission, SQLite can read the file only as an immutable one.
    for mode in ["mode=ro", "immutable=1"] {
        // With `writable_schema`, SQLite skips a table or index with a broken definition, so that the others can be
        // read.
        for lenient in [false, true] {
            let file = Connection::open_with_flags(uri(path, mode)?, flags);
            let found = file.and_then(|file| {
                file.pragma_update(None, "writable_schema", lenient)?;
                file.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
                of(&file)
            });
            match found {
                Ok((salvaged, true)) => return Some(salvaged),
                Ok((salvaged, false)) => {
                    let rows = counts(&salvaged.copy).ok()?.values().sum();
                    if best.as_ref().is_none_or(|(most, _)| rows > *most) {
                        best = Some((rows, salvaged));
                    }
                }
                // In this case another process is writing to the file, which must not be read as immutable.
                Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => return None,
                Err(_) => {}
            }
        }
    }
    best.map(|(_, salvaged)| salvaged)
}

/// Returns the readable content of an open database: all rows of every table before, between and after damaged pages.
/// Also returns true if every table was found.
///
/// # Errors
/// If not even the list of tables can be read.
fn of(from: &Connection) -> rusqlite::Result<(Salvaged, bool)> {
    let version = schema::version(from)?;
    // The tables belong to some version. An unknown version number means damage, so the newest version is assumed.
    let version = if (1..=VERSION).contains(&version) { version } else { VERSION };
    let mut copy = memory(version)?;
    // The row that a row refers to may be lost.
    copy.pragma_update(None, "foreign_keys", false)?;
    let (mut carried, mut whole) = (Vec::new(), true);
    let tx = copy.transaction()?;
    for table in &TABLES {
        let columns = columns(&tx, table.name)?;
        if columns.is_empty() {
            continue;
        }
        let list = columns.join(", ");
        let places = vec!["?"; columns.len()].join(", ");
        let mut insert = tx.prepare(&format!("INSERT OR IGNORE INTO {}({list}) VALUES ({places})", table.name))?;
        let mut rows = 0;
        let last = if stores(from, table.name, &columns) {
            self::rows(from, table.name, &list, columns.len(), &mut |values| {
                // Rows with wrong types are damaged and skipped.
                rows += u64::from(insert.execute(params_from_iter(values)).is_ok());
            })
        } else {
            None
        };
        whole &= last.is_some();
        let numbered = table.rows == Rows::Numbered;
        let given = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let given = stores(from, "sqlite_sequence", &[]).then(|| from.query_row(given, [table.name], |row| row.get(0)));
        let given: i64 = given.and_then(Result::ok).unwrap_or(0);
        let highest = if numbered { given.max(last.unwrap_or(0)) } else { 0 };
        let lost = u64::try_from(highest).unwrap_or(0).saturating_sub(rows);
        if rows + lost > 0 {
            carried.push(Carried { table: table.name, rows, lost });
        }
    }
    // A row whose attempt is lost says nothing: neither its level nor its questions are known.
    for of in &mut carried {
        if columns(&tx, of.table)?.iter().any(|column| column == "attempt") {
            let sql = format!("DELETE FROM {} WHERE attempt NOT IN (SELECT id FROM attempts)", of.table);
            let useless = tx.execute(&sql, [])? as u64;
            (of.rows, of.lost) = (of.rows.saturating_sub(useless), of.lost + useless);
        }
    }
    tx.commit()?;
    schema::migrate(&mut copy, VERSION)?;
    Ok((Salvaged { copy, carried }, whole))
}

/// True if the name belongs to a table that stores these columns. A file from another person may have a view or a computed
/// column there, which can take any amount of time and memory to read. A table whose definition is damaged counts as stored.
fn stores(from: &Connection, table: &str, columns: &[String]) -> bool {
    // SQLite compares names without regard to case, and reads the definition and not the type.
    let sql = "SELECT type = 'table' AND sql LIKE 'CREATE TABLE%' FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE";
    let is_table = from.query_row(sql, [table], |row| row.get(0)).unwrap_or(true);
    let computed = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0 AND name = ?2 COLLATE NOCASE";
    let is_computed = |name: &String| from.query_row(computed, [table, name], |row| row.get(0)).unwrap_or(0) > 0;
    is_table && !columns.iter().any(is_computed)
}

fn counts(connection: &Connection) -> rusqlite::Result<BTreeMap<&'static str, u64>> {
    let count = |name: &str| -> rusqlite::Result<u32> {
        connection.query_row(&format!("SELECT count(*) FROM {name}"), [], |row| row.get(0))
    };
    TABLES.iter().map(|table| Ok((table.name, u64::from(count(table.name)?)))).collect()
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    list(connection, "SELECT name FROM pragma_table_info(?1)", [table], |row| row.get(0))
}

/// Passes every readable row to `take` and returns the highest row number seen. `None` if there is no such table.
///
/// Skips a damaged page with strides that double. Then reads the rows after the page backwards up to it.
fn rows(from: &Connection, table: &str, list: &str, columns: usize, take: &mut dyn FnMut(Vec<Value>)) -> Option<i64> {
    // Does not use an index, because the index may be damaged.
    let select = |bounds: &str| format!("SELECT rowid, {list} FROM {table} NOT INDEXED WHERE {bounds}");
    let (Ok(mut forward), Ok(mut backward)) = (
        from.prepare(&select("rowid > ?1 ORDER BY rowid")),
        from.prepare(&select("rowid > ?1 AND rowid < ?2 ORDER BY rowid DESC")),
    ) else {
        return None;
    };
    let read = |row: &rusqlite::Row| (1..=columns).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>();
    let (mut last, mut stride) = (0_i64, 0_i64);
    while let Some(after) = last.checked_add(stride) {
        let (before, mut whole) = (last, false);
        if let Ok(mut rows) = forward.query([after]) {
            loop {
                match rows.next() {
                    Ok(None) => whole = true,
                    Err(_) => {}
                    Ok(Some(row)) => {
                        let Ok(number) = row.get::<_, i64>(0) else { break };
                        if number <= last {
                            break;
                        }
                        if last == before && stride > 0 {
                            behind(&mut backward, before, number, &read, take);
                        }
                        last = number;
                        if let Ok(values) = read(row) {
                            take(values);
                        }
                        continue;
                    }
                }
                break;
            }
        }
        if whole {
            if last == before && stride > 0 {
                behind(&mut backward, before, i64::MAX, &read, take);
            }
            break;
        }
        let wider = if last > before || stride == 0 { Some(1) } else { stride.checked_mul(2) };
        let Some(wider) = wider else { break };
        stride = wider;
    }
    Some(last)
}

/// Reads the rows between two numbers backwards, as far as they are readable.
fn behind(
    backward: &mut rusqlite::Statement,
    after: i64,
    before: i64,
    read: &dyn Fn(&rusqlite::Row) -> rusqlite::Result<Vec<Value>>,
    take: &mut dyn FnMut(Vec<Value>),
) {
    let Ok(mut rows) = backward.query([after, before]) else { return };
    let mut last = before;
    while let Ok(Some(row)) = rows.next() {
        match row.get::<_, i64>(0) {
            Ok(number) if number < last => last = number,
            _ => return,
        }
        if let Ok(values) = read(row) {
            take(values);
        }
    }
}

/// Returns the path as an SQLite URI. `None` if it is not Unicode.
fn uri(path: &Path, query: &str) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let path = path.to_str()?.replace('\\', "/");
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let root = if escaped.starts_with('/') { "" } else { "/" };
    Some(format!("file:{root}{escaped}?{query}"))
}
