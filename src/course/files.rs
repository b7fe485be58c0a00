/*! All files of a course, each read as far as it can be.

This is what `check` looks at: every edition, every file with its text, its tree and its own
problems. What a student sees is merged from it by [`super::Course::load`].

A file with mistakes is not lost as a whole: a page, variant, glossary entry or claim that does not
fit is left out ([`File::left_out`]) and the rest is read. A quiz slot is never left out, for that
would change what the gate asks.
*/

use super::lesson::{CourseFile, LessonFile};
use super::limits::{MAX_COURSE_BYTES, MAX_COURSE_NODES, MAX_EDITIONS, MAX_LEVELS, MAX_PROBLEMS};
use super::problem::Problem;
use super::quiz::QuizFile;
use super::shape::{Misfit, misfits};
use super::source::{CourseSource, ReadError, is_plain_name};
use crate::yaml::{self, Node, Step, Value};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Path of the course's own file.
pub const COURSE: &str = "modules/course.yaml";

/// One file, as far as it could be read.
#[derive(Debug, Clone)]
pub struct File<T> {
    /// Path within the course, e.g. `modules/01-one-thread.yaml`.
    pub name: String,
    /// The whole text; empty if it could not be read.
    pub text: String,
    /// Places of everything in it.
    pub tree: Node,
    /// The content, absent if there is an error that nothing could be left out for.
    pub value: Option<T>,
    /// What is wrong with its form.
    pub problems: Vec<Problem>,
    /// Whether parts with errors were left out of `value`.
    pub left_out: bool,
}

impl<T: DeserializeOwned + JsonSchema> File<T> {
    /// Reads a file of a course.
    ///
    /// # Errors
    /// If the file cannot be had at all; what is wrong *in* it is told by [`File::problems`].
    pub fn read(source: &CourseSource, name: &str) -> Result<Self, ReadError> {
        Ok(Self::parse(name, source.read(name)?))
    }

    /// Takes a text as a file of a course.
    pub fn parse(name: &str, text: String) -> Self {
        let nothing = Node { line: 1, column: 1, value: Value::Null };
        let mut file =
            Self { name: name.to_owned(), text, tree: nothing, value: None, problems: Vec::new(), left_out: false };
        match yaml::read(&file.text) {
            Ok(tree) => file.tree = tree,
            Err(fault) => {
                file.problems.push(Problem::of_yaml(name, &file.text, &fault));
                return file;
            }
        }
        let found = misfits::<T>(name, &file.text, &file.tree);
        file.left_out = !found.is_empty();
        let readable = without(&file.text, &found);
        file.problems = found.into_iter().map(|misfit| misfit.problem).collect();
        if let Some(readable) = readable {
            if file.left_out
                && let Ok(tree) = yaml::read(&readable)
            {
                // Indices must agree with the value's; lines do as before.
                file.tree = tree;
            }
            match yaml::read_typed(&readable) {
                Ok(value) => file.value = Some(value),
                // With parts left out, what remains may be wrong for lack of them: told already.
                Err(_) if file.left_out => {}
                Err(fault) => file.problems.push(Problem::of_yaml(name, &file.text, &fault)),
            }
        }
        file
    }
}

impl<T> File<T> {
    /// Puts a problem at the place of a path in the tree.
    pub fn place(&self, problem: Problem, path: &[Step<'_>]) -> Problem {
        let node = self.tree.find(path);
        let length = node.text().filter(|text| !text.contains('\n')).map_or(1, |text| text.chars().count().min(80));
        problem.at(&self.text, node.line, node.column, length as u32)
    }

    /// The reason why there is no content.
    pub fn reason(&self) -> Problem {
        self.problems.first().cloned().unwrap_or_else(|| Problem::error("yaml", &self.name, "The file cannot be read."))
    }
}

/// The text without the lines of all misfits, every other line where it was; `None` if one cannot be left out.
fn without(text: &str, misfits: &[Misfit]) -> Option<String> {
    let mut ranges = misfits.iter().map(|misfit| misfit.removable.clone()).collect::<Option<Vec<_>>>()?;
    ranges.sort_by_key(|range| range.start);
    let mut ranges = ranges.into_iter().peekable();
    let mut removed_until = 0;
    let kept = (1..).zip(text.lines()).map(|(number, line): (u32, &str)| {
        while let Some(range) = ranges.next_if(|range| range.start <= number) {
            removed_until = removed_until.max(range.end);
        }
        if number < removed_until { "" } else { line }
    });
    Some(kept.flat_map(|line| [line, "\n"]).collect())
}

/// A level's files in one edition.
#[derive(Debug, Clone)]
pub struct LevelFiles {
    /// The level's id.
    pub id: String,
    /// Its lesson, or why there is none.
    pub lesson: Result<Arc<File<LessonFile>>, ReadError>,
    /// Its quiz, or why it cannot be read; `None` for a level without a gate.
    pub quiz: Option<Result<Arc<File<QuizFile>>, ReadError>>,
}

/// A course in one language.
#[derive(Debug, Clone)]
pub struct Edition {
    /// Language code.
    pub lang: String,
    /// `course.yaml` of the edition; translations may do without.
    pub course: Result<File<CourseFile>, ReadError>,
    /// In the order of the original `course.yaml`.
    pub levels: Vec<LevelFiles>,
}

/// All files of a course.
#[derive(Debug, Clone)]
pub struct Files {
    /// Where they come from.
    pub source: CourseSource,
    /// The original first.
    pub editions: Vec<Edition>,
}

/// What may still be read of a course.
struct Room {
    bytes: usize,
    nodes: usize,
}

/// Files by their names, each read once however many levels name it.
struct Once<T>(BTreeMap<String, Result<Arc<File<T>>, ReadError>>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: DeserializeOwned + JsonSchema> Once<T> {
    fn read(&mut self, source: &CourseSource, name: String, room: &mut Room) -> Result<Arc<File<T>>, ReadError> {
        if let Some(known) = self.0.get(&name) {
            return known.clone();
        }
        let read = source.read(&name).and_then(|text| {
            let too_much = || ReadError::TooMuch(name.clone());
            room.bytes = room.bytes.checked_sub(text.len()).ok_or_else(too_much)?;
            if room.nodes == 0 {
                return Err(too_much());
            }
            let file = File::parse(&name, text);
            room.nodes = room.nodes.saturating_sub(file.tree.count());
            Ok(Arc::new(file))
        });
        self.0.insert(name, read.clone());
        read
    }
}

/// The language codes that a course lists, the original first; none if its `course.yaml` cannot be read.
pub fn languages(source: &CourseSource) -> Vec<String> {
    let course = File::<CourseFile>::read(source, COURSE);
    course.ok().and_then(|file| file.value).as_ref().map_or_else(Vec::new, listed)
}

fn listed(course: &CourseFile) -> Vec<String> {
    course.languages.iter().take(MAX_EDITIONS).map(|lang| lang.value.clone()).collect()
}

impl Files {
    /// Reads the original edition and those translations that `wanted` accepts, within the limits of a course.
    pub fn read(source: &CourseSource, wanted: impl Fn(&str) -> bool) -> Self {
        let course = File::<CourseFile>::read(source, COURSE);
        let content = course.as_ref().ok().and_then(|file| file.value.as_ref());
        let names: Vec<(String, String, Option<String>)> = content.map_or_else(Vec::new, |course| {
            let levels = course.levels.iter().take(MAX_LEVELS);
            levels
                .map(|l| (l.id.value.clone(), l.lesson.value.clone(), l.quiz.as_ref().map(|quiz| quiz.value.clone())))
                .collect()
        });
        let languages = content.map_or_else(Vec::new, listed);
        let original = languages.first().cloned().unwrap_or_else(|| "en".to_owned());
        let mut room = Room { bytes: MAX_COURSE_BYTES, nodes: MAX_COURSE_NODES };
        let (mut lessons, mut quizzes) = (Once::default(), Once::default());
        let mut level_files = |folder: &str| {
            let read = |(id, lesson, quiz): &(String, String, Option<String>)| LevelFiles {
                id: id.clone(),
                lesson: lessons.read(source, format!("modules/{folder}{lesson}"), &mut room),
                quiz: quiz.as_ref().map(|quiz| quizzes.read(source, format!("quizzes/{folder}{quiz}"), &mut room)),
            };
            names.iter().map(read).collect::<Vec<_>>()
        };
        let mut editions = vec![Edition { lang: original, levels: level_files(""), course }];
        for lang in languages.into_iter().skip(1).filter(|lang| wanted(lang) && is_plain_name(lang)) {
            let course = File::read(source, &format!("modules/{lang}/course.yaml"));
            editions.push(Edition { levels: level_files(&format!("{lang}/")), course, lang });
        }
        Self { source: source.clone(), editions }
    }

    /// What is wrong with the form of the files, and files of the original that are missing: no more than
    /// [`MAX_PROBLEMS`].
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        // A file that several levels name is told once, and so is that there are more files than can be read.
        let mut told = BTreeSet::new();
        let mut too_much = false;
        for (edition, number) in self.editions.iter().zip(0..) {
            let original = number == 0;
            match &edition.course {
                Ok(file) => problems.extend(file.problems.iter().cloned()),
                Err(ReadError::Missing(_)) if !original => {}
                Err(error) => problems.push(
                    Problem::error("missing-file", COURSE, error.to_string())
                        .help("A course is a directory with `modules/course.yaml`, lessons in `modules/` and quizzes in `quizzes/`."),
                ),
            }
            for (level, index) in edition.levels.iter().zip(0..) {
                let lesson = level.lesson.as_ref().map(|file| (&file.name, &file.problems));
                let quiz = level.quiz.as_ref().map(|quiz| quiz.as_ref().map(|file| (&file.name, &file.problems)));
                for (field, file) in std::iter::once(("lesson", lesson)).chain(quiz.map(|quiz| ("quiz", quiz))) {
                    match file {
                        Ok((name, found)) if told.insert(name) => problems.extend(found.iter().cloned()),
                        Ok(_) => {}
                        Err(ReadError::TooMuch(_)) if std::mem::replace(&mut too_much, true) => {}
                        Err(error) => problems.extend(self.unreadable(original, error, index, field)),
                    }
                }
                if problems.len() > MAX_PROBLEMS {
                    problems.truncate(MAX_PROBLEMS);
                    return problems;
                }
            }
        }
        problems
    }

    /// The problem of a file that `course.yaml` names and that cannot be read; a translation may be incomplete.
    pub(super) fn unreadable(
        &self,
        original: bool,
        error: &ReadError,
        level: usize,
        field: &'static str,
    ) -> Option<Problem> {
        if !original && matches!(error, ReadError::Missing(_)) {
            return None;
        }
        let code = if matches!(error, ReadError::TooMuch(_)) { "too-large" } else { "missing-file" };
        let problem = Problem::error(code, COURSE, error.to_string());
        let course = self.editions.first()?.course.as_ref().ok()?;
        let entry = course.value.as_ref()?.levels.get(level)?;
        let at = if field == "lesson" { &entry.lesson } else { entry.quiz.as_ref()? };
        let problem = problem.at(&course.text, at.line, at.column, at.value.chars().count() as u32);
        Some(match error {
            ReadError::Missing(_) => problem.help("Create the file, or correct its name here."),
            ReadError::Outside(_) => problem.help(
                "Give a plain file name of letters, digits, `.`, `-` and `_`, and no link that leaves the course.",
            ),
            ReadError::TooMuch(_) => {
                problem.help("A course for people needs a small part of that: divide it into several.")
            }
            _ => problem,
        })
    }
}
