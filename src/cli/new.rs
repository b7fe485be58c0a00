//! `new`: a copy of a course to begin from.

use super::{Exit, Globals, failure, output};
use crate::author;
use crate::course::CourseSource;
use crate::t;
use std::path::PathBuf;

/// Arguments of `new`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A directory that does not exist yet, or is empty.
    directory: PathBuf,
    /// Copy the course in this directory, with its kernels [default: `--course`, else the built-in course].
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
}

/// Writes the copy, and says how to go on.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let from = args.from.as_deref().or(globals.course.as_deref());
    if let Some(from) = from.filter(|from| !from.join(crate::course::COURSE).is_file()) {
        let message = t!("cli-no-course", directory = from.display().to_string());
        return Ok(failure(Exit::Usage, &message, None));
    }
    let files = author::new(&args.directory, &CourseSource::from_option(from))?;
    let directory = args.directory.display();
    output::line(format_args!("{}", t!("cli-new-wrote", count = files.len(), directory = directory.to_string())))?;
    output::line(format_args!("  matmul-tutor --course {directory}        {}", t!("cli-new-see")))?;
    output::line(format_args!("  matmul-tutor check {directory}           {}", t!("cli-new-check")))?;
    Ok(Exit::Done)
}
