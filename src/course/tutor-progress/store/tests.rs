use super::*;
use tutor_exec::run_record::RunRecord;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn pages_read(store: &Store) -> usize {
    store.record("course").unwrap().read.values().map(std::collections::BTreeSet::len).sum()
}

#[test]
fn a_file_of_the_first_schema_version_is_brought_up_to_date_and_keeps_its_rows() {
    let dir = directory();
    let mut old = Connection::open(dir.path().join("progress.sqlite3")).unwrap();
    schema::migrate(&mut old, 1).unwrap();
    old.execute_batch(
        "INSERT INTO attempts VALUES (1, 'course', 'one', 'gate', 7, '2026-11-01T10:00:00Z');
         INSERT INTO submissions VALUES (1, '2026-11-01T10:10:00Z', 7, 8, 7);",
    )
    .unwrap();
    assert!(old.execute("INSERT INTO visits VALUES (1, 'course', 'one', 'p', 'read', '')", []).is_err());
    drop(old);

    let mut store = Store::open(dir.path()).unwrap();
    assert_eq!(schema::version(&store.connection).unwrap(), schema::VERSION);
    assert_eq!(store.record("course").unwrap().submissions[0].correct, 7);
    store.page_read("course", "one", "p").unwrap();
    assert_eq!(pages_read(&store), 1);
}

#[test]
fn what_a_full_disk_refuses_changes_nothing_and_is_saved_once_there_is_room() {
    let dir = directory();
    let mut store = Store::open(dir.path()).unwrap();
    store.page_read("course", "one", "first").unwrap();
    // SQLite reports a database of maximum size like a full disk.
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    store.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let mut read = 1;
    let page = |read: usize| format!("{read:0>2000}");
    let refused = loop {
        match store.page_read("course", "one", &page(read)) {
            Ok(()) => read += 1,
            Err(refused) => break refused,
        }
        assert!(read < 1000, "the limit has no effect");
    };
    assert!(refused.to_string().contains("the disk is full"), "{refused}");
    assert!(store.page_read("course", "one", &page(read)).is_err());
    assert_eq!((pages_read(&store), store.take_notice()), (read, None));
    store.connection.pragma_update(None, "max_page_count", pages + 100).unwrap();
    store.page_read("course", "one", &page(read)).unwrap();
    assert_eq!(pages_read(&Store::open(dir.path()).unwrap()), read + 1);
}

#[test]
fn the_fastest_verified_timed_run_of_a_kernel_is_its_best() {
    let mut store = Store::in_memory().unwrap();
    let run = |kernel: &str, median_ms, verified| RunRecord {
        kernel: kernel.into(),
        shape: [512, 512, 512],
        device: "NVIDIA H200".into(),
        driver: Some("580".into()),
        median_ms,
        verified,
    };
    for run in [
        run("naive", Some(3.0), Some(true)),
        run("naive", Some(2.0), Some(true)),
        run("naive", Some(1.0), Some(false)),
        run("naive", Some(1.5), None),
        run("tiled", None, Some(true)),
        RunRecord { driver: Some("590".into()), ..run("naive", Some(2.5), Some(true)) },
        RunRecord { shape: [64, 64, 64], ..run("naive", Some(0.1), Some(true)) },
    ] {
        store.ran(&run).unwrap();
    }
    let best = [
        RunRecord { shape: [64, 64, 64], ..run("naive", Some(0.1), Some(true)) },
        run("naive", Some(2.0), Some(true)),
        RunRecord { driver: Some("590".into()), ..run("naive", Some(2.5), Some(true)) },
    ];
    assert_eq!(store.best_runs().unwrap(), best);
}

#[test]
fn the_latest_prediction_is_kept_and_a_skip_is_remembered() {
    let mut store = Store::in_memory().unwrap();
    assert_eq!(store.prediction("course", "one", "p").unwrap(), None);
    for prediction in [Prediction { choice: Some(2), correct: Some(false) }, Prediction { choice: None, correct: None }]
    {
        store.predicted("course", "one", "p", prediction).unwrap();
        assert_eq!(store.prediction("course", "one", "p").unwrap(), Some(prediction));
    }
    assert_eq!(store.prediction("course", "one", "other").unwrap(), None);
}

#[test]
fn a_path_with_signs_that_mean_something_in_a_uri_can_be_salvaged() {
    let dir = directory();
    let odd = dir.path().join("50% of #1?");
    Store::open(&odd).unwrap().page_read("course", "one", "p").unwrap();
    let copy = salvage::of_file(&odd.join("progress.sqlite3")).unwrap().copy;
    let rows: i64 = copy.query_row("SELECT count(*) FROM visits", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1);
}

#[test]
fn what_is_salvaged_of_an_older_file_is_brought_up_to_date_in_memory_alone() {
    let dir = directory();
    let path = dir.path().join("progress.sqlite3");
    let mut old = Connection::open(&path).unwrap();
    schema::migrate(&mut old, 1).unwrap();
    old.execute("INSERT INTO attempts VALUES (5, 'course', 'one', 'gate', 7, '2026-11-01T10:00:00Z')", []).unwrap();
    let mut copy = salvage::of_file(&path).unwrap().copy;
    assert_eq!((schema::version(&copy).unwrap(), schema::version(&old).unwrap()), (schema::VERSION, 1));
    // The copy continues numbering where the file stopped.
    let tx = copy.transaction().unwrap();
    tx.execute("INSERT INTO attempts(course, level, kind, seed, started_at) VALUES ('c', 'l', 'gate', 1, '')", [])
        .unwrap();
    assert_eq!(tx.last_insert_rowid(), 6);
}

#[test]
fn a_drawn_question_that_cannot_be_read_closes_its_attempt_and_no_more() {
    use crate::{Answer, AttemptKind, Begun, Outline, OutlineLevel};
    let quiz: tutor_course::QuizFile = tutor_support::yaml::read_typed(
        "{level: one, slots: [{id: s, objective: o, bloom: apply, page: p, variants: [{id: v, ask: '?', because: '!',
         answer: {text: {accept: [yes it is], why: no}}}]}]}",
    )
    .unwrap();
    let level = OutlineLevel {
        id: "one".into(),
        title: String::new(),
        pages: vec![],
        gated: true,
        questions: 1,
        requires: vec![],
        ..Default::default()
    };
    let gate = tutor_support::yaml::read_typed("percent: 80").unwrap();
    let outline = Outline { course: "course".into(), gate, all_open: false, exam: String::new(), levels: vec![level] };
    let mut store = Store::in_memory().unwrap();
    let mut begin = |damage: &str| {
        store.connection.execute_batch(damage).unwrap();
        store.begin(&outline, &quiz, AttemptKind::Gate, None).unwrap()
    };
    let Begun::New(mut attempt) = begin("") else { panic!("not new") };
    assert!(matches!(begin("UPDATE drawn SET question = 'rubbish'"), Begun::Stale(_)));
    let Begun::New(next) = begin("") else { panic!("not new") };
    assert_ne!(next.id, attempt.id);
    // An unreadable answer is asked for again.
    attempt = next;
    store.answer(&mut attempt, "s", Answer::Text("yes it is".into())).unwrap();
    store.connection.execute_batch("UPDATE answers SET answer = '{\"telepathy\":1}'").unwrap();
    let Begun::Resumed(again) = store.begin(&outline, &quiz, AttemptKind::Gate, None).unwrap() else {
        panic!("not resumed")
    };
    assert_eq!(again.answer_to(&again.questions[0]), None);
}

#[test]
fn a_draft_is_replaced_and_forgotten_and_belongs_to_its_course() {
    let dir = directory();
    let (mut here, mut there) = (Store::open(dir.path()).unwrap(), Store::open(dir.path()).unwrap());
    here.put_draft("course", "predict:one:p", Some("2")).unwrap();
    there.put_draft("course", "predict:one:p", Some("3")).unwrap();
    there.put_draft("other", "predict:one:p", Some("1")).unwrap();
    here.put_draft("course", "predict:one:q", Some("0")).unwrap();
    there.put_draft("course", "predict:one:q", None).unwrap();
    there.put_draft("course", "never", None).unwrap();
    assert_eq!(here.drafts("course").unwrap(), [("predict:one:p".to_owned(), "3".to_owned())].into());
    // The next fact waits for the disk again.
    let synchronous: i64 = here.connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
    assert_eq!(synchronous, 2, "FULL");
}

#[test]
fn a_file_from_before_there_were_drafts_takes_them() {
    let dir = directory();
    let mut old = Connection::open(dir.path().join("progress.sqlite3")).unwrap();
    schema::migrate(&mut old, 2).unwrap();
    old.execute("INSERT INTO visits VALUES (1, 'course', 'one', 'p', 'read', '')", []).unwrap();
    drop(old);
    let mut store = Store::open(dir.path()).unwrap();
    store.put_draft("course", "k", Some("x")).unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!((store.drafts("course").unwrap().len(), pages_read(&store)), (1, 1));
}
