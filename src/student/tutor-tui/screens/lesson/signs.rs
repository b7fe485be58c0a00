//! The signs on a page and their meanings, for help.

use super::super::help::Sign;
use super::Lesson;
use crate::prelude::*;

/// Returns the signs of the page's picture or code, and of its text.
pub(super) fn of_page(lesson: &Lesson, context: &Context) -> Vec<Sign> {
    let look = context.look;
    let mut signs = Vec::new();
    let mut add = |drawn: &'static str, ascii: &'static str, means| signs.push((look.sign(drawn, ascii), means));
    if lesson.code.is_some() {
        add("▌", "#", t!("lesson-sign-region"));
        add("◂", "<", t!("lesson-sign-note"));
        add("⋮", ":", t!("lesson-sign-left-out"));
    }
    if lesson.content(context).is_some_and(|page| page.predict.is_some()) {
        if lesson.pending(context).is_some() {
            add("▸", ">", t!("lesson-sign-selected"));
        } else {
            add("✔", "+", t!("lesson-sign-right"));
            add("✘", "x", t!("lesson-sign-wrong"));
            add("◂", "<", t!("lesson-sign-answer"));
        }
    }
    add("▼", "v", t!("lesson-sign-below"));
    if lesson.shows_picture(context) {
        signs.splice(0..0, lesson.instrument.as_ref().map(|it| it.signs()).unwrap_or_default());
    }
    signs
}
