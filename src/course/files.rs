/*! All files of a course, each read as far as it can be.

This is what `check` looks at: every edition, every file with its text, its tree and its own
problems. What a student sees is merged from it by [`super::Course::load`].

A file with mistakes is not lost as a whole: a page, variant, glossary entry or claim that does not
fit is left out ([`File::left_out`]) and the rest is read. A quiz slot is never left out, for that
would change what the gate asks.
*/

use super::lesson::{CourseFile, LessonFile};
use super::problem::Problem;
use super::quiz::QuizFile;
use super::shape::{Misfit, misfits};
use super::source::{CourseSource, ReadError, is_plain_name};
use super::tree::{self, Node, Step, Value};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// Path of the course's own file.
pub const COURSE: &str = "modules/course.yaml";
/// Most levels of a course.
pub const MAX_LEVELS: usize = 50;
/// Most editions of a course.
pub const MAX_EDITIONS: usize = 20;

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
        match tree::read(name, &file.text) {
            Ok(tree) => file.tree = tree,
            Err(problem) => {
                file.problems.push(*problem);
                return file;
            }
        }
        let found = misfits::<T>(name, &file.text, &file.tree);
        file.left_out = !found.is_empty();
        let readable = without(&file.text, &found);
        file.problems = found.into_iter().map(|misfit| misfit.problem).collect();
        if let Some(readable) = readable {
            if file.left_out
                && let Ok(tree) = tree::read(name, &readable)
            {
                // Indices must agree with the value's; lines do as before.
                file.tree = tree;
            }
            match tree::read_typed(name, &readable) {
                Ok(value) => file.value = Some(value),
                // With parts left out, what remains may be wrong for lack of them: told already.
                Err(_) if file.left_out => {}
                Err(problem) => file.problems.push(*problem),
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
    let ranges = misfits.iter().map(|misfit| misfit.removable.clone()).collect::<Option<Vec<_>>>()?;
    let kept = (1..).zip(text.lines()).map(|(number, line): (u32, &str)| {
        let removed = ranges.iter().any(|range| range.contains(&number));
        if removed { "" } else { line }
    });
    Some(kept.flat_map(|line| [line, "\n"]).collect())
}

/// A level's files in one edition.
#[derive(Debug, Clone)]
pub struct LevelFiles {
    /// The level's id.
    pub id: String,
    /// Its lesson, or why there is none.
    pub lesson: Result<File<LessonFile>, ReadError>,
    /// Its quiz, or why it cannot be read; `None` for a level without a gate.
    pub quiz: Option<Result<File<QuizFile>, ReadError>>,
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

/// The language codes that a course lists, the original first; none if its `course.yaml` cannot be read.
pub fn languages(source: &CourseSource) -> Vec<String> {
    let course = File::<CourseFile>::read(source, COURSE);
    course.ok().and_then(|file| file.value).as_ref().map_or_else(Vec::new, listed)
}

fn listed(course: &CourseFile) -> Vec<String> {
    course.languages.iter().take(MAX_EDITIONS).map(|lang| lang.value.clone()).collect()
}

impl Files {
    /// Reads the original edition and those translations that `wanted` accepts.
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
        let level_files = |folder: &str| {
            let read = |(id, lesson, quiz): &(String, String, Option<String>)| LevelFiles {
                id: id.clone(),
                lesson: File::read(source, &format!("modules/{folder}{lesson}")),
                quiz: quiz.as_ref().map(|quiz| File::read(source, &format!("quizzes/{folder}{quiz}"))),
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

    /// What is wrong with the form of the files, and files of the original that are missing.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
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
                match &level.lesson {
                    Ok(file) => problems.extend(file.problems.iter().cloned()),
                    Err(error) => problems.extend(self.unreadable(original, error, index, "lesson")),
                }
                match &level.quiz {
                    None => {}
                    Some(Ok(file)) => problems.extend(file.problems.iter().cloned()),
                    Some(Err(error)) => problems.extend(self.unreadable(original, error, index, "quiz")),
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
        let problem = Problem::error("missing-file", COURSE, error.to_string());
        let course = self.editions.first()?.course.as_ref().ok()?;
        let entry = course.value.as_ref()?.levels.get(level)?;
        let at = if field == "lesson" { &entry.lesson } else { entry.quiz.as_ref()? };
        let problem = problem.at(&course.text, at.line, at.column, at.value.chars().count() as u32);
        Some(match error {
            ReadError::Missing(_) => problem.help("Create the file, or correct its name here."),
            ReadError::Outside(_) => problem.help(
                "Give a plain file name of letters, digits, `.`, `-` and `_`, and no link that leaves the course.",
            ),
            _ => problem,
        })
    }
}
