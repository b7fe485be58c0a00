//! `--lang`, the locale, and a course that is written in more than the interface speaks.

use super::{tutor, tutor_in};
use std::path::Path;

/// A course with an English and a Korean edition.
fn course() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/course/base").display().to_string()
}

fn titles(asked: &[&str], environment: &[(&str, &str)]) -> String {
    let data = tempfile::tempdir().unwrap();
    let (course, data) = (course(), data.path().display().to_string());
    let called = tutor_in(&[&["status", "--course", &course, "--data", &data], asked].concat(), environment);
    assert_eq!((called.code, called.err.as_str()), (Some(0), ""), "{asked:?} {environment:?}");
    called.out
}

#[test]
fn a_language_that_the_course_lists_is_taken_whoever_names_it() {
    let korean = "환영합니다";
    assert!(!titles(&[], &[]).contains(korean));
    assert!(titles(&["--lang", "ko"], &[]).contains(korean));
    assert!(titles(&["--lang", "KO"], &[("LANG", "en_US.UTF-8")]).contains(korean));
    assert!(titles(&[], &[("LANG", "ko_KR.UTF-8")]).contains(korean));
    assert!(titles(&[], &[("LC_MESSAGES", "ko_KR.UTF-8"), ("LANG", "C")]).contains(korean));
    assert!(!titles(&["--lang", "en"], &[("LANG", "ko_KR.UTF-8")]).contains(korean));
    assert!(!titles(&[], &[("LC_ALL", "POSIX"), ("LANG", "ko_KR.UTF-8")]).contains(korean));
    assert!(!titles(&[], &[("LANG", "xx_YY.UTF-8")]).contains(korean), "a locale is no demand");
}

#[test]
fn a_language_that_nobody_has_is_refused_with_those_there_are() {
    let course = course();
    for (arguments, there_are) in [
        (vec!["--lang", "xx", "status", "--course", &course], "There are: en, ko."),
        (vec!["--lang", "", "schema", "quiz"], "There are: en"),
    ] {
        let called = tutor(&arguments);
        assert_eq!((called.code, called.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(called.err.contains("There is no language") && called.err.contains(there_are), "{}", called.err);
    }
}

#[test]
fn a_course_that_is_not_there_is_the_problem_and_not_its_language() {
    let called = tutor(&["--lang", "fr", "status", "--course", "/nonexistent"]);
    assert_eq!(called.code, Some(2));
    assert!(called.err.contains("There is no directory /nonexistent"), "{}", called.err);
}
