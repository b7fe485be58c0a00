//! An attempt at a quiz, in progress or finished.

use super::question::{Drawn, Question, QuizError, present};
use super::store::{StoreError, answer_key};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tutor_course::{Answer, QuizFile};
use tutor_support::t;
use tutor_support::words::Sentence;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptKind {
    /// Counts, with feedback after the last answer.
    Gate,
    /// Does not count, with feedback after each answer.
    Practice,
}

impl AttemptKind {
    /// Returns the name to show to the student.
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

/// An attempt in progress, as in the store.
///
/// Change it with [`Store::change`](super::Store::change), which commits first.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Its number in the store.
    pub id: i64,
    pub level: String,
    pub kind: AttemptKind,
    /// The seed of its draw.
    pub seed: u64,
    /// One question per slot, in the quiz's order.
    pub questions: Vec<Question>,
    /// The latest answer to each slot.
    pub answers: BTreeMap<String, Answer>,
    /// Slots marked for review.
    pub flagged: BTreeSet<String>,
    /// Index of the current question; `questions.len()` is the review before submission.
    pub position: usize,
}

impl Attempt {
    /// Returns the current question. `None` in the review before submission.
    pub fn current(&self) -> Option<&Question> {
        self.questions.get(self.position)
    }

    /// Returns the answer to a question, if any.
    pub fn answer_to(&self, question: &Question) -> Option<&Answer> {
        self.answers.get(&question.slot)
    }

    /// Returns the key of the draft of a question's answer ([`Store::put_draft`](super::Store::put_draft)).
    pub fn draft_key(&self, question: &Question) -> String {
        answer_key(self.id, &question.slot)
    }

    /// Applies a change to this value, without the store.
    pub fn change(&mut self, change: Change) {
        match change.answer {
            Some((slot, Some(answer))) => drop(self.answers.insert(slot, answer)),
            Some((slot, None)) => drop(self.answers.remove(&slot)),
            None => {}
        }
        match change.flag {
            Some((slot, true)) => drop(self.flagged.insert(slot)),
            Some((slot, false)) => drop(self.flagged.remove(&slot)),
            None => {}
        }
        self.position = change.go_to.map_or(self.position, |position| position.min(self.questions.len()));
    }

    /// Adopts the wording of a quiz that was reloaded, corrected or in another language. A question whose key has
    /// changed keeps its wording.
    pub fn reword(&mut self, quiz: &QuizFile) {
        for question in &mut self.questions {
            if let Ok(reworded) = present(quiz, &Drawn::from(&*question)) {
                *question = reworded;
            }
        }
    }
}

/// A change to an attempt in progress.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// A slot and its answer; without an answer, the question is open again.
    pub answer: Option<(String, Option<Answer>)>,
    /// A slot, and whether its question is marked for review.
    pub flag: Option<(String, bool)>,
    pub go_to: Option<usize>,
}

/// Result of [`Store::begin`](super::Store::begin).
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    /// A new attempt was drawn.
    New(Attempt),
    /// The attempt in progress continues at its position.
    Resumed(Attempt),
    /// The attempt in progress was closed without counting, because the quiz has been edited. Report this and begin
    /// again.
    Stale(QuizError),
}

/// Why an attempt cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum AttemptError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The quiz is broken or has been edited since.
    #[error(transparent)]
    Quiz(#[from] QuizError),
    /// The answer does not have the form that the question needs. Nothing was stored.
    #[error("{0}")]
    NotAnAnswer(Sentence),
    /// Another terminal has submitted or abandoned the attempt.
    #[error("{}", t!("mastery-attempt-over"))]
    Over,
    /// An exam has no practice, because there is no key.
    #[error("{}", t!("mastery-exam-practice"))]
    Exam,
    /// An exam needs the student's name to draw the questions.
    #[error("{}", t!("mastery-exam-nobody"))]
    Nobody,
    /// No further attempt is allowed.
    #[error("{}", t!("mastery-no-attempt-left", attempts = *attempts))]
    NoAttemptLeft {
        /// Number of attempts so far.
        attempts: u32,
        /// True in an exam, which has no practice.
        exam: bool,
    },
    /// The next attempt must wait.
    #[error("{}", t!("mastery-wait", until = until.as_str()))]
    Wait {
        /// When it may begin, in local time.
        until: String,
        /// True in an exam, which has no practice.
        exam: bool,
    },
    #[error("{}", t!("mastery-locked", level, by = gate))]
    Locked {
        /// The locked level, by number and title.
        level: String,
        /// Id of the level whose gate opens it.
        by: String,
        /// That level, by number and title.
        gate: String,
    },
}

impl AttemptError {
    /// Returns advice, if there is any.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Store(error) => Some(error.help()),
            Self::Quiz(error) => Some(error.help.to_string()),
            Self::NotAnAnswer(_) | Self::Exam => None,
            Self::Nobody => Some(t!("mastery-exam-nobody-help")),
            Self::NoAttemptLeft { exam: true, .. } | Self::Wait { exam: true, .. } => Some(t!("seal-hand-in")),
            Self::NoAttemptLeft { .. } | Self::Wait { .. } => Some(t!("mastery-practise")),
            Self::Over => Some(t!("mastery-attempt-over-help")),
            Self::Locked { by, .. } => Some(t!("mastery-locked-help", by = by.as_str())),
        }
    }
}
