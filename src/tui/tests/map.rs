//! The course map and what lies over it: what keys do there, told as a student would.

use super::drive::{Driver, driver};
use crate::exec::protocol::{Description, Device, DeviceKind, Reply};
use crate::tui::action::Action;
use crate::tui::app::{Msg, Screen};

#[test]
fn enter_on_the_map_opens_the_next_page_and_esc_comes_back() {
    let mut driver = driver();
    assert!(driver.press("<Enter>").text().contains("What you will be able to do"));
    assert!(driver.press("<Esc>").text().contains("Next: level 1, page 2 of 6"));
}

#[test]
fn a_locked_level_says_what_opens_it_and_stays_closed() {
    let mut driver = driver();
    let text = driver.press("<Down><Enter>").text();
    assert!(text.contains("Locked: pass the gate of level 1"), "{text}");
    assert!(matches!(driver.model.screens.as_slice(), [Screen::Map(_)]));
}

#[test]
fn search_finds_words_of_open_levels_only_and_enter_opens_the_page() {
    let mut driver = driver();
    let text = driver.press("/conflicts").text();
    assert!(text.contains("1.3 Does padding help here?"), "{text}");
    assert!(driver.press("<Enter>").text().contains("page 3/6"));
    let text = driver.press("/책상").text();
    assert!(text.contains("No open page contains all of these words."), "{text}");
}

#[test]
fn search_does_not_tell_what_a_prediction_holds_back() {
    let mut driver = driver();
    assert!(driver.press("/poison").text().contains("No open page"));
    driver.press("<Esc><Enter><Right><Right>c<Enter><Esc>");
    assert!(driver.press("/poison").text().contains("1.3 Does padding"));
}

#[test]
fn a_broken_level_shows_its_reason_and_the_rest_works() {
    let mut driver = driver();
    let text = driver.press("<Down><Down>").text();
    assert!(text.contains("third.yaml:") && text.contains("broken"), "{text}");
    assert!(driver.press("<Up><Up><Enter>").text().contains("page 1/6"));
}

#[test]
fn the_device_is_named_once_the_worker_has_answered() {
    let mut driver = driver();
    assert!(driver.text().contains("looking for a GPU"));
    let device = Device {
        kind: DeviceKind::Emulator,
        name: "SIMT emulator".into(),
        driver: None,
        capability: None,
        multiprocessors: None,
        clock_mhz: None,
    };
    driver.send(Msg::Worker(Reply::Description(Description {
        device,
        why_not_cuda: Some("No NVIDIA driver was found (libcuda.so.1 is missing).".into()),
        cuda: Default::default(),
        nvrtc: Err("no".into()),
        cublas: Err("no".into()),
    })));
    assert!(driver.text().contains("emulator (no NVIDIA driver was found)"), "{}", driver.text());
}

/// The pages of a level as read.
fn read_all(driver: &mut Driver, level: &str) {
    let pages: Vec<String> = crate::tui::world::pages(driver.model.world.level(level).unwrap().1)
        .iter()
        .map(|page| page.id.value.clone())
        .collect();
    for page in pages {
        driver.store.page_read("fixture", level, &page).unwrap();
    }
    let record = driver.store.record("fixture").unwrap();
    let outline = crate::mastery::Outline::from(&*driver.model.world.course);
    driver.send(Msg::Progress(Box::new(crate::mastery::progress(&outline, &record))));
}

#[test]
fn a_gate_is_asked_for_before_it_begins() {
    let mut driver = driver();
    read_all(&mut driver, "first");
    let text = driver.press("<Enter>").text();
    assert!(text.contains("6 questions, 5 right answers pass."), "{text}");
    assert!(text.contains("It opens level 2"), "{text}");
    assert!(matches!(driver.model.screens.as_slice(), [Screen::Map(_)]));
    driver.press("<Esc>");
    assert!(driver.model.overlays.is_empty() && !driver.model.world.progress.levels[0].under_way);
    assert!(driver.press("g<Enter>").text().contains("question 1 of 6"));
    // What is under way goes on without being asked about.
    assert!(driver.press("<Esc><Enter>").text().contains("question 1 of 6"));
}

#[test]
fn practice_can_be_chosen_in_the_place_of_the_gate() {
    let mut driver = driver();
    let text = driver.press("gP").text();
    assert!(text.contains("question 1 of 6") && text.contains("practice"), "{text}");
    assert!(!driver.model.world.progress.levels[0].under_way);
}

#[test]
fn the_map_offers_a_quiz_only_where_there_is_one_to_take() {
    let mut driver = Driver::of(&crate::course::CourseSource::BuiltIn, (120, 40));
    for level in &mut driver.model.world.progress.levels {
        (level.locked, level.unlocked_by) = (false, None);
    }
    let offers = |driver: &mut Driver| driver.press("<Home><Down><Down>").model.actions();
    let actions = offers(&mut driver);
    assert!(actions.contains(&Action::Pages));
    assert!(!actions.contains(&Action::Gate) && !actions.contains(&Action::Practice), "{actions:?}");
    let actions = driver.press("<Home>").model.actions();
    assert!(actions.contains(&Action::Gate) && actions.contains(&Action::Practice));
    driver.model.world.progress.levels[1].locked = true;
    let actions = driver.press("<Down>").model.actions();
    assert!(!actions.contains(&Action::Gate) && !actions.contains(&Action::Pages), "{actions:?}");
}

#[test]
fn a_search_in_vain_says_what_was_not_searched() {
    let mut driver = driver();
    let text = driver.press("/책상").text();
    assert!(text.contains("Not searched: 2 locked levels, and what predictions"), "{text}");
    assert!(driver.press("<Esc>/").text().contains("Type words that a page contains"));
}

#[test]
fn the_map_tells_what_is_wrong_with_the_course_s_own_kernels() {
    let course = tempfile::tempdir().unwrap();
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/course");
    for folder in ["modules", "quizzes"] {
        std::fs::create_dir(course.path().join(folder)).unwrap();
        for entry in std::fs::read_dir(fixture.join(folder)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), course.path().join(folder).join(entry.file_name())).unwrap();
        }
    }
    std::fs::create_dir(course.path().join("kernels")).unwrap();
    let catalog = "kernels:\n  - id: mine\n    level: first\n    wrongly: spelt\n";
    std::fs::write(course.path().join("kernels/catalog.yaml"), catalog).unwrap();
    let mut driver = Driver::of(&crate::course::CourseSource::Directory(course.path().to_owned()), (100, 30));
    let text = driver.text();
    assert!(text.contains("kernels/catalog.yaml:4:") && text.contains("wrongly"), "{text}");
    assert!(text.contains("matmul-tutor check"), "{text}");
}

#[test]
fn the_map_compares_all_levels_at_one_size() {
    let mut driver = Driver::of(&crate::course::CourseSource::BuiltIn, (80, 24));
    let recording = crate::exec::recorded::Recording::built_in().first().unwrap();
    let n = driver.model.world.shares_at.unwrap();
    assert!(driver.text().contains(&format!("of cuBLAS, n = {n}")), "{}", driver.text());
    for level in &driver.model.world.course.levels {
        let shown = driver.model.world.shares[&level.id];
        let mut shares: Vec<f64> = level.ladder.iter().map(|id| recording.share_of_cublas(id, n).unwrap()).collect();
        shares.sort_by(f64::total_cmp);
        assert_eq!((shown.low, shown.high), (shares[0], shares[shares.len() - 1]), "{}", level.id);
    }
}
