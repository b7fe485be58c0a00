//! Who handed in what: the name of each submission's student, from folders or from a table.

use crate::files::{files_in, is_leftover};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tutor_exercises::{Exercise, Work, file};
use tutor_support::{t, text};

/// Maximum size of a submission, in bytes.
pub(crate) const MAX_SUBMISSION_BYTES: u64 = 4 << 20;

/// A submitted file, or a student who submitted none: the folder, or the name in the table.
#[derive(Debug)]
pub struct Submission {
    pub path: PathBuf,
    pub student: String,
    /// Number of files of this student.
    pub files: usize,
    /// Students with similar files, and the percentage of the passages that both have.
    pub similar: Vec<(String, u32)>,
}

impl Submission {
    /// Returns a submission that has no file of the exercise's type.
    pub fn without_file(path: PathBuf) -> Self {
        let student = name_of(path.file_name().unwrap_or_default());
        Self { path, student, files: 0, similar: Vec::new() }
    }

    /// Returns a sentence for the instructor if the student handed in several files.
    pub fn remark(&self) -> Option<String> {
        (self.files > 1).then(|| t!("grade-several", files = self.files))
    }
}

/// The submissions of a class, and sentences for the instructor about all of them.
#[derive(Debug)]
pub struct Submissions {
    pub all: Vec<Submission>,
    pub notes: Vec<String>,
}

/// Returns the extension of an exercise's submissions.
pub fn extension(exercise: &Exercise) -> String {
    Path::new(&file(exercise)).extension().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the starter code; empty if the exercise has none.
pub(crate) fn starter(exercise: &Exercise) -> &str {
    match &exercise.work {
        Work::Write(write) => &write.starter,
        _ => "",
    }
}

/// Finds the submissions in files and folders.
///
/// Below a folder, the name of a student is the name of the first folder, or of the file without its extension. Each of
/// several named folders is a student's, and not followed if it is a link. A named file has its own name, or its
/// folder's if several files have the same name. A table changes these names. It may also name a path as it was given.
///
/// # Errors
/// A sentence for the user, if the table is not valid.
pub fn submissions(paths: &[PathBuf], extension: &str, table: Option<&Path>) -> Result<Submissions, String> {
    let mut table = table.map(read_table).transpose()?.unwrap_or_default();
    let mut found: Vec<Submission> = Vec::new();
    for path in paths {
        let same = |other: &PathBuf| other != path && !other.is_dir() && other.file_name() == path.file_name();
        let own = paths.len() > 1 && path.is_dir();
        let files = if own && path.is_symlink() { vec![path.clone()] } else { files_in(path, &[extension]) };
        let mut all: Vec<_> = empty_folders(path, &files, own).map(|folder| (folder, 0)).collect();
        all.extend(files.into_iter().map(|file| (file, 1)));
        all.sort();
        for (file, files) in all {
            let below = file.strip_prefix(path).ok().filter(|below| !below.as_os_str().is_empty());
            let folder = match below {
                _ if own => path.file_name(),
                Some(below) => below.parent().and_then(|parent| parent.iter().next()),
                None if paths.iter().any(same) => path.parent().and_then(Path::file_name),
                None => None,
            };
            let name = if files == 0 { file.file_name() } else { file.file_stem() };
            let derived = name_of(folder.or(name).unwrap_or_default());
            let folder = folder.filter(|_| !own).map(|folder| name_of(path.join(folder).as_os_str()));
            let whole = [Some(name_of(file.as_os_str())), folder, own.then(|| name_of(path.as_os_str()))];
            let keys =
                [below.map(|below| name_of(below.as_os_str())), file.file_name().map(name_of), Some(derived.clone())];
            let keys = keys.into_iter().chain(whole);
            let named = keys.flatten().find_map(|key| {
                let (name, used) = table.get_mut(&key)?;
                *used = true;
                Some(name.clone())
            });
            found.push(Submission { path: file, student: named.unwrap_or(derived), files, similar: Vec::new() });
        }
    }
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    found.iter().for_each(|one| *files.entry(one.student.clone()).or_default() += one.files);
    found.iter_mut().filter(|one| one.files > 0).for_each(|one| one.files = files[&one.student]);
    let unused = table.into_iter().filter(|(_, (_, used))| !used);
    let unused: Vec<(String, String)> = unused.map(|(key, (name, _))| (key, name)).collect();
    let without: Vec<String> = unused.iter().map(|(key, name)| format!("{name} (`{key}`)")).collect();
    if paths.iter().any(|path| path.is_dir()) {
        let missing = |(key, student)| Submission { student, ..Submission::without_file(PathBuf::from(key)) };
        found.extend(unused.into_iter().map(missing));
    }
    let mut notes = Vec::new();
    if !without.is_empty() {
        notes.push(t!("grade-without", students = without.join(", ")));
    }
    let several: Vec<&str> = files.iter().filter(|(_, files)| **files > 1).map(|(name, _)| name.as_str()).collect();
    if !several.is_empty() {
        notes.push(t!("grade-several-of", students = several.join(", ")));
    }
    Ok(Submissions { all: found, notes })
}

/// Returns the folders of students that contain none of the files: `path` itself if it is a student's `own`, else the
/// folders in it.
fn empty_folders(path: &Path, files: &[PathBuf], own: bool) -> impl Iterator<Item = PathBuf> {
    let inner = path.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let all = if own { vec![path.to_owned()] } else { inner.filter(|path| !is_leftover(path)).collect() };
    all.into_iter().filter(|path| path.is_dir() && !files.iter().any(|file| file.starts_with(path)))
}

fn name_of(name: &std::ffi::OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// Reads a table of two columns: a file or folder, and the student's name. Returns the name for each, and false, because
/// it is not used yet.
fn read_table(path: &Path) -> Result<BTreeMap<String, (String, bool)>, String> {
    let mut table = BTreeMap::new();
    for (number, line) in (1..).zip(text::read(path)?.lines()) {
        match &*cells(line) {
            [file, name, ..] if !file.is_empty() && !name.is_empty() => {
                if !(number == 1 && file == "file" && name == "name") {
                    table.insert(file.clone(), (name.clone(), false));
                }
            }
            _ if line.trim().is_empty() => {}
            _ => return Err(t!("grade-names-line", file = path.display().to_string(), line = number)),
        }
    }
    Ok(table)
}

/// Splits a line of a comma-separated table (RFC 4180).
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let (mut quoted, mut characters) = (false, line.chars().peekable());
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                cells.last_mut().into_iter().for_each(|cell| cell.push('"'));
                characters.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_table_is_split_at_its_commas() {
        assert_eq!(cells("a/b.cu, \"Lovelace, Ada\",x"), ["a/b.cu", "Lovelace, Ada", "x"]);
        assert_eq!(cells("\"say \"\"a\"\"\""), ["say \"a\""]);
    }
}
