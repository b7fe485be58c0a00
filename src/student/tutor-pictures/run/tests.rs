mod estimates;
mod layout;

use super::super::checks::{at_every_size, estimated, flowing, kept, launched, line_counts as line, screen, setting};
use super::*;
use ptx_emulator::{Counts, Hazard};
use serde_json::json;
use tutor_course::At;
use tutor_exec::protocol::{
    Conditions, Description, Device, DeviceKind, ExecError, ExecErrorKind, Shape, Subject, Submission, Timing,
    Verification,
};
use tutor_exec::recorded::{RecordedConditions, RecordedCublas, RecordedRow, RecordedTime, Recording};
use tutor_exec::results::ProgramResults;
use tutor_kernels::Elements;

const TILED: [&str; 2] = ["sgemm_tiled", "sgemm_tiled_padded"];

fn view(kernels: &[&str], size: u32) -> RunView {
    RunView {
        kernels: kernels.iter().map(|kernel| At::from((*kernel).to_owned())).collect(),
        size,
        sizes: vec![512, 1024, 2048, 4096],
        bounds: false,
        counts: vec![CountRow::SharedLoads, CountRow::SharedStores, CountRow::Intensity, CountRow::Hazards],
    }
}

fn device(kind: DeviceKind) -> Device {
    let gpu = kind == DeviceKind::Cuda;
    Device {
        kind,
        name: if gpu { "NVIDIA H200" } else { "SIMT emulator" }.into(),
        driver: gpu.then(|| "580.95.05".into()),
        capability: gpu.then_some([9, 0]),
        multiprocessors: gpu.then_some(132),
        clock_mhz: gpu.then_some(1980),
    }
}

fn counts(store_wavefronts: u64) -> Counts {
    let mut counts = Counts::default();
    (counts.totals.flop, counts.totals.global_bytes) = (8_388_608, 2_113_536);
    counts.lines = vec![line(47, "ld.shared", 131_072, 131_072), line(36, "st.shared", 8192, store_wavefronts)];
    (counts.blocks_counted, counts.blocks) = (4, 16_384);
    counts
}

/// Sends the times of an H200 at n = 2048; the second kernel is 31 % slower.
fn measure(run: &mut Run, id: u64, mismatches: u64) {
    run.reply(&Reply::Started { id, device: device(DeviceKind::Cuda), note: None, elements: Default::default() });
    for batch in 0..40u32 {
        for (at, ms) in [2.128, 2.779].into_iter().enumerate() {
            let ms = ms + f64::from(batch % 3) * 0.003;
            run.reply(&Reply::Sample { id, subject: Subject::Program(at), ms, launches: 10 });
        }
    }
    let (submission, host_ms) = (Submission::Graph, Some(0.0056));
    let timing = |ms: f64| {
        let (low_ms, high_ms, launches) = (ms * 0.997, ms * 1.003, 400);
        Timing { median_ms: ms, low_ms, high_ms, launches, submission, host_ms }
    };
    let library = [(Subject::Cublas, 0.3564), (Subject::CublasDefault, 0.3912)];
    for (subject, ms) in [(Subject::Program(0), 2.128), (Subject::Program(1), 2.779)].into_iter().chain(library) {
        run.reply(&Reply::Timed { id, subject, timing: timing(ms) });
    }
    for (program, wrong) in [(0, 0), (1, mismatches)] {
        let verification = Verification {
            verified: wrong == 0,
            elements: 4_194_304,
            mismatches: wrong,
            max_rel_err: 3e-6,
            ..Verification::default()
        };
        run.reply(&Reply::Verified { id, program, verification });
        let counts = counts(8192 * (program as u64 + 1));
        let hazards = if wrong > 0 { vec![hazard()] } else { vec![] };
        run.reply(&Reply::Counted { id, program, counts, hazards, undefined: vec![], seconds: 0.1 });
    }
}

fn hazard() -> Hazard {
    let access = |access: &str, thread: [u32; 3]| json!({ "thread": thread, "access": access, "file": "kernels/sgemm_tiled.cu", "line": 47, "ptx_line": 1 });
    let found = json!({
        "kind": "WAR", "space": "shared", "block": [0, 0, 0], "address": 12, "bytes": 4,
        "first": access("read", [7, 0, 0]), "second": access("write", [3, 2, 0]), "occurrences": 256,
    });
    serde_json::from_value(found).unwrap()
}

fn recordings() -> &'static [Recording] {
    static ALL: std::sync::LazyLock<Vec<Recording>> = std::sync::LazyLock::new(|| {
        let time = |median_ms: f64| RecordedTime {
            n: 2048,
            median_ms,
            low_ms: median_ms * 0.998,
            high_ms: median_ms * 1.002,
            launches: 400,
            gflops: 2.0 * 2048f64.powi(3) / (median_ms * 1e6),
            ..RecordedTime::default()
        };
        let row = |kernel: &str, ms, mismatches| RecordedRow {
            kernel: kernel.into(),
            variant: None,
            of: tutor_kernels::Catalog::built_in().kernel(kernel).unwrap().identity().unwrap(),
            elements: Elements::F32,
            time: time(ms),
            mismatches,
            cublas_ms: None,
        };
        vec![Recording {
            device: "NVIDIA H200".into(),
            capability: [9, 0],
            multiprocessors: Some(132),
            driver: "580.95.05".into(),
            cuda: "13.0".into(),
            cublas_version: None,
            math: "plain FP32".into(),
            date: "2026-11-21".into(),
            against: tutor_exec::Against::Best,
            cublas: vec![RecordedCublas { elements: Elements::F32, time: time(0.3564), default_ms: None }],
            conditions: vec![RecordedConditions {
                n: 2048,
                elements: Elements::F32,
                seen: Conditions { sm_mhz: [1980; 3], watts: [500.0; 3] },
            }],
            left_out: vec![],
            rows: vec![
                row("sgemm_tiled", 2.128, 0),
                row("sgemm_tiled_padded", 2.779, 0),
                row("sgemm_tiled32", 1.86, 0),
                row("sgemm_no_second_barrier", 2.0, 732_713),
            ],
        }]
    });
    &ALL
}

fn live() -> Run {
    let mut run = Run::with(&view(&TILED, 2048), setting(), recordings());
    launch_and_measure(&mut run, 0);
    run
}

/// Launches, sends the times of an H200, and returns the launch's id.
fn launch_and_measure(run: &mut Run, mismatches: u64) -> u64 {
    let id = launched(&run.act(Action::Launch)).id;
    assert!(!run.has_results());
    measure(run, id, mismatches);
    assert!(run.has_results());
    id
}

fn without_gpu(kernels: &[&str], n: u32) -> Run {
    without_gpu_from(recordings(), kernels, n)
}

/// Returns a run without a GPU that has these recordings.
fn without_gpu_from(recordings: &'static [Recording], kernels: &[&str], n: u32) -> Run {
    let why_not_cuda = Some("The NVIDIA driver (libcuda.so.1) was not found.".into());
    let description = Description { why_not_cuda, ..device(DeviceKind::Emulator).into() };
    Run::with(&view(kernels, n), Setting { description: Some(&description), ..setting() }, recordings)
}

/// Sends the emulator's replies to a launch.
fn emulate(run: &mut Run, request: &LaunchRequest, wrong: &[u64]) {
    let (id, n) = (request.id, u64::from(request.shape.n));
    run.reply(&Reply::Started { id, device: device(DeviceKind::Emulator), note: None, elements: Elements::F32 });
    for (program, &mismatches) in wrong.iter().enumerate() {
        let verified = mismatches == 0;
        let verification = Verification { verified, elements: n * n, mismatches, ..Verification::default() };
        run.reply(&Reply::Verified { id, program, verification });
        let mut counts = counts(8192);
        (counts.blocks_counted, counts.blocks) = (1024, 1024);
        run.reply(&Reply::Counted { id, program, counts, hazards: vec![], undefined: vec![], seconds: 0.1 });
    }
    run.reply(&Reply::Finished { id, cancelled: false });
}

#[test]
fn two_kernels_are_drawn_side_by_side_at_every_size_and_theme() {
    let run = live();
    insta::assert_snapshot!("run", kept(&run));
    at_every_size(&run);
}

#[test]
fn four_kernels_have_letters_and_distinguishing_names() {
    let mut run = without_gpu(&["sgemm_tiled", "sgemm_tiled_padded", "sgemm_tiled32", "sgemm_no_second_barrier"], 2048);
    let request = launched(&run.act(Action::Launch)).clone();
    emulate(&mut run, &request, &[0, 0, 0, 229_373]);
    insta::assert_snapshot!(screen(&run, (80, 40)));
    at_every_size(&run);
}

#[test]
fn before_the_launch_only_its_plan_is_shown() {
    let mut run = without_gpu(&TILED, 2048);
    assert!(run.focus().is_empty() && !run.has_results(), "Tab launches nothing");
    let drawing = flowing(&run, (80, 24));
    assert!(!drawing.contains(" ms") && !drawing.contains("GFLOP/s"), "{drawing}");
    assert!(drawing.contains("recorded on NVIDIA H200 (2026-11-21) at n = 2048: there is no GPU here."), "{drawing}");
    assert!(drawing.contains("The emulator runs the 2 kernels at n = 512, where it can compare"), "{drawing}");
    assert!(drawing.contains("n: 512, 1024, ‹2048›, 4096"), "{drawing}");
    assert_eq!(run.actions(), [Action::Launch, Action::Size, Action::Smaller, Action::Larger, Action::Estimate]);
    let run = Run::with(&view(&TILED, 2048), setting(), recordings());
    assert!(!flowing(&run, (80, 24)).contains("2.128 ms"));
}

#[test]
fn without_a_gpu_a_launch_shows_recorded_times_and_runs_the_emulator_at_a_size_that_it_verifies() {
    let mut run = without_gpu(&TILED, 2048);
    let request = launched(&run.act(Action::Launch)).clone();
    assert_eq!((request.shape, request.verify, request.counts), (Shape::square(512), true, true));
    assert!(run.has_results(), "the recorded times are shown at once");
    emulate(&mut run, &request, &[0, 0]);
    insta::assert_snapshot!("run-recorded", screen(&run, (80, 30)));
}

#[test]
fn a_recorded_time_is_compared_with_the_cublas_time_of_the_same_run() {
    let mut recordings = recordings().to_vec();
    recordings[0].rows[2].cublas_ms = Some(0.93);
    let mut run = without_gpu_from(recordings.leak(), &["sgemm_tiled", "sgemm_tiled32"], 2048);
    launched(&run.act(Action::Launch));
    assert_eq!((run.model.cublas_beside(0), run.model.cublas_beside(1)), (Some(0.3564), Some(0.93)));
    let drawing = flowing(&run, (76, 40));
    assert!(drawing.contains("16.7 % of cuBLAS") && drawing.contains("50.0 % of cuBLAS"), "{drawing}");
}

#[test]
fn results_of_the_emulator_are_never_mixed_with_recorded_times() {
    let kernels = ["sgemm_tiled", "sgemm_no_second_barrier"];
    let mut run = without_gpu(&kernels, 2048);
    let request = launched(&run.act(Action::Launch)).clone();
    emulate(&mut run, &request, &[0, 229_373]);
    let drawing = screen(&run, (80, 30));
    let (recorded, emulated) = drawing.split_once("on the emulator, n = 512").unwrap();
    assert!(recorded.contains("✘ 732,713 of 4,194,304 wrong") && recorded.contains("but wrong"), "{recorded}");
    assert!(!recorded.contains("229,373") && !emulated.contains("732,713"), "{drawing}");
    assert!(
        emulated.contains("✘ 229,373 of 262,144 wrong") && emulated.contains("✔ all 262,144 correct"),
        "{emulated}"
    );
    assert!(!emulated.contains(" ms") && emulated.contains("Launch again"), "{emulated}");
    // The emulator's result at another size does not show that the kernel is correct at the recorded size.
    let mut run = without_gpu(&kernels, 1024);
    let request = launched(&run.act(Action::Launch)).clone();
    emulate(&mut run, &request, &[0, 5]);
    assert_eq!((run.model.verdict(0), run.model.time(0)), (None, None));
}

#[test]
fn the_emulator_gets_a_size_that_all_kernels_take_and_every_page_can_be_launched() {
    let size = |kernels: &[&str], n, sizes: &[u32]| {
        let mut run = without_gpu(kernels, n);
        run.model = {
            let kernels: Vec<String> = kernels.iter().map(|id| (*id).to_owned()).collect();
            let mut model = Model::new(&kernels, n, sizes, &[], tutor_kernels::Catalog::built_in(), recordings());
            model.device = run.model.device.clone();
            model
        };
        launched(&run.act(Action::Launch)).shape.n
    };
    assert_eq!(size(&["bf16_wgmma", "bf16_tma_store"], 4096, &[1024, 4096]), 512);
    assert_eq!(size(&TILED, 2048, &[256, 1024, 2048]), 256);
    assert_eq!(size(&TILED, 100, &[100, 2048]), 100);
}

#[test]
fn no_time_is_shown_if_none_was_recorded() {
    let mut run = without_gpu(&TILED, 1024);
    assert!(flowing(&run, (80, 24)).contains("no time was recorded at n = 1024"));
    run.act(Action::Launch);
    let drawing = flowing(&run, (80, 24));
    assert!(drawing.contains("No time was recorded at n = 1024") && !drawing.contains(" ms"), "{drawing}");
}

#[test]
fn recorded_times_are_never_shown_with_a_gpu() {
    let mut run = Run::with(&view(&TILED, 2048), setting(), recordings());
    let id = launched(&run.act(Action::Launch)).id;
    run.reply(&Reply::Started { id, device: device(DeviceKind::Cuda), note: None, elements: Default::default() });
    let drawing = screen(&run, (80, 24));
    assert!(!drawing.contains("recorded") && !drawing.contains(" ms"), "{drawing}");
}

#[test]
fn wrong_elements_and_hazards_are_counted_on_the_screen() {
    let mut run = Run::with(&view(&["sgemm_tiled", "sgemm_no_second_barrier"], 2048), setting(), &[]);
    launch_and_measure(&mut run, 732_713);
    let drawing = screen(&run, (120, 40));
    assert!(drawing.contains("✘ 732,713 of 4,194,304 wrong") && drawing.contains("▲ WAR 256×"), "{drawing}");
}

#[test]
fn replies_of_another_launch_are_ignored() {
    let mut run = Run::with(&view(&TILED, 2048), setting(), &[]);
    let id = launched(&run.act(Action::Launch)).id;
    assert!(!run.reply(&Reply::Finished { id: id + 1, cancelled: false }));
    assert_eq!(run.model.running(), Some(id));
}

#[test]
fn another_size_forgets_the_numbers_and_goes_on_if_it_was_running() {
    let mut run = live();
    let effects = run.act(Action::Size);
    assert!(matches!(effects[0], Effect::CancelLaunch(_)));
    assert_eq!(launched(&effects).shape, Shape::square(4096));
    assert!(!screen(&run, (80, 24)).contains("2.128 ms"));
    let seeds: Vec<u64> = (0..2).map(|_| launched(&run.act(Action::Launch)).seed).collect();
    assert_ne!(seeds[0], seeds[1]);
    let id = run.model.running().unwrap();
    run.reply(&Reply::Finished { id, cancelled: false });
    assert!(run.act(Action::Size).is_empty(), "what is over waits for the next launch");
    assert!(run.model.launch.is_none());
}

#[test]
fn a_failure_is_a_sentence_with_help_and_leaves_the_run_usable() {
    let mut run = live();
    let id = run.model.running().unwrap();
    let error = ExecError {
        kind: ExecErrorKind::OutOfMemory,
        message: "The matrices need 48.0 GiB; the device has 12.0 GiB free.".into(),
        help: Some("Choose a smaller n.".into()),
        stop: None,
    };
    run.reply(&Reply::Failed { id, error });
    let drawing = screen(&run, (80, 40));
    assert!(drawing.contains("✘ The matrices need 48.0 GiB") && drawing.contains("Choose a smaller n."), "{drawing}");
    assert!(run.actions().contains(&Action::Launch));
}

#[test]
fn a_launch_can_be_stopped_and_repeated() {
    let mut run = live();
    let id = run.model.running().unwrap();
    assert!(run.actions().contains(&Action::CancelLaunch) && !run.actions().contains(&Action::Launch));
    assert_eq!(run.act(Action::CancelLaunch), [Effect::CancelLaunch(id)]);
    run.reply(&Reply::Finished { id, cancelled: true });
    assert!(screen(&run, (80, 40)).contains("Stopped."));
    assert!(matches!(run.act(Action::Launch).as_slice(), [Effect::Launch(_)]));
}

#[test]
fn why_names_the_source_line_that_costs_more_than_it_must() {
    let mut run = live();
    assert!(run.actions().contains(&Action::Why));
    run.act(Action::Why);
    let drawing = screen(&run, (80, 50));
    assert!(drawing.contains("sgemm_tiled.cu:36 st.shared: 2.00 wavefronts, ideal 1.00"), "{drawing}");
    assert!(drawing.contains(&t!("run-nothing-above")));
}

#[test]
fn costs_are_per_step_and_a_key_shows_totals() {
    let mut run = live();
    // 4096 of 16,384 blocks are counted: 131,072 · 4096 · 32 / 2048³ = 2 wavefronts per step.
    let drawing = screen(&run, (80, 40));
    assert!(drawing.contains("shared loads, wavefronts") && drawing.contains("2.00"), "{drawing}");
    assert!(drawing.contains("▲ 2.00, best 1.00") && !drawing.contains("131,072"), "{drawing}");
    run.act(Action::Totals);
    let drawing = screen(&run, (80, 40));
    assert!(drawing.contains("131,072 requests → 131,072 wavefronts"), "{drawing}");
    assert!(drawing.contains("4 of 16,384 blocks"), "{drawing}");
}

#[test]
fn asynchronous_copies_and_ldmatrix_are_loads_and_stores_too() {
    let op = |op: &str, wavefronts, sectors| {
        let mut line = line(1, op, 10, wavefronts);
        line.wavefronts_ideal = wavefronts;
        (line.sectors, line.sectors_ideal) = (sectors, sectors);
        line
    };
    let lines = vec![
        op("ldmatrix.shared", 40, 0),
        op("cp.async", 20, 80),
        op("cp.async.bulk.tensor", 0, 5),
        op("cp.async.bulk.tensor.global", 0, 7),
        op("st.global", 0, 160),
    ];
    let mut counts = counts(1);
    counts.lines = lines;
    let found = ProgramResults { counts: Some(counts), ..Default::default() };
    let cost = |row| match count::figure(&found, row) {
        Some(count::Figure::Cost(cost)) => (cost.requests, cost.cost),
        other => panic!("{other:?}"),
    };
    assert_eq!(cost(CountRow::SharedLoads), (10, 40));
    assert_eq!(cost(CountRow::SharedStores), (10, 20));
    assert_eq!(cost(CountRow::GlobalLoads), (20, 85));
    assert_eq!(cost(CountRow::GlobalStores), (20, 167));
}

#[test]
fn cycles_for_each_step_follow_from_the_recording() {
    let recording = Recording::built_in().iter().find(|recording| recording.device == "NVIDIA H200").unwrap();
    let clock = recording.clock(4096, Elements::F32).unwrap();
    assert_eq!((clock.multiprocessors, clock.mhz), (132, 1980));
    let cycles = |kernel| {
        let kernel = tutor_kernels::Catalog::built_in().kernel(kernel).unwrap();
        clock.cycles(recording.row(kernel, 4096).unwrap().time.gflops)
    };
    for (kernel, expected, within) in [
        ("sgemm_naive_uncoalesced", 33.6, 0.06),
        ("sgemm_naive_coalesced", 2.6, 0.06),
        ("sgemm_tiled", 2.07, 0.01),
        ("sgemm_tiled32_column", 9.4, 0.06),
    ] {
        assert!((cycles(kernel) - expected).abs() < within, "{kernel}: {}", cycles(kernel));
    }
}

#[test]
fn cycles_of_a_step_are_not_shown_where_tensor_cores_multiply() {
    for (kernel, shown) in [("sgemm_tuned", true), ("bf16x6_overlapped", false)] {
        let mut run = without_gpu_from(Recording::built_in(), &[kernel], 4096);
        let request = launched(&run.act(Action::Launch)).clone();
        emulate(&mut run, &request, &[0]);
        let drawing = flowing(&run, (76, 40));
        assert_eq!(drawing.contains(&t!("run-cycles-recorded", n = 4096)), shown, "{drawing}");
    }
}

#[test]
fn a_live_run_is_compared_with_the_best_run_on_this_device() {
    let kept = |kernel: &str, driver: &str, n, ms| RunRecord {
        kernel: kernel.into(),
        shape: [n; 3],
        device: "NVIDIA H200".into(),
        driver: Some(driver.into()),
        median_ms: Some(ms),
        verified: Some(true),
    };
    let runs = [
        kept("sgemm_tiled32", "580.95.05", 2048, 1.0),
        // Another driver, another size, a higher level, and a kernel that is only correct by chance.
        kept("sgemm_tiled32", "999", 2048, 0.5),
        kept("sgemm_tiled32", "580.95.05", 1024, 0.1),
        kept("sgemm_tuned", "580.95.05", 2048, 0.4),
        kept("sgemm_no_second_barrier", "580.95.05", 2048, 0.3),
    ];
    let setting = Setting { best_runs: &runs, ..setting() };
    let mut run = Run::with(&view(&["sgemm_tiled"], 2048), setting, recordings());
    launch_and_measure(&mut run, 0);
    assert!(flowing(&run, (80, 40)).contains(&t!(
        "run-best",
        title = "tiled 32×32",
        time = "1.000 ms",
        speed = "17.18 TFLOP/s"
    )));
    run.runs.clear();
    assert_eq!(run.model.best(&run.rivals, &run.runs).map(|(rival, _)| &rival.kernel), None, "no other was run");
}
