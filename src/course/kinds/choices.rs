//! What the two kinds of choices share.

use super::{Item, Verdict};
use crate::course::Choice;
use crate::mastery::grade::Miss;
use crate::mastery::question::Fnv;
use crate::t;
use serde::Serialize;

/// Choices, as shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choices {
    /// As shuffled.
    pub choices: Vec<Item>,
}

pub(super) fn items(choices: &[Choice]) -> Vec<Item> {
    choices.iter().map(|choice| Item { id: choice.id.value.clone(), text: choice.text.clone() }).collect()
}

pub(super) fn fingerprint(choices: &[Choice], hash: &mut Fnv) {
    let mut keys: Vec<(&str, bool)> = choices.iter().map(|c| (c.id.value.as_str(), c.correct)).collect();
    keys.sort_unstable();
    for (id, correct) in keys {
        hash.text(id);
        hash.text(if correct { "1" } else { "0" });
    }
}

/// Right only if exactly the right ones are chosen. A wrong choice is a worse mistake than a missed one.
pub(super) fn grade(choices: &[Choice], ids: &[String]) -> Verdict {
    let chosen = |choice: &&Choice| ids.contains(&choice.id.value);
    if let Some(wrong) = choices.iter().filter(chosen).find(|choice| !choice.correct) {
        let why = wrong.why.clone().unwrap_or_else(|| t!("mastery-does-not-hold", choice = wrong.text.trim()));
        return Err((Miss::WrongChoice(wrong.id.value.clone()), why));
    }
    if choices.iter().any(|choice| choice.correct && !chosen(&choice)) {
        return Err((Miss::MissingChoice, t!("mastery-more-holds")));
    }
    Ok(())
}
