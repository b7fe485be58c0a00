//! Questions on pages: no answer is given by accident, every answer is recorded, and pages count as done correctly.

use super::drive::{Driver, driver, fixture, fixture_copy};
use crate::loading::load_data;
use crate::prelude::*;
use tutor_course::CourseSource;
use tutor_progress::shown_order;
use ui_kit::theme::Theme;

/// Returns a driver at the question of the fixture; its correct answer is `c`.
fn asked() -> Driver {
    let mut driver = driver();
    driver.press("<Enter><Right><Right>");
    driver
}

fn on_record(driver: &Driver) -> Vec<(Option<usize>, Option<usize>)> {
    let made = driver.store.predictions("fixture").unwrap();
    made.values().map(|made| (made.first.choice, made.latest.choice)).collect()
}

#[test]
fn what_is_selected_survives_and_does_not_count() {
    let mut driver = asked();
    driver.press("b");
    // Another process finds the draft, as after `kill -9`.
    let mut found = load_data(&fixture(), "en");
    found.learn(driver.store.known("fixture").unwrap());
    driver.model = Model::new(found, Theme::named("mono").unwrap(), false, driver.model.size);
    driver.open_page(0, 2);
    driver.sees(&["▸ b"]).lacks(&["Not quite."]);
    assert_eq!(on_record(&driver), []);
    driver.press("<Enter>");
    assert_eq!(on_record(&driver), [(Some(1), Some(1))]);
    assert!(driver.store.drafts("fixture").unwrap().is_empty());
}

#[test]
fn a_student_s_own_order_moves_the_letters_and_not_what_is_recorded() {
    let (directory, source) = fixture_copy();
    let lesson = directory.path().join("modules/first.yaml");
    let text = std::fs::read_to_string(&lesson).unwrap();
    std::fs::write(&lesson, text.replacen("shuffle: false", "shuffle: true", 1)).unwrap();
    let mut driver = Driver::of(&source, (100, 30));
    // Chooses a student for whom the last choice of the file comes first.
    let (level, page) = ("first", "predict");
    let predict = driver.model.data.course.levels[0].lesson.as_ref().unwrap().pages[2].predict.clone().unwrap();
    let seed = (0..).find(|seed| shown_order(&predict, Some(*seed), level, page)[0] == 3).unwrap();
    driver.model.data.student = Some(seed);
    driver.press("<Enter>nn");
    let asked = driver.text();
    let first = asked.lines().find(|line| line.trim_start().starts_with("a  ")).unwrap();
    assert!(first.contains(predict.choices[3].text.trim()), "{asked}");
    let text = driver.press("a<Enter>").text();
    assert_eq!(on_record(&driver), [(Some(3), Some(3))]);
    assert!(text.lines().any(|line| line.contains("a  ") && line.contains("your answer")), "{text}");
    // After the page is opened again, it looks the same.
    let text = driver.press("n<Backspace>").text();
    assert!(text.lines().any(|line| line.contains("a  ") && line.contains("your answer")), "{text}");
}

/// Returns a driver on the first page of the built-in course with a “why” question, with the recall answers revealed.
fn at_the_why() -> (Driver, String, String) {
    let mut driver = Driver::of(&CourseSource::BuiltIn, (80, 40));
    let course = std::sync::Arc::clone(&driver.model.data.course);
    let (at, level, index, page) = course
        .levels
        .iter()
        .enumerate()
        .find_map(|(at, level)| {
            let pages = &level.lesson.as_ref().unwrap().pages;
            let index = pages.iter().position(|page| page.why.is_some())?;
            Some((at, level, index, &pages[index]))
        })
        .unwrap();
    let context = driver.model.context();
    let (lesson, _) = crate::screens::lesson::Lesson::open(at, index, &context);
    driver.model.show(lesson);
    driver.press(&"<Enter>".repeat(page.recall.len()));
    (driver, level.id.clone(), page.id.value.clone())
}

#[test]
fn a_why_is_written_then_compared_and_what_was_missing_is_kept() {
    let (mut driver, level, page) = at_the_why();
    let key = (level, page);
    let model_answer = |driver: &Driver| {
        let level = driver.model.data.course.levels.iter().find(|known| known.id == key.0).unwrap();
        let page = level.lesson.as_ref().unwrap().pages.iter().find(|known| known.id.value == key.1).unwrap();
        page.why.as_ref().unwrap().points[0].clone()
    };
    let point = model_answer(&driver);
    assert!(!driver.text().contains(&point), "the model answer is not there before one's own");
    // Enter without text gives no answer.
    let text = driver.press("<Enter><Enter>").text();
    assert!(!text.contains(&point), "{text}");
    let text = driver.press("n q: both need it").text();
    assert!(text.contains("n q: both need it"), "letters are text: {text}");
    let course = driver.model.data.course.id.clone();
    assert_eq!(driver.store.drafts(&course).unwrap().len(), 1, "kept as a draft");
    assert!(driver.press("<Esc>").text().contains("n q: both need it"), "left and still there");
    let text = driver.press("<Enter><Enter>").text();
    assert!(text.contains(&point) && text.contains("Which of these"), "{text}");
    assert!(driver.store.explanations(&course).unwrap().is_empty(), "only Enter keeps it");
    driver.press("bab<Enter>");
    let kept = driver.store.explanations(&course).unwrap();
    assert_eq!((kept[&key].text.as_str(), kept[&key].missed.as_slice()), ("n q: both need it", &[0][..]));
    assert!(driver.store.drafts(&course).unwrap().is_empty());
    // A second answer begins with the text of the first.
    driver.press("<Enter>").sees(&["both need it"]);
    driver.press(", twice<Enter><Enter>");
    assert_eq!(driver.store.explanations(&course).unwrap()[&key].text, "n q: both need it, twice");
}
