use super::super::snapshot::{CASES, at_every_size, drawn, setting, text};
use super::*;
use crate::course::At;
use crate::exec::protocol::{Description, Device, ExecError, ExecErrorKind, Subject, Timing, Verification};
use crate::exec::recorded::{RecordedCublas, RecordedRow, RecordedTime, Recording};
use crate::kernels::Elements;
use crate::simt::{Counts, Hazard, HazardAccess, HazardKind, HazardSpace, LineCounts, Place, Totals};

const TILED: [&str; 2] = ["sgemm_tiled", "sgemm_tiled_padded"];

fn view(kernels: &[&str], size: u32) -> RunView {
    RunView {
        kernels: kernels.iter().map(|kernel| At::from((*kernel).to_owned())).collect(),
        size,
        sizes: vec![512, 1024, 2048, 4096],
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
    }
}

fn place(line: u32) -> Place {
    Place { file: "kernels/sgemm_tiled.cu".into(), line, ptx_line: 1 }
}

fn line(at: u32, op: &str, requests: u64, wavefronts: u64) -> LineCounts {
    LineCounts {
        place: place(at),
        op: op.into(),
        bytes: 4,
        warp_instructions: requests,
        requests,
        wavefronts,
        wavefronts_ideal: requests,
        sectors: 0,
        sectors_ideal: 0,
    }
}

fn counts(store_wavefronts: u64) -> Counts {
    Counts {
        totals: Totals { flop: 8_388_608, global_bytes: 2_113_536, ..Totals::default() },
        lines: vec![line(47, "ld.shared", 131_072, 131_072), line(36, "st.shared", 8192, store_wavefronts)],
        blocks_counted: 4,
        blocks: 16_384,
    }
}

fn launched(effects: &[Effect]) -> &LaunchRequest {
    effects.iter().find_map(|effect| if let Effect::Launch(request) = effect { Some(request) } else { None }).unwrap()
}

/// As on FACTS' device at n = 2048, the second kernel 31 % slower.
fn measure(run: &mut Run, id: u64, mismatches: u64) {
    run.reply(&Reply::Started { id, device: device(DeviceKind::Cuda), note: None, elements: Default::default() });
    for batch in 0..40u32 {
        for (at, ms) in [2.128, 2.779].into_iter().enumerate() {
            let ms = ms + f64::from(batch % 3) * 0.003;
            run.reply(&Reply::Sample { id, subject: Subject::Program(at), ms, launches: 10 });
        }
    }
    let timing =
        |ms: f64| Timing { median_ms: ms, low_ms: ms * 0.997, high_ms: ms * 1.003, launches: 400 };
    for (subject, ms) in [(Subject::Program(0), 2.128), (Subject::Program(1), 2.779), (Subject::Cublas, 0.3564)] {
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
        run.reply(&Reply::Counted { id, program, counts, hazards, seconds: 0.1 });
    }
}

fn hazard() -> Hazard {
    let access = |access, thread| HazardAccess { thread, block: [0; 3], access, place: place(47) };
    Hazard {
        kind: HazardKind::War,
        space: HazardSpace::Shared,
        severity: Default::default(),
        buffer: None,
        block: [0, 0, 0],
        address: 12,
        bytes: 4,
        first: access(crate::simt::AccessKind::Read, [7, 0, 0]),
        second: access(crate::simt::AccessKind::Write, [3, 2, 0]),
        occurrences: 256,
    }
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
        };
        let row =
            |kernel: &str, ms, mismatches| RecordedRow { kernel: kernel.into(), variant: None, elements: Elements::F32, time: time(ms), mismatches };
        vec![Recording {
            device: "NVIDIA H200".into(),
            capability: [9, 0],
            driver: "580.95.05".into(),
            cuda: "13.0".into(),
            cublas_version: None,
            math: "plain FP32".into(),
            date: "2026-11-21".into(),
            cublas: vec![RecordedCublas { elements: Elements::F32, time: time(0.3564) }],
            conditions: vec![],
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
    let id = launched(&run.focus()).id;
    measure(&mut run, id, 0);
    run
}

fn screen(run: &Run, size: (u16, u16)) -> String {
    text(size, false, |frame, area, look| run.render(frame, area, look))
}

fn without_gpu(kernels: &[&str], n: u32) -> Run {
    let description = Description {
        device: device(DeviceKind::Emulator),
        why_not_cuda: Some("The NVIDIA driver (libcuda.so.1) was not found.".into()),
        cuda: None,
        nvrtc: Err("not found".into()),
        cublas: Err("not found".into()),
    };
    Run::with(&view(kernels, n), Setting { description: Some(&description), ..setting() }, recordings())
}

#[test]
fn two_kernels_are_drawn_side_by_side_at_every_size_and_theme() {
    let run = live();
    for case in CASES {
        let name = format!("run-{}x{}-{}", case.0, case.1, case.2);
        insta::assert_snapshot!(name, drawn(case, false, |frame, area, look| run.render(frame, area, look)));
    }
    at_every_size(|frame, area, look| run.render(frame, area, look));
}

#[test]
fn four_kernels_stand_below_each_other_where_it_is_narrow() {
    let run = without_gpu(&["sgemm_tiled", "sgemm_tiled_padded", "sgemm_tiled32", "sgemm_no_second_barrier"], 2048);
    insta::assert_snapshot!(screen(&run, (80, 24)));
    at_every_size(|frame, area, look| run.render(frame, area, look));
}

#[test]
fn without_a_gpu_times_are_labelled_as_recorded() {
    let run = without_gpu(&TILED, 2048);
    let drawing = screen(&run, (80, 24));
    assert!(drawing.contains("recorded on NVIDIA H200, driver 580.95.05, 2026-11-21"), "{drawing}");
    assert!(!drawing.contains("live") && drawing.contains("2.128 ms") && drawing.contains("1.31× slower"));
    insta::assert_snapshot!("run-recorded", drawing);
}

#[test]
fn where_nothing_was_recorded_there_is_no_time_at_all() {
    let run = without_gpu(&TILED, 1024);
    let drawing = screen(&run, (80, 24));
    assert!(drawing.contains("no time: none recorded at this n") && !drawing.contains(" ms"), "{drawing}");
}

#[test]
fn recorded_times_are_never_shown_while_a_gpu_is_there() {
    let mut run = Run::with(&view(&TILED, 2048), setting(), recordings());
    run.launch();
    let id = run.model.running().unwrap();
    run.reply(&Reply::Started { id, device: device(DeviceKind::Cuda), note: None, elements: Default::default() });
    let drawing = screen(&run, (80, 24));
    assert!(!drawing.contains("recorded") && !drawing.contains(" ms"), "{drawing}");
}

#[test]
fn wrong_elements_and_hazards_are_counted_on_the_screen() {
    let mut run = Run::with(&view(&["sgemm_tiled", "sgemm_no_second_barrier"], 2048), setting(), &[]);
    let id = launched(&run.focus()).id;
    measure(&mut run, id, 732_713);
    let drawing = screen(&run, (120, 40));
    assert!(drawing.contains("✘ 732 713 of 4 194 304 wrong") && drawing.contains("▲ WAR 256×"), "{drawing}");
}

#[test]
fn replies_of_another_launch_are_ignored() {
    let mut run = Run::with(&view(&TILED, 2048), setting(), &[]);
    let id = launched(&run.focus()).id;
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
    let seeds: Vec<u64> = (0..2).map(|_| launched(&run.launch()).seed).collect();
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn a_failure_is_a_sentence_with_help_and_leaves_the_run_usable() {
    let mut run = live();
    let id = run.model.running().unwrap();
    let error = ExecError {
        kind: ExecErrorKind::OutOfMemory,
        message: "The matrices need 48.0 GiB; the device has 12.0 GiB free.".into(),
        help: Some("Choose a smaller n.".into()),
    };
    run.reply(&Reply::Failed { id, error });
    let drawing = screen(&run, (80, 24));
    assert!(drawing.contains("✘ The matrices need 48.0 GiB") && drawing.contains("Choose a smaller n."), "{drawing}");
    assert!(run.actions().contains(&Action::Launch));
}

#[test]
fn space_stops_and_starts() {
    let mut run = live();
    let id = run.model.running().unwrap();
    assert_eq!(run.act(Action::Play), [Effect::CancelLaunch(id)]);
    run.reply(&Reply::Finished { id, cancelled: true });
    assert!(screen(&run, (80, 24)).contains("Stopped."));
    assert!(matches!(run.act(Action::Play).as_slice(), [Effect::Launch(_)]));
}

#[test]
fn why_names_the_source_line_that_costs_more_than_it_must() {
    let mut run = live();
    assert!(run.actions().contains(&Action::Why));
    run.act(Action::Why);
    let drawing = screen(&run, (80, 30));
    assert!(drawing.contains("sgemm_tiled.cu:36 st.shared: 2.00 wavefronts, ideal 1.00"), "{drawing}");
    assert!(drawing.contains("tiled 16×16: nothing is above its ideal"));
}

#[test]
fn the_emulator_is_not_asked_to_verify_what_would_take_minutes() {
    let mut run = without_gpu(&TILED, 2048);
    assert!(!launched(&run.launch()).verify);
    let mut run = without_gpu(&TILED, 512);
    assert!(launched(&run.launch()).verify);
}

#[test]
fn the_best_is_that_of_the_highest_level_shown() {
    for kernels in [["sgemm_naive_coalesced", "sgemm_tiled"], ["sgemm_tiled", "sgemm_naive_coalesced"]] {
        let run = Run::with(&view(&kernels, 2048), setting(), recordings());
        let best = run.model.best(&run.rivals, &run.runs).map(|(kernel, _)| kernel);
        assert_eq!(best.as_deref(), Some("sgemm_tiled32"), "{kernels:?}");
    }
}

#[test]
fn a_live_run_is_held_against_the_best_that_was_ever_run_on_this_device() {
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
        // Another driver, another size, a higher level, a kernel that is only right by chance.
        kept("sgemm_tiled32", "999", 2048, 0.5),
        kept("sgemm_tiled32", "580.95.05", 1024, 0.1),
        kept("sgemm_tuned", "580.95.05", 2048, 0.4),
        kept("sgemm_no_second_barrier", "580.95.05", 2048, 0.3),
    ];
    let setting = Setting { best_runs: &runs, ..setting() };
    let mut run = Run::with(&view(&["sgemm_tiled"], 2048), setting, recordings());
    let id = launched(&run.focus()).id;
    measure(&mut run, id, 0);
    let drawing = screen(&run, (80, 24));
    assert!(drawing.contains("of best so far") && drawing.contains("of sgemm_tiled32"), "{drawing}");
    assert_eq!(run.model.best(&run.rivals, &run.runs), Some(("sgemm_tiled32".to_owned(), 1.0)));
    run.runs.clear();
    assert_eq!(run.model.best(&run.rivals, &run.runs), None, "one kernel alone is no comparison");
}
