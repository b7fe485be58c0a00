//! The real binary while another process holds its progress, shares it, or takes it away.

use crate::pty::Pty;
use crate::{fixture, fixture_arguments, right_answer, start};
use rusqlite::Connection;
use std::path::Path;
use tutor_course::{Course, CourseSource};
use tutor_support::t;

const FILE: &str = "progress.sqlite3";

fn course() -> Course {
    Course::load(&CourseSource::Directory(fixture()), "en")
}

/// What a second reader of the file counts.
pub(crate) fn count(data: &Path, what: &str) -> u32 {
    let raw = Connection::open(data.join(FILE)).unwrap();
    raw.query_row(&format!("SELECT count(*) FROM {what}"), [], |row| row.get(0)).unwrap()
}

/// A tutor at the first question of the first gate, 80 × 24.
fn at_the_gate(data: &Path) -> Pty {
    let mut tutor = start(&fixture_arguments(data), 80, 24);
    tutor.wait_for("needs 5 of 6");
    tutor.keys("g\r").wait_for(&t!("quiz-question-of", number = 1, count = 6));
    tutor
}

/// Answers `count` questions correctly, waiting only for the next question.
fn answer(tutor: &mut Pty, data: &Path, first: usize, questions: usize) {
    let course = course();
    let attempt = crate::attempt(data, &course, 0);
    for (at, question) in attempt.questions.iter().enumerate().skip(first).take(questions) {
        tutor.each(right_answer(course.levels[0].quiz().unwrap(), question));
        let next = if at + 1 < attempt.questions.len() { format!("question {} of 6", at + 2) } else { "review".into() };
        tutor.wait_for(&next);
    }
}

#[test]
fn who_answers_while_another_process_writes_goes_on_and_sees_what_is_not_saved_yet() {
    let data = tempfile::tempdir().unwrap();
    let mut tutor = at_the_gate(data.path());
    let attempt = crate::attempt(data.path(), &course(), 0);
    let other = Connection::open(data.path().join(FILE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    for (at, question) in attempt.questions.iter().enumerate().take(3) {
        tutor.each(right_answer(course().levels[0].quiz().unwrap(), question));
        tutor.wait_for(&format!("question {} of 6", at + 2));
    }
    tutor.wait_for("saving…");
    // Ctrl-R: the review, also from a field.
    tutor.keys("\u{12}").wait_for("being saved");
    // The tutor names the other process after a while.
    tutor.wait_for("In use by");
    assert_eq!(count(data.path(), "answers"), 0);
    other.execute_batch("COMMIT").unwrap();
    tutor.wait_until("all is saved", |tutor| {
        !tutor.screen().contains("saving") && !tutor.screen().contains("being saved")
    });
    assert_eq!(count(data.path(), "answers"), 3);
    tutor.leave("\u{3}");
}

#[test]
fn who_quits_while_another_process_writes_is_told_what_was_not_saved() {
    let data = tempfile::tempdir().unwrap();
    let mut tutor = at_the_gate(data.path());
    let attempt = crate::attempt(data.path(), &course(), 0);
    let other = Connection::open(data.path().join(FILE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    tutor.each(right_answer(course().levels[0].quiz().unwrap(), &attempt.questions[0]));
    tutor.wait_for(&t!("quiz-question-of", number = 2, count = 6)).wait_for("In use by");
    // The first Ctrl-C asks, the second one leaves.
    let question = t!("app-leave-unsaved");
    tutor.keys("\u{3}").wait_for(&question);
    tutor.keys("\u{1b}").wait_until("the question is gone", |tutor| !tutor.screen().contains(&question));
    tutor.keys("\u{3}").wait_for(&question);
    tutor.keys("\u{3}");
    assert_eq!(tutor.wait_end(), 2);
    let output = tutor.output();
    let told = output.rsplit("\u{1b}[?1049l").next().unwrap();
    assert!(told.contains("Not saved: 1 answer"), "{told}");
    assert_eq!(told.matches("In use by").count(), 1, "{told}");
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(count(data.path(), "answers"), 0);
}

#[test]
fn a_data_directory_deleted_under_a_tutor_is_told_and_its_answers_are_in_a_new_file() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let mut tutor = at_the_gate(&data);
    answer(&mut tutor, &data, 0, 2);
    let attempt = crate::attempt(&data, &course(), 0);
    let mut keys = right_answer(course().levels[0].quiz().unwrap(), &attempt.questions[2]);
    let enter = keys.pop().unwrap();
    tutor.each(keys);
    std::fs::remove_dir_all(&data).unwrap();
    tutor.keys(&enter).wait_for("was removed or truncated").wait_for("everything that was");
    // For a moment, keys still go to the question below the notice.
    while tutor.screen().contains("was removed or truncated") {
        tutor.keys("\r").settle();
    }
    tutor.wait_for(&t!("quiz-question-of", number = 4, count = 6));
    answer(&mut tutor, &data, 3, 3);
    tutor.keys("S").wait_for("6 of 6");
    tutor.leave("\u{3}");
    assert_eq!((count(&data, "answers"), count(&data, "submissions")), (6, 1));
}

/// Two tutors at one attempt: 200 keys each, in turns and at once.
#[test]
fn two_tutors_at_one_attempt_lose_nothing_and_say_that_there_are_two() {
    let data = tempfile::tempdir().unwrap();
    let mut first = at_the_gate(data.path());
    let mut second = start(&fixture_arguments(data.path()), 80, 24);
    second.wait_for("Another tutor is open");
    second.keys("g").wait_for(&t!("quiz-question-of", number = 1, count = 6));
    // One choice, given, and back; then the other.
    let keys = ["a", "\r", "\u{10}", "b", "\r", "\u{10}"];
    let told = "Another matmul-tutor is writing";
    first.watch_for(told);
    for at in 0..200 {
        first.keys(keys[at % keys.len()]);
        second.keys(keys[at % keys.len()]);
        if at % 10 == 9 {
            first.settle();
            second.settle();
        }
    }
    // Every third key of either gives an answer.
    first.wait_until("all is saved", |_| count(data.path(), "answers") == 2 * 67);
    first.wait_until("it was told of the second", |tutor| tutor.was_shown(told));
    for tutor in [&mut first, &mut second] {
        tutor.leave("\u{3}");
    }
    let raw = Connection::open(data.path().join(FILE)).unwrap();
    let health: String = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    let (answers, times): (u32, u32) = raw
        .query_row("SELECT count(*), count(DISTINCT given_at || slot) FROM answers", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!(health, "ok");
    assert_eq!((answers, times), (2 * 67, 2 * 67));
    assert_eq!(count(data.path(), "attempts"), 1);
    // A third finds the attempt as the file has it: the last answer to each question.
    let attempt = crate::attempt(data.path(), &course(), 0);
    let slots: u32 = raw.query_row("SELECT count(DISTINCT slot) FROM answers", [], |row| row.get(0)).unwrap();
    assert_eq!(attempt.answers.len(), slots as usize);
}

#[test]
fn a_pipe_in_the_place_of_the_log_or_the_lock_keeps_nobody_waiting() {
    for name in ["tutor.log", "progress.lock"] {
        let data = tempfile::tempdir().unwrap();
        assert!(std::process::Command::new("mkfifo").arg(data.path().join(name)).status().unwrap().success());
        let mut tutor = start(&fixture_arguments(data.path()), 80, 24);
        if name == "progress.lock" {
            tutor.wait_for("pipe, not a file");
            tutor.keys("\r");
        }
        tutor.wait_for("needs 5 of 6");
        tutor.leave("q");
    }
}
