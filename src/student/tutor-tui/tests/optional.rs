//! Optional pages: how they are reached and left, and that nothing counts them.

use super::drive::{Driver, fixture_copy};
use crate::plain::lines;
use crate::screens::search;
use tutor_support::t;

/// Opens the small course with an optional page, which asks for a prediction, behind its first page.
fn driver() -> (tempfile::TempDir, Driver) {
    let (dir, source) = fixture_copy();
    let file = dir.path().join("modules/first.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    let page = "  - id: aside\n    title: An aside\n    tag: why\n    optional: true\n    text: Unheard words.\n    predict:\n      \
                ask: Is it?\n      choices:\n        - { text: Yes, correct: true, reply: It is. }\n        - { text: No, reply: It is. }\n";
    let text = text.replace("  - id: recall\n", &format!("{page}  - id: recall\n"));
    std::fs::write(&file, text).unwrap();
    (dir, Driver::of(&source, (80, 24)))
}

#[test]
fn next_passes_an_optional_page_and_m_opens_it() {
    let (_dir, mut driver) = driver();
    driver.press("n").sees(&["page 1/6", "m  More on this, if you like: “An aside”"]);
    driver.press("<Enter>").sees(&["page 2/6"]);
    driver.press("<Backspace>").sees(&["page 1/6"]);
    driver.press("m").sees(&["An aside", &t!("lesson-more-on", page = 1)]);
    driver.press("<Backspace>").sees(&["page 1/6"]);
    driver.press("mn").sees(&["page 2/6"]);
    driver.press("p").sees(&["  more: An aside", " 2  What do you bring?"]);
    let spoken = tutor_support::words::speaking(driver.model.words, || lines(&driver.model)).join("\n");
    assert!(spoken.contains("more: An aside"), "{spoken}");
    let found = search::search(&driver.model.data, "unheard");
    assert_eq!(found.iter().map(|found| (found.level, found.page)).collect::<Vec<_>>(), [(0, 1)]);
}

#[test]
fn an_optional_page_counts_nowhere_and_keeps_its_answer() {
    let (_dir, mut driver) = driver();
    let asked = |driver: &Driver| driver.model.data.guesses(0).unwrap().asked;
    assert_eq!(asked(&driver), 1);
    driver.press("nm").press("a<Enter>").sees(&["your answer"]);
    let progress = driver.model.data.progress.level("first").unwrap();
    assert!(progress.read.contains("aside"), "it is done");
    assert_eq!((progress.pages.read, progress.pages.total), (1, 6), "and only the page before it counts");
    assert_eq!(asked(&driver), 2, "an answer that was given counts");
    driver.press("n<Esc>").sees(&["page 2 of 6"]);
}
