/*! Detects changes of a course's files.

The files are polled. A course has a few hundred files, and a look at each takes microseconds. Polling also works on network file
systems and with editors that replace a file, where change notices of the system do not.
*/

use crate::FOLDERS;
use crate::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Maximum number of files to look at.
const MAX_FILES: usize = 10_000;
/// Maximum depth of folders to look into.
const MAX_DEPTH: usize = 6;

/// When each file was written, and its length.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// The files of a course as they were.
#[derive(Debug, Clone)]
pub struct Watch {
    root: PathBuf,
    /// The state at the last reported change.
    told: Seen,
    /// The state at the last look.
    seen: Seen,
}

impl Watch {
    pub const PERIOD: Duration = Duration::from_millis(150);

    /// Records the files as they are now.
    pub fn new(root: &Path) -> Self {
        let seen = look(root);
        Self { root: root.to_owned(), told: seen.clone(), seen }
    }

    /// Looks again. Returns true once for each change, when two successive looks see the same state: a file that is
    /// still being written is not read.
    pub fn changed(&mut self) -> bool {
        let before = std::mem::replace(&mut self.seen, look(&self.root));
        let settled = before == self.seen && self.seen != self.told;
        if settled {
            self.told = self.seen.clone();
        }
        settled
    }
}

fn look(root: &Path) -> Seen {
    let mut seen = Seen::new();
    for folder in FOLDERS {
        look_into(&root.join(folder), MAX_DEPTH, &mut seen);
    }
    seen
}

fn look_into(folder: &Path, depth: usize, seen: &mut Seen) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // Hidden files belong to editors.
        if seen.len() >= MAX_FILES || entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let Ok(about) = fs::metadata(entry.path()) else { continue };
        if about.is_dir() && depth > 0 {
            look_into(&entry.path(), depth - 1, seen);
        } else if about.is_file() {
            seen.insert(entry.path(), (about.modified().ok(), about.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_once_and_only_when_it_has_settled() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("modules/course.yaml", "id: a\n");
        let mut watch = Watch::new(dir.path());
        assert!(!watch.changed());
        write("modules/course.yaml", "id: ab\n");
        // The watch sees this change for the first time. The file may still grow.
        assert!(!watch.changed());
        write("modules/course.yaml", "id: abc\n");
        assert!(!watch.changed());
        assert!(watch.changed());
        assert!(!watch.changed());
        // Files outside of a course's folders, and hidden files, do not count.
        write("notes.txt", "x");
        write("modules/.course.yaml.swp", "x");
        assert!(!watch.changed() && !watch.changed());
        write("kernels/deep/er/own.cu", "x");
        assert!(!watch.changed() && watch.changed());
        fs::remove_file(dir.path().join("kernels/deep/er/own.cu")).unwrap();
        assert!(!watch.changed() && watch.changed());
    }
}
