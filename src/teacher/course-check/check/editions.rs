//! Rules for translated lessons and quizzes: they have the same pages, questions and correct answers as the original.

use super::alike::{self, Placed};
use crate::rules::severity;
use tutor_course::lint::{Lint, Path};
use tutor_course::{At, Edition, File, LessonFile, Problem, QuizFile, ReadError, Slot};
use tutor_kernels::Catalog;
use tutor_support::yaml::PathStep;

/// Advice for a translation that asks or shows something different.
pub(super) const DIFFERS: &str = "Only words may differ: ids, choices and which are right, what is shown and claimed, formulas, parameters and blanks stay.";

pub(super) fn check(edition: &Edition, original: &Edition, catalog: &Catalog) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let (Ok(file), Ok(from)) = (&edition.course, &original.course)
        && let (Some(to), Some(from)) = (&file.value, &from.value)
    {
        let mut lint = Lint::new(file, severity);
        lint.reference("edition-differs", "original course", &to.id, std::iter::once(from.id.value.as_str()));
        lint.whole(&Path::default().to("title"));
        lint.whole(&Path::default().to("question"));
        for (at, level) in to.levels.iter().enumerate() {
            ["title", "question"].iter().for_each(|field| lint.whole(&Path::default().to("levels").to(at).to(*field)));
            let known = from.levels.iter().map(|level| level.id.value.as_str());
            lint.reference("edition-differs", "original level", &level.id, known);
        }
        match (&to.welcome, &from.welcome) {
            (Some(welcome), Some(_)) => super::courses::welcome(&mut lint, welcome, catalog),
            (None, Some(_)) => lacks(&mut lint, &to.id, "`welcome`"),
            _ => {}
        }
        lint.cut_texts();
        problems.extend(lint.into_problems());
    }
    for (translated, level) in edition.levels.iter().zip(&original.levels) {
        // The author of the base course checks the base course's levels.
        if level.inherited.is_some() {
            continue;
        }
        // If parts of the original were left out, a difference may be due to them.
        let from = level.lesson.as_ref().ok().filter(|file| !file.left_out && file.value.is_some());
        match (&translated.lesson, from) {
            (Ok(file), Some(from)) => problems.extend(lesson(file, from)),
            (Err(error @ ReadError::Missing(_)), Some(_)) => problems.push(missing(error, &edition.lang)),
            _ => {}
        }
        let from = level.quiz.as_ref().and_then(|quiz| quiz.as_ref().ok()).filter(|file| !file.left_out);
        let from = from.and_then(|file| Some((file, file.value.as_ref()?)));
        match (&translated.quiz, from) {
            (Some(Ok(file)), Some((original, from))) => {
                if let Some(to) = &file.value {
                    let mut lint = Lint::new(file, severity);
                    quiz(&mut lint, to, from, file.left_out);
                    outdated(&mut lint, to, (original, from));
                    problems.extend(lint.into_problems());
                }
            }
            (Some(Err(error @ ReadError::Missing(_))), Some(_)) => problems.push(missing(error, &edition.lang)),
            _ => {}
        }
    }
    problems
}

/// Reports each variant whose original has changed since it was translated.
fn outdated(lint: &mut Lint<'_>, to: &QuizFile, (original, from): (&File<QuizFile>, &QuizFile)) {
    let said = |slot: &Slot| slot.variants.iter().any(|variant| variant.of.is_some());
    if !to.slots.iter().any(said) {
        return;
    }
    let tree = original.tree();
    for (at, slot) in to.slots.iter().enumerate() {
        for (index, variant) in slot.variants.iter().enumerate() {
            let Some(of) = &variant.of else { continue };
            let found = from.slots.iter().position(|known| known.id == slot.id).and_then(|theirs| {
                let variants = &from.slots.get(theirs)?.variants;
                Some((theirs, variants.iter().position(|known| known.id == variant.id)?))
            });
            let Some((slot_at, variant_at)) = found else { continue };
            let steps = [
                PathStep::Key("slots"),
                PathStep::Index(slot_at),
                PathStep::Key("variants"),
                PathStep::Index(variant_at),
            ];
            if let Some(node) = tree.value_at(&steps) {
                let what = format!("variant `{}` of the slot `{}`", variant.id.value, slot.id.value);
                let place = Path::default().to("slots").to(at).to("variants").to(index).to("of");
                alike::translates(lint, &what, &place, of, &alike::hash(node));
            }
        }
    }
}

fn missing(error: &ReadError, lang: &str) -> Problem {
    let file = match error {
        ReadError::Missing(path) => path.as_str(),
        _ => tutor_course::COURSE,
    };
    missing_file(file, lang)
}

/// Returns the problem that an edition lacks a file.
pub(super) fn missing_file(file: &str, lang: &str) -> Problem {
    let message = format!("The edition `{lang}` lacks this file, so the original is shown.");
    Problem::warning("edition-missing", file, message)
}

fn lesson(file: &File<LessonFile>, original: &File<LessonFile>) -> Vec<Problem> {
    let (Some(to), Some(from)) = (&file.value, &original.value) else { return Vec::new() };
    let mut lint = Lint::new(file, severity);
    let known = from.pages.iter().map(|page| page.id.value.as_str());
    for page in &to.pages {
        lint.reference("edition-differs", "original page", &page.id, known.clone());
    }
    let known = from.objectives.iter().map(|objective| objective.id.value.as_str());
    for objective in &to.objectives {
        lint.reference("edition-differs", "original objective", &objective.id, known.clone());
    }
    let (tree, original) = (file.tree(), original.tree());
    let at = |index: usize| [PathStep::Key("pages"), PathStep::Index(index)];
    for (index, page) in to.pages.iter().enumerate() {
        let Some(theirs) = from.pages.iter().position(|other| other.id == page.id) else { continue };
        let placed = Placed { page, node: tree.value_at(&at(index)) };
        let other = Placed { page: &from.pages[theirs], node: original.value_at(&at(theirs)) };
        alike::check(&mut lint, &placed, &other, &Path::default().to("pages").to(index));
    }
    if !file.left_out {
        let missing = from.pages.iter().filter(|page| !to.pages.iter().any(|known| known.id == page.id));
        let missing: Vec<String> = missing.map(|page| format!("`{}`", page.id.value)).collect();
        match missing.as_slice() {
            [] => {}
            [one] => lacks(&mut lint, &to.level, &format!("The page {one}")),
            all => {
                let (count, of) = (all.len(), from.pages.len());
                let message = format!(
                    "{count} of {of} pages are not translated, so the original's are shown: {}.",
                    all.join(", ")
                );
                lint.report("edition-missing", &to.level, message, "");
            }
        }
    }
    lint.into_problems()
}

fn quiz(lint: &mut Lint<'_>, to: &QuizFile, from: &QuizFile, left_out: bool) {
    let slots = from.slots.iter().map(|slot| slot.id.value.as_str());
    for slot in &to.slots {
        lint.reference("edition-differs", "original slot", &slot.id, slots.clone());
        let Some(known) = from.slots.iter().find(|known| known.id == slot.id) else { continue };
        let variants = known.variants.iter().map(|variant| variant.id.value.as_str());
        for variant in &slot.variants {
            lint.reference("edition-differs", "original variant", &variant.id, variants.clone());
            if let Some(known) = known.variants.iter().find(|known| known.id == variant.id)
                && !variant.answer.same_as(&known.answer)
            {
                let message = format!("The variant `{}` has another kind or key than the original.", variant.id.value);
                lint.report("edition-differs", &variant.id, message, DIFFERS);
            }
        }
    }
    if left_out {
        return;
    }
    for slot in &from.slots {
        match to.slots.iter().find(|known| known.id == slot.id) {
            None => lacks(lint, &to.level, &format!("The slot `{}`", slot.id.value)),
            Some(known) => {
                for variant in &slot.variants {
                    if !known.variants.iter().any(|known| known.id == variant.id) {
                        lacks(lint, &known.id, &format!("The variant `{}`", variant.id.value));
                    }
                }
            }
        }
    }
}

fn lacks(lint: &mut Lint<'_>, at: &At<String>, what: &str) {
    lint.report("edition-missing", at, format!("{what} is missing, so the original is shown."), "");
}
