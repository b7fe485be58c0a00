//! `schema`: prints the JSON Schema of a type of course file.

use crate::prelude::*;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use course_check::schema::SchemaOf;
use course_check::{Names, reference};
use tutor_course::COURSE;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The type of file.
    #[arg(required_unless_present = "markdown", value_parser = types())]
    of: Option<SchemaOf>,
    /// Print a reference of all fields and of all rules of `check` instead.
    #[arg(long, conflicts_with = "of")]
    markdown: bool,
}

/// Returns the parser of the types' names.
fn types() -> impl TypedValueParser<Value = SchemaOf> {
    let value = |[name, path]: [&'static str; 2]| PossibleValue::new(name).help(format!("`{path}`"));
    let named = |name: String| SchemaOf::ALL.into_iter().find(|of| of.name_and_path()[0] == name).ok_or(name);
    PossibleValuesParser::new(SchemaOf::ALL.map(|of| value(of.name_and_path()))).try_map(named)
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
    output::line(of.text(names.as_ref())?.trim_end())?;
    Ok(Exit::Done)
}
