//! Where exercises are: in the binary, or in a course's directory.

use tutor_course::{CourseSource, is_plain_name};

/// The folder of a course that holds one folder for each exercise.
pub const FOLDER: &str = "kernels/exercises";

/// The ids of a course's exercises, which are the names of their folders, in order.
pub(super) fn ids(source: &CourseSource) -> Vec<String> {
    let mut ids = source.exercises();
    ids.retain(|id| is_plain_name(id));
    ids.sort();
    ids
}

/// The file that holds the PTX of an exercise's choices, packed.
pub fn packed(id: &str) -> String {
    format!("assets/ptx/exercises/{id}.lzma")
}
