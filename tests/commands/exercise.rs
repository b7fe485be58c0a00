//! The workshop on the command line: begin, hand in, read the verdict, ask for a hint, see the solution.

use super::{Called, tutor_in};
use std::fs;
use std::path::Path;

/// A student with a folder and progress of their own.
struct Student {
    home: tempfile::TempDir,
}

impl Student {
    fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    fn says(&self, arguments: &[&str]) -> Called {
        tutor_in(arguments, &[("XDG_DATA_HOME", self.home.path().join("data").to_str().unwrap())])
    }

    /// Makes the folder of an exercise, and gives the path of what is handed in.
    fn starts(&self, id: &str, file: &str) -> String {
        let dir = self.home.path().join(id);
        let called = self.says(&["exercise", "start", id, "--dir", dir.to_str().unwrap()]);
        assert_eq!(called.code, Some(0), "{}{}", called.out, called.err);
        assert!(called.out.contains(&format!("matmul-tutor exercise check {id}")), "{}", called.out);
        let path = dir.join(file);
        assert!(path.is_file() && dir.join("README.md").is_file());
        path.to_str().unwrap().to_owned()
    }

    fn hands_in(&self, id: &str, path: &str, text: &str) -> (Option<i32>, serde_json::Value) {
        fs::write(path, text).unwrap();
        let called = self.says(&["exercise", "check", id, path, "--json", "--on", "emulator"]);
        (called.code, called.json())
    }

    fn row(&self, id: &str) -> serde_json::Value {
        let listing = self.says(&["exercise", "list", "--json"]).json();
        let rows = listing["exercises"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["id"] == id).unwrap()
    }
}

#[test]
fn every_level_has_work_for_those_who_have_no_compiler() {
    let listing = Student::new().says(&["exercise", "list", "--json"]).json();
    let rows = listing["exercises"].as_array().unwrap();
    let of = |kind: &str| rows.iter().filter(|row| row["kind"] == kind).count();
    assert!(
        of("repair") >= 16 && of("fill") >= 12 && of("write") >= 14,
        "{} {} {}",
        of("repair"),
        of("fill"),
        of("write")
    );
    for level in 1..=7 {
        let listing = Student::new().says(&["exercise", "list", &level.to_string(), "--json"]).json();
        let rows = listing["exercises"].as_array().unwrap();
        let free = rows.iter().filter(|row| row["needs"].as_array().unwrap().is_empty()).count();
        assert!(free >= 2 && rows.iter().filter(|row| row["kind"] == "write").count() >= 2, "level {level}: {rows:?}");
    }
}

#[test]
fn a_repair_is_right_in_line_and_cure() {
    let student = Student::new();
    let id = "monday-tuesday";
    let form = student.starts(id, "answer.yaml");
    let broken = fs::read_to_string(Path::new(&form).with_file_name("monday-tuesday.cu")).unwrap();
    let line = 1 + broken.lines().position(|line| line.contains("sum += A_tile")).unwrap();

    let (code, verdict) = student.hands_in(id, &form, &format!("line: {line}\ncure: fence\n"));
    assert_eq!((code, &verdict["failed"]), (Some(1), &"hazards".into()), "{verdict:#}");
    let (code, verdict) = student.hands_in(id, &form, "line: 1\ncure: block\n");
    assert_eq!((code, &verdict["failed"]), (Some(1), &"line".into()), "{verdict:#}");
    assert_eq!(student.row(id)["passed"], false);

    let closed = student.says(&["exercise", "solution", id]);
    assert_eq!(closed.code, Some(1), "{}", closed.out);
    for number in 1..=3 {
        let hint = student.says(&["exercise", "hint", id]);
        assert!(hint.out.contains(&format!("Hint {number} of 3")), "{}", hint.out);
    }
    assert!(student.says(&["exercise", "hint", id]).out.contains("All hints are open."));
    let open = student.says(&["exercise", "solution", id]);
    assert!(open.code == Some(0) && open.out.contains("__syncthreads()"), "{}", open.out);

    let (code, verdict) = student.hands_in(id, &form, &format!("line: {line}\ncure: block\n"));
    assert_eq!((code, &verdict["passed"]), (Some(0), &true.into()), "{verdict:#}");
    let row = student.row(id);
    assert_eq!((&row["passed"], &row["tries"], &row["hints"]), (&true.into(), &3.into(), &3.into()));
}

#[test]
fn what_is_no_answer_is_refused_and_is_no_try() {
    let student = Student::new();
    let form = student.starts("monday-tuesday", "answer.yaml");
    for (text, part) in
        [("cure: block\n", "`line`"), ("line: x\ncure: block\n", "number"), ("line: 3\ncure: prayer\n", "prayer")]
    {
        let (code, failure) = student.hands_in("monday-tuesday", &form, text);
        assert_eq!(code, Some(2), "{failure:#}");
        assert!(failure["error"]["message"].as_str().unwrap().contains(part), "{failure:#}");
    }
    assert_eq!(student.row("monday-tuesday")["tries"], 0);
    let again = student.says(&[
        "exercise",
        "start",
        "monday-tuesday",
        "--dir",
        Path::new(&form).parent().unwrap().to_str().unwrap(),
    ]);
    assert_eq!(again.code, Some(2), "what is there stays: {}", again.out);
}

#[test]
fn what_was_put_into_the_holes_is_what_runs() {
    let student = Student::new();
    let form = student.starts("meet-twice", "answer.yaml");
    let text = fs::read_to_string(&form).unwrap();
    let holes: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(':'))
        .map(|(id, _)| id)
        .collect();
    assert!(holes.len() >= 2, "{text}");
    let of = |hole: &str| -> Vec<&str> {
        let (before, _) = text.split_once(&format!("\n{hole}:")).unwrap();
        let asked = before.rsplit("\n\n").next().unwrap();
        let choices = asked.lines().filter_map(|line| line.strip_prefix("#   ")).filter(|line| !line.starts_with(' '));
        choices.filter_map(|line| line.split_once(':')).map(|(id, _)| id).collect()
    };
    let (mut passed, mut failed) = (0, 0);
    for first in of(holes[0]) {
        for second in of(holes[1]) {
            let rest = holes[2..].iter().map(|hole| format!("{hole}: {}\n", of(hole)[0])).collect::<String>();
            let answer = format!("{}: {first}\n{}: {second}\n{rest}", holes[0], holes[1]);
            let (code, verdict) = student.hands_in("meet-twice", &form, &answer);
            match code {
                Some(0) => passed += 1,
                Some(1) => failed += 1,
                _ => panic!("{verdict:#}"),
            }
        }
    }
    assert!(failed > passed, "{passed} {failed}");
}

#[test]
fn ptx_needs_no_compiler() {
    let student = Student::new();
    let path = student.starts("fma-loop", "fma-loop.ptx");
    let starter = fs::read_to_string(&path).unwrap();
    let (code, verdict) = student.hands_in("fma-loop", &path, &starter);
    assert_eq!((code, &verdict["passed"]), (Some(1), &false.into()), "{verdict:#}");
    let (code, verdict) = student.hands_in("fma-loop", &path, "this is no PTX");
    assert_eq!((code, &verdict["failed"]), (Some(1), &"compiles".into()), "{verdict:#}");

    let solution = include_str!("../../kernels/exercises/fma-loop/solution.ptx");
    let (code, verdict) = student.hands_in("fma-loop", &path, solution);
    assert_eq!((code, &verdict["passed"]), (Some(0), &true.into()), "{verdict:#}");

    let dir = Path::new(&path).parent().unwrap().to_str().unwrap();
    let reset = student.says(&["exercise", "reset", "fma-loop", "--dir", dir]);
    assert_eq!(reset.code, Some(0), "{}", reset.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), starter);
    let kept = fs::read_dir(dir)
        .unwrap()
        .filter(|entry| fs::read_to_string(entry.as_ref().unwrap().path()).unwrap() == solution);
    assert_eq!(kept.count(), 1, "what was there is kept");
}
