//! The preview for a course's author.

use super::drive::{Driver, copy};
use crate::prelude::*;
use crate::runtime::Loader;
use std::path::Path;
use tutor_course::CourseSource;

/// A preview of a copy of the check's small course.
struct Preview {
    dir: tempfile::TempDir,
    driver: Driver,
}

impl Preview {
    fn of(course: &str, size: (u16, u16)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(course), dir.path());
        let driver = Driver::of(&CourseSource::Directory(dir.path().to_owned()), size);
        let mut preview = Self { dir, driver };
        preview.reload();
        preview
    }

    fn edit(&mut self, file: &str, from: &str, to: &str) {
        let path = self.dir.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        std::fs::write(path, text.replacen(from, to, 1)).unwrap();
        self.reload();
    }

    fn reload(&mut self) {
        let source = CourseSource::Directory(self.dir.path().to_owned());
        let mut data = Loader::of(source, "en").load();
        data.open_all();
        self.driver.send(Msg::Reloaded(Box::new(data)));
        self.driver.draw();
    }

    fn text(&mut self) -> String {
        self.driver.text()
    }
}

#[test]
fn every_level_is_open_and_the_last_line_says_why() {
    let mut preview = Preview::of("tests/fixtures/course", (80, 24));
    assert!(preview.text().lines().last().unwrap().contains("preview"), "{}", preview.text());
    preview.driver.press("<Home>j<Enter>");
    assert_eq!(preview.driver.lesson().level, 1);
    // The progress in the store does not lock the levels again.
    preview.driver.send(Msg::Go(Go::Quiz { level: 1, kind: tutor_progress::AttemptKind::Gate }));
    assert!(matches!(preview.driver.model.screen(), Some(Screen::Quiz(_))), "{}", preview.text());
}

#[test]
fn every_variant_is_shown_with_its_key_and_reasons_and_opened_where_it_stands() {
    for size in [(60, 18), (80, 24), (120, 40)] {
        let mut preview = Preview::of("tests/course/base", size);
        preview.driver.send(Msg::Go(Go::Gate { level: 0 }));
        let quiz = preview.driver.model.data.course.levels[0].quiz().unwrap().clone();
        let all: Vec<_> = quiz.slots.iter().flat_map(|slot| slot.variants.iter().map(move |of| (slot, of))).collect();
        for (at, (slot, variant)) in all.iter().enumerate() {
            preview.driver.draw();
            let text = preview.text();
            assert!(text.contains(&format!("{}/{}:", slot.id.value, variant.id.value)), "{at}\n{text}");
            let mut read = text;
            while preview.driver.model.actions().contains(&ui_kit::action::Action::PageDown) {
                preview.driver.press("<PageDown>");
                read += &preview.text();
            }
            assert!(read.contains('✔') && read.contains('✘'), "{at}\n{read}");
            preview.driver.press("e");
            let Some(Effect::Edit { file, line, .. }) = preview.driver.pending.last() else { panic!("{at}") };
            assert!(file.ends_with("quizzes/first.yaml"), "{file:?}");
            assert_eq!(*line, variant.id.line);
            preview.driver.press("<Right>");
        }
        // There is none after the last.
        let last = preview.text();
        preview.driver.press("<Right>");
        assert_eq!(preview.text(), last);
        preview.driver.press("<Left>");
        assert_ne!(preview.text(), last);
    }
}

#[test]
fn a_student_sees_no_key() {
    let mut driver = Driver::new((80, 24));
    driver.send(Msg::Go(Go::Variant { level: 0, slot: 0, variant: 0 }));
    assert!(matches!(driver.model.screen(), Some(Screen::Map(_))));
    driver.send(Msg::Go(Go::Gate { level: 0 }));
    assert!(!matches!(driver.model.screen(), Some(Screen::Variants(_))));
}

#[test]
fn a_page_that_is_read_again_keeps_its_place_and_its_picture_while_that_is_the_same() {
    let mut preview = Preview::of("tests/course/base", (120, 40));
    preview.driver.send(Msg::Go(Go::Page { level: 0, page: 3 }));
    preview.driver.press("<Tab><Right>");
    let moved = preview.text();
    preview.edit("modules/first.yaml", "title: Look at memory", "title: Look at the memory");
    let after = preview.text();
    assert!(after.contains("Look at the memory"), "{after}");
    let pictures = [&moved, &after].map(|text| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.contains("Look at")).collect();
        lines.join("\n")
    });
    assert_eq!(pictures[0], pictures[1]);
    assert_eq!(preview.driver.lesson().focus, crate::screens::lesson::Focus::Picture);
    // A changed picture starts from the beginning.
    preview.edit("modules/first.yaml", "coalescing: { pitch: 64", "coalescing: { pitch: 48");
    let lesson = preview.driver.lesson();
    assert_eq!((lesson.page, lesson.focus), (3, crate::screens::lesson::Focus::Text));
    // A page that has moved is found by its id.
    preview.edit("modules/first.yaml", "pages:\n", "pages:\n  - { id: new, title: New, tag: preview, text: New. }\n");
    assert_eq!(preview.driver.lesson().page, 4);
}

#[test]
fn a_lesson_that_is_broken_for_a_while_comes_back_where_it_was() {
    let mut preview = Preview::of("tests/course/base", (80, 24));
    preview.driver.send(Msg::Go(Go::Page { level: 0, page: 3 }));
    preview.edit("modules/first.yaml", "pages:\n", "pages: [\n");
    preview.driver.sees(&["cannot be shown"]);
    preview.edit("modules/first.yaml", "level: first", "level: first ");
    preview.driver.sees(&["cannot be shown"]);
    preview.edit("modules/first.yaml", "pages: [\n", "pages:\n");
    assert_eq!(preview.driver.lesson().page, 3);
    // A mistake leaves out only this page.
    preview.edit("modules/first.yaml", "    title: Look at memory", "    titel: Look at memory");
    preview.driver.sees(&["cannot be shown", "titel"]);
    preview.edit("modules/first.yaml", "    titel: Look at memory", "    title: Look at memory");
    assert_eq!(preview.driver.lesson().page, 3);
    assert_eq!(preview.driver.model.screens.len(), 2);
}

#[test]
fn a_course_file_that_is_broken_for_a_while_gives_the_page_back() {
    let mut preview = Preview::of("tests/course/base", (80, 24));
    preview.driver.send(Msg::Go(Go::Page { level: 0, page: 3 }));
    preview.edit("modules/course.yaml", "levels:\n", "levels: [\n");
    assert!(matches!(preview.driver.model.screen(), Some(Screen::Map(_))), "{}", preview.text());
    preview.edit("modules/course.yaml", "levels: [\n", "levels:\n");
    let Some(Screen::Lesson(lesson)) = preview.driver.model.screen() else { panic!("{}", preview.text()) };
    assert_eq!((lesson.page, preview.driver.model.screens.len()), (3, 2));
}
