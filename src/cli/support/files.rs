//! Files that somebody hands in: named one by one, or as folders that hold them.

use std::path::{Path, PathBuf};

/// How deep in folders files are looked for.
const DEEPEST: u32 = 32;

/// The file itself, whatever it is called, or the files with one of these extensions in the folder, in the order of their names.
/// Links are not followed, for they may lead to another's work: those that may be meant come along as they are, and so do folders
/// that are too deep, so that whoever handed them in is not silently missing. What an archive or a system leaves behind is left out.
pub(crate) fn files_in(path: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if path.is_dir() {
        find(path, extensions, 0, &mut files);
    } else {
        files.push(path.to_owned());
    }
    files
}

fn find(folder: &Path, extensions: &[&str], depth: u32, files: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "__MACOSX" {
            continue;
        }
        let is_folder = entry.is_dir();
        if is_folder && !entry.is_symlink() && depth < DEEPEST {
            find(&entry, extensions, depth + 1, files);
            continue;
        }
        let found = entry.extension().unwrap_or_default();
        if is_folder || extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension)) {
            files.push(entry);
        }
    }
}

/// Reads a file that was handed in, up to so many bytes: no link, and nothing but a plain file.
///
/// # Errors
/// A sentence.
pub(crate) fn read_handed_in(path: &Path, most: u64) -> Result<String, String> {
    if path.is_symlink() {
        return Err(tutor_base::t!("cli-link", file = path.display().to_string()));
    }
    tutor_base::text::read_within(path, most)
}
