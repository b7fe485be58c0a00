//! `pack`: writes a course as one file, for a class.

use crate::prelude::*;
use course_check as author;
use tutor_course::{Files, Problem, Severity, is_packed, pack};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The course's directory.
    dir: PathBuf,
    /// The packed course [default: ID-VERSION.course in the current directory].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

/// Returns the errors of a course, except those that only a run of its kernels can find.
pub(super) fn errors(source: &CourseSource) -> Vec<Problem> {
    let files = Files::read(source, |_| true);
    let (catalog, found) = Catalog::of_course(source.directory());
    let mut problems = author::check(&files, &catalog, &found);
    author::allowed(&files, &mut problems);
    problems.retain(|problem| problem.severity == Severity::Error);
    problems
}

pub(super) fn run(args: &Args, _: &Globals) -> anyhow::Result<Exit> {
    let (head, bytes) = match pack(&args.dir) {
        Ok(packed) => packed,
        Err(error) => return Ok(failure(Exit::Usage, error.to_string(), None)),
    };
    let errors = errors(&CourseSource::Directory(args.dir.clone())).len();
    if errors > 0 {
        let help = t!("pack-errors-help", directory = args.dir.display().to_string());
        return Ok(failure(Exit::Failed, t!("pack-errors", errors), Some(&help)));
    }
    let version: String =
        head.version.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    let name = if version.is_empty() { format!("{}.course", head.id) } else { format!("{}-{version}.course", head.id) };
    let file = args.out.clone().unwrap_or_else(|| name.into());
    let shown = file.display().to_string();
    if file.symlink_metadata().is_ok() && !is_packed(&file) {
        return Ok(failure(Exit::Usage, t!("pack-there", file = shown), Some(&t!("results-there-help"))));
    }
    let there = file.exists();
    if let Err(error) = tutor_support::write(&file, &bytes) {
        return Ok(failure(Exit::Usage, t!("pack-io", file = shown, why = error), None));
    }
    if there {
        output::note(t!("pack-replaced", file = shown.as_str()));
    }
    if args.json {
        let document = serde_json::json!({
            "file": shown, "id": head.id, "version": head.version, "sha256": head.sha256, "files": head.files.len(), "bytes": bytes.len()
        });
        output::json(&document)?;
    } else {
        let kib = bytes.len().div_ceil(1024);
        output::line(t!("pack-written", file = shown, files = head.files.len(), kib))?;
        output::line(format_args!("sha256 {}", head.sha256))?;
    }
    Ok(Exit::Done)
}
