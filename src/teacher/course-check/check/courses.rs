//! Rules of `course.yaml`.

use super::shows::{code, kernel};
use crate::RULES;
use schemars::{Schema, schema_for};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tutor_course::lint::{Lint, Path};
use tutor_course::{
    ANY, At, CodeView, CourseFile, ExerciseName, LevelEntry, MAX_EDITIONS, MAX_LEVELS, Requires, Welcome,
};
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
    if let Some(welcome) = &course.welcome {
        self::welcome(lint, welcome, catalog);
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
            required(lint, requires, &course.levels[..=index], &path.to("requires"), exercises);
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

/// Checks the question of the first screen. Whether the recording confirms it is a claim.
pub(super) fn welcome(lint: &mut Lint<'_>, welcome: &Welcome, catalog: &Catalog) {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| schema_for!(Welcome));
    let path = Path::default().to("welcome");
    lint.ranges("bad-claim", &path, SCHEMA.as_value());
    lint.title("The question", &welcome.ask, &path.to("ask"));
    let mut numbers = welcome.ask.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_matches('.'));
    if !numbers.any(|number| number.parse() == Ok(welcome.times)) {
        let message = format!("The question does not contain the number {}.", welcome.times);
        lint.report(
            "bad-claim",
            &path.to("ask"),
            message,
            "Write `times` in digits. `check` compares only that with the recording.",
        );
    }
    let ids = [&welcome.faster, &welcome.slower];
    for id in ids {
        kernel(lint, id, catalog);
        let region = Some(welcome.region.clone());
        code(lint, &CodeView { kernel: id.clone(), region, notes: Vec::new() }, catalog);
    }
    let [Some(faster), Some(slower)] = ids.map(|id| catalog.kernel(id).map(|kernel| welcome.lines(kernel))) else {
        return;
    };
    let most = faster.len().max(slower.len());
    if most > Welcome::MAX_LINES {
        let message = format!("The region has {most} lines of code, more than {}.", Welcome::MAX_LINES);
        lint.report("bad-show", &welcome.region, message, "");
    } else if most > 0 && faster == slower {
        let message = "The region has the same code in both kernels.";
        lint.report("bad-show", &welcome.region, message, "Show lines that differ.");
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

/// Checks that students can do what the last of these levels requires in addition to its quiz.
fn required(
    lint: &mut Lint<'_>,
    requires: &Requires,
    levels: &[LevelEntry],
    path: &Path<'_>,
    exercises: &[ExerciseName],
) {
    let Some(level) = levels.last() else { return };
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
            lint.report("unknown-exercise", id, message, "Name some of this or an earlier level, or ask for none.");
        }
    }
    // Exercises of a level open with it, and a later level opens only after this gate.
    let is_open = |id: &&At<String>| {
        let known = exercises.iter().find(|name| name.id == id.value);
        known.is_none_or(|name| levels.iter().any(|level| level.id.value == name.level))
    };
    if let Some(id) = requires.exercise.first().filter(|_| !requires.exercise.iter().any(|id| is_open(&id))) {
        let message =
            format!("No student can pass the level `{}`: the exercises that it requires open later.", level.id.value);
        lint.report("bad-gate", id, message, "Name one of this or an earlier level.");
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
