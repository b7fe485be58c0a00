//! `schema`: the JSON Schema of a kind of course file.

use super::{Exit, output};
use crate::author::schema::SchemaOf;

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The kind of file.
    of: SchemaOf,
}

/// Prints a schema.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    output::line(format_args!("{}", args.of.text()?.trim_end()))?;
    Ok(Exit::Done)
}
