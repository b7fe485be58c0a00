//! `preview`: what its author sees, and that nothing is left behind.

use crate::shared::copy;
use crate::start;
use std::path::Path;
use tutor_support::t;

#[test]
fn an_author_sees_each_change_of_a_file_at_once_and_no_progress_is_kept() {
    let (dir, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/course/base"), dir.path());
    let path = |dir: &tempfile::TempDir| dir.path().display().to_string();
    let words = |what: &[&str]| -> Vec<String> {
        let mut words = vec!["course".to_owned(), "preview".to_owned(), path(&dir)];
        words.extend(what.iter().map(ToString::to_string));
        words.extend(["--data".to_owned(), path(&data)]);
        words
    };
    let mut tutor = start(&words(&["first/look"]), 80, 24);
    tutor.wait_for("Look at memory");
    let lesson = dir.path().join("modules/first.yaml");
    let before = std::fs::read_to_string(&lesson).unwrap();
    std::fs::write(&lesson, before.replace("Look at memory", "Look again")).unwrap();
    tutor.wait_for("Look again");
    // A fault is counted in the last line, and the page comes back once it is mended.
    std::fs::write(&lesson, before.replace("pages:\n", "pages: [\n")).unwrap();
    tutor.wait_for("cannot be shown").wait_for("✘ 1");
    std::fs::write(&lesson, &before).unwrap();
    tutor.wait_for("Look at memory");
    tutor.leave("\u{3}");
    let mut tutor = start(&words(&["quiz", "first"]), 120, 40);
    tutor.wait_for(&t!("quiz-preview"));
    tutor.leave("\u{3}");
    assert!(!data.path().join("progress.sqlite3").exists());
}

#[test]
fn on_a_terminal_a_new_course_asks_for_its_id_and_title() {
    let place = tempfile::tempdir().unwrap();
    let course = place.path().join("mine").display().to_string();
    let mut new = start(&["course".to_owned(), "new".to_owned(), course.clone()], 80, 24);
    new.wait_for("Id, used to store progress");
    new.keys("matmul-2026\r").wait_for("Title (Enter keeps it)");
    new.leave("\r");
    let text = std::fs::read_to_string(Path::new(&course).join("modules/course.yaml")).unwrap();
    assert!(text.contains("\nid: matmul-2026\ntitle: How fast"), "{text}");
}
