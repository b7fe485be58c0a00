/*! Courses that extend a base course.

`extends` in `course.yaml` names the base course: `built-in`, or a directory. `- use: shared-tiling` takes a level of it. Such a
level may have a `lesson` of this course, whose pages replace those with the same id. A page with a new id comes after the
page that precedes it in that file, or first. A `quiz` replaces the level's quiz. Everything else, and its translations, comes
from the base course in its present state, with its latest corrections.

The courses are merged when they are read, before any other code sees them. `check` reports only what this course
contains ([`LevelFiles::own_lesson`]).

Kernels and exercises of the base course are available as well ([`tutor_kernels::base_course`]).
*/

use super::file::{File, ReadFile};
use super::lesson::{CourseFile, LessonFile};
use super::quiz::QuizFile;
use crate::prelude::*;
use std::sync::Arc;
use tutor_support::text::nearest;

/// A level's files in one edition.
#[derive(Debug, Clone)]
pub struct LevelFiles {
    pub id: String,
    /// Its lesson, or why there is none.
    pub lesson: ReadFile<LessonFile>,
    /// Its quiz, or why it cannot be read; `None` for a level without a gate.
    pub quiz: Option<ReadFile<QuizFile>>,
    /// Set for a level of the base course: what this course adds to it.
    pub inherited: Option<Inherited>,
}

impl LevelFiles {
    /// Returns this course's own lesson file. For a level of the base course, it is the file whose pages replace
    /// others.
    pub fn own_lesson(&self) -> Option<&ReadFile<LessonFile>> {
        match &self.inherited {
            None => Some(&self.lesson),
            Some(inherited) => inherited.lesson.as_ref(),
        }
    }

    /// Returns this course's own quiz.
    pub fn own_quiz(&self) -> Option<&ReadFile<QuizFile>> {
        self.quiz.as_ref().filter(|_| self.inherited.as_ref().is_none_or(|inherited| inherited.own_quiz))
    }
}

/// What this course adds to a level of the base course.
#[derive(Debug, Clone)]
pub struct Inherited {
    /// The file whose pages replace those of the level, if there is one.
    lesson: Option<ReadFile<LessonFile>>,
    /// True if the quiz is from this course.
    own_quiz: bool,
}

/// Where the files of a level of the base course come from, in one edition.
pub(super) struct LevelSource<'a> {
    /// The level in the base course, if that has it in this language.
    pub base: Option<&'a LevelFiles>,
    /// The lesson and the quiz of this course.
    pub own: (Option<ReadFile<LessonFile>>, Option<ReadFile<QuizFile>>),
    /// True for a translation.
    pub translation: bool,
    /// In a translation: this course's lesson in the original language.
    pub original: Option<ReadFile<LessonFile>>,
}

impl LevelSource<'_> {
    /// Merges the files of the level `id`.
    pub(super) fn files(self, id: &str) -> LevelFiles {
        let (lesson, quiz) = self.own.clone();
        let own_quiz = quiz.is_some();
        let lesson = self.unless_lacking(lesson);
        let quiz = if own_quiz { self.unless_lacking(quiz) } else { self.base.and_then(|base| base.quiz.clone()) };
        LevelFiles {
            id: self.base.map_or(id, |base| &base.id).to_owned(),
            lesson: self.lesson(id, lesson.as_ref()),
            quiz,
            inherited: Some(Inherited { lesson, own_quiz }),
        }
    }

    /// Drops a file that a translation lacks. Students see the original's file instead.
    fn unless_lacking<T>(&self, own: Option<ReadFile<T>>) -> Option<ReadFile<T>> {
        own.filter(|own| !self.translation || !matches!(own, Err(ReadError::Missing(_))))
    }

    /// Merges the lesson of the base course with this course's pages. A translation first loses the pages that the original
    /// replaces.
    fn lesson(&self, id: &str, own: Option<&ReadFile<LessonFile>>) -> ReadFile<LessonFile> {
        let Some(base) = self.base else { return Err(ReadError::Missing(id.to_owned())) };
        let mut lesson = base.lesson.clone();
        let Ok(file) = &mut lesson else { return lesson };
        if let Some(Ok(original)) = &self.original
            && let (Some(lesson), Some(original)) = (&mut Arc::make_mut(file).value, &original.value)
        {
            lesson.pages.retain(|page| !original.pages.iter().any(|known| known.id == page.id));
        }
        if let Some(Ok(own)) = own {
            merge(Arc::make_mut(file), own);
        }
        lesson
    }
}

/// Fills in the fields that the levels of a course take from its base course.
pub(super) fn complete(course: &mut CourseFile, base: &CourseFile) {
    for level in &mut course.levels {
        let Some(used) = &level.uses else { continue };
        let Some(given) = base.levels.iter().find(|level| level.id.value == used.value) else { continue };
        // The places refer to this course's file.
        let at = |value: &str| At { value: value.to_owned(), line: used.line, column: used.column };
        level.id = at(&given.id.value);
        for (own, given) in [(&mut level.title, &given.title), (&mut level.question, &given.question)] {
            if own.is_empty() {
                own.clone_from(given);
            }
        }
        level.quiz = level.quiz.take().or_else(|| given.quiz.as_ref().map(|quiz| at(&quiz.value)));
        level.requires = level.requires.take().or_else(|| given.requires.clone());
        if level.ladder.is_empty() {
            level.ladder = given.ladder.iter().map(|kernel| at(&kernel.value)).collect();
        }
    }
}

/// Reports incorrect references to the base course, and the reason if that cannot be used.
pub(super) fn problems(file: &File<CourseFile>, base: Option<&CourseFile>, unusable: Option<String>) -> Vec<Problem> {
    let Some(course) = &file.value else { return Vec::new() };
    let problem = |at: &At<String>, message: &str, help: &str| {
        let problem = Problem::error("extends", &file.name, message).help(help);
        problem.at(&file.text, at.line, at.column, at.value.chars().count() as u32)
    };
    let mut used = course.levels.iter().filter_map(|level| level.uses.as_ref());
    let Some(extends) = &course.extends else {
        let message = "The course extends no other course, so no level can be used.";
        return used
            .next()
            .map(|used| problem(used, message, "Add `extends: built-in`, or a directory."))
            .into_iter()
            .collect();
    };
    if let Some(why) = unusable {
        let help = "Give `built-in`, or the directory of another course, relative to this one.";
        return vec![problem(extends, &why, help)];
    }
    let mut problems = Vec::new();
    let Some(base) = base else { return problems };
    if base.id.value == course.id.value {
        let message = format!("`{}` is the id of the course that this one extends.", course.id.value);
        let help = "Progress is stored under the id. A different id keeps it apart from that of the other course.";
        problems.push(problem(&course.id, &message, help));
    }
    let known = || base.levels.iter().map(|level| level.id.value.as_str());
    for used in used.filter(|used| !known().any(|id| id == used.value)) {
        let help = match nearest(&used.value, known()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("It has {}.", known().collect::<Vec<_>>().join(", ")),
        };
        problems.push(problem(used, &format!("The base course has no level `{}`.", used.value), &help));
    }
    problems
}

/// Merges two lessons: pages, objectives and terms of `own` replace those of `file`, or are added.
fn merge(file: &mut File<LessonFile>, own: &File<LessonFile>) {
    file.left_out |= own.left_out;
    let (Some(lesson), Some(own)) = (&mut file.value, &own.value) else { return };
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
}
