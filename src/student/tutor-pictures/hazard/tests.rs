use super::super::checks::{screen, setting, witness};
use super::*;
use tutor_exec::protocol::{ExecError, ExecErrorKind, Verification};

fn view(kernel: &str) -> HazardView {
    HazardView {
        kernel: kernel.to_owned().into(),
        correct: "sgemm_tiled".to_owned().into(),
        delayed: Some(format!("{kernel}_delayed").into()),
    }
}

fn witnessed(kernel: &str) -> Hazard {
    let mut hazard = Hazard::new(&view(kernel), setting());
    let [Effect::Witness(request)] = &hazard.focus()[..] else { panic!() };
    assert!(hazard.reply(&witness(request)));
    assert!(hazard.story().is_some(), "{:?}", hazard.state);
    hazard
}

#[test]
fn the_correct_value_is_the_one_that_the_harmless_order_reads() {
    for kernel in ["sgemm_no_first_barrier", "sgemm_no_second_barrier"] {
        let hazard = witnessed(kernel);
        let State::Ready { stories, .. } = &hazard.state else { panic!() };
        let fault = stories.wrong.steps[stories.wrong.fault().unwrap()].touch.unwrap();
        let right = stories.right.as_ref().unwrap();
        let same = right
            .steps
            .iter()
            .filter_map(|step| step.touch)
            .find(|touch| !touch.write && touch.tile == fault.tile && touch.thread == fault.thread);
        assert_eq!(same.unwrap().value, fault.wanted.unwrap(), "{kernel}");
        let correct = stories.correct.as_ref().unwrap();
        assert_eq!(correct.fault(), None, "{kernel}");
    }
}

#[test]
fn a_barrier_closes_as_an_animation_and_is_described_in_words() {
    let mut hazard = witnessed("sgemm_no_second_barrier");
    let barrier = hazard.story().unwrap().steps.iter().position(|step| step.column.is_none()).unwrap();
    (0..barrier).for_each(|_| {
        hazard.finish_animation();
        hazard.act(Action::StepForward);
    });
    assert!(hazard.animating());
    let line = |hazard: &Hazard| screen(hazard, (76, 20)).matches('═').count();
    let begun = line(&hazard);
    hazard.finish_animation();
    assert!(!hazard.animating() && line(&hazard) > begun);
    let text = hazard.describe().join("\n");
    assert!(text.contains("needs") && text.contains("gets") && text.contains("barrier 1"), "{text}");
}

#[test]
fn the_whole_run_counts_wrong_elements_of_all_three_kernels() {
    let mut hazard = witnessed("sgemm_no_second_barrier");
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
    for words in ["✘ 75,755 of 1,048,576 wrong", "✔ all 1,048,576 correct", "✘ 1,040,617 of 1,048,576 wrong"] {
        assert!(drawing.contains(words), "{drawing}");
    }
}

#[test]
fn a_failure_is_shown_and_the_request_can_be_repeated() {
    let mut hazard = Hazard::new(&view("sgemm_no_second_barrier"), setting());
    let [Effect::Witness(request)] = &hazard.focus()[..] else { panic!() };
    assert!(hazard.focus().is_empty());
    let error = ExecError::new(ExecErrorKind::Worker, "The worker process ended.").help("Try again.");
    assert!(hazard.reply(&Reply::Failed { id: request.id, error }));
    assert!(screen(&hazard, (60, 12)).contains("✘ The worker process ended. Try again."));
    assert_eq!(hazard.focus().len(), 1);
}

#[test]
fn next_to_text_at_120_columns_the_word_is_at_the_right_and_the_title_is_complete() {
    let mut hazard = witnessed("sgemm_no_second_barrier");
    hazard.act(Action::WrongRead);
    let drawing = screen(&hazard, (68, 36));
    let first = drawing.lines().next().unwrap_or_default();
    assert!(first.starts_with(" tiled 16×16, second barrier removed") && !first.contains('…'), "{drawing}");
    let heads = drawing.lines().nth(1).unwrap_or_default();
    assert!(heads.contains("warp 1") && heads.contains("B_tile[0][0]"), "{drawing}");
}
