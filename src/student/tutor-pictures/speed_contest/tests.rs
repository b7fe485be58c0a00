use super::*;
use crate::checks::{at_every_size, flowing, in_ascii, launched, screen, setting, timing};
use std::sync::LazyLock;
use tutor_course::{Course, CourseSource};
use tutor_exec::protocol::{Description, ExecError, ExecErrorKind, Subject, Verification};

static COURSE: LazyLock<Course> = LazyLock::new(|| Course::load(&CourseSource::BuiltIn, "en"));

fn race(kind: DeviceKind) -> SpeedContest {
    let description: Description = Device::named(kind, "NVIDIA L4").into();
    let setting = Setting { course: Some(&COURSE), description: Some(&description), ..setting() };
    SpeedContest::new(setting, |level, _| level == 0).unwrap()
}

#[test]
fn without_a_gpu_the_bars_of_one_recording_climb_one_after_the_other() {
    let mut race = race(DeviceKind::Emulator);
    assert!(race.focus().is_empty() && race.animating());
    let mut now = Duration::ZERO;
    let mut tick = |race: &mut SpeedContest| {
        now += Duration::from_millis(200);
        race.tick(now)
    };
    tick(&mut race);
    let first = screen(&race, (78, 22));
    assert!(first.contains(&t!("ilp-recorded", device = "NVIDIA H200")) && first.contains("no GPU here"), "{first}");
    assert!(!first.contains("8.628 TFLOP/s"), "the second bar waits\n{first}");
    while race.animating() {
        tick(&mut race);
    }
    let last = screen(&race, (78, 22));
    assert!(last.contains("What changed?") && !first.contains("What changed?"), "{last}");
    let bars: Vec<usize> = last.lines().map(|line| line.matches('█').count()).filter(|cells| *cells > 0).collect();
    assert!(bars.len() >= 8 && bars.iter().max() > Some(&20), "{bars:?}\n{last}");
    let lines = race.describe();
    for line in [
        "1 One thread per element 1.01 %",
        "2 Shared-memory tiling slower than",
        "8 FP32 from tensor cores faster than",
    ] {
        assert!(lines.iter().any(|shown| shown.starts_with(line)), "{line}: {lines:?}");
    }
    assert!(!last.contains("TFLOP/s") && last.contains("once its level is done"), "{last}");
    let small = in_ascii(&race, (58, 16));
    assert!(small.contains("What changed?") && small.contains("same numbers."), "{small}");
    at_every_size(&race);
}

#[test]
fn any_key_ends_the_climb() {
    let mut race = race(DeviceKind::Emulator);
    race.focus();
    race.finish_animation();
    assert!(screen(&race, (78, 22)).contains("What changed?") && !race.animating());
    assert!(race.actions().is_empty(), "there is nothing to launch");
}

#[test]
fn a_gpu_runs_one_kernel_after_the_other_and_shows_no_recorded_time() {
    let mut race = race(DeviceKind::Cuda);
    let mut effects = race.focus();
    let levels = race.lanes.len();
    for lane in 0..levels {
        let request = launched(&effects);
        let (id, programs) = (request.id, request.programs.len());
        assert_eq!((programs, request.shape.n, request.time, request.cublas), (1, LIVE_N, true, true));
        let device = Device::named(DeviceKind::Cuda, "NVIDIA L4");
        assert!(race.reply(&Reply::Started { id, device, note: None, elements: Elements::F32 }));
        if lane == 6 {
            let error = ExecError::new(ExecErrorKind::Invalid, "It needs compute capability 9.0.");
            race.reply(&Reply::Failed { id, error });
        } else {
            race.reply(&Reply::Timed { id, subject: Subject::Program(0), timing: timing(10.0 / (lane + 1) as f64) });
            race.reply(&Reply::Timed { id, subject: Subject::Cublas, timing: timing(2.0) });
            assert!(race.animating(), "the bar climbs once both times are known");
            race.reply(&Reply::Verified { id, program: 0, verification: Verification::default() });
            assert!(race.go_on().is_empty(), "the launch is not over");
            race.reply(&Reply::Finished { id, cancelled: false });
        }
        effects = race.go_on();
    }
    assert!(effects.is_empty() && race.go_on().is_empty());
    race.finish_animation();
    let text = flowing(&race, (78, 22));
    assert!(text.contains("NVIDIA L4") && text.contains("n = 2048") && !text.contains("recorded"), "{text}");
    assert!(text.contains("20.0 %") && text.contains("160 %"), "{text}");
    assert!(text.contains(&t!("climb-failed")) && text.contains("Level 7: It needs compute capability 9.0."), "{text}");
    assert!(text.contains("What changed?"), "{text}");
}

#[test]
fn a_stopped_race_launches_nothing_more() {
    let mut race = race(DeviceKind::Cuda);
    let id = launched(&race.focus()).id;
    assert_eq!(race.act(Action::CancelLaunch), [Effect::CancelLaunch(id)]);
    race.reply(&Reply::Finished { id, cancelled: true });
    assert!(race.go_on().is_empty() && race.actions() == [Action::Launch]);
}
