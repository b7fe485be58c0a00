//! Exports everything that the store knows about a course as one document.

use super::reading::record;
use super::{Store, StoreError, list, now, salvage};
use crate::attempt::AttemptKind;
use crate::handed_in::{HANDED_IN_VERSION, HandedAttempt, HandedExercise, HandedIn, HandedItem};
use crate::progress::{Outline, progress};
use crate::question::Drawn;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

impl Store {
    /// Returns a student's work in a course. Damaged rows are omitted.
    pub fn handed_in(&self, outline: &Outline, version: &str, student: &str) -> Result<HandedIn, StoreError> {
        let course = outline.course.as_str();
        let mut predictions: BTreeMap<String, [u32; 2]> = BTreeMap::new();
        for ((level, _), made) in self.predictions(course)? {
            let Some(right) = made.first.correct else { continue };
            predictions.entry(level).or_default()[usize::from(!right)] += 1;
        }
        let exercises = self.worked(course)?.into_iter().map(|(id, worked)| {
            let hints = worked.hints.len() as u32;
            (id, HandedExercise { tries: worked.tries, passed: worked.passed, starred: worked.starred, hints })
        });
        let (attempts, record) =
            self.read(|connection| Ok((attempts_of(connection, course)?, record(connection, course)?)))?;
        let levels = progress(outline, &record).levels.into_iter();
        let pages = levels.map(|level| (level.id, level.pages.read)).filter(|(_, read)| *read > 0).collect();
        Ok(HandedIn {
            version: HANDED_IN_VERSION,
            course: course.to_owned(),
            course_version: version.to_owned(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            student: student.to_owned(),
            exam: String::new(),
            exported_at: now(),
            attempts,
            pages,
            predictions,
            exercises: exercises.collect(),
        })
    }

    /// Returns a submitted attempt of a course by its number. `None` if it does not exist.
    pub fn handed_attempt(&self, course: &str, number: &str) -> Result<Option<HandedAttempt>, StoreError> {
        let all = self.read(|connection| numbered_attempts(connection, course))?;
        Ok(all.into_iter().find(|(id, _)| id.to_string() == number).map(|(_, attempt)| attempt))
    }

    /// Returns a copy in memory of the readable part of another progress file, which stays unchanged. `None` if nothing
    /// is readable.
    pub fn copy_of(file: &Path) -> Option<Self> {
        salvage::of_file(file).map(|found| Self::of(found.copy))
    }

    /// Returns the courses with stored progress.
    pub fn courses(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let select = "SELECT course FROM attempts UNION SELECT course FROM visits UNION SELECT course FROM tries
                          ORDER BY course";
            list(connection, select, [], |row| row.get(0))
        })
    }
}

/// Returns the submitted attempts of a course.
pub(super) fn attempts_of(connection: &Connection, course: &str) -> rusqlite::Result<Vec<HandedAttempt>> {
    Ok(numbered_attempts(connection, course)?.into_iter().map(|(_, attempt)| attempt).collect())
}

/// Returns the submitted attempts of a course with their numbers.
pub(super) fn numbered_attempts(connection: &Connection, course: &str) -> rusqlite::Result<Vec<(i64, HandedAttempt)>> {
    let select = "SELECT id, level, kind, seed, started_at, submitted_at, correct, questions, required
                  FROM attempts JOIN submissions ON attempt = id WHERE course = ?1 ORDER BY id";
    let mut all: Vec<(i64, HandedAttempt)> = list(connection, select, [course], |row| {
        let kind: String = row.get(2)?;
        let seed: i64 = row.get(3)?;
        let attempt = HandedAttempt {
            level: row.get(1)?,
            kind: if kind == AttemptKind::Gate.name() { AttemptKind::Gate } else { AttemptKind::Practice },
            seed: seed.cast_unsigned(),
            started_at: row.get(4)?,
            submitted_at: row.get(5)?,
            correct: row.get(6)?,
            questions: row.get(7)?,
            required: row.get(8)?,
            items: Vec::new(),
        };
        Ok((row.get(0)?, attempt))
    })?;
    for (id, attempt) in &mut all {
        attempt.items = items(connection, *id, &attempt.started_at)?;
    }
    Ok(all)
}

fn items(connection: &Connection, attempt: i64, started_at: &str) -> rusqlite::Result<Vec<HandedItem>> {
    // Maps each slot to its latest answer and the time spent on it.
    let mut answers: BTreeMap<String, (Value, Option<f64>)> = BTreeMap::new();
    let mut before = started_at.parse::<Timestamp>().ok();
    let mut select =
        connection.prepare_cached("SELECT slot, answer, given_at FROM answers WHERE attempt = ?1 ORDER BY id")?;
    let mut rows = select.query([attempt])?;
    while let Some(row) = rows.next()? {
        let (slot, answer, given_at): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let at = given_at.parse::<Timestamp>().ok();
        let spent = before.zip(at).map(|(before, at)| at.duration_since(before).as_secs_f64().max(0.0));
        before = at.or(before);
        let known = answers.entry(slot).or_insert((Value::Null, None));
        known.0 = serde_json::from_str(&answer).unwrap_or_default();
        known.1 = spent.map(|spent| spent + known.1.unwrap_or_default()).or(known.1);
    }
    let select = "SELECT grades.slot, variant, correct, why, question FROM grades
                  LEFT JOIN drawn ON drawn.attempt = grades.attempt AND drawn.slot = grades.slot
                  WHERE grades.attempt = ?1 ORDER BY grades.position";
    list(connection, select, [attempt], |row| {
        let slot: String = row.get(0)?;
        let question: Option<String> = row.get(4)?;
        let drawn: Option<Drawn> = question.and_then(|question| serde_json::from_str(&question).ok());
        let (choices, parameters) = drawn.map(|drawn| (drawn.order, drawn.parameters)).unwrap_or_default();
        // A withdrawn answer is null.
        let given = answers.get(&slot).filter(|(answer, _)| !answer.is_null());
        let (answer, seconds) = given.cloned().unwrap_or_default();
        Ok(HandedItem {
            variant: row.get(1)?,
            correct: row.get(2)?,
            why: row.get(3)?,
            slot,
            choices,
            parameters,
            answer,
            seconds,
        })
    })
}
