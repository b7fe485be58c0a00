//! From one language to the next, on the page where the student is.

use super::drive::Driver;
use crate::course::CourseSource;
use crate::tui::action::Action;
use crate::tui::app::Msg;
use crate::tui::app::Screen;
use crate::tui::effect::Effect;
use crate::tui::runtime::Loader;
use crate::words::{ENGLISH, Words};
use std::path::Path;

fn driver(course: &str) -> (Driver, Loader) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(course);
    let source = CourseSource::Directory(directory);
    (Driver::of(&source, (80, 24)), Loader::of(source, ENGLISH))
}

#[test]
fn the_next_language_reloads_the_course_and_the_words_and_stays_on_the_page() {
    let (mut driver, mut loader) = driver("course/base");
    let go = |driver: &mut Driver, loader: &mut Loader| {
        driver.wished.clear();
        driver.press("L");
        assert_eq!(driver.wished, [Effect::SwitchLanguage]);
        let words = loader.switch(&driver.model.world.languages()).unwrap();
        driver.send(Msg::Language(words));
        driver.send(Msg::Reloaded(Box::new(loader.load())));
    };
    driver.press("<Enter>");
    let page = |driver: &Driver| match driver.model.screens.last() {
        Some(Screen::Lesson(lesson)) => (lesson.level, lesson.page),
        other => panic!("{other:?}"),
    };
    let before = page(&driver);
    assert!(driver.text().contains("Welcome"), "{}", driver.text());
    go(&mut driver, &mut loader);
    assert!(driver.text().contains("환영합니다"), "{}", driver.text());
    assert_eq!(page(&driver), before);
    assert_eq!(driver.model.world.course.lang, "ko");
    assert_eq!(driver.model.words, Words::of("ko"), "English, as long as the interface has no Korean");
    go(&mut driver, &mut loader);
    assert_eq!((driver.model.world.course.lang.as_str(), page(&driver)), ("en", before));
    assert_eq!(driver.model.words, Words::of("en"));
}

#[test]
fn where_there_is_one_language_there_is_no_next_one() {
    let (mut driver, _) = driver("fixtures/course");
    let several = driver.model.world.languages().len() > 1;
    assert_eq!(driver.model.actions().contains(&Action::NextLanguage), several);
    driver.press("L");
    assert_eq!(driver.wished.contains(&Effect::SwitchLanguage), several);
}
