//! Reviews: their attempts, and the graded questions that become due.

use super::attempts::{AttemptStart, keep, leave, load, open_attempt, seen};
use super::reading::time;
use super::{Store, StoreError, list};
use crate::attempt::{AttemptError, AttemptKind, Begun};
use crate::draw::Seen;
use crate::review::{GradedFact, Queue, REVIEW, unpooled};
use jiff::Timestamp;
use rusqlite::Connection;
use tutor_course::QuizFile;

impl Store {
    /// Continues the review in progress, or draws what is due today. `None` if nothing is due.
    ///
    /// # Errors
    /// If a question cannot be drawn, or the store fails.
    pub fn begin_review(
        &mut self,
        course: &str,
        pool: &QuizFile,
        now: Timestamp,
    ) -> Result<Option<Begun>, AttemptError> {
        let start = AttemptStart::now(None);
        self.transact(|tx| {
            if let Some(id) = open_attempt(tx, course, REVIEW, AttemptKind::Practice)? {
                match load(tx, pool, id)? {
                    Ok(attempt) => return Ok(Ok(Some(Begun::Resumed(attempt)))),
                    // Nothing is lost, because the due questions are drawn again.
                    Err(AttemptError::Quiz(stale)) => leave(tx, id, &stale.message.to_string(), &start.at)?,
                    Err(error) => return Ok(Err(error)),
                }
            }
            let queue = Queue::of(pool, &graded(tx, course)?, now);
            if queue.due == 0 {
                return Ok(Ok(None));
            }
            match queue.draw(pool, start.seed, &seen_anywhere(tx, course)?) {
                Ok(questions) => {
                    let attempt = keep(tx, course, REVIEW, AttemptKind::Practice, &start, questions)?;
                    Ok(Ok(Some(Begun::New(attempt))))
                }
                Err(error) => Ok(Err(error.into())),
            }
        })?
    }

    /// Returns every graded question of gates and reviews, oldest first. They determine the review queue.
    pub fn graded(&self, course: &str) -> Result<Vec<GradedFact>, StoreError> {
        self.read(|connection| graded(connection, course))
    }
}

/// Returns the variants drawn in all levels, by the ids of the pool.
fn seen_anywhere(connection: &Connection, course: &str) -> rusqlite::Result<Seen> {
    let mut all = Seen::default();
    let select = "SELECT DISTINCT level FROM attempts WHERE course = ?1";
    let levels: Vec<String> = list(connection, select, [course], |row| row.get(0))?;
    for level in levels {
        for (slot, past) in seen(connection, course, &level)?.slots {
            let slot = if level == REVIEW { slot } else { format!("{level}:{slot}") };
            all.slots.entry(slot).or_default().extend(past);
        }
    }
    Ok(all)
}

/// Returns every graded question of gates and reviews, oldest first.
fn graded(connection: &Connection, course: &str) -> rusqlite::Result<Vec<GradedFact>> {
    let select = "SELECT attempts.level, grades.slot, grades.correct, submissions.submitted_at
        FROM grades JOIN attempts ON attempts.id = grades.attempt JOIN submissions ON submissions.attempt = attempts.id
        WHERE course = ?1 AND (kind = 'gate' OR level = ?2) ORDER BY attempts.id, grades.position";
    list(connection, select, [course, REVIEW], |row| {
        let (level, slot): (String, String) = (row.get(0)?, row.get(1)?);
        let review = level == REVIEW;
        let (level, slot) = match unpooled(&slot).filter(|_| review) {
            Some((level, slot)) => (level.to_owned(), slot.to_owned()),
            None => (level, slot),
        };
        Ok(GradedFact { level, slot, right: row.get(2)?, at: time(row, 3)?, review })
    })
}
