/*! `results`: prints a class's submissions as a gradebook and an analysis of the questions.

The command only reads progress files and never changes them.
*/

mod exam;
mod formats;
mod gradebook;

use super::support::{files_in, read_handed_in};
use super::{Exit, Globals, failure, output};
use std::path::{Path, PathBuf};
use tutor_course::{Course, CourseSource};
use tutor_progress::{HANDED_IN_VERSION, HandedIn, Outline, Store, regrade};
use tutor_support::t;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files from `export-progress`, progress files (`….sqlite3`), or folders with such files.
    #[arg(required_unless_present = "regrade")]
    paths: Vec<PathBuf>,
    /// Format of the results.
    #[arg(long, value_enum, default_value_t)]
    format: ResultsFormat,
    /// Regrade every attempt with the current course: a correct answer stays correct, and a pass stays a pass. Without
    /// PATHS, regrade the attempts in the data directory and report what changed.
    #[arg(long)]
    regrade: bool,
    /// With `--regrade` without PATHS, only report what would change.
    #[arg(long, requires = "regrade", conflicts_with = "paths")]
    dry_run: bool,
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
}

pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor class results handed-in/
  matmul-tutor class results handed-in/ --format csv > gradebook.csv
  matmul-tutor class results */progress.sqlite3 --course my-course --format json";

/// Maximum size of a submitted file, in bytes.
const MAX_SUBMISSION_BYTES: u64 = 64 << 20;

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if args.paths.is_empty() {
        return crate::regrade::run(args.dry_run, args.format == ResultsFormat::Json, globals);
    }
    let source = CourseSource::from_option(globals.course.as_deref());
    let course = Course::load(&source, globals.lang.code());
    let mut files = Vec::new();
    for path in &args.paths {
        if !path.exists() {
            return Ok(failure(Exit::Usage, t!("results-no-file", file = path.display().to_string()), None));
        }
        files.extend(files_in(path, &["json", "sqlite3"]));
    }
    if (args.exam.is_some() || args.regrade) && !course.exam.is_empty() {
        return Ok(failure(Exit::Usage, t!("seal-no-keys", exam = course.exam), None));
    }
    let (mut class, mut others) = (Vec::<Handed>::new(), 0_usize);
    let outline = Outline::from(&course);
    for file in &files {
        match read(file, &outline) {
            Ok((work, of_others)) => {
                others += of_others;
                class.extend(work.map(|work| Handed::of(work, file)));
            }
            Err(why) => {
                output::note(t!("results-unread", file = file.display().to_string(), why));
            }
        }
    }
    if others > 0 {
        output::note(t!("results-others", others, course = course.id.as_str()));
    }
    if class.is_empty() {
        let message = t!("results-none", course = course.id.as_str());
        return Ok(failure(Exit::Usage, &message, Some(&t!("results-none-help"))));
    }
    class.sort_by(|one, other| one.work.student.cmp(&other.work.student));
    let names: Vec<String> = class.iter().map(|handed| handed.work.student.clone()).collect();
    for handed in &mut class {
        if names.iter().filter(|name| **name == handed.work.student).count() > 1 {
            handed.remark(t!("results-twice"));
        }
    }
    match &args.exam {
        Some(exam) => {
            if let Err(message) = exam::grade(&source, &course, &mut class, exam.trim()) {
                return Ok(failure(Exit::Usage, message, Some(&t!("seal-no-exam-help"))));
            }
        }
        None => {
            exam::leave_out(&mut class);
            if args.regrade {
                graded_anew(&course, &mut class);
            }
        }
    }
    let (class, remarks): (Vec<HandedIn>, Vec<Vec<String>>) =
        class.into_iter().map(|handed| (handed.work, handed.remarks)).unzip();
    formats::print(&course, &class, &remarks, args.format, args.exam.is_some())?;
    Ok(Exit::Done)
}

/// A student's work, and what the instructor should know about the file.
struct Handed {
    work: HandedIn,
    remarks: Vec<String>,
    /// True for a progress file, which does not name an exam.
    database: bool,
}

impl Handed {
    fn of(mut work: HandedIn, file: &Path) -> Self {
        if work.student.trim().is_empty() {
            work.student = name(file);
        }
        Self { work, remarks: Vec::new(), database: is_database(file) }
    }

    /// Prints a remark, and keeps it for the student's row.
    fn remark(&mut self, remark: String) {
        output::note(format_args!("{}: {remark}", self.work.student));
        self.remarks.push(remark);
    }
}

/// Returns the work in the course that a file contains, and the number of other courses in the file.
fn read(file: &Path, outline: &Outline) -> Result<(Option<HandedIn>, usize), String> {
    if is_database(file) {
        tutor_support::private::is_plain(file).map_err(|error| error.to_string())?;
        if file.is_symlink() {
            return Err(t!("cli-link", file = file.display().to_string()));
        }
        let store = Store::copy_of(file).ok_or_else(|| t!("results-no-database"))?;
        let courses = store.courses().map_err(|error| error.to_string())?;
        let others = courses.iter().filter(|other| **other != outline.course).count();
        if others == courses.len() {
            return Ok((None, others));
        }
        let work = store.handed_in(outline, "", "").map_err(|error| error.to_string())?;
        return Ok((Some(work), others));
    }
    let text = read_handed_in(file, MAX_SUBMISSION_BYTES)?;
    let work: HandedIn = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if work.version > HANDED_IN_VERSION {
        return Err(t!("results-newer", version = work.version));
    }
    Ok(if work.course == outline.course { (Some(work), 0) } else { (None, 1) })
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
fn graded_anew(course: &Course, class: &mut [Handed]) {
    let attempts = class.iter_mut().flat_map(|handed| &mut handed.work.attempts);
    let changed = attempts.filter_map(|attempt| regrade(course.level(&attempt.level)?.quiz()?, attempt)).count();
    output::note(t!("seal-regraded", attempts = changed));
}
