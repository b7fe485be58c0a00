//! Merges the rows of one database into another: every row is kept, and no row exists twice.
//!
//! Facts are only ever added, so two histories with a common start merge as a union. A row that is in both is equal in
//! all columns. Rows contain their time in nanoseconds, so that two events never look the same.

use super::schema::{Rows, TABLES, Table};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Transaction, params_from_iter};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the rows that `into` lacks, and replaces drafts and positions, because those in `from` are newer.
///
/// Returns the attempts whose number differs in `into`: maps the old number to the new one.
pub(super) fn merge(from: &Connection, into: &Transaction) -> rusqlite::Result<BTreeMap<i64, i64>> {
    let places = attempts(from, into)?;
    let known: BTreeSet<i64> =
        into.prepare("SELECT id FROM attempts")?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for table in &TABLES[1..] {
        if table.rows == Rows::Replaced && !table.columns.contains(&"attempt") {
            into.execute(&format!("DELETE FROM {}", table.name), [])?;
        }
        let mut select = from.prepare(&format!("SELECT {} FROM {}", table.columns.join(", "), table.name))?;
        let mut insert = into.prepare(&insertion(table))?;
        let attempt = table.columns.iter().position(|column| *column == "attempt");
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let mut values =
                (0..table.columns.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>()?;
            if let Some(Value::Integer(id)) = attempt.and_then(|at| values.get_mut(at)) {
                *id = *places.get(id).unwrap_or(id);
                // An answer without a known attempt is useless.
                if !known.contains(id) {
                    continue;
                }
            }
            insert.execute(params_from_iter(values))?;
        }
    }
    Ok(places.into_iter().filter(|(before, now)| before != now).collect())
}

/// Copies the attempts. Returns their numbers in `into` by their numbers in `from`.
fn attempts(from: &Connection, into: &Transaction) -> rusqlite::Result<BTreeMap<i64, i64>> {
    let mut places = BTreeMap::new();
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
        let there = same.query_row(params_from_iter(&values), |row| row.get(0)).optional()?;
        let now = match there {
            Some(now) => now,
            None => {
                insert.execute(params_from_iter(&values))?;
                into.last_insert_rowid()
            }
        };
        places.insert(id, now);
    }
    Ok(places)
}

/// Returns SQL that inserts a row unless it exists. If another row has its number, the row gets the next free number.
fn insertion(table: &Table) -> String {
    let Table { name, rows, columns } = table;
    let list = columns.join(", ");
    let places: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
    match rows {
        Rows::Keyed => format!("INSERT OR IGNORE INTO {name}({list}) VALUES ({})", places.join(", ")),
        Rows::Replaced => format!("INSERT OR REPLACE INTO {name}({list}) VALUES ({})", places.join(", ")),
        Rows::Numbered => {
            let same: Vec<String> =
                columns.iter().zip(&places).skip(1).map(|(column, place)| format!("{column} IS {place}")).collect();
            let same = same.join(" AND ");
            // A mark has no time, so only its number distinguishes it from the same mark set earlier.
            let anywhere = if columns.iter().any(|column| column.ends_with("at")) { "" } else { "id = ?1 AND " };
            format!(
                "INSERT INTO {name}({list})
                 SELECT iif(EXISTS(SELECT 1 FROM {name} WHERE id = ?1), NULL, ?1), {rest}
                 WHERE NOT EXISTS(SELECT 1 FROM {name} WHERE id = ?1 AND {same})
                   AND NOT EXISTS(SELECT 1 FROM {name} WHERE {anywhere}{same})",
                rest = places[1..].join(", "),
            )
        }
    }
}

/// Updates a copy of a healthy database. This is fast, because only possibly new rows are read.
pub(super) fn follow(from: &Connection, copy: &mut Connection) -> rusqlite::Result<()> {
    let view = from.unchecked_transaction()?;
    let tx = copy.transaction()?;
    for Table { name, rows, columns } in &TABLES {
        // Rows that have only the attempt as their key may arrive in any order.
        let numbered = !columns.starts_with(&["attempt", "submitted_at"])
            && !columns.starts_with(&["attempt", "abandoned_at"])
            && *rows != Rows::Replaced;
        let after: i64 = if numbered {
            tx.prepare_cached(&format!("SELECT ifnull(max(rowid), 0) FROM {name}"))?.query_row([], |row| row.get(0))?
        } else {
            0
        };
        if *rows == Rows::Replaced {
            tx.prepare_cached(&format!("DELETE FROM {name}"))?.execute([])?;
        }
        let list = columns.join(", ");
        let places = vec!["?"; columns.len() + 1].join(", ");
        // The number already is the row id. SQLite allows both, and the number takes precedence.
        let insert = format!("INSERT OR IGNORE INTO {name}(rowid, {list}) VALUES ({places})");
        let mut insert = tx.prepare_cached(&insert)?;
        let mut select = view.prepare_cached(&format!("SELECT rowid, {list} FROM {name} WHERE rowid > ?1"))?;
        let mut rows = select.query([after])?;
        while let Some(row) = rows.next()? {
            let values = (0..=columns.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>()?;
            insert.execute(params_from_iter(values))?;
        }
    }
    tx.commit()
}
