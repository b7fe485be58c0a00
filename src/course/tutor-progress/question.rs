//! A drawn question as a screen shows it, without the key.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tutor_course::{Bloom, Item, QuestionKind, QuizFile, Slot, Variant};
use tutor_support::sentence;
use tutor_support::words::Sentence;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Question {
    pub slot: String,
    pub variant: String,
    pub objective: String,
    pub bloom: Bloom,
    /// The page to read again after a miss.
    pub page: String,
    /// The question in Markdown, with its parameters filled in.
    pub ask: String,
    /// The kind of question, with the items to show.
    pub kind: QuestionKind,
    /// The numbers drawn for a numeric question.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// Changes when the variant's key changes, but reveals nothing about the key.
    #[serde(skip)]
    pub(super) fingerprint: u64,
}

/// The stored part of a [`Question`]. It is enough to show the question again from the quiz file in any edition of the
/// course, and to detect a changed key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    pub slot: String,
    pub variant: String,
    /// The numbers drawn for a numeric question.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// Ids of the choices or events in the shown order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Fingerprint of the variant's key.
    pub fingerprint: u64,
}

impl From<&Question> for Drawn {
    fn from(question: &Question) -> Self {
        Self {
            slot: question.slot.clone(),
            variant: question.variant.clone(),
            parameters: question.parameters.clone(),
            order: question.kind.items().iter().map(|item| item.id.clone()).collect(),
            fingerprint: question.fingerprint,
        }
    }
}

/// Why a quiz cannot be drawn, or a drawn question can no longer be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QuizError {
    /// The problem and its place.
    pub message: Sentence,
    pub help: Sentence,
}

impl QuizError {
    pub(super) fn broken(message: Sentence) -> Self {
        Self { message, help: sentence!("mastery-quiz-broken-help") }
    }

    pub(super) fn unreadable() -> Self {
        Self { message: sentence!("mastery-quiz-unreadable"), help: sentence!("mastery-begin-anew") }
    }

    fn edited(what: &Sentence) -> Self {
        Self { message: sentence!("mastery-quiz-edited", what), help: sentence!("mastery-quiz-edited-help") }
    }
}

/// Shows a drawn question again, in the wording of `quiz`.
///
/// The wording may have been corrected or translated since the draw, but the key must be the same.
///
/// # Errors
/// If the slot, the variant or one of its choices no longer exists, or if its key has changed.
pub fn present(quiz: &QuizFile, drawn: &Drawn) -> Result<Question, QuizError> {
    let Some((slot, variant)) = find(quiz, &drawn.slot, &drawn.variant) else {
        return Err(QuizError::edited(&sentence!("mastery-question-gone")));
    };
    if variant.answer.fingerprint() != drawn.fingerprint {
        return Err(QuizError::edited(&sentence!("mastery-key-changed")));
    }
    show(slot, variant, drawn.parameters.clone(), &drawn.order)
        .ok_or_else(|| QuizError::edited(&sentence!("mastery-choices-changed")))
}

/// Does the same even if the key has changed.
///
/// # Errors
/// If the slot, the variant or one of its choices no longer exists.
pub(super) fn present_as_it_is(quiz: &QuizFile, drawn: &Drawn) -> Result<Question, QuizError> {
    let fingerprint = find(quiz, &drawn.slot, &drawn.variant).map(|(_, variant)| variant.answer.fingerprint());
    present(quiz, &Drawn { fingerprint: fingerprint.unwrap_or_default(), ..drawn.clone() })
}

pub(super) fn find<'a>(quiz: &'a QuizFile, slot: &str, variant: &str) -> Option<(&'a Slot, &'a Variant)> {
    let slot = quiz.slots.iter().find(|known| known.id.value == slot)?;
    let variant = slot.variants.iter().find(|known| known.id.value == variant)?;
    Some((slot, variant))
}

/// Builds the question. Returns `None` if `order` is not a permutation of the variant's items.
pub(super) fn show(
    slot: &Slot,
    variant: &Variant,
    parameters: BTreeMap<String, f64>,
    order: &[String],
) -> Option<Question> {
    let items = variant.answer.items();
    if items.len() != order.len() {
        return None;
    }
    let shuffled: Vec<Item> =
        order.iter().map(|id| items.iter().find(|item| item.id == *id).cloned()).collect::<Option<_>>()?;
    Some(Question {
        slot: slot.id.value.clone(),
        variant: variant.id.value.clone(),
        objective: slot.objective.value.clone(),
        bloom: slot.bloom,
        page: slot.page.value.clone(),
        ask: fill(&variant.ask, &parameters),
        kind: variant.answer.view(shuffled),
        parameters,
        fingerprint: variant.answer.fingerprint(),
    })
}

/// Replaces `{name}` by the value of each parameter. Other braces stay unchanged.
pub fn fill(text: &str, parameters: &BTreeMap<String, f64>) -> String {
    let mut filled = text.to_owned();
    for (name, value) in parameters {
        filled = filled.replace(&format!("{{{name}}}"), &value.to_string());
    }
    filled
}
