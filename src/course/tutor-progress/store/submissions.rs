//! Submitted attempts: graded once, and shown later with the same results.

use super::attempts::{Allowed, is_open, load};
use super::drafts;
use super::reading::record;
use super::{Store, insert, list, now};
use crate::attempt::{AttemptError, AttemptKind};
use crate::outcome::{Outcome, OutcomeItem, outcome};
use crate::progress::{Outline, progress};
use crate::store::StoreError;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::BTreeSet;
use tutor_course::QuizFile;

impl Store {
    /// Submits the attempt with this number: grades what the store contains, which may include answers from another terminal. Questions
    /// without an answer count as missed.
    ///
    /// # Errors
    /// If the attempt is already over, the quiz has been edited meanwhile, or the store fails.
    pub fn submit(&mut self, outline: &Outline, quiz: &QuizFile, attempt: i64) -> Result<Outcome, AttemptError> {
        let at = now();
        self.transact(|tx| match is_open(tx, attempt)? {
            true => submit(tx, outline, quiz, attempt, &at),
            false => Ok(Err(AttemptError::Over)),
        })?
    }

    /// Returns the outcome of the latest submitted attempt at a level, as it was shown then.
    pub fn latest_outcome(&self, course: &str, level: &str, kind: AttemptKind) -> Result<Option<Outcome>, StoreError> {
        self.read(|connection| {
            let id: Option<i64> = connection
                .query_row(
                    "SELECT id FROM attempts WHERE course = ?1 AND level = ?2 AND kind = ?3
                     AND id IN (SELECT attempt FROM submissions) ORDER BY id DESC LIMIT 1",
                    params![course, level, kind.name()],
                    |row| row.get(0),
                )
                .optional()?;
            id.map(|id| stored_outcome(connection, level, kind, id)).transpose()
        })
    }
}

/// Grades the answers and stores the grades.
pub(super) fn submit(tx: &Transaction, outline: &Outline, quiz: &QuizFile, id: i64, at: &str) -> Allowed<Outcome> {
    let attempt = match load(tx, quiz, id)? {
        Ok(attempt) => attempt,
        Err(error) => return Ok(Err(error)),
    };
    let graded = match outcome(quiz, outline.gate_of(&quiz.level.value), &attempt.questions, &attempt.answers) {
        // A course without keys cannot grade.
        Ok(outcome) if !outline.exam.is_empty() => outcome.ungraded(),
        Ok(outcome) => outcome,
        Err(error) => return Ok(Err(error.into())),
    };
    let locked = |tx: &Transaction| -> rusqlite::Result<BTreeSet<String>> {
        let progress = progress(outline, &record(tx, &outline.course)?);
        Ok(progress.levels.into_iter().filter(|level| level.locked).map(|level| level.id).collect())
    };
    let before = locked(tx)?;
    let level = outline.levels.iter().find(|level| level.id == graded.level);
    let exercise = level.is_some_and(|level| !level.requires.is_empty());
    let values = params![id, at, graded.correct, graded.questions, graded.required, exercise];
    insert(tx, "submissions(attempt, submitted_at, correct, questions, required, exercise)", values)?;
    for (position, item) in (0_i64..).zip(&graded.items) {
        let OutcomeItem { slot, variant, correct, why, because, page } = item;
        let because = because.as_deref().unwrap_or("");
        let values = params![id, position, slot, variant, correct, why, because, page];
        insert(tx, "grades(attempt, position, slot, variant, correct, why, because, page)", values)?;
    }
    drafts::forget(tx, id, None)?;
    let after = locked(tx)?;
    let opened = |id: &&String| before.contains(*id) && !after.contains(*id);
    let unlocked = outline.levels.iter().map(|level| &level.id).filter(opened).cloned().collect();
    let gate = attempt.kind == AttemptKind::Gate;
    Ok(Ok(Outcome { attempt: id.to_string(), gate, unlocked, ..graded }.keep_key()))
}

fn stored_outcome(connection: &Connection, level: &str, kind: AttemptKind, id: i64) -> rusqlite::Result<Outcome> {
    let (correct, questions, required): (u32, u32, u32) = connection.query_row(
        "SELECT correct, questions, required FROM submissions WHERE attempt = ?1",
        [id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let select = "SELECT slot, variant, correct, why, because, page FROM grades WHERE attempt = ?1 ORDER BY position";
    let items = list(connection, select, [id], |row| {
        let (slot, variant, correct) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(OutcomeItem { slot, variant, correct, why: row.get(3)?, because: row.get(4)?, page: row.get(5)? })
    })?;
    let outcome = Outcome {
        level: level.to_owned(),
        attempt: id.to_string(),
        gate: kind == AttemptKind::Gate,
        correct,
        questions,
        required,
        passed: correct >= required,
        unlocked: Vec::new(),
        ungraded: required == 0,
        items,
    };
    Ok(outcome.keep_key())
}
