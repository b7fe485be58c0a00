/*! Whether a file of a course has changed.

The files are looked at, not watched: a course is some hundred of them, a look at each takes microseconds, and it works over networks
and with editors that put a new file in the old one's place, where a system's notices do not.
*/

use crate::FOLDERS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Most files that are looked at.
const MOST: usize = 10_000;
/// Deepest folder that is looked into.
const DEEPEST: usize = 6;

/// When each file was written, and how long it is.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// The files of a course as they were.
#[derive(Debug, Clone)]
pub struct Watch {
    root: PathBuf,
    /// As told last.
    told: Seen,
    /// As seen last.
    seen: Seen,
}

impl Watch {
    /// Time from one look to the next.
    pub const PERIOD: Duration = Duration::from_millis(150);

    /// The files as they are now.
    pub fn new(root: &Path) -> Self {
        let seen = look(root);
        Self { root: root.to_owned(), told: seen.clone(), seen }
    }

    /// Looks; true once for each change, as soon as two looks one after the other saw the same: a file that is still being
    /// written is not read.
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
        look_into(&root.join(folder), DEEPEST, &mut seen);
    }
    seen
}

fn look_into(folder: &Path, depth: usize, seen: &mut Seen) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // Editors keep files of their own beside those that are written.
        if seen.len() >= MOST || entry.file_name().to_string_lossy().starts_with('.') {
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
        // Seen for the first time; it may still grow.
        assert!(!watch.changed());
        write("modules/course.yaml", "id: abc\n");
        assert!(!watch.changed());
        assert!(watch.changed());
        assert!(!watch.changed());
        // What is no part of a course, or an editor's own, is none.
        write("notes.txt", "x");
        write("modules/.course.yaml.swp", "x");
        assert!(!watch.changed() && !watch.changed());
        write("kernels/deep/er/own.cu", "x");
        assert!(!watch.changed() && watch.changed());
        fs::remove_file(dir.path().join("kernels/deep/er/own.cu")).unwrap();
        assert!(!watch.changed() && watch.changed());
    }
}
