//! Diverged warps: the kernels of `tests/fixtures/divergence` must give the results of an H200.

use crate::racecheck::{launch, names};
use ptx_emulator::{Hazard, Measure, Options, Schedule};

/// Returns the words of `out` after a run on an NVIDIA H200 (driver 580.159.04, CUDA 13.0, November 2026).
fn measured(folder: &str, name: &str) -> Vec<u32> {
    let path = format!("{}/tests/fixtures/{folder}/{name}.h200", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.split_whitespace().map(|word| u32::from_str_radix(word, 16).unwrap()).collect()
}

pub(crate) fn options(schedule: Schedule, measure: Measure) -> Options {
    Options { schedule, measure, step_budget: Some(1 << 22), threads: Some(1), ..Options::default() }
}

/// Compares a kernel of a folder with the GPU, in several schedules. Returns the hazards of the measured run.
pub(crate) fn compare(folder: &str, name: &str) -> Vec<Hazard> {
    let expected = measured(folder, name.split('.').next().unwrap());
    let backwards = Schedule::Priority(vec![3, 2, 1, 0]);
    let mut hazards = Vec::new();
    for (schedule, measure) in [
        (Schedule::InOrder, Measure::None),
        (Schedule::InOrder, Measure::All),
        (Schedule::RoundRobin, Measure::None),
        (backwards, Measure::Counts),
    ] {
        let (found, run) = launch(folder, name, &options(schedule.clone(), measure))
            .unwrap_or_else(|fault| panic!("{name}, {schedule:?}: {fault}"));
        assert_eq!(found[..expected.len()], expected, "{name}, {schedule:?}");
        hazards.extend(run.hazards);
    }
    hazards
}

#[test]
fn kernels_that_diverge_give_what_the_gpu_gives_in_every_schedule() {
    let names = names("divergence");
    assert_eq!(names.len(), 20);
    for name in names {
        compare("divergence", &name);
    }
}
