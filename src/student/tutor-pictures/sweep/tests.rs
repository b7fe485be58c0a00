use super::super::checks::{at_every_size, in_ascii, launched, screen, timing};
use super::*;
use ptx_emulator::Counts;
use tutor_course::At;
use tutor_exec::protocol::{Device, ExecError, ExecErrorKind, Shape, Subject, Verification};
use tutor_kernels::Catalog;

const CATALOG: &str = "kernels:
- { id: mine, level: a, title: t, file: mine.cu, entry: mine, constants: { B: 16, T: 1, O: 0 }, block: [\"B / T\", B, 1],
    grid: [\"M\"], min_arch: sm_75, expected_wrong: false, about: a, variants: { whole: [\"B / T\"], axes: [
    { name: block tile, constants: [B], values: [[16], [32]] }, { name: thread tile, constants: [T], values: [[1], [2], [5]] },
    { name: loop order, constants: [O], values: [[0], [1]], labels: [k outermost, k innermost] }] } }
";

fn catalog() -> Catalog {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [("kernels/catalog.yaml", CATALOG), ("kernels/mine.cu", "// mine")] {
        std::fs::create_dir_all(dir.path().join("kernels")).unwrap();
        std::fs::write(dir.path().join(path), text).unwrap();
    }
    Catalog::from_directory(dir.path()).0
}

fn sweep(kind: DeviceKind, catalog: &Catalog) -> Sweep {
    let description = Device::named(kind, "NVIDIA H200").into();
    let view = SweepView { kernel: At { value: "mine".into(), line: 0, column: 0 }, size: 2048, budget_ms: None };
    Sweep::new(&view, Setting { description: Some(&description), ..Setting::new(catalog) })
}

fn launch(sweep: &mut Sweep) -> LaunchRequest {
    launched(&sweep.act(Action::Launch)).clone()
}

#[test]
fn the_map_fills_with_the_times_of_what_is_possible_and_marks_the_best() {
    let catalog = catalog();
    let mut sweep = sweep(DeviceKind::Cuda, &catalog);
    let request = launch(&mut sweep);
    // A third of the 2 × 3 × 2 variants is impossible, because 5 divides neither tile.
    assert_eq!((request.programs.len(), request.shape.n, request.time), (8, 2048, true));
    let id = request.id;
    for (program, ms) in [25.0, 13.0, 20.0, 10.0, 50.0, 60.0, 4.0, 70.0].into_iter().enumerate() {
        assert!(sweep.reply(&Reply::Timed { id, subject: Subject::Program(program), timing: timing(ms) }));
        let verification =
            Verification { verified: program != 6, mismatches: u64::from(program == 6), ..Default::default() };
        sweep.reply(&Reply::Verified { id, program, verification });
    }
    sweep.reply(&Reply::Timed { id, subject: Subject::Cublas, timing: timing(1.0) });
    sweep.reply(&Reply::Finished { id, cancelled: false });
    let drawing = screen(&sweep, (80, 24));
    for part in [
        "8 variants",
        "measured just now",
        "‹k innermost›",
        "*1.718███",
        "best: 16_2_k_innermost, 1.718 TFLOP/s, 10.0 % of cuBLAS",
    ] {
        assert!(drawing.contains(part), "{part}\n{drawing}");
    }
    sweep.act(Action::Panel);
    let both = drawing + &screen(&sweep, (80, 24));
    assert!(["░░░", "▒▒▒", "▓▓▓", "███"].iter().all(|shade| both.contains(shade)), "all shades are used\n{both}");
    let drawing = screen(&sweep, (80, 24));
    assert!(drawing.contains("‹k outermost›") && drawing.contains("!4.295"), "the fastest is wrong\n{drawing}");
    for (width, height) in [(60, 18), (80, 24), (120, 40)] {
        let drawing = in_ascii(&sweep, (width, height));
        assert!(drawing.is_ascii() && drawing.contains("32"), "{drawing}");
    }
    at_every_size(&sweep);
}

#[test]
fn without_a_gpu_the_emulator_counts_and_shows_no_time() {
    let catalog = catalog();
    let mut sweep = sweep(DeviceKind::Emulator, &catalog);
    assert!(screen(&sweep, (80, 24)).contains("on the emulator, which counts"));
    let request = launch(&mut sweep);
    assert_eq!((request.on, request.shape.n, request.time, request.counts), (Target::Emulator, EMULATED, false, true));
    let id = request.id;
    for program in 0..8 {
        let mut counts = Counts::default();
        counts.totals.global_bytes = Shape::square(EMULATED).products() / 2 * (9 - program as u64);
        (counts.blocks_counted, counts.blocks) = (1, 1);
        sweep.reply(&Reply::Counted { id, program, counts, hazards: vec![], undefined: vec![], seconds: 0.1 });
    }
    sweep.reply(&Reply::Finished { id, cancelled: false });
    let drawing = screen(&sweep, (80, 24));
    for part in ["lower is better", "*1.00", "bytes of memory per multiply-add"] {
        assert!(drawing.contains(part), "{part}\n{drawing}");
    }
    assert!(!drawing.contains("FLOP/s"), "{drawing}");
}

#[test]
fn a_failed_launch_and_a_kernel_without_variants_show_the_reason() {
    let catalog = catalog();
    let mut sweep = sweep(DeviceKind::Cuda, &catalog);
    let id = launch(&mut sweep).id;
    let error = ExecError::new(ExecErrorKind::OutOfMemory, "The GPU is full.");
    sweep.reply(&Reply::Failed { id, error });
    assert!(screen(&sweep, (80, 24)).contains("The GPU is full."));
    let view = SweepView { kernel: At { value: "sgemm_tiled".into(), line: 0, column: 0 }, size: 64, budget_ms: None };
    let sweep = Sweep::new(&view, Setting::new(Catalog::built_in()));
    assert!(sweep.actions().is_empty());
    assert!(screen(&sweep, (80, 24)).contains("has only one variant"));
}

#[test]
fn the_cursor_wraps_around_and_its_variant_is_described() {
    let catalog = catalog();
    let mut sweep = sweep(DeviceKind::Cuda, &catalog);
    assert_eq!(sweep.actions(), [Action::Launch, Action::Panel], "there is nothing to go through yet");
    let id = launch(&mut sweep).id;
    sweep.reply(&Reply::Timed { id, subject: Subject::Program(1), timing: timing(30.0) });
    sweep.reply(&Reply::Finished { id, cancelled: false });
    for action in [Action::Up, Action::Left, Action::Up, Action::Right] {
        assert!(sweep.actions().contains(&action));
        sweep.act(action);
    }
    assert_eq!(sweep.cursor, (0, 0));
    let text = |sweep: &Sweep| sweep.describe().into_iter().find(|row| row.starts_with('▸')).unwrap();
    assert_eq!(text(&sweep), "▸ 16, 1, k innermost: 572.7 GFLOP/s");
    sweep.act(Action::Right);
    assert_eq!(text(&sweep), "▸ 16, 2, k innermost: no number yet");
}
