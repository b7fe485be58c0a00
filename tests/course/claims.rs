//! Claims, compared with the cost rules and with the replies to a launch.

use crate::small::Small;
use course_check::ClaimReport;
use ptx_emulator::{Counts, FaultKind};
use serde_json::{Value, json};
use tutor_exec::protocol::{ExecError, ExecErrorKind, LaunchRequest, Reply, Stop, Verification};
use tutor_kernels::Catalog;

/// Checks the claims of the small course after a change, with replies from `launch`.
fn claims_with(replace: &str, with: &str, launch: fn(&LaunchRequest) -> Vec<Reply>) -> ClaimReport {
    let small = Small::new();
    std::fs::remove_dir_all(small.root().join("modules/ko")).unwrap();
    small.edit("modules/first.yaml", replace, with).claims(|request| Ok(launch(request))).0
}

const KERNEL_CLAIM: &str = "wavefronts: { kernel: sgemm_tiled, at: \"A_tile[ty][k]\", op: ld.shared, per_request: 1 }";

/// Replies of a run with 10 shared loads of 3 wavefronts in the multiply line, a WAR hazard and four incorrect
/// elements.
fn replies(request: &LaunchRequest) -> Vec<Reply> {
    let source = &Catalog::built_in().kernel("sgemm_tiled").unwrap().source;
    let (line, _) = source.lines(None).find(|(_, line)| line.contains("A_tile[ty][k]")).unwrap();
    let place = json!({ "file": "kernels/sgemm_tiled.cu", "line": line, "ptx_line": 1 });
    let at = |more: Value| {
        let mut all = place.clone();
        all.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        all
    };
    let counted = |op: &str, requests: u64, wavefronts: u64, sectors: u64| {
        at(json!({
            "op": op, "bytes": 4, "warp_instructions": requests, "requests": requests, "wavefronts": wavefronts,
            "wavefronts_ideal": requests, "sectors": sectors, "sectors_ideal": sectors,
        }))
    };
    let mut counts = Counts::default();
    let lines = json!([counted("ld.shared", 10, 30, 0), counted("ld.global", 20, 0, 80)]);
    counts.lines = serde_json::from_value(lines).unwrap();
    (counts.totals.flop, counts.totals.global_bytes) = (10_240, 20 * 32 * 4);
    (counts.blocks_counted, counts.blocks) = (1, 1);
    let access = |access: &str| at(json!({ "thread": [0, 0, 0], "access": access }));
    let hazard = json!({
        "kind": "WAR", "space": "shared", "block": [0, 0, 0], "address": 0, "bytes": 4,
        "first": access("read"), "second": access("write"), "occurrences": 1,
    });
    let hazard = serde_json::from_value(hazard).unwrap();
    let id = request.id;
    let verification = Verification {
        verified: false,
        elements: 4096,
        mismatches: 4,
        max_rel_err: 1.0,
        against: "".into(),
        hash: String::new(),
    };
    vec![
        Reply::Verified { id, program: 0, verification },
        Reply::Counted { id, program: 0, counts, hazards: vec![hazard], undefined: vec![], seconds: 0.0 },
    ]
}

#[test]
fn a_claim_that_the_cost_rules_deny_fails_with_what_they_count() {
    let report = claims_with("wavefronts: 1\n", "wavefronts: 8\n", |_| Vec::new());
    assert_eq!((report.counts.held, report.counts.failed, report.counts.skipped), (0, 1, 1));
    let problem = &report.problems[0];
    assert_eq!((problem.code, problem.line, problem.column), ("claim-failed", 36, 9));
    assert!(problem.message.contains(" 8 ") && problem.message.ends_with(" 1."), "{}", problem.message);
}

#[test]
fn the_question_of_the_first_screen_is_compared_with_the_recording() {
    for (times, denied) in [("1.07", false), ("1.2", true)] {
        let small = Small::new();
        let kernels = "region: multiply, faster: sgemm_tiled32, slower: sgemm_tiled, device: NVIDIA H200, size: 4096";
        let welcome =
            format!("welcome: {{ ask: Which is {times} times as fast?, times: {times}, {kernels} }}\nlevels:\n");
        let report = small.edit("modules/course.yaml", "levels:\n", &welcome).claims(|request| Ok(replies(request))).0;
        let told = report.problems.iter().find(|problem| problem.file == "modules/course.yaml");
        assert_eq!(told.map(|problem| problem.code), denied.then_some("claim-failed"), "{told:?}");
    }
}

/// A line of `claims.txt` is a claim that holds, or a claim, ` => `, and a part of the sentence with which it fails.
#[test]
fn claims_about_kernels_are_held_against_what_was_counted_and_recorded() {
    for line in include_str!("claims.txt").lines() {
        let (claim, denied) = line.split_once(" => ").unwrap_or((line, ""));
        let report = claims_with(KERNEL_CLAIM, claim, replies);
        let told = report.problems.first().map(|problem| problem.message.as_str());
        match denied {
            "" => assert_eq!((told, report.counts.held), (None, 2), "{claim}"),
            denied => assert!(told.is_some_and(|told| told.contains(denied)), "{claim}: {told:?}"),
        }
    }
}

#[test]
fn one_launch_serves_all_claims_about_a_kernel_and_size() {
    let claims = "verified: { kernel: sgemm_tiled, is: false }\n      - hazards: { kernel: sgemm_tiled, kinds: [WAR] }\n      - verified: { kernel: sgemm_tiled, is: false, size: 32 }";
    let small = Small::new();
    let (report, launches) =
        small.edit("modules/first.yaml", KERNEL_CLAIM, claims).claims(|request| Ok(replies(request)));
    assert_eq!(report.counts.failed, 1, "the translation still has the first claim: {:?}", report.problems);
    assert_eq!(launches, 2);
}

/// Checks a question about a planted fault with this launcher.
fn fault_with(fault: &str, launch: impl Fn(&LaunchRequest) -> Result<Vec<Reply>, ExecError>) -> ClaimReport {
    let small = Small::new();
    std::fs::remove_dir_all(small.root().join("modules/ko")).unwrap();
    std::fs::remove_dir_all(small.root().join("quizzes/ko")).unwrap();
    let choices = "consequences: [{ id: a, text: early, correct: true }, { id: b, text: late, why: No. }]";
    let variant = format!(
        "      - {{ id: extra, ask: Well?, because: So., answer: {{ fault: {{ {fault}, why: No., {choices} }} }} }}\n"
    );
    small.edit("quizzes/first.yaml", "      - id: text\n", &format!("{variant}      - id: text\n"));
    let report = small.claims(|request| match request.programs[0].kernel.as_str() {
        "sgemm_tiled" if !fault.contains("sgemm_tiled") => Ok(Vec::new()),
        _ => launch(request),
    });
    report.0
}

fn stopped(kind: FaultKind, line: u32) -> Result<Vec<Reply>, ExecError> {
    let error = ExecError::new(ExecErrorKind::KernelFault, "It stops.");
    Err(ExecError { stop: Some(Stop { kind, line }), ..error })
}

/// A run without hazards whose result is correct if `right` is set.
fn ended(request: &LaunchRequest, right: bool) -> Result<Vec<Reply>, ExecError> {
    let mut replies = replies(request);
    for reply in &mut replies {
        match reply {
            Reply::Verified { verification, .. } if right => {
                (verification.verified, verification.mismatches) = (true, 0);
            }
            Reply::Counted { hazards, .. } => hazards.clear(),
            _ => {}
        }
    }
    Ok(replies)
}

fn denied(report: &ClaimReport) -> Option<&str> {
    report.problems.iter().map(|problem| problem.message.as_str()).find(|said| !said.contains("`sgemm_tiled`"))
}

#[test]
fn a_planted_fault_stops_the_kernel_at_a_line_that_counts_as_right() {
    let fault =
        "kernel: eight_sums_past_the_end, region: tile load, lines: ['A_tile[a_row][a_k] ='], stops: out_of_bounds";
    let source = &Catalog::faulty().kernel("eight_sums_past_the_end").unwrap().source;
    let (line, _) = source.lines(None).find(|(_, line)| line.contains("A_tile[a_row][a_k] =")).unwrap();
    let found = |kind, line| fault_with(fault, move |_| stopped(kind, line));
    assert_eq!(denied(&found(FaultKind::OutOfBounds, line)), None);
    let elsewhere = found(FaultKind::OutOfBounds, line + 1);
    assert!(denied(&elsewhere).unwrap().contains(&format!("Line {line}")), "{:?}", elsewhere.problems);
    assert!(denied(&found(FaultKind::Misaligned, line)).unwrap().contains("is to stop with an access out of bounds"));
    assert!(denied(&fault_with(fault, |request| ended(request, false))).unwrap().contains("runs it to its end"));
}

#[test]
fn a_wrong_result_is_a_fault_where_the_right_kernel_differs() {
    let fault = |lines: &str| {
        format!("kernel: warp_of_32_overlapping, region: indices, lines: [{lines}], beside: sgemm_thread_tile_8x4")
    };
    let wrong = |request: &LaunchRequest| ended(request, request.programs[0].kernel == "sgemm_thread_tile_8x4");
    assert_eq!(denied(&fault_with(&fault("thread_col = thread"), wrong)), None);
    let another = fault_with(&fault("thread_row = thread"), wrong);
    assert!(denied(&another).unwrap().contains("do not differ in just the lines"), "{:?}", another.problems);
    let both_right = fault_with(&fault("thread_col = thread"), |request| ended(request, true));
    assert!(denied(&both_right).is_some(), "{:?}", both_right.problems);
    let both_wrong = fault_with(&fault("thread_col = thread"), |request| ended(request, false));
    assert!(denied(&both_wrong).is_some(), "{:?}", both_wrong.problems);
}
