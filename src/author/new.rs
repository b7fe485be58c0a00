//! A copy of the built-in course to begin from.

use super::schema::SchemaOf;
use crate::course::built_in_files;
use crate::t;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a copy could not be written.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    /// Something is there already.
    #[error("{}", t!("cli-new-not-empty", directory = .0.display().to_string()))]
    NotEmpty(PathBuf),
    /// The system refused.
    #[error("{}", t!("cli-new-not-written", path = path.display().to_string(), why = why.to_string()))]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
}

/// Writes the built-in course's `modules/`, `quizzes/` and exercises, and the schemas for editors, into a new directory.
///
/// Returns the paths written, relative to the directory. The kernels stay those of the program.
///
/// # Errors
/// If the directory holds anything, or cannot be written to.
pub fn new(directory: &Path) -> Result<Vec<String>, NewError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |why| NewError::Write { path, why }
    };
    fs::create_dir_all(directory).map_err(failed(directory))?;
    if fs::read_dir(directory).map_err(failed(directory))?.next().is_some() {
        return Err(NewError::NotEmpty(directory.to_owned()));
    }
    let mut files = built_in_files();
    for schema in SchemaOf::ALL {
        let text = schema.text().map_err(|error| failed(directory)(io::Error::other(error)))?;
        files.push((format!("assets/schema/{}", schema.file()), text.into_bytes()));
    }
    for (name, content) in &files {
        let path = name.split('/').fold(directory.to_owned(), |at, part| at.join(part));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed(parent))?;
        }
        fs::write(&path, content).map_err(failed(&path))?;
    }
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::{Course, CourseSource};

    #[test]
    fn the_copy_is_the_built_in_course() {
        let dir = tempfile::tempdir().unwrap();
        let copy = dir.path().join("mine");
        let files = new(&copy).unwrap();
        assert!(files.contains(&"modules/course.yaml".to_owned()), "{files:?}");
        assert!(copy.join("assets/schema/lesson.json").is_file());
        let ids = |source: &CourseSource| {
            let course = Course::load(source, "en");
            assert!(course.problems.is_empty(), "{:?}", course.problems);
            course.levels.iter().map(|level| level.id.clone()).collect::<Vec<_>>()
        };
        assert_eq!(ids(&CourseSource::Directory(copy)), ids(&CourseSource::BuiltIn));
    }

    #[test]
    fn what_is_there_is_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        assert!(matches!(new(dir.path()), Err(NewError::NotEmpty(_))));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
