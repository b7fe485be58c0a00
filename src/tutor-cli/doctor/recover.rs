//! `doctor --recover`: adds what can still be read in a damaged progress file to the progress.

use crate::prelude::*;
use crate::student::{Student, store_error};
use tutor_progress::{Carried, Renamed};

pub(super) fn run(file: &Path, globals: &Globals) -> anyhow::Result<Exit> {
    let mut student = Student::open(globals)?;
    let renamed = Renamed::of(&student.course, &CourseSource::from_option(globals.course.as_deref()));
    let id = student.course.id.clone();
    let carried = student.store.recover(file, &id, &renamed).map_err(|error| store_error(&error))?;
    let Some(carried) = carried else {
        return Ok(failure(Exit::Usage, t!("doctor-unreadable", file = file.display().to_string()), None));
    };
    output::line(format_args!("{} {}", Carried::report(&carried), t!("doctor-recovered")))?;
    Ok(Exit::Done)
}
