//! Opens the course and the store for the commands that need a student's progress.

use crate::prelude::*;
use anyhow::{Context, anyhow};
use tutor_course::{Course, Level};
use tutor_progress::{AttemptError, Outline, Renamed, Store, StoreError};

/// A course and a student's progress in it.
pub(super) struct Student {
    pub(super) course: Course,
    pub(super) outline: Outline,
    pub(super) store: Store,
}

impl Student {
    /// Loads the course and opens the store. Reports problems with either on standard error.
    pub(super) fn open(globals: &Globals) -> anyhow::Result<Self> {
        if let Some(directory) = globals.course.as_deref().filter(|directory| !directory.is_dir()) {
            let shown = directory.display();
            return Err(anyhow!(t!("cli-no-directory", directory = shown.to_string())));
        }
        let source = CourseSource::from_option(globals.course.as_deref());
        let course = Course::load(&source, globals.lang.code());
        for problem in &course.problems {
            output::note(problem);
        }
        // Reports a missing edition only if `--lang` requested it: a course does not have to have an English edition.
        if let Some(missing) = course.missing_edition(globals.lang.code()).filter(|_| globals.lang.asked()) {
            output::remark(missing);
        }
        if course.levels.is_empty() {
            return Err(match &globals.course {
                Some(directory) => anyhow!(t!("cli-no-level-in", directory = directory.display().to_string())),
                None => anyhow!(t!("cli-no-level-built-in")),
            });
        }
        let mut store = Store::open_or_read(globals.data.as_deref()).map_err(|error| store_error(&error))?;
        let outline = Outline::from(&course);
        // In a file that cannot be written, the old names stay.
        if store.path().is_some() {
            store.rename(&course.id, &Renamed::of(&course, &source)).map_err(|error| store_error(&error))?;
        }
        let mut student = Self { course, outline, store };
        student.print_notices();
        Ok(student)
    }

    /// Prints the store's pending notices.
    pub(super) fn print_notices(&mut self) {
        while let Some(notice) = self.store.take_notice() {
            output::remark(format!("{notice} {}", notice.help()));
        }
    }

    /// Returns a level by its id or number.
    pub(super) fn level(&self, name: &str) -> anyhow::Result<&Level> {
        self.outline.find(name).and_then(|level| self.course.level(&level.id)).with_context(|| {
            let known: Vec<String> =
                self.course.levels.iter().zip(1..).map(|(level, number)| format!("{number} {}", level.id)).collect();
            let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            t!("cli-no-level", name, known = known.join(", "))
        })
    }
}

/// Returns a store error with its advice.
pub(super) fn store_error(error: &StoreError) -> anyhow::Error {
    anyhow!("{error} {}", error.help())
}

/// Returns an attempt's error with its advice.
pub(super) fn attempt_error(error: &AttemptError) -> anyhow::Error {
    match error.help() {
        Some(help) => anyhow!("{error} {help}"),
        None => anyhow!("{error}"),
    }
}
