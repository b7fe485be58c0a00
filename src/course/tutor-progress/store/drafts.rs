//! Drafts: input that the student has selected or typed but not confirmed.
//!
//! A draft is not a fact: it is replaced and deleted, and never graded. It is stored so that students find it again
//! after they leave or the program ends unexpectedly.

use super::{Store, StoreError, list};
use rusqlite::{Transaction, params};
use std::collections::BTreeMap;

impl Store {
    /// Stores a draft, or deletes it if `text` is `None`.
    ///
    /// The key names what it is a draft of: `predict:LEVEL:PAGE`, `answer:ATTEMPT:SLOT`. The draft survives the end of
    /// the process immediately, and a power failure a little later, because a commit per keystroke must not wait for
    /// the disk.
    pub fn put_draft(&mut self, course: &str, key: &str, text: Option<&str>) -> Result<(), StoreError> {
        self.hurried(true)?;
        let put = self.write(|tx| match text {
            Some(text) => {
                let upsert = "INSERT INTO drafts(course, key, draft) VALUES (?1, ?2, ?3)
                              ON CONFLICT(course, key) DO UPDATE SET draft = excluded.draft";
                tx.prepare_cached(upsert)?.execute(params![course, key, text]).map(drop)
            }
            None => {
                let delete = "DELETE FROM drafts WHERE course = ?1 AND key = ?2";
                tx.prepare_cached(delete)?.execute(params![course, key]).map(drop)
            }
        });
        self.hurried(false)?;
        put
    }

    /// Returns all drafts of a course, by key.
    pub fn drafts(&self, course: &str) -> Result<BTreeMap<String, String>, StoreError> {
        let select = "SELECT key, draft FROM drafts WHERE course = ?1";
        self.read(|connection| list(connection, select, [course], |row| Ok((row.get(0)?, row.get(1)?))))
    }

    /// Sets whether commits skip waiting for the disk: those of drafts do, those of facts do not.
    fn hurried(&self, hurried: bool) -> Result<(), StoreError> {
        let level = if hurried { "NORMAL" } else { "FULL" };
        self.connection.pragma_update(None, "synchronous", level).map_err(|error| self.error(&error))
    }
}

/// Returns the key of an answer's draft.
pub(crate) fn answer_key(attempt: i64, slot: &str) -> String {
    format!("answer:{attempt}:{slot}")
}

/// Deletes the draft of one question of an attempt, or of all its questions.
pub(super) fn forget(tx: &Transaction, attempt: i64, slot: Option<&str>) -> rusqlite::Result<()> {
    let course = "course = (SELECT course FROM attempts WHERE id = ?1)";
    match slot {
        Some(slot) => {
            let key = answer_key(attempt, slot);
            tx.prepare_cached(&format!("DELETE FROM drafts WHERE {course} AND key = ?2"))?
                .execute(params![attempt, key])
        }
        None => {
            let prefix = answer_key(attempt, "");
            tx.prepare_cached(&format!("DELETE FROM drafts WHERE {course} AND substr(key, 1, ?3) = ?2"))?
                .execute(params![attempt, prefix, prefix.len() as i64])
        }
    }
    .map(drop)
}
