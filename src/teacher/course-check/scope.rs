//! Finds a part of a course: the course around a file, or the files of a level.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tutor_course::{COURSE, Files};

/// Returns the course that a path belongs to: the nearest directory around it with a course. Also returns the named
/// part, unless it is the whole course. If there is no course, returns the path itself as the course.
pub fn course_around(given: &Path) -> (PathBuf, Option<PathBuf>) {
    let absolute = std::path::absolute(given).unwrap_or_else(|_| given.to_owned());
    // The directory is shown as the user wrote it.
    if given.join(COURSE).is_file() {
        return (given.to_owned(), None);
    }
    match absolute.ancestors().skip(1).find(|around| around.join(COURSE).is_file()) {
        Some(root) => (root.to_owned(), absolute.strip_prefix(root).ok().map(Path::to_owned)),
        None => (given.to_owned(), None),
    }
}

/// Returns the files of a level in all editions, relative to the course. `None` if the level does not exist.
pub fn files_of_level(files: &Files, level: &str) -> Option<BTreeSet<String>> {
    let course = files.editions.first()?.course.as_ref().ok()?.value.as_ref()?;
    let entry = course.levels.iter().find(|entry| entry.id.value == level)?;
    let folders = files.editions.iter().enumerate().map(|(number, edition)| match number {
        0 => String::new(),
        _ => format!("{}/", edition.lang),
    });
    let of = |folder: String| {
        let lesson = format!("modules/{folder}{}", entry.lesson.value);
        let quiz = entry.quiz.as_ref().map(|quiz| format!("quizzes/{folder}{}", quiz.value));
        std::iter::once(lesson).chain(quiz)
    };
    Some(folders.flat_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_course::CourseSource;

    #[test]
    fn a_file_or_folder_belongs_to_the_course_around_it() {
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/course/base");
        assert_eq!(course_around(&base), (base.clone(), None));
        let file = base.join("modules/ko/first.yaml");
        assert_eq!(course_around(&file), (base.clone(), Some("modules/ko/first.yaml".into())));
        assert_eq!(course_around(&base.join("quizzes")), (base.clone(), Some("quizzes".into())));
        let files = Files::read(&CourseSource::Directory(base), |_| true);
        let own = files_of_level(&files, "first").unwrap();
        let all = ["modules/first.yaml", "modules/ko/first.yaml", "quizzes/first.yaml", "quizzes/ko/first.yaml"];
        assert_eq!(own, all.map(str::to_owned).into());
        assert_eq!(files_of_level(&files, "last"), None);
    }
}
