//! Grading: right or wrong, and the reason that belongs to *this* answer.

use super::answer::Answer;
use super::question::{Question, QuizError, evaluate, fill, find};
use super::{number, text, tokens};
use crate::course::{AnswerSpec, Choice, Cloze, Numeric, Order, QuizFile, TextAnswer};
use serde::Serialize;
use std::collections::BTreeMap;

/// An answer's grade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Graded {
    /// Right or wrong; there is no half.
    pub correct: bool,
    /// What kind of miss it is; absent if right.
    pub miss: Option<Miss>,
    /// For a miss, the reason that belongs to this answer. Does not give the key away.
    pub why: Option<String>,
    /// Why the right answer is right. Gives the key away: for practice and passed attempts.
    pub because: String,
}

/// How an answer misses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Miss {
    /// No answer was given.
    NotAnswered,
    /// It lacks the form that the question needs.
    Malformed,
    /// A wrong choice, by id; the author's first if there are several.
    WrongChoice(String),
    /// All that was chosen holds, but something else does, too.
    MissingChoice,
    /// A typical slip that the author foresaw.
    Slip,
    /// A wrong number or text that nobody foresaw.
    Other,
    /// A blank, from 1: the first wrong one.
    Blank(usize),
    /// The id of the first event out of place.
    Misplaced(String),
}

type Verdict = Result<(), (Miss, String)>;

/// Grades an answer, or the lack of one.
///
/// # Errors
/// If the quiz has no such question any more, or its formula cannot be computed.
pub fn grade(quiz: &QuizFile, question: &Question, answer: Option<&Answer>) -> Result<Graded, QuizError> {
    let Some((_, variant)) = find(quiz, &question.slot, &question.variant) else {
        return Err(QuizError::broken(format!(
            "The quiz has no variant `{}` in slot `{}`.",
            question.variant, question.slot
        )));
    };
    let parameters = &question.parameters;
    let malformed = |problem: String| Err((Miss::Malformed, problem));
    let verdict = match (answer, &variant.answer) {
        (None, _) => Err((Miss::NotAnswered, "Not answered.".to_owned())),
        (Some(answer), _) if answer.problem(question).is_some() => {
            malformed(answer.problem(question).unwrap_or_default())
        }
        (Some(Answer::Single(id)), AnswerSpec::Single(choices)) => multiple(choices, std::slice::from_ref(id)),
        (Some(Answer::Multiple(ids)), AnswerSpec::Multiple(choices)) => multiple(choices, ids),
        (Some(Answer::Number(typed)), AnswerSpec::Numeric(spec)) => numeric(spec, parameters, typed)?,
        (Some(Answer::Text(typed)), AnswerSpec::Text(spec)) => short_text(spec, typed),
        (Some(Answer::Blanks(typed)), AnswerSpec::Cloze(spec)) => cloze(spec, typed),
        (Some(Answer::Order(ids)), AnswerSpec::Order(spec)) => order(spec, ids),
        (Some(_), _) => malformed("The answer is of another kind than the question.".to_owned()),
    };
    let because = fill(&variant.because, parameters);
    Ok(match verdict {
        Ok(()) => Graded { correct: true, miss: None, why: None, because },
        Err((miss, why)) => Graded { correct: false, miss: Some(miss), why: Some(fill(&why, parameters)), because },
    })
}

/// Right only if exactly the right ones are chosen. A wrong choice is a worse mistake than a missed one.
fn multiple(choices: &[Choice], ids: &[String]) -> Verdict {
    let chosen = |choice: &&Choice| ids.contains(&choice.id.value);
    if let Some(wrong) = choices.iter().filter(chosen).find(|choice| !choice.correct) {
        let why = wrong.why.clone().unwrap_or_else(|| format!("“{}” does not hold.", wrong.text.trim()));
        return Err((Miss::WrongChoice(wrong.id.value.clone()), why));
    }
    if choices.iter().any(|choice| choice.correct && !chosen(&choice)) {
        return Err((Miss::MissingChoice, "What you chose holds, but there is more that holds.".to_owned()));
    }
    Ok(())
}

fn numeric(spec: &Numeric, parameters: &BTreeMap<String, f64>, typed: &str) -> Result<Verdict, QuizError> {
    let expected = evaluate(&spec.formula, parameters).map_err(QuizError::broken)?;
    let typed = match number::read(typed, spec.unit.as_deref()) {
        Ok(typed) => typed,
        Err(problem) => return Ok(Err((Miss::Malformed, problem))),
    };
    if number::equal(typed, expected, spec.tolerance) {
        return Ok(Ok(()));
    }
    // A slip that cannot be computed for these numbers cannot have been made.
    let slip = spec.slips.iter().find(|slip| {
        evaluate(&slip.formula, parameters).is_ok_and(|value| number::equal(typed, value, spec.tolerance))
    });
    Ok(Err(slip.map_or_else(|| (Miss::Other, spec.why.clone()), |slip| (Miss::Slip, slip.why.clone()))))
}

fn short_text(spec: &TextAnswer, typed: &str) -> Verdict {
    let typed = text::normal(typed);
    if spec.accept.iter().any(|accepted| text::normal(accepted) == typed) {
        return Ok(());
    }
    let slip = spec.slips.iter().find(|slip| text::normal(&slip.text) == typed);
    Err(slip.map_or_else(|| (Miss::Other, spec.why.clone()), |slip| (Miss::Slip, slip.why.clone())))
}

fn cloze(spec: &Cloze, typed: &[String]) -> Verdict {
    let wrong = spec
        .blanks
        .iter()
        .zip(typed)
        .position(|(blank, typed)| !blank.accept.iter().any(|accepted| tokens::same(typed, accepted)));
    match wrong.and_then(|at| Some((at + 1, spec.blanks.get(at)?))) {
        None => Ok(()),
        Some((number, blank)) if spec.blanks.len() > 1 => {
            Err((Miss::Blank(number), format!("Blank {number}: {}", blank.why)))
        }
        Some((number, blank)) => Err((Miss::Blank(number), blank.why.clone())),
    }
}

fn order(spec: &Order, ids: &[String]) -> Verdict {
    let misplaced = spec.items.iter().zip(ids).find(|(item, id)| item.id.value != **id);
    let Some((_, id)) = misplaced else { return Ok(()) };
    let text = spec.items.iter().find(|item| item.id.value == *id).map_or("", |item| item.text.trim());
    Err((Miss::Misplaced(id.clone()), format!("The first event out of place is “{text}”. {}", spec.why)))
}
