//! Sequences of replies, and what is read from them.

use super::*;
use crate::protocol::Program;
use serde_json::{Value, json};
use tutor_kernels::Elements;
use tutor_kernels::nvrtc::Compiled;

const ID: u64 = 7;

fn request() -> LaunchRequest {
    let programs = vec![Program::new("first"), Program::new("second")];
    LaunchRequest { hazards: true, ..LaunchRequest::new(ID, programs, Shape::square(64)) }
}

fn timed(id: u64, subject: Subject, median_ms: f64) -> Reply {
    Reply::Timed { id, subject, timing: Timing { median_ms, ..Timing::default() } }
}

fn verified(program: usize, verified: bool, mismatches: u64) -> Reply {
    let verification = Verification { verified, mismatches, elements: 4096, ..Verification::default() };
    Reply::Verified { id: ID, program, verification }
}

fn counted(program: usize, hazards: usize) -> Reply {
    let access =
        |access: &str| json!({ "thread": [0, 0, 0], "access": access, "file": "a.cu", "line": 1, "ptx_line": 1 });
    let hazard = json!({
        "kind": "WAR", "space": "shared", "block": [0, 0, 0], "address": 0, "bytes": 4,
        "first": access("read"), "second": access("write"), "occurrences": 1,
    });
    let hazards = vec![serde_json::from_value(hazard).unwrap(); hazards];
    Reply::Counted { id: ID, program, counts: Counts::default(), hazards, undefined: vec![], seconds: 0.5 }
}

fn started(kind: DeviceKind) -> Reply {
    let note = Some("no driver".into());
    Reply::Started { id: ID, device: Device::named(kind, "a device"), note, elements: Elements::F32 }
}

fn failed(kind: ExecErrorKind) -> Reply {
    Reply::Failed { id: ID, error: ExecError::new(kind, "it broke") }
}

fn note(text: &str) -> Reply {
    Reply::Note { id: ID, text: text.into() }
}

/// What the table reads from results.
fn read(of: &LaunchResults) -> Value {
    let program = |found: &ProgramResults| {
        json!({
            "ms": found.timed.median_ms(), "samples": found.timed.samples, "wrong": found.wrong_elements(),
            "is": found.correctness(), "seconds": found.seconds, "instead": found.instead.as_ref().map(|(id, _)| id),
            "skipped": found.skipped.as_ref().map(|error| error.message.to_string()),
            "estimated": found.estimated.as_ref().map(Result::is_ok),
        })
    };
    json!({
        "state": format!("{:?}", of.state).split(['(', '{']).next().map(str::trim),
        "device": of.device.as_ref().map(|device| &device.name), "emulated": of.is_on(DeviceKind::Emulator),
        "why": of.why_not_cuda.as_ref().map(ToString::to_string), "fraction": of.fraction(),
        "cublas": of.cublas.median_ms(), "default": of.cublas_default.median_ms(),
        "mhz": of.conditions.map(|seen| seen.sm_mhz[1]), "silent": of.silent, "queued": of.queued.is_some(),
        "notes": of.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "printed": of.printed.iter().map(|part| (part.program, &part.text, part.cut)).collect::<Vec<_>>(),
        "programs": of.programs.iter().map(program).collect::<Vec<_>>(),
    })
}

/// Applies replies to a new launch. `changes` has a `+` for each reply that must change the results, and a `-` for each
/// other one. Every entry of `expected` must be read from the results.
#[track_caller]
fn check(replies: &[Reply], changes: &str, expected: &[(&str, Value)]) -> LaunchResults {
    let mut results = LaunchResults::of(&request());
    let signs: String = replies.iter().map(|reply| if results.apply(reply) { '+' } else { '-' }).collect();
    assert_eq!(signs, changes, "{replies:?}");
    let found = read(&results);
    for (pointer, value) in expected {
        assert_eq!(found.pointer(pointer), Some(value), "{pointer} after {replies:?}");
    }
    results
}

#[test]
fn every_sequence_of_replies_is_read_as_the_table_says() {
    let (first, second) = (Subject::Program(0), Subject::Program(1));
    let estimated = Reply::Estimated { id: ID, program: 1, device: "a GPU".into(), estimated: Err("no table".into()) };
    let skipped = Reply::Skipped { id: ID, program: 1, error: ExecError::new(ExecErrorKind::Invalid, "too wide") };
    let instead = Reply::Instead { id: ID, program: 0, kernel: "other".into(), why: "too small".into() };
    let progress = Reply::Progress { id: ID, doing: "emulating".into(), fraction: 0.5 };
    let printed = |program, cut| Reply::Printed { id: ID, program, text: "x\n".into(), cut };
    let seen = Conditions { sm_mhz: [1, 2, 3], watts: [1.0; 3] };
    let (silent, over) =
        (Reply::Silent { id: ID, seconds: 3.0, limit: 9.0 }, |cancelled| Reply::Finished { id: ID, cancelled });
    let waiting = Reply::Waiting { id: ID, queued: Queued::default() };
    let is = |program: usize| ["/programs/0/is", "/programs/1/is"][program];
    check(&[], "", &[("/state", json!("Running")), ("/device", Value::Null), (is(0), json!("not_compared"))]);
    // A whole launch on a GPU, with cuBLAS.
    check(
        &[
            started(DeviceKind::Cuda),
            Reply::Sample { id: ID, subject: first, ms: 2.0, launches: 3 },
            timed(ID, first, 3.0),
            timed(ID, first, 2.0),
            timed(ID, second, 4.0),
            timed(ID, Subject::CublasDefault, 1.5),
            timed(ID, Subject::Cublas, 1.0),
            Reply::Conditions { id: ID, conditions: seen },
            verified(0, true, 0),
            over(false),
        ],
        "++++++++++",
        &[
            ("/state", json!("Over")),
            ("/programs/0/ms", json!(2.0)),
            ("/programs/0/samples", json!([2.0])),
            ("/programs/1/ms", json!(4.0)),
            ("/cublas", json!(1.0)),
            ("/default", json!(1.5)),
            ("/mhz", json!(2)),
            ("/emulated", json!(false)),
            (is(0), json!("right")),
            (is(1), json!("not_compared")),
        ],
    );
    // On the emulator, without a time and without cuBLAS.
    check(
        &[
            started(DeviceKind::Emulator),
            progress.clone(),
            verified(0, true, 0),
            counted(0, 1),
            counted(1, 0),
            estimated,
        ],
        "++++++",
        &[
            ("/emulated", json!(true)),
            ("/why", json!("no driver")),
            ("/fraction", json!(0.5)),
            ("/cublas", Value::Null),
            (is(0), json!("hazard")),
            (is(1), json!("not_compared")),
            ("/programs/0/seconds", json!(0.5)),
            ("/programs/1/estimated", json!(false)),
        ],
    );
    // The worker's verdict counts, even if it found no single element.
    check(
        &[verified(0, false, 0), verified(1, false, 5), counted(1, 1)],
        "+++",
        &[
            (is(0), json!("wrong")),
            ("/programs/0/wrong", json!(1)),
            (is(1), json!("wrong")),
            ("/programs/1/wrong", json!(5)),
        ],
    );
    // Replies to other requests, and about programs that the launch does not have.
    check(
        &[
            timed(ID + 1, first, 1.0),
            Reply::Finished { id: 0, cancelled: true },
            verified(2, true, 0),
            timed(ID, Subject::Program(9), 1.0),
            Reply::Compiled { id: ID, compiled: Compiled::default() },
        ],
        "-----",
        &[("/state", json!("Running")), ("/programs/0/ms", Value::Null), (is(1), json!("not_compared"))],
    );
    // Nothing changes after the last reply.
    check(
        &[over(true), verified(0, true, 0), over(false)],
        "+--",
        &[("/state", json!("Over")), (is(0), json!("not_compared"))],
    );
    check(
        &[progress, failed(ExecErrorKind::KernelFault), timed(ID, first, 1.0)],
        "++-",
        &[("/state", json!("Failed")), ("/fraction", json!(0.0)), ("/programs/0/ms", Value::Null)],
    );
    // Each remark once; the parts of the output in their order.
    check(
        &[instead, skipped, note("a"), note("b"), note("a"), printed(Some(1), 0), printed(None, 4)],
        "++++-++",
        &[
            ("/notes", json!(["a", "b"])),
            ("/printed", json!([[1, "x\n", 0], [null, "x\n", 4]])),
            ("/programs/0/instead", json!("other")),
            ("/programs/1/skipped", json!("too wide")),
        ],
    );
    // Silence and waiting end with the next reply.
    check(std::slice::from_ref(&silent), "+", &[("/silent", json!([3.0, 9.0]))]);
    check(std::slice::from_ref(&waiting), "+", &[("/queued", json!(true))]);
    check(&[silent, waiting, note("a")], "+++", &[("/silent", Value::Null), ("/queued", json!(false))]);
}

#[test]
fn only_a_launch_that_ran_to_its_end_gives_results() {
    let finished = |reply: &[Reply]| {
        let mut results = LaunchResults::of(&request());
        reply.iter().for_each(|reply| assert!(results.apply(reply)));
        results.finished().map(|results| results.is_some()).map_err(|error| error.kind)
    };
    assert_eq!(finished(&[Reply::Finished { id: ID, cancelled: false }]), Ok(true));
    assert_eq!(finished(&[Reply::Finished { id: ID, cancelled: true }]), Ok(false));
    assert_eq!(finished(&[failed(ExecErrorKind::Interrupted)]), Ok(false));
    assert_eq!(finished(&[failed(ExecErrorKind::NoDevice)]), Err(ExecErrorKind::NoDevice));
    assert_eq!(finished(&[]), Ok(false));
}

#[test]
fn hazards_are_unknown_unless_the_launch_looks_for_them_and_old_batches_go() {
    let mut results = LaunchResults::of(&LaunchRequest { hazards: false, ..request() });
    assert!(results.apply(&counted(0, 1)));
    assert_eq!(results.programs[0].hazards, None);
    for batch in 0..300 {
        results.apply(&Reply::Sample { id: ID, subject: Subject::Cublas, ms: f64::from(batch), launches: 1 });
    }
    assert_eq!((results.cublas.samples.len(), results.cublas.samples[0]), (240, 60.0));
}
