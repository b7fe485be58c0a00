//! The events that an observer receives must add up to the emulator's counts.

use ptx_emulator::{
    Access, Arg, BufferId, Control, Effect, FaultKind, Instruction, Launch, Measure, Memory, Module, Observer, Options,
    observe, observe_blocks, run,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
struct Everything {
    instructions: u64,
    blocks: BTreeSet<u64>,
    warps: BTreeSet<u32>,
    shared: u64,
    buffers: BTreeMap<BufferId, u64>,
    last: u64,
}

impl Observer for Everything {
    fn instruction(&mut self, instruction: &Instruction<'_>) {
        assert!(instruction.place().is_some() && !instruction.name().is_empty());
        self.instructions += 1;
        self.blocks.insert(instruction.block());
        self.warps.insert(instruction.warp());
    }

    fn access(&mut self, access: &Access<'_>) {
        let bytes = u64::from(access.lanes().count_ones() * access.bytes());
        match access.buffer() {
            Some(buffer) => {
                *self.buffers.entry(buffer).or_default() += bytes;
                let ends = (0..32).filter_map(|lane| access.offset(lane)).max().unwrap() + u64::from(access.bytes());
                self.last = self.last.max(ends);
            }
            None => self.shared += bytes,
        }
        assert_eq!((0..40).filter(|lane| access.offset(*lane).is_some()).count() as u32, access.lanes().count_ones());
        assert!(!access.is_atomic());
    }

    fn merge(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.blocks.extend(other.blocks);
        self.warps.extend(other.warps);
        self.shared += other.shared;
        self.last = self.last.max(other.last);
        for (buffer, bytes) in other.buffers {
            *self.buffers.entry(buffer).or_default() += bytes;
        }
    }
}

#[test]
fn observed_events_add_up_to_the_counts() {
    let module = Module::parse(include_str!("../../examples/transpose.ptx")).unwrap();
    let kernel = module.kernel("tiled").unwrap();
    let n = 32u32;
    let mut memory = Memory::new();
    let (from, to) = (memory.add_f32("in", &vec![1.5; 1024]), memory.add_f32("out", &vec![0.0; 1024]));
    let args = vec![Arg::Buffer(from), Arg::Buffer(to), Arg::U32(n)];
    let launch = Launch { grid: [2, 2, 1], block: [16, 16, 1], args, ..Launch::default() };
    let counted = Options { measure: Measure::Counts, ..Options::default() };
    let counts =
        run(&kernel, &launch, &mut memory.clone(), &counted, &Control::default()).unwrap().counts.unwrap().totals;
    for threads in [1, 3] {
        let options = Options { threads: Some(threads), ..Options::default() };
        let mut memory = memory.clone();
        let (outcome, all) =
            observe(&kernel, &launch, &mut memory, &options, &Control::default(), Everything::default).unwrap();
        assert_eq!(outcome.fault, None);
        assert_eq!(outcome.run.stats.warp_instructions, counts.warp_instructions);
        assert_eq!(all.instructions, counts.warp_instructions);
        assert_eq!(all.blocks, BTreeSet::from([0, 1, 2, 3]));
        assert_eq!(all.warps, (0..8).collect());
        assert_eq!(all.shared, counts.shared_bytes);
        assert_eq!(all.buffers.values().sum::<u64>(), counts.global_bytes);
        assert_eq!(all.buffers.keys().copied().collect::<Vec<_>>(), [from, to]);
        assert_eq!(all.last, u64::from(4 * n * n));
    }
}

#[derive(Default)]
struct Effects(Vec<(u64, u32, Effect)>);

impl Observer for Effects {
    const PRODUCTS: bool = false;

    fn effect(&mut self, by: &Instruction<'_>, effect: Effect) {
        self.0.push((by.block(), by.warp(), effect));
    }

    fn merge(&mut self, _: Self) {}
}

#[test]
fn effects_name_what_copies_phases_and_barriers_do() {
    let kernel = Module::parse(include_str!("asynch/effects.ptx")).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let (from, to) = (memory.add("in", &[0x80, 0x3f].repeat(512)), memory.add("out", &[0; 1024 + 4 * 64]));
    let args = vec![Arg::Buffer(from), Arg::Buffer(to)];
    let launch = Launch { grid: [3, 1, 1], block: [64, 1, 1], args, ..Launch::default() };
    let (control, options) = (Control::default(), Options::default());
    let mut left_out = memory.clone();
    let some = |memory: &mut Memory, blocks: &[u64], options: &Options| {
        observe_blocks(&kernel, &launch, memory, options, &control, blocks, Effects::default())
    };
    let (Effects(all), fault) = some(&mut left_out, &[2, 0], &options).unwrap();
    assert_eq!(fault, None);
    // The tile has 1024 bytes, so the barrier object is at 1024. Each lane waits.
    let waits = |phase| [&[Effect::Waited(1024, phase); 32][..], &[Effect::Barrier(3)]].concat();
    let copies = |phase| {
        let arrives = Effect::Arrives(1024, phase);
        [arrives, Effect::Sectors(32), arrives, Effect::Copies(from, false)].into_iter().chain(waits(phase))
    };
    let end = [Effect::Wavefronts(4), Effect::Sectors(32), Effect::Copies(to, true)];
    let first: Vec<_> = [Effect::Barrier(0)].into_iter().chain(copies(1)).chain(copies(2)).chain(end).collect();
    let second = [&[Effect::Barrier(0)][..], &waits(1), &waits(2), &end[..1]].concat();
    let of = |warp| all.iter().filter(|one| (one.0, one.1) == warp).map(|one| one.2).collect::<Vec<_>>();
    for block in [2, 0] {
        assert_eq!((of((block, 0)), of((block, 1))), (first.clone(), second.clone()));
    }
    assert!(all[..all.len() / 2].iter().all(|one| one.0 == 2), "the blocks run in the order of the request");
    // Products are left out, so the sums keep their first value. A run computes them: 1 + 16.
    let mut computed = memory.clone();
    run(&kernel, &launch, &mut computed, &options, &control).unwrap();
    assert_eq!(
        [&left_out, &computed].map(|memory| memory.read_f32(to)[256..].to_vec()),
        [vec![1.0; 64], vec![17.0; 64]]
    );
    let few = Options { step_budget: Some(20), ..Options::default() };
    assert_eq!(some(&mut memory.clone(), &[0], &few).unwrap().1.unwrap().kind, FaultKind::StepBudget);
    assert_eq!(some(&mut memory, &[3], &options).err().unwrap().kind, FaultKind::Launch);
}
