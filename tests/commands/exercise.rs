//! The workshop on the command line: begin, hand in, read the verdict, ask for a hint, see the solution.

use super::{Called, tutor_in};
use std::fs;
use std::path::Path;
use tutor_support::t;

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
    let mut levels: Vec<&serde_json::Value> = rows.iter().map(|row| &row["level"]).collect();
    levels.dedup();
    assert!(levels.len() >= 7, "{levels:?}");
    for level in levels.into_iter().take(7) {
        let of_level = rows.iter().filter(|row| row["level"] == *level);
        let free = of_level.clone().filter(|row| row["needs"].as_array().unwrap().is_empty()).count();
        assert!(free >= 2 && of_level.filter(|row| row["kind"] == "write").count() >= 2, "{level}: {free} free");
    }
    let second = Student::new().says(&["exercise", "list", "2", "--json"]).json();
    assert!(second["exercises"].as_array().unwrap().iter().all(|row| row["level"] == "shared-tiling"), "{second:#}");
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
    assert!(student.says(&["exercise", "hint", id]).out.contains(&t!("exercise-no-hint")));
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
    // What was deleted by mistake comes back, and nothing else changes.
    let readme = Path::new(&form).with_file_name("README.md");
    fs::write(&readme, "my notes").unwrap();
    fs::remove_file(&form).unwrap();
    let missing = student.says(&["exercise", "check", "monday-tuesday", &form]);
    assert_eq!(missing.code, Some(2), "{}", missing.err);
    assert!(!Path::new(&form).exists());
    let dir = Path::new(&form).parent().unwrap().to_str().unwrap();
    assert_eq!(student.says(&["exercise", "start", "monday-tuesday", "--dir", dir]).code, Some(0));
    assert!(Path::new(&form).is_file());
    assert_eq!(fs::read_to_string(&readme).unwrap(), "my notes");
}

#[test]
fn what_was_put_into_the_holes_is_what_runs() {
    let student = Student::new();
    let form = student.starts("meet-twice", "answer.yaml");
    let text = fs::read_to_string(&form).unwrap();
    assert!(["\nloaded:", "\nmultiplied:", "\nrows:", "#   twice:"].iter().all(|part| text.contains(part)), "{text}");
    for (loaded, multiplied, failed) in [
        ("block", "block", &[][..]),
        ("nothing", "block", &["results", "hazards"]),
        ("block", "nothing", &["results", "hazards"]),
        ("block", "twice", &["counts"]),
    ] {
        let answer = format!("loaded: {loaded}\nmultiplied: {multiplied}\nrows: plain\n");
        let (code, verdict) = student.hands_in("meet-twice", &form, &answer);
        let (goal, passed) = (verdict["failed"].as_str(), failed.is_empty());
        assert_eq!((code, goal.is_none()), (Some(i32::from(!passed)), passed), "{answer}{verdict:#}");
        assert!(goal.is_none_or(|goal| failed.contains(&goal)), "{answer}{verdict:#}");
    }
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
    let hint = student.says(&["exercise", "hint", "fma-loop"]).out;
    assert!(hint.contains("exercise solution fma-loop") && !hint.contains("Hint"), "{hint}");
    // The model does not know this instruction. Nobody asked for an estimate, so nobody hears that there is none.
    let unknown = "    setp.gt.u32 %inside, %ty, 99;\n    @%inside atom.shared.add.u32 %a, [%A_tile], 1;\n";
    let at = solution.find("    mov.f32 %sum").unwrap();
    let (head, tail) = solution.split_at(at);
    let (code, verdict) = student.hands_in("fma-loop", &path, &format!("{head}{unknown}{tail}"));
    assert_eq!((code, verdict.get("why_not")), (Some(0), None), "{verdict:#}");

    let dir = Path::new(&path).parent().unwrap().to_str().unwrap();
    let reset = student.says(&["exercise", "reset", "fma-loop", "--dir", dir]);
    assert_eq!(reset.code, Some(0), "{}", reset.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), starter);
    let kept = fs::read_dir(dir)
        .unwrap()
        .filter(|entry| fs::read_to_string(entry.as_ref().unwrap().path()).unwrap().contains("@%inside atom"));
    assert_eq!(kept.count(), 1, "what was there is kept");
}

/// A matrix product with what tutorials begin with, a helper, and a statement in the place of `/* here */`.
fn own(statement: &str) -> String {
    let head = "#include <cuda_runtime.h>\n#include \"device_launch_parameters.h\"\n#include <stdio.h>\n#include <math.h>\n\
        #include <stdint.h>\n__device__ float at(const float* p, size_t i) {\n    return p[i];\n}\n";
    let parameters = "const float* A, const float* B, float* C, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta";
    let body = "    const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;\n    float sum = 0;\n\
        /* here */\n    if (row >= M || col >= N) return;\n\
        for (int k = 0; k < K; ++k) sum += at(A, size_t(row) * lda + k) * at(B, size_t(k) * ldb + col);\n\
        C[size_t(row) * ldc + col] = alpha * sum + (beta == 0 ? 0 : beta * C[size_t(row) * ldc + col]);\n";
    format!("{head}extern \"C\" __global__ void sgemm({parameters}) {{\n{body}}}\n").replace("/* here */", statement)
}

#[test]
fn what_tutorials_begin_with_compiles_and_what_is_more_is_explained() {
    if std::env::var_os("MATMUL_TUTOR_NVRTC").is_none() {
        println!("skipped: MATMUL_TUTOR_NVRTC names no library");
        return;
    }
    let (student, id) = (Student::new(), "one-thread-one-element");
    let path = student.starts(id, "one-thread-one-element.cu");
    let found = |text: &str| {
        let (code, document) = student.hands_in(id, &path, text);
        let goals = document["goals"].as_array().unwrap().clone();
        let first = goals.into_iter().find(|goal| goal["met"] == false).unwrap_or_default();
        let said = |field: &str| first[field].as_str().unwrap_or_default().to_owned();
        (code, said("goal"), said("message"), said("help"), first["line"].as_u64())
    };
    let right = own("    if (K < 0) printf(\"%d %f\", int(uint32_t(K)), INFINITY);");
    assert_eq!(found(&right).0, Some(0), "{:?}", found(&right));
    // A helper's line comes with the line of its call.
    let (_, goal, message, _, line) = found(&own("    sum = at(A, 1 << 30);"));
    assert_eq!((goal.as_str(), line), ("runs", Some(7)), "{message}");
    assert!(message.contains("one-thread-one-element.cu:7, called at line 12"), "{message}");
    // Half of each warp names all of it.
    let (_, goal, message, help, _) = found(&own("    if (threadIdx.x < 16) sum = __shfl_sync(0xffffffffu, sum, 20);"));
    assert_eq!(goal, "runs", "{message}");
    assert!(message.contains("shuffles from lane 20") && help.contains("__shfl_sync"), "{message} {help}");
    let (_, goal, _, help, line) = found(&format!("#include <iostream>\n{right}"));
    assert_eq!((goal.as_str(), line), ("compiles", Some(1)));
    assert!(help.contains("`cuda_runtime.h`") && help.contains("`stdio.h`"), "{help}");
    let (_, goal, _, help, _) = found(&format!("{right}int main() {{ return 0; }}\n"));
    assert_eq!(goal, "compiles");
    assert!(help.contains("`main`"), "{help}");

    fs::write(&path, right.replace("void sgemm(", "void sgemm_naive_coalesced(")).unwrap();
    let called = student.says(&[
        "run",
        "sgemm_naive_coalesced",
        "--source",
        &path,
        "--size",
        "64",
        "--on",
        "emulator",
        "--json",
    ]);
    assert_eq!((called.code, called.json()["verified"].as_bool()), (Some(0), Some(true)), "{}", called.err);
}
