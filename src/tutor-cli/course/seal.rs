//! `seal`: writes a course without keys, for an exam.

use super::pack;
use crate::prelude::*;
use course_check as author;
use std::fs;
use tutor_course::Problem;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A new directory for the sealed course; `--course` names the course to seal.
    dir: PathBuf,
    /// The exam's name. With the student's name it determines the questions, and `class results --exam` needs it.
    #[arg(long, value_name = "NAME")]
    exam: String,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let shown = args.dir.display().to_string();
    if args.exam.trim().is_empty() {
        return Ok(failure(Exit::Usage, t!("seal-no-name"), None));
    }
    if args.dir.exists() {
        return Ok(failure(Exit::Usage, t!("seal-there", directory = shown), None));
    }
    if let Some(exit) = refused(&pack::errors(&source), |errors| t!("seal-errors", errors)) {
        return Ok(exit);
    }
    let sealed = course_export::seal(&source, args.exam.trim())?;
    let written = author::write(&args.dir, &sealed.files);
    let written = written.map_err(|error| failure(Exit::Usage, error.to_string(), None)).and_then(|()| {
        let errors = pack::errors(&CourseSource::Directory(args.dir.clone()));
        refused(&errors, |errors| t!("seal-errors-left", errors)).map_or(Ok(()), Err)
    });
    if let Err(exit) = written {
        // The directory is new, so it contains only these files.
        let _ = fs::remove_dir_all(&args.dir);
        return Ok(exit);
    }
    for remark in &sealed.remarks {
        output::note(remark);
    }
    output::line(t!("seal-written", directory = shown, files = sealed.files.len(), exam = args.exam.trim()))?;
    Ok(Exit::Done)
}

/// Reports the errors of a course. `None` if it has none.
fn refused(errors: &[Problem], message: impl Fn(usize) -> String) -> Option<Exit> {
    let problems: Vec<String> = errors.iter().map(Problem::to_string).collect();
    (!errors.is_empty()).then(|| failure(Exit::Failed, message(errors.len()), Some(&problems.join("\n  "))))
}
