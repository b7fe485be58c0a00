//! A course that extends another: what it takes from its base, and what it replaces.

use crate::shared::{copy, edit, write};
use crate::{check_directory, shown, tests};
use std::path::Path;
use tutor_course::{Course, CourseSource, exercise_names};
use tutor_kernels::Catalog;

fn load(root: &Path, lang: &str) -> Course {
    Course::load(&CourseSource::Directory(root.to_owned()), lang)
}

fn pages(course: &Course) -> Vec<&str> {
    course.levels[0].lesson.as_ref().unwrap().pages.iter().map(|page| page.id.as_str()).collect()
}

/// The sample course with a copy of its base next to it, to be changed.
fn both() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for course in ["base", "overlay"] {
        copy(&tests().join(course), &dir.path().join(course));
    }
    dir
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
    // Translations of the base apply here, except to pages that the course replaces.
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
    write(&root, "quizzes/mine.yaml", base.replacen("ask: Which is right?", "ask: Which of them?", 1));
    let course = load(&root, "en");
    assert_eq!(course.levels[0].quiz().unwrap().slots[0].variants[0].ask, "Which of them?");
    write(&root, "quizzes/mine.yaml", "level: first\nslots: []\n");
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
fn a_course_upon_a_directory_is_packed_with_it() {
    let dir = both();
    let overlay = dir.path().join("overlay");
    let (head, file) = tutor_course::pack(&overlay).unwrap();
    let named: Vec<&str> = head.files.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["modules/course.yaml", "beneath/modules/course.yaml", "beneath/quizzes/ko/first.yaml"] {
        assert!(named.contains(&name), "{name}: {named:?}");
    }
    let before = load(&overlay, "ko");
    let packed = dir.path().join("mine.course");
    std::fs::write(&packed, file).unwrap();
    let home = tutor_course::unpacked(&packed, &dir.path().join("courses")).unwrap();
    std::fs::remove_dir_all(dir.path().join("base")).unwrap();
    let course = load(&home, "ko");
    assert_eq!((course.id.as_str(), pages(&course)), ("sample-of-mine", pages(&before)));
    assert_eq!(shown(&check_directory(&home)), "");
    let error = tutor_course::pack(&overlay).unwrap_err().to_string();
    assert!(error.contains("base") && error.contains("`modules/course.yaml`"), "{error}");
}

#[test]
fn an_exam_upon_another_course_takes_it_along_without_keys() {
    let dir = both();
    let key = "It is the other one.";
    let base = std::fs::read_to_string(dir.path().join("base/quizzes/first.yaml")).unwrap();
    assert!(base.contains(key));
    let sealed = dir.path().join("sealed");
    let seal = |course: &Path| {
        let _ = std::fs::remove_dir_all(&sealed);
        let exam = course_export::seal(&CourseSource::Directory(course.to_owned()), "midterm").unwrap();
        for (name, content) in &exam.files {
            write(&sealed, name, content);
        }
        exam.remarks
    };
    seal(&dir.path().join("overlay"));
    std::fs::remove_dir_all(dir.path().join("base")).unwrap();
    let course = load(&sealed, "en");
    assert_eq!((course.exam.as_str(), pages(&course)[3]), ("midterm", "mine"));
    assert!(!course.levels[0].quiz().unwrap().slots.is_empty());
    let written = std::fs::read_to_string(sealed.join("beneath/quizzes/first.yaml")).unwrap();
    assert!(!written.contains(key) && written.contains("sealed"), "{written}");
    assert_eq!(Catalog::of_course(Some(&sealed)).1, []);

    // Of the built-in course the quizzes that are used are written out.
    let own = dir.path().join("own");
    let text = "id: own\ntitle: Own\nextends: built-in\nlanguages: [en]\ngate: { percent: 80 }\nlevels: [{ use: one-thread }]\n";
    write(&own, "modules/course.yaml", text);
    let remarks = seal(&own);
    assert!(remarks.iter().any(|remark| remark.contains("built-in")), "{remarks:?}");
    let (course, full) = (load(&sealed, "en"), load(&own, "en"));
    let (quiz, full) = (course.levels[0].quiz().unwrap(), full.levels[0].quiz().unwrap());
    assert_eq!(quiz.slots.len(), full.slots.len());
    assert!(quiz.slots.iter().flat_map(|slot| &slot.variants).all(|variant| variant.because == "sealed"));
    assert!(full.slots.iter().flat_map(|slot| &slot.variants).all(|variant| variant.because != "sealed"));
}

#[test]
fn courses_that_extend_each_other_come_to_an_end() {
    let dir = both();
    edit(&dir.path().join("base/modules/course.yaml"), "languages:", "extends: ../overlay\nlanguages:");
    let problems = check_directory(&dir.path().join("overlay"));
    assert!(problems.len() < 10, "{}", shown(&problems));
    assert_eq!(load(&dir.path().join("overlay"), "en").levels.len(), 1);
}

#[test]
fn a_stale_ptx_is_found_in_a_packed_course_too() {
    let dir = both();
    edit(&dir.path().join("base/kernels/tile8.cu"), "A_tile[ty][k]", "A_tile[k][ty]");
    let packed = dir.path().join("stale.course");
    std::fs::write(&packed, tutor_course::pack(&dir.path().join("base")).unwrap().1).unwrap();
    let home = tutor_course::unpacked(&packed, &dir.path().join("courses")).unwrap();
    let codes: Vec<_> = check_directory(&home).iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["ptx-stale"]);
}
