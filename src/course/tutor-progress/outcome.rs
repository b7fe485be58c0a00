//! The outcome of an attempt. The field names are those of `quiz --json`.

use super::attempt::Attempt;
use super::grade::grade;
use super::question::{Question, QuizError};
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::Answer;
use tutor_course::{Gate, QuizFile};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    pub level: String,
    /// The attempt's number in the store.
    pub attempt: String,
    /// True if it counts; false for practice.
    pub gate: bool,
    pub correct: u32,
    pub questions: u32,
    /// Number of correct answers that pass.
    pub required: u32,
    /// True if enough answers were correct, also in practice.
    pub passed: bool,
    /// True for an exam, which the instructor grades. All other results then have no meaning.
    pub ungraded: bool,
    /// Levels that this attempt unlocked.
    pub unlocked: Vec<String>,
    /// One item per question, in the order asked.
    pub items: Vec<OutcomeItem>,
}

/// The result of one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeItem {
    pub slot: String,
    pub variant: String,
    pub correct: bool,
    /// For a miss, the reason for the given answer.
    pub why: Option<String>,
    /// Why the correct answer is correct. `None` after a failed gate, because that must not reveal its key.
    pub because: Option<String>,
    /// The page to read again after a miss.
    pub page: String,
}

impl Outcome {
    pub fn misses(&self) -> impl Iterator<Item = &OutcomeItem> {
        self.items.iter().filter(|item| !item.correct)
    }

    /// Replaces the shown texts of each question by those of a reloaded quiz.
    pub fn reword(&mut self, quiz: &QuizFile, attempt: &Attempt) {
        for (item, question) in self.items.iter_mut().zip(&attempt.questions) {
            let Ok(graded) = grade(quiz, question, attempt.answer_to(question)) else { continue };
            if graded.correct == item.correct {
                item.why = item.why.take().and(graded.why);
                item.because = item.because.take().map(|_| graded.because);
            }
        }
    }

    /// Returns the outcome without grades, for a course without keys. It counts as passed, so that the next level
    /// opens.
    pub(super) fn ungraded(mut self) -> Self {
        for item in &mut self.items {
            (item.correct, item.why, item.because) = (false, None, None);
        }
        Self { correct: 0, required: 0, passed: true, ungraded: true, ..self }
    }

    /// Removes the explanations of the correct answers after a failed gate.
    pub(super) fn keep_key(mut self) -> Self {
        if self.gate && !self.passed {
            for item in &mut self.items {
                item.because = None;
            }
        }
        self
    }
}

/// Grades all questions of an attempt. The caller adds the unlocked levels.
pub(super) fn outcome(
    quiz: &QuizFile,
    gate: &Gate,
    questions: &[Question],
    answers: &BTreeMap<String, Answer>,
) -> Result<Outcome, QuizError> {
    let items = questions
        .iter()
        .map(|question| {
            let graded = grade(quiz, question, answers.get(&question.slot))?;
            Ok(OutcomeItem {
                slot: question.slot.clone(),
                variant: question.variant.clone(),
                correct: graded.correct,
                why: graded.why,
                because: Some(graded.because),
                page: question.page.clone(),
            })
        })
        .collect::<Result<Vec<_>, QuizError>>()?;
    let correct = items.iter().filter(|item| item.correct).count() as u32;
    let required = gate.required(items.len() as u32);
    Ok(Outcome {
        level: quiz.level.value.clone(),
        attempt: String::new(),
        gate: false,
        correct,
        questions: items.len() as u32,
        required,
        passed: correct >= required,
        ungraded: false,
        unlocked: Vec::new(),
        items,
    })
}
