//! Quizzes: what keys do in an attempt, told as a student would.

use super::drive::{Driver, driver};
use crate::mastery::{Answer, AttemptKind, QuestionKind};
use crate::tui::app::{Msg, Screen};
use crate::tui::effect::Effect;

impl Driver {
    /// Begins the gate of the first level with a known seed.
    pub(super) fn open_quiz(&mut self) {
        let course = std::sync::Arc::clone(&self.model.world.course);
        let quiz = course.levels[0].quiz().unwrap();
        let outline = crate::mastery::Outline::from(&*course);
        let begun = self.store.begin(&outline, quiz, AttemptKind::Gate, Some(7)).unwrap();
        self.send(Msg::Begun(Box::new(begun)));
    }

    /// Goes to the question of this slot.
    pub(super) fn go_to_kind(&mut self, slot: &str) {
        let at = self.attempt().questions.iter().position(|question| question.slot == slot).unwrap();
        while self.attempt().position < at {
            self.press("<C-n>");
        }
    }

    fn attempt(&self) -> &crate::mastery::Attempt {
        match self.model.screens.last() {
            Some(Screen::Quiz(quiz)) => &quiz.attempt,
            other => panic!("no quiz on the screen: {other:?}"),
        }
    }

    /// Presses keys; a gate that they begin with is drawn by a known seed.
    pub(super) fn reach(&mut self, keys: &str) {
        match keys.strip_prefix('g') {
            Some(rest) => {
                self.open_quiz();
                self.press(rest);
            }
            None => {
                self.press(keys);
            }
        }
    }

    /// Answers every question by its keys, the slots named wrongly; ends at the review.
    pub(super) fn answer_all(&mut self, wrong: &[&str]) {
        while let Some(question) = self.attempt().current().cloned() {
            let right = !wrong.contains(&question.slot.as_str());
            let letter = |id: &str| {
                let at = question.kind.items().iter().position(|item| item.id == id).unwrap();
                char::from(b'a' + at as u8)
            };
            match &question.kind {
                QuestionKind::Single { .. } => {
                    self.press(&letter(if right { "right" } else { "block" }).to_string()).press("<Enter>")
                }
                QuestionKind::Multiple { .. } => self.press(&format!(
                    "{}{}<Enter>",
                    letter("broadcast"),
                    letter(if right { "row" } else { "column" })
                )),
                QuestionKind::Numeric { .. } => {
                    let product = question.parameters["x"] * question.parameters["y"];
                    self.press(&format!("{}<Enter>", if right { product / 32.0 } else { product }))
                }
                QuestionKind::Text => self.press(if right { "lane<Enter>" } else { "bank<Enter>" }),
                QuestionKind::Cloze { .. } => {
                    self.press(if right { "32<Enter>warpSize<Enter>" } else { "31<Enter>32<Enter>" })
                }
                QuestionKind::Order { .. } => {
                    let wanted = ["load", "wait", "multiply", "free"];
                    for (to, id) in wanted.iter().enumerate().take(if right { 4 } else { 0 }) {
                        let from = self.order().iter().position(|known| known == id).unwrap();
                        self.press(&"<Up>".repeat(4)).press(&"<Down>".repeat(from));
                        self.press(&"K".repeat(from - to));
                    }
                    self.press("<Enter>")
                }
            };
        }
    }

    fn order(&self) -> Vec<String> {
        match self.model.screens.last() {
            Some(Screen::Quiz(quiz)) => match quiz.draft.answer() {
                Some(Answer::Order(ids)) => ids,
                other => panic!("no order: {other:?}"),
            },
            other => panic!("no quiz: {other:?}"),
        }
    }
}

#[test]
fn all_right_passes_the_gate_and_opens_the_next_level() {
    let mut driver = driver();
    driver.press("g<Enter>");
    driver.answer_all(&[]);
    let text = driver.press("S").text();
    assert!(text.contains("6 of 6 · gate 5 · passed"), "{text}");
    assert!(text.contains("Level 2, Shared-memory tiling, is open."), "{text}");
    let text = driver.press("<Esc><Down><Enter>").text();
    assert!(text.contains("공유 메모리의 책상"), "{text}");
}

#[test]
fn a_failed_gate_gives_the_reason_of_the_answer_and_the_page_but_not_the_key() {
    let mut driver = driver();
    driver.press("g<Enter>");
    driver.answer_all(&["single", "numeric"]);
    let text = driver.press("S").text();
    assert!(text.contains("4 of 6 · gate 5 · not passed"), "{text}");
    assert!(text.contains("The block is cut into warps.") && text.contains("Those are the threads."), "{text}");
    assert!(!text.contains("A warp is 32 threads with consecutive numbers."), "{text}");
    let text = driver.press("<Enter>").text();
    assert!(text.contains("What you will be able to do"), "{text}");
    assert!(driver.press("<Esc>").text().contains("not passed"));
}

#[test]
fn practice_explains_every_answer_at_once_and_does_not_count() {
    let mut driver = driver();
    driver.press("P");
    let Some(Screen::Quiz(quiz)) = driver.model.screens.last() else { panic!() };
    let at = quiz.attempt.current().unwrap().kind.items().iter().position(|item| item.id == "block").unwrap();
    let text = driver.press(&char::from(b'a' + at as u8).to_string()).text();
    assert!(text.contains("Not so.") && text.contains("The block is cut into warps."), "{text}");
    assert!(text.contains("A warp is 32 threads with consecutive numbers."), "{text}");
    driver.press("<Enter><Esc>");
    assert_eq!(driver.model.world.progress.levels[0].attempts, 0);
}

#[test]
fn a_quiz_left_in_the_middle_goes_on_at_its_question_with_what_was_typed() {
    let mut driver = driver();
    driver.press("g<Enter>");
    driver.go_to_kind("text");
    driver.press("la<Esc>");
    let text = driver.press("g").text();
    assert!(text.contains("thread's place") && text.contains(" la"), "{text}");
}

#[test]
fn what_is_being_typed_is_kept_on_ctrl_c() {
    let mut driver = driver();
    driver.press("g<Enter>");
    driver.go_to_kind("text");
    driver.press("lane<C-c>");
    assert_eq!(driver.wished.last(), Some(&Effect::Quit));
    let course = std::sync::Arc::clone(&driver.model.world.course);
    let outline = crate::mastery::Outline::from(&*course);
    let quiz = course.levels[0].quiz().unwrap();
    let crate::mastery::Begun::Resumed(attempt) = driver.store.begin(&outline, quiz, AttemptKind::Gate, None).unwrap()
    else {
        panic!("a new attempt")
    };
    assert_eq!(attempt.answers.get("text"), Some(&Answer::Text("lane".into())));
}

#[test]
fn a_number_that_is_none_is_told_at_once_and_not_kept() {
    let mut driver = driver();
    driver.press("g<Enter>");
    driver.go_to_kind("numeric");
    driver.press("many<Enter>");
    let Some(Screen::Quiz(quiz)) = driver.model.screens.last() else { panic!() };
    assert!(quiz.problem.is_some());
    assert!(quiz.attempt.answers.is_empty());
}

#[test]
fn letters_typed_into_a_field_are_no_commands() {
    let mut driver = driver();
    driver.press("g<Enter>");
    driver.go_to_kind("text");
    let text = driver.press("q?:/mr").text();
    assert!(text.contains("q?:/mr"), "{text}");
    assert!(driver.wished.is_empty() && driver.model.overlays.is_empty());
}

#[test]
fn a_marked_question_is_marked_in_the_review() {
    let mut driver = driver();
    driver.press("g<Enter>m");
    let text = driver.press("r").text();
    assert!(text.lines().any(|line| line.contains("open") && line.contains("marked")), "{text}");
    assert!(text.contains("6 still open"), "{text}");
}

#[test]
fn submitting_with_open_questions_asks_once_more() {
    let mut driver = driver();
    let text = driver.press("g<Enter>rS").text();
    assert!(text.contains("count as wrong"), "{text}");
    assert!(driver.press("S").text().contains("0 of 6 · gate 5 · not passed"));
}
