/*! `results`: prints a class's submissions as a gradebook and an analysis of the questions.

The command only reads progress files and never changes them.
*/

mod formats;

use super::support::excel::ExcelOption;
use super::{Exit, Globals, failure, output};
use class_grading::{HandedWork, files_in, grade_exam, leave_out_exams, mark_all, read_handed_work, remark_oddities};
use std::path::PathBuf;
use tutor_course::{Course, CourseSource};
use tutor_progress::{HandedIn, Outline, Renamed};
use tutor_support::t;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files from `export-progress`, progress files (`….sqlite3`), or folders with such files.
    #[arg(required_unless_present = "regrade")]
    paths: Vec<PathBuf>,
    /// Format of the results.
    #[arg(long, value_enum, default_value_t)]
    format: ResultsFormat,
    #[command(flatten)]
    excel: ExcelOption,
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

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    if let Some(exit) = args.excel.refused(args.format == ResultsFormat::Csv) {
        return Ok(exit);
    }
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
    let (mut class, mut others) = (Vec::<HandedWork>::new(), Vec::new());
    let (outline, renamed) = (Outline::from(&course), Renamed::of(&course, &source));
    for file in &files {
        match read_handed_work(file, &outline, &renamed) {
            Ok((work, of_others)) => {
                others.extend((of_others > 0).then(|| file.display().to_string()));
                class.extend(work);
            }
            Err(why) => output::note(t!("results-unread", file = file.display().to_string(), why)),
        }
    }
    if !others.is_empty() {
        let (count, files) = (others.len(), others.join(", "));
        output::note(t!("results-others", count, files, course = course.id.as_str()));
    }
    if class.is_empty() {
        let message = t!("results-none", course = course.id.as_str());
        return Ok(failure(Exit::Usage, &message, Some(&t!("results-none-help"))));
    }
    remark_oddities(&mut class, tutor_progress::now());
    let regraded = match &args.exam {
        Some(exam) => match grade_exam(&source, &course, &mut class, exam.trim()) {
            Ok(attempts) => Some(attempts),
            Err(message) => return Ok(failure(Exit::Usage, message, Some(&t!("seal-no-exam-help")))),
        },
        None => {
            leave_out_exams(&mut class);
            // A sealed course has no keys.
            let changed = if course.exam.is_empty() { mark_all(&course, &mut class, args.regrade) } else { 0 };
            args.regrade.then_some(changed)
        }
    };
    let remarked = class.iter().filter(|handed| !handed.remarks.is_empty()).count();
    if remarked > 0 {
        output::note(t!("results-remarked", students = remarked));
    }
    if let Some(attempts) = regraded {
        output::note(t!("seal-regraded", attempts));
    }
    let (class, remarks): (Vec<HandedIn>, Vec<Vec<String>>) =
        class.into_iter().map(|handed| (handed.work, handed.remarks)).unzip();
    formats::print(&course, &class, &remarks, (args.format, args.excel), args.exam.is_some())?;
    Ok(Exit::Done)
}
