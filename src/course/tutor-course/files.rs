/*! All files of a course, each read as far as possible.

`check` works on these: every edition, and every file with its text, its tree and its problems. [`super::Course::load`]
merges them into the course that a student sees.

Each file is read as a tree ([`tutor_support::yaml`]) and compared with the schema of its type (`super::shape`), which finds all
mistakes at once, with their places. If there are none, the tree is converted to its type. The files of a course are parsed
in parallel.

A mistake does not make the whole file unusable. A page, variant, glossary entry or claim that does not match the schema is
left out ([`File::left_out`]), and the rest is read. A quiz slot is never left out, because then the gate would ask something
else.
*/

use super::kinds::AnswerSpec;
use super::layers::{Below, Used, used};
use super::lesson::{CourseFile, Gate, LessonFile, LevelEntry};
use super::limits::{MAX_COURSE_BYTES, MAX_EDITIONS, MAX_FILE_PROBLEMS, MAX_LEVELS, MAX_PROBLEMS};
use super::lint::{TWICE, twice};
use super::quiz::QuizFile;
use super::shape::{SchemaError, schema_errors};
use super::source::is_plain_name;
use crate::prelude::*;
use crate::problem::Severity;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use tutor_kernels::Catalog;
use tutor_support::text::{forbidden_places, without_forbidden};
use tutor_support::yaml::{self, Node};

/// Path of `course.yaml`.
pub const COURSE: &str = "modules/course.yaml";

/// One file, read as far as possible.
#[derive(Debug, Clone)]
pub struct File<T> {
    /// Path within the course, e.g. `modules/01-one-thread.yaml`.
    pub name: String,
    /// The whole text, with forbidden characters replaced.
    pub text: String,
    /// The content. `None` if there is an error and nothing can be left out to avoid it.
    pub value: Option<T>,
    /// The problems of its form.
    pub problems: Vec<Problem>,
    /// True if parts with errors were left out of `value`.
    pub left_out: bool,
    /// The text without the parts that were left out, if there are any.
    readable: Option<String>,
}

/// A type that a file can contain.
pub trait FileContent: DeserializeOwned + JsonSchema + Send + Sync {}

impl<T: DeserializeOwned + JsonSchema + Send + Sync> FileContent for T {}

impl<T: FileContent> File<T> {
    /// Reads a file of a course.
    ///
    /// # Errors
    /// If the file cannot be read at all. Problems *in* the file are in [`File::problems`].
    pub fn read(source: &CourseSource, name: &str) -> Result<Self, ReadError> {
        Ok(Self::parse(name, source.read(name)?))
    }

    /// Parses a text as a file of a course.
    pub fn parse(name: &str, text: String) -> Self {
        let mut file = Self::parsed(name, text);
        file.problems.truncate(MAX_FILE_PROBLEMS);
        file
    }

    fn parsed(name: &str, text: String) -> Self {
        let problems = forbidden_places(&text).take(MAX_FILE_PROBLEMS).map(|place| {
            let fault = yaml::forbidden(place);
            Problem::error(fault.code, name, &fault.message).help(fault.help).at(&text, fault.line, fault.column, 1)
        });
        let problems: Vec<Problem> = problems.collect();
        // The rest of the file is read anyway.
        let text = if problems.is_empty() { text } else { without_forbidden(&text) };
        let mut file = Self { name: name.to_owned(), text, value: None, problems, left_out: false, readable: None };
        let tree = match yaml::read(&file.text) {
            Ok(tree) => tree,
            Err(fault) => {
                file.problems.push(Problem::of_yaml(name, &file.text, &fault));
                return file;
            }
        };
        let (retired, found): (Vec<_>, Vec<_>) = schema_errors::<T>(name, &file.text, &tree)
            .into_iter()
            .partition(|error| error.problem.severity == Severity::Warning);
        file.problems.extend(retired.into_iter().map(|error| error.problem));
        if found.is_empty() {
            match yaml::typed(&tree) {
                Ok(value) => file.value = Some(value),
                Err(fault) => file.problems.push(Problem::of_yaml(name, &file.text, &fault)),
            }
            return file;
        }
        file.left_out = true;
        file.readable = without(&file.text, &found);
        file.problems.extend(found.into_iter().map(|error| error.problem));
        // Further errors may follow from the missing parts, whose problem is already reported.
        file.value = file.readable.as_deref().and_then(|readable| yaml::read_typed(readable).ok());
        file
    }
}

impl<T> File<T> {
    /// Parses the file again and returns its tree, which has the places of everything that was not left out.
    pub fn tree(&self) -> Node {
        // The indices must agree with those of `value`. The line numbers are the same in both texts.
        let tree = yaml::read(self.readable.as_ref().unwrap_or(&self.text));
        tree.unwrap_or_else(|_| Node::nothing())
    }

    /// Returns the first problem: the reason why there is no content.
    pub fn reason(&self) -> Problem {
        self.problems.first().cloned().unwrap_or_else(|| Problem::error("yaml", &self.name, "The file cannot be read."))
    }
}

/// Removes the lines of all mistakes. Every other line keeps its number. `None` if a mistake cannot be removed.
fn without(text: &str, schema_errors: &[SchemaError]) -> Option<String> {
    let mut ranges = schema_errors.iter().map(|error| error.removable.clone()).collect::<Option<Vec<_>>>()?;
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
    /// Set for a level of the base course: what this course adds to it.
    pub used: Option<Used>,
}

impl LevelFiles {
    /// Returns this course's own lesson file. For a level of the base course, it is the file whose pages replace
    /// others.
    pub fn own_lesson(&self) -> Option<&Result<Arc<File<LessonFile>>, ReadError>> {
        match &self.used {
            None => Some(&self.lesson),
            Some(used) => used.lesson.as_ref(),
        }
    }

    /// Returns this course's own quiz.
    pub fn own_quiz(&self) -> Option<&Result<Arc<File<QuizFile>>, ReadError>> {
        self.quiz.as_ref().filter(|_| self.used.as_ref().is_none_or(|used| used.own_quiz))
    }
}

/// A course in one language.
#[derive(Debug, Clone)]
pub struct Edition {
    /// Language code.
    pub lang: String,
    /// The edition's `course.yaml`; a translation may lack it.
    pub course: Result<File<CourseFile>, ReadError>,
    /// The levels in the order of the original `course.yaml`.
    pub levels: Vec<LevelFiles>,
}

/// All files of a course.
#[derive(Debug, Clone)]
pub struct Files {
    pub source: CourseSource,
    /// The editions, the original first.
    pub editions: Vec<Edition>,
    /// Problems of the references to the base course.
    below: Vec<Problem>,
}

/// Files by name. Each is read once, even if several levels name it.
struct Named<T>(BTreeMap<String, Result<Arc<File<T>>, ReadError>>);

impl<T: FileContent> Named<T> {
    /// Reads the files and parses them in parallel. `room` is the number of bytes that they may still take together.
    fn read(source: &CourseSource, mut names: Vec<String>, room: &mut usize) -> Self {
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        let mut text = |name: &String| {
            let text = source.read(name)?;
            *room = room.checked_sub(text.len()).ok_or_else(|| ReadError::TooMuch(name.clone()))?;
            Ok(text)
        };
        let texts: Vec<(String, Result<String, ReadError>)> = names
            .into_iter()
            .map(|name| {
                let text = text(&name);
                (name, text)
            })
            .collect();
        let parsed = texts.into_par_iter().map(|(name, text)| {
            let file = text.map(|text| Arc::new(File::parse(&name, text)));
            (name, file)
        });
        Self(parsed.collect())
    }

    /// Changes the content of every file.
    fn change(&mut self, change: impl Fn(&mut T)) {
        for file in self.0.values_mut().flatten() {
            if let Some(content) = Arc::get_mut(file).and_then(|file| file.value.as_mut()) {
                change(content);
            }
        }
    }

    fn get(&self, name: String) -> Result<Arc<File<T>>, ReadError> {
        self.0.get(&name).cloned().unwrap_or(Err(ReadError::Missing(name)))
    }
}

/// Gives questions about planted faults the course's own kernels.
fn own_kernels(quiz: &mut QuizFile, source: &CourseSource, catalog: &LazyCell<Catalog, impl FnOnce() -> Catalog>) {
    let variants = quiz.slots.iter_mut().flat_map(|slot| &mut slot.variants);
    for variant in variants.filter(|_| source.directory().is_some()) {
        if let AnswerSpec::Fault(fault) = &mut variant.answer {
            let known = catalog.kernel(&fault.kernel);
            fault.own = known.filter(|own| Catalog::built_in().kernel(&own.id) != Some(*own)).cloned().map(Arc::new);
        }
    }
}

/// Reports values of `course.yaml` that can be read but not used, and what the tutor does instead.
fn unusable(file: &File<CourseFile>, course: &CourseFile) -> Vec<Problem> {
    let mut problems = Vec::new();
    let gates = std::iter::once(&course.gate).chain(course.levels.iter().filter_map(|level| level.gate.as_ref()));
    for Gate { percent, .. } in gates.clone().filter(|gate| !gate.is_possible()) {
        let (given, usual) = (percent.value.to_string(), Gate::USUAL_PERCENT);
        let message = format!(
            "A gate of {given} percent is not between 1 and 100. Until you correct it, the gate needs {usual} percent."
        );
        let problem = Problem::error("bad-gate", &file.name, message).help("80 requires 7 of 8 correct answers.");
        problems.push(problem.at(&file.text, percent.line, percent.column, given.len() as u32));
    }
    for wait in gates.clone().filter(|gate| gate.waits().is_none()).filter_map(|gate| gate.wait.as_ref()) {
        let message =
            format!("`{}` is not a waiting time. Until you correct it, students do not have to wait.", wait.value);
        let problem = Problem::error("bad-gate", &file.name, message).help("Write it like `10m`, `12h` or `1d`.");
        problems.push(problem.at(&file.text, wait.line, wait.column, wait.value.chars().count() as u32));
    }
    for attempts in gates.filter_map(|gate| gate.attempts.as_ref()).filter(|attempts| attempts.value == 0) {
        let problem = Problem::error("bad-gate", &file.name, "With 0 attempts, no student can pass.")
            .help("Remove it, or give 1 or more.");
        problems.push(problem.at(&file.text, attempts.line, attempts.column, 1));
    }
    let mut seen = BTreeSet::new();
    for id in course
        .levels
        .iter()
        .map(|level| &level.id)
        .filter(|id| !id.value.is_empty())
        .filter(|id| !seen.insert(&id.value))
    {
        let message = format!("{} The second is left out.", twice("level", &id.value));
        let problem = Problem::error("duplicate-id", &file.name, message).help(TWICE);
        problems.push(problem.at(&file.text, id.line, id.column, id.value.chars().count() as u32));
    }
    problems
}

/// Returns the language codes that a course lists, the original first; none if its `course.yaml` cannot be read.
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
        Self::read_at(source, wanted, 0)
    }

    /// Reads a course that is a base course at this `depth`; 0 for the course itself.
    pub(super) fn read_at(source: &CourseSource, wanted: impl Fn(&str) -> bool, depth: usize) -> Self {
        let mut course = File::<CourseFile>::read(source, COURSE);
        let written = course.as_ref().ok().and_then(|file| file.value.clone());
        let below = Below::read(source, written.as_ref(), depth);
        let problems = course.as_ref().map_or_else(|_| Vec::new(), |file| below.problems(file));
        if let Some(content) = course.as_mut().ok().and_then(|file| file.value.as_mut()) {
            below.complete(content);
        }
        let content = course.as_ref().ok().and_then(|file| file.value.as_ref());
        let levels = written.as_ref().map_or(&[][..], |course| &course.levels[..course.levels.len().min(MAX_LEVELS)]);
        let languages = content.map_or_else(Vec::new, listed);
        let original = languages.first().cloned().unwrap_or_else(|| "en".to_owned());
        let translations = languages.into_iter().skip(1).filter(|lang| wanted(lang) && is_plain_name(lang));
        // Pairs of language and folder. The original has no folder of its own.
        let editions: Vec<(String, String)> = std::iter::once((original, String::new()))
            .chain(translations.map(|lang| (lang.clone(), format!("{lang}/"))))
            .collect();
        let lesson = |folder: &str, level: &LevelEntry| format!("modules/{folder}{}", level.lesson.value);
        let has_lesson = |level: &LevelEntry| level.uses.is_none() || !level.lesson.value.is_empty();
        let quiz = |folder: &str, level: &LevelEntry| {
            level.quiz.as_ref().map(|quiz| format!("quizzes/{folder}{}", quiz.value))
        };
        let each = || editions.iter().flat_map(|(_, folder)| levels.iter().map(move |level| (folder, level)));
        let mut room = MAX_COURSE_BYTES;
        let names =
            each().filter(|(_, level)| has_lesson(level)).map(|(folder, level)| lesson(folder, level)).collect();
        let lessons = Named::<LessonFile>::read(source, names, &mut room);
        let names = each().filter_map(|(folder, level)| quiz(folder, level)).collect();
        let mut quizzes = Named::<QuizFile>::read(source, names, &mut room);
        let catalog = LazyCell::new(|| Catalog::of_course(source.directory()).0);
        quizzes.change(|quiz| own_kernels(quiz, source, &catalog));
        let level_files = |lang: &str, folder: &str| {
            let files = |level: &LevelEntry| {
                let own = has_lesson(level).then(|| lessons.get(lesson(folder, level)));
                let quiz = quiz(folder, level).map(|name| quizzes.get(name));
                let Some(uses) = &level.uses else {
                    let none = || Err(ReadError::Missing(lesson(folder, level)));
                    return LevelFiles {
                        id: level.id.value.clone(),
                        lesson: own.unwrap_or_else(none),
                        quiz,
                        used: None,
                    };
                };
                let none = LevelFiles {
                    id: uses.value.clone(),
                    lesson: Err(ReadError::Missing(uses.value.clone())),
                    quiz: None,
                    used: None,
                };
                let below = below.level(&uses.value, lang, folder.is_empty()).unwrap_or(&none);
                let original = lessons.get(lesson("", level)).ok().filter(|_| !folder.is_empty() && own.is_some());
                // The original may have a file that replaces parts of the level, and its translation may lack that
                // file. Then students see the original's file.
                let lacks =
                    |error: Option<&ReadError>| !folder.is_empty() && matches!(error, Some(ReadError::Missing(_)));
                let own = own.filter(|own| !lacks(own.as_ref().err()));
                match quiz {
                    Some(quiz) if lacks(quiz.as_ref().err()) => {
                        LevelFiles { quiz: None, ..used(below, own, None, original.as_deref()) }
                    }
                    quiz => used(below, own, quiz, original.as_deref()),
                }
            };
            levels.iter().map(files).collect::<Vec<_>>()
        };
        let edition = |(lang, folder): &(String, String)| {
            let course = match folder.as_str() {
                "" => course.clone(),
                folder => File::read(source, &format!("modules/{folder}course.yaml")),
            };
            Edition { lang: lang.clone(), course, levels: level_files(lang, folder) }
        };
        let editions = editions.iter().map(edition).collect();
        Self { source: source.clone(), editions, below: problems }
    }

    /// Returns the content of the original `course.yaml`.
    pub fn course_file(&self) -> Option<&CourseFile> {
        self.editions.first()?.course.as_ref().ok()?.value.as_ref()
    }

    /// Returns the problems of the files' form, and of missing files of the original: at most [`MAX_PROBLEMS`].
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.below.clone();
        // Report a file once if several levels name it. Report once that the course is too large.
        let mut told = BTreeSet::new();
        let mut too_much = false;
        for (edition, number) in self.editions.iter().zip(0..) {
            let original = number == 0;
            match &edition.course {
                Ok(file) => {
                    problems.extend(file.problems.iter().cloned());
                    problems.extend(file.value.iter().filter(|_| original).flat_map(|course| unusable(file, course)));
                }
                Err(ReadError::Missing(_)) if !original => {}
                Err(error) => problems.push(
                    Problem::error("missing-file", COURSE, error.to_string())
                        .help("A course is a directory with `modules/course.yaml`, lessons in `modules/` and quizzes in `quizzes/`."),
                ),
            }
            for (level, index) in edition.levels.iter().zip(0..) {
                let lesson = level.own_lesson().map(|file| file.as_ref().map(|file| (&file.name, &file.problems)));
                let quiz = level.own_quiz().map(|quiz| quiz.as_ref().map(|file| (&file.name, &file.problems)));
                let each = [("lesson", lesson), ("quiz", quiz)];
                for (field, file) in each.into_iter().filter_map(|(field, file)| Some((field, file?))) {
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

    /// Returns the problem of a file that `course.yaml` names and that cannot be read. A translation may lack files.
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
        let code = match error {
            ReadError::TooMuch(_) | ReadError::TooLarge(_) => "too-large",
            ReadError::NotText { path, line, column, .. } => {
                let problem = Problem::error("yaml", path, error.to_string());
                let problem = Problem { line: *line, column: *column, ..problem };
                return Some(problem.help("Save it as UTF-8: editors call that an encoding."));
            }
            _ => "missing-file",
        };
        let problem = Problem::error(code, COURSE, error.to_string());
        let course = self.editions.first()?.course.as_ref().ok()?;
        let entry = course.value.as_ref()?.levels.get(level)?;
        let at = if field == "lesson" { &entry.lesson } else { entry.quiz.as_ref()? };
        // `Below::problems` reports that the base course has no such level.
        if entry.uses.is_some() && at.value.is_empty() {
            return None;
        }
        let problem = problem.at(&course.text, at.line, at.column, at.value.chars().count() as u32);
        Some(match error {
            ReadError::Missing(_) => problem.help("Create the file, or correct its name here."),
            ReadError::Outside(_) => problem.help(
                "Give a file name of letters, digits, `.`, `-` and `_`. It must not be a link that leaves the course.",
            ),
            ReadError::TooMuch(_) => {
                problem.help("A course needs only a small part of that. Divide it into several courses.")
            }
            ReadError::TooLarge(_) => {
                problem.help("A file needs only a small part of that. Divide the level into several levels.")
            }
            ReadError::NotAFile(_) => problem.help("Give a regular file, not a directory, pipe or device."),
            ReadError::NotText { .. } | ReadError::System(..) => problem,
        })
    }
}
