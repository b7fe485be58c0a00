//! Pages: what keys do there, from the student's point of view.

use super::drive::{Driver, driver};
use crate::prelude::*;
use crate::screens::picture_screen::PictureScreen;
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
fn n_goes_on_from_every_page_whatever_has_the_keys_and_is_always_shown() {
    let mut driver = Driver::all_open((80, 24));
    let course = std::sync::Arc::clone(&driver.model.data.course);
    for (level, content) in course.levels.iter().enumerate() {
        let pages = crate::app_data::pages(content);
        for page in 0..pages.len() - 1 {
            driver.open_page(level, page);
            // Skips an open prediction first; then the picture gets the keys.
            driver.press("ss<Tab>");
            assert!(driver.shows(Action::NextPage), "{} {}:\n{}", content.id, page + 1, driver.text());
            // An optional page with which a student began leads to the page that it follows.
            let owner = crate::app_data::next_regular(content, page, true).filter(|owner| {
                let seen = &driver.model.data.progress_of(level).unwrap().seen;
                pages[page].optional && !seen.contains(&pages[*owner].id.value)
            });
            let after = crate::app_data::next_regular(content, page, false);
            let Some(next) = owner.or(after) else { continue };
            assert_eq!(driver.press("n").page(), Some((level, next)), "{}", content.id);
        }
    }
}

#[test]
fn a_click_on_a_page_in_the_list_beside_the_text_opens_it() {
    let mut driver = Driver::all_open((144, 46));
    driver.open_page(0, 0);
    driver.sees(&["pages of level 1"]);
    let content = std::sync::Arc::clone(&driver.model.data.course);
    let there = crate::app_data::pages(&content.levels[0]).iter().position(|page| page.id.value == "warp").unwrap();
    let title = crate::app_data::pages(&content.levels[0])[there].title.clone();
    assert_eq!(driver.click(&title).page(), Some((0, there)));
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
fn a_page_of_a_locked_level_can_be_looked_at_and_counts_nothing() {
    let mut driver = Driver::of(&tutor_course::CourseSource::BuiltIn, (80, 24));
    let level = driver.model.data.course.levels.iter().position(|level| level.id == "shared-tiling").unwrap();
    let page = crate::app_data::page_index(&driver.model.data.course.levels[level], "hazard-raw").unwrap();
    let open = |level, page, driver: &Driver| PictureScreen::preview(level, page, &driver.model.context());
    assert!(open(0, 0, &driver).is_none(), "an open level needs no preview");
    let screen = open(level, page, &driver).unwrap();
    driver.model.show(screen);
    let title = crate::app_data::pages(&driver.model.data.course.levels[level])[page].title.clone();
    driver.sees(&[&format!("preview: {title}"), "Locked: pass the quiz of level 1"]);
    let before = driver.text();
    driver.press("<Enter>");
    assert_ne!(driver.text(), before, "the picture works");
    let record = driver.store.known(&driver.model.data.course.id).unwrap().record;
    assert!(record.opened.is_empty() && record.read.is_empty(), "{record:?}");
    driver.press("<Esc>").sees(&["Warp"]);
}

#[test]
fn the_keys_of_the_last_line_can_be_buttons_outside_the_screen() {
    let mut driver = driver();
    driver.model.buttons = true;
    driver.lacks(&["? help"]);
    let shown = crate::app::buttons(&driver.model);
    let named = |name: &str| shown.iter().find(|(key, ..)| key == name).map(|(_, label, _)| label.as_str());
    assert_eq!((named("?"), named("⏎")), (Some("help"), Some("open")), "{shown:?}");
    let key = shown.iter().find(|(name, ..)| name == "⏎").unwrap().2;
    driver.send(Input::Key(key.event()));
    assert!(driver.page().is_some());
    // Each choice is a button, and of two directions only the way forward has the word.
    let hints = [[Action::Choose(0), Action::Choose(1)], [Action::StepBack, Action::StepForward]];
    let labels = hints.map(|two| ui_kit::action::hints(&two, false, false).remove(0).of_label());
    assert_eq!(labels, [None, Some(Action::StepForward)]);
}
