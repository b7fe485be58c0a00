//! Adds the rows of a recovered database that another one lacks.
//!
//! A row that both have is added once. Rows contain their time in nanoseconds, so two events never look the same. Names
//! that a course has replaced must be replaced in both first.

use super::schema::{Rows, TABLES, Table};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Transaction, params_from_iter};
use std::collections::BTreeMap;

/// Adds the rows of `from` that `into` lacks. A row of `into` stays as it is. Skips drafts, which belong to a place that the
/// student has left.
pub(super) fn merge(from: &Connection, into: &Transaction) -> rusqlite::Result<()> {
    let numbers = attempts(from, into)?;
    for table in TABLES.iter().filter(|table| !["attempts", "drafts"].contains(&table.name)) {
        let mut select = from.prepare(&format!("SELECT {} FROM {}", table.columns.join(", "), table.name))?;
        let mut insert = into.prepare(&insertion(table))?;
        let attempt = table.columns.iter().position(|column| *column == "attempt");
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let mut values =
                (0..table.columns.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>()?;
            if let Some(Value::Integer(id)) = attempt.and_then(|at| values.get_mut(at)) {
                // An answer whose attempt is lost is useless.
                let Some(number) = numbers.get(id) else { continue };
                *id = *number;
            }
            insert.execute(params_from_iter(values))?;
        }
    }
    Ok(())
}

/// Adds the attempts. Returns their numbers in `into` by their numbers in `from`.
fn attempts(from: &Connection, into: &Transaction) -> rusqlite::Result<BTreeMap<i64, i64>> {
    let mut numbers = BTreeMap::new();
    let mut select = from.prepare("SELECT id, course, level, kind, seed, started_at FROM attempts ORDER BY id")?;
    let mut same = into.prepare(
        "SELECT id FROM attempts WHERE course = ?2 AND level = ?3 AND kind = ?4 AND seed = ?5 AND started_at = ?6
         ORDER BY id <> ?1",
    )?;
    let mut insert = into.prepare(
        "INSERT INTO attempts(id, course, level, kind, seed, started_at)
         VALUES (iif(EXISTS(SELECT 1 FROM attempts WHERE id = ?1), NULL, ?1), ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let values = (0..6).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>()?;
        let id: i64 = row.get(0)?;
        let number = match same.query_row(params_from_iter(&values), |row| row.get(0)).optional()? {
            Some(number) => number,
            None => {
                insert.execute(params_from_iter(&values))?;
                into.last_insert_rowid()
            }
        };
        numbers.insert(id, number);
    }
    Ok(numbers)
}

/// Returns SQL that inserts a row unless it exists. If another row has its number, the row gets the next free number.
fn insertion(table: &Table) -> String {
    let Table { name, rows, columns } = table;
    let list = columns.join(", ");
    let values: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
    match rows {
        Rows::Keyed => format!("INSERT OR IGNORE INTO {name}({list}) VALUES ({})", values.join(", ")),
        Rows::Numbered => {
            let same: Vec<String> =
                columns.iter().zip(&values).skip(1).map(|(column, value)| format!("{column} IS {value}")).collect();
            let same = same.join(" AND ");
            // A mark has no time, so only its number distinguishes it from the same mark set earlier.
            let anywhere = if columns.iter().any(|column| column.ends_with("at")) { "" } else { "id = ?1 AND " };
            format!(
                "INSERT INTO {name}({list})
                 SELECT iif(EXISTS(SELECT 1 FROM {name} WHERE id = ?1), NULL, ?1), {rest}
                 WHERE NOT EXISTS(SELECT 1 FROM {name} WHERE {anywhere}{same})",
                rest = values[1..].join(", "),
            )
        }
    }
}
