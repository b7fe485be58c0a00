//! `kernels/exercises/ID/LANG.yaml`: the texts of an exercise in another language.

use super::exercise::{Exercise, Work};
use super::files::FOLDER;
use super::written::ExerciseFile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tutor_course::{CourseSource, File, Problem, ReadError};

/// The texts of an exercise in another language: `kernels/exercises/ID/LANG.yaml`. Missing texts are shown in the
/// original language. Code is only in the original.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ExerciseEdition {
    /// Digest of the original when it was translated: eight digits that `check` prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// At most 40 columns.
    pub title: String,
    /// The task, in Markdown.
    pub task: String,
    /// For a repair: the cures by id.
    #[serde(default)]
    pub cures: BTreeMap<String, CureWords>,
    /// For a fill-in: the holes by id.
    #[serde(default)]
    pub holes: BTreeMap<String, HoleWords>,
    /// All hints, in the order of the original.
    #[serde(default)]
    pub hints: Vec<String>,
    /// Shown after passing.
    #[serde(default)]
    pub next: String,
}

/// The texts of a cure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CureWords {
    /// The text that the student chooses.
    pub text: String,
    /// For an incorrect cure: the reply to students who choose it.
    #[serde(default)]
    pub why: String,
}

/// The texts of a hole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct HoleWords {
    /// The question.
    pub ask: String,
    /// The fillings that have a reply, by id.
    #[serde(default)]
    pub fillings: BTreeMap<String, FillingWords>,
}

/// The text of a filling. Its code is in the original.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FillingWords {
    /// The reply to students who choose it.
    pub why: String,
}

impl From<&ExerciseFile> for ExerciseEdition {
    /// Returns the original's texts.
    fn from(file: &ExerciseFile) -> Self {
        let cure = |cure: &super::CureEntry| {
            (cure.id.value.clone(), CureWords { text: cure.text.clone(), why: cure.why.clone() })
        };
        let fillings = |hole: &super::HoleEntry| {
            let answered = hole.fillings.iter().filter(|filling| !filling.why.is_empty());
            answered.map(|filling| (filling.id.value.clone(), FillingWords { why: filling.why.clone() })).collect()
        };
        let hole = |hole: &super::HoleEntry| {
            (hole.id.value.clone(), HoleWords { ask: hole.ask.clone(), fillings: fillings(hole) })
        };
        Self {
            of: None,
            title: file.title.clone(),
            task: file.task.clone(),
            cures: file.cures.iter().map(cure).collect(),
            holes: file.holes.iter().map(hole).collect(),
            hints: file.hints.iter().map(|hint| hint.text.clone()).collect(),
            next: file.next.clone(),
        }
    }
}

impl ExerciseEdition {
    /// Returns the path within a course.
    pub fn path(id: &str, lang: &str) -> String {
        format!("{FOLDER}/{id}/{lang}.yaml")
    }

    /// Replaces the exercise's texts with the translated ones. Keeps a text that the translation or the exercise does
    /// not have.
    fn put(self, exercise: &mut Exercise) {
        put(&mut exercise.title, self.title);
        put(&mut exercise.task, self.task);
        put(&mut exercise.next, self.next);
        if self.hints.len() == exercise.hints.len() {
            exercise.hints.iter_mut().zip(self.hints).for_each(|(hint, text)| put(&mut hint.text, text));
        }
        let (mut cures, mut holes) = (self.cures, self.holes);
        match &mut exercise.work {
            Work::Repair(repair) => {
                for cure in &mut repair.cures {
                    let words = cures.remove(&cure.id).unwrap_or_default();
                    put(&mut cure.text, words.text);
                    put(&mut cure.why, words.why);
                }
            }
            Work::Fill(fill) => {
                for hole in &mut fill.holes {
                    let mut words = holes.remove(&hole.id).unwrap_or_default();
                    put(&mut hole.ask, words.ask);
                    for (id, _, why) in &mut hole.fillings {
                        put(why, words.fillings.remove(id).unwrap_or_default().why);
                    }
                }
            }
            Work::Write(_) => {}
        }
    }
}

fn put(text: &mut String, word: String) {
    if !text.trim().is_empty() && !word.trim().is_empty() {
        *text = word;
    }
}

/// Translates exercises, as far as their course has texts in the language. Returns the problems with the form of these
/// texts.
pub(super) fn translate(exercises: &mut [Exercise], source: &CourseSource, lang: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for exercise in exercises {
        match File::<ExerciseEdition>::read(source, &ExerciseEdition::path(&exercise.id, lang)) {
            Ok(mut file) => {
                problems.append(&mut file.problems);
                file.value.into_iter().for_each(|edition| edition.put(exercise));
            }
            Err(ReadError::Missing(_)) => {}
            Err(error) => {
                let name = ExerciseEdition::path(&exercise.id, lang);
                problems.push(Problem::error("exercise", name, error.to_string()));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::{read, read_in};
    use super::*;
    use std::path::{Path, PathBuf};
    use tutor_kernels::Catalog;

    /// Creates a course with one exercise of the built-in course and its texts in another language.
    fn course(id: &str, edition: &str) -> (tempfile::TempDir, CourseSource) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(FOLDER).join(id);
        std::fs::create_dir_all(&folder).unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(FOLDER).join(id);
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
        std::fs::write(folder.join("xx.yaml"), edition).unwrap();
        let source = CourseSource::Directory(PathBuf::from(dir.path()));
        (dir, source)
    }

    fn spoken(id: &str, edition: &str) -> (Exercise, Exercise, Vec<Problem>) {
        let (_dir, source) = course(id, edition);
        let (before, problems) = read(&source, Catalog::built_in());
        assert_eq!(problems, []);
        let (exercises, problems) = read_in(&source, Catalog::built_in(), "xx");
        let one = |all: Vec<Exercise>| all.into_iter().next().unwrap();
        (one(exercises), one(before), problems)
    }

    #[test]
    fn a_repair_says_it_in_the_language_and_what_is_missing_in_the_original() {
        let edition = "title: 줄\ntask: 찾아 봅시다.\ncures: { odd: { text: 홀수, why: 아깝습니다. }, row: { text: 행 } }\nhints: [하나, 둘]\n";
        let (exercise, before, problems) = spoken("a-queue", edition);
        assert_eq!(problems, []);
        assert_eq!([exercise.title.as_str(), &exercise.task, &exercise.next], ["줄", "찾아 봅시다.", &before.next]);
        assert!(exercise.hints.iter().map(|hint| hint.text.as_str()).eq(["하나", "둘"]));
        assert!(exercise.hints[1].when.is_some(), "what a hint is for stays");
        let (Work::Repair(repair), Work::Repair(original)) = (&exercise.work, &before.work) else { panic!() };
        for (cure, from) in repair.cures.iter().zip(&original.cures) {
            let expected = match cure.id.as_str() {
                "odd" => ["홀수", "아깝습니다."],
                "row" => ["행", ""],
                _ => [from.text.as_str(), &from.why],
            };
            assert_eq!([cure.text.as_str(), &cure.why], expected);
            assert_eq!((&cure.source, cure.fails), (&from.source, from.fails));
        }
    }

    #[test]
    fn a_fill_in_keeps_its_code() {
        let (exercise, before, problems) =
            spoken("meet-twice", "title: 루프\ntask: 채워 봅시다.\nhints: [하나만]\nholes: { none: { ask: 무엇? } }\n");
        assert_eq!(problems, []);
        let texts = |exercise: &Exercise| exercise.hints.iter().map(|hint| hint.text.clone()).collect::<Vec<_>>();
        assert_eq!((exercise.title.as_str(), texts(&exercise)), ("루프", texts(&before)), "hints are all or none");
        let Work::Fill(original) = &before.work else { panic!() };
        let hole = &original.holes[0];
        let (answered, ..) = hole.fillings.iter().find(|(_, _, why)| !why.is_empty()).unwrap();
        let words = format!(
            "title: 루프\ntask: 채워 봅시다.\nholes: {{ {}: {{ ask: 무엇?, fillings: {{ {answered}: {{ why: 아니다. }} }} }} }}\n",
            hole.id
        );
        let (exercise, ..) = spoken("meet-twice", &words);
        let Work::Fill(fill) = &exercise.work else { panic!() };
        assert_eq!(fill.holes[0].ask, "무엇?");
        for ((id, code, why), (_, original, reply)) in fill.holes[0].fillings.iter().zip(&hole.fillings) {
            assert_eq!((code, why.as_str()), (original, if id == answered { "아니다." } else { reply }));
        }
        assert_eq!(exercise.choices(), before.choices());
    }

    #[test]
    fn a_bug_that_shipped_needs_a_project_a_day_and_a_secure_address() {
        let (dir, source) = course("gone-too-soon", "title: x\n");
        let file = dir.path().join(FOLDER).join("gone-too-soon/exercise.yaml");
        let text = std::fs::read_to_string(&file).unwrap();
        let edits =
            [("Triton", "Triton", 0), ("Triton", "\"\"", 1), ("2026-09-12", "12.9.2026", 1), ("https:", "http:", 1)];
        for (find, put, expected) in edits {
            std::fs::write(&file, text.replacen(find, put, 1)).unwrap();
            let (exercises, problems) = read(&source, Catalog::built_in());
            assert_eq!(problems.len(), expected, "{put}: {problems:?}");
            assert!(expected > 0 || exercises[0].assignment().contains("https://github.com/triton-lang/triton/"));
        }
    }

    #[test]
    fn a_file_with_a_mistake_is_told_and_changes_nothing() {
        let (exercise, before, problems) = spoken("a-queue", "titel: x\n");
        assert!(!problems.is_empty() && problems.iter().all(|problem| problem.file.ends_with("a-queue/xx.yaml")));
        assert_eq!(exercise.title, before.title);
    }
}
