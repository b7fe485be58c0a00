//! `export-progress`: what a student hands in.

use super::student::{Student, stored};
use super::{Exit, Globals, failure, output};
use crate::t;
use std::path::PathBuf;

/// Arguments of `export-progress`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file, which must not be there yet; `-`: standard output.
    file: PathBuf,
    /// Who hands it in: a name or a number [default: MATMUL_TUTOR_STUDENT in the environment].
    #[arg(long, value_name = "NAME")]
    student: Option<String>,
}

/// Who the student is, where nothing else is said.
pub(super) const STUDENT_VARIABLE: &str = "MATMUL_TUTOR_STUDENT";

/// Writes the file.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let student = Student::open(globals)?;
    let course = &student.outline.course;
    let name = args.student.clone().or_else(|| std::env::var(STUDENT_VARIABLE).ok()).unwrap_or_default();
    let work = student.store.handed_in(course, &student.course.version, name.trim()).map_err(|error| stored(&error))?;
    if args.file.as_os_str() == "-" {
        output::json(&work)?;
        return Ok(Exit::Done);
    }
    let shown = args.file.display().to_string();
    if args.file.exists() {
        return Ok(failure(Exit::Usage, &t!("results-there", file = shown), Some(&t!("results-there-help"))));
    }
    if let Err(error) = std::fs::write(&args.file, serde_json::to_string_pretty(&work)? + "\n") {
        return Ok(failure(Exit::Usage, &t!("results-unwritten", file = shown, why = error.to_string()), None));
    }
    output::line(format_args!("{}", t!("results-written", file = shown, attempts = work.attempts.len())))?;
    if name.trim().is_empty() {
        output::note(format_args!("{}", t!("results-nobody", variable = STUDENT_VARIABLE)));
    }
    student.close();
    Ok(Exit::Done)
}
