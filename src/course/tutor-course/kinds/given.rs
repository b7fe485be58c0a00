//! Reads answers from a script's values, and finds mistakes that several kinds of answers share.

use crate::prelude::*;

/// Maximum length of a typed answer, in characters.
const MAX_TYPED: usize = 400;

/// An answer that a script can give.
pub(super) trait FromValue: Sized {
    /// Converts a script's value. `None` if it has another form.
    fn from_value(value: &Value) -> Option<Self>;
}

/// A text, a number or a truth value.
impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// A list of texts. A single text counts as a list of one.
impl FromValue for Vec<String> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Array(values) => values.iter().map(String::from_value).collect(),
            _ => Some(vec![String::from_value(value)?]),
        }
    }
}

impl FromValue for BTreeMap<String, String> {
    fn from_value(value: &Value) -> Option<Self> {
        let Value::Object(pairs) = value else { return None };
        pairs.iter().map(|(left, right)| Some((left.clone(), String::from_value(right)?))).collect()
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
