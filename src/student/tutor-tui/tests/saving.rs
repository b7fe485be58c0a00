//! Answers that are not committed yet: the store answers later, or fails.

use super::drive::{Driver, driver};
use crate::app::update;
use crate::prelude::*;
use crate::screens::problem::ProblemPage;
use crate::screens::quiz::QuestionState;
use std::time::Duration;
use tutor_progress::{AttemptKind, Change};
use ui_kit::keys::KeyCode;

/// Returns a driver at the first question of a gate, with an answer selected.
fn selected() -> Driver {
    let mut driver = driver();
    driver.open_quiz();
    driver.press("a");
    driver
}

/// Presses a key without carrying out the effects.
fn press(model: &mut Model, code: KeyCode) -> Vec<Keep> {
    let effects = update(model, Msg::Key(KeyEvent::from(code)));
    effects.into_iter().filter_map(|effect| if let Effect::Keep(keep) = effect { Some(keep) } else { None }).collect()
}

fn standing(model: &Model, at: usize) -> QuestionState {
    let Some(Screen::Quiz(quiz)) = model.screen() else { panic!("{:?}", model.screen()) };
    quiz.question_state(&quiz.attempt.questions[at])
}

#[test]
fn an_answer_counts_as_given_once_the_store_has_committed_it() {
    let mut driver = selected();
    let asked = press(&mut driver.model, KeyCode::Enter);
    let [Keep::Change { attempt, change: Change { answer: Some((slot, _)), go_to: Some(1), .. } }, Keep::Draft { .. }] =
        &asked[..]
    else {
        panic!("{asked:?}")
    };
    // The student goes on immediately, but the answer is not shown as saved.
    assert_eq!(standing(&driver.model, 0), QuestionState::Saving);
    driver.sees(&[&t!("quiz-question-of", number = 2, count = 6)]).lacks(&["●"]);
    assert!(!driver.text().contains("saving"), "said too early");
    driver.send(Msg::Tick(Duration::from_secs(1)));
    driver.sees(&["saving…"]);
    driver.send(Msg::Held("X is in use by sqlite3 (process 71) for too long.".into()));
    driver.sees(&["saving… X is in use by sqlite3 (process 71)"]);
    driver.send(Msg::Answered { attempt: attempt.id, slot: slot.clone(), kept: true });
    driver.send(Msg::Kept);
    driver.send(Msg::Kept);
    assert_eq!(standing(&driver.model, 0), QuestionState::Answered);
    driver.sees(&["●"]).lacks(&["saving"]);
    assert!(!driver.model.wants_ticks());
}

#[test]
fn an_answer_that_could_not_be_kept_is_a_draft_again() {
    let mut driver = selected();
    let asked = press(&mut driver.model, KeyCode::Enter);
    let Keep::Change { attempt, change } = &asked[0] else { panic!("{asked:?}") };
    let (slot, given) = change.answer.clone().unwrap();
    driver.send(Msg::Answered { attempt: attempt.id, slot: slot.clone(), kept: false });
    assert_eq!(standing(&driver.model, 0), QuestionState::Drafted);
    let quiz = driver.quiz();
    assert_eq!((quiz.drafts.get(&slot), quiz.attempt.answers.get(&slot)), (given.as_ref(), None));
}

#[test]
fn a_gate_is_begun_and_handed_in_once_however_long_the_store_takes() {
    let mut driver = driver();
    let begun = |model: &mut Model, codes: &[KeyCode]| {
        let kept: Vec<Keep> = codes.iter().flat_map(|code| press(model, *code)).collect();
        kept.iter().filter(|keep| matches!(keep, Keep::Begin { .. } | Keep::Submit(_))).count()
    };
    let gate = [KeyCode::Char('g'), KeyCode::Enter];
    assert_eq!(begun(&mut driver.model, &[gate, gate].concat()), 1);
    let mut driver = selected();
    driver.press("r");
    assert_eq!(begun(&mut driver.model, &[KeyCode::Char('S'); 4]), 1);
}

#[test]
fn a_notice_lies_over_the_question_and_its_last_line_says_that_enter_goes_on() {
    let mut driver = selected();
    driver.send(Msg::Problem(ProblemPage { title: "About your progress".into(), message: "Gone.".into(), help: None }));
    assert!(driver.shows(Action::GoOn) && !driver.shows(Action::Confirm), "{}", driver.text());
    driver.press("<Enter>");
    assert_eq!(driver.question(), (AttemptKind::Gate, 0));
    assert_eq!(standing(&driver.model, 0), QuestionState::Drafted);
}
