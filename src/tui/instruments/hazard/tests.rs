use super::super::snapshot::{CASES, at_every_size, drawn, setting, text};
use super::*;
use crate::exec::protocol::{ExecError, ExecErrorKind};

/// A report of a real run, made by the worker's own code.
fn report(kernel: &str, id: u64) -> Reply {
    let request = WitnessRequest { id, kernel: Program::new(kernel), correct: Program::new("sgemm_tiled"), seed: 1 };
    Reply::Witnessed { id, report: Box::new(crate::exec::witness(&request).unwrap()) }
}

fn view(kernel: &str) -> HazardView {
    HazardView {
        kernel: kernel.to_owned().into(),
        correct: "sgemm_tiled".to_owned().into(),
        delayed: Some(format!("{kernel}_delayed").into()),
    }
}

fn told(kernel: &str) -> Hazard {
    let mut hazard = Hazard::new(&view(kernel), setting());
    let [Effect::Witness(request)] = &hazard.focus()[..] else { panic!() };
    assert!(hazard.reply(&report(kernel, request.id)));
    assert!(hazard.story().is_some(), "{:?}", hazard.state);
    hazard
}

fn screen(hazard: &Hazard, size: (u16, u16)) -> String {
    text(size, false, |frame, area, look| hazard.render(frame, area, look))
}

#[test]
fn the_fault_of_the_second_barrier_is_drawn_at_every_size_and_theme() {
    let mut hazard = told("sgemm_no_second_barrier");
    hazard.act(Action::Last);
    for case in CASES {
        let name = format!("hazard-{}x{}-{}", case.0, case.1, case.2);
        insta::assert_snapshot!(name, drawn(case, false, |frame, area, look| hazard.render(frame, area, look)));
    }
    at_every_size(|frame, area, look| hazard.render(frame, area, look));
}

#[test]
fn the_fault_of_the_first_barrier_is_drawn() {
    let mut hazard = told("sgemm_no_first_barrier");
    hazard.act(Action::Last);
    insta::assert_snapshot!("hazard-raw", screen(&hazard, (80, 24)));
}

#[test]
fn a_wrong_value_is_shown_where_it_is_read_and_what_it_should_be() {
    for kernel in ["sgemm_no_first_barrier", "sgemm_no_second_barrier"] {
        let mut hazard = told(kernel);
        assert!(!screen(&hazard, (80, 24)).contains('✘'), "{kernel}: the fault is not told before it happens");
        hazard.act(Action::Last);
        let fault = hazard.story().unwrap().steps[hazard.at].touch.unwrap();
        assert!(fault.wrong());
        let drawing = screen(&hazard, (60, 18));
        assert!(drawing.contains(&format!("wants {:.4}", fault.wanted.unwrap())), "{kernel}\n{drawing}");
        assert!(drawing.contains(&format!("gets {:.4}", fault.value)) && drawing.contains('✘'), "{kernel}\n{drawing}");
    }
}

#[test]
fn the_wanted_value_is_the_one_that_the_right_order_reads() {
    for kernel in ["sgemm_no_first_barrier", "sgemm_no_second_barrier"] {
        let hazard = told(kernel);
        let State::Told { stories, .. } = &hazard.state else { panic!() };
        let fault = stories.wrong.steps[stories.wrong.fault().unwrap()].touch.unwrap();
        let right = stories.right.as_ref().unwrap();
        let same = right.steps.iter().filter_map(|step| step.touch).find(|touch| {
            !touch.write && touch.tile == fault.tile && touch.thread == fault.thread
        });
        assert_eq!(same.unwrap().value, fault.wanted.unwrap(), "{kernel}");
        let correct = stories.correct.as_ref().unwrap();
        assert_eq!(correct.fault(), None, "{kernel}");
    }
}

#[test]
fn the_schedules_go_round() {
    let mut hazard = told("sgemm_no_second_barrier");
    let orders: Vec<Order> = (0..4)
        .map(|_| {
            hazard.act(Action::Schedule);
            hazard.order
        })
        .collect();
    assert_eq!(orders, [Order::Right, Order::Correct, Order::Wrong, Order::Right]);
    hazard.act(Action::Schedule);
    let drawing = screen(&hazard, (80, 24));
    assert!(drawing.contains("both barriers") && drawing.contains("barrier 2"), "{drawing}");
}

#[test]
fn it_plays_up_to_the_fault() {
    let mut hazard = told("sgemm_no_second_barrier");
    hazard.act(Action::Play);
    let mut now = Duration::ZERO;
    while hazard.animating() {
        now += STEP;
        hazard.tick(now);
    }
    assert_eq!(Some(hazard.at), hazard.story().unwrap().fault());
}

#[test]
fn the_whole_run_counts_wrong_elements_of_all_three_kernels() {
    let mut hazard = told("sgemm_no_second_barrier");
    let [Effect::Launch(request)] = &hazard.act(Action::RunIt)[..] else { panic!() };
    assert_eq!((request.programs.len(), request.verify, request.time), (3, true, false));
    let id = request.id;
    for (program, mismatches) in [(0, 75_755), (1, 0), (2, 1_040_617)] {
        let verification =
            Verification { verified: mismatches == 0, elements: 1_048_576, mismatches, ..Verification::default() };
        hazard.reply(&Reply::Verified { id, program, verification });
    }
    hazard.reply(&Reply::Finished { id, cancelled: false });
    let drawing = screen(&hazard, (80, 24));
    for words in ["✘ 75 755 of 1 048 576 wrong", "✔ all 1 048 576 right", "✘ 1 040 617 of 1 048 576 wrong"] {
        assert!(drawing.contains(words), "{drawing}");
    }
}

#[test]
fn what_cannot_be_run_is_said_and_can_be_asked_again() {
    let mut hazard = Hazard::new(&view("sgemm_no_second_barrier"), setting());
    let [Effect::Witness(request)] = &hazard.focus()[..] else { panic!() };
    assert!(hazard.focus().is_empty());
    let error = ExecError::new(ExecErrorKind::Worker, "The worker process ended.").help("Try again.");
    assert!(hazard.reply(&Reply::Failed { id: request.id, error }));
    assert!(screen(&hazard, (60, 12)).contains("✘ The worker process ended. Try again."));
    assert_eq!(hazard.focus().len(), 1);
}
