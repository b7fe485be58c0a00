//! What a student has read, predicted and run.

use super::workshop::Worked;
use super::{Store, StoreError, insert, list, now};
use crate::attempt::AttemptKind;
use crate::draw::fresh_seed;
use crate::progress::{Record, Submission};
use crate::review::GradedFact;
use jiff::Timestamp;
use rusqlite::types::{FromSqlError, Type};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;
use tutor_exec::run_record::RunRecord;

/// A prediction on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prediction {
    /// Index of the choice; `None` if it was skipped.
    pub choice: Option<usize>,
    /// True if it was correct; `None` if it was skipped.
    pub correct: Option<bool>,
}

/// The predictions on a page. Students may try again at will, and the first prediction stays on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Predictions {
    /// The first one, which shows whether the student knew the answer.
    pub first: Prediction,
    /// The latest one, which the page refers to.
    pub latest: Prediction,
}

impl Predictions {
    /// Returns the predictions after the first one.
    pub fn once(made: Prediction) -> Self {
        Self { first: made, latest: made }
    }

    /// True if the question was answered; skipping is not an answer.
    pub fn answered(&self) -> bool {
        self.first.choice.is_some() || self.latest.choice.is_some()
    }
}

/// A student's answer to a "why" question, with the missing points according to the student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub text: String,
    /// Indices of the model answer's points that were missing, ascending.
    pub missed: Vec<usize>,
}

/// Everything that the screens need to know about a course's progress.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// The facts that determine which levels are open.
    pub record: Record,
    /// The seed for shuffling the choices of pages.
    pub student: u64,
    pub predictions: BTreeMap<(String, String), Predictions>,
    /// The latest explanation by level and page.
    pub explanations: BTreeMap<(String, String), Explanation>,
    /// The facts that determine the review queue.
    pub graded: Vec<GradedFact>,
    pub drafts: BTreeMap<String, String>,
    /// Progress in the exercises that were begun, by id.
    pub worked: BTreeMap<String, Worked>,
    /// The fastest verified timed run of each kernel on each device and driver at each shape.
    pub best_runs: Vec<RunRecord>,
}

impl Store {
    /// Returns everything that the screens need to know about a course's progress.
    pub fn known(&mut self, course: &str) -> Result<Known, StoreError> {
        Ok(Known {
            student: self.student()?,
            record: self.record(course)?,
            predictions: self.predictions(course)?,
            explanations: self.explanations(course)?,
            graded: self.graded(course)?,
            drafts: self.drafts(course)?,
            worked: self.worked(course)?,
            best_runs: self.best_runs()?,
        })
    }

    /// Returns the student's seed, which is drawn once, so that shuffled choices look the same every time.
    pub fn student(&mut self) -> Result<u64, StoreError> {
        let known = |connection: &Connection| -> rusqlite::Result<Option<i64>> {
            connection.query_row("SELECT seed FROM students ORDER BY id LIMIT 1", [], |row| row.get(0)).optional()
        };
        if let Some(seed) = self.read(known)? {
            return Ok(seed.cast_unsigned());
        }
        let (seed, at) = (*self.seed.get_or_insert_with(fresh_seed), now());
        let drawn = self.write(|tx| {
            tx.execute(
                "INSERT INTO students(seed, began_at) SELECT ?1, ?2 WHERE NOT EXISTS(SELECT 1 FROM students)",
                params![seed.cast_signed(), at],
            )?;
            known(tx)
        });
        // If the file cannot be written, this run uses the new seed without storing it.
        Ok(drawn.ok().flatten().map_or(seed, i64::cast_unsigned))
    }

    /// Stores a student's explanation on a page, and which points of the model answer it lacked.
    pub fn explained(
        &mut self,
        course: &str,
        level: &str,
        page: &str,
        explanation: &Explanation,
    ) -> Result<(), StoreError> {
        let missed: Vec<String> = explanation.missed.iter().map(usize::to_string).collect();
        let values = params![course, level, page, explanation.text, missed.join(" "), now()];
        self.write(|tx| insert(tx, "explanations(course, level, page, text, missed, at)", values))
    }

    /// Returns the latest explanation on every page of a course, by level and page.
    pub fn explanations(&self, course: &str) -> Result<BTreeMap<(String, String), Explanation>, StoreError> {
        self.read(|connection| {
            let select = "SELECT level, page, text, missed FROM explanations WHERE course = ?1 ORDER BY id";
            list(connection, select, [course], |row| {
                let missed: String = row.get(3)?;
                let missed = missed.split(' ').filter_map(|index| index.parse().ok()).collect();
                Ok(((row.get(0)?, row.get(1)?), Explanation { text: row.get(2)?, missed }))
            })
        })
    }

    /// Records that a page was shown.
    pub fn page_opened(&mut self, course: &str, level: &str, page: &str) -> Result<(), StoreError> {
        self.visit(course, level, page, "opened")
    }

    /// Records that a page is done: shown to its end, with its question answered and its picture used.
    pub fn page_read(&mut self, course: &str, level: &str, page: &str) -> Result<(), StoreError> {
        self.visit(course, level, page, "read")
    }

    fn visit(&mut self, course: &str, level: &str, page: &str, event: &str) -> Result<(), StoreError> {
        let values = params![course, level, page, event, now()];
        self.write(|tx| insert(tx, "visits(course, level, page, event, at)", values))
    }

    /// Stores a prediction, or that it was skipped.
    pub fn predicted(
        &mut self,
        course: &str,
        level: &str,
        page: &str,
        prediction: Prediction,
    ) -> Result<(), StoreError> {
        let choice = prediction.choice.map(|choice| choice as i64);
        let values = params![course, level, page, choice, prediction.correct, now()];
        self.write(|tx| insert(tx, "predictions(course, level, page, choice, correct, at)", values))
    }

    /// Returns the latest prediction on a page.
    pub fn prediction(&self, course: &str, level: &str, page: &str) -> Result<Option<Prediction>, StoreError> {
        self.read(|connection| {
            connection
                .query_row(
                    "SELECT choice, correct FROM predictions WHERE course = ?1 AND level = ?2 AND page = ?3
                     ORDER BY id DESC LIMIT 1",
                    params![course, level, page],
                    |row| prediction(row, 0),
                )
                .optional()
        })
    }

    /// Returns the first and the latest prediction on every page of a course, by level and page.
    pub fn predictions(&self, course: &str) -> Result<BTreeMap<(String, String), Predictions>, StoreError> {
        self.read(|connection| {
            let mut all: BTreeMap<(String, String), Predictions> = BTreeMap::new();
            let mut query = connection
                .prepare_cached("SELECT level, page, choice, correct FROM predictions WHERE course = ?1 ORDER BY id")?;
            let mut rows = query.query([course])?;
            while let Some(row) = rows.next()? {
                let made = prediction(row, 2)?;
                let known = all.entry((row.get(0)?, row.get(1)?)).or_insert_with(|| Predictions::once(made));
                known.latest = made;
            }
            Ok(all)
        })
    }

    pub fn ran(&mut self, run: &RunRecord) -> Result<(), StoreError> {
        let [m, n, k] = run.shape;
        let values = params![run.kernel, m, n, k, run.device, run.driver, run.median_ms, run.verified, now()];
        self.write(|tx| insert(tx, "runs(kernel, m, n, k, device, driver, median_ms, verified, at)", values))
    }

    /// Returns every kernel that was run, by shape and device, with a GPU's fastest time and the number of runs.
    pub fn runs(&self) -> Result<Vec<(RunRecord, u32)>, StoreError> {
        self.read(|connection| {
            let select = "SELECT kernel, m, n, k, device, driver, min(median_ms), max(verified), count(*) FROM runs
                          GROUP BY kernel, m, n, k, device, driver ORDER BY min(id)";
            list(connection, select, [], |row| Ok((run(row)?, row.get(8)?)))
        })
    }

    /// Returns the fastest verified timed run of each kernel on each device and driver at each shape.
    pub fn best_runs(&self) -> Result<Vec<RunRecord>, StoreError> {
        self.read(|connection| {
            // With min(), SQLite takes the other columns from the row with the minimum.
            let select = "SELECT kernel, m, n, k, device, driver, min(median_ms), verified FROM runs
                          WHERE median_ms IS NOT NULL AND verified
                          GROUP BY kernel, m, n, k, device, driver ORDER BY kernel, m, n, k, device, driver";
            list(connection, select, [], run)
        })
    }

    /// Returns all facts of a course that [`progress`](crate::progress()) depends on.
    pub fn record(&self, course: &str) -> Result<Record, StoreError> {
        self.read(|connection| record(connection, course))
    }
}

/// Returns the facts in one view of the database.
pub(super) fn record(connection: &Connection, course: &str) -> rusqlite::Result<Record> {
    let mut record = Record {
        submissions: list(
            connection,
            "SELECT level, kind, submitted_at, correct, questions, required, exercise
             FROM submissions JOIN attempts ON attempts.id = attempt WHERE course = ?1 ORDER BY attempts.id",
            [course],
            submission,
        )?,
        ..Record::default()
    };
    let mut visits =
        connection.prepare_cached("SELECT level, page, event FROM visits WHERE course = ?1 ORDER BY id")?;
    let mut rows = visits.query([course])?;
    while let Some(row) = rows.next()? {
        let (level, page): (String, String) = (row.get(0)?, row.get(1)?);
        if row.get_ref(2)?.as_str()? == "read" {
            record.read.entry(level).or_default().insert(page);
        } else {
            record.seen.entry(level.clone()).or_default().insert(page.clone());
            record.opened.insert(level, page);
        }
    }
    let open = "SELECT DISTINCT level FROM attempts WHERE course = ?1 AND kind = 'gate'
                AND id NOT IN (SELECT attempt FROM submissions) AND id NOT IN (SELECT attempt FROM abandonments)";
    record.under_way = list(connection, open, [course], |row| row.get(0))?;
    let solved = "SELECT DISTINCT exercise FROM tries WHERE course = ?1 AND failed IS NULL";
    record.solved = list(connection, solved, [course], |row| row.get(0))?;
    Ok(record)
}

/// Reads a prediction whose choice is in this column, and whether it is correct in the next one.
fn prediction(row: &Row, column: usize) -> rusqlite::Result<Prediction> {
    let choice: Option<i64> = row.get(column)?;
    let choice = choice.and_then(|choice| usize::try_from(choice).ok());
    Ok(Prediction { choice, correct: row.get(column + 1)? })
}

fn run(row: &Row) -> rusqlite::Result<RunRecord> {
    let shape = [row.get(1)?, row.get(2)?, row.get(3)?];
    let (kernel, device, driver) = (row.get(0)?, row.get(4)?, row.get(5)?);
    Ok(RunRecord { kernel, shape, device, driver, median_ms: row.get(6)?, verified: row.get(7)? })
}

fn submission(row: &Row) -> rusqlite::Result<Submission> {
    Ok(Submission {
        level: row.get(0)?,
        kind: kind(row, 1)?,
        at: time(row, 2)?,
        correct: row.get(3)?,
        questions: row.get(4)?,
        required: row.get(5)?,
        exercise: row.get(6)?,
    })
}

pub(super) fn time(row: &Row, column: usize) -> rusqlite::Result<Timestamp> {
    let at = row.get_ref(column)?.as_str()?.parse();
    at.map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

pub(super) fn kind(row: &Row, column: usize) -> rusqlite::Result<AttemptKind> {
    match row.get_ref(column)?.as_str()? {
        "gate" => Ok(AttemptKind::Gate),
        "practice" => Ok(AttemptKind::Practice),
        _ => Err(rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(FromSqlError::InvalidType))),
    }
}
