//! A whole gate attempt on a disk that fails, is full, or loses power, at every call that SQLite makes.
//!
//! Afterwards, the progress opens and contains every acknowledged answer: every answer that the store reported as
//! saved.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "../mastery/support.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod support;
mod vfs;

use rusqlite::{Connection, ffi};
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use support::{column, entries, outline, quiz};
use tutor_progress::{Answer, AttemptKind, Begun, Store, progress};
use vfs::{Call, Fault, Rest};

/// SQLite's limit on memory is the whole process's: the test that sets it runs alone.
static MEMORY: RwLock<()> = RwLock::new(());

fn unlimited() -> RwLockReadGuard<'static, ()> {
    MEMORY.read().unwrap_or_else(PoisonError::into_inner)
}

/// What was acknowledged, and so must be in the file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Acknowledged {
    answers: Vec<String>,
    submitted: bool,
}

/// Tries something up to three times, as the tutor does with what the disk refuses.
fn persist<T, E>(mut work: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    work().or_else(|_| work()).or_else(|_| work())
}

/// Begins, answers 8 questions with drafts in between, submits.
fn attempt(dir: &Path) -> Acknowledged {
    let mut acknowledged = Acknowledged::default();
    let Ok(mut store) = Store::open_or_read(Some(dir)) else { return acknowledged };
    store.back_up();
    let (outline, quiz) = (outline(), quiz());
    // What was begun without an acknowledgement is resumed.
    let begun = persist(|| store.begin(&outline, &quiz, AttemptKind::Gate, Some(7)));
    if let Ok(Begun::New(mut attempt) | Begun::Resumed(mut attempt)) = begun {
        for slot in (1..=8).map(|slot| format!("s{slot}")) {
            let _ = store.put_draft("small", &format!("answer:{}:{slot}", attempt.id), Some("right"));
            if persist(|| store.answer(&mut attempt, &slot, Answer::Single("right".into()))).is_ok() {
                acknowledged.answers.push(slot);
            }
        }
        acknowledged.submitted = persist(|| store.submit(&outline, &quiz, attempt.id)).is_ok();
    }
    acknowledged
}

/// The progress opens, is sound, and has what was acknowledged, each answer once.
fn holds(dir: &Path, acknowledged: &Acknowledged, what: &str) {
    let store = Store::open(dir).unwrap_or_else(|error| panic!("{what}: {error}"));
    let path = store.path().unwrap().to_owned();
    let record = store.record("small").unwrap_or_else(|error| panic!("{what}: {error}"));
    drop(progress(&outline(), &record));
    let raw = Connection::open(path).unwrap();
    for pragma in ["integrity_check", "foreign_key_check"] {
        let found: Vec<String> = column(&raw, &format!("PRAGMA {pragma}"));
        assert!(found.is_empty() || found == ["ok"], "{what}: {found:?}");
    }
    let given: Vec<String> = column(&raw, "SELECT slot FROM answers ORDER BY id");
    for slot in &acknowledged.answers {
        assert!(given.contains(slot), "{what}: {slot} is lost: {given:?}");
    }
    for slot in &given {
        assert_eq!(given.iter().filter(|other| *other == slot).count(), 1, "{what}: {slot} is there twice: {given:?}");
    }
    if acknowledged.submitted {
        assert_eq!(record.submissions.len(), 1, "{what}: the result is lost");
    }
    let damaged = entries(dir).iter().any(|path| path.to_string_lossy().contains("progress.sqlite3.damaged-"));
    assert!(!damaged, "{what}: the file was damaged");
}

/// Counts the calls of a whole attempt without a failure, by kind.
fn calls() -> std::collections::BTreeMap<Call, u64> {
    let dir = tempfile::tempdir().unwrap();
    vfs::arm(dir.path(), 0, Fault::Once);
    let acknowledged = attempt(dir.path());
    let calls = vfs::take(dir.path()).calls;
    assert_eq!((acknowledged.answers.len(), acknowledged.submitted), (8, true));
    for kind in [Call::Open, Call::Delete, Call::Write, Call::Sync, Call::ShmMap, Call::ShmLock] {
        assert!(calls.contains_key(&kind), "no {kind:?} in {calls:?}");
    }
    calls
}

fn at_every_call(fault: Fault) {
    let _unlimited = unlimited();
    let count: u64 = calls().values().sum();
    let mut whole = 0;
    for at in 1..=count {
        let dir = tempfile::tempdir().unwrap();
        vfs::arm(dir.path(), at, fault);
        let acknowledged = attempt(dir.path());
        drop(vfs::take(dir.path()));
        whole += u64::from(acknowledged.answers.len() == 8 && acknowledged.submitted);
        holds(dir.path(), &acknowledged, &format!("{fault:?} at call {at} of {count}"));
    }
    if fault == Fault::Once {
        // A fault that passes costs nothing: all is in the file in the end.
        assert_eq!(whole, count);
    }
}

#[test]
fn a_call_that_fails_once_loses_nothing() {
    at_every_call(Fault::Once);
}

#[test]
fn a_disk_that_fails_from_some_call_on_loses_nothing_that_was_acknowledged() {
    at_every_call(Fault::FromThenOn);
}

#[test]
fn a_disk_that_fills_up_at_some_call_loses_nothing_that_was_acknowledged() {
    at_every_call(Fault::Full);
}

#[test]
fn a_power_cut_at_any_call_loses_nothing_that_was_acknowledged() {
    let _unlimited = unlimited();
    let count: u64 = calls().values().sum();
    for at in 1..=count + 1 {
        let dir = tempfile::tempdir().unwrap();
        vfs::arm(dir.path(), at, Fault::Cut);
        let acknowledged = attempt(dir.path());
        let disk = vfs::take(dir.path());
        for rest in [Rest::Nothing, Rest::Everything, Rest::Torn(at)] {
            let dir = tempfile::tempdir().unwrap();
            disk.power_up(dir.path(), rest);
            holds(dir.path(), &acknowledged, &format!("power cut at call {at} of {count}, {rest:?}"));
        }
    }
}

/// The cut bites: what waits for no disk is lost by it.
#[test]
fn a_power_cut_loses_what_was_not_synchronised() {
    let _unlimited = unlimited();
    let dir = tempfile::tempdir().unwrap();
    let path = |dir: &tempfile::TempDir| dir.path().join("raw.sqlite3");
    vfs::arm(dir.path(), 0, Fault::Cut);
    let raw = Connection::open(path(&dir)).unwrap();
    raw.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t(x); INSERT INTO t VALUES (1);",
    )
    .unwrap();
    raw.execute_batch("PRAGMA synchronous = NORMAL; INSERT INTO t VALUES (2);").unwrap();
    // As after a cut: the connection never tidies up.
    raw.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    drop(raw);
    let after = tempfile::tempdir().unwrap();
    vfs::take(dir.path()).power_up(after.path(), Rest::Nothing);
    let rows: Vec<i64> = column(&Connection::open(path(&after)).unwrap(), "SELECT x FROM t");
    assert_eq!(rows, [1]);
}

#[test]
fn with_little_memory_nothing_that_was_acknowledged_is_lost() {
    let _alone = MEMORY.write().unwrap_or_else(PoisonError::into_inner);
    let mut whole = 0;
    for kibibytes in [8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048] {
        let dir = tempfile::tempdir().unwrap();
        // SAFETY: a limit on SQLite's own allocations; it has no other effect.
        unsafe { ffi::sqlite3_hard_heap_limit64(kibibytes << 10) };
        let acknowledged = attempt(dir.path());
        // SAFETY: as above; 0 means no limit.
        unsafe { ffi::sqlite3_hard_heap_limit64(0) };
        whole += usize::from(acknowledged.answers.len() == 8 && acknowledged.submitted);
        holds(dir.path(), &acknowledged, &format!("{kibibytes} KiB"));
    }
    assert!((1..13).contains(&whole), "{whole} of 13 limits were enough: too low and too high ones must occur");
}
