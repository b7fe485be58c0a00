//! Pages: what keys do there, from the student's point of view.

use super::drive::{Driver, driver};
use crate::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use tutor_course::Show;

impl Driver {
    /// Opens a page without pressing keys.
    pub(crate) fn open_page(&mut self, level: usize, page: usize) {
        let (lesson, _) = crate::screens::lesson::Lesson::open(level, page, &self.model.context());
        self.model.screens.truncate(1);
        self.model.show(lesson);
    }

    /// Opens the page with this id, in any level.
    pub(crate) fn open(&mut self, id: &str) {
        let course = std::sync::Arc::clone(&self.model.data.course);
        let found = course.levels.iter().enumerate().find_map(|(level, of)| {
            Some((level, crate::app_data::pages(of).iter().position(|page| page.id.value == id)?))
        });
        let (level, page) = found.unwrap();
        self.open_page(level, page);
    }
}

#[test]
fn the_instrument_gets_the_keys_with_tab_and_gives_them_back_with_esc() {
    let mut driver = driver();
    driver.open_page(0, 4);
    let before = driver.text();
    driver.press("<Tab>");
    assert_eq!(driver.lesson().focus, crate::screens::lesson::Focus::Picture);
    driver.press("<Esc>");
    assert_eq!(driver.text(), before);
    assert_eq!(driver.model.screens.len(), 2);
}

#[test]
fn the_reply_to_a_prediction_stays_in_sight_beside_the_instrument() {
    let mut driver = Driver::of(&tutor_course::CourseSource::BuiltIn, (80, 24));
    let pages = crate::app_data::pages(&driver.model.data.course.levels[0]);
    let instrument = |page: &tutor_course::Page| {
        page.predict.is_some() && page.show.as_ref().is_some_and(|show| !matches!(show, Show::Code(_)))
    };
    let all: Vec<usize> = (0..pages.len()).filter(|at| instrument(&pages[*at])).collect();
    assert!(!all.is_empty(), "level 1 has no prediction before an instrument");
    for page in all {
        driver.open_page(0, page);
        let text = driver.press("ss<Tab>").text();
        assert!(text.contains("Skipped: it is"), "page {}:\n{text}", page + 1);
    }
}

#[test]
fn code_shows_its_real_line_numbers_and_its_notes() {
    let mut driver = driver();
    driver.open_page(0, 3);
    let text = driver.text();
    let source = include_str!("../../../../kernels/sgemm_tiled.cu");
    let number = source.lines().position(|line| line.contains("A_tile[ty][tx] =")).unwrap() + 1;
    assert!(text.contains(&format!("{number} ▌")), "{text}");
    assert!(text.contains("◂ 16 lanes a row"), "{text}");
    driver.send(Input::Tick(Duration::ZERO));
    assert!(driver.pending.iter().any(|wish| matches!(wish, Effect::Highlight(_))));
}

#[test]
fn colours_replace_plain_code_without_moving_it() {
    let mut driver = driver();
    driver.open_page(0, 3);
    let plain = driver.text();
    let catalog = tutor_kernels::Catalog::built_in();
    let kernel = catalog.kernel("sgemm_tiled").unwrap();
    let lines = crate::highlight::Highlighter::default().highlight(ui_kit::code::Language::Cuda, kernel.source.text());
    let before = driver.styles();
    driver.send(Msg::Highlighted { file: kernel.file.clone(), lines });
    assert_eq!(driver.text(), plain);
    driver.model.theme = ui_kit::theme::Theme::named("dark").unwrap();
    assert_ne!(driver.styles(), before);
}

#[test]
fn help_lists_every_key_of_the_last_line() {
    let mut driver = Driver::new((120, 60));
    for keys in ["", "<Enter>", "g<Enter>"] {
        driver.press(keys);
        let editing = driver.model.screen_editing();
        let actions = driver.model.actions();
        let hints = ui_kit::action::hints(&actions, false, editing);
        let help = driver.press("<F1>").text();
        for action in &actions {
            let entry = action.entry();
            let shown = hints.iter().any(|hint| hint.label == entry.label());
            assert!(!shown || help.contains(&entry.about()), "{action:?} is not in\n{help}");
        }
        driver.press("<Esc>");
    }
}

#[test]
fn the_wheel_scrolls() {
    let mut driver = Driver::new((60, 18));
    driver.open_page(0, 5);
    let before = driver.text();
    driver.send(Input::Wheel(3));
    assert_ne!(driver.text(), before);
    driver.send(Input::Wheel(-3));
    assert_eq!(driver.text(), before);
}

#[test]
fn a_tiny_terminal_says_how_large_it_must_be_and_keeps_the_place() {
    let mut driver = driver();
    driver.press("<Enter><Right>");
    driver.send(Input::Resize(Size { width: 59, height: 24 }));
    assert!(
        driver.text().starts_with("matmul-tutor needs 60 × 18 characters; this terminal has 59"),
        "{}",
        driver.text()
    );
    driver.press("<Right>");
    driver.send(Input::Resize(Size { width: 60, height: 18 }));
    assert_eq!(driver.page(), Some((0, 1)));
}

#[test]
fn nothing_panics_at_any_size() {
    for width in [0, 1, 2, 20, 59, 60, 61, 200] {
        for height in [0, 1, 2, 17, 18, 70] {
            let mut driver = Driver::new((width, height));
            for page in 0..6 {
                driver.model.overlays.clear();
                driver.open_page(0, page);
                driver.press("<Tab>z<PageDown>j?");
            }
        }
    }
}

#[test]
fn only_what_changed_is_drawn_again() {
    let mut driver = driver();
    driver.model.dirty = false;
    driver.send(Input::Tick(Duration::from_secs(1)));
    assert!(!driver.model.dirty && !driver.model.wants_ticks());
    driver.send(Msg::Say("Read again.".into()));
    assert!(driver.model.wants_ticks(), "a message has to go by itself");
    driver.model.dirty = false;
    driver.send(Input::Tick(Duration::from_secs(60)));
    assert!(driver.model.dirty && !driver.model.wants_ticks() && driver.model.message.is_none());
}

#[test]
fn files_read_again_keep_the_page() {
    let mut driver = driver();
    driver.press("<Enter><Right><Right>");
    let data = driver.model.data.clone();
    driver.send(Msg::Reloaded(Box::new(data)));
    assert_eq!(driver.page(), Some((0, 2)));
}

#[test]
fn every_show_of_a_page_has_its_instrument() {
    let driver = driver();
    let shows: BTreeMap<&str, &Show> = driver
        .model
        .data
        .course
        .levels
        .iter()
        .flat_map(crate::app_data::pages)
        .filter_map(|page| Some((page.id.value.as_str(), page.show.as_ref()?)))
        .collect();
    assert!(matches!(shows["code"], Show::Code(_)));
    let setting = driver.model.data.setting();
    assert!(tutor_pictures::picture(shows["library"], setting).is_some());
}

#[test]
fn n_goes_on_from_every_page_whatever_has_the_keys_and_is_always_shown() {
    let mut driver = Driver::all_open((80, 24));
    let course = std::sync::Arc::clone(&driver.model.data.course);
    for (level, content) in course.levels.iter().enumerate() {
        let count = crate::app_data::pages(content).len();
        for page in 0..count - 1 {
            driver.open_page(level, page);
            // Skips an open prediction first; then the picture gets the keys.
            driver.press("ss<Tab>");
            assert!(driver.shows(Action::NextPage), "{} {}:\n{}", content.id, page + 1, driver.text());
            let Some(next) = crate::app_data::next_regular(content, page, false) else { continue };
            assert_eq!(driver.press("n").page(), Some((level, next)), "{}", content.id);
        }
    }
}

#[test]
fn the_last_page_leads_to_the_gate_or_to_the_next_level() {
    let mut driver = driver();
    driver.open_page(0, 5);
    driver.press("n").sees(&["quiz of 1"]);
    driver.press("<Esc>");
    for level in &mut driver.model.data.progress.levels {
        (level.locked, level.unlocked_by, level.passed) = (false, None, true);
    }
    assert_eq!(driver.press("n").page(), Some((1, 0)));
}

#[test]
fn a_picture_on_the_whole_screen_has_one_line_above_it() {
    for size in [(80, 24), (200, 60)] {
        let mut driver = Driver::new(size);
        // The PTX is long enough to get the keys; an instrument always gets them.
        for (page, keys) in [(3, "v<Tab>z"), (4, "<Tab>z")] {
            driver.open_page(0, page);
            let text = driver.press(keys).text();
            let rules: Vec<usize> = (0..4).filter(|row| text.lines().nth(*row).unwrap().starts_with(" ─")).collect();
            assert!(rules.len() <= 1, "{text}");
        }
    }
}

#[test]
fn help_has_one_row_for_all_choices() {
    let mut driver = driver();
    driver.press("g<Enter>");
    driver.go_to_kind("single");
    let text = driver.press("?").text();
    assert_eq!(text.matches("Select an answer by its letter").count(), 1, "{text}");
    assert!(text.contains("a–"), "{text}");
}
