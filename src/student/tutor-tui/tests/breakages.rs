//! Ways in which an author breaks a course. Each is reported with its place, and the tutor still opens and shows it.

use super::drive::{Driver, copy};
use crate::prelude::*;
use course_check as author;
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tutor_course::{CourseSource, Files};
use tutor_kernels::Catalog;

/// A line of `tests/course/breakages.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Breakage {
    name: String,
    file: String,
    /// Text whose first occurrence is replaced.
    #[serde(default)]
    find: String,
    #[serde(default)]
    put: String,
    /// What to do to the file instead.
    #[serde(rename = "do")]
    deed: Option<Deed>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Deed {
    Remove,
    Bom,
    Crlf,
    Utf16,
    Latin1,
    Link,
    Large,
    Deep,
    Directory,
    Fifo,
    Write(String),
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/course")
}

/// Writes the small course without its translation.
fn whole(to: &Path) {
    copy(&tests().join("base"), to);
    for folder in ["modules/ko", "quizzes/ko"] {
        std::fs::remove_dir_all(to.join(folder)).unwrap();
    }
    let path = to.join("modules/course.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, text.replace("[en, ko]", "[en]")).unwrap();
}

fn harm(root: &Path, breakage: &Breakage) {
    let path = root.join(&breakage.file);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let anew = |bytes: Vec<u8>| std::fs::write(&path, bytes).unwrap();
    match &breakage.deed {
        None => {
            assert!(text.contains(&breakage.find), "{}: {:?}", breakage.name, breakage.find);
            anew(text.replacen(&breakage.find, &breakage.put, 1).into_bytes());
        }
        Some(Deed::Write(text)) => anew(text.clone().into_bytes()),
        Some(Deed::Bom) => anew(format!("\u{feff}{text}").into_bytes()),
        Some(Deed::Crlf) => anew(text.replace('\n', "\r\n").into_bytes()),
        Some(Deed::Utf16) => anew(format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()),
        Some(Deed::Latin1) => anew(text.replace("Some", "S\u{f6}me").chars().map(|c| c as u8).collect()),
        Some(Deed::Large) => anew(format!("{text}# {}\n", "x".repeat(10 << 20)).into_bytes()),
        Some(Deed::Deep) => anew(text.replacen("Some", &format!("{}Some", "[".repeat(10_000)), 1).into_bytes()),
        Some(other) => {
            std::fs::remove_file(&path).unwrap();
            match other {
                Deed::Directory => std::fs::create_dir(&path).unwrap(),
                Deed::Link => std::os::unix::fs::symlink("/etc/hostname", &path).unwrap(),
                Deed::Fifo => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
                    assert!(made.success());
                }
                _ => {}
            }
        }
    }
}

#[test]
fn every_breakage_is_told_with_its_place_and_counted_on_the_map() {
    let text = std::fs::read_to_string(tests().join("breakages.yaml")).unwrap();
    let breakages: Vec<Breakage> = serde_yaml::from_str(&text).unwrap();
    assert!(breakages.len() >= 90, "{}", breakages.len());
    let mut table = String::new();
    for breakage in &breakages {
        let dir = tempfile::tempdir().unwrap();
        whole(dir.path());
        harm(dir.path(), breakage);
        let source = CourseSource::Directory(dir.path().to_owned());
        let (catalog, found) = Catalog::of_course(Some(dir.path()));
        let problems = author::check(&Files::read(&source, |_| true), &catalog, &found);
        let mut driver = Driver::of(&source, (120, 24));
        driver.send(Msg::Checked(problems.clone()));
        driver.draw();
        let screen = driver.text();
        let last = screen.lines().last().unwrap();
        let shown = last.find(['✘', '▲']).map_or("–", |at| last[at..].trim_end());
        assert_eq!(shown == "–", problems.is_empty(), "{}: {last}", breakage.name);
        driver.press("<Enter>");
        let opens = match driver.model.screen() {
            Some(Screen::Lesson(_)) => "opens",
            Some(Screen::Problem(_)) => "says why it does not open",
            _ => "map",
        };
        let _ = writeln!(table, "{}: {shown}, level {opens}", breakage.name);
        for problem in &problems {
            let _ = writeln!(table, "    {} {problem}", problem.code);
        }
    }
    insta::assert_snapshot!(table);
}
