/*! All problems of a course at once.

```no_run
use {course_check as author, tutor_course as course, tutor_kernels as kernels};
let files = course::Files::read(&course::CourseSource::BuiltIn, |_| true);
for problem in author::check(&files, kernels::Catalog::built_in(), &[]) {
    println!("{problem}");
}
```

The form of each file is checked when it is read ([`tutor_course::File`]); here is what the types
cannot say. If a part of a file could not be read, `check` reports that once. It does not also report
each reference to the missing part.
*/

mod alike;
mod catalog;
mod choices;
mod claims;
mod courses;
mod editions;
mod known;
mod lessons;
mod markdown;
mod proof;
mod quizzes;
mod shows;
mod teaching;
mod words;

pub(super) use catalog::CatalogPlaces;

use crate::rules::severity;
use catalog::CATALOG;
use known::Known;
use std::collections::BTreeMap;
use tutor_course::lint::Lint;
use tutor_course::{
    CourseSource, ExerciseName, File, Files, LessonFile, LevelFiles, MAX_LEVELS, MAX_PROBLEMS, Problem, QuizFile,
    exercise_names,
};
use tutor_kernels::{Catalog, CatalogFile, CatalogProblem};

/// Returns all problems of a course, in the order of its files. `catalog_problems` are those that the catalogue's
/// loader found.
pub fn check(files: &Files, catalog: &Catalog, catalog_problems: &[CatalogProblem]) -> Vec<Problem> {
    let mut problems = files.problems();
    problems.extend(kernels(files, catalog_problems));
    problems.extend(unnamed(files));
    problems.extend(orphans(files));
    let Some(original) = files.editions.first() else { return problems };
    let exercises = exercise_names(&files.source);
    if let Ok(file) = &original.course
        && let Some(course) = &file.value
    {
        let mut lint = Lint::new(file, severity);
        courses::check(&mut lint, course, catalog, &exercises);
        lint.cut_texts();
        problems.extend(lint.into_problems());
    }
    let levels =
        files.course_file().map(|course| course.levels.iter().map(|level| level.id.value.as_str()).collect::<Vec<_>>());
    problems.extend(catalog::check(files, catalog, levels.as_deref()));
    for level in &original.levels {
        problems.extend(level_problems(level, level, catalog, &exercises));
    }
    problems.extend(teaching::check(original));
    problems.extend(choices::check(original, catalog));
    for edition in files.editions.iter().skip(1) {
        for (translated, level) in edition.levels.iter().zip(&original.levels) {
            problems.extend(level_problems(translated, level, catalog, &exercises));
        }
        problems.extend(editions::check(edition, original, catalog));
    }
    problems.extend(words::check(files));
    let unusable: Vec<String> = catalog::unusable(files, catalog).iter().map(|id| format!("`{id}`")).collect();
    let follows = |problem: &Problem| unusable.iter().any(|id| problem.message.contains(id));
    problems.retain(|problem| problem.code != "unknown-kernel" || !follows(problem));
    // Sorts by file in order of first mention, then by place.
    let mut order = BTreeMap::new();
    for problem in &problems {
        let next = order.len();
        order.entry(problem.file.clone()).or_insert(next);
    }
    problems.sort_by_key(|problem| (order.get(&problem.file), problem.line, problem.column));
    problems.dedup();
    problems.truncate(MAX_PROBLEMS);
    problems
}

/// Returns the problems of a level's files in one edition, checked against the ids of the original.
fn level_problems(
    level: &LevelFiles,
    original: &LevelFiles,
    catalog: &Catalog,
    exercises: &[ExerciseName],
) -> Vec<Problem> {
    let translated = !std::ptr::eq(level, original);
    let mut problems = Vec::new();
    let known = Known::of(&original.lesson);
    if let Some(Ok(file)) = level.own_lesson()
        && let Some(lesson) = &file.value
    {
        let mut lint = Lint::new(file, severity);
        lessons::check(
            &mut lint,
            lesson,
            &level.id,
            known.as_ref(),
            translated || level.inherited.is_some(),
            (catalog, exercises),
        );
        lint.cut_texts();
        problems.extend(lint.into_problems());
    }
    if let Some(Ok(file)) = level.own_quiz()
        && let Some(quiz) = &file.value
    {
        let mut lint = Lint::new(file, severity);
        quizzes::check(&mut lint, quiz, &level.id, known.as_ref(), file.left_out || translated, catalog);
        lint.cut_texts();
        problems.extend(lint.into_problems());
    }
    problems
}

/// Returns the problems of the course's own kernels. For a malformed catalogue, the loader reports only the first
/// mistake, so this function reports all of them instead.
fn kernels(files: &Files, found: &[CatalogProblem]) -> Vec<Problem> {
    let form = match files.source {
        CourseSource::Directory(_) if !found.is_empty() => File::<CatalogFile>::read(&files.source, CATALOG),
        _ => return found.iter().map(|problem| from_catalog(&files.source, problem)).collect(),
    };
    match form {
        Ok(file) if !file.problems.is_empty() => file.problems,
        _ => found.iter().map(|problem| from_catalog(&files.source, problem)).collect(),
    }
}

/// If `course.yaml` cannot be read, returns the formal problems of all lesson and quiz files.
fn unnamed(files: &Files) -> Vec<Problem> {
    let (None, Some(root)) = (files.course_file(), files.source.directory()) else { return Vec::new() };
    let mut problems = Vec::new();
    for folder in ["modules", "quizzes"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".yaml") && name != "course.yaml")
            .collect();
        names.sort_unstable();
        for name in names.iter().take(MAX_LEVELS) {
            let path = format!("{folder}/{name}");
            let found = match folder {
                "modules" => File::<LessonFile>::read(&files.source, &path).map(|file| file.problems),
                _ => File::<QuizFile>::read(&files.source, &path).map(|file| file.problems),
            };
            problems.extend(found.into_iter().flatten());
        }
    }
    problems
}

/// Returns a problem for each lesson and quiz that `course.yaml` does not name, because students cannot see it.
fn orphans(files: &Files) -> Vec<Problem> {
    let (Some(course), Some(root)) = (files.course_file(), files.source.directory()) else { return Vec::new() };
    let named = |folder: &str, name: &str| match folder {
        "modules" => name == "course.yaml" || course.levels.iter().any(|level| level.lesson.value == name),
        _ => course.levels.iter().any(|level| level.quiz.as_ref().is_some_and(|quiz| quiz.value == name)),
    };
    let editions = files.editions.iter().skip(1).map(|edition| format!("/{}", edition.lang));
    let places: Vec<String> = std::iter::once(String::new()).chain(editions).collect();
    let mut problems = Vec::new();
    for (folder, place) in
        ["modules", "quizzes"].into_iter().flat_map(|folder| places.iter().map(move |at| (folder, at)))
    {
        let path = format!("{folder}{place}");
        let Ok(entries) = std::fs::read_dir(root.join(&path)) else { continue };
        let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.retain(|name| (name.ends_with(".yaml") || name.ends_with(".yml")) && !named(folder, name));
        names.sort_unstable();
        problems.extend(names.iter().take(MAX_LEVELS).map(|name| {
            let message = format!("`course.yaml` does not name `{name}`, so students never see it.");
            let help = if place.is_empty() {
                "Name it at a level in `modules/course.yaml`, or remove it."
            } else {
                "A translation has the file names of the original."
            };
            Problem::warning("unnamed-file", format!("{path}/{name}"), message).help(help)
        }));
    }
    problems
}

fn from_catalog(source: &CourseSource, problem: &CatalogProblem) -> Problem {
    let told = Problem::error("catalog", &problem.file, &problem.message);
    let told = match source.read(&problem.file) {
        Ok(text) if problem.line > 0 => told.at(&text, problem.line, problem.column.max(1), 1),
        _ => Problem { line: problem.line, column: problem.column, ..told },
    };
    match &problem.help {
        Some(help) => told.help(help),
        None => told,
    }
}
