use super::super::checks::{at_every_size, kept, screen, setting, timing};
use super::model::tests::{h200, point};
use super::*;
use ptx_emulator::Counts;
use tutor_course::At;
use tutor_exec::protocol::{Device, Subject};

fn view() -> View {
    let kernels = ["sgemm_naive_coalesced", "sgemm_tiled"];
    View { kernels: kernels.iter().map(|kernel| At::from((*kernel).to_owned())).collect(), size: 1024 }
}

fn counted(id: u64, program: usize, flop: u64, global_bytes: u64) -> Reply {
    let mut counts = Counts::default();
    (counts.totals.flop, counts.totals.global_bytes) = (flop, global_bytes);
    Reply::Counted { id, program, counts, hazards: vec![], undefined: vec![], seconds: 0.0 }
}

fn recorded() -> Roofline {
    let mut roofline = Roofline::with(&view(), setting(), &[], vec![h200()]);
    roofline.points =
        vec![point("naive, threadIdx.x on columns", 0.25, Some(6058.0)), point("tiled 16×16", 3.97, Some(7594.0))];
    roofline.device = Some(("NVIDIA H200".into(), true));
    roofline
}

#[test]
fn the_plot_is_drawn_at_every_size_and_theme() {
    let roofline = recorded();
    insta::assert_snapshot!("roofline", kept(&roofline));
    at_every_size(&roofline);
}

#[test]
fn intensities_are_counted_and_a_kernel_without_a_time_is_a_line() {
    let mut roofline = Roofline::with(&view(), setting(), &[], vec![h200()]);
    let [Effect::Launch(request)] = &roofline.focus()[..] else { panic!() };
    assert!(request.counts);
    roofline.reply(&counted(request.id, 0, 1000, 4000));
    roofline.reply(&counted(request.id, 1, 4000, 1000));
    roofline.reply(&Reply::Finished { id: request.id, cancelled: false });
    insta::assert_snapshot!("roofline-without-times", screen(&roofline, (80, 24)));
    assert!(roofline.focus().is_empty());
}

#[test]
fn another_gpu_is_not_put_under_the_recorded_roof() {
    let mut roofline = recorded();
    let [Effect::Launch(request)] = &roofline.launch()[..] else { panic!() };
    let id = request.id;
    let device = Device { driver: Some("580.1".into()), ..Device::named(DeviceKind::Cuda, "NVIDIA T4") };
    roofline.reply(&Reply::Started { id, device, note: None, elements: Default::default() });
    roofline.reply(&Reply::Timed { id, subject: Subject::Program(1), timing: timing(3.0) });
    let drawing = screen(&roofline, (80, 24));
    assert!(
        drawing.contains("No roof") && drawing.contains(&t!("roofline-measured", speed = "715.8 GFLOP/s")),
        "{drawing}"
    );
    assert!(!drawing.contains("recorded"), "{drawing}");
}

#[test]
fn a_roof_that_does_not_fit_is_not_reported_as_missing() {
    let drawing = screen(&recorded(), (76, 11));
    assert!(drawing.contains('⠤') && drawing.contains("15.2"), "{drawing}");
    let drawing = screen(&recorded(), (76, 7));
    assert!(drawing.contains("needs more room") && !drawing.contains("No roof"), "{drawing}");
}
