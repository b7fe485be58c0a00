//! The course as instructors write it: every rule of the check with samples that break it and samples that do not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use matmul_tutor::author::{self, RULES};
use matmul_tutor::course::{Course, CourseSource, Files, Problem, Severity};
use matmul_tutor::kernels::Catalog;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// `tests/course/rules/CODE.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleSamples {
    invalid: Vec<Sample>,
    valid: Vec<Sample>,
}

/// A change to the small course in `tests/course/base`, which has no problem.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    /// The file to change; its translation is changed likewise.
    file: String,
    /// The first occurrence of this text …
    replace: String,
    /// … becomes this.
    with: String,
    /// `line:column` of the problem.
    #[serde(default)]
    at: String,
    /// The file of the problem, if another.
    #[serde(rename = "in", default)]
    other: Option<String>,
    /// Part of its message or help.
    #[serde(default)]
    says: String,
    /// Codes of problems that follow from the change besides.
    #[serde(default)]
    also: Vec<String>,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/course")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn check_directory(directory: &Path) -> Vec<Problem> {
    let files = Files::read(&CourseSource::Directory(directory.to_owned()), |_| true);
    author::check(&files, Catalog::built_in(), &[])
}

/// The problems of the small course after a change.
fn changed(sample: &Sample) -> Vec<Problem> {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let translation = sample.file.replacen('/', "/ko/", 1);
    for (file, must) in [(&sample.file, true), (&translation, false)] {
        let path = dir.path().join(file);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        assert!(!must || text.contains(&sample.replace), "{file} does not contain {:?}", sample.replace);
        std::fs::write(&path, text.replacen(&sample.replace, &sample.with, 1)).unwrap();
    }
    check_directory(dir.path())
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
fn every_rule_is_told_where_it_is_broken_and_only_there() {
    let mut failures = String::new();
    for rule in RULES.iter().filter(|rule| !["claim-failed", "catalog"].contains(&rule.code)) {
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
            let problems = changed(sample);
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
fn a_course_loads_in_its_editions() {
    let source = CourseSource::Directory(tests().join("base"));
    let korean = Course::load(&source, "ko");
    let level = korean.level("first").unwrap();
    assert_eq!(korean.lang, "ko");
    assert_eq!(level.lesson.as_ref().unwrap().pages[0].title, "환영합니다");
    assert!(level.untranslated_pages.is_empty() && level.untranslated_slots.is_empty());
    let unknown = Course::load(&source, "fr");
    assert_eq!(unknown.lang, "en", "the original where there is no such edition");
}

#[test]
fn an_edition_falls_back_page_by_page_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let lesson = dir.path().join("modules/ko/first.yaml");
    let text = std::fs::read_to_string(&lesson).unwrap();
    std::fs::write(&lesson, text.split("  - id: guess").next().unwrap()).unwrap();
    std::fs::remove_file(dir.path().join("quizzes/ko/first.yaml")).unwrap();
    let course = Course::load(&CourseSource::Directory(dir.path().to_owned()), "ko");
    let level = course.level("first").unwrap();
    let pages = &level.lesson.as_ref().unwrap().pages;
    assert_eq!((pages[0].title.as_str(), pages[1].title.as_str()), ("환영합니다", "Guess first"));
    assert_eq!(pages.len(), 7);
    assert!(!level.untranslated_pages.contains("welcome") && level.untranslated_pages.contains("guess"));
    assert_eq!(level.untranslated_slots.len(), 8);
    assert_eq!(level.quiz.as_ref().unwrap().slots[0].variants[0].ask, "Which is right?");
}

/// The small course with one file replaced.
fn with_file(file: &str, edit: impl Fn(String) -> String) -> Course {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let path = dir.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    std::fs::write(&path, edit(text)).unwrap();
    Course::load(&CourseSource::Directory(dir.path().to_owned()), "en")
}

#[test]
fn a_broken_page_is_left_out_and_the_rest_of_the_level_is_there() {
    let course = with_file("modules/first.yaml", |text| text.replace("tag: code", "tag: kode"));
    let lesson = course.levels[0].lesson.as_ref().unwrap();
    let ids: Vec<&str> = lesson.pages.iter().map(|page| page.id.as_str()).collect();
    assert_eq!(ids, ["welcome", "guess", "look", "hazard", "launch", "library"]);
    assert_eq!((lesson.pages[2].id.line, lesson.pages[2].id.column), (51 - 1, 9), "places stay those of the file");
    assert_eq!(course.problems.len(), 1);
    assert!(course.levels[0].quiz.is_ok());
}

#[test]
fn a_broken_file_leaves_the_other_and_says_why() {
    let course = with_file("modules/first.yaml", |_| "level: [".to_owned());
    let problem = course.levels[0].lesson.as_ref().unwrap_err();
    assert_eq!((problem.code, problem.line, problem.file.as_str()), ("yaml", 1, "modules/first.yaml"));
    assert!(course.levels[0].quiz.is_ok());
    assert_eq!(course.title, "A small course");
}

#[test]
fn a_slot_that_cannot_be_read_is_never_left_out() {
    let course = with_file("quizzes/first.yaml", |text| text.replacen("bloom: apply", "bloom: fly", 1));
    assert_eq!(course.levels[0].quiz.as_ref().unwrap_err().code, "unknown-name");
}

#[test]
fn a_course_without_its_own_file_has_no_level_and_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let course = Course::load(&CourseSource::Directory(dir.path().to_owned()), "en");
    assert!(course.levels.is_empty());
    assert_eq!(course.problems[0].code, "missing-file");
    let nowhere = Course::load(&CourseSource::Directory(dir.path().join("no/such")), "en");
    assert_eq!(nowhere.problems[0].code, "missing-file");
}
