//! Small courses for tests.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tutor_course::{Course, CourseSource, Gate, QuizFile};
use tutor_progress::{Outline, OutlineLevel};

pub(crate) fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mastery").join(path)
}

/// Returns every YAML file of a folder with its name.
pub(crate) fn yaml_files(folder: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = entries(&here(folder))
        .into_iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no files in {folder}");
    files
}

/// The paths in a directory.
pub(crate) fn entries(dir: &Path) -> Vec<PathBuf> {
    fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The first column of a query.
pub(crate) fn column<T: rusqlite::types::FromSql>(raw: &rusqlite::Connection, query: &str) -> Vec<T> {
    raw.prepare(query).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// A level's quiz: `questions` slots, each with three variants of a single choice whose right id is `right`.
pub(crate) fn quiz_yaml(level: &str, questions: usize) -> String {
    let mut yaml = format!("level: {level}\nslots:\n");
    for slot in 1..=questions {
        let _ = write!(yaml, "  - id: s{slot}\n    objective: o\n    bloom: apply\n    page: p1\n    variants:\n");
        for variant in ["p", "q", "r"] {
            let _ = write!(
                yaml,
                "      - id: {variant}\n        ask: Question {slot}{variant}?\n        because: It is so.\n        \
                 answer:\n          single:\n            - {{ id: right, text: yes it is, correct: true }}\n            \
                 - {{ id: slip, text: a slip, why: That is the slip of {slot}{variant}. }}\n            \
                 - {{ id: belief, text: a belief, why: That is the belief of {slot}{variant}. }}\n"
            );
        }
    }
    yaml
}

/// A course with one level, whose gate has the eight questions of [`quiz`].
pub(crate) fn outline() -> Outline {
    let gate: Gate = serde_yaml::from_str("percent: 80").unwrap();
    let level = OutlineLevel {
        id: "one".into(),
        title: "One".into(),
        pages: vec!["p1".into()],
        gated: true,
        questions: 8,
        requires: vec![],
        ..Default::default()
    };
    Outline { course: "small".into(), gate, all_open: false, exam: String::new(), levels: vec![level] }
}

pub(crate) fn quiz() -> QuizFile {
    serde_yaml::from_str(&quiz_yaml("one", 8)).unwrap()
}

/// A quiz with all kinds of questions, then the built-in ones.
pub(crate) fn quizzes() -> &'static [QuizFile] {
    static QUIZZES: OnceLock<Vec<QuizFile>> = OnceLock::new();
    QUIZZES.get_or_init(|| {
        let sample = fs::read_to_string(here("all-kinds.yaml")).unwrap();
        let built_in =
            Course::load(&CourseSource::BuiltIn, "en").levels.into_iter().filter_map(|level| level.quiz?.ok());
        std::iter::once(serde_yaml::from_str(&sample).unwrap()).chain(built_in).collect()
    })
}
