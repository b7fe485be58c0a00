//! What an attempt came to. Field names are those of `quiz --json`.

use super::attempt::Attempt;
use super::grade::grade;
use super::question::{Question, QuizError};
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::Answer;
use tutor_course::{Gate, QuizFile};

/// A submitted attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The level's id.
    pub level: String,
    /// The attempt's number in the store.
    pub attempt: String,
    /// Whether it counts; a practice attempt does not.
    pub gate: bool,
    /// Right answers.
    pub correct: u32,
    /// Questions asked.
    pub questions: u32,
    /// Right answers that pass.
    pub required: u32,
    /// Whether there were enough, be it a gate or practice.
    pub passed: bool,
    /// Whether it is an exam's, which somebody else grades: then nothing else here says anything.
    pub ungraded: bool,
    /// Levels that this attempt opened.
    pub unlocked: Vec<String>,
    /// One a question, in the order asked.
    pub items: Vec<OutcomeItem>,
}

/// A question's part in an [`Outcome`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeItem {
    /// The slot's id.
    pub slot: String,
    /// The variant's id.
    pub variant: String,
    /// Right or wrong.
    pub correct: bool,
    /// For a miss, the reason that belongs to the answer given.
    pub why: Option<String>,
    /// Why the right answer is right; absent after a failed gate, which keeps its key.
    pub because: Option<String>,
    /// The page to re-read after a miss.
    pub page: String,
}

impl Outcome {
    /// The questions missed.
    pub fn misses(&self) -> impl Iterator<Item = &OutcomeItem> {
        self.items.iter().filter(|item| !item.correct)
    }

    /// Says of each question of its attempt what a quiz that was read again says, as far as that was said before.
    pub fn reword(&mut self, quiz: &QuizFile, attempt: &Attempt) {
        for (item, question) in self.items.iter_mut().zip(&attempt.questions) {
            let Ok(graded) = grade(quiz, question, attempt.answer_to(question)) else { continue };
            if graded.correct == item.correct {
                item.why = item.why.take().and(graded.why);
                item.because = item.because.take().map(|_| graded.because);
            }
        }
    }

    /// As it is where there are no keys: nothing is asked for, so that what comes after it opens.
    pub(super) fn ungraded(mut self) -> Self {
        for item in &mut self.items {
            (item.correct, item.why, item.because) = (false, None, None);
        }
        Self { correct: 0, required: 0, passed: true, ungraded: true, ..self }
    }

    /// Hides the key where it must stay hidden.
    pub(super) fn keep_key(mut self) -> Self {
        if self.gate && !self.passed {
            for item in &mut self.items {
                item.because = None;
            }
        }
        self
    }
}

/// Grades all questions of an attempt; the outcome still lacks what it unlocked.
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
