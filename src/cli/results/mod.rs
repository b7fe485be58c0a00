/*! `results`: what a class handed in, as a gradebook and as an analysis of the questions.

Nothing is written: progress files are read as they are, and stay so.
*/

mod formats;
mod gradebook;

use super::support::files_in;
use super::{Exit, Globals, failure, output};
use crate::course::{Course, CourseSource};
use crate::mastery::{HANDED_IN_VERSION, HandedIn, Store, exam_seed, regrade};
use crate::t;
use std::path::{Path, PathBuf};

/// Arguments of `results`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files that `export-progress` wrote, progress files (`….sqlite3`), or folders with such.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Grade every attempt anew by the course as it is; `--exam` does so, too.
    #[arg(long)]
    regrade: bool,
    /// Grade what was handed in of an exam of this name, and tell of questions that were not drawn for who hands them in.
    #[arg(long, value_name = "NAME")]
    exam: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Tables for a person.
    #[default]
    Markdown,
    /// One document: gradebook, levels and questions.
    Json,
    /// The gradebook.
    Csv,
    /// Statements of the Experience API: who passed which gate, and who did not.
    Xapi,
}

/// The end of the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  matmul-tutor results handed-in/
  matmul-tutor results handed-in/ --format csv > gradebook.csv
  matmul-tutor results */progress.sqlite3 --course my-course --format json";

impl Args {
    pub(super) fn json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Most bytes of a file that was handed in.
const LARGEST: u64 = 64 << 20;

/// Prints the results.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let course = Course::load(&CourseSource::from_option(globals.course.as_deref()), globals.lang.code());
    let mut files = Vec::new();
    for path in &args.paths {
        if !path.exists() {
            return Ok(failure(Exit::Usage, &t!("results-no-file", file = path.display().to_string()), None));
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
                output::note(format_args!("{}", t!("results-unread", file = file.display().to_string(), why = why)));
            }
        }
    }
    if others > 0 {
        output::note(format_args!("{}", t!("results-others", others = others, course = course.id.as_str())));
    }
    if class.is_empty() {
        let message = t!("results-none", course = course.id.as_str());
        return Ok(failure(Exit::Usage, &message, Some(&t!("results-none-help"))));
    }
    class.sort_by(|one, other| one.student.cmp(&other.student));
    if args.regrade || args.exam.is_some() {
        graded_anew(&course, &mut class, args.exam.as_deref());
    }
    formats::print(&course, &class, args.format)?;
    Ok(Exit::Done)
}

/// The work in a course that a file has, and how many there are in other courses.
fn read(file: &Path, course: &str) -> Result<(Vec<HandedIn>, usize), String> {
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    if size > LARGEST {
        return Err(t!("results-too-large", most = LARGEST >> 20));
    }
    if file.extension().is_some_and(|extension| extension == "sqlite3") {
        let store = Store::copy_of(file).ok_or_else(|| t!("results-no-database"))?;
        let courses = store.courses().map_err(|error| error.to_string())?;
        let others = courses.iter().filter(|other| *other != course).count();
        if others == courses.len() {
            return Ok((Vec::new(), others));
        }
        let work = store.handed_in(course, "", "").map_err(|error| error.to_string())?;
        return Ok((vec![work], others));
    }
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let work: HandedIn = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if work.version > HANDED_IN_VERSION {
        return Err(t!("results-newer", version = work.version));
    }
    Ok(if work.course == course { (vec![work], 0) } else { (Vec::new(), 1) })
}

/// Whose a file is, as far as its name tells: that of its folder for a progress file.
fn name(file: &Path) -> String {
    let of = if file.extension().is_some_and(|extension| extension == "sqlite3") {
        file.parent().and_then(Path::file_name)
    } else {
        file.file_stem()
    };
    of.unwrap_or_default().to_string_lossy().into_owned()
}

/// Grades all attempts by the course, and looks whether an exam's were drawn for their students.
fn graded_anew(course: &Course, class: &mut [HandedIn], exam: Option<&str>) {
    let mut changed = 0_usize;
    for work in class {
        let student = work.student.clone();
        for attempt in &mut work.attempts {
            let Some(level) = course.level(&attempt.level) else { continue };
            let Some(quiz) = level.quiz() else { continue };
            // An exam asks for nothing: what passes is said by the full course.
            if attempt.required == 0 {
                attempt.required = level.gate.required(attempt.questions);
            }
            changed += usize::from(regrade(quiz, attempt).is_some());
            if exam.is_some_and(|exam| exam_seed(exam.trim(), &student) != attempt.seed) {
                let level = attempt.level.as_str();
                output::note(format_args!("{}", t!("seal-other-draw", student = student.as_str(), level = level)));
            }
        }
    }
    output::note(format_args!("{}", t!("seal-regraded", attempts = changed)));
}
