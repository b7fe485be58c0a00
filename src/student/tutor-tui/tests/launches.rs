//! Launches before the device is known.

use super::drive::Driver;
use crate::prelude::*;
use tutor_course::CourseSource;
use tutor_exec::protocol::{Device, DeviceKind, ExecError, ExecErrorKind, LaunchRequest, Reply};

/// Returns a driver on a page of the first level that launches two kernels. The question is answered, the picture gets the
/// keys, and Enter has started the launch.
fn launched() -> Driver {
    let mut driver = Driver::of(&CourseSource::BuiltIn, (80, 24));
    driver.open("run-both");
    driver.press("a<Enter><Tab><Enter>");
    driver
}

fn launches(driver: &Driver) -> Vec<&LaunchRequest> {
    let pending = driver.pending.iter();
    pending.filter_map(|effect| if let Effect::Launch(request) = effect { Some(&**request) } else { None }).collect()
}

pub(super) fn described(kind: DeviceKind) -> Msg {
    Msg::Worker(Reply::Description(Device::named(kind, "some").into()))
}

#[test]
fn a_launch_waits_until_it_is_known_where_it_runs_and_then_suits_that_device() {
    for (kind, n) in [(DeviceKind::Emulator, 512), (DeviceKind::Cuda, 4096)] {
        let mut driver = launched();
        assert!(launches(&driver).is_empty() && driver.model.job.as_ref().unwrap().held);
        driver.sees(&["looking for a GPU"]);
        driver.send(described(kind));
        let sizes: Vec<u32> = launches(&driver).iter().map(|request| request.shape.n).collect();
        assert_eq!(sizes, [n], "{kind:?}");
        let job = driver.model.job.as_ref().unwrap();
        assert!(!job.held && job.request == *launches(&driver)[0]);
    }
}

#[test]
fn what_lies_below_stays_told_while_a_launch_runs() {
    let mut driver = launched();
    driver.press("<Esc>");
    for (width, height) in [(60, 18), (80, 20)] {
        driver.send(Input::Resize(Size { width, height }));
        driver.press(&"<PageUp>".repeat(9));
        let running = driver.text();
        assert!(running.contains("looking for a GPU"), "{running}");
        let job = driver.model.job.take();
        let resting = driver.text();
        let mark = |screen: &str| screen.lines().find_map(|row| row.find('▼').map(|at| row[at..].trim().to_owned()));
        assert!(mark(&resting).is_some(), "{resting}");
        assert_eq!(mark(&running), mark(&resting), "{running}");
        driver.model.job = job;
    }
}

#[test]
fn a_launch_that_waits_can_be_stopped_and_ends_with_its_page() {
    for keys in ["X", "n", "<Esc><Esc>"] {
        let mut driver = launched();
        driver.press(keys);
        assert_eq!(driver.model.job, None, "{keys}");
        driver.send(described(DeviceKind::Emulator));
        assert!(launches(&driver).is_empty(), "{keys}");
    }
}

#[test]
fn without_a_worker_a_launch_says_why_it_fails() {
    let mut driver = launched();
    let error = ExecError::new(ExecErrorKind::Worker, "there is none".to_owned());
    driver.send(Msg::Worker(Reply::Failed { id: 0, error }));
    assert_eq!(launches(&driver).len(), 1);
}

#[test]
fn what_does_not_depend_on_the_device_is_launched_as_it_was_asked_for() {
    let mut driver = Driver::all_open((80, 24));
    let course = std::sync::Arc::clone(&driver.model.data.course);
    let mut all =
        (0..course.levels.len()).flat_map(|level| (0..pages(&course.levels[level]).len()).map(move |at| (level, at)));
    // The bank simulator counts the page's access in a real kernel.
    all.find(|(level, page)| {
        driver.open_page(*level, *page);
        driver.press("a<Enter><Tab>");
        driver.model.actions().contains(&Action::RealKernel)
    });
    driver.press("r");
    let request = driver.model.job.as_ref().unwrap().request.clone();
    assert!(launches(&driver).is_empty());
    driver.send(described(DeviceKind::Emulator));
    assert_eq!(launches(&driver), [&request]);
}
