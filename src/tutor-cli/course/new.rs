//! `new`: creates a course, or a part of one.

use crate::prelude::*;
use course_check::{self as author, Part};
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use tutor_course::COURSE;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A new or empty directory; with `--level`, `--kernel` or `--exercise`, the directory of a course.
    directory: PathBuf,
    /// Copy the course in this directory with its kernels [default: `--course`, else the built-in course].
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Write a small commented course instead: one level, one kernel, and a check to run at each push.
    #[arg(long, conflicts_with = "from")]
    minimal: bool,
    /// Id of the course, under which progress is stored [default: the command asks, else the copied course's id].
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Title of the course [default: the command asks, else the copied course's title].
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// Add a level with a lesson and a quiz.
    #[arg(long, value_name = "ID", conflicts_with_all = ["from", "minimal", "id", "title"])]
    level: Option<String>,
    /// Add a kernel.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from", "minimal", "id", "title", "level"])]
    kernel: Option<String>,
    /// Add an exercise.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from", "minimal", "id", "title", "level", "kernel"])]
    exercise: Option<String>,
}

impl Args {
    fn part(&self) -> Option<Part> {
        let level = self.level.clone().map(Part::Level);
        level.or_else(|| self.kernel.clone().map(Part::Kernel)).or_else(|| self.exercise.clone().map(Part::Exercise))
    }
}

/// Writes the files and prints the next steps.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let from = args.from.as_deref().or(globals.course.as_deref()).filter(|_| !args.minimal);
    let part = args.part();
    let must_be = part.as_ref().map_or(from, |_| Some(args.directory.as_path()));
    if let Some(course) = must_be.filter(|course| !course.join(COURSE).is_file()) {
        let message = t!("cli-no-course", directory = course.display().to_string());
        return Ok(failure(Exit::Usage, &message, None));
    }
    let directory = args.directory.display();
    if let Some(part) = &part {
        for file in author::add(&args.directory, part)? {
            output::line(format_args!("  {directory}/{file}"))?;
        }
        output::line(format_args!("  matmul-tutor course check {directory}           {}", t!("cli-new-check")))?;
        return Ok(Exit::Done);
    }
    let [id, title] =
        [asked(args.id.as_deref(), &t!("cli-new-ask-id"))?, asked(args.title.as_deref(), &t!("cli-new-ask-title"))?];
    let files = if args.minimal {
        let id = id.unwrap_or_else(|| t!("cli-new-id"));
        author::minimal(&args.directory, &id, &title.unwrap_or_else(|| t!("cli-new-title")))?
    } else {
        let files = author::new(&args.directory, &CourseSource::from_option(from))?;
        author::retitle(&args.directory, id.as_deref(), title.as_deref())?;
        files
    };
    output::line(t!("cli-new-wrote", count = files.len(), directory = directory.to_string()))?;
    output::line(format_args!("  matmul-tutor course preview {directory}         {}", t!("cli-new-see")))?;
    output::line(format_args!("  matmul-tutor course check {directory}           {}", t!("cli-new-check")))?;
    Ok(Exit::Done)
}

/// Returns the given value, or a line that the user types. `None` for an empty line or without a terminal.
fn asked(given: Option<&str>, question: &str) -> anyhow::Result<Option<String>> {
    if let Some(given) = given {
        return Ok(Some(given.to_owned()));
    }
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Ok(None);
    }
    output::painted(&format!("{question} "))?;
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(Some(line.trim().to_owned()).filter(|line| !line.is_empty()))
}
