//! A class's submissions: right, wrong, not PTX, without an end, from a worker that hangs.

use super::{Called, tutor, tutor_in};
use std::fs;

const SOLUTION: &str = include_str!("../../kernels/exercises/fma-loop/solution.ptx");

/// A folder with one file for each student.
fn class() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let last_return = SOLUTION.rfind("ret;").unwrap();
    let endless = format!("{}forever: bra forever;\n{}", &SOLUTION[..last_return], &SOLUTION[last_return..]);
    let wrong = SOLUTION.replacen("fma.rn.f32", "fma.rz.f32", 1).replacen("setp.lt", "setp.le", 1);
    for (student, text) in [("ada", SOLUTION), ("ben", "this is no PTX"), ("cleo", &endless), ("dan", &wrong)] {
        fs::create_dir(folder.path().join(student)).unwrap();
        fs::write(folder.path().join(student).join("fma-loop.ptx"), text).unwrap();
        fs::write(folder.path().join(student).join("notes.txt"), "none of its files").unwrap();
    }
    folder
}

fn grade(folder: &tempfile::TempDir, options: &[&str]) -> Called {
    let path = folder.path().to_str().unwrap();
    tutor(&[&["grade", "fma-loop", path, "--on", "emulator"], options].concat())
}

#[test]
fn each_submission_costs_only_itself() {
    let folder = class();
    let called = grade(&folder, &["--format", "json", "--jobs", "2", "--seed", "7"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let document = called.json();
    assert_eq!((&document["exercise"], &document["seed"]), (&"fma-loop".into(), &7.into()));
    let rows = document["submissions"].as_array().unwrap();
    let of = |row: &serde_json::Value| {
        let file = row["file"].as_str().unwrap();
        let student = file.rsplit('/').nth(1).unwrap().to_owned();
        (student, row["failed"].as_str().map(str::to_owned), row["score"].as_u64().unwrap())
    };
    let found: Vec<_> = rows.iter().map(of).collect();
    let failed = |name: &str, failed: Option<&str>, score| (name.to_owned(), failed.map(str::to_owned), score);
    assert_eq!(found[..3], [failed("ada", None, 5), failed("ben", Some("compiles"), 0), failed("cleo", Some("runs"), 1)]);
    assert!(found[3].1.is_some(), "{:#}", rows[3]);
    assert!(rows.iter().all(|row| row["of"] == 5 && row["seconds"].as_f64().unwrap() > 0.0));
}

#[test]
fn other_programs_read_it() {
    let folder = class();
    let csv = grade(&folder, &["--format", "csv"]).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "file,passed,failed,score,of,seconds,megabytes,line,message");
    assert!(lines.len() == 5 && lines[1].contains("ada/fma-loop.ptx,true,,5,5,"), "{csv}");

    let xml = grade(&folder, &["--format", "junit"]).out;
    assert!(xml.contains("tests=\"4\" failures=\"3\" errors=\"0\""), "{xml}");
    assert_eq!((xml.matches("<testcase ").count(), xml.matches("<failure ").count()), (4, 3), "{xml}");

    let path = folder.path().join("cleo/fma-loop.ptx");
    let one = |format: &str| tutor(&["grade", "fma-loop", path.to_str().unwrap(), "--format", format, "--on", "emulator"]);
    let results = one("gradescope").json();
    let tests = results["tests"].as_array().unwrap();
    let points: Vec<u64> = tests.iter().map(|test| test["score"].as_u64().unwrap()).collect();
    assert_eq!((points, &tests[1]["status"]), (vec![1, 0, 0, 0, 0], &"failed".into()), "{results:#}");
    assert!(!tests[1]["output"].as_str().unwrap().is_empty() && results["execution_time"].as_f64().is_some());
    let autolab = one("autolab").out;
    let scores: serde_json::Value = serde_json::from_str(autolab.lines().last().unwrap()).unwrap();
    assert_eq!((&scores["scores"]["compiles"], &scores["scores"]["runs"]), (&1.into(), &0.into()));

    let both = grade(&folder, &["--format", "gradescope"]);
    assert!(both.code == Some(2) && both.err.contains("one submission"), "{}", both.err);
}

#[cfg(unix)]
#[test]
fn what_hangs_is_stopped_and_the_others_are_judged() {
    let folder = class();
    let path = folder.path().join("ada/fma-loop.ptx");
    let arguments = ["grade", "fma-loop", path.to_str().unwrap(), "--format", "json", "--seconds", "1"];
    let called = tutor_in(&arguments, &[("MATMUL_TUTOR_WORKER", "sleep 600")]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    assert_eq!(called.json()["submissions"][0]["failed"], "time", "{}", called.out);
}

#[test]
fn a_class_without_submissions_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let called = grade(&folder, &[]);
    assert!(called.code == Some(2) && called.err.contains(".ptx"), "{}", called.err);
    let called = tutor(&["grade", "fma-loop", "/nonexistent"]);
    assert_eq!(called.code, Some(2), "{}", called.err);
}
