//! Runs the cases in `cases/`: PTX texts whose comments state what is expected of them. `README.md` describes them.
//!
//! `cargo test --test cases -- WORD…` runs only the cases whose file or title contains a word. A word with a slash concerns only
//! files. With `PTX_EMULATOR_WRITE=1`, each `?` in place of an expected value is replaced by the value found.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "tests")]

mod runner;

use runner::{Case, Verdict, cases_of, judge};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The least number of cases: a folder that was not read must not pass.
const CASES: usize = 900;

/// Returns all case files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => all.append(&mut files(&path)),
            Some(extension) if extension == "ptx" => all.push(path),
            _ => panic!("{} is not a case", path.display()),
        }
    }
    all.sort();
    all
}

/// Judges all cases on all processors. Returns the verdicts in the cases' order.
fn judged(cases: &[Case]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((index, case)) = Some(next.fetch_add(1, Relaxed)).and_then(|i| Some((i, cases.get(i)?)))
                {
                    let verdict = judge(case);
                    verdicts.lock().unwrap().push((index, verdict));
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().unwrap();
    assert_eq!(verdicts.len(), cases.len());
    verdicts.sort_by_key(|(index, _)| *index);
    verdicts.into_iter().map(|(_, verdict)| verdict).collect()
}

/// Replaces the question marks in the case files by what was found.
fn write(verdicts: &[Verdict]) {
    for (file, line, value) in verdicts.iter().flat_map(|verdict| &verdict.values) {
        let text = std::fs::read_to_string(file).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[line - 1] = lines[line - 1].replacen('?', value, 1);
        std::fs::write(file, lines.join("\n") + "\n").unwrap();
    }
}

/// Runs all cases once more in a process that does not use AVX2 and FMA.
fn without_simd() -> bool {
    let program = std::env::current_exe().unwrap();
    Command::new(program).env("PTX_EMULATOR_SIMD", "off").status().unwrap().success()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let chosen: Vec<Case> = files(&root).iter().flat_map(|file| cases_of(file, &root, &words)).collect();
    let least = if words.is_empty() { CASES } else { 1 };
    assert!(chosen.len() >= least, "{} cases in {} have a name with {words:?}", chosen.len(), root.display());
    let verdicts = judged(&chosen);
    if std::env::var_os("PTX_EMULATOR_WRITE").is_some() {
        write(&verdicts);
    }
    let mut failed = 0;
    for (case, verdict) in chosen.iter().zip(&verdicts).filter(|(_, verdict)| !verdict.problems.is_empty()) {
        failed += 1;
        println!("{}", case.name);
        verdict.problems.iter().for_each(|problem| println!("    {problem}"));
    }
    println!("{} cases passed, {failed} failed", chosen.len() - failed);
    let first = words.is_empty() && std::env::var_os("PTX_EMULATOR_SIMD").is_none();
    let ok = failed == 0 && (!first || cfg!(miri) || without_simd());
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
