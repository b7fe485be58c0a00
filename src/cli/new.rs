//! `new`: a copy of the built-in course to begin from.

use super::{Exit, output};
use crate::author;
use std::path::PathBuf;

/// Arguments of `new`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A directory that does not exist yet, or is empty.
    directory: PathBuf,
}

/// Writes the copy, and says how to go on.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let files = author::new(&args.directory)?;
    let directory = args.directory.display();
    output::line(format_args!("Wrote {} files to {directory}. Next:", files.len()))?;
    output::line(format_args!("  matmul-tutor --course {directory}        see it as a student does"))?;
    output::line(format_args!("  matmul-tutor check {directory}           every problem at once, and the claims"))?;
    Ok(Exit::Done)
}
