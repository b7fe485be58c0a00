/*! A course as one file: what `pack` writes and `--course` takes.

One line of JSON says what it is: format, the course's id and version, the files with their lengths, and the SHA-256 of what follows,
which is their content one after the other, as LZMA. A file that was cut or changed is refused by its digest. What is unpacked stays
within limits of bytes and entries, and below the directory that it is unpacked into: names are those that a course's files may have.
*/

use super::source::{CourseSource, ReadError, is_plain_name};
use super::{COURSE, Files};
use crate::t;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Of the format.
const FORMAT: &str = "matmul-tutor course 1";
/// Most bytes of the file, and of all that it holds.
const MOST_PACKED: u64 = 32 << 20;
const MOST_BYTES: u64 = 64 << 20;
/// Most files, and most bytes of the line before them.
const MOST_FILES: usize = 10_000;
const MOST_HEAD: usize = 2 << 20;
/// Of the unpacker.
const MOST_MEMORY_KIB: u32 = 64 << 10;
/// What of a course's directory belongs to the course.
const FOLDERS: [&str; 4] = ["modules", "quizzes", "kernels", "assets/ptx"];

/// What stands before the content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    format: String,
    /// The course's id.
    pub id: String,
    /// The course's version; may be empty.
    pub version: String,
    /// Of what follows, in hexadecimal digits.
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
    /// A file of the course cannot be had.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is no packed course, or a damaged one.
    #[error("{0}")]
    Damaged(String),
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Packs the course of a directory.
///
/// # Errors
/// If it has no `course.yaml` that can be read, or one of its files cannot be.
pub fn pack(root: &Path) -> Result<(Head, Vec<u8>), PackError> {
    let source = CourseSource::Directory(root.to_owned());
    let files = Files::read(&source, |_| false);
    let Some(course) = files.course_file() else {
        return Err(PackError::Damaged(t!("pack-no-course", directory = root.display().to_string(), file = COURSE)));
    };
    let mut names = Vec::new();
    for folder in FOLDERS {
        found(root, folder, &mut names)?;
    }
    names.sort();
    let (mut listed, mut content) = (Vec::new(), Vec::new());
    for name in names {
        let bytes = source.bytes(&name)?;
        listed.push((name, bytes.len() as u64));
        content.extend(bytes);
    }
    if content.len() as u64 > MOST_BYTES || listed.len() > MOST_FILES {
        return Err(PackError::Damaged(t!("pack-too-much", bytes = MOST_BYTES >> 20, files = MOST_FILES)));
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
        sha256: hex(&Sha256::digest(&packed)),
        files: listed,
    };
    let mut file = serde_json::to_vec(&head).map_err(|error| failed(error.into()))?;
    file.push(b'\n');
    file.extend(packed);
    Ok((head, file))
}

/// The files below a folder of a course; what is hidden is of a repository or an editor.
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
        // A link is looked behind when it is read, and refused if it leaves the course.
        if entry.path().is_dir() && !entry.path().is_symlink() {
            if name.split('/').count() < 8 {
                found(root, &name, names)?;
            }
        } else if names.len() < MOST_FILES {
            names.push(name);
        }
    }
    Ok(())
}


/// Reads a packed course: what it is, and its content, checked.
fn read(file: &Path) -> Result<(Head, Vec<u8>), PackError> {
    let failed = |error| PackError::Io(file.to_owned(), error);
    let shown = file.display().to_string();
    let damaged = |why: String| PackError::Damaged(t!("pack-damaged", file = shown.as_str(), why = why));
    let mut bytes = Vec::new();
    fs::File::open(file).map_err(failed)?.take(MOST_PACKED + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST_PACKED {
        return Err(damaged(t!("pack-why-large", most = MOST_PACKED >> 20)));
    }
    let end = bytes.iter().take(MOST_HEAD).position(|byte| *byte == b'\n');
    let head = end.and_then(|end| Some((serde_json::from_slice::<Head>(bytes.get(..end)?).ok()?, bytes.get(end + 1..)?)));
    let Some((head, packed)) = head.filter(|(head, _)| head.format == FORMAT) else {
        return Err(damaged(t!("pack-why-other")));
    };
    if hex(&Sha256::digest(packed)) != head.sha256 {
        return Err(damaged(t!("pack-why-digest")));
    }
    let total = head.files.iter().try_fold(0_u64, |sum, (_, length)| sum.checked_add(*length));
    let Some(total) = total.filter(|total| *total <= MOST_BYTES && head.files.len() <= MOST_FILES) else {
        return Err(damaged(t!("pack-why-much")));
    };
    let inside = |path: &str| {
        path.split('/').all(is_plain_name) && FOLDERS.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    };
    if let Some((path, _)) = head.files.iter().find(|(path, _)| !inside(path)) {
        return Err(damaged(t!("pack-why-path", path = path.escape_debug().to_string())));
    }
    let mut content = Vec::new();
    let unpacked = lzma_rust2::LzmaReader::new_mem_limit(packed, MOST_MEMORY_KIB, None);
    let unpacked = unpacked.and_then(|reader| reader.take(total + 1).read_to_end(&mut content));
    if unpacked.is_err() || content.len() as u64 != total {
        return Err(damaged(t!("pack-why-length")));
    }
    Ok((head, content))
}

/// Unpacks a course below a directory, under its digest, and gives where it lies; what was unpacked before is used again.
///
/// # Errors
/// If the file is no packed course, is damaged, exceeds a limit, or the directory cannot be written.
pub fn unpacked(file: &Path, below: &Path) -> Result<PathBuf, PackError> {
    let (head, content) = read(file)?;
    let home = below.join(&head.sha256);
    if home.join(COURSE).is_file() {
        return Ok(home);
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| PackError::Io(path, error)
    };
    crate::private::directory(below).map_err(failed(below))?;
    let building = below.join(format!("{}.{}", head.sha256, std::process::id()));
    let _ = fs::remove_dir_all(&building);
    let mut rest = content.as_slice();
    for (name, length) in &head.files {
        let Some((own, after)) = usize::try_from(*length).ok().and_then(|length| rest.split_at_checked(length)) else { break };
        rest = after;
        let path = building.join(name);
        let folder = path.parent().unwrap_or(&building);
        fs::create_dir_all(folder).map_err(failed(folder))?;
        fs::write(&path, own).map_err(failed(&path))?;
    }
    // What bears the name is whole; another process may have been faster.
    match fs::rename(&building, &home) {
        Err(_) if home.join(COURSE).is_file() => drop(fs::remove_dir_all(&building)),
        other => other.map_err(failed(&home))?,
    }
    Ok(home)
}
