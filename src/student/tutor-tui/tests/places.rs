//! The student's place in the course, and keys that do nothing.

use super::drive::{Driver, driver};
use crate::app::Overlay;
use crate::prelude::*;
use tutor_course::Show;
use tutor_progress::AttemptKind;

#[test]
fn a_page_that_was_only_looked_at_is_where_the_student_goes_on() {
    let mut driver = driver();
    driver.press("nn").sees(&["page 2/6"]);
    driver.press("<Esc>").sees(&["Next: level 1, page 2 of 6"]);
    assert_eq!(driver.press("n").page(), Some((0, 1)));
    // A page that was left open with `n` comes back after the new ones.
    driver.press("n<Esc>").sees(&["page 3 of 6"]);
    driver.press("nc<Enter><Esc>").sees(&["page 4 of 6"]);
}

#[test]
fn the_gate_says_which_page_is_open() {
    let mut driver = driver();
    driver.press("nnnnnn").sees(&["page 6/6"]);
    driver.press("<End>n").sees(&["3 pages are not done yet", "page 2, “What do you bring?”."]);
}

#[test]
fn keys_typed_ahead_do_not_begin_a_gate() {
    let mut driver = driver();
    driver.press("gb<Enter>");
    assert!(!matches!(driver.model.screens.last(), Some(Screen::Quiz(_))));
    driver.press("<Esc><Esc>g<Enter>");
    assert_eq!(driver.question(), (AttemptKind::Gate, 0));
}

#[test]
fn a_key_that_does_nothing_says_why() {
    let mut driver = driver();
    driver.press("v").sees(&[&t!("app-nothing-due")]);
    driver.press("<Down>g").sees(&["Locked: pass the quiz of level 1"]);
    driver.press("y").sees(&["y does nothing here."]);
    driver.open_page(0, 0);
    driver.press("q").sees(&["q quits on the map."]);
    let mut driver = Driver::all_open((80, 24));
    let closed = |page: &&tutor_course::Page| page.predict.is_some() && matches!(page.show, Some(Show::Run(_)));
    let page = pages(&driver.model.data.course.levels[0]).iter().find(closed).unwrap().id.value.clone();
    driver.open(&page);
    driver.press("<Tab>").sees(&[&t!("lesson-picture-later")]);
    let mut driver = Driver::new((80, 24));
    driver.press("P").press("n").sees(&["Enter gives the answer and continues"]);
    assert_eq!(driver.model.overlays, Vec::<Overlay>::new());
}

#[test]
fn the_race_plays_a_recording_and_says_so() {
    let mut driver = Driver::all_open((80, 24));
    driver.model.motion = false;
    driver.press("r").sees(&[&t!("ilp-recorded", device = "NVIDIA H200"), "no GPU here", "cuBLAS", "What changed?"]);
    driver.sees(&["1 One thread per element", &t!("climb-slower"), &t!("climb-faster"), "In levels 6, 7, 9 both"]);
    assert!(driver.model.job.is_none(), "nothing is launched");
    driver.press("<Esc>").sees(&["r contest"]);
}

#[test]
fn the_map_shows_the_ladder_and_no_sum_of_pages() {
    let mut driver = Driver::of(&tutor_course::CourseSource::BuiltIn, (80, 24));
    let text = driver.text();
    assert_eq!(text.lines().filter(|line| line.contains('┊') && line.trim_end().ends_with('?')).count(), 9, "{text}");
    let total: u32 = driver.model.data.progress.levels.iter().map(|level| level.pages.total).sum();
    for size in [(60, 18), (80, 24), (120, 40), (200, 60)] {
        let text = Driver::of(&tutor_course::CourseSource::BuiltIn, size).text();
        assert!(!text.contains(&total.to_string()) && !text.contains("to make"), "{text}");
    }
}
