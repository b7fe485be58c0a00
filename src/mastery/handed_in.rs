//! The document that a student hands in to an instructor: everything that the store knows about a course.

use super::attempt::AttemptKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the format. Documents with a higher version are not read.
pub const HANDED_IN_VERSION: u32 = 1;

/// A student's work in a course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedIn {
    /// Version of the format: [`HANDED_IN_VERSION`].
    pub version: u32,
    /// The course's id.
    pub course: String,
    /// The course's version at the time of export; empty if it has none.
    #[serde(default)]
    pub course_version: String,
    /// The tutor's version.
    #[serde(default)]
    pub program: String,
    /// A name or a number; empty if the student gave none.
    pub student: String,
    /// When the document was written.
    pub exported_at: String,
    /// Submitted attempts, in order.
    pub attempts: Vec<HandedAttempt>,
    /// Number of pages read, by level.
    pub pages: BTreeMap<String, u32>,
    /// Numbers of correct and incorrect first predictions, by level.
    pub predictions: BTreeMap<String, [u32; 2]>,
    /// By exercise id.
    pub exercises: BTreeMap<String, HandedExercise>,
}

/// An attempt at a quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedAttempt {
    /// The level's id.
    pub level: String,
    pub kind: AttemptKind,
    /// The seed of its draw.
    pub seed: u64,
    /// RFC 3339.
    pub started_at: String,
    /// RFC 3339.
    pub submitted_at: String,
    /// Number of correct answers.
    pub correct: u32,
    /// Questions asked.
    pub questions: u32,
    /// Number of correct answers that pass.
    pub required: u32,
    /// One item per slot, in order.
    pub items: Vec<HandedItem>,
}

impl HandedAttempt {
    /// True if it passed the gate.
    pub fn passed(&self) -> bool {
        self.kind == AttemptKind::Gate && self.questions > 0 && self.correct >= self.required
    }
}

/// A question of an attempt and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedItem {
    /// The slot's id.
    pub slot: String,
    /// The variant's id.
    pub variant: String,
    pub correct: bool,
    /// Ids of the choices in the shown order; empty if there were none.
    pub choices: Vec<String>,
    /// The drawn numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// The student's answer; null if there was none.
    pub answer: Value,
    /// The reply to an incorrect answer.
    pub why: Option<String>,
    /// Seconds between the previous answer, or the start, and this one. If the student changed the answer, the sum of
    /// all such times. Null without an answer.
    pub seconds: Option<f64>,
}

impl HandedItem {
    /// Returns the ids of the selected choices; empty if the answer is of another kind.
    pub fn taken(&self) -> Vec<&str> {
        let given = match &self.answer {
            // The object maps the name of a kind to the answer.
            Value::Object(fields) => fields.values().next(),
            _ => None,
        };
        let ids: Vec<&str> = match given {
            Some(Value::String(id)) => vec![id],
            Some(Value::Array(ids)) => ids.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        ids.into_iter().filter(|id| self.choices.iter().any(|choice| choice == id)).collect()
    }
}

/// A student's progress in an exercise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandedExercise {
    /// Number of judged solutions.
    pub tries: u32,
    /// True if one of them passed.
    pub passed: bool,
    /// True if one of them earned the star.
    pub starred: bool,
    /// Number of opened hints.
    pub hints: u32,
}
