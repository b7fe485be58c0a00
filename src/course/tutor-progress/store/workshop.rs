//! A student's work in the workshop, stored by the ids of exercises.

use super::{Store, StoreError, insert, list, now};
use rusqlite::params;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    /// The submission: a source, or the choices as YAML.
    pub answer: String,
    /// The first unmet goal; `None` if it passed.
    pub failed: Option<String>,
    /// True if it was fast enough for a star.
    pub starred: bool,
}

/// A student's progress in an exercise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worked {
    pub tries: u32,
    /// True if one of them passed.
    pub passed: bool,
    /// True if one of them earned the star.
    pub starred: bool,
    /// Indices of the opened hints, in the order of their opening.
    pub hints: Vec<u32>,
}

impl Store {
    pub fn tried(&mut self, course: &str, exercise: &str, tried: &Try) -> Result<(), StoreError> {
        let values = params![course, exercise, tried.answer, tried.failed, tried.starred, now()];
        self.write(|tx| insert(tx, "tries(course, exercise, answer, failed, starred, at)", values))
    }

    /// Records that a hint was opened.
    pub fn hinted(&mut self, course: &str, exercise: &str, hint: u32) -> Result<(), StoreError> {
        let values = params![course, exercise, hint, now()];
        self.write(|tx| insert(tx, "hints(course, exercise, hint, at)", values))
    }

    /// Returns the student's progress in each exercise that was begun.
    pub fn worked(&self, course: &str) -> Result<BTreeMap<String, Worked>, StoreError> {
        self.read(|connection| {
            let mut all: BTreeMap<String, Worked> = BTreeMap::new();
            let mut tries = connection.prepare_cached(
                "SELECT exercise, count(*), max(failed IS NULL), max(starred) FROM tries WHERE course = ?1 GROUP BY exercise",
            )?;
            let mut rows = tries.query([course])?;
            while let Some(row) = rows.next()? {
                let worked = all.entry(row.get(0)?).or_default();
                (worked.tries, worked.passed, worked.starred) = (row.get(1)?, row.get(2)?, row.get(3)?);
            }
            let opened = "SELECT exercise, hint FROM hints WHERE course = ?1 GROUP BY exercise, hint ORDER BY MIN(id)";
            let mut hints = connection.prepare_cached(opened)?;
            let mut rows = hints.query([course])?;
            while let Some(row) = rows.next()? {
                all.entry(row.get(0)?).or_default().hints.push(row.get(1)?);
            }
            Ok(all)
        })
    }

    /// Returns at most `most` judged solutions of an exercise, the latest first.
    pub fn tries(&self, course: &str, exercise: &str, most: u32) -> Result<Vec<Try>, StoreError> {
        self.read(|connection| {
            let select = "SELECT answer, failed, starred FROM tries
                          WHERE course = ?1 AND exercise = ?2 ORDER BY id DESC LIMIT ?3";
            list(connection, select, params![course, exercise, most], |row| {
                Ok(Try { answer: row.get(0)?, failed: row.get(1)?, starred: row.get(2)? })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_add_up_and_what_was_reached_once_stays() {
        let mut store = Store::in_memory().unwrap();
        let tried = |answer: &str, failed: Option<&str>, starred| Try {
            answer: answer.to_owned(),
            failed: failed.map(str::to_owned),
            starred,
        };
        for tried in [tried("a", Some("runs"), false), tried("b", None, true), tried("c", Some("results"), false)] {
            store.tried("course", "tile", &tried).unwrap();
        }
        store.tried("other", "tile", &tried("x", None, false)).unwrap();
        for hint in [2, 0, 2] {
            store.hinted("course", "tile", hint).unwrap();
        }
        store.hinted("course", "barrier", 0).unwrap();
        let worked = store.worked("course").unwrap();
        let tile = Worked { tries: 3, passed: true, starred: true, hints: vec![2, 0] };
        let barrier = Worked { hints: vec![0], ..Worked::default() };
        assert_eq!(worked, BTreeMap::from([("barrier".to_owned(), barrier), ("tile".to_owned(), tile)]));
        let latest: Vec<String> =
            store.tries("course", "tile", 2).unwrap().into_iter().map(|tried| tried.answer).collect();
        assert_eq!(latest, ["c", "b"]);
    }
}
