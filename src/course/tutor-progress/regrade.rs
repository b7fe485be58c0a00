/*! Applies a corrected key to earlier answers.

A correct answer stays correct, and a pass stays a pass, because the student has seen that result. An answer that
only the new key accepts becomes correct.
*/

use super::grade::grade;
use super::handed_in::HandedAttempt;
use super::question::{Drawn, present_as_it_is};
use serde::Serialize;
use tutor_course::{Answer, QuizFile};

/// The changes that a corrected key makes in an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Regraded {
    pub level: String,
    pub submitted_at: String,
    /// Number of correct answers before and after.
    pub correct: [u32; 2],
    /// Whether the gate is passed, before and after.
    pub passed: [bool; 2],
    /// Slots and variants whose answers now count.
    pub counts: Vec<[String; 2]>,
    /// Slots and variants whose answers are incorrect by the new key but still count.
    pub kept: Vec<[String; 2]>,
    /// Slots and variants that no longer exist.
    pub gone: Vec<[String; 2]>,
}

/// Regrades an attempt with a level's quiz. Returns the changes, or `None` if nothing changed. Does not grade attempts
/// at an exam.
pub fn regrade(quiz: &QuizFile, attempt: &mut HandedAttempt) -> Option<Regraded> {
    if attempt.is_ungraded() {
        return None;
    }
    let (before, passed) = (attempt.correct, attempt.passed());
    let (mut counts, mut kept, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    for item in &mut attempt.items {
        let name = || [item.slot.clone(), item.variant.clone()];
        let drawn = Drawn {
            slot: item.slot.clone(),
            variant: item.variant.clone(),
            parameters: item.parameters.clone(),
            order: item.choices.clone(),
            fingerprint: 0,
        };
        let Ok(question) = present_as_it_is(quiz, &drawn) else {
            gone.push(name());
            continue;
        };
        // A stored value that does not fit the question is not an answer.
        let answer = serde_json::from_value::<Answer>(item.answer.clone()).ok();
        let answer = answer.filter(|answer| question.no_longer_valid(answer).is_none());
        let Ok(graded) = grade(quiz, &question, answer.as_ref()) else { continue };
        match (item.correct, graded.correct) {
            (false, true) => {
                counts.push(name());
                (item.correct, item.why) = (true, None);
            }
            (true, false) => kept.push(name()),
            (false, false) => item.why = graded.why,
            (true, true) => {}
        }
    }
    attempt.correct = before.saturating_add(counts.len() as u32);
    let told = Regraded {
        level: attempt.level.clone(),
        submitted_at: attempt.submitted_at.clone(),
        correct: [before, attempt.correct],
        passed: [passed, attempt.passed()],
        counts,
        kept,
        gone,
    };
    (!told.counts.is_empty() || !told.kept.is_empty() || !told.gone.is_empty()).then_some(told)
}
