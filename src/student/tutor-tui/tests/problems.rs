//! The problems of a course, shown on the pages that have them.

use super::drive::{Driver, copy};
use crate::prelude::*;
use course_check as author;
use std::path::Path;
use tutor_course::{CourseSource, Files};
use tutor_kernels::Catalog;

/// Returns a driver that shows the check's small course after some edits and a check.
fn checked(size: (u16, u16), edits: &[(&str, &str, &str)]) -> (tempfile::TempDir, Driver) {
    let dir = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/course/base"), dir.path());
    for (file, from, to) in edits {
        let path = dir.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        std::fs::write(path, text.replacen(from, to, 1)).unwrap();
    }
    let source = CourseSource::Directory(dir.path().to_owned());
    let mut driver = Driver::of(&source, size);
    let (catalog, found) = Catalog::of_course(Some(dir.path()));
    driver.send(Msg::Checked(author::check(&Files::read(&source, |_| true), &catalog, &found)));
    driver.draw();
    (dir, driver)
}

const MISTAKES: [(&str, &str, &str); 3] = [
    ("modules/first.yaml", "          correct: true\n          reply", "          reply"),
    ("modules/first.yaml", "region: multiply", "region: multply"),
    ("modules/course.yaml", "percent: 80", "percent: 0"),
];

#[test]
fn the_last_line_counts_all_problems_and_a_list_leads_to_each() {
    for size in [(60, 18), (80, 24), (120, 40)] {
        let (dir, mut driver) = checked(size, &MISTAKES);
        let text = driver.text();
        let last = text.lines().last().unwrap().to_owned();
        assert!(last.contains('✘'), "{last}");
        if size.0 == 120 {
            assert!(last.contains("5 errors"), "{last}");
        }
        driver.press("!");
        let text = driver.text();
        for place in ["modules/course.yaml:6:12", "modules/first.yaml:25:7", "modules/first.yaml:45:17"] {
            assert!(text.contains(place), "{size:?}: {place}\n{text}");
        }
        driver.press("j<Enter>");
        let Some(Effect::Edit { file, line, column }) = driver.pending.last() else { panic!("{:?}", driver.pending) };
        assert!(file.starts_with(dir.path()), "{file:?}");
        assert!(*line > 1 && *column > 1, "{line}:{column}");
    }
}

#[test]
fn a_page_says_what_is_wrong_with_it_and_goes_on_saying_it_after_a_reload() {
    let (dir, mut driver) = checked((80, 24), &MISTAKES);
    driver.press("<Enter>n");
    let message = "0 of the choices are marked correct";
    driver.sees(&[message]);
    let data = crate::loading::load_data(&CourseSource::Directory(dir.path().to_owned()), "en");
    driver.send(Msg::Reloaded(Box::new(data)));
    driver.draw();
    driver.sees(&[message]);
    driver.send(Msg::Checked(Vec::new()));
    driver.draw();
    driver.lacks(&["✘", message]);
}

#[test]
fn a_page_whose_kernel_is_not_what_is_shown_says_so() {
    let stale = [
        ("modules/first.yaml", "kernels: [sgemm_tiled, sgemm_tiled32]", "kernels: [tile8, sgemm_tiled32]"),
        ("kernels/tile8.cu", "A_tile[ty][k]", "A_tile[k][ty]"),
    ];
    let (_dir, mut driver) = checked((100, 30), &stale);
    driver.press("<Enter>pjjjjj<Enter>");
    driver.sees(&["assets/ptx/tile8.ptx was compiled from", "`matmul-tutor course build`"]);
}

#[test]
fn a_page_whose_kernel_is_not_built_offers_to_build_it_where_there_is_a_compiler() {
    let stale = [
        ("modules/first.yaml", "kernels: [sgemm_tiled, sgemm_tiled32]", "kernels: [tile8, sgemm_tiled32]"),
        ("kernels/tile8.cu", "A_tile[ty][k]", "A_tile[k][ty]"),
    ];
    let (_dir, mut driver) = checked((100, 30), &stale);
    driver.press("<Enter>pjjjjj<Enter>");
    driver.lacks(&["B build"]);
    driver.send(super::launches::described(tutor_exec::protocol::DeviceKind::Emulator));
    if let Some(found) = &mut driver.model.data.description {
        found.nvrtc = Ok("NVRTC 12.0".to_owned());
    }
    driver.draw();
    driver.sees(&["B build"]);
    driver.press("B");
    assert_eq!(driver.pending.last(), Some(&Effect::Build));
}

#[test]
fn a_gate_that_cannot_be_is_the_usual_one_and_the_map_says_so() {
    for percent in ["0", "150"] {
        let (_dir, mut driver) =
            checked((100, 30), &[("modules/course.yaml", "percent: 80", &format!("percent: {percent}"))]);
        driver.sees(&["needs 7 of 8", "gate needs 80 percent"]);
    }
}
