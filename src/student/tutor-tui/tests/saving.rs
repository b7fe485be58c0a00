//! Answers that are not committed yet: the store answers later, or fails.

use super::drive::{Driver, driver};
use crate::app::{StoreBlocked, update};
use crate::prelude::*;
use crate::screens::problem::ProblemPage;
use crate::screens::quiz::QuestionState;
use std::time::Duration;
use tutor_progress::{AttemptKind, Change};
use ui_kit::keys::{KeyCode, KeyModifiers};

/// Returns a driver at the first question of a gate, with an answer selected.
fn selected() -> Driver {
    let mut driver = driver();
    driver.open_quiz();
    driver.press("a");
    driver
}

/// Presses a key without carrying out the effects.
fn press(model: &mut Model, code: KeyCode) -> Vec<StoreRequest> {
    let effects = update(model, Input::Key(KeyEvent::from(code)));
    let request = |effect| if let Effect::Store(request) = effect { Some(request) } else { None };
    effects.into_iter().filter_map(request).collect()
}

fn standing(model: &Model, at: usize) -> QuestionState {
    let Some(Screen::Quiz(quiz)) = model.screen() else { panic!("{:?}", model.screen()) };
    quiz.question_state(&quiz.attempt.questions[at], &model.saving)
}

#[test]
fn an_answer_counts_as_given_once_the_store_has_committed_it() {
    let mut driver = selected();
    let asked = press(&mut driver.model, KeyCode::Enter);
    let [
        StoreRequest::Change { change: Change { answer: Some(_), go_to: Some(1), .. }, .. },
        StoreRequest::Draft { .. },
    ] = &asked[..]
    else {
        panic!("{asked:?}")
    };
    // The student goes on immediately, but the answer is not shown as saved.
    assert_eq!(standing(&driver.model, 0), QuestionState::Saving);
    driver.sees(&[&t!("quiz-question-of", number = 2, count = 6)]).lacks(&["●"]);
    assert!(!driver.text().contains("saving"), "said too early");
    driver.send(Input::Tick(Duration::from_secs(1)));
    driver.sees(&["saving…"]);
    driver.send(blocked("X is in use by sqlite3 (process 71) for too long.", true));
    driver.sees(&["saving… X is in use by sqlite3 (process 71)"]);
    driver.send(Msg::Saved);
    driver.send(Msg::Saved);
    assert_eq!(standing(&driver.model, 0), QuestionState::Answered);
    driver.sees(&["●"]).lacks(&["saving"]);
    assert!(!driver.model.wants_ticks());
}

/// Closes a notice, once nothing that was typed before can be meant for the screen below.
fn close_notice(driver: &mut Driver) {
    driver.send(Input::Tick(driver.model.now + Duration::from_secs(1)));
    driver.press("<Enter>");
}

#[test]
fn what_is_typed_while_a_notice_opens_goes_where_it_was_meant() {
    let mut driver = selected();
    driver.send(blocked("The disk is full.", false));
    driver.press("b<Enter>").sees(&["The disk is full."]);
    close_notice(&mut driver);
    assert_eq!(driver.question(), (AttemptKind::Gate, 1));
}

fn blocked(why: &str, waits: bool) -> Msg {
    Msg::StoreBlocked(StoreBlocked { why: why.into(), help: "Free some space.".into(), waits })
}

#[test]
fn what_the_disk_refuses_is_marked_on_every_screen_until_it_is_saved() {
    let mut driver = selected();
    press(&mut driver.model, KeyCode::Enter);
    driver.send(blocked("The disk is full.", false));
    // The reason and the advice are shown once, whatever the student was doing.
    driver.sees(&["Your progress is not saved", "The disk is full.", "Free some space.", "1 answer is not saved"]);
    close_notice(&mut driver);
    driver.sees(&["question 2 of 6", "▲ 1 answer is not saved"]);
    driver.send(blocked("The disk is full.", false));
    driver.sees(&["question 2 of 6"]);
    // No time removes the mark, and no other message hides it.
    driver.send(Input::Tick(Duration::from_secs(100)));
    driver.send(Msg::Say("Something else.".into()));
    driver.sees(&["Something else.", "▲ 1 answer is not saved"]);
    press(&mut driver.model, KeyCode::Esc);
    driver.sees(&["1 answer is not saved"]).lacks(&["everything is saved", "Everything is saved"]);
    for _ in 0..2 {
        driver.send(Msg::Saved);
    }
    driver.lacks(&["not saved"]).sees(&["Everything is saved now."]);
}

#[test]
fn who_quits_with_something_unsaved_is_asked() {
    let keys = [KeyCode::Char('q'), KeyCode::Null];
    for (quit, waits) in keys.into_iter().flat_map(|key| [(key, false), (key, true)]) {
        let mut driver = selected();
        press(&mut driver.model, KeyCode::Enter);
        driver.send(blocked("The disk is full.", false));
        close_notice(&mut driver);
        press(&mut driver.model, KeyCode::Esc);
        let leave = |driver: &mut Driver| match quit {
            KeyCode::Null => {
                update(&mut driver.model, Input::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)))
            }
            key => update(&mut driver.model, Input::Key(KeyEvent::from(key))),
        };
        driver.send(Input::Tick(Duration::from_secs(1)));
        // It tries once more, and asks.
        assert_eq!(leave(&mut driver), [Effect::SaveAgain]);
        driver.sees(&["1 answer and", "not saved. The disk is full. Free some", "try again", "quit without", "stay"]);
        let enter = update(&mut driver.model, Input::Key(KeyEvent::from(KeyCode::Enter)));
        assert_eq!(enter, [Effect::SaveAgain]);
        driver.press("<Esc>").lacks(&["try again"]);
        assert_eq!(leave(&mut driver), [Effect::SaveAgain]);
        if !waits {
            assert_eq!(leave(&mut driver), [Effect::Quit], "without them");
            continue;
        }
        // Once everything is saved, there is no question left.
        while driver.model.saving.counts() != (0, 1) {
            assert_eq!(update(&mut driver.model, Msg::Saved), []);
        }
        assert_eq!(update(&mut driver.model, Msg::Saved), [Effect::Quit]);
    }
}

#[test]
fn what_begins_only_once_it_is_saved_says_so() {
    let mut driver = driver();
    driver.send(blocked("The disk is full.", false));
    close_notice(&mut driver);
    for code in [KeyCode::Char('g'), KeyCode::Enter] {
        press(&mut driver.model, code);
    }
    driver.sees(&["This begins as soon as your progress can be saved.", "1 change is not saved"]);
}

#[test]
fn an_attempt_that_is_over_elsewhere_closes_its_screen() {
    let mut driver = selected();
    let attempt = driver.quiz().attempt.id;
    driver.send(Msg::Over(attempt + 1));
    assert_eq!(driver.quiz().attempt.id, attempt);
    driver.send(Msg::Over(attempt));
    assert!(matches!(driver.model.screen(), Some(Screen::Map(_))), "{:?}", driver.model.screen());
}

#[test]
fn a_gate_is_begun_and_handed_in_once_however_long_the_store_takes() {
    let mut driver = driver();
    let begun = |model: &mut Model, codes: &[KeyCode]| {
        let asked: Vec<StoreRequest> = codes.iter().flat_map(|code| press(model, *code)).collect();
        asked.iter().filter(|request| request.opens_screen()).count()
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
    close_notice(&mut driver);
    assert_eq!(driver.question(), (AttemptKind::Gate, 0));
    assert_eq!(standing(&driver.model, 0), QuestionState::Drafted);
}
