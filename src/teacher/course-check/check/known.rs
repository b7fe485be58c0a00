//! The names that texts may refer to.

use std::collections::BTreeSet;
use std::sync::Arc;
use tutor_course::{ExerciseName, File, LessonFile, ReadError};
use tutor_kernels::Catalog;

/// The kernels and exercises that texts may refer to.
pub(super) type Around<'a> = (&'a Catalog, &'a [ExerciseName]);

/// The names that a level's texts may refer to. `None` if the lesson could not be read completely.
pub(super) struct Known {
    pub(super) objectives: Vec<String>,
    pub(super) pages: BTreeSet<String>,
    /// The optional ones among the pages.
    pub(super) optional: BTreeSet<String>,
}

impl Known {
    pub(super) fn of(lesson: &Result<Arc<File<LessonFile>>, ReadError>) -> Option<Self> {
        let file = lesson.as_ref().ok().filter(|file| !file.left_out)?;
        let lesson = file.value.as_ref()?;
        Some(Self {
            objectives: lesson.objectives.iter().map(|objective| objective.id.value.clone()).collect(),
            pages: lesson.pages.iter().map(|page| page.id.value.clone()).collect(),
            optional: lesson.pages.iter().filter(|page| page.optional).map(|page| page.id.value.clone()).collect(),
        })
    }
}
