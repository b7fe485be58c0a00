//! Estimated times and the timeline.

use super::*;

#[test]
fn estimates_have_a_heading_and_an_error_of_their_own() {
    let mut run = without_gpu(&TILED, 2048);
    assert!(launched(&run.act(Action::Launch)).estimate.is_none(), "these times were recorded");
    let request = launched(&run.act(Action::Estimate)).clone();
    let asked = request.estimate.as_ref().unwrap();
    assert_eq!((asked.gpu.device.as_str(), asked.shape), ("NVIDIA H200", Shape::square(2048)));
    // Two warps of each scheduler: one waits for shared memory while the other starts instructions.
    let cells = ["LLLLLLLLSSSS####".repeat(16), "####....BBBBwwww".repeat(16)];
    let warps = (0..8).map(|warp| {
        let cells = &cells[warp / 4];
        json!({ "scheduler": warp % 4, "block": warp / 4, "warp": warp % 4, "cells": cells, "started": [[12, 44, 200]] })
    });
    let timeline = json!({ "from": 10_000, "warps": warps.collect::<Vec<_>>() });
    let found = serde_json::from_value(json!({
        "device": "NVIDIA H200", "median_ms": 1.9, "low_ms": 1.44, "high_ms": 2.51, "launch_us": 1.5, "gflops": 9042.0,
        "from": "ptx", "registers": 32, "registers_estimated": true, "resident": 8, "waves": 15.5,
        "limits": [{ "unit": "shared_memory", "share": 0.4 }], "busy": { "load_store": 0.91 },
        "stalls": { "barrier": 0.4 }, "timeline": timeline, "error": { "median": 0.07, "p90": 0.32, "kernels": 135 },
    }));
    for (program, estimated) in [(0, Ok(found.unwrap())), (1, Err("The model does not know `red.global`.".into()))] {
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
    assert!(flowing(&run, (80, 24)).contains("Warp 0 of block 1 waits for other warps"), "{}", flowing(&run, (80, 24)));
    at_every_size(&run);
    run.act(Action::Timeline);
    assert!(flowing(&run, (80, 40)).contains("estimated, not measured"), "the second kernel has no timeline");
    // Where nothing was recorded, each launch estimates.
    let mut run = without_gpu_from(&[], &TILED, 2048);
    assert!(launched(&run.act(Action::Launch)).estimate.is_some());
}
