/*! `results`: prints a class's submissions as a gradebook and an analysis of the questions.

The command only reads progress files and never changes them.
*/

mod formats;
mod gradebook;

use super::support::{files_in, read_handed_in};
use super::{Exit, Globals, failure, output};
use std::path::{Path, PathBuf};
use tutor_author as author;
use tutor_base::t;
use tutor_course::{Course, CourseSource};
use tutor_mastery::{AttemptKind, HANDED_IN_VERSION, HandedIn, Store, exam_seed, examine, regrade};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files from `export-progress`, progress files (`….sqlite3`), or folders with such files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Format of the results.
    #[arg(long, value_enum, default_value_t)]
    format: ResultsFormat,
    /// Regrade every attempt with the current course; a correct answer stays correct.
    #[arg(long)]
    regrade: bool,
    /// Grade the submitted answers of the exam with this name; ignores marks in the files and answers to questions that
    /// were not drawn for the student.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    exam: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum ResultsFormat {
    /// Markdown tables.
    #[default]
    Markdown,
    /// One JSON document: gradebook, levels and questions.
    Json,
    /// The gradebook as CSV.
    Csv,
    /// Experience API statements: the students who passed each gate, and the students who did not.
    Xapi,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor results handed-in/
  matmul-tutor results handed-in/ --format csv > gradebook.csv
  matmul-tutor results */progress.sqlite3 --course my-course --format json";

/// Maximum size of a submitted file, in bytes.
const MAX_SUBMISSION_BYTES: u64 = 64 << 20;

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let course = Course::load(&source, globals.lang.code());
    let mut files = Vec::new();
    for path in &args.paths {
        if !path.exists() {
            return Ok(failure(Exit::Usage, t!("results-no-file", file = path.display().to_string()), None));
        }
        files.extend(files_in(path, &["json", "sqlite3"]));
    }
    let (mut class, mut others) = (Vec::new(), 0_usize);
    for file in &files {
        match read(file, &course.id) {
            Ok((mut works, of_others)) => {
                others += of_others;
                for work in &mut works {
                    if work.student.is_empty() {
                        work.student = name(file);
                    }
                }
                class.append(&mut works);
            }
            Err(why) => {
                output::note(t!("results-unread", file = file.display().to_string(), why = why));
            }
        }
    }
    if others > 0 {
        output::note(t!("results-others", others = others, course = course.id.as_str()));
    }
    if class.is_empty() {
        let message = t!("results-none", course = course.id.as_str());
        return Ok(failure(Exit::Usage, &message, Some(&t!("results-none-help"))));
    }
    class.sort_by(|one, other| one.student.cmp(&other.student));
    for (one, next) in class.iter().zip(class.iter().skip(1)) {
        if one.student == next.student {
            output::note(t!("results-twice", student = one.student.as_str()));
        }
    }
    match &args.exam {
        Some(exam) => examined(&source, &course, &mut class, exam.trim()),
        None if args.regrade => graded_anew(&course, &mut class),
        None => {}
    }
    formats::print(&course, &class, args.format)?;
    Ok(Exit::Done)
}

/// Returns the work in `course` that a file contains, and the number of other courses in the file.
fn read(file: &Path, course: &str) -> Result<(Vec<HandedIn>, usize), String> {
    if is_database(file) {
        tutor_base::private::is_plain(file).map_err(|error| error.to_string())?;
        if file.is_symlink() {
            return Err(t!("cli-link", file = file.display().to_string()));
        }
        let store = Store::copy_of(file).ok_or_else(|| t!("results-no-database"))?;
        let courses = store.courses().map_err(|error| error.to_string())?;
        let others = courses.iter().filter(|other| *other != course).count();
        if others == courses.len() {
            return Ok((Vec::new(), others));
        }
        let work = store.handed_in(course, "", "").map_err(|error| error.to_string())?;
        return Ok((vec![work], others));
    }
    let text = read_handed_in(file, MAX_SUBMISSION_BYTES)?;
    let work: HandedIn = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if work.version > HANDED_IN_VERSION {
        return Err(t!("results-newer", version = work.version));
    }
    Ok(if work.course == course { (vec![work], 0) } else { (Vec::new(), 1) })
}

fn is_database(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sqlite3"))
}

/// Returns the student's name according to the path: the file name, or the folder's name for a progress file.
fn name(file: &Path) -> String {
    let of = if is_database(file) { file.parent().and_then(Path::file_name) } else { file.file_stem() };
    of.unwrap_or_default().to_string_lossy().into_owned()
}

/// Regrades all attempts with the course. A correct answer stays correct.
fn graded_anew(course: &Course, class: &mut [HandedIn]) {
    let mut changed = 0_usize;
    for attempt in class.iter_mut().flat_map(|work| &mut work.attempts) {
        let Some(level) = course.level(&attempt.level) else { continue };
        let Some(quiz) = level.quiz() else { continue };
        // Attempts at an exam have no requirement, so the full course provides it.
        if attempt.required == 0 {
            attempt.required = level.gate.required(attempt.questions);
        }
        changed += usize::from(regrade(quiz, attempt).is_some());
    }
    output::note(t!("seal-regraded", attempts = changed));
}

/// Grades an exam's attempts with the course. A student may have edited the file. Only the answers count, and only
/// those to questions that the exam draws for the student. Exercises and predictions cannot be verified here and are
/// dropped.
fn examined(source: &CourseSource, course: &Course, class: &mut [HandedIn], exam: &str) {
    let sealed = author::sealed_quizzes(source);
    let mut graded = 0_usize;
    for work in class {
        let student = work.student.as_str();
        let seed = exam_seed(exam, student);
        (work.exercises, work.predictions) = Default::default();
        work.attempts.retain_mut(|attempt| {
            let named = attempt.level.clone();
            let level = course.level(&named).filter(|_| attempt.kind == AttemptKind::Gate);
            let Some((level, quiz)) = level.and_then(|level| Some((level, level.quiz()?))) else { return false };
            let Some(sealed) = sealed.get(&named) else { return false };
            if attempt.seed != seed {
                output::note(t!("seal-other-draw", student = student, level = named));
            }
            if attempt.correct > 0 || attempt.items.iter().any(|item| item.correct) {
                output::note(t!("seal-marks", student = student, level = named));
            }
            match examine(quiz, sealed, seed, attempt) {
                Ok(0) => {}
                Ok(items) => {
                    output::note(t!("seal-not-asked", student = student, level = named, items = items));
                }
                Err(error) => {
                    output::note(format_args!("{student}: {error}"));
                    return false;
                }
            }
            attempt.required = level.gate.required(attempt.questions);
            graded += 1;
            true
        });
    }
    output::note(t!("seal-regraded", attempts = graded));
}
