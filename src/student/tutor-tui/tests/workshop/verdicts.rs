//! Verdicts for tests.

use ptx_emulator::HazardKind;
use serde_json::json;
use tutor_exec::judge::{Cause, Count, Finding, Goal, Verdict};
use tutor_exec::protocol::Shape;

pub(super) fn finding(goal: Goal, cause: Cause, message: &str) -> Finding {
    Finding {
        goal,
        message: message.into(),
        help: None,
        place: None,
        shape: Some(Shape::new(17, 33, 5)),
        cause,
        hazard: None,
        wrong: Vec::new(),
    }
}

pub(super) fn failed(finding: Finding) -> Verdict {
    Verdict::Failed(Box::new(finding))
}

/// Returns a verdict in which all elements after row 7, and all after column 15, are incorrect.
pub(super) fn wrong() -> Verdict {
    let wrong = (0..17)
        .flat_map(|row| (0..33).map(move |column| [row, column]))
        .filter(|[row, column]| *row > 7 || *column > 15);
    let message = "M 17, N 33, K 5: 433 of 561 elements are wrong. C[0][16] is 0, and should be 1.5.";
    let found = Finding { wrong: wrong.collect(), ..finding(Goal::Results, Cause::Other, message) };
    failed(Finding { help: Some("Which threads have nothing to load?".into()), ..found })
}

pub(super) fn race(file: &str, [first, second]: [u32; 2]) -> Verdict {
    let access = |access: &str, line: u32| json!({ "thread": [3, 1, 0], "access": access, "file": file, "line": line, "ptx_line": 1 });
    let hazard = json!({
        "kind": "RAW", "space": "shared", "block": [0, 0, 0], "address": 64, "bytes": 4,
        "first": access("write", first), "second": access("read", second), "occurrences": 12,
    });
    let hazard = serde_json::from_value(hazard).unwrap();
    let message = "M 17, N 33, K 5: RAW hazard on a word of shared memory, and nothing says which comes first.";
    let found = finding(Goal::Hazards, Cause::Hazard(HazardKind::Raw), message);
    failed(Finding { hazard: Some(hazard), place: Some((file.into(), second)), ..found })
}

pub(super) fn slow() -> Verdict {
    failed(finding(
        Goal::Counts,
        Cause::Count(Count::SharedWavefronts),
        "M 256, N 256, K 128: shared memory takes 12 wavefronts; at most 8 pass.",
    ))
}
