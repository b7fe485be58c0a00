/*! Grades attempts again, with the quiz as it is now.

[`mark`] grades by the answers alone. [`regrade`] applies a corrected key to earlier answers.

A correct answer stays correct, and a pass stays a pass, because the student has seen that result. An answer that
only the new key accepts becomes correct.
*/

use super::draw::may_draw;
use super::grade::{Graded, grade};
use super::handed_in::{HandedAttempt, HandedItem};
use super::question::{Drawn, present_as_it_is};
use serde::Serialize;
use std::collections::BTreeSet;
use tutor_course::{Answer, Gate, QuizFile};

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

/// What the marks of an attempt state differently from its answers: slots, each at most once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contradicted {
    /// Its mark is not that of its answer.
    pub marks: BTreeSet<String>,
    /// The quiz has the slot, but the attempt does not.
    pub missing: BTreeSet<String>,
    /// The quiz has no such question, or the attempt has answered the slot already.
    pub unknown: BTreeSet<String>,
    /// True if the sum or the number that passes is not that of the quiz and its gate.
    pub sums: bool,
}

/// Grades an attempt by its answers alone, each slot of the quiz once. No mark in the attempt counts. Does not grade attempts
/// at an exam.
pub fn mark(quiz: &QuizFile, gate: &Gate, attempt: &mut HandedAttempt) -> Contradicted {
    let mut found = Contradicted::default();
    if attempt.is_ungraded() {
        return found;
    }
    let mut left: BTreeSet<&str> = quiz.slots.iter().map(|slot| slot.id.value.as_str()).collect();
    for item in &mut attempt.items {
        let graded = left.remove(item.slot.as_str()).then(|| answered(quiz, item)).flatten();
        let correct = graded.as_ref().is_some_and(|graded| graded.correct);
        let of = if graded.is_none() { &mut found.unknown } else { &mut found.marks };
        if graded.is_none() || correct != item.correct {
            of.insert(item.slot.clone());
        }
        item.correct = correct;
        item.why = graded.and_then(|graded| graded.why);
    }
    found.missing = left.into_iter().map(str::to_owned).collect();
    let questions = quiz.slots.len() as u32;
    let correct = attempt.items.iter().filter(|item| item.correct).count() as u32;
    let sums = [correct, questions, gate.required(questions)];
    found.sums = sums != [attempt.correct, attempt.questions, attempt.required];
    [attempt.correct, attempt.questions, attempt.required] = sums;
    found
}

/// Returns the slots whose questions the seed of an attempt does not draw. Either the quiz has changed since, or the file has.
pub fn undrawn(quiz: &QuizFile, attempt: &HandedAttempt) -> BTreeSet<String> {
    let is_drawn = |item: &HandedItem| {
        let slot = quiz.slots.iter().find(|slot| slot.id.value == item.slot);
        slot.is_none_or(|slot| may_draw(slot, attempt.seed, &drawn(item)))
    };
    attempt.items.iter().filter(|item| !is_drawn(item)).map(|item| item.slot.clone()).collect()
}

fn drawn(item: &HandedItem) -> Drawn {
    Drawn {
        slot: item.slot.clone(),
        variant: item.variant.clone(),
        parameters: item.parameters.clone(),
        order: item.choices.clone(),
        fingerprint: 0,
    }
}

/// Grades the answer of an item. `None` if the quiz does not have the question.
fn answered(quiz: &QuizFile, item: &HandedItem) -> Option<Graded> {
    let question = present_as_it_is(quiz, &drawn(item)).ok()?;
    // A stored value that does not fit the question is not an answer.
    let answer = serde_json::from_value::<Answer>(item.answer.clone()).ok();
    let answer = answer.filter(|answer| question.no_longer_valid(answer).is_none());
    grade(quiz, &question, answer.as_ref()).ok()
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
        let Some(graded) = answered(quiz, item) else {
            gone.push(name());
            continue;
        };
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
