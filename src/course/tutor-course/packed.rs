/*! A course as one file. `pack` writes it, and `--course` reads it.

The first line is JSON: the format, the course's id and version, the files with their lengths, and a SHA-256 digest. The files'
contents follow, concatenated and compressed with LZMA. The digest covers the list of files and the compressed data, so
a truncated or changed file is refused. If the course extends a directory, the folder `beneath` contains that base course.
Unpacking limits the number of bytes and files. It writes only below the target directory, because the names must be those
that the files of a course may have.
*/

use super::source::{FOLDERS, is_plain_name};
use super::{COURSE, Files};
use crate::prelude::*;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tutor_kernels::base_course::{self, BUILT_IN, BaseCourse};

const FORMAT: &str = "matmul-tutor course 1";
/// Maximum size of the packed file and of its unpacked content, in bytes.
const MAX_PACKED: u64 = 32 << 20;
const MAX_BYTES: u64 = 64 << 20;
/// Maximum number of files, and maximum length of the JSON line in bytes.
const MAX_FILES: usize = 10_000;
const MAX_HEAD: usize = 2 << 20;
/// Memory limit of the decompressor.
const MAX_MEMORY_KIB: u32 = 64 << 10;

/// The first line of a packed course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    format: String,
    pub id: String,
    /// The course's version; may be empty.
    pub version: String,
    /// Digest of the files' paths and lengths and of the compressed data, in hexadecimal.
    pub sha256: String,
    /// Paths and lengths in bytes, in the order of the content.
    pub files: Vec<(String, u64)>,
}

/// Why a course cannot be packed or unpacked.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file cannot be read or written.
    #[error("{}", t!("pack-io", file = .0.display().to_string(), why = .1.to_string()))]
    Io(PathBuf, io::Error),
    /// A file of the course cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not a packed course, or it is damaged.
    #[error("{0}")]
    Damaged(Sentence),
}

/// Returns the digest of paths, lengths and compressed data, in hexadecimal.
fn digest(files: &[(String, u64)], packed: &[u8]) -> String {
    let mut hash = Sha256::new();
    for (path, length) in files {
        hash.update(format!("{path}\n{length}\n"));
    }
    hash.update(packed);
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Packs the course in a directory.
///
/// # Errors
/// If its `course.yaml` or another of its files cannot be read.
pub fn pack(root: &Path) -> Result<(Head, Vec<u8>), PackError> {
    let source = CourseSource::Directory(root.to_owned());
    let files = Files::read(&source, |_| false);
    let Some(course) = files.course_file() else {
        return Err(PackError::Damaged(sentence!(
            "pack-no-course",
            directory = root.display().to_string(),
            file = COURSE
        )));
    };
    let (mut listed, mut content) = (Vec::new(), Vec::new());
    for (name, bytes) in whole(root, 0)? {
        listed.push((name, bytes.len() as u64));
        content.extend(bytes);
    }
    if content.len() as u64 > MAX_BYTES || listed.len() > MAX_FILES {
        return Err(PackError::Damaged(sentence!("pack-too-much", bytes = MAX_BYTES >> 20, files = MAX_FILES)));
    }
    let failed = |error| PackError::Io(root.to_owned(), error);
    let options = lzma_rust2::LzmaOptions::with_preset(6);
    let mut packer =
        lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, Some(content.len() as u64)).map_err(failed)?;
    packer.write_all(&content).map_err(failed)?;
    let packed = packer.finish().map_err(failed)?;
    let head = Head {
        format: FORMAT.to_owned(),
        id: course.id.value.clone(),
        version: course.version.clone(),
        sha256: digest(&listed, &packed),
        files: listed,
    };
    let mut file = serde_json::to_vec(&head).map_err(|error| failed(error.into()))?;
    file.push(b'\n');
    file.extend(packed);
    Ok((head, file))
}

/// Returns the files of the course in a directory by path, and those of its base courses.
///
/// # Errors
/// If its `course.yaml` or another of its files cannot be read.
pub fn files_of(root: &Path) -> Result<Vec<(String, Vec<u8>)>, PackError> {
    whole(root, 0)
}

/// Reads the files of a course, and those of its base course under `beneath`. `depth` counts the courses that extend
/// this one.
fn whole(root: &Path, depth: usize) -> Result<Vec<(String, Vec<u8>)>, PackError> {
    let source = CourseSource::Directory(root.to_owned());
    let mut names = Vec::new();
    for folder in FOLDERS {
        found(root, folder, &mut names)?;
    }
    names.sort();
    let mut files = names
        .into_iter()
        .map(|name| source.bytes(&name).map(|bytes| (name, bytes)))
        .collect::<Result<Vec<_>, ReadError>>()?;
    let read = Files::read(&source, |_| false);
    let Some(course) = read.course_file() else {
        return Err(PackError::Damaged(sentence!(
            "pack-no-course",
            directory = root.display().to_string(),
            file = COURSE
        )));
    };
    let Some(extends) = course.extends.as_ref().filter(|extends| extends.value != BUILT_IN) else { return Ok(files) };
    if depth == 0 && BaseCourse::is_circular(root) {
        return Err(PackError::Damaged(sentence!("pack-circular", course = extends.value.as_str())));
    }
    let below = root.join(&extends.value);
    let Some(text) =
        base_course::moved(&source.read(COURSE)?, extends.line).filter(|_| depth < base_course::MAX_BASE_COURSES)
    else {
        return Err(PackError::Damaged(sentence!("pack-extends", course = extends.value.as_str())));
    };
    files.iter_mut().filter(|(name, _)| name == COURSE).for_each(|(_, bytes)| *bytes = text.clone().into_bytes());
    let below = whole(&below, depth + 1)?;
    files.extend(below.into_iter().map(|(name, bytes)| (format!("{}/{name}", base_course::FOLDER), bytes)));
    Ok(files)
}

/// Lists the files below a folder of a course, without hidden ones, which belong to a repository or an editor.
fn found(root: &Path, folder: &str, names: &mut Vec<String>) -> Result<(), PackError> {
    let path = root.join(folder);
    let entries = match fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(PackError::Io(path, error)),
    };
    for entry in entries {
        let entry = entry.map_err(|error| PackError::Io(path.clone(), error))?;
        let Some(name) = entry.file_name().into_string().ok().filter(|name| is_plain_name(name)) else { continue };
        let name = format!("{folder}/{name}");
        // A link is followed only when the file is read, and refused if it leaves the course.
        if entry.path().is_dir() && !entry.path().is_symlink() {
            if name.split('/').count() < 8 {
                found(root, &name, names)?;
            }
        } else if names.len() < MAX_FILES {
            names.push(name);
        }
    }
    Ok(())
}

/// True if a file is a packed course.
pub fn is_packed(file: &Path) -> bool {
    read(file).is_ok()
}

/// Reads a packed course, verifies it, and returns its head and its unpacked content.
fn read(file: &Path) -> Result<(Head, Vec<u8>), PackError> {
    let failed = |error| PackError::Io(file.to_owned(), error);
    let shown = file.display().to_string();
    let damaged = |why: Sentence| PackError::Damaged(sentence!("pack-damaged", file = shown.as_str(), why));
    let bytes = tutor_support::private::read(file, MAX_PACKED).map_err(failed)?;
    let bytes = bytes.ok_or_else(|| damaged(sentence!("pack-why-large", most = MAX_PACKED >> 20)))?;
    let end = bytes.iter().take(MAX_HEAD).position(|byte| *byte == b'\n');
    let head =
        end.and_then(|end| Some((serde_json::from_slice::<Head>(bytes.get(..end)?).ok()?, bytes.get(end + 1..)?)));
    let Some((head, packed)) = head.filter(|(head, _)| head.format == FORMAT) else {
        return Err(damaged(sentence!("pack-why-other")));
    };
    if digest(&head.files, packed) != head.sha256 {
        return Err(damaged(sentence!("pack-why-digest")));
    }
    let total = head.files.iter().try_fold(0_u64, |sum, (_, length)| sum.checked_add(*length));
    let Some(total) = total.filter(|total| *total <= MAX_BYTES && head.files.len() <= MAX_FILES) else {
        return Err(damaged(sentence!("pack-why-much")));
    };
    let inside = |path: &str| {
        let mut within = path;
        while let Some(rest) = within.strip_prefix(base_course::FOLDER).and_then(|rest| rest.strip_prefix('/')) {
            within = rest;
        }
        path.split('/').all(is_plain_name)
            && FOLDERS.iter().any(|folder| within.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    };
    if let Some((path, _)) = head.files.iter().find(|(path, _)| !inside(path)) {
        return Err(damaged(sentence!("pack-why-path", path = path.escape_debug().to_string())));
    }
    let mut content = Vec::new();
    let unpacked = lzma_rust2::LzmaReader::new_mem_limit(packed, MAX_MEMORY_KIB, None);
    let unpacked = unpacked.and_then(|reader| reader.take(total + 1).read_to_end(&mut content));
    if unpacked.is_err() || content.len() as u64 != total {
        return Err(damaged(sentence!("pack-why-length")));
    }
    Ok((head, content))
}

/// Unpacks a course into a subdirectory of `below` that is named by the digest, and returns its path. If that exists,
/// it is used again.
///
/// # Errors
/// If the file is not a packed course, is damaged, exceeds a limit, or the directory cannot be written.
pub fn unpacked(file: &Path, below: &Path) -> Result<PathBuf, PackError> {
    let (head, content) = read(file)?;
    let home = below.join(&head.sha256);
    if files(&head, &content).all(|(name, own)| is_same(&home.join(name), own)) {
        return Ok(home);
    }
    remove_leftovers(below);
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| PackError::Io(path, error)
    };
    tutor_support::private::directory(below).map_err(failed(below))?;
    let building = below.join(format!("{}.{}", head.sha256, std::process::id()));
    let _ = fs::remove_dir_all(&building);
    for (name, own) in files(&head, &content) {
        let path = building.join(name);
        let folder = path.parent().unwrap_or(&building);
        fs::create_dir_all(folder).map_err(failed(folder))?;
        fs::write(&path, own).map_err(failed(&path))?;
    }
    // A directory whose files were changed or deleted makes room.
    let old = below.join(format!("{}.{}.old", head.sha256, std::process::id()));
    let _ = fs::rename(&home, &old);
    let _ = fs::remove_dir_all(&old);
    // The directory has its final name only when it is complete. Another process may have created it first.
    match fs::rename(&building, &home) {
        Err(_) if home.join(COURSE).is_file() => drop(fs::remove_dir_all(&building)),
        other => other.map_err(failed(&home))?,
    }
    Ok(home)
}

/// Returns the files of a packed course with their bytes.
fn files<'a>(head: &'a Head, content: &'a [u8]) -> impl Iterator<Item = (&'a str, &'a [u8])> {
    let mut rest = content;
    head.files.iter().map_while(move |(name, length)| {
        let (own, after) = rest.split_at_checked(usize::try_from(*length).ok()?)?;
        rest = after;
        Some((name.as_str(), own))
    })
}

fn is_same(path: &Path, bytes: &[u8]) -> bool {
    tutor_support::private::read(path, bytes.len() as u64).is_ok_and(|found| found.as_deref() == Some(bytes))
}

/// Removes directories that a process began and did not complete. A process needs seconds, so an hour is enough.
fn remove_leftovers(below: &Path) {
    const ABANDONED: Duration = Duration::from_secs(3600);
    for entry in fs::read_dir(below).into_iter().flatten().flatten() {
        let begun = entry.file_name().to_string_lossy().contains('.');
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        if begun && age.is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> (Head, Vec<u8>) {
        pack(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/course")).unwrap()
    }

    /// Returns a packed file with a changed head and the content of the fixture.
    fn with(change: impl Fn(&mut Head)) -> Vec<u8> {
        let (mut head, file) = fixture();
        let packed = file.splitn(2, |byte| *byte == b'\n').nth(1).unwrap();
        change(&mut head);
        head.sha256 = digest(&head.files, packed);
        [serde_json::to_vec(&head).unwrap(), b"\n".to_vec(), packed.to_vec()].concat()
    }

    fn refused(file: &[u8]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("packed.course");
        fs::write(&path, file).unwrap();
        let error = unpacked(&path, &dir.path().join("courses")).unwrap_err().to_string();
        let written: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(written, ["packed.course"], "nothing is written");
        error
    }

    #[test]
    fn a_packed_course_is_the_course_and_is_unpacked_once() {
        let (head, file) = fixture();
        assert_eq!((head.id.as_str(), head.files.len()), ("fixture", 7));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("packed.course");
        fs::write(&path, &file).unwrap();
        let home = unpacked(&path, &dir.path().join("courses")).unwrap();
        for (name, length) in &head.files {
            let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/course").join(name);
            let own = fs::read(home.join(name)).unwrap();
            assert_eq!((own.len() as u64, &own), (*length, &fs::read(original).unwrap()));
        }
        assert_eq!(unpacked(&path, &dir.path().join("courses")).unwrap(), home);
        assert_eq!(fs::read_dir(dir.path().join("courses")).unwrap().count(), 1);
    }

    #[test]
    fn what_was_changed_after_unpacking_comes_back_and_what_was_left_halfway_goes() {
        let dir = tempfile::tempdir().unwrap();
        let (path, below) = (dir.path().join("packed.course"), dir.path().join("courses"));
        fs::write(&path, fixture().1).unwrap();
        let home = unpacked(&path, &below).unwrap();
        let (first, quiz) = (home.join("modules/first.yaml"), home.join("quizzes/first.yaml"));
        let original = fs::read(&first).unwrap();
        let half = |name: &str, age: u64| {
            fs::create_dir(below.join(name)).unwrap();
            let then = std::time::SystemTime::now() - Duration::from_secs(age);
            fs::File::open(below.join(name)).unwrap().set_modified(then).unwrap();
        };
        half("0123.77", 7200);
        half("4567.78", 60);
        fs::write(&first, "TAMPERED").unwrap();
        fs::remove_file(&quiz).unwrap();
        assert_eq!(unpacked(&path, &below).unwrap(), home);
        assert!(fs::read(&first).unwrap() == original && quiz.is_file());
        assert!(!below.join("0123.77").exists() && below.join("4567.78").exists());
    }

    #[test]
    fn what_was_cut_or_changed_is_refused() {
        let (_, file) = fixture();
        assert!(refused(&file[..file.len() - 1]).contains(&t!("pack-why-digest")));
        let mut changed = file.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(refused(&changed).contains(&t!("pack-why-digest")));
        assert!(refused(b"id: matmul\n").contains(&t!("pack-why-other")));
        assert!(refused(b"").contains(&t!("pack-why-other")));
    }

    #[test]
    fn no_path_leaves_the_directory_and_no_limit_is_passed() {
        for path in [
            "../outside.yaml",
            "modules/../../x",
            "/etc/passwd",
            "modules//x",
            "other/x.yaml",
            "modules",
            "modules/.hidden",
        ] {
            let file = with(|head| head.files[0].0 = path.to_owned());
            assert!(refused(&file).contains("not the path of a course file"), "{path}");
        }
        assert!(refused(&with(|head| head.files[0].1 = u64::MAX)).contains(&t!("pack-why-much")));
        assert!(refused(&with(|head| head.files[0].1 += 1)).contains(&t!("pack-why-length")));
        assert!(refused(&with(|head| head.files[0].1 -= 1)).contains(&t!("pack-why-length")));
        let many = |head: &mut Head| head.files = vec![("modules/x.yaml".to_owned(), 0); MAX_FILES + 1];
        assert!(refused(&with(many)).contains(&t!("pack-why-much")));
    }
}
