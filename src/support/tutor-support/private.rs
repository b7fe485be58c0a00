//! Files and directories that only their owner may read, write or lock, whatever the umask is.
//!
//! Only regular files are opened, and opening never blocks. A pipe, a socket or a device with one of our names is an
//! error.

use crate::sentence;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Prefixes of the names that this program gives to files in its data directory.
const OURS: [&str; 7] = ["courses", "progress.", "tutor.", "tuned.json", "baselines.json", "nvrtc", ".matmul-tutor-"];

/// Creates a directory for this user only. If it exists and contains only our files, the function removes other users'
/// permissions. If it also contains other files, its permissions stay as they are.
///
/// # Errors
/// If it cannot be created, or is not a directory.
pub fn directory(dir: &Path) -> io::Result<()> {
    let there = dir.is_dir();
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(dir)?;
    if there {
        let ours = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| OURS.iter().any(|name| entry.file_name().to_string_lossy().starts_with(name)))
        };
        if fs::read_dir(dir)?.all(ours) {
            close(dir, 0o700, &fs::metadata(dir)?);
        }
    } else {
        sync(dir.parent().unwrap_or(dir));
    }
    Ok(())
}

/// Opens a file for reading and appending. If it does not exist, creates it for this user only.
///
/// # Errors
/// If it is not a regular file, or cannot be opened.
pub fn file(path: &Path) -> io::Result<File> {
    // Checked before, because opening a device can have effects. Checked after, because the file may have been
    // replaced.
    plain(path)?;
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    never_wait(&mut options);
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    kind(&metadata)?;
    close(path, 0o600, &metadata);
    Ok(file)
}

/// Replaces a file in a directory of this user. Another process sees either the old file or the complete new one.
pub fn replace(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    directory(dir)?;
    let new = dir.join(format!("{name}.{}", std::process::id()));
    // An earlier process with the same id may have left it.
    let _ = fs::remove_file(&new);
    file(&new)?.write_all(bytes)?;
    fs::rename(&new, dir.join(name))
}

/// Returns a path without links. For WebAssembly, where files are in memory and there are no links, the path itself.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    if cfg!(target_family = "wasm") { fs::metadata(path).map(|_| path.to_owned()) } else { path.canonicalize() }
}

/// Checks that `path` is a regular file, or a link to one.
///
/// # Errors
/// If it is not, or if it does not exist.
pub fn is_plain(path: &Path) -> io::Result<()> {
    kind(&fs::metadata(path)?)
}

/// Reads a regular file of at most `most` bytes, whatever its owner. `None` if it is longer.
///
/// # Errors
/// If it is not a regular file, or cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    is_plain(path)?;
    let mut options = OpenOptions::new();
    options.read(true);
    never_wait(&mut options);
    let file = options.open(path)?;
    kind(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// True if a regular file exists. If it belongs to this user, others lose their permissions on it.
///
/// # Errors
/// If `path` is not a regular file.
pub fn plain(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) => {
            kind(&metadata)?;
            close(path, 0o600, &metadata);
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes new names in a directory survive a power failure, if the system can.
pub fn sync(dir: &Path) {
    #[cfg(unix)]
    if let Ok(dir) = File::open(dir) {
        // If the file system cannot do this, there is no other way.
        let _ = dir.sync_all();
    }
    #[cfg(not(unix))]
    let _ = dir;
}

fn kind(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    if metadata.is_dir() {
        return Err(io::Error::other(sentence!("file-is-directory")));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Err(io::Error::other(sentence!("file-is-pipe")));
        }
        if kind.is_socket() {
            return Err(io::Error::other(sentence!("file-is-socket")));
        }
    }
    Err(io::Error::other(sentence!("file-is-device")))
}

#[cfg(unix)]
fn never_wait(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
}

#[cfg(not(unix))]
fn never_wait(_: &mut OpenOptions) {}

/// Removes all permissions of other users. The system refuses this for a file of another user, which stays as it is.
#[cfg(unix)]
fn close(path: &Path, mode: u32, metadata: &fs::Metadata) {
    use std::os::unix::fs::PermissionsExt as _;
    let now = metadata.permissions().mode();
    if now & 0o077 != 0 {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(now & mode));
    }
}

/// On other systems, the directory that contains the user's files protects them.
#[cfg(not(unix))]
fn close(_: &Path, _: u32, _: &fs::Metadata) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_file_of_a_sensible_length_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let (file, pipe) = (dir.path().join("file"), dir.path().join("pipe"));
        fs::write(&file, "abc").unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!((read(&file, 3).unwrap(), read(&file, 2).unwrap()), (Some(b"abc".to_vec()), None));
        for other in [&pipe, dir.path(), Path::new("/dev/zero"), &dir.path().join("nothing")] {
            assert!(read(other, 3).is_err(), "{}", other.display());
        }
    }
}
