//! Submissions of a class: correct, incorrect, not PTX, endless, and with a worker that hangs.

use super::{Called, tutor, tutor_in};
use std::fs;
use std::path::Path;

const SOLUTION: &str = include_str!("../../kernels/exercises/fma-loop/solution.ptx");

/// A folder with one file per student.
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

/// Grades them, each with an hour's time: how fast the machine is decides nothing.
fn grade(path: &Path, options: &[&str]) -> Called {
    let path = path.to_str().unwrap();
    tutor(&[&["grade", "fma-loop", path, "--on", "emulator", "--seconds", "3600"], options].concat())
}

#[test]
fn each_submission_costs_only_itself() {
    let folder = class();
    let called = grade(folder.path(), &["--format", "json", "--jobs", "2", "--seed", "7"]);
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
    assert_eq!(
        found[..3],
        [failed("ada", None, 5), failed("ben", Some("compiles"), 0), failed("cleo", Some("runs"), 1)]
    );
    assert!(found[3].1.is_some(), "{:#}", rows[3]);
    assert!(rows.iter().all(|row| row["of"] == 5 && row["seconds"].as_f64().unwrap() > 0.0));
}

#[test]
fn other_programs_read_it() {
    let folder = class();
    let csv = grade(folder.path(), &["--format", "csv"]).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "file,passed,failed,score,of,seconds,megabytes,line,message");
    assert!(lines.len() == 5 && lines[1].contains("ada/fma-loop.ptx,true,,5,5,"), "{csv}");

    let xml = grade(folder.path(), &["--format", "junit"]).out;
    assert!(xml.contains("tests=\"4\" failures=\"3\" errors=\"0\""), "{xml}");
    assert_eq!((xml.matches("<testcase ").count(), xml.matches("<failure ").count()), (4, 3), "{xml}");

    let path = folder.path().join("cleo/fma-loop.ptx");
    let one = |format: &str| grade(&path, &["--format", format]);
    let results = one("gradescope").json();
    let tests = results["tests"].as_array().unwrap();
    let points: Vec<u64> = tests.iter().map(|test| test["score"].as_u64().unwrap()).collect();
    assert_eq!((points, &tests[1]["status"]), (vec![1, 0, 0, 0, 0], &"failed".into()), "{results:#}");
    assert!(!tests[1]["output"].as_str().unwrap().is_empty() && results["execution_time"].as_f64().is_some());
    let autolab = one("autolab").out;
    let scores: serde_json::Value = serde_json::from_str(autolab.lines().last().unwrap()).unwrap();
    assert_eq!((&scores["scores"]["compiles"], &scores["scores"]["runs"]), (&1.into(), &0.into()));

    let both = grade(folder.path(), &["--format", "gradescope"]);
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

const TILE: &str = include_str!("../../kernels/exercises/load-a-tile/solution.cu");

#[cfg(unix)]
#[test]
fn a_compilation_that_never_ends_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tile.cu");
    fs::write(&path, TILE).unwrap();
    let arguments = ["grade", "load-a-tile", path.to_str().unwrap(), "--format", "json", "--seconds", "1"];
    let called = tutor_in(&arguments, &[("MATMUL_TUTOR_WORKER", "sleep 600")]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    assert_eq!(called.json()["submissions"][0]["failed"], "time", "{}", called.out);
}

#[cfg(all(target_os = "linux", feature = "cuda"))]
#[test]
fn a_source_reads_no_file_of_the_machine_and_no_variable_of_the_grader() {
    let doctor = tutor(&["doctor", "--json"]).json();
    let mut found = doctor["checks"].as_array().unwrap().iter();
    if !found.all(|check| check["found"] == true || !["NVRTC", "sandbox"].contains(&check["name"].as_str().unwrap())) {
        eprintln!("skipped: no NVRTC or no sandbox here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tile.cu");
    for file in ["/proc/self/environ", "/proc/self/maps", "/usr/include/stdio.h", "/etc/passwd"] {
        fs::write(&path, format!("#include \"{file}\"\n{TILE}")).unwrap();
        let arguments = ["grade", "load-a-tile", path.to_str().unwrap(), "--format", "json", "--on", "emulator"];
        let called = tutor_in(&arguments, &[("COURSE_TOKEN", "abc123secret")]);
        let row = &called.json()["submissions"][0];
        let message = row["message"].as_str().unwrap();
        assert!(row["failed"] == "compiles" && message.contains("cannot open source file"), "{message}");
        assert!(!called.out.contains("COURSE_TOKEN") && !called.out.contains("abc123secret"), "{}", called.out);
    }
}

#[cfg(unix)]
#[test]
fn a_compiler_that_a_text_breaks_is_the_texts_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tile.cu");
    fs::write(&path, TILE).unwrap();
    // Every other worker dies; the one between answers that it is there.
    let worker = format!(
        "sh -c 'cd {0} && if mkdir once; then read line; exit 3; else exec {1} worker; fi'",
        folder.path().display(),
        env!("CARGO_BIN_EXE_matmul-tutor")
    );
    let arguments = ["grade", "load-a-tile", path.to_str().unwrap(), "--format", "json", "--on", "emulator"];
    let called = tutor_in(&arguments, &[("MATMUL_TUTOR_WORKER", &worker)]);
    assert_eq!(called.json()["submissions"][0]["failed"], "compiles", "{}", called.out);
}

#[cfg(unix)]
#[test]
fn a_result_is_printed_as_soon_as_it_is_known_and_outlasts_the_end_of_the_others() {
    use std::io::{BufRead as _, BufReader};
    let folder = class();
    // The first worker works, the second hangs.
    let worker = format!(
        "sh -c 'if mkdir {0}/once 2> /dev/null; then exec {1} worker; else exec sleep 600; fi'",
        folder.path().display(),
        env!("CARGO_BIN_EXE_matmul-tutor")
    );
    for (format, end) in [("human", "1 of 1 passed."), ("csv", "")] {
        let _ = fs::remove_dir(folder.path().join("once"));
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_matmul-tutor"))
            .args(["grade", "fma-loop", folder.path().to_str().unwrap(), "--on", "emulator", "--format", format])
            .env("MATMUL_TUTOR_WORKER", &worker)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let ada = lines.find(|line| line.contains("ada/fma-loop.ptx")).unwrap();
        assert!(ada.contains("passed") || ada.contains(",true,,5,5,"), "{ada}");
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert_eq!(lines.collect::<String>(), end);
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }
}

#[test]
fn what_was_kept_is_not_judged_again_unless_something_has_changed() {
    let folder = class();
    let kept = folder.path().join("kept.jsonl");
    let path = folder.path().to_str().unwrap();
    let run = |more: &[&str], worker: &str| {
        let arguments = [
            &["grade", "fma-loop", path, "--on", "emulator", "--format", "json", "--keep", kept.to_str().unwrap()],
            more,
        ];
        tutor_in(&arguments.concat(), &[("MATMUL_TUTOR_WORKER", worker)])
    };
    let first = run(&[], "");
    assert_eq!(first.code, Some(0), "{}", first.err);
    // With the seed of before, and without any worker.
    let again = run(&[], "false");
    assert_eq!((again.code, again.out == first.out), (Some(0), true), "{}", again.err);
    // The last line was cut off when the machine stopped, and a file has changed.
    let text = fs::read_to_string(&kept).unwrap();
    fs::write(&kept, &text[..text.len() - 20]).unwrap();
    fs::write(folder.path().join("ada/fma-loop.ptx"), format!("{SOLUTION}// new\n")).unwrap();
    let failed = |called: &Called| -> Vec<bool> {
        let rows = called.json()["submissions"].as_array().unwrap().clone();
        rows.iter().map(|row| row["failed"] == "unjudged").collect()
    };
    assert_eq!(failed(&run(&[], "false")), [true, false, false, true]);
    assert_eq!(failed(&run(&["--seed", "1"], "false")), [true; 4]);
    assert_eq!(failed(&run(&[], "")), [false; 4]);
    assert_eq!(failed(&run(&[], "false")), [false; 4]);
}

#[cfg(unix)]
#[test]
fn what_is_anothers_or_no_file_is_refused_and_what_is_one_is_found_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    for name in ["ada/x.ptx", "carl/X.PTX", "a/b/c/d/e/f/g/h/i/x.ptx", "dora/x\ny.ptx"] {
        fs::write(path(name), SOLUTION).unwrap();
    }
    for name in ["ada/._x.ptx", "__MACOSX/ada/x.ptx", ".hidden.ptx", "ada/.git/x.ptx"] {
        fs::write(path(name), SOLUTION).unwrap();
    }
    std::os::unix::fs::symlink("../ada/x.ptx", path("bob/x.ptx")).unwrap();
    std::os::unix::fs::symlink("..", path("dave/up")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("eve/x.ptx")).status().unwrap().success());
    fs::write(path("finn/x.ptx"), SOLUTION.replacen("ret;", "ret;\0", 1)).unwrap();
    let called = grade(folder.path(), &["--format", "json"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let document = called.json();
    let rows = document["submissions"].as_array().unwrap().iter();
    let found: Vec<(String, Option<String>)> = rows
        .map(|row| {
            let name = row["file"].as_str().unwrap().strip_prefix(folder.path().to_str().unwrap()).unwrap();
            (name.to_owned(), row["failed"].as_str().map(str::to_owned))
        })
        .collect();
    let refused = || Some("refused".to_owned());
    let wanted = [
        ("/a/b/c/d/e/f/g/h/i/x.ptx", None),
        ("/ada/x.ptx", None),
        ("/bob/x.ptx", refused()),
        ("/carl/X.PTX", None),
        ("/dave/up", refused()),
        ("/dora/x\ny.ptx", None),
        ("/eve/x.ptx", refused()),
        ("/finn/x.ptx", refused()),
    ];
    assert_eq!(found, wanted.map(|(name, failed)| (name.to_owned(), failed)));
    let human = grade(folder.path(), &[]).out;
    assert_eq!(human.lines().count(), found.len() + 1, "{human}");
}

#[test]
fn a_class_without_submissions_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let called = grade(folder.path(), &[]);
    assert!(called.code == Some(2) && called.err.contains(".ptx"), "{}", called.err);
    let called = tutor(&["grade", "fma-loop", "/nonexistent"]);
    assert_eq!(called.code, Some(2), "{}", called.err);
}
