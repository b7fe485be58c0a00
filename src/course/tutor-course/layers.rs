/*! Courses that extend a base course.

`extends` in `course.yaml` names the base course: `built-in`, or a directory. `- use: shared-tiling` takes a level of it. Such a
level may have a `lesson` of this course, whose pages replace those with the same id. A page with a new id comes after the
page that precedes it in that file, or first. A `quiz` replaces the level's quiz. Everything else, and its translations, comes
from the base course in its present state, with its latest corrections.

The courses are merged when they are read, before any other code sees them. `check` reports only what this course
contains ([`LevelFiles::own_lesson`]).

Kernels and exercises of the base course are available as well ([`tutor_support::base_course`]).
*/

use super::files::{File, Files, LevelFiles};
use super::lesson::{CourseFile, LessonFile, LevelEntry};
use super::quiz::QuizFile;
use crate::prelude::*;
use std::sync::Arc;
use tutor_support::base_course::BaseCourse;
use tutor_support::text::nearest;

/// The base course with all its editions.
#[derive(Debug)]
pub(super) enum Below {
    /// The course has no base course.
    None,
    Course(Box<Files>),
    /// The base course cannot be used: code of the problem, and the reason.
    Broken(&'static str, String),
}

impl Below {
    /// Reads the base course of the course at `source`. That course is itself a base course at this `depth`, or 0.
    pub(super) fn read(source: &CourseSource, course: Option<&CourseFile>, depth: usize) -> Self {
        let Some(extends) = course.and_then(|course| course.extends.as_ref()) else { return Self::None };
        let Some(root) = source.directory() else { return Self::None };
        if depth >= tutor_support::base_course::MAX_BASE_COURSES {
            return Self::Broken(
                "extends",
                format!("`{}` is not read, because too many courses extend each other.", extends.value),
            );
        }
        let below = CourseSource::from(BaseCourse::named(root, &extends.value));
        let files = Files::read_at(&below, |_| true, depth + 1);
        match files.editions.first().map(|edition| &edition.course) {
            Some(Ok(file)) if file.value.is_some() => Self::Course(Box::new(files)),
            Some(Err(error)) => {
                Self::Broken("extends", format!("The course `{}` cannot be used: {error}", extends.value))
            }
            _ => Self::Broken(
                "extends",
                format!("The course `{}` cannot be used: its `course.yaml` has errors.", extends.value),
            ),
        }
    }

    fn course(&self) -> Option<&CourseFile> {
        match self {
            Self::Course(files) => files.course_file(),
            _ => None,
        }
    }

    fn entry(&self, id: &str) -> Option<(usize, &LevelEntry)> {
        self.course()?.levels.iter().enumerate().find(|(_, level)| level.id.value == id)
    }

    /// Returns the files of a level in a language, or those of the original if `original` is set.
    pub(super) fn level(&self, id: &str, lang: &str, original: bool) -> Option<&LevelFiles> {
        let Self::Course(files) = self else { return None };
        let (at, _) = self.entry(id)?;
        let edition =
            if original { files.editions.first() } else { files.editions.iter().find(|one| one.lang == lang) };
        edition?.levels.get(at)
    }

    /// Fills in the fields that a level entry takes from the base course.
    pub(super) fn complete(&self, course: &mut CourseFile) {
        for level in &mut course.levels {
            let Some(used) = &level.uses else { continue };
            let Some((_, below)) = self.entry(&used.value) else { continue };
            // The places refer to this course's file.
            let at = |value: &str| At { value: value.to_owned(), line: used.line, column: used.column };
            level.id = at(&below.id.value);
            let fill = |own: &mut String, below: &String| {
                if own.is_empty() {
                    own.clone_from(below);
                }
            };
            fill(&mut level.title, &below.title);
            fill(&mut level.question, &below.question);
            if level.quiz.is_none() {
                level.quiz = below.quiz.as_ref().map(|quiz| at(&quiz.value));
            }
            level.requires = level.requires.take().or_else(|| below.requires.clone());
            if level.ladder.is_empty() {
                level.ladder = below.ladder.iter().map(|kernel| at(&kernel.value)).collect();
            }
        }
    }

    /// Reports incorrect references to the base course.
    pub(super) fn problems(&self, file: &File<CourseFile>) -> Vec<Problem> {
        let Some(course) = &file.value else { return Vec::new() };
        let at = |code: &'static str, at: &At<String>, message: String, help: &str| {
            let problem = Problem::error(code, &file.name, message).help(help);
            problem.at(&file.text, at.line, at.column, at.value.chars().count() as u32)
        };
        let mut problems = Vec::new();
        let used = course.levels.iter().filter_map(|level| level.uses.as_ref());
        let Some(extends) = &course.extends else {
            let told = |used| {
                at(
                    "extends",
                    used,
                    "The course extends no other course, so no level can be used.".to_owned(),
                    "Add `extends: built-in`, or a directory.",
                )
            };
            return used.take(1).map(told).collect();
        };
        if let Self::Broken(code, why) = self {
            problems.push(at(
                code,
                extends,
                why.clone(),
                "Give `built-in`, or the directory of a course, relative to this one.",
            ));
        }
        let Some(below) = self.course() else { return problems };
        if below.id.value == course.id.value {
            let help = "Progress is stored under the id. A different id keeps it apart from that of the other course.";
            problems.push(at(
                "extends",
                &course.id,
                format!("`{}` is the id of the course that this one extends.", course.id.value),
                help,
            ));
        }
        for used in used {
            if self.entry(&used.value).is_none() {
                let known = || below.levels.iter().map(|level| level.id.value.as_str());
                let help = match nearest(&used.value, known()) {
                    Some(near) => format!("Did you mean `{near}`?"),
                    None => format!("It has {}.", known().collect::<Vec<_>>().join(", ")),
                };
                problems.push(at("extends", used, format!("The base course has no level `{}`.", used.value), &help));
            }
        }
        problems
    }
}

/// Merges a level of the base course with this course's lesson and quiz. In a translation, `original` is this course's
/// lesson in the original language: the pages that it replaces are removed first.
pub(super) fn used(
    below: &LevelFiles,
    lesson: Option<Result<Arc<File<LessonFile>>, ReadError>>,
    quiz: Option<Result<Arc<File<QuizFile>>, ReadError>>,
    original: Option<&File<LessonFile>>,
) -> LevelFiles {
    let below = &without(below, original);
    let merged = match (&below.lesson, &lesson) {
        (Ok(below), Some(Ok(own))) => Ok(Arc::new(merged(below, own))),
        (below, _) => below.clone(),
    };
    let own_quiz = quiz.is_some();
    LevelFiles {
        id: below.id.clone(),
        lesson: merged,
        quiz: quiz.or_else(|| below.quiz.clone()),
        used: Some(Used { lesson, own_quiz }),
    }
}

/// What this course adds to a level of the base course.
#[derive(Debug, Clone)]
pub struct Used {
    /// The file whose pages replace those of the level, if there is one.
    pub(super) lesson: Option<Result<Arc<File<LessonFile>>, ReadError>>,
    /// True if the quiz is from this course.
    pub(super) own_quiz: bool,
}

/// Removes the pages that a lesson replaces.
fn without(below: &LevelFiles, replaced: Option<&File<LessonFile>>) -> LevelFiles {
    let mut level = below.clone();
    let Some(replaced) = replaced.and_then(|file| file.value.as_ref()) else { return level };
    if let Ok(file) = &mut level.lesson
        && let Some(lesson) = &mut Arc::make_mut(file).value
    {
        lesson.pages.retain(|page| !replaced.pages.iter().any(|known| known.id == page.id));
    }
    level
}

/// Merges two lessons: pages, objectives and terms of `own` replace those of `below`, or are added.
fn merged(below: &File<LessonFile>, own: &File<LessonFile>) -> File<LessonFile> {
    let mut file = below.clone();
    file.left_out |= own.left_out;
    let (Some(lesson), Some(own)) = (&mut file.value, &own.value) else { return file };
    let mut next = 0;
    for page in &own.pages {
        match lesson.pages.iter().position(|known| known.id == page.id) {
            Some(at) => {
                lesson.pages[at].clone_from(page);
                next = at + 1;
            }
            None => {
                lesson.pages.insert(next, page.clone());
                next += 1;
            }
        }
    }
    for objective in &own.objectives {
        match lesson.objectives.iter_mut().find(|known| known.id == objective.id) {
            Some(known) => known.clone_from(objective),
            None => lesson.objectives.push(objective.clone()),
        }
    }
    for term in &own.glossary {
        match lesson.glossary.iter_mut().find(|known| known.term == term.term) {
            Some(known) => known.clone_from(term),
            None => lesson.glossary.push(term.clone()),
        }
    }
    file
}
