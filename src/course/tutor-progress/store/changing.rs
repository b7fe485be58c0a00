//! Changes to stored facts: new names after a course renames its parts, and grades by a corrected key.

use super::handing_in::{attempts_of, numbered_attempts};
use super::{Store, StoreError};
use crate::regrade::{Regraded, regrade};
use crate::renamed::Renamed;
use rusqlite::{Transaction, params};
use tutor_course::Course;

/// Tables whose rows refer to a course by its id.
const OF_COURSE: [&str; 7] = ["attempts", "visits", "predictions", "explanations", "tries", "hints", "drafts"];
/// Tables whose rows refer to an exercise by its name.
const OF_EXERCISE: [&str; 2] = ["tries", "hints"];
/// Tables whose rows refer to a level by its id.
const OF_LEVEL: [&str; 4] = ["attempts", "visits", "predictions", "explanations"];
/// Tables whose rows refer to a page by its id.
const OF_PAGE: [&str; 3] = ["visits", "predictions", "explanations"];
/// Tables whose rows refer to a slot of an attempt by its id.
const OF_SLOT: [&str; 4] = ["drawn", "answers", "flags", "grades"];

impl Store {
    /// Moves data from old names of a course's parts to the new names. Existing data under the new names stays.
    pub fn rename(&mut self, course: &str, renamed: &Renamed) -> Result<(), StoreError> {
        if renamed.is_empty() {
            return Ok(());
        }
        self.write(|tx| rename(tx, course, renamed))
    }

    /// Regrades the submitted attempts of a course with its current quizzes, and returns the changes. Stores them if
    /// `apply` is true.
    pub fn regrade(&mut self, course: &Course, apply: bool) -> Result<Vec<Regraded>, StoreError> {
        let read = |course: &Course, all: Vec<(i64, crate::HandedAttempt)>| {
            let changed = all.into_iter().filter_map(|(id, mut attempt)| {
                // A sealed course has no keys.
                let quiz = course.level(&attempt.level).filter(|_| course.exam.is_empty())?.quiz()?;
                let told = regrade(quiz, &mut attempt)?;
                Some((id, attempt, told))
            });
            changed.collect::<Vec<_>>()
        };
        let id = course.id.as_str();
        if !apply {
            let all = self.read(|connection| attempts_of(connection, id))?;
            return Ok(read(course, all.into_iter().map(|attempt| (0, attempt)).collect())
                .into_iter()
                .map(|(_, _, told)| told)
                .collect());
        }
        self.write(|tx| {
            let changed = read(course, numbered_attempts(tx, id)?);
            for (number, attempt, _) in &changed {
                tx.execute("UPDATE submissions SET correct = ?2 WHERE attempt = ?1", params![number, attempt.correct])?;
                for item in &attempt.items {
                    tx.execute(
                        "UPDATE grades SET correct = ?3, why = ?4 WHERE attempt = ?1 AND slot = ?2",
                        params![number, item.slot, item.correct, item.why],
                    )?;
                }
            }
            Ok(changed.into_iter().map(|(_, _, told)| told).collect())
        })
    }
}

pub(super) fn rename(tx: &Transaction, course: &str, renamed: &Renamed) -> rusqlite::Result<()> {
    for old in &renamed.courses {
        for table in OF_COURSE {
            tx.execute(&format!("UPDATE OR IGNORE {table} SET course = ?2 WHERE course = ?1"), params![old, course])?;
        }
    }
    for [old, new] in &renamed.levels {
        for table in OF_LEVEL {
            let sql = format!("UPDATE {table} SET level = ?3 WHERE course = ?1 AND level = ?2");
            tx.execute(&sql, params![course, old, new])?;
        }
    }
    for [level, old, new] in &renamed.pages {
        for table in OF_PAGE {
            let sql = format!("UPDATE {table} SET page = ?4 WHERE course = ?1 AND level = ?2 AND page = ?3");
            tx.execute(&sql, params![course, level, old, new])?;
        }
    }
    for [level, old, new] in &renamed.slots {
        let of_level = "attempt IN (SELECT id FROM attempts WHERE course = ?1 AND level = ?2)";
        for table in OF_SLOT {
            let sql = format!("UPDATE {table} SET slot = ?4 WHERE slot = ?3 AND {of_level}");
            tx.execute(&sql, params![course, level, old, new])?;
        }
        // The drawn question contains the slot a second time.
        let sql =
            format!("UPDATE drawn SET question = json_set(question, '$.slot', ?3) WHERE slot = ?3 AND {of_level}");
        tx.execute(&sql, params![course, level, new])?;
    }
    for [old, new] in &renamed.exercises {
        for table in OF_EXERCISE {
            let sql = format!("UPDATE {table} SET exercise = ?3 WHERE course = ?1 AND exercise = ?2");
            tx.execute(&sql, params![course, old, new])?;
        }
    }
    Ok(())
}
