//! The signs that a page draws and what they mean, for help.

use super::Lesson;
use crate::t;
use crate::tui::app::{Model, Screen};

/// The signs on the screen and what they mean: of the page's picture or code, of its text; none on other screens.
pub fn signs(model: &Model) -> Vec<(&'static str, String)> {
    match model.screen() {
        Some(Screen::Lesson(lesson)) => of_page(lesson, model),
        Some(Screen::Bench(bench)) => bench.instrument.signs(),
        _ => Vec::new(),
    }
}

fn of_page(lesson: &Lesson, model: &Model) -> Vec<(&'static str, String)> {
    let (context, look) = (model.context(), model.look());
    let mut signs = Vec::new();
    let mut add = |drawn: &'static str, ascii: &'static str, means| signs.push((look.sign(drawn, ascii), means));
    if lesson.code.is_some() {
        add("▌", "#", t!("lesson-sign-region"));
        add("◂", "<", t!("lesson-sign-note"));
    }
    if lesson.content(&context).is_some_and(|page| page.predict.is_some()) {
        if lesson.pending(&context).is_some() {
            add("▸", ">", t!("lesson-sign-selected"));
        } else {
            add("✔", "+", t!("lesson-sign-right"));
            add("✘", "x", t!("lesson-sign-wrong"));
            add("◂", "<", t!("lesson-sign-answer"));
        }
    }
    add("▼", "v", t!("lesson-sign-below"));
    if lesson.shows_picture(&context) {
        signs.splice(0..0, lesson.instrument.as_ref().map(|it| it.signs()).unwrap_or_default());
    }
    signs
}
