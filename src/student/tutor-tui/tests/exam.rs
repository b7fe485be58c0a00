//! An exam: what a student sees of it.

use super::drive::{Driver, fixture_copy};
use crate::prelude::Action;
use std::fs;
use tutor_progress::set_student;
use tutor_support::t;

/// What sounds like a mark, or is true only of a gate.
const MARKS: [&str; 10] =
    ["✔", "✘", "wrong", "correct", "passed", "missed", "First try", "needs", "practise", "other questions"];

#[test]
fn an_exam_shows_no_marks_and_a_second_attempt_begins_with_the_first_ones_answers() {
    set_student("ada");
    let (dir, source) = fixture_copy();
    let file = dir.path().join("modules/course.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("exam: midterm\n{text}")).unwrap();
    let mut driver = Driver::of(&source, (80, 40));
    assert!(!driver.shows(Action::Edit), "no file of the course is opened in an editor");
    // No gate opens a level.
    driver.press("<Down>g").sees(&["quiz of 2", "6 questions, drawn for ada."]).press("<Esc><Up>");
    driver.sees(&["6 questions"]).lacks(&MARKS);
    driver.press("g").sees(&["does not grade them"]).lacks(&MARKS);
    driver.press("P").sees(&["You have not started the quiz"]).press("g<Enter>");
    driver.answer_all(&["single"]);
    driver.press("S").sees(&["Submitted", "Hand in"]).lacks(&MARKS);
    driver.press("?").lacks(&MARKS).press("<Esc>");
    driver.press("r").sees(&["Question 1", &t!("outcome-your-answer")]).lacks(&MARKS);
    driver.press("<Esc>t").sees(&["The attempt that you submit last counts."]).lacks(&MARKS);
    driver.press("<Enter>");
    let attempt = &driver.quiz().attempt;
    assert_eq!(attempt.answers.len(), attempt.questions.len());
    driver.press("<Esc><Esc>").sees(&["in progress"]);
    driver.press("<Up>g").press("rS");
    driver.press("m").sees(&[&t!("seal-answers-kept")]).lacks(&MARKS);
}
