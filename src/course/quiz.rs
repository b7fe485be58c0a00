//! Types of a level's quiz file, `quizzes/NN-name.yaml`.

use super::claim::Claim;
use super::spanned::At;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A level's quiz.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuizFile {
    /// The level's id in `course.yaml`.
    pub level: At<String>,
    /// Eight for a gate of 7; an attempt asks one variant of each.
    pub slots: Vec<Slot>,
}

/// One question of an attempt, drawn from its variants.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Stable id, unique in the quiz.
    pub id: At<String>,
    /// An objective of the level.
    pub objective: At<String>,
    /// Bloom's level.
    pub bloom: Bloom,
    /// The page to re-read after a miss.
    pub page: At<String>,
    /// At least three, or one numeric with parameters.
    pub variants: Vec<Variant>,
}

/// Bloom's taxonomy (revised), lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bloom {
    /// Recall a fact.
    Remember,
    /// Say it in other words.
    Understand,
    /// Use it in a new case.
    Apply,
    /// Take it apart.
    Analyse,
    /// Judge.
    Evaluate,
}

/// One wording of a question.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Stable id, unique in the slot.
    pub id: At<String>,
    /// Markdown. `{name}` stands for a parameter of a numeric question.
    pub ask: String,
    /// How it is answered and graded.
    pub answer: AnswerSpec,
    /// Shown in practice, and after a passed attempt: why the right answer is right.
    pub because: String,
    /// What the question states and the machine can confirm.
    #[serde(default)]
    pub claims: Vec<At<Claim>>,
}

/// How a question is answered and graded.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AnswerSpec {
    /// Choose one.
    Single(Vec<Choice>),
    /// Choose all that hold; right only if exactly those are chosen.
    Multiple(Vec<Choice>),
    /// A number computed from parameters.
    Numeric(Numeric),
    /// A short text, compared after normalisation (case, white space, punctuation at the ends).
    Text(TextAnswer),
    /// Blanks in code, compared as tokens.
    Cloze(Cloze),
    /// Events to put in order.
    Order(Order),
    /// Pairs to be matched.
    Match(Matching),
}

/// A choice of a single or multiple question.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Stable id, unique in the variant.
    pub id: At<String>,
    /// Markdown, short.
    pub text: String,
    /// Whether it is right.
    #[serde(default)]
    pub correct: bool,
    /// For a wrong choice: names the misconception and mends it.
    #[serde(default)]
    pub why: Option<String>,
}

/// A number computed from parameters.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Numeric {
    /// Name to the values to draw from; drawn independently.
    #[serde(default)]
    pub parameters: BTreeMap<String, Vec<f64>>,
    /// Expression in the parameters: `+ - * / % ( )`, `min max ceil floor gcd pow`.
    pub formula: At<String>,
    /// Relative tolerance; 0 asks for the exact number.
    #[serde(default)]
    pub tolerance: f64,
    /// Unit shown behind the field, and accepted behind the number.
    #[serde(default)]
    pub unit: Option<String>,
    /// Typical slips.
    #[serde(default)]
    pub slips: Vec<Slip>,
    /// For any other wrong number.
    pub why: String,
}

/// A typical wrong number.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// What it computes.
    pub formula: At<String>,
    /// Names the slip and mends it.
    pub why: String,
}

/// A short text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextAnswer {
    /// Accepted answers.
    pub accept: Vec<At<String>>,
    /// Known wrong answers with their reasons.
    #[serde(default)]
    pub slips: Vec<TextSlip>,
    /// For any other wrong text.
    pub why: String,
}

/// A known wrong text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextSlip {
    /// What was written.
    pub text: String,
    /// Names the slip and mends it.
    pub why: String,
}

/// Blanks in code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cloze {
    /// The code; `___1___`, `___2___` … mark the blanks.
    pub code: String,
    /// One for each blank, in order.
    pub blanks: Vec<Blank>,
}

/// A blank of a [`Cloze`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blank {
    /// Accepted fillings; compared token by token, so white space does not matter.
    pub accept: Vec<At<String>>,
    /// For a wrong filling.
    pub why: String,
}

/// Events in order.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// In the right order; shown shuffled.
    pub items: Vec<OrderItem>,
    /// For a wrong order.
    pub why: String,
}

/// An event of an [`Order`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderItem {
    /// Stable id.
    pub id: At<String>,
    /// Short.
    pub text: String,
}

/// Pairs to be matched.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// Left-hand sides, shown in this order.
    pub left: Vec<LeftSide>,
    /// Right-hand sides, shown shuffled. Each belongs to one left-hand side at most; some may belong to none.
    pub right: Vec<RightSide>,
    /// Typical wrong pairs.
    #[serde(default)]
    pub slips: Vec<PairSlip>,
    /// For any other wrong pair.
    pub why: String,
}

/// A left-hand side of a [`Matching`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftSide {
    /// Stable id, unique among the left-hand sides.
    pub id: At<String>,
    /// Markdown, short.
    pub text: String,
    /// The id of the right-hand side that belongs to it.
    pub is: At<String>,
}

/// A right-hand side of a [`Matching`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RightSide {
    /// Stable id, unique among the right-hand sides. Students see it in files of answers: it must not tell its partner.
    pub id: At<String>,
    /// Markdown, short.
    pub text: String,
}

/// A typical wrong pair.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairSlip {
    /// The left-hand side's id.
    pub left: At<String>,
    /// The id of the right-hand side that it was matched with.
    pub right: At<String>,
    /// Names the misconception and mends it.
    pub why: String,
}
