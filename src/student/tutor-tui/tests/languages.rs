//! Switches the language on every screen: the texts change, and the student stays at the same place.

use super::drive::{Driver, copy};
use crate::prelude::*;
use crate::runtime::Loader;
use std::path::Path;
use tutor_course::CourseSource;
use tutor_support::words::{ENGLISH, Words, speaking};

fn course(name: &str) -> CourseSource {
    CourseSource::Directory(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests").join(name))
}

/// Returns the small course with a translation of every question; the fixture itself translates only a few.
fn translated() -> (tempfile::TempDir, CourseSource) {
    let dir = tempfile::tempdir().unwrap();
    copy(course("course/base").directory().unwrap(), dir.path());
    let quiz = dir.path().join("quizzes/ko/first.yaml");
    let text = std::fs::read_to_string(&quiz).unwrap();
    let text = text
        .replace("ask: \"", "ask: \"물음 ")
        .replace("ask: ", "ask: 물음 ")
        .replace("ask: 물음 \"물음", "ask: \"물음");
    std::fs::write(&quiz, text).unwrap();
    let source = CourseSource::Directory(dir.path().to_owned());
    (dir, source)
}

struct Switched {
    driver: Driver,
    loader: Loader,
}

impl Switched {
    fn of(source: &CourseSource) -> Self {
        Self { driver: Driver::of(source, (80, 24)), loader: Loader::of(source.clone(), ENGLISH) }
    }

    /// Presses the key and acts like the runtime.
    fn switch(&mut self, key: &str) {
        self.driver.pending.clear();
        self.driver.press(key);
        assert_eq!(self.driver.pending, [Effect::SwitchLanguage], "{key}");
        let words = self.loader.switch(&self.driver.model.data.languages()).unwrap();
        self.driver.send(Msg::Language(words));
        speaking(words, || self.driver.send(Msg::Reloaded(Box::new(self.loader.load()))));
        self.driver.draw();
    }

    /// Switches to Korean, checks that the screen is Korean, and switches back, after which the screen is as before.
    /// Returns the Korean screen.
    fn there_and_back(&mut self, key: &str, place: &str) -> String {
        self.driver.model.message = None;
        let before = self.driver.text();
        assert!(!hangul(&before.replace("다음 언어로 바꾸기", "")), "{place}:\n{before}");
        let (screens, overlays) = (self.driver.model.screens.len(), self.driver.model.overlays.len());
        self.switch(key);
        let korean = self.driver.text();
        assert!(hangul(&korean), "{place}:\n{korean}");
        assert_eq!((self.driver.model.screens.len(), self.driver.model.overlays.len()), (screens, overlays), "{place}");
        self.switch(key);
        assert_eq!(self.driver.text(), before, "{place}");
        korean
    }
}

fn hangul(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '가'..='힣'))
}

#[test]
fn the_next_language_reloads_the_course_and_the_words_and_stays_on_the_page() {
    let mut tutor = Switched::of(&course("course/base"));
    tutor.there_and_back("L", "map");
    tutor.driver.press("<Enter>");
    let before = tutor.driver.page();
    tutor.driver.sees(&["Welcome"]);
    tutor.switch("L");
    tutor.driver.sees(&["환영합니다"]);
    assert_eq!((tutor.driver.page(), tutor.driver.model.data.course.lang.as_str()), (before, "ko"));
    assert_eq!(tutor.driver.model.words, Words::of("ko"));
    tutor.switch("<F2>");
    assert_eq!((tutor.driver.page(), tutor.driver.model.data.course.lang.as_str()), (before, "en"));
    assert_eq!(tutor.driver.model.words, Words::of("en"));
}

#[test]
fn what_lies_over_a_screen_switches_with_it_and_stays() {
    for (keys, key, place) in [
        ("?", "L", "help"),
        (":", "<F2>", "palette"),
        ("/", "<F2>", "search"),
        ("/wel", "<F2>", "search, typed"),
        ("K", "<F2>", "glossary"),
        ("Kwarp", "<F2>", "glossary, typed"),
        ("g", "L", "quiz"),
        ("p", "L", "pages"),
    ] {
        let mut tutor = Switched::of(&course("course/base"));
        tutor.driver.press("<Enter>").press(keys);
        assert_eq!(tutor.driver.model.overlays.len(), 1, "{place}:\n{}", tutor.driver.text());
        tutor.there_and_back(key, place);
    }
    let mut tutor = Switched::of(&course("course/base"));
    tutor.driver.press("<Enter>K").press("L");
    assert!(!tutor.driver.pending.contains(&Effect::SwitchLanguage), "a letter is typed");
}

#[test]
fn a_question_under_way_is_asked_in_the_other_language_and_keeps_what_was_selected_and_given() {
    let (_dir, source) = translated();
    let mut tutor = Switched::of(&source);
    tutor.driver.press("<Enter>g<Enter>");
    let count = tutor.driver.quiz().attempt.questions.len();
    for number in 0..count {
        let quiz = tutor.driver.quiz();
        let (name, typed) = (quiz.attempt.current().unwrap().kind.name(), quiz.editing());
        tutor.driver.press(if typed { "16" } else { "a" });
        // In these kinds of question, the cursor is independent of the selection.
        if ["multiple", "order", "match"].contains(&name) {
            tutor.driver.press("<Down>");
        }
        let korean = tutor.there_and_back("<F2>", name);
        assert!(korean.contains("물음"), "{name}:\n{korean}");
        // Enter may first go to the next blank, and an incomplete text is not an answer.
        for key in ["<Enter>", "<Enter>", "<C-n>"] {
            if tutor.driver.quiz().attempt.position == number {
                tutor.driver.press(key);
            }
        }
    }
    let given = |driver: &Driver| {
        let quiz = driver.quiz();
        (quiz.attempt.answers.clone(), quiz.drafts.clone(), quiz.attempt.position)
    };
    let before = given(&tutor.driver);
    assert!(!before.0.is_empty() && before.2 == count, "{before:?}");
    tutor.there_and_back("L", "before handing in");
    assert_eq!(given(&tutor.driver), before);
    tutor.driver.press("SS");
    assert!(matches!(tutor.driver.model.screens.last(), Some(Screen::Outcome(_))), "{}", tutor.driver.text());
    tutor.there_and_back("L", "outcome");
    tutor.driver.press("r");
    let korean = tutor.there_and_back("L", "questions of the outcome");
    assert!(korean.contains("물음"), "{korean}");
}

#[test]
fn the_workshop_and_its_exercises_switch() {
    let mut tutor = Switched::of(&course("course/base"));
    tutor.driver.send(Msg::Go(Go::Workshop(None)));
    tutor.driver.draw();
    tutor.driver.sees(&["One barrier"]);
    let korean = tutor.there_and_back("L", "workshop");
    assert!(korean.contains("배리어 하나"), "{korean}");
    tutor.driver.send(Msg::Go(Go::Exercise("one-barrier".to_owned())));
    tutor.driver.draw();
    let korean = tutor.there_and_back("L", "exercise");
    assert!(korean.contains("로드 다음에는") || korean.contains("이제 무엇이 올까요?"), "{korean}");
}

#[test]
fn where_there_is_one_language_there_is_no_next_one() {
    let mut driver = Driver::of(&course("fixtures/course"), (80, 24));
    let several = driver.model.data.languages().len() > 1;
    assert_eq!(driver.model.actions().contains(&Action::NextLanguage), several);
    driver.press("L");
    assert_eq!(driver.pending.contains(&Effect::SwitchLanguage), several);
}
