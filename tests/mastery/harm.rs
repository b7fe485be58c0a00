//! What a disk, another user or another process can do to the progress file, and what is left of it then.
#![cfg(unix)]

use crate::store::{attempts, begin, take};
use crate::support::{column, entries, outline, quiz};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tutor_progress::{Answer, Attempt, AttemptError, AttemptKind, Carried, Notice, Renamed, Store, StoreError};
use tutor_support::t;

const FILE: &str = "progress.sqlite3";

fn right() -> Answer {
    Answer::Single("right".into())
}

fn notices(store: &mut Store) -> Vec<Notice> {
    std::iter::from_fn(|| store.take_notice()).collect()
}

/// The file, without the store.
fn raw(dir: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(dir.join(FILE)).unwrap()
}

fn rows(dir: &Path, table: &str) -> u32 {
    column(&raw(dir), &format!("SELECT count(*) FROM {table}")).remove(0)
}

/// Writes everything into the file itself.
fn checkpoint(dir: &Path) {
    raw(dir).query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
}

/// A file with this many attempts and their answers.
fn with_attempts(dir: &Path, count: usize) {
    let mut store = Store::open(dir).unwrap();
    (0..count).for_each(|_| take(&mut store));
}

/// A directory, and the data directory in it, which does not exist yet.
fn place() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("data");
    (place, dir)
}

fn give(store: &mut Store, attempt: &mut Attempt, slots: std::ops::RangeInclusive<u32>) {
    slots.for_each(|slot| store.answer(attempt, &format!("s{slot}"), right()).unwrap());
}

fn shell(command: &str, dir: &Path) {
    assert!(Command::new("sh").args(["-c", command]).current_dir(dir).status().unwrap().success());
}

#[test]
fn a_directory_that_is_deleted_is_noticed_at_the_next_answer_and_all_is_in_a_new_file() {
    for harm in ["rm -r data", "rm data/progress.sqlite3", "rm data/progress.sqlite3-wal"] {
        let (place, dir) = place();
        with_attempts(&dir, 1);
        let mut store = Store::open(&dir).unwrap();
        let mut attempt = begin(&mut store);
        give(&mut store, &mut attempt, 1..=3);
        assert_eq!(notices(&mut store), []);
        shell(harm, place.path());
        give(&mut store, &mut attempt, 4..=4);
        let told = notices(&mut store);
        let path = dir.join(FILE);
        assert!(
            told.contains(&Notice::NewFile { path: path.clone(), why: StoreError::Gone { path: path.clone() } }),
            "{harm}: {told:?}"
        );
        assert_eq!(store.path(), Some(&*path), "{harm}");
        give(&mut store, &mut attempt, 5..=8);
        assert_eq!(notices(&mut store), [], "{harm}");
        // Another process finds the earlier result, this attempt and every answer, once.
        let mut other = Store::open(&dir).unwrap();
        assert_eq!(notices(&mut other), [], "{harm}");
        assert_eq!((attempts(&other), rows(&dir, "attempts"), rows(&dir, "answers")), (1, 2, 16), "{harm}");
        assert_eq!(store.submit(&outline(), &quiz(), attempt.id).unwrap().correct, 8, "{harm}");
    }
}

#[test]
fn an_answer_is_refused_until_the_file_can_be_written_again_and_then_it_is_saved_once() {
    let (place, dir) = place();
    let mut store = Store::open(&dir).unwrap();
    let mut attempt = begin(&mut store);
    store.answer(&mut attempt, "s1", right()).unwrap();
    shell("mv data elsewhere && echo in the way > data", place.path());
    for _ in 0..2 {
        let refused = store.answer(&mut attempt, "s2", right()).unwrap_err();
        assert!(matches!(refused, AttemptError::Store(StoreError::Unwritable { .. })), "{refused:?}");
        assert_eq!(attempt.answers.len(), 1);
    }
    shell("rm data", place.path());
    store.answer(&mut attempt, "s2", right()).unwrap();
    assert_eq!((rows(&dir, "attempts"), rows(&dir, "answers")), (1, 2));
}

#[test]
fn a_file_that_was_truncated_or_replaced_takes_no_answers_and_is_not_overwritten() {
    for harm in [": > data/progress.sqlite3", "rm -r data && mkdir data && echo another > data/progress.sqlite3"] {
        let (place, dir) = place();
        with_attempts(&dir, 1);
        let mut store = Store::open(&dir).unwrap();
        let mut attempt = begin(&mut store);
        shell(harm, place.path());
        let there = fs::read(dir.join(FILE)).unwrap();
        let refused = store.answer(&mut attempt, "s1", right()).unwrap_err();
        assert!(matches!(refused, AttemptError::Store(StoreError::Gone { .. })), "{harm}: {refused:?}");
        assert_eq!(fs::read(dir.join(FILE)).unwrap(), there, "{harm}");
    }
}

#[test]
fn a_store_whose_file_was_replaced_leaves_the_new_one_alone_when_it_goes() {
    let (place, dir) = place();
    let mut old = Store::open(&dir).unwrap();
    take(&mut old);
    shell("rm -r data", place.path());
    let mut new = Store::open(&dir).unwrap();
    take(&mut new);
    drop(old);
    // Closing the old file must not have deleted the new one's write-ahead log.
    assert!(dir.join("progress.sqlite3-wal").exists());
    take(&mut new);
    assert_eq!(notices(&mut new), []);
    assert_eq!((attempts(&Store::open(&dir).unwrap()), rows(&dir, "answers")), (2, 16));
}

/// Fills the pages of a table that hold its rows, all but the first of them.
fn break_pages(dir: &Path, table: &str) -> usize {
    let path = dir.join(FILE);
    checkpoint(dir);
    let leaves = format!("SELECT pageno FROM dbstat WHERE name = '{table}' AND pagetype = 'leaf' ORDER BY path");
    let pages: Vec<u32> = column(&raw(dir), &leaves);
    let mut bytes = fs::read(&path).unwrap();
    assert!(pages.len() > 2, "{table} has {} pages", pages.len());
    let broken = &pages[1..pages.len() - 1];
    for page in broken {
        let page = *page as usize;
        bytes[(page - 1) * 4096..page * 4096].fill(0xa5);
    }
    fs::write(&path, bytes).unwrap();
    broken.len()
}

/// Opens a damaged file. Returns the path under which it is kept, and the backup that is in its place.
fn set_aside(dir: &Path) -> (Store, PathBuf, Option<PathBuf>) {
    let mut store = Store::open(dir).unwrap();
    let told = notices(&mut store);
    let [notice @ Notice::SetAside { aside, backup, .. }] = &told[..] else { panic!("{told:?}") };
    assert!(notice.to_string().contains(&*aside.to_string_lossy()), "{notice}");
    assert!(notice.help().contains(&format!("doctor --recover {}", aside.display())), "{}", notice.help());
    (store, aside.clone(), backup.clone())
}

/// Recovers a file twice, which adds everything once. Returns the rows read and lost, by table, and the report.
fn recover(store: &mut Store, file: &Path) -> (Vec<(&'static str, u64, u64)>, String) {
    let mut carried = Vec::new();
    let mut counted = None;
    for _ in 0..2 {
        carried = store.recover(file, "small", &Renamed::default()).unwrap().expect("something readable");
        let dir = store.path().unwrap().parent().unwrap();
        let count = ["attempts", "answers", "grades", "submissions", "flags", "visits"].map(|table| rows(dir, table));
        assert_eq!(*counted.get_or_insert(count), count);
    }
    let report = Carried::report(&carried);
    (carried.iter().map(|carried| (carried.table, carried.rows, carried.lost)).collect(), report)
}

#[test]
fn of_a_damaged_file_every_row_outside_its_broken_pages_is_recovered_and_the_rest_counted() {
    let dir = tempfile::tempdir().unwrap();
    with_attempts(dir.path(), 20);
    break_pages(dir.path(), "answers");
    let (mut store, aside, backup) = set_aside(dir.path());
    assert_eq!((backup, attempts(&store)), (None, 0));
    // The new file is used before the old one is recovered.
    take(&mut store);
    let (rows, text) = recover(&mut store, &aside);
    let of = |table: &str| rows.iter().find(|(name, ..)| *name == table).map(|(_, rows, lost)| (*rows, *lost)).unwrap();
    assert_eq!((of("attempts"), of("submissions")), ((20, 0), (20, 0)));
    let (read, lost) = of("answers");
    assert_eq!(read + lost, 160);
    assert!(read > 0 && lost > 0, "{read} {lost}");
    assert!(text.contains("20 ") && text.contains(&lost.to_string()), "{text}");
    assert_eq!((attempts(&store), u64::from(self::rows(dir.path(), "answers"))), (21, read + 8));
    // Each answer belongs to the attempt that it belonged to.
    assert_eq!(
        self::rows(dir.path(), "answers JOIN attempts ON attempts.id = attempt WHERE given_at <> started_at"),
        0
    );
}

#[test]
fn what_a_backup_has_and_what_the_damaged_file_still_has_become_one() {
    let dir = tempfile::tempdir().unwrap();
    with_attempts(dir.path(), 15);
    Store::open(dir.path()).unwrap().back_up();
    with_attempts(dir.path(), 5);
    break_pages(dir.path(), "answers");
    let (mut store, aside, backup) = set_aside(dir.path());
    assert!(backup.is_some_and(|backup| backup.to_string_lossy().contains("progress.backup-")));
    assert_eq!((attempts(&store), self::rows(dir.path(), "answers")), (15, 120));
    recover(&mut store, &aside);
    assert_eq!(attempts(&store), 20);
    assert!(self::rows(dir.path(), "answers") > 120);
    drop(store);
    // Where nothing of the file can be read, the backup is what there is.
    fs::write(dir.path().join(FILE), "nothing of a database").unwrap();
    let (mut store, aside, backup) = set_aside(dir.path());
    assert!(backup.is_some());
    assert_eq!(attempts(&store), 15);
    assert_eq!(store.recover(&aside, "small", &Renamed::default()), Ok(None));
}

#[test]
fn what_a_course_has_renamed_since_is_recovered_under_the_new_name_and_not_twice() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(dir.path()).unwrap();
    take(&mut store);
    store.back_up();
    let old = backups(dir.path()).remove(0);
    let renamed = Renamed { courses: vec!["small".into()], ..Renamed::default() };
    store.rename("large", &renamed).unwrap();
    store.recover(&dir.path().join(old), "large", &renamed).unwrap().expect("something readable");
    assert_eq!((rows(dir.path(), "attempts"), store.courses().unwrap()), (1, vec!["large".to_owned()]));
}

#[test]
fn a_view_or_a_computed_column_in_the_place_of_a_table_is_not_read() {
    let computed = |name: &str| {
        format!(
            "ALTER TABLE answers DROP COLUMN answer;
             ALTER TABLE answers ADD COLUMN {name} TEXT GENERATED ALWAYS AS (hex(zeroblob(40000000))) VIRTUAL;"
        )
    };
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    for harm in [
        format!("DROP TABLE visits; CREATE VIEW visits(id) AS {endless};"),
        format!("DROP TABLE visits; CREATE VIEW VISITS(id) AS {endless};"),
        format!(
            "DROP TABLE visits; CREATE VIEW visits(id) AS {endless};
             PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'table' WHERE name = 'visits';"
        ),
        computed("answer"),
        computed("ANSWER"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        with_attempts(dir.path(), 1);
        raw(dir.path()).execute_batch(&harm).unwrap();
        assert_eq!(attempts(&Store::copy_of(&dir.path().join(FILE)).unwrap()), 1, "{harm}");
    }
}

/// The names of the backups in a directory, the oldest first.
fn backups(dir: &Path) -> Vec<String> {
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = entries(dir).into_iter().map(name).collect();
    names.retain(|name| name.contains("backup"));
    names.sort();
    names
}

#[test]
fn backups_that_a_wrong_clock_dated_into_the_future_do_not_displace_new_ones() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(dir.path()).unwrap();
    take(&mut store);
    store.back_up();
    let today = backups(dir.path()).remove(0);
    for day in ["20970101", "20980101", "20990101"] {
        fs::copy(dir.path().join(&today), dir.path().join(format!("progress.backup-{day}T000000Z.sqlite3"))).unwrap();
    }
    fs::remove_file(dir.path().join(&today)).unwrap();
    take(&mut store);
    store.back_up();
    let kept = backups(dir.path());
    assert!(kept.len() == 3 && *kept[0] < *"progress.backup-2097", "{kept:?}");
    drop(store);
    fs::write(dir.path().join(FILE), "nothing of a database").unwrap();
    let (store, ..) = set_aside(dir.path());
    assert_eq!(attempts(&store), 2, "the newest backup, not one of the future");
}

#[test]
fn one_backup_a_day_is_made_and_three_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let backups = || backups(dir.path());
    let mut store = Store::open(dir.path()).unwrap();
    store.back_up();
    assert!(backups().is_empty(), "there is nothing to copy");
    take(&mut store);
    for _ in 0..2 {
        store.back_up();
        assert_eq!(backups().len(), 1);
    }
    let today = backups().remove(0);
    for day in ["20200101", "20200102", "20200103"] {
        fs::copy(dir.path().join(&today), dir.path().join(format!("progress.backup-{day}T000000Z.sqlite3"))).unwrap();
    }
    fs::rename(dir.path().join(&today), dir.path().join("progress.backup-20191231T000000Z.sqlite3")).unwrap();
    store.back_up();
    assert_eq!(backups().len(), 3);
    assert!(backups()[0].contains("20200102") && backups()[1].contains("20200103"), "{:?}", backups());
    for name in backups() {
        assert_eq!(attempts(&Store::copy_of(&dir.path().join(name)).unwrap()), 1);
    }
}

#[test]
fn files_are_for_their_owner_alone_whatever_they_were() {
    let (_place, dir) = place();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let check = |store: &mut Store| {
        take(store);
        store.back_up();
        store.show_presence();
        assert_eq!(mode(&dir), 0o700);
        let files = entries(&dir);
        assert!(files.len() >= 6 && files.iter().all(|path| mode(path) == 0o600), "{files:?}");
    };
    check(&mut Store::open(&dir).unwrap());
    // As an earlier version has left them under the usual umask.
    let files = entries(&dir);
    files.iter().for_each(|path| fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap());
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(files.iter().find(|path| path.to_string_lossy().contains("backup")).unwrap()).unwrap();
    check(&mut Store::open(&dir).unwrap());
    // A directory that also serves something else stays as it is.
    fs::write(dir.join("letter.txt"), "dear").unwrap();
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
    drop(Store::open(&dir).unwrap());
    assert_eq!(mode(&dir), 0o755);
}

#[test]
fn a_pipe_a_socket_a_device_or_a_directory_under_one_of_our_names_is_told_and_not_waited_for() {
    for name in [FILE, "progress.sqlite3-wal", "progress.sqlite3-shm", "progress.lock"] {
        for (make, says) in [
            ("mkfifo", t!("file-is-pipe")),
            ("mkdir", t!("file-is-directory")),
            ("ln -s /dev/null", t!("file-is-device")),
        ] {
            let dir = tempfile::tempdir().unwrap();
            shell(&format!("{make} {name}"), dir.path());
            let mut store = Store::open_or_read(Some(dir.path())).unwrap();
            assert_eq!(store.path(), None);
            let told = notices(&mut store);
            let [Notice::Unavailable(StoreError::Unwritable { path, why })] = &told[..] else { panic!("{told:?}") };
            assert_eq!((path, why.to_string()), (&dir.path().join(name), says));
            assert!(dir.path().join(name).exists(), "{make} {name}");
            let begun = store.begin(&outline(), &quiz(), AttemptKind::Gate, None);
            assert!(matches!(begun, Err(AttemptError::Store(StoreError::Unwritable { .. }))), "{begun:?}");
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("progress.lock")).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(error.to_string().contains(&t!("file-is-socket")), "{error}");
}

#[test]
fn a_lock_that_another_process_holds_delays_and_stops_nobody() {
    let dir = tempfile::tempdir().unwrap();
    with_attempts(dir.path(), 1);
    let held = fs::File::open(dir.path().join("progress.lock")).unwrap();
    held.lock().unwrap();
    let mut store = Store::open(dir.path()).unwrap();
    assert!(matches!(&notices(&mut store)[..], [Notice::Locked { .. }]));
    take(&mut store);
    assert_eq!(attempts(&store), 2);
    drop(store);
    // A damaged file waits for the lock. Until then, what can be read of it is shown.
    let mut raw = fs::read(dir.path().join(FILE)).unwrap();
    raw[5000..9000].fill(0xa5);
    fs::write(dir.path().join(FILE), &raw).unwrap();
    let mut store = Store::open_or_read(Some(dir.path())).unwrap();
    let told = notices(&mut store);
    assert!(matches!(&told[..], [Notice::Unavailable(StoreError::Busy { .. })]), "{told:?}");
    assert_eq!(fs::read(dir.path().join(FILE)).unwrap(), raw);
    held.unlock().unwrap();
    // The first change opens the file.
    take(&mut store);
    assert!(matches!(&notices(&mut store)[..], [Notice::SetAside { .. }]));
    assert_eq!(rows(dir.path(), "attempts"), 1);
}

#[test]
fn while_another_process_writes_a_change_is_refused_in_time_and_can_be_made_later() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(dir.path()).unwrap();
    let mut attempt = begin(&mut store);
    let other = raw(dir.path());
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.answer(&mut attempt, "s1", right()).unwrap_err();
    assert!(matches!(refused, AttemptError::Store(StoreError::Busy { .. })), "{refused}");
    assert!(attempt.answers.is_empty() && store.path().is_some());
    // To open needs no lock.
    drop(Store::open(dir.path()).unwrap());
    other.execute_batch("ROLLBACK").unwrap();
    store.answer(&mut attempt, "s1", right()).unwrap();
    assert_eq!(rows(dir.path(), "answers"), 1);
}

#[test]
fn a_file_without_one_of_its_tables_its_version_or_its_last_page_is_set_aside_with_what_it_has() {
    // What the file says of its tables is no longer true without the page where the table that was made last begins.
    let last_page = "last page";
    for harm in [
        "DROP TABLE visits",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = -1",
        "ALTER TABLE runs DROP COLUMN verified",
        last_page,
    ] {
        let dir = tempfile::tempdir().unwrap();
        with_attempts(dir.path(), 1);
        if harm == last_page {
            checkpoint(dir.path());
            let file = fs::OpenOptions::new().write(true).open(dir.path().join(FILE)).unwrap();
            file.set_len(file.metadata().unwrap().len() - 4096).unwrap();
        } else {
            raw(dir.path()).execute_batch(harm).unwrap();
        }
        let (mut store, aside, _) = set_aside(dir.path());
        let (rows, _) = recover(&mut store, &aside);
        for row in [("attempts", 1, 0), ("answers", 8, 0), ("submissions", 1, 0)] {
            assert!(rows.contains(&row), "{harm}: {rows:?}");
        }
        assert_eq!(attempts(&store), 1, "{harm}");
    }
}

#[test]
fn an_older_file_is_copied_before_it_is_brought_up_to_date() {
    let dir = tempfile::tempdir().unwrap();
    with_attempts(dir.path(), 1);
    let newer = "DROP TABLE drafts; DROP TABLE students; DROP TABLE explanations; DROP TABLE tries; DROP TABLE hints;
        ALTER TABLE submissions DROP COLUMN exercise; PRAGMA user_version = 2;";
    raw(dir.path()).execute_batch(newer).unwrap();
    let mut store = Store::open(dir.path()).unwrap();
    assert_eq!((notices(&mut store), attempts(&store)), (vec![], 1));
    let backup = backups(dir.path());
    let copy = rusqlite::Connection::open(dir.path().join(&backup[0])).unwrap();
    let version: u32 = copy.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!((backup.len(), version), (1, 2));
}

/// Two at one attempt, turn by turn and at once, 400 changes: each change is stored once, and both report the other.
#[test]
fn two_at_one_attempt_lose_nothing_and_hear_of_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(dir.path()).unwrap();
    let attempt = begin(&mut store);
    let start = std::sync::Barrier::new(2);
    let work = |half: usize| {
        let mut store = Store::open(dir.path()).unwrap();
        let mut attempt = attempt.clone();
        let mut given = Vec::new();
        start.wait();
        for change in 0..200 {
            let slot = format!("s{}", 1 + (change + half * 4) % 8);
            let answer = if change % 2 == half { "right" } else { "slip" };
            loop {
                match store.answer(&mut attempt, &slot, Answer::Single(answer.into())) {
                    Ok(()) => break,
                    Err(error) => assert!(matches!(error, AttemptError::Store(StoreError::Busy { .. })), "{error}"),
                }
            }
            given.push((slot, answer));
            if change == 0 {
                // Each has written before the other writes again, so both find the other at work.
                start.wait();
            }
        }
        let told = notices(&mut store);
        assert!(matches!(&told[..], [Notice::Shared { .. }]), "{told:?}");
        given
    };
    let work = &work;
    let given: Vec<_> = std::thread::scope(|scope| {
        let threads = [0, 1].map(|half| scope.spawn(move || work(half)));
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let raw = raw(dir.path());
    let texts = |query: &str| -> Vec<String> { column(&raw, query) };
    assert_eq!(texts("PRAGMA integrity_check"), ["ok"]);
    let slots = texts("SELECT slot FROM answers ORDER BY id");
    let kept: Vec<(String, String)> = slots.into_iter().zip(texts("SELECT answer FROM answers ORDER BY id")).collect();
    assert_eq!(kept.len(), 400);
    // Each one's answers are there in the order given: a subsequence of all.
    for mine in &given {
        let mut rest = kept.iter();
        for (slot, answer) in mine {
            assert!(rest.any(|(at, kept)| at == slot && kept.contains(answer)), "{slot} {answer} is missing");
        }
    }
    // What counts is the last answer to each question, as the file has it.
    let last =
        |slot: &str| kept.iter().rev().find(|(at, _)| at == slot).is_some_and(|(_, answer)| answer.contains("right"));
    let right = (1..=8).filter(|slot| last(&format!("s{slot}"))).count();
    let outcome = store.submit(&outline(), &quiz(), attempt.id).unwrap();
    assert_eq!(outcome.correct as usize, right);
}
