//! The events that an observer receives must add up to the emulator's counts.

use ptx_emulator::{
    Access, Arg, BufferId, Control, Instruction, Launch, Measure, Memory, Module, Observer, Options, observe, run,
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
