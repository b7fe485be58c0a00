//! An attempt at a quiz, under way or over.

use super::question::{Drawn, Question, QuizError, present};
use super::store::{StoreError, answer_key};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tutor_base::t;
use tutor_course::{Answer, QuizFile};

/// Whether an attempt counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptKind {
    /// Counts; feedback after the last answer.
    Gate,
    /// Does not count; feedback at once.
    Practice,
}

impl AttemptKind {
    /// For people.
    pub fn shown(self) -> String {
        match self {
            Self::Gate => t!("log-gate"),
            Self::Practice => t!("log-practice"),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gate => "gate",
            Self::Practice => "practice",
        }
    }
}

/// An attempt under way, as the store has it.
///
/// Change it by [`Store::change`](super::Store::change), which commits first.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// In the store.
    pub id: i64,
    /// The level's id.
    pub level: String,
    /// Gate or practice.
    pub kind: AttemptKind,
    /// What it was drawn by.
    pub seed: u64,
    /// One a slot, in the quiz's order.
    pub questions: Vec<Question>,
    /// By slot; the latest of each.
    pub answers: BTreeMap<String, Answer>,
    /// Slots marked for review.
    pub flagged: BTreeSet<String>,
    /// The question being looked at, from 0; `questions.len()` stands for the review before submission.
    pub position: usize,
}

impl Attempt {
    /// The question being looked at; `None` at the review before submission.
    pub fn current(&self) -> Option<&Question> {
        self.questions.get(self.position)
    }

    /// The answer given to a question, if any.
    pub fn answer_to(&self, question: &Question) -> Option<&Answer> {
        self.answers.get(&question.slot)
    }

    /// The key of the draft of a question's answer ([`Store::put_draft`](super::Store::put_draft)).
    pub fn draft_key(&self, question: &Question) -> String {
        answer_key(self.id, &question.slot)
    }

    /// Makes a change here alone.
    pub fn change(&mut self, change: Change) {
        self.answers.extend(change.answer);
        match change.flag {
            Some((slot, true)) => drop(self.flagged.insert(slot)),
            Some((slot, false)) => drop(self.flagged.remove(&slot)),
            None => {}
        }
        self.position = change.go_to.map_or(self.position, |position| position.min(self.questions.len()));
    }

    /// Takes the wording of a quiz that was read again, in another language or corrected; a question whose key changed stays
    /// as it was shown.
    pub fn reword(&mut self, quiz: &QuizFile) {
        for question in &mut self.questions {
            if let Ok(reworded) = present(quiz, &Drawn::from(&*question)) {
                *question = reworded;
            }
        }
    }

    /// Positions of the questions without an answer.
    pub fn unanswered(&self) -> Vec<usize> {
        let open = |(at, question): (usize, &Question)| self.answer_to(question).is_none().then_some(at);
        self.questions.iter().enumerate().filter_map(open).collect()
    }
}

/// A change to an attempt under way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// An answer, by its slot.
    pub answer: Option<(String, Answer)>,
    /// Whether a question is marked for review, by its slot.
    pub flag: Option<(String, bool)>,
    /// The position to look at.
    pub go_to: Option<usize>,
}

/// What [`Store::begin`](super::Store::begin) found.
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    /// A new attempt was drawn.
    New(Attempt),
    /// The attempt that was under way goes on at its position.
    Resumed(Attempt),
    /// The attempt under way was closed without counting, because the quiz was edited; say so and begin again.
    Stale(QuizError),
}

/// Why an attempt cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum AttemptError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The quiz is broken, or was edited meanwhile.
    #[error(transparent)]
    Quiz(#[from] QuizError),
    /// The answer lacks the form that the question needs; nothing was stored.
    #[error("{0}")]
    NotAnAnswer(String),
    /// The attempt was submitted or left meanwhile, by another terminal.
    #[error("{}", t!("mastery-attempt-over"))]
    Over,
    /// An exam has no practice: there is no key to practise with.
    #[error("{}", t!("mastery-exam-practice"))]
    Exam,
    /// An exam is drawn by who the student is.
    #[error("{}", t!("mastery-exam-nobody"))]
    Nobody,
    /// There may be no further attempt.
    #[error("{}", t!("mastery-no-attempt-left", attempts = *attempts))]
    NoAttemptLeft {
        /// That were made.
        attempts: u32,
    },
    /// The next attempt has to wait.
    #[error("{}", t!("mastery-wait", until = until.as_str()))]
    Wait {
        /// When it may begin, by the student's clock.
        until: String,
    },
    /// The level is locked.
    #[error("{}", t!("mastery-locked", level = level.as_str(), by = by.as_str()))]
    Locked {
        /// The locked level's id.
        level: String,
        /// The level whose gate opens it.
        by: String,
    },
}

impl AttemptError {
    /// What to do, where there is something.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Store(error) => Some(error.help()),
            Self::Quiz(error) => Some(error.help.clone()),
            Self::NotAnAnswer(_) | Self::Exam => None,
            Self::Nobody => Some(t!("mastery-exam-nobody-help")),
            Self::NoAttemptLeft { .. } | Self::Wait { .. } => Some(t!("mastery-practise")),
            Self::Over => Some(t!("mastery-attempt-over-help")),
            Self::Locked { by, .. } => Some(t!("mastery-locked-help", by = by.as_str())),
        }
    }
}
