//! Submitted files: named one by one, or inside folders.

use std::path::{Path, PathBuf};
use tutor_support::{t, text};

/// Maximum depth of folders that are searched.
const MAX_DEPTH: u32 = 32;

/// Returns `path` itself if it is a file. For a folder, returns the files in it that have one of these extensions,
/// sorted by path.
///
/// Does not follow links, because they may lead to another student's work. Links that may be submissions, and folders
/// that are too deep or cannot be read, are listed as they are, so that no submission is silently missing. Leftovers of
/// archives and systems are ignored.
pub fn files_in(path: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if path.is_dir() {
        find(path, extensions, 0, &mut files);
    } else {
        files.push(path.to_owned());
    }
    files
}

fn find(folder: &Path, extensions: &[&str], depth: u32, files: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else {
        files.push(folder.to_owned());
        return;
    };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for entry in entries {
        if is_leftover(&entry) {
            continue;
        }
        let is_folder = entry.is_dir();
        if is_folder && !entry.is_symlink() && depth < MAX_DEPTH {
            find(&entry, extensions, depth + 1, files);
            continue;
        }
        let found = entry.extension().unwrap_or_default();
        if is_folder || extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension)) {
            files.push(entry);
        }
    }
}

/// True for a leftover of an archive or a system.
pub(crate) fn is_leftover(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "__MACOSX"
}

/// Reads a submitted file of up to `most` bytes. Refuses links and anything that is not a regular file.
///
/// # Errors
/// A sentence for the user.
pub(crate) fn read_handed_in(path: &Path, most: u64) -> Result<String, String> {
    if path.is_symlink() {
        return Err(t!("cli-link", file = path.display().to_string()));
    }
    Ok(text::read_within(path, most)?)
}
