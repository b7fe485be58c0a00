//! `schema`: prints the JSON Schema of a type of course file.

use crate::prelude::*;
use tutor_author::schema::SchemaOf;
use tutor_author::{Names, reference};
use tutor_course::COURSE;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The type of file.
    #[arg(required_unless_present = "markdown")]
    of: Option<Kind>,
    /// Print a reference of all fields and of all rules of `check` instead.
    #[arg(long, conflicts_with = "of")]
    markdown: bool,
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
    /// `kernels/LANG.yaml`.
    CatalogEdition,
    /// `kernels/exercises/ID/exercise.yaml`.
    Exercise,
    /// `kernels/exercises/ID/LANG.yaml`.
    ExerciseEdition,
}

impl From<Kind> for SchemaOf {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Lesson => Self::Lesson,
            Kind::Quiz => Self::Quiz,
            Kind::Course => Self::Course,
            Kind::Catalog => Self::Catalog,
            Kind::CatalogEdition => Self::CatalogEdition,
            Kind::Exercise => Self::Exercise,
            Kind::ExerciseEdition => Self::ExerciseEdition,
        }
    }
}

/// Prints a schema. With `--course`, the schema contains the names in that course.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let Some(of) = args.of else {
        output::line(reference().trim_end())?;
        return Ok(Exit::Done);
    };
    if let Some(directory) = globals.course.as_deref().filter(|directory| !directory.join(COURSE).is_file()) {
        let message = t!("cli-no-course", directory = directory.display().to_string());
        return Ok(failure(Exit::Usage, &message, None));
    }
    let names = globals.course.as_deref().map(|directory| Names::of(&CourseSource::Directory(directory.to_owned())));
    output::line(SchemaOf::from(of).text(names.as_ref())?.trim_end())?;
    Ok(Exit::Done)
}
