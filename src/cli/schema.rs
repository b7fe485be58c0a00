//! `schema`: the JSON Schema of a kind of course file.

use super::{Exit, output};
use crate::author::schema::SchemaOf;

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The kind of file.
    of: Kind,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Kind {
    /// `modules/NN-name.yaml`.
    Lesson,
    /// `quizzes/NN-name.yaml`.
    Quiz,
    /// `modules/course.yaml`.
    Course,
    /// `kernels/catalog.yaml`.
    Catalog,
    /// `kernels/exercises/ID/exercise.yaml`.
    Exercise,
}

impl From<Kind> for SchemaOf {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Lesson => Self::Lesson,
            Kind::Quiz => Self::Quiz,
            Kind::Course => Self::Course,
            Kind::Catalog => Self::Catalog,
            Kind::Exercise => Self::Exercise,
        }
    }
}

/// Prints a schema.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    output::line(format_args!("{}", SchemaOf::from(args.of).text()?.trim_end()))?;
    Ok(Exit::Done)
}
