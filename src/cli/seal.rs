//! `seal`: writes a course without keys, for an exam.

use super::{Exit, Globals, failure, output};
use std::fs;
use std::path::PathBuf;
use tutor_author as author;
use tutor_base::t;
use tutor_course::CourseSource;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A new directory for the sealed course; `--course` names the course to seal.
    dir: PathBuf,
    /// The exam's name. With the student's name it determines the questions, and `results --exam` needs it.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    exam: String,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let shown = args.dir.display().to_string();
    if args.dir.exists() {
        return Ok(failure(Exit::Usage, t!("seal-there", directory = shown), None));
    }
    let sealed = author::seal(&source, args.exam.trim()).map_err(anyhow::Error::msg)?;
    for (name, content) in &sealed.files {
        let path = args.dir.join(name);
        let written = fs::create_dir_all(path.parent().unwrap_or(&args.dir)).and_then(|()| fs::write(&path, content));
        if let Err(error) = written {
            let message = t!("pack-io", file = path.display().to_string(), why = error.to_string());
            return Ok(failure(Exit::Usage, &message, None));
        }
    }
    for remark in &sealed.remarks {
        output::note(remark);
    }
    output::line(t!("seal-written", directory = shown, files = sealed.files.len(), exam = args.exam.trim()))?;
    Ok(Exit::Done)
}
