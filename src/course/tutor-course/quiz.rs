//! The types of a level's quiz file, `quizzes/NN-name.yaml`.

use super::claim::Claim;
use super::kinds::AnswerSpec;
use crate::prelude::*;

/// A level's quiz.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct QuizFile {
    /// The level's id in `course.yaml`.
    pub level: At<String>,
    /// The questions; eight for a gate of 7. An attempt asks one variant of each.
    #[schemars(length(min = 1, max = QuizFile::MAX_SLOTS))]
    pub slots: Vec<Slot>,
}

impl QuizFile {
    /// Maximum number of slots.
    pub const MAX_SLOTS: usize = 50;
}

/// One question of an attempt, drawn from its variants.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Slot {
    /// Stable id, unique in the quiz.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Earlier ids of the slot. Answers stored under them count for this slot.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// The objective of the level that it tests.
    pub objective: At<String>,
    /// Bloom's level.
    pub bloom: Bloom,
    /// The page to read again after a wrong answer.
    pub page: At<String>,
    /// At least three variants, or one numeric variant with parameters.
    #[schemars(length(min = 1, max = Slot::MAX_VARIANTS))]
    pub variants: Vec<Variant>,
}

impl Slot {
    /// Maximum number of variants.
    pub const MAX_VARIANTS: usize = 50;
}

/// Bloom's taxonomy (revised), lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bloom {
    /// Recall a fact.
    Remember,
    /// Explain it in other words.
    Understand,
    /// Use it in a new case.
    Apply,
    /// Break it into parts.
    Analyse,
    /// Judge it.
    Evaluate,
}

/// One wording of a question.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Variant {
    /// Stable id, unique in the slot.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// In a translation: which original it translates. `check` shows the value, eight digits of a hash.
    pub of: Option<At<String>>,
    /// The question, as Markdown. `{name}` is replaced by a parameter of a numeric question.
    pub ask: String,
    /// How it is answered and graded.
    pub answer: AnswerSpec,
    /// Why the correct answer is correct. It is shown in practice, and after a passed attempt.
    pub because: String,
    /// What the question states and the machine can confirm.
    #[serde(default)]
    pub claims: Vec<At<Claim>>,
}
