//! Editions, and the rest of a course with damaged files.

use crate::small::Small;
use crate::{shown, tests};
use course_check as author;
use tutor_course::{Course, CourseSource};
use tutor_support::t;

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
    let told = unknown.missing_edition("fr").map(|told| told.to_string());
    assert_eq!(told, Some(t!("cli-no-edition", asked = "fr", shown = "en")));
    assert_eq!(korean.missing_edition("ko"), None);
}

#[test]
fn an_edition_may_translate_the_course_map() {
    let small = Small::new();
    let text = std::fs::read_to_string(small.root().join("modules/course.yaml")).unwrap();
    let korean = text.replace("title: First level", "title: 첫째 단계").replace("id: sample", "id: simple");
    small.write("modules/ko/course.yaml", &korean);
    assert_eq!(small.load("ko").levels[0].title, "첫째 단계");
    assert_eq!(small.load("en").levels[0].title, "First level");
    let problems = small.problems();
    assert_eq!(problems.len(), 1, "{}", shown(&problems));
    assert_eq!((problems[0].code, problems[0].line), ("edition-differs", 1));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn a_damaged_file_never_panics_and_no_control_character_gets_through(
        quiz in proptest::bool::ANY,
        cuts in proptest::collection::vec((0usize..4000, 0usize..40, "[-a-z0-9:{}\\[\\]&*!|>'\"#%@\\n \u{1b}\u{202e}]{0,6}"), 1..5),
    ) {
        let small = Small::new();
        let path = small.root().join(if quiz { "quizzes/first.yaml" } else { "modules/first.yaml" });
        let mut text: Vec<char> = std::fs::read_to_string(&path).unwrap().chars().collect();
        for (at, length, with) in cuts {
            let at = at.min(text.len());
            let end = (at + length).min(text.len());
            text.splice(at..end, with.chars());
        }
        std::fs::write(&path, text.into_iter().collect::<String>()).unwrap();
        let problems = small.problems();
        let course = small.load("en");
        for problem in problems.iter().chain(&course.problems) {
            let all = format!("{problem} {:?} {:?}", problem.help, problem.snippet);
            assert!(!all.contains(['\u{1b}', '\u{202e}']), "{all}");
            author::render(problem, false);
        }
        let shown = format!("{:?}", course.levels);
        assert!(!shown.contains("\\u{1b}") && !shown.contains("\\u{202e}"), "{shown}");
    }
}

#[test]
fn an_edition_falls_back_page_by_page_and_says_so() {
    let small = Small::new();
    small.change("modules/ko/first.yaml", |text| text.split("  - id: guess").next().unwrap().to_owned());
    std::fs::remove_file(small.root().join("quizzes/ko/first.yaml")).unwrap();
    let course = small.load("ko");
    let level = course.level("first").unwrap();
    let pages = &level.lesson.as_ref().unwrap().pages;
    assert_eq!((pages[0].title.as_str(), pages[1].title.as_str()), ("환영합니다", "Guess first"));
    assert_eq!(pages.len(), 7);
    assert!(!level.untranslated_pages.contains("welcome") && level.untranslated_pages.contains("guess"));
    assert_eq!(level.untranslated_slots.len(), 8);
    assert_eq!(level.quiz().unwrap().slots[0].variants[0].ask, "Which is right?");
}

/// Loads the small course with one changed file.
fn with_file(file: &str, edit: impl Fn(String) -> String) -> Course {
    let small = Small::new();
    small.change(file, edit);
    small.load("en")
}

#[test]
fn a_broken_page_is_left_out_and_the_rest_of_the_level_is_there() {
    let course = with_file("modules/first.yaml", |text| text.replace("tag: code", "tag: kode"));
    let lesson = course.levels[0].lesson.as_ref().unwrap();
    let ids: Vec<&str> = lesson.pages.iter().map(|page| page.id.as_str()).collect();
    assert_eq!(ids, ["welcome", "guess", "look", "hazard", "launch", "library"]);
    assert_eq!((lesson.pages[2].id.line, lesson.pages[2].id.column), (51, 9), "places stay those of the file");
    assert_eq!(course.problems.len(), 1);
    assert!(course.levels[0].quiz().is_some());
}

#[test]
fn a_broken_file_leaves_the_other_and_says_why() {
    let course = with_file("modules/first.yaml", |_| "level: [".to_owned());
    let problem = course.levels[0].lesson.as_ref().unwrap_err();
    assert_eq!((problem.code, problem.line, problem.file.as_str()), ("yaml", 1, "modules/first.yaml"));
    assert!(course.levels[0].quiz().is_some());
    assert_eq!(course.title, "A small course");
}

#[test]
fn a_slot_that_cannot_be_read_is_never_left_out() {
    let course = with_file("quizzes/first.yaml", |text| text.replacen("bloom: apply", "bloom: fly", 1));
    assert_eq!(course.levels[0].quiz_problem().unwrap().code, "unknown-name");
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

#[test]
fn a_gate_that_cannot_be_is_the_usual_one_and_is_told() {
    for percent in [0, 101, 150] {
        let course =
            with_file("modules/course.yaml", |text| text.replace("percent: 80", &format!("percent: {percent}")));
        assert_eq!(course.gate.required(8), 7, "{percent}");
        assert_eq!(course.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["bad-gate"]);
    }
}

#[test]
fn a_level_whose_id_is_taken_is_left_out() {
    let twice = "levels:\n  - { id: first, title: T, question: Q, lesson: other.yaml }";
    let course = with_file("modules/course.yaml", |text| text.replace("levels:", twice));
    assert_eq!(course.levels.iter().map(|level| level.title.as_str()).collect::<Vec<_>>(), ["T"]);
    assert!(
        course.problems.iter().any(|problem| problem.code == "duplicate-id" && problem.line == 9),
        "{:?}",
        course.problems
    );
}
