//! Loads a course as a student sees it: in one language, with everything that could be read, and the reasons for the rest.

use super::exercises::{ANY, exercise_names};
use super::file::ReadFile;
use super::files::{Edition, Files};
use super::layers::LevelFiles;
use super::lesson::{Gate, LessonFile, LevelEntry, Page, Welcome};
use super::problem::Severity;
use super::quiz::QuizFile;
use crate::prelude::*;
use std::collections::BTreeSet;

/// A course in one language.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// The id under which progress is stored.
    pub id: String,
    pub was: Vec<String>,
    /// The version of this edition; may be empty.
    pub version: String,
    /// The exam's name, if its quizzes have no keys; else empty.
    pub exam: String,
    pub title: String,
    /// A sentence below the title.
    pub question: String,
    /// The question on the first screen of a new student.
    pub welcome: Option<Welcome>,
    /// The default gate of the levels.
    pub gate: Gate,
    /// The language codes of the editions, the original first.
    pub languages: Vec<String>,
    /// The language of this course: the requested one, or the original.
    pub lang: String,
    /// True in a preview for the course's author, where every level is open.
    pub all_open: bool,
    /// The levels in the order in which they open; empty only if `course.yaml` itself could not be read.
    pub levels: Vec<Level>,
    /// Why some parts could not be read. `check` finds more problems.
    pub problems: Vec<Problem>,
}

/// A level, read as far as possible.
#[derive(Debug, Clone)]
pub struct Level {
    pub id: String,
    pub was: Vec<String>,
    /// The gate of this level, or else of the course.
    pub gate: Gate,
    pub title: String,
    /// The question that the level answers.
    pub question: String,
    /// Exercises. The student must pass one of them before the next level opens. May be empty.
    pub requires: Vec<String>,
    /// Kernels whose share of the speed of cuBLAS the map shows.
    pub ladder: Vec<String>,
    /// Path of the lesson's file within the course.
    pub lesson_file: Option<String>,
    /// The lesson, or why it cannot be shown.
    pub lesson: Result<LessonFile, Box<Problem>>,
    /// Path of the quiz's file within the course.
    pub quiz_file: Option<String>,
    /// The quiz, or why it cannot be taken; `None` for a level without a gate.
    pub quiz: Option<Result<QuizFile, Box<Problem>>>,
    /// Ids of pages in the original language, because the edition lacks them.
    pub untranslated_pages: BTreeSet<String>,
    /// Ids of slots with a variant in the original language, because the edition lacks it.
    pub untranslated_slots: BTreeSet<String>,
}

impl Level {
    /// Returns the pages; none if the lesson cannot be shown.
    pub fn pages(&self) -> &[Page] {
        self.lesson.as_ref().map_or(&[], |lesson| &lesson.pages)
    }

    /// Returns the pages that count: all but the optional ones.
    pub fn regular_pages(&self) -> impl Iterator<Item = &Page> {
        self.pages().iter().filter(|page| !page.optional)
    }

    /// Returns the quiz, if there is one that can be taken.
    pub fn quiz(&self) -> Option<&QuizFile> {
        self.quiz.as_ref()?.as_ref().ok()
    }

    /// Returns the reason why the quiz cannot be taken, if there is one.
    pub fn quiz_problem(&self) -> Option<&Problem> {
        self.quiz.as_ref()?.as_ref().err().map(|problem| &**problem)
    }
}

impl Course {
    /// Loads a course in the language `lang`. Pages that are not translated are shown in the original language.
    ///
    /// Never fails: [`Course::problems`] and each [`Level`] contain the problems.
    pub fn load(source: &CourseSource, lang: &str) -> Self {
        Self::from_files(&Files::read(source, |known| known == lang), lang)
    }

    /// Returns a note for a user who requested the language `asked` and sees the original.
    pub fn missing_edition(&self, asked: &str) -> Option<Sentence> {
        let shown = || sentence!("cli-no-edition", asked, shown = &self.lang);
        (self.lang != asked && !self.languages.is_empty()).then(shown)
    }

    /// Makes the course from files that have been read.
    pub fn from_files(files: &Files, lang: &str) -> Self {
        let mut problems = files.problems();
        problems.retain(|problem| problem.severity == Severity::Error);
        let original = files.editions.first();
        let edition = files.editions.iter().skip(1).find(|edition| edition.lang == lang);
        let content = |edition: &Edition| edition.course.as_ref().ok().and_then(|file| file.value.clone());
        let mut course = Self {
            gate: Gate::of_percent(100),
            lang: edition.or(original).map_or_else(|| lang.to_owned(), |edition| edition.lang.clone()),
            problems,
            ..Self::default()
        };
        let Some((original, file)) = original.and_then(|original| Some((original, content(original)?))) else {
            return course;
        };
        let translation = edition.and_then(content);
        let title_of = |id: &str| translation.as_ref()?.levels.iter().find(|level| level.id.value == id);
        course.languages = file.languages.iter().map(|lang| lang.value.clone()).collect();
        course.gate = file.gate.clone().or_usual();
        course.was = file.was.iter().map(|old| old.value.clone()).collect();
        course.version.clone_from(&file.version);
        course.exam.clone_from(&file.exam);
        let mut seen = BTreeSet::new();
        for (index, (entry, level)) in file.levels.iter().zip(&original.levels).enumerate() {
            // A level that the base course does not have has no id.
            if entry.id.value.is_empty() {
                continue;
            }
            // A second level with the same id would share the progress of the first, because progress is stored under
            // the id.
            if !seen.insert(&entry.id.value) {
                continue;
            }
            let translated = edition.and_then(|edition| edition.levels.get(index));
            let names = title_of(&entry.id).unwrap_or(entry);
            let (lesson, untranslated_pages) = lesson(files, index, level, translated);
            let (quiz, untranslated_slots) = quiz(files, index, level, translated);
            course.levels.push(Level {
                id: entry.id.value.clone(),
                was: entry.was.iter().map(|old| old.value.clone()).collect(),
                gate: entry.gate.clone().unwrap_or_else(|| file.gate.clone()).or_usual(),
                title: names.title.clone(),
                question: names.question.clone(),
                requires: requires(files, entry),
                ladder: entry.ladder.iter().map(|kernel| kernel.value.clone()).collect(),
                lesson_file: [translated, Some(level)].into_iter().flatten().find_map(file_name),
                lesson,
                quiz_file: [translated, Some(level)].into_iter().flatten().find_map(quiz_name),
                quiz,
                untranslated_pages,
                untranslated_slots,
            });
        }
        let ask = translation.as_ref().and_then(|names| Some(names.welcome.as_ref()?.ask.clone()));
        course.welcome = file.welcome.map(|welcome| Welcome { ask: ask.unwrap_or(welcome.ask), ..welcome });
        course.id = file.id.value;
        let names = translation.as_ref().map(|names| (names.title.clone(), names.question.clone()));
        (course.title, course.question) = names.unwrap_or((file.title, file.question));
        course
    }

    pub fn level(&self, id: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.id == id)
    }
}

fn content<T: Clone>(files: &Files, index: usize, field: &'static str, file: &ReadFile<T>) -> Result<T, Box<Problem>> {
    match file {
        Ok(file) => file.value.clone().ok_or_else(|| Box::new(file.reason())),
        Err(error) => Err(Box::new(
            files
                .unreadable(true, error, index, field)
                .unwrap_or_else(|| Problem::error("missing-file", super::files::COURSE, error.to_string())),
        )),
    }
}

/// Returns the exercises that a level requires. Only `any` needs the list of all exercises.
fn requires(files: &Files, level: &LevelEntry) -> Vec<String> {
    let Some(requires) = &level.requires else { return Vec::new() };
    let any = requires.exercise.iter().any(|id| id.value == ANY);
    let names = if any { exercise_names(&files.source) } else { Vec::new() };
    let free = names.into_iter().filter(|name| name.level == level.id.value && !name.needs_compiler);
    let named = requires.exercise.iter().filter(|id| id.value != ANY).map(|id| id.value.clone());
    named.chain(free.map(|name| name.id)).collect()
}

fn file_name(level: &LevelFiles) -> Option<String> {
    Some(level.own_lesson()?.as_ref().ok()?.name.clone())
}

fn quiz_name(level: &LevelFiles) -> Option<String> {
    level.quiz.as_ref()?.as_ref().ok().map(|file| file.name.clone())
}

/// Maps ids to entries. The first of several entries with the same id wins.
fn by_id<T>(entries: &[T], id: impl Fn(&T) -> &String) -> BTreeMap<&str, &T> {
    entries.iter().rev().map(|entry| (id(entry).as_str(), entry)).collect()
}

fn lesson(
    files: &Files,
    index: usize,
    level: &LevelFiles,
    translated: Option<&LevelFiles>,
) -> (Result<LessonFile, Box<Problem>>, BTreeSet<String>) {
    let mut lesson = match content(files, index, "lesson", &level.lesson) {
        Ok(lesson) => lesson,
        Err(problem) => return (Err(problem), BTreeSet::new()),
    };
    let mut missing = BTreeSet::new();
    let Some(translated) = translated else { return (Ok(lesson), missing) };
    let edition = translated.lesson.as_ref().ok().and_then(|file| file.value.as_ref());
    let pages = by_id(edition.map_or(&[][..], |edition| &edition.pages), |page| &page.id.value);
    for page in &mut lesson.pages {
        match pages.get(page.id.as_str()) {
            Some(known) => {
                // Earlier ids are those of the original, and so is what counts.
                let (was, optional) = (std::mem::take(&mut page.was), page.optional);
                page.clone_from(known);
                (page.was, page.optional) = (was, optional);
            }
            None => {
                missing.insert(page.id.value.clone());
            }
        }
    }
    if let Some(edition) = edition {
        let objectives = by_id(&edition.objectives, |objective| &objective.id.value);
        for objective in &mut lesson.objectives {
            if let Some(known) = objectives.get(objective.id.as_str()) {
                objective.clone_from(known);
            }
        }
        if !edition.glossary.is_empty() {
            lesson.glossary.clone_from(&edition.glossary);
        }
    }
    (Ok(lesson), missing)
}

fn quiz(
    files: &Files,
    index: usize,
    level: &LevelFiles,
    translated: Option<&LevelFiles>,
) -> (Option<Result<QuizFile, Box<Problem>>>, BTreeSet<String>) {
    let mut quiz = match level.quiz.as_ref().map(|quiz| content(files, index, "quiz", quiz)) {
        Some(Ok(quiz)) => quiz,
        none_or_problem => return (none_or_problem, BTreeSet::new()),
    };
    let mut missing = BTreeSet::new();
    let Some(translated) = translated else { return (Some(Ok(quiz)), missing) };
    let edition = translated.quiz.as_ref().and_then(|quiz| quiz.as_ref().ok()).and_then(|file| file.value.as_ref());
    let slots = by_id(edition.map_or(&[][..], |edition| &edition.slots), |slot| &slot.id.value);
    for slot in &mut quiz.slots {
        let known = slots.get(slot.id.as_str()).map_or(&[][..], |known| &known.variants);
        let variants = by_id(known, |variant| &variant.id.value);
        for variant in &mut slot.variants {
            match variants.get(variant.id.as_str()) {
                Some(known) => {
                    let mut translation = (*known).clone();
                    translation.answer.translates(&variant.answer);
                    *variant = translation;
                }
                None => {
                    missing.insert(slot.id.value.clone());
                }
            }
        }
    }
    (Some(Ok(quiz)), missing)
}
