//! A drawn question: what a screen shows, without the key.

use crate::course::{AnswerSpec, Bloom, QuizFile, Slot, Variant};
use crate::expr::Expr;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One question of an attempt, as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Question {
    /// The slot's id.
    pub slot: String,
    /// The variant's id.
    pub variant: String,
    /// The objective's id.
    pub objective: String,
    /// Bloom's level.
    pub bloom: Bloom,
    /// The page to re-read after a miss.
    pub page: String,
    /// Markdown, parameters filled in.
    pub ask: String,
    /// What is to be answered.
    pub kind: QuestionKind,
    /// The numbers drawn for a numeric question.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// Changes when the variant's key changes; says nothing of the key.
    #[serde(skip)]
    pub(super) fingerprint: u64,
}

/// What a question asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Choose one.
    Single {
        /// As shuffled.
        choices: Vec<Item>,
    },
    /// Choose all that hold.
    Multiple {
        /// As shuffled.
        choices: Vec<Item>,
    },
    /// Type a number.
    Numeric {
        /// Shown behind the field; may be typed too.
        unit: Option<String>,
    },
    /// Type a short text.
    Text,
    /// Fill the blanks.
    Cloze {
        /// `___1___`, `___2___` … mark the blanks.
        code: String,
        /// How many there are.
        blanks: usize,
    },
    /// Put events in order.
    Order {
        /// As shuffled.
        items: Vec<Item>,
    },
}

impl QuestionKind {
    /// Choices or events, as shuffled; empty for typed answers.
    pub fn items(&self) -> &[Item] {
        match self {
            Self::Single { choices } | Self::Multiple { choices } => choices,
            Self::Order { items } => items,
            Self::Numeric { .. } | Self::Text | Self::Cloze { .. } => &[],
        }
    }

    /// The kind's name in a quiz file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Single { .. } => "single",
            Self::Multiple { .. } => "multiple",
            Self::Numeric { .. } => "numeric",
            Self::Text => "text",
            Self::Cloze { .. } => "cloze",
            Self::Order { .. } => "order",
        }
    }
}

/// A choice, or an event to order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Stable: answers are graded by it.
    pub id: String,
    /// Markdown, short.
    pub text: String,
}

/// What is stored of a [`Question`]: enough to show it again word for word from the quiz file,
/// in any edition of the course, and to notice that its key was changed meanwhile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// The slot's id.
    pub slot: String,
    /// The variant's id.
    pub variant: String,
    /// The numbers drawn for a numeric question.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// Ids of the choices or events, as shuffled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Of the variant's key.
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

/// Why a quiz cannot be drawn, or a drawn question no longer be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QuizError {
    /// What is wrong, where.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl QuizError {
    pub(super) fn broken(message: String) -> Self {
        Self { message, help: "Tell whoever wrote the course; `matmul-tutor check` finds such faults.".into() }
    }

    pub(super) fn unreadable() -> Self {
        Self {
            message: "A question of this attempt cannot be read from the progress file any more.".into(),
            help: "Begin a new attempt.".into(),
        }
    }

    fn edited(slot: &str, what: &str) -> Self {
        Self {
            message: format!("The quiz was edited since this question was drawn: in slot `{slot}`, {what}."),
            help: "This attempt cannot be graded fairly any more. Begin a new one.".into(),
        }
    }
}

/// Shows a drawn question again, in the wording of `quiz`.
///
/// Wording may have been corrected or translated since it was drawn; the key may not.
///
/// # Errors
/// If the slot, variant or one of its choices is gone, or its key was changed.
pub fn present(quiz: &QuizFile, drawn: &Drawn) -> Result<Question, QuizError> {
    let Some((slot, variant)) = find(quiz, &drawn.slot, &drawn.variant) else {
        return Err(QuizError::edited(&drawn.slot, &format!("variant `{}` is gone", drawn.variant)));
    };
    if fingerprint(variant) != drawn.fingerprint {
        return Err(QuizError::edited(&drawn.slot, &format!("the answer to variant `{}` was changed", drawn.variant)));
    }
    show(slot, variant, drawn.parameters.clone(), &drawn.order)
        .ok_or_else(|| QuizError::edited(&drawn.slot, &format!("variant `{}` was changed", drawn.variant)))
}

pub(super) fn find<'a>(quiz: &'a QuizFile, slot: &str, variant: &str) -> Option<(&'a Slot, &'a Variant)> {
    let slot = quiz.slots.iter().find(|known| known.id.value == slot)?;
    let variant = slot.variants.iter().find(|known| known.id.value == variant)?;
    Some((slot, variant))
}

/// Builds the question; `None` if `order` is not a permutation of the variant's items.
pub(super) fn show(
    slot: &Slot,
    variant: &Variant,
    parameters: BTreeMap<String, f64>,
    order: &[String],
) -> Option<Question> {
    let items = items_of(variant);
    if items.len() != order.len() {
        return None;
    }
    let shuffled: Vec<Item> =
        order.iter().map(|id| items.iter().find(|item| item.id == *id).cloned()).collect::<Option<_>>()?;
    let kind = match &variant.answer {
        AnswerSpec::Single(_) => QuestionKind::Single { choices: shuffled },
        AnswerSpec::Multiple(_) => QuestionKind::Multiple { choices: shuffled },
        AnswerSpec::Numeric(numeric) => QuestionKind::Numeric { unit: numeric.unit.clone() },
        AnswerSpec::Text(_) => QuestionKind::Text,
        AnswerSpec::Cloze(cloze) => QuestionKind::Cloze { code: cloze.code.clone(), blanks: cloze.blanks.len() },
        AnswerSpec::Order(_) => QuestionKind::Order { items: shuffled },
    };
    Some(Question {
        slot: slot.id.value.clone(),
        variant: variant.id.value.clone(),
        objective: slot.objective.value.clone(),
        bloom: slot.bloom,
        page: slot.page.value.clone(),
        ask: fill(&variant.ask, &parameters),
        kind,
        parameters,
        fingerprint: fingerprint(variant),
    })
}

/// Choices or events in the author's order; empty for typed answers.
pub(super) fn items_of(variant: &Variant) -> Vec<Item> {
    match &variant.answer {
        AnswerSpec::Single(choices) | AnswerSpec::Multiple(choices) => {
            choices.iter().map(|choice| Item { id: choice.id.value.clone(), text: choice.text.clone() }).collect()
        }
        AnswerSpec::Order(order) => {
            order.items.iter().map(|item| Item { id: item.id.value.clone(), text: item.text.clone() }).collect()
        }
        AnswerSpec::Numeric(_) | AnswerSpec::Text(_) | AnswerSpec::Cloze(_) => Vec::new(),
    }
}

/// Replaces `{name}` by the value of each parameter; other braces stay as they are.
pub fn fill(text: &str, parameters: &BTreeMap<String, f64>) -> String {
    let mut filled = text.to_owned();
    for (name, value) in parameters {
        filled = filled.replace(&format!("{{{name}}}"), &value.to_string());
    }
    filled
}

/// The value of a formula over the drawn numbers.
pub(super) fn evaluate(formula: &str, parameters: &BTreeMap<String, f64>) -> Result<f64, String> {
    Expr::parse(formula)
        .and_then(|expr| expr.real(&|name| parameters.get(name).copied()))
        .map_err(|error| format!("The formula `{formula}` cannot be computed: {error}"))
}

/// Whether the variant can be asked and answered rightly with these numbers.
pub(super) fn usable(variant: &Variant, parameters: &BTreeMap<String, f64>) -> bool {
    match &variant.answer {
        AnswerSpec::Single(choices) => choices.iter().filter(|choice| choice.correct).count() == 1,
        AnswerSpec::Multiple(choices) => choices.iter().any(|choice| choice.correct),
        AnswerSpec::Numeric(numeric) => {
            // JSON, in which the numbers are stored, knows no others.
            parameters.values().all(|value| value.is_finite()) && evaluate(&numeric.formula, parameters).is_ok()
        }
        AnswerSpec::Text(text) => !text.accept.is_empty(),
        AnswerSpec::Cloze(cloze) => {
            !cloze.blanks.is_empty() && cloze.blanks.iter().all(|blank| !blank.accept.is_empty())
        }
        AnswerSpec::Order(order) => order.items.len() > 1,
    }
}

/// FNV-1a over what makes an answer right. Wording, and further accepted texts, do not count:
/// they may be corrected or translated while an attempt is under way.
fn fingerprint(variant: &Variant) -> u64 {
    let mut hash = Fnv::default();
    match &variant.answer {
        AnswerSpec::Single(choices) | AnswerSpec::Multiple(choices) => {
            hash.text(if matches!(variant.answer, AnswerSpec::Single(_)) { "single" } else { "multiple" });
            let mut keys: Vec<(&str, bool)> = choices.iter().map(|c| (c.id.value.as_str(), c.correct)).collect();
            keys.sort_unstable();
            for (id, correct) in keys {
                hash.text(id);
                hash.text(if correct { "1" } else { "0" });
            }
        }
        AnswerSpec::Numeric(numeric) => {
            hash.text("numeric");
            hash.text(&numeric.formula);
            hash.text(numeric.unit.as_deref().unwrap_or_default());
        }
        AnswerSpec::Text(_) => hash.text("text"),
        AnswerSpec::Cloze(cloze) => {
            hash.text("cloze");
            hash.text(&cloze.blanks.len().to_string());
        }
        AnswerSpec::Order(order) => {
            hash.text("order");
            for item in &order.items {
                hash.text(&item.id);
            }
        }
    }
    hash.0
}

/// FNV-1a, 64 bits: small, and the same on every platform and in every release.
pub(super) struct Fnv(pub(super) u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a text and its end, so that `ab`, `c` differs from `a`, `bc`.
    pub(super) fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
