//! Who handed in what: the name of each submission's student, from folders or from a table.

use crate::files::{files_in, is_leftover};
use crate::names::{Line, Names, key, known_columns};
use crate::platforms::{Archive, Handed, Platform};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tutor_exercises::{Exercise, Work, file};
use tutor_support::name::visible;
use tutor_support::t;

/// Maximum size of a submission, in bytes.
pub(crate) const MAX_SUBMISSION_BYTES: u64 = 4 << 20;

/// A submitted file, or a student who submitted none: the folder, or the name in the table.
#[derive(Debug)]
pub struct Submission {
    pub path: PathBuf,
    pub student: String,
    /// How the platform of an archive calls the student in a table of grades; empty without one.
    pub id: String,
    /// True if the platform calls it late.
    pub late: bool,
    /// Number of files of this student; 0 if none is of the exercise's type.
    pub files: usize,
    /// Students with similar files, and the percentage of the passages that both have.
    pub similar: Vec<(String, u32)>,
}

impl Submission {
    /// Returns a submission that has no file of the exercise's type.
    pub fn without_file(path: PathBuf) -> Self {
        let student = visible(&path.file_name().unwrap_or_default().to_string_lossy());
        Self { path, student, id: String::new(), late: false, files: 0, similar: Vec::new() }
    }

    /// True if both are files of one student.
    pub fn is_of(&self, other: &Self) -> bool {
        (&self.student, &self.id) == (&other.student, &other.id) && self.files > 0 && other.files > 0
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

/// Where submissions come from.
#[derive(Debug, Clone, Copy, Default)]
pub enum From {
    /// From a platform if the names are those of its archives, else from folders.
    #[default]
    Recognised,
    /// From folders and files whose names are those of the students.
    Folders,
    Platform(Platform),
}

/// Finds the submissions in files and folders.
///
/// Below a folder, the name of a student is the name of the first folder, or of the file without its extension. Each of
/// several named folders is a student's, and not followed if it is a link. A named file has its own name, or its
/// folder's if several files have the same name. The archive of a platform has other names, which contain the student's.
/// A table changes all these names. It may also name a path as it was given. Of several attempts of a student, only the
/// latest stays. Each entry of a folder, each line of a table and each entry of an archive's list names a student. A student
/// without a file of the exercise's type has a submission without files.
///
/// # Errors
/// A sentence for the user, if the table is not valid.
pub fn submissions(
    paths: &[PathBuf],
    extension: &str,
    table: Option<&Path>,
    from: From,
) -> Result<Submissions, String> {
    let mut table = table.map(Names::read).transpose()?.unwrap_or_default();
    let mut notes = std::mem::take(&mut table.notes);
    let mut archives: BTreeMap<PathBuf, Option<Archive>> = BTreeMap::new();
    let mut found: Vec<Found> = Vec::new();
    for path in paths {
        let same = |other: &PathBuf| other != path && !other.is_dir() && other.file_name() == path.file_name();
        let own = paths.len() > 1 && path.is_dir();
        let outer = if own || !path.is_dir() { path.parent().unwrap_or(path) } else { path };
        let archive = archives.entry(outer.to_owned()).or_insert_with(|| match from {
            From::Recognised => Archive::open(outer, None),
            From::Folders => None,
            From::Platform(platform) => Archive::open(outer, Some(platform)),
        });
        let files = if own && path.is_symlink() { vec![path.clone()] } else { files_in(path, &[extension]) };
        let inside = archive.as_ref().filter(|archive| !own && path.is_dir() && archive.root.starts_with(path));
        let mut all: Vec<_> = without_file(path, &files, own, inside).map(|path| (path, 0)).collect();
        all.extend(files.into_iter().map(|file| (file, 1)));
        all.sort();
        for (file, files) in all {
            let handed = archive.as_ref().and_then(|archive| archive.find(&file));
            let below = file.strip_prefix(path).ok().filter(|below| !below.as_os_str().is_empty());
            let folder = match below {
                _ if own => path.file_name(),
                Some(below) => below.parent().and_then(|parent| parent.iter().next()),
                None if paths.iter().any(same) => path.parent().and_then(Path::file_name),
                None => None,
            };
            let derived = match folder {
                Some(folder) => folder.to_string_lossy().into_owned(),
                None => name_of(&file),
            };
            let derived = visible(&derived);
            let folder = folder.filter(|_| !own).map(|folder| path.join(folder).into_os_string());
            let of_path = |path: &OsStr| key(&path.to_string_lossy());
            let mut keys: Vec<String> = below.map(|below| of_path(below.as_os_str())).into_iter().collect();
            keys.extend(file.file_name().map(of_path));
            keys.push(key(&derived));
            keys.extend(handed.iter().flat_map(|handed| [key(&handed.id), key(&handed.student)]));
            keys.push(of_path(file.as_os_str()));
            keys.extend(folder.as_deref().or(own.then(|| path.as_os_str())).map(of_path));
            let named = table.find(&keys);
            let Handed { student, id, late, attempt } =
                handed.unwrap_or_else(|| Handed { student: derived, ..Handed::default() });
            let who = (student.clone(), id.clone());
            let student = named.unwrap_or(student);
            found.push(Found {
                who,
                attempt,
                one: Submission { path: file, student, id, late, files, similar: Vec::new() },
            });
        }
    }
    let older = latest(&mut found);
    if !older.is_empty() {
        notes.push(t!("grade-older", students = older.into_iter().collect::<Vec<_>>().join(", ")));
    }
    // Besides a file of the exercise's type, a student may hand in others.
    let mut known: BTreeSet<_> = found.iter().filter(|of| of.one.files > 0).map(|of| of.who.clone()).collect();
    found.retain(|of| of.one.files > 0 || known.insert(of.who.clone()));
    let mut found: Vec<Submission> = found.into_iter().map(|of| of.one).collect();
    let mut files: BTreeMap<(String, String), usize> = BTreeMap::new();
    let who = |one: &Submission| (one.student.clone(), one.id.clone());
    found.iter().for_each(|one| *files.entry(who(one)).or_default() += one.files);
    found.iter_mut().filter(|one| one.files > 0).for_each(|one| one.files = files[&who(one)]);
    let unused: Vec<Line> = table.unused().collect();
    let head_unknown = unused.iter().any(|line| line.number == 1);
    let without: Vec<String> = unused
        .iter()
        .map(|line| t!("grade-without-one", name = line.name.as_str(), key = line.key(), line = line.number))
        .collect();
    if paths.iter().any(|path| path.is_dir()) {
        found.extend(
            unused
                .into_iter()
                .map(|line| Submission { path: line.key().into(), ..Submission::without_file(line.name.into()) }),
        );
    }
    if !without.is_empty() {
        notes.push(t!("grade-without", students = without.join(", ")));
    }
    if head_unknown {
        notes.push(t!("grade-names-head", known = known_columns()));
    }
    let several: Vec<&str> =
        files.iter().filter(|(_, files)| **files > 1).map(|((name, _), _)| name.as_str()).collect();
    if !several.is_empty() {
        notes.push(t!("grade-several-of", students = several.join(", ")));
    }
    Ok(Submissions { all: found, notes })
}

/// A submission, with the student whom its path names and the time of its attempt.
struct Found {
    who: (String, String),
    attempt: String,
    one: Submission,
}

/// Removes all attempts of a student but the latest with a file. Returns the students who have others.
fn latest(found: &mut Vec<Found>) -> BTreeSet<String> {
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    for Found { one, attempt, .. } in found.iter().filter(|of| of.one.files > 0) {
        let known = last.entry(one.id.clone()).or_default();
        *known = attempt.max(known).clone();
    }
    let mut older = BTreeSet::new();
    found.retain(|Found { one, attempt, .. }| {
        let is_last = last.get(&one.id).is_none_or(|last| attempt == last);
        older.extend((!is_last && one.files > 0).then(|| one.student.clone()));
        is_last
    });
    older
}

/// Returns the name of a folder, or of a file without its extension. A browser or an editor may have added another one, as in
/// `ada.cu.txt`.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if path.is_dir() && !path.is_symlink() {
        return name.into_owned();
    }
    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
    let is_second = |(_, inner): &(&str, &str)| ["cu", "ptx", "tar"].iter().any(|of| inner.eq_ignore_ascii_case(of));
    stem.rsplit_once('.').filter(is_second).map_or(stem, |(stem, _)| stem).to_owned()
}

/// Returns what names a student without any of the files: `path` itself if it is a student's `own`, else everything in it and
/// everything that the archive in it lists.
fn without_file(path: &Path, files: &[PathBuf], own: bool, archive: Option<&Archive>) -> impl Iterator<Item = PathBuf> {
    let entries = archive.map_or(path, |archive| &archive.root).read_dir().into_iter().flatten().flatten();
    let listed = archive.into_iter().flat_map(Archive::listed);
    let all = match own {
        true => vec![path.to_owned()],
        false => entries.map(|entry| entry.path()).filter(|path| !is_leftover(path)).chain(listed).collect(),
    };
    let names_nobody = move |path: &PathBuf| archive.is_some_and(|archive| archive.is_list(path));
    all.into_iter().filter(move |path| !files.iter().any(|file| file.starts_with(path)) && !names_nobody(path))
}
