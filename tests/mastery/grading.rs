//! Grading: cases in `grading/*.yaml`, and properties of every quiz.

use crate::shared::right;
use crate::support::{quizzes, yaml_files};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use tutor_course::{QuizFile, Variant};
use tutor_progress::{Answer, Item, Miss, Question, QuestionKind, Seen, draw, grade};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    question: Variant,
    cases: Vec<Case>,
}

/// An answer as in an answers file, and what becomes of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    answer: Value,
    #[serde(default)]
    right: bool,
    /// Part of the reason for a miss.
    #[serde(default)]
    why: Option<String>,
    /// Part of the message when it is entered.
    #[serde(default)]
    problem: Option<String>,
}

fn quiz_of(variant: Variant) -> QuizFile {
    let mut quiz: QuizFile =
        serde_yaml::from_str("level: l\nslots: [{ id: s, objective: o, bloom: apply, page: p, variants: [] }]")
            .unwrap();
    quiz.slots[0].variants.push(variant);
    quiz
}

#[test]
fn each_answer_is_graded_with_the_reason_that_belongs_to_it() {
    for (name, text) in yaml_files("grading") {
        let Cases { question, cases } = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let quiz = quiz_of(question);
        for seed in 0..5 {
            let question = draw(&quiz, seed, &Seen::default()).unwrap().remove(0);
            for case in &cases {
                check(&name, &quiz, &question, case);
            }
        }
    }
}

fn check(name: &str, quiz: &QuizFile, question: &Question, case: &Case) {
    let place = format!("{name}, answer {}", case.answer);
    let answer = match (question.answer_of(&case.answer), &case.problem) {
        (Ok(answer), None) => answer,
        (Err(said), Some(expected)) => return assert!(said.to_string().contains(expected), "{place}: {said}"),
        (Ok(_), Some(_)) => panic!("{place}: no problem was found"),
        (Err(said), None) => panic!("{place}: {said}"),
    };
    let graded = grade(quiz, question, Some(&answer)).unwrap();
    assert_eq!(graded.correct, case.right, "{place}: {graded:?}");
    assert_eq!(graded.why.is_none(), case.right, "{place}: {graded:?}");
    assert_eq!(graded.miss.is_none(), case.right, "{place}: {graded:?}");
    if let Some(expected) = &case.why {
        assert!(graded.why.as_ref().is_some_and(|why| why.contains(expected)), "{place}: {graded:?}");
    }
}

/// So exports, exams and the fuzzer meet each kind in the built-in course, too.
#[test]
fn every_kind_of_question_is_asked_in_the_course() {
    let variants = quizzes()[1..].iter().flat_map(|quiz| &quiz.slots).flat_map(|slot| &slot.variants);
    let asked: BTreeSet<_> = variants.map(|variant| variant.answer.view(Vec::new()).name()).collect();
    assert_eq!(asked, QuestionKind::NAMES.iter().copied().collect());
}

#[test]
fn a_question_without_an_answer_is_missed_and_said_to_be() {
    for quiz in quizzes() {
        for question in draw(quiz, 1, &Seen::default()).unwrap() {
            let graded = grade(quiz, &question, None).unwrap();
            assert_eq!((graded.correct, graded.miss), (false, Some(Miss::NotAnswered)));
        }
    }
}

fn any_answer() -> impl Strategy<Value = Answer> {
    let typed = || prop_oneof![any::<String>(), "[-+0-9 .,eE^*/_x%a-zµ]{0,24}", "\\PC{0,40}"];
    prop_oneof![
        typed().prop_map(Answer::Number),
        typed().prop_map(Answer::Text),
        typed().prop_map(Answer::Predicted),
        prop::collection::vec(typed(), 0..5).prop_map(Answer::Fault),
        typed().prop_map(Answer::Single),
        prop::collection::vec(typed(), 0..5).prop_map(Answer::Multiple),
        prop::collection::vec(typed(), 0..5).prop_map(Answer::Blanks),
        prop::collection::vec(typed(), 0..5).prop_map(Answer::Order),
        prop::collection::btree_map(typed(), typed(), 0..5).prop_map(Answer::Pairs),
    ]
}

/// An answer of the question's kind, mostly well-formed.
fn answer_like(question: &Question, typed: Vec<String>, picks: &[usize]) -> Answer {
    let ids: Vec<String> = question.kind.items().iter().map(|item| item.id.clone()).collect();
    let pick = |at: usize| ids.get(at % ids.len().max(1)).cloned().unwrap_or_default();
    let first = typed.first().cloned().unwrap_or_default();
    match &question.kind {
        QuestionKind::Single { .. } => Answer::Single(pick(picks[0])),
        QuestionKind::Multiple { .. } => Answer::Multiple(picks.iter().map(|at| pick(*at)).collect()),
        QuestionKind::Numeric { .. } => Answer::Number(first),
        QuestionKind::Text { .. } => Answer::Text(first),
        QuestionKind::Cloze(code) => Answer::Blanks(typed.into_iter().cycle().take(code.blanks).collect()),
        QuestionKind::Order { .. } => {
            let mut ids = ids.clone();
            for (at, other) in picks.iter().enumerate() {
                let (at, other) = (at % ids.len(), other % ids.len());
                ids.swap(at, other);
            }
            Answer::Order(ids)
        }
        QuestionKind::Predict(_) => Answer::Predicted(first),
        QuestionKind::Fault(view) => Answer::Fault(vec![(picks[0] % view.code.len() + 1).to_string(), pick(picks[0])]),
        QuestionKind::Match(view) => {
            let partner = |(at, left): (usize, &Item)| (left.id.clone(), pick(at + picks[0]));
            Answer::Pairs(view.left.iter().enumerate().map(partner).collect())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grading_never_panics_and_a_malformed_answer_is_never_right(answer in any_answer(), seed: u64) {
        for quiz in quizzes() {
            for question in draw(quiz, seed, &Seen::default()).unwrap() {
                let graded = grade(quiz, &question, Some(&answer)).unwrap();
                prop_assert_eq!(question.problem(&answer).is_some(), graded.miss == Some(Miss::Malformed));
                prop_assert_eq!(graded.correct, graded.miss.is_none());
                prop_assert_eq!(graded.correct, graded.why.is_none());
            }
        }
    }

    #[test]
    fn the_right_answer_is_graded_right_in_every_draw(seed: u64) {
        for quiz in quizzes() {
            for question in draw(quiz, seed, &Seen::default()).unwrap() {
                let answer = right(quiz, &question);
                prop_assert_eq!(question.problem(&answer), None);
                let graded = grade(quiz, &question, Some(&answer)).unwrap();
                prop_assert!(graded.correct, "{:?} {:?} {:?}", question, answer, graded);
            }
        }
    }

    #[test]
    fn an_answer_means_the_same_however_the_choices_were_shuffled(
        seeds: [u64; 2], typed in prop::collection::vec("\\PC{1,8}", 1..3), picks in prop::collection::vec(0usize..8, 1..5),
    ) {
        for quiz in quizzes() {
            let [first, second] = seeds.map(|seed| draw(quiz, seed, &Seen::default()).unwrap());
            for (left, right) in first.iter().zip(&second) {
                if left.variant == right.variant && left.parameters == right.parameters {
                    let answer = answer_like(left, typed.clone(), &picks);
                    let graded = [left, right].map(|question| grade(quiz, question, Some(&answer)).unwrap());
                    prop_assert_eq!(&graded[0].correct, &graded[1].correct);
                    prop_assert_eq!(&graded[0].why, &graded[1].why);
                }
            }
        }
    }

    #[test]
    fn an_order_is_right_only_as_the_author_wrote_it(picks in prop::collection::vec(0usize..8, 1..6), seed: u64) {
        for quiz in quizzes() {
            for question in draw(quiz, seed, &Seen::default()).unwrap() {
                if matches!(question.kind, QuestionKind::Order { .. }) {
                    let answer = answer_like(&question, vec![], &picks);
                    let graded = grade(quiz, &question, Some(&answer)).unwrap();
                    prop_assert_eq!(graded.correct, answer == right(quiz, &question));
                }
            }
        }
    }
}
