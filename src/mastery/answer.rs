//! What a student answers, and whether it has the form that the question needs.

use super::number;
use super::question::{Item, Question, QuestionKind};
use super::tokens;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longest typed answer, in characters.
const MAX_TYPED: usize = 400;

/// An answer to a question, as given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A choice's id.
    Single(String),
    /// Ids of choices, in any order.
    Multiple(Vec<String>),
    /// A number as typed.
    Number(String),
    /// A short text.
    Text(String),
    /// One filling a blank.
    Blanks(Vec<String>),
    /// Ids of all events, in order.
    Order(Vec<String>),
}

impl Answer {
    /// What keeps this from being an answer to the question, as a sentence for whoever typed it;
    /// `None` if it can be graded. Says nothing of right and wrong.
    pub fn problem(&self, question: &Question) -> Option<String> {
        match (self, &question.kind) {
            (Self::Single(id), QuestionKind::Single { choices }) => unknown_id(id, choices),
            (Self::Multiple(ids), QuestionKind::Multiple { choices }) => {
                if ids.is_empty() {
                    return Some("Choose at least one.".into());
                }
                ids.iter().find_map(|id| unknown_id(id, choices)).or_else(|| repeated(ids))
            }
            (Self::Number(typed), QuestionKind::Numeric { unit }) => number::read(typed, unit.as_deref()).err(),
            (Self::Text(typed), QuestionKind::Text) => {
                if typed.trim().is_empty() {
                    return Some("Type an answer.".into());
                }
                too_long(typed)
            }
            (Self::Blanks(typed), QuestionKind::Cloze { blanks, .. }) => {
                if typed.len() != *blanks {
                    return Some(format!("There are {blanks} blanks to fill, not {}.", typed.len()));
                }
                let empty = typed.iter().position(|code| tokens::is_empty(code));
                empty.map(|at| format!("Blank {} is empty.", at + 1)).or_else(|| typed.iter().find_map(|t| too_long(t)))
            }
            (Self::Order(ids), QuestionKind::Order { items }) => {
                let fault = ids.iter().find_map(|id| unknown_id(id, items)).or_else(|| repeated(ids));
                let missing = items.iter().find(|item| !ids.contains(&item.id));
                fault.or_else(|| missing.map(|item| format!("The order lacks `{}`.", item.id)))
            }
            (_, kind) => Some(format!("This question takes {}.", form(kind))),
        }
    }

    /// Reads an answer from a script's value: ids, a number, a text, a list, as the question's kind needs.
    ///
    /// # Errors
    /// A sentence that says which form is needed, or what [`Answer::problem`] finds.
    pub fn from_value(question: &Question, value: &Value) -> Result<Self, String> {
        let needs = || format!("This question takes {}.", form(&question.kind));
        let one = || scalar(value).ok_or_else(needs);
        let many = || match value {
            Value::Array(values) => values.iter().map(scalar).collect::<Option<Vec<_>>>().ok_or_else(needs),
            _ => Ok(vec![one()?]),
        };
        let answer = match &question.kind {
            QuestionKind::Single { .. } => Self::Single(one()?),
            QuestionKind::Multiple { .. } => Self::Multiple(many()?),
            QuestionKind::Numeric { .. } => Self::Number(one()?),
            QuestionKind::Text => Self::Text(one()?),
            QuestionKind::Cloze { .. } => Self::Blanks(many()?),
            QuestionKind::Order { .. } => Self::Order(many()?),
        };
        match answer.problem(question) {
            None => Ok(answer),
            Some(problem) => Err(problem),
        }
    }
}

fn form(kind: &QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Single { .. } => "the id of one choice",
        QuestionKind::Multiple { .. } => "a list of ids of choices",
        QuestionKind::Numeric { .. } => "a number",
        QuestionKind::Text => "a short text",
        QuestionKind::Cloze { .. } => "a list with one text a blank",
        QuestionKind::Order { .. } => "a list of the ids of all events, in order",
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn unknown_id(id: &str, items: &[Item]) -> Option<String> {
    if items.iter().any(|item| item.id == id) {
        return None;
    }
    let known: Vec<String> = items.iter().map(|item| format!("`{}`", item.id)).collect();
    let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
    Some(format!("There is no `{id}` to choose from; there are {}.", known.join(", ")))
}

fn repeated(ids: &[String]) -> Option<String> {
    let twice = ids.iter().enumerate().find(|(at, id)| ids[..*at].contains(id));
    twice.map(|(_, id)| format!("`{id}` is given twice."))
}

fn too_long(typed: &str) -> Option<String> {
    (typed.chars().count() > MAX_TYPED).then(|| format!("An answer has at most {MAX_TYPED} characters."))
}
