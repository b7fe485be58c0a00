//! Launches on the emulator: every kernel on ragged shapes, wrong kernels, faults, cancellation.

use super::{Talk, error, request};
use ptx_emulator::Counts;
use tutor_exec::emulates;
use tutor_exec::estimate::EstimateRequest;
use tutor_exec::protocol::{ExecErrorKind, LaunchRequest, Program, Reply, Request, Shape, Verification};
use tutor_exec::results::LaunchResults;
use tutor_kernels::{Catalog, Elements, Kernel};

const SHAPES: [Shape; 6] = [
    Shape::new(1, 1, 1),
    Shape::new(17, 33, 5),
    Shape::new(31, 15, 100),
    Shape::new(1, 1500, 3),
    Shape::new(70, 1, 64),
    Shape::new(64, 64, 64),
];

fn verification(results: &LaunchResults) -> Option<&Verification> {
    results.programs[0].verification.as_ref()
}

/// The kernels that must be right, and whose instructions the emulator has.
fn right_kernels() -> impl Iterator<Item = &'static Kernel> {
    fn runs(kernel: &Kernel) -> bool {
        emulates(kernel.ptx.as_deref().unwrap()).is_ok()
    }
    // A shape that the kernel cannot take goes to another one.
    let other_runs = |id: &str| runs(&Catalog::built_in().find(id).unwrap());
    let right = Catalog::built_in().kernels().iter().filter(|kernel| !kernel.expected_wrong);
    right.filter(move |kernel| runs(kernel) && kernel.otherwise.as_deref().is_none_or(other_runs))
}

fn counts(results: &LaunchResults) -> &Counts {
    results.programs[0].counts.as_ref().unwrap()
}

#[test]
fn every_right_kernel_is_right_on_ragged_shapes_and_those_of_the_first_levels_agree_to_the_bit() {
    let talk = Talk::real();
    for (id, shape) in (1..).zip(SHAPES) {
        for (alpha, beta) in [(1.0, 0.0), (-1.5, 0.25)] {
            let mut hashes = Vec::new();
            for kernel in right_kernels() {
                let simple = ["one-thread", "shared-tiling"].contains(&kernel.level.as_str());
                // A block of the later levels has a hundred times the work: a ragged shape and a whole tile must do.
                if !simple && ![(SHAPES[1], 0.0), (SHAPES[5], 0.25)].contains(&(shape, beta)) {
                    continue;
                }
                // No other kernel has its scales or its epilogue, so it refuses what it cannot take.
                let refused = kernel.otherwise.is_none() && kernel.needs.unmet(shape.m, shape.n, shape.k).is_some();
                let shape = if refused { Shape::new(17, 48, 48) } else { shape };
                let mut launch = request(id, &kernel.id, shape);
                // Kernels of integers take no factors.
                (launch.alpha, launch.beta) = if kernel.elements == Elements::S8 { (1.0, 0.0) } else { (alpha, beta) };
                let results = talk.launch(launch);
                let outcome = verification(&results).unwrap_or_else(|| panic!("{} {shape:?}", kernel.id));
                assert!(outcome.verified, "{} {shape:?} {outcome:?}", kernel.id);
                assert_eq!(outcome.elements, u64::from(shape.m) * u64::from(shape.n));
                if simple {
                    hashes.push(outcome.hash.clone());
                }
            }
            // They all add in the order of k, with one rounding a step.
            assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{shape:?} {hashes:?}");
        }
    }
}

#[test]
fn fp64_has_the_same_bits_with_and_without_tensor_cores() {
    let talk = Talk::real();
    let hash = |kernel: &str| {
        let launch = LaunchRequest { alpha: -1.5, beta: 0.0, ..request(1, kernel, Shape::new(66, 34, 50)) };
        verification(&talk.launch(launch)).filter(|outcome| outcome.verified).unwrap().hash.clone()
    };
    let kernels = ["f64_simple", "f64_mma", "f64_mma@64x64", "f64_mma@32x32", "f64_mma_sm90", "f64_mma+padded"];
    let hashes = kernels.map(hash);
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:?}");
}

#[test]
fn fp32_on_tensor_cores_and_tf32_have_the_bits_of_an_h200() {
    // `run KERNEL --on cuda --seed 1` on an H200, driver 580.159.04, 22 November 2026.
    let measured = [
        ("bf16x6_promoted", ["00d0a01b39e491b3", "528934b7d7e97979"]),
        ("bf16x6_specialized", ["00d0a01b39e491b3", "528934b7d7e97979"]),
        ("bf16x6_overlapped", ["16acbe4d12107ca0", "f034cfb47a662db9"]),
        ("bf16x6_mma", ["c6517aa5a1cec3b1", "6baece87e7f92782"]),
        // The blocks of a cluster add up their sums through each other's shared memory.
        ("bf16x6_split_k", ["21e67c82281ffee9", "8af389be90c7403c"]),
        // The copy engine rounds to TF32.
        ("tf32_wgmma", ["21859c4cf2fb1eea", "67251e7e0ed7c463"]),
    ];
    let shapes = [(Shape::square(48), 1.0, 0.0), (Shape::new(140, 264, 136), -1.5, 0.25)];
    same_bits(&measured, &shapes);
}

#[test]
fn what_shares_k_has_the_bits_of_an_h100() {
    // `run KERNEL@VARIANT --on cuda --seed 1` on an H100 80GB HBM3, driver 580.159.04, 23 November 2026; all 71 variants of the three kernels
    // were compared so. At 72x200x520 the rows of C begin within a sector, which the copy engine stores.
    let measured = [
        ("sgemm_split_k@64x64_in_2_parts", ["9b67351b994d37ba", "09524d1a6b6327fc", "fb6af6f1b3679018"]),
        ("sgemm_split_k@32x64_in_8_parts", ["70419c3d5491c472", "6ac7769251819d6b", "878a2a8358728d56"]),
        ("bf16_split_k@128x128_cluster_2x1_group_2", ["144957f4fecd5725", "e3e35ad2959a9aa5", "043f6dfc84c26825"]),
        ("bf16_split_k@128x64_in_2_parts", ["144957f4fecd5725", "e3e35ad2959a9aa5", "557a0a1100566825"]),
        ("bf16_split_k@64x64_in_4_parts", ["144957f4fecd5725", "b661476fbf7a9aa5", "320d5f084cd26825"]),
        ("tf32_split_k@128x128_cluster_2x1_group_4", ["21859c4cf2fb1eea", "67251e7e0ed7c463", "2eeab4ae46bf8f6d"]),
        ("tf32_split_k@64x64_in_4_parts", ["b1fa9079ff46d6e8", "6e351cceb6d7d021", "15b044abf63c2a13"]),
    ];
    let shapes =
        [(Shape::square(48), 1.0, 0.0), (Shape::new(140, 264, 136), -1.5, 0.25), (Shape::new(72, 200, 520), 1.0, 0.0)];
    same_bits(&measured, &shapes);
}

/// Launches each kernel at each shape, with its alpha and beta, and compares the hash of C.
fn same_bits<const N: usize>(measured: &[(&str, [&str; N])], shapes: &[(Shape, f32, f32); N]) {
    let talk = Talk::real();
    let launches = measured.iter().flat_map(|(kernel, hashes)| shapes.iter().zip(hashes).map(move |at| (kernel, at)));
    for (id, (kernel, ((shape, alpha, beta), hash))) in (1..).zip(launches) {
        let mut launch = request(id, kernel, *shape);
        (launch.alpha, launch.beta, launch.seed) = ((*alpha).into(), (*beta).into(), 1);
        let results = talk.launch(launch);
        let outcome = verification(&results).unwrap();
        assert_eq!((outcome.verified, outcome.hash.as_str()), (true, *hash), "{kernel} {shape:?}");
    }
}

#[test]
fn every_wrong_kernel_is_wrong_and_shows_its_hazard() {
    let talk = Talk::real();
    let wrong = Catalog::built_in().kernels().iter().filter(|kernel| kernel.expected_wrong);
    for (id, kernel) in (1..).zip(wrong) {
        let mut launch = request(id, &kernel.id, Shape::square(64));
        launch.hazards = true;
        let results = talk.launch(launch);
        let (outcome, hazards) = (verification(&results).unwrap(), results.programs[0].hazards());
        assert!(!outcome.verified && outcome.mismatches > 0, "{} {outcome:?}", kernel.id);
        let expected = format!("{:?}", kernel.hazard.unwrap());
        assert!(!hazards.is_empty(), "{}", kernel.id);
        for hazard in hazards {
            assert_eq!(format!("{:?}", hazard.kind), expected, "{} {hazard:?}", kernel.id);
            assert_eq!(hazard.first.place.file, kernel.file);
        }
    }
}

#[test]
fn right_kernels_have_no_hazard() {
    let talk = Talk::real();
    for (id, kernel) in (1..).zip(right_kernels()) {
        let mut launch = request(id, &kernel.id, Shape::square(48));
        launch.hazards = true;
        assert_eq!(talk.launch(launch).programs[0].hazards, Some(Vec::new()), "{}", kernel.id);
    }
}

#[test]
fn a_large_product_is_counted_on_a_few_blocks_and_never_called_verified() {
    let talk = Talk::real();
    let mut launch = request(1, "sgemm_tiled", Shape::square(4096));
    launch.counts = true;
    let results = talk.launch(launch);
    assert_eq!(verification(&results), None);
    let counts = counts(&results);
    assert_eq!(counts.blocks, 256 * 256);
    assert!((2..=16).contains(&counts.blocks_counted), "{}", counts.blocks_counted);
    let notes: Vec<String> = results.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("not checked")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("The emulator counted")), "{notes:?}");
}

#[test]
fn every_block_of_a_product_that_is_counted_quickly_is_counted() {
    let talk = Talk::real();
    let blocks = |id, shape, hazards| {
        let mut launch = request(id, "sgemm_tiled", shape);
        (launch.counts, launch.hazards, launch.verify) = (true, hazards, false);
        let results = talk.launch(launch);
        (counts(&results).blocks_counted, counts(&results).blocks)
    };
    let small = Shape::new(256, 256, 48);
    let large = Shape::new(1024, 1024, 17);
    assert_eq!(blocks(1, small, true), (256, 256));
    assert_eq!(blocks(2, large, true), (4, 4096), "looking for hazards takes longer");
    assert_eq!(blocks(3, large, false), (4096, 4096));
}

#[test]
fn the_padded_tile_is_stored_with_two_way_conflicts_and_the_column_walk_loads_with_32() {
    let talk = Talk::real();
    let per_request = |id, kernel: &str, op: &str| {
        let mut launch = request(id, kernel, Shape::square(64));
        launch.counts = true;
        let results = talk.launch(launch);
        let lines = counts(&results).lines.iter().filter(|line| line.op.starts_with(op));
        let (requests, wavefronts) = lines.fold((0, 0), |(r, w), line| (r + line.requests, w + line.wavefronts));
        wavefronts as f64 / requests as f64
    };
    assert_eq!(per_request(1, "sgemm_tiled", "st.shared"), 1.0);
    assert_eq!(per_request(2, "sgemm_tiled_padded", "st.shared"), 2.0);
    assert_eq!(per_request(3, "sgemm_tiled", "ld.shared"), 1.0);
    assert_eq!(per_request(4, "sgemm_tiled_padded", "ld.shared"), 1.0);
    // Half of the loads walk the column (32 wavefronts), the other half are broadcasts.
    assert_eq!(per_request(5, "sgemm_tiled32_column", "ld.shared"), 16.5);
    assert_eq!(per_request(6, "sgemm_tiled32_column_padded", "ld.shared"), 1.0);
}

fn with_ptx(id: u64, ptx: &str) -> LaunchRequest {
    let mut launch = request(id, "sgemm_tiled", Shape::square(64));
    launch.programs = vec![Program { ptx: Some(ptx.to_owned()), ..Program::new("sgemm_tiled") }];
    launch
}

#[test]
fn a_faulting_an_endless_and_a_broken_kernel_fail_with_their_place_and_the_next_run_works() {
    let talk = Talk::real();
    let (kind, message) = error(&talk.launch(with_ptx(1, include_str!("out_of_bounds.ptx"))));
    assert_eq!(kind, ExecErrorKind::KernelFault);
    assert!(message.contains("out_of_bounds.cu:6") || message.contains("line 6"), "{message}");
    let (kind, message) = error(&talk.launch(with_ptx(2, include_str!("endless.ptx"))));
    assert_eq!(kind, ExecErrorKind::TimedOut, "{message}");
    assert!(message.contains("endless.cu:6"), "{message}");
    let (kind, message) = error(&talk.launch(with_ptx(3, ".version 8.0\n.target sm_75\nnonsense")));
    assert_eq!(kind, ExecErrorKind::Invalid, "{message}");
    assert!(verification(&talk.launch(request(4, "sgemm_tiled", Shape::square(64)))).unwrap().verified);
}

#[test]
fn a_cancelled_launch_stops_soon_and_the_next_one_runs() {
    let talk = Talk::real();
    // Long enough to be caught in the middle on any machine.
    let mut long = with_ptx(1, include_str!("endless.ptx"));
    long.shape = Shape::new(2048, 2048, 20);
    talk.worker.send(Request::Launch(long));
    talk.until(|reply| {
        matches!(reply, Reply::Progress { id: 1, doing, .. } if doing.to_string().contains("emulating")).then_some(())
    });
    talk.cancel();
    assert!(verification(&talk.launch(request(2, "sgemm_tiled", Shape::square(16)))).unwrap().verified);
}

/// A launch that only estimates.
fn estimate(id: u64, kernel: &str, n: u32) -> LaunchRequest {
    let estimate = EstimateRequest::of(None, Shape::square(n));
    LaunchRequest { verify: false, estimate, ..request(id, kernel, Shape::square(n)) }
}

#[test]
fn the_data_pipe_serves_what_nsight_compute_counted() {
    let recorded = include_str!("../../assets/recorded/data-pipe.json");
    let recorded: serde_json::Value = serde_json::from_str(recorded).unwrap();
    let talk = Talk::real();
    let mut differ = Vec::new();
    for (id, of) in (1..).zip(recorded["kernels"].as_array().unwrap()) {
        let (kernel, n) = (of["kernel"].as_str().unwrap(), of["n"].as_u64().unwrap() as u32);
        let asked = EstimateRequest::of(Some("nvidia-h200"), Shape::square(n));
        let request = LaunchRequest { estimate: asked, ..estimate(id, kernel, n) };
        let counted = of["data_pipe_wavefronts"].as_f64().unwrap() * 32.0 / f64::from(n).powi(3);
        let found = talk.launch(request).programs.remove(0).estimated.unwrap();
        let pipe = found.map(|found| found.data_pipe.unwrap().bound.per_32_multiply_adds / counted);
        if !pipe.as_ref().is_ok_and(|ratio| (ratio - 1.0).abs() < 0.03) {
            differ.push((kernel.to_owned(), pipe.ok().map(|ratio| (100.0 * ratio).round())));
        }
    }
    // The GPU repeats accesses of the first one. The model does not know the instructions of the others.
    let known = [("sgemm_tiled_delayed", None), ("sgemm_thread_tile_8x4", Some(96.0)), ("sgemm_split_k", None)];
    assert_eq!(differ, known.map(|(kernel, ratio)| (kernel.to_owned(), ratio)));
}

#[test]
fn a_time_is_estimated_with_its_error_or_there_is_a_reason_why_not() {
    let talk = Talk::real();
    let estimated = |request| talk.launch(request).programs.remove(0).estimated.unwrap();
    let found = estimated(estimate(1, "sgemm_tiled", 300)).unwrap();
    assert!(0.0 < found.low_ms && found.low_ms < found.median_ms && found.median_ms < found.high_ms, "{found:?}");
    assert!((found.gflops.unwrap() * found.median_ms * 1e6 / (2.0 * 300f64.powi(3)) - 1.0).abs() < 1e-9, "{found:?}");
    assert!(found.error.kernels > 0 && !found.limits.is_empty());
    let refused = |id, kernel| estimated(estimate(id, kernel, 256)).unwrap_err().to_string();
    assert!(refused(2, "bf16_wmma").contains("wmma"));
    assert!(refused(3, "sgemm_tiled_delayed").contains("nanosleep"));
    let tensor = estimated(estimate(4, "bf16_mma", 256)).unwrap();
    assert!(tensor.error.tensor && !found.error.tensor);
    // The estimate of several launches is the sum of theirs: three with copies, two with an epilogue as a second kernel.
    for (id, kernel, n, launches) in [(5, "bf16_mma+padded", 100, 3.0), (6, "e4m3_unfused", 256, 2.0)] {
        let several = estimated(estimate(id, kernel, n)).unwrap();
        assert_eq!(several.launch_us, launches * tensor.launch_us, "{kernel}");
        assert!(several.launch_us / 1e3 < several.median_ms && several.low_ms < several.median_ms, "{several:?}");
    }
}

#[test]
fn a_cancelled_estimate_has_no_number() {
    let talk = Talk::real();
    talk.worker.send(Request::Launch(estimate(1, "sgemm_naive_coalesced", 4096)));
    talk.until(|reply| matches!(reply, Reply::Progress { id: 1, .. }).then_some(()));
    talk.cancel();
}

#[test]
fn several_kernels_run_on_the_same_data_in_one_launch() {
    let talk = Talk::real();
    let mut launch = request(1, "sgemm_tiled", Shape::square(40));
    launch.programs.push(Program::new("sgemm_tiled_padded"));
    launch.counts = true;
    let results = talk.launch(launch);
    let hashes = results.programs.iter().map(|found| found.verification.as_ref().unwrap().hash.as_str());
    let [first, second] = hashes.collect::<Vec<_>>()[..] else { panic!("{results:?}") };
    assert_eq!(first, second);
}
