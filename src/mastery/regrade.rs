/*! A corrected key applied to answers that were given before.

What was right stays right, and a pass stays a pass: a student was told so. What was wrong and is right by the key of today counts.
*/

use super::grade::grade;
use super::handed_in::HandedAttempt;
use super::question::{Drawn, present_as_it_is};
use serde::Serialize;
use tutor_course::{Answer, QuizFile};

/// What a corrected key changes in an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Regraded {
    /// The level's id.
    pub level: String,
    /// When it was submitted.
    pub submitted_at: String,
    /// Right answers before, and now.
    pub correct: [u32; 2],
    /// Whether the gate is passed by it, before and now.
    pub passed: [bool; 2],
    /// Answers that count now.
    pub counts: Vec<[String; 2]>,
    /// Answers that today's key has as wrong, and that count all the same.
    pub kept: Vec<[String; 2]>,
    /// Questions that are not there any more.
    pub gone: Vec<[String; 2]>,
}

/// Grades an attempt anew by a level's quiz; what changed comes back, nothing if nothing did.
pub fn regrade(quiz: &QuizFile, attempt: &mut HandedAttempt) -> Option<Regraded> {
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
        // As it was kept: what does not fit the question is no answer.
        let answer = serde_json::from_value::<Answer>(item.answer.clone()).ok();
        let answer = answer.filter(|answer| question.unfit(answer).is_none());
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
