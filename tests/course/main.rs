//! Courses as instructors write them: each rule of `check`, with samples that break it and samples that do not.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and prints its seed"
)]

mod answers;
mod claims;
mod english;
mod fuzzed;
mod korean;
mod layers;
mod limits;
mod loading;
mod packages;
#[path = "../shared/mod.rs"]
mod shared;
mod small;
mod whole;
mod words;

use course_check::schema::SchemaOf;
use course_check::{self as author, RULES};
use serde::Deserialize;
use shared::files;
use small::Small;
use std::path::{Path, PathBuf};
use tutor_course::{CourseSource, Files, Problem, Severity};
use tutor_kernels::Catalog;

/// `tests/course/rules/CODE.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleSamples {
    invalid: Vec<Sample>,
    valid: Vec<Sample>,
}

/// A change to the small course in `tests/course/base`, which has no problems.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    /// The file to change. Its translation is changed in the same way.
    file: String,
    /// The text whose first occurrence is replaced.
    replace: String,
    with: String,
    /// `line:column` of the problem.
    #[serde(default)]
    at: String,
    /// The file of the problem, if it is a different one.
    #[serde(rename = "in", default)]
    other: Option<String>,
    /// Part of its message or help.
    #[serde(default)]
    says: String,
    /// Codes of other problems that the change causes.
    #[serde(default)]
    also: Vec<String>,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/course")
}

fn check_directory(directory: &Path) -> Vec<Problem> {
    let files = Files::read(&CourseSource::Directory(directory.to_owned()), |_| true);
    let (catalog, problems) = Catalog::of_course(Some(directory));
    author::check(&files, &catalog, &problems)
}

/// Returns the problems of the small course after a change.
fn changed(sample: &Sample) -> Vec<Problem> {
    let small = Small::new();
    let translation = sample.file.replacen('/', "/ko/", 1);
    for (file, must) in [(&sample.file, true), (&translation, false)] {
        let Ok(text) = std::fs::read_to_string(small.root().join(file)) else { continue };
        if must || text.contains(&sample.replace) {
            small.edit(file, &sample.replace, &sample.with);
        }
    }
    small.problems()
}

fn shown(problems: &[Problem]) -> String {
    problems.iter().map(|problem| author::render(problem, false) + "\n").collect()
}

#[test]
fn the_small_course_has_no_problem() {
    let problems = check_directory(&tests().join("base"));
    assert!(problems.is_empty(), "{}", shown(&problems));
}

#[test]
fn a_course_file_that_cannot_be_read_hides_no_mistake_of_the_others() {
    let small = Small::new();
    for (file, from, to) in [
        ("modules/course.yaml", "gate:", "gate: :"),
        ("modules/first.yaml", "    title: Welcome", "    titel: Welcome"),
        ("quizzes/first.yaml", "level: first", "level: [first"),
    ] {
        small.edit(file, from, to);
    }
    let problems = small.problems();
    let told: Vec<(&str, &str)> = problems.iter().map(|problem| (problem.code, problem.file.as_str())).collect();
    let expected =
        [("yaml", "modules/course.yaml"), ("unknown-field", "modules/first.yaml"), ("yaml", "quizzes/first.yaml")];
    assert_eq!(told, expected, "{}", shown(&problems));
}

#[test]
fn a_misspelt_key_is_told_once_and_not_as_a_question_without_a_key_too() {
    for (file, from) in
        [("quizzes/first.yaml", "              correct: true"), ("quizzes/first.yaml", "              why:")]
    {
        let to = from.replace("correct", "corect").replace("why", "whi");
        let sample = Sample {
            file: file.into(),
            replace: from.into(),
            with: to,
            at: String::new(),
            other: None,
            says: String::new(),
            also: Vec::new(),
        };
        let problems = changed(&sample);
        let codes: Vec<&str> = problems.iter().filter(|p| p.file == file).map(|p| p.code).collect();
        assert_eq!(codes, ["unknown-field"], "{}", shown(&problems));
    }
}

#[test]
fn all_mistakes_in_the_form_of_a_course_s_own_catalogue_are_told_at_once() {
    let small = Small::new();
    let catalog = "kernels:\n  - id: mine\n    levl: first\n    block: [8, 8]\n  - id: [mine]\n    abot: x\n";
    small.write("kernels/catalog.yaml", catalog);
    let problems = small.problems();
    let told = |code: &str, line: u32| problems.iter().any(|problem| problem.code == code && problem.line == line);
    for (code, line) in
        [("unknown-field", 3), ("wrong-type", 4), ("missing-field", 2), ("wrong-type", 5), ("unknown-field", 6)]
    {
        assert!(told(code, line), "{code} in line {line}:\n{}", shown(&problems));
    }
}

#[test]
fn every_rule_is_told_where_it_is_broken_and_only_there() {
    let mut failures = String::new();
    // What only a run or the catalogue's loader finds has tests of its own.
    let elsewhere = [
        "allow-idle",
        "exercise-not-built",
        "exercise",
        "hint-not-reached",
        "mutant-survives",
        "claim-failed",
        "recording-of-another-kernel",
        "kernel-fault",
        "kernel-result",
        "kernel-hazard",
        "catalog",
        "id-vanished",
    ];
    for rule in RULES.iter().filter(|rule| !elsewhere.contains(&rule.code)) {
        let path = tests().join(format!("rules/{}.yaml", rule.code));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} has no samples", rule.code));
        let samples: RuleSamples = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(!samples.invalid.is_empty() && !samples.valid.is_empty(), "{}", rule.code);
        for sample in &samples.invalid {
            let problems = changed(sample);
            let file = sample.other.as_ref().unwrap_or(&sample.file);
            let told = problems.iter().any(|problem| {
                let help = problem.help.as_deref().unwrap_or_default();
                problem.code == rule.code
                    && problem.severity == rule.severity
                    && problem.file == *file
                    && format!("{}:{}", problem.line, problem.column) == sample.at
                    && (problem.message.contains(&sample.says) || help.contains(&sample.says))
            });
            let alone = problems
                .iter()
                .all(|problem| problem.code == rule.code || sample.also.iter().any(|code| code == problem.code));
            if !told || !alone {
                failures += &format!("--- {}: {sample:?}\n{}", rule.code, shown(&problems));
            }
        }
        for sample in &samples.valid {
            let mut problems = changed(sample);
            problems.retain(|problem| !sample.also.iter().any(|code| code == problem.code));
            if !problems.is_empty() {
                failures += &format!("--- {} (valid): {sample:?}\n{}", rule.code, shown(&problems));
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_sample_belongs_to_a_rule() {
    for entry in std::fs::read_dir(tests().join("rules")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.trim_end_matches(".yaml");
        assert!(RULES.iter().any(|rule| rule.code == code), "{name}");
    }
}

#[test]
fn the_built_in_course_has_no_error() {
    let files = Files::read(&CourseSource::BuiltIn, |_| true);
    let problems = author::check(&files, Catalog::built_in(), &[]);
    let errors: Vec<Problem> = problems.into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{}", shown(&errors));
}

#[test]
fn schemas_are_those_of_the_types() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/schema");
    for of in SchemaOf::ALL {
        let committed = std::fs::read_to_string(assets.join(of.file())).unwrap();
        let [name, _] = of.name_and_path();
        let text = of.text(None).unwrap();
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(assets.join(of.file()), text).unwrap();
            continue;
        }
        let stale = committed != text;
        assert!(!stale, "Run: matmul-tutor course schema {name} > assets/schema/{name}.json");
    }
}

#[test]
fn the_reference_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference.md");
    let text = author::reference();
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "Run: matmul-tutor course schema --markdown > docs/reference.md");
    for rule in RULES {
        assert!(text.contains(&format!("| `{}` |", rule.code)), "{}", rule.code);
    }
}

#[test]
fn every_course_file_names_its_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for folder in ["modules", "quizzes", "kernels"] {
        for path in files(&root.join(folder), ".yaml") {
            let place = path.strip_prefix(root).unwrap();
            let name = place.file_name().unwrap().to_str().unwrap();
            let exercise = place.starts_with("kernels/exercises");
            let schema = match (folder, name) {
                ("modules", "course.yaml") => "course",
                ("modules", _) => "lesson",
                ("quizzes", _) => "quiz",
                (_, "exercise.yaml") => "exercise",
                (_, "catalog.yaml") => "catalog",
                _ if exercise => "exercise-edition",
                _ => "catalog-edition",
            };
            let up = "../".repeat(place.components().count() - 1);
            let text = std::fs::read_to_string(&path).unwrap();
            let expected = format!("# yaml-language-server: $schema={up}assets/schema/{schema}.json");
            assert_eq!(text.lines().next(), Some(expected.as_str()), "{place:?}");
            checked += 1;
        }
    }
    assert!(checked >= 40);
}
