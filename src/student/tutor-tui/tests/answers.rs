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
    // An input method shows what it composes at the terminal's cursor.
    let (x, y) = driver.cursor().unwrap();
    let row = driver.text().lines().nth(y.into()).unwrap().to_owned();
    assert!(row.ends_with("n q: both need it") && row.width() == usize::from(x), "{row:?} {x}");
    assert!(driver.press("<Esc>").text().contains("n q: both need it"), "left and still there");
    let text = driver.press("<Enter><Enter>").text();
    assert!(text.contains(&point) && text.contains("Which of these"), "{text}");
    assert!(driver.store.explanations(&course).unwrap().is_empty(), "only Enter keeps it");
    driver.press("bab<Enter>");
    let kept = driver.store.explanations(&course).unwrap();
    assert_eq!((kept[&key].text.as_str(), kept[&key].missed.as_slice()), ("n q: both need it", &[0][..]));
    // What the student claims is not shown as graded.
    driver.sees(&[&format!("✘ {}", &point[..12])]).lacks(&["✔"]);
    assert!(driver.store.drafts(&course).unwrap().is_empty());
    // A second answer begins with the text of the first.
    driver.press("<Enter>").sees(&["both need it"]);
    driver.press(", twice<Enter><Enter>");
    assert_eq!(driver.store.explanations(&course).unwrap()[&key].text, "n q: both need it, twice");
}

fn is_done(driver: &Driver, page: &str) -> bool {
    driver.model.data.progress.level("first").unwrap().read.contains(page)
}

#[test]
fn a_page_that_asks_is_done_once_it_is_answered_and_its_answers_stay() {
    let mut driver = Driver::new((60, 18));
    driver.press("<Enter>n<Enter>");
    assert!(!is_done(&driver, "recall"));
    driver.press("n<Backspace>").sees(&["Four."]).lacks(&["Eight."]);
    driver.press("<Enter>");
    assert!(is_done(&driver, "recall"));
    driver.press("<Esc><Enter>").open_page(0, 1);
    driver.sees(&["Four.", "Eight."]);
    // A page that asks nothing is done when its end was seen.
    driver.press("nnnn");
    assert!(!is_done(&driver, "long"));
    driver.press("<End>");
    assert!(is_done(&driver, "long"));
}

#[test]
fn a_page_is_done_although_what_follows_its_answer_is_below_the_screen() {
    let mut driver = Driver::all_open((60, 18));
    let lesson = driver.model.data.course.levels[1].lesson.clone().unwrap();
    driver.open_page(1, lesson.pages.iter().position(|page| page.id.value == "fma").unwrap());
    driver.press("a<Enter>");
    assert!(driver.text().contains("▼"), "{}", driver.text());
    assert!(driver.model.data.progress.level(&lesson.level.value).unwrap().read.contains("fma"));
}

#[test]
fn the_second_click_of_a_double_click_selects_nothing_else() {
    let mut driver = Driver::of(&CourseSource::BuiltIn, (80, 24));
    driver.press("<Enter>nn").click("  b  ");
    let (scroll, selected) = (driver.lesson().scroll, driver.lesson().selected);
    assert!(scroll > 0 && selected.is_some(), "the first click moves the page: {}", driver.text());
    let (at, ..) = driver.model.clicked.unwrap();
    let click = || Input::Click { x: at.x, y: at.y };
    driver.draw();
    driver.send(click());
    assert_eq!(driver.lesson().selected, selected);
    // A later click is a new one.
    driver.send(Input::Tick(std::time::Duration::from_secs(1)));
    driver.send(click());
    assert_ne!(driver.lesson().selected, selected);
}

#[test]
fn hangul_letters_work_by_their_place_except_in_a_text_field() {
    let mut driver = driver();
    driver.press("<Enter>ㅜㅜ").sees(&["page 3/6"]);
    driver.press("ㅠ").sees(&["▸ b"]);
    driver.press("<Enter>ㅔ").sees(&["pages of"]);
    driver.press("<Esc>/ㅜ").sees(&["ㅜ"]);
    driver.press("<Esc>g<Enter>ㄱ").sees(&["before you submit"]);
    // On this screen, only the capital letter does something.
    driver.press("ㄴ").sees(&["6"]);
    assert!(driver.quiz().warned);
}

#[test]
fn a_key_that_does_nothing_says_so_and_what_arrives_at_once_answers_nothing() {
    let mut driver = asked();
    driver.press("<Right>").sees(&[&t!("lesson-question-open")[..40]]);
    driver.send(Input::Paste("b\n".into()));
    driver.sees(&[&t!("app-paste-nothing")[..40]]).lacks(&["▸ b"]);
    assert_eq!(on_record(&driver), []);
}

#[test]
fn spaces_and_hyphens_do_not_matter_in_a_search_and_other_words_are_known() {
    let mut driver = Driver::of(&CourseSource::BuiltIn, (80, 24));
    driver.press("Kthreadblock").sees(&["thread block"]);
    driver.press("<Esc>Ksynchronization").sees(&["barrier"]);
    driver.press("<Esc>/row-major").sees(&["1."]);
    let found = |typed: &str| crate::screens::search::search(&driver.model.data, typed).len();
    assert!(found("rowmajor") > 0 && found("rowmajor") == found("row-major"));
}
