//! Runs the judge on every kernel of the catalogue. Correct kernels pass, and the others fail at the goal that they
//! violate.

use super::*;
use rayon::prelude::*;

fn of(kernel: &str, reference: &str, counts: &[(Count, f64)], seed: u64) -> Verdict {
    judge(&request(kernel, reference, counts, seed), &AtomicBool::new(false), &|_| {}).unwrap().verdict
}

fn request(kernel: &str, reference: &str, counts: &[(Count, f64)], seed: u64) -> JudgeRequest {
    let counts = counts.iter().map(|&(of, at_most)| CountGoal { of, at_most }).collect();
    JudgeRequest {
        id: 1,
        program: whole(kernel),
        unoptimised: None,
        reference: Program::new(reference),
        counts,
        uses: Vec::new(),
        far: true,
        shapes: Vec::new(),
        seed,
    }
}

/// Returns a kernel of the catalogue in the form of a student's kernel, with everything that its launch needs.
fn whole(kernel: &str) -> Program {
    let mut kernel = Catalog::built_in().find(kernel).unwrap().into_owned();
    kernel.id = "own".to_owned();
    Program::from(&kernel)
}

fn finding(verdict: Verdict) -> Finding {
    let Verdict::Failed(finding) = verdict else { panic!("passed") };
    *finding
}

#[test]
fn every_right_kernel_of_the_catalogue_passes_and_no_wrong_one_does() {
    // The judge draws no scales and no bias, and says so.
    let judged = |kernel: &&tutor_kernels::Kernel| kernel.further == EpilogueParams::default();
    Catalog::built_in().kernels().par_iter().filter(judged).for_each(|kernel| {
        let verdict = of(&kernel.id, &kernel.id, &[(Count::GlobalSectors, 1.0), (Count::SharedWavefronts, 1.0)], 11);
        match (kernel.expected_wrong, verdict) {
            (false, verdict) => assert_eq!(verdict, Verdict::Passed, "{}", kernel.id),
            (true, verdict) => {
                let finding = finding(verdict);
                assert!([Goal::Results, Goal::Hazards].contains(&finding.goal), "{}: {finding:?}", kernel.id);
            }
        }
    });
}

#[test]
fn eight_bits_are_judged_with_rows_apart_and_scales_are_refused() {
    let judged = |request: &JudgeRequest| judge(request, &AtomicBool::new(false), &|_| {});
    for id in ["e4m3_simple", "s8_simple"] {
        let mut request = request(id, id, &[], 3);
        // B is stored by columns, `ldb` apart and not K.
        let ptx = request.program.ptx.map(|ptx| ptx.replace(&format!("[{id}_param_7]"), &format!("[{id}_param_5]")));
        request.program.ptx = ptx;
        let finding = finding(judged(&request).unwrap().verdict);
        assert!(finding.goal == Goal::Results && finding.shape.is_some_and(|shape| shape.k > 5), "{finding:?}");
    }
    let mut request = request("e4m3_scaled", "s8_simple", &[], 3);
    assert!(judged(&request).unwrap_err().message.to_string().contains("no scales"));
    request.program = whole("s8_simple");
    request.shapes = vec![JudgeShape { m: 8, n: 8, k: 64, gap: 0, alpha: 0.5, beta: 0.0 }];
    assert!(judged(&request).unwrap_err().message.to_string().contains("exact"));
}

/// Each row reads another parameter instead of one, and names the properties of a launch on which this depends.
#[test]
fn a_finding_names_what_it_depends_on() {
    let found = |from: u32, to: u32| {
        let mut request = request("sgemm_naive_coalesced", "sgemm_naive_coalesced", &[], 3);
        let ptx = request.program.ptx.take().unwrap();
        let param = |number| format!("[sgemm_naive_coalesced_param_{number}]");
        assert!(ptx.contains(&param(from)));
        request.program.ptx = Some(ptx.replace(&param(from), &param(to)));
        finding(judge(&request, &AtomicBool::new(false), &|_| {}).unwrap().verdict).message.to_string()
    };
    let (k, n, lda, ldb, ldc, alpha, beta) = (5, 4, 6, 7, 8, 9, 10);
    for (from, to, properties) in [
        (lda, k, "It depends on gaps between the rows of A:"),
        (ldb, n, "It depends on gaps between the rows of B:"),
        (ldc, n, "It depends on gaps between the rows of C:"),
        (alpha, beta, ""),
        (beta, alpha, ""),
    ] {
        let message = found(from, to);
        assert!(message.contains(properties), "{from} for {to}: {message}");
        assert!(!properties.is_empty() || !message.contains("gaps between"), "{message}");
    }
}

/// Judges a tiled kernel with `volatile` tiles, without the barriers with these numbers, counted in the order of the
/// text.
fn volatile(without: &[usize]) -> Verdict {
    let mut program = whole("sgemm_tiled");
    let ptx = resolve(&program, 0, Shape::square(64), EMULATED_SMS).unwrap().1.unwrap().ptx;
    let ptx = ptx.replace("st.shared.", "st.volatile.shared.").replace("ld.shared.", "ld.volatile.shared.");
    let mut parts = ptx.split("bar.sync");
    let mut text = parts.next().unwrap().to_owned();
    for (at, part) in parts.enumerate() {
        text.push_str(if without.contains(&at) { "// bar.sync" } else { "bar.sync" });
        text.push_str(part);
    }
    program.hand_in(text);
    let request = JudgeRequest { program, far: false, ..request("sgemm_tiled", "sgemm_tiled", &[], 3) };
    judge(&request, &AtomicBool::new(false), &|_| {}).unwrap().verdict
}

#[test]
fn an_undefined_value_of_the_text_without_optimisation_decides_and_nothing_else_in_it() {
    let judged = |changed: &dyn Fn(&str) -> String| {
        let mut request = JudgeRequest { far: false, ..request("sgemm_tiled", "sgemm_tiled", &[], 3) };
        request.unoptimised = request.program.ptx.as_deref().map(changed);
        judge(&request, &AtomicBool::new(false), &|_| {}).unwrap().verdict
    };
    let race = |ptx: &str| ptx.rsplit_once("bar.sync").map(|(before, after)| format!("{before}// {after}")).unwrap();
    assert_eq!(judged(&race), Verdict::Passed);
    assert_eq!(judged(&|_| "no text".to_owned()), Verdict::Passed);
    let finding = finding(judged(&|ptx| ptx.replace("mov.f32 \t", "// mov.f32 \t")));
    assert_eq!((finding.goal, finding.cause), (Goal::Hazards, Cause::Undefined(Rule::UnwrittenRegister)));
}

/// In CUDA C++, volatile accesses order nothing.
#[test]
fn a_volatile_tile_passes_with_its_barriers_and_has_a_hazard_without_either() {
    assert_eq!(volatile(&[]), Verdict::Passed);
    for without in [0, 1] {
        let finding = finding(volatile(&[without]));
        assert_eq!(finding.goal, Goal::Hazards, "without barrier {without}: {finding:?}");
    }
}

/// The clock does not end a judgement: a machine may be busy.
#[test]
fn a_judgement_ends_after_a_number_of_steps_and_reports_every_launch() {
    let request = request("sgemm_tiled", "sgemm_tiled", &[(Count::Barriers, 1.0)], 5);
    let heard = std::sync::Mutex::new(Vec::new());
    let judged = |steps| {
        within(&request, steps, &AtomicBool::new(false), &|share| heard.lock().unwrap().push(share), &OnceLock::new())
    };
    let finding = finding(judged(300_000).unwrap());
    assert_eq!((finding.goal, finding.cause), (Goal::Runs, Cause::Fault(FaultKind::StepBudget)), "{finding:?}");
    heard.lock().unwrap().clear();
    assert_eq!(judged(MAX_STEPS).unwrap(), Verdict::Passed);
    let heard = heard.into_inner().unwrap();
    for share in 0..20 {
        let [from, to] = [share, share + 1].map(|twentieth| f64::from(twentieth) / 20.0);
        assert!(heard.iter().any(|heard| (from..=to).contains(heard)), "silent from {from} to {to}: {heard:?}");
    }
}

#[test]
fn a_race_between_blocks_names_both_blocks() {
    let side = |block: u32, access: &str| {
        serde_json::json!({
            "thread": [1, 0, 0], "block": [block, 0, 0], "access": access, "file": "own.cu", "line": 7, "ptx_line": 9,
        })
    };
    let told = |block: u32| {
        let hazard = serde_json::json!({
            "kind": "RAW", "space": "global", "severity": "error", "buffer": "C", "block": [block, 0, 0], "address": 0,
            "bytes": 4, "first": side(0, "write"), "second": side(block, "read"), "occurrences": 1,
        });
        let case = &cases(&Needs::default(), 1, Shape::square(64), &[])[0];
        let finding = found::hazard(serde_json::from_value(hazard).unwrap(), case);
        (finding.message.to_string(), finding.help.unwrap_or_default().to_string())
    };
    let (message, help) = told(2);
    assert!(message.contains("thread (1,0,0) of block (2,0,0) reads it in line 7"), "{message}");
    assert!(help.contains("`__syncthreads()` does not order"), "{help}");
    let (message, help) = told(0);
    assert!(message.contains(": thread (1,0,0) writes it in line 7") && !message.contains("of block"), "{message}");
    assert!(!help.contains("__syncthreads"), "{help}");
}
