//! What a student hands in to an instructor: one document with all that the store knows of a course.

use super::attempt::AttemptKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Of the format. A document of a higher one is not read.
pub const HANDED_IN_VERSION: u32 = 1;

/// A student's work in a course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedIn {
    /// Of the format: [`HANDED_IN_VERSION`].
    pub version: u32,
    /// The course's id.
    pub course: String,
    /// The course's version when it was written; empty if it states none.
    #[serde(default)]
    pub course_version: String,
    /// The tutor's version.
    #[serde(default)]
    pub program: String,
    /// A name or a number; empty if the student gave none.
    pub student: String,
    /// When it was written.
    pub exported_at: String,
    /// Attempts that were handed in, in order.
    pub attempts: Vec<HandedAttempt>,
    /// Pages that were read, by level.
    pub pages: BTreeMap<String, u32>,
    /// Predictions that were right at first, and wrong, by level.
    pub predictions: BTreeMap<String, [u32; 2]>,
    /// By the exercise's id.
    pub exercises: BTreeMap<String, HandedExercise>,
}

/// An attempt at a quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedAttempt {
    /// The level's id.
    pub level: String,
    /// Gate or practice.
    pub kind: AttemptKind,
    /// What it was drawn by.
    pub seed: u64,
    /// RFC 3339.
    pub started_at: String,
    /// RFC 3339.
    pub submitted_at: String,
    /// Right answers.
    pub correct: u32,
    /// Questions asked.
    pub questions: u32,
    /// Right answers that pass.
    pub required: u32,
    /// One a slot, in order.
    pub items: Vec<HandedItem>,
}

impl HandedAttempt {
    /// Whether it passed the gate.
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
    /// Whether it was right.
    pub correct: bool,
    /// Ids of the choices, as they were shuffled; empty where none were shown.
    pub choices: Vec<String>,
    /// The numbers that were drawn.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// As given; null if none was.
    pub answer: Value,
    /// What answered a wrong answer.
    pub why: Option<String>,
    /// Seconds from the answer before it, or from the beginning, to its own, summed over all changes of mind; null where there is
    /// no answer.
    pub seconds: Option<f64>,
}

impl HandedItem {
    /// The ids of the choices that were taken; none where the answer is something else.
    pub fn taken(&self) -> Vec<&str> {
        let given = match &self.answer {
            // A kind's name and what was given.
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

/// How far a student is in an exercise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandedExercise {
    /// Solutions that were judged.
    pub tries: u32,
    /// Whether one of them passed.
    pub passed: bool,
    /// Whether one of them earned the star.
    pub starred: bool,
    /// Hints that were opened.
    pub hints: u32,
}
