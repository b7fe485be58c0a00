//! The progress file: shared, damaged, foreign, newer, not writable.

use crate::support::{entries, outline, quiz};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use tutor_progress::{Answer, AttemptError, AttemptKind, Begun, Notice, Store, StoreError, progress};

const FILE: &str = "progress.sqlite3";

pub(crate) fn attempts(store: &Store) -> u32 {
    progress(&outline(), &store.record("small").unwrap()).levels[0].attempts
}

pub(crate) fn take(store: &mut Store) {
    let right = Some(Answer::Single("right".into()));
    store.take(&outline(), &quiz(), AttemptKind::Gate, None, &|_| Ok(right.clone())).unwrap();
}

/// A new attempt at the gate.
pub(crate) fn begin(store: &mut Store) -> tutor_progress::Attempt {
    match store.begin(&outline(), &quiz(), AttemptKind::Gate, None).unwrap() {
        Begun::New(attempt) => attempt,
        other => panic!("not new: {other:?}"),
    }
}

fn set_aside(dir: &Path) -> Vec<PathBuf> {
    let named = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("progress.sqlite3.damaged-");
    entries(dir).into_iter().filter(named).collect()
}

#[test]
fn two_terminals_share_one_attempt_and_only_one_submits_it() {
    let dir = tempfile::tempdir().unwrap();
    let (mut first, mut second) = (Store::open(dir.path()).unwrap(), Store::open(dir.path()).unwrap());
    let Ok(Begun::New(mut here)) = first.begin(&outline(), &quiz(), AttemptKind::Gate, None) else { panic!("not new") };
    let Ok(Begun::Resumed(mut there)) = second.begin(&outline(), &quiz(), AttemptKind::Gate, None) else {
        panic!("not resumed")
    };
    assert_eq!(here, there);
    for slot in ["s1", "s2", "s3", "s4"] {
        first.answer(&mut here, slot, Answer::Single("right".into())).unwrap();
    }
    for slot in ["s4", "s5", "s6", "s7", "s8"] {
        second.answer(&mut there, slot, Answer::Single("right".into())).unwrap();
    }
    // What counts is what the file holds, not what this terminal has seen.
    let outcome = first.submit(&outline(), &quiz(), here.id).unwrap();
    assert_eq!((outcome.correct, outcome.passed), (8, true));
    let late = second.answer(&mut there, "s1", Answer::Single("slip".into()));
    assert!(matches!(late, Err(AttemptError::Over)), "{late:?}");
    assert!(matches!(second.go_to(&mut there, 1), Err(AttemptError::Over)));
    assert!(matches!(second.flag(&mut there, "s1", true), Err(AttemptError::Over)));
    assert!(matches!(second.submit(&outline(), &quiz(), there.id), Err(AttemptError::Over)));
    assert!(matches!(second.abandon(&there), Err(AttemptError::Over)));
    let told = second.latest_outcome("small", "one", AttemptKind::Gate).unwrap().unwrap();
    assert_eq!((told.correct, told.items), (8, outcome.items));
    assert_eq!(attempts(&second), 1);
}

#[test]
fn an_answer_in_the_wrong_form_is_refused_and_not_stored() {
    let mut store = Store::in_memory().unwrap();
    let Ok(Begun::New(mut attempt)) = store.begin(&outline(), &quiz(), AttemptKind::Gate, None) else {
        panic!("not new")
    };
    for (slot, answer) in [
        ("s1", Answer::Single("nobody".into())),
        ("s1", Answer::Number("8".into())),
        ("s1", Answer::Multiple(vec!["right".into()])),
        ("s99", Answer::Single("right".into())),
    ] {
        let refused = store.answer(&mut attempt, slot, answer);
        assert!(matches!(refused, Err(AttemptError::NotAnAnswer(_))), "{refused:?}");
    }
    assert!(attempt.answers.is_empty());
    let Ok(Begun::Resumed(again)) = store.begin(&outline(), &quiz(), AttemptKind::Gate, None) else {
        panic!("not resumed")
    };
    assert!(again.answers.is_empty());
}

#[test]
fn taken_at_once_a_bad_answer_leaves_nothing_of_the_attempt_behind() {
    let mut store = Store::in_memory().unwrap();
    let taken = store.take(&outline(), &quiz(), AttemptKind::Gate, None, &|question| match question.slot.as_str() {
        "s8" => Err("No answer.".into()),
        _ => Ok(Some(Answer::Single("right".into()))),
    });
    assert!(matches!(taken, Err(AttemptError::NotAnAnswer(_))));
    assert_eq!(attempts(&store), 0);
    assert!(store.record("small").unwrap().under_way.is_empty());
    let begun = store.begin(&outline(), &quiz(), AttemptKind::Gate, None);
    assert!(matches!(begun, Ok(Begun::New(_))), "{begun:?}");
}

#[test]
fn a_seed_asks_everybody_the_same_even_who_was_asked_before() {
    let mut store = Store::in_memory().unwrap();
    let variants = |store: &mut Store, seed| -> Vec<String> {
        let taken = store.take(&outline(), &quiz(), AttemptKind::Gate, seed, &|_| Ok(None)).unwrap();
        taken.items.into_iter().map(|item| item.variant).collect()
    };
    let first = variants(&mut store, Some(11));
    assert_eq!(variants(&mut store, Some(11)), first);
    // Without a seed, what was just asked is not asked again.
    let next = variants(&mut store, None);
    assert!(first.iter().zip(&next).all(|(first, next)| first != next));
}

#[test]
fn a_file_that_is_no_database_is_set_aside_and_a_new_one_begun() {
    let dir = tempfile::tempdir().unwrap();
    let garbage = b"this is not a database, but it is somebody's file ".repeat(100);
    fs::write(dir.path().join(FILE), &garbage).unwrap();
    let mut store = Store::open(dir.path()).unwrap();
    let notice = store.take_notice().expect("a notice");
    let Notice::SetAside { aside, .. } = &notice else { panic!("{notice}") };
    assert_eq!(fs::read(aside).unwrap(), garbage);
    assert!(notice.to_string().contains(&*aside.to_string_lossy()));
    take(&mut store);
    drop(store);
    let mut again = Store::open(dir.path()).unwrap();
    assert!(again.take_notice().is_none());
    assert_eq!((attempts(&again), set_aside(dir.path()).len()), (1, 1));
}

#[test]
fn damage_found_by_many_at_once_is_set_aside_once() {
    // The race that this is about is narrow: it is run often.
    for _ in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(FILE), b"damaged ".repeat(1000)).unwrap();
        let start = Barrier::new(8);
        let open = || {
            start.wait();
            Store::open(dir.path()).unwrap()
        };
        let opened: Vec<Store> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(set_aside(dir.path()).len(), 1);
        for mut store in opened {
            take(&mut store);
        }
        assert_eq!(attempts(&Store::open(dir.path()).unwrap()), 8);
    }
}

#[test]
fn a_file_of_a_newer_program_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    take(&mut Store::open(dir.path()).unwrap());
    let path = dir.path().join(FILE);
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 99).unwrap();
    raw.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())).unwrap();
    drop(raw);
    let before = fs::read(&path).unwrap();
    for opened in [Store::open(dir.path()), Store::open_or_read(Some(dir.path()))] {
        let error = opened.expect_err("refused");
        assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
        assert!(error.help().contains("Update"), "{}", error.help());
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(set_aside(dir.path()).is_empty());
}

#[test]
fn another_programs_database_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(FILE);
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute_batch("CREATE TABLE recipes(name TEXT); INSERT INTO recipes VALUES ('kimchi');").unwrap();
    drop(raw);
    let before = fs::read(&path).unwrap();
    let error = Store::open_or_read(Some(dir.path())).expect_err("refused");
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn where_nothing_can_be_written_the_store_says_so_once_and_refuses_every_change_until_it_can_be() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a file");
    for below in [file.clone(), file.join("deeper")] {
        fs::write(&file, "in the way").unwrap();
        assert!(matches!(Store::open(&below), Err(StoreError::Unwritable { .. })));
        let mut store = Store::open_or_read(Some(&below)).unwrap();
        let notice = store.take_notice().expect("a notice");
        assert!(notice.help().contains("--data"), "{}", notice.help());
        assert!(store.take_notice().is_none());
        assert_eq!(store.path(), None);
        let refused = store.begin(&outline(), &quiz(), AttemptKind::Gate, None);
        assert!(matches!(refused, Err(AttemptError::Store(StoreError::Unwritable { .. }))), "{refused:?}");
        // The seed that shuffles the choices of pages stays, even if it is not saved yet.
        let seed = store.student().unwrap();
        assert_eq!(store.student().unwrap(), seed);
        fs::remove_file(&file).unwrap();
        take(&mut store);
        assert_eq!((attempts(&store), store.student().unwrap()), (1, seed));
        assert_eq!(attempts(&Store::open(&below).unwrap()), 1);
        drop(store);
        fs::remove_dir_all(&file).unwrap();
    }
}
