//! Reads the files of a catalogue from the binary or from a course directory.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use tutor_assets::{Faults, Kernels, Ptx};
use tutor_support::words::Sentence;

/// Maximum size in bytes of a catalogue or PTX file in a course directory, so that no file exhausts memory.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// Maximum size of a source in bytes. A source is displayed and highlighted as a whole.
pub const MAX_SOURCE_BYTES: usize = 256 << 10;
/// Maximum size in bytes of all files of a course's kernels together.
pub const MAX_KERNEL_BYTES: u64 = 64 << 20;
/// Maximum number of files of a course's kernels. Each variant is a file.
pub const MAX_KERNEL_FILES: u32 = 4000;

/// The origin of a catalogue's files, and how much may still be read from it.
pub(super) struct Files<'a> {
    root: Root<'a>,
    bytes: Cell<u64>,
    files: Cell<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Root<'a> {
    /// The ladder's kernels, in the binary.
    BuiltIn,
    /// Kernels with a planted fault, in the binary.
    Faulty,
    Directory(&'a Path),
}

pub(super) enum ReadError {
    Missing,
    Other(String),
}

impl<'a> Files<'a> {
    /// The ladder's files in the binary.
    pub(super) fn built_in() -> Self {
        Self { root: Root::BuiltIn, bytes: Cell::new(u64::MAX), files: Cell::new(u32::MAX) }
    }

    /// The files of `assets/faults` in the binary.
    pub(super) fn faulty() -> Self {
        Self { root: Root::Faulty, ..Self::built_in() }
    }

    /// The files of a course directory, within the limits for a course.
    pub(super) fn of_directory(root: &'a Path) -> Self {
        Self { root: Root::Directory(root), bytes: Cell::new(MAX_KERNEL_BYTES), files: Cell::new(MAX_KERNEL_FILES) }
    }

    /// True if the files are in the binary, and so can be trusted.
    pub(super) fn are_built_in(&self) -> bool {
        !matches!(self.root, Root::Directory(_))
    }

    /// Reads a text file, `kernels/…` or `assets/ptx/…`. File names come from the catalogue and have no directory
    /// part.
    pub(super) fn read(&self, path: &str) -> Result<String, ReadError> {
        let not_utf8 = |_| ReadError::Other("It is not UTF-8 text.".to_owned());
        String::from_utf8(self.bytes(path)?.into_owned()).map_err(not_utf8)
    }

    pub(super) fn bytes(&self, path: &str) -> Result<Cow<'static, [u8]>, ReadError> {
        let root = match self.root {
            Root::BuiltIn => {
                let file = match path.strip_prefix("kernels/") {
                    Some(name) => Kernels::get(name),
                    None => path.strip_prefix("assets/ptx/").and_then(Ptx::get),
                };
                return Ok(file.ok_or(ReadError::Missing)?.data);
            }
            Root::Faulty => {
                return Faults::get(path).map(|file| file.data).or_else(|| source(path)).ok_or(ReadError::Missing);
            }
            Root::Directory(root) => root,
        };
        let too_much = || {
            let (bytes, files) = (MAX_KERNEL_BYTES >> 20, MAX_KERNEL_FILES);
            ReadError::Other(format!("It is not read: the kernels take more than {bytes} MiB or {files} files."))
        };
        self.files.set(self.files.get().checked_sub(1).ok_or_else(too_much)?);
        let bytes = match (read_limited(root, path), source(path)) {
            // An entry may name a source of the ladder, with or without edits.
            (Err(ReadError::Missing), Some(built_in)) => return Ok(built_in),
            (read, _) => read?,
        };
        self.bytes.set(self.bytes.get().checked_sub(bytes.len() as u64).ok_or_else(too_much)?);
        Ok(Cow::Owned(bytes))
    }
}

/// Returns a source of the ladder.
fn source(path: &str) -> Option<Cow<'static, [u8]>> {
    let name = path.strip_prefix("kernels/").filter(|name| name.ends_with(".cu"))?;
    Kernels::get(name).map(|file| file.data)
}

fn read_limited(root: &Path, path: &str) -> Result<Vec<u8>, ReadError> {
    let other = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::Other(format!("It cannot be read: {error}.")),
    };
    let root = tutor_support::private::resolved(root).map_err(other)?;
    let path: PathBuf = tutor_support::private::resolved(&root.join(path)).map_err(other)?;
    if !path.starts_with(&root) {
        return Err(ReadError::Other("It is a link that leaves the course directory.".to_owned()));
    }
    tutor_support::private::read(&path, MAX_FILE_BYTES).map_err(other)?.ok_or_else(|| ReadError::Other(too_long()))
}

/// Unpacks a gzip file.
///
/// # Errors
/// If it is not a gzip file, is damaged or too long, or does not contain text.
pub(super) fn unpack(packed: &[u8]) -> Result<String, Sentence> {
    let unpacked = at_most(flate2::read::GzDecoder::new(packed)).map_err(|error| format!("It is damaged: {error}."))?;
    String::from_utf8(unpacked.ok_or_else(too_long)?).map_err(|_| "It is not UTF-8 text.".into())
}

/// Compresses a text with gzip. The same text always produces the same bytes.
#[cfg(feature = "cuda")]
pub(super) fn pack(text: &str) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(text.as_bytes())?;
    packer.finish()
}

/// Reads a whole file, or returns `None` if it is longer than [`MAX_FILE_BYTES`].
fn at_most(file: impl std::io::Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_FILE_BYTES).then_some(bytes))
}

fn too_long() -> String {
    format!("It is longer than {} MiB.", MAX_FILE_BYTES >> 20)
}
