//! Reads answers from a script's values, and finds mistakes that several kinds of answers share.

use crate::prelude::*;

/// Maximum length of a typed answer, in characters.
const MAX_TYPED: usize = 400;

/// Converts a text, a number or a truth value to a text.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Converts a list of scalars to texts. A single scalar counts as a list of one.
pub(super) fn list(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(values) => values.iter().map(scalar).collect(),
        _ => Some(vec![scalar(value)?]),
    }
}

/// Returns an error if no item has this id.
pub(super) fn unknown_id(id: &str, items: &[Item]) -> Option<Sentence> {
    if items.iter().any(|item| item.id == id) {
        return None;
    }
    let known: Vec<String> = items.iter().map(|item| format!("`{}`", item.id)).collect();
    let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
    Some(sentence!("mastery-unknown-id", id, known = known.join(", ")))
}

/// Returns an error if an id occurs twice.
pub(super) fn repeated<'a>(ids: impl IntoIterator<Item = &'a String>) -> Option<Sentence> {
    let mut seen: Vec<&String> = Vec::new();
    for id in ids {
        if seen.contains(&id) {
            return Some(sentence!("mastery-given-twice", id = id.clone()));
        }
        seen.push(id);
    }
    None
}

/// Returns an error if a typed answer is too long.
pub(super) fn too_long(typed: &str) -> Option<Sentence> {
    (typed.chars().count() > MAX_TYPED).then(|| sentence!("mastery-too-long", most = MAX_TYPED))
}
