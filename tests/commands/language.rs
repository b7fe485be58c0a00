//! `--lang`, the locale, and a course that is written in more than the interface speaks.

use super::{tutor, tutor_in};
use std::path::Path;
use tutor_support::t;

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
        (vec!["--lang", "xx", "status", "--course", &course], "Available: en, ko."),
        (vec!["--lang", "", "course", "schema", "quiz"], "Available: en"),
    ] {
        let called = tutor(&arguments);
        assert_eq!((called.code, called.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(called.err.contains("The language") && called.err.contains(there_are), "{}", called.err);
    }
}

#[test]
fn a_course_that_is_not_there_is_the_problem_and_not_its_language() {
    let called = tutor(&["--lang", "fr", "status", "--course", "/nonexistent"]);
    assert_eq!(called.code, Some(2));
    assert!(called.err.contains("There is no directory /nonexistent"), "{}", called.err);
}

/// A translator's folder in which the kernels' catalogue of `xx` and a few more sentences are.
#[test]
fn a_translators_folder_is_spoken_by_the_commands_and_by_the_worker() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("xx")).unwrap();
    let catalogue = "cli-error = FAULT: { $text }\n\
                     exec-no-kernel = NO KERNEL `{ $kernel }`\n\
                     exec-shape = `{ $kernel }` WILL NOT: { $why }\n\
                     kernels-no-multiple = { $name } BY { $by }\n\
                     exec-against-host = THE HOST\n";
    std::fs::write(folder.path().join("xx/own.ftl"), catalogue).unwrap();
    let folder = folder.path().display().to_string();
    let environment = [("MATMUL_TUTOR_I18N", folder.as_str())];
    let called = |arguments: &[&str], more: &[(&str, &str)]| {
        let data = tempfile::tempdir().unwrap();
        let data = data.path().display().to_string();
        tutor_in(&[arguments, &["--on", "emulator", "--data", &data]].concat(), &[&environment, more].concat())
    };
    let run = ["run", "sgemm_tiled", "--size", "32"];
    // The parent says the first, the worker the others.
    let refused = called(&["--lang", "xx", "run", "nothing"], &[]);
    assert!(refused.err.contains("FAULT: NO KERNEL `nothing`"), "{}", refused.err);
    assert!(
        called(&[&["--lang", "xx"], run.as_slice()].concat(), &[])
            .out
            .contains(&t!("run-cli-against", what = "THE HOST"))
    );
    let shape = called(&["--lang", "xx", "run", "bf16_mma", "--size", "36"], &[]);
    assert!(shape.err.contains("lda BY 8"), "{}{}", shape.out, shape.err);
    // The worker speaks the parent's language, and not that of its own environment.
    assert!(called(&run, &[("LANG", "xx_XX.UTF-8")]).out.contains(&t!("run-cli-against", what = "THE HOST")));
    let english = called(&[&["--lang", "en"], run.as_slice()].concat(), &[("LANG", "xx_XX.UTF-8")]);
    assert!(english.out.contains("compared with float64 on the host"), "{}", english.out);
}
