//! Types of `modules/course.yaml` and of a level's lesson file.

use super::claim::Claim;
use super::limits::{MAX_EDITIONS, MAX_LEVELS, MAX_OBJECTIVES, MAX_PAGES, MAX_TERMS};
use super::lint::ID;
use super::show::Show;
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Deserialize;
use tutor_base::yaml::At;

/// `modules/course.yaml`: the levels in order and what opens the next.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CourseFile {
    /// Stable id of the course; progress is stored under it.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Ids that the course had before: progress that is stored under them is this course's.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// Of this edition of the course, e.g. `2026.1`: attempts and results name it.
    #[serde(default)]
    pub version: String,
    /// The exam's name, in a course that `seal` wrote: its quizzes have no keys, and attempts at them are kept and not graded.
    #[serde(default)]
    pub exam: String,
    /// The course whose levels this one may use: `built-in`, or a directory as seen from this one.
    #[serde(default)]
    #[schemars(with = "String")]
    pub extends: Option<At<String>>,
    /// Shown on the course map.
    pub title: String,
    /// One sentence below the title.
    #[serde(default)]
    pub question: String,
    /// Language codes of the editions, the first being the original (`modules/`, `quizzes/`);
    /// the others live in `modules/CODE/` and `quizzes/CODE/` with the same file names and ids.
    #[schemars(length(min = 1, max = MAX_EDITIONS))]
    pub languages: Vec<At<String>>,
    /// What passes a level.
    pub gate: Gate,
    /// In the order in which they open.
    #[schemars(length(min = 1, max = MAX_LEVELS))]
    pub levels: Vec<LevelEntry>,
    /// What `check` is to let pass.
    #[serde(default)]
    pub allow: Vec<Allowance>,
}

/// A rule of `check` that the course breaks on purpose.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// The rule's code. What keeps a file from being read cannot be allowed.
    pub code: At<String>,
    /// The reason, for whoever reads the course after you.
    pub why: String,
    /// The file or folder in which it may be broken, e.g. `quizzes/08-lab.yaml`; the whole course if absent.
    #[serde(default)]
    #[schemars(with = "String")]
    pub path: Option<At<String>>,
}

/// What passes a level, and how often it may be tried.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    pub percent: At<u32>,
    /// Most attempts that count; any number where it is not given. Practice stays open.
    #[serde(default)]
    #[schemars(with = "Option<u32>")]
    pub attempts: Option<At<u32>>,
    /// The time from one attempt to the next, e.g. `10m`, `12h` or `1d`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub wait: Option<At<String>>,
}

impl Gate {
    /// What a gate asks for whose own figure cannot be used: 7 of 8 questions.
    pub const USUAL_PERCENT: u32 = 80;

    /// One that asks for so many percent, as often as one likes.
    pub fn of_percent(percent: u32) -> Self {
        Self { percent: At::from(percent), attempts: None, wait: None }
    }

    /// Most attempts that count.
    pub fn most_attempts(&self) -> Option<u32> {
        self.attempts.map(|attempts| attempts.value)
    }

    /// The time from one attempt to the next; none if there is none, or it cannot be read.
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

    /// Whether it asks for 1 to 100 percent.
    pub fn is_possible(&self) -> bool {
        (1..=100).contains(&self.percent.value)
    }

    /// This one, or the usual one if this one asks for more than all or for nothing.
    #[must_use]
    pub fn or_usual(self) -> Self {
        if self.is_possible() {
            return self;
        }
        Self { percent: At { value: Self::USUAL_PERCENT, ..self.percent }, ..self }
    }

    /// Correct answers needed of `questions`: `ceil(percent × questions / 100)`, in integers.
    pub fn required(&self, questions: u32) -> u32 {
        (u64::from(self.percent.value) * u64::from(questions)).div_ceil(100) as u32
    }
}

/// One level in `course.yaml`: of the course's own, or one of the course that it extends.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("if" = { "not": { "required": ["use"] } }, "then" = { "required": ["id", "title", "question", "lesson"] }))]
pub struct LevelEntry {
    /// The level of the course beneath that is used, by its id. What stands beside it is said instead of what is said
    /// there: pages of `lesson` replace those of the same id, `quiz` the whole quiz.
    #[serde(default, rename = "use")]
    #[schemars(with = "String")]
    pub uses: Option<At<String>>,
    /// Stable id, e.g. `one-thread`.
    #[serde(default)]
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Ids that the level had before: progress that is stored under them is this level's.
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
    /// File name in `quizzes/`. A level without one has no gate: it opens what the level before it opens.
    #[serde(default)]
    #[schemars(with = "String")]
    pub quiz: Option<At<String>>,
    /// What the level asks for beside its quiz before the next one opens.
    #[serde(default)]
    #[schemars(with = "Requires")]
    pub requires: Option<Requires>,
    /// What passes this level, in the place of the course's gate.
    #[serde(default)]
    #[schemars(with = "Gate")]
    pub gate: Option<Gate>,
    /// When the level opens, in words or as a date: it is shown, nobody is held to it.
    #[serde(default)]
    pub opens: String,
    /// When the level is due: it is shown, nobody is held to it.
    #[serde(default)]
    pub due: String,
    /// Kernels whose recorded share of cuBLAS the map shows as the level's span: the slowest and the fastest.
    #[serde(default)]
    pub ladder: Vec<At<String>>,
}

/// What a level asks for beside its quiz.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requires {
    /// Ids of exercises of which one must be passed; `any` stands for all of the level that need no compiler.
    pub exercise: Vec<At<String>>,
}

/// A level's lesson file, `modules/NN-name.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonFile {
    /// The level's id in `course.yaml`.
    pub level: At<String>,
    /// What a student can do afterwards; ids are referred to by pages and quiz slots.
    #[schemars(length(max = MAX_OBJECTIVES))]
    pub objectives: Vec<Objective>,
    /// Terms introduced here.
    #[serde(default)]
    #[schemars(length(max = MAX_TERMS))]
    pub glossary: Vec<Term>,
    /// In reading order.
    #[schemars(length(max = MAX_PAGES))]
    pub pages: Vec<Page>,
}

/// A learning objective.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// Stable id.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// "After this level you can …", without those words.
    pub text: String,
}

/// A glossary entry.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The term.
    pub term: String,
    /// One or two sentences.
    pub means: String,
}

/// One page: at most about 120 words and one thing to look at.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// Stable id, unique in the level.
    #[schemars(regex(pattern = ID))]
    pub id: At<String>,
    /// Ids that the page had before: who read those has read this one.
    #[serde(default)]
    pub was: Vec<At<String>>,
    /// Short; shown in the page list.
    pub title: String,
    /// What the page is for.
    pub tag: Tag,
    /// Objectives it serves.
    #[serde(default)]
    pub objectives: Vec<At<String>>,
    /// Markdown, shown first.
    #[serde(default)]
    pub text: String,
    /// Recall questions, each answered in the student's head, then revealed.
    #[serde(default)]
    #[schemars(length(max = Page::MOST_RECALLS))]
    pub recall: Vec<Recall>,
    /// A prediction to commit to before the rest of the page appears.
    #[serde(default)]
    pub predict: Option<Predict>,
    /// A question to answer in one or two sentences, to be held against a model answer.
    #[serde(default)]
    pub why: Option<Why>,
    /// The thing to look at.
    #[serde(default)]
    pub show: Option<Show>,
    /// Markdown, shown after the prediction (or below `show`).
    #[serde(default)]
    pub after: String,
    /// What the page states and the machine can confirm.
    #[serde(default)]
    #[schemars(length(max = Page::MOST_CLAIMS))]
    pub claims: Vec<At<Claim>>,
    /// Of a page in a translation: which original it translates, by the eight digits that `check` names. When the original
    /// changes, `check` says so.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub of: Option<At<String>>,
    /// Rules of `check` that the page breaks on purpose: `page-idle`, `term-too-early`, `answer-given-away`.
    #[serde(default)]
    pub allow: Vec<At<String>>,
}

impl Page {
    /// Most recall questions.
    pub const MOST_RECALLS: usize = 10;
    /// Most claims.
    pub const MOST_CLAIMS: usize = 20;
}

/// What a page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// Active recall of earlier matter.
    Recall,
    /// A scene from life.
    Concrete,
    /// A picture of the data.
    Representational,
    /// The formula.
    Abstract,
    /// Reading code.
    Code,
    /// Playing with a simulator.
    Simulate,
    /// Stepping through a hazard.
    Hazard,
    /// Launching kernels.
    Run,
    /// Self-explanation.
    Why,
    /// Doing.
    Exercise,
    /// What was learnt.
    Summary,
    /// What comes next; also used for the learning goals at the start.
    Preview,
}

/// A question with an answer to reveal.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recall {
    /// Markdown.
    pub ask: String,
    /// Markdown.
    pub answer: String,
}

/// A question that is answered in the student's own words. What was written is kept; nobody grades it but the student,
/// who marks which points of the model answer it lacked.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Why {
    /// Markdown.
    pub ask: String,
    /// A good answer in one to three sentences; Markdown.
    pub model: String,
    /// What a whole answer says, each in a few words: two to six.
    #[schemars(length(min = Why::POINTS[0], max = Why::POINTS[1]))]
    pub points: Vec<String>,
}

impl Why {
    /// Fewest and most points of the model answer.
    pub const POINTS: [usize; 2] = [2, 6];
}

/// A prediction: choices, and what to say to whoever made each.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Predict {
    /// Markdown.
    pub ask: String,
    /// Two to six.
    #[schemars(length(min = Predict::CHOICES[0], max = Predict::CHOICES[1]))]
    pub choices: Vec<PredictChoice>,
    /// Whether each student sees the choices in an order of their own. `false` keeps the file's, where the order
    /// carries meaning: numbers that ascend.
    #[serde(default = "yes")]
    pub shuffle: bool,
}

impl Predict {
    /// Fewest and most choices.
    pub const CHOICES: [usize; 2] = [2, 6];
}

fn yes() -> bool {
    true
}

/// A choice of a [`Predict`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictChoice {
    /// Short.
    pub text: String,
    /// Whether it is what happens.
    #[serde(default)]
    pub correct: bool,
    /// Speaks to this choice.
    pub reply: String,
}
