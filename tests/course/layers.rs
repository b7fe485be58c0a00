//! A course upon another: what comes through from beneath, and what is in its place.

use crate::{check_directory, copy, shown, tests};
use matmul_tutor::course::{Course, CourseSource, exercise_names};
use matmul_tutor::kernels::Catalog;
use std::path::Path;

fn load(root: &Path, lang: &str) -> Course {
    Course::load(&CourseSource::Directory(root.to_owned()), lang)
}

fn pages(course: &Course) -> Vec<&str> {
    course.levels[0].lesson.as_ref().unwrap().pages.iter().map(|page| page.id.as_str()).collect()
}

/// The sample with the course beneath beside it, to be changed.
fn both() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for course in ["base", "overlay"] {
        copy(&tests().join(course), &dir.path().join(course));
    }
    dir
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{file:?} does not contain {from:?}");
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_course_upon_another_has_no_problem_and_an_id_of_its_own() {
    let root = tests().join("overlay");
    let problems = check_directory(&root);
    assert!(problems.is_empty(), "{}", shown(&problems));
    let course = load(&root, "en");
    assert_eq!((course.id.as_str(), course.levels[0].id.as_str()), ("sample-of-mine", "first"));
    assert_eq!(course.levels[0].title, "First level");
    assert_eq!(course.levels[0].question, "Does what lies beneath come through?");
    assert_eq!(
        course.levels[0].quiz().unwrap().slots.len(),
        load(&tests().join("base"), "en").levels[0].quiz().unwrap().slots.len()
    );
}

#[test]
fn a_page_replaces_the_one_of_its_id_and_a_new_one_comes_after_it() {
    let root = tests().join("overlay");
    let course = load(&root, "en");
    assert_eq!(pages(&course)[..5], ["welcome", "guess", "code", "mine", "look"]);
    let lesson = course.levels[0].lesson.as_ref().unwrap();
    assert_eq!(lesson.pages[2].title, "The code of mine");
    assert_eq!(lesson.objectives.len(), 3);
    // What is translated beneath is translated here; what is in its place is not.
    let korean = load(&root, "ko");
    let lesson = korean.levels[0].lesson.as_ref().unwrap();
    assert_eq!((lesson.pages[0].title.as_str(), lesson.pages[2].title.as_str()), ("환영합니다", "The code of mine"));
    assert!(korean.levels[0].untranslated_pages.contains("code"));
}

#[test]
fn a_correction_beneath_comes_through_and_its_mistakes_are_its_authors() {
    let dir = both();
    edit(&dir.path().join("base/modules/first.yaml"), "title: Welcome", "title: Welcome here");
    edit(&dir.path().join("base/modules/first.yaml"), "    objectives: [read]\n", "    objectives: [unknown]\n");
    let root = dir.path().join("overlay");
    assert_eq!(load(&root, "en").levels[0].lesson.as_ref().unwrap().pages[0].title, "Welcome here");
    let problems = check_directory(&root);
    assert!(problems.is_empty(), "{}", shown(&problems));
}

#[test]
fn what_an_author_writes_is_checked_against_the_whole_level() {
    let dir = both();
    let own = dir.path().join("overlay/modules/first-of-mine.yaml");
    edit(&own, "region: multiply", "region: multipli");
    edit(&own, "[compare, read]", "[compare, reed]");
    let problems = check_directory(&dir.path().join("overlay"));
    let told: Vec<(&str, &str, u32)> =
        problems.iter().map(|problem| (problem.code, problem.file.as_str(), problem.line)).collect();
    let file = "modules/first-of-mine.yaml";
    assert_eq!(told, [("unknown-region", file, 13), ("unknown-objective", file, 20)], "{}", shown(&problems));
}

#[test]
fn a_quiz_replaces_the_whole_quiz() {
    let dir = both();
    let root = dir.path().join("overlay");
    edit(&root.join("modules/course.yaml"), "    lesson:", "    quiz: mine.yaml\n    lesson:");
    let base = std::fs::read_to_string(dir.path().join("base/quizzes/first.yaml")).unwrap();
    // Folders without a file are not kept in a repository.
    std::fs::create_dir_all(root.join("quizzes")).unwrap();
    std::fs::write(root.join("quizzes/mine.yaml"), base.replacen("ask: Which is right?", "ask: Which of them?", 1))
        .unwrap();
    let course = load(&root, "en");
    assert_eq!(course.levels[0].quiz().unwrap().slots[0].variants[0].ask, "Which of them?");
    std::fs::write(root.join("quizzes/mine.yaml"), "level: first\nslots: []\n").unwrap();
    let problems = check_directory(&root);
    assert!(problems.iter().any(|problem| problem.code == "empty-quiz"), "{}", shown(&problems));
}

#[test]
fn kernels_and_exercises_beneath_are_there() {
    let root = tests().join("overlay");
    let (catalog, problems) = Catalog::of_course(Some(&root));
    assert!(problems.is_empty());
    let base = Catalog::from_directory(&tests().join("base")).0;
    assert!(!base.kernels().is_empty());
    assert!(base.kernels().iter().all(|kernel| catalog.kernel(&kernel.id) == Some(kernel)));
    let names = |root: &str| exercise_names(&CourseSource::Directory(tests().join(root)));
    assert!(!names("base").is_empty());
    assert_eq!(names("overlay"), names("base"));
}

#[test]
fn a_course_upon_a_directory_is_not_packed_without_it() {
    let error = matmul_tutor::course::pack(&tests().join("overlay")).unwrap_err().to_string();
    assert!(error.contains("A course upon `../base` cannot be packed"), "{error}");
}

#[test]
fn courses_that_extend_each_other_come_to_an_end() {
    let dir = both();
    edit(&dir.path().join("base/modules/course.yaml"), "languages:", "extends: ../overlay\nlanguages:");
    let problems = check_directory(&dir.path().join("overlay"));
    assert!(problems.len() < 10, "{}", shown(&problems));
    assert_eq!(load(&dir.path().join("overlay"), "en").levels.len(), 1);
}
