//! Files that somebody hands in: named one by one, or as folders that hold them.

use std::path::{Path, PathBuf};

/// How deep in folders files are looked for.
const DEEPEST: u32 = 6;

/// The file itself, whatever it is called, or the files with one of these extensions in the folder, in the order of their names.
pub(in crate::cli) fn files_in(path: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    find(path, extensions, 0, &mut files);
    files
}

fn find(path: &Path, extensions: &[&str], depth: u32, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        let known = path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension));
        if depth == 0 || known {
            files.push(path.to_owned());
        }
        return;
    }
    let Ok(entries) = path.read_dir() else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for entry in entries.into_iter().filter(|_| depth < DEEPEST) {
        find(&entry, extensions, depth + 1, files);
    }
}
