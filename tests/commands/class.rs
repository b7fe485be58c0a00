//! What a class needs of a course: policies, names that change, corrected keys, one file, other programs, a cluster.

use super::shared::{copy, fixture};
use super::{Called, tutor, tutor_in};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tutor_support::t;

/// A copy of the fixture, and a student's data.
pub(super) struct Class {
    pub(super) dir: tempfile::TempDir,
}

impl Class {
    pub(super) fn new() -> Self {
        let class = Self { dir: tempfile::tempdir().unwrap() };
        copy(&fixture(), &class.course());
        class
    }

    pub(super) fn course(&self) -> PathBuf {
        self.dir.path().join("course")
    }

    pub(super) fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.course().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} does not contain {from:?}");
        fs::write(&path, text.replace(from, to)).unwrap();
    }

    fn call_in(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Called {
        let (course, data) = (self.course(), self.dir.path().join("data"));
        let all = [&["--course", course.to_str().unwrap(), "--data", data.to_str().unwrap()], arguments].concat();
        tutor_in(&all, environment)
    }

    pub(super) fn call(&self, arguments: &[&str]) -> Called {
        self.call_in(arguments, &[])
    }

    /// Takes the first level's quiz with correct answers, except for these.
    fn take(&self, others: &Value, more: &[&str]) -> Called {
        let shown = self.call(&["quiz", "1", "--show", "--seed", "5", "--json"]).json();
        let numeric = &shown["questions"][2]["parameters"];
        let warps = numeric["x"].as_f64().unwrap() * numeric["y"].as_f64().unwrap() / 32.0;
        let mut answers = json!({
            "single": "right", "multiple": ["broadcast", "row"], "numeric": warps, "text": "lane", "cloze": ["32", "32"],
            "order": ["load", "wait", "multiply", "free"],
        });
        for (slot, answer) in others.as_object().unwrap() {
            answers[slot] = answer.clone();
        }
        let file = self.dir.path().join("answers.yaml");
        fs::write(&file, answers.to_string()).unwrap();
        self.call(&[&["quiz", "1", "--seed", "5", "--json", "--answers", file.to_str().unwrap()], more].concat())
    }

    fn first_level(&self) -> Value {
        self.call(&["status", "--json"]).json()["levels"][0].clone()
    }
}

fn wrong() -> Value {
    json!({ "text": "warp", "order": ["wait", "load", "multiply", "free"] })
}

#[test]
fn a_level_has_a_gate_of_its_own_and_the_dates_of_an_earlier_course_change_nothing() {
    let class = Class::new();
    let level = "quiz: first.yaml\n";
    class.edit(
        "modules/course.yaml",
        level,
        "quiz: first.yaml\n    gate: { percent: 50, attempts: 2 }\n    opens: Monday\n    due: 2026-12-01\n",
    );
    let stands = class.first_level();
    assert_eq!((&stands["required"], &stands["most_attempts"]), (&3.into(), &2.into()));
    let told = class.call(&["status"]).out;
    assert!(told.contains(&t!("gate-attempts", made = 0, most = 2)), "{told}");
    let fail = json!({ "single": "block", "multiple": ["column"], "text": "x", "cloze": ["1", "1"], "order": ["free", "load", "wait", "multiply"] });
    for _ in 0..2 {
        assert_eq!(class.take(&fail, &[]).code, Some(1));
    }
    let third = class.take(&json!({}), &[]);
    assert!(third.code == Some(2) && third.err.contains("all 2 attempts that this quiz allows"), "{}", third.err);
    assert_eq!(class.take(&json!({}), &["--practice"]).code, Some(0));
    // Another level has the course's gate.
    assert_eq!(class.call(&["status", "--json"]).json()["levels"][1]["most_attempts"], Value::Null);
}

#[test]
fn the_next_attempt_waits_as_long_as_its_author_wants() {
    let class = Class::new();
    class.edit("modules/course.yaml", "quiz: first.yaml\n", "quiz: first.yaml\n    gate: { percent: 80, wait: 1d }\n");
    assert_eq!(class.take(&wrong(), &[]).code, Some(1));
    let second = class.take(&json!({}), &[]);
    assert!(
        second.code == Some(2) && second.err.contains("The next attempt at this quiz may begin at 2"),
        "{}",
        second.err
    );
    let until = class.first_level()["wait_until"].as_str().unwrap().to_owned();
    assert!(until.starts_with('2'), "{until}");
    class.edit("modules/course.yaml", "wait: 1d", "wait: 0m");
    assert_eq!(class.take(&json!({}), &[]).code, Some(0));
    // Who has passed waits for nothing.
    class.edit("modules/course.yaml", "wait: 0m", "wait: 1d");
    assert_eq!(class.first_level()["wait_until"], Value::Null);
}

#[test]
fn a_corrected_key_counts_for_attempts_of_before_and_takes_nothing_away() {
    let class = Class::new();
    assert_eq!(class.take(&wrong(), &[]).code, Some(1));
    assert_eq!(class.first_level()["passed"], false);
    let nothing = class.call(&["class", "results", "--regrade", "--format", "json"]).json();
    assert_eq!(nothing["attempts"], json!([]));
    class.edit("quizzes/first.yaml", "accept: [lane]", "accept: [lane, warp]");
    let would = class.call(&["class", "results", "--regrade", "--dry-run", "--format", "json"]).json();
    let attempt = &would["attempts"][0];
    assert_eq!((&attempt["counts"], &attempt["correct"]), (&json!([["text", "only"]]), &json!([4, 5])));
    assert_eq!((&attempt["passed"], &would["applied"]), (&json!([false, true]), &false.into()));
    assert_eq!(class.first_level()["passed"], false);
    let told = class.call(&["class", "results", "--regrade"]);
    assert!(told.out.contains("4 correct before, 5 now") && told.out.contains(&t!("regrade-passed")), "{}", told.out);
    let stands = class.first_level();
    assert_eq!((&stands["passed"], &stands["best"]["correct"]), (&true.into(), &5.into()));
    // A stricter key would make it wrong, but the student has seen it graded as correct.
    class.edit("quizzes/first.yaml", "accept: [lane, warp]", "accept: [lane]");
    let kept = class.call(&["class", "results", "--regrade", "--format", "json"]).json();
    assert_eq!(
        (&kept["attempts"][0]["kept"], &kept["attempts"][0]["correct"]),
        (&json!([["text", "only"]]), &json!([5, 5]))
    );
    assert_eq!(class.first_level()["passed"], true);
}

#[test]
fn what_has_another_name_now_keeps_its_progress() {
    let class = Class::new();
    assert_eq!(class.take(&json!({}), &[]).code, Some(0));
    class.edit("modules/course.yaml", "id: fixture\n", "id: renamed\nwas: [fixture]\n");
    class.edit("modules/course.yaml", "  - id: first\n", "  - id: begin\n    was: [first]\n");
    for file in ["modules/first.yaml", "quizzes/first.yaml"] {
        class.edit(file, "level: first", "level: begin");
    }
    class.edit("quizzes/first.yaml", "  - id: single\n", "  - id: warp-size\n    was: [single]\n");
    let stands = class.first_level();
    assert_eq!((&stands["id"], &stands["passed"], &stands["attempts"]), (&"begin".into(), &true.into(), &1.into()));
    let work = class.call(&["export-progress", "-"]).json();
    assert_eq!((&work["course"], &work["attempts"][0]["level"]), (&"renamed".into(), &"begin".into()));
    assert_eq!(work["attempts"][0]["items"][0]["slot"], "warp-size");
    assert_eq!(work["attempts"][0]["items"][0]["choices"].as_array().unwrap().len(), 3);
    // Nothing is regraded, so the drawn question is found under its new name.
    assert_eq!(class.call(&["class", "results", "--regrade", "--format", "json"]).json()["attempts"], json!([]));
}

#[test]
fn an_exercise_that_has_another_name_now_keeps_what_was_done_in_it() {
    let place = tempfile::tempdir().unwrap();
    let (course, data, old) = (place.path().join("course"), place.path().join("data"), place.path().join("old"));
    let made =
        |more: &[&str]| assert_eq!(tutor(&[&["course", "new", course.to_str().unwrap()], more].concat()).code, Some(0));
    made(&["--minimal", "--id", "tiles"]);
    made(&["--exercise", "first-name"]);
    let call = |arguments: &[&str]| {
        let all = [&["--course", course.to_str().unwrap(), "--data", data.to_str().unwrap()], arguments].concat();
        tutor_in(&all, &[])
    };
    assert_eq!(call(&["exercise", "hint", "first-name"]).code, Some(0));
    let hints = || call(&["exercise", "list", "--json"]).json()["exercises"][0]["hints"].clone();
    assert_eq!(hints(), 1);
    copy(&course, &old);
    let moved = |folder: &str, end: &str| {
        let path = |name: &str| course.join(folder).join(format!("{name}{end}"));
        fs::rename(path("first-name"), path("second-name")).unwrap();
    };
    moved("kernels/exercises", "");
    moved("assets/ptx/exercises", ".lzma");
    let since =
        || vanished(&call(&["course", "check", course.to_str().unwrap(), "--json", "--since", old.to_str().unwrap()]));
    assert_eq!(since(), ["first-name"]);
    let file = course.join("kernels/exercises/second-name/exercise.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("level: first\n", "level: first\nwas: [first-name]\n", 1)).unwrap();
    assert_eq!((since(), hints()), (Vec::new(), json!(1)));
    // A field that only another kind of exercise uses is an error at its place.
    fs::write(&file, text.clone() + "holes: []\n").unwrap();
    let report = call(&["course", "check", course.to_str().unwrap(), "--json"]).json();
    let problem = report["problems"].as_array().unwrap().iter().find(|problem| problem["code"] == "exercise").unwrap();
    assert!(
        problem["message"].as_str().unwrap().starts_with("`holes` belongs to an exercise to fill in."),
        "{problem}"
    );
    assert_eq!((&problem["line"], &problem["column"]), (&json!(text.lines().count() + 1), &json!(1)));
}

fn vanished(called: &Called) -> Vec<String> {
    let document = called.json();
    let problems = document["problems"].as_array().unwrap().iter().filter(|problem| problem["code"] == "id-vanished");
    problems.map(|problem| problem["message"].as_str().unwrap().split('`').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn ids_that_vanished_are_told_unless_they_have_a_new_name() {
    let class = Class::new();
    let old = class.dir.path().join("old");
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        let name = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
        assert!(command.args(name).args(arguments).current_dir(class.course()).output().unwrap().status.success());
    };
    git(&["init"]);
    git(&["add", "."]);
    git(&["commit", "-m", "first"]);
    for folder in ["modules", "quizzes"] {
        copy(&class.course().join(folder), &old.join(folder));
    }
    let course = class.course();
    let since = |before: &str| class.call(&["course", "check", course.to_str().unwrap(), "--json", "--since", before]);
    assert_eq!(vanished(&since(old.to_str().unwrap())), [""; 0]);
    class.edit("modules/first.yaml", "  - id: library\n", "  - id: shelves\n");
    class.edit("quizzes/first.yaml", "  - id: cloze\n", "  - id: blanks\n");
    for before in [old.to_str().unwrap(), "HEAD"] {
        assert_eq!(vanished(&since(before)), ["first/library", "first/cloze"], "{before}");
    }
    class.edit("modules/first.yaml", "  - id: shelves\n", "  - id: shelves\n    was: [library]\n");
    class.edit("quizzes/first.yaml", "  - id: blanks\n", "  - id: blanks\n    was: [cloze]\n");
    assert_eq!(vanished(&since("HEAD")), [""; 0]);
    let nowhere = since("no-such-revision");
    assert!(nowhere.code == Some(2) && nowhere.err.contains("no-such-revision"), "{}", nowhere.err);
}

#[test]
fn one_file_is_the_course_and_the_environment_names_it() {
    let class = Class::new();
    let refused = class.call(&["course", "pack", class.course().to_str().unwrap(), "--json"]);
    assert_eq!((refused.code, &refused.json()["error"]["kind"]), (Some(1), &"failed".into()), "the fixture has errors");
    fs::remove_dir_all(class.course()).unwrap();
    let made = tutor(&["course", "new", class.course().to_str().unwrap(), "--minimal", "--id", "fixture"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    class.edit("modules/course.yaml", "id: fixture\n", "id: fixture\nversion: \"2026.1\"\n");
    let file = class.dir.path().join("class.course");
    let packed = class
        .call(&["course", "pack", class.course().to_str().unwrap(), "--out", file.to_str().unwrap(), "--json"])
        .json();
    assert_eq!((&packed["id"], &packed["version"], &packed["files"]), (&"fixture".into(), &"2026.1".into(), &6.into()));
    assert_eq!(packed["sha256"].as_str().unwrap().len(), 64);
    // It takes the place of an older one, and of nothing else.
    let own = class.course().join("modules/course.yaml");
    for (out, code) in [(&file, 0), (&own, 2)] {
        let again = class.call(&["course", "pack", class.course().to_str().unwrap(), "--out", out.to_str().unwrap()]);
        assert_eq!(again.code, Some(code), "{}", again.err);
    }
    assert!(fs::read_to_string(own).unwrap().contains("id: fixture"));
    let data = class.dir.path().join("elsewhere");
    let environment = [("MATMUL_TUTOR_COURSE", file.to_str().unwrap()), ("MATMUL_TUTOR_DATA", data.to_str().unwrap())];
    let status = tutor_in(&["status", "--json"], &environment);
    assert_eq!(status.code, Some(0), "{}", status.err);
    assert_eq!(status.json()["course"], "fixture");
    assert!(data.join("courses").join(packed["sha256"].as_str().unwrap()).join("modules/course.yaml").is_file());
    let work = tutor_in(&["export-progress", "-"], &environment).json();
    assert_eq!((&work["course_version"], &work["program"]), (&"2026.1".into(), &env!("CARGO_PKG_VERSION").into()));
    fs::write(&file, "id: fixture").unwrap();
    let refused = tutor_in(&["status", "--json"], &environment);
    assert!(refused.code == Some(2) && refused.err.contains("cannot be used as a course"), "{}", refused.err);
}

#[test]
fn the_work_log_says_what_was_done() {
    let class = Class::new();
    let taken = class.take(&wrong(), &["--student", "ada"]).json();
    assert_eq!((&taken["course"], &taken["student"], &taken["seed"]), (&"fixture".into(), &"ada".into(), &5.into()));
    assert_eq!(
        (&taken["items"][3]["answer"], &taken["items"][0]["choices"].as_array().unwrap().len()),
        (&json!({ "text": "warp" }), &3)
    );
    assert_eq!(taken["items"][2]["parameters"].as_object().unwrap().len(), 2);
    let log = class.call(&["--student", "ada", "export-progress", "-", "--log"]).out;
    assert!(log.starts_with("# How fast is a matrix product?\n\nada, "), "{log}");
    assert!(log.contains("- quiz, 2") && log.contains(": 4 of 6 correct (drawn with seed 5)"), "{log}");
    assert!(log.contains("## Exercises") && log.contains("## Runs"), "{log}");
}

#[test]
fn what_a_format_cannot_say_is_listed() {
    let class = Class::new();
    let gift = class.call(&["quiz", "1", "--export", "gift"]);
    assert_eq!(gift.code, Some(0), "{}", gift.err);
    assert!(gift.out.contains("::single/only::[markdown]How many threads has a warp?{"), "{}", gift.out);
    assert!(gift.err.contains("cloze/only: left out, as GIFT has no blanks in code"), "{}", gift.err);
    assert!(!gift.out.contains("___1___"), "{}", gift.out);
    let qti = class.call(&["quiz", "1", "--export", "qti"]);
    assert!(qti.code == Some(2) && qti.err.contains("--out"), "{}", qti.err);
    let folder = class.dir.path().join("qti");
    assert_eq!(class.call(&["quiz", "1", "--export", "qti", "--out", folder.to_str().unwrap()]).code, Some(0));
    assert!(folder.join("imsmanifest.xml").is_file() && folder.join("first-single-only.xml").is_file());
    assert_eq!(class.call(&["quiz", "nobody", "--export", "gift"]).code, Some(2));
}

#[test]
fn several_calls_share_a_class_and_the_last_one_judges_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let solution = include_str!("../../kernels/exercises/fma-loop/solution.ptx");
    for (student, text) in [("ada", solution), ("ben", solution), ("cleo", "no PTX")] {
        fs::create_dir_all(dir.path().join("class").join(student)).unwrap();
        fs::write(dir.path().join("class").join(student).join("fma-loop.ptx"), text).unwrap();
    }
    let grade = |more: &[&str]| {
        let class = path("class");
        let all = ["--on", "emulator", "class", "grade", "fma-loop", &class, "--seconds", "3600", "--format", "json"];
        let called = tutor(&[&all, more].concat());
        assert_eq!(called.code, Some(0), "{}", called.err);
        called
    };
    let rows = |called: &Called| {
        let rows = called.json()["submissions"].as_array().unwrap().clone();
        rows.iter().map(|row| (row["student"].clone(), row["failed"].clone())).collect::<Vec<_>>()
    };
    let first = grade(&["--seed", "7", "--part", "1/2", "--keep", &path("1.jsonl")]);
    assert_eq!(rows(&first), [("ada".into(), Value::Null), ("cleo".into(), "compiles".into())]);
    let second = grade(&["--seed", "7", "--part", "2/2", "--keep", &path("2.jsonl")]);
    assert_eq!(rows(&second), [("ben".into(), Value::Null)]);
    // A line that is not text costs only its own result.
    let joined = [fs::read(path("1.jsonl")).unwrap(), b"\xff\0\n".to_vec(), fs::read(path("2.jsonl")).unwrap()];
    fs::write(path("all.jsonl"), joined.concat()).unwrap();
    for (file, kept) in [("all.jsonl", "3 of 3"), ("1.jsonl", "2 of 3")] {
        let all = grade(&["--keep", &path(file)]);
        assert!(all.err.contains(&format!("{kept} results come from")), "{}", all.err);
        assert_eq!(all.json()["seed"], 7);
        assert_eq!(rows(&all)[1..], [("ben".into(), Value::Null), ("cleo".into(), "compiles".into())]);
    }
    let refused = tutor(&["class", "grade", "fma-loop", &path("class"), "--seed", "7", "--part", "3/2"]);
    assert!(refused.code == Some(2) && refused.err.contains("`3/10`"), "{}", refused.err);
}
