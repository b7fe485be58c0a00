//! Cooperative launches: kernels that wait at a barrier of the whole grid. NVRTC 12.0 compiled CUDA's cooperative
//! groups for two kinds of devices (`tests/fixtures/cooperative`). The sums, faults and numbers of resident blocks
//! are those of an NVIDIA H200 (driver 580.159.04, 22 November 2026).

use ptx_emulator::{
    Arg, BufferId, Control, EventKind, Fault, FaultKind, Hazard, HazardKind, Kernel, Launch, Measure, Memory, Module,
    Options, Schedule, Watch, run, trace, witness,
};

/// The PTX by target device: from sm_70 on with acquire and release, earlier with `volatile` and fences.
const TEXTS: [(&str, &str); 2] = [
    ("sm_90", include_str!("../fixtures/cooperative/grid-sm90.ptx")),
    ("sm_60", include_str!("../fixtures/cooperative/grid-sm60.ptx")),
];

fn kernel(text: &str, name: &str) -> Kernel {
    Module::parse(text).unwrap().kernel(name).unwrap()
}

fn everything() -> Options {
    Options { measure: Measure::All, global_hazards: true, ..Options::default() }
}

/// A launch of `grid_sum`, its memory, and its results.
fn sum(blocks: u32, cooperative: bool) -> (Launch, Memory, BufferId) {
    let x: Vec<f32> = (0..4096).map(|i| (i % 64) as f32).collect();
    let mut memory = Memory::new();
    let x = memory.add_f32("x", &x);
    let parts = memory.add_f32("parts", &vec![0.0; blocks as usize]);
    let sums = memory.add_f32("sums", &vec![0.0; blocks as usize]);
    let args = vec![Arg::Buffer(x), Arg::Buffer(parts), Arg::Buffer(sums), Arg::S32(4096)];
    (Launch { grid: [blocks, 1, 1], block: [128, 1, 1], args, cooperative, ..Launch::default() }, memory, sums)
}

#[test]
fn all_blocks_see_what_all_did_before_the_barrier_of_the_grid() {
    for (device, text) in TEXTS {
        for schedule in [Schedule::InOrder, Schedule::RoundRobin, Schedule::Seeded(7), Schedule::Seeded(8)] {
            for name in ["grid_sum", "grid_sum_racy"] {
                let (launch, mut memory, sums) = sum(12, true);
                let options = Options { schedule: schedule.clone(), ..everything() };
                let run = run(&kernel(text, name), &launch, &mut memory, &options, &Control::default()).unwrap();
                let right = memory.read_f32(sums) == [129_024.0; 12];
                let safe = name == "grid_sum";
                assert_eq!((right, run.hazards.is_empty()), (safe, safe), "{device} {name} {schedule:?}");
                // The read concerns a block's part, either before or after that block wrote it.
                let reads = [HazardKind::Raw, HazardKind::War];
                let of_parts =
                    |hazard: &Hazard| hazard.buffer.as_deref() == Some("parts") && reads.contains(&hazard.kind);
                assert!(run.hazards.iter().all(of_parts), "{device} {schedule:?}");
            }
        }
    }
}

#[test]
fn a_barrier_that_is_missing_has_a_witness() {
    let (launch, mut memory, _) = sum(12, true);
    let kernel = kernel(TEXTS[0].1, "grid_sum_racy");
    let before = memory.clone();
    let found = run(&kernel, &launch, &mut memory, &everything(), &Control::default()).unwrap().hazards;
    let seen = witness(&kernel, &launch, &before, &found[0], &Control::default()).unwrap();
    // A block reads another block's part before it is written.
    assert_eq!(seen.wrong, 0);
    assert!(f32::from_bits(seen.right as u32) > 0.0);
}

/// Replaces each element by the sum of its neighbours, step by step, alternating between two arrays.
fn steps(text: &str, grid: [u32; 3], block: [u32; 3], count: usize) -> (Vec<u32>, Vec<u32>, Vec<HazardKind>) {
    let all = grid.iter().chain(&block).product::<u32>() as usize;
    let mut a: Vec<u32> = (0..all as u32).collect();
    let bytes: Vec<u8> = a.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut memory = Memory::new();
    let ids = [memory.add("a", &bytes), memory.add("b", &vec![0; 4 * all])];
    let args = vec![Arg::Buffer(ids[0]), Arg::Buffer(ids[1]), Arg::S32(count as i32)];
    let launch = Launch { grid, block, args, cooperative: true, ..Launch::default() };
    let run = run(&kernel(text, "grid_steps"), &launch, &mut memory, &everything(), &Control::default()).unwrap();
    for _ in 0..count {
        a = (0..all).map(|i| a[(i + 1) % all].wrapping_add(a[(i + all - 1) % all])).collect();
    }
    let words = memory.read(ids[count % 2]).chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    (words.collect(), a, run.hazards.iter().map(|hazard| hazard.kind).collect())
}

#[test]
fn the_barrier_may_be_met_again_and_again() {
    for (device, text) in TEXTS {
        for (grid, block) in [([9, 1, 1], [64, 1, 1]), ([2, 3, 2], [4, 4, 4]), ([1, 1, 1], [33, 1, 1])] {
            let (found, expected, hazards) = steps(text, grid, block, 5);
            assert_eq!((found, hazards), (expected, vec![]), "{device} {grid:?} {block:?}");
        }
    }
}

#[test]
fn the_barrier_may_be_met_in_two_halves() {
    let mut memory = Memory::new();
    let [parts, out] = ["parts", "out"].map(|name| memory.add(name, &[0; 20]));
    let args = vec![Arg::Buffer(parts), Arg::Buffer(out)];
    let launch = Launch { grid: [5, 1, 1], block: [40, 1, 1], args, cooperative: true, ..Launch::default() };
    let kernel = kernel(TEXTS[0].1, "grid_split");
    let run = run(&kernel, &launch, &mut memory, &everything(), &Control::default()).unwrap();
    assert_eq!((memory.read(out), run.hazards), (&[15, 0, 0, 0].repeat(5)[..], vec![]));
}

fn facts(cooperative: bool) -> Vec<u32> {
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 72]);
    let args = vec![Arg::Buffer(out)];
    let launch = Launch { grid: [3, 2, 1], block: [32, 1, 1], args, cooperative, ..Launch::default() };
    run(&kernel(TEXTS[0].1, "grid_facts"), &launch, &mut memory, &Options::default(), &Control::default()).unwrap();
    memory.read(out).chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn a_launch_that_is_not_cooperative_has_no_barrier_of_the_grid() {
    for cooperative in [false, true] {
        let expected: Vec<u32> = (0..6).flat_map(|rank| [cooperative.into(), 6, rank]).collect();
        assert_eq!(facts(cooperative), expected);
    }
    // An H200 also runs this launch after a cooperative launch of the same module, but CUDA leaves that undefined. In
    // the emulator, the first launch has no effect on the second.
    let kernel = kernel(TEXTS[0].1, "grid_sum");
    let (launch, mut memory, sums) = sum(2, false);
    for cooperative in [false, true, false] {
        let launch = Launch { cooperative, ..launch.clone() };
        match run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()) {
            Ok(_) => assert!(cooperative && memory.read_f32(sums) == [129_024.0; 2]),
            Err(fault) => {
                assert_eq!((fault.kind, cooperative), (FaultKind::Trap, false));
                assert!(fault.message.contains("`grid.sync()` does in a launch that is not cooperative"), "{fault}");
            }
        }
    }
}

#[test]
fn a_grid_that_does_not_fit_on_the_gpu_is_refused() {
    let launched = |blocks: u32, threads: u32, shared: u64| -> Result<(), Fault> {
        let (launch, mut memory, _) = sum(blocks, true);
        let launch = Launch { block: [threads, 1, 1], dynamic_shared: shared, ..launch };
        run(&kernel(TEXTS[0].1, "grid_sum"), &launch, &mut memory, &Options::default(), &Control::default()).map(|_| ())
    };
    // There are 132 SMs with 2048 threads and 228 KiB each. A block needs 1 KiB reserved by the system and 1 KiB for
    // the kernel.
    assert_eq!(launched(8 * 132, 256, 0), Ok(()));
    for (blocks, threads, shared, fit) in [(8 * 132 + 1, 256, 0, 1056), (133, 256, 150 << 10, 132), (5000, 64, 0, 4224)]
    {
        let fault = launched(blocks, threads, shared).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Launch);
        assert!(fault.message.contains(&format!("{fit} fit")), "{fault}");
    }
    let (launch, mut memory, _) = sum(4, true);
    let options = Options { sample_blocks: Some(2), ..Options::default() };
    let fault = run(&kernel(TEXTS[0].1, "grid_sum"), &launch, &mut memory, &options, &Control::default()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Launch);
}

#[test]
fn a_block_is_traced_among_all_others() {
    let (launch, memory, _) = sum(3, true);
    let kernel = kernel(TEXTS[0].1, "grid_sum");
    let watch = Watch { lines: false, accesses: false, ..Watch::default() };
    for block in 0..3 {
        let trace = trace(&kernel, &launch, &memory, block, &Schedule::InOrder, &watch, &Control::default()).unwrap();
        let ended = |event: &&ptx_emulator::Event| event.kind == EventKind::Exit;
        assert_eq!((trace.fault, trace.events.iter().filter(ended).count()), (None, 4), "block {block}");
    }
}
