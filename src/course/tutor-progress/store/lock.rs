//! Locks: one for checks, migrations and replacing the file, and one that shows which tutors are open.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};
use tutor_support::private;
use tutor_support::words::Sentence;

/// Maximum time to wait for anything while progress is opened.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(10);

/// A lock, or why there is none. Dropping it releases the lock.
#[derive(Debug)]
pub(super) enum Lock {
    Ours(#[expect(dead_code, reason = "is held")] File),
    /// Another process holds it. The name is known if the system reports it.
    Held(Option<Sentence>),
    /// This file system does not support locks. SQLite's locks still protect everything except renaming a damaged file.
    None,
}

impl Lock {
    /// Waits for the lock, but only for a limited time.
    #[expect(clippy::disallowed_methods, reason = "no event tells that another process has given a lock back")]
    pub(super) fn take(path: &Path) -> std::io::Result<Self> {
        let file = private::file(path)?;
        let end = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self::Ours(file)),
                Err(TryLockError::Error(_)) => return Ok(Self::None),
                Err(TryLockError::WouldBlock) if Instant::now() >= end => return Ok(Self::Held(holder(path))),
                Err(TryLockError::WouldBlock) => std::thread::sleep(STEP),
            }
        }
    }

    /// True if a damaged file may be replaced, and tables may be created.
    pub(super) fn allows_change(&self) -> bool {
        !matches!(self, Self::Held(_))
    }
}

/// A shared lock that every open tutor holds.
#[derive(Debug)]
pub(super) struct Presence(#[expect(dead_code, reason = "is held")] File);

impl Presence {
    /// Takes the shared lock. Also returns the other process, with its name if known, if another tutor is open.
    pub(super) fn show(path: &Path) -> Option<(Self, Option<Option<Sentence>>)> {
        let file = private::file(path).ok()?;
        let other = match file.try_lock() {
            Ok(()) => {
                let _ = file.unlock();
                None
            }
            Err(TryLockError::WouldBlock) => Some(holder(path)),
            Err(TryLockError::Error(_)) => return None,
        };
        file.try_lock_shared().ok()?;
        Some((Self(file), other))
    }
}

/// Returns the process that has a lock on a file, such as `matmul-tutor (process 71)`.
#[cfg(target_os = "linux")]
pub(super) fn holder(path: &Path) -> Option<Sentence> {
    use std::os::unix::fs::MetadataExt as _;
    let inode = std::fs::metadata(path).ok()?.ino();
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let own = std::process::id();
    locks.lines().find_map(|line| {
        // Format: `1: FLOCK  ADVISORY  WRITE 71 00:2f:1234 0 EOF`. A waiting process has an arrow after the number.
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, kind, _, _, process, place, ..] = fields[..] else { return None };
        let at: u64 = place.rsplit(':').next()?.parse().ok()?;
        let process: u32 = process.parse().ok()?;
        if kind == "->" || at != inode || process == own {
            return None;
        }
        let name = std::fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
        let name: String = name.chars().filter(char::is_ascii_graphic).collect();
        Some(tutor_support::sentence!("mastery-holder", name, process = process.to_string()))
    })
}

/// Other systems do not report the process.
#[cfg(not(target_os = "linux"))]
pub(super) fn holder(_: &Path) -> Option<Sentence> {
    None
}
