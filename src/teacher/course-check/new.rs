//! Writes a copy of a course as the start of a new one.

use super::schema::SchemaOf;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tutor_course::{CourseSource, ReadError, built_in_files, is_plain_name};
use tutor_support::t;

/// Why a copy could not be written.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    #[error("{}", t!("cli-new-not-empty", directory = .0.display().to_string()))]
    NotEmpty(PathBuf),
    #[error("{}", t!("cli-new-there", name = .0.as_str()))]
    There(String),
    #[error("{}", t!("cli-new-name", name = .0.as_str()))]
    Name(String),
    /// Nothing can be added to a list in a file of the course, because of its form.
    #[error("{}", t!("cli-new-not-added", file = .0.as_str()))]
    NotAdded(String),
    #[error("{}", t!("cli-new-not-written", path = path.display().to_string(), why = why.to_string()))]
    Write { path: PathBuf, why: io::Error },
}

/// Writes a copy of a course into a new directory, with the schemas for editors. A copy of the built-in course contains
/// `modules/`, `quizzes/` and exercises, and uses the kernels in the program. A copy of another course also contains
/// its kernels and their PTX.
///
/// Returns the written paths, relative to the directory.
///
/// # Errors
/// If the directory contains a file that is not hidden, if a file of the other course cannot be read, or if the
/// directory cannot be written to.
pub fn new(directory: &Path, from: &CourseSource) -> Result<Vec<String>, NewError> {
    empty(directory)?;
    let mut files = match from {
        CourseSource::BuiltIn => built_in_files(),
        CourseSource::Directory(root) => {
            let mut files = Vec::new();
            for folder in ["modules", "quizzes", "kernels", "assets/ptx"] {
                copied(from, root, folder, &mut files)?;
            }
            files
        }
    };
    files.extend(schemas(directory)?);
    write(directory, &files)?;
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> NewError + use<> {
    let path = path.to_owned();
    move |why| NewError::Write { path, why }
}

/// Creates the directory and checks that it contains only hidden files, which belong to a repository or an editor.
pub(super) fn empty(directory: &Path) -> Result<(), NewError> {
    fs::create_dir_all(directory).map_err(failed(directory))?;
    let shown = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
    };
    if fs::read_dir(directory).map_err(failed(directory))?.any(shown) {
        return Err(NewError::NotEmpty(directory.to_owned()));
    }
    Ok(())
}

pub(super) fn schemas(directory: &Path) -> Result<Vec<(String, Vec<u8>)>, NewError> {
    let text = |of: SchemaOf| {
        let text = of.text(None).map_err(|error| failed(directory)(io::Error::other(error)))?;
        Ok((format!("assets/schema/{}", of.file()), text.into_bytes()))
    };
    SchemaOf::ALL.into_iter().map(text).collect()
}

/// Writes files to their paths within a course. After an error, no new file of them is left.
pub fn write(directory: &Path, files: &[(String, Vec<u8>)]) -> Result<(), NewError> {
    let mut made = Vec::new();
    let written = files.iter().try_for_each(|(name, content)| {
        let path = name.split('/').fold(directory.to_owned(), |at, part| at.join(part));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed(parent))?;
        }
        made.extend((!path.exists()).then(|| path.clone()));
        fs::write(&path, content).map_err(failed(&path))
    });
    if written.is_err() {
        for path in made {
            let _ = fs::remove_file(&path);
            // A folder that has other files stays.
            let _ = path.ancestors().skip(1).take_while(|at| *at != directory).try_for_each(fs::remove_dir);
        }
    }
    written
}

/// Adds the files in a folder of a course and in its subfolders. Skips anything that is not a regular file of the
/// course.
fn copied(from: &CourseSource, root: &Path, folder: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), NewError> {
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| is_plain_name(name));
    names.sort_unstable();
    for name in names {
        let path = format!("{folder}/{name}");
        match from.bytes(&path) {
            Ok(bytes) => files.push((path, bytes)),
            Err(ReadError::NotAFile(_)) if root.join(&path).is_dir() => copied(from, root, &path, files)?,
            Err(why) => return Err(NewError::Write { path: root.join(&path), why: io::Error::other(why) }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_course::Course;

    #[test]
    fn the_copy_is_the_built_in_course() {
        let dir = tempfile::tempdir().unwrap();
        let copy = dir.path().join("mine");
        let files = new(&copy, &CourseSource::BuiltIn).unwrap();
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
    fn a_copy_with_an_id_of_its_own_has_it_in_every_language() {
        let dir = tempfile::tempdir().unwrap();
        new(dir.path(), &CourseSource::BuiltIn).unwrap();
        crate::template::retitle(dir.path(), Some("class-a"), Some("Class A")).unwrap();
        let source = CourseSource::Directory(dir.path().to_owned());
        for language in ["en", "ko"] {
            let course = Course::load(&source, language);
            assert!(course.problems.is_empty(), "{language}: {:?}", course.problems);
            assert_eq!(
                (course.lang.as_str(), course.id.as_str(), course.title.as_str()),
                (language, "class-a", "Class A")
            );
        }
    }

    #[test]
    fn what_is_there_is_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        assert!(matches!(new(dir.path(), &CourseSource::BuiltIn), Err(NewError::NotEmpty(_))));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn another_course_is_copied_with_its_kernels_beside_what_is_hidden() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        let base = CourseSource::Directory(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/course/base"));
        let files = new(dir.path(), &base).unwrap();
        for file in [
            "modules/course.yaml",
            "modules/ko/first.yaml",
            "kernels/tile8.cu",
            "kernels/ko.yaml",
            "kernels/exercises/one-barrier/ko.yaml",
            "assets/ptx/tile8.ptx",
        ] {
            assert!(files.contains(&file.to_owned()) && dir.path().join(file).is_file(), "{file}");
        }
        assert_eq!(Course::load(&CourseSource::Directory(dir.path().to_owned()), "en").id, "sample");
    }
}
