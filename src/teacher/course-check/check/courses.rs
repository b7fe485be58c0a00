//! Rules of `course.yaml`.

use crate::RULES;
use std::collections::BTreeSet;
use tutor_course::lint::{Lint, Path};
use tutor_course::{ANY, CourseFile, ExerciseName, LevelEntry, MAX_EDITIONS, MAX_LEVELS, Requires};
use tutor_exec::recorded::Recording;
use tutor_kernels::{Catalog, Kernel};
use unicode_width::UnicodeWidthStr;

/// Width available for a level's title on a course map of 60 columns.
const TITLE_WIDTH: usize = 32;

pub(super) fn check(lint: &mut Lint<'_>, course: &CourseFile, catalog: &Catalog, exercises: &[ExerciseName]) {
    let root = Path::default();
    lint.ids("course", [&course.id]);
    lint.title("The title", &course.title, &root.to("title"));
    if course.question.contains(['\n', '\t']) {
        lint.title("The question", &course.question, &root.to("question"));
    }
    languages(lint, course);
    allowances(lint, course);
    lint.at_most(MAX_LEVELS, "levels", course.levels.len(), &root.to("levels"));
    if course.levels.is_empty() {
        lint.report("empty-text", &root.to("levels"), "The course has no level.", "");
    }
    // Duplicate ids were reported when the file was read: the second level is left out.
    lint.formed("level", course.levels.iter().map(|level| &level.id).filter(|id| !id.value.is_empty()));
    let mut files = BTreeSet::new();
    for (index, level) in course.levels.iter().enumerate() {
        // A level that the base course does not have was reported when the file was read.
        if level.uses.is_some() && level.id.value.is_empty() {
            continue;
        }
        let path = root.to("levels").to(index);
        lint.title("The title", &level.title, &path.to("title"));
        lint.title("The question", &level.question, &path.to("question"));
        if level.title.width() > TITLE_WIDTH {
            let message = format!("The level's title takes more than {TITLE_WIDTH} cells on the course map.");
            lint.report("title-too-long", &path.to("title"), message, "");
        }
        let quiz = level.quiz.as_ref().map(|quiz| ("quizzes", quiz));
        for (folder, name) in [("modules", &level.lesson)].into_iter().chain(quiz) {
            if level.uses.is_none() && !files.insert((folder, name.value.as_str())) {
                let message = format!("`{folder}/{}` belongs to another level already.", name.value);
                lint.report("duplicate-id", name, message, "Each level has its own lesson and quiz.");
            }
        }
        if let Some(requires) = &level.requires {
            required(lint, requires, level, &path.to("requires"), exercises);
        }
        let known = catalog.kernels().iter().map(|kernel| kernel.id.as_str());
        for kernel in &level.ladder {
            lint.reference("unknown-kernel", "kernel", kernel, known.clone());
            let recorded = |known: &Kernel| Recording::built_in().iter().any(|of| !of.sizes(known).is_empty());
            if catalog.kernel(kernel).is_some_and(|known| known.unbuilt().is_none() && !recorded(known)) {
                let message =
                    format!("Nothing is recorded of `{}`, so the map shows no span of the level.", kernel.value);
                lint.report("ladder-unrecorded", kernel, message, "Name kernels that have recorded times.");
            }
        }
    }
}

/// Checks that each allowance names an allowable rule and gives a reason.
fn allowances(lint: &mut Lint<'_>, course: &CourseFile) {
    for (index, allowed) in course.allow.iter().enumerate() {
        let path = Path::default().to("allow").to(index);
        lint.reference("unknown-name", "rule", &allowed.code, RULES.iter().map(|rule| rule.code));
        if RULES.iter().any(|rule| rule.code == allowed.code.value && !rule.allowable) {
            let message = format!("`{}` cannot be allowed.", allowed.code.value);
            let help = "A part of the course would not be there, or state what the machine denies.";
            lint.report("bad-allow", &allowed.code, message, help);
        }
        if allowed.why.trim().is_empty() {
            lint.report("bad-allow", &path.to("why"), "There is no reason.", "Say why the course breaks the rule.");
        }
    }
}

/// Checks that students can do what a level requires in addition to its quiz.
fn required(lint: &mut Lint<'_>, requires: &Requires, level: &LevelEntry, path: &Path<'_>, exercises: &[ExerciseName]) {
    if level.quiz.is_none() {
        let help = "A level without a quiz has no gate: it asks for nothing.";
        lint.report("unknown-exercise", path, "The level requires an exercise, but its quiz is missing.", help);
    }
    if requires.exercise.is_empty() {
        let message = "No exercise is named.";
        let help = "List exercises, one of which a student must pass, or write `any`.";
        lint.report("unknown-exercise", path, message, help);
    }
    let known = exercises.iter().map(|name| name.id.as_str());
    for id in &requires.exercise {
        if id.value != ANY {
            lint.reference("unknown-exercise", "exercise", id, known.clone());
        } else if !exercises.iter().any(|name| name.level == level.id.value && !name.needs_compiler) {
            let message = format!("The level `{}` has no exercise that needs no compiler.", level.id.value);
            lint.report("unknown-exercise", id, message, "Name some of another level, or ask for none.");
        }
    }
}

fn languages(lint: &mut Lint<'_>, course: &CourseFile) {
    let path = Path::default().to("languages");
    lint.at_most(MAX_EDITIONS, "languages", course.languages.len(), &path);
    if course.languages.is_empty() {
        lint.report("bad-language", &path, "The course has no language.", "Give at least the original, e.g. `[en]`.");
    }
    let mut seen = BTreeSet::new();
    for lang in &course.languages {
        let mut parts = lang.value.split('-');
        let letters = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric());
        let language = parts
            .next()
            .is_some_and(|part| (2..=3).contains(&part.len()) && part.chars().all(|c| c.is_ascii_lowercase()));
        if !language || !parts.all(|part| (2..=8).contains(&part.len()) && letters(part)) {
            let message = format!("`{}` is not a language code.", lang.value);
            let help = "Codes are like `en`, `ko` or `pt-BR`.";
            lint.report("bad-language", lang, message, help);
        }
        if !seen.insert(lang.value.as_str()) {
            lint.report("bad-language", lang, format!("The language `{}` is given twice.", lang.value), "");
        }
    }
}
