//! `web`: the page for a browser. `scripts/ci/web-check` uses the page itself.

use super::tutor;
use std::fs;
use std::path::Path;

/// Writes the parts of a page that the command looks at.
fn page(dir: &Path) {
    fs::create_dir(dir).unwrap();
    fs::write(dir.join("sw.js"), "const VERSION = \"matmul-tutor first\";\n").unwrap();
    fs::write(dir.join("course.tar"), "").unwrap();
}

fn web(arguments: &[&Path]) -> super::Called {
    let arguments: Vec<&str> = arguments.iter().map(|path| path.to_str().unwrap()).collect();
    tutor(&[&["course", "web"], arguments.as_slice()].concat())
}

#[test]
fn the_page_gets_the_course_and_a_version_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("page"), dir.path().join("site"));
    page(&from);
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/course/base");
    let plain = web(&[&to, Path::new("--page"), &from]);
    assert_eq!((plain.code, plain.err.as_str()), (Some(0), ""), "{}", plain.err);
    let version = fs::read_to_string(to.join("sw.js")).unwrap();
    let own = web(&[&to, Path::new("--page"), &from, Path::new("--course"), &course]);
    assert_eq!(own.code, Some(0), "{}", own.err);
    let archive = fs::read(to.join("course.tar")).unwrap();
    let begins = |name: &str| archive.chunks(512).any(|block| block.starts_with(format!("{name}\0").as_bytes()));
    assert!(begins("modules/course.yaml"));
    let changed = fs::read_to_string(to.join("sw.js")).unwrap();
    assert_ne!(version, changed);
    assert!(changed.starts_with("const VERSION = \"matmul-tutor ") && changed.ends_with("\";\n"), "{changed}");
}

#[test]
fn a_folder_with_other_files_and_a_page_that_is_not_there_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("page"), dir.path().join("site"));
    let missing = web(&[&to, Path::new("--page"), &from]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("scripts/release/web"), "{}", missing.err);
    page(&from);
    fs::create_dir(&to).unwrap();
    fs::write(to.join("thesis.tex"), "").unwrap();
    let refused = web(&[&to, Path::new("--page"), &from]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("other files"), "{}", refused.err);
    assert!(!to.join("sw.js").exists());
}
