//! Rules of a lesson.

use super::known::{Around, Known};
use super::{claims, markdown, proof, shows};
use std::collections::BTreeSet;
use tutor_course::lint::{Lint, Path};
use tutor_course::{LessonFile, Page, Predict, Why};
use unicode_width::UnicodeWidthStr;

/// Maximum words of prose on a page.
const PAGE_WORDS: usize = 120;
/// Width available for a page's title in a page list of 60 columns.
const TITLE_WIDTH: usize = 44;

/// Checks a lesson. `translated` is true for a translation, so that missing parts are not reported.
pub(super) fn check(
    lint: &mut Lint<'_>,
    lesson: &LessonFile,
    level: &str,
    known: Option<&Known>,
    translated: bool,
    around: Around,
) {
    let root = Path::default();
    if lesson.level.value != level {
        let message =
            format!("This file names the level `{}`, but `course.yaml` assigns it to `{level}`.", lesson.level.value);
        lint.report("level-mismatch", &lesson.level, message, "Make the two agree.");
    }
    lint.ids("objective", lesson.objectives.iter().map(|objective| &objective.id));
    for (index, objective) in lesson.objectives.iter().enumerate() {
        lint.text("The objective", &objective.text, &root.to("objectives").to(index).to("text"));
    }
    let mut terms = BTreeSet::new();
    for (index, term) in lesson.glossary.iter().enumerate() {
        let path = root.to("glossary").to(index);
        lint.title("The term", &term.term, &path.to("term"));
        lint.text("The meaning", &term.means, &path.to("means"));
        lint.markdown(&term.means, &path.to("means"));
        if !terms.insert(term.term.trim().to_lowercase()) {
            let message = format!("The term \"{}\" is explained twice.", term.term.trim());
            lint.report("duplicate-id", &path.to("term"), message, "Keep one of the two.");
        }
    }
    if lesson.pages.is_empty() {
        lint.report("empty-text", &root.to("pages"), "The lesson has no page.", "");
    }
    if lesson.pages.first().is_some_and(|page| page.optional) {
        let message = "The first page of the level is optional, so there is no page that it follows.";
        let help = "Put it behind another page.";
        lint.report("optional-page", &root.to("pages").to(0_usize).to("optional"), message, help);
    }
    lint.ids("page", lesson.pages.iter().map(|page| &page.id));
    for (index, page) in lesson.pages.iter().enumerate() {
        let path = root.to("pages").to(index);
        check_page(lint, page, &path, known, around);
        if !translated {
            proof::check(lint, page, &path, around.0);
        }
    }
    if known.is_some() && !translated {
        for (index, objective) in lesson.objectives.iter().enumerate() {
            let served = lesson.regular().any(|page| page.objectives.contains(&objective.id));
            if !served {
                let message = format!("No page serves the objective `{}`.", objective.id.value);
                let help = "Name it in the `objectives` of the pages that teach it.";
                lint.report("objective-untaught", &root.to("objectives").to(index), message, help);
            }
        }
    }
}

fn check_page(lint: &mut Lint<'_>, page: &Page, path: &Path<'_>, known: Option<&Known>, around: Around) {
    lint.title("The title", &page.title, &path.to("title"));
    if page.title.width() > TITLE_WIDTH {
        let message = format!("The title takes {} cells, more than {TITLE_WIDTH}.", page.title.width());
        lint.report("title-too-long", &path.to("title"), message, "Shorten it, or the page list cuts it.");
    }
    if let Some(known) = known {
        for objective in &page.objectives {
            lint.reference("unknown-objective", "objective", objective, known.objectives.iter().map(String::as_str));
        }
    }
    lint.markdown(&page.text, &path.to("text"));
    lint.markdown(&page.after, &path.to("after"));
    let ask = page.predict.as_ref().map_or("", |predict| predict.ask.as_str());
    let words: usize = [&page.text, ask, &page.after].into_iter().map(markdown::words).sum();
    if words > PAGE_WORDS {
        let message = format!("The page has {words} words, more than {PAGE_WORDS}.");
        lint.report("page-too-long", &path.to("title"), message, "One idea a page: split it, or cut.");
    }
    let says_something = [&page.text, &page.after].into_iter().any(|text| !text.trim().is_empty());
    let asks = !page.recall.is_empty() || page.predict.is_some() || page.why.is_some();
    if !says_something && !asks && page.show.is_none() {
        lint.report("empty-text", path, format!("The page `{}` is empty.", page.id.value), "Give it `text` or `show`.");
    }
    lint.at_most(Page::MAX_RECALLS, "recall questions", page.recall.len(), &path.to("recall"));
    for (index, recall) in page.recall.iter().enumerate() {
        let path = path.to("recall").to(index);
        for (what, field, text) in [("The question", "ask", &recall.ask), ("The answer", "answer", &recall.answer)] {
            lint.text(what, text, &path.to(field));
            lint.markdown(text, &path.to(field));
        }
    }
    if let Some(predict) = &page.predict {
        check_predict(lint, predict, &path.to("predict"));
    }
    if let Some(why) = &page.why {
        check_why(lint, why, &path.to("why"));
    }
    if let Some(show) = &page.show {
        shows::check(lint, show, &path.to("show"), around);
    }
    let path = path.to("claims");
    lint.at_most(Page::MAX_CLAIMS, "claims", page.claims.len(), &path);
    claims::check(lint, &page.claims, &path, around.0);
}

fn check_why(lint: &mut Lint<'_>, why: &Why, path: &Path<'_>) {
    for (what, field, text) in [("The question", "ask", &why.ask), ("The model answer", "model", &why.model)] {
        lint.text(what, text, &path.to(field));
        lint.markdown(text, &path.to(field));
    }
    if !(Why::POINTS[0]..=Why::POINTS[1]).contains(&why.points.len()) && !lint.is_damaged(&path.to("points")) {
        let message = format!("A model answer has two to six points, not {}.", why.points.len());
        lint.report("why-points", &path.to("points"), message, "Name what a whole answer must say.");
    }
    for (index, point) in why.points.iter().enumerate() {
        lint.title("The point", point, &path.to("points").to(index));
        lint.markdown(point, &path.to("points").to(index));
    }
}

fn check_predict(lint: &mut Lint<'_>, predict: &Predict, path: &Path<'_>) {
    lint.text("The question", &predict.ask, &path.to("ask"));
    lint.markdown(&predict.ask, &path.to("ask"));
    if !(Predict::CHOICES[0]..=Predict::CHOICES[1]).contains(&predict.choices.len()) {
        let message = format!("A prediction has two to six choices, not {}.", predict.choices.len());
        lint.report("predict-choices", &path.to("choices"), message, "");
    }
    let right = predict.choices.iter().filter(|choice| choice.correct).count();
    if right != 1 && !lint.is_damaged(&path.to("choices")) {
        let message = format!("{right} of the choices are marked correct.");
        lint.report("predict-choices", &path.to("choices"), message, "Mark the one that happens with `correct: true`.");
    }
    for (index, choice) in predict.choices.iter().enumerate() {
        let path = path.to("choices").to(index);
        lint.text("The choice", &choice.text, &path.to("text"));
        lint.text("The reply", &choice.reply, &path.to("reply"));
        lint.markdown(&choice.text, &path.to("text"));
        lint.markdown(&choice.reply, &path.to("reply"));
        if predict.choices.iter().take(index).any(|other| other.text.trim() == choice.text.trim()) {
            lint.report("predict-choices", &path.to("text"), "Two choices read the same.", "");
        }
    }
}
