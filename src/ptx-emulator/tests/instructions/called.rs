//! Calls that are not inlined: the kernels of `tests/fixtures/calls` must give the results of an H200.

use crate::divergence::{compare, options};
use crate::racecheck::{launch, names};
use ptx_emulator::{FaultKind, Measure, Schedule};

/// Kernels that end in a fault: its kind, line and thread, and part of its message. On the H200, `compute-sanitizer`
/// reports the same lines and threads.
const FAULTS: [(&str, FaultKind, u32, u32, &str); 5] = [
    ("assertion", FaultKind::Assertion, 5, 13, "Assertion `depth < 100 || x == 1` failed"),
    ("heap_double_free", FaultKind::InvalidFree, 9, 9, "freed at heap_double_free.cu:8"),
    ("heap_past_the_end", FaultKind::OutOfBounds, 6, 5, "writes 4 bytes of the device heap: byte 40 of 40"),
    (
        "heap_use_after_free",
        FaultKind::OutOfBounds,
        8,
        7,
        "byte 28 of 40 that `malloc` gave at heap_use_after_free.cu:5",
    ),
    ("stack_overflow", FaultKind::StackOverflow, 5, 33, "calls `sink`, 10"),
];

#[test]
fn kernels_that_call_give_what_the_gpu_gives_in_every_schedule() {
    let mut compared = 0;
    for name in names("calls") {
        let kernel = name.split('.').next().unwrap();
        if FAULTS.iter().any(|(fault, ..)| *fault == kernel) {
            continue;
        }
        let hazards = compare("calls", &name);
        assert!(hazards.is_empty(), "{name}: {hazards:?}");
        compared += 1;
    }
    assert!(compared >= 50, "{compared}");
}

#[test]
fn errors_in_calls_are_reported_at_their_line() {
    for (kernel, kind, line, thread, words) in FAULTS {
        for name in [kernel.to_owned(), format!("{kernel}.nvrtc13")] {
            let fault = launch("calls", &name, &options(Schedule::InOrder, Measure::None)).unwrap_err();
            assert_eq!((fault.kind, fault.line), (kind, line), "{name}: {fault}");
            assert_eq!(fault.thread, Some([thread, 0, 0]), "{name}: {fault}");
            assert!(fault.file.ends_with(&format!("{kernel}.cu")), "{name}: {}", fault.file);
            assert!(fault.message.contains(words), "{name}: {fault}");
        }
    }
}

/// Compares with the lines that the H200 printed, in any order of the lanes.
#[test]
fn lanes_at_different_depths_print_what_the_gpu_prints() {
    let path = format!("{}/tests/fixtures/calls/printing_recursion.printed", env!("CARGO_MANIFEST_DIR"));
    let printed = std::fs::read_to_string(path).unwrap();
    let mut expected: Vec<&str> = printed.lines().collect();
    expected.sort_unstable();
    for name in ["printing_recursion", "printing_recursion.nvrtc13"] {
        let (_, run) = launch("calls", name, &options(Schedule::InOrder, Measure::None)).unwrap();
        let mut found: Vec<&str> = run.output.lines().collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{name}");
    }
}
