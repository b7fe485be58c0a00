//! Cooperative launches: kernels that wait at a barrier of the whole grid. NVRTC 12.0 compiled CUDA's cooperative
//! groups for two kinds of devices (`tests/fixtures/cooperative`). The sums, faults and numbers of resident blocks
//! are those of an NVIDIA H200 (driver 580.159.04, 22 November 2026).

use ptx_emulator::{
    Arg, BufferId, Control, EventKind, FaultKind, Hazard, HazardKind, Kernel, Launch, Measure, Memory, Module, Options,
    Schedule, Watch, run, trace, witness,
};

/// The PTX by target device: from sm_70 on with acquire and release, earlier with `volatile` and fences.
const TEXTS: [(&str, &str); 2] = [
    ("sm_90", include_str!("../cases/launches/cooperative_sm_90.ptx")),
    ("sm_60", include_str!("../cases/launches/cooperative_sm_60.ptx")),
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
fn without_the_barrier_of_the_grid_blocks_race_in_every_order() {
    for (device, text) in TEXTS {
        for schedule in [Schedule::InOrder, Schedule::RoundRobin, Schedule::Seeded(7), Schedule::Seeded(8)] {
            let (launch, mut memory, sums) = sum(12, true);
            let options = Options { schedule: schedule.clone(), ..everything() };
            let racy = kernel(text, "grid_sum_racy");
            let hazards = run(&racy, &launch, &mut memory, &options, &Control::default()).unwrap().hazards;
            assert!(memory.read_f32(sums) != [129_024.0; 12] && !hazards.is_empty(), "{device} {schedule:?}");
            // The read concerns a block's part, either before or after that block wrote it.
            let reads = [HazardKind::Raw, HazardKind::War];
            let of_parts = |hazard: &Hazard| hazard.buffer.as_deref() == Some("parts") && reads.contains(&hazard.kind);
            assert!(hazards.iter().all(of_parts), "{device} {schedule:?}");
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
fn a_cooperative_launch_has_no_effect_on_the_next_one() {
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
