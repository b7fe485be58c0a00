/*! All files of a course.

`check` works on these: every edition, and every file with its text, its tree and its problems. [`super::Course::load`]
merges them into the course that a student sees. The files of a course are parsed in parallel.
*/

use super::file::{File, FileContent, ReadFile};
use super::kinds::AnswerSpec;
use super::layers::{self, LevelFiles, LevelSource};
use super::lesson::{CourseFile, Gate, LessonFile, LevelEntry};
use super::limits::{MAX_COURSE_BYTES, MAX_EDITIONS, MAX_LEVELS, MAX_PROBLEMS};
use super::lint::{TWICE, twice};
use super::quiz::QuizFile;
use super::source::is_plain_name;
use crate::prelude::*;
use rayon::prelude::*;
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use tutor_kernels::Catalog;
use tutor_kernels::base_course::{BaseCourse, MAX_BASE_COURSES};

/// Path of `course.yaml`.
pub const COURSE: &str = "modules/course.yaml";

/// A course in one language.
#[derive(Debug, Clone)]
pub struct Edition {
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
    base_problems: Vec<Problem>,
}

/// Files by name. Each is read once, even if several levels name it.
struct Named<T>(BTreeMap<String, ReadFile<T>>);

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

    fn get(&self, name: String) -> ReadFile<T> {
        self.0.get(&name).cloned().unwrap_or(Err(ReadError::Missing(name)))
    }
}

/// The lessons and quizzes of all editions that this course itself has.
struct OwnFiles {
    lessons: Named<LessonFile>,
    quizzes: Named<QuizFile>,
}

impl OwnFiles {
    /// Reads the files of all levels. `editions` are pairs of language and folder.
    fn read(source: &CourseSource, editions: &[(String, String)], levels: &[LevelEntry]) -> Self {
        let each = || editions.iter().flat_map(|(_, folder)| levels.iter().map(move |level| (folder, level)));
        let mut room = MAX_COURSE_BYTES;
        let names = each().filter_map(|(folder, level)| Self::lesson_name(folder, level)).collect();
        let lessons = Named::read(source, names, &mut room);
        let names = each().filter_map(|(folder, level)| Self::quiz_name(folder, level)).collect();
        let mut quizzes = Named::read(source, names, &mut room);
        let catalog = LazyCell::new(|| Catalog::of_course(source.directory()).0);
        quizzes.change(|quiz| own_kernels(quiz, source, &catalog));
        Self { lessons, quizzes }
    }

    /// `None` for a level of the base course whose pages all stay.
    fn lesson_name(folder: &str, level: &LevelEntry) -> Option<String> {
        let has_own = level.uses.is_none() || !level.lesson.value.is_empty();
        has_own.then(|| format!("modules/{folder}{}", level.lesson.value))
    }

    fn quiz_name(folder: &str, level: &LevelEntry) -> Option<String> {
        level.quiz.as_ref().map(|quiz| format!("quizzes/{folder}{}", quiz.value))
    }

    fn lesson(&self, folder: &str, level: &LevelEntry) -> Option<ReadFile<LessonFile>> {
        Self::lesson_name(folder, level).map(|name| self.lessons.get(name))
    }

    fn quiz(&self, folder: &str, level: &LevelEntry) -> Option<ReadFile<QuizFile>> {
        Self::quiz_name(folder, level).map(|name| self.quizzes.get(name))
    }
}

/// Returns a level's files in the edition with this language and folder.
fn level_files(entry: &LevelEntry, own: &OwnFiles, base: Option<&Files>, lang: &str, folder: &str) -> LevelFiles {
    let (lesson, quiz) = (own.lesson(folder, entry), own.quiz(folder, entry));
    let Some(uses) = &entry.uses else {
        let lesson = lesson.unwrap_or_else(|| Err(ReadError::Missing(entry.lesson.value.clone())));
        return LevelFiles { id: entry.id.value.clone(), lesson, quiz, inherited: None };
    };
    let translation = !folder.is_empty();
    let source = LevelSource {
        base: base.and_then(|base| base.level(&uses.value, translation.then_some(lang))),
        own: (lesson, quiz),
        translation,
        original: own.lesson("", entry).filter(|_| translation),
    };
    source.files(&uses.value)
}

/// Reads the base course of the course at `source`, which is itself a base course at this `depth`, or 0. `None` if it has none,
/// and the reason if it cannot be used.
fn read_base(source: &CourseSource, course: &CourseFile, depth: usize) -> Option<Result<Files, String>> {
    let (extends, root) = (course.extends.as_ref()?, source.directory()?);
    if depth >= MAX_BASE_COURSES {
        return Some(Err(format!("`{}` is not read, because too many courses extend each other.", extends.value)));
    }
    let base = CourseSource::from(BaseCourse::named(root, &extends.value));
    let files = Files::read_at(&base, |_| true, depth + 1);
    let why = match files.editions.first().map(|edition| &edition.course) {
        Some(Ok(file)) if file.value.is_some() => return Some(Ok(files)),
        Some(Err(error)) => error.to_string(),
        _ => "its `course.yaml` has errors.".to_owned(),
    };
    Some(Err(format!("The course `{}` cannot be used: {why}", extends.value)))
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
    fn read_at(source: &CourseSource, wanted: impl Fn(&str) -> bool, depth: usize) -> Self {
        let mut course = File::<CourseFile>::read(source, COURSE);
        let written = course.as_ref().ok().and_then(|file| file.value.clone());
        let base = written.as_ref().and_then(|course| read_base(source, course, depth));
        let (base, broken) = match base {
            Some(Ok(base)) => (Some(base), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        // A course that extends itself is read as far as it goes, but every other problem of it would only follow.
        let circular = depth == 0 && source.directory().is_some_and(BaseCourse::is_circular);
        let broken = if circular { Some("The base course extends this course again.".to_owned()) } else { broken };
        let base_course = base.as_ref().and_then(Self::course_file);
        let base_problems = match &course {
            Ok(file) => layers::problems(file, base_course, broken),
            Err(_) => Vec::new(),
        };
        let content = course.as_mut().ok().and_then(|file| file.value.as_mut());
        if let (Some(content), Some(base)) = (content, base_course) {
            layers::complete(content, base);
        }
        let languages = written.as_ref().map_or_else(Vec::new, listed);
        let original = languages.first().cloned().unwrap_or_else(|| "en".to_owned());
        let translations = languages.into_iter().skip(1).filter(|lang| wanted(lang) && is_plain_name(lang));
        // Pairs of language and folder. The original has no folder of its own.
        let editions: Vec<(String, String)> = std::iter::once((original, String::new()))
            .chain(translations.map(|lang| (lang.clone(), format!("{lang}/"))))
            .collect();
        let levels = written.as_ref().map_or(&[][..], |course| &course.levels[..course.levels.len().min(MAX_LEVELS)]);
        let own = OwnFiles::read(source, &editions, levels);
        let edition = |(lang, folder): &(String, String)| {
            let course = match folder.as_str() {
                "" => course.clone(),
                folder => File::read(source, &format!("modules/{folder}course.yaml")),
            };
            let level = |entry| level_files(entry, &own, base.as_ref(), lang, folder);
            Edition { lang: lang.clone(), course, levels: levels.iter().map(level).collect() }
        };
        let editions = editions.iter().map(edition).collect();
        Self { source: source.clone(), editions, base_problems }
    }

    /// Returns the files of the level `id` in a language, or in the original edition.
    fn level(&self, id: &str, lang: Option<&str>) -> Option<&LevelFiles> {
        let at = self.course_file()?.levels.iter().position(|level| level.id.value == id)?;
        let edition = match lang {
            Some(lang) => self.editions.iter().find(|edition| edition.lang == lang),
            None => self.editions.first(),
        };
        edition?.levels.get(at)
    }

    /// Returns the content of the original `course.yaml`.
    pub fn course_file(&self) -> Option<&CourseFile> {
        self.editions.first()?.course.as_ref().ok()?.value.as_ref()
    }

    /// Returns the problems of the files' form, and of missing files of the original: at most [`MAX_PROBLEMS`].
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.base_problems.clone();
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
        // `layers::problems` reports that the base course has no such level.
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
            ReadError::BadName(_) | ReadError::NotText { .. } | ReadError::System(..) => problem,
        })
    }
}
