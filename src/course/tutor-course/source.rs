//! Where the files of a course come from: the binary, or an untrusted directory of an instructor.

use super::limits::MAX_COURSE_BYTES;
use std::path::{Path, PathBuf};
use tutor_assets::{EmbeddedFile, Exercises, Modules, Packs, Quizzes};
use tutor_kernels::base_course::BaseCourse;
use tutor_support::yaml::MAX_FILE_BYTES;

/// Returns the files of the built-in course: path within the course, and content.
pub fn built_in_files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (folder, names, get) in EMBEDDED {
        let file = |name: String| Some((format!("{folder}{name}"), get(&name)?.data.into_owned()));
        files.extend(names().into_iter().filter_map(file));
    }
    files
}

/// A folder in the binary: its path within the course, the names of its files, and a file by its name.
type EmbeddedFolder = (&'static str, fn() -> Vec<String>, fn(&str) -> Option<EmbeddedFile>);

const EMBEDDED: [EmbeddedFolder; 4] = [
    ("modules/", || Modules::iter().map(Into::into).collect(), Modules::get),
    ("quizzes/", || Quizzes::iter().map(Into::into).collect(), Quizzes::get),
    ("kernels/exercises/", || Exercises::iter().map(Into::into).collect(), Exercises::get),
    ("assets/ptx/exercises/", || Packs::iter().map(Into::into).collect(), Packs::get),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CourseSource {
    /// The course in the binary.
    BuiltIn,
    /// A directory with `modules/`, `quizzes/` and optionally `kernels/`.
    Directory(PathBuf),
}

impl From<BaseCourse> for CourseSource {
    fn from(base: BaseCourse) -> Self {
        match base {
            BaseCourse::BuiltIn => Self::BuiltIn,
            BaseCourse::Directory(root) => Self::Directory(root),
        }
    }
}

/// The folders of a directory that belong to the course in it.
pub const FOLDERS: [&str; 4] = ["modules", "quizzes", "kernels", "assets/ptx"];

/// Folders in which the files of a base course are available as well.
const BESIDE: [&str; 2] = ["kernels/exercises/", "assets/ptx/exercises/"];

/// Why a file of a course cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not exist.
    #[error("There is no file `{0}`.")]
    Missing(String),
    /// It has a name that [`is_plain_name`] refuses.
    #[error(
        "`{0}` cannot be the name of a file. Names have ASCII letters, digits, `.`, `_` and `-`, and do not begin with `.`."
    )]
    BadName(String),
    /// The path leaves the course.
    #[error("`{0}` is outside of the course's directory.")]
    Outside(String),
    /// The file exceeds the limit for one file.
    #[error("`{0}` is larger than {limit} KiB.", limit = MAX_FILE_BYTES / 1024)]
    TooLarge(String),
    /// With this file, the whole course would exceed its limit.
    #[error("`{0}` is not read: with it the course would hold more than {limit} MiB.", limit = MAX_COURSE_BYTES >> 20)]
    TooMuch(String),
    /// The path is a directory, a device or a pipe.
    #[error("`{0}` is not a plain file.")]
    NotAFile(String),
    /// It is not text: the line and the column of the first byte that is not, and that byte.
    #[error("`{path}` is not UTF-8 text: byte 0x{byte:02X} in line {line}.")]
    NotText { path: String, line: u32, column: u32, byte: u8 },
    /// The system reports an error.
    #[error("`{0}` cannot be read: {1}.")]
    System(String, String),
}

impl CourseSource {
    /// Returns the course in `directory`, or the built-in one if there is none.
    pub fn from_option(directory: Option<&Path>) -> Self {
        directory.map_or(Self::BuiltIn, |directory| Self::Directory(directory.to_owned()))
    }

    /// Returns the directory, if the course is in one.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::BuiltIn => None,
            Self::Directory(directory) => Some(directory),
        }
    }

    /// Reads a file by its path within the course, e.g. `modules/ko/01-one-thread.yaml`.
    ///
    /// # Errors
    /// If it does not exist, is outside of the directory (also through a link), is too large, or is not text.
    pub fn read(&self, path: &str) -> Result<String, ReadError> {
        String::from_utf8(self.bytes(path)?).map_err(|error| {
            let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
            let before = String::from_utf8_lossy(before);
            let line = before.matches('\n').count() as u32 + 1;
            let column =
                before.lines().last().filter(|_| !before.ends_with('\n')).map_or(0, |line| line.chars().count());
            let byte = rest.first().copied().unwrap_or_default();
            ReadError::NotText { path: path.to_owned(), line, column: column as u32 + 1, byte }
        })
    }

    /// Reads a file that does not have to be text, by the same rules.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        if !path.split('/').all(is_plain_name) {
            let leaves =
                path.starts_with('/') || path.contains('\\') || path.split('/').any(|name| matches!(name, "" | ".."));
            let refused = if leaves { ReadError::Outside } else { ReadError::BadName };
            return Err(refused(path.to_owned()));
        }
        match self {
            Self::BuiltIn => {
                let file = EMBEDDED.iter().find_map(|(folder, _, get)| get(path.strip_prefix(folder)?));
                let bytes = file.map(|file| file.data.into_owned()).or_else(|| tutor_assets::late(path));
                bytes.ok_or_else(|| ReadError::Missing(path.to_owned()))
            }
            Self::Directory(root) => match read_inside(root, path) {
                // An exercise may be from a base course.
                Err(ReadError::Missing(_)) if BESIDE.iter().any(|folder| path.starts_with(folder)) => {
                    let found = self.base_courses().into_iter().find_map(|source| source.own_bytes(path).ok());
                    found.ok_or_else(|| ReadError::Missing(path.to_owned()))
                }
                own => own,
            },
        }
    }

    fn own_bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self {
            Self::BuiltIn => self.bytes(path),
            Self::Directory(root) => read_inside(root, path),
        }
    }

    /// Returns the base courses, the nearest first.
    fn base_courses(&self) -> Vec<Self> {
        let base = self.directory().map(BaseCourse::all).unwrap_or_default();
        base.into_iter().map(Self::from).collect()
    }

    /// Returns the names of the exercises, in no particular order: the folders in `kernels/exercises`, also of base
    /// courses.
    pub fn exercises(&self) -> Vec<String> {
        let mut all = self.own_exercises();
        for name in self.base_courses().iter().flat_map(Self::own_exercises) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    /// Returns the files in a folder of the course and in folders below it, as far as they can be read. Returns none
    /// for the built-in course, which every program contains.
    pub fn beside(&self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let Some(root) = self.directory() else { return Vec::new() };
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| is_plain_name(name));
        names.sort();
        let file = |name: String| {
            let path = format!("{folder}/{name}");
            if root.join(&path).is_dir() && path.split('/').count() < 8 {
                return self.beside(&path);
            }
            self.own_bytes(&path).map(|bytes| (path, bytes)).into_iter().collect()
        };
        names.into_iter().flat_map(file).collect()
    }

    /// Returns the names of the exercises without those of base courses.
    pub fn own_exercises(&self) -> Vec<String> {
        const MAX_EXERCISES: usize = 10_000;
        match self {
            Self::BuiltIn => {
                Exercises::iter().filter_map(|path| Some(path.strip_suffix("/exercise.yaml")?.to_owned())).collect()
            }
            Self::Directory(root) => {
                let entries =
                    std::fs::read_dir(root.join("kernels/exercises")).into_iter().flatten().take(MAX_EXERCISES);
                let folders = entries.flatten().filter(|entry| entry.path().is_dir());
                folders.filter_map(|entry| entry.file_name().into_string().ok()).collect()
            }
        }
    }
}

/// True if a name is a single path component that is not hidden and cannot leave a directory.
pub fn is_plain_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && name.chars().all(allowed)
}

fn read_inside(root: &Path, path: &str) -> Result<Vec<u8>, ReadError> {
    let system = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing(path.to_owned()),
        _ => ReadError::System(path.to_owned(), error.to_string()),
    };
    let root = tutor_support::private::resolved(root).map_err(system)?;
    // Resolves every link in the path, so that a link to the outside is detected.
    let full = path.split('/').fold(root.clone(), |at, name| at.join(name));
    let full = tutor_support::private::resolved(&full).map_err(system)?;
    if !full.starts_with(&root) {
        return Err(ReadError::Outside(path.to_owned()));
    }
    // Checked before opening, because opening a pipe would wait for a writer.
    if !full.metadata().map_err(system)?.is_file() {
        return Err(ReadError::NotAFile(path.to_owned()));
    }
    let read = tutor_support::private::read(&full, MAX_FILE_BYTES as u64).map_err(system)?;
    read.ok_or_else(|| ReadError::TooLarge(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (tempfile::TempDir, CourseSource) {
        let dir = tempfile::tempdir().unwrap();
        let course = dir.path().join("course");
        std::fs::create_dir_all(course.join("modules")).unwrap();
        std::fs::write(dir.path().join("secret.yaml"), "secret").unwrap();
        std::fs::write(course.join("modules/fine.yaml"), "fine").unwrap();
        (dir, CourseSource::Directory(course))
    }

    #[test]
    fn a_plain_file_is_read() {
        let (_dir, source) = sample();
        assert_eq!(source.read("modules/fine.yaml").as_deref(), Ok("fine"));
        assert!(matches!(source.read("modules/none.yaml"), Err(ReadError::Missing(_))));
    }

    #[test]
    fn no_path_leaves_the_directory() {
        let (dir, source) = sample();
        let absolute = dir.path().join("secret.yaml");
        for path in
            ["../secret.yaml", "modules/../../secret.yaml", "modules//fine.yaml", "/etc/passwd", "modules/.x", ""]
        {
            assert!(matches!(source.read(path), Err(ReadError::Outside(_) | ReadError::BadName(_))), "{path}");
        }
        assert!(matches!(source.read(&absolute.to_string_lossy()), Err(ReadError::Outside(_))));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_leave_pipes_and_giants_are_refused() {
        let (dir, source) = sample();
        let modules = dir.path().join("course/modules");
        std::os::unix::fs::symlink(dir.path().join("secret.yaml"), modules.join("link.yaml")).unwrap();
        std::os::unix::fs::symlink(dir.path(), modules.join("up")).unwrap();
        std::os::unix::fs::symlink(modules.join("fine.yaml"), modules.join("inner.yaml")).unwrap();
        std::fs::write(modules.join("large.yaml"), "x".repeat(MAX_FILE_BYTES + 1)).unwrap();
        assert!(matches!(source.read("modules/link.yaml"), Err(ReadError::Outside(_))));
        assert!(matches!(source.read("modules/up/secret.yaml"), Err(ReadError::Outside(_))));
        assert_eq!(source.read("modules/inner.yaml").as_deref(), Ok("fine"));
        assert!(matches!(source.read("modules/large.yaml"), Err(ReadError::TooLarge(_))));
        std::fs::write(modules.join("latin.yaml"), b"a: b\ncaf\xe9: c\n").unwrap();
        let latin = ReadError::NotText { path: "modules/latin.yaml".to_owned(), line: 2, column: 4, byte: 0xe9 };
        assert_eq!(source.read("modules/latin.yaml"), Err(latin));
        assert!(matches!(source.read("modules"), Err(ReadError::NotAFile(_))));
        let endless = CourseSource::Directory(PathBuf::from("/dev"));
        assert!(matches!(endless.read("zero"), Err(ReadError::NotAFile(_))));
    }
}
