//! The student's place in the course, and keys that do nothing.

use super::drive::Driver;
use crate::prelude::*;

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
