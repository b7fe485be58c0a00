//! Attempts: begins, answers, marks and abandons them.

use super::drafts;
use super::reading::{kind, record};
use super::submissions::submit;
use super::{Store, insert, list, now};
use crate::attempt::{Attempt, AttemptError, AttemptKind, Begun, Change};
use crate::draw::{Seen, SeenVariant, draw, fresh_seed};
use crate::exam::{exam_seed, student};
use crate::outcome::Outcome;
use crate::progress::{Outline, progress};
use crate::question::{Drawn, Question, QuizError, present};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::collections::{BTreeMap, BTreeSet};
use tutor_course::Answer;
use tutor_course::QuizFile;
use tutor_support::words::Sentence;

/// A database result that may contain a refusal, which is not a database error.
pub(super) type Allowed<T> = rusqlite::Result<Result<T, AttemptError>>;

/// The start time and the seed of an attempt.
pub(super) struct AttemptStart {
    pub(super) at: String,
    pub(super) seed: u64,
    /// True if the user chose the seed, so that all students get the same questions.
    for_everybody: bool,
}

impl AttemptStart {
    pub(super) fn now(seed: Option<u64>) -> Self {
        Self { at: now(), seed: seed.unwrap_or_else(fresh_seed), for_everybody: seed.is_some() }
    }
}

impl Store {
    /// Continues the attempt in progress at a level's quiz, or draws a new one.
    ///
    /// With a `seed`, previously seen variants are not avoided, so that a seed gives the same questions to every
    /// student.
    ///
    /// # Errors
    /// If the level is locked, the quiz cannot be drawn, or the store fails.
    pub fn begin(
        &mut self,
        outline: &Outline,
        quiz: &QuizFile,
        kind: AttemptKind,
        seed: Option<u64>,
    ) -> Result<Begun, AttemptError> {
        let (level, course) = (&quiz.level.value, &outline.course);
        let start = AttemptStart::now(drawn_for(outline, kind)?.or(seed));
        self.transact(|tx| {
            if let Some(error) = locked(tx, outline, level)? {
                return Ok(Err(error));
            }
            if let Some(id) = open_attempt(tx, course, level, kind)? {
                return Ok(Ok(match load(tx, quiz, id)? {
                    Ok(attempt) => Begun::Resumed(attempt),
                    Err(AttemptError::Quiz(stale)) => {
                        leave(tx, id, &stale.message.to_string(), &start.at)?;
                        Begun::Stale(stale)
                    }
                    Err(error) => return Ok(Err(error)),
                }));
            }
            if let Some(error) = spent(tx, outline, level, kind)? {
                return Ok(Err(error));
            }
            begin(tx, outline, quiz, kind, &start).map(|begun| begun.map(Begun::New))
        })?
    }

    /// Takes a whole quiz at once: draws the questions, stores the answers (by slot) and grades them. Does not change
    /// an attempt in progress.
    ///
    /// # Errors
    /// If the level is locked, the quiz cannot be drawn, an answer does not have the required form, or the store fails.
    /// Nothing is stored then.
    pub fn take(
        &mut self,
        outline: &Outline,
        quiz: &QuizFile,
        kind: AttemptKind,
        seed: Option<u64>,
        answers: &dyn Fn(&Question) -> Result<Option<Answer>, Sentence>,
    ) -> Result<Outcome, AttemptError> {
        let start = AttemptStart::now(drawn_for(outline, kind)?.or(seed));
        self.transact(|tx| {
            if let Some(error) = locked(tx, outline, &quiz.level)? {
                return Ok(Err(error));
            }
            if let Some(error) = spent(tx, outline, &quiz.level, kind)? {
                return Ok(Err(error));
            }
            let attempt = match begin(tx, outline, quiz, kind, &start)? {
                Ok(attempt) => attempt,
                Err(error) => return Ok(Err(error)),
            };
            for question in &attempt.questions {
                match answers(question) {
                    Ok(None) => {}
                    Ok(answer @ Some(_)) => give(tx, attempt.id, &question.slot, answer.as_ref(), &start.at)?,
                    Err(problem) => return Ok(Err(AttemptError::NotAnAnswer(problem))),
                }
            }
            submit(tx, outline, quiz, attempt.id, &start.at)
        })?
    }

    /// Changes the attempt with this number: replaces or withdraws an answer, sets or removes a mark, or changes the
    /// position. Everything is committed on return. The caller has checked the form of the answer.
    ///
    /// # Errors
    /// If the attempt is over, or the store fails.
    pub fn change(&mut self, attempt: i64, change: &Change) -> Result<(), AttemptError> {
        let at = now();
        self.while_open(attempt, |tx| {
            if let Some((slot, answer)) = &change.answer {
                give(tx, attempt, slot, answer.as_ref(), &at)?;
            }
            if let Some((slot, flagged)) = &change.flag {
                insert(tx, "flags(attempt, slot, flagged)", params![attempt, slot, flagged])?;
            }
            if let Some(position) = change.go_to {
                let upsert = "INSERT INTO positions(attempt, position) VALUES (?1, ?2)
                              ON CONFLICT(attempt) DO UPDATE SET position = excluded.position";
                tx.prepare_cached(upsert)?.execute(params![attempt, position as i64])?;
            }
            Ok(())
        })
    }

    /// Changes an attempt in the store, and then this value of it.
    fn change_both(&mut self, attempt: &mut Attempt, change: Change) -> Result<(), AttemptError> {
        self.change(attempt.id, &change)?;
        attempt.change(change);
        Ok(())
    }

    /// Sets the answer to a question and commits it.
    ///
    /// # Errors
    /// If the answer does not have the required form, the attempt is over, or the store fails. The attempt is then
    /// unchanged.
    pub fn answer(&mut self, attempt: &mut Attempt, slot: &str, answer: Answer) -> Result<(), AttemptError> {
        let Some(question) = attempt.questions.iter().find(|question| question.slot == *slot) else {
            return Err(AttemptError::NotAnAnswer(format!("The attempt has no question `{slot}`.").into()));
        };
        if let Some(problem) = question.problem(&answer) {
            return Err(AttemptError::NotAnAnswer(problem));
        }
        self.change_both(attempt, Change { answer: Some((slot.to_owned(), Some(answer))), ..Change::default() })
    }

    /// Marks a question for review, or removes the mark.
    pub fn flag(&mut self, attempt: &mut Attempt, slot: &str, flagged: bool) -> Result<(), AttemptError> {
        self.change_both(attempt, Change { flag: Some((slot.to_owned(), flagged)), ..Change::default() })
    }

    /// Stores the current position. `questions.len()` means the review before submission.
    pub fn go_to(&mut self, attempt: &mut Attempt, position: usize) -> Result<(), AttemptError> {
        self.change_both(attempt, Change { go_to: Some(position), ..Change::default() })
    }

    /// Abandons an attempt, so that it does not count.
    ///
    /// # Errors
    /// If the attempt is already over or the store fails.
    pub fn abandon(&mut self, attempt: &Attempt) -> Result<(), AttemptError> {
        let at = now();
        self.while_open(attempt.id, |tx| leave(tx, attempt.id, "left by the student", &at))
    }

    /// Applies a change to an attempt that is still open.
    fn while_open(
        &mut self,
        id: i64,
        change: impl FnOnce(&Transaction) -> rusqlite::Result<()>,
    ) -> Result<(), AttemptError> {
        self.transact(|tx| if is_open(tx, id)? { change(tx).map(Ok) } else { Ok(Err(AttemptError::Over)) })?
    }
}

fn locked(connection: &Connection, outline: &Outline, level: &str) -> rusqlite::Result<Option<AttemptError>> {
    let progress = progress(outline, &record(connection, &outline.course)?);
    let Some(known) = progress.level(level) else {
        let message = format!("The quiz says that it belongs to level `{level}`, which the course does not have.");
        return Ok(Some(QuizError::broken(message.into()).into()));
    };
    // The first gate that the student can take.
    let first = progress.levels.iter().find_map(|level| level.unlocked_by.clone()).filter(|_| known.locked);
    let locked = |by: String| AttemptError::Locked { level: outline.named(level), gate: outline.named(&by), by };
    Ok(first.map(locked))
}

/// Returns the student's seed in an exam. `None` if the course is not an exam.
fn drawn_for(outline: &Outline, kind: AttemptKind) -> Result<Option<u64>, AttemptError> {
    match (outline.exam.as_str(), kind, student()) {
        ("", _, _) => Ok(None),
        (_, AttemptKind::Practice, _) => Err(AttemptError::Exam),
        (_, AttemptKind::Gate, "") => Err(AttemptError::Nobody),
        (exam, AttemptKind::Gate, student) => Ok(Some(exam_seed(exam, student))),
    }
}

/// Returns why no further attempt at a gate may begin now.
fn spent(
    connection: &Connection,
    outline: &Outline,
    level: &str,
    kind: AttemptKind,
) -> rusqlite::Result<Option<AttemptError>> {
    if kind == AttemptKind::Practice {
        return Ok(None);
    }
    let progress = progress(outline, &record(connection, &outline.course)?);
    let Some(known) = progress.level(level) else { return Ok(None) };
    let exam = !outline.exam.is_empty();
    if known.most_attempts.is_some_and(|most| known.attempts >= most) {
        return Ok(Some(AttemptError::NoAttemptLeft { attempts: known.attempts, exam }));
    }
    let until = known.wait_until.filter(|until| *until > crate::now());
    Ok(until.map(|until| AttemptError::Wait { until: local(until), exam }))
}

/// Formats a time in the local time zone, to the minute.
fn local(at: Timestamp) -> String {
    at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

pub(super) fn open_attempt(
    connection: &Connection,
    course: &str,
    level: &str,
    kind: AttemptKind,
) -> rusqlite::Result<Option<i64>> {
    connection
        .query_row(
            "SELECT id FROM attempts WHERE course = ?1 AND level = ?2 AND kind = ?3
             AND id NOT IN (SELECT attempt FROM submissions) AND id NOT IN (SELECT attempt FROM abandonments)
             ORDER BY id DESC LIMIT 1",
            params![course, level, kind.name()],
            |row| row.get(0),
        )
        .optional()
}

pub(super) fn is_open(connection: &Connection, id: i64) -> rusqlite::Result<bool> {
    connection.query_row(
        "SELECT EXISTS(SELECT 1 FROM attempts WHERE id = ?1)
         AND NOT EXISTS(SELECT 1 FROM submissions WHERE attempt = ?1)
         AND NOT EXISTS(SELECT 1 FROM abandonments WHERE attempt = ?1)",
        [id],
        |row| row.get(0),
    )
}

fn begin(
    tx: &Transaction,
    outline: &Outline,
    quiz: &QuizFile,
    kind: AttemptKind,
    start: &AttemptStart,
) -> Allowed<Attempt> {
    let level = &quiz.level.value;
    let seen = if start.for_everybody { Seen::default() } else { seen(tx, &outline.course, level)? };
    let attempt = match draw(quiz, start.seed, &seen) {
        Ok(questions) => keep(tx, &outline.course, level, kind, start, questions)?,
        Err(error) => return Ok(Err(error.into())),
    };
    if outline.exam.is_empty() {
        return Ok(Ok(attempt));
    }
    // The last attempt at an exam counts, and all ask the same questions. So each begins with the answers of the one
    // before, and no attempt can lose them.
    tx.execute(
        "INSERT INTO answers(attempt, slot, answer, given_at)
         SELECT ?1, slot, answer, given_at FROM answers WHERE attempt =
         (SELECT MAX(id) FROM attempts JOIN submissions ON submissions.attempt = attempts.id
          WHERE course = ?2 AND level = ?3 AND kind = ?4 AND seed = ?5) ORDER BY answers.id",
        params![attempt.id, outline.course, level, kind.name(), start.seed.cast_signed()],
    )?;
    load(tx, quiz, attempt.id)
}

pub(super) fn keep(
    tx: &Transaction,
    course: &str,
    level: &str,
    kind: AttemptKind,
    start: &AttemptStart,
    questions: Vec<Question>,
) -> rusqlite::Result<Attempt> {
    let seed = start.seed;
    let values = params![course, level, kind.name(), seed.cast_signed(), start.at];
    insert(tx, "attempts(course, level, kind, seed, started_at)", values)?;
    let id = tx.last_insert_rowid();
    for (position, question) in (0_i64..).zip(&questions) {
        let values = params![id, position, question.slot, to_json(&Drawn::from(question))?];
        insert(tx, "drawn(attempt, position, slot, question)", values)?;
    }
    let (answers, flagged) = (BTreeMap::new(), BTreeSet::new());
    Ok(Attempt { id, level: level.to_owned(), kind, seed, questions, answers, flagged, position: 0 })
}

/// Returns the variants drawn at this level, the latest first, including abandoned attempts.
pub(super) fn seen(connection: &Connection, course: &str, level: &str) -> rusqlite::Result<Seen> {
    let mut seen = Seen::default();
    let mut query = connection.prepare(
        "SELECT question FROM drawn JOIN attempts ON attempts.id = attempt
         WHERE course = ?1 AND level = ?2 ORDER BY attempts.id DESC",
    )?;
    let mut rows = query.query([course, level])?;
    while let Some(row) = rows.next()? {
        let Ok(drawn) = serde_json::from_str::<Drawn>(row.get_ref(0)?.as_str()?) else { continue };
        let past = SeenVariant { variant: drawn.variant, parameters: drawn.parameters };
        seen.slots.entry(drawn.slot).or_default().push(past);
    }
    Ok(seen)
}

pub(super) fn load(connection: &Connection, quiz: &QuizFile, id: i64) -> Allowed<Attempt> {
    let (kind, seed): (AttemptKind, i64) =
        connection
            .query_row("SELECT kind, seed FROM attempts WHERE id = ?1", [id], |row| Ok((kind(row, 0)?, row.get(1)?)))?;
    let select = "SELECT question FROM drawn WHERE attempt = ?1 ORDER BY position";
    let drawn: Vec<String> = list(connection, select, [id], |row| row.get(0))?;
    let mut questions = Vec::with_capacity(drawn.len());
    for drawn in &drawn {
        let shown = serde_json::from_str(drawn).map_err(|_| QuizError::unreadable()).and_then(|d| present(quiz, &d));
        match shown {
            Ok(question) => questions.push(question),
            Err(stale) => return Ok(Err(stale.into())),
        }
    }
    let mut answers = BTreeMap::new();
    let mut given = connection.prepare("SELECT slot, answer FROM answers WHERE attempt = ?1 ORDER BY id")?;
    let mut rows = given.query([id])?;
    while let Some(row) = rows.next()? {
        let slot: String = row.get(0)?;
        // A withdrawn answer is null. An unreadable answer, or one that does not fit the question, is asked again.
        let answer = serde_json::from_str::<Answer>(row.get_ref(1)?.as_str()?).ok();
        let question = questions.iter().find(|question: &&Question| question.slot == slot);
        match answer.zip(question).filter(|(answer, question)| question.no_longer_valid(answer).is_none()) {
            Some((answer, _)) => answers.insert(slot, answer),
            None => answers.remove(&slot),
        };
    }
    let mut flagged = BTreeSet::new();
    let mut flags = connection.prepare("SELECT slot, flagged FROM flags WHERE attempt = ?1 ORDER BY id")?;
    let mut rows = flags.query([id])?;
    while let Some(row) = rows.next()? {
        let slot: String = row.get(0)?;
        if row.get(1)? {
            flagged.insert(slot);
        } else {
            flagged.remove(&slot);
        }
    }
    let position: Option<i64> =
        connection.query_row("SELECT position FROM positions WHERE attempt = ?1", [id], |row| row.get(0)).optional()?;
    let position = position.and_then(|position| usize::try_from(position).ok()).unwrap_or(0).min(questions.len());
    let level = quiz.level.value.clone();
    Ok(Ok(Attempt { id, level, kind, seed: seed.cast_unsigned(), questions, answers, flagged, position }))
}

/// Stores an answer, or null if the student withdraws it.
fn give(tx: &Transaction, id: i64, slot: &str, answer: Option<&Answer>, at: &str) -> rusqlite::Result<()> {
    insert(tx, "answers(attempt, slot, answer, given_at)", params![id, slot, to_json(&answer)?, at])?;
    drafts::forget(tx, id, Some(slot))
}

pub(super) fn leave(tx: &Transaction, id: i64, reason: &str, at: &str) -> rusqlite::Result<()> {
    insert(tx, "abandonments(attempt, abandoned_at, reason)", params![id, at, reason])?;
    drafts::forget(tx, id, None)
}

fn to_json<T: serde::Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}
