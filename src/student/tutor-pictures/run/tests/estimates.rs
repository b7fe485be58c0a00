//! Estimated times and the timeline.

use super::*;

#[test]
fn estimates_have_a_heading_and_an_error_of_their_own() {
    let mut run = without_gpu(&TILED, 2048);
    assert!(launched(&run.act(Action::Launch)).estimate.is_none(), "these times were recorded");
    let request = launched(&run.act(Action::Estimate)).clone();
    let asked = request.estimate.as_ref().unwrap();
    assert_eq!((asked.gpu.device.as_str(), asked.shape), ("NVIDIA H200", Shape::square(2048)));
    for (program, estimated) in
        [(0, Ok(Box::new(estimated()))), (1, Err("The model does not know `red.global`.".into()))]
    {
        let device = "NVIDIA H200".to_owned();
        run.reply(&Reply::Estimated { id: request.id, program, device, estimated });
    }
    emulate(&mut run, &request, &[0, 0]);
    insta::assert_snapshot!(screen(&run, (80, 40)));
    at_every_size(&run);
    run.act(Action::Timeline);
    run.act(Action::NextStall);
    insta::assert_snapshot!("timeline", screen(&run, (80, 24)));
    run.act(Action::Down);
    run.act(Action::StepForward);
    assert!(flowing(&run, (80, 24)).contains("Warp 0 of block 1 waits at a barrier"), "{}", flowing(&run, (80, 24)));
    at_every_size(&run);
    run.act(Action::Timeline);
    assert!(flowing(&run, (80, 40)).contains("estimated, not measured"), "the second kernel has no timeline");
    // Where nothing was recorded, each launch estimates.
    let mut run = without_gpu_from(&[], &TILED, 2048);
    assert!(launched(&run.act(Action::Launch)).estimate.is_some());
}
