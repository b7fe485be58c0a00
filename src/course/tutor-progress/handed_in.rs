//! The document that a student hands in to an instructor: everything that the store knows about a course.

use super::attempt::AttemptKind;
use super::renamed::Renamed;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the format. Documents with a higher version are not read.
pub const HANDED_IN_VERSION: u32 = 1;

/// A student's work in a course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedIn {
    /// Version of the format: [`HANDED_IN_VERSION`].
    pub version: u32,
    pub course: String,
    /// The course's version at the time of export; empty if it has none.
    #[serde(default)]
    pub course_version: String,
    #[serde(default)]
    pub program: String,
    /// A name or a number; empty if the student gave none.
    pub student: String,
    /// The exam's name, if the work was done in a course that `seal` wrote; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub exam: String,
    pub exported_at: String,
    /// Submitted attempts, in order.
    pub attempts: Vec<HandedAttempt>,
    /// Number of pages read, by level.
    pub pages: BTreeMap<String, u32>,
    /// Numbers of correct and incorrect first predictions, by level.
    pub predictions: BTreeMap<String, [u32; 2]>,
    pub exercises: BTreeMap<String, HandedExercise>,
}

impl HandedIn {
    /// Returns the document to hand in. What an exam does not know is null: its marks.
    pub fn document(&self) -> serde_json::Result<Value> {
        let mut document = serde_json::to_value(self)?;
        let attempts = document["attempts"].as_array_mut().into_iter().flatten();
        for (_, shown) in self.attempts.iter().zip(attempts).filter(|(attempt, _)| attempt.is_ungraded()) {
            ["correct", "required"].iter().for_each(|mark| drop(shown[*mark].take()));
            shown["items"].as_array_mut().into_iter().flatten().for_each(|item| drop(item["correct"].take()));
        }
        Ok(document)
    }
}

impl HandedIn {
    /// Replaces the names that the course has given up.
    pub fn rename(&mut self, course: &str, renamed: &Renamed) {
        if renamed.courses.contains(&self.course) {
            course.clone_into(&mut self.course);
        }
        for [old, new] in &renamed.levels {
            moved(&mut self.pages, old, new);
            moved(&mut self.predictions, old, new);
            let attempts = self.attempts.iter_mut().filter(|attempt| attempt.level == *old);
            attempts.for_each(|attempt| new.clone_into(&mut attempt.level));
        }
        for [level, old, new] in &renamed.slots {
            let attempts = self.attempts.iter_mut().filter(|attempt| attempt.level == *level);
            let items = attempts.flat_map(|attempt| &mut attempt.items).filter(|item| item.slot == *old);
            items.for_each(|item| new.clone_into(&mut item.slot));
        }
        for [old, new] in &renamed.exercises {
            moved(&mut self.exercises, old, new);
        }
    }

    /// Returns the times of attempts that cannot be right: no times, the submission before the start, or later than the
    /// export or than a day after `now`.
    pub fn impossible_times(&self, now: Timestamp) -> Vec<&str> {
        let read = |time: &str| time.parse::<Timestamp>().ok();
        let latest = now.saturating_add(SignedDuration::from_hours(24)).unwrap_or(Timestamp::MAX);
        let latest = read(&self.exported_at).map_or(latest, |at| latest.min(at));
        let mut found = Vec::new();
        for HandedAttempt { started_at, submitted_at, .. } in &self.attempts {
            let started = read(started_at);
            let fits = |at: &Timestamp, from: Option<Timestamp>| {
                from.is_none_or(|from| *at >= from) && at.as_second() <= latest.as_second()
            };
            found.extend(started.filter(|at| fits(at, None)).is_none().then_some(started_at.as_str()));
            found.extend(read(submitted_at).filter(|at| fits(at, started)).is_none().then_some(submitted_at.as_str()));
        }
        found
    }
}

/// Moves a value to another key that has none.
fn moved<T>(all: &mut BTreeMap<String, T>, old: &str, new: &str) {
    if !all.contains_key(new)
        && let Some(value) = all.remove(old)
    {
        all.insert(new.to_owned(), value);
    }
}

/// Reads a mark. An exam's is null.
fn mark<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedAttempt {
    pub level: String,
    pub kind: AttemptKind,
    pub seed: u64,
    /// RFC 3339.
    pub started_at: String,
    /// RFC 3339.
    pub submitted_at: String,
    #[serde(deserialize_with = "mark")]
    pub correct: u32,
    pub questions: u32,
    /// Number of correct answers that pass; 0 in an exam.
    #[serde(deserialize_with = "mark")]
    pub required: u32,
    /// One item per slot, in order.
    pub items: Vec<HandedItem>,
}

impl HandedAttempt {
    /// True if it passed the gate. No attempt at an exam does before it is graded.
    pub fn passed(&self) -> bool {
        self.kind == AttemptKind::Gate && self.questions > 0 && !self.is_ungraded() && self.correct >= self.required
    }

    /// True for an attempt at an exam, which was stored without a grade.
    pub fn is_ungraded(&self) -> bool {
        self.required == 0
    }
}

/// A question of an attempt and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandedItem {
    pub slot: String,
    pub variant: String,
    #[serde(deserialize_with = "mark")]
    pub correct: bool,
    /// Ids of the choices in the shown order; empty if there were none.
    pub choices: Vec<String>,
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
    /// Returns the ids of the selected choices. For an order, returns each place with its item, such as `2: wait`, and
    /// for pairs `left: right`. Empty if the answer is of another kind.
    pub fn taken(&self) -> Vec<String> {
        // The object maps the name of a kind to the answer.
        let Some((kind, given)) = self.answer.as_object().and_then(|fields| fields.iter().next()) else {
            return Vec::new();
        };
        let shown = |id: &&str| self.choices.iter().any(|choice| choice == id);
        let ids = given.as_array().into_iter().flatten().filter_map(Value::as_str).filter(shown);
        match (kind.as_str(), given) {
            ("order", _) => (1..).zip(ids).map(|(place, id)| format!("{place}: {id}")).collect(),
            (_, Value::Object(pairs)) => {
                let pairs = pairs.iter().filter_map(|(left, right)| Some((left, right.as_str().filter(shown)?)));
                pairs.map(|(left, right)| format!("{left}: {right}")).collect()
            }
            (_, Value::String(id)) => Some(id.as_str()).filter(shown).into_iter().map(str::to_owned).collect(),
            _ => ids.map(str::to_owned).collect(),
        }
    }

    /// Returns what the student typed where no choices were shown: a text, a number, fillings or a line, with the numbers
    /// that were drawn for the question. `None` without an answer.
    pub fn typed(&self) -> Option<String> {
        let given = self.answer.as_object().filter(|_| self.choices.is_empty())?.values().next()?;
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
        let text = match given {
            Value::Array(all) => all.iter().map(plain).collect::<Vec<_>>().join(" | "),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect::<Vec<_>>().join(", ")
            }
            Value::Null => return None,
            value => plain(value),
        };
        let text: String = text.chars().take(200).collect();
        let drawn: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let drawn = if drawn.is_empty() { String::new() } else { format!(" ({})", drawn.join(", ")) };
        (!text.is_empty()).then(|| text + &drawn)
    }

    /// True if the student arranged the choices, in an order or in pairs, instead of selecting some.
    pub fn is_arranged(&self) -> bool {
        self.answer.get("order").is_some() || self.answer.get("pairs").is_some()
    }
}

/// A student's progress in an exercise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandedExercise {
    pub tries: u32,
    /// True if one of them passed.
    pub passed: bool,
    /// True if one of them earned the star.
    pub starred: bool,
    pub hints: u32,
}
