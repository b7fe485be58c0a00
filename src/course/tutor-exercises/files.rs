//! The files of exercises, in the binary or in a course's directory.

use tutor_course::{CourseSource, is_plain_name};

/// The folder of a course with one folder per exercise.
pub const FOLDER: &str = "kernels/exercises";

/// Returns the ids of a course's exercises, which are the names of their folders, sorted.
pub(super) fn ids(source: &CourseSource) -> Vec<String> {
    let mut ids = source.exercises();
    ids.retain(|id| is_plain_name(id));
    ids.sort();
    ids
}

/// Returns the path of the packed PTX of an exercise's choices.
pub fn packed(id: &str) -> String {
    format!("assets/ptx/exercises/{id}.lzma")
}
