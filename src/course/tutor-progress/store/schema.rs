//! Defines the tables, and migrates older files.

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Marks a file as ours: "mmtu".
pub(super) const APPLICATION_ID: i32 = 0x6d6d_7475;

/// One migration per schema version. Released migrations are never edited.
///
/// Rows are facts and are only added, with four exceptions: drafts and positions are replaced or deleted, `rename` replaces
/// names that a course has given up, and `regrade` raises grades. What follows from the facts (an unlock, a best score) is
/// not stored.
const MIGRATIONS: [&str; 6] = [
    include_str!("migrations/1-attempts.sql"),
    include_str!("migrations/2-reading.sql"),
    include_str!("migrations/3-drafts.sql"),
    include_str!("migrations/4-student.sql"),
    include_str!("migrations/5-workshop.sql"),
    include_str!("migrations/6-exercise-asked.sql"),
];

/// How rows are added to a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// Added one after the other; the first column is the number.
    Numbered,
    /// One row for each key.
    Keyed,
}

/// A table of the newest version: name, way of adding rows, columns.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) rows: Rows,
    pub(super) columns: &'static [&'static str],
}

/// All tables, each after those that it refers to.
pub(super) const TABLES: [Table; 16] = {
    const fn table(name: &'static str, rows: Rows, columns: &'static [&'static str]) -> Table {
        Table { name, rows, columns }
    }
    use Rows::{Keyed, Numbered};
    [
        table("attempts", Numbered, &["id", "course", "level", "kind", "seed", "started_at"]),
        table("drawn", Keyed, &["attempt", "position", "slot", "question"]),
        table("answers", Numbered, &["id", "attempt", "slot", "answer", "given_at"]),
        table("flags", Numbered, &["id", "attempt", "slot", "flagged"]),
        table("positions", Keyed, &["attempt", "position"]),
        table("submissions", Keyed, &["attempt", "submitted_at", "correct", "questions", "required", "exercise"]),
        table("grades", Keyed, &["attempt", "position", "slot", "variant", "correct", "why", "because", "page"]),
        table("abandonments", Keyed, &["attempt", "abandoned_at", "reason"]),
        table("visits", Numbered, &["id", "course", "level", "page", "event", "at"]),
        table("predictions", Numbered, &["id", "course", "level", "page", "choice", "correct", "at"]),
        table("runs", Numbered, &["id", "kernel", "m", "n", "k", "device", "driver", "median_ms", "verified", "at"]),
        table("drafts", Keyed, &["course", "key", "draft"]),
        table("students", Numbered, &["id", "seed", "began_at"]),
        table("explanations", Numbered, &["id", "course", "level", "page", "text", "missed", "at"]),
        table("tries", Numbered, &["id", "course", "exercise", "answer", "failed", "starred", "at"]),
        table("hints", Numbered, &["id", "course", "exercise", "hint", "at"]),
    ]
};

/// True if every table exists with its columns. Only a file of the newest version must have all of them.
pub(super) fn is_whole(connection: &Connection) -> rusqlite::Result<bool> {
    for Table { name, columns, .. } in &TABLES {
        let select = format!("SELECT {} FROM {name}", columns.join(", "));
        match connection.prepare(&select) {
            Ok(_) => {}
            Err(rusqlite::Error::SqlInputError { .. }) => return Ok(false),
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::Unknown) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Returns an empty database in memory with the tables of a version.
pub(super) fn memory(version: u32) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    migrate(&mut connection, version)?;
    Ok(connection)
}

/// The schema version that this program writes.
pub(super) const VERSION: u32 = MIGRATIONS.len() as u32;

/// Returns the file's schema version; 0 for a new file, or if damage left an invalid number.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(u32::try_from(version).unwrap_or(0))
}

/// Migrates the tables to `target`, each step in a separate transaction.
pub(super) fn migrate(connection: &mut Connection, target: u32) -> rusqlite::Result<()> {
    for (step, sql) in (1..=target).zip(MIGRATIONS) {
        let tx = Transaction::new(connection, TransactionBehavior::Immediate)?;
        // The version is read inside the transaction, because another process may have migrated the file meanwhile.
        if version(&tx)? < step {
            tx.execute_batch(sql)?;
            tx.pragma_update(None, "application_id", APPLICATION_ID)?;
            tx.pragma_update(None, "user_version", step)?;
            tx.commit()?;
        }
    }
    Ok(())
}
