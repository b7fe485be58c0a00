//! Files that are written whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file beside its place and renames it, so that after an error, for example on a full disk, an earlier file is still
/// there. If `path` is not a regular file, for example `/dev/stdout`, it is written directly. So is a file in a directory without permission
/// for new ones.
///
/// # Errors
/// If the system reports one. Nothing is left of the new file then.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(path);
    let name = path.file_name().filter(|_| before.as_ref().map_or(true, fs::Metadata::is_file));
    let Some(name) = name else { return fs::write(path, bytes) };
    let beside = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let written = fs::write(&beside, &bytes)
        .and_then(|()| before.as_ref().map_or(Ok(()), |before| fs::set_permissions(&beside, before.permissions())))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    match written {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && before.is_ok() => fs::write(path, bytes),
        written => written,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn a_file_is_replaced_as_a_whole_and_keeps_its_permissions_and_its_links() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        write(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, "two").unwrap();
        assert!(link.is_symlink() && fs::read(&file).unwrap() == b"two");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_no_regular_file_is_written_directly_and_an_error_leaves_nothing() {
        write(Path::new("/dev/null"), "text").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        let dir = tempfile::tempdir().unwrap();
        assert!(write(&dir.path().join("missing/file"), "text").is_err() && write(dir.path(), "text").is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
