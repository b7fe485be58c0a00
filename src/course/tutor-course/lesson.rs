//! The types of `modules/course.yaml` and of a level's lesson file.

use super::claim::{Claim, RecordedClaim, RecordedFigure, Speedup, half_a_percent};
use super::limits::{MAX_EDITIONS, MAX_LEVELS, MAX_OBJECTIVES, MAX_PAGES, MAX_TERMS};
use super::show::{MAX_SIZE, Show};
use crate::prelude::*;
use jiff::SignedDuration;
use serde::de::IgnoredAny;
use tutor_kernels::Kernel;

/// `modules/course.yaml`: the levels in order, and the gate that opens the next level.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CourseFile {
    /// Stable id of the course. Progress is stored under it.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Earlier ids of the course. Progress stored under them counts for this course.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// Version of this edition, e.g. `2026.1`. Attempts and results contain it.
    #[serde(default)]
    pub version: String,
    /// Name of the exam, in a course that `seal` wrote. Its quizzes have no keys: attempts are stored and not graded.
    #[serde(default)]
    pub exam: String,
    /// The base course, whose levels this one may use: `built-in`, or a directory relative to this course.
    pub extends: Option<At<String>>,
    /// Shown on the course map.
    pub title: String,
    /// One sentence below the title.
    #[serde(default)]
    pub question: String,
    /// Language codes of the editions. The first is the original (`modules/`, `quizzes/`). The others are in
    /// `modules/CODE/` and `quizzes/CODE/`, with the same file names and ids.
    #[schemars(length(min = 1, max = MAX_EDITIONS))]
    pub languages: Vec<At<String>>,
    /// What a student needs to pass a level.
    pub gate: Gate,
    /// The question that a new student sees first. Without it, the map comes first.
    pub welcome: Option<Welcome>,
    /// The levels, in the order in which they open.
    #[schemars(length(min = 1, max = MAX_LEVELS))]
    pub levels: Vec<LevelEntry>,
    /// Rules that `check` should not report.
    #[serde(default)]
    pub allow: Vec<Allowance>,
}

/// The first screen of a new student: a few lines of two kernels, and the question which kernel is faster. The
/// answer is not stored. The screen then leads to the first level.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct Welcome {
    /// The question, on one line. It contains the number `times`.
    pub ask: String,
    /// Region of both kernels to show, without its comments.
    pub region: At<String>,
    /// Catalogue id of the faster kernel.
    pub faster: At<String>,
    /// Catalogue id of the slower kernel.
    pub slower: At<String>,
    /// Speed of the faster kernel divided by the speed of the slower one. `check` compares it with the recording, and
    /// allows 0.5 %.
    pub times: f64,
    /// The device name in the recording, e.g. `NVIDIA H200`.
    pub device: At<String>,
    /// Square size of the recording.
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
}

impl Welcome {
    /// Maximum number of lines per kernel.
    pub const MAX_LINES: usize = 4;

    /// Returns what the question states, as a claim about the recording.
    pub fn claim(&self) -> Claim {
        let Self { faster: kernel, slower: over, times: is, device, size, .. } = self.clone();
        let states = RecordedFigure::Speedup(Speedup { over, is });
        Claim::Recorded(RecordedClaim { device, kernel, size, states, within: half_a_percent() })
    }

    /// Returns the lines of a kernel's region without comments and indentation; none if there is no such region.
    pub fn lines<'k>(&self, kernel: &'k Kernel) -> Vec<&'k str> {
        let Some(region) = kernel.source.region(&self.region) else { return Vec::new() };
        let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let lines: Vec<&str> = kernel.source.lines(Some(region)).map(|(_, line)| line).filter(code).collect();
        let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        lines.into_iter().map(|line| line.get(indent..).unwrap_or(line).trim_end()).collect()
    }
}

/// A rule of `check` that the course breaks on purpose.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Allowance {
    /// Code of the rule. Mistakes that prevent the reading of a file cannot be allowed.
    pub code: At<String>,
    /// The reason, for later readers of the course.
    pub why: String,
    /// The file or folder in which the rule may be broken, e.g. `quizzes/08-lab.yaml`; the whole course if absent.
    pub path: Option<At<String>>,
}

/// What a student needs to pass a level, and how many attempts count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Gate {
    /// Percentage of correct answers, 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    pub percent: At<u32>,
    /// Maximum number of attempts that count; unlimited if absent. Practice stays open.
    pub attempts: Option<At<u32>>,
    /// Minimum time between two attempts, e.g. `10m`, `12h` or `1d`.
    pub wait: Option<At<String>>,
}

impl Gate {
    /// The percentage used if the given one is not usable: 7 of 8 questions.
    pub const USUAL_PERCENT: u32 = 80;

    /// Returns a gate with this percentage and an unlimited number of attempts.
    pub fn of_percent(percent: u32) -> Self {
        Self { percent: At::from(percent), attempts: None, wait: None }
    }

    /// Returns the maximum number of attempts that count.
    pub fn most_attempts(&self) -> Option<u32> {
        self.attempts.map(|attempts| attempts.value)
    }

    /// Returns the minimum time between two attempts. `None` if it is absent, or cannot be read.
    pub fn waits(&self) -> Option<SignedDuration> {
        let wait = self.wait.as_ref()?.value.trim();
        let (number, unit) = wait.split_at(wait.len().checked_sub(1).filter(|at| wait.is_char_boundary(*at))?);
        let number: i64 = number.trim().parse().ok().filter(|number| (0..=10_000).contains(number))?;
        match unit {
            "m" => Some(SignedDuration::from_mins(number)),
            "h" => Some(SignedDuration::from_hours(number)),
            "d" => Some(SignedDuration::from_hours(24 * number)),
            _ => None,
        }
    }

    /// True if the percentage is between 1 and 100.
    pub fn is_possible(&self) -> bool {
        (1..=100).contains(&self.percent.value)
    }

    /// Returns this gate, with the usual percentage if its own is not between 1 and 100.
    #[must_use]
    pub fn or_usual(self) -> Self {
        if self.is_possible() {
            return self;
        }
        Self { percent: At { value: Self::USUAL_PERCENT, ..self.percent }, ..self }
    }

    /// Returns how many of `questions` must be answered correctly: `ceil(percent × questions / 100)`, in integers.
    pub fn required(&self, questions: u32) -> u32 {
        (u64::from(self.percent.value) * u64::from(questions)).div_ceil(100) as u32
    }
}

/// A level in `course.yaml`: one of this course, or one of the base course.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(extend("if" = { "not": { "required": ["use"] } }, "then" = { "required": ["id", "title", "question", "lesson"] }))]
pub struct LevelEntry {
    /// Id of a level of the base course that this course uses. The other fields replace the fields of that level. Pages
    /// of `lesson` replace those with the same id; `quiz` replaces the whole quiz.
    #[serde(rename = "use")]
    pub uses: Option<At<String>>,
    /// Stable id, e.g. `one-thread`.
    #[serde(default)]
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Earlier ids of the level. Progress stored under them counts for this level.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// Shown on the course map.
    #[serde(default)]
    pub title: String,
    /// The question that the level answers.
    #[serde(default)]
    pub question: String,
    /// File name in `modules/`.
    #[serde(default)]
    pub lesson: At<String>,
    /// File name in `quizzes/`. A level without a quiz has no gate: the next level opens at the same time as this one.
    pub quiz: Option<At<String>>,
    /// What the level requires in addition to its quiz before the next one opens.
    pub requires: Option<Requires>,
    /// The gate of this level, in place of the course's gate.
    pub gate: Option<Gate>,
    /// The tutor ignores the two dates that a level can have in earlier courses, see [`super::shape`].
    #[serde(default, rename = "opens")]
    #[schemars(skip)]
    _opens: IgnoredAny,
    #[serde(default, rename = "due")]
    #[schemars(skip)]
    _due: IgnoredAny,
    /// Kernels whose recorded share of cuBLAS's speed the map shows as a range, from the slowest to the fastest.
    #[serde(default)]
    pub ladder: Vec<At<String>>,
}

/// What a level requires in addition to its quiz.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Requires {
    /// Ids of exercises. The student must pass one of them; `any` means all exercises of the level that need no
    /// compiler.
    pub exercise: Vec<At<String>>,
}

/// A level's lesson file, `modules/NN-name.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct LessonFile {
    /// The level's id in `course.yaml`.
    pub level: At<String>,
    /// What a student can do after the level. Pages and quiz slots refer to the ids.
    #[schemars(length(max = MAX_OBJECTIVES))]
    pub objectives: Vec<Objective>,
    /// Terms that the level introduces.
    #[serde(default)]
    #[schemars(length(max = MAX_TERMS))]
    pub glossary: Vec<Term>,
    /// The pages, in reading order.
    #[schemars(length(max = MAX_PAGES))]
    pub pages: Vec<Page>,
}

impl LessonFile {
    /// Returns the pages that count: all but the optional ones.
    pub fn regular(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|page| !page.optional)
    }
}

/// A learning objective.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Objective {
    /// Stable id.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// The text after "After this level you can …".
    pub text: String,
}

/// A glossary entry.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Term {
    /// The term.
    pub term: String,
    /// The explanation, in one or two sentences.
    pub means: String,
    /// Other words for it, by which students find it.
    #[serde(default)]
    pub also: Vec<String>,
}

/// One page: at most about 120 words and one thing to look at.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Page {
    /// Stable id, unique in the level.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Earlier ids of the page. If a student has read one of them, this page counts as read.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// Short; shown in the page list.
    pub title: String,
    /// What the page is for.
    pub tag: Tag,
    /// True if the page goes further than the page before it ("more on this"). Students may leave it out: nothing counts it.
    #[serde(default)]
    pub optional: bool,
    /// Ids of the objectives that the page serves.
    #[serde(default)]
    pub objectives: Vec<At<String>>,
    /// Markdown, shown first.
    #[serde(default)]
    pub text: String,
    /// Recall questions. The student answers each one mentally and then reveals the answer.
    #[serde(default)]
    #[schemars(length(max = Page::MAX_RECALLS))]
    pub recall: Vec<Recall>,
    /// A prediction that the student makes before the rest of the page appears.
    pub predict: Option<Predict>,
    /// A question that the student answers in one or two sentences and then compares with a model answer.
    pub why: Option<Why>,
    /// The element to look at.
    pub show: Option<Show>,
    /// Markdown, shown after the prediction (or below `show`).
    #[serde(default)]
    pub after: String,
    /// What the page states and the machine can confirm.
    #[serde(default)]
    #[schemars(length(max = Page::MAX_CLAIMS))]
    pub claims: Vec<At<Claim>>,
    /// In a translation: which original the page translates. `check` shows the value, eight digits of a hash, and
    /// reports when the original has changed.
    pub of: Option<At<String>>,
    /// Rules of `check` that the page breaks on purpose: `page-idle`, `term-too-early`, `answer-given-away`, `cause-unproved`,
    /// `number-differs`, `key-stands-out`, `key-within-noise`, `wavefronts-unproved`.
    #[serde(default)]
    pub allow: Vec<At<String>>,
}

impl Page {
    /// Maximum number of recall questions.
    pub const MAX_RECALLS: usize = 10;
    /// Maximum number of claims.
    pub const MAX_CLAIMS: usize = 20;
}

/// What a page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// Active recall of earlier material.
    Recall,
    /// A scene from everyday life.
    Concrete,
    /// A picture of the data.
    Representational,
    /// The formula.
    Abstract,
    /// Code to read.
    Code,
    /// A simulator to experiment with.
    Simulate,
    /// A hazard to step through.
    Hazard,
    /// Kernels to launch.
    Run,
    /// A question that the student explains in writing.
    Why,
    /// An exercise to do.
    Exercise,
    /// What the student has learnt.
    Summary,
    /// What comes next; also used for the learning goals at the start.
    Preview,
}

/// A question with an answer to reveal.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Recall {
    /// Markdown.
    pub ask: String,
    /// Markdown.
    pub answer: String,
}

/// A question that the student answers in writing. The answer is stored. The student grades it by marking the points of
/// the model answer that it lacks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Why {
    /// Markdown.
    pub ask: String,
    /// A good answer in one to three sentences; Markdown.
    pub model: String,
    /// The points of a complete answer, each in a few words: two to six.
    #[schemars(length(min = Why::POINTS[0], max = Why::POINTS[1]))]
    pub points: Vec<String>,
}

impl Why {
    /// Minimum and maximum number of points of the model answer.
    pub const POINTS: [usize; 2] = [2, 6];
}

/// A prediction: choices, and a reply to each.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Predict {
    /// Markdown.
    pub ask: String,
    /// The choices: two to six.
    #[schemars(length(min = Predict::CHOICES[0], max = Predict::CHOICES[1]))]
    pub choices: Vec<PredictChoice>,
    /// True if each student sees the choices in a separate random order. `false` keeps the order of the file, for
    /// choices in a natural order, e.g. ascending numbers.
    #[serde(default = "yes")]
    pub shuffle: bool,
}

impl Predict {
    /// Minimum and maximum number of choices.
    pub const CHOICES: [usize; 2] = [2, 6];
}

fn yes() -> bool {
    true
}

/// A choice of a [`Predict`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct PredictChoice {
    /// A short text.
    pub text: String,
    /// True if this is what happens.
    #[serde(default)]
    pub correct: bool,
    /// The reply to a student who made this choice.
    pub reply: String,
}
