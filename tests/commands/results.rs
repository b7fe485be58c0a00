//! Students submit their results, and the instructor reads them.

use super::{tutor, tutor_in};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A student's file: one attempt at the first gate, eight questions with choices `a` (the key) to `c`.
fn handed_in(folder: &Path, student: &str, right: &[bool], level: &str, course: &str) {
    let items: Vec<Value> = right.iter().enumerate().map(|(at, right)| json!({
        "slot": format!("s{at}"), "variant": "v", "correct": right, "choices": ["a", "b", "c"],
        "answer": { "single": if *right { "a" } else { "b" } }, "why": if *right { Value::Null } else { json!("A reply, with a comma.") },
        "seconds": 10.0 + at as f64,
    })).collect();
    let correct = right.iter().filter(|right| **right).count();
    let attempt = json!({
        "level": level, "kind": "gate", "seed": 1, "started_at": "2026-11-01T10:00:00Z", "submitted_at": "2026-11-01T10:08:00Z",
        "correct": correct, "questions": right.len(), "required": 7, "items": items,
    });
    let work = json!({
        "version": 1, "course": course, "student": student, "exported_at": "2026-11-02T00:00:00Z", "attempts": [attempt],
        "pages": { level: 5 }, "predictions": { level: [3, 2] },
        "exercises": { "monday-tuesday": { "tries": 2, "passed": true, "starred": false, "hints": 1 } },
    });
    fs::write(folder.join(format!("{}.json", student.replace(['=', '('], "_"))), work.to_string()).unwrap();
}

#[test]
fn a_gradebook_and_questions_from_what_was_handed_in() {
    let home = tempfile::tempdir().unwrap();
    let own =
        tutor_in(&["export-progress", "-", "--student", "ada"], &[("XDG_DATA_HOME", home.path().to_str().unwrap())])
            .json();
    assert_eq!(
        (&own["version"], &own["student"], own["attempts"].as_array().unwrap().len()),
        (&1.into(), &"ada".into(), 0)
    );
    let course = own["course"].as_str().unwrap();

    let folder = tempfile::tempdir().unwrap();
    let known = tutor_in(&["status", "--json"], &[("XDG_DATA_HOME", home.path().to_str().unwrap())]).json();
    let level = known["levels"][0]["id"].as_str().unwrap().to_owned();
    handed_in(folder.path(), "ada", &[true; 8], &level, course);
    handed_in(folder.path(), "ben", &[true, false, true, false, true, false, true, false], &level, course);
    handed_in(folder.path(), "=cmd(1)", &[false; 8], &level, course);
    handed_in(folder.path(), "dora", &[true; 8], &level, "another-course");
    fs::write(folder.path().join("broken.json"), "{").unwrap();
    fs::write(folder.path().join("junk.sqlite3"), "no database").unwrap();
    let path = folder.path().to_str().unwrap();

    let called = tutor(&["class", "results", path, "--format", "json"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    for part in ["broken.json was left out", "junk.sqlite3 was left out", "1 file is of another course"] {
        assert!(called.err.contains(part), "{part}: {}", called.err);
    }
    let document = called.json();
    assert_eq!(document["students"], 3);
    let questions = document["questions"].as_array().unwrap();
    let shares: Vec<f64> = questions.iter().map(|question| question["facility"].as_f64().unwrap()).collect();
    assert_eq!(shares.len(), 8);
    assert!((shares[0] - 2.0 / 3.0).abs() < 1e-12 && (shares[1] - 1.0 / 3.0).abs() < 1e-12, "{shares:?}");
    assert_eq!((&questions[0]["item_rest"], &questions[0]["median_seconds"]), (&Value::Null, &10.0.into()));
    assert_eq!(questions[1]["misconceptions"], json!([["A reply, with a comma.", 2]]));
    let row = |name: &str| document["gradebook"].as_array().unwrap().iter().find(|row| row["student"] == name).unwrap();
    assert_eq!(
        (&row("ada")["levels"][0]["best"], &row("ben")["levels"][0]["first_pass"]),
        (&json!([8, 8]), &Value::Null)
    );

    let csv = tutor(&["class", "results", path, "--format", "csv"]).out;
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("ada,8,8,1,2026-11-01T10:08:00Z,5,")), "{csv}");
    assert!(csv.contains("\n'=cmd(1),0,8,1,,5,"), "no spreadsheet runs a student's name: {csv}");

    let table = tutor(&["class", "results", path]).out;
    assert!(
        table.contains("| ada | **8/8** (1)") && table.contains("| ben | 4/8 (1)") && table.contains("12 ×"),
        "{table}"
    );
}

#[test]
fn a_progress_file_is_read_as_it_is_and_what_is_there_is_not_overwritten() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("zoe");
    let data = data.to_str().unwrap();
    let form = home.path().join("answer.yaml");
    fs::write(&form, "line: 1\ncure: fence\n").unwrap();
    let tried =
        tutor(&["exercise", "check", "monday-tuesday", form.to_str().unwrap(), "--data", data, "--on", "emulator"]);
    assert_eq!(tried.code, Some(1), "{}", tried.err);
    let file = Path::new(data).join("progress.sqlite3");
    let before = fs::read(&file).unwrap();
    let document = tutor(&["class", "results", file.to_str().unwrap(), "--format", "json"]).json();
    assert_eq!(
        (&document["gradebook"][0]["student"], &document["gradebook"][0]["exercises"]),
        (&"zoe".into(), &json!([0, 0, 1]))
    );
    assert_eq!(fs::read(&file).unwrap(), before);

    let out = home.path().join("work.json");
    let out = out.to_str().unwrap();
    let written = tutor(&["export-progress", out, "--data", data]);
    assert!(written.code == Some(0) && written.err.contains("MATMUL_TUTOR_STUDENT"), "{}{}", written.out, written.err);
    assert_eq!(tutor(&["export-progress", out, "--data", data]).code, Some(2));
    let document = tutor(&["class", "results", out, "--format", "json"]).json();
    assert_eq!(document["gradebook"][0]["exercises"], json!([0, 0, 1]));
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_of_its_own_is_left_out_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.json", "b.sqlite3"] {
        assert!(std::process::Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap().success());
    }
    for name in ["c.json", "d.sqlite3"] {
        std::os::unix::fs::symlink("/dev/zero", folder.path().join(name)).unwrap();
    }
    let called = tutor(&["class", "results", folder.path().to_str().unwrap()]);
    assert_eq!((called.code, called.err.matches("was left out").count()), (Some(2), 4), "{}", called.err);
}
