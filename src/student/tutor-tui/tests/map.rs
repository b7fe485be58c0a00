//! The course map and its overlays: what keys do there, from the student's point of view.

use super::drive::{Driver, driver, fixture_copy};
use crate::prelude::*;
use tutor_exec::protocol::{ExecError, ExecErrorKind, Queued, Reply};
use tutor_progress::{Prediction, Predictions};

#[test]
fn a_worker_that_is_silent_or_lost_is_told_at_the_top_and_a_lost_one_with_its_reason() {
    let mut driver = driver();
    driver.send(Msg::Worker(Reply::Silent { id: 0, seconds: 2.2, limit: 60.0 }));
    driver.sees(&["the worker has sent nothing for 2 s"]);
    let error = ExecError::new(ExecErrorKind::Worker, "The worker `x` cannot be started: no such file.");
    driver.send(Msg::Worker(Reply::Failed { id: 0, error }));
    driver.sees(&["no worker (the worker `x` cannot be started", "The worker `x` cannot be started: no such file."]);
}

#[test]
fn a_worker_that_waits_in_a_queue_is_told_at_the_top_and_asked_only_for_a_launch() {
    let mut driver = driver();
    (driver.model.data.queues, driver.model.data.no_reply) = (true, Some(crate::app_data::NoWorkerReply::Unasked));
    driver.model.dirty = true;
    driver.sees(&[&t!("map-worker-unasked")]);
    let queued = Queued { job: "123".into(), state: "PENDING".into(), reason: "Priority".into() };
    driver.send(Msg::Worker(Reply::Waiting { id: 0, queued }));
    driver.sees(&[&t!("exec-waiting-reason", job = 123, state = "PENDING", reason = "Priority")]);
    driver.send(Msg::Worker(Reply::Finished { id: 0, cancelled: true }));
    driver.sees(&[&t!("map-worker-unasked")]);
}

#[test]
fn the_map_offers_a_quiz_only_where_there_is_one_to_take() {
    let mut driver = Driver::all_open((120, 40));
    driver.model.data.progress.levels[2].gated = false;
    let offers = |driver: &mut Driver| driver.press("<Home><Down><Down>").model.actions();
    let actions = offers(&mut driver);
    assert!(actions.contains(&Action::Pages));
    assert!(!actions.contains(&Action::Gate) && !actions.contains(&Action::Practice), "{actions:?}");
    let actions = driver.press("<Home>").model.actions();
    assert!(actions.contains(&Action::Gate) && actions.contains(&Action::Practice));
    driver.model.data.progress.levels[1].locked = true;
    let actions = driver.press("<Down>").model.actions();
    assert!(!actions.contains(&Action::Gate) && !actions.contains(&Action::Pages), "{actions:?}");
}

#[test]
fn the_map_tells_what_is_wrong_with_the_course_s_own_kernels() {
    let (course, source) = fixture_copy();
    std::fs::create_dir(course.path().join("kernels")).unwrap();
    let catalog = "kernels:\n  - id: mine\n    level: first\n    wrongly: spelt\n";
    std::fs::write(course.path().join("kernels/catalog.yaml"), catalog).unwrap();
    let mut driver = Driver::of(&source, (100, 30));
    driver.sees(&["kernels/catalog.yaml:4:", "wrongly", "matmul-tutor course check"]);
}

/// Opens the built-in course with the first `done` levels done.
fn advanced(done: usize, size: (u16, u16)) -> Driver {
    let mut driver = Driver::of(&tutor_course::CourseSource::BuiltIn, size);
    for (at, level) in driver.model.data.progress.levels.iter_mut().enumerate() {
        (level.locked, level.unlocked_by) = (at > done, (at > done).then(|| "one-thread".to_owned()));
        level.passed = level.gated && at < done;
    }
    let made = Predictions::once(Prediction { choice: Some(0), correct: Some(true) });
    let course = std::sync::Arc::clone(&driver.model.data.course);
    for (at, level) in course.levels[..done].iter().enumerate() {
        let pages = &level.lesson.as_ref().unwrap().pages;
        driver.model.data.progress.levels[at].read = pages.iter().map(|page| page.id.value.clone()).collect();
        let ids = pages.iter().map(|page| (level.id.clone(), page.id.value.clone()));
        driver.model.data.predictions.extend(ids.map(|id| (id, made)));
    }
    driver
}

#[test]
fn a_small_screen_shows_nine_levels_and_says_how_many_more_there_are() {
    let mut driver = advanced(0, (60, 18));
    let course = std::sync::Arc::make_mut(&mut driver.model.data.course);
    let last = course.levels[8].title.clone();
    course.levels.truncate(9);
    driver.sees(&[&last]).lacks(&["▼"]);
    let course = std::sync::Arc::make_mut(&mut driver.model.data.course);
    course.levels.extend(course.levels[..3].to_vec());
    driver.sees(&["▼ 2 more"]).press("G").lacks(&["▼"]);
}

#[test]
fn a_gate_that_was_passed_unread_tells_no_share_that_a_page_still_asks_for() {
    let mut driver = advanced(1, (120, 40));
    let shown = driver.text().matches('○').count();
    driver.model.data.predictions.retain(|(_, page), _| page != "run-both");
    // That page asks about both kernels of level 1.
    assert_eq!(driver.text().matches('○').count(), shown - 2);
    let mut narrow = advanced(1, (80, 24));
    let title = narrow.model.data.course.levels[0].title.clone();
    assert!(narrow.text().lines().any(|line| line.contains(&title) && line.contains('%')));
    narrow.model.data.predictions.clear();
    assert!(!narrow.text().lines().any(|line| line.contains(&title) && line.contains('%')));
}

#[test]
fn the_map_tells_no_share_of_cublas_before_its_gate_is_passed() {
    let recording = tutor_exec::recorded::Recording::built_in().first().unwrap();
    let kernel = |id: &str| tutor_kernels::Catalog::built_in().kernel(id).unwrap();
    for size in [(80, 24), (100, 60), (120, 40), (200, 60)] {
        for done in [0, 1, 2] {
            let mut driver = advanced(done, size);
            let text = driver.text();
            let n = driver.model.data.shares_at.unwrap();
            let rungs = driver.model.data.ladder.clone();
            let visible = rungs.iter().filter(|rung| rung.level < done).count();
            assert_eq!(
                rungs.len() - visible,
                rungs.iter().filter(|rung| !driver.model.data.may_show_speed(rung.level)).count()
            );
            if size.0 >= 100 {
                assert_eq!(text.matches('○').count(), 1 + visible, "{text}");
            }
            for (at, level) in driver.model.data.course.levels.iter().enumerate() {
                let mut shares: Vec<f64> =
                    level.ladder.iter().filter_map(|id| recording.share_of_cublas(kernel(id), n)).collect();
                shares.sort_by(f64::total_cmp);
                // A level whose kernels were not recorded shows no shares.
                let shown = driver.model.data.shares.get(&level.id).map(|shown| (shown.low, shown.high));
                assert_eq!(shown, shares.first().copied().zip(shares.last().copied()), "{}", level.id);
                assert!(shown.is_some(), "{} is without a recording", level.id);
                let Some(line) = text.lines().find(|line| line.contains(&level.title)) else {
                    assert!(text.contains('▼'), "{} is below the screen\n{text}", level.id);
                    continue;
                };
                assert_eq!(line.contains('%') && size.0 < 110, at < done && size.0 < 110 && shown.is_some(), "{line}");
            }
        }
    }
}

#[test]
fn the_student_s_own_run_stands_on_the_ladder_only_beside_its_own_gpu_and_size() {
    let mut driver = advanced(2, (120, 40));
    let n = driver.model.data.shares_at.unwrap();
    let run = |device: &str, n: u32| tutor_exec::run_record::RunRecord {
        kernel: "sgemm_tiled".into(),
        shape: [n; 3],
        device: device.into(),
        driver: None,
        median_ms: Some(9.0),
        verified: Some(true),
    };
    for (device, size, own) in [("NVIDIA H200", n, 1), ("NVIDIA H200", n / 2, 0), ("NVIDIA L4", n, 0)] {
        driver.model.data.best_runs = vec![run(device, size)];
        let text = driver.text();
        // One of them is in the legend.
        assert_eq!(text.matches('●').count(), 1 + own, "{device} {size}\n{text}");
        assert_eq!(text.contains("timed on NVIDIA L4"), device == "NVIDIA L4", "{text}");
    }
}

#[test]
fn esc_from_a_level_returns_to_where_next_is() {
    let mut driver = driver();
    driver.press("<Enter>");
    let progress = &mut driver.model.data.progress;
    progress.levels[1].locked = false;
    progress.next = Some(tutor_progress::Next { level: "second".into(), page: None, exercise: false });
    let text = driver.press("<Esc>").text();
    assert!(matches!(driver.model.screens.as_slice(), [Screen::Map(map)] if map.cursor == 1), "{text}");
    // After the student moves the cursor, it stays there.
    driver.press("<Down>");
    let progress = driver.model.data.progress.clone();
    driver.send(Msg::Progress(Box::new(progress)));
    assert!(matches!(driver.model.screens.as_slice(), [Screen::Map(map)] if map.cursor == 2));
}

#[test]
fn quitting_asks_only_while_something_runs() {
    use crate::app::{Job, Overlay};
    use crate::effect::Effect;
    let request = tutor_exec::protocol::LaunchRequest {
        on: tutor_exec::protocol::Target::Emulator,
        verify: true,
        counts: true,
        ..tutor_exec::protocol::LaunchRequest::new(7, Vec::new(), tutor_exec::protocol::Shape::new(8, 8, 8))
    };
    let mut driver = driver();
    driver.model.job = Some(Job::new(request, std::time::Duration::ZERO));
    driver.press("q").sees(&["A kernel is running"]);
    assert!(driver.pending.is_empty());
    driver.press("<Esc>");
    assert!(driver.model.overlays.is_empty() && driver.pending.is_empty());
    assert_eq!(driver.press("q<Enter>").pending, [Effect::Quit]);
    assert_eq!(driver.model.overlays, Vec::<Overlay>::new());
}

#[test]
fn a_notice_never_takes_a_key_s_place() {
    for size in [(60, 18), (80, 24), (120, 40)] {
        let mut driver = Driver::new(size);
        let keys = |driver: &mut Driver| driver.text().lines().last().unwrap().to_owned();
        let before = keys(&mut driver);
        let notice = "A sentence that is long enough to be told on a row of its own, or at the end.";
        driver.send(Msg::Say(notice.into()));
        assert!(keys(&mut driver).starts_with(before.trim_end()), "{}", driver.text());
        driver.sees(&["A sentence that is long enough to be told"]);
    }
}

#[test]
fn nothing_of_what_is_below_touches_an_overlay() {
    for (size, keys) in [((80, 24), "?"), ((80, 24), ":"), ((60, 18), "/"), ((120, 40), "p")] {
        let mut driver = Driver::new(size);
        let text = driver.press("<Enter>").press(keys).text();
        let frame = |line: &str| line.find(['│', '╭', '╰']).map(|at| line[..at].to_owned());
        for line in text.lines().filter_map(frame) {
            assert!(line.is_empty() || line.ends_with(' '), "{keys}: {line:?}\n{text}");
        }
    }
}

#[test]
fn the_race_plays_a_recording_and_says_so() {
    let mut driver = Driver::all_open((80, 24));
    driver.model.motion = false;
    driver.press("r").sees(&[&t!("ilp-recorded", device = "NVIDIA H200"), "no GPU here", "cuBLAS", "What changed?"]);
    driver.sees(&["1 One thread per element", &t!("climb-slower"), &t!("climb-faster"), "on the same numbers."]);
    assert!(driver.model.job.is_none(), "nothing is launched");
    driver.press("<Esc>").sees(&["r contest"]);
}

#[test]
fn the_map_shows_the_ladder_and_no_sum_of_pages() {
    let mut driver = Driver::of(&tutor_course::CourseSource::BuiltIn, (80, 24));
    let text = driver.text();
    assert_eq!(text.lines().filter(|line| line.trim_end().ends_with("░░░┊")).count(), 10, "{text}");
    let total: u32 = driver.model.data.progress.levels.iter().map(|level| level.pages.total).sum();
    for size in [(60, 18), (80, 24), (120, 40), (200, 60)] {
        let text = Driver::of(&tutor_course::CourseSource::BuiltIn, size).text();
        assert!(!text.contains(&total.to_string()) && !text.contains("to make"), "{text}");
    }
}
