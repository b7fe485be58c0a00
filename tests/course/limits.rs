//! Untrusted courses: whatever is too large is reported and left out, and the rest is read.

use crate::small::Small;
use std::sync::Arc;
use tutor_course::{MAX_COURSE_BYTES, MAX_FILE_PROBLEMS, MAX_PAGES, MAX_PROBLEMS, MAX_TEXT_BYTES, Problem};
use tutor_kernels::{Catalog, MAX_KERNELS, MAX_SOURCE_BYTES};

/// What the first page of the small course asks.
const OWN: &str = "    recall:\n      - ask: What is a warp?\n        answer: 32 threads.\n";

/// Returns a `course.yaml` with `count` levels, each with this lesson and without a quiz.
fn levels(count: usize, lesson: impl Fn(usize) -> String) -> String {
    let level = |at: usize| format!("  - {{ id: l{at}, title: Level {at}, question: Why?, lesson: {} }}\n", lesson(at));
    let levels: String = (0..count).map(level).collect();
    format!("id: many\ntitle: Many\nquestion: Why?\nlanguages: [en]\ngate: {{ percent: 80 }}\nlevels:\n{levels}")
}

#[test]
fn of_many_misfits_the_first_are_told_and_of_a_file_that_many_levels_name_once() {
    let small = Small::new();
    small.write("modules/course.yaml", &levels(4, |_| "misfits.yaml".to_owned()));
    small.write("modules/misfits.yaml", &format!("level: l0\nobjectives: []\npages:\n{}", "- {}\n".repeat(30_000)));
    let course = small.load("en");
    assert_eq!(course.problems.len(), MAX_FILE_PROBLEMS);
    assert_eq!(course.problems[0].to_string().split(':').next(), Some("modules/misfits.yaml"));
    assert_eq!(course.levels.len(), 4);
    assert!(small.problems().len() <= MAX_PROBLEMS);
}

#[test]
fn a_page_that_is_too_long_is_left_out_and_told_and_the_others_stay() {
    let small = Small::new();
    let long = "> ".repeat(MAX_TEXT_BYTES / 2 + 1);
    small.change("modules/first.yaml", |text| {
        text.replacen("tag: preview\n", &format!("tag: preview\n    after: \"{long}\"\n"), 1)
    });
    let course = small.load("en");
    let pages = &course.levels[0].lesson.as_ref().unwrap().pages;
    assert_eq!(pages[0].id.value, "guess");
    let problem = &course.problems[0];
    assert_eq!((problem.code, problem.file.as_str()), ("too-large", "modules/first.yaml"));
    assert!(problem.line > 0 && problem.message.contains("16 KiB of text"), "{problem}");
    // Many texts that are short individually.
    let small = Small::new();
    let recall = format!("      - {{ ask: \"{}\", answer: x }}\n", "a ".repeat(5000)).repeat(4);
    small.change("modules/first.yaml", |text| text.replacen(OWN, &format!("    recall:\n{recall}"), 1));
    let course = small.load("en");
    assert_eq!(course.levels[0].lesson.as_ref().unwrap().pages[0].id.value, "guess");
    assert!(course.problems[0].message.contains("more than 32 KiB"), "{}", course.problems[0]);
}

#[test]
fn an_anchor_does_not_get_around_the_length_of_a_page() {
    let small = Small::new();
    let recall = "      - { ask: *a, answer: *a }\n".repeat(50);
    let lesson = format!(
        "level: first\nobjectives: []\npages:\n  - id: p\n    title: T\n    tag: why\n    text: &a \"{}\"\n    recall:\n{recall}",
        "a ".repeat(5000)
    );
    small.write("modules/first.yaml", &lesson);
    let course = small.load("en");
    assert_eq!(course.levels[0].lesson.as_ref().map_or(0, |lesson| lesson.pages.len()), 0);
    assert_eq!(course.problems[0].code, "too-large");
}

#[test]
fn surplus_pages_are_left_out_at_once() {
    let small = Small::new();
    let page = |at: usize| format!("  - id: p{at}\n    title: Page\n    tag: why\n    text: x\n");
    let pages: String = (0..MAX_PAGES + 50).map(page).collect();
    small.write("modules/first.yaml", &format!("level: first\nobjectives: []\npages:\n{pages}"));
    let course = small.load("en");
    assert_eq!(course.levels[0].lesson.as_ref().unwrap().pages.len(), MAX_PAGES);
    let told: Vec<(&str, u32)> = course.problems.iter().map(|problem| (problem.code, problem.line)).collect();
    assert_eq!(told, [("too-many", 4 + 4 * MAX_PAGES as u32)]);
}

#[test]
fn a_course_that_is_too_large_is_read_up_to_its_limit_and_that_is_told_once() {
    let small = Small::new();
    small.write("modules/course.yaml", &levels(20, |at| format!("l{at}.yaml")));
    let filler = format!("# {}\n", "x".repeat(98)).repeat((MAX_COURSE_BYTES / 16 - 100) / 101);
    for at in 0..20 {
        small.write(&format!("modules/l{at}.yaml"), &format!("level: l{at}\nobjectives: []\npages: []\n{filler}"));
    }
    let course = small.load("en");
    assert_eq!(course.levels.iter().filter(|level| level.lesson.is_ok()).count(), 16);
    let told: Vec<&Problem> = course.problems.iter().filter(|problem| problem.code == "too-large").collect();
    assert_eq!(told.len(), 1, "{:?}", course.problems);
    assert!(told[0].file == "modules/course.yaml" && told[0].line > 6, "{}", told[0]);
    assert!(course.levels[19].lesson.as_ref().is_err_and(|problem| problem.code == "too-large"));
}

#[test]
fn a_file_that_a_thousand_kernels_name_is_read_once() {
    let small = Small::new();
    let entry = |at: usize| {
        format!(
            "- {{id: k{at}, level: one, title: t, file: a.cu, entry: k, block: [32,1,1], grid: [\"1\"], min_arch: sm_75, \
             expected_wrong: false, about: x}}\n"
        )
    };
    small.write("kernels/catalog.yaml", &format!("kernels:\n{}", (0..1000).map(entry).collect::<String>()));
    small.write("kernels/a.cu", &format!("// {}\n", "x".repeat(60)).repeat(MAX_SOURCE_BYTES / 64));
    let (catalog, problems) = Catalog::from_directory(small.root());
    assert_eq!(catalog.kernels().len(), MAX_KERNELS);
    let [first, .., last] = catalog.kernels() else { panic!("no kernels") };
    assert!(Arc::ptr_eq(&first.source, &last.source));
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].line, 2 + MAX_KERNELS as u32);
    // A source that is too long is reported once, and no kernel has it.
    small.write("kernels/a.cu", &"x".repeat(MAX_SOURCE_BYTES + 1));
    let (catalog, problems) = Catalog::from_directory(small.root());
    assert!(catalog.kernels().is_empty());
    assert!(problems.len() == 2 && problems[1].message.contains("longer than 256 KiB"), "{problems:?}");
}
