//! `new`: a copy of the built-in course to begin from.

use super::{Exit, output};
use crate::author;
use crate::t;
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
    output::line(format_args!("{}", t!("cli-new-wrote", count = files.len(), directory = directory.to_string())))?;
    output::line(format_args!("  matmul-tutor --course {directory}        {}", t!("cli-new-see")))?;
    output::line(format_args!("  matmul-tutor check {directory}           {}", t!("cli-new-check")))?;
    Ok(Exit::Done)
}
