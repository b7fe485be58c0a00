//! A file, looked at until it is saved again.

use super::session::Session;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The saves of a file. It is asked for its time and length, which works on every file system.
pub(in crate::cli) struct Saves {
    path: PathBuf,
    seen: Option<(SystemTime, u64)>,
}

impl Saves {
    /// From now on, the file as it is counting as the first save.
    pub(in crate::cli) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), seen: None }
    }

    /// Waits for the next save; false after Ctrl-C.
    pub(in crate::cli) fn next(&mut self, session: &Session) -> bool {
        while !session.is_interrupted() {
            let state = |path: &Path| -> Option<(SystemTime, u64)> {
                let metadata = path.metadata().ok()?;
                Some((metadata.modified().ok()?, metadata.len()))
            };
            // An editor may take the file away for a moment, or empty it before it writes.
            let now = state(&self.path).filter(|(_, bytes)| *bytes > 0);
            if now.is_some() && now != self.seen {
                self.seen = now;
                return true;
            }
            session.idle(LOOK_EVERY);
        }
        false
    }
}
